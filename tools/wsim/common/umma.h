/* umma.h - products of tcgen05 from the command line: a spelling or an atom of CuTe, and the fields
 * of the instruction descriptor. */
#ifndef WSIM_TOOL_UMMA_H
#define WSIM_TOOL_UMMA_H

#include "tool.h"

/* A product: its form, the fields of its descriptor, and the 32 bits. */
struct umma {
    struct wsim_umma form;
    struct wsim_umma_shape shape;
    uint32_t idesc;
    int a_in_tensor;
};

/* The target of tcgen05 when none is named. */
#define UMMA_ARCH "sm_100a"

/* Whether a word is a tcgen05 instruction, or an atom of CuTe for SM100 that multiplies. */
int umma_is(const char *text);

/* Whether it is a tcgen05.mma or such an atom. */
int umma_is_product(const char *text);

/* An operand as a matrix in memory, without registers; C as D. Answers whether the product has it.
 */
int umma_matrix(const struct umma *umma, enum wsim_operand operand, struct wsim_layout *layout);

/* The shortest spelling of a form. */
void umma_spell(const struct wsim_umma *form, char spelling[WSIM_SPELLING_MAX]);

/* Reads args[0], a tcgen05.mma or an atom, and the fields after it: "M=128 N=64 A=f16 tB=1", or the
 * 32 bits in hex. Fields that are not given have the first types of the kind, M 128 for each block
 * and N 64. */
void umma_from_words(const char **args, struct umma *umma, char spelling[WSIM_SPELLING_MAX]);

/* "M=128 N=64 K=16 A=f16 B=f16 D=f32", and what else is not 0. */
#define UMMA_TEXT 160
void umma_words(const struct wsim_umma_shape *shape, char out[UMMA_TEXT]);

/* Reads a tcgen05 instruction of any kind. */
void umma_scalar(const char *text, struct wsim_scalar *op);

#endif
