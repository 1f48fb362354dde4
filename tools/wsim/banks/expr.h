/* expr.h - C-like integer expressions over `lane`: what an address is made of.
 *
 *     + - * / % << >> & | ^ ~ ! == != < <= > >= && || ?: ( )   numbers: 12 0x1f
 *     lane   warp   tid (32 * warp + lane)   and names that are given
 *     swz32(a) swz64(a) swz128(a) ...        where a swizzle puts address a (swizzle.h)
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
};

struct expr_error {
    unsigned col; /* 1-based position in the text */
    char text[120];
};

/* The value of `text` for one lane. 0, or -1 and *error: not an expression, division by zero, a
 * shift by less than 0 or more than 63, or parentheses deeper than EXPR_DEPTH. */
int expr_value(const char *text, unsigned lane, int64_t *value, struct expr_error *error);

/* The same with names; `scope` NULL: none. `lane` negative: there are no lanes, warps and tids. */
int expr_value_in(const struct expr_scope *scope, const char *text, int lane, int64_t *value,
                  struct expr_error *error);

/* Whether a name can be given: letters, digits and '_', and none that has a meaning. */
int expr_can_name(const char *text, size_t length);

/* The values of all 32 lanes as 32-bit addresses. Also -1: a value below 0 or above 0xffffffff;
 * the error names the lane. */
int expr_addresses(const char *text, uint32_t addr[32], struct expr_error *error);
int expr_addresses_in(const struct expr_scope *scope, const char *text, uint32_t addr[32],
                      struct expr_error *error);

#endif
