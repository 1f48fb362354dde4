wsim exec mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc --arch sm_80 --a random:1 --b random:2 --show-inputs
