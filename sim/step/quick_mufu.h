/* quick_mufu.h - the unit of approximate functions (sim/num/mufu.c) without branches, so that it
 * can be done for many lanes at once. Equal to mufu_f32 for all arguments but those whose result is
 * QUICK_ODD_RESULT: these, and the few that have it anyway, are odd. */
#ifndef WSIM_STEP_QUICK_MUFU_H
#define WSIM_STEP_QUICK_MUFU_H

#include <stdint.h>

/* The least normal number, of either sign. */
#define QUICK_ODD_RESULT UINT32_C(0x00800000)

enum { QUICK_FRAC = 23, QUICK_BIAS = 127, QUICK_D = 17 };
#define QUICK_FRAC_MASK UINT32_C(0x007FFFFF)
#define QUICK_INFINITE UINT32_C(0x7F800000)
#define QUICK_ONE UINT32_C(0x3F800000)
#define QUICK_D_MASK UINT32_C(0x0001FFFF)

/* The coefficients, each kind by itself. Lanes gather those of tanh. */
struct quick_row {
    uint32_t c0, c1, c2;
};
#define QUICK_ROWS(c0, c1, c2) {c0, c1, c2},
static const struct quick_row quick_tanh_rows[] = {
#define TANH QUICK_ROWS
#include "../num/mufu.def"
};

/* Functions with 64 or 128 rows have their columns: tables of 32 numbers, which a machine may look
 * up in registers. */
#define QUICK_COLUMN_0(c0, c1, c2) c0,
#define QUICK_COLUMN_1(c0, c1, c2) c1,
#define QUICK_COLUMN_2(c0, c1, c2) c2,
static const uint32_t quick_rcp_columns[3][128] = {
    {
#define RCP QUICK_COLUMN_0
#include "../num/mufu.def"
    },
    {
#define RCP QUICK_COLUMN_1
#include "../num/mufu.def"
    },
    {
#define RCP QUICK_COLUMN_2
#include "../num/mufu.def"
    },
};
static const uint32_t quick_rsqrt_columns[3][128] = {
    {
#define RSQRT QUICK_COLUMN_0
#include "../num/mufu.def"
    },
    {
#define RSQRT QUICK_COLUMN_1
#include "../num/mufu.def"
    },
    {
#define RSQRT QUICK_COLUMN_2
#include "../num/mufu.def"
    },
};
static const uint32_t quick_sqrt_columns[3][128] = {
    {
#define SQRT QUICK_COLUMN_0
#include "../num/mufu.def"
    },
    {
#define SQRT QUICK_COLUMN_1
#include "../num/mufu.def"
    },
    {
#define SQRT QUICK_COLUMN_2
#include "../num/mufu.def"
    },
};
static const uint32_t quick_ex2_columns[3][64] = {
    {
#define EX2 QUICK_COLUMN_0
#include "../num/mufu.def"
    },
    {
#define EX2 QUICK_COLUMN_1
#include "../num/mufu.def"
    },
    {
#define EX2 QUICK_COLUMN_2
#include "../num/mufu.def"
    },
};
static const uint32_t quick_lg2_columns[3][64] = {
    {
#define LG2 QUICK_COLUMN_0
#include "../num/mufu.def"
    },
    {
#define LG2 QUICK_COLUMN_1
#include "../num/mufu.def"
    },
    {
#define LG2 QUICK_COLUMN_2
#include "../num/mufu.def"
    },
};
static const uint32_t quick_sin_columns[3][64] = {
    {
#define SIN QUICK_COLUMN_0
#include "../num/mufu.def"
    },
    {
#define SIN QUICK_COLUMN_1
#include "../num/mufu.def"
    },
    {
#define SIN QUICK_COLUMN_2
#include "../num/mufu.def"
    },
};

