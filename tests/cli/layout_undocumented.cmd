wsim layout mma.sync.aligned.m8n8k4.row.col.f32.tf32.tf32.f32
