# block-scaled instructions: numbers that are quantised, or bits with factors
npy() {
    h="{'descr': '$1', 'fortran_order': False, 'shape': ($2), }"
    printf "\\223NUMPY\\001\\000\\$(printf '%03o' $((${#h} + 1)))\\000%s\\n$3" "$h"
}
mxf4=mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0
nvfp4=mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3
mxf8=mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e4m3.e4m3.f32.ue8m0
run() { wsim gemm "$@" --arch sm_120a --path plain; }
run $mxf4 --random near-one --size 33x20x100
run $nvfp4 --random near-one --size 33x20x100 --json | grep -A 9 -e '"a":' -e relative
run $mxf8 --random near-one --size 33x20x100 --promote 64 | grep -e quantised -e relative -e added
run $mxf8 --random specials --size 3x2x40 | grep relative
npy '<f4' '1, 2' '\000\000\200\077\000\000\000\300' >a.npy # 1 -2
npy '<f8' '2, 1' '\000\000\000\000\000\000\030\100\000\000\000\000\000\000\360\077' >b.npy # 6 1
npy '<f4' '1, 1' '\000\000\200\077' >c.npy
npy '|u1' '1, 2' '\002\014' >a4.npy # 1 -2
npy '|u1' '1, 1' '\200' >sfa.npy # 2
npy '|u1' '1, 2' '\200\200' >far.npy
npy '|i4' '1, 2' '\200\200' >int.npy
run $mxf4 a.npy b.npy -c c.npy --d - | od -A n -j 128 -t f4 # 1 + 6 - 2
run $mxf4 a4.npy b.npy --bits --sfa sfa.npy
run $mxf4 a4.npy b.npy --bits --sfa sfa.npy --d - | od -A n -j 128 -t f4 # 8
run $mxf4 a4.npy b.npy --bits
run $mxf4 a4.npy b.npy --sfa sfa.npy
run $mxf4 a4.npy b.npy --bits --sfa far.npy
run $mxf4 a.npy b.npy --sfa sfa.npy
run mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 a.npy b.npy --round --sfb sfa.npy
wsim gemm $mxf4 a.npy b.npy --arch sm_90a
wsim gemm $mxf4 a.npy b.npy --path plain | grep digest # the first target that has it
for name in mxf4 nvfp4 mxf8f6f4.e4m3 mxf4nvf4.2X; do
    wsim gemm $name a.npy b.npy --arch sm_120a 2>&1 | grep -e ' is mma' -e digest
done
wsim gemm mxf4nvf4 a.npy b.npy --arch sm_120a
