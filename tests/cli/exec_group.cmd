wsim exec --wide wgmma.mma_async.sync.aligned.m64n24k16.f32.f16.f16 | sed -n '1,12p;137,147p'
wsim exec wgmma.fence.sync.aligned
wsim exec --arch sm_90 wgmma.mma_async.sync.aligned.m64n24k16.f32.f16.f16
