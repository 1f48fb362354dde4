/* pattern_draw.h - where the lanes of an access go: the fixed patterns of patterns.def, and random
 * ones. */
#ifndef HW_PATTERN_DRAW_H
#define HW_PATTERN_DRAW_H

#include <wsim/wsim.h>

/* A stream of random numbers: the same for one key. */
struct hw_draws {
    uint64_t key, count;
};

/* 0 to bound - 1; 32 bits; 1 `of_8` times of eight, else 0. */
uint32_t hw_below(struct hw_draws *draws, uint32_t bound);
uint32_t hw_bits(struct hw_draws *draws);
int hw_chance(struct hw_draws *draws, uint32_t of_8);

/* One access: `w` bytes a lane, `n` such units in the window. */
struct hw_drawn {
    uint32_t addr[WSIM_LANES], mask, w, n;
    const char *name;
};

/* The number of the first fixed pattern from `from` on for accesses of `w` bytes, or for rows of
 * matrices; -1: there are no more. */
int hw_next_fixed(int from, uint32_t w, int rows);

/* Both fill addr, mask and name. */
void hw_draw_fixed(struct hw_drawn *a, int which);
void hw_draw_random(struct hw_drawn *a, struct hw_draws *draws);

#endif
