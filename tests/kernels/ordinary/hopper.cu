// Products on Hopper whose accumulators go to shared memory first: TMA with a swizzle, wgmma, an epilogue, and out.
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cstdint>

__device__ __forceinline__ uint32_t smem(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void mbar_init(uint64_t *bar, unsigned arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem(bar)), "r"(arrivals) : "memory");
}
__device__ __forceinline__ void mbar_expect(uint64_t *bar, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(smem(bar)), "r"(bytes) : "memory");
}
__device__ __forceinline__ void mbar_arrive(uint64_t *bar)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(smem(bar)) : "memory");
}
__device__ __forceinline__ void mbar_wait(uint64_t *bar, unsigned parity)
{
    asm volatile("{\n.reg .pred done;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@!done bra AGAIN;\n}" ::"r"(smem(bar)), "r"(parity) : "memory");
}
__device__ __forceinline__ void load_box(void *to, const CUtensorMap *map, int x, int y, uint64_t *bar)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(smem(to)),
                 "l"(map), "r"(x), "r"(y), "r"(smem(bar)) : "memory");
}
// K-major tile with 128-byte swizzle: 8 rows are 1024 bytes
__device__ __forceinline__ uint64_t descriptor(const void *p)
{
    return (uint64_t)((smem(p) & 0x3ffff) >> 4) | 1ull << 16 | 64ull << 32 | 1ull << 62;
}
__device__ __forceinline__ void product(float (&d)[32], uint64_t a, uint64_t b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
                 "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, %32, %33, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]),
                   "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]),
                   "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
                 : "l"(a), "l"(b));
}
// D of 64 x 64 of this block: panels of K = 64, two stages
__device__ __forceinline__ void multiply(float (&d)[32], const CUtensorMap &mapA, const CUtensorMap &mapB, uint16_t (*a)[4096], uint16_t (*b)[4096],
                                         uint64_t *full, int panels)
{
    const int row = blockIdx.y * 64, col = blockIdx.x * 64;
    auto load = [&](int p) {
        mbar_expect(&full[p & 1], 16384);
        load_box(a[p & 1], &mapA, p * 64, row, &full[p & 1]);
        load_box(b[p & 1], &mapB, p * 64, col, &full[p & 1]);
    };
    if (threadIdx.x == 0) {
        mbar_init(&full[0], 1);
        mbar_init(&full[1], 1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        load(0);
    }
    __syncthreads();
    for (int p = 0; p < panels; p++) {
        if (threadIdx.x == 0 && p + 1 < panels)
            load(p + 1);
        mbar_wait(&full[p & 1], p >> 1 & 1);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        for (int k = 0; k < 4; k++)
            product(d, descriptor((const char *)a[p & 1] + k * 32), descriptor((const char *)b[p & 1] + k * 32));
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        __syncthreads();
    }
}

#define PRODUCT(name) extern "C" __global__ void __launch_bounds__(128) name(const __grid_constant__ CUtensorMap mapA, const __grid_constant__ CUtensorMap mapB, \
                                                                             const __grid_constant__ CUtensorMap mapD, float *D, int n, int panels)

// scalar stores of pairs, then rows of float4
PRODUCT(hop_pairs)
{
    __shared__ alignas(1024) uint16_t a[2][4096], b[2][4096];
    __shared__ float s[64 * 64];
    __shared__ uint64_t full[2];
    float d[32] = {};
    multiply(d, mapA, mapB, a, b, full, panels);
    const int t = threadIdx.x, lane = t & 31, row = t / 32 * 16 + lane / 4, col = lane % 4 * 2;
    for (int j = 0; j < 8; j++) {
        s[row * 64 + j * 8 + col] = d[j * 4];
        s[row * 64 + j * 8 + col + 1] = d[j * 4 + 1];
        s[(row + 8) * 64 + j * 8 + col] = d[j * 4 + 2];
        s[(row + 8) * 64 + j * 8 + col + 1] = d[j * 4 + 3];
    }
    __syncthreads();
    for (int i = t; i < 1024; i += 128)
        *(float4 *)&D[(blockIdx.y * 64 + (i >> 4)) * n + blockIdx.x * 64 + (i & 15) * 4] = *(float4 *)&s[(i >> 4) * 64 + (i & 15) * 4];
}

