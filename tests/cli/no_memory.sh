#!/bin/sh
# no_memory.sh FAILING - command lines of a program that runs out of memory at any call (no_memory.c). Each run ends
# with the whole answer and its status, or with a sentence and status 2. WSIM_TEST_SAMPLE fails fewer calls.
WSIM_ASSEMBLER=none && export WSIM_ASSEMBLER
program=$1
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
unset NO_COLOR COLUMNS
LC_ALL=C
export LC_ALL
cd "$work" || exit 2

zeros=$(printf '%0256d' 0)
{
    printf '#wsim-trace 1\n#arch: sm_90a\n'
    for key in gpu driver toolkit generator seed date; do echo "#$key: x"; done
    printf 'ld.shared.u32\taddr=%s\twavefronts=1\n' "$zeros"
    printf 'ld.shared.u32\taddr=%s\twavefronts=2\n' "$zeros"
} >a.trace
echo '{"dtype": "FLOAT16", "dims": [20, 5], "strides": [48], "box": [16, 8]}' >map.json

# run LIMIT COMMAND...: standard output and error into files, and the status.
run() {
    limit=$1
    shift
    WSIM_FAIL_AT=$limit "$program" "$@" >out 2>err
    status=$?
}

cat >add.ptx <<'PTX'
.version 8.0
.target sm_90a
.address_size 64
.file 1 "add.cu"
.visible .entry add(.param .u64 at)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [at];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.u32 %r2, [%rd3];
    .loc 1 1 0
    add.s32 %r3, %r2, %r1;
    st.global.u32 [%rd3], %r3;
    ret;
}
PTX
echo 'at[threadIdx.x] += threadIdx.x;' >add.cu
cat >asm.cu <<'CU'
void f(float *smem, unsigned a, unsigned b) {
    asm("{ .reg .b32 t; add.u32 t, %1, %[other]; }" : "=r"(a) : "r"(b));
    asm("mov.b32 %0, %1; ld.shared.f32 %2, [%3];" : "=r"(a) : "n"(SIZE), "f"(x), "l"(smem));
    asm("mma.sync.aligned.m16n8k61.row.col.f32.f16.f16.f32 %0;" : "+f"(x));
    asm volatile("bar.sync 0;"); // wsim-lint: off-line asm
}
CU
mkdir sources
cp asm.cu sources
printf 'asm.volatile 0123456789abcdef sources/asm.cu\n' >known.txt
printf '%064d' 0 >in.bin
echo '{"ptx": "add.ptx", "buffers": {"at": {"file": "in.bin"}}, "launches": [{"block": [16], "args": [{"buffer": "at"}]}],
"expect": {"at": {"file": "in.bin", "type": "f32"}}}' >launch.json

# A run that differs from the answer must print an error.
judge() {
    [ $status -eq "$whole" ] && cmp -s out answer && return
    [ $status -eq 2 ] && [ -s err ] && return
    echo "call $limit of $calls, exit $status: wsim $*"
    head -3 err
    failed=1
}

failed=0
share=8
[ "${WSIM_TEST_SAMPLE:-1}" -le 1 ] || share=2
while read -r line; do
    eval "set -- $line"
    run 0 "$@"
    whole=$status
    cp out answer
    calls=$(WSIM_FAIL_COUNT=1 "$program" "$@" 2>&1 >/dev/null | tail -1)
    limit=1
    while [ "$limit" -le "$calls" ]; do
        run "$limit" "$@"
        judge "$@"
        limit=$((limit + 1 + limit / share))
    done
    run "$calls" "$@"
    judge "$@"
    case $1 in run | lint) ;; *) continue ;; esac
    export WSIM_FAIL_ONE=1
    limit=1
    while [ "$limit" -le "$calls" ]; do
        run "$limit" "$@"
        judge "$@"
        limit=$((limit + ${WSIM_TEST_SAMPLE:-1}))
    done
    unset WSIM_FAIL_ONE
done <<'END'
ops --family ldmatrix
ops --family ldmatrix --format json
ops --evidence --family movmatrix --format json
check ldmatrix.sync.aligned.m8n8.x1.b16 ldmatrix.x1 'ld.shared.u32 [r0];'
layout mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
layout mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --operand a --format json
layout movmatrix.sync.aligned.m8n8.trans.b16 --lane 3 --row 1 --format csv
exec mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --a random:1
exec mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --format json --show-inputs
exec mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 --e random:1 --format csv
exec wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 --a iota --b random:1
exec wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 --format json
exec stmatrix.sync.aligned.m8n8.x1.shared.b16 --format json
exec ldmatrix.sync.aligned.m8n8.x1.b16 --smem @mix:1:256 --addr 'lane % 8 * 16'
banks ld.shared.u32 --addr 'lane * 8'
banks ld.shared.u32 --addr 'lane * 8' --format json
banks cp.async.cg.shared.global --size 16 --addr 'lane * 16' --format json
banks wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 --format json
swizzle 128B
swizzle 128B --format json
tma check map.json
tma check --dtype FLOAT16 --dims 20,5 --strides 48 --box 16,8 --format json
tma show map.json --coord 8,2 --format json
tma load map.json --format json
tma store map.json --coord 8,2
desc encode --stride 1024 --swizzle 128B --format json
desc check wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 b 4000004000000040 --map map.json --format json
gemm mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --random near-one --size 20x10x40 --jobs 2 --compare sm_80
gemm mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --random near-one --size 20x10x40 --jobs 1 --json
replay a.trace
replay a.trace --format json --jobs 2
run --launch launch.json --threads 1
run --launch launch.json --threads 1 --json
run --launch launch.json --threads 1 --report html
lint --arch h100 -q asm.cu
lint --format sarif asm.cu
lint --ignore asm.volatile --baseline known.txt sources
lint --write-baseline written.txt sources
lint add.ptx
ptx add.ptx
ptx --json add.ptx
rules mma --format json
--version
exec --help
END
exit $failed
