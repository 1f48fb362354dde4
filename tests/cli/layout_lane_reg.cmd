wsim layout mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --operand a --lane 5 --reg 1
wsim layout mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --lane 5 --reg 1
