/* Races in shared memory, by vector clocks.
 *
 * An *actor* is a warp, or one of the four queues of its asynchronous work (copies and products run
 * beside the warp that issued them). Each actor has a clock, and each warp a vector: of every actor
 * the clock up to which what that actor did is ordered before what the warp does now. A release (an
 * arrival, an atomic, a store that is not weak) joins the vector of its warp to that of the place
 * it releases to, and the clock of the warp steps; an acquire joins the other way round. The queues
 * that have groups use the numbers of the groups as clocks: who waits for a group knows them. What
 * completes an mbarrier is counted, and released to that barrier.
 *
 * Of each word of shared memory the last two actors that wrote it and the last two that read it are
 * remembered. An access that conflicts with one of these races if the vector of its warp does not
 * hold the other's clock. As only two are kept, and places in memory may share a vector, a race may
 * be missed in one run; what is found is one. Lanes of one warp are taken to be ordered. */
#include "check_race.h"
#include "launch.h"

#include <stdlib.h>
#include <wsim/mbarrier.h>

enum { KINDS = 1 + SYNC_BARRIER + 1 }; /* actors of a warp: itself, and its queues */
enum { KEPT = 2 };                     /* of each word, writers and readers        */
enum { PAGE_WORDS = 256, BUCKETS = 256, MOST_PLACES = 1024 }; /* words of atomics */

/* An access of some bytes of a word. */
struct mark {
    uint32_t clock; /* of its actor; 0: there was none */
    uint32_t op;
    uint16_t actor;
    uint8_t bytes;  /* a bit each                      */
    uint8_t strong; /* not weak: atomic, volatile ...  */
};

struct word {
    struct mark writes[KEPT], reads[KEPT];
};

/* What is released to and acquired from: a barrier, or a word that is accessed by atomics. */
struct place {
    struct place *next;
    const void *key;
    uint32_t phase;    /* of an mbarrier */
    uint32_t clocks[]; /* [2 * actors]: of phases that are over; of the one that goes on */
};

struct races {
    uint32_t n_actors;
    uint32_t *clocks;     /* [warp of the unit][actor]                                      */
    struct word ***words; /* [block][page]; NULL: nobody has accessed it                    */
    uint32_t n_pages;     /* of a block                                                     */
    struct place *places[BUCKETS];
    uint32_t n_places;
};

/* --- clocks --- */

static uint32_t warp_number(const struct run_warp *warp) {
    return warp->block->rank * warp->block->n_warps + warp->number;
}

/* The actor of a warp: 0 itself, 1 + queue. */
static uint32_t actor_of(const struct run_warp *warp, unsigned kind) {
    return warp_number(warp) * KINDS + kind;
}

static uint32_t *clocks_of(const struct races *races, const struct run_warp *warp) {
    return races->clocks + (size_t)warp_number(warp) * races->n_actors;
}

static void join(const struct races *races, uint32_t *to, const uint32_t *from) {
    for (uint32_t i = 0; i < races->n_actors; i++)
        to[i] = to[i] > from[i] ? to[i] : from[i];
}

static void step(const struct races *races, const struct run_warp *warp) {
    clocks_of(races, warp)[actor_of(warp, 0)]++;
}

/* --- a unit --- */

int check_race_make(struct run_unit *unit) {
    const struct run_launch *launch = unit->worker->launch;
    struct races *races;
    uint32_t warps = unit->n_blocks * unit->blocks[0].n_warps;
    if (!(launch->how->checks & WSIM_CHECK_RACE))
        return 1;
    races = calloc(1, sizeof *races);
    unit->races = races;
    if (!races)
        return 0;
    races->n_actors = warps * KINDS;
    races->n_pages = launch->shared_bytes / (4 * PAGE_WORDS) + 1;
    races->clocks = calloc((size_t)warps * races->n_actors, sizeof *races->clocks);
    races->words = calloc(unit->n_blocks, sizeof *races->words);
    if (!races->clocks || !races->words)
        return 0;
    for (uint32_t b = 0; b < unit->n_blocks; b++) {
        races->words[b] = calloc(races->n_pages, sizeof *races->words[b]);
        if (!races->words[b])
            return 0;
    }
    return 1;
}

