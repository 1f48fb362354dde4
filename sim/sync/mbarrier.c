/* mbarrier: barriers in shared memory, of this block or of another one of the cluster.
 * wsim/mbarrier.h defines their state; here lanes find them and wait. */
#include "planners.h"

#include <inttypes.h>
#include <wsim/mbarrier.h>

#include "../copy/copy.h"

enum kind { INIT, INVAL, EXPECT, COMPLETE, ARRIVE, DROP, TEST };

/* op->more of an mbarrier instruction. */
struct mbar {
    struct sync_address address;
    struct run_row b; /* count, bytes, token or parity   */
    struct run_row d; /* token, or whether the wait is over */
    uint8_t kind;     /* enum kind                       */
    uint8_t expect_tx, no_complete, parity;
    uint8_t order; /* enum run_order_kind              */
    uint8_t near;  /* .shared::cta: of the own block   */
};

/* --- where a barrier is --- */

enum wsim_status sync_address_plan(struct run_plan *plan, uint32_t index,
                                   struct sync_address *address) {
    address->generic = plan->meaning.space == SCALAR_GENERIC;
    return plan_address(plan, index, &address->base, &address->offset);
}

uint64_t sync_address_of(uint8_t *frame, const struct sync_address *address, unsigned lane) {
    uint64_t at = run_get(frame, address->base, lane) + address->offset;
    if (!address->generic)
        return at & UINT32_MAX;
    /* Addresses out of bounds of shared memory hold no barrier: they stay unchanged. */
    return at >> 32 == RUN_SHARED_WINDOW >> 32 ? at & UINT32_MAX : at;
}

/* The barrier at a shared address. Its own functions report an address without memory. */
static struct wsim_mbarrier barrier_at(struct run_warp *warp, const struct run_op *op,
                                       unsigned lane, uint64_t at, struct wsim_memory *memory) {
    if (!run_window(warp, PTX_SHARED, at, WSIM_MBARRIER_BYTES, memory))
        *memory = warp->block->shared;
    return (struct wsim_mbarrier){.shared = memory,
                                  .at = at,
                                  .where = run_number(warp, op),
                                  .warp = (uint16_t)warp->number,
                                  .lane = (uint8_t)lane};
}

/* Tells listeners of an access of the barrier's own bytes. */
static void tell_barrier(struct run_warp *warp, const struct run_op *op, unsigned lane,
                         uint8_t kind, const struct wsim_memory *memory, uint64_t at) {
    struct run_access access = {.space = PTX_SHARED,
                                .kind = kind,
                                .barrier = 1,
                                .bytes = WSIM_MBARRIER_BYTES,
                                .lanes = UINT32_C(1) << lane % RUN_LANES};
    access.at[lane % RUN_LANES] = at;
    access.host[lane % RUN_LANES] = memory->bytes + (at - memory->base);
    hear_access(warp, op, &access);
}

static inline void hear_barrier(struct run_warp *warp, const struct run_op *op, unsigned lane,
                                uint8_t kind, const struct wsim_memory *memory, uint64_t at) {
    if (kind == RUN_WRITE ? hear_wants(warp, PTX_SHARED)
                          : (int)(warp->worker->hears_whole >> PTX_SHARED & 1))
        tell_barrier(warp, op, lane, kind, memory, at);
}

/* --- for copies --- */

enum run_next sync_complete_tx(struct run_warp *warp, const struct run_op *op, unsigned lane,
                               const struct wsim_memory *shared, uint64_t at, uint32_t bytes) {
    struct wsim_mbarrier barrier = {.shared = shared,
                                    .at = at,
                                    .where = run_number(warp, op),
                                    .warp = (uint16_t)warp->number,
                                    .lane = WSIM_NO_LANE};
    struct wsim_diag diag;
    if (wsim_mbarrier_complete_tx(&barrier, bytes, &diag))
        return run_refused(warp, op, lane, &diag);
    warp->block->unit->events++;
    sync_order_mbarrier(warp, op, 1u << lane % RUN_LANES, RUN_ORDER_COMPLETE,
                        shared->bytes + (at - shared->base));
    return RUN_ON;
}

enum run_next sync_mbarrier_arrive(struct run_warp *warp, const struct run_op *op, unsigned lane,
                                   uint64_t at, enum run_order_kind kind) {
    struct wsim_memory memory;
    struct wsim_mbarrier barrier = barrier_at(warp, op, lane, at, &memory);
    struct wsim_diag diag;
    if (wsim_mbarrier_arrive(&barrier, 1, NULL, &diag))
        return run_refused(warp, op, lane, &diag);
    warp->block->unit->events++;
    hear_barrier(warp, op, lane, RUN_ATOMIC, &memory, at);
    sync_order_mbarrier(warp, op, 1u << lane, kind, memory.bytes + (at - memory.base));
    return RUN_ON;
}

