/* A kernel and what it calls, from instructions with names to operations with offsets. */
#include "../isa/isa.h"
#include "contract.h"
#include "decode.h"
#include "merge.h"
#include "stores.h"
#include "pressure.h"
#include "unset.h"
#include "uses.h"

#include <stdlib.h>

/* While they are being found, functions are in memory that grows. */
static int more_functions(struct run_build *build) {
    const uint32_t room = build->room_functions ? 2 * build->room_functions : 8;
    struct run_function *grown =
        realloc(build->program->functions, room * sizeof *build->program->functions);
    if (!grown)
        return 0;
    build->program->functions = grown;
    build->room_functions = room;
    return 1;
}

/* All have been found: they get memory of the module. 0: no memory. */
static int keep_functions(struct run_build *build, int complete) {
    struct run_program *program = build->program;
    struct run_function *found = program->functions;
    const size_t size = program->n_functions * sizeof *found;
    program->functions = complete ? run_arena_get(&build->module->arena, size) : NULL;
    if (program->functions)
        memcpy(program->functions, found, size);
    else
        program->n_functions = 0;
    free(found);
    return program->functions != NULL;
}

/* The number of a function in the program, with which it is decoded too; NO_FUNCTION: no memory. */
static uint32_t build_function(struct run_build *build, uint32_t index) {
    struct run_program *program = build->program;
    struct run_function *function;
    if (build->function_of[index] == NO_FUNCTION) {
        if (program->n_functions == build->room_functions && !more_functions(build))
            return NO_FUNCTION;
        function = &program->functions[program->n_functions];
        *function = (struct run_function){0};
        function->source = &build->ptx->functions[index];
        function->index = index;
        build->function_of[index] = program->n_functions++;
    }
    return build->function_of[index];
}

/* --- variables --- */

static uint64_t align_up(uint64_t at, uint32_t align) {
    return align ? (at + align - 1) / align * align : at;
}

static uint32_t place_local(struct run_build *build, uint64_t bytes, uint32_t align) {
    struct run_function *function = build->function;
    const uint64_t at = align_up(function->local_bytes, align), end = at + bytes;
    if (align > function->local_align)
        function->local_align = align;
    function->local_bytes = end > UINT32_MAX ? UINT32_MAX : (uint32_t)end;
    return (uint32_t)at;
}

/* Variables of this function, and those of the module that it names. */
static void place_variable(struct run_build *build, uint32_t index) {
    const struct ptx_variable *variable = &build->ptx->variables[index];
    struct run_program *program = build->program;
    struct build_place *place = &build->places[index];
    if (place->placed)
        return;
    if (variable->space == PTX_SHARED && variable->open) {
        program->dynamic = 1;
        if (variable->align > program->shared_align)
            program->shared_align = variable->align;
        return; /* after all others: placed last        */
    }
    place->placed = 1;
    if (variable->space == PTX_SHARED) {
        uint64_t at = align_up(program->shared_bytes, variable->align);
        place->at = at;
        at += variable->bytes;
        program->shared_bytes = at;
    } else if (variable->space == PTX_LOCAL) {
        place->at = place_local(build, variable->bytes, variable->align);
    } else if (variable->space == PTX_PARAM) {
        build->param_of[index] = build_param(build, (uint32_t)variable->bytes);
    }
}

static void place_variables(struct run_build *build) {
    const struct ptx_function *source = build->source;
    for (uint32_t i = 0; i < source->n_operands; i++)
        if (source->operands[i].kind == PTX_OP_VARIABLE)
            place_variable(build, source->operands[i].index);
}

/* Parameters that something but a call names without brackets get a home among the local variables.
 */
