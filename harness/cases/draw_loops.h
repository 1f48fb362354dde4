/* draw_loops.h - the loops of draw.h, compiled once for each kind of machine. The including file
 * selects it (DRAW_TARGET) and names the result. No branch depends on an element, and 64-bit words
 * are separate from 32-bit words, so compilers vectorise the loops. */
#include "draw.h"

#include <string.h>

#ifdef __GNUC__
#define DRAW_INLINE static inline __attribute__((always_inline))
#else
#define DRAW_INLINE static inline
#endif

/* The product of two 32-bit numbers, one instruction on most machines. */
DRAW_INLINE uint64_t draw_multiply(uint64_t a, uint64_t b) {
    return (uint64_t)(uint32_t)a * (uint32_t)b;
}

/* x % count, where x * count < 2^31. x * inverse / 2^31 exceeds x / count by less than
 * x * count / 2^31 / count < 1 / count, so its integer part is the quotient. */
DRAW_INLINE uint64_t draw_remainder(uint64_t x, uint64_t count, uint64_t inverse) {
    return x - draw_multiply(draw_multiply(x, inverse) >> 31, count);
}

DRAW_INLINE uint64_t draw_ranged(const struct draw *d, uint64_t r, uint64_t choice) {
    const struct draw_range *one = &d->range[0], *two = &d->range[1];
    uint64_t start = choice ? two->start : one->start, down = choice ? two->down : one->down;
    uint64_t count = choice ? two->count : one->count;
    uint64_t inverse = choice ? two->inverse : one->inverse;
    uint64_t rest = draw_remainder(r >> 40 & d->chooses, count, inverse);
    return start + ((rest ^ down) - down);
}

/* As wsim_stream_build. */
DRAW_INLINE uint64_t draw_float(const struct draw *d, uint64_t r, uint64_t choice) {
    int64_t field = (int64_t)draw_ranged(d, r, choice), top = (int64_t)d->top;
    uint64_t low;
    field = field < 0 ? 0 : field;
    field = field > top ? top : field;
    low = (uint64_t)field << d->frac_bits | (r & d->frac);
    low ^= low == d->nan ? 1 : 0;
    return low | (r >> d->sign_shift & d->sign);
}

/* Selects one of eight values without a load that depends on the element. */
DRAW_INLINE uint64_t draw_eighth(const struct draw *d, uint64_t which) {
    const uint64_t *e = d->eight, odd = which & 1, second = which & 2;
    uint64_t low = second ? (odd ? e[3] : e[2]) : (odd ? e[1] : e[0]);
    uint64_t high = second ? (odd ? e[7] : e[6]) : (odd ? e[5] : e[4]);
    return which & 4 ? high : low;
}

/* Like wsim_stream_special; `eight` has each pattern without sign and drawn fraction. */
DRAW_INLINE uint64_t draw_special(const struct draw *d, uint64_t r) {
    uint64_t kind = r >> 8 & 7, sign = r >> 16 & 1 ? d->sign : 0;
    return draw_eighth(d, kind) | sign | (kind == 7 ? r >> 24 & d->frac : 0);
}

/* Like wsim_stream_cancelling. r % 29 == 0 exactly if r times the inverse of 29 modulo 2^64 is at
 * most 2^64 / 29. */
DRAW_INLINE uint64_t draw_paired(const struct draw *d, int is_float, uint64_t r, uint64_t at) {
    uint64_t alone = r * 0x34f72c234f72c235u <= UINT64_MAX / 29;
    uint64_t pair = wsim_stream_hash(d->stream, (uint64_t)1 << 41 | (at & ~d->pair));
    uint64_t minus = !alone && at & d->minus, from = alone ? r : pair, v;
    if (is_float)
        return draw_float(d, from, alone | (from & 1)) ^ (minus ? d->sign : 0);
    v = !alone && from & 1 ? draw_ranged(d, from, 0) : from;
    return minus ? 0 - v : v;
}

