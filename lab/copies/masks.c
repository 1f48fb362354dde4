/* masks.c - memory of random bits with masks of kept and set bits. Pairs of numbers then reach the
 * limits of a sum, an order or a rounding. */
#include "masks.h"

#include "draw.h"

#include <inttypes.h>
#include <stdio.h>

uint64_t bits(unsigned n) {
    return n < 64 ? (UINT64_C(1) << n) - 1 : ~UINT64_C(0);
}

static struct masks masks(uint64_t keep, uint64_t set) {
    struct masks m = {keep, set};
    return m;
}

struct pair both(uint64_t keep, uint64_t set) {
    struct pair p = {{keep, set}, {keep, set}, 0};
    return p;
}

/* Pairs of floats whose sum is not just the greater one. */
static struct pair float_pair(const struct wsim_format *f, unsigned kind) {
    unsigned m = f->frac_bits, spread = m > 30 ? 6 : f->exp_bits > 5 ? 5 : 4;
    uint64_t sign = UINT64_C(1) << (f->bits - 1), fraction = bits(m), one = UINT64_C(1) << m;
    uint64_t special = bits(f->exp_bits) << m, bias = (uint64_t)f->bias;
    struct masks near = masks(sign | 3 * one | fraction, (bias & ~UINT64_C(3)) << m);
    struct masks marks = masks(sign | one >> 1 | 1, special);
    struct pair p = both(near.keep, near.set);
    switch (kind) {
    case 0: return both(bits(f->bits), 0);
    case 1: return p;
    case 2: /* exponents far and near */
        return both(sign | bits(spread) << m | fraction, (bias & ~bits(spread)) << m);
    case 3: /* few bits of a fraction: cancellation */
        return both(sign | one | 3 * (one >> 2) | 3, (bias & ~UINT64_C(1)) << m);
    case 4: return both(sign | one | fraction, 0);                     /* subnormals */
    case 5: return both(sign | 7 * one | fraction, 0);                 /* and their neighbours */
    case 6: return both(sign | 3 * one | fraction, special - 3 * one); /* overflow */
    case 7: return both(sign | fraction, special);                     /* NaNs */
    case 8: return both(marks.keep, marks.set);                        /* infinities and NaNs */
    case 9: p.global = marks; return p;
    case 10: p.shared = marks; return p;
    case 11: /* ties: the lower term is half of the last bit of the higher one, or near it */
        p.global = masks(sign | fraction, (bias + m + 1) << m);
        p.shared = masks(sign | one | one >> 1 | 1, (bias & ~UINT64_C(1)) << m);
        return p;
    case 12: return both(sign | one | 1, 0); /* zeros */
    case 13:                                 /* opposite */
        p.global.keep = p.shared.keep = near.keep & ~sign;
        p.shared.set |= sign;
        p.equal = 1;
        return p;
    default: p.equal = 1; return p;
    }
}

static struct pair integer_pair(const struct wsim_format *f, unsigned kind) {
    uint64_t sign = UINT64_C(1) << (f->bits - 1), all = bits(f->bits);
    struct pair p = both(all, 0);
    switch (kind) {
    case 0: return p;
    case 1: return both(7, 0);
    case 2: return both(sign | 3, all & ~sign & ~UINT64_C(3)); /* near the ends */
    case 3: return both(sign | 3, 0);
    default: p.equal = 1; return p;
    }
}

int is_float(const struct wsim_format *f) {
    return f->kind == WSIM_BINARY;
}

unsigned kinds_of(const struct wsim_format *f) {
    return is_float(f) ? FLOAT_MASKS : INT_MASKS;
}

struct pair pair_of(const struct wsim_format *f, unsigned kind) {
    return is_float(f) ? float_pair(f, kind) : integer_pair(f, kind);
}

static uint64_t everywhere(const struct wsim_format *f, uint64_t mask) {
    unsigned i;
    for (i = f->bits; i < 64; i *= 2)
        mask |= mask << i;
    return mask;
}

static void put_memory(char *out, size_t room, const struct wsim_format *f, struct masks m,
                       uint32_t seed, unsigned length) {
    snprintf(out, room, "@bits:%016" PRIx64 ":%016" PRIx64 ":%" PRIu32 ":%u", everywhere(f, m.keep),
             everywhere(f, m.set), seed, length);
}

struct memory draw_memory(const struct wsim_format *f, struct pair p, unsigned length) {
    struct memory out;
    uint32_t seed = draw(1000000);
    put_memory(out.global, sizeof out.global, f, p.global, seed, length);
    put_memory(out.smem, sizeof out.smem, f, p.shared, p.equal ? seed : draw(1000000), length);
    return out;
}
