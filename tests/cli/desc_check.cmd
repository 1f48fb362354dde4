wsim desc check wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 b 0x4000004000000040
wsim desc check wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 b 0000000800100040 --row 9 --k 8
wsim desc check --mn-major wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 a 4000004000400040 --row 63 --k 15 --format json
