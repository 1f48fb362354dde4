/* large.h - integers of up to 3900 bits, for decimal numbers. The numerator of a decimal number is
 * at most 10^(770 + 310), and its denominator 10^(770 + 345). A subnormal f64 in powers of five
 * needs less. */
#ifndef WSIM_NUM_LARGE_H
#define WSIM_NUM_LARGE_H

#include <stdint.h>
#include <string.h>

enum { LARGE_LIMBS = 122 };

struct large {
    uint32_t limb[LARGE_LIMBS];
    unsigned n;
};

static inline void large_multiply(struct large *x, uint32_t factor, uint32_t add) {
    uint64_t carry = add;
    for (unsigned i = 0; i < x->n; i++) {
        carry += (uint64_t)x->limb[i] * factor;
        x->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        x->limb[x->n++] = (uint32_t)carry;
}

/* Divides x and returns the remainder. */
static inline uint32_t large_divide(struct large *x, uint32_t by) {
    uint64_t rest = 0;
    for (unsigned i = x->n; i-- > 0;) {
        rest = rest << 32 | x->limb[i];
        x->limb[i] = (uint32_t)(rest / by);
        rest %= by;
    }
    while (x->n && x->limb[x->n - 1] == 0)
        x->n--;
    return (uint32_t)rest;
}

static inline void large_shift(struct large *x, unsigned by) {
    unsigned limbs = by / 32;
    if (limbs) {
        memmove(x->limb + limbs, x->limb, x->n * sizeof x->limb[0]);
        memset(x->limb, 0, limbs * sizeof x->limb[0]);
        x->n += x->n ? limbs : 0;
    }
    large_multiply(x, (uint32_t)1 << by % 32, 0);
}

#endif
