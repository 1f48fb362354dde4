# the questions for a B200 have the words of this model here; random products have no finding
for n in open_nvfp4 open_bf16 open_tf32 cases; do
    wsim run --launch "$(dirname "$0")/../blackwell/$n.json" | tail -1
done