enum run_next sync_mbarrier_more(struct run_warp *warp, const struct run_op *op, unsigned lane,
                                 uint64_t at) {
    struct wsim_memory memory;
    struct wsim_mbarrier barrier = barrier_at(warp, op, lane, at, &memory);
    struct wsim_diag diag;
    return copy_barrier_more(&barrier, &diag) ? run_refused(warp, op, lane, &diag) : RUN_ON;
}

/* --- one lane --- */

/* An arrival that may not end the phase. */
static enum wsim_status stays_open(const struct wsim_mbarrier *barrier, uint32_t count,
                                   struct wsim_diag *diag) {
    struct wsim_mbarrier_state state;
    enum wsim_status status = wsim_mbarrier_read(barrier, &state, diag);
    if (status || count < state.pending)
        return status;
    return base_refuse(diag, RULE_MBARRIER_ARRIVE_COMPLETES, 0,
                       "%u arrive with .noComplete, and %u of %u arrivals are pending: this would "
                       "end the phase",
                       count, state.pending, state.expected);
}

static enum wsim_status arrive(const struct mbar *mbar, const struct wsim_mbarrier *barrier,
                               uint32_t b, uint64_t *token, struct wsim_diag *diag) {
    uint32_t count = mbar->b.bits && !mbar->expect_tx ? b : 1;
    enum wsim_status status = WSIM_OK;
    if (mbar->expect_tx)
        status = wsim_mbarrier_expect_tx(barrier, b, diag);
    if (!status && mbar->no_complete)
        status = stays_open(barrier, count, diag);
    if (status)
        return status;
    return mbar->kind == DROP ? wsim_mbarrier_arrive_drop(barrier, count, token, diag)
                              : wsim_mbarrier_arrive(barrier, count, token, diag);
}

static enum wsim_status execute(const struct mbar *mbar, const struct wsim_mbarrier *barrier,
                                uint64_t b, uint64_t *d, struct wsim_diag *diag) {
    enum wsim_status status;
    int done = 0;
    switch (mbar->kind) {
    case INIT: return wsim_mbarrier_init(barrier, (uint32_t)b, diag);
    case INVAL: return wsim_mbarrier_inval(barrier, diag);
    case EXPECT: return wsim_mbarrier_expect_tx(barrier, (uint32_t)b, diag);
    case COMPLETE: return wsim_mbarrier_complete_tx(barrier, (uint32_t)b, diag);
    case TEST:
        status = mbar->parity ? wsim_mbarrier_test_parity(barrier, (uint32_t)b, &done, diag)
                              : wsim_mbarrier_test(barrier, b, &done, diag);
        *d = (uint64_t)done;
        return status;
    default: return arrive(mbar, barrier, (uint32_t)b, d, diag);
    }
}

/* --- mbarrier.init --- */

/* Index in the list of initialised barriers. n_inits: not found. */
static uint32_t known(const struct sync_block *block, uint64_t at) {
    uint32_t i = 0;
    while (i < block->n_inits && block->inits[i] != (uint32_t)at)
        i++;
    return i;
}

static void forget(struct sync_block *block, uint64_t at) {
    uint32_t i = known(block, at);
    if (i < block->n_inits)
        block->inits[i] = block->inits[--block->n_inits];
}

static void keep(struct sync_block *block, uint32_t at) {
    const uint32_t end = at + WSIM_MBARRIER_BYTES;
    block->inits_low = !block->n_inits || at < block->inits_low ? at : block->inits_low;
    block->inits_high = !block->n_inits || end > block->inits_high ? end : block->inits_high;
    block->inits[block->n_inits++] = at;
}

/* A barrier may be made in memory with any bytes, so only the list of initialised barriers tells
 * whether one is there. Making one over another is a finding, and succeeds, as a GPU does not test
 * it. */
static enum run_next make_room(struct run_warp *warp, const struct run_op *op,
                               const struct wsim_mbarrier *barrier) {
    struct sync_block *block = warp->block->sync;
    struct wsim_mbarrier_state state;
    struct wsim_diag diag;
    int again = known(block, barrier->at) < block->n_inits &&
                wsim_mbarrier_read(barrier, &state, NULL) == WSIM_OK;
    forget(block, barrier->at);
    if (memory_need(barrier->shared, WSIM_SHARED, &diag) ||
        memory_check(barrier->shared, barrier->at, WSIM_MBARRIER_BYTES, 1, &diag))
        return run_refused(warp, op, barrier->lane, &diag);
    if (barrier->at % WSIM_MBARRIER_BYTES == 0)
        memory_put(barrier->shared, barrier->at, WSIM_MBARRIER_BYTES, 0);
    if (block->n_inits < SYNC_INITS)
        keep(block, (uint32_t)barrier->at);
    if (!again || !sync_checks(warp))
        return RUN_ON;
    return run_finding_of(warp, op, barrier->lane, NULL, RULE_MBARRIER_STATE_IN_USE,
                          &(struct run_subject){RUN_ADDRESS, PTX_SHARED, 8, barrier->at, 0},
                          "the mbarrier at %s is in use: mbarrier.inval comes before another init",
                          run_shared_words(warp, barrier->at, "shared address ").text);
}

