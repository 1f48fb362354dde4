/* cost.h - what the counts of accesses remember: the last access of each operation of a worker. */
#ifndef WSIM_WATCH_COST_H
#define WSIM_WATCH_COST_H

#include "../isa/isa.h"
#include "../reach/hear.h"

#define PLACES (1u << ISA_LINE_SHIFT)

/* All that the cost of a copy depends on, if each lane copies all of its bytes or none. */
struct cost_copy_lanes {
    uint64_t from[RUN_LANES];      /* from the source of the first lane; 0: no part in it */
    uint32_t to[RUN_LANES];        /* the same of destinations */
    uint32_t lanes, reads;         /* no lanes: none was remembered */
    uint32_t from_place, to_place; /* of the first lane, in a line */
};

/* A copy and its cost. */
struct cost_copy {
    struct cost_copy_lanes lanes;
    uint32_t lines, sectors, sectors_ideal;
    uint32_t wavefronts, ideal, conflicts; /* no wavefronts: these are not known */
};

/* That an operation remembers: warps and rounds begin at other places of a line. */
#define COPIES 4

/* The last wide access that turns of an unrolled loop share. */
struct cost_window {
    uint64_t hash;
    uint32_t parts; /* bit b: the address of a turn was byte b of it */
};

/* The last access of shared memory of an operation. */
struct cost_other {
    struct wsim_cost_pattern pattern; /* of an access or a matrix move                      */
    struct wsim_cost_pattern written; /* of an access that is joined: as written           */
    struct cost_copy *copies;         /* [COPIES]; NULL: none was counted                   */
    uint32_t copied;                  /* that were remembered                               */
    struct cost_window *windows; /* [MOST_WARPS] of an unrolled access; NULL: none was counted */
    uint8_t is_fresh;            /* there is no memory to keep it */
};

/* Distinct sectors, lines and words of an access of global memory. */
struct cost_sectors {
    uint32_t sectors, lines, words;
};

/* The last load, store or atomic of an operation, and its cost. */
struct cost_last {
    uint64_t apart[RUN_LANES]; /* from the first lane           */
    uint32_t lanes, place;     /* no lanes: none was remembered */
    uint8_t space, shape;
    uint32_t pattern; /* its number; 0: none is known */
    uint32_t misses;  /* accesses in a row that were not like the one before: see PATIENCE */
    struct cost_sectors sectors;
    struct wsim_shared_counts shared, written;
};

#define REPEATS 4   /* accesses of an operation before it remembers the last one */
#define PATIENCE 16 /* misses in a row; then every 16th access is remembered and compared */

/* The memories of an operation; NULL: none yet. */
struct cost_memories {
    struct cost_other *other;
    struct cost_last *last;
    uint32_t heard; /* loads, stores and atomics so far, up to REPEATS */
};

/* The memory of an operation for matrix moves, copies and windows; `fresh`, which is empty then:
 * there is no memory. */
struct cost_other *cost_other_of(struct run_worker *worker, uint32_t op, struct cost_other *fresh);

/* NULL: the operation has had few accesses, or there is no memory. */
struct cost_last *cost_last_of(struct run_worker *worker, uint32_t op);

void cost_free(struct run_worker *worker);

/* Lines of a matrix, and copies: see run_hears. cost_copy.c */
void cost_hear_lines(struct run_warp *warp, const struct run_op *op, uint64_t at, unsigned n,
                     uint64_t pitch, uint64_t bytes);
void cost_hear_copy(struct run_warp *warp, const struct run_op *op, const struct run_access *access,
                    const uint32_t to[RUN_LANES], const uint32_t size[RUN_LANES], uint32_t bytes);

#endif
