/* Calls: parameters are copied from frame to frame, and lanes remember where they came from. */
#include "flow.h"
#include "../state/taint.h"
#include "../state/warp.h"

static uint8_t *lane_memory(uint8_t *frame, const struct run_param *param, unsigned lane) {
    return frame + param->at + (size_t)param->stride * lane;
}

static struct call_value as_value(const struct run_param *param) {
    struct call_value value = {.in_memory = !param->bits, .param = *param};
    value.row = (struct run_row){.at = param->at, .bits = param->bits};
    return value;
}

/* One value from a frame to another one. */
static void copy_value(uint8_t *to_frame, const struct call_value *to, uint8_t *from_frame,
                       const struct call_value *from, uint32_t lanes) {
    const struct run_param *a = &to->param, *b = &from->param;
    if (lanes == UINT32_MAX && to->in_memory && from->in_memory && a->bytes == b->bytes &&
        a->stride == a->bytes && b->stride == b->bytes) {
        memcpy(lane_memory(to_frame, a, 0), lane_memory(from_frame, b, 0),
               (size_t)RUN_LANES * a->bytes);
        return;
    }
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = run_lowest(lanes);
        if (to->in_memory && from->in_memory) {
            uint32_t bytes =
                to->param.bytes < from->param.bytes ? to->param.bytes : from->param.bytes;
            memcpy(lane_memory(to_frame, &to->param, lane),
                   lane_memory(from_frame, &from->param, lane), bytes);
        } else {
            call_put(to_frame, to, lane, call_get(from_frame, from, lane));
        }
        if (!to->in_memory && !from->in_memory && to->row.bits == 128)
            run_longs(to_frame, to->row.at)[RUN_LANES + lane] =
                run_get_high(from_frame, from->row, lane);
    }
}

/* Where the first bytes of a value are in a frame, of one lane. */
static uint32_t place_of(const struct call_value *value, unsigned lane) {
    return value->in_memory ? (value->param.at + value->param.stride * lane) / 4
                            : taint_place(value->row, lane);
}

/* Uninitialised bits go along. */
static void copy_taint(struct run_warp *warp, const struct run_frame *to_frame,
                       const struct call_value *to, const struct run_frame *from_frame,
                       const struct call_value *from, uint32_t lanes) {
    struct taint_frame *source = taint_find(warp, from_frame->bytes);
    struct taint_frame *result =
        source ? taint_mirror(warp, to_frame) : taint_find(warp, to_frame->bytes);
    if (!source && result && !to->in_memory)
        taint_clear(result, to->row, lanes);
    if (!source && result && to->in_memory)
        for (uint32_t rest = lanes; rest; rest &= rest - 1)
            memset(lane_memory(result->bits, &to->param, run_lowest(rest)), 0, to->param.bytes);
    if (!source || !result)
        return;
    copy_value(result->bits, to, source->bits, from, lanes);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint32_t most =
            to->param.bytes < from->param.bytes ? to->param.bytes : from->param.bytes;
        const uint32_t bytes = to->in_memory && from->in_memory ? most : 4;
        for (uint32_t i = 0; i < (bytes + 3) / 4; i++)
            result->origins[place_of(to, run_lowest(rest)) + i] =
                source->origins[place_of(from, run_lowest(rest)) + i];
    }
}

/* Parameters whose address is taken are copied to where it points. */
static enum run_next fill_homes(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                                const struct run_frame *frame) {
    for (uint32_t i = 0; i < frame->function->n_homes; i++) {
        const struct run_home *home = &frame->function->homes[i];
        struct run_access access = {.space = PTX_LOCAL,
                                    .kind = RUN_WRITE,
                                    .weak = 1,
                                    .bytes = home->from.bytes,
                                    .lanes = lanes};
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            access.at[lane] = (uint64_t)frame->local + home->at;
        if (run_reach(warp, op, &access, 1))
            return RUN_STOP;
        for (uint32_t rest = lanes; rest; rest &= rest - 1)
            memcpy(access.host[run_lowest(rest)],
                   lane_memory(frame->bytes, &home->from, run_lowest(rest)), home->from.bytes);
    }
    return RUN_ON;
}