static void drop_places(struct races *races) {
    for (uint32_t i = 0; i < BUCKETS; i++) {
        for (struct place *next, *place = races->places[i]; place; place = next) {
            next = place->next;
            free(place);
        }
        races->places[i] = NULL;
    }
    races->n_places = 0;
}

void check_race_free(struct run_unit *unit) {
    struct races *races = unit->races;
    if (!races)
        return;
    drop_places(races);
    for (uint32_t b = 0; races->words && b < unit->n_blocks; b++) {
        for (uint32_t p = 0; races->words[b] && p < races->n_pages; p++)
            free(races->words[b][p]);
        free(races->words[b]);
    }
    free(races->words);
    free(races->clocks);
    free(races);
    unit->races = NULL;
}

void check_race_begin(struct run_unit *unit) {
    struct races *races = unit->races;
    if (!races)
        return;
    drop_places(races);
    for (uint32_t b = 0; b < unit->n_blocks; b++)
        for (uint32_t p = 0; p < races->n_pages; p++)
            if (races->words[b][p])
                memset(races->words[b][p], 0, PAGE_WORDS * sizeof(struct word));
    memset(races->clocks, 0,
           (size_t)races->n_actors / KINDS * races->n_actors * sizeof *races->clocks);
    for (uint32_t w = 0; w < races->n_actors / KINDS; w++) {
        uint32_t *clocks = races->clocks + (size_t)w * races->n_actors;
        clocks[w * KINDS] = 1;
        clocks[w * KINDS + 1 + SYNC_BARRIER] = 0;
    }
}

/* --- places --- */

/* The place of a key, made at the first call; of too many words (`shares`) some have one together.
 * NULL: no memory. */
static struct place *place_of(struct races *races, const void *key, int shares) {
    uint32_t bucket = (uint32_t)(((uintptr_t)key >> 2) * 0x9E3779B1u >> 8) % BUCKETS;
    struct place *place = races->places[bucket];
    while (place && place->key != key)
        place = place->next;
    if (!place && shares && races->n_places >= MOST_PLACES)
        place = races->places[bucket];
    if (place)
        return place;
    place = calloc(1, sizeof *place + 2 * (size_t)races->n_actors * sizeof *place->clocks);
    if (!place)
        return NULL;
    races->n_places += shares != 0;
    place->key = key;
    place->next = races->places[bucket];
    races->places[bucket] = place;
    return place;
}

static uint32_t *pending_of(const struct races *races, struct place *place) {
    return place->clocks + races->n_actors;
}

/* What was released in the phase that goes on is there for who waits for its end. */
static void end_phase(const struct races *races, struct place *place) {
    join(races, place->clocks, pending_of(races, place));
    memset(pending_of(races, place), 0, races->n_actors * sizeof *place->clocks);
}

/* The phase of the mbarrier at a place; anything that is none is in phase 0. */
static uint32_t phase_at(const void *what) {
    /* It is only read. */
    struct wsim_memory memory = wsim_memory_over(WSIM_SHARED, (void *)(uintptr_t)what, 8, 0);
    struct wsim_mbarrier barrier = {.shared = &memory, .lane = WSIM_NO_LANE};
    struct wsim_mbarrier_state state;
    return wsim_mbarrier_read(&barrier, &state, NULL) ? 0 : state.phase;
}

/* --- what orders --- */

/* Groups of a queue are done for a warp. */
static void know_groups(const struct races *races, struct run_warp *warp, uint32_t lanes,
                        unsigned queue) {
    struct run_warp *counts =
        queue == SYNC_WGMMA ? warp->block->warps + (warp->number & ~3u) : warp;
    uint32_t *known = &clocks_of(races, warp)[actor_of(counts, 1 + queue)];
    const uint32_t *waited = sync_warp_of(warp)->groups[queue].waited;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        if (waited[run_lowest(rest)] > *known)
            *known = waited[run_lowest(rest)];
}

