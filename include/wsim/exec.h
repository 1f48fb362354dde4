/* exec.h - one door for execution, and the helpers that sparse operands need. */
#ifndef WSIM_EXEC_H
#define WSIM_EXEC_H

#include "isa.h"
#include "memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The operands of one instruction. Name the ones it has, leave the rest zero:
 *     struct wsim_operands io = {0};
 *     io.d = &d, io.a = &a, io.b = &b, io.c = &c;
 * `d` may be the same object as any input. */
struct wsim_operands {
    struct wsim_regs *d;       /* result of mma, ldmatrix, movmatrix                     */
    const struct wsim_regs *a; /* mma, movmatrix                                         */
    const struct wsim_regs *b;
    const struct wsim_regs *c;
    const struct wsim_regs *r; /* source of stmatrix, wmma.store                         */
    const uint32_t *e;         /* sparse: metadata register, 32 lanes                    */
    unsigned selector;         /* sparse: which lanes supply it                          */
    const uint32_t *sfa, *sfb; /* block scale: scale registers, 32 lanes                 */
    unsigned bid_a, tid_a;     /* byte-id and thread-id of each                          */
    unsigned bid_b, tid_b;
    const struct wsim_memory *smem; /* ldmatrix, wmma.load read it (read-only will do), stmatrix,
                                       wmma.store write it; of wmma a window of the state space
                                       that is written, with a generic address of either      */
    const uint32_t *addr; /* 32 row addresses; of wmma.load and wmma.store 32 times the same  */
    uint32_t stride;      /* wmma.load, wmma.store: elements from one row to the next (col:
                             column); 0: as if not written, they are adjacent               */
};

/* Executes `op` as `arch` does, bit for bit. Everything is checked before anything is written: on
 * error no register and no byte of memory has changed.
 * Errors, in the order checked: WSIM_ILLEGAL (as wsim_op_check), WSIM_UNMODELLED (no arithmetic
 * for this operation on this architecture), WSIM_OPERAND (operand missing; selector, metadata or
 * scale selector outside what the ISA defines, naming lane, nibble and rule; rows of a stmatrix
 * that overlap; memory of another space, or read-only where it is written), WSIM_ALIGN,
 * WSIM_BOUNDS (row address; names lane and address).
 * Source: docs/architecture.md says which row decides which bit, `wsim ops` prints its source. */
WSIM_API enum wsim_status wsim_exec(const struct wsim_op *op, const struct wsim_arch *arch,
                                    const struct wsim_operands *io, struct wsim_diag *diag);

/* Compresses a dense m x k matrix (m * k raw container bits, row by row) of a sparse `op` into the
 * A fragment and the metadata that `selector` addresses. Zero elements are dropped, and where a
 * chunk is full -0 and bits that the format ignores (the low 13 of tf32) are zero too; where a
 * chunk has fewer nonzeros than it keeps, the lowest free positions are kept as zeros. Indices come
 * out in increasing order, so the result serves both .sp and .sp::ordered_metadata. Lanes of `e`
 * that do not supply metadata under `selector` get 0. Neither may overlap `dense`. Errors, in the
 * order checked: WSIM_ILLEGAL (op is of a warpgroup, or is not sparse), WSIM_OPERAND (selector out
 * of range; a chunk with more nonzeros than the pattern keeps: the diag names row and columns). */
WSIM_API enum wsim_status wsim_sparse_compress(const struct wsim_op *op, const uint64_t *dense,
                                               unsigned selector, struct wsim_regs *a,
                                               uint32_t e[WSIM_LANES], struct wsim_diag *diag);

/* The inverse: a compressed A fragment and its metadata as a dense m x k matrix (writes m * k
 * elements), zeros where nothing is stored. Errors, in the order checked: WSIM_ILLEGAL (op is of a
 * warpgroup, or is not sparse), WSIM_OPERAND (as wsim_exec for selector and metadata). */
WSIM_API enum wsim_status wsim_sparse_expand(const struct wsim_op *op, const struct wsim_regs *a,
                                             const uint32_t e[WSIM_LANES], unsigned selector,
                                             uint64_t *dense, struct wsim_diag *diag);

/* The same of a warp and of a warpgroup (sparse wgmma): registers are words in rows of as many
 * lanes as the instruction has threads (layout.h), so `a` is wsim_op_layout's regs * lanes of
 * WSIM_A, and `e` 32 or 128 words. An A that wgmma reads from shared memory is that of `a` as a
 * matrix: wsim_words_unpack. Errors as above, but for those of a warpgroup. */
WSIM_API enum wsim_status wsim_words_compress(const struct wsim_op *op, const uint64_t *dense,
                                              unsigned selector, uint32_t *a, uint32_t *e,
                                              struct wsim_diag *diag);
WSIM_API enum wsim_status wsim_words_expand(const struct wsim_op *op, const uint32_t *a,
                                            const uint32_t *e, unsigned selector, uint64_t *dense,
                                            struct wsim_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