/* --- steps --- */

/* Whether .shared::cta has an address of another block. */
static int is_far(const struct run_warp *warp, const struct mbar *mbar, uint64_t at) {
    const uint64_t rank = at >> RUN_RANK_SHIFT;
    return mbar->near && rank != warp->block->rank && rank < warp->block->unit->n_blocks;
}

static enum run_next far_barrier(struct run_warp *warp, const struct run_op *op, unsigned lane,
                                 uint64_t at) {
    return run_elsewhere(warp, op, lane, at, "uses an mbarrier");
}

static enum run_next change(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                            struct run_warp *warp) {
    const struct mbar *mbar = op->more;
    if (mbar->kind >= ARRIVE && mbar->order == RUN_ORDER_ARRIVE)
        hear_order(warp, op, lanes, RUN_ORDER_LANES, NULL);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = run_lowest(rest);
        uint64_t at = sync_address_of(frame, &mbar->address, lane), token = 0;
        struct wsim_memory memory;
        struct wsim_mbarrier barrier = barrier_at(warp, op, lane, at, &memory);
        struct wsim_diag diag;
        if (is_far(warp, mbar, at))
            return far_barrier(warp, op, lane, at);
        if (mbar->kind == INIT && make_room(warp, op, &barrier) == RUN_STOP)
            return RUN_STOP;
        if (execute(mbar, &barrier, run_get(frame, mbar->b, lane), &token, &diag))
            return run_refused(warp, op, lane, &diag);
        hear_barrier(warp, op, lane, mbar->kind == INIT ? RUN_WRITE : RUN_ATOMIC, &memory, at);
        if (mbar->kind == INVAL)
            forget(warp->block->sync, at);
        run_put(frame, mbar->d, lane, token);
        if (mbar->kind == INIT)
            hear_order(warp, op, 1u << lane, RUN_ORDER_INIT, memory.bytes + (at - memory.base));
        sync_order_mbarrier(warp, op, 1u << lane, (enum run_order_kind)mbar->order,
                            memory.bytes + (at - memory.base));
    }
    warp->block->unit->events++;
    return RUN_ON;
}

/* test_wait and try_wait: the second may wait, and does not have to. If a lane has to ask again,
 * others go first. */
static enum run_next test(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                          struct run_warp *warp) {
    const struct mbar *mbar = op->more;
    struct sync_warp *sync = sync_warp_of(warp);
    sync->failed &= ~lanes;
    sync->failed_parity = (sync->failed_parity & ~lanes) | (mbar->parity ? lanes : 0);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = run_lowest(rest);
        uint64_t at = sync_address_of(frame, &mbar->address, lane), done = 0;
        struct wsim_memory memory;
        struct wsim_mbarrier barrier = barrier_at(warp, op, lane, at, &memory);
        struct wsim_diag diag;
        if (is_far(warp, mbar, at))
            return far_barrier(warp, op, lane, at);
        if (execute(mbar, &barrier, run_get(frame, mbar->b, lane), &done, &diag))
            return run_refused(warp, op, lane, &diag);
        hear_barrier(warp, op, lane, RUN_READ, &memory, at);
        run_put(frame, mbar->d, lane, done);
        if (done) {
            hear_order(warp, op, 1u << lane, (enum run_order_kind)mbar->order,
                       memory.bytes + (at - memory.base));
            continue;
        }
        sync->failed |= 1u << lane;
        sync->failed_at[lane] = at;
    }
    if (!(sync->failed & lanes))
        return RUN_ON;
    warp->group->failed = 1;
    return RUN_YIELD;
}

static enum run_next pending_count(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                   struct run_warp *warp) {
    const struct mbar *mbar = op->more;
    (void)warp;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = run_lowest(rest);
        run_put(frame, mbar->d, lane, wsim_mbarrier_pending_count(run_get(frame, mbar->b, lane)));
    }
    return RUN_ON;
}

