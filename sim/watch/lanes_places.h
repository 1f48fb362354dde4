/* lanes_places.h - the places of the lanes of an access: a line, a swap, or each its own; as a set
 * of words too. Whether two accesses of an epoch may conflict. */
#ifndef WSIM_WATCH_LANES_PLACES_H
#define WSIM_WATCH_LANES_PLACES_H

#include "../reach/hear.h"
#include "lanes.h"

enum { LANES_WORD = 4 }; /* bytes */

static inline int lanes_overlap(uint64_t low, uint64_t high, uint64_t other_low,
                                uint64_t other_high) {
    return low < other_high && other_low < high;
}

static inline void lanes_widen(struct lanes_span *span, const struct lanes_access *access) {
    span->low = access->low < span->low ? access->low : span->low;
    span->high = access->high > span->high ? access->high : span->high;
}

static inline uint64_t lanes_lane_at(const struct lanes_access *access, unsigned lane) {
    if (access->is_swap)
        return access->first ^ (uint64_t)lane * access->bytes;
    return access->is_line ? access->first + lane * access->step : access->low + access->from[lane];
}

static inline int lanes_is_strong(unsigned plain) {
    return plain == RUN_PLAIN_STRONG || plain == RUN_PLAIN_VOLATILE;
}

static inline int lanes_never_race(unsigned a, unsigned b) {
    return lanes_is_strong(a) && lanes_is_strong(b) &&
           (a != RUN_PLAIN_VOLATILE || b != RUN_PLAIN_VOLATILE);
}

/* The highest power of two that divides `bits`, which are distances; at most 2^31. */
static inline uint32_t lanes_grain(uint64_t bits) {
    bits |= UINT64_C(1) << 31;
    return (uint32_t)(bits & (0 - bits));
}

/* Lane i of mine->lanes is at first + i * step. */
static inline void lanes_take_line(struct lanes_access *mine, uint64_t first, uint64_t step) {
    const uint64_t left = first + run_lowest(mine->lanes) * step;
    const uint64_t right = first + (hear_length(mine->lanes) - 1) * step;
    const int down = step >> 63;
    mine->is_line = 1;
    mine->is_spread = (down ? 0 - step : step) >= mine->bytes || !(mine->lanes & (mine->lanes - 1));
    mine->first = first;
    mine->step = step;
    mine->grain = lanes_grain(step);
    mine->low = down ? right : left;
    mine->high = (down ? left : right) + mine->bytes;
}

/* The same of all lanes side by side. */
static inline void lanes_take_row(struct lanes_access *mine, uint64_t first) {
    mine->is_line = mine->is_spread = 1;
    mine->first = mine->low = first;
    mine->step = mine->bytes;
    mine->grain = lanes_grain(mine->bytes);
    mine->high = first + (uint64_t)RUN_LANES * mine->bytes;
}

/* All lanes are side by side, each at the place of another one. */
static inline void lanes_take_swap(struct lanes_access *mine, uint64_t first) {
    const uint64_t all = (uint64_t)mine->bytes * RUN_LANES;
    mine->is_swap = mine->is_spread = 1;
    mine->first = first;
    mine->grain = mine->bytes;
    mine->low = first & ~(all - 1);
    mine->high = mine->low + all;
}

/* The words of an access. The first call fills them in, and finds out whether lanes overlap. */
const struct lanes_set *lanes_words_of(struct lanes_access *access);

/* Whether two sets have a word in common in the bytes of both spans. */
int lanes_overlap_words(const struct lanes_set *a, const struct lanes_set *b, struct lanes_span one,
                        struct lanes_span other);

/* Fills in the addresses. 0: they are too far apart. */
int lanes_take_places(struct lanes_access *mine, const uint64_t at[RUN_LANES], int is_row,
                      int *ascends);

/* Whether the lanes certainly write other places: most swizzles spread them over the banks. */
int lanes_are_distinct(struct lanes_access *access);

/* Whether no lane of the one access conflicts with another lane of the other one. */
int lanes_are_apart(struct lanes_access *a, struct lanes_access *b);

/* Whether two accesses that are apart are of one sort, lane by lane at equal places. The later one
 * then stands for both. */
int lanes_are_repeats(const struct lanes_access *a, const struct lanes_access *b);

#endif
