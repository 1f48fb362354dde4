/* expr_read.h - how expressions are read: what expr.c, expr_primary.c, expr_names.c and declare.c
 * share. */
#ifndef WSIM_EXPR_READ_H
#define WSIM_EXPR_READ_H

#include "expr.h"

#include <wsim/swizzle.h>

/* What a number may be, and what lies at an address. */
enum expr_kind {
    EXPR_NUMBER,
    EXPR_POINTER, /* the number is the address of a `type` */
    EXPR_OBJECT   /* a `type` that lies there              */
};

struct expr_value {
    int64_t n;
    enum expr_kind kind;
    struct expr_type type;
};

struct expr_reader {
    const char *text, *at;
    const struct expr_scope *scope;
    const struct expr_arrays *arrays; /* NULL: there are none */
    int lane;                         /* negative: there is none */
    unsigned depth;
    int live;
    int failed;
    struct expr_error *error;
};

/* Keeps the first error only; reading then runs dry quickly, as every step looks at `failed`. */
void expr_fail(struct expr_reader *r, const char *where, const char *format, ...);
void expr_unexpected(struct expr_reader *r, const char *wanted);

void expr_skip_blanks(struct expr_reader *r);
int expr_accept(struct expr_reader *r, char c);
size_t expr_word(struct expr_reader *r); /* the length of a name that stands there */

/* One level of the grammar further down; 0, and a refusal, if that is too deep. Who goes back up
 * counts r->depth down. */
int expr_deeper(struct expr_reader *r);

/* --- values (expr.c, expr_primary.c) --- */

static inline struct expr_value expr_of_number(int64_t n) {
    struct expr_value value = {.n = n};
    return value;
}

/* A whole expression; the same as a number, which for an address is that of its first byte; an
 * operand with its operators of one. */
struct expr_value expr_conditional(struct expr_reader *r);
int64_t expr_number(struct expr_reader *r);
struct expr_value expr_unary(struct expr_reader *r);

/* An object where a number is wanted: an array is the address of its first element; of an element
 * only the place is known. */
void expr_decay(struct expr_reader *r, const char *where, struct expr_value *value);

/* A pointer and so many objects, or minus: 64-bit two's complement, like all numbers. */
struct expr_value expr_stepped(struct expr_reader *r, const char *where, struct expr_value pointer,
                               int64_t steps, int minus);

/* --- names (expr_names.c) --- */

int expr_is_word(const char *text, size_t length, const char *word);

/* The thread of the lane in its block. */
int64_t expr_tid(const struct expr_reader *r);

/* threadIdx, blockIdx, blockDim and what kernels call them: 1 and their value; 0: it is none. */
int expr_built_in(struct expr_reader *r, const char *start, size_t length, int64_t *value);

/* The swizzle of swz128 or swz128_atom_32b: the name of the mode, its first B left out or not.
 * WSIM_SWIZZLES: it is none. */
enum wsim_swizzle expr_swizzle(const char *text, size_t length);

/* --- types and declarations (declare.c) --- */

enum expr_int { EXPR_SIGNED, EXPR_UNSIGNED, EXPR_OTHER };
struct expr_named {
    struct expr_type type;
    enum expr_int kind;
    unsigned pointers; /* how many '*' stand behind it */
};

/* Reads a type, and the '*' behind it, if one stands there: 1; 0: there is none, nothing is read.
 */
int expr_read_type(struct expr_reader *r, struct expr_named *named);

/* Reads declarations up to what is none; where they end. */
void expr_declare(struct expr_reader *r, struct expr_arrays *arrays);

/* The bytes of an object; more than 64 bits: the largest number. */
uint64_t expr_bytes(const struct expr_type *type);

#endif
