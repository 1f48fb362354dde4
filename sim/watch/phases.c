/* Phases that a warp may take for one another. Two groups of warps use one barrier unordered, or an
 * mbarrier has a parity again before a warp has waited for it. Or more arrive in a phase of an
 * mbarrier than it counts: nothing orders an arrival behind those that ended the phase before. */
#include "actors.h"

#include <wsim/mbarrier.h>

/* The number of a barrier of the block; SYNC_BARRIERS: it has none. */
static uint32_t number_of(const struct run_warp *warp, const void *what) {
    const struct sync_block *sync = warp->block->sync;
    const uintptr_t at = (uintptr_t)what - (uintptr_t)sync->barriers;
    return at < sizeof sync->barriers ? (uint32_t)(at / sizeof *sync->barriers) : SYNC_BARRIERS;
}

/* Whether a mixed arrival harms: a warp waits for one of the two phases. */
static int harms(const struct run_warp *warp, const struct race_place *place) {
    const struct sync_barrier *barrier = place->key;
    return place->let_go || barrier->waiting >> warp->number & 1;
}

/* The arrivals that an mbarrier expects in each phase. */
static uint32_t expected_at(const void *what) {
    /* It is only read. */
    struct wsim_memory memory = wsim_memory_over(WSIM_SHARED, (void *)(uintptr_t)what, 8, 0);
    struct wsim_mbarrier barrier = {.shared = &memory, .lane = WSIM_NO_LANE};
    struct wsim_mbarrier_state state;
    return wsim_mbarrier_read(&barrier, &state, NULL) ? 0 : state.expected;
}

/* The warp that has arrived in a phase that is over, which nothing orders before this warp.
 * n_warps: there is none. A relaxed wait for a phase is not kept in the vector. */
static uint32_t unordered_with(const struct races *races, const struct run_warp *warp,
                               const struct race_place *place) {
    const struct race_wait *wait = &races->waits[race_warp(warp)];
    const uint32_t *clocks = race_clocks(races, warp);
    uint32_t i = 0;
    if (!place->ended || wait->peeked || (wait->place == place && wait->ended == place->ended))
        return races->n_warps;
    while (i < races->n_warps && clocks[i] >= place->clocks[i])
        i++;
    return i;
}

/* `other`: the warp of the unit that arrived; its own: another lane. */
static void tell_excess(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                        const struct race_place *place, uint32_t other, int counts_bytes) {
    const struct run_block *block = remote_block_of(warp->block->unit, place->key);
    const int own = other == race_warp(warp),
              near = other / warp->block->n_warps == warp->block->rank;
    char words[48];
    struct base_text whose = {words, sizeof words, 0};
    const uint64_t at =
        block->shared.base + (uint64_t)((const uint8_t *)place->key - block->shared.bytes);
    const uint32_t expected = expected_at(place->key);
    const struct run_op *before = &warp->program->ops[place->came_op];
    const struct run_subject subject = {RUN_ADDRESS, PTX_SHARED, 8, at, 0};
    base_put(&whose, own ? "another lane" : "warp %u%s", other % warp->block->n_warps,
             near ? "" : " of another block");
    if (counts_bytes) {
        run_finding_of(warp, op, run_lowest(lanes), before, RULE_MBARRIER_ARRIVE_EXCESS, &subject,
                       "a copy of warp %u completes at the mbarrier at %s, and nothing orders that "
                       "after the arrivals of %s in the phase before, which can end without its "
                       "bytes; missing: these bytes in the expect_tx of their phase, or a wait of "
                       "the copy for the phase before",
                       warp->number, run_shared_words(warp, at, "shared address ").text, words);
        return;
    }
    run_finding_of(warp, op, run_lowest(lanes), before, RULE_MBARRIER_ARRIVE_EXCESS, &subject,
                   "warp %u arrives at the mbarrier at %s, and nothing orders that after the "
                   "arrivals of %s in the phase before: a phase counts %u arrival%s, and "
                   "more come; missing: the count of all arrivals in mbarrier.init, or one thread "
                   "that arrives for the others",
                   warp->number, run_shared_words(warp, at, "shared address ").text, words,
                   expected, expected == 1 ? "" : "s");
}

