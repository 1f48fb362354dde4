/* The places of the lanes of an access; see lanes_places.h. */
#include "lanes_places.h"

enum { SET_BYTES = 64 * LANES_WORD * LANES_WORDS };

/* Puts the words of bytes side by side, at most SET_BYTES. Returns 0 if all are new to the set. */
static uint64_t put_words(uint64_t bits[LANES_WORDS], uint64_t low, uint64_t high) {
    const uint64_t end = (high + LANES_WORD - 1) / LANES_WORD;
    uint64_t next, twice = 0;
    for (uint64_t word = low / LANES_WORD; word < end; word = next) {
        const uint64_t left = end - word;
        const uint64_t mask = (left < 64 ? (UINT64_C(1) << left) - 1 : UINT64_MAX) << word % 64;
        next = (word / 64 + 1) * 64;
        twice |= bits[word / 64 % LANES_WORDS] & mask;
        bits[word / 64 % LANES_WORDS] |= mask;
    }
    return twice;
}

/* Lanes next to each other often have words in one word of the set, which is put together first.
 * Returns 0 if no two lanes have a word in common. */
static uint64_t put_lanes(uint64_t bits[LANES_WORDS], const struct lanes_access *access) {
    uint64_t place = 0, mask = 0, twice = 0;
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        const uint64_t at = lanes_lane_at(access, run_lowest(rest));
        const uint64_t word = at / LANES_WORD, last = (at + access->bytes - 1) / LANES_WORD;
        const uint64_t ones = (UINT64_C(2) << (last - word) % 64) - 1;
        if (word / 64 != place) {
            twice |= bits[place % LANES_WORDS] & mask;
            bits[place % LANES_WORDS] |= mask;
            place = word / 64;
            mask = 0;
        }
        if (last / 64 != place) {
            twice |= put_words(bits, at, at + access->bytes);
            continue;
        }
        twice |= mask & ones << word % 64;
        mask |= ones << word % 64;
    }
    twice |= bits[place % LANES_WORDS] & mask;
    bits[place % LANES_WORDS] |= mask;
    return twice;
}

const struct lanes_set *lanes_words_of(struct lanes_access *access) {
    uint64_t *bits = access->words.bits;
    if (access->has_words)
        return &access->words;
    access->has_words = 1;
    memset(bits, 0, sizeof access->words);
    if (access->is_swap ||
        (access->is_line && access->step == access->bytes && access->lanes == UINT32_MAX))
        put_words(bits, access->low, access->high);
    else
        access->is_spread |= !put_lanes(bits, access);
    return &access->words;
}

/* Whether two sets have a word in common in low .. high - 1. */
static int overlap_within(const struct lanes_set *a, const struct lanes_set *b, uint64_t low,
                          uint64_t high) {
    struct lanes_set range = {{0}};
    uint64_t both = 0;
    put_words(range.bits, low, high);
    for (unsigned i = 0; i < LANES_WORDS; i++)
        both |= a->bits[i] & b->bits[i] & range.bits[i];
    return both != 0;
}

int lanes_overlap_words(const struct lanes_set *a, const struct lanes_set *b, struct lanes_span one,
                        struct lanes_span other) {
    const uint64_t low = one.low > other.low ? one.low : other.low;
    const uint64_t high = one.high < other.high ? one.high : other.high;
    uint64_t both = 0;
    for (unsigned i = 0; i < LANES_WORDS; i++)
        both |= a->bits[i] & b->bits[i];
    return both && (high - low > SET_BYTES || overlap_within(a, b, low, high));
}

/* Whether the addresses of all lanes are a line. */
static int are_line(const uint64_t at[RUN_LANES]) {
    const uint64_t first = at[0], step = at[1] - at[0];
    uint64_t other = 0;
    if (at[RUN_LANES - 1] != first + (RUN_LANES - 1) * step)
        return 0;
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        other |= at[lane] ^ (first + lane * step);
    return !other;
}

/* The same of some lanes, of which the two lowest are neighbours. */
static int are_some_line(const uint64_t at[RUN_LANES], uint32_t lanes) {
    const unsigned lane = run_lowest(lanes);
    const uint64_t step = at[lane + 1] - at[lane], first = at[lane] - lane * step;
    uint64_t other = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        other |= at[run_lowest(rest)] ^ (first + run_lowest(rest) * step);
    return !other;
}

static inline uint32_t distance(uint32_t from, uint32_t to) {
    return to - from < from - to ? to - from : from - to;
}