static int place_homes(struct run_build *build) {
    const struct ptx_function *source = build->source;
    struct run_function *function = build->function;
    function->homes =
        run_arena_get(&build->module->arena, (source->n_params + 1u) * sizeof *function->homes);
    for (uint32_t i = 0; function->homes && !source->is_entry && i < source->n_code; i++)
        for (uint32_t o = 0; o < source->code[i].count; o++) {
            const struct ptx_operand *operand = &source->operands[source->code[i].first + o];
            if (operand->kind != PTX_OP_PARAM || build->home_of[operand->index])
                continue;
            const struct ptx_param *param = &source->params[operand->index];
            build->home_of[operand->index] = function->n_homes + 1;
            function->homes[function->n_homes++] =
                (struct run_home){.from = function->params[operand->index],
                                  .at = place_local(build, param->bytes, param->align)};
        }
    return function->homes != NULL;
}

static void name_shared(struct run_build *build, const struct ptx_function *source) {
    for (uint32_t i = 0; i < source->n_operands; i++)
        if (source->operands[i].kind == PTX_OP_VARIABLE &&
            build->ptx->variables[source->operands[i].index].space == PTX_SHARED)
            build->places[source->operands[i].index].named = 1;
}

/* Places the shared variables that some function names in the order of the assembler
 * (lab/merge/README.md). The kernel's come first, then those of the module, then those of other
 * functions, each in the order of declarations. Dynamic memory follows, so all functions are
 * scanned first. */
static void place_shared(struct run_build *build) {
    const struct ptx_module *ptx = build->ptx;
    const int32_t kernel = (int32_t)(build->program->kernel - ptx->functions);
    for (uint32_t i = 0; i < build->program->n_functions; i++)
        name_shared(build, build->program->functions[i].source);
    for (unsigned turn = 0; turn < 3; turn++)
        for (uint32_t i = 0; i < ptx->n_variables; i++) {
            const int32_t owner = ptx->variables[i].function;
            if (build->places[i].named && turn == (owner == kernel ? 0u : owner < 0 ? 1u : 2u))
                place_variable(build, i);
        }
}

static void place_dynamic(struct run_build *build) {
    struct run_program *program = build->program;
    for (uint32_t i = 0; i < build->ptx->n_variables; i++) {
        const struct ptx_variable *variable = &build->ptx->variables[i];
        if (variable->space != PTX_SHARED || !variable->open || !build->places[i].named)
            continue;
        build->places[i].placed = 1;
        build->places[i].at = align_up(program->shared_bytes, program->shared_align);
    }
}

/* --- functions --- */

/* 0: no memory. */
static int calls_of(struct run_build *build, const struct ptx_function *source, int *indirect) {
    for (uint32_t i = 0; i < source->n_operands; i++)
        if (source->operands[i].kind == PTX_OP_FUNCTION &&
            build_function(build, source->operands[i].index) == NO_FUNCTION)
            return 0;
    for (uint32_t i = 0; i < source->n_code; i++)
        if (source->code[i].count > 1)
            for (uint32_t o = 0; o < source->code[i].count; o++) {
                uint8_t kind = source->operands[source->code[i].first + o].kind;
                *indirect |= kind == PTX_OP_PROTOTYPE || kind == PTX_OP_TABLE;
            }
    return 1;
}

/* All functions that the kernel can come to. Where there are calls through registers, these are all
 * whose address stands in a variable. 0: no memory. */
static int find_functions(struct run_build *build, uint32_t kernel) {
    const struct ptx_module *ptx = build->ptx;
    int indirect = 0, added = 0, good = build_function(build, kernel) != NO_FUNCTION;
    for (uint32_t i = 0; good && i < build->program->n_functions; i++) {
        good = calls_of(build, build->program->functions[i].source, &indirect);
        if (!indirect || added)
            continue;
        added = 1;
        for (uint32_t v = 0; v < ptx->n_variables; v++)
            for (uint32_t r = 0; r < ptx->variables[v].n_relocations; r++)
                if (ptx->variables[v].relocations[r].is_function)
                    good &= build_function(build, ptx->variables[v].relocations[r].symbol) !=
                            NO_FUNCTION;
    }
    return keep_functions(build, good);
}