/* As wsim_stream_is_hot. */
DRAW_INLINE uint64_t draw_hot(const struct draw *d, int is_float, uint64_t r, uint64_t at) {
    uint64_t across = at >> d->across & 0xfff, along = at >> (12 - d->across) & 0xfff;
    uint64_t place = wsim_stream_hash(d->stream, (uint64_t)1 << 40 | at >> 24 << 16 | across);
    uint64_t v = ((is_float ? draw_float(d, r, 0) : r) & d->drawn) | d->one;
    return along == (place & (d->extent - 1)) ? v : 0;
}

DRAW_INLINE uint64_t draw_number(const struct draw *d, enum draw_way way, int is_float, uint64_t r,
                                 uint64_t at) {
    switch (way) {
    case DRAW_INTEGER: return draw_ranged(d, r, r & d->choice);
    case DRAW_FLOAT: return draw_float(d, r, r & d->choice);
    case DRAW_SPECIAL: return r & d->choice ? draw_float(d, r, 0) : draw_special(d, r);
    case DRAW_EIGHT: return r & d->choice ? r : draw_eighth(d, r >> 40);
    case DRAW_SHORT: return (r & d->container) >> draw_ranged(d, r, 0);
    case DRAW_PAIRED: return draw_paired(d, is_float, r, at);
    case DRAW_HOT: return draw_hot(d, is_float, r, at);
    default: return r;
    }
}

/* `way` is a constant at each call, so each way gets loops of its own. *draw is copied, because the
 * output could alias it. */
DRAW_INLINE void draw_registers(const struct draw *draw, enum draw_way way, int is_float,
                                int is_noisy, const struct draw_rows *rows, uint32_t *to) {
    const struct draw d = *draw;
    const uint32_t *elem = rows->elem;
    const unsigned wide = d.bits == 64, each = wide ? 1 : 32u / d.bits;
    uint32_t lane[WSIM_LANES];
    memcpy(lane, rows->lane, sizeof lane);
    for (unsigned row = 0; row < rows->rows; row += 1 + wide, to += rows->step) {
        uint64_t word[WSIM_LANES] = {0};
        for (unsigned i = 0; i < each; i++, elem++)
            for (unsigned l = 0; l < WSIM_LANES; l++) {
                uint64_t at = (uint64_t)lane[l] + *elem;
                uint64_t r = wsim_stream_hash(d.stream, at);
                uint64_t v = draw_number(&d, way, is_float, r, at) << d.pad & d.used;
                if (is_noisy)
                    v |= wsim_hash_mix(r) & ~d.used & d.container;
                word[l] |= v << i * d.bits;
            }
        for (unsigned l = 0; l < WSIM_LANES; l++)
            to[l] = (uint32_t)word[l];
        if (!wide)
            continue;
        to += rows->step;
        for (unsigned l = 0; l < WSIM_LANES; l++)
            to[l] = (uint32_t)(word[l] >> 32);
    }
}

#define DRAW_INTEGERS(way)                                                                         \
    case way:                                                                                      \
        draw_registers(draw, way, 0, 0, rows, to);                                                 \
        return;
#define DRAW_FLOATS(way)                                                                           \
    case way:                                                                                      \
        if (draw->is_noisy)                                                                        \
            draw_registers(draw, way, 1, 1, rows, to);                                             \
        else                                                                                       \
            draw_registers(draw, way, 1, 0, rows, to);                                             \
        return;
#define DRAW_BOTH(way)                                                                             \
    case way:                                                                                      \
        if (draw->is_noisy)                                                                        \
            draw_registers(draw, way, 1, 1, rows, to);                                             \
        else if (draw->is_float)                                                                   \
            draw_registers(draw, way, 1, 0, rows, to);                                             \
        else                                                                                       \
            draw_registers(draw, way, 0, 0, rows, to);                                             \
        return;

DRAW_TARGET static void numbers(const struct draw *draw, const struct draw_rows *rows,
                                uint32_t *to) {
    switch (draw->way) {
        DRAW_INTEGERS(DRAW_WHOLE)
        DRAW_INTEGERS(DRAW_INTEGER)
        DRAW_INTEGERS(DRAW_EIGHT)
        DRAW_INTEGERS(DRAW_SHORT)
        DRAW_FLOATS(DRAW_FLOAT)
        DRAW_FLOATS(DRAW_SPECIAL)
        DRAW_BOTH(DRAW_PAIRED)
        DRAW_BOTH(DRAW_HOT)
    }
}

