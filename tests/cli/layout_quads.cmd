wsim layout mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32 --operand a
