/* actors.h - the state of the race check, shared by its files. */
#ifndef WSIM_WATCH_ACTORS_H
#define WSIM_WATCH_ACTORS_H

#include "cells.h"
#include "lanes.h"
#include "shared.h"
#include "listeners.h"
#include "../reach/hear.h"
#include "../state/launch.h"
#include "../sync/sync.h"

/* Actors of a warp: itself, its queues, and the writes of its bulk copies with groups. These have
 * an actor of their own, because cp.async.bulk.wait_group.read waits for the reads alone. */
#define RACE_BULK_WRITES (1 + SYNC_TENSOR + 1)
/* Accesses of shared memory by threads, where parts of a warp arrive at mbarriers (release.c). */
#define RACE_REST (RACE_BULK_WRITES + 1)
#define RACE_KINDS (RACE_REST + 1)
#define RACE_STEP 4 /* the number of clocks of a vector is a multiple of it */
#define RACE_BUCKETS 1024
#define RACE_MOST_PLACES 1024 /* words of atomics; further ones share places */

/* A place to release to and acquire from: a barrier, or a word of atomics. Most words hold the
 * whole vector that one warp released last. A warp that knows the clock of that release knows all
 * of that vector, as vectors are passed on whole. */
enum race_holds { RACE_NOTHING, RACE_OF_ONE, RACE_OF_SEVERAL };
struct race_place {
    struct race_place *next;
    const void *key;
    uint32_t phase;    /* of an mbarrier */
    uint32_t of, time; /* RACE_OF_ONE: its actor, and the clock                              */
    uint8_t holds;     /* enum race_holds: what is in the first vector                       */
    uint32_t ended;    /* phases that are over: the first vector has grown so often          */
    uint32_t init, init_op, init_by; /* mbarrier.init: clock (0: none), operation, actor     */
    uint32_t init_published;         /* races.published before it                            */
    uint32_t init_lanes, init_met;   /* its lanes, and how often those of the warp had met   */
    /* A bit a warp of a barrier of the block: warps that came in this phase, and in the last one;
     * warps that waited then. The operation of the last one that came. */
    uint32_t came, came_before, let_go, came_op;
    /* The last arrivals at an mbarrier: lanes of a warp since its lanes met, and the
     * phases that were over. came_op is their operation. */
    uint32_t last_by, last_lanes, last_met, last_ended;
    uint32_t
        firm; /* of barriers of warps: the clock of other units that no relaxed load alone gave */
    uint32_t *phase_clocks; /* [4 * width]: of the phase that goes on; of it what was fenced for all
                             * blocks; more of phases.c. NULL: it is no barrier              */
    uint32_t clocks[];      /* [width]: of phases that are over, or released                   */
};

/* A phase of a barrier: its waiters know the accesses that were released to it. */
struct race_wait {
    uint32_t met; /* how often the lanes of the warp have met */
    const struct race_place *place;
    uint32_t ended;
    uint8_t parity;  /* the wait was for a parity */
    uint32_t marked; /* its clock at its last relaxed arrival at an mbarrier; 0: none       */
    const struct race_place
        *peeked; /* of its last relaxed wait, which no fence followed; NULL: none */
};

/* Knowledge that a warp has only from a relaxed load: its other accesses may come before that load.
 * A fence after the load makes it firm, and so does a barrier, but for what other units did. */
enum { LOOSE_UNIT = 1, LOOSE_UNITS = 2 };
struct race_loose {
    uint8_t is;             /* bits LOOSE_...; 0: all that the warp knows is firm   */
    uint32_t units;         /* LOOSE_UNITS: the clock of other units before         */
    const uint32_t *before; /* [width]: LOOSE_UNIT: its clocks before, of other warps */
};

/* The last access of a warp, or of its asynchronous work, to shared memory of another block. */
struct race_remote {
    uint32_t clock, op; /* clock 0: none */
    uint16_t actor;
    uint8_t lane;
};

/* The last copy of a warp that completes an mbarrier, to shared memory of its own block. */
struct race_load_mark {
    uint64_t at;
    uint32_t clock, op; /* clock 0: none */
    uint16_t actor;
};