/* Lane i of a grid is at from[0] + i % k * across + i / k * along, as in tiles of matrices. The
 * steps may go down. The greater one is the period if the others fit into it. */
static void find_grid(struct lanes_access *mine) {
    const uint32_t *from = mine->from;
    const uint32_t across = from[1] - from[0];
    uint32_t k = 2, along, far, near, n, other = 0;
    while (k < RUN_LANES / 2 && from[k] - from[k - 1] == across)
        k++;
    along = from[k] - from[0];
    for (uint32_t i = k; i < RUN_LANES; i++)
        other |= from[i] - from[i - k] - along;
    if (other || k & (k - 1))
        return;
    far = distance(from[0], from[1]), near = distance(from[0], from[k]), n = RUN_LANES / k;
    if (far < near)
        far = near, near = distance(from[0], from[1]), n = k;
    mine->width = (n - 1) * near + mine->bytes;
    mine->period = mine->width <= far ? far : 0;
    mine->is_spread |= mine->period && near >= mine->bytes;
}

/* Addresses of all lanes that are no line. 0: they are too far apart. */
static int take_all(struct lanes_access *mine, const uint64_t at[RUN_LANES], int *ascends) {
    const uint64_t middle = UINT64_C(1) << 31;
    uint32_t low = UINT32_MAX, high = 0, bits = 0, down = 0;
    uint64_t far = 0;
    for (unsigned lane = 0; lane < RUN_LANES; lane++) {
        const uint64_t from = at[lane] - at[0] + middle;
        far |= from;
        mine->from[lane] = (uint32_t)from;
    }
    if (far >> 32)
        return 0;
    for (unsigned lane = 0; lane < RUN_LANES; lane++) {
        low = mine->from[lane] < low ? mine->from[lane] : low;
        high = mine->from[lane] > high ? mine->from[lane] : high;
    }
    for (unsigned lane = 1; lane < RUN_LANES; lane++)
        down |= mine->from[lane] < mine->from[lane - 1] + mine->bytes;
    for (unsigned lane = 0; lane < RUN_LANES; lane++) {
        mine->from[lane] -= low;
        bits |= mine->from[lane];
    }
    mine->low = at[0] - middle + low;
    mine->high = at[0] - middle + high + mine->bytes;
    mine->grain = lanes_grain(bits);
    *ascends = !down;
    mine->is_spread = (uint8_t)!down;
    find_grid(mine);
    return 1;
}

/* Addresses of some lanes that are no line. */
static int take_some(struct lanes_access *mine, const uint64_t at[RUN_LANES], int *ascends) {
    uint64_t low = UINT64_MAX, high = 0, end = 0, bits = 0;
    for (uint32_t rest = mine->lanes; rest; rest &= rest - 1) {
        const uint64_t from = at[run_lowest(rest)];
        low = from < low ? from : low;
        high = from > high ? from : high;
        *ascends &= from >= end;
        end = from + mine->bytes;
    }
    for (uint32_t rest = mine->lanes; rest; rest &= rest - 1) {
        mine->from[run_lowest(rest)] = (uint32_t)(at[run_lowest(rest)] - low);
        bits |= at[run_lowest(rest)] - low;
    }
    mine->low = low;
    mine->high = high + mine->bytes;
    mine->grain = lanes_grain(bits);
    mine->is_spread = (uint8_t)*ascends;
    return high - low <= UINT32_MAX;
}

int lanes_take_places(struct lanes_access *mine, const uint64_t at[RUN_LANES], int is_row,
                      int *ascends) {
    const uint32_t lanes = mine->lanes;
    const unsigned lane = run_lowest(lanes);
    *ascends = 1;
    if (is_row) {
        lanes_take_row(mine, at[0]);
    } else if (!(lanes & (lanes - 1))) {
        lanes_take_line(mine, at[lane], 0);
    } else if (lanes == UINT32_MAX ? are_line(at)
                                   : (lanes >> lane & 2) && are_some_line(at, lanes)) {
        const uint64_t step = at[lane + 1] - at[lane];
        lanes_take_line(mine, at[lane] - lane * step, step);
        *ascends = step >> 63 == 0 && step >= mine->bytes;
    } else {
        return lanes == UINT32_MAX ? take_all(mine, at, ascends) : take_some(mine, at, ascends);
    }
    return mine->high - mine->low <= UINT32_MAX;
}

