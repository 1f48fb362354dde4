// Kernels as people write them: tiles, pipelines, reductions, sorts, products. One signature for most.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuda_pipeline.h>
#include <mma.h>
#include <cstdint>
namespace cg = cooperative_groups;

#define KERNEL(name) extern "C" __global__ void name(const float *__restrict__ x, float *y, int n)

__device__ __forceinline__ uint32_t smem(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

// ------------------------------------------------------------------ reductions and scans

KERNEL(reduce_tree)
{
    __shared__ float s[256];
    const int t = threadIdx.x;
    float v = 0;
    for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256)
        v += x[i];
    s[t] = v;
    __syncthreads();
#pragma unroll
    for (int d = 128; d >= 32; d >>= 1) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t < 32) {
        v = s[t];
        for (int d = 16; d; d >>= 1)
            v += __shfl_down_sync(~0u, v, d);
        if (t == 0)
            y[blockIdx.x] = v;
    }
}

KERNEL(reduce_rows)
{
    // a row of 64 a warp, four elements a lane at once, a tile of 8 rows
    __shared__ float s[8][68];
    const int lane = threadIdx.x & 31, w = threadIdx.x >> 5, row = blockIdx.x * 8 + w;
    s[w][lane] = x[row * 64 + lane];
    s[w][lane + 32] = x[row * 64 + lane + 32];
    __syncthreads();
    // 8 threads a row
    if (threadIdx.x < 64) {
        const int r = threadIdx.x >> 3, c = (threadIdx.x & 7) * 8;
        float v = 0;
        for (int k = 0; k < 8; k++)
            v += s[r][c + k];
        for (int d = 4; d; d >>= 1)
            v += __shfl_xor_sync(~0u, v, d, 8);
        if ((threadIdx.x & 7) == 0)
            y[blockIdx.x * 8 + r] = v;
    }
}

KERNEL(scan_blelloch)
{
    __shared__ float s[512];
    const int t = threadIdx.x;
    const float2 in = ((const float2 *)x)[blockIdx.x * 256 + t];
    s[2 * t] = in.x;
    s[2 * t + 1] = in.y;
    int o = 1;
    for (int d = 256; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            const int a = o * (2 * t + 1) - 1, b = o * (2 * t + 2) - 1;
            s[b] += s[a];
        }
        o *= 2;
    }
    if (t == 0)
        s[511] = 0;
    for (int d = 1; d < 512; d *= 2) {
        o >>= 1;
        __syncthreads();
        if (t < d) {
            const int a = o * (2 * t + 1) - 1, b = o * (2 * t + 2) - 1;
            const float v = s[a];
            s[a] = s[b];
            s[b] += v;
        }
    }
    __syncthreads();
    ((float2 *)y)[blockIdx.x * 256 + t] = make_float2(s[2 * t], s[2 * t + 1]);
}

KERNEL(scan_double)
{
    __shared__ float s[2][256];
    const int t = threadIdx.x;
    int from = 0;
    s[0][t] = x[blockIdx.x * 256 + t];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        float v = s[from][t];
        if (t >= d)
            v += s[from][t - d];
        s[from ^ 1][t] = v;
        from ^= 1;
        __syncthreads();
    }
    y[blockIdx.x * 256 + t] = s[from][t];
}

KERNEL(softmax_rows)
{
    __shared__ float s[4][132], m[4], z[4];
    const int lane = threadIdx.x & 31, w = threadIdx.x >> 5, row = blockIdx.x * 4 + w;
    float4 v = ((const float4 *)x)[row * 32 + lane];
    s[w][lane * 4] = v.x;
    s[w][lane * 4 + 1] = v.y;
    s[w][lane * 4 + 2] = v.z;
    s[w][lane * 4 + 3] = v.w;
    __syncwarp();
    float top = -1e30f;
    for (int k = lane; k < n; k += 32)
        top = fmaxf(top, s[w][k]);
    for (int d = 16; d; d >>= 1)
        top = fmaxf(top, __shfl_xor_sync(~0u, top, d));
    if (lane == 0)
        m[w] = top;
    __syncwarp();
    float sum = 0;
    for (int k = lane; k < n; k += 32) {
        const float e = exp2f(s[w][k] - m[w]);
        s[w][k] = e;
        sum += e;
    }
    for (int d = 16; d; d >>= 1)
        sum += __shfl_xor_sync(~0u, sum, d);
    if (lane == 0)
        z[w] = 1.0f / sum;
    __syncwarp();
    for (int k = lane; k < n; k += 32)
        y[row * 128 + k] = s[w][k] * z[w];
}

