wsim exec mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 --arch sm_70 --a iota --b eye
