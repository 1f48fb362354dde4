#!/bin/sh
# program.sh MODEL_HW WSIM - wsim-hw with the model in place of a GPU (model_gpu.c). All commands work, and a killed
# run continues where it stopped. With WSIM_TEST_SAMPLE the longest run is left out.
hw=$1 wsim=$2
kernels=$(cd "$(dirname "$0")/../kernels" && pwd)
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0
form=mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32

# status WANTED COMMAND...: its words are left in `said`.
status() {
    wanted=$1
    shift
    "$@" >said 2>&1
    got=$?
    [ $got -eq "$wanted" ] || { echo "status $got, not $wanted: $*"; cat said; failed=1; }
}
# says TEXT: the last command said so.
says() { grep -qF -e "$1" said || { echo "no '$1' in:"; cat said; failed=1; }; }
same() { cmp "$1" "$2" || { echo "$1 and $2 differ"; failed=1; }; }
without_time() { sed 's/"seconds".*//' "$1"; }

# Recording, and back again.
status 0 "$hw" record --ops m16n8k8 -o cases.trace
status 0 "$wsim" replay cases.trace
status 0 "$hw" replay cases.trace
status 0 "$hw" record --from cases.trace -o again.trace
grep -v '^#' cases.trace >1 && grep -v '^#' again.trace >2 && same 1 2
status 0 "$hw" record --ops 'mma.sp*f32.tf32*' --digest 3 --results 1000 --first 7 --seed 0xfffffffff -o digests.trace
status 0 "$wsim" replay digests.trace
status 0 "$hw" replay digests.trace
says ' 0          0  total'
status 2 "$hw" record --from cases.trace -o cases.trace
status 2 "$hw" record --from cases.trace --ops movmatrix -o nothing.out
says 'no case'
{
    head -8 cases.trace
    printf 'ld.shared.u32\taddr=%0256d\twavefronts=1\tconflicts=0\n' 0
} >counts.trace
status 3 "$hw" replay cases.trace counts.trace
says 'not run: ld.shared.u32'

# Warpgroups, and fragments in memory: each way there and back, one line for all distributions too.
group=wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
status 0 "$hw" record --ops m64n8k16 --cases 3 -o group.trace
status 0 "$hw" record --ops 'wmma.[ls]*m8n8*' --cases 2 -o lines.trace
for trace in group lines; do
    status 0 "$wsim" replay $trace.trace
    status 0 "$hw" replay $trace.trace
    status 0 "$hw" record --from $trace.trace -o again.trace
    grep -v '^#' $trace.trace >1 && grep -v '^#' again.trace >2 && same 1 2
    status 3 "$hw" minimize $trace.trace -o small.trace
    says 'only cases of mma and of matrix moves are made small'
done
status 0 "$hw" record --ops 'w[gm]*m*n8k16*' --mixed --digest 13 --results 4000 -o mixed.trace
says ' cases in mixed.trace'
status 0 "$wsim" replay mixed.trace
status 0 "$hw" replay mixed.trace
[ "$(grep -c "^$group.*dist=all.*cases=13" mixed.trace)" = 1 ] || { echo "no line of all"; failed=1; }
MODEL_GPU_WRONG=$group status 1 "$hw" diff --ops $group --cases 1001 -o wrong.trace
says '2 differences in 2 cases'
says 'column of B, descriptor '
status 1 "$wsim" replay wrong.trace
says 'd row 1 column 2 (thread 5, register 0'
{
    head -8 group.trace
    grep -v '^#' group.trace | head -1 | sed 's/\td=[0-9a-f]*/\td_fnv=0123456789abcdef/'
} >hash.trace
status 1 "$hw" replay hash.trace
says 'recorded 0123456789abcdef'
hash=$(sed -n 's/.*hash of the result \([0-9a-f]*\),.*/\1/p' said)
sed "s/0123456789abcdef/$hash/" hash.trace >right.trace
status 0 "$hw" replay right.trace
status 0 "$wsim" replay right.trace
{
    head -8 group.trace
    grep -v '^#' group.trace | head -1 | sed 's/descB=............../descB=ffffffffffffff/'
} >far.trace
status 3 "$hw" replay far.trace
says 'outside the given shared memory'

