/* cute.h - layouts in the notation of CuTe: ((4,8),(2,2)):((32,1),(16,8)).
 *
 * What CuTe calls a TV layout: from (thread, value) to the number of an element in its matrix, a
 * shape and the strides that belong to it, thread first. Values are elements in the order of their
 * registers. Elements of A, C, D and whatever else are numbered down the columns, row + rows * col;
 * those of B, which CuTe has as n x k, are col + cols * row. So are the traits of its atoms.
 * Source: CUTLASS 3, include/cute/atom/mma_traits_*.hpp.
 */
#ifndef WSIM_HARNESS_CUTE_H
#define WSIM_HARNESS_CUTE_H

#include "../isa.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WSIM_CUTE_TEXT 256

/* Words a layout. Errors: WSIM_ILLEGAL (it holds several matrices; two bits of a place flip the
 * same bit of a coordinate, which is a swizzle; it has a number of values that no shape has). out
 * is untouched then. */
WSIM_API enum wsim_status wsim_cute_write(const struct wsim_layout *layout,
                                          enum wsim_operand operand, char out[WSIM_CUTE_TEXT],
                                          struct wsim_diag *diag);

/* A TV layout as it was read: modes of one shape and stride, those of threads first. */
#define WSIM_CUTE_MODES 24
struct wsim_cute {
    uint32_t shape[WSIM_CUTE_MODES], stride[WSIM_CUTE_MODES];
    uint32_t thread_modes, modes;
    uint32_t threads, values; /* products of the shapes                                         */
};

/* Reads a TV layout, as CuTe prints it or as C++ has it: Layout<Shape<Shape<_4,_8>,_2>, ...>, with
 * _4 or Int<4> for 4. Threads and values have 1 to 4096 each, strides are below 2^24. Errors:
 * WSIM_SYNTAX (*diag has the column), WSIM_ILLEGAL (shape and strides do not correspond; more than
 * WSIM_CUTE_MODES modes; a number beyond its range). *cute is undefined then. */
WSIM_API enum wsim_status wsim_cute_read(const char *text, struct wsim_cute *cute,
                                         struct wsim_diag *diag);

/* The element of a value of a thread; both below their number. */
WSIM_API uint32_t wsim_cute_index(const struct wsim_cute *cute, uint32_t thread, uint32_t value);

/* Where a TV layout and that of an operand part: the first thread, then value. */
struct wsim_cute_difference {
    uint32_t thread, value;
    uint32_t index;   /* what the TV layout has there; WSIM_CUTE_NONE: no such thread or value   */
    uint32_t element; /* what the operand has there, as a number of the same kind, or likewise   */
};
#define WSIM_CUTE_NONE UINT32_MAX

/* Whether both say the same of every thread and value: 1, or 0 and *difference. A layout of several
 * matrices is the same as none. */
WSIM_API int wsim_cute_same(const struct wsim_cute *cute, const struct wsim_layout *layout,
                            enum wsim_operand operand, struct wsim_cute_difference *difference);

/* --- copy atoms --- */

/* Of a copy CuTe has two layouts, from (thread, value) to a bit of what is copied; values are bits.
 * Here bits are numbered as they lie in memory, rows of 16 bytes one behind the other, one matrix
 * behind the other. The side of memory has the row that each thread gives the address of; threads
 * that give none are at those of the first ones again. Source:
 * include/cute/atom/copy_traits_sm75.hpp, copy_traits_sm90.hpp; of 16 x 16 bytes
 * copy_traits_sm100.hpp numbers rows in another order. */
enum wsim_cute_side { WSIM_CUTE_SRC, WSIM_CUTE_DST };

/* Words SrcLayout or DstLayout of an ldmatrix, stmatrix or movmatrix. Errors: WSIM_ILLEGAL (it is
 * something else; what wsim_op_layout refuses). out is untouched then. */
WSIM_API enum wsim_status wsim_cute_write_copy(const struct wsim_op *op, enum wsim_cute_side side,
                                               char out[WSIM_CUTE_TEXT], struct wsim_diag *diag);

/* As wsim_cute_same; `index` and `element` of a difference are bits. Of other operations 0. */
WSIM_API int wsim_cute_same_copy(const struct wsim_cute *cute, const struct wsim_op *op,
                                 enum wsim_cute_side side, struct wsim_cute_difference *difference);

#ifdef __cplusplus
}
#endif
#endif
