wsim exec mma.sync.aligned.m8n8k32.row.col.s32.s4.u4.s32 --a iota --b iota --show-inputs
