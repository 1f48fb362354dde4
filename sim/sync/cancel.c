/* clusterlaunchcontrol: a block asks for the number of a block or cluster that is still to begin,
 * and which then never begins.
 *
 * The ISA calls the 16 bytes of a response opaque. Their fields are those that the machine code of
 * query_cancel reads (isa/limit.def). Other bits are 0, and so is a response that failed.
 *
 * A request succeeds while blocks are left. The ISA lets it fail for other reasons too, so with a
 * seed one in four does. */
#include "../isa/isa.h"
#include "../state/launch.h"
#include "planners.h"

enum { RESPONSE = 16, MOST_FAILURES = 4 };

/* op->more of try_cancel. */
struct request {
    struct sync_address response, barrier;
    uint8_t multicast;
};

/* A pending request of one lane, as bytes from the beginning of shared memory of each block. */
struct flight {
    uint64_t response, barrier;
};

/* op->more of query_cancel. */
struct query {
    struct run_row response, d[3];
    uint8_t first, count; /* of x, y and z; count 0: whether it succeeded */
};

/* --- try_cancel --- */

static int fails_early(struct run_unit *unit) {
    if (!unit->random)
        return 0;
    unit->random = unit->random * 6364136223846793005u + 1442695040888963407u;
    unit->random += unit->random == 0;
    return (unit->random >> 33) % MOST_FAILURES == 0;
}

/* Writes the response of a block, and completes its bytes. */
static enum run_next answer(struct run_warp *warp, const struct run_op *op, unsigned lane,
                            struct run_block *block, const struct flight *flight,
                            const uint64_t words[2]) {
    struct run_access access = {.space = PTX_SHARED,
                                .kind = RUN_WRITE,
                                .async = 1 + SYNC_BARRIER,
                                .proxy = 1,
                                .weak = 1,
                                .bytes = RESPONSE,
                                .for_lane = (uint8_t)(1 + lane),
                                .lanes = UINT32_C(1) << lane};
    access.at[lane] = block->shared.base + flight->response;
    if (run_reach(warp, op, &access, RESPONSE) == RUN_STOP)
        return RUN_STOP;
    for (unsigned i = 0; i < 2; i++)
        memory_put(&block->shared, access.at[lane] + 8 * i, 8, words[i]);
    ((struct sync_block *)block->sync)->refused |= !words[1];
    return sync_complete_tx(warp, op, lane, &block->shared, block->shared.base + flight->barrier,
                            RESPONSE);
}

static enum run_next check_cluster(struct run_warp *warp, const struct run_op *op, unsigned lane) {
    const struct run_unit *unit = warp->block->unit;
    for (uint32_t b = 0; b < unit->n_blocks; b++) {
        const struct run_block *block = &unit->blocks[b];
        uint32_t lanes = 0;
        for (uint32_t w = 0; w < block->n_warps; w++)
            lanes |= block->warps[w].lanes;
        if (!lanes)
            return run_finding(warp, op, lane, RULE_CANCEL_BLOCK_EXITED, 1,
                               "block %u of the cluster has exited, and the response goes to all "
                               "blocks",
                               b);
    }
    return RUN_ON;
}

static enum run_next grant(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                           const void *data) {
    const struct request *request = op->more;
    struct run_unit *unit = warp->block->unit;
    const unsigned lane = run_lowest(lanes);
    uint64_t words[2] = {0, 0};
    uint32_t first[3];
    struct flight flight;
    memcpy(&flight, data, sizeof flight);
    if (request->multicast && check_cluster(warp, op, lane) == RUN_STOP)
        return RUN_STOP;
    if (!fails_early(unit) && unit_cancel(warp->worker->launch, first)) {
        words[0] = first[0] | (uint64_t)first[1] << ISA_CANCEL_Y_SHIFT |
                   (uint64_t)first[2] << ISA_CANCEL_Z_SHIFT;
        words[1] = 1;
    }
    if (!request->multicast)
        return answer(warp, op, lane, warp->block, &flight, words);
    for (uint32_t b = 0; b < unit->n_blocks; b++)
        if (answer(warp, op, lane, &unit->blocks[b], &flight, words) == RUN_STOP)
            return RUN_STOP;
    return RUN_ON;
}

