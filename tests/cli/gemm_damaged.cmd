# files that are none, end early, say more than they have, or hold something else
npy() {
    h="{'descr': '$1', 'fortran_order': $2, 'shape': ($3), }"
    printf "\\223NUMPY\\001\\000\\$(printf '%03o' $((${#h} + 1)))\\000%s\\n$4" "$h"
}
mma=mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
npy '<f2' False '1, 2' '\000\074\000\100' >whole.npy
for n in 0 3 9 11 30 60; do head -c $n whole.npy >cut.npy; wsim gemm $mma cut.npy whole.npy; done
npy '<f2' False '1, 2' '\000\074\000' >short.npy
npy '<f2' False '1, 2' '\000\074\000\100\000' >long.npy
npy '<f2' False '1000000000, 1000000000' '\000\074\000\100' >huge.npy
npy '<f2' False '1, 2, 3' '' >three.npy
npy '|O8' False '1, 2' '' >object.npy
npy '<f2' False '2, 2' '\000\074\000\100\000\074\000\100' >square.npy
npy '<f2' False '0, 2' '' >empty.npy
for name in short long huge three object; do wsim gemm $mma $name.npy whole.npy; done
wsim gemm $mma whole.npy whole.npy
wsim gemm $mma square.npy square.npy -c whole.npy
wsim gemm $mma whole.npy square.npy -c whole.npy
wsim gemm $mma . whole.npy
wsim gemm $mma empty.npy square.npy --path plain
wsim gemm $mma square.npy square.npy --path plain --d none/d.npy
