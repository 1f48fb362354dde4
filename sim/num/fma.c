/* IEEE fused multiply-add on bits: an exact sum, rounded once. The caller chooses one of two rules
 * for NaN, which differ between units. */
#include "bits.h"
#include "num.h"

/* A number of 128 bits. */
struct wide {
    uint64_t high, low;
};

static struct wide wide_multiply(uint64_t x, uint64_t y) {
    uint64_t x0 = x & UINT32_MAX, x1 = x >> 32, y0 = y & UINT32_MAX, y1 = y >> 32;
    uint64_t low = x0 * y0, mid = x1 * y0 + (low >> 32), mid2 = x0 * y1 + (mid & UINT32_MAX);
    struct wide product = {0, 0};
    product.low = mid2 << 32 | (low & UINT32_MAX);
    product.high = x1 * y1 + (mid >> 32) + (mid2 >> 32);
    return product;
}

/* n < 128 */
static struct wide wide_shift_left(struct wide x, unsigned n) {
    if (n >= 64) {
        x.high = x.low;
        x.low = 0;
        n -= 64;
    }
    if (n) {
        x.high = x.high << n | x.low >> (64 - n);
        x.low <<= n;
    }
    return x;
}

/* Sets the lowest bit of the result if bits were lost. */
static struct wide wide_shift_right(struct wide x, unsigned n) {
    uint64_t lost = 0;
    if (n >= 64) {
        lost = x.low;
        x.low = x.high;
        x.high = 0;
        n -= 64;
    }
    if (n >= 64) {
        lost |= x.low;
        x.low = 0;
    } else if (n) {
        lost |= x.low << (64 - n);
        x.low = x.low >> n | x.high << (64 - n);
        x.high >>= n;
    }
    x.low |= lost != 0;
    return x;
}

static struct wide wide_add(struct wide x, struct wide y) {
    x.low += y.low;
    x.high += y.high + (x.low < y.low);
    return x;
}

static struct wide wide_subtract(struct wide x, struct wide y) {
    x.high -= y.high + (x.low < y.low);
    x.low -= y.low;
    return x;
}

static int wide_less(struct wide x, struct wide y) {
    return x.high != y.high ? x.high < y.high : x.low < y.low;
}

static int wide_top(struct wide x) {
    return x.high ? 64 + bits_top(x.high) : bits_top(x.low);
}

static int wide_is_zero(struct wide x) {
    return !(x.high | x.low);
}

/* sig * 2^exp with a sign: a product, or the addend. */
struct term {
    int negative, exp;
    struct wide sig;
};

/* The highest bit of a raised term; one more is left for a carry. */
enum { TOP = 126 };

static void raise(struct term *x) {
    int n = TOP - wide_top(x->sig);
    x->sig = wide_shift_left(x->sig, (unsigned)n);
    x->exp -= n;
}

/* The highest 64 bits; the last one is set if any lower bit was lost. */
static struct num_exact narrow(const struct term *x) {
    struct num_exact exact = {0, 0, 0};
    unsigned n = (unsigned)(127 - wide_top(x->sig));
    struct wide sig = wide_shift_left(x->sig, n);
    exact.negative = x->negative;
    exact.exp = x->exp + 64 - (int)n;
    exact.mag = sig.high | (sig.low != 0);
    return exact;
}

/* x + y of nonzero terms. Both are raised to the same highest bit. Then the term with the lower
 * exponent is shifted down, and a sticky last bit replaces the bits that it loses.
 *
 * Proof that this rounds like the exact sum. A raised significand of at most 106 bits has zeros in
 * its last 20 bits, so only a shift by more than 20 loses bits. Then the sum is above 2^(TOP - 1),
 * and its last bit is far below the bits that narrow keeps. The shifted term with its sticky bit is
 * an odd number. It lies between the same two even numbers as the exact term, which is not even
 * either. The other term is even, so the same holds for the two sums. Their bits above the last
 * are equal, and neither has only zeros below. */
static struct num_exact add_terms(struct term x, struct term y, int zero_negative) {
    struct num_exact zero = {0, 0, 0};
    raise(&x);
    raise(&y);
    if (x.exp < y.exp || (x.exp == y.exp && wide_less(x.sig, y.sig))) {
        struct term lower = x;
        x = y;
        y = lower;
    }
    y.sig = wide_shift_right(y.sig, (unsigned)(x.exp - y.exp));
    x.sig = (x.negative == y.negative ? wide_add : wide_subtract)(x.sig, y.sig);
    zero.negative = zero_negative;
    return wide_is_zero(x.sig) ? zero : narrow(&x);
}

struct num_exact num_fma_exact(struct wsim_value x, struct wsim_value y, struct wsim_value z,
                               int zero_negative) {
    struct term product, addend;
    struct num_exact zero = {0, 0, 0};
    product.negative = x.negative ^ y.negative;
    product.exp = x.exp + y.exp;
    product.sig = wide_multiply(x.sig, y.sig);
    addend.negative = z.negative;
    addend.exp = z.exp;
    addend.sig.high = 0;
    addend.sig.low = z.sig;
    zero.negative = product.negative == addend.negative ? product.negative : zero_negative;
    if (wide_is_zero(product.sig))
        return z.sig ? narrow(&addend) : zero;
    return z.sig ? add_terms(product, addend, zero_negative) : narrow(&product);
}

/* A NaN operand passes its payload on; b has priority, then c, then a (traces of an H200). */
static uint64_t nan_of(const struct wsim_format *format, uint64_t a, uint64_t b, uint64_t c,
                       int canonical_nan) {
    uint64_t from[3], quiet = UINT64_C(1) << (format->frac_bits - 1);
    unsigned i;
    from[0] = b;
    from[1] = c;
    from[2] = a;
    for (i = 0; i < 3 && !canonical_nan; i++)
        if (wsim_format_decode(format, from[i]).cls == WSIM_NAN)
            return from[i] | quiet;
    return canonical_nan ? format->nan : format->nan | UINT64_C(1) << (format->bits - 1);
}

uint64_t num_fma(const struct wsim_format *format, uint64_t a, uint64_t b, uint64_t c,
                 enum wsim_rounding rounding, int canonical_nan) {
    struct wsim_value x = wsim_format_decode(format, a), y = wsim_format_decode(format, b);
    struct wsim_value z = wsim_format_decode(format, c);
    struct num_result result = {format, format->frac_bits, (uint8_t)rounding};
    struct num_exact exact;
    int infinite = x.cls == WSIM_INF || y.cls == WSIM_INF;
    int invalid = infinite && (x.cls == WSIM_ZERO || y.cls == WSIM_ZERO ||
                               (z.cls == WSIM_INF && z.negative != (x.negative ^ y.negative)));

    if (invalid || x.cls == WSIM_NAN || y.cls == WSIM_NAN || z.cls == WSIM_NAN)
        return nan_of(format, a, b, c, canonical_nan);
    if (infinite) {
        x.cls = WSIM_INF;
        x.negative ^= y.negative;
        return wsim_format_encode(format, x, rounding);
    }
    if (z.cls == WSIM_INF)
        return wsim_format_encode(format, z, rounding);

    exact = num_fma_exact(x, y, z, rounding == WSIM_RM);
    return num_round(&result, exact.negative, exact.mag, exact.exp, 0);
}

uint64_t num_add(const struct wsim_format *format, uint64_t a, uint64_t b) {
    uint64_t one = (uint64_t)format->bias << format->frac_bits;
    return num_fma(format, a, one, b, WSIM_RN, 1);
}