/* Lanes arrive at an mbarrier. Some lanes of an instruction end the phase for others. */
static void arrive_more(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                        struct race_place *place, int counts_bytes) {
    const struct races *races = warp->block->unit->heard[LISTENER_RACE];
    const uint32_t met = races->waits[race_warp(warp)].met, own = race_warp(warp);
    const uint32_t other = unordered_with(races, warp, place);
    const int again = place->last_lanes && place->last_by == own && place->last_met == met;
    if (other < races->n_warps)
        tell_excess(warp, op, lanes, place, other, counts_bytes);
    else if (again && place->last_ended != place->ended && place->last_lanes & ~lanes &&
             place->came_op == run_number(warp, op))
        tell_excess(warp, op, lanes, place, own, counts_bytes);
    place->last_lanes =
        again && place->last_ended == place->ended ? place->last_lanes | lanes : lanes;
    place->last_by = own;
    place->last_met = met;
    place->last_ended = place->ended;
    place->came_op = run_number(warp, op);
}

void phases_arrive(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                   struct race_place *place, int counts_bytes) {
    const struct races *races = warp->block->unit->heard[LISTENER_RACE];
    const uint32_t *clocks = race_clocks(races, warp), id = number_of(warp, place->key);
    const uint32_t first = race_warp(warp) - warp->number;
    if (id == SYNC_BARRIERS) {
        if (place->key != warp->block->unit)
            arrive_more(warp, op, lanes, place, counts_bytes);
        return;
    }
    for (uint32_t rest =
             place->let_go >> warp->number & 1 || !harms(warp, place) ? 0 : place->came_before;
         rest; rest &= rest - 1) {
        const uint32_t other = run_lowest(rest);
        if (other == warp->number || clocks[first + other] >= place->clocks[first + other])
            continue;
        run_finding_of(
            warp, op, RUN_LANES, &warp->program->ops[place->came_op], RULE_RACE_BARRIER,
            &(struct run_subject){RUN_ADDRESS, PTX_SHARED, 4, id, 0},
            "warp %u comes to barrier %u, which warp %u used before: nothing orders the "
            "two uses, so their arrivals can mix; missing: a barrier of its own for each "
            "group of warps",
            warp->number, id, other);
        break;
    }
    place->came |= UINT32_C(1) << warp->number;
    place->came_op = run_number(warp, op);
}

void phases_over(const struct races *races, struct race_place *place) {
    if (place->came)
        race_copy(races, place->clocks, place->phase_clocks);
    place->came_before = place->came;
    place->came = 0;
}

/* Two more vectors of an mbarrier. The first holds all releases before the last phase. The second
 * has, for each warp, the phases that were over at its last wait. */
static uint32_t *before_of(const struct races *races, const struct race_place *place) {
    return place->phase_clocks + 2 * (size_t)races->width;
}
static uint32_t *seen_of(const struct races *races, const struct race_place *place) {
    return place->phase_clocks + 3 * (size_t)races->width;
}

void phases_init(const struct races *races, struct race_place *place) {
    memset(before_of(races, place), 0, races->width * sizeof *place->clocks);
    for (uint32_t i = 0; i < races->n_warps; i++)
        seen_of(races, place)[i] = place->ended;
}

void phases_end(const struct races *races, struct race_place *place) {
    if (place->holds != RACE_NOTHING)
        race_copy(races, before_of(races, place), place->clocks);
}

void phases_wait(struct run_warp *warp, const struct run_op *op, unsigned lane,
                 struct race_place *place) {
    const struct races *races = warp->block->unit->heard[LISTENER_RACE];
    const uint32_t *clocks = race_clocks(races, warp), *before = before_of(races, place);
    const uint64_t at = warp->block->shared.base +
                        (uint64_t)((const uint8_t *)place->key - warp->block->shared.bytes);
    uint32_t *seen = &seen_of(races, place)[race_warp(warp)], missed = place->ended - *seen;
    uint32_t i = 0;
    *seen = place->ended;
    if (missed < 2)
        return;
    while (i < races->n_actors && clocks[i] >= before[i])
        i++;
    if (i == races->n_actors)
        return;
    run_finding_of(
        warp, op, lane, NULL, RULE_RACE_PARITY,
        &(struct run_subject){RUN_ADDRESS, PTX_SHARED, 8, at, 0},
        "warp %u waits for a parity of the mbarrier at %s, of which it has missed %u "
        "phases: it can take one phase for another; missing: the arrivals of a phase wait "
        "until this warp has seen the last one",
        warp->number, run_shared_words(warp, at, "shared address ").text, missed - 1);
}
