/* The approximate instructions of PTX: the unit, and the steps that the assembler adds for operands
 * and results that the unit does not support. */
#include "mufu_unit.h"
#include "real.h"

#define ONE UINT32_C(0x3F800000)

/* The unit computes f32 for instructions of all types; refined reciprocal roots are f64. */
static const struct wsim_format f32 = {"f32", WSIM_BINARY,        32,  0,         1, 8,
                                       23,    WSIM_SPECIALS_IEEE, 127, 0x7FFFFFFF};

static const struct wsim_format f64 = {
    "f64", WSIM_BINARY, 64, 0, 1, 11, 52, WSIM_SPECIALS_IEEE, 1023, 0x7FF8000000000000};

static uint32_t multiply(uint32_t x, uint32_t y) {
    static const struct real_mode nearest;
    return (uint32_t)real_mul(&f32, &nearest, x, y);
}

/* The bits of 2^n, a normal number. */
static uint32_t power(int n) {
    return (uint32_t)(n + 127) << 23;
}

static uint32_t magnitude(uint32_t x) {
    return x & ~MUFU_SIGN;
}

/* --- f32 --- */

/* x / (2 pi), truncated, as the argument of the unit: a product with 0x3E22F983. The unit treats a
 * subnormal and its product as zero, with or without ftz. */
static uint32_t turns(uint32_t x) {
    if (mufu_is_zero(x) || (x & MUFU_INFINITE) == MUFU_INFINITE)
        return x;
    return mufu_number(x & MUFU_SIGN, (uint64_t)mufu_mantissa(x) * 0xA2F983,
                       mufu_exponent(x) - 3 - 2 * MUFU_FRAC);
}

/* 2^x; a result below the normal numbers is the square of 2^(x / 2). */
static uint32_t ex2(uint32_t x) {
    uint32_t root;
    if (!(x & MUFU_SIGN) || magnitude(x) <= 0x42FC0000) /* -126 */
        return mufu_unit(MUFU_EX2, x);
    root = mufu_unit(MUFU_EX2, multiply(x, power(-1)));
    return multiply(root, root);
}

/* 1 / x. Scaling keeps the argument and the result of the unit out of the subnormals. */
static uint32_t rcp(uint32_t x) {
    uint32_t scale = magnitude(x) < power(-126)  ? power(24)
                     : magnitude(x) > power(126) ? power(-2)
                                                 : ONE;
    if (scale == ONE)
        return mufu_unit(MUFU_RCP, x);
    return multiply(mufu_unit(MUFU_RCP, multiply(x, scale)), scale);
}

static uint32_t of_subnormal(enum mufu_function function, uint32_t x) {
    static const struct real_mode nearest;
    uint32_t y = mufu_unit(function, multiply(x, power(24)));
    if (function == MUFU_LG2)
        return (uint32_t)real_add(&f32, &nearest, y, 0xC1C00000); /* -24 */
    return multiply(y, function == MUFU_SQRT ? power(-12) : power(12));
}

uint32_t mufu_f32(enum mufu_function function, int ftz, uint32_t x) {
    if (function == MUFU_SIN || function == MUFU_COS)
        return mufu_unit(function, turns(x));
    if (ftz || function == MUFU_TANH)
        return mufu_unit(function, x);
    if (function == MUFU_EX2)
        return ex2(x);
    if (function == MUFU_RCP)
        return rcp(x);
    return magnitude(x) < power(-126) ? of_subnormal(function, x) : mufu_unit(function, x);
}

/* --- f16 and bf16 --- */

/* The operand is widened exactly; the result is truncated, and overflow gives infinity. */
uint32_t mufu_f16(enum mufu_function function, const struct wsim_format *format, uint32_t x) {
    struct num_result result = {format, format->frac_bits, WSIM_RZ};
    static const struct real_mode exact;
    uint32_t y = mufu_unit(function, (uint32_t)convert_real(format, &f32, &exact, x));
    struct wsim_value value = wsim_format_decode(&f32, y);
    if (value.cls == WSIM_NAN || value.cls == WSIM_INF)
        return (uint32_t)wsim_format_encode(format, value, WSIM_RN);
    return (uint32_t)num_round(&result, value.negative, value.sig, value.exp, 1);
}

/* --- f64 --- */

/* The unit sees only the high word: an exponent of 11 bits, and the highest 20 bits of the
 * mantissa. The power of two (for rsqrt, of four) is removed before and restored after. */
