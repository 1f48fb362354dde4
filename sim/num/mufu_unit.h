/* mufu_unit.h - the unit inside the approximate functions, and the bits of its f32. */
#ifndef WSIM_NUM_MUFU_UNIT_H
#define WSIM_NUM_MUFU_UNIT_H

#include "bits.h"
#include "mufu.h"

enum { MUFU_FRAC = 23, MUFU_BIAS = 127 };

#define MUFU_SIGN UINT32_C(0x80000000)
#define MUFU_INFINITE UINT32_C(0x7F800000)
#define MUFU_ONLY_NAN UINT32_C(0x7FFFFFFF)
#define MUFU_FRAC_MASK UINT32_C(0x007FFFFF)

static inline int mufu_exponent(uint32_t x) {
    return (int)(x >> MUFU_FRAC & 255) - MUFU_BIAS;
}

/* The unit treats subnormals as zeros. */
static inline int mufu_is_zero(uint32_t x) {
    return !(x & MUFU_INFINITE);
}

static inline uint32_t mufu_mantissa(uint32_t x) {
    return (x & MUFU_FRAC_MASK) | (MUFU_FRAC_MASK + 1);
}

/* mag * 2^exp truncated to 24 bits; zero below the normal numbers. */
static inline uint32_t mufu_number(uint32_t sign, uint64_t mag, int exp) {
    int top = bits_top(mag), field = exp + top + MUFU_BIAS;
    uint32_t frac;
    if (mag == 0 || field <= 0)
        return sign;
    if (field > 2 * MUFU_BIAS)
        return sign | MUFU_INFINITE;
    frac = (uint32_t)(top > MUFU_FRAC ? mag >> (top - MUFU_FRAC) : mag << (MUFU_FRAC - top));
    return sign | (uint32_t)field << MUFU_FRAC | (frac & MUFU_FRAC_MASK);
}

/* The result of the unit: NAME.approx.ftz.f32, except that MUFU_SIN and MUFU_COS take the argument
 * in turns. */
uint32_t mufu_unit(enum mufu_function function, uint32_t x);

#endif
