/* Barriers of a block: bar and barrier, .sync .arrive .red, with and without a count.
 *
 * A thread at a barrier waits for all threads of its warp that have not exited. Then the warp has
 * arrived, and counts for 32 threads however many it has. (PTX ISA 9.0, barrier: "waits for all
 * non-exited threads from its warp to reach the barrier, and marks the warp's arrival".) The
 * threads of a warp may come to one barrier by different instructions. If these have .aligned (bar
 * always does), that is a finding. Threads that reach one instruction at different times form one
 * group from then on, as the assembler joins them in front. A barrier without a count completes
 * when every warp with threads left has come. Warps that exit are not waited for. With a count,
 * exactly that number of threads must come, whether others exit or not. */
#include "lanes.h"

#define ALL_WARPS 0

/* op->more of a barrier. */
struct bar {
    struct run_row id, count, value, d;
    uint8_t kind;      /* enum bar_kind              */
    uint8_t operation; /* of BAR_RED: SCALAR_POPC ... */
    uint8_t aligned;
    uint8_t fixed; /* 1: it is barrier fixed_id of all warps */
    uint8_t fixed_id;
};
enum bar_kind { BAR_SYNC, BAR_ARRIVE, BAR_RED };

static run_step sync_bar;

/* --- what a group says --- */

/* Number and count that all lanes give; RUN_STOP: they do not agree, or the values are none. */
static enum run_next operands(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                              struct run_warp *warp, uint32_t *id, uint32_t *warps) {
    const struct bar *bar = op->more;
    uint32_t count, most = warp->block->n_warps;
    unsigned first = run_lowest(lanes);
    if (bar->fixed) {
        *id = bar->fixed_id;
        *warps = ALL_WARPS;
        return RUN_ON;
    }
    *id = (uint32_t)run_get(frame, bar->id, first);
    count = (uint32_t)run_get(frame, bar->count, first);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = run_lowest(rest);
        if (run_get(frame, bar->id, lane) != *id || run_get(frame, bar->count, lane) != count)
            return run_finding(warp, op, lane, RULE_SYNC_BARRIER_DIFFERS, 1,
                               "lane %u gives barrier %u and %u threads, lane %u barrier %u and %u "
                               "threads: all lanes of a warp give the same",
                               lane, (unsigned)run_get(frame, bar->id, lane),
                               (unsigned)run_get(frame, bar->count, lane), first, *id, count);
    }
    if (*id >= SYNC_BARRIERS)
        return run_finding(warp, op, first, RULE_SYNC_BARRIER_RANGE, 1,
                           "barrier %u: a block has the barriers 0 to %d", *id, SYNC_BARRIERS - 1);
    if (bar->count.bits && (!count || count % RUN_LANES || count > most * RUN_LANES))
        return run_finding(warp, op, first, RULE_SYNC_BARRIER_COUNT, 1,
                           "barrier %u of %u threads: a count is a multiple of 32 from 32 to %u, "
                           "the warps of the block",
                           *id, count, most * RUN_LANES);
    *warps = bar->count.bits ? count / RUN_LANES : ALL_WARPS;
    return RUN_ON;
}

static struct sync_barrier *barrier_of(const struct run_warp *warp, uint32_t id) {
    struct sync_block *block = warp->block->sync;
    block->used |= UINT32_C(1) << id;
    return &block->barriers[id];
}

/* Another group of the warp that has come to the same barrier, and waits for the rest of the warp.
 * Groups of a warp that has arrived have a ticket: 1 + the number of the barrier. */
static int is_at(const struct run_warp *warp, const struct run_group *group, uint32_t id) {
    const struct run_op *op = &warp->program->ops[group->at];
    const struct bar *bar = op->more;
    return group != warp->group && sync_waits(group) && op->step == sync_bar && !group->ticket &&
           run_get(group->frame->bytes, bar->id, run_lowest(group->lanes)) == id;
}

/* --- the end of a phase --- */

/* Whether all have come that have to. */
static inline int is_over(const struct run_block *block, const struct sync_barrier *barrier) {
    return barrier->all ? !(block->alive & ~barrier->came) : barrier->count == barrier->expected;
}

/* Ends the phase. */
static void settle(struct run_block *block, struct sync_barrier *barrier) {
    uint32_t result = barrier->true_lanes & SYNC_TRUE_LANES;
    result |= barrier->true_lanes == barrier->lanes ? SYNC_ALL_TRUE : 0;
    result |= barrier->true_lanes ? SYNC_ANY_TRUE : 0;
    for (uint32_t rest = barrier->waiting; rest; rest &= rest - 1)
        barrier->result[run_lowest(rest)] = result;
    hear_order(block->warps, NULL, barrier->waiting, RUN_ORDER_LET_GO, barrier);
    hear_order(block->warps, NULL, 0, RUN_ORDER_OVER, barrier);
    barrier->came = barrier->waiting = barrier->count = barrier->expected = 0;
    barrier->true_lanes = barrier->lanes = 0;
    barrier->all = 0;
    block->unit->events++;
    block->unit->inner++;
}

