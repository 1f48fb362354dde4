/* contract.h - products and sums that the assembler makes one. */
#ifndef WSIM_DECODE_CONTRACT_H
#define WSIM_DECODE_CONTRACT_H

#include "build.h"

/* Finds the pairs of the function that is decoded and counts them in the program.
 * build->fused_with[sum] is the instruction of the fused product, + 1. For a product that
 * disappears, and for a mov or neg of it, it is CONTRACT_GONE. build->sums has the operand of a sum
 * that is its product, 1 or 2, with SUM_NEGATIVE if it is the opposite one. It has OPERANDS_TURNED
 * for a sum or product of f64 whose first two operands machine code has the other way round.
 * Returns 0 without memory. */
int contract_find(struct run_build *build);

/* contract_find fills build->reciprocal too, with an f32. An approximate division by a number has
 * its reciprocal to nearest, by which the assembler multiplies. A product by a power of two that is
 * fused with a product has that power. An approximate function of a number has the value that the
 * assembler computes. Other instructions have 0. */

#define CONTRACT_GONE 0xFFFFFFFFu
#define SUM_NEGATIVE 4u
#define OPERANDS_TURNED 8u
static inline int contract_is_gone(uint32_t fused) {
    return fused == CONTRACT_GONE;
}

/* contract_find fills build->inverse: of a reciprocal or division, the instruction + 1 whose result
 * it inverts and that goes into it (inverse.c). CONTRACT_CHANGED: an instruction that only such a
 * one uses. A reciprocal copies its operand, ex2 takes its operand with the other sign. */
#define CONTRACT_CHANGED 0xFFFFFFFFu
/* The operand that such a reciprocal copies, or by which such a division multiplies. */
struct ptx_operand contract_inverse(const struct run_build *build, uint32_t at);
/* The plan of an instruction for which build->inverse has a value. */
enum wsim_status contract_plan_inverse(struct run_plan *plan);

/* contract_find fills build->addend too: for a part of C of an mma, the product + 1 that
 * machine code adds behind, unrounded (contract_matrix.c). ADDEND_NEGATIVE: it is the opposite one.
 * That product is computed too, for targets that multiply with C. */
#define ADDEND_NEGATIVE 0x80000000u
/* build->copies has the rows of copies of factors, two of each instruction: where a sum cannot read
 * the factor itself. COPIES_WANTED: it has no row yet. */
#define COPIES_WANTED 1u
/* Operations in front of a product that fill its copies; nothing for others. */
enum wsim_status contract_plan_copies(struct run_plan *plan);
/* The rows of the factors of what is added for a part of C; 0: it is added as it is. */
enum wsim_status contract_added(struct run_plan *plan, const struct ptx_operand *part,
                                uint32_t factors[2], int *negative);
/* The method of the products of an mma (accum.def) on the target of the text, where it is so. */
uint8_t contract_added_method(const struct run_plan *plan);

/* Factor 1 or 2 of a product: of a quotient without a step of its own for the reciprocal, too. */
struct ptx_operand contract_factor(const struct run_build *build, uint32_t at, unsigned factor);

/* The plan of a division that is a product, or of a function of a number. */
enum wsim_status contract_plan_quotient(struct run_plan *plan);

/* The plan of an instruction with OPERANDS_TURNED. */
enum wsim_status contract_plan_turned(struct run_plan *plan);

/* The plan of a sum with a product, or of a product by a power of two. */
enum wsim_status contract_plan(struct run_plan *plan, uint32_t product);

#endif
