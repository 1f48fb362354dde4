/* linear.h - addresses as sums: a constant and multiples of registers and variables, modulo 2^32.
 * The assembler of CUDA 13 compares addresses of shared memory in this form. */
#ifndef WSIM_DECODE_LINEAR_H
#define WSIM_DECODE_LINEAR_H

#include "build.h"

enum { LINEAR_TERMS = 12 }; /* a sum with more terms becomes one term */

/* An atom, which is not a sum, times a coefficient that is not 0. */
struct linear_term {
    uint32_t atom, times;
};

/* The kinds of atoms. Without one of these bits: a register with one definition. With several
 * definitions, the one that reaches a use within its basic block identifies the atom. */
#define LINEAR_VARIABLE 0x80000000u /* with the number of a variable                       */
#define LINEAR_VALUE 0x40000000u    /* with the place in run_uses where it is written       */
#define LINEAR_ENTRY                                                                               \
    0x20000000u /* of a register at the beginning of a block: with the place                       \
                   in run_uses of its first use there                  */

/* Terms ascend by atom, so equal sums are equal byte by byte. */
struct linear {
    uint32_t constant, n;
    uint8_t base; /* log2 of the alignment of the static variables in the constant */
    struct linear_term term[LINEAR_TERMS];
};

/* The sums of one function. */
struct linear_sums;

/* NULL: no memory. */
struct linear_sums *linear_open(const struct run_build *build);
void linear_close(struct linear_sums *sums);

/* The base of the address of instruction `at`: a register, a variable or a number. 1 and *out; 0:
 * it is something else; -1: no memory. */
int linear_of(struct linear_sums *sums, const struct ptx_operand *operand, uint32_t at,
              struct linear *out);

/* How a sum changes from one round of a loop to the next. */
enum linear_change {
    LINEAR_STEPS,  /* by a constant                                                      */
    LINEAR_FOLDS,  /* by a computation that the assembler may fold when it unrolls       */
    LINEAR_VARIES, /* by a number that only a run knows, so the assembler proves nothing */
    LINEAR_NO_MEMORY
};

/* The loop is the block `first` to `last`, whose last instruction jumps to its first. */
enum linear_change linear_change_of(struct linear_sums *sums, const struct linear *sum,
                                    uint32_t first, uint32_t last, uint32_t *step);

/* Whether both have the same terms; their constants may differ. */
int linear_same_terms(const struct linear *a, const struct linear *b);

/* The sum is a multiple of 1 << result, for all that its registers can hold; at most 31. The first
 * call looks at the whole function. */
unsigned linear_alignment(struct linear_sums *sums, const struct linear *sum);

#endif
