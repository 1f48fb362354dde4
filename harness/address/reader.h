/* reader.h - address expressions are read and computed at once, by recursive descent. expression.c
 * has binary operators; primary.c has unary operators, casts and elements. names.c has names,
 * declare.c types and declarations. The room knows no instruction and allocates nothing. */
#ifndef ADDRESS_READER_H
#define ADDRESS_READER_H

#include "../../sim/base/base.h"

#include <wsim/harness/address.h>
#include <wsim/swizzle.h>

enum { EXPR_DEPTH = 200 };

/* The meaning of a value. */
enum expr_kind {
    EXPR_NUMBER,
    EXPR_POINTER, /* the address of a `type`    */
    EXPR_OBJECT   /* a `type` at this address   */
};

struct expr_value {
    int64_t n;
    enum expr_kind kind;
    struct wsim_address_type type;
};

struct expr_reader {
    const char *text, *at;
    const struct wsim_address_scope *scope;
    const struct wsim_address_arrays *arrays; /* NULL: there are none */
    int lane;                                 /* negative: there is none */
    unsigned depth;
    int live;
    int in_declarations;
    enum wsim_status status; /* of the first error */
    struct wsim_diag *diag;  /* may be NULL        */
};

/* Keeps the first error; then reading ends soon, because every step looks at r->status. */
void expr_fail(struct expr_reader *r, const char *where, const char *format, ...) BASE_PRINTF(3, 4);

/* The same, for a value that a lane cannot have. */
void expr_fail_value(struct expr_reader *r, const char *where, const char *format, ...)
    BASE_PRINTF(3, 4);
void expr_unexpected(struct expr_reader *r, const char *wanted);

void expr_skip_blanks(struct expr_reader *r);
int expr_accept(struct expr_reader *r, char c);
size_t expr_word(struct expr_reader *r); /* the length of the name at the cursor */

/* Enters one more level of the grammar; 0 after an error: it is too deep. The caller decrements
 * r->depth when it leaves. */
int expr_deeper(struct expr_reader *r);

/* --- values (expression.c, primary.c) --- */

static inline struct expr_value expr_of_number(int64_t n) {
    struct expr_value value = {.n = n};
    return value;
}

/* Read a whole expression, one as a number (an address is that of its first byte), and an operand
 * with its unary operators. */
struct expr_value expr_conditional(struct expr_reader *r);
int64_t expr_number(struct expr_reader *r);
struct expr_value expr_unary(struct expr_reader *r);

/* Turns an object into a number, where one is needed. An array is the address of its first element.
 * An element is an error: only its place is known. */
void expr_decay(struct expr_reader *r, const char *where, struct expr_value *value);

/* A pointer plus or minus a number of objects: 64-bit two's complement, like all numbers. */
struct expr_value expr_stepped(struct expr_reader *r, const char *where, struct expr_value pointer,
                               int64_t steps, int minus);

/* --- names (names.c) --- */

/* The name of a scope; NULL: there is none. */
const struct wsim_address_name *expr_find_name(const struct wsim_address_scope *scope,
                                               const char *text, size_t length);

int expr_is_word(const char *text, size_t length, const char *word);

/* The thread of the lane in its block. */
int64_t expr_tid(const struct expr_reader *r);

/* threadIdx, blockIdx, blockDim, tx, ty or tz: 1 and its value, or 0. */
int expr_built_in(struct expr_reader *r, const char *start, size_t length, int64_t *value);

/* The swizzle of swz128 or swz128_atom_32b: the name of the mode, its first B left out or not.
 * WSIM_SWIZZLES: it is none. */
enum wsim_swizzle expr_swizzle(const char *text, size_t length);

/* --- types and declarations (declare.c) --- */

enum expr_int { EXPR_SIGNED, EXPR_UNSIGNED, EXPR_OTHER };
struct expr_named {
    struct wsim_address_type type;
    enum expr_int kind;
    unsigned pointers; /* the number of '*' after it */
};

/* Reads a type and the '*' after it: 1. 0: there is no type, and nothing is read. */
int expr_read_type(struct expr_reader *r, struct expr_named *named);

/* Reads declarations, as long as there are any. */
void expr_declare(struct expr_reader *r, struct wsim_address_arrays *arrays);

/* The bytes of an object; more than 64 bits: the largest number. */
uint64_t expr_bytes(const struct wsim_address_type *type);

#endif
