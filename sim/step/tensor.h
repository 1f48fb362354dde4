/* tensor.h - tcgen05: tensor memory and the tensor core of Blackwell, as steps.
 *
 *     tensor_memory.c   alloc, dealloc, relinquish_alloc_permit; wait, fence
 *     tensor_move.c     ld, ld.red, st
 *     tensor_shift.c    shift
 *     tensor_product.c  mma, cp, commit
 *     tensor_order.c    findings of accesses that do not wait
 *     tensor_known.c    findings of words that nothing wrote, and of empty collectors */
#ifndef WSIM_STEP_TENSOR_H
#define WSIM_STEP_TENSOR_H

#include "matrix.h"

#include "../exec/umma.h"

/* Refuses columns that no allocation of the block holds. `name`: the operand. */
enum run_next tensor_check(struct run_warp *warp, const struct run_op *op, unsigned lane,
                           const struct run_block *block, const char *name, uint32_t address,
                           unsigned columns);

/* --- order (tensor_order.c) --- */

/* A wait for loads (0) or stores (1) of the warp; a fence before (0) or after (1) a thread
 * synchronisation. */
void tensor_order_wait(struct run_warp *warp, int stores);
void tensor_order_fence(struct run_warp *warp, int after);

/* Finds a load or store of columns that comes too early. */
enum run_next tensor_order_move(struct run_warp *warp, const struct run_op *op, uint32_t address,
                                unsigned columns, int stores);

/* Notes work on columns of `block` that the warp issues, and finds accesses that may be under way.
 * `d` names the place and the shape of the D of a product; other work has 0. */
enum run_next tensor_order_work(struct run_warp *warp, const struct run_op *op, unsigned lane,
                                struct run_block *block, uint32_t address, unsigned columns,
                                enum isa_umma_work work, uint32_t d);

/* Work of the warp on columns of `block` that was issued up to a time is done. */
uint32_t tensor_order_now(const struct run_block *block);
void tensor_order_commit(struct run_warp *warp, struct run_block *block, uint32_t until);

/* Finds columns that are freed under work. */
enum run_next tensor_order_free(struct run_warp *warp, const struct run_op *op, unsigned first,
                                unsigned columns);

/* --- initialised words (tensor_known.c) --- */

/* Halves of words. */
enum { TENSOR_LOW = 1, TENSOR_HIGH = 2, TENSOR_WORDS = TENSOR_LOW | TENSOR_HIGH };

/* Columns of a lane are initialised; columns of all lanes are not. */
void tensor_known_put(struct run_tensor *tensor, unsigned lane, unsigned column, unsigned columns,
                      unsigned halves);
void tensor_known_drop(struct run_tensor *tensor, unsigned column, unsigned columns);

/* The first column that is not initialised in a lane, or the end of the columns. */
unsigned tensor_known_until(const struct run_tensor *tensor, unsigned lane, unsigned column,
                            unsigned columns, unsigned halves);

/* Whether the launch asks for it. */
static inline int tensor_known_asked(const struct run_warp *warp) {
    return (warp->worker->launch->how->checks & WSIM_CHECK_INIT) != 0;
}

/* Finds operands of a product that nothing wrote; notes D. `block` is number `odd` of the blocks of
 * the product. */
enum run_next tensor_known_product(struct run_warp *warp, const struct run_op *op, unsigned lane,
                                   const struct run_block *block, unsigned odd,
                                   const struct wsim_code *code, const struct wsim_io_umma *io);
void tensor_known_result(struct run_block *block, unsigned odd, const struct wsim_code *code,
                         const struct wsim_io_umma *io);

/* Notes what a product leaves in its collector buffer (SCALAR_COLLECTOR), and finds one that uses
 * what is not there. */
enum run_next tensor_collector(struct run_warp *warp, const struct run_op *op, unsigned lane,
                               const struct wsim_io_umma *io, unsigned collector);

/* Finds instructions of both groups in one kernel. */
enum run_next tensor_group(struct run_warp *warp, const struct run_op *op, unsigned lane,
                           unsigned blocks);

/* Finds a block without a partner. */
enum run_next tensor_check_pair(struct run_warp *warp, const struct run_op *op, unsigned lane,
                                unsigned blocks);

/* A block of the pair that `block` belongs to: the even one, then the odd one. NULL: the cluster
 * has no such block. */
static inline struct run_block *tensor_pair(const struct run_block *block, unsigned odd) {
    struct run_unit *unit = block->unit;
    uint32_t rank = (block->rank & ~1u) + odd;
    return rank < unit->n_blocks ? &unit->blocks[rank] : NULL;
}

#endif
