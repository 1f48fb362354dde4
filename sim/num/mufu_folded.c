/* Functions of numbers, rounded to nearest. The argument is a number of the text, so the assembler
 * computes them itself. Fixed-point numbers of 64 bits are far more exact than an f32, so one
 * rounding of theirs is right. */
#include "bits.h"
#include "mufu.h"

/* sign * mantissa * 2^exponent; the highest bit of the mantissa is set. */
struct wide {
    uint64_t mantissa;
    int exponent;
    int negative;
};

enum { ONE = 0x3F800000, ROUNDS = 24, SUBNORMAL = 0x00800000 };

/* floor(a * b / 2^64) */
static uint64_t high(uint64_t a, uint64_t b) {
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t middle = (a0 * b0 >> 32) + (uint32_t)(a1 * b0) + (uint32_t)(a0 * b1);
    return a1 * b1 + (a1 * b0 >> 32) + (a0 * b1 >> 32) + (middle >> 32);
}

static struct wide normal(uint64_t mantissa, int exponent) {
    const int up = 63 - bits_top(mantissa);
    return (struct wide){mantissa << up, exponent - up, 0};
}

static struct wide wide_of(uint32_t x) { /* x is not zero */
    const uint32_t exponent = x >> 23 & 0xFF, fraction = x & 0x7FFFFF;
    struct wide wide =
        normal(exponent ? fraction | 0x800000 : fraction, (exponent ? (int)exponent : 1) - 150);
    wide.negative = (int)(x >> 31);
    return wide;
}

/* To nearest even. 0: too large for an f32, or zero. */
static uint32_t f32_of(struct wide x) {
    const int exponent = x.exponent + 63; /* of the highest bit */
    const unsigned kept = exponent < -126 ? (unsigned)(ROUNDS + (exponent + 126)) : ROUNDS;
    uint64_t rest, half;
    uint32_t bits;
    if (exponent == -150) /* more than half of the least number */
        return x.mantissa << 1 ? 1 | (uint32_t)x.negative << 31 : 0;
    if (exponent > 127 || exponent < -150)
        return 0;
    half = UINT64_C(1) << (63 - kept);
    rest = x.mantissa & (2 * half - 1);
    bits = (uint32_t)(x.mantissa / half / 2);
    bits += rest > half || (rest == half && bits & 1);
    if (exponent >= -126)
        bits += (uint32_t)(exponent + 126) << 23;
    return bits >= 0x7F800000 ? 0 : bits | (uint32_t)x.negative << 31;
}

/* y = 1 / sqrt(v), digit by digit: y of 1 to 2, and v of 1/4 to 1 with an even exponent. */
static struct wide reciprocal_root(struct wide x) {
    const int odd = (x.exponent & 1) != 0;
    const uint64_t v = x.mantissa >> odd;
    uint64_t y = 0;
    for (uint64_t bit = UINT64_C(1) << 63; bit; bit >>= 1)
        if (high(high(y | bit, y | bit), v) <= UINT64_C(1) << 60)
            y |= bit;
    return normal(y, -(x.exponent + 64 + odd) / 2 - 62);
}

/* y = 1 / v, digit by digit, with v of 1/2 to 1. */
static struct wide reciprocal(struct wide x) {
    uint64_t y = 0;
    struct wide result;
    for (uint64_t bit = UINT64_C(1) << 63; bit; bit >>= 1)
        if (high(y | bit, x.mantissa) <= UINT64_C(1) << 62)
            y |= bit;
    result = normal(y, -(x.exponent + 64) - 62);
    result.negative = x.negative;
    return result;
}

static struct wide root(struct wide x) {
    const struct wide y = reciprocal_root(x);
    return normal(high(x.mantissa, y.mantissa), x.exponent + y.exponent + 64);
}

