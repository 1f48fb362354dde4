# families that are read but not modelled, and an instruction that the architecture does not have
same() { n=0; while [ $n -lt $2 ]; do printf '%s' "$1"; n=$((n + 1)); done; }
{
    printf '#wsim-trace 1\n#arch: sm_80\n'
    for key in gpu driver toolkit generator seed date; do echo "#$key: x"; done
    printf 'tensormap.other\trank=1\tdims=64\tstrides=\tresult=0\n'
    printf 'tensormap.other\trank=1\tdims=65\tstrides=\tresult=0\n'
    printf 'stmatrix.sync.aligned.m8n8.x1.shared.b16\tsmem=@fill:00:128\taddr=%s\tr=%s\tsmem_after=@fill:00:128\n' \
        "$(same 00000000 32)" "$(same 00000000 32)"
} | wsim replay --json -
