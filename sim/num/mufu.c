/* The unit of approximate functions: f32 in, f32 out. The highest bits of the argument select a
 * polynomial of degree two in the bits below, `d`. Its integer sum is exact but for the square, and
 * is truncated, never rounded. Subnormal operands and results are zeros, except in tanh, which
 * returns a small argument unchanged. mufu_forms.c has the PTX instructions. */
#include "mufu_unit.h"

struct row {
    uint32_t c0;
    uint16_t c1, c2;
};

#define ROWS(c0, c1, c2) {c0, c1, c2},
static const struct row rcp_rows[] = {
#define RCP ROWS
#include "mufu.def"
};
static const struct row rsqrt_rows[] = {
#define RSQRT ROWS
#include "mufu.def"
};
static const struct row sqrt_rows[] = {
#define SQRT ROWS
#include "mufu.def"
};
static const struct row ex2_rows[] = {
#define EX2 ROWS
#include "mufu.def"
};
static const struct row lg2_rows[] = {
#define LG2 ROWS
#include "mufu.def"
};
static const struct row sin_rows[] = {
#define SIN ROWS
#include "mufu.def"
};
static const struct row tanh_rows[] = {
#define TANH ROWS
#include "mufu.def"
};

enum { D_BITS = 17 };

#define D_MASK UINT32_C(0x0001FFFF)

/* The square of d < 2^17 in units of 2^19, as the hardware computes it. Partial products of bits
 * i < j weigh 2^(i+j+1), and those of bit i with itself 2^(2i). Products that weigh less than 2^19
 * are dropped. With h the bits from 10 on, this leaves h * h and the products of a bit of h with
 * the bits below 10. */
static uint64_t square(uint32_t d) {
    uint32_t h = d >> 10, low = d & 1023, sum = 2 * h * h;
    for (unsigned k = 0; k < 7; k++)
        sum += (h >> k & 1) * (low >> (8 - k));
    return sum;
}

/* |x| * 2^up in units of 2^-23, truncated and modulo 2^32. */
static uint32_t fixed(uint32_t x, int up) {
    uint32_t mag = mufu_mantissa(x);
    int shift = mufu_exponent(x) + up;
    if (mufu_is_zero(x) || shift < -MUFU_FRAC || shift > 31)
        return 0;
    return shift < 0 ? mag >> -shift : mag << shift;
}

/* --- functions of an x that is not NaN --- */

static uint32_t rcp(uint32_t x) {
    const struct row *row = &rcp_rows[x >> 16 & 127];
    uint32_t d = x & 0xFFFF;
    uint64_t v =
        ((uint64_t)row->c0 << 13) - (uint64_t)row->c1 * d + row->c2 * square(2 * d) + 0x47E7;
    if (mufu_is_zero(x))
        return (x & MUFU_SIGN) | MUFU_INFINITE;
    if ((x & MUFU_INFINITE) == MUFU_INFINITE)
        return x & MUFU_SIGN;
    return mufu_number(x & MUFU_SIGN, v >> 15, -24 - mufu_exponent(x));
}

/* rsqrt and sqrt have 64 polynomials for an even exponent, and 64 for an odd one. */
static unsigned root_index(uint32_t x) {
    return (unsigned)(mufu_exponent(x) & 1) << 6 | (x >> D_BITS & 63);
}

static uint32_t rsqrt(uint32_t x) {
    const struct row *row = &rsqrt_rows[root_index(x)];
    uint32_t d = x & D_MASK;
    uint64_t v = ((uint64_t)row->c0 << 14) - (uint64_t)row->c1 * d + (row->c2 * square(d) << 2);
    int odd = mufu_exponent(x) & 1;
    if (mufu_is_zero(x))
        return (x & MUFU_SIGN) | MUFU_INFINITE;
    if (x & MUFU_SIGN)
        return MUFU_ONLY_NAN;
    if (x == MUFU_INFINITE)
        return 0;
    v = !odd && !(x & MUFU_FRAC_MASK) ? UINT64_C(1) << 24 : (v + 0x7FFF) >> 16;
    return mufu_number(0, v, -24 - (mufu_exponent(x) - odd) / 2);
}

static uint32_t sqrt_of(uint32_t x) {
    const struct row *row = &sqrt_rows[root_index(x)];
    uint32_t d = x & D_MASK;
    int odd = mufu_exponent(x) & 1;
    uint64_t v =
        ((uint64_t)row->c0 << 15) + (((uint64_t)row->c1 * d - row->c2 * square(d)) << odd) + 0x7FFF;
    if (mufu_is_zero(x))
        return x & MUFU_SIGN;
    if (x & MUFU_SIGN)
        return MUFU_ONLY_NAN;
    if (x == MUFU_INFINITE)
        return x;
    return mufu_number(0, v >> 17, -MUFU_FRAC + (mufu_exponent(x) - odd) / 2);
}

