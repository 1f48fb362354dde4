/* A transpose through the copy engine in four versions: plain, with the 128-byte swizzle, with
 * four elements a thread, and with 4 by 4 vectors. */
#include "common.cuh"

enum { TILE = 32 };
enum version { PLAIN, SWIZZLED, BATCHED, BLOCKS };

__device__ uint32_t place(version how, uint32_t y, uint32_t x) {
    return y * 128 + (x / 4 ^ (how == PLAIN ? 0 : y % 8)) * 16 + x % 4 * 4;
}

__device__ void move_block(const uint8_t *from, uint8_t *to, uint32_t t) {
    const uint32_t x = t % 8 * 4, y = (t % 8 ^ t / 8) * 4;
    uint4 r[4];
    for (uint32_t i = 0; i < 4; i++)
        r[i] = *(const uint4 *)(from + place(BLOCKS, y + i, x));
    *(uint4 *)(to + place(BLOCKS, x, y)) = make_uint4(r[0].x, r[1].x, r[2].x, r[3].x);
    *(uint4 *)(to + place(BLOCKS, x + 1, y)) = make_uint4(r[0].y, r[1].y, r[2].y, r[3].y);
    *(uint4 *)(to + place(BLOCKS, x + 2, y)) = make_uint4(r[0].z, r[1].z, r[2].z, r[3].z);
    *(uint4 *)(to + place(BLOCKS, x + 3, y)) = make_uint4(r[0].w, r[1].w, r[2].w, r[3].w);
}

template <version how>
__device__ void move_elements(const uint8_t *from, uint8_t *to, uint32_t t) {
    const uint32_t wide = how == BATCHED ? 4 : 1, y = t * wide / 32, x = t * wide % 32;
    uint32_t held[4];
    for (uint32_t j = 0; j < wide; j++)
        held[j] = *(const uint32_t *)(from + place(how, y, x + j));
    for (uint32_t j = 0; j < wide; j++)
        *(uint32_t *)(to + place(how, x + j, y)) = held[j];
}

template <version how>
__device__ void transpose(const tensor_map *in, const tensor_map *out) {
    __shared__ alignas(1024) uint8_t from[TILE * TILE * 4], to[TILE * TILE * 4];
    __shared__ uint64_t barrier;
    const uint32_t row = blockIdx.y * TILE, col = blockIdx.x * TILE, t = threadIdx.x;
    if (t == 0) {
        init_barrier(shared_of(&barrier), 1);
        fence_init();
    }
    __syncthreads();
    if (t == 0) {
        expect_bytes(shared_of(&barrier), sizeof from);
        load_tile(shared_of(from), in, col, row, shared_of(&barrier));
    }
    wait_phase(shared_of(&barrier), 0);
    if (how == BLOCKS)
        move_block(from, to, t);
    else
        move_elements<how>(from, to, t);
    fence_for_copies();
    __syncthreads();
    if (t == 0) {
        store_tile(shared_of(to), out, row, col);
        finish_stores();
    }
}

#define KERNEL(name, how)                                                                          \
    extern "C" __global__ void name(const __grid_constant__ tensor_map in,                         \
                                    const __grid_constant__ tensor_map out) {                      \
        transpose<how>(&in, &out);                                                                 \
    }
KERNEL(transpose_plain, PLAIN)
KERNEL(transpose_swizzled, SWIZZLED)
KERNEL(transpose_batched, BATCHED)
KERNEL(transpose_blocks, BLOCKS)
