/* real_bits.h - the bits of a signed binary format, for real.c, order.c and convert.c. */
#ifndef WSIM_NUM_REAL_BITS_H
#define WSIM_NUM_REAL_BITS_H

#include "real.h"

static inline uint64_t real_sign(const struct wsim_format *format) {
    return UINT64_C(1) << (format->bits - 1);
}

/* The bits of positive infinity; above it are NaNs. */
static inline uint64_t real_infinity(const struct wsim_format *format) {
    return ((UINT64_C(1) << format->exp_bits) - 1) << format->frac_bits;
}

static inline uint64_t real_one(const struct wsim_format *format) {
    return (uint64_t)format->bias << format->frac_bits;
}

static inline uint64_t real_magnitude(const struct wsim_format *format, uint64_t x) {
    return x & (real_sign(format) - 1);
}

static inline int real_is_nan(const struct wsim_format *format, uint64_t x) {
    return real_magnitude(format, x) > real_infinity(format);
}

/* x without the bits above its format. With `flush`, a subnormal becomes zero with its sign. */
static inline uint64_t real_operand(const struct wsim_format *format, int flush, uint64_t x) {
    uint64_t sign = real_sign(format);
    x &= sign | (sign - 1);
    return flush && !(x & real_infinity(format)) ? x & sign : x;
}

/* An f64 result keeps the NaN of an operand; narrower formats have one canonical NaN. */
static inline int real_keeps_payload(const struct wsim_format *format) {
    return format->bits == 64;
}

/* The NaN result for a NaN operand x. */
static inline uint64_t real_quiet(const struct wsim_format *format, uint64_t x) {
    return real_keeps_payload(format) ? x | UINT64_C(1) << (format->frac_bits - 1) : format->nan;
}

/* x rounded according to the mode. ftz turns a subnormal result into zero. A result is subnormal if
 * it is below the least normal number after rounding with an unbounded exponent. IEEE 754 calls
 * this underflow "after rounding", and the H200 does the same. So a result that rounds up to the
 * least normal number only because a subnormal has fewer bits is subnormal. */
static inline uint64_t real_round(const struct wsim_format *format, const struct real_mode *mode,
                                  struct num_exact x) {
    struct num_result result = {format, format->frac_bits, mode->rounding};
    uint64_t d = num_round(&result, x.negative, x.mag, x.exp, 0), raised;
    if (!mode->ftz || real_magnitude(format, d) >> (format->frac_bits + 1))
        return d;
    raised = num_round(&result, x.negative, x.mag, x.exp + format->frac_bits + 2, 0);
    return real_magnitude(format, raised) >> format->frac_bits < format->frac_bits + 3u
               ? d & real_sign(format)
               : d;
}

/* Applies relu and sat to a rounded result. */
static inline uint64_t real_finish(const struct wsim_format *format, const struct real_mode *mode,
                                   uint64_t x) {
    uint64_t sign = real_sign(format);
    if ((mode->relu || mode->sat) && x & sign)
        x = 0;
    if (mode->sat && real_is_nan(format, x))
        x = 0;
    if (mode->sat && x > real_one(format))
        x = real_one(format);
    return x;
}

#endif
