# what first readers typed, and what they are told now: docs/first-readers.md
echo "a command is missing"; wsim mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32; wsim SM80_16x8x16_F32F16F16F32_TN; wsim m16n8k16_x
echo "mma is not wmma.mma"; wsim layout mma 2>&1 | sed -n 2p; wsim layout wmma.mma 2>&1 | sed -n 2p; wsim layout mma.m8n8k4.f64 --lane 3 --operand d
echo "the words of a kernel"; wsim banks ld.shared.f32 --addr 'threadIdx.x * 128' | tail -1; wsim banks ld.shared.f32 --addr 'tid * 128' | tail -1
echo "a number as an operand"; wsim exec m16n8k16.f32.f16 --a 1; wsim exec m16n8k16.f32.f16 --a '*,*=1' --b one --row 0 --col 0 | tail -1
echo "formats last"; wsim number 0.5 f16; wsim number 0x3f8020c8 1 f32; wsim number 0.5 1 2; wsim number f16 f16; wsim number f16
echo "swizzles of CuTe"
for mode in 'Swizzle<3,4,3>' 'cute::Swizzle<2, 4, 3>' 'Swizzle<1,4,3>' 'Swizzle<0,4,3>' 'Swizzle<2,5,2>' 'Swizzle<3,3,3>' 'Swizzle<3,4,3' 'Swizzle<3,4>' 'Swizzle<3,4,3>>' \
    GMMA::Layout_K_SW128_Atom 'cute::SM90::GMMA::Layout_MN_SW64_Atom<half_t>' Layout_K_SW32_Atom Layout_K_INTER_Atom Layout_K_SW256_Atom Layout_K_SW128_Atoms; do
    wsim swizzle "$mode" 0x3f80 | head -1
done
wsim tma show --dtype bf16 --dims 64,64 --strides 128 --box 64,4 --swizzle 'Swizzle<3,4,3>' | head -1
wsim desc encode --tile b,64x64,bf16 --swizzle GMMA::Layout_K_SW128_Atom | head -1
echo "atoms that an architecture has"; wsim check SM90_64x128x16_F32F16F16_SS HMMA.16816.F32 --arch h100; wsim check SM90_64x128x16_F32F16F16_SS --arch sm_90; wsim check HMMA Mma.sync
echo "the metadata"; wsim layout SM80_SPARSE_16x8x32_F32F16F16F32_TN --operand metadata --lane 1 | head -2
echo "strides"; wsim tma show --dtype bf16 --dims 64,64 --box 64,64 | head -1; wsim tma show --dtype bf16 --dims 64,64,64 --box 64,64,1 | head -1
echo "arguments and CUDA C++"
cat >k.cu <<'END'
__global__ void k(float *a) { a[threadIdx.x] = 1; }
END
wsim run k.cu
cat >k.ptx <<'END'
.version 8.0
.target sm_80
.address_size 64
.entry k(.param .u64 a, .param .f32 b) { ret; }
.entry all(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 p3, .param .u64 p4, .param .u64 p5,
    .param .u64 p6, .param .u64 p7, .param .u64 p8, .param .u64 p9, .param .u64 p10, .param .u64 p11,
    .param .u64 p12, .param .u64 p13, .param .u64 p14, .param .u64 p15, .param .u64 p16, .param .u64 p17,
    .param .u64 p18, .param .u64 p19) { ret; }
END
wsim run k.ptx --kernel k; wsim run k.ptx --kernel all; for arg in 2.0 -1 .5 0x10 1e3 +; do wsim run k.ptx --kernel k --arg "$arg"; done
wsim run k.ptx --kernel k --arg '2d[4]=0' --arg f32:2; wsim run k.ptx --kernel k --arg '2[4]=0' --arg 2
