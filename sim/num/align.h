/* align.h - one term of an aligned sum, as fused.c and grouped.c both need it. */
#ifndef WSIM_NUM_ALIGN_H
#define WSIM_NUM_ALIGN_H

#include "num.h"

/* Terms are lifted by this much before they are dropped, so that one right shift does for both
 * directions. A significand (< 2^24) lifted stays below 2^63: a drop of 63 or more leaves 0. */
#define ALIGN_LIFT 38

/* How far a term of exponent `exp` with `frac` fraction bits drops, from its lifted place, in a sum
 * with `keep` fraction bits under exponent `top`. */
static inline int align_drop(int keep, int frac, int top, int exp) {
    return ALIGN_LIFT - (keep - frac) + (top - exp);
}

/* term * 2^ALIGN_LIFT / 2^drop toward zero. Only a term of 0 may have a negative drop (its exponent
 * had no say in `top`); as unsigned that is far, and 0 stays 0. */
static inline int64_t align_term(int32_t term, int drop) {
    uint64_t mag = term < 0 ? -(uint64_t)term : (uint64_t)term;
    mag = mag << ALIGN_LIFT >> ((unsigned)drop > 63 ? 63 : drop);
    return term < 0 ? -(int64_t)mag : (int64_t)mag;
}

/* sum * 2^exp rounded to the result; what is or becomes zero is +0, whatever its sign was. */
static inline uint64_t align_round(const struct num_result *result, int64_t sum, int exp) {
    uint64_t mag = sum < 0 ? -(uint64_t)sum : (uint64_t)sum;
    uint64_t bits = num_round(result, 0, mag, exp, 1);
    return sum < 0 && bits ? bits | UINT64_C(1) << (result->format->bits - 1) : bits;
}

#endif