/* Answers of race_updates and guess_tell: many occurrences of a few findings ask the same. */
enum { RACE_SETS = 32, RACE_WAYS = 8 };
struct race_questions {
    struct race_question {
        uint32_t store, load; /* store: 1 + its operation, or RACE_IS_GUESS; 0: none */
        uint32_t answer;
    } of[RACE_SETS][RACE_WAYS];
    uint32_t next; /* of its set, which the next question replaces */
};
#define RACE_IS_GUESS UINT32_MAX

/* A vector has a clock for each actor and one for other units. Kernels with copies or products add,
 * for each warp, the clock that the copy engine and the tensor core see. Actors are the warps of
 * the unit, then their queues, of each kind that occurs in the kernel. */
struct races {
    uint32_t n_warps, n_actors, width;
    uint8_t slot[RACE_KINDS];  /* [kind]: number among the kinds that occur; 0: none              */
    uint8_t kinds[RACE_KINDS]; /* [slot]                                                          */
    uint8_t proxies;           /* the copy engine or the tensor core reads writes of threads      */
    uint32_t n_seen;    /* with `proxies`: threads, and queues of cp.async behind them      */
    uint32_t published; /* fences of proxies, and for more than the block               */
    uint8_t scoped;     /* an access may have the scope of one of several blocks */
    uint8_t fences;     /* there was one: `fenced` is not all 0                            */
    uint32_t *clocks;   /* [warp of the unit][width]                                       */
    uint32_t *fenced;   /* the same, at the last fence of the warp for all blocks, and of
                         * those that it met at a barrier since; 0: none               */
    uint32_t *near; /* `clocks` at the last fence of the warp for the cluster or all blocks; NULL:
                     * no cluster */
    uint32_t *firm; /* `clocks` at the last fence of the warp; NULL: nothing asks       */
    struct lanes_warp *lanes;  /* [warp]; NULL: its lanes do not race                           */
    struct lanes_table *table; /* of their words; NULL with `lanes`                              */
    struct race_wait *waits;   /* [warp]: what it waited for last                                 */
    struct race_loose *loose;  /* [warp] */
    uint32_t *before;          /* [warp][width], for `loose`; NULL: not yet */
    uint32_t *settled;         /* [2 * n_actors]: up to which clock all that may come know an actor;
                                * and of its writes besides that copies see them                */
    uint32_t *least;           /* [n_seen]: of `settled`, what all see                           */
    struct shared_states states;  /* of shared memory                                           */
    struct race_remote *remote;   /* [block][warp of the unit]; NULL: no cluster                 */
    struct race_load_mark *loads; /* [warp] written, [warp] read; NULL: no copies of mbarriers    */
    uint32_t *relaxed;            /* [warp]: its clock at its last relaxed arrival at the barrier of
                                   * the cluster; 0: none. NULL: no cluster                      */
    struct race_place *places[RACE_BUCKETS];
    struct race_place *recent;    /* of the last event that orders; NULL: none */
    struct pool pool, phases;     /* of places; of their phases */
    uint32_t low_word, high_word; /* of `by_word`: those that were used, low .. high - 1 */
    struct race_place **by_word; /* [block][states.n_words]; NULL: none was asked for             */
    uint32_t rest; /* the first actor of kind RACE_REST, which are the last ones; 0: none */
    struct release_warp *release; /* [warp]; NULL: no `rest` */
    uint8_t *others; /* a bit a byte of shared memory, for release_lanes; NULL: not yet */
    struct copies_warp *copies; /* [warp]; NULL: no cp.async */
    uint32_t *scratch;          /* [width]; NULL with `copies` */
    struct bulks_warp *bulks;   /* [warp]; NULL: no bulk copies */
    uint64_t unmet; /* a bit a warp, modulo 64: lanes have waited for cp.async, and not met since */
    uint32_t *know; /* [warp]: lanes that have acquired before others; 0: all know the same */
    uint32_t *bases;             /* [warp][width], for acquire_base; NULL: not yet */
    uint32_t n_places, n_words;  /* all; of atomics */
    uintptr_t low_key, high_key; /* of all places                                    */
};

static inline uint32_t race_warp(const struct run_warp *warp) {
    return warp->block->rank * warp->block->n_warps + warp->number;
}

/* Whether a key may have a place. */
static inline int race_may_know(const struct races *races, const void *key) {
    const uintptr_t at = (uintptr_t)key;
    return races->n_words >= RACE_MOST_PLACES || (at >= races->low_key && at <= races->high_key);
}

