/* Releases of some lanes of a warp: arrivals at an mbarrier, stores and atomics with .release, and
 * relaxed ones just behind a fence.
 *
 * They release the accesses of the lanes that execute them, and what the warp did before its lanes
 * met. Accesses of shared memory therefore have an actor of their own, `rest`. Arrivals
 * of a part of the warp release it only up to the clock `limit` of the last meeting. The accesses
 * since then are in a list. Bytes in it that no other lane accesses pass to the actor of the warp,
 * whose clock every arrival releases. The list ends when all of its lanes have arrived,
 * wherever. A list that is too long releases all, so races may be missed. */
#include "actors.h"

#include <stdlib.h>

enum { MOST = 128, FIRST_ROOM = 8 };

/* Shared memory of the unit: `bytes` of each lane, counted through all blocks. */
struct released {
    uint32_t op, bytes, clock;
    uint32_t lanes, left; /* left: those that have not arrived anywhere yet */
    uint8_t kind;         /* enum race_class */
    uint8_t is_line;      /* lane i is at first + i * step */
    uint32_t first, step;
    uint32_t from[RUN_LANES]; /* of each lane, if it is no line */
};

static inline uint32_t from_of(const struct released *one, unsigned lane) {
    return one->is_line ? one->first + lane * one->step : one->from[lane];
}

struct release_warp {
    uint32_t limit;
    uint32_t arrive, joins; /* lanes that arrive next, and the clock that they release */
    uint32_t n, room;
    uint32_t fenced; /* accesses of the list before the last fence */
    uint8_t lost;    /* an access is not in the list */
    struct released *list;
};

int release_make(struct races *races) {
    races->release = calloc(races->n_warps, sizeof *races->release);
    return races->release != NULL;
}

void release_free(struct races *races) {
    for (uint32_t w = 0; races->release && w < races->n_warps; w++)
        free(races->release[w].list);
    free(races->release);
    free(races->others);
}

void release_begin(struct races *races) {
    for (uint32_t w = 0; races->release && w < races->n_warps; w++) {
        struct release_warp *of = &races->release[w];
        of->limit = of->arrive = of->n = of->fenced = of->lost = 0;
    }
}

/* --- the list --- */

/* One more access. NULL: it repeats one, or the list is too long. */
static struct released *grow(struct release_warp *of) {
    if (of->n == of->room && of->room < MOST) {
        const uint32_t room = of->room ? 2 * of->room : FIRST_ROOM;
        struct released *list = realloc(of->list, room * sizeof *list);
        if (list) {
            of->list = list;
            of->room = room;
        }
    }
    of->lost |= of->n == of->room;
    return of->lost ? NULL : &of->list[of->n];
}

static int is_equal(const struct released *a, const struct released *b) {
    return a->op == b->op && a->lanes == b->left && a->is_line == b->is_line &&
           (a->is_line ? a->first == b->first && a->step == b->step
                       : !memcmp(a->from, b->from, sizeof a->from));
}

/* The access is in the list, unless it repeats the last one. */
static void keep(struct release_warp *of) {
    struct released *mine = &of->list[of->n], *last = mine - 1;
    if (of->n && is_equal(mine, last))
        last->clock = mine->clock;
    else
        of->n++;
}

static void take_head(struct released *to, const struct races *races, const struct run_warp *warp,
                      const struct run_op *op, unsigned kind, uint32_t lanes, uint32_t bytes) {
    to->op = run_number(warp, op);
    to->clock = race_clocks(races, warp)[race_warp(warp)];
    to->bytes = bytes;
    to->lanes = to->left = lanes;
    to->kind = (uint8_t)kind;
}

/* Where a shared address is, counted through all blocks; UINT32_MAX: in no block. */
static uint32_t index_of(const struct run_warp *warp, uint64_t at) {
    const struct run_unit *unit = warp->block->unit;
    const uint64_t rank = at >> RUN_RANK_SHIFT, size = warp->block->shared.size;
    const uint64_t from = rank < unit->n_blocks ? at - unit->blocks[rank].shared.base : size;
    return from < size ? (uint32_t)(rank * size + from) : UINT32_MAX;
}

/* Whether some lanes are outside of all blocks; they are not all in this one. */
static int is_outside(const struct run_warp *warp, const struct run_access *access) {
    for (uint32_t rest = access->row ? 1 : access->lanes; rest; rest &= rest - 1)
        if (index_of(warp, access->at[run_lowest(rest)]) == UINT32_MAX)
            return 1;
    return 0;
}

int release_hear(struct races *races, const struct run_warp *warp, const struct run_op *op,
                 const struct run_access *access, unsigned kind) {
    const struct run_block *block = warp->block;
    const uint64_t base = block->shared.base - block->rank * block->shared.size;
    struct release_warp *of = &races->release[race_warp(warp)];
    const unsigned first = access->row ? 0 : run_lowest(access->lanes);
    struct released *to;
    int remote = 0;
    if (access->space != PTX_SHARED || access->async || access->plain == RUN_PLAIN_TOGETHER)
        return 0;
    if ((kind & 1) && !warp->program->arrives) /* of locks: a list would be long */
        return 0;
    for (uint32_t rest = access->row ? 1 : access->lanes; rest && !remote; rest &= rest - 1)
        remote = access->at[run_lowest(rest)] - block->shared.base >= block->shared.size;
    if (remote && is_outside(warp, access))
        return 0;
    to = grow(of);
    if (!to)
        return 1;
    take_head(to, races, warp, op, kind, access->lanes, access->bytes);
    to->is_line = access->row || !(access->lanes & (access->lanes - 1));
    to->first = remote ? index_of(warp, access->at[first]) : (uint32_t)(access->at[first] - base);
    to->step = access->row ? access->bytes : 0;
    if (!to->is_line)
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            to->from[lane] = (uint32_t)(access->at[lane] - base);
    for (uint32_t rest = remote && !to->is_line ? access->lanes : 0; rest; rest &= rest - 1)
        to->from[run_lowest(rest)] = index_of(warp, access->at[run_lowest(rest)]);
    keep(of);
    return 1;
}