/* The result of a .red, for each lane. */
static void put_result(uint8_t *frame, const struct bar *bar, uint32_t lanes, uint32_t result) {
    uint64_t value = result & SYNC_TRUE_LANES;
    if (bar->operation == SCALAR_AND)
        value = (result & SYNC_ALL_TRUE) != 0;
    if (bar->operation == SCALAR_OR)
        value = (result & SYNC_ANY_TRUE) != 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        run_put(frame, bar->d, run_lowest(rest), value);
}

/* --- arrival --- */

/* Adds what lanes of a group give to a .red. */
static void contribute(struct sync_barrier *barrier, uint8_t *frame, const struct bar *bar,
                       uint32_t lanes) {
    if (bar->kind != BAR_RED)
        return;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        barrier->true_lanes += (uint32_t)run_get(frame, bar->value, run_lowest(rest));
    barrier->lanes += run_count(lanes);
}

/* The lanes of a warp have come to different instructions. */
static enum run_next divergent(struct run_warp *warp, const struct run_op *op,
                               const struct run_op *other, uint32_t lanes) {
    if (!sync_checks(warp))
        return RUN_ON;
    return run_finding_pair(warp, op, RUN_LANES, other, RULE_SYNC_ALIGNED_DIVERGENT, 0,
                            "lanes 0x%08x of the warp come to this barrier and the others to "
                            "another instruction: .aligned is for a warp that is together",
                            lanes);
}

/* Lanes of other groups that will exit before anything else. */
static uint32_t leaving(const struct run_warp *warp) {
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < warp->n_groups; i++)
        if (warp->program->ops[warp->groups[i].at].leads & RUN_LEAVES)
            lanes |= warp->groups[i].lanes;
    return lanes;
}

/* Lanes begin to wait for the rest of their warp: notes which lanes owe the barrier an arrival. An
 * early return owes none. */
static void note_owed(struct run_warp *warp, uint32_t come) {
    struct sync_warp *sync = sync_warp_of(warp);
    if (sync->bar_begun)
        return;
    sync->bar_begun = 1;
    sync->owed = warp->lanes & ~come & ~leaving(warp);
}

/* The barrier is complete for a warp. Lanes that exited while others waited there had more to do
 * than return, so they passed the barrier by. PTX wants all threads of the warp there. */
static void tell_exits(struct run_warp *warp, const struct run_op *op, uint32_t id) {
    struct sync_warp *sync = sync_warp_of(warp);
    const uint32_t missed = sync->owed & ~warp->lanes, gone = warp->born & ~warp->lanes;
    sync->owed = sync->bar_begun = 0;
    if (!gone || !sync_checks(warp))
        return;
    if (missed)
        run_finding(warp, op, run_lowest(missed), RULE_SYNC_BARRIER_EXIT, 0,
                    "lanes 0x%08x exit instead of coming to barrier %u, where lanes 0x%08x of "
                    "their warp wait",
                    missed, id, warp->lanes);
    else if (!sync->told_exit)
        run_finding(warp, op, run_lowest(gone), RULE_ADVICE_BARRIER_EXIT, 0,
                    "lanes 0x%08x have exited before barrier %u, which lanes 0x%08x of their warp "
                    "wait at: PTX asks for all threads of the warp",
                    gone, id, warp->lanes);
    sync->told_exit = 1;
}

/* The whole warp has come to barrier `id`: this group, and the others that wait for it there. */
static enum run_next arrive(struct sync_barrier *barrier, uint32_t id, uint32_t lanes,
                            struct run_warp *warp, const struct run_op *op) {
    const struct bar *bar = op->more;
    uint32_t bit = 1u << warp->number;
    int waits = bar->kind != BAR_ARRIVE;
    contribute(barrier, warp->group->frame->bytes, bar, lanes);
    if (warp->lanes != warp->born)
        tell_exits(warp, op, id);
    sync_warp_of(warp)->bar_begun = 0;
    for (uint32_t i = 0; lanes != warp->lanes && i < warp->n_groups; i++) {
        struct run_group *group = &warp->groups[i];
        const struct run_op *there = &warp->program->ops[group->at];
        const struct bar *theirs = there->more;
        if (!is_at(warp, group, id))
            continue;
        if (bar->aligned || theirs->aligned)
            divergent(warp, op, there, lanes);
        contribute(barrier, group->frame->bytes, theirs, group->lanes);
        group->ticket = id + 1;
        waits |= theirs->kind != BAR_ARRIVE;
    }
    barrier->came |= bit;
    barrier->waiting |= waits ? bit : 0;
    barrier->count++;
    hear_order(warp, op, warp->lanes, RUN_ORDER_ARRIVE, barrier);
    if (is_over(warp->block, barrier))
        settle(warp->block, barrier);
    return RUN_ON;
}

