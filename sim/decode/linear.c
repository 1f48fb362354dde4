/* Sums of registers: followed through definitions that are the only one of their register. */
#include "linear.h"

#include "../isa/scalar.h"
#include "uses.h"

#include <stdlib.h>

enum {
    DEPTH = 60,      /* definitions in a chain; what lies further is a term                  */
    ANY = 31,        /* alignment of 0                                                       */
    ROUNDS_MOST = 64 /* of the fixed point; without one all registers are of alignment 1     */
};
#define SEVERAL 0xFFFFFFFFu

struct linear_sums {
    const struct run_build *build;
    uint32_t *definition; /* of each register: its only one, + 1; 0: none; SEVERAL              */
    uint32_t *reach;      /* of each use of a register with several: the write that reaches it, an
                             atom with LINEAR_VALUE, or one with LINEAR_ENTRY                */
    uint32_t *place; /* of each instruction: where its sum is in `pool`, + 1; 0: not made yet   */
    uint32_t *pool;  /* constant, n, and n terms                                           */
    uint32_t used, room;
    uint8_t *aligned; /* of each register: log2 of its alignment */
    uint8_t measured; /* `aligned` is filled                      */
};

static const struct ptx_operand *operands_of(const struct run_build *build, uint32_t at) {
    return &build->source->operands[build->source->code[at].first];
}

static void find_definitions(struct linear_sums *sums) {
    const struct run_uses *uses = &sums->build->uses;
    for (uint32_t i = 0; i < sums->build->source->n_code; i++)
        for (uint32_t u = uses->first[i]; u < uses->first[i + 1]; u++)
            if (uses->what[u] & USES_WRITE) {
                uint32_t *definition = &sums->definition[uses->reg[u]];
                *definition = *definition ? SEVERAL : i + 1;
            }
}

/* The writes that reach the uses of registers with several, block by block. 0: no memory. */
static int find_reach(struct linear_sums *sums) {
    const struct run_build *build = sums->build;
    const struct run_uses *uses = &build->uses;
    uint32_t *last = calloc(build->source->n_registers + 1u, sizeof *last), block = 0;
    if (!last)
        return 0;
    for (uint32_t i = 0; i < build->source->n_code; i++) {
        if (build->leads[i])
            block = uses->first[i];
        for (uint32_t u = uses->first[i]; u < uses->first[i + 1]; u++) {
            uint32_t *of = &last[uses->reg[u]];
            if (sums->definition[uses->reg[u]] != SEVERAL)
                continue;
            if (*of < block + 1 || !*of) /* nothing of this block has named it */
                *of = u + 1, sums->reach[u] = LINEAR_ENTRY | u;
            else
                sums->reach[u] = uses->what[*of - 1] & USES_WRITE ? LINEAR_VALUE | (*of - 1)
                                                                  : sums->reach[*of - 1];
            if (uses->what[u] & USES_WRITE)
                *of = u + 1;
        }
    }
    free(last);
    return 1;
}

struct linear_sums *linear_open(const struct run_build *build) {
    struct linear_sums *sums = calloc(1, sizeof *sums);
    const uint32_t n = build->source->n_code, uses = build->uses.first[n];
    if (!sums)
        return NULL;
    sums->build = build;
    sums->definition = calloc(build->source->n_registers + 1u, sizeof *sums->definition);
    sums->reach = calloc(uses + 1u, sizeof *sums->reach);
    sums->place = calloc(n + 1u, sizeof *sums->place);
    sums->aligned = calloc(build->source->n_registers + 1u, 1);
    if (sums->definition && sums->reach && sums->place && sums->aligned) {
        find_definitions(sums);
        if (find_reach(sums))
            return sums;
    }
    linear_close(sums);
    return NULL;
}

void linear_close(struct linear_sums *sums) {
    if (!sums)
        return;
    free(sums->definition);
    free(sums->reach);
    free(sums->place);
    free(sums->pool);
    free(sums->aligned);
    free(sums);
}