KERNEL(layernorm_block)
{
    __shared__ float2 part[8];
    __shared__ float mean, scale;
    const int t = threadIdx.x, lane = t & 31, w = t >> 5;
    const float v = x[blockIdx.x * 256 + t];
    float2 a = make_float2(v, v * v);
    for (int d = 16; d; d >>= 1) {
        a.x += __shfl_down_sync(~0u, a.x, d);
        a.y += __shfl_down_sync(~0u, a.y, d);
    }
    if (lane == 0)
        part[w] = a;
    __syncthreads();
    if (t == 0) {
        float2 b = part[0];
        for (int i = 1; i < 8; i++) {
            b.x += part[i].x;
            b.y += part[i].y;
        }
        mean = b.x / 256;
        scale = rsqrtf(b.y / 256 - mean * mean + 1e-5f);
    }
    __syncthreads();
    y[blockIdx.x * 256 + t] = (v - mean) * scale;
}

KERNEL(groups_tile)
{
    __shared__ float s[128];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    s[threadIdx.x] = x[blockIdx.x * 128 + threadIdx.x];
    block.sync();
    const float v = cg::reduce(tile, s[127 - threadIdx.x], cg::plus<float>());
    const float w = cg::reduce(tile, s[threadIdx.x], cg::greater<float>());
    if (tile.thread_rank() == 0)
        y[blockIdx.x * 16 + tile.meta_group_rank()] = v + w;
}

// ------------------------------------------------------------------ histograms, sorts, compaction

