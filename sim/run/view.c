/* A warp as the caller sees it: its place, registers, memory, and the other warps. */
#include "../state/device.h"
#include "../state/launch.h"
#include "../state/module.h"
#include "../step/steps.h"
#include "look.h"

/* --- places --- */

static const struct ptx_loc *loc_of(const struct run_program *program, uint32_t op) {
    const struct ptx_instruction *at = run_instruction_of(program, op);
    return at && at->loc ? &program->module->locs[at->loc] : NULL;
}

static const char *file_of(const struct ptx_module *ptx, const struct ptx_loc *loc) {
    return loc && loc->file < ptx->n_files ? ptx->files[loc->file] : NULL;
}

void view_place(const struct run_launch *launch, uint32_t op, struct wsim_site *place) {
    const struct run_program *program = launch->program;
    const struct ptx_module *ptx = program->module;
    const struct ptx_function *function = run_function_of(program, op)->source;
    const struct ptx_instruction *at = run_instruction_of(program, op);
    const struct ptx_loc *loc = loc_of(program, op);
    *place = (struct wsim_site){.function = function->name,
                                .opcode = at ? ptx->opcodes[at->opcode].text : "",
                                .ptx_file = run_part(ptx, function->part),
                                .ptx_line = at ? at->line : function->end_line,
                                .file = file_of(ptx, loc),
                                .line = loc ? loc->line : 0,
                                .column = loc ? loc->col : 0,
                                .id = op};
}

void view_fill(struct wsim_seen *view, const struct run_warp *warp, const struct run_frame *frame,
               const struct run_op *op, uint32_t lanes) {
    const int here = run_function_of(warp->program, run_number(warp, op)) == frame->function;
    const uint32_t holds = here ? *run_pred(frame->bytes, op->guard) ^ op->flip : 0xFFFFFFFFu;
    *view = (struct wsim_seen){.rank = warp->block->rank,
                               .warp = warp->number,
                               .lanes = lanes,
                               .active = lanes & holds,
                               .alive = warp->lanes,
                               .depth = frame->depth,
                               .inside = {warp, frame, op}};
    memcpy(view->block, warp->block->id, sizeof view->block);
    view_place(warp->worker->launch, run_number(warp, op), &view->site);
}

static const struct run_warp *warp_of(const struct wsim_seen *view) {
    return view->inside[VIEW_WARP];
}

static const struct run_frame *frame_of(const struct wsim_seen *view) {
    return view->inside[VIEW_FRAME];
}

/* NULL: an operation of no instruction, such as the return at the end of a function. */
static const struct ptx_instruction *instruction_of(const struct wsim_seen *view) {
    const struct run_warp *warp = warp_of(view);
    return run_instruction_of(warp->program, run_number(warp, view->inside[VIEW_OP]));
}

int wsim_seen_inlined(const struct wsim_seen *view, uint32_t index, const char **file,
                      uint32_t *line, const char **function) {
    const struct ptx_module *ptx = warp_of(view)->program->module;
    const struct ptx_instruction *at = instruction_of(view);
    uint32_t loc = at ? at->loc : 0;
    for (uint32_t i = 0; i < index && loc && i < ptx->n_locs; i++)
        loc = ptx->locs[loc].inlined_at;
    if (!loc || index >= ptx->n_locs || !ptx->locs[loc].inlined_at)
        return 0;
    *function = ptx->locs[loc].function;
    loc = ptx->locs[loc].inlined_at;
    *file = file_of(ptx, &ptx->locs[loc]);
    *line = ptx->locs[loc].line;
    return 1;
}

/* --- registers --- */

/* Whether a register with a shared row holds its value at the instruction of the view. */
static int is_held(const struct wsim_seen *view, const struct run_register *kept) {
    const struct run_warp *warp = warp_of(view);
    const uint32_t at = warp->program->where[run_number(warp, view->inside[VIEW_OP])];
    if (!kept->at || !kept->first)
        return kept->at != 0;
    if (at == RUN_NOWHERE)
        return 0;
    if (view->when == WSIM_LOOK_AFTER)
        return kept->first <= at + 1 && at <= kept->last;
    return kept->first <= at && at <= kept->last;
}

int wsim_seen_register(const struct wsim_seen *view, uint32_t index, struct wsim_register *out) {
    const struct run_function *function = frame_of(view)->function;
    const struct ptx_register *reg;
    if (index >= function->source->n_registers)
        return 0;
    reg = &function->source->registers[index];
    *out = (struct wsim_register){.name = reg->name,
                                  .type = reg->type.name,
                                  .bits = reg->type.bits,
                                  .held = (uint8_t)is_held(view, &function->registers[index])};
    return 1;
}

