wsim check mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 multimem.red
