/* number.c - formats as the manual's table has them, decoded field by field. */
#include "number.h"

#include <stddef.h>
#include <string.h>

/* name container skip sign exponent bias fraction top NaN */
static const struct number_format formats[] = {
    {"f16", 16, 0, 1, 5, 15, 10, TOP_IEEE, 0x7fff},
    {"bf16", 16, 0, 1, 8, 127, 7, TOP_IEEE, 0x7fff},
    {"tf32", 32, 13, 1, 8, 127, 10, TOP_IEEE, 0x7fffffff},
    {"f32", 32, 0, 1, 8, 127, 23, TOP_IEEE, 0x7fffffff},
    {"e8m13", 32, 10, 1, 8, 127, 13, TOP_IEEE, 0x7fffffff},
    {"f64", 64, 0, 1, 11, 1023, 52, TOP_IEEE, 0xfff8000000000000},
    {"e5m2", 8, 0, 1, 5, 15, 2, TOP_IEEE, 0x7f},
    {"e4m3", 8, 0, 1, 4, 7, 3, TOP_ONE_NAN, 0x7f},
    {"e3m2", 8, 0, 1, 3, 3, 2, TOP_ORDINARY, 0},
    {"e2m3", 8, 0, 1, 2, 1, 3, TOP_ORDINARY, 0},
    {"e2m1", 8, 2, 1, 2, 1, 1, TOP_ORDINARY, 0},
    {"e2m1 nibble", 4, 0, 1, 2, 1, 1, TOP_ORDINARY, 0},
    {"ue4m3", 8, 0, 0, 4, 7, 3, TOP_ONE_NAN, 0},
};

const struct number_format *number_format(const char *name) {
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

struct number number_decode(const struct number_format *format, uint64_t bits) {
    uint64_t value = bits >> format->skip;
    uint64_t frac = value & ((1ull << format->frac) - 1);
    int top = (1 << format->exp_bits) - 1;
    int field = (int)(value >> format->frac) & top;
    uint64_t sign = format->has_sign ? value >> (format->frac + format->exp_bits) & 1 : 0;
    struct number out = {NUMBER_FINITE, (int)sign, field - format->bias, format->frac,
                         frac | 1ull << format->frac};
    if (field == 0) {
        out.exp = 1 - format->bias;
        out.sig = frac;
    }
    if (format->top == TOP_IEEE && field == top)
        out.kind = frac == 0 ? NUMBER_INFINITE : NUMBER_NAN;
    if (format->top == TOP_ONE_NAN && field == top && frac == (1ull << format->frac) - 1)
        out.kind = NUMBER_NAN;
    return out;
}

static uint64_t sign_bit(const struct number_format *format, int negative) {
    int bit = format->skip + format->frac + format->exp_bits;
    return negative ? 1ull << bit : 0;
}

static uint64_t fields(const struct number_format *format, int negative, int field, uint64_t frac) {
    return sign_bit(format, negative) | ((uint64_t)field << format->frac | frac) << format->skip;
}

uint64_t number_infinity(const struct number_format *format, int negative) {
    return fields(format, negative, (1 << format->exp_bits) - 1, 0);
}

uint64_t number_encode(const struct number_format *format, struct wide_rounded value,
                       enum wide_rounding rounding, enum number_overflow overflow) {
    uint64_t one = 1ull << format->frac;
    if (value.sig == 0)
        return sign_bit(format, value.negative);
    while (value.sig >= 2 * one) { /* only zeros leave: a round-up to a power of two */
        value.sig >>= 1;
        value.exp++;
    }
    while (value.sig < one && value.exp > 1 - format->bias - format->frac) {
        value.sig <<= 1;
        value.exp--;
    }
    int field = value.exp + format->frac + format->bias;
    int top = (1 << format->exp_bits) - 1;
    if (value.sig < one)
        return fields(format, value.negative, 0, value.sig);
    if (field < top)
        return fields(format, value.negative, field, value.sig - one);
    enum wide_rounding inward = value.negative ? WIDE_UP : WIDE_DOWN;
    if (overflow == OVERFLOW_IEEE && (rounding == WIDE_TOWARD_ZERO || rounding == inward))
        return fields(format, value.negative, top - 1, one - 1);
    return number_infinity(format, value.negative);
}

static int is_zero(struct number x) {
    return x.kind == NUMBER_FINITE && x.sig == 0;
}

static uint64_t finite_fma(const struct number_format *format, struct number a, struct number b,
                           struct number c, enum wide_rounding rounding) {
    struct wide sum;
    int negative = a.negative ^ b.negative;
    wide_clear(&sum);
    wide_add(&sum, negative, a.sig, b.sig, a.exp - a.frac + b.exp - b.frac, WIDE_ALL_BITS);
    wide_add(&sum, c.negative, c.sig, 1, c.exp - c.frac, WIDE_ALL_BITS);
    struct wide_rounded out =
        wide_round(&sum, format->frac, 1 - format->bias - format->frac, rounding);
    if (out.exact_zero) /* two zeros of one sign keep it; else only rounding down gives -0 */
        out.negative = (is_zero(a) || is_zero(b)) && is_zero(c) && negative == c.negative
                           ? negative
                           : rounding == WIDE_DOWN;
    return number_encode(format, out, rounding, OVERFLOW_IEEE);
}

uint64_t number_fma(const struct number_format *format, struct number a, struct number b,
                    struct number c, enum wide_rounding rounding) {
    int negative = a.negative ^ b.negative;
    int infinite = a.kind == NUMBER_INFINITE || b.kind == NUMBER_INFINITE;
    if (a.kind == NUMBER_NAN || b.kind == NUMBER_NAN || c.kind == NUMBER_NAN)
        return format->nan;
    if (infinite && (is_zero(a) || is_zero(b)))
        return format->nan;
    if (infinite && c.kind == NUMBER_INFINITE && negative != c.negative)
        return format->nan;
    if (infinite)
        return number_infinity(format, negative);
    if (c.kind == NUMBER_INFINITE)
        return number_infinity(format, c.negative);
    return finite_fma(format, a, b, c, rounding);
}

uint64_t number_convert(const struct number_format *format, struct number value) {
    struct number one = {NUMBER_FINITE, 0, 0, 0, 1};
    struct number zero = {NUMBER_FINITE, value.negative, 0, 0, 0};
    return number_fma(format, one, value, zero, WIDE_NEAREST_EVEN);
}
