/* Registers of products in flight.
 *
 * PTX requires a wgmma.fence before the first product. It also requires one between an access of a
 * register and a product with that register in its accumulator or in A. Products in a row may share
 * an accumulator without one. From the product to the wait for its group, no instruction may read
 * or write the accumulator, nor write A. */
#include "products.h"
#include "actors.h"
#include "../sync/lanes.h"
#include "../decode/uses.h"

#include <stdlib.h>

#define NEVER_FENCED 0xFFFFFFFFu

/* --- planned --- */

static int is_product(const struct run_build *build, uint32_t index) {
    const struct ptx_opcode *opcode = &build->ptx->opcodes[build->source->code[index].opcode];
    return opcode->kind == PTX_MATRIX && isa_form(&opcode->op)->family == WSIM_WGMMA;
}

/* The two registers of a move, whatever its guard; 0: it is none. */
static int is_move(const struct run_build *build, uint32_t index, uint32_t regs[2]) {
    const struct ptx_instruction *at = &build->source->code[index];
    const struct ptx_operand *operands = &build->source->operands[at->first];
    const struct scalar_meaning *meaning = build_meaning(build, index);
    if (!meaning || meaning->method != SCALAR_METHOD_MOVE || at->count != 2 ||
        operands[0].kind != PTX_OP_REGISTER || operands[1].kind != PTX_OP_REGISTER)
        return 0;
    regs[0] = operands[0].index;
    regs[1] = operands[1].index;
    return 1;
}

/* A register gets a constant. Compilers put that before or after a fence, and the assembler has it
 * there in time. */
static int is_constant(const struct run_build *build, uint32_t index) {
    const struct ptx_instruction *at = &build->source->code[index];
    const struct scalar_meaning *meaning = build_meaning(build, index);
    const struct ptx_operand *from = &build->source->operands[at->first + 1];
    return meaning && meaning->method == SCALAR_METHOD_MOVE && at->count == 2 &&
           from->kind != PTX_OP_REGISTER && from->kind != PTX_OP_VECTOR;
}

/* 1: accumulator, 2: A; 0: neither. */
static unsigned role_of(const struct run_build *build, uint32_t index, uint32_t reg) {
    const struct ptx_instruction *at = &build->source->code[index];
    for (unsigned i = 0; i < 2 && i < at->count; i++) {
        const struct ptx_operand *operand = &build->source->operands[at->first + i];
        const struct ptx_operand *parts = &build->source->operands[operand->first];
        for (uint32_t p = 0; operand->kind == PTX_OP_VECTOR && p < operand->count; p++)
            if (parts[p].kind == PTX_OP_REGISTER && parts[p].index == reg)
                return i + 1;
    }
    return 0;
}

/* Numbers the registers of products, and the registers that they are moved from and to: + 1, 0:
 * none. Returns their count. */
static uint32_t number_registers(struct run_build *build, uint32_t *numbers) {
    const struct run_uses *uses = &build->uses;
    uint32_t n = 0, before, regs[2];
    for (uint32_t i = 0; i < build->source->n_code; i++)
        for (uint32_t u = uses->first[i]; is_product(build, i) && u < uses->first[i + 1]; u++)
            if (!numbers[uses->reg[u]] && role_of(build, i, uses->reg[u]))
                numbers[uses->reg[u]] = ++n;
    do {
        before = n;
        for (uint32_t i = 0; n && i < build->source->n_code; i++)
            if (is_move(build, i, regs) && !numbers[regs[0]] != !numbers[regs[1]])
                numbers[regs[numbers[regs[0]] ? 1 : 0]] = ++n;
    } while (n != before);
    return n;
}

/* The operation that executes the instruction; others may precede it. */
static struct run_op *op_of(struct run_build *build, uint32_t index) {
    for (uint32_t op = build->op_of[index]; op < build->n_ops; op++)
        if (build->where[op] == index)
            return &build->ops[op];
    return NULL;
}

static enum run_next look_and_do(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                 struct run_warp *warp);

