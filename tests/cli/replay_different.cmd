# hand-made cases, one of each pair wrong: a move, a count, a trap
same() { n=0; while [ $n -lt 32 ]; do printf '%s' "$1"; n=$((n + 1)); done; }
{
    printf '#wsim-trace 1\n#arch: sm_90a\n'
    for key in gpu driver toolkit generator seed date; do echo "#$key: x"; done
    printf 'movmatrix.sync.aligned.m8n8.trans.b16\ta=%s\td=%s\n' "$(same 3c003c00)" "$(same 3c003c00)"
    printf 'movmatrix.sync.aligned.m8n8.trans.b16\ta=%s\td=%s\n' "$(same 3c003c00)" "$(same 3c003c01)"
    printf 'ld.shared.u32\taddr=%s\twavefronts=1\tconflicts=0\n' "$(same 00000040)"
    printf 'ld.shared.u32\taddr=%s\twavefronts=2\tconflicts=0\n' "$(same 00000040)"
    printf 'ld.shared.u32\taddr=%s\ttrap=1\n' "$(same 00000002)"
    printf 'ld.shared.u32\taddr=%s\ttrap=1\n' "$(same 00000040)"
    printf 'ld.shared.u32\taddr=%s\twavefronts=1\n' "$(same 00000002)"
} >a.trace
wsim replay a.trace
wsim replay a.trace --format md
wsim replay a.trace --format svg >a.svg; echo $?
grep -c '<rect' a.svg
wsim replay a.trace --format cute
