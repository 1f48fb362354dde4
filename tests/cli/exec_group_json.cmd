wsim exec wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.u8 --format json --desc-a 0000001000080010 --a random:1 --b random:1 --scale-d 0 | cut -c1-90 | head -60