/* The actor of a warp: kind 0 itself, 1 + queue; and back. */
static inline uint32_t race_actor(const struct races *races, const struct run_warp *warp,
                                  unsigned kind) {
    return races->slot[kind] * races->n_warps + race_warp(warp);
}
static inline unsigned race_kind(const struct races *races, uint32_t actor) {
    return races->kinds[actor / races->n_warps];
}
/* The actor of accesses of shared memory, and the warp whose writes copies may not see. */
static inline uint32_t race_sharer(const struct races *races, uint32_t warp) {
    return races->rest + warp;
}
static inline uint32_t race_thread(const struct races *races, uint32_t actor) {
    return races->rest && actor >= races->rest ? actor - races->rest : actor;
}
static inline int race_has(const struct races *races, unsigned kind) {
    return !kind || races->slot[kind];
}

static inline uint32_t *race_clocks(const struct races *races, const struct run_warp *warp) {
    return races->clocks + (size_t)race_warp(warp) * races->width;
}
static inline uint32_t *race_fenced(const struct races *races, const struct run_warp *warp) {
    return races->fenced + (size_t)race_warp(warp) * races->width;
}

/* Words from that one on, of all blocks, will have to be cleared. */
static inline void race_use_words(struct races *races, uint32_t first, uint32_t n) {
    if (races->low_word == races->high_word)
        races->low_word = races->high_word = first;
    races->low_word = first < races->low_word ? first : races->low_word;
    races->high_word = first + n > races->high_word ? first + n : races->high_word;
}

/* The clock of other units; the clock of a warp that the copy engine sees. */
static inline uint32_t *race_units(const struct races *races, uint32_t *clocks) {
    return clocks + races->n_actors;
}
static inline uint32_t race_seen(const struct races *races, const uint32_t *clocks, uint32_t slot) {
    return clocks[races->n_actors + 1 + slot];
}
/* The slot of writes that proxies see after a fence; n_seen: they see them at once. */
static inline uint32_t race_slot(const struct races *races, uint32_t actor) {
    const uint32_t thread = race_thread(races, actor), n = races->n_warps;
    const uint32_t first = races->slot[1 + SYNC_CP_ASYNC] * n;
    if (thread < n)
        return races->n_seen ? thread : 0;
    return races->n_seen > n && thread - first < n ? n + thread - first : races->n_seen;
}

void race_join(const struct races *races, uint32_t *to, const uint32_t *from);
static inline void race_copy(const struct races *races, uint32_t *restrict to,
                             const uint32_t *restrict from) {
    for (uint32_t i = 0; i < races->width; i += RACE_STEP)
        for (uint32_t j = i; j < i + RACE_STEP; j++)
            to[j] = from[j];
}
static inline void race_step(const struct races *races, const struct run_warp *warp) {
    uint32_t *clocks = race_clocks(races, warp);
    const uint32_t number = race_warp(warp);
    clocks[race_sharer(races, number)] = ++clocks[number];
}

/* The place of a barrier, or of a word of atomics, made at the first call. Some of too many
 * words have one together. NULL: no memory. race_known: NULL if nothing was released to the word.
 */
struct race_place *race_barrier(struct races *races, const void *key);
struct race_place *race_word(struct races *races, const void *key);
struct race_place *race_known(const struct races *races, const void *key);

/* --- accesses --- */

enum race_found { RACE_NONE, RACE_UNORDERED, RACE_UNFENCED, RACE_READ_ONLY, RACE_LOOSE };

/* The effect of a write on memory. */
enum race_effect { RACE_NOT_KNOWN, RACE_KEEPS, RACE_CHANGES };

struct reads;

/* Releases of the unit of a finding: do they hold its access? */
enum global_release {
    GLOBAL_UNKNOWN,
    GLOBAL_NO_RELEASE,    /* nothing was released, or earlier accesses of that warp   */
    GLOBAL_OTHER_RELEASE, /* accesses of other warps alone                            */
    GLOBAL_LATER_RELEASE, /* the asker knows an earlier release                       */
    GLOBAL_NOT_ACQUIRED   /* the asker knows none                                     */
};

