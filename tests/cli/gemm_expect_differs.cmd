wsim gemm mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --arch sm_80 --random specials --size 20x30x40 --path plain --d d.npy >/dev/null
wsim gemm mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --random specials --size 20x30x40 --path plain --expect d.npy | tail -4
wsim gemm mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --random specials --size 20x31x40 --path plain --expect d.npy >/dev/null
