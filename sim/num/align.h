/* align.h - one term of an aligned sum, for fused.c and grouped.c. */
#ifndef WSIM_NUM_ALIGN_H
#define WSIM_NUM_ALIGN_H

#include "num.h"

/* Left shift of a term before its right shift (drop), so that one right shift serves both
 * directions. A lifted significand (< 2^24) is below 2^63, so a drop of 63 or more leaves 0. */
#define ALIGN_LIFT 38

/* The right shift of a lifted term with exponent `exp` and `frac` fraction bits. The sum has `keep`
 * fraction bits under exponent `top`. */
static inline int align_drop(int keep, int frac, int top, int exp) {
    return ALIGN_LIFT - (keep - frac) + (top - exp);
}

/* term * 2^ALIGN_LIFT / 2^drop, truncated. Only a term of 0 can have a negative drop, because `top`
 * ignores its exponent. As unsigned the drop is then large, and 0 stays 0. */
static inline int64_t align_term(int32_t term, int drop) {
    uint64_t mag = term < 0 ? -(uint64_t)term : (uint64_t)term;
    mag = mag << ALIGN_LIFT >> ((unsigned)drop > 63 ? 63 : drop);
    return term < 0 ? -(int64_t)mag : (int64_t)mag;
}

/* sum * 2^exp rounded to the result. A sum that is or rounds to zero gives +0. */
static inline uint64_t align_round(const struct num_result *result, int64_t sum, int exp) {
    uint64_t mag = sum < 0 ? -(uint64_t)sum : (uint64_t)sum;
    uint64_t bits = num_round(result, 0, mag, exp, 1);
    return sum < 0 && bits ? bits | UINT64_C(1) << (result->format->bits - 1) : bits;
}

#endif
