/* Products that an mma adds. Some targets convert fp8 and multiply with a C of zero. They add C
 * behind: machine code has an FADD or HADD2 for each register of C. A product in C is fused with
 * it, as with any other sum. The rows ADDS of assembler.def say which operations that are; source:
 * lab/contract/README.md. */
#include "contract_matrix.h"

#include "../isa/isa.h"
#include "../isa/scalar.h"
#include "../num/num.h"

static const struct ptx_opcode *opcode_of(const struct run_build *build, uint32_t at) {
    return &build->ptx->opcodes[build->source->code[at].opcode];
}

/* Whether machine code has a call or several blocks. */
static int has_parts(const struct wsim_op *op, const struct wsim_arch *arch) {
    const struct wsim_format *a = isa_op_type(op, PLACE_A);
    const unsigned products = isa_form(op)->products, generation = arch->generation;
    const int sparse = isa_form(op)->pattern != PATTERN_NONE;
    const int ordered = op->q[PLACE_SPARSE] == Q_SP_ORDERED, is_xor = op->q[PLACE_BITOP] == Q_XOR;
    int parts = 0;
#define PARTS(condition) parts |= (condition);
#include "../isa/assembler.def"
    return parts;
}

int matrix_adds(const struct contract *contract, uint32_t at, int *blocks) {
    const struct ptx_opcode *opcode = opcode_of(contract->build, at);
    const struct isa_accum *accum;
    const struct wsim_format *type;
    int adds = 0, wide, sparse;
    *blocks = 0;
    if (opcode->kind != PTX_MATRIX || isa_form(&opcode->op)->family != WSIM_MMA || !contract->arch)
        return 0;
    accum = isa_accum(&opcode->op, contract->arch);
    type = isa_op_type(&opcode->op, PLACE_C);
    wide = type == &isa_formats[FORMAT_F32] && isa_op_type(&opcode->op, PLACE_D) == type;
    sparse = isa_form(&opcode->op)->pattern != PATTERN_NONE;
#define ADDS(name, added, parts)                                                                   \
    if (accum && accum->method == METHOD_##name) {                                                 \
        adds = (added);                                                                            \
        *blocks = (parts);                                                                         \
    }
#include "../isa/assembler.def"
    *blocks |= has_parts(&opcode->op, contract->arch);
    *blocks |= adds && contract->build->source->code[at].guard != PTX_NO_GUARD;
    return adds;
}

/* How often an operand names a register. */
static unsigned named_in(const struct run_build *build, const struct ptx_operand *operand,
                         uint32_t reg) {
    const struct ptx_operand *parts = &build->source->operands[operand->first];
    unsigned named = operand->kind == PTX_OP_REGISTER && operand->index == reg;
    for (uint32_t i = 0; operand->kind == PTX_OP_VECTOR && i < operand->count; i++)
        named += parts[i].kind == PTX_OP_REGISTER && parts[i].index == reg;
    return named;
}

int matrix_takes(const struct contract *contract, const struct scalar_meaning *product, uint32_t at,
                 uint32_t reg, int anywhere, int together) {
    const struct run_build *build = contract->build;
    const struct ptx_operand *operands = contract_operands(build, at);
    const struct wsim_format *type;
    int blocks;
    if (!matrix_adds(contract, at, &blocks) || !(anywhere || (together && !blocks)) ||
        build->source->code[at].count <= MATRIX_C || operands[MATRIX_C].kind != PTX_OP_VECTOR ||
        product->ftz)
        return 0;
    for (uint32_t i = 1; i < build->source->code[at].count; i++)
        if (i != MATRIX_C && named_in(build, &operands[i], reg))
            return 0;
    type = isa_op_type(&opcode_of(build, at)->op, PLACE_C);
    return &isa_formats[isa_scalar_types[product->type[0]].format] == type &&
           isa_scalar_types[product->type[0]].bits == 32;
}

struct contract_copies matrix_copies(const struct contract *contract, uint32_t at) {
    const struct ptx_opcode *opcode = opcode_of(contract->build, at);
    const struct wsim_format *type =
        opcode->kind == PTX_MATRIX && isa_form(&opcode->op)->family == WSIM_MMA
            ? isa_op_type(&opcode->op, PLACE_C)
            : NULL;
    const int wide = type == &isa_formats[FORMAT_F32];
    return (struct contract_copies){
        type ? &isa_scalar_types[wide ? SCALAR_TYPE_F32 : SCALAR_TYPE_F16X2] : NULL, 0};
}

uint8_t contract_added_method(const struct run_plan *plan) {
    const struct wsim_arch *arch = wsim_arch_find(plan->build->ptx->target);
    return isa_accum(&plan->opcode->op, arch)->method;
}
