/* cute.h - layouts in the notation of CuTe: ((4,8),(2,2)):((32,1),(16,8)).
 *
 * A TV layout of CuTe maps (thread, value) to the number of an element in its matrix. It is a shape
 * and the strides that belong to it, thread first. Values are elements in the order of their
 * registers. Elements of A, C, D and other operands are numbered down the columns: row + rows *
 * col. CuTe has B as n x k, so its elements are col + cols * row. The traits of CuTe's atoms have
 * the same numbers. Source: CUTLASS 3, include/cute/atom/mma_traits_*.hpp.
 */
#ifndef WSIM_HARNESS_CUTE_H
#define WSIM_HARNESS_CUTE_H

#include "../isa.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WSIM_CUTE_TEXT 256

/* Writes a layout as text. Errors, which leave `out` unchanged. WSIM_ILLEGAL: it has several
 * matrices. WSIM_ILLEGAL: it is a swizzle, where two bits of a place flip one bit of a coordinate.
 * WSIM_ILLEGAL: no shape has its number of values. */
WSIM_API enum wsim_status wsim_cute_write(const struct wsim_layout *layout,
                                          enum wsim_operand operand, char out[WSIM_CUTE_TEXT],
                                          struct wsim_diag *diag);

/* A TV layout: modes of one shape and stride, the modes of threads first. */
#define WSIM_CUTE_MODES 24
struct wsim_cute {
    uint32_t shape[WSIM_CUTE_MODES], stride[WSIM_CUTE_MODES];
    uint32_t thread_modes, modes;
    uint32_t threads, values; /* products of the shapes                                         */
};

/* Reads a TV layout, as CuTe prints it or as in C++: Layout<Shape<Shape<_4,_8>,_2>, ...>, with _4
 * or Int<4> for 4. Threads and values are 1 to 4096 each, strides are below 2^24. Errors, which
 * leave *cute undefined: WSIM_SYNTAX (*diag has the column). WSIM_ILLEGAL (shape and strides do not
 * correspond; more than WSIM_CUTE_MODES modes; a number beyond its range). */
WSIM_API enum wsim_status wsim_cute_read(const char *text, struct wsim_cute *cute,
                                         struct wsim_diag *diag);

/* The element of a value of a thread; both below their number. */
WSIM_API uint32_t wsim_cute_index(const struct wsim_cute *cute, uint32_t thread, uint32_t value);

/* The first difference between a TV layout and that of an operand, by thread, then value. */
struct wsim_cute_difference {
    uint32_t thread, value;
    uint32_t index;   /* of the TV layout; WSIM_CUTE_NONE: no such thread or value               */
    uint32_t element; /* of the operand, numbered in the same way; WSIM_CUTE_NONE: likewise      */
};
#define WSIM_CUTE_NONE UINT32_MAX

/* Compares every thread and value of two layouts. Returns 1 if they are equal, or 0 and
 * *difference. A layout of several matrices differs from every TV layout. */
WSIM_API int wsim_cute_same(const struct wsim_cute *cute, const struct wsim_layout *layout,
                            enum wsim_operand operand, struct wsim_cute_difference *difference);

/* --- copy atoms --- */

/* CuTe has two layouts for a copy, from (thread, value) to a bit of the copied data; values are
 * bits. Here bits have the order of memory: rows of 16 bytes, then matrices, without gaps. On the
 * side of memory, each thread has the row that it addresses. Threads without an address repeat the
 * first ones. Source: include/cute/atom/copy_traits_sm75.hpp, copy_traits_sm90.hpp. For 16 x 16
 * bytes, copy_traits_sm100.hpp numbers the rows in another order. */
enum wsim_cute_side { WSIM_CUTE_SRC, WSIM_CUTE_DST };

/* Writes SrcLayout or DstLayout of an ldmatrix, stmatrix or movmatrix as text. Errors, which leave
 * `out` unchanged: WSIM_ILLEGAL (another instruction, or a refusal of wsim_op_layout). */
WSIM_API enum wsim_status wsim_cute_write_copy(const struct wsim_op *op, enum wsim_cute_side side,
                                               char out[WSIM_CUTE_TEXT], struct wsim_diag *diag);

/* Like wsim_cute_same for copies; `index` and `element` of a difference are bits. Returns 0 for
 * other operations. */
WSIM_API int wsim_cute_same_copy(const struct wsim_cute *cute, const struct wsim_op *op,
                                 enum wsim_cute_side side, struct wsim_cute_difference *difference);

#ifdef __cplusplus
}
#endif
#endif
