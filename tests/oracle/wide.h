/* wide.h - exact sums, the slow and obvious way. Every value of every format, and every product of
 * two, is a multiple of 2^-2240, stored as that integer.
 */
#ifndef ORACLE_WIDE_H
#define ORACLE_WIDE_H

#include <stdint.h>

/* Bit WIDE_POINT counts 1, limb 0 starts at 2^-WIDE_POINT. The least f64 product is 2^-2148, the
 * largest is below 2^2048: both ends have room. */
enum { WIDE_LIMBS = 140, WIDE_POINT = 2240, WIDE_ALL_BITS = -WIDE_POINT };

/* The positive and the negative terms, in two sums that are compared only at the end, so no borrow
 * occurs. All limbs below `from` and above `to` are zero: most sums fill few. */
struct wide {
    int from, to;
    uint32_t positive[WIDE_LIMBS];
    uint32_t negative[WIDE_LIMBS];
};

enum wide_rounding { WIDE_NEAREST_EVEN, WIDE_TOWARD_ZERO, WIDE_DOWN, WIDE_UP };

/* A rounded sum: (-1)^negative * sig * 2^exp; `exact_zero` tells a sum of nothing from a sum that
 * rounded to sig == 0. */
struct wide_rounded {
    int negative, exact_zero, exp;
    uint64_t sig;
};

void wide_clear(struct wide *sum);

/* sum += (-1)^negative * (x * y * 2^exp), of which first every bit below 2^cut is cleared. */
void wide_add(struct wide *sum, int negative, uint64_t x, uint64_t y, int exp, int cut);

/* The sum with `frac` bits after its leading one, but none below 2^lowest. */
struct wide_rounded wide_round(const struct wide *sum, int frac, int lowest,
                               enum wide_rounding rounding);

#endif