/* The same of parts of words. Each lane is at a multiple of its bytes. */
static int are_parts_distinct(const struct lanes_access *access) {
    const unsigned shift = base_lowest(access->bytes);
    uint64_t bits[LANES_WORDS] = {0}, twice = 0;
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        const uint64_t part = lanes_lane_at(access, run_lowest(rest)) >> shift;
        const uint64_t bit = UINT64_C(1) << part % 64;
        twice |= bits[part / 64 % LANES_WORDS] & bit;
        bits[part / 64 % LANES_WORDS] |= bit;
    }
    return !twice;
}

int lanes_are_distinct(struct lanes_access *access) {
    uint64_t seen = 0, twice = 0;
    if (access->bytes < LANES_WORD && are_parts_distinct(access))
        return 1;
    if (access->bytes != LANES_WORD || access->is_line || access->has_words) {
        lanes_words_of(access);
        return access->is_spread;
    }
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        const uint64_t bit = UINT64_C(1) << access->from[run_lowest(rest)] / LANES_WORD % 64;
        twice |= seen & bit;
        seen |= bit;
    }
    access->is_spread = !twice;
    if (twice)
        lanes_words_of(access);
    return access->is_spread;
}

/* Whether the distances of all lanes leave the accesses beside each other: the two halves of
 * complex numbers, members of structs. */
static int are_beside(const struct lanes_access *a, const struct lanes_access *b) {
    const uint64_t grain = a->grain < b->grain ? a->grain : b->grain;
    const uint64_t d = (b->low - a->low) & (grain - 1);
    return d >= a->bytes && grain - d >= b->bytes;
}

/* The same of two grids. */
static int are_between(const struct lanes_access *a, const struct lanes_access *b) {
    uint32_t d;
    if (!a->period || a->period != b->period)
        return 0;
    d = b->low > a->low ? (uint32_t)(b->low - a->low) % a->period
                        : a->period - (uint32_t)(a->low - b->low) % a->period;
    return d >= a->width && a->period - d >= b->width;
}

/* Whether two lines with equal steps overlap in the bytes of one lane at most. Lane i of `a` and
 * lane j of `b` are d + (j - i) * step apart. */
static int are_interlaced(const struct lanes_access *a, const struct lanes_access *b) {
    const int64_t step = (int64_t)a->step, d = (int64_t)(b->first - a->first);
    int64_t lanes, rest;
    if (!a->is_line || !b->is_line || !a->is_spread || !b->is_spread || a->step != b->step ||
        a->lanes != b->lanes)
        return 0;
    if (!d)
        return 1;
    if (step <= 0)
        return 0;
    lanes = d / step;
    rest = d % step;
    if (rest < 0)
        lanes--, rest += step;
    return (rest >= a->bytes || !lanes) && (step - rest >= b->bytes || lanes == -1);
}

/* Whether each lane accesses the same bytes in both, and no other lane does. */
static int are_equal(const struct lanes_access *a, const struct lanes_access *b) {
    uint32_t other = 0;
    if (!a->is_spread || a->is_line || b->is_line || a->lanes != b->lanes || a->low != b->low ||
        a->bytes != b->bytes)
        return 0;
    if (a->is_swap && b->is_swap)
        return a->first == b->first;
    if (a->is_swap || b->is_swap) { /* the other one was kept before its shape was known */
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            if (lanes_lane_at(a, lane) != lanes_lane_at(b, lane))
                return 0;
        return 1;
    }
    for (uint32_t rest = a->lanes; rest; rest &= rest - 1)
        other |= a->from[run_lowest(rest)] ^ b->from[run_lowest(rest)];
    return !other;
}

int lanes_are_apart(struct lanes_access *a, struct lanes_access *b) {
    return !(a->writes | b->writes) || a->space != b->space ||
           !lanes_overlap(a->low, a->high, b->low, b->high) ||
           lanes_never_race(a->plain, b->plain) || are_beside(a, b) || are_between(a, b) ||
           (a->plain != RUN_PLAIN_TOGETHER && b->plain != RUN_PLAIN_TOGETHER &&
            (are_interlaced(a, b) || are_equal(a, b))) ||
           !lanes_overlap_words(lanes_words_of(a), lanes_words_of(b),
                                (struct lanes_span){a->low, a->high},
                                (struct lanes_span){b->low, b->high});
}

int lanes_are_repeats(const struct lanes_access *a, const struct lanes_access *b) {
    if (a->writes != b->writes || a->space != b->space || a->plain != b->plain ||
        a->plain == RUN_PLAIN_TOGETHER || a->is_raw || b->is_raw)
        return 0;
    if (a->is_line && b->is_line)
        return a->is_spread && a->first == b->first && a->step == b->step && a->lanes == b->lanes &&
               a->bytes == b->bytes;
    return are_equal(a, b);
}