/* An access and the vectors that it is compared with; a product of four warps has four. */
struct race_asker {
    struct races *races;
    struct race_pool *pool;
    struct reads *reads; /* loads of the thread of the host that are not in cells; NULL: all are */
    struct run_warp *warp;
    const struct run_op *op;
    const struct run_access *access;
    const uint32_t *clocks[4];
    unsigned n_clocks;
    const struct race_loose *loose; /* of the warp; NULL: none */
    struct race_mark mark;
    uint8_t kind;       /* enum race_class                                                   */
    uint8_t asks_fence; /* of the async proxy                                              */
    uint8_t unordered;  /* copies of its actor are not ordered by their issue              */
    uint8_t crowd;      /* other units are compared with at the end of the launch            */
    uint8_t mixed;      /* units met in a cell, and one wrote                              */
    uint8_t valued;     /* it keeps written bytes, as other threads of the host write there too */
    uint8_t no_memory;
    uint8_t effect;  /* enum race_effect, found out by the first race that depends on it   */
    uint8_t clashes; /* it may have met a unit out of turn: see cell.c                    */
    uint8_t found, found_kind, told; /* the first finding                                      */
    uint32_t ahead; /* place of a unit that runs ahead of its turn; 0: its turn has come */
    uint32_t turn;  /* last place whose turn has come, or `ahead`; 0: no unit runs ahead */
    struct race_place *places[2 * RUN_LANES]; /* of what is acquired and released */
    unsigned n_places;
    const uint8_t *bytes;   /* of the cell, that are written; NULL: not known                */
    unsigned place;         /* of the first lane that writes them (reach_turn)               */
    uint64_t cell;          /* address of the host of its first byte                         */
    struct race_mark other; /* of the first finding */
    uint64_t found_bytes;   /* of the cell          */
    uint64_t old_bytes;     /* of the cell, that old[] has; other ones are in memory          */
    uint8_t old[RACE_CELL]; /* what the first finding overwrites, if it is valued             */
    struct race_questions *asked;
};

/* The access of a thread of the host that is being heard: data of a worker begin with it. */
static inline struct race_asker *race_asker_of(const struct run_warp *warp) {
    return warp->worker->heard[LISTENER_RACE];
}

/* Functions of the row RACE in other files than race.c. clocks.c: of a unit. orders.c: of order.
 * global.c: of a thread of the host. */
int race_unit_make(struct run_unit *unit);
void race_unit_free(struct run_unit *unit);
void race_unit_begin(struct run_unit *unit);
void race_order(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                enum run_order_kind kind, const void *what);
int race_again(struct run_warp *warp, const struct hear_again *again); /* race_again.c */
int global_make(struct run_worker *worker);
void global_free(struct run_worker *worker);
void global_end(struct run_launch *launch, const struct run_worker *workers, unsigned n);

/* Finds out whether other units run, and which place the unit has. */
static inline void race_ask_turn(struct race_asker *asker) {
    const struct run_shared *shared = asker->warp->worker->launch->shared;
    asker->ahead = (uint32_t)asker->warp->block->unit->ahead;
    asker->turn = !shared->turns ? 0 : asker->ahead ? asker->ahead : (uint32_t)shared->next;
}

/* Bytes of a cell are accessed. race_read is the fast path of a weak read. Its block is compared
 * with others in the end, and weak loads alone have read the cell. */
void race_access(struct race_asker *asker, struct race_cell *cell, uint64_t mask);
void race_read(struct race_asker *asker, struct race_cell *cell, uint64_t mask);

/* A weak load of a few parts, all `offset` bytes further; a lane has 1 << shift bytes. */
struct race_load {
    const struct hear_part *parts;
    uint64_t offset;
    unsigned n;
    uint8_t shift;
};

/* Bytes of a cell that an access takes, and the lane of the first ones. Parts in one cell are one
 * access of the cell, so a load of a warp has this many at most. */
#define RACE_TAKEN 32
struct race_taken {
    uint64_t cell, mask;
    uint8_t lane;
};
unsigned race_taken_of(const struct race_load *load, struct race_taken taken[RACE_TAKEN]);

/* Whether an access of the asker's own unit is ordered before the asker: before each of four warps
 * if these issue a product. race_unfenced: whether it is a write of a thread that the copy engine
 * or the tensor core may not see. */
static inline int race_knows(const struct race_asker *asker, uint32_t actor, uint32_t clock) {
    if (actor == asker->mark.actor && !asker->unordered)
        return 1;
    for (unsigned i = 0; i < asker->n_clocks; i++)
        if (clock > asker->clocks[i][actor])
            return 0;
    return 1;
}
int race_unfenced(const struct race_asker *asker, uint32_t actor, uint32_t clock);