int wsim_seen_find(const struct wsim_seen *view, const char *name, uint32_t *index) {
    const struct ptx_function *source = frame_of(view)->function->source;
    for (uint32_t i = 0; i < source->n_registers; i++)
        if (strcmp(source->registers[i].name, name) == 0) {
            *index = i;
            return 1;
        }
    return 0;
}

int wsim_seen_values(const struct wsim_seen *view, uint32_t index, uint64_t values[32],
                     uint64_t high[32]) {
    const struct run_frame *frame = frame_of(view);
    const struct run_function *function = frame->function;
    int held = index < function->source->n_registers && is_held(view, &function->registers[index]);
    struct run_row row = {0};
    if (held)
        row = (struct run_row){.at = function->registers[index].at,
                               .bits = (uint8_t)function->source->registers[index].type.bits};
    for (unsigned lane = 0; lane < RUN_LANES; lane++) {
        values[lane] = run_get(frame->bytes, row, lane);
        if (high)
            high[lane] = run_get_high(frame->bytes, row, lane);
    }
    return held;
}

/* CUDA C++ has names of its own: threadIdx.x is %tid.x. */
static int is_named(const char *special, const char *name) {
    static const struct {
        const char *cuda, *ptx;
    } names[] = {{"%threadIdx.", "%tid."},
                 {"%blockIdx.", "%ctaid."},
                 {"%blockDim.", "%ntid."},
                 {"%gridDim.", "%nctaid."}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const size_t cuda = strlen(names[i].cuda), ptx = strlen(names[i].ptx);
        if (strncmp(name, names[i].cuda, cuda) == 0)
            return strncmp(special, names[i].ptx, ptx) == 0 &&
                   strcmp(special + ptx, name + cuda) == 0;
    }
    return strcmp(special, name) == 0;
}

int wsim_seen_special(const struct wsim_seen *view, const char *name, uint64_t values[32]) {
    for (uint32_t i = 0; i < PTX_SPECIALS; i++)
        if (is_named(ptx_special_name(i), name)) {
            special_values(warp_of(view), i, values);
            return 1;
        }
    return 0;
}

/* --- uses --- */

/* A walk over the registers of an instruction: stops at number `left`. */
struct walk {
    const struct ptx_function *source;
    struct wsim_use *out;
    uint32_t left;
    int found;
};

static void pass(struct walk *walk, uint32_t reg, unsigned operand, uint32_t element, int address,
                 int writes) {
    if (!walk->found && !walk->left--) {
        *walk->out = (struct wsim_use){.reg = reg,
                                       .operand = (uint8_t)operand,
                                       .address = (uint8_t)address,
                                       .writes = (uint8_t)writes,
                                       .element = (uint16_t)element};
        walk->found = 1;
    }
}

static void pass_parts(struct walk *walk, const struct ptx_operand *operand, unsigned number,
                       int writes) {
    const int address = operand->kind == PTX_OP_ADDRESS;
    for (uint32_t i = 0; i < operand->count && !walk->found; i++) {
        const struct ptx_operand *part = &walk->source->operands[operand->first + i];
        if (part->kind == PTX_OP_REGISTER || part->kind == PTX_OP_SUM)
            pass(walk, part->index, number, i, address, writes && !address);
        else if (part->kind == PTX_OP_VECTOR) /* coordinates in brackets */
            for (uint32_t k = 0; k < part->count; k++)
                if (walk->source->operands[part->first + k].kind == PTX_OP_REGISTER)
                    pass(walk, walk->source->operands[part->first + k].index, number, i + k, 1, 0);
    }
}

/* The number of results among the leading operands: in a matrix instruction a first list. */
static uint32_t results_of(const struct run_launch *launch, const struct ptx_function *source,
                           const struct ptx_instruction *at) {
    const struct ptx_opcode *opcode = &launch->module->ptx.opcodes[at->opcode];
    const struct wsim_scalar_info *info = &launch->module->infos[at->opcode];
    uint32_t results = 0, n = 0;
    if (!at->count)
        return 0;
    if (opcode->kind != PTX_SCALAR ||
        launch->module->meanings[at->opcode].method == SCALAR_METHOD_CALL)
        return source->operands[at->first].kind == PTX_OP_VECTOR ||
               (opcode->kind == PTX_MATRIX && source->operands[at->first].kind == PTX_OP_REGISTER);
    for (uint32_t i = 0; i < info->operands; i++) {
        n += !info->operand[i].pair;
        if (info->operand[i].result)
            results = n;
    }
    return results;
}

