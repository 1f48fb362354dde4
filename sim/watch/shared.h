/* shared.h - the last accesses of each byte of shared memory.
 *
 * A cell is 16 bytes. Columns of a tile, rows of ldmatrix and pieces of cp.async have 4 to 16 bytes
 * in each of 32 places. A cell is a list of entries: bytes that one actor accessed in one way.
 * Strong accesses (atomics, volatile ones) are kept by word, apart: they are scattered, and do not
 * race with each other. */
#ifndef WSIM_WATCH_SHARED_H
#define WSIM_WATCH_SHARED_H

#include "../state/pool.h"

#include <stdint.h>

#define SHARED_CELL 16
#define SHARED_WORDS 4 /* of a cell */

struct shared_cell {
    struct shared_cell *next;
    uint32_t clock, op; /* last access of this class                                        */
    uint32_t before_clock, before_op; /* another one that it is not ordered after; 0: none   */
    uint16_t actor, before_actor;
    uint16_t mask;  /* a bit a byte; of the first one 0: the cell is empty         */
    uint8_t kind;   /* enum race_class                                                        */
    uint8_t strong; /* of the first one: a word of the cell was accessed so                  */
};

/* Where all but the first of a cell come from. */
struct shared_pool {
    struct pool entries;
    struct shared_cell *spare;
};

struct races;
void shared_begin(struct races *races, uint32_t n_blocks);
void shared_free(struct races *races);

#endif
