/* num.h - arithmetic on bits: decode, exact products, aligned sums, one place that rounds.
 *
 * Depends on formats (as structs), but on no warp, instruction or architecture: widths, floors and
 * rounding are arguments, from the tables of sim/isa. Integers only.
 */
#ifndef WSIM_NUM_NUM_H
#define WSIM_NUM_NUM_H

#include <wsim/format.h>

/* How products become a result; sim/isa/accum.def defines each method. */
enum num_method {
    METHOD_FUSED,
    METHOD_SPLIT,
    METHOD_SCALAR,
    METHOD_GROUPED,
    METHOD_CHAIN,
    METHOD_EXACT,
    METHOD_COUNT
};

/* One operand element, decoded once per fragment. Finite: the value is sig * 2^(exp - frac_bits)
 * with the frac_bits of its format. A subnormal keeps the least exponent and is not normalised.
 * Integers: sig is the value. Infinity: sig is +1 or -1. Zero: sig is 0 (its sign does not affect a
 * sum). */
struct num_elem {
    int32_t sig;
    int16_t exp;
    uint8_t cls; /* enum wsim_class */
};

/* Decodes an element in a container of `container_bits`. If the container is wider than the value,
 * the value is above `format->pad` zero bits. */
struct num_elem num_decode(const struct wsim_format *format, unsigned container_bits,
                           uint64_t bits);

/* How a result leaves the adder: its stored format, the number of fraction bits that survive (13
 * for E8M13 stored in f32) and the rounding. */
struct num_result {
    const struct wsim_format *format;
    uint8_t frac;
    uint8_t rounding; /* enum wsim_rounding */
};

/* Rounds mag * 2^exp (mag may be any 64-bit magnitude) once. The only function that rounds.
 * Truncation (WSIM_RZ) of a value at or above 2^(emax+1) gives infinity if `rz_overflows` is set,
 * as on tensor cores. Otherwise it gives the largest finite number (IEEE). Zero keeps its sign. If
 * mag has all 64 bits, its lowest may be sticky: set if any lower bit was lost. */
uint64_t num_round(const struct num_result *result, int negative, uint64_t mag, int exp,
                   int rz_overflows);

/* One fused step (T-FDPA): n products and the accumulator, each aligned to the largest exponent
 * and truncated to `keep` fraction bits, summed exactly, rounded once. */
struct num_fused {
    uint8_t frac;  /* fraction bits of a product: those of A and B together  */
    uint8_t keep;  /* fraction bits kept while summing (F)                   */
    int16_t floor; /* least alignment exponent (EFLOOR)                      */
    uint8_t width; /* products a step takes (L)                              */
    uint8_t lower; /* C enters as C * 2^-lower, exactly                      */
    struct num_result result;
    const struct num_watch *watch; /* observes each step (watch.h); NULL: none               */
};

/* Adds n products to acc (bits in result.format), in ceil(n / width) ascending steps, and returns
 * the bits of the sum. scale is added to the exponent of every product (block scales, otherwise 0).
 * A NaN operand, inf*0 and inf-inf give format->nan; a sum that is or rounds to zero gives +0. */
uint64_t num_fused_chain(const struct num_fused *fused, unsigned n, const struct num_elem *a,
                         const struct num_elem *b, int scale, uint64_t acc);

/* One block-scaled sum of groups (mxf4, mxf4nvf4). A group is an exact sum of products times the
 * significands of two scales. The exponents of the scales alone align the groups. */
struct num_scale {
    int32_t sig; /* significand of scale A times scale B                   */
    int16_t exp; /* exponent of the group before its product sum, frac-free */
    uint8_t nan;
};
uint64_t num_grouped(const struct num_fused *fused, unsigned group, unsigned ngroups,
                     const struct num_elem *a, const struct num_elem *b,
                     const struct num_scale *scale, unsigned scale_frac, uint64_t acc);

/* An operand of num_round: mag * 2^exp. The lowest of 64 bits of mag is sticky. */
struct num_exact {
    int negative, exp;
    uint64_t mag;
};

/* The value of a decimal number of `n` characters: digits with at most one point, and perhaps an
 * exponent. Beyond 10^310 and below 10^-345 the result is some value in the same range. */
struct num_exact num_decimal(const char *text, size_t n);

/* x * y + z of finite values of at most 53 bits, ready for rounding to their format or a narrower
 * one. A zero sum of terms with different signs has the sign `zero_negative`. */
struct num_exact num_fma_exact(struct wsim_value x, struct wsim_value y, struct wsim_value z,
                               int zero_negative);

/* IEEE fused multiply-add in `format` (f16, f32, f64), rounded once. A NaN result is format->nan if
 * `canonical_nan` is set. Otherwise it is the first NaN among b, c, a, made quiet, or without one
 * format->nan with the sign bit set. Signed zeros and directed roundings follow IEEE 754. */
uint64_t num_fma(const struct wsim_format *format, uint64_t a, uint64_t b, uint64_t c,
                 enum wsim_rounding rounding, int canonical_nan);

/* a + b in `format`, round to nearest even, canonical NaN. */
uint64_t num_add(const struct wsim_format *format, uint64_t a, uint64_t b);

/* sum[i] = num_add(f32, sum[i], addend[i]) for i < count. */
void num_add_f32(uint32_t *sum, const uint32_t *addend, size_t count);

/* num_add(f64, a, b) of finite numbers. */
uint64_t num_add_finite_f64(uint64_t a, uint64_t b);

/* The bits of a `from` value rounded (nearest even) to `to`; NaN becomes to->nan. */
uint64_t num_convert(const struct wsim_format *from, const struct wsim_format *to, uint64_t bits);

/* acc + sum a*b. *whole is the exact sum; the result is wrapped or clamped to 32 bits once. */
uint32_t num_dot_int(unsigned n, const struct num_elem *a, const struct num_elem *b, uint32_t acc,
                     int saturate, int64_t *whole);

#endif
