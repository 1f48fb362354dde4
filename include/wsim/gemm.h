/* gemm.h - products of whole matrices, tile by tile through one prepared instruction.
 *
 *     struct wsim_gemm gemm;
 *     struct wsim_gemm_size size = {0};
 *     size.m = size.n = size.k = 4096;
 *     wsim_gemm_prepare(&code, &size, &gemm, &diag);
 *     void *a = malloc(gemm.bytes_a), *b = malloc(gemm.bytes_b), *own = malloc(gemm.bytes_own);
 *     for (size_t i = 0; i < gemm.parts_a; i++)
 *         wsim_gemm_pack_a(&gemm, &from_a, i, a, &diag);
 *     for (size_t i = 0; i < gemm.parts_b; i++)
 *         wsim_gemm_pack_b(&gemm, &from_b, i, b, &diag);
 *     for (size_t i = 0; i < gemm.blocks; i++)
 *         wsim_gemm_run(&gemm, a, b, &from_c, &to_d, i, own, &diag);
 *
 * What is computed. D = A B + C with one accumulator for each element of D. It begins as the
 * element of C (+0 where there is no C); then the instructions along k follow each other in
 * ascending order, D of each being C of the next; its last value is the element of D. So there is
 * one order of additions, and D depends neither on how the work is divided nor on who does it. A
 * GPU that divides k among warps or blocks adds in another order, `split`; so does one that takes
 * the accumulator out from time to time: `promote`.
 *
 * Edges. Where m, n or k is no multiple of the tile, A and B are filled up with zeros, as real
 * kernels do. Rows and columns beyond the end are never stored. Along k the zeros are terms of the
 * last instruction: a product of zeros has no exponent, so a fused sum is what it is without, and
 * no zero makes a NaN of anything that it meets (its partner is zero too). Chains of fused
 * multiply-adds (f64; m8n8k4 of f16 since Ampere) alone notice them: a sum of -0 becomes +0, but
 * for .rm.
 *
 * Threads. All parts of A and of B, and then all blocks, may be done in any order and by different
 * threads at once; each thread that runs blocks has its own `own`. What is packed is of operation,
 * size and layouts: it serves every architecture that has the same ones, as all have since Turing,
 * with a struct wsim_gemm prepared for it.
 *
 * The time it takes is that of its instructions: gemm.steps of them for all of D.
 * Source: real kernels' order of k; zero fill of cp.async and of bulk copies (PTX ISA 9.0).
 */
#ifndef WSIM_GEMM_H
#define WSIM_GEMM_H

#include "code.h"
#include "wgmma.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A is m x k, B is k x n, C and D are m x n; any of them may be 0. */
struct wsim_gemm_size {
    size_t m, n, k;
    size_t promote; /* 0; or after so many elements of k, a multiple of those of an instruction,
                       the accumulator, which began as +0, is added to a sum that began as C (f32,
                       rounded to nearest even, NaN 0x7fffffff: add.f32), and begins anew; D is
                       the sum. As kernels do whose accumulators are too narrow for a long k. */
    size_t split;   /* 0, 1; or k in so many slices, as split-k kernels divide it: each has as many
                       instructions along k, but the last, which may have less, and fewer slices
                       are enough where these run out. A slice is a product of its own, whose
                       accumulators begin as +0 (and are promoted within it). The results are added
                       to C in ascending order of k, in the type of D, by add.f32, add.f64 (to
                       nearest even, NaNs as these leave them) or add.s32, which wraps.        */
};

/* A matrix in memory: element (row, column) is number row * `row` + column * `column` of an array
 * of uint8_t, uint16_t, uint32_t or uint64_t in the order of bytes of this machine, as wide as
 * struct wsim_gemm says, with the raw bits of the element: those of wsim_fragment_pack (layout.h).
 * Elements of less than a byte (4 bits, 1 bit) have one each, whose other bits are ignored. A
 * matrix that is stored row by row has column = 1 and its leading dimension in `row`, a transposed
 * one the other way round. 0: all rows (or columns) are the same one. */
struct wsim_gemm_from {
    const void *elements;
    size_t row, column;
};

/* The same of D, where each element has a place of its own. */
struct wsim_gemm_to {
    void *elements;
    size_t row, column;
};

