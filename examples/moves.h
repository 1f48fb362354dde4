/* moves.h - the demonstration kernels for ldmatrix and stmatrix, with what their authors published.
 * ldst_demo and ldmatrix_tiles show them in full, quickstart side by side with our numbers. */
#ifndef MOVES_H
#define MOVES_H

#include "show.h"

#define MOVES_ARCH "sm_90a" /* the first with stmatrix */
#define MOVES_BYTES 512     /* of shared memory: four 8x8 matrices of 16 bits */

/* One demonstration. Shared memory holds 0, 1, 2, ... and is loaded; or registers are stored, and
 * shared memory is to hold 0, 1, 2, ... */
struct move {
    const char *spelling;
    const char *rows;               /* where the row of a lane begins, in words          */
    uint32_t (*row)(unsigned lane); /* and in bytes                                      */
    unsigned bytes;                 /* one element: 2 or 4                               */
    unsigned first_lane, last_lane; /* the lanes whose registers are published           */
    uint32_t (*published)(unsigned lane, unsigned reg);
};

#define MOVES_EACH 3
extern const struct move moves_ldmatrix[MOVES_EACH]; /* x1 x2 x4 of consecutive matrices */
extern const struct move moves_stmatrix[MOVES_EACH]; /* the way back                     */
extern const struct move moves_tiles[MOVES_EACH];    /* operand tiles of an mma          */

/* The registers of a demonstration as elements of its size. */
struct wsim_layout move_layout(const struct move *move);

/* The published registers; unpublished lanes hold 0. */
struct wsim_regs move_published(const struct move *move);

/* Loads; counts one fact for each published lane. */
struct wsim_regs move_load(const struct move *move, struct facts *facts);

/* Stores the published registers into `memory`, all ones before, and returns the number of
 * written elements; counts one fact for each. */
unsigned move_store(const struct move *move, uint16_t memory[MOVES_BYTES / 2], struct facts *facts);

#endif
