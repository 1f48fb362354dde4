/* Branches, ends, traps. */
#include "flow.h"

#include "../sync/sync.h"

#include <stdlib.h>

/* Weight of a jump backward towards giving way. A polling loop gives way after 32 jumps, a loop
 * that loads after 4096, and others after PATIENCE (warp.c). */
enum { LOADS = 4 };

static enum run_next branch(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                            struct run_warp *warp) {
    (void)frame;
    if (lanes == warp->group->lanes) {
        warp->at = op->at[0];
        return RUN_JUMP;
    }
    run_split(warp, lanes, op->at[0]);
    warp->group->at = run_number(warp, op) + 1;
    return RUN_REGROUP;
}

/* How long others may have to wait for the loop that jumps back from `from` to `to`. */
static uint8_t weigh(const struct run_build *build, uint32_t from, uint32_t to) {
    if (to > from)
        return 0;
    if (build->spins[from + 1] > build->spins[to])
        return RUN_POLLS;
    return build->loads[from + 1] > build->loads[to] ? LOADS : 0;
}

enum wsim_status flow_branch_plan(struct run_plan *plan) {
    const struct ptx_operand *target = plan->operands;
    uint32_t from = (uint32_t)(plan->instruction - plan->function->code);
    if (plan->count != 1 || target->kind != PTX_OP_LABEL)
        return plan_refuse(plan, "it does not name a label");
    plan->op->step = branch;
    plan->op->at[0] = target->index;
    plan->op->count = weigh(plan->build, from, target->index);
    return WSIM_OK;
}

/* --- brx.idx --- */

struct table {
    uint32_t count;
    uint32_t at[];
};

static enum run_next branch_table(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                  struct run_warp *warp) {
    const struct table *table = op->more;
    const uint32_t *index = run_words(frame, op->at[1]);
    struct run_group *group = warp->group;
    const uint32_t all = group->lanes;
    group->at = run_number(warp, op) + 1;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        if (index[run_lowest(rest)] >= table->count)
            return run_finding(warp, op, run_lowest(rest), RULE_CALL_INDEX_RANGE, 1,
                               "brx.idx with index %u: the list has %u labels",
                               index[run_lowest(rest)], table->count);
    while (lanes) {
        uint32_t target = table->at[index[run_lowest(lanes)]], same = 0;
        for (uint32_t rest = lanes; rest; rest &= rest - 1)
            if (table->at[index[run_lowest(rest)]] == target)
                same |= rest & (0u - rest);
        if (same == all) {
            warp->at = target;
            return RUN_JUMP;
        }
        if (same == group->lanes) {
            group->at = target;
            return RUN_REGROUP;
        }
        run_split(warp, same, target);
        lanes &= ~same;
    }
    return RUN_REGROUP;
}