int wsim_seen_use(const struct wsim_seen *view, uint32_t index, struct wsim_use *out) {
    const struct run_warp *warp = warp_of(view);
    const struct ptx_instruction *at = instruction_of(view);
    struct walk walk = {.source = frame_of(view)->function->source, .out = out, .left = index};
    const uint32_t results = at ? results_of(warp->worker->launch, walk.source, at) : 0;
    if (at && at->guard != PTX_NO_GUARD)
        pass(&walk, at->guard, WSIM_USE_GUARD, 0, 0, 0);
    for (uint32_t i = 0; at && i < at->count; i++) {
        const struct ptx_operand *operand = &walk.source->operands[at->first + i];
        switch (operand->kind) {
        case PTX_OP_REGISTER:
        case PTX_OP_SUM: pass(&walk, operand->index, i, 0, 0, i < results); break;
        case PTX_OP_ADDRESS:
        case PTX_OP_VECTOR:
        case PTX_OP_PAIR: pass_parts(&walk, operand, i, i < results); break;
        default: break;
        }
    }
    return walk.found;
}

int wsim_seen_constant(const struct wsim_seen *view, unsigned operand, uint64_t *value) {
    const struct ptx_instruction *at = instruction_of(view);
    const struct ptx_operand *operands = frame_of(view)->function->source->operands;
    if (!at || operand >= at->count || operands[at->first + operand].kind != PTX_OP_INTEGER)
        return 0;
    *value = operands[at->first + operand].value;
    return 1;
}

/* --- memory --- */

static const struct run_placed *find_placed(const struct run_program *program, uint32_t variable) {
    for (uint32_t i = 0; i < program->n_placed; i++)
        if (program->placed[i].variable == variable)
            return &program->placed[i];
    return NULL;
}

/* The address of a variable of the module. 0: the program does not place it. */
static int locate(const struct wsim_seen *view, uint32_t index, struct wsim_variable *out) {
    const struct run_warp *warp = warp_of(view);
    const struct run_launch *launch = warp->worker->launch;
    const struct run_frame *frame = frame_of(view);
    const struct ptx_variable *variable = &launch->module->ptx.variables[index];
    const struct run_placed *placed = find_placed(warp->program, index);
    const struct wsim_memory *shared = &warp->block->shared;
    out->bytes = variable->bytes;
    switch (variable->space) {
    case PTX_SHARED:
        out->space = WSIM_SHARED;
        if (!placed)
            return 0;
        out->address = shared->base + placed->at;
        if (variable->open)
            out->bytes = placed->at < shared->size ? shared->size - placed->at : 0;
        return 1;
    case PTX_LOCAL:
        out->space = WSIM_LOCAL;
        if (!placed || variable->function != (int32_t)frame->function->index)
            return 0;
        out->address = frame->local + placed->at;
        return 1;
    case PTX_GLOBAL:
    case PTX_CONST:
        out->space = variable->space == PTX_GLOBAL ? WSIM_GLOBAL : WSIM_CONST;
        if (!run_has_memory(variable))
            return 0;
        out->address = launch->attached->symbols[index];
        return 1;
    default: return 0;
    }
}

int wsim_seen_variable(const struct wsim_seen *view, uint32_t *cursor, struct wsim_variable *out) {
    const struct ptx_module *ptx = &warp_of(view)->worker->launch->module->ptx;
    for (; *cursor < ptx->n_variables; ++*cursor) {
        const struct ptx_variable *variable = &ptx->variables[*cursor];
        *out = (struct wsim_variable){.name = variable->name,
                                      .type = variable->type.name,
                                      .bits = variable->type.bits,
                                      .align = variable->align};
        if (locate(view, *cursor, out)) {
            ++*cursor;
            return 1;
        }
    }
    return 0;
}

const char *wsim_seen_name(const struct wsim_seen *view, uint64_t address, uint64_t *inside) {
    const struct run_launch *launch = warp_of(view)->worker->launch;
    const struct run_buffer *buffer = run_buffer_of(launch->device, address, 1);
    struct wsim_variable variable;
    if (buffer)
        *inside = address - buffer->base;
    if (buffer || address >> 56 != RUN_SHARED_WINDOW >> 56)
        return buffer ? buffer->name : NULL;
    for (uint32_t cursor = 0; wsim_seen_variable(view, &cursor, &variable);) {
        *inside = (address & UINT32_MAX) - variable.address;
        if (variable.space == WSIM_SHARED && *inside < variable.bytes)
            return variable.name;
    }
    return NULL;
}