// padded rows; out by bulk copies of a row each
PRODUCT(hop_padded)
{
    __shared__ alignas(1024) uint16_t a[2][4096], b[2][4096];
    __shared__ alignas(16) float s[64][68];
    __shared__ uint64_t full[2];
    float d[32] = {};
    multiply(d, mapA, mapB, a, b, full, panels);
    const int t = threadIdx.x, lane = t & 31, row = t / 32 * 16 + lane / 4, col = lane % 4 * 2;
#pragma unroll
    for (int j = 0; j < 8; j++)
#pragma unroll
        for (int h = 0; h < 2; h++) {
            s[row + 8 * h][j * 8 + col] = d[j * 4 + h * 2];
            s[row + 8 * h][j * 8 + col + 1] = d[j * 4 + h * 2 + 1];
        }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t < 64) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(&D[(blockIdx.y * 64 + t) * n + blockIdx.x * 64]), "r"(smem(s[t])), "r"(256) : "memory");
        asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
    }
}

// halves by stmatrix into a 128-byte swizzle, out by a tensor map
PRODUCT(hop_stmatrix)
{
    __shared__ alignas(1024) uint16_t a[2][4096], b[2][4096];
    __shared__ alignas(1024) uint16_t s[64 * 64];
    __shared__ uint64_t full[2];
    float d[32] = {};
    multiply(d, mapA, mapB, a, b, full, panels);
    const int t = threadIdx.x, lane = t & 31, w = t / 32;
    for (int j = 0; j < 4; j++) {
        uint32_t r[4];
        for (int i = 0; i < 4; i++) {
            const __half2 h = __floats2half2_rn(d[j * 8 + (i >> 1) * 4 + (i & 1) * 2], d[j * 8 + (i >> 1) * 4 + (i & 1) * 2 + 1]);
            r[i] = *(const uint32_t *)&h;
        }
        const int row = w * 16 + (lane & 15), chunk = j * 2 + (lane >> 4);
        asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(smem(s) + row * 128 + ((chunk ^ (row & 7)) * 16)), "r"(r[0]), "r"(r[1]),
                     "r"(r[2]), "r"(r[3]) : "memory");
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&mapD), "r"(blockIdx.x * 64), "r"(blockIdx.y * 64), "r"(smem(s)) : "memory");
        asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
    }
}

// pairs of halves, transposed halves with conflicts, bias from shared memory
PRODUCT(hop_halves)
{
    __shared__ alignas(1024) uint16_t a[2][4096], b[2][4096];
    __shared__ __half s[64][72], r[64][66];
    __shared__ float bias[64];
    __shared__ uint64_t full[2];
    if (threadIdx.x < 64)
        bias[threadIdx.x] = threadIdx.x * 0.25f;
    float d[32] = {};
    multiply(d, mapA, mapB, a, b, full, panels);
    const int t = threadIdx.x, lane = t & 31, row = t / 32 * 16 + lane / 4, col = lane % 4 * 2;
    for (int j = 0; j < 8; j++)
        for (int h = 0; h < 2; h++) {
            const float u = d[j * 4 + h * 2] + bias[j * 8 + col], v = d[j * 4 + h * 2 + 1] + bias[j * 8 + col + 1];
            *(__half2 *)&s[row + 8 * h][j * 8 + col] = __floats2half2_rn(u, v);
            r[j * 8 + col][row + 8 * h] = __float2half(u);
            r[j * 8 + col + 1][row + 8 * h] = __float2half(v);
        }
    __syncthreads();
    __half2 *out = (__half2 *)D;
    for (int i = t; i < 2048; i += 128) {
        const int y = i >> 5, x = (i & 31) * 2;
        out[((blockIdx.y * 64 + y) * n + blockIdx.x * 64 + x) / 2] = __hadd2(*(__half2 *)&s[y][x], *(__half2 *)&r[y][x]);
    }
}
