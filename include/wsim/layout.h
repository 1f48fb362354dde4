/* layout.h - maps lanes and registers to elements, in both directions.
 *
 * A layout is a linear map over bits. Every bit of the lane number and of the element number flips
 * one set of coordinate bits. XOR combines the sets of all bits that are 1. So transposes, swizzles
 * and broadcasts are the same thing (wsim_layout_apply in both.h). Where a shape is no power of two
 * (wgmma of n = 24), a lane holds the first elements of the next larger one. Arguments `lane` are 0
 * .. lanes - 1: up to 31 for a warp; a warpgroup has 128 threads, 32 of each warp. `elem` is 0 ..
 * elems - 1. Source of the layouts that wsim_op_layout gives: PTX ISA 9.0, "Matrix Fragments for
 * mma ...", "Sparse matrix storage", "Block scaling", "ldmatrix"; sim/isa/layout.def row by row. */
#ifndef WSIM_LAYOUT_H
#define WSIM_LAYOUT_H

#include "both.h"
#include "format.h"
#include "warp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A place in the matrix. `batch` counts matrices where an operand holds several: the four products
 * of m8n8k4, the matrices of ldmatrix .x2/.x4. For metadata and scale factors, `batch` is the
 * selector that makes the place count. Rows and columns follow the manual. A is m x k, B is k x n,
 * C and D are m x n. Metadata is m x (chunk of k). Scale factors are m x block (A) and block x n
 * (B). */
struct wsim_coord {
    uint16_t batch, row, col;
};

/* A place in the warp: element `elem` of lane `lane`. The element has `elem_bits` bits of 32-bit
 * register `reg`, from bit `lsb` upward. A 64-bit element has registers reg and reg + 1, low word
 * first. */
struct wsim_place {
    uint16_t lane, elem, reg, lsb;
};

/* Plain data; made by wsim_op_layout, or by hand. Coordinates are packed: row in bits 0-11, column
 * in bits 12-23, batch in bits 24-31. */
struct wsim_layout {
    const char *name;                 /* row of the layout table                              */
    const struct wsim_format *format; /* of one element                                       */
    uint8_t lanes;                    /* 32, or 128                                           */
    uint16_t elems;                   /* elements a lane holds, at most 256                   */
    uint8_t elem_bits;                /* container of one element: 1 4 8 16 32 or 64 bits     */
    uint8_t regs;                     /* 32-bit registers a lane holds                        */
    uint16_t batches, rows, cols;
    uint32_t lane[WSIM_LAYOUT_LANE_BITS];
    uint32_t elem[WSIM_LAYOUT_ELEM_BITS];
};

/* The coordinate of element `elem` (0 .. elems - 1) of lane `lane` (0 .. lanes - 1). */
WSIM_API struct wsim_coord wsim_layout_coord(const struct wsim_layout *layout, unsigned lane,
                                             unsigned elem);

/* The register and bit that hold element `elem` of lane `lane`. */
WSIM_API struct wsim_place wsim_layout_place(const struct wsim_layout *layout, unsigned lane,
                                             unsigned elem);

/* Finds all places that hold the element at `coord`, in order of lane, then element. Writes up to
 * `max` places to `out` and returns the number of all. 0: the coordinate is outside the matrix, or
 * no lane holds it. */
WSIM_API size_t wsim_layout_places(const struct wsim_layout *layout, struct wsim_coord coord,
                                   struct wsim_place *out, size_t max);

/* Registers are words in rows of `lanes`: that of register r and lane l is words[r * lanes + l].
 * struct wsim_regs has such rows of 32 lanes, struct wsim_group_regs (wgmma.h) of 128. The
 * functions named wsim_regs_ and wsim_fragment_ are for layouts of 32 lanes.
 *
 * Raw bits of the element at `place`, right-aligned. */
WSIM_API uint64_t wsim_words_get(const struct wsim_layout *layout, const uint32_t *words,
                                 struct wsim_place place);
WSIM_API void wsim_words_set(const struct wsim_layout *layout, uint32_t *words,
                             struct wsim_place place, uint64_t bits);

/* The same of struct wsim_regs. */
WSIM_API uint64_t wsim_regs_get(const struct wsim_layout *layout, const struct wsim_regs *regs,
                                struct wsim_place place);

/* Replaces the bits of the element at `place` by the low bits of `bits`. */
WSIM_API void wsim_regs_set(const struct wsim_layout *layout, struct wsim_regs *regs,
                            struct wsim_place place, uint64_t bits);

/* Matrix to registers and back, as the two functions below. */
WSIM_API void wsim_words_pack(const struct wsim_layout *layout, const uint64_t *matrix,
                              uint32_t *words);
WSIM_API void wsim_words_unpack(const struct wsim_layout *layout, const uint32_t *words,
                                uint64_t *matrix);

/* Matrix to fragment: regs = matrix. `matrix` has batches * rows * cols elements; matrix[(batch *
 * rows + row) * cols + col] is the raw container bits of one. The call writes every register of the
 * layout and leaves others unchanged. */
WSIM_API void wsim_fragment_pack(const struct wsim_layout *layout, const uint64_t *matrix,
                                 struct wsim_regs *regs);

/* Fragment to matrix, the inverse: writes batches * rows * cols elements. An element held in
 * several places comes from the first. */
WSIM_API void wsim_fragment_unpack(const struct wsim_layout *layout, const struct wsim_regs *regs,
                                   uint64_t *matrix);

#ifdef __cplusplus
}
#endif
#endif
