/* Plans of loads and stores of all spaces; parameters of functions. */
#include "../memory/memory.h"
#include "../state/device.h"
#include "../decode/count.h"
#include "../decode/merge.h"
#include "../state/launch.h"
#include "quick.h"
#include "../reach/hear.h"
#include "access.h"
#include "flow.h"
#include "taint.h"

#include <stdatomic.h>

enum wsim_status reach_prepare(struct run_plan *plan, uint32_t address, uint8_t kind,
                               struct reach_plan *reach) {
    static const uint8_t spaces[] = {
        [SCALAR_GENERIC] = PTX_GENERIC, [SCALAR_GLOBAL] = PTX_GLOBAL, [SCALAR_SHARED] = PTX_SHARED,
        [SCALAR_LOCAL] = PTX_LOCAL,     [SCALAR_CONST] = PTX_CONST,   [SCALAR_PARAM] = PTX_PARAM};
    const struct scalar_meaning *meaning = &plan->meaning;
    const struct isa_scalar_type *type = &isa_scalar_types[meaning->type[0]];
    reach->space = spaces[meaning->space];
    reach->kind = kind;
    reach->weak = meaning->order <= SCALAR_WEAK;
    reach->order = (uint8_t)(meaning->order > SCALAR_RELAXED);
    reach->plain = (uint8_t)(meaning->order < SCALAR_VOLATILE    ? RUN_PLAIN_WEAK
                             : meaning->order == SCALAR_VOLATILE ? RUN_PLAIN_VOLATILE
                                                                 : RUN_PLAIN_STRONG);
    reach->nc = meaning->nc;
    reach->near = meaning->window != SCALAR_WINDOW_CLUSTER && meaning->space == SCALAR_SHARED;
    reach->narrow = (uint8_t)(meaning->scope == SCALAR_SCOPE_CTA       ? 2
                              : meaning->scope == SCALAR_SCOPE_CLUSTER ? 1
                                                                       : 0);
    if (reach->narrow > 1)
        plan_narrows(plan);
    reach->acquires = meaning->order == SCALAR_ACQUIRE || meaning->order >= SCALAR_ACQ_REL;
    reach->releases = meaning->order >= SCALAR_RELEASE;
    if (reach->releases)
        plan_arrives(plan);
    reach->elements = meaning->vector ? meaning->vector : 1;
    reach->bytes = type->bits / 8;
    reach->is_signed = type->letter == 's';
    return plan_address(plan, address, &reach->base, &reach->offset);
}

enum wsim_status reach_rows(struct run_plan *plan, uint32_t index, const struct reach_plan *reach,
                            struct run_row *rows) {
    uint32_t count;
    const struct ptx_operand *parts = plan_parts(plan, index, &count);
    if (count != reach->elements)
        return plan_refuse(plan, "the number of registers differs from the number that it moves");
    for (uint32_t i = 0; i < count; i++) {
        enum wsim_status status = plan_row_of(plan, &parts[i], 8u * reach->bytes, &rows[i]);
        if (status)
            return status;
    }
    return WSIM_OK;
}

/* --- parameters of functions, and of calls: memory of the frame --- */

struct param_plan {
    struct reach_plan reach;
    struct call_value value;
    uint8_t moves; /* registers and parts are alike: move_param */
};

static size_t param_place(const struct param_plan *param, unsigned lane) {
    return param->value.param.at + (size_t)param->value.param.stride * lane + param->reach.offset;
}

