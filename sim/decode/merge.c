/* Which accesses the assembler may join, and which instructions it moves none of them over. The
 * experiments are in lab/merge/README.md. */
#include "merge.h"

#include "../isa/isa.h"
#include "../isa/scalar.h"
#include "live.h"
#include "merge_machine.h"
#include "merge_open.h"
#include "uses.h"

#include <stdlib.h>
#include <string.h>

enum { BRANCHED = 4 };

/* A load, as long as nothing stops later ones from moving to it. */
struct branched {
    struct linear of;
    uint32_t where; /* + 1; 0: none */
};

struct walk {
    struct run_build *build;
    struct merge_open open;
    uint8_t *live;     /* of each register */
    uint8_t *extended; /* of each register */
    uint32_t block;    /* its first instruction */
    struct branched branched[BRANCHED];
    unsigned n_branched;
};

static int is_access(const struct scalar_meaning *meaning) {
    return meaning &&
           (meaning->method == SCALAR_METHOD_LD || meaning->method == SCALAR_METHOD_ST) &&
           meaning->space == SCALAR_SHARED;
}

static int is_weak(const struct scalar_meaning *meaning) {
    return meaning->order == SCALAR_NO_ORDER || meaning->order == SCALAR_WEAK;
}

static int is_plain(const struct run_build *build, uint32_t at,
                    const struct scalar_meaning *meaning) {
    const struct ptx_instruction *instruction = &build->source->code[at];
    return is_access(meaning) && is_weak(meaning) && instruction->guard == PTX_NO_GUARD &&
           meaning->types == 1 && instruction->count == 2 &&
           (meaning->window == SCALAR_NO_WINDOW || meaning->window == SCALAR_WINDOW_CTA);
}

/* Whether something needs one of the registers `first` to `first + n - 1` of a load. */
static int is_needed(const struct walk *walk, const struct ptx_operand *to, unsigned first,
                     unsigned n) {
    const struct ptx_operand *parts = &walk->build->source->operands[to->first];
    for (unsigned i = first; i < first + n; i++) {
        const struct ptx_operand *part = to->kind == PTX_OP_VECTOR ? &parts[i] : to;
        if (part->kind == PTX_OP_REGISTER ? walk->live[part->index] : part->kind != PTX_OP_SINK)
            return 1;
    }
    return 0;
}

/* An instruction whose machine code takes either half of a register as an operand of 16 bits. */
static int takes_halves(const struct scalar_meaning *meaning) {
    const struct isa_scalar_type *to, *from;
    if (!meaning || meaning->method == SCALAR_METHOD_ST ||
        meaning->method == SCALAR_METHOD_MOVE_LIST || meaning->method == SCALAR_METHOD_MOVE)
        return 1;
    to = &isa_scalar_types[meaning->type[0]];
    from = &isa_scalar_types[meaning->type[1]];
    if (meaning->method == SCALAR_METHOD_CVT)
        return meaning->type[1] == SCALAR_TYPE_F16 || (to->letter == 'f' && from->letter != 'f');
    return to->letter == 'f';
}

/* Registers of 16 bits that some instruction wants extended to 32: loads of them never join. */
static uint8_t *find_extended(const struct run_build *build) {
    const struct run_uses *uses = &build->uses;
    uint8_t *extended = calloc(build->source->n_registers + 1u, 1);
    for (uint32_t i = 0; i < build->source->n_code && extended; i++) {
        if (takes_halves(build_meaning(build, i)))
            continue;
        for (uint32_t u = uses->first[i]; u < uses->first[i + 1]; u++)
            extended[uses->reg[u]] |= uses->what[u] & USES_READ;
    }
    return extended;
}

static int joins_halves(const struct walk *walk, const struct ptx_operand *to) {
    return to->kind == PTX_OP_REGISTER && !walk->extended[to->index] &&
           walk->build->source->registers[to->index].type.bits == 16;
}