static uint32_t of_high_word(enum mufu_function function, uint32_t x) {
    int exponent = (int)(x >> 20 & 0x7FF) - 1023;
    int odd = function == MUFU_RSQRT ? exponent & 1 : 0;
    uint32_t sign = x & MUFU_SIGN, y;
    if (exponent == -1023) /* zero */
        return sign | 0x7FF00000;
    if (exponent == 1024)
        return x & 0xFFFFF || (function == MUFU_RSQRT && sign) ? 0x7FFFFFFF : sign;
    if (function == MUFU_RSQRT && sign)
        return 0x7FFFFFFF;
    y = mufu_unit(function, power(odd) | (x << 3 & 0x7FFFFF));
    exponent = (int)(y >> 23) - 127 + 1023 -
               (odd ? exponent - 1 : exponent) / (function == MUFU_RSQRT ? 2 : 1);
    return exponent <= 0 ? sign : sign | (uint32_t)exponent << 20 | (y >> 3 & 0xFFFFF);
}

/* 1 / sqrt(x) of a positive normal x. With e = 1 - x y y, the y of the unit is refined to
 * y + y e (1/2 + 3/8 e). The assembler uses these five steps, each rounded to nearest. */
static uint64_t rsqrt_of_normal(uint64_t x) {
    static const struct real_mode nearest;
    const uint64_t one = (uint64_t)0x3FF << 52, half = (uint64_t)0x3FE << 52;
    const uint64_t three_eighths = (uint64_t)0x3FD8 << 48;
    uint64_t y = (uint64_t)of_high_word(MUFU_RSQRT, (uint32_t)(x >> 32)) << 32;
    uint64_t e = real_mul(&f64, &nearest, y, y), factor;
    e = real_fma(&f64, &nearest, x, real_neg(&f64, &nearest, e), one);
    factor = real_fma(&f64, &nearest, e, three_eighths, half);
    return real_fma(&f64, &nearest, factor, real_mul(&f64, &nearest, y, e), y);
}

static uint64_t rsqrt_f64(uint64_t x) {
    static const struct real_mode nearest;
    const uint64_t least = UINT64_C(1) << 52, infinity = UINT64_C(0x7FF) << 52;
    const uint64_t sign = x & UINT64_C(1) << 63;
    if (real_test(&f64, REAL_NOTANUMBER, x))
        return real_add(&f64, &nearest, x, x);
    if (x == sign) /* a zero */
        return x | infinity;
    if (sign)
        return infinity | least >> 1 | sign;
    if (x == infinity)
        return 0;
    if (x >= least)
        return rsqrt_of_normal(x);
    x = real_mul(&f64, &nearest, x, (uint64_t)(0x3FF + 54) << 52);
    return real_mul(&f64, &nearest, rsqrt_of_normal(x), (uint64_t)(0x3FF + 27) << 52);
}

uint64_t mufu_f64(enum mufu_function function, int ftz, uint64_t x) {
    if (function == MUFU_RSQRT && !ftz)
        return rsqrt_f64(x);
    return (uint64_t)of_high_word(function, (uint32_t)(x >> 32)) << 32;
}

/* --- quotients --- */

static struct real_mode to_nearest(int ftz) {
    struct real_mode mode = {WSIM_RN, 0, 0, 0, 0, 0, 0, 0};
    mode.ftz = (uint8_t)ftz;
    return mode;
}

/* The factors are a * scale and the reciprocal of b * scale, with products rounded to nearest. The
 * reciprocal of b > 2^126 is subnormal, which the unit flushes: div.approx of it is zero. */
void mufu_div_factors(int full, int ftz, uint32_t a, uint32_t b, uint32_t factors[2]) {
    const struct real_mode mode = to_nearest(ftz);
    const uint32_t scale = full && magnitude(b) > power(126)    ? power(-2)
                           : !ftz && magnitude(b) < power(-126) ? power(24)
                                                                : ONE;
    if (scale != ONE) {
        a = (uint32_t)real_mul(&f32, &mode, a, scale);
        b = (uint32_t)real_mul(&f32, &mode, b, scale);
    }
    factors[0] = a;
    factors[1] = mufu_unit(MUFU_RCP, b);
}

static uint32_t quotient(int full, int ftz, uint32_t a, uint32_t b) {
    const struct real_mode mode = to_nearest(ftz);
    uint32_t factors[2];
    mufu_div_factors(full, ftz, a, b, factors);
    return (uint32_t)real_mul(&f32, &mode, factors[0], factors[1]);
}

uint32_t mufu_div_approx(int ftz, uint32_t a, uint32_t b) {
    return quotient(0, ftz, a, b);
}

uint32_t mufu_div_full(int ftz, uint32_t a, uint32_t b) {
    return quotient(1, ftz, a, b);
}
