/* stream.h - operands of any case of any operation, from numbers alone; the same in C and CUDA.
 *
 * A word of a case is a function of (seed, operation, case, operand, register, lane) and the
 * distribution. Nothing is stored, so a GPU and a CPU can each make the same case, in any order.
 * What the operands of an operation look like is in struct wsim_plan (cases.h), plain data.
 * This is stream 1. Recordings name it: a change here is another stream and makes digests of this
 * one worthless.
 */
#ifndef WSIM_STREAM_H
#define WSIM_STREAM_H

#include <stdint.h>

#define WSIM_STREAM 1

#ifdef __CUDACC__
#define WSIM_BOTH static __host__ __device__ inline
#else
#define WSIM_BOTH static inline
#endif

enum wsim_dist {
    WSIM_DIST_RAW, /* any bits, padding too                                                   */
    WSIM_DIST_NEAR_ONE, /* exponents about zero; integers: -2 to 2 */
    WSIM_DIST_FINITE, /* any exponent but that of infinity                                       */
    WSIM_DIST_CANCELLING, /* products in pairs of opposite sign */
    WSIM_DIST_SUBNORMAL,  /* subnormals and the least normal numbers; integers: 0 and 1  */
    WSIM_DIST_WIDE, /* exponents as far apart as alignment keeps; integers: any magnitude      */
    WSIM_DIST_SPECIALS, /* infinities, NaNs, zeros, ends of the range among ordinary numbers */
    WSIM_DIST_OVERFLOW, /* products and sums that reach the end of the range */
    WSIM_DIST_C_ALONE, /* A and B are zeros of either sign                                        */
    WSIM_DIST_NARROW,  /* one exponent                                                            */
    WSIM_DIST_ONE_HOT, /* one nonzero in each row of A                                            */
    WSIM_DIST_POSITION, /* A or B picks one row or column of the other, whose elements differ */
    WSIM_DIST_EXTREMES, /* the ends of the range, large and small */
    WSIM_DISTS
};

/* The inputs that a case can have, in the order in which they lie in its block. */
enum wsim_input {
    WSIM_IN_A,
    WSIM_IN_B,
    WSIM_IN_C,
    WSIM_IN_E,
    WSIM_IN_SFA,
    WSIM_IN_SFB,
    WSIM_IN_PICK,
    WSIM_IN_R,
    WSIM_IN_SMEM,
    WSIM_IN_ADDR,
    WSIM_INPUTS
};

enum { WSIM_CASE_WINDOW_ROWS = 16, WSIM_CASE_WINDOW_BYTES = WSIM_CASE_WINDOW_ROWS * 128 };

struct wsim_plan_input {
    uint16_t first, rows; /* registers of 32 words in the block of a case; 0 rows: not there  */
    uint8_t elem_bits;    /* container of one element                                         */
    uint8_t bits, pad;    /* of the value; zero bits below it                                 */
    uint8_t is_float, exp_bits, frac_bits, infinities, has_nan;
    int16_t bias;
    uint16_t extent; /* how many elements stand along k                                       */
    uint32_t lane[5], elem[8]; /* layout: row in bits 0-11, column 12-23, batch 24-31         */
};

struct wsim_plan {
    uint64_t key; /* of the spelling                                                          */
    uint32_t in_rows, out_rows;
    uint32_t elements; /* results of a case                                                   */
    uint8_t selector, sparse, store;
    uint8_t nibbles, nibble[16]; /* sparse: the defined metadata nibbles                  */
    uint8_t bytes_a, bytes_b;    /* block scale: how many byte-ids                        */
    struct wsim_plan_input input[WSIM_INPUTS];
};

