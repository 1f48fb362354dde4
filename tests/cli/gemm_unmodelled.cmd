wsim gemm mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 --random raw --size 1x1x1