static enum run_next find_own(struct run_warp *warp, const struct run_op *op, unsigned lane,
                              uint64_t at, const char *what, uint64_t *offset) {
    const struct wsim_memory *shared = &warp->block->shared;
    *offset = at - shared->base;
    if (at >> RUN_RANK_SHIFT == shared->base >> RUN_RANK_SHIFT)
        return RUN_ON;
    return run_finding(warp, op, lane, RULE_CANCEL_ADDRESS_ELSEWHERE, 1,
                       "the %s is at 0x%llx, and shared memory of the block begins at 0x%llx", what,
                       (unsigned long long)at, (unsigned long long)shared->base);
}

static enum run_next issue(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                           struct run_warp *warp) {
    const struct request *request = op->more;
    const struct sync_block *block = warp->block->sync;
    enum run_next next = RUN_ON;
    if (block->saw_refusal)
        return run_finding(warp, op, run_lowest(lanes), RULE_CANCEL_REQUEST_REFUSED, 1,
                           "the block has seen a cancellation fail, and requests another one");
    for (uint32_t rest = lanes; rest && !next; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        struct flight flight;
        next = find_own(warp, op, lane, sync_address_of(frame, &request->response, lane),
                        "response", &flight.response);
        if (!next)
            next = find_own(warp, op, lane, sync_address_of(frame, &request->barrier, lane),
                            "mbarrier", &flight.barrier);
        if (!next)
            next = sync_issue(warp, op, 1u << lane, SYNC_BARRIER, grant, &flight, sizeof flight);
    }
    return next;
}

enum wsim_status sync_cancel_plan(struct run_plan *plan) {
    struct request *request = plan_keep(plan, sizeof *request);
    if (!request)
        return WSIM_NO_MEMORY;
    TRY(sync_address_plan(plan, 0, &request->response));
    TRY(sync_address_plan(plan, 1, &request->barrier));
    request->multicast = plan->meaning.multicast;
    plan_cancels(plan);
    plan_beside(plan, SYNC_BARRIER);
    return plan_does_with(plan, issue, request);
}

/* --- query_cancel --- */

/* A kernel may take the number first and ask later whether there is one, as the CuTe DSL does. */
static enum run_next find_refused(struct run_warp *warp, const struct run_op *op, unsigned lane) {
    const int asks = warp->program->asks_canceled;
    return run_finding(warp, op, lane,
                       asks ? RULE_ADVICE_CANCEL_REFUSED : RULE_CANCEL_RESPONSE_REFUSED, !asks,
                       "the response says that nothing was cancelled, so it has no number of a "
                       "block: query_cancel.is_canceled comes first");
}

static enum run_next ask(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                         struct run_warp *warp) {
    const struct query *query = op->more;
    struct sync_block *block = warp->block->sync;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        const uint64_t id = run_get(frame, query->response, lane);
        const uint64_t canceled = run_get_high(frame, query->response, lane) & 1;
        const uint64_t at[3] = {id & UINT32_MAX, id >> ISA_CANCEL_Y_SHIFT & 0xFFFF,
                                id >> ISA_CANCEL_Z_SHIFT};
        if (!query->count) {
            run_put(frame, query->d[0], lane, canceled);
            block->saw_refusal |= !canceled && block->refused;
        } else if (!canceled && find_refused(warp, op, lane) == RUN_STOP) {
            return RUN_STOP;
        }
        for (unsigned i = 0; i < query->count; i++)
            run_put(frame, query->d[i], lane, at[query->first + i]);
    }
    return RUN_ON;
}

enum wsim_status sync_canceled_plan(struct run_plan *plan) {
    const int asks = plan->meaning.type[0] == SCALAR_TYPE_PRED;
    struct query *query = plan_keep(plan, sizeof *query);
    const struct ptx_operand *parts;
    uint32_t count;
    if (!query)
        return WSIM_NO_MEMORY;
    if (asks)
        plan_asks_canceled(plan);
    parts = plan_parts(plan, 0, &count);
    count = count < 3 ? count : 3; /* the ISA leaves the fourth open: it stays as it is */
    for (uint32_t i = 0; i < count; i++)
        TRY(plan_row_of(plan, &parts[i], asks ? 1 : 32, &query->d[i]));
    TRY(plan_row(plan, 1, 128, &query->response));
    query->first = plan->meaning.component;
    query->count = asks ? 0 : (uint8_t)count;
    return plan_does_with(plan, ask, query);
}