static int watch(struct run_build *build, uint32_t index, const uint32_t *numbers, uint32_t base) {
    const struct run_uses *uses = &build->uses;
    const int product = is_product(build, index);
    struct run_op *op = op_of(build, index);
    struct run_watch *watch;
    uint32_t n = 0, regs[2];
    for (uint32_t u = uses->first[index]; u < uses->first[index + 1]; u++)
        n += numbers[uses->reg[u]] != 0;
    /* Collectives report by their steps; other instructions computed the values. */
    if (!n || !op || !op->step || op->step == sync_gather)
        return 1;
    watch = run_arena_get(&build->module->arena, sizeof *watch + n * sizeof *watch->regs);
    if (!watch)
        return 0;
    for (uint32_t u = uses->first[index]; u < uses->first[index + 1]; u++)
        if (numbers[uses->reg[u]])
            watch->regs[watch->n++] = (struct run_watched){
                base + numbers[uses->reg[u]] - 1, uses->reg[u],
                product ? (uint8_t)role_of(build, index, uses->reg[u]) : uses->what[u]};
    if (!product && is_move(build, index, regs) && n == 2 && regs[0] != regs[1]) {
        watch->moves = 1;
        if (watch->regs[0].reg != regs[0]) {
            const struct run_watched first = watch->regs[0];
            watch->regs[0] = watch->regs[1];
            watch->regs[1] = first;
        }
    }
    watch->constant = (uint8_t)(!product && is_constant(build, index));
    watch->op = (uint32_t)(op - build->ops);
    watch->step = product ? NULL : op->step;
    watch->next = build->watches;
    build->watches = watch;
    if (!product)
        op->step = look_and_do;
    return 1;
}

int products_plan(struct run_build *build) {
    const struct ptx_function *source = build->source;
    uint32_t *numbers, n;
    int good = 1;
    if (!(build->program->queues >> SYNC_WGMMA & 1))
        return 1;
    numbers = calloc(source->n_registers + 1u, sizeof *numbers);
    if (!numbers)
        return 0;
    n = number_registers(build, numbers);
    for (uint32_t i = 0; n && good && i < source->n_code; i++)
        good = watch(build, i, numbers, build->program->n_watched);
    build->program->n_watched += n;
    free(numbers);
    return good;
}

int products_end(struct run_build *build) {
    struct run_program *program = build->program;
    if (!build->watches)
        return 1;
    program->watches =
        run_arena_get(&build->module->arena, (program->n_ops + 1u) * sizeof *program->watches);
    for (struct run_watch *watch = build->watches; program->watches && watch; watch = watch->next)
        program->watches[watch->op] = watch;
    return program->watches != NULL;
}

/* --- while it runs --- */

/* The state of one register of a warp. */
struct product_state {
    uint32_t access;  /* 1 + operation that accessed it since the last fence; 0: none      */
    uint32_t group;   /* 1 + that of the last product that has it; 0: none                 */
    uint32_t product; /* its operation                                                     */
    uint8_t role;     /* in it                                                             */
};

static size_t count_states(const struct run_unit *unit) {
    return (size_t)unit->n_blocks * unit->blocks[0].n_warps *
           unit->worker->launch->program->n_watched;
}

/* [warp][register]; NULL: the kernel has no registers of products. */
static int make_unit(struct run_unit *unit) {
    const size_t n = count_states(unit);
    unit->heard[LISTENER_PRODUCTS] = n ? calloc(n, sizeof(struct product_state)) : NULL;
    return !n || unit->heard[LISTENER_PRODUCTS];
}

static void free_unit(struct run_unit *unit) {
    free(unit->heard[LISTENER_PRODUCTS]);
}

static void begin_unit(struct run_unit *unit) {
    struct product_state *states = unit->heard[LISTENER_PRODUCTS];
    for (size_t i = 0; states && i < count_states(unit); i++)
        states[i] = (struct product_state){.access = NEVER_FENCED};
}

static struct product_state *states_of(const struct run_warp *warp) {
    struct product_state *states = warp->block->unit->heard[LISTENER_PRODUCTS];
    return states ? states + (size_t)race_warp(warp) * warp->program->n_watched : NULL;
}

static const char *name_of(const struct run_warp *warp, const struct run_op *op, uint32_t reg) {
    return run_function_of(warp->program, run_number(warp, op))->source->registers[reg].name;
}

static struct run_subject subject_of(const struct run_warp *warp, const struct run_op *op,
                                     uint32_t reg, uint8_t waits) {
    const uint64_t function = run_function_of(warp->program, run_number(warp, op))->index;
    return (struct run_subject){.kind = RUN_REGISTER, .at = function << 32 | reg, .waits = waits};
}