static int open_function(struct run_build *build, uint32_t number) {
    struct run_function *function = &build->program->functions[number];
    const struct ptx_function *source = function->source;
    size_t n = source->n_code + 1u;
    build->function = function;
    build->source = source;
    build->register_at = calloc(source->n_registers + 1u, sizeof *build->register_at);
    build->op_of = calloc(n, sizeof *build->op_of);
    build->position = calloc(n, sizeof *build->position);
    build->leads = calloc(n, 1);
    build->spins = calloc(n, sizeof *build->spins);
    build->loads = calloc(n, sizeof *build->loads);
    build->home_of = calloc(source->n_params + 1u, sizeof *build->home_of);
    build->buckets = NULL;
    build->n_buckets = 0;
    memset(build->scratch, 0, sizeof build->scratch);
    build->frame_used = 64; /* RUN_ALWAYS */
    build->space_at = build->space_bytes = 0;
    return build->register_at && build->op_of && build->position && build->leads && build->spins &&
           build->loads && build->home_of && build_order(build) && uses_find(build, &build->uses) &&
           unset_find(build) && contract_find(build) && merge_find(build) && stores_find(build) &&
           pressure_find(build);
}

static void close_function(struct run_build *build) {
    free(build->register_at);
    free(build->op_of);
    free(build->position);
    free(build->leads);
    free(build->block_of);
    free(build->spins);
    free(build->loads);
    free(build->buckets);
    free(build->home_of);
    build->home_of = NULL;
    build->register_at = build->op_of = build->position = NULL;
    build->spins = build->loads = build->buckets = build->block_of = NULL;
    build->blocks = (struct run_graph){0, NULL, NULL};
    build->leads = NULL;
    free(build->fused_with);
    free(build->reciprocal);
    free(build->inverse);
    free(build->unset);
    free(build->addend);
    free(build->copies);
    free(build->sums);
    build->fused_with = build->reciprocal = build->inverse = NULL;
    build->addend = build->copies = NULL;
    build->sums = NULL;
    free(build->merge_of);
    free(build->merges);
    build->merge_of = NULL;
    build->merges = NULL;
    free(build->varying);
    build->varying = NULL;
    uses_free(&build->uses);
}

static struct run_param *place_params(struct run_build *build, const struct ptx_param *params,
                                      uint32_t n) {
    struct run_param *placed = run_arena_get(&build->module->arena, (n + 1u) * sizeof *placed);
    for (uint32_t i = 0; placed && i < n; i++) {
        if (!params[i].in_register) {
            placed[i] = build_param(build, params[i].bytes);
            continue;
        }
        placed[i].at = build->register_at[params[i].reg];
        placed[i].bits = (uint8_t)build->source->registers[params[i].reg].type.bits;
    }
    return placed;
}

/* --- instructions --- */

static run_planner *planner_of(const struct run_planners *planners, const struct ptx_opcode *opcode,
                               const struct scalar_meaning *meaning) {
    if (opcode->kind == PTX_MATRIX)
        return planners->of_family[isa_form(&opcode->op)->family];
    return meaning->kind == SCALAR_COMPUTES ? planners->computes
                                            : planners->of_method[meaning->method];
}

static int run_passes(run_pass *const *passes, struct run_build *build) {
    for (; *passes; passes++)
        if (!(*passes)(build))
            return 0;
    return 1;
}

static enum wsim_status set_guard(struct run_build *build, struct run_op *op,
                                  const struct ptx_instruction *instruction) {
    op->guard = RUN_ALWAYS;
    if (instruction->guard == PTX_NO_GUARD)
        return WSIM_OK;
    op->guard = build->register_at[instruction->guard];
    op->flip = instruction->guard_not ? 0xFFFFFFFFu : 0;
    return WSIM_OK;
}

