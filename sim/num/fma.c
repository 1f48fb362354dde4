/* IEEE fused multiply-add on bits: an exact sum of up to 247 bits, rounded once. Knows the NaN
 * rules of the two units that use it, not which unit that is. */
#include "num.h"

/* A 256-bit two's complement number, lowest limb first. */
struct wide {
    uint64_t limb[4];
};

static struct wide wide_multiply(uint64_t x, uint64_t y) {
    uint64_t x0 = x & UINT32_MAX, x1 = x >> 32, y0 = y & UINT32_MAX, y1 = y >> 32;
    uint64_t low = x0 * y0, mid = x1 * y0 + (low >> 32), mid2 = x0 * y1 + (mid & UINT32_MAX);
    struct wide product = {{0, 0, 0, 0}};
    product.limb[0] = mid2 << 32 | (low & UINT32_MAX);
    product.limb[1] = x1 * y1 + (mid >> 32) + (mid2 >> 32);
    return product;
}

static struct wide wide_shift_left(struct wide x, unsigned n) {
    struct wide shifted = {{0, 0, 0, 0}};
    unsigned i, limbs = n / 64, bits = n % 64;
    for (i = limbs; i < 4; i++) {
        shifted.limb[i] = x.limb[i - limbs] << bits;
        if (bits && i > limbs)
            shifted.limb[i] |= x.limb[i - limbs - 1] >> (64 - bits);
    }
    return shifted;
}

static struct wide wide_add(struct wide x, struct wide y) {
    uint64_t carry = 0;
    unsigned i;
    for (i = 0; i < 4; i++) {
        uint64_t sum = x.limb[i] + carry;
        carry = sum < carry;
        x.limb[i] = sum + y.limb[i];
        carry |= x.limb[i] < sum;
    }
    return x;
}

static struct wide wide_negate(struct wide x) {
    struct wide one = {{1, 0, 0, 0}};
    unsigned i;
    for (i = 0; i < 4; i++)
        x.limb[i] = ~x.limb[i];
    return wide_add(x, one);
}

static int wide_negative(struct wide x) {
    return x.limb[3] >> 63 != 0;
}

/* The highest 64 bits of x > 0 as *mag, the last of them set if bits below it were lost; returns
 * their exponent. */
static int wide_narrow(struct wide x, uint64_t *mag) {
    uint64_t lost = 0;
    int i = 3, n = 0;
    while (i > 0 && x.limb[i] == 0)
        i--;
    while (!(x.limb[i] << n >> 63))
        n++;
    x = wide_shift_left(x, (unsigned)n);
    *mag = x.limb[i];
    n = 64 * i - n;
    while (i > 0)
        lost |= x.limb[--i];
    *mag |= lost != 0;
    return n;
}

/* sig * 2^exp with a sign: a product, or the addend. */
struct term {
    int negative, exp;
    struct wide sig;
};

static int is_zero(const struct term *x) {
    return !(x->sig.limb[0] | x->sig.limb[1]);
}

/* A lower term this far down only says "not exactly", and says it as well from here as from further
 * below. Proof, with the last bit of the higher term at 140: an addend < 2^53 under a product
 * leaves the last bit of the result at 140 - 52 - 1 or above; a product < 2^106 under an addend
 * leaves it at 140 - 1 or above, since the addend has 53 bits or the least exponent there is. Both
 * times the lower term is below a quarter of that bit. And 106 + 140 bits, a carry and a sign fit
 * in 256. */
#define FAR 140

static struct wide with_sign(struct wide sig, int negative) {
    return negative ? wide_negate(sig) : sig;
}

/* x + y, where x has the higher exponent, or y is zero. */
static struct num_exact add_terms(const struct term *x, const struct term *y, int zero_negative) {
    int lift = is_zero(y) ? 0 : x->exp - y->exp > FAR ? FAR : x->exp - y->exp;
    struct wide high = wide_shift_left(x->sig, (unsigned)lift);
    struct wide sum = wide_add(with_sign(high, x->negative), with_sign(y->sig, y->negative));
    struct num_exact exact = {0, 0, 0};
    exact.negative = wide_negative(sum);
    if (sum.limb[0] | sum.limb[1] | sum.limb[2] | sum.limb[3])
        exact.exp = x->exp - lift + wide_narrow(with_sign(sum, exact.negative), &exact.mag);
    else /* equal signs: two zeros */
        exact.negative = x->negative == y->negative ? x->negative : zero_negative;
    return exact;
}

struct num_exact num_fma_exact(struct wsim_value x, struct wsim_value y, struct wsim_value z,
                               int zero_negative) {
    struct term product, addend;
    product.negative = x.negative ^ y.negative;
    product.exp = x.exp + y.exp;
    product.sig = wide_multiply(x.sig, y.sig);
    addend.negative = z.negative;
    addend.exp = z.exp;
    addend.sig = wide_multiply(z.sig, 1);
    return !is_zero(&addend) && (is_zero(&product) || product.exp < addend.exp)
               ? add_terms(&addend, &product, zero_negative)
               : add_terms(&product, &addend, zero_negative);
}

/* A NaN operand passes its payload on, the one of b before those of c and a: H200 traces. */
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
