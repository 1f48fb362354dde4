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
 * Result. D = A B + C with one accumulator for each element of D. The accumulator begins as the
 * element of C (+0 without a C). The instructions along k follow in ascending order, and D of each
 * is C of the next. The last value is the element of D. So the order of additions is fixed: D
 * depends neither on the division of the work nor on the threads. A GPU that divides k among warps
 * or blocks adds in another order: `split`. One that takes the accumulator out from time to time
 * does too: `promote`.
 *
 * Edges. Where m, n or k is no multiple of the tile, zeros fill A and B up, as in real kernels.
 * Rows and columns beyond the end are never stored. Along k the zeros are terms of the last
 * instruction. A product of zeros has no exponent, so it does not change a fused sum. A zero makes
 * no NaN, because its partner is zero too. Only chains of fused multiply-adds (f64; m8n8k4 of f16
 * since Ampere) notice the zeros: a sum of -0 becomes +0, except for .rm.
 *
 * Threads. Pack all parts of A and of B first, then run all blocks. Each step may go in any order
 * and on several threads at once; each thread that runs blocks has its own `own`. Packed data
 * depends on operation, size and layouts only. It serves every architecture with the same layouts,
 * as all have since Turing, through a struct wsim_gemm prepared for that architecture.
 *
 * The run time is that of the instructions: gemm.steps for all of D. Source: real kernels' order of
 * k; zero fill of cp.async and of bulk copies (PTX ISA 9.0).
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
    size_t promote; /* 0; or a number of elements of k, a multiple of the k of an instruction. After
                       each such stretch, add.f32 adds the accumulator to a sum and the accumulator
                       restarts. The accumulator starts as +0, the sum as C; D is the sum. add.f32
                       rounds to nearest even, with NaN 0x7fffffff. Kernels do this when their
                       accumulators are too narrow for a long k. */
    size_t split;   /* 0, 1; or the number of slices of k, as split-k kernels divide it. All slices
                       have the same number of instructions along k; the last may have fewer. Fewer
                       slices suffice where the instructions run out. A slice is a product of its
                       own: its accumulators begin as +0, and `promote` works within it. The results
                       are added to C in ascending order of k, in the type of D. The addition is
                       add.f32, add.f64 (to nearest even, with their NaNs) or add.s32, which
                       wraps. */
};

/* A matrix in memory. Element (row, column) is number row * `row` + column * `column` of an array.
 * The array is of uint8_t, uint16_t, uint32_t or uint64_t in the machine's byte order; struct
 * wsim_gemm gives the width. It holds the raw bits of the elements: those of wsim_fragment_pack
 * (layout.h). Elements of less than a byte (4 bits, 1 bit) have one byte each, whose other bits are
 * ignored. A matrix stored row by row has column = 1 and its leading dimension in `row`, a
 * transposed one the other way round. 0: all rows (or columns) are the same one.
 *
 * A block-scaled instruction multiplies each block of gemm->block_k elements along k by a factor, a
 * byte of format gemm->scale. The factors of A are a matrix of m rows with a column for each block.
 * The factors of B have a row for each block and n columns. Factor (row, column) is byte number row
 * * scale_row + column * scale_column. The last block may be shorter. */
struct wsim_gemm_from {
    const void *elements;
    size_t row, column;
    const uint8_t *scales; /* block-scaled A or B: the factors; else ignored                    */
    size_t scale_row, scale_column;
};

/* Matrix D in memory, like struct wsim_gemm_from; each element has a place of its own. */
struct wsim_gemm_to {
    void *elements;
    size_t row, column;
};

/* Private to the functions below; may change in any version. */
struct wsim_gemm_work {
    struct wsim_layout a, b, d; /* wgmma: b.regs is 0, B lies in shared memory                  */
    struct wsim_layout scale_a, scale_b; /* of the registers of scale factors; regs 0: none      */
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
    const struct wsim_format *scale; /* of scale factors; NULL: not block-scaled            */
    size_t block_k;                  /* elements along k that share a factor; else 0         */
    struct wsim_gemm_work work;
};