/* Registers as wide as the parts of a parameter. */
static void move_param(const struct param_plan *param, uint8_t *frame, uint32_t lanes) {
    const struct reach_plan *reach = &param->reach;
    const unsigned bytes = reach->bytes;
    if (lanes == UINT32_MAX && param->value.param.stride == bytes) { /* both are rows */
        uint8_t *row = frame + reach->row[0].at, *parts = frame + param_place(param, 0);
        memcpy(reach->kind == RUN_READ ? row : parts, reach->kind == RUN_READ ? parts : row,
               (size_t)bytes * RUN_LANES);
        return;
    }
    for (unsigned e = 0; e < reach->elements; e++)
        for (uint32_t rest = lanes; rest; rest &= rest - 1) {
            const unsigned lane = run_lowest(rest);
            uint8_t *row = frame + reach->row[e].at + (size_t)bytes * lane;
            uint8_t *part = frame + param_place(param, lane) + (size_t)bytes * e;
            uint8_t *to = reach->kind == RUN_READ ? row : part;
            const uint8_t *from = reach->kind == RUN_READ ? part : row;
            if (bytes == 4)
                memcpy(to, from, 4);
            else
                memcpy(to, from, 8);
        }
}

static int is_moved(const struct run_plan *plan, const struct reach_plan *reach) {
    if (plan->build->module->flags & WSIM_MODULE_PLAIN || !memory_is_host() ||
        (reach->bytes != 4 && reach->bytes != 8))
        return 0;
    for (unsigned e = 0; e < reach->elements; e++)
        if (reach->row[e].bits != 8u * reach->bytes)
            return 0;
    return 1;
}

static enum run_next access_param(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                  struct run_warp *warp) {
    const struct param_plan *param = op->more;
    struct run_access access = {.lanes = lanes};
    (void)warp;
    if (param->moves) {
        move_param(param, frame, lanes);
        return RUN_ON;
    }
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        access.host[lane] = frame + param_place(param, lane);
    return memory_move(&param->reach, frame, &access);
}

void memory_param_taint(const struct run_op *op, struct taint_frame *mirror, uint32_t lanes) {
    const struct param_plan *param = op->more;
    const struct reach_plan *reach = &param->reach;
    access_param(mirror->bits, op, lanes, NULL);
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        for (unsigned e = 0; e < reach->elements; e++) {
            const size_t memory = (param_place(param, run_lowest(rest)) + e * reach->bytes) / 4;
            const uint32_t place = taint_place(reach->row[e], run_lowest(rest));
            if (reach->kind == RUN_READ)
                mirror->origins[place] = mirror->origins[memory];
            else if (taint_get(mirror, reach->row[e], run_lowest(rest)))
                mirror->origins[memory] = mirror->origins[place];
        }
}

/* Whether the address names a parameter of a function or of a call. One whose address is taken is
 * local memory. */
static const struct run_param *frame_param(const struct run_plan *plan, uint32_t address) {
    const struct run_build *build = plan->build;
    uint32_t count;
    const struct ptx_operand *base = plan_parts(plan, address, &count);
    if (!count)
        return NULL;
    if (base->kind == PTX_OP_VARIABLE && build->ptx->variables[base->index].space == PTX_PARAM)
        return &build->param_of[base->index];
    if (build->source->is_entry)
        return NULL;
    if (base->kind == PTX_OP_PARAM && !build->home_of[base->index])
        return &build->function->params[base->index];
    return base->kind == PTX_OP_RESULT ? &build->function->results[base->index] : NULL;
}

