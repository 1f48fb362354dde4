# types that NumPy has not, floats that are rounded, integers of 4 bits and of 1
npy() {
    h="{'descr': '$1', 'fortran_order': $2, 'shape': ($3), }"
    printf "\\223NUMPY\\001\\000\\$(printf '%03o' $((${#h} + 1)))\\000%s\\n$4" "$h"
}
run() { wsim gemm "$@" --path plain --d - | od -A n -j 128 -t "$type" | awk "{\$1 = \$1} 1"; }
type=f4
npy '<V2' False '1, 2' '\200\077\000\100' >bf16.npy # 1 2
npy '<f8' False '1, 2' '\000\000\000\000\000\000\360\077\000\000\000\000\000\000\000\100' >f64.npy
npy '|u1' False '1, 2' '\070\100' >e4m3.npy
npy '<f4' False '2, 1' '\315\314\314\075\000\000\000\077' >b.npy # 0.1 0.5
run mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 bf16.npy b.npy --bits --round
run mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 f64.npy b.npy --round
run mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 e4m3.npy b.npy --bits --round
npy '<f4' False '1, 2' '\315\314\314\075\000\000\000\077' >a.npy
run mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 a.npy b.npy
type=d4
npy '|i1' False '1, 2' '\370\007' >s4.npy # -8 7
npy '|u1' False '2, 1' '\017\001' >u4.npy # 15 1
npy '|b1' False '1, 2' '\001\001' >b1.npy
npy '|u1' False '2, 1' '\001\000' >one.npy
run mma.sync.aligned.m8n8k32.row.col.s32.s4.u4.s32 s4.npy u4.npy
run mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc b1.npy one.npy
run mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc b1.npy one.npy
wsim gemm mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc b1.npy u4.npy
wsim gemm mma.sync.aligned.m8n8k32.row.col.s32.s4.s4.s32 s4.npy u4.npy
wsim gemm mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 s4.npy b.npy
wsim gemm mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 bf16.npy b.npy
wsim gemm mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 f64.npy b.npy
