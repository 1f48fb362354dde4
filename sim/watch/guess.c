/* Advice about a plain load whose value a later atom.cas of the same address compares. */
#include "actors.h"

#include "../isa/scalar.h"

enum {
    LEAVES = 8, /* terms of an address                                           */
    LOOKED = 24 /* definitions that one address looks up; further ones are terms */
};

/* An address: a constant and registers, in ascending order. */
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

/* The only instruction that writes a register. NULL: none, or one of several. */
static const struct ptx_instruction *definition(const struct ptx_function *source, uint32_t reg) {
    const struct ptx_instruction *found = NULL;
    for (uint32_t i = 0; i < source->n_code; i++) {
        const struct ptx_instruction *at = &source->code[i];
        if (!at->count || !defines(source, at, reg))
            continue;
        if (found)
            return NULL;
        found = at;
    }
    return found;
}

/* The number of operands that an instruction adds: 1 for a copy, 2 for a sum, 0 for all else. */
static uint32_t addends(const struct ptx_module *module, const struct ptx_instruction *at) {
    const struct ptx_opcode *opcode = &module->opcodes[at->opcode];
    struct scalar_meaning meaning;
    uint32_t n;
    if (opcode->kind != PTX_SCALAR || at->guard != PTX_NO_GUARD)
        return 0;
    isa_scalar_meaning(&opcode->scalar, &meaning);
    n = meaning.method == SCALAR_METHOD_ADD_INT && !meaning.carry_in && !meaning.carry_out ? 2
        : meaning.method == SCALAR_METHOD_MOVE || meaning.method == SCALAR_METHOD_CVTA     ? 1
                                                                                           : 0;
    return at->count == n + 1 ? n : 0;
}

/* Adds what an operand stands for. 0: too many terms, or an operand of another kind. */
static int add(const struct ptx_module *module, const struct ptx_function *source,
               const struct ptx_operand *operand, struct sum *sum) {
    const struct ptx_instruction *from;
    uint32_t n, at;
    sum->constant += operand->kind == PTX_OP_REGISTER ? 0 : operand->value;
    if (operand->kind == PTX_OP_INTEGER)
        return 1;
    if ((operand->kind != PTX_OP_REGISTER && operand->kind != PTX_OP_SUM) || operand->negated)
        return 0;
    from = sum->looked < LOOKED ? definition(source, operand->index) : NULL;
    sum->looked++;
    n = from ? addends(module, from) : 0;
    if (n) {
        struct sum parts = *sum;
        uint32_t i = 1;
        while (i <= n && add(module, source, &source->operands[from->first + i], &parts))
            i++;
        if (i > n) {
            *sum = parts;
            return 1;
        }
        sum->looked = parts.looked;
    }
    if (sum->n == LEAVES)
        return 0;
    for (at = sum->n++; at && sum->leaf[at - 1] > operand->index; at--)
        sum->leaf[at] = sum->leaf[at - 1];
    sum->leaf[at] = operand->index;
    return 1;
}

/* 1: the operand is an address that is such a sum. */
static int address_of(const struct ptx_module *module, const struct ptx_function *source,
                      const struct ptx_operand *operand, struct sum *sum) {
    *sum = (struct sum){.constant = operand->value};
    return operand->kind == PTX_OP_ADDRESS && operand->count == 1 &&
           add(module, source, &source->operands[operand->first], sum);
}

static int is_same(const struct sum *a, const struct sum *b) {
    if (a->constant != b->constant || a->n != b->n)
        return 0;
    for (uint32_t i = 0; i < a->n; i++)
        if (a->leaf[i] != b->leaf[i])
            return 0;
    return 1;
}

static int is_cas(const struct ptx_opcode *opcode) {
    struct scalar_meaning meaning;
    if (opcode->kind != PTX_SCALAR)
        return 0;
    isa_scalar_meaning(&opcode->scalar, &meaning);
    return meaning.method == SCALAR_METHOD_ATOM && meaning.operation == SCALAR_CAS;
}

/* The atom.cas of the address of a load, which tests whether the loaded value is still there. NULL:
 * none. */
static const struct ptx_instruction *cas_of(const struct run_program *program, uint32_t load) {
    const struct ptx_module *module = program->module;
    const struct ptx_function *source = run_function_of(program, load)->source;
    const struct ptx_instruction *at = run_instruction_of(program, load);
    struct sum loaded, compared;
    if (!at || at->count != 2 ||
        !address_of(module, source, &source->operands[at->first + 1], &loaded))
        return NULL;
    for (uint32_t i = 0; i < source->n_code; i++) {
        const struct ptx_instruction *cas = &source->code[i];
        if (cas->count == 4 && is_cas(&module->opcodes[cas->opcode]) &&
            address_of(module, source, &source->operands[cas->first + 1], &compared) &&
            is_same(&loaded, &compared))
            return cas;
    }
    return NULL;
}

int guess_tell(struct run_warp *warp, const struct run_op *op, unsigned lane, uint32_t other,
               uint32_t load, const struct run_subject *subject, const char *where) {
    const struct run_program *program = warp->program;
    const struct ptx_instruction *cas = cas_of(program, load);
    if (!cas)
        return 0;
    run_finding_of(warp, op, lane, &program->ops[other], RULE_ADVICE_RACE_GUESS, subject,
                   "%s is loaded while atomics change it, and nothing orders the two: the value is "
                   "a guess, which atom.cas in line %u checks",
                   where, cas->line);
    return 1;
}

int race_tell_guess(struct race_asker *asker, unsigned lane, const struct run_subject *subject,
                    const char *where) {
    const uint32_t other = asker->other.op;
    const int reads =
        asker->kind == RACE_READ && (asker->found_kind & ~RACE_NARROW) == RACE_STRONG_WRITE;
    const int was_read =
        (asker->kind & ~RACE_NARROW) == RACE_STRONG_WRITE && asker->found_kind == RACE_READ;
    return asker->found == RACE_UNORDERED && (reads || was_read) &&
           guess_tell(asker->warp, asker->op, lane, other,
                      reads ? run_number(asker->warp, asker->op) : other, subject, where);
}
