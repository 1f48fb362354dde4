/* shared.h - the last accesses of each byte of shared memory.
 *
 * A *state* is a list of entries, one for each class of access: the last access and one before it.
 * States have numbers and never change. Each word of shared memory keeps the number of its state.
 * An access takes words of one state to one other state, so a state is examined once and all words
 * follow. Words whose bytes differ have four states. */
#ifndef WSIM_WATCH_SHARED_H
#define WSIM_WATCH_SHARED_H

#include <stdint.h>

#define SHARED_WORD 4
#define SHARED_NONE UINT32_MAX /* not a state */
#define SHARED_ROUTES 64       /* powers of two */
#define SHARED_STEPS 16

/* An entry and the rest of its list. */
struct shared_node {
    uint32_t next;                    /* a state; 0: none                                       */
    uint32_t clock, op;               /* last access of this class                              */
    uint32_t before_clock, before_op; /* another one that it is not ordered after; 0: none      */
    uint16_t actor, before_actor;
    uint8_t kind; /* enum race_class                                                            */
};

/* Steps from state to state that an access takes, as long as nothing orders anything. */
struct shared_route {
    uint64_t version; /* of struct shared_states */
    uint32_t clock, op;
    uint16_t actor;
    uint8_t kind, asks_fence;
    uint32_t fresh; /* the state of this access alone; 0: none yet                             */
    uint16_t known; /* a bit a step                                                            */
    uint16_t raced; /* the same of steps from states that may race with the access             */
    struct {
        uint32_t from, to;
    } steps[SHARED_STEPS];
};

/* Weak reads that are not in the states yet: words side by side, of the blocks one after another.
 * There are `times` such pieces, each `step` words behind the one before. */
struct shared_read {
    uint32_t word, step;
    uint32_t clock, op;
    uint16_t n, times, actor;
};

struct shared_states {
    uint32_t *words; /* [block][n_words]: a state, 0 that of no access; or SPLIT and a number   */
    uint32_t n_words;
    struct shared_node *nodes; /* [room]; 0 is none                                            */
    uint32_t n, room, limit;   /* with `limit` nodes, those that are not used are dropped       */
    uint32_t old;     /* states below are settled: nothing later can race with their accesses   */
    uint32_t *newest; /* [actor]: its latest clock in a node                                     */
    uint32_t (*splits)[SHARED_WORD];
    uint32_t n_splits, splits_room;
    uint32_t spare;   /* 1 + a split that is not used, and so on; 0: none                       */
    uint64_t version; /* counts what orders accesses                                            */
    struct shared_read *reads; /* NULL: none yet. They enter the states before an access of their
                                * words, or when a warp learns of others. Most are settled first */
    uint32_t n_reads;
    uint8_t patience; /* reads enter at once, until all has been settled so often */
    unsigned shift;   /* words of a part of memory, of which there are 64 at most               */
    uint64_t readers; /* a bit a warp, modulo 64 */
    uint64_t read, written; /* a bit a part: of `reads`; of other accesses that are not settled */
    struct shared_route routes[SHARED_ROUTES + 1]; /* the last one is that of a single access   */
};

struct races;
struct run_warp;
int shared_make(struct races *races, uint32_t n_blocks, uint32_t bytes); /* 0: no memory */
/* More accesses are settled (orders.c). */
void shared_settle(struct races *races);
/* Reads enter the states, before a warp that made some of them learns of the accesses of others. */
void shared_learn(struct races *races, struct run_warp *warp);
/* All warps will have met: the reads are settled. */
void shared_drop(struct races *races);
void shared_begin(struct races *races, uint32_t n_blocks);
void shared_free(struct races *races);

#endif