/* splitmix64's finaliser, public domain */
WSIM_BOTH uint64_t wsim_stream_mix(uint64_t z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

WSIM_BOTH uint64_t wsim_stream_hash(uint64_t seed, uint64_t counter) {
    return wsim_stream_mix(seed + (counter + 1) * 0x9e3779b97f4a7c15u);
}

/* What a case is made from. */
struct wsim_case {
    uint64_t base;
    enum wsim_dist dist;
};

WSIM_BOTH struct wsim_case wsim_case_at(const struct wsim_plan *plan, uint64_t seed,
                                        uint64_t number, unsigned dist) {
    struct wsim_case c;
    c.base = wsim_stream_hash(wsim_stream_hash(wsim_stream_hash(seed, plan->key), plan->selector),
                              number);
    c.dist = (enum wsim_dist)(dist < WSIM_DISTS ? dist : number % WSIM_DISTS);
    return c;
}

WSIM_BOTH uint32_t wsim_stream_coord(const struct wsim_plan_input *o, unsigned lane,
                                     unsigned elem) {
    uint32_t at = 0;
    for (int i = 0; i < 5; i++)
        at ^= lane >> i & 1 ? o->lane[i] : 0;
    for (int i = 0; i < 8; i++)
        at ^= elem >> i & 1 ? o->elem[i] : 0;
    return at;
}

WSIM_BOTH uint64_t wsim_stream_ones(unsigned bits) {
    return bits < 64 ? (1ull << bits) - 1 : ~0ull;
}

/* A float that is neither infinity nor NaN. */
WSIM_BOTH uint64_t wsim_stream_build(const struct wsim_plan_input *o, uint64_t sign, int field,
                                     uint64_t frac) {
    int top = (1 << o->exp_bits) - (o->infinities ? 2 : 1);
    field = field < 0 ? 0 : field > top ? top : field;
    frac &= wsim_stream_ones(o->frac_bits);
    if (!o->infinities && o->has_nan && field == top && frac == wsim_stream_ones(o->frac_bits))
        frac ^= 1;
    return (sign & 1) << (o->exp_bits + o->frac_bits) | (uint64_t)field << o->frac_bits | frac;
}

/* A pattern with a meaning of its own; formats without specials give their largest numbers. */
WSIM_BOTH uint64_t wsim_stream_special(const struct wsim_plan_input *o, uint64_t r) {
    uint64_t sign = r >> 8 & 1, all = wsim_stream_ones(o->frac_bits),
             top = wsim_stream_ones(o->exp_bits);
    uint64_t infinity = sign << (o->exp_bits + o->frac_bits) | top << o->frac_bits;
    switch (r % 8) {
    case 0: return wsim_stream_build(o, sign, 0, 0);
    case 1: return wsim_stream_build(o, sign, 0, 1);
    case 2: return wsim_stream_build(o, sign, 0, all);
    case 3: return wsim_stream_build(o, sign, 1, 0);
    case 4: return wsim_stream_build(o, sign, (int)top, all);
    case 5: return infinity;
    case 6: return infinity | all;
    default: return infinity | (r >> 16 & all);
    }
}

WSIM_BOTH uint64_t wsim_stream_float(const struct wsim_plan_input *o, int is_c, enum wsim_dist dist,
                                     uint64_t r) {
    int bias = o->bias, top = (int)wsim_stream_ones(o->exp_bits), spread = (int)(r >> 40 & 0xffff);
    int reach = o->exp_bits > 5 ? 49 : 33;
    uint64_t sign = r >> 63;
    switch (dist) {
    case WSIM_DIST_RAW: return r;
    case WSIM_DIST_FINITE: return wsim_stream_build(o, sign, spread % (top + 1), r);
    case WSIM_DIST_SUBNORMAL:
        return wsim_stream_build(o, sign, r >> 61 & 3 ? spread % 2 : bias + spread % 4 - 2, r);
    case WSIM_DIST_WIDE: return wsim_stream_build(o, sign, bias + spread % reach - reach / 2, r);
    case WSIM_DIST_SPECIALS:
        return r >> 36 & (is_c ? 3 : 15) ? wsim_stream_build(o, sign, bias + spread % 4 - 2, r)
                                         : wsim_stream_special(o, r >> 8);
    case WSIM_DIST_OVERFLOW:
        return wsim_stream_build(o, sign, r >> 62 & 1 ? bias + spread % 3 - 1 : top - spread % 4,
                                 r);
    case WSIM_DIST_C_ALONE: return is_c ? r : wsim_stream_build(o, sign, 0, 0);
    case WSIM_DIST_NARROW: return wsim_stream_build(o, sign, bias, r);
    case WSIM_DIST_EXTREMES:
        return wsim_stream_build(o, sign, r >> 62 & 1 ? spread % 3 : top - spread % 3, r);
    default: return wsim_stream_build(o, sign, bias + spread % 4 - 2, r);
    }
}

WSIM_BOTH uint64_t wsim_stream_integer(const struct wsim_plan_input *o, int is_c,
                                       enum wsim_dist dist, uint64_t r) {
    uint64_t top = 1ull << (o->bits - 1), near = r >> 40 & 7;
    switch (dist) {
    case WSIM_DIST_NEAR_ONE: return (r >> 40) % 5 - 2;
    case WSIM_DIST_SUBNORMAL: return r >> 40 & 1;
    case WSIM_DIST_NARROW: return near - 4;
    case WSIM_DIST_WIDE: return (r & wsim_stream_ones(o->bits)) >> (r >> 40) % o->bits;
    case WSIM_DIST_C_ALONE: return is_c ? r : 0;
    case WSIM_DIST_SPECIALS: return r >> 44 & 7 ? r : near & 1 ? top : 0;
    case WSIM_DIST_OVERFLOW: return r >> 44 & 1 ? top - 1 - near : top + near;
    case WSIM_DIST_EXTREMES:
        return near & 1 ? top - (near >> 1 & 1) : near & 2 ? 2 * top - 1 : near >> 2;
    default: return r;
    }
}

WSIM_BOTH uint64_t wsim_stream_value(const struct wsim_plan_input *o, int is_c, enum wsim_dist dist,
                                     uint64_t r) {
    return o->is_float ? wsim_stream_float(o, is_c, dist, r)
                       : wsim_stream_integer(o, is_c, dist, r);
}

WSIM_BOTH uint64_t wsim_stream_one(const struct wsim_plan_input *o) {
    return o->is_float ? wsim_stream_build(o, 0, o->bias, 0) : 1;
}

/* The element along k that row or column `across` lets through. */
WSIM_BOTH int wsim_stream_is_hot(const struct wsim_plan_input *o, uint64_t stream, unsigned along,
                                 unsigned across, unsigned batch) {
    return along == wsim_stream_hash(stream, 1ull << 40 | batch << 16 | across) % o->extent;
}

/* A in pairs of opposite values along k, B in runs of equal ones; now and then one is replaced. */
WSIM_BOTH uint64_t wsim_stream_cancelling(const struct wsim_plan_input *o, int which,
                                          uint64_t stream, uint32_t at) {
    uint64_t r = wsim_stream_hash(stream, at), same;
    int minus = which == WSIM_IN_A && at >> 12 & 1;
    if (which == WSIM_IN_C || r % 29 == 0)
        return wsim_stream_value(o, which == WSIM_IN_C, WSIM_DIST_CANCELLING, r);
    r = wsim_stream_hash(stream, 1ull << 41 | (which == WSIM_IN_A ? at & ~(1u << 12) : at & ~7u));
    same = wsim_stream_value(o, 0, r & 1 ? WSIM_DIST_NEAR_ONE : WSIM_DIST_FINITE, r);
    if (!minus)
        return same;
    return o->is_float ? same ^ 1ull << (o->exp_bits + o->frac_bits) : 0 - same;
}

/* One-hot: A has one element in each row. Position: so, or B in each column, and that one is 1. */
WSIM_BOTH uint64_t wsim_stream_hot(const struct wsim_plan_input *o, const struct wsim_case *c,
                                   int sparse, int which, uint64_t stream, uint32_t at) {
    int position = c->dist == WSIM_DIST_POSITION;
    int picks = position && !sparse && c->base & 1 ? WSIM_IN_B : WSIM_IN_A;
    unsigned row = at & 0xfff, col = at >> 12 & 0xfff;
    uint64_t r = wsim_stream_hash(stream, at);
    int hot = which == WSIM_IN_A ? wsim_stream_is_hot(o, stream, col, row, at >> 24)
                                 : wsim_stream_is_hot(o, stream, row, col, at >> 24);
    if (which == WSIM_IN_C)
        return position ? 0 : wsim_stream_value(o, 1, WSIM_DIST_FINITE, r);
    if (which != picks)
        return wsim_stream_value(o, 0, WSIM_DIST_FINITE, r);
    return !hot ? 0 : position ? wsim_stream_one(o) : wsim_stream_value(o, 0, WSIM_DIST_FINITE, r);
}

/* The container bits of one element; what the format ignores is noise. */
WSIM_BOTH uint64_t wsim_stream_element(const struct wsim_plan_input *o, const struct wsim_case *c,
                                       int sparse, int which, uint32_t at) {
    uint64_t stream = c->base ^ (uint64_t)(which + 1) << 56, v;
    uint64_t used = wsim_stream_ones(o->bits) << o->pad, r = wsim_stream_hash(stream, at);
    if (c->dist == WSIM_DIST_RAW)
        return r & wsim_stream_ones(o->elem_bits);
    if (c->dist == WSIM_DIST_CANCELLING)
        v = wsim_stream_cancelling(o, which, stream, at);
    else if (c->dist == WSIM_DIST_ONE_HOT || c->dist == WSIM_DIST_POSITION)
        v = wsim_stream_hot(o, c, sparse, which, stream, at);
    else
        v = wsim_stream_value(o, which == WSIM_IN_C, c->dist, r);
    return ((v << o->pad & used) | (wsim_stream_mix(r) & ~used)) & wsim_stream_ones(o->elem_bits);
}

WSIM_BOTH uint32_t wsim_stream_numbers(const struct wsim_plan_input *o, const struct wsim_case *c,
                                       int sparse, int which, unsigned reg, unsigned lane) {
    unsigned each = 32u / (o->elem_bits < 32 ? o->elem_bits : 32), i;
    uint32_t word = 0;
    if (o->elem_bits == 64)
        return (uint32_t)(wsim_stream_element(o, c, sparse, which,
                                              wsim_stream_coord(o, lane, reg / 2)) >>
                          32 * (reg % 2));
    if (c->dist == WSIM_DIST_RAW)
        return (uint32_t)wsim_stream_hash(c->base ^ (uint64_t)(which + 1) << 56, reg * 32 + lane);
    for (i = 0; i < each; i++)
        word |= (uint32_t)wsim_stream_element(o, c, sparse, which,
                                              wsim_stream_coord(o, lane, reg * each + i))
                << i * o->elem_bits;
    return word;
}

/* Metadata: defined nibbles where the selector looks, noise elsewhere. */
WSIM_BOTH uint32_t wsim_stream_metadata(const struct wsim_plan *plan, const struct wsim_case *c,
                                        unsigned lane) {
    const struct wsim_plan_input *o = &plan->input[WSIM_IN_E];
    uint32_t word = 0;
    for (unsigned i = 0; i < 8; i++) {
        uint64_t r = wsim_stream_hash(c->base ^ 0xe0000000000000ull, i * 32 + lane) >> 8;
        int counts = wsim_stream_coord(o, lane, i) >> 24 == plan->selector;
        word |= (uint32_t)(counts ? plan->nibble[r % plan->nibbles] : r & 15) << 4 * i;
    }
    return word;
}

/* Four scale factors: mostly about one. */
WSIM_BOTH uint32_t wsim_stream_scales(const struct wsim_plan_input *o, const struct wsim_case *c,
                                      int which, unsigned lane) {
    uint32_t word = 0;
    for (unsigned i = 0; i < 4; i++) {
        uint64_t r = wsim_stream_hash(c->base ^ (uint64_t)(which + 1) << 56, i * 32 + lane);
        uint32_t one = (uint32_t)o->bias << o->frac_bits, v = one + (uint32_t)(r % 17) - 8;
        if (c->dist == WSIM_DIST_RAW || (c->dist == WSIM_DIST_SPECIALS && r >> 60 == 0))
            v = (uint32_t)(r >> 32);
        if (c->dist == WSIM_DIST_SUBNORMAL)
            v = r >> 32 & 63;
        if (c->dist == WSIM_DIST_OVERFLOW || c->dist == WSIM_DIST_EXTREMES)
            v = one + (one >> 1) + (r >> 32 & 63);
        word |= (v & 0xff) << 8 * i;
    }
    return word;
}

/* byte-id and thread-id of A, then of B, a byte each; the same in every lane. */
WSIM_BOTH uint32_t wsim_stream_pick(const struct wsim_plan *plan, const struct wsim_case *c) {
    uint32_t r = (uint32_t)wsim_stream_hash(c->base, 0x5e1);
    uint32_t bid_a = (r & 0xff) % plan->bytes_a * (4u / plan->bytes_a);
    uint32_t bid_b = (r >> 8 & 0xff) % plan->bytes_b * (4u / plan->bytes_b);
    return bid_a | (r >> 16 & 1) << 8 | bid_b << 16 | (r >> 24 & 3) << 24;
}

/* Row addresses: 32 different rows of the window, or (loads, every other case) any. */
WSIM_BOTH uint32_t wsim_stream_address(const struct wsim_plan *plan, const struct wsim_case *c,
                                       unsigned lane) {
    uint32_t r = (uint32_t)wsim_stream_hash(c->base, 0xadd);
    uint32_t row = (lane * (2 * (r >> 8 & 63) + 1) + (r >> 16)) ^ r >> 1;
    if (!plan->store && r & 1)
        row = (uint32_t)wsim_stream_hash(c->base, 0xadd00 + lane);
    return row % (WSIM_CASE_WINDOW_BYTES / 16) * 16;
}

/* Word `lane` of register `row` in the block of a case. */
WSIM_BOTH uint32_t wsim_case_word(const struct wsim_plan *plan, const struct wsim_case *c,
                                  unsigned row, unsigned lane) {
    int which = 0;
    while (row >= (unsigned)plan->input[which].first + plan->input[which].rows)
        which++;
    const struct wsim_plan_input *o = &plan->input[which];
    row -= o->first;
    switch (which) {
    case WSIM_IN_E: return wsim_stream_metadata(plan, c, lane);
    case WSIM_IN_SFA:
    case WSIM_IN_SFB: return wsim_stream_scales(o, c, which, lane);
    case WSIM_IN_PICK: return wsim_stream_pick(plan, c);
    case WSIM_IN_SMEM:
        return (uint32_t)wsim_stream_hash(c->base ^ 0x5000000000000ull, row * 32 + lane);
    case WSIM_IN_ADDR: return wsim_stream_address(plan, c, lane);
    default: return wsim_stream_numbers(o, c, plan->sparse, which, row, lane);
    }
}

/* What the result of case `number`, `words` words, adds (modulo 2^64) to the digest of a set of
 * cases. A sum: cases may come in any order. */
WSIM_BOTH uint64_t wsim_case_digest(uint64_t number, const uint32_t *out, uint32_t words) {
    uint64_t h = wsim_stream_hash(number, words);
    for (uint32_t i = 0; i < words; i++)
        h = wsim_stream_mix(h ^ out[i]) + 0x9e3779b97f4a7c15u;
    return h;
}

#endif
