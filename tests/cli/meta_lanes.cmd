for f in m16n8k16.row.col.f32.f16.f16.f32 m16n8k32.row.col.f32.f16.f16.f32 m16n8k64.row.col.s32.s8.s8.s32 m16n8k8.row.col.f32.tf32.tf32.f32
do wsim meta lanes mma.sp.sync.aligned.$f | head -9; done
wsim meta lanes mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 --format json | head -20
wsim meta lanes wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 | tail -4