/* Elements of 8 and 16 bits in a vector are packed to words. */
static void find_units(const struct walk *walk, const struct scalar_meaning *meaning,
                       const struct ptx_operand *registers, struct merge_access *access) {
    const struct isa_scalar_type *type = &isa_scalar_types[meaning->type[0]];
    const unsigned element = type->bits / 8, elements = meaning->vector ? meaning->vector : 1;
    unsigned unit = element;
    while (unit < 4 && unit * 2 <= element * elements)
        unit *= 2;
    access->key.bytes = (uint8_t)unit;
    access->key.kind = (uint8_t)(unit < 4 && type->letter == 's');
    access->key.joins =
        unit >= 4 || (unit == 2 && element == 2 &&
                      (meaning->method == SCALAR_METHOD_ST || joins_halves(walk, registers)));
    access->n = (uint8_t)(element * elements / unit);
    for (unsigned i = 0; i < access->n; i++)
        if (is_needed(walk, registers, i * unit / element, unit / element))
            access->live |= (uint8_t)(1u << i);
}

static int end_joins(struct walk *walk) {
    walk->open.last.instruction = 0;
    return merge_end_loads(&walk->open) & merge_end_stores(&walk->open);
}

static int end_all(struct walk *walk) {
    memset(walk->branched, 0, sizeof walk->branched);
    return end_joins(walk);
}

/* The address of an access. 1, 0: it is no sum, -1: no memory. */
static int address_of(struct walk *walk, uint32_t at, struct linear *out) {
    const struct run_build *build = walk->build;
    const struct ptx_operand *operands = &build->source->operands[build->source->code[at].first];
    const struct ptx_operand *address =
        &operands[build_meaning(build, at)->method != SCALAR_METHOD_ST];
    if (address->kind != PTX_OP_ADDRESS || address->count != 1)
        return 0;
    const int found = linear_of(walk->open.sums, &build->source->operands[address->first], at, out);
    out->constant += (uint32_t)address->value;
    return found;
}

/* A load that is guarded, or in another block than a neighbour before it, stays as written. If the
 * assembler makes guards of the branches between, it may join the two: the report says so. `where`
 * is the block, or the guarded access itself. 0: no memory. */
static int hear_branched(struct walk *walk, uint32_t at, uint32_t where) {
    struct branched *load = &walk->branched[walk->n_branched++ % BRANCHED];
    struct linear sum;
    const int found = address_of(walk, at, &sum);
    for (unsigned i = 0; found > 0 && i < BRANCHED; i++) {
        const struct branched *other = &walk->branched[i];
        const int32_t distance = (int32_t)(sum.constant - other->of.constant);
        if (other->where && other->where != where + 1 && linear_same_terms(&sum, &other->of) &&
            distance && distance > -MERGE_WIDE && distance < MERGE_WIDE)
            walk->build->program->unrolls |= RUN_MERGES_GUARDED;
    }
    *load = (struct branched){sum, found > 0 ? where + 1 : 0};
    return found >= 0;
}

static int hear_plain(struct walk *walk, uint32_t at, const struct scalar_meaning *meaning) {
    const struct run_build *build = walk->build;
    const int stores = meaning->method == SCALAR_METHOD_ST;
    const struct ptx_operand *operands = &build->source->operands[build->source->code[at].first];
    const struct ptx_operand *address = &operands[!stores];
    struct merge_access access = {.instruction = at};
    int known;
    if (address->kind != PTX_OP_ADDRESS || address->count != 1)
        return end_all(walk);
    known =
        linear_of(walk->open.sums, &build->source->operands[address->first], at, &access.key.of);
    if (known <= 0)
        return known == 0 && end_all(walk);
    access.key.of.constant += (uint32_t)address->value;
    find_units(walk, meaning, &operands[stores], &access);
    if (!stores)
        return merge_end_stores(&walk->open) && hear_branched(walk, at, walk->block) &&
               merge_load(&walk->open, &access);
    access.key.kind = access.key.bytes;
    access.key.bytes = (uint8_t)(access.key.bytes * access.n);
    access.n = 1;
    return merge_end_loads(&walk->open) && merge_store(&walk->open, &access);
}

