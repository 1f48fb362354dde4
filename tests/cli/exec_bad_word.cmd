wsim exec mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --a onces
