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

/* Whether an mma may be run a row at a time: there is a kernel, and the registers of one are those
 * of a group, as they are. Of code of any operation. */
int strip_is_row(const struct wsim_code *code);

/* Dense mma with the same A and different B and accumulators: `count`, at most 32, each with its
 * registers behind those of the one before; D takes the place of C. Answers which it left as they
 * were: bit i, number i. */
uint32_t strip_row(const struct wsim_code *code, const uint32_t *const *a, const uint32_t *const *b,
                   uint32_t *const *d, unsigned count);

/* A part of a warpgroup's product: `count` groups of 8 columns from group `first` on. */
enum { STRIP_GROUPS = 8 };
struct strip_group {
    unsigned first, count;
    const uint32_t (*a)[WSIM_LANES]; /* [warp][register of a strip]                             */
    const uint32_t (*b)[WSIM_LANES]; /* [group][register]                                       */
    uint8_t (*nibbles)[PRODUCT_MAX_CHUNKS]; /* sparse                                    */
    struct product_in c; /* neither rows nor words: zeros                                       */
    struct product_out d;
};

/* Multiplies it by a kernel, warp after warp. */
void strip_groups(const struct wsim_code *code, const struct strip_group *group);

#endif
