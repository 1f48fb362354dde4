wsim gemm mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --random near-one --size 64x40x100 --path plain --compare sm_80,h100