/* Work beside the warp arrives for what it has done: copies of cp.async all that the warp has
 * issued; what completes bytes has the clock of its warp. */
static void arrive_beside(const struct races *races, struct run_warp *warp, uint32_t lanes,
                          uint32_t *pending, int counted) {
    unsigned queue = counted ? SYNC_BARRIER : SYNC_CP_ASYNC;
    uint32_t *released = &pending[actor_of(warp, 1 + queue)];
    const uint32_t *committed = sync_warp_of(warp)->groups[SYNC_CP_ASYNC].committed;
    uint32_t clock = counted ? clocks_of(races, warp)[actor_of(warp, 0)] : 0;
    for (uint32_t rest = counted ? 0 : lanes; rest; rest &= rest - 1)
        if (committed[run_lowest(rest)] + 1 > clock)
            clock = committed[run_lowest(rest)] + 1;
    if (clock > *released)
        *released = clock;
}

/* A phase of a barrier of warps is over: those that wait know what all did that came, and what
 * those did that have exited. */
static void let_go(const struct races *races, const struct run_block *block, uint32_t warps,
                   struct place *place) {
    for (uint32_t w = 0; w < block->n_warps; w++)
        if (!block->warps[w].lanes)
            join(races, pending_of(races, place), clocks_of(races, &block->warps[w]));
    for (uint32_t rest = warps; rest; rest &= rest - 1)
        join(races, clocks_of(races, &block->warps[run_lowest(rest)]), pending_of(races, place));
}

void check_race_order(struct run_warp *warp, uint32_t lanes, enum run_order_kind kind,
                      const void *what) {
    struct races *races = warp->block->unit->races;
    struct place *place;
    if (kind == RUN_ORDER_GROUPS) {
        know_groups(races, warp, lanes, *(const enum sync_queue *)what);
        return;
    }
    place = place_of(races, what, 0);
    if (!place) {
        run_no_memory(warp);
        return;
    }
    switch (kind) {
    case RUN_ORDER_COPIED:
    case RUN_ORDER_COMPLETE:
        arrive_beside(races, warp, lanes, pending_of(races, place), kind == RUN_ORDER_COMPLETE);
        /* fall through */
    case RUN_ORDER_ARRIVE:
        join(races, pending_of(races, place), clocks_of(races, warp));
        step(races, warp);
        break;
    case RUN_ORDER_WAIT: join(races, clocks_of(races, warp), place->clocks); break;
    case RUN_ORDER_LET_GO: let_go(races, warp->block, lanes, place); break;
    case RUN_ORDER_OVER:
        memset(pending_of(races, place), 0, races->n_actors * sizeof *place->clocks);
        break;
    default: break;
    }
}

void check_race_phase(struct run_warp *warp, const void *what) {
    struct races *races = warp->block->unit->races;
    struct place *place = place_of(races, what, 0);
    uint32_t phase = phase_at(what);
    if (place && place->phase != phase) {
        place->phase = phase;
        end_phase(races, place);
    }
}

/* --- accesses --- */

/* Who accesses, and with which vectors: products of four warps with those of all of them. */
struct asker {
    struct run_warp *warp;
    const struct run_op *op;
    const struct run_access *access;
    const uint32_t *clocks[4];
    unsigned n_clocks;
    struct mark mark;
};

