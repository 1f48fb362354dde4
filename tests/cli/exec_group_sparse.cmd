wsim exec --wide wgmma.mma_async.sp.sync.aligned.m64n8k64.s32.s8.u8 --e random:1 --a random:2 --b random:3 --show-inputs | grep -A2 ' as '
wsim exec --wide wgmma.mma_async.sp.sync.aligned.m64n8k16.f32.tf32.tf32 --e random:1 --selector 1 --b iota | tail -2
wsim exec --wide wgmma.mma_async.sp.sync.aligned.m64n8k32.f16.f16.f16 --selector 2
