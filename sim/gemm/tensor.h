/* tensor.h - tiles of tcgen05.mma, of every dense form and shape. A packed tile of A or B is the
 * shared memory of each block, and a word of scale factors for each row or column. A tile of D is a
 * word an element, row by row. */
#ifndef WSIM_GEMM_TENSOR_H
#define WSIM_GEMM_TENSOR_H

#include "tile.h"

/* Whether code is of tcgen05.mma. */
int tensor_is(const struct wsim_code *code);

/* Fills formats, the tile and its words. WSIM_UNMODELLED: a sparse form. */
enum wsim_status tensor_open(struct wsim_gemm *gemm, struct wsim_diag *diag);

/* Bytes that a thread needs for the memories of an instruction. */
size_t tensor_own(const struct wsim_gemm *gemm);

/* Packs a tile of A (which 0) or B (1). `scales`: the view of its factors, if it has any. */
void tensor_pack(const struct wsim_gemm *gemm, unsigned which, const struct tile_view *tile,
                 const struct tile_view *scales, uint32_t *to);

/* Loads a tile of C, with zeros beyond the end; stores a tile of D, without what is beyond. */
void tensor_gather(const struct wsim_gemm *gemm, const struct tile_view *view, uint32_t *words);
void tensor_scatter(const struct wsim_gemm *gemm, const uint32_t *words,
                    const struct tile_view *view);

/* Instructions along k: D goes into tensor memory, stays there, and comes back. `own` has
 * tensor_own() bytes. */
void tensor_begin(const struct wsim_gemm *gemm, const uint32_t *d, void *own);
enum wsim_status tensor_step(const struct wsim_gemm *gemm, const uint32_t *a, const uint32_t *b,
                             void *own, struct wsim_diag *diag);
void tensor_end(const struct wsim_gemm *gemm, uint32_t *d, const void *own);

#endif