KERNEL(histogram)
{
    __shared__ unsigned bin[256];
    const unsigned *in = (const unsigned *)x;
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        bin[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const unsigned v = in[i];
        atomicAdd(&bin[v >> 24], 1);
        atomicAdd(&bin[v >> 16 & 255], 1);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        atomicAdd((unsigned *)y + i, bin[i]);
}

KERNEL(histogram_bytes)
{
    // 64 bins of bytes for each thread, transposed so that threads do not conflict
    __shared__ uint8_t bin[64][128];
    const unsigned *in = (const unsigned *)x;
    const int t = threadIdx.x;
    for (int i = 0; i < 64; i++)
        bin[i][t] = 0;
    for (int i = blockIdx.x * 128 + t; i < n; i += gridDim.x * 128) {
        const unsigned v = in[i];
        bin[v >> 26][t]++;
        bin[v >> 20 & 63][t]++;
    }
    __syncthreads();
    if (t < 64) {
        unsigned sum = 0;
        for (int i = 0; i < 32; i++) {
            const unsigned w = ((const unsigned *)bin[t])[(i + t) & 31];
            sum += (w & 255) + (w >> 8 & 255) + (w >> 16 & 255) + (w >> 24);
        }
        atomicAdd((unsigned *)y + t, sum);
    }
}

KERNEL(bitonic)
{
    __shared__ unsigned s[256];
    const int t = threadIdx.x;
    s[t] = ((const unsigned *)x)[blockIdx.x * 256 + t];
    s[t + 128] = ((const unsigned *)x)[blockIdx.x * 256 + t + 128];
    for (int k = 2; k <= 256; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            __syncthreads();
            const int a = 2 * t - (t & (j - 1)), b = a + j;
            const unsigned u = s[a], v = s[b];
            if ((u > v) == ((a & k) == 0)) {
                s[a] = v;
                s[b] = u;
            }
        }
    __syncthreads();
    ((unsigned *)y)[blockIdx.x * 256 + t] = s[t];
    ((unsigned *)y)[blockIdx.x * 256 + t + 128] = s[t + 128];
}

KERNEL(compact)
{
    __shared__ unsigned count[4], base;
    __shared__ float kept[128];
    const int t = threadIdx.x, lane = t & 31, w = t >> 5;
    const float v = x[blockIdx.x * 128 + t];
    const unsigned b = __ballot_sync(~0u, v > 0.25f);
    if (lane == 0)
        count[w] = __popc(b);
    __syncthreads();
    if (t == 0) {
        unsigned sum = 0;
        for (int i = 0; i < 4; i++) {
            const unsigned c = count[i];
            count[i] = sum;
            sum += c;
        }
        base = sum;
    }
    __syncthreads();
    if (v > 0.25f)
        kept[count[w] + __popc(b & ((1u << lane) - 1))] = v;
    __syncthreads();
    y[blockIdx.x * 128 + t] = t < base ? kept[t] : 0;
}

KERNEL(shared_atomics)
{
    __shared__ int low[32], high[32];
    __shared__ unsigned flags[4], ticket;
    const int t = threadIdx.x;
    if (t < 32) {
        low[t] = 1 << 30;
        high[t] = -(1 << 30);
    }
    if (t < 4)
        flags[t] = 0;
    if (t == 4)
        ticket = 0;
    __syncthreads();
    for (int i = t; i < n; i += blockDim.x) {
        const int v = ((const int *)x)[blockIdx.x * n + i] >> 8;
        atomicMin(&low[v & 31], v);
        atomicMax(&high[v & 31], v);
        atomicOr(&flags[v & 3], 1u << (v >> 4 & 31));
    }
    if (t % 7 == 0)
        atomicAdd(&ticket, 3);
    __syncthreads();
    if (t < 32) {
        ((int *)y)[blockIdx.x * 72 + t] = low[t];
        ((int *)y)[blockIdx.x * 72 + 32 + t] = high[t];
    }
    if (t < 4)
        ((unsigned *)y)[blockIdx.x * 72 + 64 + t] = flags[t];
    if (t == 4)
        ((unsigned *)y)[blockIdx.x * 72 + 68] = ticket;
}

// ------------------------------------------------------------------ transposes, stencils

KERNEL(transpose_vector)
{
    // float4 in, scalars to shared memory, float4 out
    __shared__ float s[32][33];
    const int c = (threadIdx.x & 7) * 4, r = threadIdx.x >> 3, bx = blockIdx.x * 32, by = blockIdx.y * 32;
    const float4 v = *(const float4 *)&x[(by + r) * n + bx + c];
    s[r][c] = v.x;
    s[r][c + 1] = v.y;
    s[r][c + 2] = v.z;
    s[r][c + 3] = v.w;
    __syncthreads();
    *(float4 *)&y[(bx + r) * n + by + c] = make_float4(s[c][r], s[c + 1][r], s[c + 2][r], s[c + 3][r]);
}

KERNEL(transpose_half)
{
    __shared__ __half s[32][34];
    const __half *in = (const __half *)x;
    __half *out = (__half *)y;
    const int tx = threadIdx.x, bx = blockIdx.x * 32, by = blockIdx.y * 32;
    for (int j = threadIdx.y; j < 32; j += 8)
        s[j][tx] = in[(by + j) * n + bx + tx];
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8)
        out[(bx + j) * n + by + tx] = s[tx][j];
}

KERNEL(transpose_bytes)
{
    __shared__ uchar4 s[32][9];
    const uchar4 *in = (const uchar4 *)x;
    const int c = threadIdx.x & 7, r = threadIdx.x >> 3, bx = blockIdx.x * 32;
    s[r][c] = in[r * (n / 4) + bx / 4 + c];
    __syncthreads();
    const uint8_t *b = (const uint8_t *)s;
    uchar4 v;
    v.x = b[(c * 4) * 36 + r];
    v.y = b[(c * 4 + 1) * 36 + r];
    v.z = b[(c * 4 + 2) * 36 + r];
    v.w = b[(c * 4 + 3) * 36 + r];
    ((uchar4 *)y)[(bx + r) * 8 + c] = v;
}

KERNEL(stencil_line)
{
    __shared__ float s[128 + 8];
    const int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t + 4] = x[i + 4];
    if (t < 4) {
        s[t] = x[i];
        s[t + 132] = x[i + 132];
    }
    __syncthreads();
    float v = 0;
#pragma unroll
    for (int k = -4; k <= 4; k++)
        v += s[t + 4 + k] * (k + 5);
    y[i] = v;
}

