/* O = softmax(Q K^T / 8) V of one head of 64 dimensions, f16 in and f32 out, in one pass over the
 * keys. Each warp has 16 queries. It keeps the largest score and the sum of each row; cp.async loads
 * tiles of 32 keys. Keys are a multiple of 32, queries of 64. */
#include "common.cuh"

enum { WIDE = 64, KEYS = 32, BYTES = KEYS * WIDE * 2 };

__device__ uint32_t place(uint32_t row, uint32_t piece) {
    return row * 128 + (piece ^ row % 8) * 16;
}

__device__ void fetch(uint32_t to, const uint16_t *from, uint32_t rows) {
    for (uint32_t i = threadIdx.x; i < rows * 8; i += 128)
        copy_16(to + place(i / 8, i % 8), from + i * 8);
}

__device__ float exp2_of(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

__device__ uint32_t halves_of(float low, float high) {
    uint32_t r;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
    return r;
}

/* Over the four lanes that hold a row. */
__device__ float row_max(float x) {
    x = fmaxf(x, __shfl_xor_sync(~0u, x, 1));
    return fmaxf(x, __shfl_xor_sync(~0u, x, 2));
}

__device__ float row_sum(float x) {
    x += __shfl_xor_sync(~0u, x, 1);
    return x + __shfl_xor_sync(~0u, x, 2);
}

/* Scores of 16 queries and 32 keys. */
__device__ void score(float (&s)[4][4], const uint32_t (&q)[4][4], uint32_t keys) {
    const uint32_t lane = threadIdx.x % 32;
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t step = 0; step < 4; step++) {
            uint32_t k[4];
            load_matrices(k, keys + place(i * 16 + lane / 16 * 8 + lane % 8,
                                          step * 2 + lane / 8 % 2));
            multiply(s[i * 2], q[step], k[0], k[1]);
            multiply(s[i * 2 + 1], q[step], k[2], k[3]);
        }
}

/* Scores become weights; earlier sums are rescaled to the new largest score. */
__device__ void weigh(float (&s)[4][4], float (&o)[8][4], float (&most)[2], float (&sum)[2]) {
    const float scale = 0.125f * 1.44269504f; /* to powers of two */
    for (uint32_t half = 0; half < 2; half++) {
        float top = most[half], factor, all = 0;
        for (uint32_t j = 0; j < 4; j++)
            top = fmaxf(top, fmaxf(s[j][half * 2], s[j][half * 2 + 1]));
        top = row_max(top);
        factor = exp2_of((most[half] - top) * scale);
        for (uint32_t j = 0; j < 4; j++)
            for (uint32_t i = half * 2; i < half * 2 + 2; i++) {
                s[j][i] = exp2_of((s[j][i] - top) * scale);
                all += s[j][i];
            }
        for (uint32_t j = 0; j < 8; j++) {
            o[j][half * 2] *= factor;
            o[j][half * 2 + 1] *= factor;
        }
        sum[half] = sum[half] * factor + row_sum(all);
        most[half] = top;
    }
}

__device__ void gather(float (&o)[8][4], const float (&s)[4][4], uint32_t values) {
    const uint32_t lane = threadIdx.x % 32;
    for (uint32_t step = 0; step < 2; step++) {
        const float(&x)[4] = s[step * 2], (&y)[4] = s[step * 2 + 1];
        const uint32_t p[4] = {halves_of(x[0], x[1]), halves_of(x[2], x[3]), halves_of(y[0], y[1]),
                               halves_of(y[2], y[3])};
        for (uint32_t j = 0; j < 4; j++) {
            uint32_t v[4];
            load_matrices_transposed(v, values + place(step * 16 + lane % 16, j * 2 + lane / 16));
            multiply(o[j * 2], p, v[0], v[1]);
            multiply(o[j * 2 + 1], p, v[2], v[3]);
        }
    }
}

extern "C" __global__ void __launch_bounds__(128)
    attention(const uint16_t *q, const uint16_t *k, const uint16_t *v, float *out, int keys) {
    __shared__ alignas(1024) uint8_t queries[2 * BYTES], tiles[2][2][BYTES];
    const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32, steps = keys / KEYS;
    const uint32_t first = blockIdx.x * 64;
    float o[8][4] = {}, most[2] = {-1e30f, -1e30f}, sum[2] = {0, 0};
    uint32_t held[4][4];
    fetch(shared_of(queries), q + first * WIDE, 64);
    fetch(shared_of(tiles[0][0]), k, KEYS);
    fetch(shared_of(tiles[0][1]), v, KEYS);
    commit_copies();
    for (uint32_t step = 0; step < steps; step++) {
        const uint32_t next = step + 1;
        float s[4][4] = {};
        if (next < steps) {
            fetch(shared_of(tiles[next % 2][0]), k + next * KEYS * WIDE, KEYS);
            fetch(shared_of(tiles[next % 2][1]), v + next * KEYS * WIDE, KEYS);
        }
        commit_copies();
        wait_copies<1>();
        __syncthreads();
        if (step == 0)
            for (uint32_t i = 0; i < 4; i++)
                load_matrices(held[i],
                              shared_of(queries) + place(warp * 16 + lane % 16, i * 2 + lane / 16));
        score(s, held, shared_of(tiles[step % 2][0]));
        weigh(s, o, most, sum);
        gather(o, s, shared_of(tiles[step % 2][1]));
        __syncthreads();
    }
    for (uint32_t j = 0; j < 8; j++) {
        float *to = out + (size_t)(first + warp * 16 + lane / 4) * WIDE + j * 8 + lane % 4 * 2;
        *(float2 *)to = make_float2(o[j][0] / sum[0], o[j][1] / sum[0]);
        *(float2 *)(to + 8 * WIDE) = make_float2(o[j][2] / sum[1], o[j][3] / sum[1]);
    }
}