/* Whether only a relaxed load orders an access of the unit before the asker. */
static inline int race_loosely(const struct race_asker *asker, uint32_t actor, uint32_t clock) {
    const struct race_loose *loose = asker->loose;
    return loose && (loose->is & LOOSE_UNIT) && clock > loose->before[actor] &&
           actor % asker->races->n_warps != race_warp(asker->warp);
}

/* The block of the unit that an actor belongs to. Whether the accesses of the asker and of an actor
 * are of one unit, conflict and are not morally strong. */
static inline uint32_t race_block(const struct race_asker *asker, uint32_t actor) {
    return actor % asker->races->n_warps / asker->warp->block->n_warps;
}
static inline int race_meets(const struct race_asker *asker, unsigned kind, uint32_t actor) {
    return race_conflicts(kind, asker->kind) ||
           (((kind | asker->kind) & RACE_BLOCK) && race_conflicts_near(kind, asker->kind) &&
            race_block(asker, actor) != race_block(asker, asker->mark.actor));
}

/* A write changes some of `bytes` of the cell at asker->cell: these. `before` holds the bytes of
 * the cell; NULL: memory does. */
uint64_t race_changed(struct race_asker *asker, uint64_t bytes, const uint8_t *before);

/* Checks an access of shared memory (shared.c) and reports the first finding. Each of `lanes` is in
 * one cell of the block's memory. shared_access: bytes from .. from + size - 1 of the block. */
void shared_lanes(struct race_asker *asker, const struct run_block *block, uint32_t lanes);
void shared_access(struct race_asker *asker, const struct run_block *block, uint64_t from,
                   uint64_t size);

/* Keeps a weak load of words that only reads have accessed since all was settled. It cannot race.
 * 0: it is another access. */
int shared_keep(struct races *races, struct run_warp *warp, const struct hear_again *again);

/* A weak access of the block by threads. 0: it may race, or it is not of whole words, so the
 * functions above have to be called. */
int shared_take(struct race_asker *asker, const struct run_block *block,
                const struct hear_again *again);

/* Reports the findings at an address of shared memory; global_tell those of global memory. */
void race_tell_shared(struct race_asker *asker, unsigned lane, uint64_t at);

/* Reports a load whose value is only a guess that a later atom.cas tests; 0: it is none. */
int race_tell_guess(struct race_asker *asker, unsigned lane, const struct run_subject *subject,
                    const char *where);
/* That of instruction `load`. One of the accesses of `op` and of instruction `other` is the load,
 * the other one a strong write. */
int guess_tell(struct run_warp *warp, const struct run_op *op, unsigned lane, uint32_t other,
               uint32_t load, const struct run_subject *subject, const char *where);
/* Whether two accesses are the load and the store of one update, such as *c = *c + 1, or both are
 * its store. An atomic is missing then. */
int race_updates(const struct run_program *program, struct race_questions *asked, uint32_t one,
                 uint32_t other);
/* That in the program of a warp. */
int race_updates_here(const struct run_warp *warp, uint32_t one, uint32_t other);
/* The remedy. */
#define RACE_ATOMIC "; missing: an atomic operation (atomicAdd, red, atom)"

/* Shared memory of other blocks of the cluster, and mbarriers (remote.c). */
int remote_make(struct run_unit *unit, struct races *races);
void remote_free(struct races *races);
void remote_begin(struct races *races, uint32_t n_blocks);
/* Warps of `block` have waited at the barrier of the cluster: relaxed arrivals there keep the block
 * from exiting, too. */
void remote_let_go(struct races *races, const struct run_block *block);
/* An access of memory of `block`, which is not that of the warp. */
void remote_access(struct run_warp *warp, const struct run_op *op, const struct run_block *block,
                   uint32_t actor, uint32_t clock, unsigned lane);
/* Bytes of the block at the shared address `at` are written or read by a copy that completes an
 * mbarrier. */
void remote_load(const struct race_asker *asker, uint64_t at);
/* A write of `size` bytes at the shared address `at` of `block`: a finding if an mbarrier is there.
 */
void remote_damage(const struct race_asker *asker, const struct run_block *block, unsigned lane,
                   uint64_t at, uint64_t size);
