/* expr.h - C-like integer expressions over `lane`: what an address is made of.
 *
 *     + - * / % << >> & | ^ ~ ! == != < <= > >= && || ?: ( )   numbers: 12 0x1f 4u
 *     lane   warp   tid (32 * warp + lane)   and names that are given
 *     threadIdx.x .y .z   tx ty tz           of the block that the scope has
 *     swz32(a) swz64(a) swz128(a) ...        where a swizzle puts address a (swizzle.h)
 *     tile[ty][tx]  &tile[0][tx + 1]  smem + tid  *p  v.y  (float4 *)p  reinterpret_cast<T *>(p)
 *     sizeof(T)  (int)x  __cvta_generic_to_shared(p)
 *
 * Arrays and pointers are declared in the scope or in front of the expression, as in C: "float
 * tile[32][33]; tile[ty][tx]". They lie one behind the other from address 0 on. An element is the
 * address of its first byte; what it holds is not known. Indices have to be inside of the array.
 *
 * Precedence is C's. Values are 64-bit two's complement: + - * << wrap, / and % truncate towards
 * zero, >> keeps the sign, comparisons give 0 or 1. && || ?: leave out what C leaves out, so
 * `lane ? 64 / lane : 0` divides by nothing. Nothing is allocated.
 */
#ifndef WSIM_EXPR_H
#define WSIM_EXPR_H

#include <stddef.h>
#include <stdint.h>

#define EXPR_DEPTH 200

/* Names with values beside lane, warp and tid. `warp` may be among them; it is 0 if it is not. */
#define EXPR_NAME 32
struct expr_name {
    char text[EXPR_NAME];
    int64_t value;
};
struct expr_scope {
    const struct expr_name *name;
    unsigned names;
    const char *declarations; /* of C, with ';' or ',' between them; NULL: there are none       */
    uint32_t block[3];        /* threads of a block along x, y and z; 0: they are all along x   */
};

struct expr_error {
    unsigned col;        /* 1-based position in the text ... */
    int in_declarations; /* ... of the scope's declarations  */
    char text[120];
};

/* A type of C, as far as it says where elements lie. */
enum { EXPR_DIMS = 8, EXPR_ARRAYS = 16 };
struct expr_type {
    uint32_t bytes;          /* of an element                            */
    uint8_t parts;           /* of a vector, else 1                      */
    uint8_t dims;            /* of an array; 0: it is one element        */
    uint64_t dim[EXPR_DIMS]; /* the first may be 0: nobody said how many */
};

struct expr_array {
    char text[EXPR_NAME];
    uint8_t is_pointer; /* to the type, and it points to `at` */
    struct expr_type type;
    uint64_t at;
};

struct expr_arrays {
    struct expr_array array[EXPR_ARRAYS];
    unsigned count;
    uint64_t end; /* behind the last one */
};

/* The value of `text` for one lane. 0, or -1 and *error: not an expression, division by zero, a
 * shift by less than 0 or more than 63, or parentheses deeper than EXPR_DEPTH. */
int expr_value(const char *text, unsigned lane, int64_t *value, struct expr_error *error);

/* The same with names; `scope` NULL: none. `lane` negative: there are no lanes, warps and tids. */
int expr_value_in(const struct expr_scope *scope, const char *text, int lane, int64_t *value,
                  struct expr_error *error);

/* What is declared in the scope and in front of `text`, and where it lies. 0, or -1 and *error. */
int expr_places(const struct expr_scope *scope, const char *text, struct expr_arrays *arrays,
                struct expr_error *error);

/* The value of a name of a scope; NULL: it has none. */
const struct expr_name *expr_find_name(const struct expr_scope *scope, const char *text,
                                       size_t length);

/* Whether a name can be given: letters, digits and '_', and none that has a meaning. */
int expr_can_name(const char *text, size_t length);

/* The values of all 32 lanes as 32-bit addresses. Also -1: a value below 0 or above 0xffffffff;
 * the error names the lane. */
int expr_addresses(const char *text, uint32_t addr[32], struct expr_error *error);
int expr_addresses_in(const struct expr_scope *scope, const char *text, uint32_t addr[32],
                      struct expr_error *error);

#endif