/* The coefficients of all lanes, from the rows that they name. */
struct quick_found {
    uint32_t c[3][RUN_LANES];
};
#if defined(__AVX512F__)
/* From 64 rows of a column. */
INLINE __m512i quick_look_up_64(const uint32_t *from, __m512i at) {
    const __m512i a = _mm512_loadu_si512(from), b = _mm512_loadu_si512(from + 16);
    const __m512i c = _mm512_loadu_si512(from + 32), d = _mm512_loadu_si512(from + 48);
    const __mmask16 high = _mm512_test_epi32_mask(at, _mm512_set1_epi32(32));
    const __m512i found = _mm512_permutex2var_epi32(a, at, b);
    return _mm512_mask_mov_epi32(found, high, _mm512_permutex2var_epi32(c, at, d));
}
#endif
INLINE void quick_look_up(const uint32_t *from, unsigned rows, const uint32_t row[RUN_LANES],
                          struct quick_found *to) {
    for (unsigned k = 0; k < 3; k++, from += rows) {
#if defined(__AVX512F__)
        for (unsigned i = 0; i < RUN_LANES; i += 16) {
            const __m512i at = _mm512_loadu_si512(row + i);
            __m512i found = quick_look_up_64(from, at);
            if (rows > 64)
                found =
                    _mm512_mask_mov_epi32(found, _mm512_test_epi32_mask(at, _mm512_set1_epi32(64)),
                                          quick_look_up_64(from + 64, at));
            _mm512_storeu_si512(to->c[k] + i, found);
        }
#else
        ALL_LANES to->c[k][i] = from[row[i]];
#endif
    }
}

/* `ones` where a condition holds. */
INLINE uint32_t quick_when(int condition) {
    return 0u - (uint32_t)condition;
}
INLINE uint32_t quick_choose(int condition, uint32_t yes, uint32_t no) {
    const uint32_t mask = quick_when(condition);
    return (yes & mask) | (no & ~mask);
}
INLINE int quick_exponent(uint32_t x) {
    return (int)(x >> QUICK_FRAC & 255) - QUICK_BIAS;
}
INLINE int quick_mufu_nan(uint32_t x) {
    return (x & 0x7FFFFFFFu) > QUICK_INFINITE;
}

/* square() of mufu.c. */
INLINE uint32_t quick_square(uint32_t d) {
    const uint32_t h = d >> 10, low = d & 1023;
    return 2 * h * h + ((0u - (h & 1)) & low >> 8) + ((0u - (h >> 1 & 1)) & low >> 7) +
           ((0u - (h >> 2 & 1)) & low >> 6) + ((0u - (h >> 3 & 1)) & low >> 5) +
           ((0u - (h >> 4 & 1)) & low >> 4) + ((0u - (h >> 5 & 1)) & low >> 3) +
           ((0u - (h >> 6 & 1)) & low >> 2);
}

/* |x| * 2^up cut off to units of 2^-23; bits above 32 fall off. A number without exponent, or that
 * is too small, shifts everything out. */
INLINE uint32_t quick_fixed(uint32_t x, int up) {
    const uint32_t mag = (x & QUICK_FRAC_MASK) | (QUICK_FRAC_MASK + 1);
    const int shift = quick_exponent(x) + up;
    const uint32_t down = (uint32_t)(-shift) & 31, left = (uint32_t)shift & 31;
    const uint32_t value = quick_choose(shift < 0, mag >> down, mag << left);
    return value & quick_when(shift >= -QUICK_FRAC) & quick_when(shift <= 31) &
           quick_when((x & QUICK_INFINITE) != 0);
}

/* `mag`, of 24 bits or 2^24, times 2^exp, with a sign. */
INLINE uint32_t quick_of_24(uint32_t sign, uint32_t mag, int exp) {
    const uint32_t more = mag >> 24;
    const int field = exp + QUICK_FRAC + (int)more + QUICK_BIAS;
    const uint32_t bits = (uint32_t)field << QUICK_FRAC | (mag >> more & QUICK_FRAC_MASK);
    return sign |
           quick_choose(field > 2 * QUICK_BIAS, QUICK_INFINITE, bits & quick_when(field > 0));
}

