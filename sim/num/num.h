/* num.h - arithmetic on bits: decode, exact products, aligned sums, one place that rounds.
 *
 * Knows formats as structs and no warp, no instruction, no architecture: widths, floors and
 * rounding come in as arguments, from the tables of sim/isa. Integers only.
 */
#ifndef WSIM_NUM_NUM_H
#define WSIM_NUM_NUM_H

#include <wsim/format.h>

/* How products become a result; sim/isa/accum.def says what each means. */
enum num_method {
    METHOD_FUSED,
    METHOD_SPLIT,
    METHOD_SCALAR,
    METHOD_GROUPED,
    METHOD_CHAIN,
    METHOD_EXACT,
    METHOD_COUNT
};

/* One operand element, decoded once per fragment. Finite value: sig * 2^(exp - frac_bits) with the
 * frac_bits of its format; a subnormal keeps the least exponent, un-normalised. Integers: sig is
 * the value. Infinity: sig is +1 or -1. Zero: sig is 0 (its sign does not matter to a sum). */
struct num_elem {
    int32_t sig;
    int16_t exp;
    uint8_t cls; /* enum wsim_class */
};

/* Decodes container bits (value bits above `format->pad` zero bits are taken when the container is
 * wider than the value; `container_bits` says how wide it is). */
struct num_elem num_decode(const struct wsim_format *format, unsigned container_bits,
                           uint64_t bits);

/* How a result leaves the adder: the format it is stored in, how many fraction bits survive
 * (13 for E8M13 stored in f32) and the rounding. */
struct num_result {
    const struct wsim_format *format;
    uint8_t frac;
    uint8_t rounding; /* enum wsim_rounding */
};

/* Rounds mag * 2^exp (mag may be any 64-bit magnitude) once. The only place that rounds.
 * Truncation (WSIM_RZ) of a value at or above 2^(emax+1) gives infinity when `rz_overflows` is
 * set - what tensor cores do - and the largest finite number otherwise (IEEE). Zero keeps its sign.
 * Where mag is all of 64 bits its lowest may stand for any nonzero bits lost below it. */
uint64_t num_round(const struct num_result *result, int negative, uint64_t mag, int exp,
                   int rz_overflows);

/* One fused step (T-FDPA): n products and the accumulator, each aligned to the largest exponent
 * and truncated to `keep` fraction bits, summed exactly, rounded once. */
struct num_fused {
    uint8_t frac;  /* fraction bits of a product: those of A and B together  */
    uint8_t keep;  /* fraction bits kept while summing (F)                   */
    int16_t floor; /* least alignment exponent (EFLOOR)                      */
    uint8_t width; /* products a step takes (L)                              */
    struct num_result result;
    const struct num_watch *watch; /* is told each step (watch.h); NULL: nobody is           */
};

/* acc = bits in result.format; scale = exponent added to every product (block scales, else 0).
 * Returns the new accumulator's bits. NaN in, inf*0, inf-inf -> format->nan; a sum that is or
 * rounds to zero -> +0. Takes ceil(n / width) steps in ascending order. */
uint64_t num_fused_chain(const struct num_fused *fused, unsigned n, const struct num_elem *a,
                         const struct num_elem *b, int scale, uint64_t acc);

/* One block-scaled sum of groups: per group an exact sum of products times the significands of two
 * scales, aligned by the scales' exponents alone (mxf4, mxf4nvf4). */
struct num_scale {
    int32_t sig; /* significand of scale A times scale B                   */
    int16_t exp; /* exponent of the group before its product sum, frac-free */
    uint8_t nan;
};
uint64_t num_grouped(const struct num_fused *fused, unsigned group, unsigned ngroups,
                     const struct num_elem *a, const struct num_elem *b,
                     const struct num_scale *scale, unsigned scale_frac, uint64_t acc);

/* What num_round takes: mag * 2^exp, the lowest of 64 bits of mag standing for what is lost below.
 */
struct num_exact {
    int negative, exp;
    uint64_t mag;
};

/* The value of a decimal number of `n` characters: digits with at most one point, and perhaps an
 * exponent. Beyond 10^310 and below 10^-345 it is some value that is so too. */
struct num_exact num_decimal(const char *text, size_t n);

/* x * y + z of finite values of at most 53 bits, ready to be rounded to their format or a narrower
 * one. The sum of unlike zeros, or of what cancels, has the sign `zero_negative`. */
struct num_exact num_fma_exact(struct wsim_value x, struct wsim_value y, struct wsim_value z,
                               int zero_negative);

/* IEEE fused multiply-add in `format` (f16, f32, f64), rounded once. NaN result: format->nan when
 * `canonical_nan` is set, else the first NaN among b, c, a made quiet, or format->nan with the
 * sign bit set when there is none. Signed zeros and directed roundings as IEEE 754 says. */
uint64_t num_fma(const struct wsim_format *format, uint64_t a, uint64_t b, uint64_t c,
                 enum wsim_rounding rounding, int canonical_nan);

/* a + b in `format`, round to nearest even, canonical NaN. */
uint64_t num_add(const struct wsim_format *format, uint64_t a, uint64_t b);

/* sum[i] = num_add of f32 of sum[i] and addend[i], for `count` of them. */
void num_add_f32(uint32_t *sum, const uint32_t *addend, size_t count);

/* The bits of a `from` value rounded (nearest even) to `to`; NaN becomes to->nan. */
uint64_t num_convert(const struct wsim_format *from, const struct wsim_format *to, uint64_t bits);

/* acc + sum a*b, exact, which is *whole; then wrapped to 32 bits or clamped to them once. */
uint32_t num_dot_int(unsigned n, const struct num_elem *a, const struct num_elem *b, uint32_t acc,
                     int saturate, int64_t *whole);

#endif