void release_again(struct races *races, const struct run_warp *warp, const struct hear_again *again,
                   unsigned kind) {
    struct release_warp *of = &races->release[race_warp(warp)];
    const uint32_t bytes = (uint32_t)again->plan->bytes * again->plan->elements;
    const struct run_block *block = again->memory->block;
    const uint32_t first = (uint32_t)(block->rank * block->shared.size + again->parts[0].from);
    struct released *to;
    if (again->access) {
        release_hear(races, warp, again->op, again->access, kind);
        return;
    }
    of->lost |= again->times > 1 || (!again->is_line && !again->apart);
    to = grow(of);
    if (!to)
        return;
    take_head(to, races, warp, again->op, kind, again->lanes, bytes);
    to->is_line = !again->apart;
    to->first = first;
    to->step = again->is_row ? bytes : 0;
    for (uint32_t lane = 0; lane < RUN_LANES && again->apart; lane++)
        to->from[lane] = first + (uint32_t)again->apart[lane];
    keep(of);
}

/* --- what orders --- */

void release_meet(struct races *races, const struct run_warp *warp) {
    struct release_warp *of = &races->release[race_warp(warp)];
    if (!of->n && !of->lost)
        return;
    of->limit = race_clocks(races, warp)[race_warp(warp)];
    of->n = of->fenced = of->lost = 0;
    race_step(races, warp);
}

void release_learn(struct races *races, const struct run_warp *warp, const uint32_t *clocks) {
    const uint32_t known = clocks[races->rest + race_warp(warp)];
    struct release_warp *of = &races->release[race_warp(warp)];
    of->limit = known > of->limit ? known : of->limit;
}

void release_fence(struct races *races, const struct run_warp *warp) {
    struct release_warp *of = &races->release[race_warp(warp)];
    of->fenced = of->n;
}

/* The strong write may be in the list itself, behind the fence. */
int release_is_fenced(const struct races *races, const struct run_warp *warp) {
    const struct release_warp *of = &races->release[race_warp(warp)];
    return of->fenced && of->fenced + 1 >= of->n;
}

/* Notes which bytes lanes access that have not arrived; or forgets it. */
static void note_others(struct races *races, const struct release_warp *of, int forget) {
    for (uint32_t i = 0; i < of->n; i++)
        for (uint32_t rest = of->list[i].left; rest; rest &= rest - 1) {
            const uint32_t from = from_of(&of->list[i], run_lowest(rest));
            for (uint32_t at = from; at < from + of->list[i].bytes; at++)
                races->others[at / 8] =
                    forget ? 0 : (uint8_t)(races->others[at / 8] | 1u << at % 8);
        }
}

/* Bytes of a lane that no other lane accesses pass to the actor of the warp. */
static void pass_bytes(struct race_asker *asker, uint32_t from, uint32_t bytes) {
    const uint8_t *others = asker->races->others;
    const struct run_unit *unit = asker->warp->block->unit;
    const uint64_t size = asker->warp->block->shared.size;
    uint32_t n;
    for (uint32_t at = from, end = from + bytes; at < end; at += n ? n : 1) {
        n = 0;
        while (at + n < end && !(others[(at + n) / 8] >> (at + n) % 8 & 1))
            n++;
        if (n)
            shared_access(asker, &unit->blocks[at / size], at % size, n);
    }
}

void release_lanes(struct races *races, struct run_warp *warp, uint32_t lanes) {
    struct release_warp *of = &races->release[race_warp(warp)];
    const uint32_t number = race_warp(warp), clock = race_clocks(races, warp)[number];
    struct race_asker asker = {.races = races, .warp = warp, .n_clocks = 1};
    uint32_t left = 0;
    of->joins = clock;
    for (uint32_t i = 0; i < of->n; i++)
        left |= of->list[i].left &= ~lanes;
    if (of->lost)
        return;
    if (!left) {
        of->limit = clock;
        of->n = of->fenced = 0;
        return;
    }
    if (!races->others)
        races->others = calloc(warp->block->unit->n_blocks * warp->block->shared.size / 8 + 1, 1);
    if (!races->others) {
        run_no_memory(warp);
        return;
    }
    of->joins = of->limit;
    asker.clocks[0] = race_clocks(races, warp);
    note_others(races, of, 0);
    for (uint32_t i = 0; i < of->n; i++) {
        const struct released *one = &of->list[i];
        asker.kind = one->kind;
        asker.mark =
            (struct race_mark){.clock = one->clock, .op = one->op, .actor = (uint16_t)number};
        for (uint32_t rest = one->lanes & ~one->left; rest; rest &= rest - 1)
            pass_bytes(&asker, from_of(one, run_lowest(rest)), one->bytes);
    }
    note_others(races, of, 1);
    if (asker.no_memory)
        run_no_memory(warp);
}

void release_next(struct races *races, struct run_warp *warp, uint32_t lanes) {
    races->release[race_warp(warp)].arrive = lanes;
    release_lanes(races, warp, lanes);
}

int release_arrives(struct races *races, const struct run_warp *warp, uint32_t lanes) {
    struct release_warp *of = &races->release[race_warp(warp)];
    const uint32_t arrive = of->arrive;
    of->arrive &= ~lanes;
    return (arrive & lanes) != 0;
}

uint32_t release_joins(const struct races *races, const struct run_warp *warp, uint32_t before) {
    const uint32_t joins = races->release[race_warp(warp)].joins;
    return before > joins ? before : joins;
}
