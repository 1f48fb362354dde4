/* Sums of f32 and f64 in 64-bit integers: the results of num_add, but faster. */
#include "bits.h"
#include "num.h"

enum { FRAC = 23, TOP = 255, BELOW = 32 }; /* BELOW: bits kept below a significand */

#define SIGN UINT32_C(0x80000000)
#define INFINITE UINT32_C(0x7F800000)
#define ONLY_NAN UINT32_C(0x7FFFFFFF)

/* The exponent; a subnormal has that of the least normal number. */
static unsigned field(uint32_t bits) {
    unsigned e = bits >> FRAC & TOP;
    return e ? e : 1;
}

static uint64_t significant(uint32_t bits) {
    uint32_t frac = bits & ((UINT32_C(1) << FRAC) - 1);
    return bits & INFINITE ? frac | UINT32_C(1) << FRAC : frac;
}

/* mag / 2^shift, to nearest even. */
static uint32_t nearest(uint64_t mag, unsigned shift) {
    uint64_t half = UINT64_C(1) << (shift - 1);
    return (uint32_t)((mag + (half - 1) + (mag >> shift & 1)) >> shift);
}

/* The sum of finite a and b; a is the larger one. The smaller one is shifted to the exponent of the
 * larger, and loses bits only if the shift exceeds BELOW. Then less than 2^24 remains, while half
 * of the last place of the sum is 2^30 or more. So neither the rest nor the lost bits affect the
 * rounding. Without a loss the sum is exact. A small sum is a multiple of 2^31, so that there are
 * always bits to shift out. */
static uint32_t add_finite(uint32_t a, uint32_t b) {
    unsigned gap = field(a) - field(b), exponent, top;
    uint64_t large = significant(a) << BELOW, small = significant(b) << BELOW, sum;
    uint64_t moved = gap < 64 ? small >> gap : 0;
    sum = (a ^ b) & SIGN ? large - moved : large + moved;
    if (sum == 0)
        return a & b & SIGN;
    top = (unsigned)bits_top(sum);
    exponent = field(a) + top; /* of the sum, plus FRAC + BELOW */
    if (exponent <= FRAC + BELOW)
        return (a & SIGN) | nearest(sum, BELOW + 1 - field(a));
    /* The leading one bit adds 1 to the exponent, and a carry out of the fraction another. */
    sum = ((uint64_t)(exponent - FRAC - BELOW - 1) << FRAC) + nearest(sum, top - FRAC);
    return (a & SIGN) | (sum < INFINITE ? (uint32_t)sum : INFINITE);
}

static uint32_t add(uint32_t a, uint32_t b) {
    uint32_t larger = (a & ~SIGN) < (b & ~SIGN) ? b : a, smaller = a ^ b ^ larger;
    if ((larger & ~SIGN) < INFINITE)
        return add_finite(larger, smaller);
    return (larger & ~SIGN) > INFINITE || (larger ^ smaller) == SIGN ? ONLY_NAN : larger;
}

void num_add_f32(uint32_t *sum, const uint32_t *addend, size_t count) {
    for (size_t i = 0; i < count; i++)
        sum[i] = add(sum[i], addend[i]);
}

/* --- f64 --- */

enum { FRAC_64 = 52, TOP_64 = 2047, BELOW_64 = 10 };

#define SIGN_64 (UINT64_C(1) << 63)

static unsigned field_64(uint64_t bits) {
    const unsigned e = (unsigned)(bits >> FRAC_64) & TOP_64;
    return e ? e : 1;
}

static uint64_t significant_64(uint64_t bits) {
    const uint64_t frac = bits & ((UINT64_C(1) << FRAC_64) - 1);
    return bits >> FRAC_64 & TOP_64 ? frac | UINT64_C(1) << FRAC_64 : frac;
}

/* Bits of the smaller number that are shifted out set the last bit. They are lost only if the gap
 * exceeds BELOW_64. Then the sum loses one leading bit at most. So the last bit is below all that
 * rounding looks at. */
static uint64_t add_finite_64(uint64_t a, uint64_t b) {
    const unsigned gap = field_64(a) - field_64(b), at = field_64(a);
    const uint64_t large = significant_64(a) << BELOW_64, small = significant_64(b) << BELOW_64;
    const uint64_t kept = gap < 64 ? small >> gap : 0;
    const uint64_t moved = kept | (gap < 64 ? kept << gap != small : small != 0);
    const uint64_t sum = (a ^ b) & SIGN_64 ? large - moved : large + moved;
    const int top = bits_top(sum), shift = top - FRAC_64;
    const int highest = top + (int)at - 1 - BELOW_64; /* in units of the least number */
    uint64_t mag;
    if (!sum)
        return a & b & SIGN_64;
    if (highest <= FRAC_64)
        return (a & SIGN_64) |
               (at > BELOW_64 ? sum << (at - 1 - BELOW_64) : sum >> (BELOW_64 + 1 - at));
    if (shift <= 0)
        mag = sum << -shift;
    else
        mag = (sum + (UINT64_C(1) << (shift - 1)) - 1 + (sum >> shift & 1)) >> shift;
    /* The leading one bit adds 1 to the exponent, and a carry out of the fraction another. */
    mag += (uint64_t)(highest - FRAC_64) << FRAC_64;
    return (a & SIGN_64) | (mag >> FRAC_64 < TOP_64 ? mag : (uint64_t)TOP_64 << FRAC_64);
}

uint64_t num_add_finite_f64(uint64_t a, uint64_t b) {
    const int swaps = (a & ~SIGN_64) < (b & ~SIGN_64);
    return add_finite_64(swaps ? b : a, swaps ? a : b);
}
