/* Lanes of two accesses of a warp: accesses that are said to be apart share no byte between
 * different lanes. Tiles and fragments of matrices are grids; others lie at random places. */
#include "../../../sim/watch/lanes_places.h"
#include "../../every.h"

enum { ROUNDS = 20000 };

static uint64_t state;

static unsigned below(unsigned n) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (unsigned)(state >> 33) % n;
}

/* Steps from lane to lane of a row, and from row to row, which may go down. */
struct grid {
    unsigned shift;
    int across, along;
};

static struct grid any_grid(unsigned bytes) {
    static const int pitches[] = {32, 36, 64, 68, 128, 132, 272, 1088};
    const int pitch = pitches[below(COUNT(pitches))] * (below(4) ? 1 : -1);
    const int step = (int)(bytes * below(5) / 2) * (below(8) ? 1 : -1); /* 0: one place */
    const unsigned shift = 1 + below(4);
    return below(2) ? (struct grid){shift, step, pitch} : (struct grid){shift, pitch, step};
}

static int make(struct lanes_access *access, const struct grid *grid, uint64_t first,
                unsigned bytes, int writes) {
    uint64_t at[RUN_LANES];
    int ascends;
    memset(access, 0, sizeof *access);
    access->bytes = bytes;
    access->lanes = UINT32_MAX;
    access->space = PTX_GLOBAL;
    access->plain = RUN_PLAIN_WEAK;
    access->writes = (uint8_t)writes;
    for (unsigned i = 0; i < RUN_LANES; i++)
        at[i] = first + (uint64_t)((int64_t)(i & ((1u << grid->shift) - 1)) * grid->across) +
                (uint64_t)((int64_t)(i >> grid->shift) * grid->along);
    if (!below(16)) /* a lane of its own */
        at[below(RUN_LANES)] = first + 4 * below(512);
    return lanes_take_places(access, at, 0, &ascends);
}

/* The bytes that lanes share. */
static int share(const struct lanes_access *a, const struct lanes_access *b) {
    for (unsigned i = 0; i < RUN_LANES; i++)
        for (unsigned j = 0; j < RUN_LANES; j++)
            if (i != j && lanes_overlap(lanes_lane_at(a, i), lanes_lane_at(a, i) + a->bytes,
                                        lanes_lane_at(b, j), lanes_lane_at(b, j) + b->bytes))
                return 1;
    return 0;
}

START_TEST(grids_are_compared_by_their_period) {
    unsigned between = 0;
    state = (uint64_t)_i + 1;
    for (unsigned round = 0; round < ROUNDS; round++) {
        static struct lanes_access a, b;
        const unsigned bytes = 4u << below(3);
        const uint64_t base = UINT64_C(1) << 20;
        struct grid grid = any_grid(bytes), other = below(4) ? grid : any_grid(bytes);
        if (!make(&a, &grid, base, bytes, 1) ||
            !make(&b, &other, base + 4 * below(300), bytes, (int)below(2)))
            continue;
        if (a.is_spread)
            ck_assert_int_eq(share(&a, &a), 0);
        if (lanes_are_apart(&a, &b)) {
            ck_assert_int_eq(share(&a, &b), 0);
            between += a.period && a.period == b.period && !a.has_words &&
                       lanes_overlap(a.low, a.high, b.low, b.high);
        }
    }
    ck_assert_uint_gt(between, ROUNDS / 20); /* without sets of words */
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{grids_are_compared_by_their_period, 0, 4}};
    return every_run("lanes_apart", tests, (int)COUNT(tests));
}