/* Private to the functions below; may change in any version. */
struct wsim_gemm_work {
    struct wsim_layout a, b, d; /* wgmma: b.regs is 0, B lies in shared memory                  */
    struct wsim_tile tile_b;
    uint64_t desc_b;
    size_t rows, columns, steps;      /* tiles along m, n and k                                 */
    size_t words_a, words_b, words_d; /* of a tile                                              */
    size_t panel, strip;              /* tiles of a block along n and along m                   */
    size_t chunk;                     /* steps along k that a block takes at a time              */
};

/* A product, prepared. Plain data of the caller, never written by the functions below. */
struct wsim_gemm {
    const struct wsim_code *code; /* has to stay where it is                                   */
    struct wsim_gemm_size size;
    size_t tile_m, tile_n, tile_k;           /* of one instruction                          */
    const struct wsim_format *a, *b, *d;     /* of the elements; C has that of D            */
    uint8_t element_a, element_b, element_d; /* bytes of one in memory: 1, 2, 4 or 8        */
    size_t bytes_a, bytes_b;                 /* of A and B when they are packed             */
    size_t bytes_own;                        /* that each thread needs to run blocks        */
    size_t parts_a, parts_b;                 /* calls that pack them                        */
    size_t blocks;                           /* calls that make D of them                   */
    uint64_t steps;                          /* instructions of all blocks together         */
    size_t slices, slice_k;                  /* that k is in, and the k of each but the last */
    struct wsim_gemm_work work;
};

/* Divides the work. `code` is of a dense mma, wmma.mma or wgmma.mma_async (whose A is then in
 * registers and whose B in shared memory). The four products of an mma.m8n8k4 are four tiles of m.
 * Errors, in the order checked: WSIM_ILLEGAL (it is something else), WSIM_UNMODELLED (sparse, or
 * with scale factors: there would have to be more than A and B), WSIM_OPERAND (C and D are of
 * different types, so that no D can be the C of a next one; promote and D is not f32, or no
 * multiple of the k of the instruction; split and D is neither f32 nor f64 nor s32, or more slices
 * than instructions along k; so large that sizes in bytes do not fit a size_t). *gemm is untouched
 * then. */
WSIM_API enum wsim_status wsim_gemm_prepare(const struct wsim_code *code,
                                            const struct wsim_gemm_size *size,
                                            struct wsim_gemm *gemm, struct wsim_diag *diag);

/* Puts part `part` of A (of B) into the order in which registers have it: into `packed`, which has
 * gemm->bytes_a (bytes_b) and the alignment of malloc. No part writes where another does.
 * WSIM_OPERAND: there is no such part; nothing is written then. */
WSIM_API enum wsim_status wsim_gemm_pack_a(const struct wsim_gemm *gemm,
                                           const struct wsim_gemm_from *from, size_t part,
                                           void *packed, struct wsim_diag *diag);
WSIM_API enum wsim_status wsim_gemm_pack_b(const struct wsim_gemm *gemm,
                                           const struct wsim_gemm_from *from, size_t part,
                                           void *packed, struct wsim_diag *diag);

/* Which elements of D a block is, and how many: rows from `row` on ... */
struct wsim_gemm_block {
    size_t row, column, rows, columns;
};

/* Of a `block` below gemm->blocks; all zeros of others. */
WSIM_API struct wsim_gemm_block wsim_gemm_locate(const struct wsim_gemm *gemm, size_t block);

/* Computes block `block` of D from all of A and B, packed. `own` has gemm->bytes_own and the
 * alignment of malloc; what it holds means nothing. `c` may be NULL: zeros. D may be C, element for
 * element, and may lie over A and B as they were before they were packed; it overlaps nothing else.
 * Errors, in the order checked: WSIM_OPERAND (there is no such block; `row` and `column` of D give
 * two elements of it one place), then those of wsim_run, of which a dense instruction with all its
 * registers has none. Nothing of D is written then. */
WSIM_API enum wsim_status wsim_gemm_run(const struct wsim_gemm *gemm, const void *a, const void *b,
                                        const struct wsim_gemm_from *c,
                                        const struct wsim_gemm_to *d, size_t block, void *own,
                                        struct wsim_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
