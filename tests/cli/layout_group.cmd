wsim layout wgmma.mma_async.sync.aligned.m64n24k16.f32.f16.f16 --row 63 --col 23
wsim layout wgmma.mma_async.sync.aligned.m64n24k16.f32.f16.f16 --operand a --lane 127 --format csv
wsim layout wgmma.mma_async.sync.aligned.m64n24k16.f32.f16.f16 --operand d --lane 128
wsim layout wgmma.mma_async.sync.aligned.m64n24k16.f32.f16.f16 --operand b
wsim layout wgmma.mma_async.sp.sync.aligned.m64n8k64.s32.s8.u8 --operand e | tail -70 | head -20
