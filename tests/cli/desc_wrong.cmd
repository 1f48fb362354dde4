# five wrong descriptors, and what is said
wsim desc encode --start 0x408
wsim desc encode --leading 8
wsim desc encode --stride 0x40000
wsim desc encode --base-offset 8
wsim desc encode --swizzle 128B_ATOM_32B
wsim desc encode --swizzle 96B
wsim desc decode 0x0000000100010000c000
wsim desc decode 000001000001c000
wsim desc decode 12g
wsim desc decode
wsim desc
wsim desc check wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 c 0
wsim desc check wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 a 0
wsim desc check --mn-major wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32 a 0
wsim desc check --row 64 wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 a 0
wsim desc check mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 a 0
wsim desc encode 4000004000000040
wsim desc encode --start 0x400 --row 1
wsim desc decode 0 0
wsim desc decode --start 0x400 0
wsim desc check --swizzle 128B wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 a 0
wsim desc check wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 a 0 0