/* Lanes enter `function`: their frame, parameters, and the way back. NULL: no room. */
static struct run_frame *enter(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                               const struct run_function *function) {
    const struct call_site *site = op->more;
    struct run_frame *caller = warp->group->frame, *frame;
    struct run_level *level;
    uint32_t n = function->source->n_params;
    frame = warp_frame(warp, function, caller->depth + 1);
    if (!frame)
        return NULL;
    for (uint32_t i = 0; i < n && i < site->n_args; i++) {
        struct call_value to = as_value(&function->params[i]);
        copy_value(frame->bytes, &to, caller->bytes, &site->args[i], lanes);
        if (warp->taint)
            copy_taint(warp, frame, &to, caller, &site->args[i], lanes);
    }
    taint_unset(warp, frame, lanes);
    level = &warp->levels[frame->depth];
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        level->caller[run_lowest(rest)] = caller;
        level->call[run_lowest(rest)] = run_number(warp, op);
    }
    return frame;
}

static enum run_next too_deep(struct run_warp *warp, const struct run_op *op, uint32_t lanes) {
    return run_finding(warp, op, run_lowest(lanes), RULE_CALL_DEPTH, 1,
                       "calls are nested %u deep, and the stack is full",
                       warp->group->frame->depth + 1);
}

/* Some lanes of the group, or all, go into a function. */
static enum run_next go_into(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                             const struct run_function *function) {
    struct run_frame *frame = enter(warp, op, lanes, function);
    if (!frame)
        return too_deep(warp, op, lanes);
    if (fill_homes(warp, op, lanes, frame))
        return RUN_STOP;
    if (lanes == warp->group->lanes) {
        warp->group->frame = frame;
        warp->group->at = warp->at = function->first;
        return RUN_JUMP;
    }
    run_split(warp, lanes, function->first)->frame = frame;
    return RUN_REGROUP;
}

static enum run_next call(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                          struct run_warp *warp) {
    const struct call_site *site = op->more;
    (void)frame;
    warp->group->at = run_number(warp, op) + 1;
    return go_into(warp, op, lanes, &warp->program->functions[site->callee]);
}

/* The function that an address is of; NULL: of none that this kernel may call. */
static const struct run_function *function_at(const struct run_program *program, uint64_t address) {
    for (uint32_t i = 0; i < program->n_functions; i++)
        if (run_function_address(program->functions[i].index) == address)
            return program->functions[i].source->is_defined ? &program->functions[i] : NULL;
    return NULL;
}

static enum run_next call_indirect(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                   struct run_warp *warp) {
    const struct call_site *site = op->more;
    int split = 0;
    warp->group->at = run_number(warp, op) + 1;
    while (lanes) {
        unsigned first = run_lowest(lanes);
        uint64_t target = run_get(frame, site->target, first);
        const struct run_function *function = function_at(warp->program, target);
        uint32_t same = 0;
        enum run_next next;
        if (!function)
            return run_finding(warp, op, first, RULE_CALL_TARGET, 1,
                               "a call through 0x%llx, which is not a function of the module",
                               (unsigned long long)target);
        for (uint32_t rest = lanes; rest; rest &= rest - 1)
            if (run_get(frame, site->target, run_lowest(rest)) == target)
                same |= rest & (0u - rest);
        lanes &= ~same;
        next = go_into(warp, op, same, function);
        if (next != RUN_REGROUP)
            return next == RUN_JUMP && split ? RUN_REGROUP : next;
        split = 1;
    }
    return RUN_REGROUP;
}

