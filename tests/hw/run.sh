#!/bin/sh
# run.sh WSIM_HW WSIM SOURCE_DIR - on a GPU: hardware and model agree on a few cases of everything. A wrong model (of
# another generation) is found; its cases differ offline too, also when made small. Recordings and digests replay.
# This GPU reproduces the traces of the repository. A killed run continues. Skipped (77) where wsim-hw is not built or
# there is no GPU or, if nothing failed, no zstd. WSIM may be `none`.
hw=$1 wsim=$2 source=$3
[ -x "$hw" ] || { echo "skipped: wsim-hw is not built"; exit 77; }
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
form=mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16
failed=0 left_out=0
fail() { echo "$*"; failed=1; }
model_replays() { [ "$wsim" = none ] || "$wsim" replay "$1" >replayed || { cat replayed; failed=1; }; }

"$hw" diff --results 2000 --json >report 2>messages
status=$?
[ $status -ne 77 ] || { cat messages; exit 77; }
head -2 report
[ $status -eq 0 ] || fail "the model is not this GPU: $(cat messages report)"
arch=$(sed -n '1s/.*"arch": "\([^"]*\)".*/\1/p' report)

"$hw" diff --ops $form --arch sm_70 --cases 130 -o wrong.trace >wrong 2>/dev/null
[ $? -eq 1 ] || fail "the model of sm_70 was not found out"
if [ "$wsim" != none ]; then
    "$wsim" replay --arch sm_70 wrong.trace >/dev/null
    [ $? -eq 1 ] || fail "the differences do not replay"
    "$hw" minimize wrong.trace --arch sm_70 -o small.trace 2>messages
    [ $? -eq 1 ] || fail "the differences are not made small: $(cat messages)"
    "$wsim" replay --arch sm_70 small.trace >/dev/null
    [ $? -eq 1 ] || fail "the small cases do not differ"
fi

# Names with w are wgmma, whose cases are large, and wmma.
record() {
    ops=$1
    shift
    "$hw" list --ops "$ops" >/dev/null 2>&1 || return 0
    "$hw" record --ops "$ops" "$@" -o all.trace || fail "record $ops"
    "$hw" replay all.trace >replayed || fail "what was recorded differs: $(cat replayed)"
    model_replays all.trace
}
for ops in '[!w]*:13' 'wmma*:2' 'wgmma*m64n8k*:2'; do
    record "${ops%:*}" --cases "${ops#*:}"
    [ -e all.trace ] || continue
    "$hw" record --from all.trace -o again.trace || fail "record --from"
    grep -v '^#' all.trace >1 && grep -v '^#' again.trace >2
    cmp 1 2 || fail "the same operands, another result"
    rm all.trace
done
record '[!w]*' --digest 4 --results 500 --seed 3
record 'w*' --mixed --digest 2 --seed 3

# Results are all run (0). Counts and what else a warp does not execute are not (3), but nothing
# may differ.
if command -v zstd >/dev/null; then
    for trace in "$source/traces/$arch"/*.trace.zst; do
        [ -e "$trace" ] || continue
        zstd -dc "$trace" | "$hw" replay - >replayed
        case $?:${trace##*/} in
        0:* | 3:access* | 3:atomics.* | 3:banks.* | 3:cp_async* | 3:t[emr]* | 3:w*)
            echo "$trace: $(grep ' total$' replayed)" ;;
        *) fail "$trace: $(cat replayed)" ;;
        esac
    done
else
    echo "left out: no zstd for the traces of the repository"
    left_out=77
fi

whole='diff --json --results 1000000 --ops m16n8k16 --seed 9'
"$hw" $whole >1 || fail "$whole"
"$hw" $whole --state state >2 2>/dev/null &
pid=$!
tries=0
while [ ! -e state ] && [ $tries -lt 100 ]; do
    tries=$((tries + 1))
    sleep 0.1
done
kill -KILL $pid
wait $pid 2>/dev/null
echo "killed at $(grep '^at:' state)"
"$hw" $whole --state state >2 || fail "it does not go on"
sed 's/"seconds".*//' 1 >one && sed 's/"seconds".*//' 2 >two
cmp one two || fail "killed and gone on is not the same as not killed"
[ $failed -ne 0 ] || exit $left_out
exit 1
