#!/bin/sh
# ci.sh SOURCE_DIR - the scripts of ci/ with a wsim-hw that only prints its arguments. Shares cover 0 to N-1 once,
# options arrive unchanged, statuses are merged, failing cases are kept.
ci=$(cd "$1/ci" && pwd) || exit 2
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
unset WSIM_SHARD WSIM_SHARDS SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_MIN SLURM_ARRAY_TASK_COUNT
failed=0

# The status is the word of STATUSES whose turn it is. Where it differs, there is a trace.
cat >wsim-hw <<'END'
#!/bin/sh
printf '%s' "$1" >>calls
command=$1
shift
out=
for word; do
    printf ' [%s]' "$word" >>calls
    [ "$last" != -o ] || out=$word
    last=$word
done
echo >>calls
[ "$command" = diff ] || { echo "# $*" >"$out"; exit 1; }
n=$(grep -c ^diff calls)
status=$(echo "$STATUSES" | cut -d' ' -f "$n")
[ "$status" != 1 ] || echo '#wsim-trace 1' >"$out"
echo "{\"call\": $n}"
echo "call $n" >&2
exit "${status:-0}"
END
chmod +x wsim-hw

# expect STATUS STATUSES COMMAND...
expect() {
    wanted=$1 STATUSES=$2
    export STATUSES
    shift 2
    rm -rf out calls
    "$@" >said 2>&1
    got=$?
    [ $got -eq "$wanted" ] || { echo "exit $got, not $wanted, with '$STATUSES': $*"; cat said; failed=1; }
}
holds() { "$@" || { echo "not so: $*"; failed=1; }; }
says() { grep -qF -e "$1" said || { echo "no '$1' in:"; cat said; failed=1; }; }

# Shares.
expect 0 '0 0 0 0 0' "$ci/cluster.sh" all out 5 --results 1000 --ops 'mma*[ab] c'
for i in 0 1 2 3 4; do
    echo "diff [--results] [1000] [--ops] [mma*[ab] c] [--shard] [$i/5] [--json] [-o] [out/$i.trace]"
done | cmp - calls || { cat calls; failed=1; }
holds [ "$(cat out/3.json)" = '{"call": 4}' ]
holds [ "$(cat out/3.log)" = 'call 4' ]
holds [ "$(cat out/3.status)" = '0 of 5' ]
says '5 shares: 5 equal'

# The share out of the variables of a queue; its status is that of the program.
SLURM_ARRAY_TASK_ID=12 SLURM_ARRAY_TASK_MIN=10 SLURM_ARRAY_TASK_COUNT=7
export SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_MIN SLURM_ARRAY_TASK_COUNT
expect 1 1 "$ci/cluster.sh" share out
holds grep -q '\[2/7\]' calls
WSIM_SHARD=3 WSIM_SHARDS=4
export WSIM_SHARD WSIM_SHARDS
expect 77 77 "$ci/cluster.sh" share out
holds grep -q '\[3/4\]' calls
WSIM_SHARD=4
expect 2 0 "$ci/cluster.sh" share out
says 'share 4 of 4'
WSIM_SHARD=08 WSIM_SHARDS=012
expect 0 0 "$ci/cluster.sh" share out
holds [ "$(cat out/8.status)" = '0 of 12' ]
WSIM_SHARD=-1
expect 2 0 "$ci/cluster.sh" share out
unset WSIM_SHARD WSIM_SHARDS SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_MIN SLURM_ARRAY_TASK_COUNT

# Statuses.
expect 1 '0 1 0' "$ci/cluster.sh" all out 3
says 'share 1 differs: wsim replay out/1.trace'
expect 2 '1 2 0' "$ci/cluster.sh" all out 3
says 'share 1: 2, see out/1.log'
expect 2 '0 0 139' "$ci/cluster.sh" all out 3
expect 2 '0 77 0' "$ci/cluster.sh" all out 3
expect 77 '77 77' "$ci/cluster.sh" all out 2
"$ci/cluster.sh" all out 2 >/dev/null
expect 2 '' "$ci/cluster.sh" merge out 3
says 'share 2: missing'
"$ci/cluster.sh" all out 4 >/dev/null
expect_merge() { # STATUS N: of what lies in out
    "$ci/cluster.sh" merge out "$2" >said 2>&1
    [ $? -eq "$1" ] || { echo "merge $2:"; cat said; failed=1; }
}
STATUSES=
expect_merge 0 4
expect_merge 2 3
says 'share 0: 0, a share of 4'
for wrong in '' 'share' 'merge out' 'merge out x' 'merge out 0' 'all out' 'all out x' 'other out'; do
    # shellcheck disable=SC2086 # words
    expect 2 0 "$ci/cluster.sh" $wrong
done

# One job: what fails is kept, also made small.
expect 0 0 "$ci/gpu.sh" out --results 5
holds grep -qxF 'diff [--results] [5] [-o] [out/failing.trace]' calls
holds [ ! -e out/failing.trace ]
expect 1 1 "$ci/gpu.sh" out
holds grep -qxF 'minimize [out/failing.trace] [-o] [out/small.trace]' calls
holds [ -s out/small.trace ]
says 'wsim replay failing.trace'
expect 1 1 "$ci/gpu.sh" out --arch sm_80 --cases 3
holds grep -qxF 'minimize [out/failing.trace] [--arch] [sm_80] [-o] [out/small.trace]' calls
expect 2 2 "$ci/gpu.sh" out
expect 2 139 "$ci/gpu.sh" out
WSIM_HW=./nothing expect 2 0 "$ci/gpu.sh" out
WSIM_HW=./nothing expect 2 0 "$ci/cluster.sh" share out
holds [ "$(cat out/0.status)" = '127 of 1' ]
expect 77 77 "$ci/gpu.sh" out
expect 2 0 "$ci/gpu.sh"
exit $failed
