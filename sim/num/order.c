/* Comparisons, minima and signs of floating-point bits, without rounding. */
#include "real_bits.h"

/* Maps numbers to unsigned integers in the same order, with -0 directly below +0. */
static uint64_t rank(const struct wsim_format *format, uint64_t x) {
    uint64_t sign = real_sign(format);
    return x & sign ? ~x & (sign - 1) : x | sign;
}

/* --- signs --- */

/* neg and abs treat a NaN like every other operation. */
static uint64_t with_sign(const struct wsim_format *format, const struct real_mode *mode,
                          uint64_t x, uint64_t sign) {
    if (real_is_nan(format, x))
        return real_quiet(format, x);
    return real_magnitude(format, real_operand(format, mode->ftz, x)) | sign;
}

uint64_t real_neg(const struct wsim_format *format, const struct real_mode *mode, uint64_t a) {
    a = real_operand(format, 0, a);
    return with_sign(format, mode, a, ~a & real_sign(format));
}

uint64_t real_abs(const struct wsim_format *format, const struct real_mode *mode, uint64_t a) {
    return with_sign(format, mode, real_operand(format, 0, a), 0);
}

uint64_t real_copysign(const struct wsim_format *format, uint64_t a, uint64_t b) {
    return real_magnitude(format, b) | (a & real_sign(format));
}

/* --- minima --- */

/* The smaller number, or with `max` the larger one. */
static uint64_t pick(const struct wsim_format *format, const struct real_mode *mode, int max,
                     uint64_t a, uint64_t b) {
    uint64_t sign = 0;
    int nan_a, nan_b;
    a = real_operand(format, mode->ftz, a);
    b = real_operand(format, mode->ftz, b);
    nan_a = real_is_nan(format, a);
    nan_b = real_is_nan(format, b);
    if ((nan_a && nan_b) || (mode->nan && (nan_a || nan_b)))
        return real_quiet(format, nan_b ? b : a);
    if (mode->xorsign_abs) {
        sign = (a ^ b) & real_sign(format);
        a = real_magnitude(format, a);
        b = real_magnitude(format, b);
    }
    if (nan_a || nan_b)
        return sign | (nan_a ? b : a);
    return sign | ((rank(format, a) < rank(format, b)) != max ? a : b);
}

uint64_t real_min(const struct wsim_format *format, const struct real_mode *mode, uint64_t a,
                  uint64_t b) {
    return pick(format, mode, 0, a, b);
}

uint64_t real_max(const struct wsim_format *format, const struct real_mode *mode, uint64_t a,
                  uint64_t b) {
    return pick(format, mode, 1, a, b);
}

/* --- comparisons --- */

enum real_order real_compare(const struct wsim_format *format, int ftz, uint64_t a, uint64_t b) {
    a = real_operand(format, ftz, a);
    b = real_operand(format, ftz, b);
    if (real_is_nan(format, a) || real_is_nan(format, b))
        return REAL_UNORDERED;
    if (a == b || !real_magnitude(format, a | b))
        return REAL_EQUAL;
    return rank(format, a) < rank(format, b) ? REAL_LESS : REAL_GREATER;
}

int real_test(const struct wsim_format *format, enum real_kind kind, uint64_t a) {
    uint64_t magnitude = real_magnitude(format, a), infinity = real_infinity(format);
    uint64_t least = UINT64_C(1) << format->frac_bits;
    switch (kind) {
    case REAL_FINITE: return magnitude < infinity;
    case REAL_INFINITE: return magnitude == infinity;
    case REAL_NUMBER: return magnitude <= infinity;
    case REAL_NOTANUMBER: return magnitude > infinity;
    case REAL_SUBNORMAL: return magnitude && magnitude < least;
    case REAL_NORMAL: break;
    }
    return !magnitude || (magnitude >= least && magnitude < infinity); /* zero counts as normal */
}