static void ask_for(struct races *races, struct run_warp *warp, const struct run_op *op,
                    const struct run_access *access, struct asker *asker) {
    const struct sync_item *acting = sync_unit_of(warp)->acting;
    unsigned queue = access->async ? access->async - 1u : 0, lane = run_lowest(access->lanes);
    /* Of four warps the first one counts the groups of all, as its lane 0. */
    if (access->async && queue == SYNC_WGMMA) {
        warp = warp->block->warps + (warp->number & ~3u);
        lane = 0;
    }
    asker->warp = warp;
    asker->op = op;
    asker->access = access;
    asker->n_clocks = 1;
    asker->clocks[0] = clocks_of(races, warp);
    asker->mark = (struct mark){.op = run_number(warp, op),
                                .actor = (uint16_t)actor_of(warp, access->async),
                                .strong = !access->weak || access->kind == RUN_ATOMIC ||
                                          access->kind == RUN_REDUCE};
    if (!access->async || queue == SYNC_BARRIER)
        asker->mark.clock = asker->clocks[0][actor_of(warp, 0)];
    else if (acting)
        asker->mark.clock = acting->group[lane] + 1;
    else
        asker->mark.clock = sync_warp_of(warp)->groups[queue].committed[lane] + 1;
    if (access->async && queue == SYNC_BARRIER)
        asker->mark.strong = access->kind == RUN_REDUCE;
    for (unsigned w = 1; access->async && queue == SYNC_WGMMA && w < 4; w++)
        if (warp->number + w < warp->block->n_warps)
            asker->clocks[asker->n_clocks++] = clocks_of(races, warp + w);
}

/* Whether what is marked conflicts with the access, and nothing orders them. */
static int races_with(const struct asker *asker, const struct mark *mark, unsigned bytes) {
    if (!mark->clock || !(mark->bytes & bytes) || mark->actor == asker->mark.actor ||
        (mark->strong && asker->mark.strong))
        return 0;
    for (unsigned i = 0; i < asker->n_clocks; i++)
        if (mark->clock <= asker->clocks[i][mark->actor])
            return 0;
    return 1;
}

/* Keeps an access in place of an older one of its actor, of one that is ordered before it, or of
 * the oldest. */
static void keep(const struct asker *asker, struct mark marks[KEPT], unsigned bytes) {
    struct mark mark = asker->mark, *to = &marks[1];
    mark.bytes = (uint8_t)bytes;
    if (marks[0].actor == mark.actor) {
        if (marks[0].clock == mark.clock && marks[0].op == mark.op)
            mark.bytes |= marks[0].bytes;
        marks[0] = mark;
        return;
    }
    if (!marks[0].clock) {
        marks[0] = mark;
        return;
    }
    *to = marks[0];
    marks[0] = mark;
}

static const char *actor_name(unsigned kind) {
    static const char *const names[KINDS] = {"", "cp.async of ", "cp.async.bulk of ", "wgmma of ",
                                             "an asynchronous copy of "};
    return names[kind];
}

static enum run_next tell(const struct asker *asker, const struct mark *mark, unsigned lane,
                          uint64_t at, int wrote) {
    const struct run_warp *warp = asker->warp;
    unsigned mine = asker->mark.actor, other = mark->actor;
    uint32_t warps = warp->block->n_warps;
    return run_finding_pair(
        asker->warp, asker->op, lane, &warp->program->ops[mark->op], RULE_RACE_SHARED, 0,
        "%swarp %u %s shared address 0x%llx, which %swarp %u%s %s: nothing orders the two",
        actor_name(mine % KINDS), mine / KINDS % warps,
        asker->access->kind == RUN_READ ? "reads" : "writes", (unsigned long long)at,
        actor_name(other % KINDS), other / KINDS % warps,
        other / KINDS / warps == warp->block->rank ? "" : " of another block",
        wrote ? "wrote" : "read");
}

static struct word *word_at(struct races *races, uint32_t rank, uint32_t number) {
    struct word **page = &races->words[rank][number / PAGE_WORDS];
    if (!*page)
        *page = calloc(PAGE_WORDS, sizeof **page);
    return *page ? *page + number % PAGE_WORDS : NULL;
}

