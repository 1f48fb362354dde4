# 64 lines that make 48 MiB each, on 8 threads: they are read a few at a time (3.1 GB once). Sanitizers
# reserve more than any limit: there is none then
rows() { l=0; while [ $l -lt 32 ]; do printf '%08x' $((l % 8 * 16)); l=$((l + 1)); done; }
{
    printf '#wsim-trace 1\n#arch: sm_90a\n'
    for key in gpu driver toolkit generator seed date; do echo "#$key: x"; done
    n=0
    while [ $n -lt 64 ]; do
        printf 'stmatrix.sync.aligned.m8n8.x1.shared.b16\tr=@fill:07:128\tsmem=@fill:07:16777216\t'
        printf 'addr=%s\tsmem_after=@fill:07:16777216\n' "$(rows)"
        n=$((n + 1))
    done
} >a.trace
if sh -c 'ulimit -v 2500000 && wsim --version' >/dev/null 2>&1; then ulimit -v 2500000; fi
wsim replay --jobs 8 a.trace
