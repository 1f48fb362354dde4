/* Adds one to every element of a matrix, tile by tile through the copy engine. Tiles are rows, or
 * panels of 8 columns with the 32-byte swizzle, with a wrong and a right index. */
#include "common.cuh"

enum { TILE = 32 };
enum order { ROWS, PANELS, PANELS_BY_FOUR };

__device__ uint32_t address(order how, uint32_t y, uint32_t x) {
    const uint32_t panel = x / 8 * 1024 + y * 32 + x % 8 * 4;
    return how == ROWS ? y * 128 + x * 4 : panel ^ (y >> 2 & 1) * 16;
}

template <order how>
__device__ void add_one(const tensor_map *map) {
    __shared__ alignas(1024) uint8_t tile[TILE * TILE * 4];
    __shared__ uint64_t barrier;
    const uint32_t step = how == ROWS ? TILE : 8, thread = threadIdx.x;
    const uint32_t row = blockIdx.y * TILE, col = blockIdx.x * TILE;
    const uint32_t y = how == PANELS_BY_FOUR ? thread / 128 * 4 + thread % 32 / 8 : thread / 32;
    const uint32_t x = how == PANELS_BY_FOUR ? thread / 32 % 4 * 8 + thread % 8 : thread % 32;
    if (thread == 0) {
        init_barrier(shared_of(&barrier), 1);
        fence_init();
    }
    __syncthreads();
    if (thread == 0) {
        expect_bytes(shared_of(&barrier), sizeof tile);
        for (uint32_t at = 0; at < TILE; at += step)
            load_tile(shared_of(tile) + at * TILE * 4, map, col + at, row, shared_of(&barrier));
    }
    wait_phase(shared_of(&barrier), 0);
    *(uint32_t *)(tile + address(how, y, x)) += 1;
    fence_for_copies();
    __syncthreads();
    if (thread == 0) {
        for (uint32_t at = 0; at < TILE; at += step)
            store_tile(shared_of(tile) + at * TILE * 4, map, col + at, row);
        finish_stores();
    }
}

extern "C" __global__ void add_one_rows(const __grid_constant__ tensor_map map) {
    add_one<ROWS>(&map);
}
extern "C" __global__ void add_one_panels(const __grid_constant__ tensor_map map) {
    add_one<PANELS>(&map);
}
extern "C" __global__ void add_one_by_four(const __grid_constant__ tensor_map map) {
    add_one<PANELS_BY_FOUR>(&map);
}
