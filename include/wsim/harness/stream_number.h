/* stream_number.h - numbers of a case: elements of A, B, C by their place in the matrix and the
 * distribution. Part of stream.h, which says more. */
#ifndef WSIM_STREAM_NUMBER_H
#define WSIM_STREAM_NUMBER_H

#include "plan.h"

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
    return ((v << o->pad & used) | (wsim_hash_mix(r) & ~used)) & wsim_stream_ones(o->elem_bits);
}

WSIM_BOTH uint32_t wsim_stream_numbers(const struct wsim_plan_input *o, const struct wsim_case *c,
                                       int sparse, int which, unsigned threads, unsigned reg,
                                       unsigned lane) {
    unsigned each = 32u / (o->elem_bits < 32 ? o->elem_bits : 32), i;
    uint32_t word = 0;
    if (o->elem_bits == 64)
        return (uint32_t)(wsim_stream_element(o, c, sparse, which,
                                              wsim_stream_coord(o, lane, reg / 2)) >>
                          32 * (reg % 2));
    if (c->dist == WSIM_DIST_RAW)
        return (uint32_t)wsim_stream_hash(c->base ^ (uint64_t)(which + 1) << 56,
                                          reg * threads + lane);
    for (i = 0; i < each; i++)
        word |= (uint32_t)wsim_stream_element(o, c, sparse, which,
                                              wsim_stream_coord(o, lane, reg * each + i))
                << i * o->elem_bits;
    return word;
}

#endif
