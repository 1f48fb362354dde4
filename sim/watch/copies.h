/* copies.h - the lists of copies.c, and of copies_enter.c. */
#ifndef WSIM_WATCH_COPIES_H
#define WSIM_WATCH_COPIES_H

#include "actors.h"

/* Bytes of the block's shared memory. */
struct copy {
    uint32_t number, op, bytes;
    uint32_t lanes, done;      /* that have not arrived behind it; those that have waited for it */
    uint32_t least, most;      /* of group */
    uint32_t group[RUN_LANES]; /* garbage in other lanes */
    uint32_t from[RUN_LANES];
};

/* cp.async.mbarrier.arrive that is issued: lanes that have not arrived yet. */
struct arrival {
    uint32_t number, lanes; /* number: that of the last copy before it */
};

struct copies_warp {
    uint32_t group, leader; /* of the last copy, and the first copy of that group */
    uint32_t number;        /* of the last copy                                                  */
    uint32_t arrived;       /* that of the last copy that an arrival waits for                  */
    uint32_t first, n, room;
    uint8_t lost; /* the list was too long, so waits are those of the whole warp       */
    struct copy *ring;
    struct arrival *arrivals;
    uint32_t n_arrivals, arrivals_room;
};

/* Bulk copies of one group of a lane: the number of the last one. */
#define COPIES_BULKS 32
struct bulk {
    uint32_t number, group, lane;
};
struct bulks_warp {
    uint32_t number;  /* of the last copy */
    uint32_t dropped; /* from the list: the last one */
    uint32_t n;
    struct bulk of[COPIES_BULKS]; /* that were not waited for, the oldest first */
};

static inline struct copy *copy_at(const struct copies_warp *of, uint32_t i) {
    return &of->ring[(of->first + i) & (of->room - 1)];
}

/* The whole warp knows the copies up to a number. */
void copies_know(const struct races *races, const struct run_warp *warp, uint32_t number);

#endif