/* Whether mbarriers of `block` may be in these bytes. */
static inline int remote_guards(const struct run_block *block, uint64_t at, uint64_t size) {
    const struct sync_block *sync = block->sync;
    return sync->n_inits && at < sync->inits_high && at + size > sync->inits_low;
}
/* The last lanes of a warp exit. */
void remote_exit(struct run_warp *warp, const struct run_op *op);
/* A copy completes at an mbarrier, and no fence follows mbarrier.init. */
void remote_unfenced(struct run_warp *warp, const struct run_op *op, unsigned lane,
                     const struct race_place *place);
/* Whether lanes of a warp use an mbarrier that another lane has initialised since they met. */
static inline int remote_is_lane_early(const struct races *races, uint32_t warp, uint32_t lanes,
                                       const struct race_place *place) {
    return place->init && place->init_by == warp && lanes & ~place->init_lanes && races->lanes &&
           races->waits[warp].met == place->init_met;
}
/* The block that has an mbarrier; NULL: it is a barrier of warps. */
const struct run_block *remote_block_of(const struct run_unit *unit, const void *what);
/* A use of the mbarrier `what` points to: is it ordered after mbarrier.init, and before its block
 * exits? */
void remote_barrier(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                    enum run_order_kind kind, const struct race_place *place);

/* Phases (phases.c): lanes come to a barrier, or bytes of their copies; a phase of it is over. An
 * mbarrier is initialised;
 * a phase ends, and has not yet been joined; a warp has waited for a parity, and has learnt nothing
 * yet. */
void phases_arrive(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                   struct race_place *place, int counts_bytes);
void phases_over(const struct races *races, struct race_place *place);
void phases_init(const struct races *races, struct race_place *place);
void phases_end(const struct races *races, struct race_place *place);
void phases_wait(struct run_warp *warp, const struct run_op *op, unsigned lane,
                 struct race_place *place);

/* Arrivals of parts of a warp (release.c), if there is an actor `rest`. release_make: 0: no memory.
 * release_hear: an access of the block's shared memory, which is in the list; 0: it is another one.
 * Its lanes meet; a warp learns these clocks. `lanes` release next;
 * release_next: at mbarriers. release_arrives: 1 for each of these, once. release_joins: the clock
 * of `rest` that they add to one before. release_fence: some lanes execute a fence.
 * release_is_fenced: a strong write of them is a release, as a fence is just before it. */
int release_make(struct races *races);
void release_free(struct races *races);
void release_begin(struct races *races);
int release_hear(struct races *races, const struct run_warp *warp, const struct run_op *op,
                 const struct run_access *access, unsigned kind);
void release_again(struct races *races, const struct run_warp *warp, const struct hear_again *again,
                   unsigned kind);
void release_meet(struct races *races, const struct run_warp *warp);
void release_learn(struct races *races, const struct run_warp *warp, const uint32_t *clocks);
void release_lanes(struct races *races, struct run_warp *warp, uint32_t lanes);
void release_next(struct races *races, struct run_warp *warp, uint32_t lanes);
void release_fence(struct races *races, const struct run_warp *warp);
int release_is_fenced(const struct races *races, const struct run_warp *warp);
int release_arrives(struct races *races, const struct run_warp *warp, uint32_t lanes);
uint32_t release_joins(const struct races *races, const struct run_warp *warp, uint32_t before);

/* Copies with groups (copies.c). copies_make: `copies`: there is cp.async; 0: no memory.
 * copies_hear: the clock of cp.async. Lanes wait for it; they meet. copies_enter comes before
 * another access of the warp, or a release of a part of it, while `unmet`. copies_arrive: lanes
 * issue an arrival at an mbarrier behind their copies. copies_arrived: they arrive; the clock that
 * this releases. copies_bulk: the clock of a bulk copy. ..._pending: 1 + the group of a copy that
 * was not waited for; 0: it was. */
int copies_make(struct races *races, int copies);
void copies_free(struct races *races);
void copies_begin(struct races *races);
uint32_t copies_hear(struct races *races, struct run_warp *warp, const struct run_op *op,
                     const struct run_access *access);
void copies_wait(struct races *races, struct run_warp *warp, uint32_t lanes);
void copies_meet(struct races *races, struct run_warp *warp);
void copies_enter(struct races *races, struct run_warp *warp);
void copies_arrive(struct races *races, struct run_warp *warp, uint32_t lanes);
uint32_t copies_arrived(struct races *races, const struct run_warp *warp, uint32_t lanes);
uint32_t copies_pending(const struct races *races, const struct run_warp *warp, uint32_t number);
uint32_t copies_bulk(struct races *races, const struct run_warp *warp, unsigned lane);
void copies_bulk_wait(struct races *races, struct run_warp *warp, uint32_t lanes);
uint32_t copies_bulk_pending(const struct races *races, const struct run_warp *warp,
                             uint32_t number);