/* 2^(n + f): Horner's scheme of exp(f ln 2), with 62 bits behind the point. */
static struct wide power(struct wide x) {
    enum { TERMS = 22, TINY = -32 };
    static const uint64_t ln2 = UINT64_C(0xB17217F7D1CF79AB);
    const int above = x.exponent + 64; /* bits in front of the point */
    uint64_t fraction, power = UINT64_C(1) << 62;
    int whole = 0;
    if (above < TINY) /* nearest to 1 */
        return normal(1, 0);
    if (above > 8)
        return (struct wide){power, x.negative ? -1000 : 1000, 0};
    if (above > 0)
        whole = (int)(x.mantissa >> (64 - above));
    fraction = above >= 0 ? x.mantissa << above : x.mantissa >> -above;
    if (x.negative) {
        whole = -whole - (fraction != 0);
        fraction = -fraction;
    }
    fraction = high(fraction, ln2);
    for (unsigned k = TERMS; k; k--)
        power = (UINT64_C(1) << 62) + high(fraction, power) / k;
    return normal(power, whole - 62);
}

/* The exponent, and one bit for each square of the mantissa. */
static struct wide logarithm(struct wide x) {
    const int whole = x.exponent + 63;
    uint64_t m = x.mantissa, fraction = 0; /* m: 63 bits behind the point */
    struct wide result;
    for (unsigned i = 0; i < 62; i++) {
        m = high(m, m); /* 62 bits */
        fraction = fraction << 1 | m >> 63;
        m <<= !(m >> 63);
    }
    if (whole == 0 || whole == -1) {
        result = normal(whole ? (UINT64_C(1) << 62) - fraction : fraction, -62);
    } else {
        const uint64_t magnitude = (uint64_t)(whole < 0 ? -whole : whole) << 54;
        result = normal(whole < 0 ? magnitude - (fraction >> 8) : magnitude + (fraction >> 8), -54);
    }
    result.negative = whole < 0;
    return result;
}

/* Without .ftz the assembler scales what the unit cannot hold, and rounds each step. */
static uint32_t scaled_power(uint32_t x) {
    enum { LEAST = 0x42FC0000 }; /* -126 */
    struct wide wide = wide_of(x), half;
    if (!wide.negative || (x & 0x7FFFFFFF) <= LEAST)
        return f32_of(power(wide));
    wide.exponent--;
    half = wide_of(f32_of(power(wide)));
    return f32_of(normal(high(half.mantissa, half.mantissa), 2 * half.exponent + 64));
}

static uint32_t scaled_reciprocal(uint32_t x) {
    enum { MOST = 0x7E800000, DOWN = 2 }; /* 2^126; the reciprocal of a larger one is subnormal */
    struct wide wide = wide_of(x);
    if ((x & 0x7FFFFFFF) <= MOST)
        return f32_of(reciprocal(wide));
    wide.exponent -= DOWN;
    wide = wide_of(f32_of(reciprocal(wide)));
    wide.exponent -= DOWN;
    return f32_of(wide);
}

static uint32_t scaled_logarithm(uint32_t x) {
    enum { UP = 24 };
    struct wide wide = wide_of(x);
    if (x >= SUBNORMAL)
        return f32_of(logarithm(wide));
    wide.exponent += UP;
    wide = wide_of(f32_of(logarithm(wide))); /* of -102 to -126 */
    wide = normal((wide.mantissa >> 1) + ((uint64_t)UP << 56), -56);
    wide.negative = 1;
    return f32_of(wide);
}

/* An angle: `quarters` of a turn, and up to an eighth of a turn more or less, in radians. */
struct angle {
    struct wide rest;
    unsigned quarters;
};

/* |x| = m 2^e is m 2^e (2 / pi) quarters. Bits of 2 / pi that make whole turns do not matter, so
 * the product begins with bit e - 2. */