/* --- the instructions between --- */

/* Computations that the assembler makes a call. */
static int is_called(const struct scalar_meaning *meaning) {
    switch (meaning->method) {
    case SCALAR_METHOD_DIV_FLOAT:
    case SCALAR_METHOD_SQRT:
    case SCALAR_METHOD_RCP: return meaning->approx == SCALAR_EXACT;
    case SCALAR_METHOD_DIV_INT:
    case SCALAR_METHOD_REM_INT: return isa_scalar_types[meaning->type[0]].bits == 64;
    default: return 0;
    }
}

static int touches_shared(const struct scalar_meaning *meaning) {
    return meaning->space == SCALAR_SHARED || meaning->space == SCALAR_GENERIC;
}

/* Instructions that no access of shared memory moves over. */
static int stops(const struct scalar_meaning *meaning) {
    switch (meaning->kind) {
    case SCALAR_ACCESSES: return touches_shared(meaning);
    case SCALAR_JUMPS:
    case SCALAR_ORDERS: return 1;
    case SCALAR_WAITS:
        return meaning->method != SCALAR_METHOD_ASYNC_COMMIT &&
               meaning->method != SCALAR_METHOD_BULK_COMMIT;
    case SCALAR_GATHERS: return meaning->method == SCALAR_METHOD_BAR_WARP;
    case SCALAR_HINTS:
        return meaning->method == SCALAR_METHOD_DISCARD ||
               meaning->method == SCALAR_METHOD_NANOSLEEP ||
               meaning->method == SCALAR_METHOD_SETMAXNREG ||
               meaning->method == SCALAR_METHOD_GRIDDEPCONTROL;
    default: return is_called(meaning);
    }
}

/* Like hear_plain, for operations of the other tables. Operations that only compute stop no
 * merge. */
static int hear_operation(struct walk *walk, const struct wsim_op *op) {
    switch (isa_form(op)->family) {
    case WSIM_MMA:
    case WSIM_MOVMATRIX:
    case WSIM_WMMA: return 1;
    case WSIM_LDMATRIX:
    case WSIM_WMMA_LOAD_A:
    case WSIM_WMMA_LOAD_B:
    case WSIM_WMMA_LOAD_C: return merge_end_stores(&walk->open);
    default: return end_all(walk);
    }
}

static int hear_access(struct walk *walk, uint32_t at, const struct scalar_meaning *meaning) {
    if (is_plain(walk->build, at, meaning))
        return hear_plain(walk, at, meaning);
    if (!touches_shared(meaning))
        return 1;
    if (meaning->method == SCALAR_METHOD_LD && meaning->space == SCALAR_SHARED &&
        is_weak(meaning) && !hear_branched(walk, at, at))
        return 0;
    return meaning->method == SCALAR_METHOD_ST ? end_all(walk) : merge_end_stores(&walk->open);
}

static int hear(struct walk *walk, uint32_t at) {
    const struct run_build *build = walk->build;
    const struct ptx_opcode *opcode = &build->ptx->opcodes[build->source->code[at].opcode];
    const struct scalar_meaning *meaning = build_meaning(build, at);
    if (build->leads[at])
        walk->block = at;
    if (build->leads[at] && !merge_end_block(&walk->open))
        return 0;
    if (!meaning)
        return opcode->kind != PTX_MATRIX || hear_operation(walk, &opcode->op);
    if (meaning->method == SCALAR_METHOD_LD || meaning->method == SCALAR_METHOD_ST)
        return hear_access(walk, at, meaning);
    if (meaning->kind == SCALAR_JUMPS)
        return end_joins(walk);
    return !stops(meaning) || end_all(walk);
}

/* --- loops --- */