static inline int copies_are_unmet(const struct races *races, const struct run_warp *warp) {
    return races->unmet && (races->unmet >> race_warp(warp) % 64 & 1);
}

/* Acquires (acquire.c). acquire_make: 0: no memory. acquire_lanes: before the clocks of the warp
 * grow. acquire_late: those of some lanes that may know less than the warp: they know acquire_base.
 * NULL: all lanes know the same. */
int acquire_make(struct races *races);
void acquire_free(struct races *races);
void acquire_begin(struct races *races);
void acquire_lanes(struct races *races, struct run_warp *warp, uint32_t lanes);
uint32_t acquire_late(const struct races *races, const struct run_warp *warp, uint32_t lanes);
uint32_t *acquire_base(const struct races *races, const struct run_warp *warp);

/* Reports that only a relaxed load orders two accesses. */
void race_tell_loose(struct race_asker *asker, unsigned lane, const struct run_subject *subject,
                     const char *where);

/* Words of findings: the queue that an actor is ("wgmma of "); the wait that is missing after a
 * copy or a product. */
const char *race_actor_name(const struct races *races, uint32_t actor);
uint8_t race_say_missing(const struct race_asker *asker, struct base_text *text);

/* --- global memory (global.c) --- */

/* Others wait with cells that have the same lock; none if no unit runs ahead. */
void global_lock_cell(const struct race_asker *asker, uint64_t cell);
void global_unlock_cell(const struct race_asker *asker, uint64_t cell);
static inline void global_lock(const struct race_asker *asker, uint64_t cell) {
    if (asker->turn)
        global_lock_cell(asker, cell);
}
static inline void global_unlock(const struct race_asker *asker, uint64_t cell) {
    if (asker->turn)
        global_unlock_cell(asker, cell);
}

/* The cells of a buffer; NULL: no memory, or the buffer is not checked. */
struct race_cell *global_cells(struct race_asker *asker, const struct run_buffer *buffer);

/* The same of a buffer that this thread of the host has accessed; otherwise NULL. */
struct race_cell *global_seen(struct race_asker *asker, const struct run_buffer *buffer);

/* Whether no store of the kernel goes to a buffer, so that its loads race with nothing. Addresses
 * that leave the buffer of their parameter do not count. */
int global_idle(const struct run_worker *worker, const struct run_buffer *buffer);

/* The `n` bytes at `at` that this thread of the host wrote last, where others write them too. 0:
 * the bytes are in memory. */
int global_written(const struct run_warp *warp, uint64_t at, unsigned n, uint8_t *bytes);

/* The same by its number, of a thread of the host. */
struct race_cell *global_numbered(struct race_asker *asker, const struct run_worker *worker,
                                  uint32_t number);

/* Units met in a cell of it, and one wrote: in the end its cells are looked at. */
void global_mixed(const struct run_worker *worker, const struct run_buffer *buffer);

/* The warp of its unit that an actor belongs to. */
uint32_t global_warp_of(const struct run_launch *launch, uint32_t actor, uint32_t *per_block);
/* Both accesses are strong: the scope of one leaves the other block out. */
const char *global_scope_text(unsigned kind, unsigned other_kind);
/* A block, as findings name it. */
const char *global_block_text(const struct run_launch *launch, uint32_t unit, uint32_t actor,
                              char text[64]);

/* Reports the findings at a byte of a buffer. */
void global_tell(struct race_asker *asker, const struct run_buffer *buffer, unsigned lane,
                 uint64_t byte, enum global_release released);

/* Whether the warp knows what another unit did. */
int global_knows(const struct race_asker *asker, const struct race_mark *mark);
/* Whether the unit of the first finding has released that access. */
enum global_release global_released(const struct race_asker *asker);
/* Whether it knows that from a relaxed load alone. */
int global_loosely(const struct race_asker *asker, const struct race_mark *mark);

/* A warp accesses words of global memory in an ordered way: called before and after. */
void global_acquire(struct race_asker *asker);
void global_release(struct race_asker *asker);

#endif
