/* operands.h - operands of any case of any operation, from numbers alone; the same in C and CUDA.
 *
 * A word of a case is a function of (seed, operation, case, operand, register, lane) and the
 * distribution. Nothing is stored, so a GPU and a CPU can each make the same case, in any order.
 * What the operands of an operation look like is in struct hw_plan (plan.c), plain data.
 */
#ifndef HW_OPERANDS_H
#define HW_OPERANDS_H

#include <stdint.h>

#ifdef __CUDACC__
#define HW_BOTH static __host__ __device__ inline
#else
#define HW_BOTH static inline
#endif

enum hw_dist {
    HW_RAW,        /* any bits, padding too                                                   */
    HW_NEAR_ONE,   /* exponents about zero; integers: -2 to 2                                 */
    HW_FINITE,     /* any exponent but that of infinity                                       */
    HW_CANCELLING, /* products in pairs of opposite sign                                      */
    HW_SUBNORMAL,  /* subnormals and the least normal numbers; integers: 0 and 1              */
    HW_WIDE,       /* exponents as far apart as alignment keeps; integers: any magnitude      */
    HW_SPECIALS,   /* infinities, NaNs, zeros, ends of the range among ordinary numbers       */
    HW_OVERFLOW,   /* products and sums that reach the end of the range                       */
    HW_C_ALONE,    /* A and B are zeros of either sign                                        */
    HW_NARROW,     /* one exponent                                                            */
    HW_ONE_HOT,    /* one nonzero in each row of A                                            */
    HW_POSITION,   /* A or B picks one row or column of the other, whose elements differ      */
    HW_EXTREMES,   /* the ends of the range, large and small                                  */
    HW_DISTS
};

/* The inputs that a case can have, in the order in which they lie in its block. */
enum hw_input {
    HW_A,
    HW_B,
    HW_C,
    HW_E,
    HW_SFA,
    HW_SFB,
    HW_PICK,
    HW_R,
    HW_SMEM,
    HW_ADDR,
    HW_INPUTS
};

enum { HW_WINDOW_ROWS = 16, HW_WINDOW_BYTES = HW_WINDOW_ROWS * 128 };

struct hw_operand {
    uint16_t first, rows; /* registers of 32 words in the block of a case; 0 rows: not there  */
    uint8_t elem_bits;    /* container of one element                                         */
    uint8_t bits, pad;    /* of the value; zero bits below it                                 */
    uint8_t is_float, exp_bits, frac_bits, infinities, has_nan;
    int16_t bias;
    uint16_t extent; /* how many elements stand along k                                       */
    uint32_t lane[5], elem[8]; /* layout: row in bits 0-11, column 12-23, batch 24-31         */
};

struct hw_plan {
    uint64_t key; /* of the spelling                                                          */
    uint32_t in_rows, out_rows;
    uint32_t elements; /* results of a case                                                   */
    uint8_t selector, sparse, store;
    uint8_t nibbles, nibble[16]; /* sparse: the defined metadata nibbles                  */
    uint8_t bytes_a, bytes_b;    /* block scale: how many byte-ids                        */
    struct hw_operand input[HW_INPUTS];
};

