/* Loads of the address that a later instruction changes: a guess, which atom.cas compares, or the
 * first half of an update, which the store completes. */
#include "actors.h"

#include "../isa/scalar.h"

enum {
    LEAVES = 8, /* terms of an address                                           */
    LOOKED = 24 /* definitions that one address looks up; further ones are terms */
};

#define NAMED 0x80000000u /* a leaf that is a variable */

/* An address: a constant, and registers and variables in ascending order. */
struct sum {
    uint64_t constant;
    uint32_t looked, n, leaf[LEAVES];
};

/* Whether the result of an instruction is a register, alone or among others. */
static int defines(const struct ptx_function *source, const struct ptx_instruction *at,
                   uint32_t reg) {
    const struct ptx_operand *result = &source->operands[at->first];
    const int is_many = result->kind == PTX_OP_VECTOR || result->kind == PTX_OP_PAIR;
    const struct ptx_operand *part = is_many ? &source->operands[result->first] : result;
    for (uint32_t i = 0; i < (is_many ? result->count : 1); i++)
        if (part[i].kind == PTX_OP_REGISTER && part[i].index == reg)
            return 1;
    return 0;
}

/* Whether an instruction has a method and `count` operands. Its words take longer to look up. */
static int has_method(const struct ptx_module *module, const struct ptx_instruction *at,
                      enum scalar_method method, uint32_t count) {
    const struct ptx_opcode *opcode = &module->opcodes[at->opcode];
    return at->count == count && opcode->kind == PTX_SCALAR && opcode->scalar.row &&
           isa_scalar_rows[opcode->scalar.row - 1].method == method;
}

/* The only instruction that writes a register. NULL: none, or one of several. */
static const struct ptx_instruction *definition(const struct run_function *function, uint32_t reg) {
    const uint32_t at = function->registers[reg].definition;
    return at && at != RUN_DEFINED_TWICE ? &function->source->code[at - 1] : NULL;
}

/* The number of operands that an instruction adds: 1 for a copy, 2 for a sum, 0 for all else. */
static uint32_t addends(const struct ptx_module *module, const struct ptx_instruction *at) {
    struct scalar_meaning meaning;
    if (at->guard != PTX_NO_GUARD)
        return 0;
    if (has_method(module, at, SCALAR_METHOD_MOVE, 2) ||
        has_method(module, at, SCALAR_METHOD_CVTA, 2))
        return 1;
    if (!has_method(module, at, SCALAR_METHOD_ADD_INT, 3))
        return 0;
    isa_scalar_meaning(&module->opcodes[at->opcode].scalar, &meaning);
    return meaning.carry_in || meaning.carry_out ? 0 : 2;
}

/* Adds what an operand stands for. 0: too many terms, or an operand of another kind. */
static int add(const struct ptx_module *module, const struct run_function *function,
               const struct ptx_operand *operand, struct sum *sum) {
    const int is_named = operand->kind == PTX_OP_VARIABLE;
    const uint32_t leaf = operand->index | (is_named ? NAMED : 0);
    const struct ptx_instruction *from;
    uint32_t n, at;
    sum->constant += operand->kind == PTX_OP_REGISTER ? 0 : operand->value;
    if (operand->kind == PTX_OP_INTEGER)
        return 1;
    if ((!is_named && operand->kind != PTX_OP_REGISTER && operand->kind != PTX_OP_SUM) ||
        operand->negated)
        return 0;
    from = sum->looked < LOOKED && !is_named ? definition(function, operand->index) : NULL;
    sum->looked++;
    n = from ? addends(module, from) : 0;
    if (n) {
        struct sum parts = *sum;
        uint32_t i = 1;
        while (i <= n &&
               add(module, function, &function->source->operands[from->first + i], &parts))
            i++;
        if (i > n) {
            *sum = parts;
            return 1;
        }
        sum->looked = parts.looked;
    }
    if (sum->n == LEAVES)
        return 0;
    for (at = sum->n++; at && sum->leaf[at - 1] > leaf; at--)
        sum->leaf[at] = sum->leaf[at - 1];
    sum->leaf[at] = leaf;
    return 1;
}

/* 1: the operand is an address that is such a sum. */
static int address_of(const struct ptx_module *module, const struct run_function *function,
                      const struct ptx_operand *operand, struct sum *sum) {
    *sum = (struct sum){.constant = operand->value};
    return operand->kind == PTX_OP_ADDRESS && operand->count == 1 &&
           add(module, function, &function->source->operands[operand->first], sum);
}

static int is_same(const struct sum *a, const struct sum *b) {
    if (a->constant != b->constant || a->n != b->n)
        return 0;
    for (uint32_t i = 0; i < a->n; i++)
        if (a->leaf[i] != b->leaf[i])
            return 0;
    return 1;
}

static int is_cas(const struct ptx_module *module, const struct ptx_instruction *at) {
    struct scalar_meaning meaning;
    if (!has_method(module, at, SCALAR_METHOD_ATOM, 4))
        return 0;
    isa_scalar_meaning(&module->opcodes[at->opcode].scalar, &meaning);
    return meaning.operation == SCALAR_CAS;
}

/* The atom.cas of the address of a load, which tests whether the loaded value is still there. NULL:
 * none. */
static const struct ptx_instruction *cas_of(const struct run_program *program, uint32_t load) {
    const struct ptx_module *module = program->module;
    const struct run_function *function = run_function_of(program, load);
    const struct ptx_function *source = function->source;
    const struct ptx_instruction *at = run_instruction_of(program, load);
    struct sum loaded, compared;
    if (!at || at->count != 2 ||
        !address_of(module, function, &source->operands[at->first + 1], &loaded))
        return NULL;
    for (uint32_t i = 0; i < source->n_code; i++) {
        const struct ptx_instruction *cas = &source->code[i];
        if (is_cas(module, cas) &&
            address_of(module, function, &source->operands[cas->first + 1], &compared) &&
            is_same(&loaded, &compared))
            return cas;
    }
    return NULL;
}

