/* The barrier of a cluster, and addresses of shared memory of its other blocks.
 *
 * Each thread arrives for itself; a phase is over when all threads of the cluster have arrived that
 * have not exited. A thread that has arrived waits before it arrives again. */
#include "planners.h"

/* Ends the phase if all threads have arrived. */
static void settle(struct run_unit *unit) {
    for (uint32_t b = 0; b < unit->n_blocks; b++)
        for (uint32_t w = 0; w < unit->blocks[b].n_warps; w++) {
            const struct run_warp *warp = &unit->blocks[b].warps[w];
            if (warp->lanes & ~sync_warp_of(warp)->arrived)
                return;
        }
    for (uint32_t b = 0; b < unit->n_blocks; b++) {
        uint32_t waited = 0;
        for (uint32_t w = 0; w < unit->blocks[b].n_warps; w++) {
            struct sync_warp *sync = sync_warp_of(&unit->blocks[b].warps[w]);
            waited |= (uint32_t)(sync->arrived != 0) << w;
            sync->passed |= sync->arrived;
            sync->arrived = 0;
        }
        hear_order(unit->blocks[b].warps, NULL, waited, RUN_ORDER_LET_GO, unit);
    }
    hear_order(unit->blocks[0].warps, NULL, 0, RUN_ORDER_OVER, unit);
    unit->events++;
    unit->inner++;
}

static enum run_next arrive(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                            struct run_warp *warp) {
    struct sync_warp *sync = sync_warp_of(warp);
    uint32_t twice = lanes & (sync->arrived | sync->passed);
    (void)frame;
    if (op->immediate && sync_together(warp, op, lanes) == RUN_WAIT)
        return RUN_WAIT;
    if (twice)
        return run_finding(warp, op, run_lowest(twice), RULE_SYNC_CLUSTER_ORDER, 1,
                           "lane %u arrives at the barrier of the cluster again: it has arrived "
                           "before and not waited since",
                           run_lowest(twice));
    sync->arrived |= lanes;
    hear_order(warp, op, lanes, (enum run_order_kind)op->at[0], warp->block->unit);
    settle(warp->block->unit);
    return RUN_ON;
}

static enum run_next await(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                           struct run_warp *warp) {
    struct sync_warp *sync = sync_warp_of(warp);
    uint32_t early = lanes & ~(sync->arrived | sync->passed), passed;
    (void)frame;
    if (op->immediate && sync_together(warp, op, lanes) == RUN_WAIT)
        return RUN_WAIT;
    if (early)
        return run_finding(warp, op, run_lowest(early), RULE_SYNC_CLUSTER_ORDER, 1,
                           "lane %u waits at the barrier of the cluster and has not arrived there",
                           run_lowest(early));
    if (sync->arrived & lanes)
        settle(warp->block->unit);
    passed = lanes & sync->passed;
    if (op->immediate && passed != lanes)
        return RUN_WAIT;
    sync->passed &= ~passed;
    return sync_pass(warp, op, lanes, passed);
}

void sync_cluster_describe(const struct run_warp *warp, const struct run_group *group,
                           struct base_text *text) {
    const struct run_unit *unit = warp->block->unit;
    uint32_t missing = 0;
    if (warp->program->ops[group->at].step != await)
        return;
    for (uint32_t b = 0; b < unit->n_blocks; b++)
        for (uint32_t w = 0; w < unit->blocks[b].n_warps; w++) {
            const struct run_warp *other = &unit->blocks[b].warps[w];
            missing += run_count(other->lanes & ~sync_warp_of(other)->arrived);
        }
    base_put(text, " waits at the barrier of the cluster, where %u threads are missing", missing);
}

enum wsim_status sync_cluster_arrive_plan(struct run_plan *plan) {
    plan->op->at[0] = plan->meaning.order == SCALAR_RELAXED ? RUN_ORDER_RELAXED : RUN_ORDER_ARRIVE;
    plan->op->immediate = plan->meaning.aligned;
    return plan_does(plan, arrive);
}

enum wsim_status sync_cluster_wait_plan(struct run_plan *plan) {
    plan->op->immediate = plan->meaning.aligned;
    return plan_does(plan, await);
}

/* --- addresses: the rank of a block is above its shared addresses --- */

#define RANK_MASK (UINT64_C(0xFF) << RUN_RANK_SHIFT)

/* Kernels map an address for each lane, and only lanes whose block exists use it. An access through
 * the address of another lane is out of bounds. */

/* op->more of mapa and getctarank. */
struct mapped {
    struct run_row d, a, b;
};

static enum run_next map_address(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                 struct run_warp *warp) {
    const struct mapped *mapped = op->more;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = run_lowest(rest);
        uint64_t at = run_get(frame, mapped->a, lane), rank = run_get(frame, mapped->b, lane);
        if (rank > RANK_MASK >> RUN_RANK_SHIFT)
            return run_finding(warp, op, lane, RULE_SYNC_RANK_RANGE, 1,
                               "rank %u does not fit into an address of the cluster, which has the "
                               "blocks 0 to %u",
                               (unsigned)rank, warp->block->unit->n_blocks - 1);
        run_put(frame, mapped->d, lane, (at & ~RANK_MASK) | rank << RUN_RANK_SHIFT);
    }
    return RUN_ON;
}

static enum run_next rank_of_address(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                     struct run_warp *warp) {
    const struct mapped *mapped = op->more;
    (void)warp;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = run_lowest(rest);
        uint64_t at = run_get(frame, mapped->a, lane);
        run_put(frame, mapped->d, lane, (at & RANK_MASK) >> RUN_RANK_SHIFT);
    }
    return RUN_ON;
}

static enum wsim_status plan_mapped(struct run_plan *plan, run_step *step) {
    struct mapped *mapped = plan_keep(plan, sizeof *mapped);
    if (!mapped)
        return WSIM_NO_MEMORY;
    TRY(plan_row(plan, 0, 0, &mapped->d));
    TRY(plan_row(plan, 1, isa_scalar_types[plan->meaning.type[0]].bits, &mapped->a));
    if (step == map_address)
        TRY(plan_row(plan, 2, 32, &mapped->b));
    return plan_does_with(plan, step, mapped);
}

enum wsim_status sync_mapa_plan(struct run_plan *plan) {
    return plan_mapped(plan, map_address);
}

enum wsim_status sync_getctarank_plan(struct run_plan *plan) {
    return plan_mapped(plan, rank_of_address);
}
