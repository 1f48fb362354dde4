/* shfl of a whole warp on the rows of a frame, for any machine, and which way a shfl goes. */
#include "shuffle.h"

#include <string.h>
#include <wsim/path.h>

/* Where all lanes read from is known when it is planned, if operands are constants, else first. */
static inline uint32_t sources(enum scalar_shuffle mode, const uint32_t *b, const uint32_t *c,
                               uint8_t from[RUN_LANES]) {
    uint32_t all = 0;
    for (unsigned lane = 0; lane < RUN_LANES; lane++) {
        uint32_t inside;
        from[lane] = (uint8_t)shuffle_source(mode, lane, b[lane], c[lane], &inside);
        all |= inside << lane;
    }
    return all;
}

static uint32_t sources_of(unsigned mode, const uint32_t *b, const uint32_t *c,
                           uint8_t from[RUN_LANES]) {
    switch (mode) {
    case SCALAR_UP: return sources(SCALAR_UP, b, c, from);
    case SCALAR_DOWN: return sources(SCALAR_DOWN, b, c, from);
    case SCALAR_BFLY: return sources(SCALAR_BFLY, b, c, from);
    default: return sources(SCALAR_IDX, b, c, from);
    }
}

/* Moves whole pieces of a row with vectors of the host. Stored lane by lane, the row would make
 * its next reader wait for 32 small stores. For segments of 32 with every lane in reach: */
static void butterfly(uint32_t *d, const uint32_t *a, unsigned by) {
    uint64_t x[RUN_LANES / 2], y[RUN_LANES / 2];
    memcpy(x, a, sizeof x);
    for (unsigned i = 0; i < RUN_LANES / 4; i++) /* bits 2 to 4: fours of lanes */
        memcpy(&y[2 * i], &x[2 * (i ^ by >> 2)], 16);
    for (unsigned i = 0; by & 2 && i < RUN_LANES / 2; i += 2) {
        uint64_t low = y[i];
        y[i] = y[i + 1];
        y[i + 1] = low;
    }
    for (unsigned i = 0; by & 1 && i < RUN_LANES / 2; i++)
        y[i] = y[i] >> 32 | y[i] << 32;
    memcpy(d, y, sizeof y);
}

/* One number in all lanes. */
static int is_same(const uint32_t *row) {
    uint32_t differ = 0;
    for (unsigned lane = 1; lane < RUN_LANES; lane++)
        differ |= row[lane] ^ row[0];
    return !differ;
}

/* Whether lanes move by pieces of the row: lanes that reach none keep their own. */
static int is_whole(unsigned mode, uint32_t by, uint32_t clamp) {
    const uint32_t segment = clamp >> 8 & 31;
    switch (mode) {
    case SCALAR_UP: return !segment && !(clamp & 31);
    case SCALAR_DOWN: return !segment && (clamp & 31) == 31;
    case SCALAR_BFLY: return !(segment & by) && (clamp & 31) == 31;
    default: return 0;
    }
}

/* Lanes that then reach another one of their segment. */
static uint32_t reached(unsigned mode, unsigned by) {
    return mode == SCALAR_UP     ? 0xFFFFFFFFu << by
           : mode == SCALAR_DOWN ? 0xFFFFFFFFu >> by
                                 : 0xFFFFFFFFu;
}

/* A row between two others is read from the middle: its pieces are `by` lanes away. */
static void slide(uint32_t *d, const uint32_t *a, enum scalar_shuffle mode, unsigned by) {
    uint32_t rows[2 * RUN_LANES];
    uint32_t *at = mode == SCALAR_UP ? rows + RUN_LANES - by : rows + by;
    /* lanes that reach no other have their own */
    memcpy(at, a, RUN_LANES * sizeof *d);
    memcpy(mode == SCALAR_UP ? rows + RUN_LANES : rows, a, RUN_LANES * sizeof *d);
    memcpy(d, at, RUN_LANES * sizeof *d);
}

static void move(const struct sync_gather *gather, uint8_t *frame, unsigned by) {
    uint32_t *d = run_words(frame, gather->d.at);
    const uint32_t *a = run_words(frame, gather->a.at);
    if (gather->p.bits)
        *run_pred(frame, gather->p.at) = reached(gather->what, by);
    if (!gather->d.bits)
        return;
    if (gather->what == SCALAR_BFLY)
        butterfly(d, a, by);
    else
        slide(d, a, (enum scalar_shuffle)gather->what, by);
}

static void quick_move(const struct sync_gather *gather, uint8_t *frame) {
    move(gather, frame, gather->by);
}

static void quick_pick(const struct sync_gather *gather, uint8_t *frame, const uint8_t *from,
                       uint32_t inside) {
    uint32_t a[RUN_LANES];
    memcpy(a, run_words(frame, gather->a.at), sizeof a);
    if (gather->d.bits) {
        uint32_t *d = run_words(frame, gather->d.at);
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            d[lane] = a[from[lane]];
    }
    if (gather->p.bits)
        *run_pred(frame, gather->p.at) = inside;
}

static void quick_planned(const struct sync_gather *gather, uint8_t *frame) {
    quick_pick(gather, frame, gather->from, gather->inside);
}

static void quick_shuffle(const struct sync_gather *gather, uint8_t *frame) {
    const uint32_t *b = run_words(frame, gather->b.at), *c = run_words(frame, gather->c.at);
    uint8_t from[RUN_LANES];
    if (is_whole(gather->what, b[0] & 31, c[0]) && is_same(b) && is_same(c))
        move(gather, frame, b[0] & 31);
    else {
        const uint32_t inside = sources_of(gather->what, b, c, from);
        quick_pick(gather, frame, from, inside);
    }
}

/* --- the choice --- */

void shuffle_choose(struct sync_gather *gather, const uint32_t *constants, int vectors) {
    gather->quick = quick_shuffle;
    if (constants) {
        uint32_t b[RUN_LANES], c[RUN_LANES];
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            b[lane] = constants[0], c[lane] = constants[1];
        gather->inside = sources_of(gather->what, b, c, gather->from);
        gather->by = constants[0] & 31;
        gather->quick =
            is_whole(gather->what, gather->by, constants[1]) ? quick_move : quick_planned;
    }
    if (vectors && shuffle_v4[SHUFFLE_PLANNED] && wsim_path_available(WSIM_PATH_AVX512))
        gather->quick = shuffle_v4[constants ? SHUFFLE_PLANNED : gather->what];
}

void shuffle_know(struct sync_gather *gather, const uint32_t *b, const uint32_t *c) {
    gather->inside = sources_of(gather->what, b, c, gather->from);
    gather->quick = shuffle_v4[SHUFFLE_PLANNED] && wsim_path_available(WSIM_PATH_AVX512)
                        ? shuffle_v4[SHUFFLE_PLANNED]
                        : quick_planned;
}