/* Where an answer is kept. *is_new: it has to be found. */
static uint32_t *answer_of(struct race_questions *asked, uint32_t store, uint32_t load,
                           int *is_new) {
    struct race_question *const set = asked->of[(store * 31 + load) % RACE_SETS];
    unsigned way = 0;
    while (way < RACE_WAYS && (set[way].store != store || set[way].load != load))
        way++;
    *is_new = way == RACE_WAYS;
    if (*is_new) {
        way = asked->next++ % RACE_WAYS;
        set[way].store = store;
        set[way].load = load;
    }
    return &set[way].answer;
}

int guess_tell(struct run_warp *warp, const struct run_op *op, unsigned lane, uint32_t other,
               uint32_t load, const struct run_subject *subject, const char *where) {
    const struct run_program *program = warp->program;
    int is_new;
    uint32_t *const line = answer_of(race_asker_of(warp)->asked, RACE_IS_GUESS, load, &is_new);
    if (is_new) {
        const struct ptx_instruction *cas = cas_of(program, load);
        *line = cas ? cas->line : 0;
    }
    if (!*line)
        return 0;
    run_finding_of(warp, op, lane, &program->ops[other], RULE_ADVICE_RACE_GUESS, subject,
                   "%s is loaded while atomics change it, and nothing orders the two: the value is "
                   "a guess, which atom.cas in line %u checks",
                   where, *line);
    return 1;
}

static int is_load(const struct ptx_module *module, const struct ptx_instruction *at) {
    return has_method(module, at, SCALAR_METHOD_LD, 2);
}

/* Whether an operand may have a value that comes from an instruction, `left` definitions away. */
static int derives(const struct ptx_function *source, const struct ptx_operand *operand,
                   const struct ptx_instruction *from, uint32_t *left) {
    const int is_many = operand->kind == PTX_OP_VECTOR || operand->kind == PTX_OP_PAIR;
    for (uint32_t i = 0; is_many && i < operand->count; i++)
        if (derives(source, &source->operands[operand->first + i], from, left))
            return 1;
    for (uint32_t i = 0; operand->kind == PTX_OP_REGISTER && i < source->n_code && *left; i++) {
        const struct ptx_instruction *at = &source->code[i];
        if (!at->count || !defines(source, at, operand->index))
            continue;
        if (at == from)
            return 1;
        --*left;
        for (uint32_t k = 1; k < at->count; k++)
            if (derives(source, &source->operands[at->first + k], from, left))
                return 1;
    }
    return 0;
}

static int shares_line(const struct ptx_module *module, const struct ptx_instruction *a,
                       const struct ptx_instruction *b) {
    return a->loc && b->loc && module->locs[a->loc].file == module->locs[b->loc].file &&
           module->locs[a->loc].line == module->locs[b->loc].line;
}

/* Whether a store completes the update that `load` begins; NULL: that any load begins. */
static int completes(const struct run_program *program, uint32_t store,
                     const struct ptx_instruction *load) {
    const struct ptx_module *module = program->module;
    const struct run_function *function = run_function_of(program, store);
    const struct ptx_function *source = function->source;
    const struct ptx_instruction *at = run_instruction_of(program, store);
    struct sum stored, loaded;
    if (!at || at->count != 2 || (load && !is_load(module, load)) ||
        !address_of(module, function, &source->operands[at->first], &stored))
        return 0;
    for (uint32_t i = 0; i < source->n_code; i++) {
        const struct ptx_instruction *from = &source->code[i];
        uint32_t left = LOOKED;
        if ((!load || load == from) && is_load(module, from) &&
            address_of(module, function, &source->operands[from->first + 1], &loaded) &&
            is_same(&stored, &loaded) &&
            (shares_line(module, at, from) ||
             derives(source, &source->operands[at->first + 1], from, &left)))
            return 1;
    }
    return 0;
}

int race_updates(const struct run_program *program, struct race_questions *asked, uint32_t one,
                 uint32_t other) {
    int is_new;
    uint32_t *updates;
    const int is_first = program->ops[one].traffic == RUN_TRAFFIC_STORE;
    const uint32_t store = is_first ? one : other, load = is_first ? other : one;
    if (program->ops[store].traffic != RUN_TRAFFIC_STORE)
        return 0;
    updates = answer_of(asked, store + 1, load, &is_new);
    if (is_new)
        *updates = (uint32_t)completes(program, store,
                                       load == store ? NULL : run_instruction_of(program, load));
    return (int)*updates;
}

int race_updates_here(const struct run_warp *warp, uint32_t one, uint32_t other) {
    return race_updates(warp->program, race_asker_of(warp)->asked, one, other);
}

int race_tell_guess(struct race_asker *asker, unsigned lane, const struct run_subject *subject,
                    const char *where) {
    const uint32_t other = asker->other.op;
    const int reads =
        asker->kind == RACE_READ && (asker->found_kind & ~RACE_SCOPES) == RACE_STRONG_WRITE;
    const int was_read =
        (asker->kind & ~RACE_SCOPES) == RACE_STRONG_WRITE && asker->found_kind == RACE_READ;
    return asker->found == RACE_UNORDERED && (reads || was_read) &&
           guess_tell(asker->warp, asker->op, lane, other,
                      reads ? run_number(asker->warp, asker->op) : other, subject, where);
}
