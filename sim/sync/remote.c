/* st.async and red.async: stores and reductions into shared memory of a block of the cluster that
 * complete their bytes on an mbarrier there. */
#include "../memory/memory.h"
#include "planners.h"

#define MOST_WORDS 4

/* op->more. */
struct remote {
    struct sync_address address, barrier;
    struct run_row value[MOST_WORDS];
    uint8_t words, bytes; /* registers; bytes of each             */
    uint8_t operation;    /* enum scalar_operation; 0: a store    */
    uint8_t is_signed;
};

/* A pending operation. Its addresses are in a window that lives as long as the unit. */
struct flight {
    const struct remote *remote;
    uint8_t *to[RUN_LANES];
    uint64_t barrier[RUN_LANES];
    uint64_t value[RUN_LANES][MOST_WORDS];
};

static uint64_t combine(const struct remote *remote, uint64_t there, uint64_t x) {
    uint64_t sign = remote->is_signed ? UINT64_C(1) << (8 * remote->bytes - 1) : 0;
    switch (remote->operation) {
    case SCALAR_ADD: return there + x;
    case SCALAR_AND: return there & x;
    case SCALAR_OR: return there | x;
    case SCALAR_XOR: return there ^ x;
    case SCALAR_MIN: return (x ^ sign) < (there ^ sign) ? x : there;
    case SCALAR_MAX: return (x ^ sign) > (there ^ sign) ? x : there;
    case SCALAR_INC: return there >= x ? 0 : there + 1;
    case SCALAR_DEC: return !there || there > x ? x : there - 1;
    default: return x;
    }
}

static enum run_next land(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                          const void *data) {
    const struct flight *flight = data;
    const struct remote *remote = flight->remote;
    uint32_t bytes = (uint32_t)remote->words * remote->bytes;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = run_lowest(rest);
        struct wsim_memory to = wsim_memory_over(WSIM_SHARED, flight->to[lane], bytes, 0), window;
        for (unsigned i = 0; i < remote->words; i++) {
            uint64_t at = (uint64_t)i * remote->bytes, there = memory_get(&to, at, remote->bytes);
            memory_put(&to, at, remote->bytes, combine(remote, there, flight->value[lane][i]));
        }
        if (!run_window(warp, PTX_SHARED, flight->barrier[lane], 8, &window))
            window = warp->block->shared;
        if (sync_complete_tx(warp, op, lane, &window, flight->barrier[lane], bytes) == RUN_STOP)
            return RUN_STOP;
    }
    return RUN_ON;
}

static enum run_next issue(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                           struct run_warp *warp) {
    const struct remote *remote = op->more;
    struct flight flight = {.remote = remote};
    struct run_access access = {.space = PTX_SHARED,
                                .kind = remote->operation ? RUN_REDUCE : RUN_WRITE,
                                .async = 1 + SYNC_BARRIER,
                                .bytes = (uint32_t)remote->words * remote->bytes,
                                .lanes = lanes};
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = run_lowest(rest);
        access.at[lane] = sync_address_of(frame, &remote->address, lane);
        flight.barrier[lane] = sync_address_of(frame, &remote->barrier, lane);
        for (unsigned i = 0; i < remote->words; i++)
            flight.value[lane][i] = run_get(frame, remote->value[i], lane);
    }
    if (run_reach(warp, op, &access, access.bytes) == RUN_STOP)
        return RUN_STOP;
    memcpy(flight.to, access.host, sizeof flight.to);
    return sync_issue(warp, op, lanes, SYNC_BARRIER, land, &flight, sizeof flight);
}

static enum wsim_status plan_remote(struct run_plan *plan, enum scalar_operation operation) {
    const struct isa_scalar_type *type = &isa_scalar_types[plan->meaning.type[0]];
    struct remote *remote = plan_keep(plan, sizeof *remote);
    const struct ptx_operand *values;
    uint32_t count;
    if (!remote)
        return WSIM_NO_MEMORY;
    if (plan->count < 3)
        return plan_refuse(plan, "it stores to global memory, without an mbarrier");
    TRY(sync_address_plan(plan, 0, &remote->address));
    TRY(sync_address_plan(plan, 2, &remote->barrier));
    values = plan_parts(plan, 1, &count);
    if (count > MOST_WORDS)
        return plan_refuse(plan, "it stores more than 4 registers");
    for (uint32_t i = 0; i < count; i++)
        TRY(plan_row_of(plan, &values[i], type->bits, &remote->value[i]));
    remote->words = (uint8_t)count;
    remote->bytes = type->bits / 8;
    remote->operation = (uint8_t)operation;
    remote->is_signed = type->letter == 's';
    plan_beside(plan, SYNC_BARRIER);
    return plan_does_with(plan, issue, remote);
}

enum wsim_status sync_st_async_plan(struct run_plan *plan) {
    return plan_remote(plan, SCALAR_NO_OPERATION);
}

enum wsim_status sync_red_async_plan(struct run_plan *plan) {
    return plan_remote(plan, plan->meaning.operation);
}
