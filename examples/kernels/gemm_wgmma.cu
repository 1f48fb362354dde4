/* C = A B^T in f32, A m x k and B n x k in f16, by wgmma. The copy engine loads tiles of 64 x 64 x 64
 * two ahead, with the 128-byte swizzle. m, n and k are multiples of 64. */
#include "common.cuh"

enum { TILE = 64, BYTES = TILE * TILE * 2, STAGES = 2 };

#define F32_LIST                                                                                   \
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "  \
    "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}"
#define FOUR(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define SIXTEEN(i) FOUR(i), FOUR(i + 4), FOUR(i + 8), FOUR(i + 12)

/* Rows of 128 bytes, 8 of them a swizzled pattern of 1024. */
__device__ uint64_t descriptor(uint32_t at) {
    return (uint64_t)(at / 16) | (uint64_t)1 << 16 | (uint64_t)(1024 / 16) << 32 |
           (uint64_t)1 << 62;
}

__device__ void multiply_group(float (&d)[32], uint64_t a, uint64_t b, uint32_t keep) {
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %34, 0;\n\t"
                 "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " F32_LIST
                 ", %32, %33, p, 1, 1, 0, 0;\n\t}"
                 : SIXTEEN(0), SIXTEEN(16)
                 : "l"(a), "l"(b), "r"(keep));
}

__device__ void fetch(uint32_t to, uint32_t barrier, const tensor_map *a, const tensor_map *b,
                      uint32_t step) {
    expect_bytes(barrier, 2 * BYTES);
    load_tile(to, a, step * TILE, blockIdx.y * TILE, barrier);
    load_tile(to + BYTES, b, step * TILE, blockIdx.x * TILE, barrier);
}

extern "C" __global__ void __launch_bounds__(128)
    gemm_wgmma(const __grid_constant__ tensor_map a, const __grid_constant__ tensor_map b, float *c,
               int n, int k) {
    __shared__ alignas(1024) uint8_t tiles[STAGES][2 * BYTES];
    __shared__ uint64_t full[STAGES];
    const uint32_t steps = k / TILE, t = threadIdx.x;
    float d[32];
    if (t == 0) {
        for (uint32_t i = 0; i < STAGES; i++)
            init_barrier(shared_of(&full[i]), 1);
        fence_init();
    }
    __syncthreads();
    if (t == 0)
        for (uint32_t i = 0; i < STAGES && i < steps; i++)
            fetch(shared_of(tiles[i]), shared_of(&full[i]), &a, &b, i);
    for (uint32_t step = 0; step < steps; step++) {
        const uint32_t stage = step % STAGES, at = shared_of(tiles[stage]);
        wait_phase(shared_of(&full[stage]), step / STAGES % 2);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        for (uint32_t i = 0; i < 4; i++)
            multiply_group(d, descriptor(at + i * 32), descriptor(at + BYTES + i * 32), step + i);
        asm volatile("wgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;" ::
                         : "memory");
        __syncthreads();
        if (t == 0 && step + STAGES < steps)
            fetch(at, shared_of(&full[stage]), &a, &b, step + STAGES);
    }
    for (uint32_t i = 0; i < 8; i++) {
        float *to = c + (size_t)(blockIdx.y * TILE + t / 32 * 16 + t % 32 / 4) * n +
                    blockIdx.x * TILE + i * 8 + t % 4 * 2;
        *(float2 *)to = make_float2(d[i * 4], d[i * 4 + 1]);
        *(float2 *)(to + 8 * n) = make_float2(d[i * 4 + 2], d[i * 4 + 3]);
    }
}
