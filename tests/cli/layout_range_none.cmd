# a has column 15, b has row 15, but no operand has both
wsim layout mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 --row 15 --col 15
wsim layout mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 --reg 1 --operand b