KERNEL(stencil_four)
{
    // four outputs a thread: neighbours are loaded as written, and ptxas joins them
    __shared__ float s[4 * 128 + 8];
    const int t = threadIdx.x;
    for (int i = t; i < 4 * 128 + 8; i += 128)
        s[i] = x[blockIdx.x * 512 + i];
    __syncthreads();
    float r[12];
    for (int k = 0; k < 12; k++)
        r[k] = s[t * 4 + k];
    float o[4];
    for (int j = 0; j < 4; j++)
        o[j] = r[j] - 4 * r[j + 2] + 6 * r[j + 4] - 4 * r[j + 6] + r[j + 8];
    *(float4 *)&y[blockIdx.x * 512 + t * 4] = make_float4(o[0], o[1], o[2], o[3]);
}

KERNEL(stencil_plane)
{
    __shared__ float s[18][18];
    const int tx = threadIdx.x, ty = threadIdx.y, gx = blockIdx.x * 16 + tx, gy = blockIdx.y * 16 + ty;
    auto at = [&](int r, int c) {
        return r >= 0 && r < n && c >= 0 && c < n ? x[r * n + c] : 0.0f;
    };
    s[ty + 1][tx + 1] = at(gy, gx);
    if (ty == 0)
        s[0][tx + 1] = at(gy - 1, gx);
    if (ty == 15)
        s[17][tx + 1] = at(gy + 1, gx);
    if (tx == 0)
        s[ty + 1][0] = at(gy, gx - 1);
    if (tx == 15)
        s[ty + 1][17] = at(gy, gx + 1);
    __syncthreads();
    for (int k = 0; k < 3; k++) {
        const float c = s[ty + 1][tx + 1], v = s[ty][tx + 1] + s[ty + 2][tx + 1] + s[ty + 1][tx] + s[ty + 1][tx + 2];
        __syncthreads();
        s[ty + 1][tx + 1] = 0.5f * c + 0.125f * v;
        __syncthreads();
    }
    if (gy < n && gx < n)
        y[gy * n + gx] = s[ty + 1][tx + 1];
}

__constant__ float weights[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
KERNEL(convolve)
{
    __shared__ float s[10][40], w[9];
    const int t = threadIdx.x;
    if (t < 9)
        w[t] = weights[t] / 16;
    for (int i = t; i < 10 * 34; i += 128)
        s[i / 34][i % 34] = x[(blockIdx.y * 8 + i / 34) * n + blockIdx.x * 32 + i % 34];
    __syncthreads();
    const int tx = t & 31;
    for (int ty = t >> 5; ty < 8; ty += 4) {
        float v = 0;
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                v = fmaf(s[ty + r][tx + c], w[r * 3 + c], v);
        y[(blockIdx.y * 8 + ty) * n + blockIdx.x * 32 + tx] = v;
    }
}

KERNEL(stencil_double)
{
    __shared__ double s[130];
    const int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t + 1] = (double)x[i] * 1.5;
    if (t < 2)
        s[t * 129] = (double)x[blockIdx.x * 128 + t * 127];

    __syncthreads();
    ((double *)y)[i] = s[t] - 2 * s[t + 1] + s[t + 2];
}

// ------------------------------------------------------------------ products

KERNEL(sgemm_16)
{
    __shared__ float a[16][16], b[16][16];
    const int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * 16 + ty, c = blockIdx.x * 16 + tx;
    float v = 0;
    for (int k = 0; k < n; k += 16) {
        a[ty][tx] = x[r * n + k + tx];
        b[ty][tx] = x[(k + ty) * n + c];
        __syncthreads();
        for (int j = 0; j < 16; j++)
            v += a[ty][j] * b[j][tx];
        __syncthreads();
    }
    y[r * n + c] = v;
}

