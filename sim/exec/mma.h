/* mma.h - one mma under way: operands gathered, arithmetic chosen. */
#ifndef WSIM_EXEC_MMA_H
#define WSIM_EXEC_MMA_H

#include "../num/num.h"
#include "exec.h"

#define MMA_MAX_A ISA_MOST_A
#define MMA_MAX_B ISA_MOST_B
#define MMA_MAX_C ISA_MOST_C
#define MMA_MAX_BLOCKS ISA_MOST_BLOCKS

/* A block scale factor, as block row m or column n sees it. */
struct mma_scales {
    struct num_elem a[EXEC_MAX_ROWS][MMA_MAX_BLOCKS];
    struct num_elem b[8][MMA_MAX_BLOCKS];
};

/* Rows of A and columns of B are contiguous lists of `k` elements, in the order in which the
 * arithmetic takes them; decoded numbers, or raw bits for methods that compute on those. */
struct mma_job {
    const struct wsim_op *op;
    const struct isa_form *form;
    const struct isa_accum *accum;
    const struct wsim_format *in_a, *in_b; /* formats the elements are held in       */
    const struct wsim_format *result;      /* D, or C if that is wider               */
    struct num_fused fused;
    unsigned k;       /* products of one result: stored columns of A                 */
    unsigned k_dense; /* rows of B                                                   */
    union {
        struct num_elem num[MMA_MAX_A];
        uint64_t bits[MMA_MAX_A];
    } a;
    union {
        struct num_elem num[MMA_MAX_B];
        uint64_t bits[MMA_MAX_B];
    } b;
    uint64_t c[MMA_MAX_C]; /* raw bits, in the format of the result                  */
    struct mma_scales scales;
    struct exec_columns columns; /* sparse A only                                    */
};

/* Chooses the arithmetic: fills accum, in_a, in_b, result and fused. */
void mma_choose(struct mma_job *job, const struct wsim_op *op, const struct isa_accum *accum);

/* One result: row `row` of A (list number) with column `col` of B, and accumulator bits. */
uint64_t mma_dot(const struct mma_job *job, unsigned row, unsigned col, uint64_t acc);

/* Whether elements are held decoded (num) or as raw bits. */
int mma_decodes(const struct mma_job *job);

/* Where element j of a list goes, so that steps can take neighbours. */
unsigned mma_order(const struct mma_job *job, unsigned j);

#endif
