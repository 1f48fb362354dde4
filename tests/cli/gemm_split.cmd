# slices of k, each a product of its own
m='wsim gemm mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --random near-one --size 20x12x200 --path plain'
$m --split-k 3
$m --split-k 3 --json | sed -n '/"slices"/,/"slice_k"/p'
$m --split-k 3 --format csv | head -3
$m --split-k 14
wsim gemm mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 --random near-one --size 20x12x200 --split-k 2
$m --split-k -1
# with whole numbers no order matters
wsim gemm mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 --random raw --size 20x12x200 --path plain | grep -o 'digest [0-9a-f]*'
wsim gemm mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 --random raw --size 20x12x200 --path plain --split-k 5 | grep -o 'digest [0-9a-f]*'