static enum wsim_status decode_one(struct run_build *build, uint32_t index, struct wsim_diag *why) {
    const struct ptx_instruction *instruction = &build->source->code[index];
    const struct ptx_opcode *opcode = &build->ptx->opcodes[instruction->opcode];
    const struct scalar_meaning *meaning = build_meaning(build, index);
    run_planner *planner = NULL;
    enum wsim_status status;
    struct run_plan plan = {.build = build,
                            .function = build->source,
                            .instruction = instruction,
                            .opcode = opcode,
                            .operands = &build->source->operands[instruction->first],
                            .count = instruction->count,
                            .diag = why};
    build->op_of[index] = build->n_ops;
    build->opcode_used[instruction->opcode] = 1;
    if (opcode->kind == PTX_UNKNOWN) /* told by room ptx */
        return WSIM_OK;
    if (meaning) {
        plan.meaning = *meaning;
        plan.info = build->module->infos[instruction->opcode];
    }
    planner = planner_of(build->planners, opcode, meaning);
    if (!planner)
        return plan_refuse(&plan, meaning && meaning->kind == SCALAR_UNKNOWN
                                      ? "what it computes was not measured"
                                      : "it is not executed");
    plan.op = build_op(build, index);
    if (!plan.op)
        return base_refuse(why, RULE_MEMORY_HEAP_FULL, 0, "out of memory for the kernel");
    plan.op->position = build->position[index];
    plan.op->leads = build->leads[index];
    set_guard(build, plan.op, instruction);
    for (unsigned i = 0; i < 4; i++)
        build->scratch[i].used = 0;
    status = contract_plan_copies(&plan);
    if (status)
        return status;
    if (contract_is_gone(build->fused_with[index]))
        return build->planners->nothing(&plan);
    status = build->fused_with[index]   ? contract_plan(&plan, build->fused_with[index] - 1)
             : build->reciprocal[index] ? contract_plan_quotient(&plan)
             : build->inverse[index]    ? contract_plan_inverse(&plan)
             : build->sums[index] & OPERANDS_TURNED ? contract_plan_turned(&plan)
                                                    : planner(&plan);
    if (plan.op->traffic > RUN_TRAFFIC_LOAD)
        plan.op->leads |= RUN_WRITES;
    if (plan.interacts)
        plan.op->leads |= RUN_INTERACTS;
    return status;
}

/* Instructions that are not modelled are problems; decoding continues. */
static enum wsim_status decode_instructions(struct run_build *build, uint32_t *problems) {
    for (uint32_t i = 0; i < build->source->n_code; i++) {
        struct wsim_diag why;
        uint32_t index = build->function->index;
        enum wsim_status status = decode_one(build, i, &why);
        if (!status)
            continue;
        if (status == WSIM_NO_MEMORY)
            return base_repeat(build->diag, &why, 0, "%s", why.text);
        ++*problems;
        if (build->module->troubles[index])
            continue; /* reported with another kernel                */
        status = run_problem(build->module, &why, (int32_t)index,
                             (struct run_place){build->source->part, build->source->code[i].line,
                                                build->source->code[i].col},
                             1, build->diag);
        if (status)
            return status;
    }
    return WSIM_OK;
}

static enum wsim_status decode_function(struct run_build *build, uint32_t number) {
    struct run_function *function = &build->program->functions[number];
    uint32_t *troubles = &build->module->troubles[function->index], problems = 0;
    enum wsim_status status = WSIM_NO_MEMORY;
    function->first = build->n_ops;
    function->local_align = 16;
    if (!function->source->is_defined)
        return WSIM_OK;
    if (open_function(build, number) && build_registers(build, &build->uses)) {
        function->params =
            place_params(build, function->source->params, function->source->n_params);
        function->results =
            place_params(build, function->source->results, function->source->n_results);
        place_variables(build);
        function->register_end = (build->frame_used + 63) / 64 * 64;
        build->frame_used = function->register_end;
        if (function->params && function->results && place_homes(build))
            status = decode_instructions(build, &problems);
        if (!status && (!unset_keep(build) || !run_passes(build->planners->after_function, build)))
            status = WSIM_NO_MEMORY;
    }
    function->ops = build->n_ops - function->first;
    function->frame_bytes = (build->frame_used + 63) / 64 * 64;
    problems += function->source->problems + build->module->troubles_before[function->index];
    *troubles = problems + 1;
    build->program->problems += problems;
    close_function(build);
    if (status == WSIM_NO_MEMORY)
        return base_refuse(build->diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory for kernel %.60s",
                           build->source->name);
    return status;
}

