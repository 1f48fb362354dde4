/* Rows of a frame: registers, constants, scratch, operands. */
#include "../isa/isa.h"
#include "../num/real.h"
#include "build.h"

#include <stdlib.h>

#define LINE 64u
#define FRAME_MOST (1u << 30)

uint32_t build_row(struct run_build *build, unsigned bits) {
    uint32_t bytes = bits == 1 ? 4 : bits <= 32 ? 4 * RUN_LANES : bits / 8 * RUN_LANES;
    uint32_t align = bits == 1 ? 4 : LINE;
    uint32_t at = (build->frame_used + align - 1) / align * align;
    if (at > FRAME_MOST)
        return 0;
    build->frame_used = at + bytes;
    return at;
}

struct run_param build_param(struct run_build *build, uint32_t bytes) {
    struct run_param param = {.bytes = bytes, .stride = (bytes + 7) / 8 * 8};
    param.at = (build->frame_used + LINE - 1) / LINE * LINE;
    if (param.at > FRAME_MOST || param.stride > FRAME_MOST / RUN_LANES)
        return (struct run_param){0};
    build->frame_used = param.at + param.stride * RUN_LANES;
    return param;
}

/* --- constants --- */

static uint32_t hash_constant(const struct run_constant *constant) {
    uint64_t hash = constant->value * 0x9E3779B97F4A7C15u + constant->symbol * 31u +
                    constant->bits * 7u + constant->kind;
    return (uint32_t)((hash ^ hash >> 29) * 0xBF58476D1CE4E5B9u >> 32);
}

static int same_constant(const struct run_constant *a, const struct run_constant *b) {
    return a->value == b->value && a->bits == b->bits && a->kind == b->kind &&
           a->symbol == b->symbol;
}

/* Twice the buckets, and room for half as many constants. */
static int grow_constants(struct run_build *build) {
    struct run_function *function = build->function;
    uint32_t n = build->n_buckets ? 2 * build->n_buckets : 64;
    uint32_t *buckets = calloc(n, sizeof *buckets);
    struct run_constant *constants =
        realloc(function->constants, n / 2 * sizeof *function->constants);
    if (constants)
        function->constants = constants;
    if (!buckets || !constants) {
        free(buckets);
        return 0;
    }
    for (uint32_t i = 0; i < function->n_constants; i++) {
        uint32_t at = hash_constant(&constants[i]) & (n - 1);
        while (buckets[at])
            at = (at + 1) & (n - 1);
        buckets[at] = i + 1;
    }
    free(build->buckets);
    build->buckets = buckets;
    build->n_buckets = n;
    return 1;
}

/* A constant of the frame; 0 in row->bits: no memory. */
static struct run_row build_constant(struct run_build *build, enum run_constant_kind kind,
                                     uint32_t symbol, unsigned bits, uint64_t value) {
    struct run_function *function = build->function;
    struct run_constant wanted = {
        .bits = (uint8_t)bits, .kind = (uint8_t)kind, .symbol = symbol, .value = value};
    uint32_t at;
    if (function->n_constants >= build->n_buckets / 2 && !grow_constants(build))
        return (struct run_row){0};
    at = hash_constant(&wanted) & (build->n_buckets - 1);
    for (; build->buckets[at]; at = (at + 1) & (build->n_buckets - 1)) {
        const struct run_constant *known = &function->constants[build->buckets[at] - 1];
        if (same_constant(known, &wanted))
            return (struct run_row){.at = known->at, .bits = (uint8_t)bits};
    }
    wanted.at = build_row(build, bits);
    if (!wanted.at)
        return (struct run_row){0};
    function->constants[function->n_constants++] = wanted;
    build->buckets[at] = function->n_constants;
    return (struct run_row){.at = wanted.at, .bits = (uint8_t)bits};
}

