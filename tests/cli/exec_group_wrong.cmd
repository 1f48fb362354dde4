f=wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
wsim exec $f --smem @mix:5:100
wsim exec $f --smem @fill:3c:4096 --b eye
wsim exec $f --smem @fill:3:4096
wsim exec $f --desc-b 40000040000000401
wsim exec $f --b 00ff
wsim exec $f --trans-a
wsim exec $f --scale-d 2
wsim exec $f --addr 0
wsim exec $f --a 00ff
wsim exec --desc-b 0 mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
wsim exec --trans-b wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.u8
