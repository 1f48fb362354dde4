# the trace that is read is not written, however it is named; and what is written comes to be at once
same() { n=0; while [ $n -lt $2 ]; do printf '%s' "$1"; n=$((n + 1)); done; }
{
    printf '#wsim-trace 1\n#arch: sm_90a\n'
    for key in gpu driver toolkit generator seed date; do echo "#$key: x"; done
    printf 'mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32\ta=%s\tb=%s\tc=%s\td=%s\n' \
        "$(same bc003c00 128)" "$(same 3c003c00 64)" "$(same 33000000 128)" "$(same 33000000 128)"
} >a.trace
cp a.trace kept
wsim replay --minimize --arch sm_80 --small a.trace - <a.trace
echo "exit $?"
cmp a.trace kept
wsim replay --minimize --arch sm_80 --small a.trace ./a.trace
ln -s a.trace link
wsim replay --minimize --arch sm_80 --small link a.trace
cmp a.trace kept
# a trace that cannot be put in its place leaves nothing
mkdir there
wsim replay --minimize --arch sm_80 --small there a.trace 2>/dev/null
echo "exit $?"
wsim replay --minimize --arch sm_80 --small new a.trace 2>/dev/null
ls
