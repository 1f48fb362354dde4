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
    plan_fences(plan);
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

static enum run_next wait_for_grids(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                    struct run_warp *warp) {
    (void)frame;
    hear_order(warp, op, lanes, RUN_ORDER_GRIDS, NULL);
    return RUN_ON;
}

/* griddepcontrol changes no value: all earlier grids have ended. */
enum wsim_status sync_grids_plan(struct run_plan *plan) {
    if (plan->meaning.launch)
        return plan_does(plan, nothing);
    plan_waits_grids(plan);
    return plan_does(plan, wait_for_grids);
}

/* --- setmaxnreg --- */

/* Registers of a thread when the kernel begins, as ptxas gives them: the limit of its directives,
 * or what setmaxnreg asks for at most. 0: no directive says how many blocks an SM holds, and ptxas
 * drops setmaxnreg. */
static uint32_t entry_registers(const struct run_program *program) {
    const struct ptx_function *kernel = program->kernel;
    const uint32_t *most = kernel->maxntid[0] ? kernel->maxntid : kernel->reqntid;
    uint32_t registers = kernel->maxnreg, threads = 1;
    for (int i = 0; i < 3; i++)
        threads *= most[i] ? most[i] : 1;
    if (!registers && most[0] && kernel->minnctapersm)
        registers = (uint32_t)(ISA_SM_REGISTERS / ((uint64_t)threads * kernel->minnctapersm));
    registers -= registers % ISA_SETMAXNREG_STEP;
    return registers < program->most_registers ? registers : program->most_registers;
}

/* Registers that the block has left, a thread of each warp. A warp that exits keeps its own, as on
 * an H200. */
static uint32_t registers_left(const struct run_block *block) {
    const uint32_t entry = entry_registers(block->warps->program);
    uint32_t left = entry * block->n_warps;
    for (uint32_t i = 0; i < block->n_warps; i++) {
        const uint32_t own = sync_warp_of(&block->warps[i])->registers;
        left -= own ? own : entry;
    }
    return left;
}

/* How many registers a warp lacks for setmaxnreg, a thread. */
static uint32_t registers_lacking(const struct run_warp *warp, const struct run_op *op) {
    const uint32_t entry = entry_registers(warp->program), own = sync_warp_of(warp)->registers;
    const uint32_t left = registers_left(warp->block) + (own ? own : entry);
    return entry && op->immediate > left ? (uint32_t)op->immediate - left : 0;
}

/* A warp gives registers back to its block, or waits for those that others give back. */
static enum run_next set_registers(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                   struct run_warp *warp) {
    (void)frame;
    if (sync_together(warp, op, lanes) == RUN_WAIT || registers_lacking(warp, op))
        return RUN_WAIT;
    sync_warp_of(warp)->registers = (uint16_t)op->immediate;
    sync_warp_of(warp)->sets++;
    sync_warp_of(warp)->set = op;
    warp->block->unit->events++;
    return RUN_ON;
}

/* Two warps of one warpgroup executed different numbers of setmaxnreg, or other ones. Where the
 * instructions are does not matter: warps with roles of their own each have one, for one number. */
static enum run_next find_differing(struct run_warp *a, struct run_warp *b) {
    const struct sync_warp *one = sync_warp_of(a), *other = sync_warp_of(b);
    struct run_warp *first = one->sets ? a : b;
    const struct run_op *at = sync_warp_of(first)->set;
    if (one->sets != other->sets)
        return run_finding(first, at, RUN_LANES, RULE_SYNC_REGISTERS_GROUP, 0,
                           "warp %u has executed setmaxnreg %u times, and warp %u of its warpgroup "
                           "%u times: all four warps must execute it",
                           a->number, one->sets, b->number, other->sets);
    return run_finding(first, at, RUN_LANES, RULE_SYNC_REGISTERS_GROUP, 0,
                       "warp %u sets %u registers, and warp %u of its warpgroup %u: all four warps "
                       "must execute the same setmaxnreg",
                       a->number, one->registers, b->number, other->registers);
}

enum run_next sync_registers_end(struct run_block *block) {
    enum { FOUR = 4 };
    for (uint32_t i = 0; i < block->n_warps - block->n_warps % FOUR; i++) {
        struct run_warp *first = &block->warps[i - i % FOUR], *warp = &block->warps[i];
        const struct sync_warp *one = sync_warp_of(first), *other = sync_warp_of(warp);
        if ((one->sets != other->sets || one->registers != other->registers) && sync_checks(warp))
            return find_differing(first, warp);
    }
    return RUN_ON;
}

int sync_lacks_registers(const struct run_warp *warp, const struct run_group *group) {
    const struct run_op *op = &warp->program->ops[group->at];
    return op->step == set_registers && group->lanes == warp->lanes && registers_lacking(warp, op);
}

void sync_registers_describe(const struct run_warp *warp, const struct run_group *group,
                             struct base_text *text) {
    const struct run_op *op = &warp->program->ops[group->at];
    if (sync_lacks_registers(warp, group))
        base_put(text,
                 " waits for %u registers a thread; setmaxnreg.dec of other warps left %u too few",
                 (unsigned)op->immediate, registers_lacking(warp, op));
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
    plan->op->immediate = count;
    plan_registers(plan, count);
    return plan_does(plan, set_registers);
}
