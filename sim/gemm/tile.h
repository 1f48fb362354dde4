/* tile.h - a tile of a matrix in memory, and the same tile in registers. */
#ifndef WSIM_GEMM_TILE_H
#define WSIM_GEMM_TILE_H

#include "../base/base.h"

#include <wsim/gemm.h>

enum { TILE_LANES = 1 << WSIM_LAYOUT_LANE_BITS, TILE_ELEMS = 1 << WSIM_LAYOUT_ELEM_BITS };

struct tile_place {
    uint16_t row, column;
};

/* Places of fragment elements in a tile. Element e of lane l is at lane[l] + elem[e], because the
 * bits of a layout set different coordinate bits (sim/isa/limits.c). Batches are stacked tiles. */
struct tile_map {
    const struct wsim_layout *layout;
    unsigned bytes; /* of an element in memory */
    struct tile_place lane[TILE_LANES], elem[TILE_ELEMS];
};

/* A part of a matrix: its first element, and the distances of rows and columns in bytes. It has
 * rows and columns up to the end of the matrix. */
struct tile_view {
    const uint8_t *at;
    size_t row, column;
    size_t rows, columns;
};

/* `batches` is 0 if all batches of the layout are one tile (B of mma.m8n8k4). */
void tile_compile(struct tile_map *map, const struct wsim_layout *layout, unsigned bytes,
                  int batches);

/* The part of a view from (row, column); empty beyond the end of the view. */
struct tile_view tile_part(const struct tile_view *view, size_t row, size_t column);

/* Loads a tile, with zeros beyond the end of the view; stores a tile into writable memory, without
 * the elements beyond the end. */
void tile_gather(const struct tile_map *map, const struct tile_view *view, uint32_t *words);
void tile_scatter(const struct tile_map *map, const uint32_t *words, const struct tile_view *view);

/* Whether an element of `bits` is its bytes in memory, in the order of wsim's memories. */
int tile_is_plain(unsigned bits, unsigned bytes);

/* Bytes that pad the window after B of wgmma: if a window ends right after a matrix, each
 * instruction checks every element. */
enum { TILE_SLACK = 1024 };

/* B of wgmma: fills the shared bytes that the descriptor addresses from a view. */
void tile_share(const struct wsim_gemm *gemm, const struct tile_view *view, uint8_t *shared);

/* Pointers to the registers of a row of tiles. */
size_t tile_pointers(const struct wsim_gemm_work *work);

#endif
