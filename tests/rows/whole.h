/* whole.h - integers of 192 bits in two's complement, the slow and obvious way. They hold sums and
 * products of registers without truncation. */
#ifndef ROWS_WHOLE_H
#define ROWS_WHOLE_H

#include <stdint.h>

enum { WHOLE_LIMBS = 6, WHOLE_BITS = 32 * WHOLE_LIMBS };

struct whole {
    uint32_t limb[WHOLE_LIMBS];
};

/* The lowest `bits` of a register, signed or not. */
static inline struct whole whole_of(uint64_t value, unsigned bits, int is_signed) {
    struct whole out;
    const int fill = is_signed && value >> (bits - 1) & 1;
    for (unsigned i = 0; i < WHOLE_LIMBS; i++)
        out.limb[i] = fill ? UINT32_MAX : 0;
    for (unsigned i = 0; i < bits; i++) {
        const uint32_t bit = UINT32_C(1) << i % 32;
        out.limb[i / 32] = value >> i & 1 ? out.limb[i / 32] | bit : out.limb[i / 32] & ~bit;
    }
    return out;
}

/* `n` bits of it from bit `from` on, right-aligned. */
static inline uint64_t whole_bits(struct whole a, unsigned from, unsigned n) {
    uint64_t out = 0;
    for (unsigned i = 0; i < n; i++)
        out |= (uint64_t)(a.limb[(from + i) / 32] >> (from + i) % 32 & 1) << i;
    return out;
}

static inline struct whole whole_add(struct whole a, struct whole b) {
    uint64_t carry = 0;
    for (unsigned i = 0; i < WHOLE_LIMBS; i++) {
        carry += (uint64_t)a.limb[i] + b.limb[i];
        a.limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return a;
}

static inline struct whole whole_negative(struct whole a) {
    for (unsigned i = 0; i < WHOLE_LIMBS; i++)
        a.limb[i] = ~a.limb[i];
    return whole_add(a, whole_of(1, 32, 0));
}

static inline struct whole whole_subtract(struct whole a, struct whole b) {
    return whole_add(a, whole_negative(b));
}

static inline struct whole whole_multiply(struct whole a, struct whole b) {
    struct whole out = whole_of(0, 1, 0);
    for (unsigned i = 0; i < WHOLE_LIMBS; i++) {
        uint64_t carry = 0;
        for (unsigned k = 0; i + k < WHOLE_LIMBS; k++) {
            carry += (uint64_t)a.limb[i] * b.limb[k] + out.limb[i + k];
            out.limb[i + k] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    return out;
}

static inline int whole_is_negative(struct whole a) {
    return a.limb[WHOLE_LIMBS - 1] >> 31 != 0;
}

static inline int whole_less(struct whole a, struct whole b) {
    return whole_is_negative(whole_subtract(a, b));
}

static inline int whole_is_zero(struct whole a) {
    for (unsigned i = 0; i < WHOLE_LIMBS; i++)
        if (a.limb[i])
            return 0;
    return 1;
}

static inline struct whole whole_magnitude(struct whole a) {
    return whole_is_negative(a) ? whole_negative(a) : a;
}

/* Toward minus infinity. */
static inline struct whole whole_shift_right(struct whole a, unsigned by) {
    struct whole out;
    for (unsigned i = 0; i < WHOLE_LIMBS; i++)
        out.limb[i] = 0;
    for (unsigned i = 0; i < WHOLE_BITS; i++) {
        const unsigned from = i + by < WHOLE_BITS ? i + by : WHOLE_BITS - 1;
        out.limb[i / 32] |= (a.limb[from / 32] >> from % 32 & 1) << i % 32;
    }
    return out;
}

/* Quotient and remainder toward zero, bit by bit; b is not 0. */
static inline struct whole whole_divide(struct whole a, struct whole b, struct whole *rest) {
    const struct whole top = whole_magnitude(a), bottom = whole_magnitude(b);
    struct whole out = whole_of(0, 1, 0);
    *rest = out;
    for (unsigned i = WHOLE_BITS; i-- > 0;) {
        *rest = whole_add(*rest, *rest);
        rest->limb[0] |= top.limb[i / 32] >> i % 32 & 1;
        if (!whole_less(*rest, bottom)) {
            *rest = whole_subtract(*rest, bottom);
            out.limb[i / 32] |= UINT32_C(1) << i % 32;
        }
    }
    if (whole_is_negative(a))
        *rest = whole_negative(*rest);
    return whole_is_negative(a) != whole_is_negative(b) ? whole_negative(out) : out;
}

/* The nearest number that `bits`, signed or not, hold. */
static inline struct whole whole_saturate(struct whole a, unsigned bits, int is_signed) {
    const uint64_t ones = bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
    const struct whole most = whole_of(is_signed ? ones >> 1 : ones, 64, 0);
    const struct whole least =
        is_signed ? whole_of(UINT64_C(1) << (bits - 1), bits, 1) : whole_of(0, 1, 0);
    return whole_less(a, least) ? least : whole_less(most, a) ? most : a;
}

#endif
