/* Loops that wait for a value.
 *
 * A block that polls a word may read it long after the value that ends its loop was written. By
 * then others may have gone on, and may have written the word again. On a GPU the block may read
 * the first value that ends its loop, and then it has acquired no later release. A loop is known
 * here if it is one basic block with a load and computations. The computations are repeated for
 * earlier values of the word. Registers that such a loop writes are not read behind it, so the rest
 * of the kernel does not depend on the value. */
#include "polls.h"
#include "passes.h"
#include "../decode/uses.h"

#include "../isa/isa.h"

/* A computation of the lane itself, without a guard. */
static int is_computed(const struct run_build *build, uint32_t index) {
    const struct scalar_meaning *meaning = build_meaning(build, index);
    return meaning && meaning->kind == SCALAR_COMPUTES &&
           build->source->code[index].guard == PTX_NO_GUARD;
}

static int is_asking(const struct run_build *build, uint32_t index) {
    const struct ptx_instruction *at = &build->source->code[index];
    const struct scalar_meaning *meaning = build_meaning(build, index);
    return meaning && meaning->method == SCALAR_METHOD_LD && meaning->order > SCALAR_WEAK &&
           (meaning->space == SCALAR_GLOBAL || meaning->space == SCALAR_GENERIC) &&
           !meaning->vector && at->guard == PTX_NO_GUARD &&
           build->source->operands[at->first].kind == PTX_OP_REGISTER;
}

/* The load of the loop `first` to `jump`; `jump`: it is another loop. */
static uint32_t load_of(const struct run_build *build, uint32_t first, uint32_t jump) {
    uint32_t load = jump;
    for (uint32_t i = first; i < jump; i++) {
        if (is_computed(build, i))
            continue;
        if (load != jump || !is_asking(build, i))
            return jump;
        load = i;
    }
    return load;
}

/* How an instruction uses a register. */
static unsigned use_of(const struct run_uses *uses, uint32_t index, uint32_t reg) {
    for (uint32_t u = uses->first[index]; u < uses->first[index + 1]; u++)
        if (uses->reg[u] == reg)
            return uses->what[u];
    return 0;
}

/* Whether the loop may be computed again. No instruction elsewhere reads a register that it writes.
 * Each one that it writes after its load is written there before it is read. */
static int keeps_nothing(const struct run_build *build, uint32_t first, uint32_t load,
                         uint32_t jump) {
    const struct run_uses *uses = &build->uses;
    for (uint32_t i = first; i < jump; i++)
        for (uint32_t u = uses->first[i]; u < uses->first[i + 1]; u++) {
            if (!(uses->what[u] & USES_WRITE))
                continue;
            for (uint32_t k = i > load ? load : i; k <= i && i > load; k++)
                if (use_of(uses, k, uses->reg[u]) & USES_READ)
                    return 0;
            for (uint32_t k = 0; k < build->source->n_code; k++)
                if ((k < first || k > jump) && use_of(uses, k, uses->reg[u]) & USES_READ)
                    return 0;
        }
    return 1;
}

static uint32_t op_of(const struct run_build *build, uint32_t index) {
    uint32_t op = build->op_of[index];
    while (op < build->n_ops && build->where[op] != index)
        op++;
    return op;
}

static int add_loop(struct run_build *build, uint32_t load, uint32_t jump) {
    const struct ptx_operand *to = &build->source->operands[build->source->code[load].first];
    const struct scalar_meaning *meaning = build_meaning(build, load);
    const unsigned bits = build->source->registers[to->index].type.bits;
    struct run_poll *poll;
    if ((bits != 32 && bits != 64) || isa_scalar_types[meaning->type[0]].bits != bits)
        return 1;
    poll = run_arena_get(&build->module->arena, sizeof *poll);
    if (!poll)
        return 0;
    *poll = (struct run_poll){op_of(build, load),
                              op_of(build, jump),
                              {.at = build->register_at[to->index], .bits = (uint8_t)bits},
                              build->program->polls};
    build->program->polls = poll;
    return 1;
}

int polls_plan(struct run_build *build) {
    const struct ptx_function *source = build->source;
    for (uint32_t jump = 0; jump < source->n_code; jump++) {
        const struct scalar_meaning *meaning = build_meaning(build, jump);
        const struct ptx_operand *to = &source->operands[source->code[jump].first];
        uint32_t first, load;
        if (!meaning || meaning->method != SCALAR_METHOD_BRA ||
            source->code[jump].guard == PTX_NO_GUARD || source->code[jump].count != 1 ||
            to->kind != PTX_OP_LABEL || to->index >= jump)
            continue;
        first = to->index;
        load = load_of(build, first, jump);
        if (load != jump && keeps_nothing(build, first, load, jump) && !add_loop(build, load, jump))
            return 0;
    }
    return 1;
}

const struct run_poll *polls_of(const struct run_program *program, uint32_t load) {
    const struct run_poll *poll = program->polls;
    while (poll && poll->load != load)
        poll = poll->next;
    return poll;
}

int polls_ends(const struct run_poll *poll, struct run_warp *warp, unsigned lane, uint64_t value) {
    const struct run_op *ops = warp->program->ops, *jump = &ops[poll->jump];
    uint8_t *frame = warp->group->frame->bytes;
    run_put(frame, poll->row, lane, value);
    for (const struct run_op *op = &ops[poll->load + 1]; op < jump; op++)
        if (op->step(frame, op, UINT32_C(1) << lane, warp) != RUN_ON)
            return 0;
    return !((*run_pred(frame, jump->guard) ^ jump->flip) >> lane & 1);
}
