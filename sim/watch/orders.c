/* Events that order accesses: barriers, mbarriers, fences, waits and meetings of lanes. Each moves
 * clocks between vectors (clocks.c). */
#include "actors.h"
#include "../state/launch.h"

#include <wsim/mbarrier.h>

static uint32_t *clocks_of(const struct races *races, const struct run_warp *warp) {
    return race_clocks(races, warp);
}

static uint32_t actor_of(const struct races *races, const struct run_warp *warp, unsigned kind) {
    return race_actor(races, warp, kind);
}

/* A proxy fence: the copy engine and the tensor core see all that the warp knows. Later accesses
 * get a later clock. */
static void publish(const struct races *races, const struct run_warp *warp) {
    uint32_t *clocks = clocks_of(races, warp), *visible = clocks + races->n_actors + 1;
    uint32_t *base = acquire_base(races, warp);
    const uint32_t seen = races->proxies ? races->n_warps : 0, copies = races->n_seen - seen;
    const uint32_t *behind = clocks + races->slot[1 + SYNC_CP_ASYNC] * races->n_warps;
    for (uint32_t i = 0; i < seen; i++)
        visible[i] = visible[i] > clocks[i] ? visible[i] : clocks[i];
    for (uint32_t i = 0; i < copies; i++)
        visible[seen + i] = visible[seen + i] > behind[i] ? visible[seen + i] : behind[i];
    for (uint32_t i = 0; base && i < races->n_seen; i++)
        base[races->n_actors + 1 + i] = visible[i];
    race_step(races, warp);
}

/* All see writes of some actors, as many as warps, up to `least` alone. */
static void see_less(const struct races *races, uint32_t first, const uint32_t *restrict least) {
    uint32_t *restrict seen = races->settled + races->n_actors + first;
    for (uint32_t i = 0; i < races->n_warps; i++)
        seen[i] = seen[i] < least[i] ? seen[i] : least[i];
}

/* Accesses that all live warps know can race with nothing later, nor can writes that copies see
 * too. A warp that has exited still counts while copies of it are held back. */
static void settle(struct races *races, const struct run_unit *unit) {
    uint32_t *settled = races->settled, *seen = settled + races->n_actors;
    int first = 1;
    for (uint32_t b = 0; b < unit->n_blocks; b++)
        for (uint32_t w = 0; w < unit->blocks[b].n_warps; w++) {
            const struct run_warp *warp = &unit->blocks[b].warps[w];
            const uint32_t *base = acquire_base(races, warp);
            const uint32_t *clocks = base ? base : clocks_of(races, warp);
            if (!warp->lanes && !sync_is_late(warp))
                continue;
            for (uint32_t i = 0; i < races->n_actors; i++)
                settled[i] = first || clocks[i] < settled[i] ? clocks[i] : settled[i];
            for (uint32_t i = 0; i < races->n_seen; i++) {
                const uint32_t visible = race_seen(races, clocks, i);
                races->least[i] = first || visible < races->least[i] ? visible : races->least[i];
            }
            first = 0;
        }
    memcpy(seen, settled, races->n_actors * sizeof *seen);
    if (races->proxies) {
        see_less(races, 0, races->least);
        if (races->rest)
            see_less(races, races->rest, races->least);
        if (races->n_seen > races->n_warps)
            see_less(races, races->slot[1 + SYNC_CP_ASYNC] * races->n_warps,
                     races->least + races->n_warps);
    }
    shared_settle(races);
}

/* --- phases --- */

static uint32_t *pending_of(struct race_place *place) {
    return place->phase_clocks;
}

/* Clocks that the arriving warps had fenced for all blocks: they stay fenced, whichever waiter
 * passes them on. */
static uint32_t *fenced_of(const struct races *races, struct race_place *place) {
    return place->phase_clocks + races->width;
}

