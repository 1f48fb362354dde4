wsim gemm mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 --arch sm_89 --random near-one --seed 3 --size 17x9x65 --path plain --compare sm_90a --json
