# A row by row, B column by column, C; what comes out is NumPy's again
npy() {
    h="{'descr': '$1', 'fortran_order': $2, 'shape': ($3), }"
    printf "\\223NUMPY\\001\\000\\$(printf '%03o' $((${#h} + 1)))\\000%s\\n$4" "$h"
}
# 1 2 3 / 4 5 6 times 1 10 / 100 1000 / 0.5 -2, plus 1 0 / 0 -1
npy '<f2' False '2, 3' '\000\074\000\100\000\102\000\104\000\105\000\106' >a.npy
npy '<f2' True '3, 2' '\000\074\100\126\000\070\000\111\320\143\000\300' >b.npy
npy '>f4' False '2, 2' '\077\200\000\000\000\000\000\000\000\000\000\000\277\200\000\000' >c.npy
wsim gemm mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 a.npy b.npy -c c.npy --d d.npy --path plain
od -A d -t x1 d.npy | awk "{\$1 = \$1} 1" | sed -n "1p;8,\$p"
od -A n -j 128 -t f4 d.npy | awk "{\$1 = \$1} 1"
# the order of memory changes nothing, and the result is what was expected
wsim gemm mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 - b.npy -c c.npy --expect d.npy --path plain <a.npy
wsim gemm mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 a.npy b.npy --d - --path plain | od -A n -j 128 -t f4 | awk "{\$1 = \$1} 1"
