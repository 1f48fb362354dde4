wsim exec mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 --a iota --b eye --format json
