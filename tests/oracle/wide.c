/* wide.c - whole numbers of units of 2^-2240, in limbs of 32 bits. */
#include "wide.h"

#include <string.h>

enum { TERM_LIMBS = 5 }; /* 128 bits of product, shifted by up to 31 */

void wide_clear(struct wide *sum) {
    memset(sum, 0, sizeof *sum);
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

static void add_limb(uint32_t *heap, int at, uint32_t limb) {
    uint64_t carry = limb;
    for (; carry != 0; at++) {
        carry += heap[at];
        heap[at] = (uint32_t)carry;
        carry >>= 32;
    }
}

void wide_add(struct wide *sum, int negative, uint64_t x, uint64_t y, int exp, int cut) {
    uint32_t product[4], term[TERM_LIMBS] = {0};
    int bit = exp + WIDE_POINT, at = bit / 32, shift = bit % 32;
    multiply(x, y, product);
    for (int i = 0; i < 4; i++) {
        uint64_t wide = (uint64_t)product[i] << shift;
        term[i] |= (uint32_t)wide;
        term[i + 1] |= (uint32_t)(wide >> 32);
    }
    for (int i = 0; i < TERM_LIMBS; i++)
        add_limb(negative ? sum->negative : sum->positive, at + i,
                 clear_below(term[i], at + i, cut + WIDE_POINT));
}

/* out = |positive - negative|; returns whether the difference is negative. */
static int difference(const struct wide *sum, uint32_t out[WIDE_LIMBS]) {
    int top = WIDE_LIMBS - 1;
    while (top > 0 && sum->positive[top] == sum->negative[top])
        top--;
    int negative = sum->positive[top] < sum->negative[top];
    const uint32_t *larger = negative ? sum->negative : sum->positive;
    const uint32_t *smaller = negative ? sum->positive : sum->negative;
    uint64_t borrow = 0;
    for (int i = 0; i < WIDE_LIMBS; i++) {
        uint64_t limb = (uint64_t)larger[i] - smaller[i] - borrow;
        out[i] = (uint32_t)limb;
        borrow = limb >> 63;
    }
    return negative;
}

/* Number of the highest set bit, -1 if there is none. */
static int highest_bit(const uint32_t heap[WIDE_LIMBS]) {
    int at = WIDE_LIMBS - 1, bit = 31;
    while (at >= 0 && heap[at] == 0)
        at--;
    while (at >= 0 && (heap[at] >> bit & 1) == 0)
        bit--;
    return at < 0 ? -1 : 32 * at + bit;
}

static int bit_of(const uint32_t heap[WIDE_LIMBS], int bit) {
    return bit >= 0 && (heap[bit / 32] >> bit % 32 & 1);
}

static int any_below(const uint32_t heap[WIDE_LIMBS], int bit) {
    for (int at = 0; 32 * at < bit; at++)
        if (heap[at] != clear_below(heap[at], at, bit))
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
    uint32_t heap[WIDE_LIMBS];
    int negative = difference(sum, heap);
    int top = highest_bit(heap);
    int last = top - frac; /* the last bit that is kept */
    if (last < lowest + WIDE_POINT)
        last = lowest + WIDE_POINT;
    struct wide_rounded out = {negative, top < 0, last - WIDE_POINT, 0};
    for (int bit = top; bit >= last; bit--)
        out.sig = out.sig << 1 | (unsigned)bit_of(heap, bit);
    int half = bit_of(heap, last - 1), rest = any_below(heap, last - 1);
    out.sig += (unsigned)rounds_up(negative, out.sig & 1, half, rest, rounding);
    return out;
}
