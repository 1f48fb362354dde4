/* wide.c - whole numbers of units of 2^-2240, in limbs of 32 bits. */
#include "wide.h"

#include <string.h>

enum { TERM_LIMBS = 5 }; /* 128 bits of product, shifted by up to 31 */

void wide_clear(struct wide *sum) {
    memset(sum, 0, sizeof *sum);
    sum->from = WIDE_LIMBS - 1;
}

/* x * y as four limbs, as on paper. */
static void multiply(uint64_t x, uint64_t y, uint32_t out[4]) {
    uint32_t xs[2] = {(uint32_t)x, (uint32_t)(x >> 32)};
    uint32_t ys[2] = {(uint32_t)y, (uint32_t)(y >> 32)};
    memset(out, 0, 4 * sizeof *out);
    for (int i = 0; i < 2; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < 2; j++) {
            carry += (uint64_t)xs[i] * ys[j] + out[i + j];
            out[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        out[i + 2] = (uint32_t)carry;
    }
}

/* Clears the bits of `limb` (the limb number `at` of a heap) that lie below heap bit `cut`. */
static uint32_t clear_below(uint32_t limb, int at, int cut) {
    if (cut <= 32 * at)
        return limb;
    if (cut >= 32 * at + 32)
        return 0;
    return limb >> (cut - 32 * at) << (cut - 32 * at);
}

/* Adds `limb` and carries; returns the last limb that changed. */
static int add_limb(uint32_t *heap, int at, uint32_t limb) {
    uint64_t carry = (uint64_t)heap[at] + limb;
    heap[at] = (uint32_t)carry;
    while (carry >> 32) {
        carry = (uint64_t)heap[++at] + 1;
        heap[at] = (uint32_t)carry;
    }
    return at;
}

void wide_add(struct wide *sum, int negative, uint64_t x, uint64_t y, int exp, int cut) {
    uint32_t product[4], term[TERM_LIMBS] = {0};
    int bit = exp + WIDE_POINT, at = bit / 32, shift = bit % 32;
    if (x == 0 || y == 0)
        return;
    multiply(x, y, product);
    for (int i = 0; i < 4; i++) {
        uint64_t wide = (uint64_t)product[i] << shift;
        term[i] |= (uint32_t)wide;
        term[i + 1] |= (uint32_t)(wide >> 32);
    }
    sum->from = at < sum->from ? at : sum->from;
    for (int i = 0; i < TERM_LIMBS; i++) {
        int last = add_limb(negative ? sum->negative : sum->positive, at + i,
                            clear_below(term[i], at + i, cut + WIDE_POINT));
        sum->to = last > sum->to ? last : sum->to;
    }
}

/* A magnitude: limbs outside from..to are not written, and count as zero. */
struct magnitude {
    int negative, from, to;
    uint32_t limb[WIDE_LIMBS];
};

/* out = positive - negative. */
static void difference(const struct wide *sum, struct magnitude *out) {
    int top = sum->to;
    while (top > sum->from && sum->positive[top] == sum->negative[top])
        top--;
    out->negative = sum->positive[top] < sum->negative[top];
    out->from = sum->from, out->to = sum->to;
    const uint32_t *larger = out->negative ? sum->negative : sum->positive;
    const uint32_t *smaller = out->negative ? sum->positive : sum->negative;
    uint64_t borrow = 0;
    for (int i = out->from; i <= out->to; i++) {
        uint64_t limb = (uint64_t)larger[i] - smaller[i] - borrow;
        out->limb[i] = (uint32_t)limb;
        borrow = limb >> 63;
    }
}

/* Number of the highest set bit, -1 if there is none. */
static int highest_bit(const struct magnitude *x) {
    for (int at = x->to; at >= x->from; at--)
        for (int bit = 31; bit >= 0 && x->limb[at] != 0; bit--)
            if (x->limb[at] >> bit & 1)
                return 32 * at + bit;
    return -1;
}

static unsigned bit_of(const struct magnitude *x, int bit) {
    int at = bit / 32;
    return bit >= 0 && x->from <= at && at <= x->to ? x->limb[at] >> bit % 32 & 1 : 0;
}

static int any_below(const struct magnitude *x, int bit) {
    for (int at = x->from; at <= x->to; at++)
        if (x->limb[at] != clear_below(x->limb[at], at, bit))
            return 1;
    return 0;
}

static int rounds_up(int negative, int odd, int half, int rest, enum wide_rounding rounding) {
    switch (rounding) {
    case WIDE_NEAREST_EVEN: return half && (rest || odd);
    case WIDE_TOWARD_ZERO: return 0;
    case WIDE_DOWN: return negative && (half || rest);
    default: return !negative && (half || rest);
    }
}

struct wide_rounded wide_round(const struct wide *sum, int frac, int lowest,
                               enum wide_rounding rounding) {
    struct magnitude x;
    difference(sum, &x);
    int top = highest_bit(&x);
    int last = top - frac; /* the last bit that is kept */
    if (last < lowest + WIDE_POINT)
        last = lowest + WIDE_POINT;
    struct wide_rounded out = {x.negative, top < 0, last - WIDE_POINT, 0};
    for (int bit = top; bit >= last; bit--)
        out.sig = out.sig << 1 | bit_of(&x, bit);
    int half = (int)bit_of(&x, last - 1), rest = any_below(&x, last - 1);
    out.sig += (unsigned)rounds_up(x.negative, out.sig & 1, half, rest, rounding);
    return out;
}
