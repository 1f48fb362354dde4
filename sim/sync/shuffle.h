/* shuffle.h - shfl of a whole warp: rows that become other rows. */
#ifndef WSIM_SYNC_SHUFFLE_H
#define WSIM_SYNC_SHUFFLE_H

#include "lanes.h"

#include "../decode/plan.h"

/* The lane that shfl reads from; itself if that is not `inside` of the segment. */
static inline unsigned shuffle_source(enum scalar_shuffle mode, unsigned lane, uint32_t b,
                                      uint32_t c, uint32_t *inside) {
    unsigned by = b & 31, segment = c >> 8 & 31, clamp = c & 31;
    unsigned least = lane & segment, most = least | (clamp & ~segment);
    unsigned from = mode == SCALAR_UP     ? lane - by
                    : mode == SCALAR_DOWN ? lane + by
                    : mode == SCALAR_BFLY ? lane ^ by
                                          : least | (by & ~segment);
    *inside = mode == SCALAR_UP ? (int)from >= (int)most : from <= most;
    return *inside ? from : lane;
}

/* For a machine with AVX-512, by mode; the first is that of constants. NULL: there are none. */
enum { SHUFFLE_PLANNED = SCALAR_NO_SHUFFLE };
extern sync_quick *const shuffle_v4[SCALAR_IDX + 1];

/* Sets gather->quick of a shfl whose rows are planned. `constants`: the numbers b and c of all
 * lanes; NULL: they are in registers. Without `vectors` it is for any machine. */
void shuffle_choose(struct sync_gather *gather, const uint32_t *constants, int vectors);

/* The same of a shfl whose rows b and c are known: any numbers, lane by lane. */
void shuffle_know(struct sync_gather *gather, const uint32_t *b, const uint32_t *c);

#endif