void sync_mbarrier_describe(const struct run_warp *warp, const struct run_group *group,
                            struct base_text *text) {
    const struct sync_warp *sync = sync_warp_of(warp);
    struct run_warp *asking = &warp->block->warps[warp->number];
    struct wsim_mbarrier_state state;
    struct wsim_mbarrier barrier;
    struct wsim_memory memory;
    unsigned lane, is_parity;
    /* A group that spins is anywhere in its loop; one that waits elsewhere does not spin. */
    if (!(sync->failed & group->lanes) || sync_waits(group))
        return;
    lane = run_lowest(sync->failed & group->lanes);
    barrier = barrier_at(asking, warp->program->ops, lane, sync->failed_at[lane], &memory);
    if (wsim_mbarrier_read(&barrier, &state, NULL))
        return;
    is_parity = sync->failed_parity >> lane & 1;
    base_put(text, " waits for");
    if (is_parity) /* of the current phase, or it would not wait */
        base_put(text, " parity %u of", (unsigned)state.phase & 1);
    base_put(text, " the mbarrier at %s, where ",
             run_shared_words(warp, sync->failed_at[lane], "").text);
    if (state.bytes < 0)
        base_put(text, "copies brought %d bytes more than the phase expects%s", -(int)state.bytes,
                 state.pending ? ", and " : "");
    if (state.bytes >= 0 || state.pending)
        base_put(text, "%u of %u arrivals", state.pending, state.expected);
    if (state.bytes > 0)
        base_put(text, " and %d bytes", (int)state.bytes);
    if (state.bytes >= 0 || state.pending)
        base_put(text, " are missing");
    if (is_parity && !state.bytes && state.pending == state.expected)
        base_put(text, " (parity %u is over)", ~(unsigned)state.phase & 1);
}

/* --- plans --- */

/* expect_tx and complete_tx order nothing, and others if they are .relaxed. */
static enum run_order_kind order_of(struct run_plan *plan, enum kind kind) {
    if (kind != EXPECT && kind != COMPLETE && plan->meaning.order != SCALAR_RELAXED)
        return kind != TEST           ? RUN_ORDER_ARRIVE
               : plan->meaning.parity ? RUN_ORDER_PARITY
                                      : RUN_ORDER_WAIT;
    plan_relaxed(plan);
    return kind == TEST ? RUN_ORDER_PEEK : RUN_ORDER_MARK;
}

static const uint8_t kinds[SCALAR_METHODS] = {
    [SCALAR_METHOD_MBARRIER_INIT] = INIT,        [SCALAR_METHOD_MBARRIER_INVAL] = INVAL,
    [SCALAR_METHOD_MBARRIER_EXPECT_TX] = EXPECT, [SCALAR_METHOD_MBARRIER_COMPLETE_TX] = COMPLETE,
    [SCALAR_METHOD_MBARRIER_ARRIVE] = ARRIVE,    [SCALAR_METHOD_MBARRIER_ARRIVE_DROP] = DROP,
    [SCALAR_METHOD_MBARRIER_TEST_WAIT] = TEST,   [SCALAR_METHOD_MBARRIER_TRY_WAIT] = TEST};

enum wsim_status sync_mbarrier_plan(struct run_plan *plan) {
    const struct scalar_meaning *meaning = &plan->meaning;
    const enum kind kind = (enum kind)kinds[meaning->method];
    struct mbar *mbar = plan_keep(plan, sizeof *mbar);
    /* Results come first: all but init, inval, expect_tx and complete_tx have one. */
    uint32_t address = kind >= ARRIVE;
    if (!mbar)
        return WSIM_NO_MEMORY;
    mbar->kind = (uint8_t)kind;
    mbar->order = (uint8_t)order_of(plan, kind);
    mbar->expect_tx = meaning->expect_tx && kind != EXPECT;
    mbar->no_complete = meaning->no_complete;
    mbar->parity = meaning->parity;
    mbar->near = meaning->space == SCALAR_SHARED && meaning->window != SCALAR_WINDOW_CLUSTER;
    if ((kind == ARRIVE || kind == DROP) && mbar->order == RUN_ORDER_ARRIVE)
        plan_arrives(plan);
    TRY(sync_address_plan(plan, address, &mbar->address));
    if (address)
        TRY(plan_row(plan, 0, 0, &mbar->d));
    if (plan->count > address + 1)
        TRY(plan_row(plan, address + 1, kind == TEST && !mbar->parity ? 64 : 32, &mbar->b));
    return plan_does_with(plan, kind == TEST ? test : change, mbar);
}

enum wsim_status sync_mbarrier_pending_plan(struct run_plan *plan) {
    struct mbar *mbar = plan_keep(plan, sizeof *mbar);
    if (!mbar)
        return WSIM_NO_MEMORY;
    TRY(plan_row(plan, 0, 0, &mbar->d));
    TRY(plan_row(plan, 1, 64, &mbar->b));
    return plan_does_with(plan, pending_count, mbar);
}
