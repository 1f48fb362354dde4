/* IEEE arithmetic of scalar instructions on bits. num_fma computes sums and products, with one or
 * zero as the third operand. Quotients and roots are integers with a sticky last bit. num_round
 * rounds them all. Modifiers of an instruction (flushing, saturation ...) apply to the bits of
 * operands and results. */
#include "real_bits.h"

/* The NaN of an invalid operation on two numbers. */
static uint64_t invalid(const struct wsim_format *format) {
    return real_keeps_payload(format) ? format->nan | real_sign(format) : format->nan;
}

/* --- sums and products --- */

/* a * b * 2^scale + c of flushed operands. num_fma handles infinities and NaN. */
static uint64_t fma_of(const struct wsim_format *format, const struct real_mode *mode, uint64_t a,
                       uint64_t b, int scale, uint64_t c) {
    struct wsim_value x = wsim_format_decode(format, a), y = wsim_format_decode(format, b);
    struct wsim_value z = wsim_format_decode(format, c);
    uint64_t d;
    x.exp += scale;
    if (x.cls > WSIM_FINITE || y.cls > WSIM_FINITE || z.cls > WSIM_FINITE)
        d = num_fma(format, a, b, c, (enum wsim_rounding)mode->rounding,
                    !real_keeps_payload(format));
    else
        d = real_round(format, mode, num_fma_exact(x, y, z, mode->rounding == WSIM_RM));
    return real_finish(format, mode, d);
}

uint64_t real_add(const struct wsim_format *format, const struct real_mode *mode, uint64_t a,
                  uint64_t b) {
    a = real_operand(format, mode->ftz, a);
    b = real_operand(format, mode->ftz, b);
    return fma_of(format, mode, a, real_one(format), 0, b);
}

uint64_t real_sub(const struct wsim_format *format, const struct real_mode *mode, uint64_t a,
                  uint64_t b) {
    return real_add(format, mode, a, real_is_nan(format, b) ? b : b ^ real_sign(format));
}

/* The added zero has the sign of the product, so that a zero product keeps its sign in every
 * rounding. */
uint64_t real_scaled_mul(const struct wsim_format *format, const struct real_mode *mode, uint64_t a,
                         uint64_t b, int scale) {
    a = real_operand(format, mode->ftz, a);
    b = real_operand(format, mode->ftz, b);
    return fma_of(format, mode, a, b, scale, (a ^ b) & real_sign(format));
}

uint64_t real_mul(const struct wsim_format *format, const struct real_mode *mode, uint64_t a,
                  uint64_t b) {
    return real_scaled_mul(format, mode, a, b, 0);
}

static uint64_t magnitude_of(const struct wsim_format *format, uint64_t bits) {
    return bits & ((UINT64_C(1) << (format->bits - 1)) - 1);
}

uint64_t real_fma(const struct wsim_format *format, const struct real_mode *mode, uint64_t a,
                  uint64_t b, uint64_t c) {
    a = real_operand(format, mode->ftz, a);
    b = real_operand(format, mode->ftz, b);
    c = real_operand(format, mode->ftz, c);
    if (mode->oob && (magnitude_of(format, a) == mode->oob || magnitude_of(format, b) == mode->oob))
        return 0;
    return fma_of(format, mode, a, b, 0, c);
}

/* --- quotients and roots --- */

/* The value of x with its highest bit at format->frac_bits, subnormals too. */
static struct wsim_value normal(const struct wsim_format *format, uint64_t x) {
    struct wsim_value value = wsim_format_decode(format, x);
    while (value.cls == WSIM_FINITE && !(value.sig >> format->frac_bits)) {
        value.sig <<= 1;
        value.exp--;
    }
    return value;
}

/* x / y of two normalised significands, in digits of as many bits as a remainder leaves free. The
 * quotient gets two bits more than a result, and a sticky last bit. */
static uint64_t quotient(const struct wsim_format *format, const struct real_mode *mode,
                         int negative, struct wsim_value x, struct wsim_value y) {
    unsigned digit = 63u - format->frac_bits, bits = 0;
    uint64_t q = x.sig / y.sig, rest = x.sig % y.sig;
    struct num_exact exact;
    while (bits < format->frac_bits + 2u) {
        q = q << digit | (rest << digit) / y.sig;
        rest = (rest << digit) % y.sig;
        bits += digit;
    }
    exact.negative = negative;
    exact.mag = q << 1 | (rest != 0);
    exact.exp = x.exp - y.exp - (int)bits - 1;
    return real_round(format, mode, exact);
}

uint64_t real_div(const struct wsim_format *format, const struct real_mode *mode, uint64_t a,
                  uint64_t b) {
    struct wsim_value x, y;
    uint64_t sign;
    a = real_operand(format, mode->ftz, a);
    b = real_operand(format, mode->ftz, b);
    sign = (a ^ b) & real_sign(format);
    x = normal(format, a);
    y = normal(format, b);
    if (x.cls == WSIM_NAN || y.cls == WSIM_NAN)
        return real_finish(format, mode, real_quiet(format, x.cls == WSIM_NAN ? a : b));
    if (x.cls == y.cls && x.cls != WSIM_FINITE)
        return real_finish(format, mode, invalid(format));
    if (x.cls == WSIM_INF || y.cls == WSIM_ZERO)
        return real_finish(format, mode, sign | real_infinity(format));
    if (x.cls == WSIM_ZERO || y.cls == WSIM_INF)
        return real_finish(format, mode, sign);
    return real_finish(format, mode, quotient(format, mode, sign != 0, x, y));
}

uint64_t real_rcp(const struct wsim_format *format, const struct real_mode *mode, uint64_t a) {
    return real_div(format, mode, real_one(format), a);
}

/* The root, bit by bit: each takes two bits of the radicand, as in long division. The remainder is
 * at most twice the root. */
static uint64_t root(const struct wsim_format *format, const struct real_mode *mode,
                     struct wsim_value x) {
    int odd = (x.exp + format->frac_bits) & 1, left = format->frac_bits + 1;
    uint64_t sig = x.sig << odd << (63 - left), rest = 0, found = 0;
    struct num_exact exact;
    for (int i = 0; i < left + 2; i++) {
        uint64_t trial = found << 2 | 1, bit;
        rest = rest << 2 | sig >> 62;
        sig <<= 2;
        bit = rest >= trial;
        rest -= trial & -bit; /* no branch: it would be unpredictable */
        found = found << 1 | bit;
    }
    exact.negative = 0;
    exact.mag = found << 1 | (rest != 0);
    exact.exp = (x.exp + format->frac_bits - odd) / 2 - left - 2;
    return real_round(format, mode, exact);
}

uint64_t real_sqrt(const struct wsim_format *format, const struct real_mode *mode, uint64_t a) {
    struct wsim_value x;
    a = real_operand(format, mode->ftz, a);
    x = normal(format, a);
    if (x.cls == WSIM_NAN)
        return real_finish(format, mode, real_quiet(format, a));
    if (x.cls == WSIM_ZERO)
        return a;
    if (x.negative)
        return real_finish(format, mode, invalid(format));
    return real_finish(format, mode, x.cls == WSIM_INF ? a : root(format, mode, x));
}
