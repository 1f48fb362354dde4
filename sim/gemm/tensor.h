/* tensor.h - tiles of tcgen05.mma. */
#ifndef WSIM_GEMM_TENSOR_H
#define WSIM_GEMM_TENSOR_H

#include "tile.h"

/* Whether code is of tcgen05.mma. */
int tensor_is(const struct wsim_code *code);

/* Fills formats, tile and layouts of a product. WSIM_UNMODELLED: another form than the one that
 * whole matrices go through. */
enum wsim_status tensor_open(struct wsim_gemm *gemm, struct wsim_diag *diag);

/* Bytes that a thread needs for the memories of an instruction. */
size_t tensor_own(void);

/* One instruction: words of D, A and B of a tile; `own` has tensor_own() bytes. */
enum wsim_status tensor_run(const struct wsim_gemm *gemm, uint32_t *d, const uint32_t *a,
                            const uint32_t *b, void *own, struct wsim_diag *diag);

#endif