static int jumps_to(const struct run_build *build, uint32_t at, uint32_t block) {
    const struct scalar_meaning *meaning = build_meaning(build, at);
    const struct ptx_instruction *instruction = &build->source->code[at];
    const struct ptx_operand *last;
    if (!meaning || meaning->method != SCALAR_METHOD_BRA || !instruction->count)
        return 0;
    last = &build->source->operands[instruction->first + instruction->count - 1];
    return last->kind == PTX_OP_LABEL && last->index == block;
}

/* Whether accesses `distance` bytes apart, in rounds that are `step` bytes apart, can be neighbours
 * in two rounds. */
static int can_meet(int32_t distance, int32_t step) {
    enum { ROUNDS = 32 }; /* more are not unrolled */
    for (int64_t round = 1; round <= ROUNDS; round++) {
        const int64_t forth = distance - round * step, back = distance + round * step;
        if ((forth > -MERGE_WIDE && forth < MERGE_WIDE) ||
            (back > -MERGE_WIDE && back < MERGE_WIDE))
            return 1;
    }
    return 0;
}

/* Whether an access joins others of the loop if the assembler unrolls it. 0, 1, -1: no memory. */
static int may_join(struct walk *walk, uint32_t at, uint32_t first, uint32_t last) {
    enum { MOST_COMPARED = 256 }; /* a loop with more of them has neighbours */
    struct linear sum, other;
    uint32_t step, compared = 0;
    int found = address_of(walk, at, &sum);
    if (found <= 0)
        return found;
    switch (linear_change_of(walk->open.sums, &sum, first, last, &step)) {
    case LINEAR_FOLDS: return 1;
    case LINEAR_NO_MEMORY: return -1;
    case LINEAR_VARIES: return 0;
    default: break;
    }
    for (uint32_t i = first; i <= last; i++) {
        if (!is_plain(walk->build, i, build_meaning(walk->build, i)))
            continue;
        if (compared++ == MOST_COMPARED)
            return 1;
        found = address_of(walk, i, &other);
        if (found < 0)
            return found;
        if (found && linear_same_terms(&sum, &other) &&
            can_meet((int32_t)(other.constant - sum.constant), (int32_t)step))
            return 1;
    }
    return 0;
}

/* Finds blocks that jump to their own beginning. If the assembler unrolls one, more accesses join
 * than the rule sees, where those of two rounds are neighbours. 0: no memory. */
static int find_loops(struct walk *walk) {
    struct run_build *build = walk->build;
    uint32_t block = 0;
    for (uint32_t i = 0; i < build->source->n_code; i++) {
        if (build->leads[i])
            block = i;
        if (!jumps_to(build, i, block))
            continue;
        for (uint32_t at = block; at < i && !(build->program->unrolls & RUN_MERGES_LOOPS); at++) {
            const int may =
                is_plain(build, at, build_meaning(build, at)) ? may_join(walk, at, block, i) : 0;
            if (may < 0)
                return 0;
            build->program->unrolls |= may ? RUN_MERGES_LOOPS : 0;
        }
    }
    return 1;
}

static int has_accesses(const struct run_build *build) {
    for (uint32_t i = 0; i < build->source->n_code; i++)
        if (is_access(build_meaning(build, i)))
            return 1;
    return 0;
}

int merge_find(struct run_build *build) {
    struct walk walk = {.build = build};
    int good;
    if (build->module->flags & WSIM_MODULE_AS_WRITTEN)
        return 1;
    build->program->assembled = (uint8_t)merge_is_assembled(build);
    if (!has_accesses(build) || (build->source->debug && !build->program->assembled))
        return 1;
    walk.live = live_find(build);
    walk.extended = find_extended(build);
    good = merge_open_init(&walk.open, build) && walk.live && walk.extended && find_loops(&walk);
    for (uint32_t i = 0; i < build->source->n_code && good; i++)
        good = hear(&walk, i);
    good = good && merge_end_block(&walk.open) && merge_machine(&walk.open);
    merge_open_free(&walk.open);
    free(walk.live);
    free(walk.extended);
    return good;
}