/* Divides the work. `code` is of a dense mma, wmma.mma, wgmma.mma_async (with A in registers and
 * B in shared memory) or tcgen05.mma (with A in shared memory). The four products of an mma.m8n8k4
 * are four tiles of m. Errors, in the order checked. WSIM_ILLEGAL: `code` is of another
 * instruction. WSIM_UNMODELLED: `code` is sparse, so it needs metadata. WSIM_OPERAND: C and D
 * differ in type, so D cannot be the C of the next instruction. WSIM_OPERAND: `promote` with a D
 * other than f32, or no multiple of the k of the instruction. WSIM_OPERAND: `split` with a D other
 * than f32, f64 and s32, or with more slices than instructions along k. WSIM_OPERAND: sizes in
 * bytes do not fit a size_t. *gemm is untouched then.
 */
WSIM_API enum wsim_status wsim_gemm_prepare(const struct wsim_code *code,
                                            const struct wsim_gemm_size *size,
                                            struct wsim_gemm *gemm, struct wsim_diag *diag);

/* Puts part `part` of A (of B) into the order of the registers. `packed` has gemm->bytes_a
 * (bytes_b) and the alignment of malloc. Parts write disjoint bytes. WSIM_OPERAND: there is no such
 * part, or a block-scaled matrix has no factors; nothing is written then. */
WSIM_API enum wsim_status wsim_gemm_pack_a(const struct wsim_gemm *gemm,
                                           const struct wsim_gemm_from *from, size_t part,
                                           void *packed, struct wsim_diag *diag);
WSIM_API enum wsim_status wsim_gemm_pack_b(const struct wsim_gemm *gemm,
                                           const struct wsim_gemm_from *from, size_t part,
                                           void *packed, struct wsim_diag *diag);

/* Quantises a matrix of `type` (f16, bf16, f32 or f64) for a block-scaled instruction. `operand` is
 * WSIM_A or WSIM_B. Writes elements of gemm->a (b) and the factor of each block along k, in the
 * places that `elements` and `scales` give as in struct wsim_gemm_from. x is the largest
 * magnitude of a block, e the largest exponent of the element format. Factors of ue8m0 follow OCP
 * Microscaling 1.0: 2^(floor(log2 x) - e). Exponents end at -127. Factors of ue4m3 are x divided by
 * the largest element, rounded to nearest even, at most 448. Each element is the number divided by
 * the factor, rounded to nearest even; the largest finite element ends the range. A factor of 0
 * makes elements of 0. A block with an infinity or NaN gets the factor NaN and elements of 0.
 * Errors: WSIM_OPERAND: `gemm` is not block-scaled, or `operand` or `type` is another one. Nothing
 * is written then. Source: OCP Microscaling Formats 1.0, 6.3; NVIDIA's recipe for NVFP4 without a
 * factor for the whole matrix. */
WSIM_API enum wsim_status
wsim_gemm_quantize(const struct wsim_gemm *gemm, enum wsim_operand operand,
                   const struct wsim_format *type, const struct wsim_gemm_from *from,
                   const struct wsim_gemm_to *elements, const struct wsim_gemm_to *scales,
                   struct wsim_diag *diag);

/* The elements of D in a block: `rows` rows from `row` on, and likewise columns. */
struct wsim_gemm_block {
    size_t row, column, rows, columns;
};

/* Finds the elements of a `block` below gemm->blocks; all zeros for other blocks. */
WSIM_API struct wsim_gemm_block wsim_gemm_locate(const struct wsim_gemm *gemm, size_t block);

/* Computes block `block` of D from all of A and B, packed. `own` has gemm->bytes_own and the
 * alignment of malloc; its contents carry no meaning. `c` may be NULL: zeros. D may be C, element
 * for element, and may overlap the unpacked A and B; it overlaps nothing else. Errors, in the order
 * checked. WSIM_OPERAND: there is no such block. WSIM_OPERAND: `row` and `column` of D give two
 * elements one place. Then those of wsim_run; a dense instruction with all its registers has none.
 * D is unchanged then. */
WSIM_API enum wsim_status wsim_gemm_run(const struct wsim_gemm *gemm, const void *a, const void *b,
                                        const struct wsim_gemm_from *c,
                                        const struct wsim_gemm_to *d, size_t block, void *own,
                                        struct wsim_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