static uint32_t ex2(uint32_t x) {
    uint32_t a, f;
    int whole;
    uint64_t v;
    if (mufu_exponent(x) >= 7)
        return x & MUFU_SIGN ? 0 : MUFU_INFINITE;
    a = fixed(x, 0);
    f = a & MUFU_FRAC_MASK;
    whole = (int)(a >> MUFU_FRAC);
    if (x & MUFU_SIGN && f) { /* complemented: one unit below the negative number */
        f = ~f & MUFU_FRAC_MASK;
        whole = -whole - 1;
    } else if (x & MUFU_SIGN) {
        whole = -whole;
    }
    v = ((uint64_t)ex2_rows[f >> D_BITS].c0 << 13) +
        (uint64_t)ex2_rows[f >> D_BITS].c1 * (f & D_MASK) +
        ex2_rows[f >> D_BITS].c2 * square(f & D_MASK) + 0x77E2;
    return mufu_number(0, v >> 15, whole - MUFU_FRAC);
}

static uint32_t lg2(uint32_t x) {
    const struct row *row = &lg2_rows[x >> D_BITS & 63];
    uint32_t d = x & D_MASK;
    uint64_t v =
        ((uint64_t)row->c0 << 12) + (uint64_t)row->c1 * d - (row->c2 * square(d) << 1) + 0x3345;
    int64_t total = (int64_t)mufu_exponent(x) * (INT64_C(1) << 36) + (int64_t)(v >> 2);
    if (mufu_is_zero(x))
        return MUFU_SIGN | MUFU_INFINITE;
    if (x & MUFU_SIGN)
        return MUFU_ONLY_NAN;
    if (x == MUFU_INFINITE || x == (uint32_t)MUFU_BIAS << MUFU_FRAC)
        return x == MUFU_INFINITE ? x : 0;
    return total < 0 ? mufu_number(MUFU_SIGN, ~(uint64_t)total, -36)
                     : mufu_number(0, (uint64_t)total, -36);
}

/* The sine of x turns, plus a quarter of a turn if `quarter` is 1. */
static uint32_t sine(uint32_t x, unsigned quarter) {
    uint32_t a, f, sign = quarter ? 0 : x & MUFU_SIGN;
    const struct row *row;
    if ((x & MUFU_INFINITE) == MUFU_INFINITE)
        return MUFU_ONLY_NAN;
    a = fixed(x, 2); /* in quarters of a turn */
    quarter += a >> MUFU_FRAC;
    f = quarter & 1 ? ~a & MUFU_FRAC_MASK : a & MUFU_FRAC_MASK;
    row = &sin_rows[f >> D_BITS];
    return mufu_number(sign ^ (quarter << 30 & MUFU_SIGN),
                       ((uint64_t)row->c0 << 12) + (uint64_t)row->c1 * (f & D_MASK) -
                           row->c2 * square(f & D_MASK),
                       -37);
}

/* `binade` has the binades of tanh from 2^-8 on. `bits` of the mantissa select one of the rows from
 * `first` on, and `unit` is the unit of the sum. */
static uint32_t tanh_of(uint32_t x) {
    static const struct {
        uint8_t bits, first, unit;
    } binade[] = {{0, 0, 39},  {0, 1, 38},  {0, 2, 37},  {1, 3, 38},  {1, 5, 37}, {2, 7, 38},
                  {2, 11, 37}, {2, 15, 36}, {3, 19, 37}, {4, 27, 39}, {3, 43, 37}};
    int i = mufu_exponent(x) + 8;
    uint32_t d;
    const struct row *row;
    if (i < 0)
        return x;
    if (i > 10)
        return (x & MUFU_SIGN) | (uint32_t)MUFU_BIAS << MUFU_FRAC;
    row = &tanh_rows[binade[i].first + ((x & MUFU_FRAC_MASK) >> (MUFU_FRAC - binade[i].bits))];
    d = (x & MUFU_FRAC_MASK) >> (MUFU_FRAC - D_BITS - binade[i].bits) & D_MASK;
    return mufu_number(x & MUFU_SIGN,
                       ((uint64_t)row->c0 << 15) + (uint64_t)row->c1 * d -
                           (row->c2 * square(d) << 1),
                       -binade[i].unit);
}

uint32_t mufu_unit(enum mufu_function function, uint32_t x) {
    if ((x & ~MUFU_SIGN) > MUFU_INFINITE)
        return MUFU_ONLY_NAN;
    switch (function) {
    case MUFU_EX2: return ex2(x);
    case MUFU_LG2: return lg2(x);
    case MUFU_RCP: return rcp(x);
    case MUFU_RSQRT: return rsqrt(x);
    case MUFU_SQRT: return sqrt_of(x);
    case MUFU_SIN: return sine(x, 0);
    case MUFU_COS: return sine(x, 1);
    case MUFU_TANH: break;
    }
    return tanh_of(x);
}
