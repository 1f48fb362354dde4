# options that do not go together; and nothing is written where nothing differs
same() { n=0; while [ $n -lt 32 ]; do printf '%s' "$1"; n=$((n + 1)); done; }
{
    printf '#wsim-trace 1\n#arch: sm_90a\n'
    for key in gpu driver toolkit generator seed date; do echo "#$key: x"; done
    printf 'movmatrix.sync.aligned.m8n8.trans.b16\ta=%s\td=%s\n' "$(same 3c003c00)" "$(same 3c003c00)"
} >a.trace
wsim replay --minimize --json a.trace
wsim replay --minimize a.trace a.trace
wsim replay --minimize --small a.trace a.trace
wsim replay --minimize --first many a.trace
wsim replay --first 3 a.trace
wsim replay  --small small.trace a.trace
wsim replay --minimize --small missing/small.trace a.trace
echo "exit $?"
ls
