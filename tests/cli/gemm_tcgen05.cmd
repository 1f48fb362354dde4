# whole matrices through tcgen05.mma: those of wgmma but for 8-bit floats, whatever the shape
f=tcgen05.mma.cta_group::1.kind
wsim gemm $f::f16 --random near-one --size 130x70x100 --compare wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16@h100
wsim gemm wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 --random near-one --size 64x64x128 --compare b200
wsim gemm $f::f16 D=f16 --random near-one --size 8x8x32 --compare mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16@h100 | tail -2
wsim gemm $f::mxf4nvf4.block_scale.block16 --random near-one --size 64x64x128 --compare nvfp4@sm_120a
wsim gemm $f::f16 M=64 --random near-one --size 8x8x8
wsim gemm tcgen05.mma.sp.cta_group::1.kind::f16 --random near-one --size 8x8x8
for shape in '1.kind::f8f6f4 M=64 N=8' '2.kind::f8f6f4 M=256 N=64 tB=1' '2.kind::f8f6f4 M=128 N=256 tA=1'; do
    wsim gemm tcgen05.mma.cta_group::$shape --random near-one --size 150x70x100 | grep -e digest -e instructions
done
wsim gemm $f::f8f6f4 A=e2m1 B=e3m2 --random near-one --size 33x17x100 --compare sm_120a | tail -1
wsim gemm tcgen05.mma.cta_group::2.kind::mxf8f6f4.block_scale A=e2m3 --random near-one --size 33x17x100 --compare sm_120a | tail -1
wsim gemm $f::i8 sat=1 --random raw --size 33x17x100 --compare h100 | tail -3
