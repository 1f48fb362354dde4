wsim layout mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.xor.popc --operand a
wsim layout mma.sync.aligned.m16n8k32.row.col.s32.s4.s4.s32 --operand b
