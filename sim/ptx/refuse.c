/* Refusals that checks of scalar and of matrix operands share: kinds, ranges and counts of
 * operands. */
#include "shape.h"

#include <stdio.h>

const char *ptx_kind_name(const struct ptx_operand *op) {
    switch (op->kind) {
    case PTX_OP_REGISTER: return "a register";
    case PTX_OP_SUM: return "a sum";
    case PTX_OP_INTEGER: return "an integer";
    case PTX_OP_F32:
    case PTX_OP_F64: return "a floating-point number";
    case PTX_OP_SPECIAL: return "a special register";
    case PTX_OP_VARIABLE: return "a variable";
    case PTX_OP_PARAM:
    case PTX_OP_RESULT: return "a parameter";
    case PTX_OP_FUNCTION: return "a function";
    case PTX_OP_SINK: return "_";
    case PTX_OP_VECTOR: return "a list";
    case PTX_OP_ADDRESS: return "an address";
    case PTX_OP_PAIR: return "a pair";
    default: return "a name";
    }
}

/* "128", "0 to 15", "a multiple of 32" */
static void spell_range(struct isa_range range, char *out, size_t size) {
    const unsigned long long least = range.least, most = range.most, step = range.step;
    if (least == most)
        snprintf(out, size, "%llu", least);
    else if (!step)
        snprintf(out, size, "a power of two from %llu to %llu", least, most);
    else if (most == UINT64_MAX)
        snprintf(out, size, least ? "a multiple of %llu from %llu on" : "a multiple of %llu", step,
                 least);
    else if (step == 1)
        snprintf(out, size, "%llu to %llu", least, most);
    else
        snprintf(out, size, "a multiple of %llu from %llu to %llu", step, least, most);
}

static int is_in(struct isa_range range, uint64_t value) {
    if (value < range.least || value > range.most)
        return 0;
    return range.step ? value % range.step == 0 : !(value & (value - 1));
}

int ptx_check_range(struct reader *r, const struct ptx_opcode *opcode, unsigned number,
                    const struct ptx_operand *op, struct isa_range range, struct place at) {
    const int is_float = op->kind == PTX_OP_F32;
    char legal[96];
    if ((op->kind != PTX_OP_INTEGER && !is_float) || is_in(range, op->value))
        return 1;
    if (is_float) {
        ptx_complain(r, RULE_PTX_OPERAND_RANGE, at,
                     "operand %u of '%.100s' is 0f%08llX, must be 0f%08llX to 0f%08llX", number,
                     opcode->text, (unsigned long long)op->value, (unsigned long long)range.least,
                     (unsigned long long)range.most);
        return 0;
    }
    spell_range(range, legal, sizeof legal);
    ptx_complain(r, RULE_PTX_OPERAND_RANGE, at, "operand %u of '%.100s' is %lld, must be %s",
                 number, opcode->text, (long long)op->value, legal);
    return 0;
}

void ptx_refuse_count(struct reader *r, const struct ptx_opcode *opcode, unsigned least,
                      unsigned most, struct place at) {
    char takes[32];
    if (least == most)
        snprintf(takes, sizeof takes, "%u operand%s", least, least == 1 ? "" : "s");
    else
        snprintf(takes, sizeof takes, "%u to %u operands", least, most);
    ptx_complain(r, RULE_PTX_OPERAND_COUNT, at, "'%.140s' takes %s, but %u %s given", opcode->text,
                 takes, (unsigned)r->pieces.n, r->pieces.n == 1 ? "is" : "are");
}