# Another GPU is found out, and what it does not have is not run.
MODEL_GPU=sm_80 status 1 "$hw" replay cases.trace
says 'recorded on none (the model of sm_90a)'
MODEL_GPU=sm_75 status 3 "$hw" replay cases.trace --ops $form
says 'there is no code for sm_75'
MODEL_GPU=sm_80 status 1 "$hw" replay digests.trace --ops mma.sp.sync.aligned.m16n8k16.row.col.f32.tf32
says 'to find the cases: wsim-hw diff'

# Differences: counted, shown, and in a trace.
status 0 "$hw" diff --ops $form --cases 2500
MODEL_GPU_WRONG=$form status 1 "$hw" diff --ops $form --cases 2500 -o wrong.trace
says '3 differences in 3 cases'
says 'lane 5, register 0, bit 0'
status 1 "$wsim" replay wrong.trace
MODEL_GPU_WRONG=$form status 1 "$hw" diff --ops $form --cases 2500 --stop-after 1 -o wrong.trace --json
says '"differing_cases": 3, "seconds"'

# Made small, with the GPU as the judge: the same as wsim finds with the model of that GPU.
status 1 "$hw" diff --ops m16n8k16.row.col.f32.f16 --arch sm_80 --cases 3 -o wrong.trace
status 1 "$hw" minimize wrong.trace --arch sm_80 -o small.trace
says ' of 512 nonzero operands are left'
status 1 "$wsim" replay small.trace
says '1 of 128 elements differ'
status 0 "$hw" replay small.trace
"$wsim" replay --minimize wrong.trace 2>/dev/null | grep -v '^#' >1
grep -v '^#' small.trace >2 && same 1 2
if [ -w /dev/full ]; then
    status 2 "$hw" minimize wrong.trace --arch sm_80 -o /dev/full
    status 2 "$hw" diff --ops m16n8k16.row.col.f32.f16 --arch sm_80 --cases 13 -o /dev/full
    status 2 "$wsim" replay --minimize --arch sm_80 wrong.trace --small /dev/full
fi
status 0 "$hw" minimize cases.trace -o none.trace
says 'cases are equal here'
[ ! -e none.trace ] || { echo "a trace of nothing"; failed=1; }
status 3 "$hw" minimize digests.trace counts.trace
says 'which of its cases'
status 2 "$hw" minimize cases.trace -o cases.trace

# interrupted PATTERN OPTIONS...: killed as soon as the state has PATTERN, then run to its end.
interrupted() {
    pattern=$1
    shift
    rm -f state
    "$hw" "$@" --state state >/dev/null 2>&1 &
    pid=$!
    tries=0
    while ! grep -q "$pattern" state 2>/dev/null && [ $tries -lt 6000 ]; do
        tries=$((tries + 1))
        sleep 0.01
    done
    kill -KILL $pid
    wait $pid 2>/dev/null
    grep -q "$pattern" state || { echo "never came to $pattern: $*"; failed=1; }
    grep -q '^end' state || { echo "a torn state"; failed=1; }
    echo 'written after the state' >>2
    "$hw" "$@" --state state
}
sums='diff --json --cases 200 --ops m16n8k8'
export MODEL_GPU_WRONG=$form
status 1 "$hw" $sums && without_time said >1
interrupted '^at: [1-9]' $sums >said 2>&1 && without_time said >2 && same 1 2
status 1 "$hw" $sums --state state && without_time said >2 && same 1 2
status 2 "$hw" $sums --state state --seed 2
says "there: 'seed: 0x1'; here: 'seed: 0x2'"
unset MODEL_GPU_WRONG
if [ "${WSIM_TEST_SAMPLE:-1}" = 1 ]; then
    long='record --ops movmatrix --dist raw --digest 1048576 -o'
    status 0 "$hw" $long 1
    interrupted '^at: 0 [1-9]' $long 2 >/dev/null 2>&1 && same 1 2
