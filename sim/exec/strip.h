/* strip.h - products by kernels: registers as strips of 16 rows and groups of 8 columns. */
#ifndef WSIM_EXEC_STRIP_H
#define WSIM_EXEC_STRIP_H

#include "../num/kernel.h"
#include "product.h"

/* Finds out whether the fragments of code->op are strips, and the best kernel that code->flags
 * allow; without either the plain path remains. */
void strip_prepare(struct wsim_code *code);

/* The product of an mma or a wmma.mma by its kernel, from operands that were checked. 0: it left
 * something to the plain path, and nothing was written. */
int strip_mma(const struct wsim_code *code, const struct wsim_io *io,
              uint8_t (*nibbles)[PRODUCT_MAX_CHUNKS], uint8_t (*factors_a)[PRODUCT_MAX_BLOCKS],
              uint8_t (*factors_b)[PRODUCT_MAX_BLOCKS]);

#endif
