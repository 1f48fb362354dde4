# an architecture that lacks the instruction runs its own instruction with equal types, or the one that is named
draw="--random near-one --path plain"
wsim gemm wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 $draw --size 64x40x100 --compare a100
own() { wsim gemm $1 $draw --size 64x16x256 --arch $2 --compare $3 2>&1 | grep -A 1 -e '^sm_[^9].*digest' -e ^wsim; }
own wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 h100 sm_80,sm_100
own wgmma.mma_async.sync.aligned.m64n16k8.f32.tf32.tf32 h100 sm_80
own wgmma.mma_async.sync.aligned.m64n16k32.f32.e4m3.e5m2 h100 sm_89
own wgmma.mma_async.sync.aligned.m64n16k32.s32.s8.u8 h100 sm_75,sm_80
own wgmma.mma_async.sync.aligned.m64n16k32.s32.s8.u8.satfinite h100 sm_80
own wgmma.mma_async.sync.aligned.m64n16k256.s32.b1.b1.and.popc h100 sm_80
own mma.m16n8k8.f32.tf32 a100 sm_75
own mma.m16n8k16.f32.f16 h100 sm_70
own wgmma.mma_async.sync.aligned.m64n16k32.f32.e4m3.e4m3 h100 sm_80
wsim gemm wgmma.mma_async.sync.aligned.m64n16k32.f32.e4m3.e4m3 $draw --size 8x8x64 --compare mma.m16n8k32.f32.e4m3@h100,sm_89 --json | grep -e '"arch"' -e '"spelling"' -e '"different"'
wsim gemm mma.m16n8k16.f32.f16 $draw --size 8x8x64 --compare mma.m16n8k8.f32.f16@a100
wsim gemm mma.m16n8k16.f32.f16 $draw --size 8x8x64 --compare mma.m16n8k8.f32.bf16@a100
wsim gemm mma.m16n8k16.f32.f16 $draw --size 8x8x64 --compare nvfp4@sm_120a
wsim gemm mma.m16n8k16.f32.f16 $draw --size 8x8x64 --compare ldmatrix.x4@sm_120a
wsim gemm mma.m16n8k16.f32.f16 $draw --size 8x8x64 --compare x@sm_120a
wsim gemm mma.m16n8k16.f32.f16 $draw --size 8x8x64 --compare mma.m16n8k8.f32.f16@
