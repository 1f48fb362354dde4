/* tile.h - a tile of a matrix in memory, and the same tile in registers. */
#ifndef WSIM_GEMM_TILE_H
#define WSIM_GEMM_TILE_H

#include "../base/base.h"

#include <wsim/gemm.h>

enum { TILE_LANES = 1 << WSIM_LAYOUT_LANE_BITS, TILE_ELEMS = 1 << WSIM_LAYOUT_ELEM_BITS };

struct tile_place {
    uint16_t row, column;
};

/* Where the elements of a fragment stand in its tile: element e of lane l at the sums of lane[l]
 * and elem[e], because the bits of a layout set different bits of a coordinate (sim/isa/limits.c).
 * Batches are tiles below each other. */
struct tile_map {
    const struct wsim_layout *layout;
    unsigned bytes; /* of an element in memory */
    struct tile_place lane[TILE_LANES], elem[TILE_ELEMS];
};

/* Part of a matrix: its first element, bytes from row to row and from column to column, and how
 * many of both there are before the matrix ends. */
struct tile_view {
    const uint8_t *at;
    size_t row, column;
    size_t rows, columns;
};

/* `batches` 0: all batches of the layout are the same tile (B of an mma.m8n8k4). */
void tile_compile(struct tile_map *map, const struct wsim_layout *layout, unsigned bytes,
                  int batches);

/* The part of a view from (row, column) on; of one that is all beyond the end nothing. */
struct tile_view tile_part(const struct tile_view *view, size_t row, size_t column);

/* Memory to registers, zeros beyond the end of the view; and back, nothing there, if the view is of
 * memory that may be written. */
void tile_gather(const struct tile_map *map, const struct tile_view *view, uint32_t *words);
void tile_scatter(const struct tile_map *map, const uint32_t *words, const struct tile_view *view);

/* Bytes behind B of wgmma that belong to its window: where a window ends just behind a matrix each
 * instruction has to look at every element of it. */
enum { TILE_SLACK = 1024 };

/* B of wgmma: the bytes of shared memory that the descriptor names, from a view. */
void tile_share(const struct wsim_gemm *gemm, const struct tile_view *view, uint8_t *shared);

/* Pointers to registers of a row of tiles of a block. */
size_t tile_pointers(const struct wsim_gemm_work *work);

#endif
