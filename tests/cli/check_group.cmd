wsim check --arch h200 - <<'END'
wgmma.mma_async.sync.aligned.m64n40k16.f32.f16.f16
wgmma.mma_async.sync.aligned.m64n40k32.s32.s8.s8
wgmma.mma_async.sync.aligned.m64n40k16.f16.bf16.bf16
wgmma.mma_async.sync.aligned.m64n264k16.f32.f16.f16
wgmma.mma_async.sync.aligned.m64n16k16.row.col.f32.f16.f16
wgmma.mma_async.sync.m64n16k16.f32.f16.f16
wgmma.mma_async.sp::ordered_metadata.sync.aligned.m64n16k32.f32.f16.f16
wgmma.mma_async.sync.aligned.m64n16k256.s32.b1.b1.xor.popc
wgmma.wait_group.sync.aligned
END
wsim check --arch sm_90 wgmma.mma_async.sync.aligned.m64n40k16.f32.f16.f16
wsim check --arch b200 wgmma.fence.sync.aligned