static struct angle angle_of(struct wide x) {
    enum {
        WORDS = 5
    }; /* up to 160 bits behind the point; no f32 is closer than 2^-70 to a quarter */
    static const uint32_t bits[] = {0,          0xA2F9836E, 0x4E441529, 0xFC2757D1, 0xF534DDC0,
                                    0xDB629599, 0x3C439041, 0xFE5163AB, 0xDEBBC561, 0xB7246E3A};
    static const uint64_t half_pi = UINT64_C(0xC90FDAA22168C234); /* 63 bits behind the point */
    const uint64_t m = x.mantissa >> 40;
    const unsigned from = (unsigned)(x.exponent + 40 - 2 + 32);
    uint32_t turn[WORDS]; /* the highest word first */
    uint64_t carry = 0, top, low;
    struct angle angle;
    for (unsigned i = WORDS; i-- > 0;) {
        const uint32_t *pair = bits + from / 32 + i;
        carry += (uint32_t)(((uint64_t)pair[0] << 32 | pair[1]) << from % 32 >> 32) * m;
        turn[i] = (uint32_t)carry;
        carry >>= 32;
    }
    angle.quarters = turn[0] >> 30;
    top = (uint64_t)turn[0] << 34 | (uint64_t)turn[1] << 2 | turn[2] >> 30;
    low = (uint64_t)turn[2] << 34 | (uint64_t)turn[3] << 2 | turn[4] >> 30;
    angle.rest.negative = (int)(top >> 63);
    if (angle.rest.negative) {
        angle.quarters++;
        top = ~top + (low == 0);
        low = -low;
    }
    angle.rest.exponent = -63;
    if (!top) {
        top = low;
        angle.rest.exponent -= 64;
    } else if (!(top >> 63)) {
        const int up = 63 - bits_top(top);
        top = top << up | low >> (64 - up);
        angle.rest.exponent -= up;
    }
    angle.rest.mantissa = high(top, half_pi);
    return angle;
}

/* The series of sine and cosine in the square of an angle of up to pi / 4. */
static struct wide series(struct wide angle, int is_cosine) {
    enum { TERMS = 12 };
    const struct wide x = normal(angle.mantissa, angle.exponent);
    const int down = -64 - x.exponent; /* of the fraction of 64 bits */
    const uint64_t fraction = down > 63 ? 0 : x.mantissa >> down, square = high(fraction, fraction);
    uint64_t sum = UINT64_C(1) << 62;
    for (unsigned k = TERMS; k; k--)
        sum = (UINT64_C(1) << 62) -
              high(square, sum) / (is_cosine ? (2 * k - 1) * 2 * k : 2 * k * (2 * k + 1));
    return is_cosine ? normal(sum, -62) : normal(high(x.mantissa, sum), x.exponent + 2);
}

static struct wide circular(struct wide x, int is_cosine) {
    struct angle angle = {x, 0};
    struct wide result;
    if (x.exponent + 63 >= -1) /* from 1/2 on */
        angle = angle_of(x);
    else
        angle.rest.negative = 0;
    angle.quarters += (unsigned)is_cosine;
    result = series(angle.rest, angle.quarters & 1);
    result.negative = (angle.quarters & 1 ? 0 : angle.rest.negative) ^ (angle.quarters >> 1 & 1) ^
                      (is_cosine ? 0 : x.negative);
    return result;
}

uint32_t mufu_folded(enum mufu_function function, int ftz, uint32_t x) {
    const uint32_t magnitude = x & 0x7FFFFFFF;
    uint32_t value;
    struct wide wide;
    if (!magnitude || magnitude >= 0x7F800000 ||
        ((ftz || function == MUFU_SIN) && magnitude < SUBNORMAL) ||
        (x >> 31 && (function == MUFU_RSQRT || function == MUFU_SQRT || function == MUFU_LG2)))
        return 0;
    wide = wide_of(x);
    switch (function) {
    case MUFU_RCP: value = scaled_reciprocal(x); break;
    case MUFU_SQRT: value = f32_of(root(wide)); break;
    case MUFU_RSQRT: value = f32_of(reciprocal_root(wide)); break;
    case MUFU_EX2: value = scaled_power(x); break;
    case MUFU_LG2: value = x == ONE ? 0 : scaled_logarithm(x); break;
    case MUFU_SIN:
    case MUFU_COS: value = f32_of(circular(wide, function == MUFU_COS)); break;
    default: return 0;
    }
    if ((value & 0x7FFFFFFF) >= 0x7F800000 || (ftz && (value & 0x7FFFFFFF) < SUBNORMAL))
        return 0;
    return value;
}
