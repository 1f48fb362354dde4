/* Reciprocals of reciprocals and powers. rcp.approx.ftz, and the divisor of div.approx.ftz, are one
 * step of the unit in machine code, and so are its operands here:
 *
 *     rcp(rcp(x)) is x,       a / rcp(x) is a * x
 *     rcp(ex2(x)) is ex2(-x), a / ex2(x) is a * ex2(-x)   if ex2(x) has no other use
 *
 * Read from machine code of the assembler of CUDA 13.0 (lab/contract/README.md). A mov may
 * stand between. Not modelled: abs of ex2, and rcp of an ex2 that became another one. */
#include "contract_open.h"

#include "../isa/scalar.h"

/* The steps of the unit without scaling. */
static int is_step(const struct scalar_meaning *meaning, enum scalar_method method) {
    return meaning && meaning->method == method && meaning->approx == SCALAR_APPROX &&
           meaning->ftz && isa_scalar_types[meaning->type[0]].format == FORMAT_F32;
}

/* The operand whose reciprocal an instruction takes. NULL: it takes none. */
static const struct ptx_operand *inverted(const struct run_build *build, uint32_t at) {
    const struct scalar_meaning *meaning = build_meaning(build, at);
    const struct ptx_operand *operands = contract_operands(build, at);
    const uint32_t count = build->source->code[at].count;
    if (is_step(meaning, SCALAR_METHOD_RCP) && count == 2)
        return &operands[1];
    if (!is_step(meaning, SCALAR_METHOD_DIV_FLOAT) || count != 3 || build->reciprocal[at])
        return NULL;
    return &operands[2];
}

/* Whether a quotient has one register twice. */
static int is_twice(const struct run_build *build, uint32_t at) {
    const struct ptx_operand *operands = contract_operands(build, at);
    return build->source->code[at].count == 3 && operands[1].kind == PTX_OP_REGISTER &&
           operands[1].index == operands[2].index;
}

/* Whether the instruction `inner` goes into the one that takes the reciprocal of its result. */
static int goes(struct contract *contract, uint32_t inner, uint32_t at) {
    struct run_build *build = contract->build;
    const struct scalar_meaning *meaning = build_meaning(build, inner);
    const struct ptx_operand *operands = contract_operands(build, inner);
    const int is_rcp = is_step(meaning, SCALAR_METHOD_RCP);
    int dead;
    if ((!is_rcp && !is_step(meaning, SCALAR_METHOD_EX2)) || build->inverse[inner] ||
        build->source->code[inner].count != 2 || build->source->code[inner].guard != PTX_NO_GUARD ||
        operands[1].kind != PTX_OP_REGISTER || contract_number(contract, inner, &operands[1]))
        return 0;
    if (!is_twice(build, at) && contract_used_once(contract, inner, operands[0].index, &dead)) {
        build->inverse[inner] = CONTRACT_CHANGED;
        return 1;
    }
    return is_rcp && operands[0].index != operands[1].index &&
           contract_is_kept(contract, &operands[1], inner, at);
}

void inverse_find(struct contract *contract) {
    static const struct contract_copies moves;
    int negative;
    struct run_build *build = contract->build;
    if (build->module->flags & WSIM_MODULE_NO_CONTRACT)
        return;
    for (uint32_t i = 0; i < build->source->n_code; i++) {
        const struct ptx_operand *operand = inverted(build, i);
        const uint32_t inner = operand && operand->kind == PTX_OP_REGISTER
                                   ? contract_source(contract, operand->index, i, &moves, &negative)
                                   : 0;
        if (inner && goes(contract, inner - 1, i))
            build->inverse[i] = inner;
    }
}

struct ptx_operand contract_inverse(const struct run_build *build, uint32_t at) {
    const uint32_t inner = build->inverse[at] - 1;
    if (build->inverse[inner] == CONTRACT_CHANGED)
        return *inverted(build, at);
    return contract_operands(build, inner)[1];
}
