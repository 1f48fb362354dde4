# what first readers typed, and what they are told now: lab/reports/first-readers.md
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
cat >k.cpp <<'END'
__global__ void k(float *a) { a[threadIdx.x] = 1; }
END
wsim run k.cpp
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
echo "names of nvcc and of shops"; wsim arch compute_90 | sed -n 2p; wsim arch 4090 2>&1 | cut -d: -f1-2 | cut -c1-60; wsim arch compute 2>&1 | cut -c1-40; wsim arch smcompute_90 2>&1 | cut -c1-40
echo "types of CUDA, CUTLASS and NumPy"
for type in __half half_t __nv_bfloat16 bfloat16_t tfloat32_t __nv_fp8_e4m3 float_e5m2_t float8_e4m3fn uint8_t int32_t; do wsim number 1 "$type"; done
wsim number 1 __nv_fp8_e4m4; wsim number 1 2 3
for type in __half half_t cutlass e4m3 fp8 int8_t bfloat16_t tfloat32_t; do wsim tma check --dtype "$type" --dims 64,64 --strides 256 --box 16,16 2>&1 | head -1 | cut -c1-30; done
wsim desc encode --tile b,64x64,half_t --major k --swizzle 128B | head -1
wsim swizzle 'Swizzle<3,4,3>{}' 0x80 | head -1; wsim swizzle 'Swizzle<3,4,3>{' 0x80 | head -1
echo "an element as source code has it"
for at in 'D[3][5]' 'D[0][3][5]' '3,5'; do wsim why m16n8k16.f32.f16 --element "$at" --a random:1 --b one | grep '^d'; done
for at in 'D[3][5' 'D3' 'D[]' '[' '3,5]' 'D[3],5' 'D[3][5][7][9]' 'D[16][0]'; do wsim why m16n8k16.f32.f16 --element "$at" --a random:1 --b one 2>&1 | tail -1; done
wsim exec m16n8k16.f32.f16 --a ones --b identity --c zeros --row 0 --col 0 | tail -1
echo "what belongs to an option"
wsim why m16n8k16.f32.f16 0,0; wsim banks ld.shared.f32 'lane*128'; wsim banks ld.shared.f32 'float t[32]; t[tx]'; wsim banks 'tile[threadIdx.y][threadIdx.x]'; wsim banks '__shared__ float t[32]'
wsim banks ld.shared.f32 --adress 'lane*4'; wsim meta check mma.sp.m16n8k32.f32.f16 --metadata 4; wsim desc encode --lbo 1; wsim exec m16n8k16.f32.f16 --gpu h100; wsim layout m16n8k16.f32.f16 --lbo 1; wsim --arch h100 layout; wsim ops mma
wsim banks ld.shared.f32 --decl 'float t[TILE]' --addr 't[0]'; wsim banks ld.shared.f32 --decl 'float t[TILE][TILE+1]' --let TILE=32 --addr 't[tx][0]' | tail -1
wsim banks ld.global.f32 --addr 'lane*4'; wsim layout ld.f32
echo "what other tools say"
wsim mma; wsim help mma; wsim half
for said in l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum 'ptxas k.ptx, line 12; error   : Unknown modifier' '========= Invalid __shared__ read of size 4 bytes' 'nvcuda::wmma::mma_sync(c, a, b, c);' 'atomicAdd(&x, 1)' 'UniversalCopy<uint128_t>'; do wsim banks "$said"; done
wsim l1tex__t_sectors.sum; wsim why 'ptxas fatal'; wsim check '__syncthreads()' __shfl_down_sync bar.sync