KERNEL(sgemm_registers)
{
    // 64 x 64, 8 deep, 4 x 4 a thread
    __shared__ float a[8][64], b[8][64];
    const int t = threadIdx.x, tx = t & 15, ty = t >> 4, row = blockIdx.y * 64, col = blockIdx.x * 64;
    float v[4][4] = {};
    for (int k = 0; k < n; k += 8) {
        const int r = t >> 2, c = (t & 3) * 2;
        const float2 u = *(const float2 *)&x[(row + r) * n + k + c];
        a[c][r] = u.x;
        a[c + 1][r] = u.y;
        const float2 w = *(const float2 *)&x[(k + (t >> 5)) * n + col + (t & 31) * 2];
        *(float2 *)&b[t >> 5][(t & 31) * 2] = w;
        __syncthreads();
        for (int j = 0; j < 8; j++) {
            float p[4], q[4];
            for (int i = 0; i < 4; i++)
                p[i] = a[j][ty * 4 + i], q[i] = b[j][tx * 4 + i];
            for (int i = 0; i < 4; i++)
                for (int h = 0; h < 4; h++)
                    v[i][h] += p[i] * q[h];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        *(float4 *)&y[(row + ty * 4 + i) * n + col + tx * 4] = make_float4(v[i][0], v[i][1], v[i][2], v[i][3]);
}

KERNEL(gemm_bytes)
{
    // dp4a: bytes in tiles of 16 x 64
    __shared__ int a[16][17], b[16][17];
    const int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * 16 + ty, c = blockIdx.x * 16 + tx;
    const int *in = (const int *)x;
    int v = 0;
    for (int k = 0; k < n / 4; k += 16) {
        a[ty][tx] = in[r * (n / 4) + k + tx];
        b[ty][tx] = in[(blockIdx.x * 16 + ty) * (n / 4) + k + tx];
        __syncthreads();
#pragma unroll
        for (int j = 0; j < 16; j++)
            v = __dp4a(a[ty][j], b[tx][j], v);
        __syncthreads();
    }
    ((int *)y)[r * n + c] = v;
}

KERNEL(matvec)
{
    __shared__ float4 v[32];
    const int t = threadIdx.x;
    if (t < 32)
        v[t] = ((const float4 *)x)[t];
    __syncthreads();
    float s = 0;
    for (int k = 0; k < n; k++) {
        const float4 m = ((const float4 *)x)[(blockIdx.x * 64 + t) * 32 + k], u = v[k];
        s += m.x * u.x + m.y * u.y + m.z * u.z + m.w * u.w;
    }
    y[blockIdx.x * 64 + t] = s;
}

__device__ __forceinline__ void mma16816(float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2])
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

KERNEL(mma_epilogue)
{
    // ldmatrix, eight products, accumulators to shared memory as a tensor core epilogue does, out as float4
    __shared__ __align__(16) __half a[64][72], b[64][72];
    __shared__ __align__(16) float d[64][64];
    const int t = threadIdx.x, lane = t & 31, w = t >> 5;
    const uint4 *in = (const uint4 *)x;
    for (int i = t; i < 64 * 8; i += 128) {
        *(uint4 *)&a[i >> 3][(i & 7) * 8] = in[blockIdx.x * 512 + i];
        *(uint4 *)&b[i >> 3][(i & 7) * 8] = in[(blockIdx.x + 1) * 512 + i];
    }
    __syncthreads();
    float c[8][4] = {};
    for (int k = 0; k < 64; k += 16) {
        uint32_t f[4];
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(f[0]), "=r"(f[1]), "=r"(f[2]), "=r"(f[3])
                     : "r"(smem(&a[w * 16 + lane % 16][k + lane / 16 * 8])));
        for (int j = 0; j < 8; j++) {
            uint32_t g[2];
            asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
                         : "=r"(g[0]), "=r"(g[1])
                         : "r"(smem(&b[j * 8 + lane % 8][k + lane / 8 % 2 * 8])));
            mma16816(c[j], f, g);
        }
    }
    const int r = w * 16 + lane / 4, q = lane % 4 * 2;
    for (int j = 0; j < 8; j++) {
        d[r][j * 8 + q] = c[j][0];
        d[r][j * 8 + q + 1] = c[j][1];
        d[r + 8][j * 8 + q] = c[j][2];
        d[r + 8][j * 8 + q + 1] = c[j][3];
    }
    __syncthreads();
    for (int i = t; i < 64 * 16; i += 128)
        ((float4 *)y)[blockIdx.x * 1024 + i] = *(float4 *)&d[i >> 4][(i & 15) * 4];
}