DRAW_TARGET static void words(uint64_t stream, uint64_t first, uint32_t count, uint32_t *to) {
    for (uint32_t i = 0; i < count; i++)
        to[i] = (uint32_t)wsim_stream_hash(stream, first + i);
}

/* r % count of all 64 bits; count <= 17, and `carry` is 2^24 % count. The arguments of the
 * remainders are below 2^16 * 16 + 2^24 and 16 * 16 + 2^24. */
DRAW_INLINE uint64_t draw_long_remainder(uint64_t r, uint64_t count, uint64_t inverse,
                                         uint64_t carry) {
    uint64_t high = (r >> 48) * carry + (r >> 24 & 0xffffff);
    return draw_remainder(draw_remainder(high, count, inverse) * carry + (r & 0xffffff), count,
                          inverse);
}

DRAW_TARGET static void metadata(const struct wsim_plan *plan, const struct wsim_case *c,
                                 unsigned first, const uint32_t *lane, const uint32_t *elem,
                                 uint32_t *to) {
    const uint64_t stream = c->base ^ 0xe0000000000000ull, selector = plan->selector;
    const uint64_t count = plan->nibbles, inverse = (0x80000000u + count - 1) / count;
    const uint64_t carry = ((uint64_t)1 << 24) % count;
    uint64_t nibbles = 0, word[WSIM_LANES] = {0};
    for (unsigned i = 0; i < plan->nibbles; i++)
        nibbles |= (uint64_t)plan->nibble[i] << 4 * i;
    for (unsigned i = 0; i < 8; i++)
        for (unsigned l = 0; l < WSIM_LANES; l++) {
            uint64_t r = wsim_stream_hash(stream, i * plan->threads + first + l) >> 8;
            uint64_t defined = nibbles >> 4 * draw_long_remainder(r, count, inverse, carry) & 15;
            uint64_t batch = (lane[l] ^ elem[i]) >> 24;
            word[l] |= (batch == selector ? defined : r & 15) << 4 * i;
        }
    for (unsigned l = 0; l < WSIM_LANES; l++)
        to[l] = (uint32_t)word[l];
}

/* Factors near one, or others; among specials one in 16 is arbitrary. */
DRAW_TARGET static void scales(const struct wsim_plan_input *o, const struct wsim_case *c,
                               int which, uint32_t *to) {
    const uint64_t stream = c->base ^ (uint64_t)(which + 1) << 56;
    const uint64_t one = (uint64_t)o->bias << o->frac_bits;
    const int large = c->dist == WSIM_DIST_OVERFLOW || c->dist == WSIM_DIST_EXTREMES;
    const int is_raw = c->dist == WSIM_DIST_RAW, small = c->dist == WSIM_DIST_SUBNORMAL;
    const uint64_t start = large ? one + (one >> 1) : is_raw || small ? 0 : one - 8;
    const uint64_t drawn = is_raw ? 0xff : large || small ? 63 : 0, near = drawn ? 0 : 0xff;
    const uint64_t any = c->dist == WSIM_DIST_SPECIALS ? 0 : 1;
    uint64_t word[WSIM_LANES] = {0};
    for (unsigned i = 0; i < 4; i++)
        for (unsigned l = 0; l < WSIM_LANES; l++) {
            uint64_t r = wsim_stream_hash(stream, i * WSIM_LANES + l);
            uint64_t rest = draw_long_remainder(r, 17, (0x80000000u + 16) / 17, (1 << 24) % 17);
            uint64_t v = start + (rest & near) + (r >> 32 & drawn);
            word[l] |= ((r >> 60 | any) == 0 ? r >> 32 & 0xff : v & 0xff) << 8 * i;
        }
    for (unsigned l = 0; l < WSIM_LANES; l++)
        to[l] = (uint32_t)word[l];
}