/* One word: 1 if a race was told. */
static int access_word(const struct asker *asker, struct word *word, unsigned bytes, unsigned lane,
                       uint64_t at) {
    const int writes = asker->access->kind != RUN_READ;
    struct mark *mine = writes ? word->writes : word->reads;
    const struct mark *found = NULL;
    int wrote = 1;
    if (mine->actor == asker->mark.actor && mine->clock == asker->mark.clock &&
        mine->op == asker->mark.op && (mine->bytes & bytes) == bytes)
        return 0;
    for (unsigned i = 0; i < KEPT && !found; i++)
        if (races_with(asker, &word->writes[i], bytes))
            found = &word->writes[i];
    for (unsigned i = 0; writes && i < KEPT && !found; i++)
        if (races_with(asker, &word->reads[i], bytes)) {
            found = &word->reads[i];
            wrote = 0;
        }
    if (found)
        tell(asker, found, lane, at, wrote);
    keep(asker, mine, bytes);
    return found != NULL;
}

/* The bytes that one lane accesses. */
static enum run_next access_lane(struct races *races, const struct asker *asker, unsigned lane,
                                 int *told) {
    const struct run_access *access = asker->access;
    uint32_t rank = (uint32_t)(access->at[lane] >> RUN_RANK_SHIFT);
    const struct run_unit *unit = asker->warp->block->unit;
    uint64_t at = access->at[lane] - unit->blocks[rank].shared.base, end = at + access->bytes;
    while (at < end) {
        unsigned skip = (unsigned)(at & 3), bytes = 0xFu << skip & 0xFu;
        struct word *word = word_at(races, rank, (uint32_t)(at / 4));
        if (end - (at - skip) < 4)
            bytes &= 0xFu >> (4 - (end - (at - skip)));
        if (!word)
            return run_no_memory(asker->warp);
        if (!*told)
            *told = access_word(asker, word, bytes, lane, at + unit->blocks[rank].shared.base);
        else
            keep(asker, access->kind == RUN_READ ? word->reads : word->writes, bytes);
        at += 4 - skip;
    }
    return RUN_ON;
}

/* Atomics, and accesses that are not weak, order by the word that they access: locks and flags. */
static enum run_next order_lane(struct races *races, const struct asker *asker, unsigned lane,
                                int releases) {
    const struct run_access *access = asker->access;
    const void *key = access->host[lane] - ((uintptr_t)access->host[lane] & 3u);
    struct place *place = place_of(races, key, 1);
    uint32_t *clocks = clocks_of(races, asker->warp);
    if (!place)
        return run_no_memory(asker->warp);
    if (!releases && access->kind != RUN_WRITE)
        join(races, clocks, place->clocks);
    else if (releases && access->kind != RUN_READ)
        join(races, place->clocks, clocks);
    return RUN_ON;
}

static enum run_next order_lanes(struct races *races, const struct asker *asker, int releases) {
    for (uint32_t rest = asker->access->lanes; rest; rest &= rest - 1)
        if (order_lane(races, asker, run_lowest(rest), releases) == RUN_STOP)
            return RUN_STOP;
    return RUN_ON;
}

void check_race(struct run_warp *warp, const struct run_op *op, const struct run_access *access) {
    struct races *races = warp->block->unit->races;
    struct asker asker;
    int told = 0, orders;
    if (access->space != PTX_SHARED && access->space != PTX_GLOBAL)
        return;
    orders = !access->async && (!access->weak || access->kind >= RUN_ATOMIC);
    if (access->space == PTX_GLOBAL && !orders)
        return;
    ask_for(races, warp, op, access, &asker);
    if (orders && order_lanes(races, &asker, 0) == RUN_STOP)
        return;
    for (uint32_t rest = access->space == PTX_SHARED ? access->lanes : 0; rest; rest &= rest - 1)
        if (access_lane(races, &asker, run_lowest(rest), &told) == RUN_STOP)
            return;
    if (!orders || access->kind == RUN_READ)
        return;
    order_lanes(races, &asker, 1);
    step(races, warp);
}
