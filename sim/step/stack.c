/* alloca, stacksave, stackrestore: local memory whose size is known when the kernel runs. Lanes
 * that allocate together get the same address, each in its own memory. */
#include "flow.h"
#include "../state/warp.h"

#define ALIGN 16u

static enum run_next allocate(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                              struct run_warp *warp) {
    struct run_row to = {.at = op->at[0], .bits = op->bytes};
    struct run_row size = {.at = op->at[1], .bits = op->count};
    uint64_t bytes = 0;
    uint32_t at;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint64_t wanted = run_get(frame, size, run_lowest(rest));
        bytes = wanted > bytes ? wanted : bytes;
    }
    if (!warp_stack(warp, bytes, (uint32_t)op->immediate, &at))
        return run_finding(warp, op, run_lowest(lanes), RULE_CALL_STACK, 1,
                           "alloca of %llu bytes: %u of local memory are in use, and a thread has "
                           "%u",
                           (unsigned long long)bytes, warp->local_used, ISA_LOCAL_BYTES);
    for (; lanes; lanes &= lanes - 1)
        run_put(frame, to, run_lowest(lanes), at);
    return RUN_ON;
}

static enum run_next save(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                          struct run_warp *warp) {
    struct run_row to = {.at = op->at[0], .bits = op->bytes};
    for (; lanes; lanes &= lanes - 1)
        run_put(frame, to, run_lowest(lanes), warp->local_used);
    return RUN_ON;
}

/* Frees everything allocated since, if no lane can still use it: all lanes are here, and no
 * function has taken memory above. */
static enum run_next restore(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                             struct run_warp *warp) {
    struct run_row from = {.at = op->at[0], .bits = op->bytes};
    uint64_t least = warp->local_used;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint64_t at = run_get(frame, from, run_lowest(rest));
        if (at > warp->local_used)
            return run_finding(warp, op, run_lowest(rest), RULE_CALL_STACK, 1,
                               "stackrestore of 0x%llx, which stacksave did not return",
                               (unsigned long long)at);
        if (rest == lanes || at > least)
            least = at;
    }
    if (lanes == warp->lanes && least >= warp->local_fixed)
        warp->local_used = (uint32_t)least;
    return RUN_ON;
}

enum wsim_status stack_allocate_plan(struct run_plan *plan) {
    struct run_row to, size;
    uint64_t align = ALIGN;
    enum wsim_status status = plan_row(plan, 0, 0, &to);
    if (!status)
        status = plan_row(plan, 1, 64, &size);
    if (status)
        return status;
    plan_constant(plan, 2, &align);
    if (!align || align & (align - 1) || align > 4096)
        return plan_refuse(plan, "its alignment is not a power of two up to 4096");
    plan->op->step = allocate;
    plan->op->at[0] = to.at, plan->op->bytes = to.bits;
    plan->op->at[1] = size.at, plan->op->count = size.bits;
    plan->op->immediate = align;
    return WSIM_OK;
}

static enum wsim_status plan_one(struct run_plan *plan, run_step *step) {
    struct run_row row;
    enum wsim_status status = plan_row(plan, 0, 64, &row);
    plan->op->step = step;
    plan->op->at[0] = row.at, plan->op->bytes = row.bits;
    return status;
}

enum wsim_status stack_save_plan(struct run_plan *plan) {
    return plan_one(plan, save);
}

enum wsim_status stack_restore_plan(struct run_plan *plan) {
    return plan_one(plan, restore);
}