KERNEL(mma_scalar)
{
    // fragments as 32-bit loads of padded tiles, results as halves
    __shared__ __half a[16 * 4][24], b[8][24];
    __shared__ __half o[64][10];
    const int t = threadIdx.x, lane = t & 31, w = t >> 5;
    const __half *in = (const __half *)x;
    for (int i = t; i < 64 * 16; i += 128)
        a[i >> 4][i & 15] = in[i];
    if (t < 128)
        b[t >> 4][t & 15] = in[1024 + t];
    __syncthreads();
    uint32_t f[4], g[2];
    const int r = lane / 4, q = lane % 4 * 2;
    f[0] = *(uint32_t *)&a[w * 16 + r][q];
    f[1] = *(uint32_t *)&a[w * 16 + r + 8][q];
    f[2] = *(uint32_t *)&a[w * 16 + r][q + 8];
    f[3] = *(uint32_t *)&a[w * 16 + r + 8][q + 8];
    g[0] = *(uint32_t *)&b[r][q];
    g[1] = *(uint32_t *)&b[r][q + 8];
    float c[4] = {};
    mma16816(c, f, g);
    o[w * 16 + r][q] = __float2half(c[0]);
    o[w * 16 + r][q + 1] = __float2half(c[1]);
    o[w * 16 + r + 8][q] = __float2half(c[2]);
    o[w * 16 + r + 8][q + 1] = __float2half(c[3]);
    __syncthreads();
    for (int i = t; i < 64 * 8; i += 128)
        ((__half *)y)[i] = o[i >> 3][i & 7];
}

KERNEL(wmma_tile)
{
    using namespace nvcuda;
    __shared__ __align__(32) __half a[4][16 * 24], b[4][16 * 24];
    __shared__ __align__(32) float d[4][16 * 20];
    const int t = threadIdx.x, lane = t & 31, w = t >> 5;
    const __half *in = (const __half *)x + (blockIdx.x * 4 + w) * 512;
    for (int i = lane; i < 256; i += 32) {
        a[w][(i >> 4) * 24 + (i & 15)] = in[i];
        b[w][(i >> 4) * 24 + (i & 15)] = in[256 + i];
    }
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    wmma::load_matrix_sync(fa, a[w], 24);
    wmma::load_matrix_sync(fb, b[w], 24);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(d[w], fc, 20, wmma::mem_row_major);
    __syncwarp();
    for (int i = lane; i < 256; i += 32)
        y[(blockIdx.x * 4 + w) * 256 + i] = d[w][(i >> 4) * 20 + (i & 15)];
}

// ------------------------------------------------------------------ structures, vectors, 16 bits

struct particle { float px, py, pz, mass; };
struct triple { float u, v, w; };

KERNEL(nbody)
{
    __shared__ particle s[128];
    const particle *in = (const particle *)x;
    const int t = threadIdx.x;
    const particle me = in[blockIdx.x * 128 + t];
    float ax = 0, ay = 0, az = 0;
    for (int tile = 0; tile < n; tile++) {
        s[t] = in[tile * 128 + t];
        __syncthreads();
#pragma unroll 4
        for (int j = 0; j < 128; j++) {
            const float dx = s[j].px - me.px, dy = s[j].py - me.py, dz = s[j].pz - me.pz;
            const float f = s[j].mass * (dx * dx + dy * dy + dz * dz + 0.01f);
            ax = fmaf(f, dx, ax);
            ay = fmaf(f, dy, ay);
            az = fmaf(f, dz, az);
        }
        __syncthreads();
    }
    float *o = y + (blockIdx.x * 128 + t) * 3;
    o[0] = ax;
    o[1] = ay;
    o[2] = az;
}

KERNEL(triples)
{
    __shared__ triple s[128];
    const int t = threadIdx.x;
    s[t] = ((const triple *)x)[blockIdx.x * 128 + t];
    __syncthreads();
    const triple a = s[t ^ 1], b = s[(t + 5) & 127];
    triple c;
    c.u = a.v * b.w - a.w * b.v;
    c.v = a.w * b.u - a.u * b.w;
    c.w = a.u * b.v - a.v * b.u;
    ((triple *)y)[blockIdx.x * 128 + t] = c;
}