INLINE uint32_t quick_rcp_index(uint32_t x) {
    return x >> 16 & 127;
}
INLINE uint32_t quick_unit_rcp(uint32_t x, uint32_t c0, uint32_t c1, uint32_t c2) {
    const uint32_t d = x & 0xFFFF, sign = x & 0x80000000u;
    const uint64_t v =
        ((uint64_t)c0 << 13) - (uint64_t)c1 * d + (uint64_t)c2 * quick_square(2 * d) + 0x47E7;
    uint32_t r = quick_of_24(sign, (uint32_t)(v >> 15), -24 - quick_exponent(x));
    r = quick_choose(!(x & QUICK_INFINITE), sign | QUICK_INFINITE, r);
    r = quick_choose((x & QUICK_INFINITE) == QUICK_INFINITE, sign, r);
    return quick_choose(quick_mufu_nan(x), QUICK_NAN, r);
}

/* of_high_word() of mufu_forms.c, for what is neither zero, subnormal, infinite nor NaN. */
INLINE int quick_is_end_64(uint64_t x) {
    return (((x >> 52) + 1) & 0x7FE) == 0;
}
INLINE uint64_t quick_unit_rcp_64(uint64_t x) {
    const uint32_t high = (uint32_t)(x >> 32), sign = high & 0x80000000u;
    const uint32_t one = QUICK_ONE | (high << 3 & QUICK_FRAC_MASK), row = quick_rcp_index(one);
    const uint32_t y = quick_unit_rcp(one, quick_rcp_columns[0][row], quick_rcp_columns[1][row],
                                      quick_rcp_columns[2][row]);
    const int exponent = (int)(y >> QUICK_FRAC) - QUICK_BIAS + 2 * 1023 - (int)(high >> 20 & 0x7FF);
    const uint32_t r = (uint32_t)exponent << 20 | (y >> 3 & 0xFFFFF);
    return (uint64_t)(sign | (r & quick_when(exponent > 0))) << 32;
}

/* Even exponents have odd fields. */
INLINE uint32_t quick_root_index(uint32_t x) {
    return (~(x >> QUICK_FRAC) & 1) << 6 | (x >> QUICK_D & 63);
}
INLINE uint32_t quick_unit_rsqrt(uint32_t x, uint32_t c0, uint32_t c1, uint32_t c2) {
    const uint32_t d = x & QUICK_D_MASK;
    const uint64_t v =
        ((uint64_t)c0 << 14) - (uint64_t)c1 * d + ((uint64_t)c2 * quick_square(d) << 2) + 0x7FFF;
    const int exponent = quick_exponent(x), odd = exponent & 1;
    const uint32_t whole = quick_when(!odd && !(x & QUICK_FRAC_MASK));
    const uint32_t mag = (((uint32_t)(v >> 16)) & ~whole) | (UINT32_C(1) << 24 & whole);
    uint32_t r = quick_of_24(0, mag, -24 - (exponent - odd) / 2);
    r = quick_choose(x == QUICK_INFINITE, 0, r);
    r = quick_choose((x & 0x80000000u) != 0, QUICK_NAN, r);
    r = quick_choose(!(x & QUICK_INFINITE), (x & 0x80000000u) | QUICK_INFINITE, r);
    return quick_choose(quick_mufu_nan(x), QUICK_NAN, r);
}

INLINE uint32_t quick_unit_sqrt(uint32_t x, uint32_t c0, uint32_t c1, uint32_t c2) {
    const uint32_t d = x & QUICK_D_MASK;
    const int exponent = quick_exponent(x), odd = exponent & 1;
    const uint64_t slope = (uint64_t)c1 * d - (uint64_t)c2 * quick_square(d);
    const uint64_t v = ((uint64_t)c0 << 15) + (slope << odd) + 0x7FFF;
    uint32_t r = quick_of_24(0, (uint32_t)(v >> 17), -QUICK_FRAC + (exponent - odd) / 2);
    r = quick_choose(x == QUICK_INFINITE, x, r);
    r = quick_choose((x & 0x80000000u) != 0, QUICK_NAN, r);
    r = quick_choose(!(x & QUICK_INFINITE), x & 0x80000000u, r);
    return quick_choose(quick_mufu_nan(x), QUICK_NAN, r);
}

