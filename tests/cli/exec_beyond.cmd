# a descriptor that reaches beyond shared memory traps: no result, whatever lies there
wsim exec wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 --desc-b 4000004000003fff
wsim exec wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 --desc-b 4000004000003fff --smem zero
wsim exec wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 --desc-b 4000004000003fff --smem-size 65536