KERNEL(halves)
{
    __shared__ __half s[256];
    __shared__ __half2 p[128];
    const int t = threadIdx.x;
    const __half2 v = ((const __half2 *)x)[blockIdx.x * 128 + t];
    s[2 * t] = v.x;
    s[2 * t + 1] = v.y;
    p[t] = __hmul2(v, v);
    __syncthreads();
    const __half a = s[t], b = s[t + 128], c = s[255 - t];
    const __half2 q = p[t ^ 3];
    ((__half2 *)y)[blockIdx.x * 128 + t] = __hadd2(__halves2half2(__hfma(a, b, c), __hsub(c, a)), q);
}

KERNEL(shorts)
{
    __shared__ short4 s[128];
    __shared__ unsigned short r[512];
    const int t = threadIdx.x;
    s[t] = ((const short4 *)x)[blockIdx.x * 128 + t];
    __syncthreads();
    const short *e = (const short *)s;
    int sum = 0;
    for (int k = 0; k < 8; k++)
        sum += e[(t * 4 + k) & 511] * (k + 1);
    const short4 v = s[(t + 1) & 127];
    r[t] = (unsigned short)sum;
    r[t + 128] = (unsigned short)(sum >> 16);
    r[t + 256] = (unsigned short)v.y;
    r[t + 384] = (unsigned short)v.w;
    __syncthreads();
    ((uint2 *)y)[blockIdx.x * 128 + t] = ((const uint2 *)r)[t];
}

KERNEL(rolled_sum)
{
    // ptxas unrolls this loop by itself: neighbours of several turns join
    __shared__ float s[16 * 64];
    const int t = threadIdx.x;
    for (int i = t; i < 16 * 64; i += 64)
        s[i] = x[blockIdx.x * 1024 + i];
    __syncthreads();
    float v = 0;
#pragma unroll 1
    for (int k = 0; k < n; k++)
        v = v * 0.5f + s[t * 16 + k];
    y[blockIdx.x * 64 + t] = v;
}

KERNEL(guarded)
{
    __shared__ float s[256 + 4];
    const int t = threadIdx.x;
    if (t < n)
        s[t] = x[blockIdx.x * 128 + t];
    if (t * 2 < n) {
        s[128 + t * 2] = x[t * 2];
        s[128 + t * 2 + 1] = x[t * 2 + 1];
    }
    __syncthreads();
    float v = 0;
    if (t + 1 < n)
        v = s[t] + s[t + 1];
    if (t < n / 2) {
        const float a = s[128 + t * 2], b = s[128 + t * 2 + 1];
        v += a > 0 ? a * b : s[t];
    }
    y[blockIdx.x * 128 + t] = v;
}

KERNEL(carved)
{
    extern __shared__ __align__(16) unsigned char pool[];
    float *f = (float *)pool;
    double *d = (double *)(f + 128);
    unsigned short *h = (unsigned short *)(d + 128);
    const int t = threadIdx.x;
    const float v = x[blockIdx.x * 128 + t];
    f[t] = v;
    d[t] = v * 2.0;
    h[t] = (unsigned short)(v * 100.0f);
    __syncthreads();
    const int u = 127 - t;
    y[blockIdx.x * 128 + t] = f[u] + (float)d[u] + h[u] + f[(t + 1) & 127] + f[(t + 2) & 127];
}

KERNEL(butterfly)
{
    // radix 2 with complex numbers in shared memory
    __shared__ float2 s[256];
    const int t = threadIdx.x;
    for (int i = t; i < 256; i += 128)
        s[__brev(i) >> 24] = ((const float2 *)x)[blockIdx.x * 256 + i];
    for (int len = 1; len < 256; len *= 2) {
        __syncthreads();
        const int k = t & (len - 1), a = 2 * t - k, b = a + len;
        const float2 w = ((const float2 *)x)[4096 + len + k], p = s[a], q = s[b];
        const float2 m = make_float2(q.x * w.x - q.y * w.y, q.x * w.y + q.y * w.x);
        s[a] = make_float2(p.x + m.x, p.y + m.y);
        s[b] = make_float2(p.x - m.x, p.y - m.y);
    }
    __syncthreads();
    for (int i = t; i < 256; i += 128)
        ((float2 *)y)[blockIdx.x * 256 + i] = s[i];
}

KERNEL(local_window)
{
    float w[8];
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < 8; i++)
        w[i] = x[t + i * 256];
    float v = 0;
    for (int i = 0; i < n; i++) {
        const int k = __float_as_int(x[t + i]) >> 5 & 7;
        v += w[k];
        w[(k + 3) & 7] = v;
    }
    y[t] = v + w[n & 7];
}

