wsim exec --wide wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 --desc-a 4000004000000040 --a random:1 --desc-b 4000004000000240 --trans-b --b random:2 --c one --negate-a | sed -n '1,12p;137,145p'
wsim exec --wide wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 --a random:1 --b random:2 --c one --negate-b | tail -3
wsim exec --wide wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e5m2 --smem @fill:3c:256 --scale-d 0 --a one | tail -2
wsim exec --wide wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc --smem @mix:7:65536 --desc-a c000001000200180 --desc-b 8000001100030003 | tail -2
