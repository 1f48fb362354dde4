# what a user types: a launch file alone, a program of this folder, a file that is not there, words of a CI
cat >k.ptx <<'PTX'
.version 8.0
.target sm_90a
.address_size 64
.visible .entry k() { .reg .u32 %r<2>; next: add.u32 %r0, %r0, 1; bra next; }
PTX
echo '{"ptx": "k.ptx", "launches": [{"kernel": "k", "grid": [1, 1, 1], "block": [1, 1, 1]}]}' >k.json
wsim run k.json --max-instructions 10 --lines 0 --threads 1 | head -1
cp /bin/sh reduce
wsim run reduce
wsim run ./nothing.ptx
wsim run --suppress race k.ptx
for word in ci suppress timeout junit; do
    wsim help $word
done
wsim run --check sync --write-baseline known --max-instructions 10 k.json --lines 0 >said
cat known