fi
cases='record --ops m16n8 --cases 5 -o'
status 0 "$hw" $cases 1
interrupted '^at: [1-9]' $cases 2 >/dev/null 2>&1 && same 1 2
echo torn >state
status 2 "$hw" $cases 2 --state state
says 'is the state of another run'

# Nothing runs on what was not there.
status 2 "$hw" diff --ops nothing
status 2 "$hw" replay nothing.trace
MODEL_GPU=none status 2 "$hw" replay nothing.trace
MODEL_GPU=none status 2 "$hw" minimize nothing.trace
MODEL_GPU=none status 2 "$hw" record --from nothing.trace -o 1
MODEL_GPU=none status 77 "$hw" replay cases.trace
status 0 "$hw" diff --ops movmatrix --cases 2 --first 18446744073709551614
status 2 "$hw" diff --ops movmatrix --cases 3 --first 18446744073709551614
says 'do not fit in 64 bits'
status 2 "$hw" record --ops movmatrix --mixed -o 1
status 2 "$hw" replay
status 2 "$hw" diff --cases 0
status 2 "$hw" diff --cases
status 2 "$hw" diff --cases 1 --cases 2
status 2 "$hw" diff --shard 4/4
status 2 "$hw" diff --shard 1
status 2 "$hw" diff --shard 1/4294967297
status 2 "$hw" diff --dist rawish
status 2 "$hw" diff --arch sm_1
status 2 "$hw" diff --record
status 2 "$hw" record --ops movmatrix
status 2 "$hw" record --digest 1048577 -o 1
status 2 "$hw" record --results 9 -o 1
status 2 "$hw" diff --ops movmatrix --cases 5 --results 5
says 'one or the other'
status 2 "$hw" record --ops movmatrix --cases 5 --digest 5 -o 1
status 2 "$hw" record --cases 5 --from cases.trace -o 1
status 2 "$hw"
cp cases.trace kept && ln -s cases.trace link
status 2 "$hw" record --from cases.trace -o link
status 2 sh -c '"$1" record --from - -o cases.trace <cases.trace' sh "$hw"
status 2 sh -c '"$1" minimize - -o cases.trace <cases.trace' sh "$hw"
same cases.trace kept
status 2 "$hw" patterns --ops nosuch -o kept
same cases.trace kept

# A failed write is an error: CI depends on the status.
unwritten() { # COMMAND...
    if [ -w /dev/full ]; then
        status 2 sh -c '"$@" 2>>said >/dev/full' sh "$@"
        grep -q 'standard output' said || { echo "not a word: $*"; failed=1; }
    fi
    status 2 sh -c '"$@" 2>>said >&-' sh "$@"
}
for format in '' --json; do
    unwritten "$hw" diff --ops movmatrix --cases 5 $format
    unwritten "$hw" replay cases.trace $format