static enum wsim_status no_memory(struct run_plan *plan) {
    return base_refuse(plan->diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory for the kernel");
}

static enum wsim_status constant_row(struct run_plan *plan, enum run_constant_kind kind,
                                     uint32_t symbol, unsigned bits, uint64_t value,
                                     struct run_row *row) {
    *row = build_constant(plan->build, kind, symbol, bits, value);
    return row->bits ? WSIM_OK : no_memory(plan);
}

enum wsim_status plan_fixed(struct run_plan *plan, unsigned bits, uint64_t value,
                            struct run_row *row) {
    if (bits > 1 && bits <= 32)
        bits = 32, value &= 0xFFFFFFFFu;
    if (bits == 1)
        value &= 1;
    return constant_row(plan, RUN_CONSTANT_NUMBER, 0, bits > 64 ? 64 : bits, value, row);
}

enum wsim_status plan_scratch(struct run_plan *plan, unsigned bits, struct run_row *row) {
    unsigned kind = bits == 1 ? 0 : bits <= 32 ? 1 : bits <= 64 ? 2 : 3;
    struct build_scratch *scratch = &plan->build->scratch[kind];
    static const uint8_t widths[4] = {1, 32, 64, 128};
    if (scratch->used == sizeof scratch->at / sizeof scratch->at[0])
        return plan_refuse(plan, "it needs too many intermediate values");
    if (scratch->used == scratch->n) {
        scratch->at[scratch->n] = build_row(plan->build, widths[kind]);
        if (!scratch->at[scratch->n++])
            return no_memory(plan);
    }
    *row = (struct run_row){.at = scratch->at[scratch->used++], .bits = widths[kind]};
    return WSIM_OK;
}

/* --- operands --- */

/* The address of a variable, in its space. */
static enum wsim_status variable_row(struct run_plan *plan, const struct ptx_operand *operand,
                                     unsigned bits, struct run_row *row) {
    struct run_build *build = plan->build;
    const struct ptx_variable *variable = &build->ptx->variables[operand->index];
    const struct build_place *place = &build->places[operand->index];
    bits = bits > 32 || !bits ? 64 : 32;
    if (variable->linkage == PTX_EXTERN && !(variable->space == PTX_SHARED && variable->open))
        return run_undefined(plan->diag, build->ptx, operand->index);
    switch (variable->space) {
    case PTX_GLOBAL:
        return constant_row(plan, RUN_CONSTANT_SYMBOL, operand->index, bits, operand->value, row);
    case PTX_CONST:
        return constant_row(plan, RUN_CONSTANT_NUMBER, 0, bits,
                            build->module->constant_at[operand->index] + operand->value, row);
    case PTX_SHARED:
        return constant_row(plan, RUN_CONSTANT_SHARED, 0, bits, place->at + operand->value, row);
    case PTX_LOCAL:
        return constant_row(plan, RUN_CONSTANT_LOCAL, 0, bits, place->at + operand->value, row);
    default: return plan_refuse(plan, "the address of a parameter of a call is taken");
    }
}

/* The address of a parameter of a function: that of its copy. */
static enum wsim_status home_row(struct run_plan *plan, const struct ptx_operand *operand,
                                 unsigned bits, struct run_row *row) {
    const uint32_t home = plan->build->home_of[operand->index];
    if (!home)
        return plan_refuse(plan,
                           "a parameter of a function is used where only its bytes are allowed");
    return constant_row(plan, RUN_CONSTANT_LOCAL, 0, bits > 32 || !bits ? 64 : 32,
                        plan->build->function->homes[home - 1].at + operand->value, row);
}

/* A fraction that is written where f32 is asked for is rounded to that. */
static uint64_t number_bits(const struct ptx_operand *operand, unsigned bits) {
    const struct real_mode nearest = {.rounding = WSIM_RN};
    if (operand->kind == PTX_OP_F64 && bits == 32)
        return convert_real(&isa_formats[FORMAT_F64], &isa_formats[FORMAT_F32], &nearest,
                            operand->value);
    return operand->value;
}

enum run_next plan_add_offset(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                              struct run_warp *warp) {
    const struct run_row to = {.at = op->at[0], .bits = op->bytes};
    const struct run_row from = {.at = op->at[1], .bits = op->bytes};
    (void)warp;
    for (; lanes; lanes &= lanes - 1)
        run_put(frame, to, run_lowest(lanes),
                run_get(frame, from, run_lowest(lanes)) + op->immediate);
    return RUN_ON;
}

/* Adds a register and a number before the instruction. */
static enum wsim_status sum_row(struct run_plan *plan, const struct ptx_operand *operand,
                                struct run_row *row) {
    const unsigned bits = plan->build->source->registers[operand->index].type.bits;
    enum wsim_status status = plan_scratch(plan, bits, row);
    struct run_op *op = status || bits > 64 ? NULL : plan_before(plan);
    if (status)
        return status;
    if (bits > 64)
        return plan_refuse(plan, "an offset to a register of more than 64 bits is not modelled");
    if (!op)
        return no_memory(plan);
    row->bits = (uint8_t)bits;
    op->guard = RUN_ALWAYS;
    op->step = plan_add_offset;
    op->at[0] = row->at;
    op->at[1] = plan->build->register_at[operand->index];
    op->bytes = (uint8_t)bits;
    op->immediate = operand->value;
    return WSIM_OK;
}

enum wsim_status plan_row_of(struct run_plan *plan, const struct ptx_operand *operand,
                             unsigned bits, struct run_row *row) {
    struct run_build *build = plan->build;
    *row = (struct run_row){0};
    switch (operand->kind) {
    case PTX_OP_NONE:
    case PTX_OP_SINK: return WSIM_OK;
    case PTX_OP_REGISTER:
        row->at = build->register_at[operand->index];
        row->bits = (uint8_t)build->source->registers[operand->index].type.bits;
        row->flip = operand->negated;
        return row->at ? WSIM_OK : no_memory(plan);
    case PLAN_GIVEN: *row = plan->given; return WSIM_OK;
    case PLAN_ROW:
        *row = (struct run_row){.at = (uint32_t)operand->value, .bits = (uint8_t)operand->index};
        return WSIM_OK;
    case PTX_OP_SUM: return sum_row(plan, operand, row);
    case PTX_OP_INTEGER:
    case PTX_OP_F32:
    case PTX_OP_F64: return plan_fixed(plan, bits ? bits : 64, number_bits(operand, bits), row);
    case PTX_OP_SPECIAL: return plan->build->planners->special(plan, operand->index, row);
    case PTX_OP_VARIABLE: return variable_row(plan, operand, bits, row);
    case PTX_OP_PARAM:
        if (!build->source->is_entry)
            return home_row(plan, operand, bits, row);
        return plan_fixed(plan, bits > 32 ? 64 : 32,
                          build->source->params[operand->index].offset + operand->value, row);
    case PTX_OP_FUNCTION:
        build->program->takes_functions = 1;
        return plan_fixed(plan, 64, run_function_address(operand->index), row);
    default: return plan_refuse(plan, "an operand of that kind is not modelled");
    }
}

enum wsim_status plan_row(struct run_plan *plan, uint32_t index, unsigned bits,
                          struct run_row *row) {
    *row = (struct run_row){0};
    return index < plan->count ? plan_row_of(plan, &plan->operands[index], bits, row) : WSIM_OK;
}

const struct ptx_operand *plan_parts(const struct run_plan *plan, uint32_t index, uint32_t *count) {
    const struct ptx_operand *operand;
    *count = 0;
    if (index >= plan->count)
        return NULL;
    operand = &plan->operands[index];
    *count = 1;
    if (operand->kind == PTX_OP_PAIR)
        return *count = 2, &plan->function->operands[operand->first];
    if (operand->kind == PTX_OP_VECTOR || operand->kind == PTX_OP_ADDRESS) {
        *count = operand->count;
        return &plan->function->operands[operand->first];
    }
    return operand;
}

enum wsim_status plan_address(struct run_plan *plan, uint32_t index, struct run_row *base,
                              uint64_t *offset) {
    uint32_t count;
    const struct ptx_operand *parts = plan_parts(plan, index, &count);
    *base = (struct run_row){0};
    *offset = 0;
    if (!count || plan->operands[index].kind != PTX_OP_ADDRESS)
        return plan_refuse(plan, "an address is missing");
    *offset = plan->operands[index].value;
    return plan_row_of(plan, parts, 64, base);
}

int plan_constant(const struct run_plan *plan, uint32_t index, uint64_t *value) {
    const struct ptx_operand *operand = index < plan->count ? &plan->operands[index] : NULL;
    if (!operand || (operand->kind != PTX_OP_INTEGER && operand->kind != PTX_OP_F32 &&
                     operand->kind != PTX_OP_F64))
        return 0;
    *value = operand->value;
    return 1;
}

void *plan_keep(struct run_plan *plan, size_t size) {
    return run_arena_get(&plan->build->module->arena, size);
}

void plan_beside(struct run_plan *plan, unsigned queue) {
    plan->build->program->queues |= (uint8_t)(1u << queue);
}

enum wsim_status plan_does(struct run_plan *plan, run_step *step) {
    plan->op->step = step;
    return WSIM_OK;
}

enum wsim_status plan_does_with(struct run_plan *plan, run_step *step, const void *more) {
    plan->op->more = more;
    return plan_does(plan, step);
}

void plan_relaxed(struct run_plan *plan) {
    plan->build->program->relaxes = 1;
}

void plan_arrives(struct run_plan *plan) {
    plan->build->program->arrives = 1;
}

void plan_fences(struct run_plan *plan) {
    plan->build->program->fences = 1;
}

void plan_flags(struct run_plan *plan) {
    plan->build->program->flags = 1;
}

void plan_copies(struct run_plan *plan, unsigned queue) {
    plan_beside(plan, queue);
    plan->build->program->copies = 1;
}

void plan_narrows(struct run_plan *plan) {
    plan->build->program->narrows = 1;
}

void plan_waits_grids(struct run_plan *plan) {
    plan->build->program->waits_grids = 1;
}

void plan_registers(struct run_plan *plan, uint64_t count) {
    struct run_program *program = plan->build->program;
    if (count > program->most_registers)
        program->most_registers = (uint16_t)count;
}

void plan_cancels(struct run_plan *plan) {
    plan->build->program->cancels = 1;
}

void plan_asks_canceled(struct run_plan *plan) {
    plan->build->program->asks_canceled = 1;
}

enum wsim_status plan_code(struct run_plan *plan, const struct wsim_op *op, uint32_t *number) {
    struct run_build *build = plan->build;
    struct run_program *program = build->program;
    for (uint32_t i = 0; i < program->n_codes; i++)
        if (program->codes[i] == op || !memcmp(program->codes[i], op, sizeof *op))
            return *number = i, WSIM_OK;
    if (program->n_codes == build->room_codes) {
        uint32_t room = build->room_codes ? 2 * build->room_codes : 16;
        const struct wsim_op **grown = plan_keep(plan, room * sizeof(struct wsim_op *));
        if (!grown)
            return no_memory(plan);
        if (program->n_codes)
            memcpy(grown, program->codes, program->n_codes * sizeof(struct wsim_op *));
        program->codes = grown;
        build->room_codes = room;
    }
    program->codes[program->n_codes] = op;
    *number = program->n_codes++;
    return WSIM_OK;
}

enum wsim_status plan_refuse(struct run_plan *plan, const char *why) {
    return base_refuse(plan->diag, RULE_LAUNCH_INSTRUCTION_UNMODELLED, 0, "%.100s: %s",
                       plan->opcode->text, why);
}
