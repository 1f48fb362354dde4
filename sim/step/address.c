/* cvta, isspacep: addresses from one window to another. */
#include "../decode/build.h"
#include "access.h"
#include "data.h"
#include "quick.h"

static uint64_t window_of(unsigned space) {
    switch (space) {
    case SCALAR_SHARED: return RUN_SHARED_WINDOW;
    case SCALAR_LOCAL: return RUN_LOCAL_WINDOW;
    case SCALAR_CONST: return RUN_CONST_WINDOW;
    case SCALAR_PARAM: return RUN_PARAM_WINDOW;
    default: return 0;
    }
}

struct address_plan {
    struct run_row to, from;
    uint64_t window;
    uint8_t narrow; /* into a space: only the low part is left */
    uint8_t space;  /* enum ptx_space                          */
};

static enum run_next convert(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                             struct run_warp *warp) {
    const struct address_plan *plan = op->more;
    (void)warp;
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = run_lowest(lanes);
        uint64_t at = run_get(frame, plan->from, lane);
        if (plan->window)
            at = plan->narrow ? at & 0xFFFFFFFFu : (at & 0xFFFFFFFFu) | plan->window;
        run_put(frame, plan->to, lane, at);
    }
    return RUN_ON;
}

/* The same of rows of 64 bits, all lanes at once. */
static enum run_next convert_long(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                  struct run_warp *warp) {
    const struct address_plan *plan = op->more;
    const uint64_t mask = plan->window ? 0xFFFFFFFFu : ~UINT64_C(0);
    const uint64_t window = plan->narrow ? 0 : plan->window;
    const uint64_t *from = run_longs(frame, plan->from.at);
    uint64_t *to = run_longs(frame, plan->to.at);
    (void)warp;
    if (lanes == 0xFFFFFFFFu) {
        for (unsigned i = 0; i < RUN_LANES; i++)
            to[i] = (from[i] & mask) | window;
        return RUN_ON;
    }
    for (unsigned i = 0; i < RUN_LANES; i++) {
        const uint64_t take = UINT64_C(0) - (lanes >> i & 1);
        to[i] = (((from[i] & mask) | window) & take) | (to[i] & ~take);
    }
    return RUN_ON;
}

static enum run_next is_space(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                              struct run_warp *warp) {
    const struct address_plan *plan = op->more;
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = run_lowest(lanes);
        uint64_t at = run_get(frame, plan->from, lane);
        const enum ptx_space space = run_space_of(at);
        /* The window of kernel parameters is within that of global memory. */
        int is = space == (enum ptx_space)plan->space ||
                 (space == PTX_PARAM && plan->space == PTX_GLOBAL);
        /* Shared memory of another block is in shared::cluster only. */
        if (plan->narrow && plan->space == PTX_SHARED) {
            uint32_t rank = (uint32_t)at >> RUN_RANK_SHIFT;
            is &= rank == warp->block->rank;
        }
        run_put(frame, plan->to, lane, (uint64_t)is);
    }
    return RUN_ON;
}

static enum wsim_status plan_pair(struct run_plan *plan, struct address_plan **address) {
    enum wsim_status status;
    *address = plan_keep(plan, sizeof **address);
    if (!*address)
        return base_refuse(plan->diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory");
    status = plan_row(plan, 0, 0, &(*address)->to);
    if (!status)
        status = plan_row(plan, 1, 64, &(*address)->from);
    (*address)->window = window_of(plan->meaning.space);
    plan->op->more = *address;
    return status;
}

/* Addresses of global memory are the same in both: the fast step of mov.b64. */
static enum wsim_status plan_copy(struct run_plan *plan, const struct address_plan *address) {
    struct run_plan as = *plan;
    struct data *data = plan_keep(plan, sizeof *data);
    run_step *step;
    if (!data)
        return base_refuse(plan->diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory");
    as.meaning = (struct scalar_meaning){
        .method = SCALAR_METHOD_MOVE, .types = 1, .type = {SCALAR_TYPE_B64}};
    *data = (struct data){.meaning = as.meaning,
                          .function = scalar_find(SCALAR_METHOD_MOVE),
                          .ins = 1,
                          .outs = 1,
                          .in = {address->from},
                          .out = {address->to}};
    step = quick_step(&as, data);
    if (!step)
        return WSIM_OK;
    return plan_does_with(plan, step, data);
}

enum wsim_status address_convert_plan(struct run_plan *plan) {
    struct address_plan *address;
    enum wsim_status status = plan_pair(plan, &address);
    if (status)
        return status;
    address->narrow = plan->meaning.to;
    plan->op->step = convert;
    if (address->to.bits == 64 && address->from.bits == 64 &&
        !(plan->build->module->flags & WSIM_MODULE_PLAIN)) {
        plan->op->step = convert_long;
        if (!address->window)
            return plan_copy(plan, address);
    }
    return WSIM_OK;
}

enum wsim_status address_space_plan(struct run_plan *plan) {
    static const uint8_t spaces[] = {
        [SCALAR_GENERIC] = PTX_GENERIC, [SCALAR_GLOBAL] = PTX_GLOBAL, [SCALAR_SHARED] = PTX_SHARED,
        [SCALAR_LOCAL] = PTX_LOCAL,     [SCALAR_CONST] = PTX_CONST,   [SCALAR_PARAM] = PTX_PARAM};
    struct address_plan *address;
    enum wsim_status status = plan_pair(plan, &address);
    if (status)
        return status;
    address->space = spaces[plan->meaning.space];
    address->narrow = plan->meaning.window != SCALAR_WINDOW_CLUSTER;
    return plan_does(plan, is_space);
}