static void hear_fence(struct run_warp *warp) {
    struct product_state *states = states_of(warp);
    for (uint32_t i = 0; states && i < warp->program->n_watched; i++)
        states[i].access = 0;
}

/* A product that has the register may still be at work. */
static int is_pending(const struct run_warp *warp, const struct product_state *state) {
    return state->group > sync_warp_of(warp)->groups[SYNC_WGMMA].waited[0];
}

static void tell_pending(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                         const struct product_state *state, uint32_t reg, const char *what) {
    const struct run_subject subject = subject_of(warp, op, reg, 1 + SYNC_WGMMA);
    run_finding_of(warp, op, run_lowest(lanes), &warp->program->ops[state->product],
                   RULE_WGMMA_WAIT_MISSING, &subject,
                   "register %.40s is %s while a wgmma that has it in %s may still be pending: "
                   "wgmma.wait_group 0 is missing between the two",
                   name_of(warp, op, reg), what, state->role == 1 ? "its accumulator" : "A");
}

static void tell_unfenced(struct run_warp *warp, const struct run_op *op,
                          const struct product_state *state, uint32_t reg) {
    const char *name = name_of(warp, op, reg);
    const struct run_subject subject = subject_of(warp, op, reg, 0);
    if (state->access == NEVER_FENCED)
        run_finding_of(warp, op, RUN_LANES, NULL, RULE_WGMMA_FENCE_MISSING, &subject,
                       "the first wgmma of the warp has register %.40s: wgmma.fence is missing in "
                       "front of it",
                       name);
    else
        run_finding_of(warp, op, RUN_LANES, &warp->program->ops[state->access - 1],
                       RULE_WGMMA_FENCE_MISSING, &subject,
                       "the wgmma has register %.40s, which the warp has accessed: wgmma.fence is "
                       "missing between the two",
                       name);
}

static void hear_product(struct run_warp *warp, const struct run_op *op) {
    struct product_state *states = states_of(warp);
    const struct run_watch *watch = states ? warp->program->watches[run_number(warp, op)] : NULL;
    int told = 0;
    for (uint32_t i = 0; watch && i < watch->n; i++) {
        const struct run_watched *reg = &watch->regs[i];
        struct product_state *state = &states[reg->number];
        if (state->access && !told++)
            tell_unfenced(warp, op, state, reg->reg);
        if (reg->what == 2 && state->role == 1 && is_pending(warp, state) && !told++)
            tell_pending(warp, op, warp->born, state, reg->reg, "A");
    }
    for (uint32_t i = 0; watch && i < watch->n; i++)
        states[watch->regs[i].number] =
            (struct product_state){.group = sync_warp_of(warp)->groups[SYNC_WGMMA].committed[0] + 1,
                                   .product = run_number(warp, op),
                                   .role = watch->regs[i].what};
}

static void look(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                 const struct run_watch *watch, struct product_state *states) {
    int told = 0;
    for (uint32_t i = 0; i < watch->n; i++) {
        const struct run_watched *reg = &watch->regs[i];
        struct product_state *state = &states[reg->number];
        const int writes = (reg->what & USES_WRITE) != 0;
        if (state->group && (state->role == 1 || writes) && is_pending(warp, state) && !told++)
            tell_pending(warp, op, lanes, state, reg->reg, writes ? "written" : "read");
        if (!watch->constant)
            state->access = run_number(warp, op) + 1;
    }
}

static enum run_next look_and_do(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                 struct run_warp *warp) {
    const struct run_watch *watch = warp->program->watches[run_number(warp, op)];
    struct product_state *states = states_of(warp);
    if (states && lanes && watch->moves)
        states[watch->regs[0].number] = states[watch->regs[1].number];
    else if (states && lanes)
        look(warp, op, lanes, watch, states);
    return watch->step(frame, op, lanes, warp);
}

static void hear_order_of(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                          enum run_order_kind kind, const void *what) {
    (void)lanes, (void)what;
    if (kind == RUN_ORDER_REGISTERS)
        hear_fence(warp);
    else
        hear_product(warp, op);
}

const struct run_hears products_hears = {.unit_make = make_unit,
                                         .unit_free = free_unit,
                                         .unit_begin = begin_unit,
                                         .order = hear_order_of};
