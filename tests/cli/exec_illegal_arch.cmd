wsim exec mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 --arch sm_75
