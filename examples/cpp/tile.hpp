/* tile.hpp - the layout of a tile of 16 rows of 64 f16 in shared memory. kernel.cu includes it;
 * tile_test.cpp and tile_test.c test it. */
#ifndef TILE_HPP
#define TILE_HPP

#include <wsim/index.hpp>

/* A byte of the tile: rows of 128 bytes with the swizzle of TMA and wgmma. */
WSIM_INDEX uint32_t tile_address(unsigned row, unsigned col) {
    return wsim::swizzle<WSIM_SWIZZLE_128B>(128 * row + 2 * col);
}

/* The address of a lane in the ldmatrix.x4 that loads A of mma.m16n8k16 for step `k` of 4. Matrices
 * 0 and 1 are the upper and lower rows, 2 and 3 the next 8 columns. */
WSIM_INDEX uint32_t ldmatrix_address(unsigned lane, unsigned k) {
    return tile_address(lane % 16, 16 * k + lane / 16 * 8);
}

/* The fragment that writes the accumulators back. */
using D = WSIM_FRAGMENT("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", WSIM_D);

static_assert(D::regs == 4 && D::row(0, 2) == 8, "an accumulator is two rows that are 8 apart");

#endif