enum run_next call_return(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                          struct run_warp *warp) {
    struct run_group *group = warp->group;
    struct run_frame *callee = group->frame;
    const struct run_level *level = &warp->levels[callee->depth];
    int split = 0;
    group->at = run_number(warp, op) + 1;
    while (lanes) {
        unsigned first = run_lowest(lanes);
        struct run_frame *caller = level->caller[first];
        uint32_t from = level->call[first], same = 0;
        const struct call_site *site = warp->program->ops[from].more;
        for (uint32_t rest = lanes; rest; rest &= rest - 1)
            if (level->caller[run_lowest(rest)] == caller && level->call[run_lowest(rest)] == from)
                same |= rest & (0u - rest);
        for (uint32_t i = 0; i < site->n_results && i < callee->function->source->n_results; i++) {
            struct call_value value = as_value(&callee->function->results[i]);
            copy_value(caller->bytes, &site->results[i], frame, &value, same);
            if (warp->taint)
                copy_taint(warp, caller, &site->results[i], callee, &value, same);
        }
        lanes &= ~same;
        if (same == group->lanes) {
            group->frame = caller;
            group->at = warp->at = from + 1;
            return split ? RUN_REGROUP : RUN_JUMP;
        }
        run_split(warp, same, from + 1)->frame = caller;
        split = 1;
    }
    return RUN_REGROUP;
}

/* --- plan --- */

static enum wsim_status plan_value(struct run_plan *plan, const struct ptx_operand *operand,
                                   struct call_value *value) {
    struct run_build *build = plan->build;
    if (operand->kind == PTX_OP_VARIABLE &&
        build->ptx->variables[operand->index].space == PTX_PARAM) {
        value->in_memory = 1;
        value->param = build->param_of[operand->index];
        return WSIM_OK;
    }
    if ((operand->kind == PTX_OP_PARAM || operand->kind == PTX_OP_RESULT) &&
        !build->source->is_entry) {
        const struct run_param *params =
            operand->kind == PTX_OP_PARAM ? build->function->params : build->function->results;
        *value = as_value(&params[operand->index]);
        return WSIM_OK;
    }
    return plan_row_of(plan, operand, 0, &value->row);
}

static enum wsim_status plan_values(struct run_plan *plan, const struct ptx_operand *list,
                                    struct call_value **values, uint32_t *n) {
    enum wsim_status status = WSIM_OK;
    *n = list ? list->count : 0;
    *values = plan_keep(plan, (*n + 1u) * sizeof **values);
    if (!*values)
        return base_refuse(plan->diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory");
    for (uint32_t i = 0; i < *n && !status; i++)
        status = plan_value(plan, &plan->function->operands[list->first + i], &(*values)[i]);
    return status;
}

/* The callee: a function by name, one of the library, or through a register. */
static enum wsim_status plan_target(struct run_plan *plan, const struct ptx_operand *target,
                                    struct call_site *site) {
    const struct ptx_function *function;
    if (target->kind == PTX_OP_REGISTER) {
        site->callee = CALL_INDIRECT;
        plan->op->step = call_indirect;
        return plan_row_of(plan, target, 64, &site->target);
    }
    if (target->kind != PTX_OP_FUNCTION)
        return plan_refuse(plan, "it names no function");
    function = &plan->build->ptx->functions[target->index];
    site->callee = plan->build->function_of[target->index];
    plan->op->step = function->is_defined ? call : library_find(function->name);
    plan->interacts = !function->is_defined;
    plan->build->program->uses_heap |= (uint8_t)library_uses_heap(plan->op->step);
    if (plan->op->step)
        return WSIM_OK;
    return base_refuse(plan->diag, RULE_LAUNCH_FUNCTION_UNMODELLED, 0,
                       "call of %.80s, which is defined nowhere", function->name);
}

enum wsim_status call_plan(struct run_plan *plan) {
    const struct ptx_operand *results = NULL, *args = NULL, *target;
    struct call_site *site = plan_keep(plan, sizeof *site);
    uint32_t at = 0;
    enum wsim_status status;
    if (!site)
        return base_refuse(plan->diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory");
    if (at < plan->count && plan->operands[at].kind == PTX_OP_VECTOR)
        results = &plan->operands[at++];
    if (at >= plan->count)
        return plan_refuse(plan, "it names no function");
    target = &plan->operands[at++];
    if (at < plan->count && plan->operands[at].kind == PTX_OP_VECTOR)
        args = &plan->operands[at++];
    status = plan_values(plan, args, &site->args, &site->n_args);
    if (!status)
        status = plan_values(plan, results, &site->results, &site->n_results);
    if (!status)
        status = plan_target(plan, target, site);
    plan->op->more = site;
    return status;
}
