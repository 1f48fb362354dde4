/* place.h - where the manual puts each element: closed formulas in g = lane / 4, t = lane % 4. */
#ifndef ORACLE_PLACE_H
#define ORACLE_PLACE_H

#include "oracle.h"

enum place_operand { PLACE_D, PLACE_A, PLACE_B, PLACE_C }; /* index of oracle_op.type */

/* Row and column in multiplication `quad`, 0 except for m8n8k4 of f16, which does four at once. In
 * a wmma made of m8n8k4, rows and columns are those of the whole matrix. */
struct place {
    int quad, row, col;
};

/* Bits of a register that one element of `operand` takes: 1 4 8 16 32 64. */
int place_width(const struct oracle_op *op, enum place_operand operand);

/* Elements of `operand` that one lane holds. */
int place_elems(const struct oracle_op *op, enum place_operand operand);

/* How many of them are of their own; of wmma the rest are copies, which are not multiplied. */
int place_own(const struct oracle_op *op, enum place_operand operand);

/* The coordinates of element `elem` of `lane`. Sparse A: the column counts stored elements. */
struct place place_of(const struct oracle_op *op, enum place_operand operand, int lane, int elem);

uint64_t place_get(const struct wsim_regs *regs, int width, int lane, int elem);
void place_set(struct wsim_regs *regs, int width, int lane, int elem, uint64_t bits);

/* Sparse. Logical columns of one metadata nibble, and their stored elements. */
int place_chunk_width(const struct oracle_op *op);
int place_chunk_kept(const struct oracle_op *op);

/* Lane and lowest bit of the nibble of (row, chunk) under `selector`; number of selectors. */
void place_nibble(const struct oracle_op *op, int selector, int row, int chunk, int *lane,
                  int *bit);
int place_selectors(const struct oracle_op *op);

/* The logical column of stored column `stored` in `row`. */
int place_logical(const struct oracle_op *op, const uint32_t *e, int selector, int row, int stored);

/* Scale factor `j` of row `row` of A, of column `col` of B. */
unsigned place_scale_a(const struct wsim_operands *io, int row, int j);
unsigned place_scale_b(const struct wsim_operands *io, int col, int j);

#endif