KERNEL(math)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    const float v = x[t], u = x[t + 256];
    y[4 * t] = sqrtf(fabsf(v)) / (u + 2.0f);
    y[4 * t + 1] = v * u + v;
    y[4 * t + 2] = __fdividef(v, u);
    y[4 * t + 3] = floorf(v * 8.0f) + fmodf(u, 0.3f) + powf(fabsf(v), 3.0f);
}

// ------------------------------------------------------------------ copies and clusters

KERNEL(pipeline)
{
    // three stages of cp.async, 16 bytes a thread
    __shared__ __align__(16) float s[3][512];
    const int t = threadIdx.x, tiles = n;
    auto load = [&](int k) {
        if (k < tiles)
            __pipeline_memcpy_async(&s[k % 3][t * 4], x + (blockIdx.x * tiles + k) * 512 + t * 4, 16);
        __pipeline_commit();
    };
    load(0);
    load(1);
    float v = 0;
    for (int k = 0; k < tiles; k++) {
        __pipeline_wait_prior(1);
        __syncthreads();
        load(k + 2);
        const float *p = s[k % 3];
        v += p[t] * p[511 - t] + p[t + 128] + p[(t * 3) & 511];
    }
    y[blockIdx.x * 128 + t] = v;
}

KERNEL(copy_words)
{
    // cp.async of 4 and 8 bytes into a padded tile
    __shared__ float s[32][33];
    __shared__ __align__(8) float p[128][6];
    const int t = threadIdx.x;
    for (int i = t; i < 1024; i += 128)
        __pipeline_memcpy_async(&s[i >> 5][i & 31], x + blockIdx.x * 1024 + i, 4);
    __pipeline_memcpy_async(&p[t][0], x + t * 4, 8);
    __pipeline_memcpy_async(&p[t][2], x + t * 4 + 2, 8);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int i = t; i < 1024; i += 128)
        y[blockIdx.x * 1024 + i] = s[i & 31][i >> 5] + p[i & 127][0] + p[i & 127][1] + p[i & 127][3];
}

extern "C" __global__ void __cluster_dims__(2) neighbours(const float *__restrict__ x, float *y, int n)
{
    __shared__ float s[128];
    auto cluster = cg::this_cluster();
    const int t = threadIdx.x;
    s[t] = x[blockIdx.x * 128 + t];
    cluster.sync();
    const float *other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
    const float v = other[t] + s[127 - t] + other[(t * 2) & 127];
    cluster.sync();
    y[blockIdx.x * 128 + t] = v;
}

__device__ __forceinline__ void mbar_init(uint64_t *bar, unsigned arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem(bar)), "r"(arrivals) : "memory");
}
__device__ __forceinline__ void mbar_expect(uint64_t *bar, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(smem(bar)), "r"(bytes) : "memory");
}
__device__ __forceinline__ void mbar_wait(uint64_t *bar, unsigned parity)
{
    asm volatile("{\n.reg .pred done;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@!done bra AGAIN;\n}" ::"r"(smem(bar)), "r"(parity) : "memory");
}

KERNEL(bulk_ring)
{
    // one thread feeds a ring of two stages by bulk copies, all add up
    __shared__ __align__(128) float s[2][256];
    __shared__ uint64_t full[2];
    const int t = threadIdx.x;
    auto load = [&](int k) {
        mbar_expect(&full[k & 1], 1024);
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(smem(s[k & 1])),
                     "l"(x + (blockIdx.x * n + k) * 256), "r"(1024), "r"(smem(&full[k & 1])) : "memory");
    };
    if (t == 0) {
        mbar_init(&full[0], 1);
        mbar_init(&full[1], 1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("fence.proxy.async;" ::: "memory");
        load(0);
    }
    __syncthreads();
    float v = 0;
    for (int k = 0; k < n; k++) {
        if (t == 0 && k + 1 < n)
            load(k + 1);
        mbar_wait(&full[k & 1], k >> 1 & 1);
        v += s[k & 1][t * 2] - s[k & 1][t * 2 + 1];
        __syncthreads();
    }
    y[blockIdx.x * 128 + t] = v;
}