static int window_of(const struct run_warp *warp, enum wsim_space space, unsigned lane,
                     uint64_t *address, uint64_t size, struct wsim_memory *memory) {
    static const uint8_t spaces[] = {[WSIM_SHARED] = PTX_SHARED,
                                     [WSIM_GLOBAL] = PTX_GLOBAL,
                                     [WSIM_CONST] = PTX_CONST,
                                     [WSIM_PARAM] = PTX_PARAM,
                                     [WSIM_SPACES] = PTX_GENERIC};
    if (space == WSIM_SPACES && *address >> 56 == RUN_LOCAL_WINDOW >> 56)
        space = WSIM_LOCAL;
    if (space == WSIM_SPACES && *address >> 56) {
        if (!run_window((struct run_warp *)(uintptr_t)warp, PTX_GENERIC, *address, size, memory))
            return 0;
        *address &= 0xFFFFFFFFu;
        return 1;
    }
    if (space == WSIM_TENSOR)
        return 0;
    if (space == WSIM_LOCAL) {
        if (!warp->local)
            return 0;
        *address &= 0xFFFFFFFFu;
        *memory = wsim_memory_over(WSIM_LOCAL, warp->local + (size_t)lane * warp->local_stride,
                                   warp->local_used, 0);
        return 1;
    }
    return run_window((struct run_warp *)(uintptr_t)warp, spaces[space], *address, size, memory);
}

enum wsim_status wsim_seen_read(const struct wsim_seen *view, enum wsim_space space, unsigned lane,
                                uint64_t address, void *bytes, uint64_t size,
                                struct wsim_diag *diag) {
    const uint64_t asked = address;
    struct wsim_memory memory;
    if (!size)
        return WSIM_OK;
    if (lane >= RUN_LANES || space > WSIM_SPACES ||
        !window_of(warp_of(view), space, lane, &address, size, &memory) || address < memory.base ||
        size > memory.size || address - memory.base > memory.size - size)
        return base_refuse(diag, RULE_MEMORY_BOUNDS, 0, "no memory holds %llu bytes at 0x%llx",
                           (unsigned long long)size, (unsigned long long)asked);
    memcpy(bytes, memory.bytes + (address - memory.base), (size_t)size);
    return WSIM_OK;
}

/* --- other places --- */

int wsim_seen_caller(const struct wsim_seen *view, unsigned lane, struct wsim_seen *out) {
    const struct run_warp *warp = warp_of(view);
    const struct run_frame *frame = frame_of(view);
    const struct run_level *level;
    const struct run_frame *caller;
    uint32_t call, lanes = 0;
    if (lane >= RUN_LANES || !frame->depth || !(view->lanes >> lane & 1))
        return 0;
    level = &warp->levels[frame->depth];
    caller = level->caller[lane];
    call = level->call[lane];
    for (uint32_t rest = view->lanes; rest; rest &= rest - 1)
        if (level->caller[run_lowest(rest)] == caller && level->call[run_lowest(rest)] == call)
            lanes |= rest & (0u - rest);
    view_fill(out, warp, caller, &warp->program->ops[call], lanes);
    return 1;
}

static void fill_group(struct wsim_seen *out, const struct run_warp *warp, uint32_t index) {
    const struct run_group *group = &warp->groups[index];
    view_fill(out, warp, group->frame, &warp->program->ops[group->at], group->lanes);
    out->waits = group->state == RUN_WAITING;
    out->inside[VIEW_GROUP] = group;
}

int wsim_seen_next(const struct wsim_seen *view, struct wsim_seen *out) {
    const struct run_worker *worker = warp_of(view)->worker;
    const struct run_warp *warp = out->inside[VIEW_WARP];
    const struct run_group *group = out->inside[VIEW_GROUP];
    const struct run_unit *unit = warp ? warp->block->unit : worker->live;
    uint32_t block = warp ? warp->block->rank : 0, number = warp ? warp->number : 0;
    uint32_t index = group ? (uint32_t)(group - warp->groups) + 1 : 0;
    for (; unit; unit = unit->next, block = 0)
        for (; block < unit->n_blocks; block++, number = 0)
            for (; number < unit->blocks[block].n_warps; number++, index = 0) {
                const struct run_warp *at = &unit->blocks[block].warps[number];
                for (; at->lanes && index < at->n_groups; index++)
                    if (at->groups[index].lanes) {
                        fill_group(out, at, index);
                        return 1;
                    }
            }
    return 0;
}