/* The instruction that a place in run_uses is of. */
static uint32_t instruction_of(const struct linear_sums *sums, uint32_t use) {
    const uint32_t *first = sums->build->uses.first;
    uint32_t low = 0, high = sums->build->source->n_code;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (first[middle] <= use)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The value of a register that instruction `at` reads, as an atom. */
static uint32_t atom_of(const struct linear_sums *sums, uint32_t reg, uint32_t at) {
    const struct run_uses *uses = &sums->build->uses;
    if (sums->definition[reg] != SEVERAL)
        return reg;
    for (uint32_t u = uses->first[at]; u < uses->first[at + 1]; u++)
        if (uses->reg[u] == reg)
            return sums->reach[u];
    return reg;
}

/* The instruction that makes an atom, + 1; 0: it is not known. */
static uint32_t maker_of(const struct linear_sums *sums, uint32_t name) {
    if (name & LINEAR_VARIABLE || name & LINEAR_ENTRY)
        return 0;
    return name & LINEAR_VALUE ? instruction_of(sums, name & ~LINEAR_VALUE) + 1
                               : sums->definition[name];
}

/* --- sums --- */

static unsigned zeros(uint64_t value) {
    unsigned n = 0;
    while (n < ANY && !(value >> n & 1))
        n++;
    return n;
}

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

static struct linear number(uint32_t value) {
    return (struct linear){.constant = value, .base = ANY};
}

static struct linear atom(uint32_t name) {
    return (struct linear){.n = 1, .base = ANY, .term = {{name, 1}}};
}

static struct linear static_variable(const struct run_build *build, uint32_t index) {
    struct linear out = number((uint32_t)build->places[index].at);
    out.base = (uint8_t)zeros(build->places[index].at);
    return out;
}

/* 1 and *out = a + times * b, or 0: it has too many terms. */
static int add(const struct linear *a, const struct linear *b, uint32_t times, struct linear *out) {
    struct linear sum = {.constant = a->constant + times * b->constant,
                         .base = (uint8_t)least(a->base, b->base)};
    for (uint32_t i = 0, k = 0; i < a->n || k < b->n;) {
        struct linear_term term;
        if (k == b->n || (i < a->n && a->term[i].atom < b->term[k].atom))
            term = a->term[i++];
        else if (i == a->n || b->term[k].atom < a->term[i].atom)
            term = (struct linear_term){b->term[k].atom, times * b->term[k].times}, k++;
        else
            term =
                (struct linear_term){a->term[i].atom, a->term[i].times + times * b->term[k].times},
            i++, k++;
        if (!term.times)
            continue;
        if (sum.n == LINEAR_TERMS)
            return 0;
        sum.term[sum.n++] = term;
    }
    *out = sum;
    return 1;
}

static int scale(const struct linear *a, uint32_t times, struct linear *out) {
    const struct linear none = number(0);
    return add(&none, a, times, out);
}

static int multiply(const struct linear *a, const struct linear *b, struct linear *out) {
    return !b->n ? scale(a, b->constant, out) : !a->n ? scale(b, a->constant, out) : 0;
}

int linear_same_terms(const struct linear *a, const struct linear *b) {
    if (a->n != b->n)
        return 0;
    for (uint32_t i = 0; i < a->n; i++)
        if (a->term[i].atom != b->term[i].atom || a->term[i].times != b->term[i].times)
            return 0;
    return 1;
}

/* --- definitions --- */

static int is_whole(const struct scalar_meaning *meaning, unsigned type) {
    const struct isa_scalar_type *of = &isa_scalar_types[meaning->type[type]];
    return of->elements == 1 && of->letter != 'f' && of->bits >= 32;
}

/* An instruction that only passes on the 32 bits that matter of an address. */
static int is_copy(const struct scalar_meaning *meaning) {
    switch (meaning->method) {
    case SCALAR_METHOD_MOVE: return is_whole(meaning, 0);
    case SCALAR_METHOD_CVTA: return meaning->space == SCALAR_SHARED;
    case SCALAR_METHOD_CVT: {
        const uint8_t to = meaning->type[0], from = meaning->type[1];
        return (to == SCALAR_TYPE_U32 && from == SCALAR_TYPE_U64) ||
               (to == SCALAR_TYPE_U64 && from == SCALAR_TYPE_U32);
    }
    default: return 0;
    }
}

/* 1 and *out; 0: the operand is not a sum; -1: no memory. */
static int sum_of(struct linear_sums *sums, const struct ptx_operand *operand, uint32_t at,
                  unsigned depth, struct linear *out);

/* 1 and the sum that the instruction computes, 0: it is none, -1: no memory. */
static int sum_of_instruction(struct linear_sums *sums, uint32_t at, unsigned depth,
                              struct linear *out) {
    const struct run_build *build = sums->build;
    const struct scalar_meaning *meaning = build_meaning(build, at);
    const struct ptx_operand *operands = operands_of(build, at);
    const uint32_t count = build->source->code[at].count;
    struct linear part[3];
    uint32_t parts;
    if (!meaning || build->source->code[at].guard != PTX_NO_GUARD || meaning->carry_in ||
        meaning->carry_out || meaning->sat || operands[0].kind != PTX_OP_REGISTER)
        return 0;
    parts = is_copy(meaning) ? 1 : 0;
    switch (meaning->method) {
    case SCALAR_METHOD_ADD_INT:
    case SCALAR_METHOD_SUB_INT: parts = is_whole(meaning, 0) ? 2 : 0; break;
    case SCALAR_METHOD_SHL:
        parts = is_whole(meaning, 0) && operands[2].kind == PTX_OP_INTEGER ? 2 : 0;
        break;
    case SCALAR_METHOD_MUL_INT:
    case SCALAR_METHOD_MAD_INT:
        if (is_whole(meaning, 0) && meaning->half == SCALAR_LO)
            parts = meaning->method == SCALAR_METHOD_MAD_INT ? 3 : 2;
        break;
    default: break;
    }
    if (!parts || count != parts + 1)
        return 0;
    for (uint32_t i = 0; i < parts; i++) {
        const int found = sum_of(sums, &operands[i + 1], at, depth + 1, &part[i]);
        if (found <= 0)
            return found;
    }
    switch (meaning->method) {
    case SCALAR_METHOD_ADD_INT: return add(&part[0], &part[1], 1, out);
    case SCALAR_METHOD_SUB_INT: return add(&part[0], &part[1], 0u - 1u, out);
    case SCALAR_METHOD_SHL:
        return scale(&part[0], part[1].constant < 32 ? 1u << part[1].constant : 0, out);
    case SCALAR_METHOD_MUL_INT: return multiply(&part[0], &part[1], out);
    case SCALAR_METHOD_MAD_INT:
        return multiply(&part[0], &part[1], out) && add(out, &part[2], 1, out);
    default: *out = part[0]; return 1;
    }
}

/* The sum of an instruction, for the next time. 0: no memory. */
static int keep(struct linear_sums *sums, uint32_t at, const struct linear *sum) {
    const uint32_t need = 3 + 2 * sum->n;
    if (sums->room - sums->used < need) {
        const uint32_t room = 2 * sums->room + 1024;
        uint32_t *grown = room > sums->room ? realloc(sums->pool, room * sizeof *sums->pool) : NULL;
        if (!grown)
            return 0;
        sums->pool = grown;
        sums->room = room;
    }
    sums->place[at] = sums->used + 1;
    sums->pool[sums->used++] = sum->constant;
    sums->pool[sums->used++] = sum->base;
    sums->pool[sums->used++] = sum->n;
    for (uint32_t i = 0; i < sum->n; i++) {
        sums->pool[sums->used++] = sum->term[i].atom;
        sums->pool[sums->used++] = sum->term[i].times;
    }
    return 1;
}

static void find(const struct linear_sums *sums, uint32_t at, struct linear *out) {
    const uint32_t *from = sums->pool + sums->place[at] - 1;
    out->constant = from[0];
    out->base = (uint8_t)from[1];
    out->n = from[2];
    for (uint32_t i = 0; i < out->n; i++)
        out->term[i] = (struct linear_term){from[3 + 2 * i], from[4 + 2 * i]};
}

/* 1; -1: no memory. */
static int sum_of_register(struct linear_sums *sums, uint32_t reg, uint32_t at, unsigned depth,
                           struct linear *out) {
    const uint32_t name = atom_of(sums, reg, at), maker = maker_of(sums, name);
    int found;
    *out = atom(name);
    if (!maker || depth >= DEPTH)
        return 1;
    if (sums->place[maker - 1]) {
        find(sums, maker - 1, out);
        return 1;
    }
    if (!keep(sums, maker - 1, out)) /* a register that is defined by itself stays a term */
        return -1;
    found = sum_of_instruction(sums, maker - 1, depth, out);
    if (found <= 0)
        *out = atom(name);
    if (found > 0 && !keep(sums, maker - 1, out))
        found = -1;
    return found < 0 ? -1 : 1;
}

static int sum_of(struct linear_sums *sums, const struct ptx_operand *operand, uint32_t at,
                  unsigned depth, struct linear *out) {
    const struct run_build *build = sums->build;
    switch (operand->kind) {
    case PTX_OP_INTEGER: *out = number((uint32_t)operand->value); return 1;
    case PTX_OP_REGISTER:
        if (operand->negated || operand->part != PTX_WHOLE)
            return 0;
        return sum_of_register(sums, operand->index, at, depth, out);
    case PTX_OP_VARIABLE:
        *out = atom(LINEAR_VARIABLE | operand->index);
        if (build->ptx->variables[operand->index].space == PTX_SHARED &&
            !build->ptx->variables[operand->index].open)
            *out = static_variable(build, operand->index);
        out->constant += (uint32_t)operand->value;
        return 1;
    default: return 0;
    }
}

int linear_of(struct linear_sums *sums, const struct ptx_operand *operand, uint32_t at,
              struct linear *out) {
    return sum_of(sums, operand, at, 0, out);
}

/* --- loops --- */

/* The last write of a register in a block, a place in run_uses, + 1; 0: none. */
static uint32_t last_write(const struct linear_sums *sums, uint32_t reg, uint32_t first,
                           uint32_t last) {
    const struct run_uses *uses = &sums->build->uses;
    for (uint32_t u = uses->first[last + 1]; u-- > uses->first[first];)
        if (uses->reg[u] == reg && uses->what[u] & USES_WRITE)
            return u + 1;
    return 0;
}

enum { DEPTH_OF_LOOPS = 3 }; /* computations from an address back to what a loop changes */

struct loop {
    uint32_t first, last; /* instructions */
};

static enum linear_change change_of(struct linear_sums *sums, const struct linear *sum,
                                    const struct loop *loop, unsigned depth, uint32_t *step);

/* A value that an instruction of the loop makes, and that is no sum: it folds if what it is made of
 * does. */
static enum linear_change change_of_made(struct linear_sums *sums, uint32_t at,
                                         const struct loop *loop, unsigned depth) {
    const struct run_uses *uses = &sums->build->uses;
    const struct scalar_meaning *meaning = build_meaning(sums->build, at);
    if (!meaning || (meaning->kind != SCALAR_COMPUTES && meaning->kind != SCALAR_MOVES))
        return LINEAR_VARIES;
    for (uint32_t u = uses->first[at]; depth < DEPTH_OF_LOOPS && u < uses->first[at + 1]; u++) {
        struct linear sum;
        uint32_t step;
        if (!(uses->what[u] & USES_READ))
            continue;
        if (sum_of_register(sums, uses->reg[u], at, depth, &sum) < 0)
            return LINEAR_NO_MEMORY;
        const enum linear_change one = change_of(sums, &sum, loop, depth + 1, &step);
        if (one >= LINEAR_VARIES)
            return one;
    }
    return LINEAR_FOLDS;
}

/* The change of a register that has a value at the beginning of the block. */
static enum linear_change change_of_entry(struct linear_sums *sums, uint32_t name,
                                          const struct loop *loop, unsigned depth, uint32_t *step) {
    const uint32_t reg = sums->build->uses.reg[name & ~LINEAR_ENTRY];
    const uint32_t write = last_write(sums, reg, loop->first, loop->last);
    const struct linear begin = atom(name);
    struct linear end, rest;
    uint32_t again;
    *step = 0;
    if (!write)
        return LINEAR_STEPS;
    const uint32_t at = instruction_of(sums, write - 1);
    const int found = sum_of_instruction(sums, at, 1, &end);
    if (found < 0)
        return LINEAR_NO_MEMORY;
    if (!found || !add(&end, &begin, 0u - 1u, &rest) || depth > DEPTH_OF_LOOPS)
        return change_of_made(sums, at, loop, depth);
    *step = rest.constant;
    if (!rest.n)
        return LINEAR_STEPS;
    for (uint32_t i = 0; i < rest.n; i++)
        if (rest.term[i].atom == name) /* i = 2 * i */
            return LINEAR_FOLDS;
    const enum linear_change change = change_of(sums, &rest, loop, depth + 1, &again);
    return change == LINEAR_FOLDS ? LINEAR_FOLDS : LINEAR_VARIES;
}

static int is_inside(const struct loop *loop, uint32_t maker) {
    return maker && maker - 1 >= loop->first && maker - 1 <= loop->last;
}

static enum linear_change change_of(struct linear_sums *sums, const struct linear *sum,
                                    const struct loop *loop, unsigned depth, uint32_t *step) {
    enum linear_change all = LINEAR_STEPS;
    *step = 0;
    for (uint32_t i = 0; i < sum->n && all < LINEAR_VARIES; i++) {
        const uint32_t name = sum->term[i].atom, maker = maker_of(sums, name);
        enum linear_change one = LINEAR_STEPS;
        uint32_t part = 0;
        if (!(name & LINEAR_VARIABLE) && name & LINEAR_ENTRY)
            one = change_of_entry(sums, name, loop, depth, &part);
        else if (is_inside(loop, maker))
            one = change_of_made(sums, maker - 1, loop, depth);
        *step += sum->term[i].times * part;
        all = one > all ? one : all;
    }
    return all;
}

enum linear_change linear_change_of(struct linear_sums *sums, const struct linear *sum,
                                    uint32_t first, uint32_t last, uint32_t *step) {
    return change_of(sums, sum, &(struct loop){first, last}, 0, step);
}

/* --- alignment --- */

static unsigned most(unsigned a, unsigned b) {
    return a > b ? a : b;
}

static unsigned aligned_variable(const struct run_build *build, uint32_t index) {
    const struct ptx_variable *variable = &build->ptx->variables[index];
    unsigned align = zeros(variable->align);
    if (variable->space != PTX_SHARED)
        return align;
    return variable->open ? most(4, align) : zeros(build->places[index].at);
}

static unsigned aligned_operand(const struct linear_sums *sums, const struct ptx_operand *operand) {
    switch (operand->kind) {
    case PTX_OP_INTEGER: return zeros(operand->value);
    case PTX_OP_REGISTER:
        return sums->definition[operand->index] ? sums->aligned[operand->index] : 0;
    case PTX_OP_VARIABLE:
        return least(aligned_variable(sums->build, operand->index), zeros(operand->value));
    default: return 0;
    }
}

/* Known alignment of an instruction's result. */
static unsigned aligned_result(const struct linear_sums *sums, uint32_t at) {
    const struct run_build *build = sums->build;
    const struct scalar_meaning *meaning = build_meaning(build, at);
    const struct ptx_operand *operands = operands_of(build, at);
    const uint32_t count = build->source->code[at].count;
    unsigned a, b;
    if (!meaning || count < 2 || operands[0].kind != PTX_OP_REGISTER ||
        isa_scalar_types[meaning->type[0]].letter == 'f')
        return 0;
    a = aligned_operand(sums, &operands[1]);
    b = count > 2 ? aligned_operand(sums, &operands[2]) : 0;
    switch (meaning->method) {
    case SCALAR_METHOD_MOVE:
    case SCALAR_METHOD_CVTA: return count == 2 ? a : 0;
    case SCALAR_METHOD_CVT:
        return count == 2 && isa_scalar_types[meaning->type[1]].letter != 'f' && !meaning->sat ? a
                                                                                               : 0;
    case SCALAR_METHOD_ADD_INT:
    case SCALAR_METHOD_SUB_INT: return meaning->carry_in || meaning->sat ? 0 : least(a, b);
    case SCALAR_METHOD_OR:
    case SCALAR_METHOD_XOR:
    case SCALAR_METHOD_MIN_INT:
    case SCALAR_METHOD_MAX_INT:
    case SCALAR_METHOD_SELP: return least(a, b);
    case SCALAR_METHOD_AND: return most(a, b);
    case SCALAR_METHOD_SHL:
        return operands[2].kind == PTX_OP_INTEGER && operands[2].value < ANY
                   ? least(ANY, a + (unsigned)operands[2].value)
                   : a;
    case SCALAR_METHOD_SHR:
        return operands[2].kind == PTX_OP_INTEGER && operands[2].value < a
                   ? a - (unsigned)operands[2].value
                   : 0;
    case SCALAR_METHOD_MUL_INT:
    case SCALAR_METHOD_MAD_INT:
        if (meaning->half != SCALAR_LO && meaning->half != SCALAR_WIDE)
            return 0;
        a = least(ANY, a + b);
        return meaning->method == SCALAR_METHOD_MUL_INT ? a
               : count == 4 && !meaning->sat && !meaning->carry_in
                   ? least(a, aligned_operand(sums, &operands[3]))
                   : 0;
    default: return 0;
    }
}

/* From above: each round lowers what some definition does not keep. */
static void measure(struct linear_sums *sums) {
    const struct run_uses *uses = &sums->build->uses;
    const uint32_t n = sums->build->source->n_registers;
    int changed = 1;
    memset(sums->aligned, ANY, n + 1u);
    for (unsigned round = 0; changed && round < ROUNDS_MOST; round++) {
        changed = 0;
        for (uint32_t i = 0; i < sums->build->source->n_code; i++)
            for (uint32_t u = uses->first[i]; u < uses->first[i + 1]; u++) {
                unsigned result;
                if (!(uses->what[u] & USES_WRITE))
                    continue;
                result = aligned_result(sums, i);
                if (result < sums->aligned[uses->reg[u]]) {
                    sums->aligned[uses->reg[u]] = (uint8_t)result;
                    changed = 1;
                }
            }
    }
    if (changed)
        memset(sums->aligned, 0, n + 1u);
    sums->measured = 1;
}

static unsigned aligned_atom(const struct linear_sums *sums, uint32_t name) {
    if (name & LINEAR_VARIABLE)
        return aligned_variable(sums->build, name & ~LINEAR_VARIABLE);
    if (name & LINEAR_VALUE)
        return aligned_result(sums, instruction_of(sums, name & ~LINEAR_VALUE));
    if (name & LINEAR_ENTRY)
        return sums->aligned[sums->build->uses.reg[name & ~LINEAR_ENTRY]];
    return sums->definition[name] ? sums->aligned[name] : 0;
}

unsigned linear_alignment(struct linear_sums *sums, const struct linear *sum) {
    unsigned aligned = least(zeros(sum->constant), sum->base);
    if (!sums->measured)
        measure(sums);
    for (uint32_t i = 0; i < sum->n; i++)
        aligned = least(
            aligned, least(ANY, aligned_atom(sums, sum->term[i].atom) + zeros(sum->term[i].times)));
    return aligned;
}