/* The end of a phase: a wait for it acquires all that was released during it. */
static void end_phase(const struct races *races, struct race_place *place) {
    phases_end(races, place);
    race_join(races, place->clocks, pending_of(place));
    place->holds = RACE_OF_SEVERAL;
    place->ended++;
    memset(pending_of(place), 0, races->width * sizeof *place->clocks);
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

/* Knowledge from relaxed loads is firm from now on, except for those bits LOOSE_... */
static void make_firm(const struct races *races, const struct run_warp *warp, uint8_t but) {
    races->loose[race_warp(warp)].is &= but;
}

/* The same behind a fence for the block: of what its warps did alone. */
static void make_firm_near(const struct races *races, const struct run_warp *warp) {
    const struct race_loose *loose = &races->loose[race_warp(warp)];
    const uint32_t *clocks = clocks_of(races, warp), first = race_warp(warp) - warp->number;
    uint32_t *before =
        races->before ? races->before + (size_t)race_warp(warp) * races->width : NULL;
    if (warp->block->unit->n_blocks < 2 || !(loose->is & LOOSE_UNIT)) {
        make_firm(races, warp, LOOSE_UNITS);
        return;
    }
    for (uint32_t i = 0; i < races->n_actors; i++)
        if (i % races->n_warps - first < warp->block->n_warps)
            before[i] = clocks[i];
}

/* The clock of other units that a warp knows by more than a relaxed load. */
static uint32_t firm_units(const struct races *races, const struct run_warp *warp) {
    const struct race_loose *loose = &races->loose[race_warp(warp)];
    return loose->is & LOOSE_UNITS ? loose->units : clocks_of(races, warp)[races->n_actors];
}

/* A warp comes to a barrier, or has exited before. */
static void keep_firm(const struct races *races, const struct run_warp *warp,
                      struct race_place *place) {
    const uint32_t firm = firm_units(races, warp);
    place->firm = place->firm > firm ? place->firm : firm;
}

/* A barrier of the block is no fence for other blocks. If one warp knows of them from a relaxed
 * load alone, so do all that waited. */
static void pass_loose(const struct races *races, const struct run_warp *warp,
                       const struct race_place *place) {
    struct race_loose *loose = &races->loose[race_warp(warp)];
    loose->is &= (uint8_t)~LOOSE_UNITS;
    if (clocks_of(races, warp)[races->n_actors] <= place->firm)
        return;
    loose->is |= LOOSE_UNITS;
    loose->units = place->firm;
}

static void order_lanes(struct races *races, struct run_warp *warp) {
    if (copies_are_unmet(races, warp))
        copies_meet(races, warp);
    races->waits[race_warp(warp)].met++;
    if (races->lanes)
        lanes_order(&races->lanes[race_warp(warp)]);
}

/* A fence counts as a meeting where lanes race, as it also is in practice. But a lane behind it
 * releases its own copies alone. */
static void fence_lanes(struct races *races, struct run_warp *warp) {
    if (races->rest && copies_are_unmet(races, warp))
        copies_enter(races, warp);
    order_lanes(races, warp);
}

/* Its lanes meet: each knows what the others did. */
static void meet_lanes(struct races *races, struct run_warp *warp) {
    order_lanes(races, warp);
    if (races->know)
        races->know[race_warp(warp)] = 0;
    if (races->rest)
        release_meet(races, warp);
}

/* A part of its lanes meets. */
static void meet_part(struct races *races, struct run_warp *warp, uint32_t lanes) {
    uint32_t *know = races->know ? &races->know[race_warp(warp)] : NULL;
    if (copies_are_unmet(races, warp))
        copies_enter(races, warp);
    races->waits[race_warp(warp)].met++;
    if (races->lanes && !lanes_meet_part(&races->lanes[race_warp(warp)], lanes))
        run_no_memory(warp);
    if (races->rest) {
        release_lanes(races, warp, lanes);
        race_step(races, warp);
    }
    if (know && (*know & lanes))
        *know |= lanes;
    if (know && !(warp->lanes & ~*know))
        *know = 0;
}

/* A warp knows the accesses of groups, which are counted for each lane. */
static void know_up_to(const struct races *races, const struct run_warp *warp, uint32_t lanes,
                       uint32_t actor, const uint32_t done[RUN_LANES]) {
    uint32_t *known = &clocks_of(races, warp)[actor], *base = acquire_base(races, warp);
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        if (done[run_lowest(rest)] > *known)
            *known = done[run_lowest(rest)];
    if (base && *known > base[actor])
        base[actor] = *known;
}

/* Groups of a queue are done for a warp. */
static void know_groups(struct races *races, struct run_warp *warp, uint32_t lanes,
                        unsigned queue) {
    const struct run_warp *counts =
        queue == SYNC_WGMMA ? warp->block->warps + (warp->number & ~3u) : warp;
    const struct sync_groups *groups = &sync_warp_of(warp)->groups[queue];
    if (!race_has(races, 1 + queue))
        return;
    if (queue == SYNC_CP_ASYNC && races->copies)
        copies_wait(races, warp, lanes);
    else if (queue == SYNC_BULK)
        copies_bulk_wait(races, warp, lanes);
    else if (queue == SYNC_WGMMA)
        know_up_to(races, warp, lanes, actor_of(races, counts, 1 + queue), groups->waited);
}

/* Asynchronous work arrives at a barrier: cp.async for all copies that the warp has issued. Bytes
 * that are complete, and a commit of tcgen05, have the clock of their warp. */
static void arrive_beside(struct races *races, struct run_warp *warp, uint32_t lanes,
                          uint32_t *pending, enum sync_queue queue) {
    uint32_t *released = &pending[actor_of(races, warp, 1 + queue)], clock;
    if (!race_has(races, 1 + queue) || (queue == SYNC_CP_ASYNC && !races->copies))
        return;
    clock = queue == SYNC_CP_ASYNC ? copies_arrived(races, warp, lanes)
                                   : clocks_of(races, warp)[actor_of(races, warp, 0)];
    if (clock > *released)
        *released = clock;
}

/* A fence for the cluster, of a kernel in clusters. */
static void fence_near(const struct races *races, const struct run_warp *warp) {
    if (races->near)
        race_copy(races, races->near + (size_t)race_warp(warp) * races->width,
                  clocks_of(races, warp));
}

/* Any fence: a relaxed arrival at an mbarrier releases earlier accesses, and it acquires those that
 * a relaxed wait has seen. Scopes that are too narrow are ignored. */
static void fence_any(struct races *races, const struct run_warp *warp) {
    struct race_wait *wait = &races->waits[race_warp(warp)];
    if (races->rest)
        release_fence(races, warp);
    if (!races->firm)
        return;
    if (wait->peeked)
        race_join(races, clocks_of(races, warp), wait->peeked->clocks);
    if (wait->peeked && acquire_base(races, warp))
        race_join(races, acquire_base(races, warp), wait->peeked->clocks);
    wait->peeked = NULL;
    race_copy(races, races->firm + (size_t)race_warp(warp) * races->width, clocks_of(races, warp));
    race_step(races, warp);
}

/* A relaxed arrival at the barrier of the cluster releases what a fence before it did, but other
 * blocks wait for it before they exit. Without a cluster it is a full arrival. */
static void arrive_relaxed(const struct races *races, const struct run_warp *warp,
                           struct race_place *place) {
    race_join(races, pending_of(place),
              races->near ? races->near + (size_t)race_warp(warp) * races->width
                          : clocks_of(races, warp));
    if (races->near)
        races->relaxed[race_warp(warp)] = clocks_of(races, warp)[actor_of(races, warp, 0)];
}

/* An arrival releases what the warp knows: at an mbarrier, of its own accesses of shared memory,
 * what these lanes may. */
static void arrive_lanes(struct races *races, const struct run_warp *warp, uint32_t lanes,
                         uint32_t *pending) {
    uint32_t *rest = &pending[race_sharer(races, race_warp(warp))];
    const uint32_t before = *rest;
    race_join(races, pending, clocks_of(races, warp));
    if (races->rest && release_arrives(races, warp, lanes))
        *rest = release_joins(races, warp, before);
}

/* Whether `warps` are all that are left of the unit, and have arrived after each of their reads. */
static int settles(const struct races *races, const struct run_block *block, uint32_t warps,
                   const uint32_t *pending) {
    if (block->unit->n_blocks > 1)
        return 0;
    for (uint32_t w = 0; w < block->n_warps; w++) {
        const struct run_warp *warp = &block->warps[w];
        if (races->states.newest[w] > pending[w] ||
            races->states.newest[race_sharer(races, w)] > pending[race_sharer(races, w)] ||
            (!(warps >> w & 1) && (warp->lanes || sync_is_late(warp))))
            return 0;
    }
    return 1;
}

/* Whether warps that exit count as arrived: at barriers without a count, and at that of the
 * cluster. */
static int counts_exits(const struct run_block *block, const struct race_place *place) {
    return place->key == block->unit || ((const struct sync_barrier *)place->key)->all;
}

/* A phase of a barrier of warps is over: those that wait know what all did that came, and what
 * those did whose exit counts. */
static void let_go(struct races *races, const struct run_block *block, uint32_t warps,
                   struct race_place *place) {
    for (uint32_t w = 0; w < block->n_warps && counts_exits(block, place); w++)
        if (!block->warps[w].lanes) {
            keep_firm(races, &block->warps[w], place);
            race_join(races, pending_of(place), clocks_of(races, &block->warps[w]));
            race_join(races, fenced_of(races, place), race_fenced(races, &block->warps[w]));
        }
    if (settles(races, block, warps, pending_of(place)))
        shared_drop(races);
    for (uint32_t rest = warps; rest; rest &= rest - 1) {
        struct run_warp *warp = &block->warps[run_lowest(rest)];
        meet_lanes(races, warp);
        make_firm(races, warp, LOOSE_UNITS);
        shared_learn(races, warp);
        race_join(races, clocks_of(races, warp), pending_of(place));
        pass_loose(races, warp, place);
        if (races->fences)
            race_join(races, race_fenced(races, warp), fenced_of(races, place));
    }
    settle(races, block->unit);
}

/* Lanes see one after another that a phase is over. */
static void await(struct races *races, const struct run_warp *warp,
                  const struct race_place *place) {
    struct race_wait *wait = &races->waits[race_warp(warp)];
    if (wait->place == place && wait->ended == place->ended)
        return;
    race_join(races, clocks_of(races, warp), place->clocks);
    if (races->rest)
        release_learn(races, warp, place->clocks);
    wait->place = place;
    wait->ended = place->ended;
    wait->parity = 0;
    for (uint32_t w = 0; w < races->n_warps; w++)
        if (races->waits[w].place != place || races->waits[w].ended != place->ended)
            return;
    settle(races, warp->block->unit); /* it was the last one */
}

static void phase_changed(const struct races *races, struct race_place *place, const void *what) {
    const uint32_t phase = phase_at(what);
    if (place->phase == phase)
        return;
    place->phase = phase;
    end_phase(races, place);
}

/* Uses of an mbarrier, a bit an enum run_order_kind. */
#define USES                                                                                       \
    (1u << RUN_ORDER_ARRIVE | 1u << RUN_ORDER_COPIED | 1u << RUN_ORDER_COMPLETE |                  \
     1u << RUN_ORDER_COMMIT | 1u << RUN_ORDER_MARK | 1u << RUN_ORDER_WAIT |                        \
     1u << RUN_ORDER_PARITY | 1u << RUN_ORDER_PEEK)

/* Events after which a warp may know more, but for the ends of barriers of warps. */
#define LEARNS                                                                                     \
    (1u << RUN_ORDER_NEAR | 1u << RUN_ORDER_GROUPS | 1u << RUN_ORDER_CLUSTER |                     \
     1u << RUN_ORDER_FENCE | 1u << RUN_ORDER_WAIT | 1u << RUN_ORDER_PARITY)

/* Fast path: one more lane sees the end of a phase that its warp has waited for already. */
static int waits_again(struct races *races, struct run_warp *warp, uint32_t lanes,
                       enum run_order_kind kind, const void *what) {
    const uint32_t number = race_warp(warp);
    struct race_wait *wait = &races->waits[number];
    const struct race_place *place = races->recent;
    if (!place || place->key != what || wait->place != place || wait->ended != place->ended ||
        (kind == RUN_ORDER_PARITY && !wait->parity) || races->loose[number].is || races->remote ||
        races->unmet || place->init > clocks_of(races, warp)[place->init_by] ||
        remote_is_lane_early(races, number, lanes, place))
        return 0;
    order_lanes(races, warp);
    if (races->know && races->know[number])
        acquire_lanes(races, warp, lanes);
    return 1;
}

void race_order(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                enum run_order_kind kind, const void *what) {
    struct races *races = warp->block->unit->heard[LISTENER_RACE];
    struct race_place *place;
    if ((kind == RUN_ORDER_PARITY || kind == RUN_ORDER_WAIT) &&
        waits_again(races, warp, lanes, kind, what))
        return;
    races->states.version++;
    if (LEARNS >> kind & 1)
        shared_learn(races, warp);
    switch (kind) {
    case RUN_ORDER_WARP:
        if (warp->lanes & ~lanes)
            meet_part(races, warp, lanes);
        else
            meet_lanes(races, warp);
        return;
    case RUN_ORDER_LANES:
        if (copies_are_unmet(races, warp))
            copies_enter(races, warp);
        if (races->rest)
            release_next(races, warp, lanes);
        return;
    case RUN_ORDER_NEAR:
        fence_lanes(races, warp);
        make_firm_near(races, warp);
        fence_any(races, warp);
        return;
    case RUN_ORDER_BEHIND:
        if (copies_are_unmet(races, warp))
            copies_enter(races, warp);
        if (races->copies)
            copies_arrive(races, warp, lanes);
        return;
    case RUN_ORDER_GROUPS: know_groups(races, warp, lanes, *(const enum sync_queue *)what); return;
    case RUN_ORDER_PROXY:
        races->published++;
        if (copies_are_unmet(races, warp))
            copies_enter(races, warp);
        publish(races, warp);
        return;
    case RUN_ORDER_CLUSTER:
        races->published++;
        fence_lanes(races, warp);
        make_firm(races, warp, LOOSE_UNITS);
        fence_any(races, warp);
        fence_near(races, warp);
        race_step(races, warp);
        return;
    case RUN_ORDER_FENCE:
        races->published++;
        fence_lanes(races, warp);
        make_firm(races, warp, 0);
        fence_any(races, warp);
        fence_near(races, warp);
        race_copy(races, race_fenced(races, warp), clocks_of(races, warp));
        races->fences = 1;
        race_step(races, warp);
        return;
    case RUN_ORDER_EXIT:
        if (copies_are_unmet(races, warp))
            copies_meet(races, warp);
        remote_exit(warp, op);
        return;
    default: break;
    }
    place = races->recent && races->recent->key == what ? races->recent : race_barrier(races, what);
    races->recent = place;
    if (!place) {
        run_no_memory(warp);
        return;
    }
    if (kind == RUN_ORDER_COMPLETE && place->init && place->init_published == races->published)
        remote_unfenced(warp, op, run_lowest(lanes), place);
    if (place->init > clocks_of(races, warp)[place->init_by] || races->remote ||
        remote_is_lane_early(races, race_warp(warp), lanes, place))
        if (USES >> kind & 1)
            remote_barrier(warp, op, lanes, kind, place);
    switch (kind) {
    case RUN_ORDER_INIT:
        place->init = clocks_of(races, warp)[actor_of(races, warp, 0)];
        place->init_op = run_number(warp, op);
        place->init_by = actor_of(races, warp, 0);
        place->init_lanes = lanes;
        place->init_published = races->published;
        place->init_met = races->waits[place->init_by].met;
        phases_init(races, place);
        break;
    case RUN_ORDER_PHASE: phase_changed(races, place, what); break;
    case RUN_ORDER_COPIED:
    case RUN_ORDER_COMPLETE:
    case RUN_ORDER_COMMIT:
        arrive_beside(races, warp, lanes, pending_of(place),
                      kind == RUN_ORDER_COPIED     ? SYNC_CP_ASYNC
                      : kind == RUN_ORDER_COMPLETE ? SYNC_BARRIER
                                                   : SYNC_TENSOR);
        /* fall through */
    case RUN_ORDER_ARRIVE:
        if (kind == RUN_ORDER_ARRIVE && copies_are_unmet(races, warp)) /* the warp as a whole */
            copies_meet(races, warp);
        phases_arrive(warp, op, lanes, place, kind == RUN_ORDER_COMPLETE);
        keep_firm(races, warp, place);
        arrive_lanes(races, warp, lanes, pending_of(place));
        if (races->fences)
            race_join(races, fenced_of(races, place), race_fenced(races, warp));
        race_step(races, warp);
        break;
    case RUN_ORDER_RELAXED:
        if (copies_are_unmet(races, warp))
            copies_meet(races, warp);
        keep_firm(races, warp, place);
        arrive_relaxed(races, warp, place);
        race_step(races, warp);
        break;
    case RUN_ORDER_MARK:
        race_join(races, pending_of(place), races->firm + (size_t)race_warp(warp) * races->width);
        races->waits[race_warp(warp)].marked = clocks_of(races, warp)[actor_of(races, warp, 0)];
        race_step(races, warp);
        break;
    case RUN_ORDER_PEEK: races->waits[race_warp(warp)].peeked = place; break;
    case RUN_ORDER_PARITY:
        phases_wait(warp, op, run_lowest(lanes), place);
        /* fall through */
    case RUN_ORDER_WAIT:
        order_lanes(races, warp);
        make_firm(races, warp, 0);
        if (races->know)
            acquire_lanes(races, warp, lanes);
        await(races, warp, place);
        races->waits[race_warp(warp)].parity |= kind == RUN_ORDER_PARITY;
        break;
    case RUN_ORDER_LET_GO:
        place->let_go = lanes;
        let_go(races, warp->block, lanes, place);
        if (lanes)
            remote_let_go(races, warp->block);
        break;
    case RUN_ORDER_OVER:
        phases_over(races, place);
        place->firm = 0;
        memset(pending_of(place), 0, 2 * races->width * sizeof *place->clocks);
        break;
    default: break;
    }
}
