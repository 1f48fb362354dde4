/* address.h - addresses of shared memory as kernels write them: expressions of C over the lane.
 *
 *     + - * / % << >> & | ^ ~ ! == != < <= > >= && || ?: ( )   numbers: 12 0x1f 4u
 *     lane   warp   tid (32 * warp + lane)   and the names of the scope
 *     threadIdx.x .y .z   tx ty tz           in the block of the scope
 *     swz32(a) swz64(a) swz128(a) ...        where a swizzle puts address a (swizzle.h)
 *     tile[ty][tx]  &tile[0][tx + 1]  smem + tid  *p  v.y  (float4 *)p  reinterpret_cast<T *>(p)
 *     sizeof(T)  (int)x  __cvta_generic_to_shared(p)
 *
 * Arrays and pointers are declared in the scope or before the expression, as in C: "float
 * tile[32][33]; tile[ty][tx]". Arrays follow each other from address 0. An element is the address
 * of its first byte; its contents are not known. An index must be inside its array.
 *
 * Precedence is that of C. Values are 64-bit two's complement: + - * << wrap, / and % truncate
 * towards zero, >> keeps the sign, comparisons give 0 or 1. && || ?: skip what C skips, so
 * `lane ? 64 / lane : 0` divides by nothing. Nothing is allocated.
 *
 *     uint32_t addr[32];
 *     struct wsim_diag diag;
 *     struct wsim_address_scope scope = {.declarations = "float tile[32][33]"};
 *     wsim_address_lanes(&scope, "tile[threadIdx.x][0]", addr, &diag);
 */
#ifndef WSIM_HARNESS_ADDRESS_H
#define WSIM_HARNESS_ADDRESS_H

#include "../status.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WSIM_ADDRESS_NAME = 32, WSIM_ADDRESS_DIMS = 8, WSIM_ADDRESS_ARRAYS = 16 };

/* A name with a value. `warp` may be one; it is 0 otherwise. */
struct wsim_address_name {
    char text[WSIM_ADDRESS_NAME];
    int64_t value;
};

/* The names of an expression; a NULL scope has none. */
struct wsim_address_scope {
    const struct wsim_address_name *name;
    uint32_t names;
    const char *declarations; /* of C, with ';' or ',' between them; NULL: none                 */
    uint32_t block[3];        /* threads of the block along x, y, z; 0: all are along x         */
};

/* The size of an element, and the extents of an array. */
struct wsim_address_type {
    uint32_t bytes;                  /* of an element                                           */
    uint8_t parts;                   /* of a vector, else 1                                     */
    uint8_t dims;                    /* of an array; 0: one element                             */
    uint64_t dim[WSIM_ADDRESS_DIMS]; /* the first is 0 for [ ]                                  */
};

struct wsim_address_array {
    char text[WSIM_ADDRESS_NAME];
    uint8_t is_pointer; /* to the type; it points to `at`                                       */
    struct wsim_address_type type;
    uint64_t at; /* address of its first byte                                                   */
};

struct wsim_address_arrays {
    struct wsim_address_array array[WSIM_ADDRESS_ARRAYS];
    uint32_t count;
    uint64_t end; /* address after the last one                                                 */
};

/* Computes the addresses of the 32 lanes. Errors. WSIM_SYNTAX with the rule
 * address.declaration.wrong: diag->col is a column of scope->declarations. WSIM_SYNTAX with
 * address.expression.wrong: of `text`. WSIM_OPERAND with address.value.range: a lane has no address
 * of 32 bits, divides by zero, shifts by more than 63 bits, or indexes outside an array. */
WSIM_API enum wsim_status wsim_address_lanes(const struct wsim_address_scope *scope,
                                             const char *text, uint32_t addr[32],
                                             struct wsim_diag *diag);

/* Computes the value of one lane. With a negative lane, the expression has no lanes, warps and
 * threads. Errors as above. */
WSIM_API enum wsim_status wsim_address_value(const struct wsim_address_scope *scope,
                                             const char *text, int32_t lane, int64_t *value,
                                             struct wsim_diag *diag);

/* Lists the arrays that the scope and the start of the expression declare, with their addresses.
 * Errors as above. */
WSIM_API enum wsim_status wsim_address_declared(const struct wsim_address_scope *scope,
                                                const char *text,
                                                struct wsim_address_arrays *arrays,
                                                struct wsim_diag *diag);

/* Whether the `length` characters of `text` can be a name of a scope: letters, digits and '_', at
 * most 31, and no meaning of their own. */
WSIM_API int wsim_address_can_name(const char *text, size_t length);

/* --- names with values --- */

enum { WSIM_ADDRESS_NAMES = 16, WSIM_ADDRESS_STEPS = 1 << 14 };

struct wsim_address_range {
    int64_t first, by;
    uint32_t count; /* 1: a value */
};

/* Names with values, or with ranges of values that are swept. */
struct wsim_address_sweep {
    struct wsim_address_name name[WSIM_ADDRESS_NAMES]; /* with the values of a step */
    struct wsim_address_range range[WSIM_ADDRESS_NAMES];
    uint32_t names;
    uint32_t steps; /* the product of all counts */
};

/* Reads NAME=VALUE and NAME=FIRST..LAST[:BY], separated by commas or semicolons: "pitch=72,
 * k=0..7". Values are expressions of numbers and of names before them. Errors:
 * address.expression.wrong, without a column. */
WSIM_API enum wsim_status
wsim_address_sweep_read(const char *text, struct wsim_address_sweep *sweep, struct wsim_diag *diag);

/* Gives the names their values of a step below `steps`; the last name changes fastest. */
WSIM_API void wsim_address_sweep_step(struct wsim_address_sweep *sweep, uint32_t step);

#ifdef __cplusplus
}
#endif
#endif