/* splitmix64's finaliser, public domain */
HW_BOTH uint64_t hw_mix(uint64_t z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

HW_BOTH uint64_t hw_hash(uint64_t seed, uint64_t counter) {
    return hw_mix(seed + (counter + 1) * 0x9e3779b97f4a7c15u);
}

/* What a case is made from. */
struct hw_case {
    uint64_t base;
    enum hw_dist dist;
};

HW_BOTH struct hw_case hw_case_at(const struct hw_plan *plan, uint64_t seed, uint64_t number,
                                  unsigned dist) {
    struct hw_case c;
    c.base = hw_hash(hw_hash(hw_hash(seed, plan->key), plan->selector), number);
    c.dist = (enum hw_dist)(dist < HW_DISTS ? dist : number % HW_DISTS);
    return c;
}

HW_BOTH uint32_t hw_coord(const struct hw_operand *o, unsigned lane, unsigned elem) {
    uint32_t at = 0;
    for (int i = 0; i < 5; i++)
        at ^= lane >> i & 1 ? o->lane[i] : 0;
    for (int i = 0; i < 8; i++)
        at ^= elem >> i & 1 ? o->elem[i] : 0;
    return at;
}

HW_BOTH uint64_t hw_ones(unsigned bits) {
    return bits < 64 ? (1ull << bits) - 1 : ~0ull;
}

/* A float that is neither infinity nor NaN. */
HW_BOTH uint64_t hw_build(const struct hw_operand *o, uint64_t sign, int field, uint64_t frac) {
    int top = (1 << o->exp_bits) - (o->infinities ? 2 : 1);
    field = field < 0 ? 0 : field > top ? top : field;
    frac &= hw_ones(o->frac_bits);
    if (!o->infinities && o->has_nan && field == top && frac == hw_ones(o->frac_bits))
        frac ^= 1;
    return (sign & 1) << (o->exp_bits + o->frac_bits) | (uint64_t)field << o->frac_bits | frac;
}

/* A pattern with a meaning of its own; formats without specials give their largest numbers. */
HW_BOTH uint64_t hw_special(const struct hw_operand *o, uint64_t r) {
    uint64_t sign = r >> 8 & 1, all = hw_ones(o->frac_bits), top = hw_ones(o->exp_bits);
    uint64_t infinity = sign << (o->exp_bits + o->frac_bits) | top << o->frac_bits;
    switch (r % 8) {
    case 0: return hw_build(o, sign, 0, 0);
    case 1: return hw_build(o, sign, 0, 1);
    case 2: return hw_build(o, sign, 0, all);
    case 3: return hw_build(o, sign, 1, 0);
    case 4: return hw_build(o, sign, (int)top, all);
    case 5: return infinity;
    case 6: return infinity | all;
    default: return infinity | (r >> 16 & all);
    }
}

HW_BOTH uint64_t hw_float(const struct hw_operand *o, int is_c, enum hw_dist dist, uint64_t r) {
    int bias = o->bias, top = (int)hw_ones(o->exp_bits), spread = (int)(r >> 40 & 0xffff);
    int reach = o->exp_bits > 5 ? 49 : 33;
    uint64_t sign = r >> 63;
    switch (dist) {
    case HW_RAW: return r;
    case HW_FINITE: return hw_build(o, sign, spread % (top + 1), r);
    case HW_SUBNORMAL:
        return hw_build(o, sign, r >> 61 & 3 ? spread % 2 : bias + spread % 4 - 2, r);
    case HW_WIDE: return hw_build(o, sign, bias + spread % reach - reach / 2, r);
    case HW_SPECIALS:
        return r >> 36 & (is_c ? 3 : 15) ? hw_build(o, sign, bias + spread % 4 - 2, r)
                                         : hw_special(o, r >> 8);
    case HW_OVERFLOW:
        return hw_build(o, sign, r >> 62 & 1 ? bias + spread % 3 - 1 : top - spread % 4, r);
    case HW_C_ALONE: return is_c ? r : hw_build(o, sign, 0, 0);
    case HW_NARROW: return hw_build(o, sign, bias, r);
    case HW_EXTREMES: return hw_build(o, sign, r >> 62 & 1 ? spread % 3 : top - spread % 3, r);
    default: return hw_build(o, sign, bias + spread % 4 - 2, r);
    }
}

HW_BOTH uint64_t hw_integer(const struct hw_operand *o, int is_c, enum hw_dist dist, uint64_t r) {
    uint64_t top = 1ull << (o->bits - 1), near = r >> 40 & 7;
    switch (dist) {
    case HW_NEAR_ONE: return (r >> 40) % 5 - 2;
    case HW_SUBNORMAL: return r >> 40 & 1;
    case HW_NARROW: return near - 4;
    case HW_WIDE: return (r & hw_ones(o->bits)) >> (r >> 40) % o->bits;
    case HW_C_ALONE: return is_c ? r : 0;
    case HW_SPECIALS: return r >> 44 & 7 ? r : near & 1 ? top : 0;
    case HW_OVERFLOW: return r >> 44 & 1 ? top - 1 - near : top + near;
    case HW_EXTREMES: return near & 1 ? top - (near >> 1 & 1) : near & 2 ? 2 * top - 1 : near >> 2;
    default: return r;
    }
}

HW_BOTH uint64_t hw_value(const struct hw_operand *o, int is_c, enum hw_dist dist, uint64_t r) {
    return o->is_float ? hw_float(o, is_c, dist, r) : hw_integer(o, is_c, dist, r);
}

HW_BOTH uint64_t hw_one(const struct hw_operand *o) {
    return o->is_float ? hw_build(o, 0, o->bias, 0) : 1;
}

/* The element along k that row or column `across` lets through. */
HW_BOTH int hw_is_hot(const struct hw_operand *o, uint64_t stream, unsigned along, unsigned across,
                      unsigned batch) {
    return along == hw_hash(stream, 1ull << 40 | batch << 16 | across) % o->extent;
}

/* A in pairs of opposite values along k, B in runs of equal ones; now and then one is replaced. */
HW_BOTH uint64_t hw_cancelling(const struct hw_operand *o, int which, uint64_t stream,
                               uint32_t at) {
    uint64_t r = hw_hash(stream, at), same;
    int minus = which == HW_A && at >> 12 & 1;
    if (which == HW_C || r % 29 == 0)
        return hw_value(o, which == HW_C, HW_CANCELLING, r);
    r = hw_hash(stream, 1ull << 41 | (which == HW_A ? at & ~(1u << 12) : at & ~7u));
    same = hw_value(o, 0, r & 1 ? HW_NEAR_ONE : HW_FINITE, r);
    if (!minus)
        return same;
    return o->is_float ? same ^ 1ull << (o->exp_bits + o->frac_bits) : 0 - same;
}

/* One-hot: A has one element in each row. Position: so, or B in each column, and that one is 1. */
HW_BOTH uint64_t hw_hot(const struct hw_operand *o, const struct hw_case *c, int sparse, int which,
                        uint64_t stream, uint32_t at) {
    int position = c->dist == HW_POSITION;
    int picks = position && !sparse && c->base & 1 ? HW_B : HW_A;
    unsigned row = at & 0xfff, col = at >> 12 & 0xfff;
    uint64_t r = hw_hash(stream, at);
    int hot = which == HW_A ? hw_is_hot(o, stream, col, row, at >> 24)
                            : hw_is_hot(o, stream, row, col, at >> 24);
    if (which == HW_C)
        return position ? 0 : hw_value(o, 1, HW_FINITE, r);
    if (which != picks)
        return hw_value(o, 0, HW_FINITE, r);
    return !hot ? 0 : position ? hw_one(o) : hw_value(o, 0, HW_FINITE, r);
}

/* The container bits of one element; what the format ignores is noise. */
HW_BOTH uint64_t hw_element(const struct hw_operand *o, const struct hw_case *c, int sparse,
                            int which, uint32_t at) {
    uint64_t stream = c->base ^ (uint64_t)(which + 1) << 56, v;
    uint64_t used = hw_ones(o->bits) << o->pad, r = hw_hash(stream, at);
    if (c->dist == HW_RAW)
        return r & hw_ones(o->elem_bits);
    if (c->dist == HW_CANCELLING)
        v = hw_cancelling(o, which, stream, at);
    else if (c->dist == HW_ONE_HOT || c->dist == HW_POSITION)
        v = hw_hot(o, c, sparse, which, stream, at);
    else
        v = hw_value(o, which == HW_C, c->dist, r);
    return ((v << o->pad & used) | (hw_mix(r) & ~used)) & hw_ones(o->elem_bits);
}

HW_BOTH uint32_t hw_numbers(const struct hw_operand *o, const struct hw_case *c, int sparse,
                            int which, unsigned reg, unsigned lane) {
    unsigned each = 32u / (o->elem_bits < 32 ? o->elem_bits : 32), i;
    uint32_t word = 0;
    if (o->elem_bits == 64)
        return (uint32_t)(hw_element(o, c, sparse, which, hw_coord(o, lane, reg / 2)) >>
                          32 * (reg % 2));
    if (c->dist == HW_RAW)
        return (uint32_t)hw_hash(c->base ^ (uint64_t)(which + 1) << 56, reg * 32 + lane);
    for (i = 0; i < each; i++)
        word |= (uint32_t)hw_element(o, c, sparse, which, hw_coord(o, lane, reg * each + i))
                << i * o->elem_bits;
    return word;
}

/* Metadata: defined nibbles where the selector looks, noise elsewhere. */
HW_BOTH uint32_t hw_metadata(const struct hw_plan *plan, const struct hw_case *c, unsigned lane) {
    const struct hw_operand *o = &plan->input[HW_E];
    uint32_t word = 0;
    for (unsigned i = 0; i < 8; i++) {
        uint64_t r = hw_hash(c->base ^ 0xe0000000000000ull, i * 32 + lane) >> 8;
        int counts = hw_coord(o, lane, i) >> 24 == plan->selector;
        word |= (uint32_t)(counts ? plan->nibble[r % plan->nibbles] : r & 15) << 4 * i;
    }
    return word;
}

/* Four scale factors: mostly about one. */
HW_BOTH uint32_t hw_scales(const struct hw_operand *o, const struct hw_case *c, int which,
                           unsigned lane) {
    uint32_t word = 0;
    for (unsigned i = 0; i < 4; i++) {
        uint64_t r = hw_hash(c->base ^ (uint64_t)(which + 1) << 56, i * 32 + lane);
        uint32_t one = (uint32_t)o->bias << o->frac_bits, v = one + (uint32_t)(r % 17) - 8;
        if (c->dist == HW_RAW || (c->dist == HW_SPECIALS && r >> 60 == 0))
            v = (uint32_t)(r >> 32);
        if (c->dist == HW_SUBNORMAL)
            v = r >> 32 & 63;
        if (c->dist == HW_OVERFLOW || c->dist == HW_EXTREMES)
            v = one + (one >> 1) + (r >> 32 & 63);
        word |= (v & 0xff) << 8 * i;
    }
    return word;
}

/* byte-id and thread-id of A, then of B, a byte each; the same in every lane. */
HW_BOTH uint32_t hw_pick(const struct hw_plan *plan, const struct hw_case *c) {
    uint32_t r = (uint32_t)hw_hash(c->base, 0x5e1);
    uint32_t bid_a = (r & 0xff) % plan->bytes_a * (4u / plan->bytes_a);
    uint32_t bid_b = (r >> 8 & 0xff) % plan->bytes_b * (4u / plan->bytes_b);
    return bid_a | (r >> 16 & 1) << 8 | bid_b << 16 | (r >> 24 & 3) << 24;
}

/* Row addresses: 32 different rows of the window, or (loads, every other case) any. */
HW_BOTH uint32_t hw_address(const struct hw_plan *plan, const struct hw_case *c, unsigned lane) {
    uint32_t r = (uint32_t)hw_hash(c->base, 0xadd);
    uint32_t row = (lane * (2 * (r >> 8 & 63) + 1) + (r >> 16)) ^ r >> 1;
    if (!plan->store && r & 1)
        row = (uint32_t)hw_hash(c->base, 0xadd00 + lane);
    return row % (HW_WINDOW_BYTES / 16) * 16;
}

/* Word `lane` of register `row` in the block of a case. */
HW_BOTH uint32_t hw_word(const struct hw_plan *plan, const struct hw_case *c, unsigned row,
                         unsigned lane) {
    int which = 0;
    while (row >= (unsigned)plan->input[which].first + plan->input[which].rows)
        which++;
    const struct hw_operand *o = &plan->input[which];
    row -= o->first;
    switch (which) {
    case HW_E: return hw_metadata(plan, c, lane);
    case HW_SFA:
    case HW_SFB: return hw_scales(o, c, which, lane);
    case HW_PICK: return hw_pick(plan, c);
    case HW_SMEM: return (uint32_t)hw_hash(c->base ^ 0x5000000000000ull, row * 32 + lane);
    case HW_ADDR: return hw_address(plan, c, lane);
    default: return hw_numbers(o, c, plan->sparse, which, row, lane);
    }
}

#endif
