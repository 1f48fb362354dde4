/* C = A B^T in f32, A m x k and B n x k in f16, by mma.sync. cp.async loads tiles of 64 x 64 x 32
 * one ahead; ldmatrix reads them without conflicts. m and n are multiples of 64, k of 32. */
#include "common.cuh"

enum { TILE = 64, DEEP = 32, PIECES = DEEP / 8, BYTES = TILE * DEEP * 2 };

/* Rows of 64 bytes: two rows fill the banks once, and the swizzle separates 4 pairs of rows. */
__device__ uint32_t place(uint32_t row, uint32_t piece) {
    return row * 64 + (piece ^ row / 2 % 4) * 16;
}

__device__ void fetch(uint32_t to, const uint16_t *from, int row, int col, int pitch) {
    for (uint32_t i = threadIdx.x; i < TILE * PIECES; i += 128)
        copy_16(to + place(i / PIECES, i % PIECES),
                from + (size_t)(row + i / PIECES) * pitch + col + i % PIECES * 8);
}

/* A quarter of the tile: 32 x 32 of a warp. */
__device__ void accumulate(float (&d)[2][4][4], uint32_t a_at, uint32_t b_at, uint32_t row,
                           uint32_t col) {
    const uint32_t lane = threadIdx.x % 32;
    for (uint32_t step = 0; step < 2; step++) {
        uint32_t a[2][4], b[2][4];
        for (uint32_t i = 0; i < 2; i++) {
            load_matrices(a[i], a_at + place(row + i * 16 + lane % 16, step * 2 + lane / 16));
            load_matrices(b[i], b_at + place(col + i * 16 + lane / 16 * 8 + lane % 8,
                                             step * 2 + lane / 8 % 2));
        }
        for (uint32_t i = 0; i < 2; i++)
            for (uint32_t j = 0; j < 4; j++)
                multiply(d[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
    }
}

extern "C" __global__ void __launch_bounds__(128)
    gemm_mma(const uint16_t *a, const uint16_t *b, float *c, int m, int n, int k) {
    __shared__ alignas(128) uint8_t tiles[2][2][BYTES];
    const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32, steps = k / DEEP;
    const uint32_t row = warp / 2 * 32, col = warp % 2 * 32;
    const int top = blockIdx.y * TILE, left = blockIdx.x * TILE;
    float d[2][4][4] = {};
    fetch(shared_of(tiles[0][0]), a, top, 0, k);
    fetch(shared_of(tiles[0][1]), b, left, 0, k);
    commit_copies();
    for (uint32_t step = 0; step < steps; step++) {
        const uint32_t next = step + 1;
        if (next < steps) {
            fetch(shared_of(tiles[next % 2][0]), a, top, next * DEEP, k);
            fetch(shared_of(tiles[next % 2][1]), b, left, next * DEEP, k);
        }
        commit_copies();
        wait_copies<1>();
        __syncthreads();
        accumulate(d, shared_of(tiles[step % 2][0]), shared_of(tiles[step % 2][1]), row, col);
        __syncthreads();
    }
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t j = 0; j < 4; j++) {
            float *to = c + (size_t)(top + row + i * 16 + lane / 4) * n + left + col + j * 8 +
                        lane % 4 * 2;
            *(float2 *)to = make_float2(d[i][j][0], d[i][j][1]);
            *(float2 *)(to + 8 * n) = make_float2(d[i][j][2], d[i][j][3]);
        }
}
