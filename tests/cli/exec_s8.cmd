wsim exec mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32 --a random:1 --b random:2 --c random:3
