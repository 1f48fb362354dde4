# --arch runs a recording of one architecture on another
same() { n=0; while [ $n -lt 32 ]; do printf '%s' "$1"; n=$((n + 1)); done; }
{
    printf '#wsim-trace 1\n#arch: sm_90a\n'
    for key in gpu driver toolkit generator seed date; do echo "#$key: x"; done
    printf 'movmatrix.sync.aligned.m8n8.trans.b16\ta=%s\td=%s\n' "$(same 3c003c00)" "$(same 3c003c00)"
} >a.trace
wsim replay a.trace && wsim replay --arch turing a.trace && wsim replay --arch volta a.trace
