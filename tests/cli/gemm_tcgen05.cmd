# whole matrices through tcgen05.mma: those of wgmma but for 8-bit floats
f=tcgen05.mma.cta_group::1.kind
wsim gemm $f::f16 --random near-one --size 130x70x100 --compare wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16@h100
wsim gemm wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 --random near-one --size 64x64x128 --compare b200
wsim gemm $f::f16 D=f16 --random near-one --size 8x8x32 --compare mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16@h100 | tail -2
wsim gemm $f::mxf4nvf4.block_scale.block16 --random near-one --size 64x64x128 --compare nvfp4@sm_120a
wsim gemm $f::f16 M=64 --random near-one --size 8x8x8
wsim gemm tcgen05.mma.sp.cta_group::1.kind::f16 --random near-one --size 8x8x8
