/* Fences, and other operations that change no value. An access is done when it executes, and every
 * thread sees it at once. So a missing fence changes nothing, except for blocks on other threads
 * of the host. The race check hears each fence. */
#include "planners.h"

#include <stdatomic.h>

static enum run_next fence(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                           struct run_warp *warp) {
    (void)frame;
    atomic_thread_fence(memory_order_seq_cst);
    hear_order(warp, op, lanes, (enum run_order_kind)op->immediate, NULL);
    return RUN_ON;
}

enum wsim_status sync_fence_plan(struct run_plan *plan) {
    const enum scalar_scope scope = plan->meaning.scope;
    plan->op->immediate = scope >= SCALAR_SCOPE_GPU       ? RUN_ORDER_FENCE
                          : scope == SCALAR_SCOPE_CLUSTER ? RUN_ORDER_CLUSTER
                                                          : RUN_ORDER_NEAR;
    return plan_does(plan, fence);
}

enum wsim_status sync_proxy_plan(struct run_plan *plan) {
    plan->op->immediate = plan->meaning.proxy == SCALAR_PROXY_ASYNC ||
                                  plan->meaning.proxy == SCALAR_PROXY_ASYNC_GENERIC
                              ? RUN_ORDER_PROXY
                              : RUN_ORDER_ALIAS;
    return plan_does(plan, fence);
}

static enum run_next nothing(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                             struct run_warp *warp) {
    (void)frame, (void)op, (void)lanes, (void)warp;
    return RUN_ON;
}

/* griddepcontrol does nothing: all earlier grids have ended. */
enum wsim_status sync_hint_plan(struct run_plan *plan) {
    return plan_does(plan, nothing);
}

/* setmaxnreg: a warp has the registers that it names. */
static enum run_next set_registers(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                   struct run_warp *warp) {
    (void)frame;
    return sync_together(warp, op, lanes);
}

enum wsim_status sync_registers_plan(struct run_plan *plan) {
    uint64_t count;
    if (!plan_constant(plan, 0, &count))
        return plan_refuse(plan, "the number of registers is not a constant");
    if (count < ISA_SETMAXNREG_LEAST || count > ISA_SETMAXNREG_MOST || count % ISA_SETMAXNREG_STEP)
        return base_refuse(plan->diag, RULE_SYNC_REGISTERS_RANGE, 0,
                           "setmaxnreg to %u registers: it is a multiple of %d from %d to %d",
                           (unsigned)count, ISA_SETMAXNREG_STEP, ISA_SETMAXNREG_LEAST,
                           ISA_SETMAXNREG_MOST);
    return plan_does(plan, set_registers);
}
