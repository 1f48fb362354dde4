/* The base of an address in [ ]: registers, and variables of the state space that is accessed. */
#include "shape.h"

static int space_fits(enum scalar_space space, enum ptx_space variable) {
    switch (space) {
    case SCALAR_GENERIC:
        return variable == PTX_GLOBAL || variable == PTX_SHARED || variable == PTX_LOCAL;
    case SCALAR_GLOBAL: return variable == PTX_GLOBAL;
    case SCALAR_SHARED: return variable == PTX_SHARED;
    case SCALAR_LOCAL: return variable == PTX_LOCAL;
    case SCALAR_CONST: return variable == PTX_CONST;
    case SCALAR_PARAM: return variable == PTX_PARAM;
    }
    return 1;
}

static void check_register(struct reader *r, const struct ptx_operand *base, struct ptx_base takes,
                           struct place at) {
    const struct ptx_type *type = &VEC_AT(struct ptx_register, r->registers, base->index)->type;
    if (takes.handle && type->bits != 64)
        ptx_complain(r, RULE_PTX_OPERAND_TYPE, at,
                     "the handle of a texture or surface has 64 bits, not a .%s", type->name);
    if (type->bits < 32 || type->bits > (takes.tensor ? 32 : 64) || type->letter == 'f' ||
        type->letter == 'p')
        ptx_complain(r, RULE_PTX_OPERAND_TYPE, at, "%s, not a .%s",
                     takes.tensor ? "an address of tensor memory is an integer of 32 bits"
                                  : "an address is an integer of 32 or 64 bits",
                     type->name);
    else if (takes.wide && type->bits == 32)
        ptx_complain(r, RULE_PTX_OPERAND_TYPE, at,
                     "an address that is generic or of global memory has 64 bits, not a .%s",
                     type->name);
    else if (takes.bits && type->letter != 'b')
        ptx_complain(r, RULE_PTX_OPERAND_TYPE, at,
                     "an address of tensor memory is a .b32 here, not a .%s", type->name);
}

static int is_memory(const struct ptx_operand *base, struct ptx_base takes) {
    return !takes.tensor && (base->kind == PTX_OP_VARIABLE || base->kind == PTX_OP_PARAM ||
                             base->kind == PTX_OP_RESULT || base->kind == PTX_OP_INTEGER);
}

void ptx_check_base(struct reader *r, const struct ptx_opcode *opcode, unsigned number,
                    const struct ptx_operand *base, struct ptx_base takes, struct place at) {
    const char *is = base->negated ? "a negated register"
                     : base->part  ? "a part of a register"
                                   : ptx_kind_name(base);
    if (base->negated || base->part)
        ptx_complain(r, RULE_PTX_OPERAND_KIND, at,
                     "operand %u of '%.100s' is %s, must be a whole register as an address", number,
                     opcode->text, is);
    else if (base->kind == PTX_OP_REGISTER)
        check_register(r, base, takes, at);
    else if (!is_memory(base, takes))
        ptx_complain(r, RULE_PTX_OPERAND_KIND, at, "operand %u of '%.100s' is %s, must be %s",
                     number, opcode->text, is,
                     takes.tensor ? "a register: an address of tensor memory has no name"
                                  : "the address of memory");
    else if (base->kind == PTX_OP_PARAM && takes.stores)
        ptx_complain(r, RULE_PTX_OPERAND_KIND, at,
                     "operand %u of '%.100s' is a parameter, must be writable memory", number,
                     opcode->text);
    else if (takes.one_space && base->kind != PTX_OP_INTEGER &&
             !space_fits((enum scalar_space)takes.space,
                         base->kind == PTX_OP_VARIABLE
                             ? VEC_AT(struct ptx_variable, r->variables, base->index)->space
                             : PTX_PARAM))
        ptx_complain(r, RULE_PTX_OPERAND_SPACE, at,
                     "'%.100s' does not access the state space of this variable", opcode->text);
}
