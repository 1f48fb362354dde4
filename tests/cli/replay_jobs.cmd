# what is printed does not depend on the number of threads: differences and a line that cannot be
# read stand where they stand in the file
same() { n=0; while [ $n -lt 32 ]; do printf '%s' "$1"; n=$((n + 1)); done; }
{
    printf '#wsim-trace 1\n#arch: sm_90a\n'
    for key in gpu driver toolkit generator seed date; do echo "#$key: x"; done
    addr=$(same 00000040)
    case=0
    while [ $case -lt 300 ]; do # so many that batches take turns
        case=$((case + 1))
        printf '# %s\n\nld.shared.u32\taddr=%s\twavefronts=%s\n' $case "$addr" $((case % 30 / 29 + 1))
    done
    echo '#gpu: again'
    printf 'ld.shared.u32\taddr=%s\twavefronts=1\n' "$addr"
} >a.trace
for jobs in 1 2 3 64; do
    wsim replay --jobs $jobs a.trace >$jobs.out 2>&1
    cmp 1.out $jobs.out
done
cat 1.out
wsim replay --jobs -1 a.trace || wsim replay --jobs 257 a.trace
