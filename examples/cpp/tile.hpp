/* tile.hpp - how a tile of 16 rows of 64 f16 lies in shared memory: kernel.cu includes it, and
 * tile_test.cpp and tile_test.c test it. */
#ifndef TILE_HPP
#define TILE_HPP

#include <wsim/index.hpp>

/* A byte of the tile: rows of 128 bytes, in which TMA and wgmma swizzle like this too. */
WSIM_INDEX uint32_t tile_address(unsigned row, unsigned col) {
    return wsim::swizzle<WSIM_SWIZZLE_128B>(128 * row + 2 * col);
}

/* Where lane `lane` points ldmatrix.x4 for A of mma.m16n8k16, step `k` of 4: matrices 0 and 1 are
 * the upper and lower rows, 2 and 3 the same 8 columns further on. */
WSIM_INDEX uint32_t ldmatrix_address(unsigned lane, unsigned k) {
    return tile_address(lane % 16, 16 * k + lane / 16 * 8);
}

/* Who gets what: the accumulators are written back with these. */
using D = WSIM_FRAGMENT("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", WSIM_D);

static_assert(D::regs == 4 && D::row(0, 2) == 8, "an accumulator is two rows that are 8 apart");

#endif
