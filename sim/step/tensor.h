/* tensor.h - tcgen05: tensor memory and the tensor core of Blackwell, as steps.
 *
 *     tensor_memory.c   alloc, dealloc, relinquish_alloc_permit; wait, fence
 *     tensor_move.c     ld, st
 *     tensor_product.c  mma, cp, commit */
#ifndef WSIM_STEP_TENSOR_H
#define WSIM_STEP_TENSOR_H

#include "matrix.h"

#include "../exec/umma.h"

/* Refuses columns that no allocation of the block holds. `name`: the operand. */
enum run_next tensor_check(struct run_warp *warp, const struct run_op *op, unsigned lane,
                           const struct run_block *block, const char *name, uint32_t address,
                           unsigned columns);

/* A block of the pair that `block` belongs to: the even one, then the odd one. NULL: the cluster
 * has no such block. */
static inline struct run_block *tensor_pair(const struct run_block *block, unsigned odd) {
    struct run_unit *unit = block->unit;
    uint32_t rank = (block->rank & ~1u) + odd;
    return rank < unit->n_blocks ? &unit->blocks[rank] : NULL;
}

#endif