static enum wsim_status param_access(struct run_plan *plan, uint32_t address, uint32_t registers,
                                     uint8_t kind, const struct run_param *param) {
    struct param_plan *access = plan_keep(plan, sizeof *access);
    const struct isa_scalar_type *type = &isa_scalar_types[plan->meaning.type[0]];
    uint32_t count;
    const struct ptx_operand *base = plan_parts(plan, address, &count);
    uint64_t bytes;
    if (!access)
        return base_refuse(plan->diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory");
    access->reach.kind = kind;
    access->reach.elements = plan->meaning.vector ? plan->meaning.vector : 1;
    access->reach.bytes = type->bits / 8;
    access->reach.is_signed = type->letter == 's';
    access->reach.offset = plan->operands[address].value + base->value;
    access->value.param = *param;
    bytes = (uint64_t)access->reach.bytes * access->reach.elements;
    if (param->bits || access->reach.offset > param->bytes ||
        bytes > param->bytes - access->reach.offset)
        return plan_refuse(plan, "it accesses bytes beyond the parameter");
    plan->op->step = access_param;
    plan->op->more = access;
    TRY(reach_rows(plan, registers, &access->reach, access->reach.row));
    access->moves = (uint8_t)is_moved(plan, &access->reach);
    return WSIM_OK;
}

/* The last registers of a vector may be for bytes that a pragma calls unused. Others are padding of
 * structs, which is copied. */
static void leave_unused(const struct run_plan *plan, struct reach_plan *reach) {
    const uint32_t mask = plan->instruction->used;
    unsigned used = 0; /* elements */
    while (used < REACH_MOST / reach->bytes && (uint64_t)mask >> used * reach->bytes)
        used++;
    reach->padding = mask ? ~mask : 0;
    if (!used || used >= reach->elements)
        return;
    reach->unused = (uint8_t)(reach->elements - used);
    reach->elements = (uint8_t)used;
}

static enum wsim_status access_plan(struct run_plan *plan, uint32_t address, uint32_t registers,
                                    uint8_t kind) {
    const struct run_param *param =
        plan->meaning.space == SCALAR_PARAM ? frame_param(plan, address) : NULL;
    const int home = plan->meaning.space == SCALAR_PARAM && !plan->build->source->is_entry;
    struct reach_plan *reach;
    enum wsim_status status;
    if (param)
        return param_access(plan, address, registers, kind, param);
    if (home && kind != RUN_READ)
        return plan_refuse(plan, "a parameter of a function is written through its address");
    reach = plan_keep(plan, sizeof *reach);
    if (!reach)
        return base_refuse(plan->diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory");
    status = reach_prepare(plan, address, kind, reach);
    if (home)
        reach->space = PTX_LOCAL;
    if (!status)
        status = reach_rows(plan, registers, reach, reach->row);
    if (kind == RUN_READ && !status)
        leave_unused(plan, reach);
    if (kind == RUN_WRITE)
        reach->turn = reach_turn(merge_stored(plan->build,
                                              (uint32_t)(plan->instruction - plan->function->code),
                                              (unsigned)reach->bytes * reach->elements));
    plan->op->step = status ? NULL : quick_memory_step(plan, reach);
    if (!plan->op->step)
        plan->op->step = memory_step;
    plan->interacts = !reach->weak && (reach->space == PTX_GLOBAL || reach->space == PTX_GENERIC);
    plan->build->program->acquires |= kind == RUN_READ && plan->interacts;
    plan->build->program->listens |= kind == RUN_READ && !reach->weak;
    if (kind == RUN_WRITE && !reach->weak && reach->space != PTX_GLOBAL)
        plan_flags(plan);
    plan->op->more = reach;
    plan->op->traffic = kind == RUN_READ ? RUN_TRAFFIC_LOAD : RUN_TRAFFIC_STORE;
    plan->op->bytes = reach->bytes;
    plan->op->count = reach->elements + reach->unused;
    /* Memory of other blocks is not reached through these banks, nor by these counters. */
    if (!status && (reach->space == PTX_SHARED || reach->space == PTX_GENERIC) &&
        plan->meaning.window != SCALAR_WINDOW_CLUSTER)
        status = count_plan(plan, kind == RUN_READ ? SCALAR_METHOD_LD : SCALAR_METHOD_ST,
                            (unsigned)reach->bytes * (reach->elements + reach->unused));
    return status;
}

enum wsim_status memory_load_plan(struct run_plan *plan) {
    return access_plan(plan, 1, 0, RUN_READ);
}

enum wsim_status memory_store_plan(struct run_plan *plan) {
    return access_plan(plan, 0, 1, RUN_WRITE);
}