done
unwritten "$hw" list
unwritten "$hw" --help
unwritten "$hw" diff --help
unwritten "$hw" list --targets
status 0 sh -c '"$1" record --ops movmatrix -o 1 >&-' sh "$hw"
MODEL_GPU_WRONG=$form unwritten "$hw" diff --ops $form --cases 1 -o wrong.trace
status 0 "$hw" list --ops movmatrix
says '1  movmatrix.sync.aligned.m8n8.trans.b16'
# Scalar instructions: differences come first, refused forms are named, all inputs of one source run, and shares
# together have all sources.
status 0 "$hw" scalar --ops 'a*.u32' --results 500
says 'operations, '
says ', 0 differences in 0 forms, 0 not built'
MODEL_GPU_WRONG=fma.rn.f32 MODEL_GPU_LACKS=fma.rz.f32 status 1 "$hw" scalar --ops 'fma.*.f32' --results 3000
says '        3000            3'
says 'number 1007: a='
says 'not built  fma.rz.f32'
says '15 operations, 15 forms, 45000 results, 3 differences in 1 forms, 1 not built'
MODEL_GPU_WRONG='div.u32 (by 0)' status 1 "$hw" scalar --ops 'div.u32*' --results 1008
says ' b=0x0: hardware '
says '1 operations, 2 forms, 2016 results, 2 differences in 1 forms, 0 not built'
status 0 "$hw" scalar --all-inputs --ops 'ex2.approx.ftz.bf16' --json
"${PYTHON:-python3}" -c 'import json; j = json.load(open("said")); exit(j["results"] != 65536 * 2)' 2>/dev/null ||
    says '"results": 131072'
status 0 "$hw" scalar --ops 'shf.*' --results 1000 --shard 0/3 --digests first
status 0 "$hw" scalar --ops 'shf.*' --results 1000 --shard 1/3 --digests second
status 0 "$hw" scalar --ops 'shf.*' --results 1000 --shard 2/3 --digests third
status 0 "$hw" scalar --ops 'shf.*' --results 1000 --digests whole
grep -q '^shf.l.clamp.b32.first=0.cases=334.digest=' third || { echo "no third of 1000"; failed=1; }
# Digests add up: the shares of a line have that of the whole, here looked at modulo 2^32.
low() { sed -n 's/^shf.l.wrap.b32.*digest=........//p' "$@"; }
[ $(((0x$(low first) + 0x$(low second) + 0x$(low third)) & 0xffffffff)) = $((0x$(low whole))) ] ||
    { echo "digests do not add up"; failed=1; }
status 2 "$hw" scalar --results 5 --all-inputs
status 2 "$hw" scalar --ops nothing.of.that.name
says 'no operation matches'

# Launch files, where they are built in: as recorded; differences, and writes outside of a
# buffer; recorded anew, from nothing.
if "$hw" launch --help >/dev/null 2>&1; then
    cp "$kernels"/reductions/scan.* "$kernels"/reductions/reductions.ptx "$kernels"/transposes/xor.* "$kernels"/transposes/in.bin* \
        "$kernels"/transposes/transposes.ptx .
    status 0 "$hw" launch scan.json xor.json
    says 'files 2 launches 2 compared 2 different 0'
    MODEL_GPU_WRONG=write status 1 "$hw" launch scan.json
    says 'out: 1 of 6144 bytes differ, the first byte 3072'
    MODEL_GPU_WRONG=guard status 1 "$hw" launch --rounds 1 scan.json
    says 'out: byte -2048 was written, outside of it'
    mv scan.out.expected.bin expected
    sed 's/"expect"/"save"/; s/{ *"file": *"scan.out.expected.bin" *}/"left.bin"/' scan.json | tr -d '\n' |
        sed 's/"save": *{ *"out": *{ *"file": *"[^"]*" *} *}/"save": {}/' >new.json
    status 0 "$hw" launch --record new.json
    same new.out.expected.bin expected
    status 0 "$hw" launch new.json
    says 'files 1 launches 1 compared 1 different 0'
    status 2 "$hw" launch --counters --ncu false scan.json
    status 2 "$hw" launch nothing.json
    status 0 "$hw" diff new.json xor.json
    says 'files 2 launches 2 compared 2 different 0'
    # Products of tcgen05 are skipped here, and run where the GPU has them.
    blackwell=$kernels/../blackwell
    status 77 "$hw" diff "$blackwell/cases.json"
    MODEL_GPU=sm_100a status 0 "$hw" diff --rounds 1 "$blackwell/cases.json" "$blackwell"/open_*.json
    says 'files 4'
    says 'different 0'
fi

exit $failed
