/* expr_read.h - how expressions are read: what expr.c and declare.c share. */
#ifndef WSIM_EXPR_READ_H
#define WSIM_EXPR_READ_H

#include "expr.h"

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

/* A whole expression, as a number. */
int64_t expr_number(struct expr_reader *r);

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