enum wsim_status flow_table_plan(struct run_plan *plan) {
    const struct ptx_function *source = plan->function;
    const struct ptx_operand *targets;
    struct run_row row;
    struct table *table;
    enum wsim_status status = plan_row(plan, 0, 32, &row);
    if (status)
        return status;
    if (plan->count != 2 || plan->operands[1].kind != PTX_OP_TABLE || row.bits != 32)
        return plan_refuse(plan, "it does not name a list of labels");
    targets = &source->operands[source->tables[plan->operands[1].index].first];
    table = plan_keep(plan, sizeof *table + source->tables[plan->operands[1].index].count *
                                                sizeof table->at[0]);
    if (!table)
        return base_refuse(plan->diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory");
    table->count = source->tables[plan->operands[1].index].count;
    for (uint32_t i = 0; i < table->count; i++) {
        const uint8_t weight =
            weigh(plan->build, (uint32_t)(plan->instruction - source->code), targets[i].index);
        table->at[i] = targets[i].index;
        plan->op->count = weight > plan->op->count ? weight : plan->op->count;
    }
    plan->op->step = branch_table;
    plan->op->at[1] = row.at;
    plan->op->more = table;
    return WSIM_OK;
}

/* --- ends --- */

static enum run_next leave(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                           struct run_warp *warp) {
    (void)frame;
    if (sync_leave(warp, op, lanes) == RUN_STOP)
        return RUN_STOP;
    run_leave(warp, lanes);
    if (!warp->lanes)
        hear_order(warp, op, lanes, RUN_ORDER_EXIT, NULL);
    warp->group->at = run_number(warp, op) + 1;
    return RUN_REGROUP;
}

enum wsim_status flow_exit_plan(struct run_plan *plan) {
    plan->op->step = leave;
    plan->op->leads |= RUN_LEAVES;
    return WSIM_OK;
}

static enum run_next trap(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                          struct run_warp *warp) {
    const struct run_launch *launch = warp->worker->launch;
    const int hint = launch->program->grids && !launch->how->cooperative;
    (void)frame;
    return run_finding(warp, op, run_lowest(lanes), RULE_CALL_TRAP, 1, "the kernel trapped%s",
                       hint ? "; it asks for the barrier of a cooperative launch, which this is not"
                            : "");
}

enum wsim_status flow_trap_plan(struct run_plan *plan) {
    return plan_does(plan, trap);
}

static enum run_next nothing(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                             struct run_warp *warp) {
    (void)frame, (void)op, (void)lanes, (void)warp;
    return RUN_ON;
}

int flow_does_nothing(const struct run_op *op) {
    return op->step == nothing;
}

static enum run_next copy_long(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                               struct run_warp *warp) {
    (void)warp;
    for (; lanes; lanes &= lanes - 1)
        run_longs(frame, op->at[0])[run_lowest(lanes)] =
            run_longs(frame, op->at[1])[run_lowest(lanes)];
    return RUN_ON;
}

/* Hints: prefetch, discard, setmaxnreg ... change no result. */
enum wsim_status flow_hint_plan(struct run_plan *plan) {
    return plan_does(plan, nothing);
}

/* A cache policy is a number that only hints take. */
enum wsim_status flow_policy_plan(struct run_plan *plan) {
    struct run_row to, zero;
    enum wsim_status status = plan_row(plan, 0, 64, &to);
    if (!status)
        status = plan_fixed(plan, 64, 0, &zero);
    plan->op->step = copy_long;
    plan->op->at[0] = to.at, plan->op->at[1] = zero.at;
    return status;
}

static enum run_next give_way(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                              struct run_warp *warp) {
    (void)frame, (void)op, (void)lanes, (void)warp;
    return RUN_YIELD;
}

enum wsim_status flow_sleep_plan(struct run_plan *plan) {
    return plan_does(plan, give_way);
}

enum wsim_status flow_return_plan(struct run_plan *plan) {
    if (plan->function->is_entry)
        return flow_exit_plan(plan);
    return plan_does(plan, call_return);
}

int flow_end(struct run_build *build) {
    struct run_op *op;
    build->op_of[build->source->n_code] = build->n_ops;
    op = build_op(build, RUN_NOWHERE);
    if (!op)
        return 0;
    op->position = build->position[build->source->n_code];
    op->leads = build->source->is_entry ? RUN_LEADS | RUN_LEAVES : RUN_LEADS;
    op->step = build->source->is_entry ? leave : call_return;
    return 1;
}

uint32_t flow_target(const struct run_op *op) {
    return op->step == branch ? op->at[0] : RUN_NOWHERE;
}

int flow_link(struct run_build *build) {
    for (uint32_t i = build->function->first; i < build->n_ops; i++) {
        struct run_op *op = &build->ops[i];
        if (op->step == branch)
            op->at[0] = build->op_of[op->at[0]];
        if (op->step == branch_table) {
            /* It was made for this operation alone. */
            struct table *table = (struct table *)(uintptr_t)op->more;
            for (uint32_t t = 0; t < table->count; t++)
                table->at[t] = build->op_of[table->at[t]];
        }
    }
    return 1;
}
