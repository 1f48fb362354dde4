# executed as they stand, but hardly meant
wsim desc check wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 a 4000004000200040
wsim desc check wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 a 4000004000000048
wsim desc check wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 a 0000000400080000
wsim desc check wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 b 4000010000003000
wsim desc check wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 b c002001000000010
wsim desc check --mn-major wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 b 0000001000040000 --format json