/* The fraction. A negative number has the complement, one unit below it. */
INLINE uint32_t quick_fraction_ex2(uint32_t x) {
    const uint32_t negative = 0u - (x >> 31), part = quick_fixed(x, 0) & QUICK_FRAC_MASK;
    return (part ^ (negative & quick_when(part != 0))) & QUICK_FRAC_MASK;
}
INLINE uint32_t quick_unit_ex2(uint32_t x, uint32_t c0, uint32_t c1, uint32_t c2) {
    const uint32_t negative = 0u - (x >> 31), a = quick_fixed(x, 0);
    const uint32_t some = quick_when((a & QUICK_FRAC_MASK) != 0);
    const uint32_t whole = ((a >> QUICK_FRAC) ^ negative) - negative + (negative & some);
    const uint32_t d = quick_fraction_ex2(x) & QUICK_D_MASK;
    const uint64_t v =
        ((uint64_t)c0 << 13) + (uint64_t)c1 * d + (uint64_t)c2 * quick_square(d) + 0x77E2;
    uint32_t r = quick_of_24(0, (uint32_t)(v >> 15), (int)whole - QUICK_FRAC);
    r = quick_choose(quick_exponent(x) >= 7, QUICK_INFINITE & ~negative, r);
    return quick_choose(quick_mufu_nan(x), QUICK_NAN, r);
}

#if defined(QUICK_FLOATS)
/* mag * 2^exp cut off to 24 bits: f64 has the highest bit of a number as exponent. */
INLINE uint32_t quick_of_any(uint32_t sign, uint64_t mag, int exp) {
    const uint64_t bits = quick_exact(mag);
    int field;
    uint32_t r;
    field = (int)(bits >> 52) - 1023 + exp + QUICK_BIAS;
    r = (uint32_t)field << QUICK_FRAC | ((uint32_t)(bits >> 29) & QUICK_FRAC_MASK);
    r = quick_choose(field > 2 * QUICK_BIAS, QUICK_INFINITE, r & quick_when(field > 0));
    return sign | (r & quick_when(mag != 0));
}

INLINE uint32_t quick_fraction_lg2(uint32_t x) {
    return x & QUICK_FRAC_MASK;
}
INLINE uint32_t quick_unit_lg2(uint32_t x, uint32_t c0, uint32_t c1, uint32_t c2) {
    const uint32_t d = x & QUICK_D_MASK;
    const uint64_t v =
        ((uint64_t)c0 << 12) + (uint64_t)c1 * d - ((uint64_t)c2 * quick_square(d) << 1) + 0x3345;
    const uint64_t total = ((uint64_t)(int64_t)quick_exponent(x) << 36) + (v >> 2);
    const uint32_t sign = (uint32_t)(total >> 32) & 0x80000000u;
    uint32_t r = quick_of_any(sign, total ^ (0 - (total >> 63)), -36);
    r = quick_choose(x == QUICK_ONE, 0, r);
    r = quick_choose(x == QUICK_INFINITE, x, r);
    r = quick_choose((x & 0x80000000u) != 0, QUICK_NAN, r);
    r = quick_choose(!(x & QUICK_INFINITE), 0x80000000u | QUICK_INFINITE, r);
    return quick_choose(quick_mufu_nan(x), QUICK_NAN, r);
}