static int is_placed(const struct run_build *build, uint32_t index) {
    const enum ptx_space space = build->ptx->variables[index].space;
    return build->places && build->places[index].placed &&
           (space == PTX_SHARED || space == PTX_LOCAL);
}

/* 0: no memory. */
static int keep_places(struct run_build *build) {
    struct run_program *program = build->program;
    for (uint32_t i = 0; i < build->ptx->n_variables; i++)
        program->n_placed += is_placed(build, i);
    program->placed =
        run_arena_get(&build->module->arena, (program->n_placed + 1u) * sizeof *program->placed);
    for (uint32_t i = 0, n = 0; program->placed && i < build->ptx->n_variables; i++)
        if (is_placed(build, i))
            program->placed[n++] = (struct run_placed){i, build->places[i].at};
    return program->placed != NULL;
}

/* 0: no memory. */
static int close_program(struct run_build *build) {
    struct run_program *program = build->program;
    uint32_t used = 0;
    program->ops = build->ops;
    program->n_ops = build->n_ops;
    program->where = build->where;
    if (!build->opcode_used)
        return 0;
    for (uint32_t i = 0; i < build->ptx->n_opcodes; i++)
        used += build->opcode_used[i];
    program->opcodes = run_arena_get(&build->module->arena, (used + 1u) * sizeof *program->opcodes);
    for (uint32_t i = 0; program->opcodes && i < build->ptx->n_opcodes; i++)
        if (build->opcode_used[i])
            program->opcodes[program->n_opcodes++] = i;
    return program->opcodes != NULL && keep_places(build) &&
           run_passes(build->planners->after_program, build);
}

enum wsim_status run_decode(struct wsim_module *module, uint32_t kernel,
                            const struct run_planners *planners, struct run_program *program,
                            struct wsim_diag *diag) {
    const struct ptx_module *ptx = &module->ptx;
    struct run_build build = {
        .module = module, .ptx = ptx, .planners = planners, .program = program, .diag = diag};
    enum wsim_status status = WSIM_OK;
    program->module = ptx;
    program->stamp = module->stamp;
    program->kernel = &ptx->functions[kernel];
    program->shared_align = 16;
    build.function_of = malloc((ptx->n_functions + 1u) * sizeof *build.function_of);
    build.places = calloc(ptx->n_variables + 1u, sizeof *build.places);
    build.param_of = calloc(ptx->n_variables + 1u, sizeof *build.param_of);
    build.opcode_used = calloc(ptx->n_opcodes + 1u, 1);
    if (!build.function_of || !build.places || !build.param_of || !build.opcode_used)
        status = base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory for a module");
    if (!status) {
        memset(build.function_of, 0xFF, (ptx->n_functions + 1u) * sizeof *build.function_of);
        if (!find_functions(&build, kernel))
            status = base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory for a module");
    }
    if (!status) {
        place_shared(&build);
        place_dynamic(&build);
    }
    for (uint32_t i = 0; i < program->n_functions && !status; i++)
        status = decode_function(&build, i);
    if (!close_program(&build) && !status)
        status = base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory for a module");
    free(build.function_of);
    free(build.places);
    free(build.param_of);
    free(build.opcode_used);
    return status;
}