/* Barriers that are used with and without a count at once, or with different ones. */
static enum run_next expect(struct sync_barrier *barrier, uint32_t id, uint32_t warps,
                            struct run_warp *warp, const struct run_op *op) {
    uint32_t expected = warps ? warps : warp->block->n_warps;
    if (barrier->count && barrier->expected != expected)
        return run_finding(warp, op, RUN_LANES, RULE_SYNC_BARRIER_MIXED, 1,
                           "barrier %u is used for %u threads, and who came before gave %u", id,
                           expected * RUN_LANES, barrier->expected * RUN_LANES);
    barrier->expected = expected;
    barrier->all |= warps == ALL_WARPS;
    return RUN_ON;
}

/* Whether the phase is over for a group that has arrived. */
static enum run_next await(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                           struct run_warp *warp) {
    const struct bar *bar = op->more;
    struct sync_barrier *barrier = barrier_of(warp, (uint32_t)warp->group->ticket - 1);
    if (bar->kind != BAR_ARRIVE) {
        if (barrier->all && is_over(warp->block, barrier))
            settle(warp->block, barrier);
        if (barrier->waiting >> warp->number & 1)
            return RUN_WAIT;
        if (bar->kind == BAR_RED)
            put_result(frame, bar, lanes, barrier->result[warp->number]);
        warp->ahead_of_others = warp->block->n_warps > 1 && !warp->block->unit->random;
    }
    warp->group->ticket = 0;
    if (!warp->ahead_of_others)
        return RUN_ON;
    warp->group->at = run_number(warp, op) + 1;
    return RUN_REGROUP;
}

static enum run_next sync_bar(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                              struct run_warp *warp) {
    struct run_group *group = warp->group;
    uint32_t id, warps, come = lanes;
    int merge = 0;
    if (group->ticket)
        return await(frame, op, lanes, warp);
    if (operands(frame, op, lanes, warp, &id, &warps) != RUN_ON)
        return RUN_STOP;
    for (uint32_t i = 0; lanes != warp->lanes && i < warp->n_groups; i++)
        if (is_at(warp, &warp->groups[i], id)) {
            come |= warp->groups[i].lanes;
            merge |=
                warp->groups[i].at == run_number(warp, op) && warp->groups[i].frame == group->frame;
        }
    if (come != warp->lanes || merge) {
        note_owed(warp, come);
        return RUN_WAIT;
    }
    if (expect(barrier_of(warp, id), id, warps, warp, op) != RUN_ON)
        return RUN_STOP;
    arrive(barrier_of(warp, id), id, lanes, warp, op);
    group->ticket = id + 1;
    return await(frame, op, lanes, warp);
}

void sync_bar_describe(const struct run_warp *warp, const struct run_group *group,
                       struct base_text *text) {
    const struct run_op *op = &warp->program->ops[group->at];
    const struct bar *bar = op->more;
    const struct sync_barrier *barrier;
    uint32_t id;
    if (op->step != sync_bar)
        return;
    id = (uint32_t)run_get(group->frame->bytes, bar->id, run_lowest(group->lanes));
    barrier = barrier_of(warp, id % SYNC_BARRIERS);
    if (!group->ticket)
        base_put(text, " waits for lanes 0x%08x at barrier %u", warp->lanes & ~group->lanes, id);
    else
        base_put(text, " waits at barrier %u, where %u of %u threads have come", id,
                 barrier->count * RUN_LANES, barrier->expected * RUN_LANES);
}

int sync_bar_rows(const struct run_op *op, struct run_row rows[2]) {
    static const struct run_row none;
    const struct bar *bar = op->more;
    if (op->step != sync_bar || bar->kind == BAR_RED)
        return 0;
    rows[0] = bar->fixed ? none : bar->id;
    rows[1] = bar->fixed ? none : bar->count;
    return 1;
}

/* --- plans --- */

static enum wsim_status plan_bar(struct run_plan *plan, enum bar_kind kind) {
    struct bar *bar = plan_keep(plan, sizeof *bar);
    uint32_t first = kind == BAR_RED, counted;
    uint64_t id;
    if (!bar)
        return WSIM_NO_MEMORY;
    bar->kind = (uint8_t)kind;
    bar->operation = plan->meaning.operation;
    bar->aligned = plan->meaning.aligned;
    if (kind == BAR_RED) {
        TRY(plan_row(plan, 0, 0, &bar->d));
        TRY(plan_row(plan, plan->count - 1, 1, &bar->value));
    }
    TRY(plan_row(plan, first, 32, &bar->id));
    counted = first + 1;
    if (plan->count - first - (kind == BAR_RED) > 1)
        TRY(plan_row(plan, counted, 32, &bar->count));
    else if (plan_constant(plan, first, &id) && id < SYNC_BARRIERS)
        bar->fixed = 1, bar->fixed_id = (uint8_t)id;
    return plan_does_with(plan, sync_bar, bar);
}

enum wsim_status sync_bar_sync_plan(struct run_plan *plan) {
    return plan_bar(plan, BAR_SYNC);
}

enum wsim_status sync_bar_arrive_plan(struct run_plan *plan) {
    return plan_bar(plan, BAR_ARRIVE);
}

enum wsim_status sync_bar_red_plan(struct run_plan *plan) {
    return plan_bar(plan, BAR_RED);
}
