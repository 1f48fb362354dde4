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
    const struct wsim_memory *smem; /* ldmatrix and wmma.load read it (read-only will do); stmatrix
                                       and wmma.store write it. For wmma, a window of the state
                                       space in the spelling; with a generic address, of either */
    const uint32_t *addr; /* 32 row addresses; of wmma.load and wmma.store 32 times the same  */
    uint32_t stride;      /* wmma.load, wmma.store: elements from one row to the next (col:
                             column); 0: as if not written, they are adjacent               */
};

/* Executes `op` as `arch` does, bit for bit. The call checks everything before it writes: an error
 * changes no register and no byte of memory.
 *
 * Errors, in the order checked. WSIM_ILLEGAL: as wsim_op_check. WSIM_UNMODELLED: no arithmetic for
 * this operation on this architecture. WSIM_OPERAND: an operand is missing. WSIM_OPERAND: selector,
 * metadata or scale selector outside what the ISA defines, naming lane, nibble and rule.
 * WSIM_OPERAND: rows of a stmatrix overlap. WSIM_OPERAND: memory of another space, or read-only
 * memory that the operation writes. WSIM_ALIGN, WSIM_BOUNDS: a row address; the diag names lane and
 * address.
 *
 * Source: docs/architecture.md says which row decides which bit, `wsim ops` prints its source. */
WSIM_API enum wsim_status wsim_exec(const struct wsim_op *op, const struct wsim_arch *arch,
                                    const struct wsim_operands *io, struct wsim_diag *diag);

/* Compresses a dense m x k matrix of a sparse `op` into the A fragment and the metadata that
 * `selector` addresses. `dense` holds m * k raw container bits, row by row. The call drops zero
 * elements. In a full chunk, -0 and bits that the format ignores (the low 13 of tf32) also become
 * zero. A chunk with fewer nonzeros than it keeps retains the lowest free positions as zeros.
 * Indices increase, so the result serves both .sp and .sp::ordered_metadata. Lanes of `e` that do
 * not supply metadata under `selector` get 0. Neither `a` nor `e` may overlap `dense`. Errors, in
 * the order checked. WSIM_ILLEGAL: op is of a warpgroup, or is not sparse. WSIM_OPERAND: selector
 * out of range. WSIM_OPERAND: a chunk has more nonzeros than the pattern keeps; the diag names row
 * and columns. */
WSIM_API enum wsim_status wsim_sparse_compress(const struct wsim_op *op, const uint64_t *dense,
                                               unsigned selector, struct wsim_regs *a,
                                               uint32_t e[WSIM_LANES], struct wsim_diag *diag);

/* The inverse: a compressed A fragment and its metadata as a dense m x k matrix (writes m * k
 * elements), zeros where nothing is stored. Errors, in the order checked: WSIM_ILLEGAL (op is of a
 * warpgroup, or is not sparse), WSIM_OPERAND (as wsim_exec for selector and metadata). */
WSIM_API enum wsim_status wsim_sparse_expand(const struct wsim_op *op, const struct wsim_regs *a,
                                             const uint32_t e[WSIM_LANES], unsigned selector,
                                             uint64_t *dense, struct wsim_diag *diag);

/* Like the two functions above, for a warp and for a warpgroup (sparse wgmma). Registers are words
 * in rows; a row has one lane for each thread of the instruction (layout.h). So `a` has regs *
 * lanes words, by wsim_op_layout of WSIM_A, and `e` has 32 or 128. If wgmma reads A from shared
 * memory, wsim_words_unpack turns `a` into that matrix. Errors as above, except those of a
 * warpgroup. */
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