/* x / (2 pi), cut off: turns() of mufu_forms.c. The product has 48 bits or 47. */
INLINE uint32_t quick_turns(uint32_t x) {
    const uint64_t product = (uint64_t)((x & QUICK_FRAC_MASK) | (QUICK_FRAC_MASK + 1)) * 0xA2F983;
    const uint32_t more = (uint32_t)(product >> 47);
    const int field = quick_exponent(x) - 3 + (int)more + QUICK_BIAS;
    const uint32_t frac = (uint32_t)(product >> QUICK_FRAC >> more) & QUICK_FRAC_MASK;
    const uint32_t r = ((uint32_t)field << QUICK_FRAC | frac) & quick_when(field > 0);
    return quick_choose(!(x & QUICK_INFINITE) || (x & QUICK_INFINITE) == QUICK_INFINITE, x,
                        (x & 0x80000000u) | r);
}
INLINE uint32_t quick_fraction_sine(uint32_t angle, uint32_t quarter) {
    const uint32_t a = quick_fixed(quick_turns(angle), 2), turned = quarter + (a >> QUICK_FRAC);
    return (a ^ (0u - (turned & 1))) & QUICK_FRAC_MASK;
}
INLINE uint32_t quick_sine(uint32_t angle, uint32_t quarter, uint32_t c0, uint32_t c1,
                           uint32_t c2) {
    const uint32_t x = quick_turns(angle), a = quick_fixed(x, 2);
    const uint32_t turned = quarter + (a >> QUICK_FRAC);
    const uint32_t d = quick_fraction_sine(angle, quarter) & QUICK_D_MASK;
    const uint32_t sign = (quarter ? 0 : x & 0x80000000u) ^ (turned << 30 & 0x80000000u);
    const uint32_t r = quick_of_any(
        sign, ((uint64_t)c0 << 12) + (uint64_t)c1 * d - (uint64_t)c2 * quick_square(d), -37);
    return quick_choose((x & QUICK_INFINITE) == QUICK_INFINITE, QUICK_NAN, r);
}

/* The binades of tanh from 2^-8 on, as in mufu.c. */
static const struct {
    uint32_t bits, first, unit;
} quick_binades[16] = {{0, 0, 39},  {0, 1, 38},  {0, 2, 37},  {1, 3, 38},  {1, 5, 37}, {2, 7, 38},
                       {2, 11, 37}, {2, 15, 36}, {3, 19, 37}, {4, 27, 39}, {3, 43, 37}};
INLINE uint32_t quick_unit_tanh(uint32_t x) {
    const int i = quick_exponent(x) + 8;
    const uint32_t place = (uint32_t)i & 15 & quick_when(i >= 0 && i <= 10);
    const uint32_t bits = quick_binades[place].bits, frac = x & QUICK_FRAC_MASK;
    const struct quick_row *row =
        &quick_tanh_rows[quick_binades[place].first + (frac >> (QUICK_FRAC - bits))];
    const uint32_t d = frac >> (QUICK_FRAC - QUICK_D - bits) & QUICK_D_MASK;
    uint32_t r = quick_of_any(x & 0x80000000u,
                              ((uint64_t)row->c0 << 15) + (uint64_t)row->c1 * d -
                                  ((uint64_t)row->c2 * quick_square(d) << 1),
                              -(int)quick_binades[place].unit);
    r = quick_choose(i > 10, (x & 0x80000000u) | QUICK_ONE, r);
    r = quick_choose(i < 0, x, r);
    return quick_choose(quick_mufu_nan(x), QUICK_NAN, r);
}
#endif

/* Without .ftz there are steps around the unit for arguments and results that are subnormal, in
 * mufu_forms.c alone. */
INLINE uint32_t quick_unless(int odd, uint32_t r) {
    return quick_choose(odd, QUICK_ODD_RESULT, r);
}
INLINE int quick_is_subnormal(uint32_t x) {
    return (x & 0x7FFFFFFFu) - 1 < QUICK_FRAC_MASK;
}
/* Greater than 2^126. */
INLINE int quick_is_great(uint32_t x) {
    return (x & 0x7FFFFFFFu) > 0x7E800000u;
}
/* Less than -126. */
INLINE int quick_ex2_is_small(uint32_t x) {
    return x > 0xC2FC0000u;
}

#endif
