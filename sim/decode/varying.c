/* Values that differ among lanes come from the number of the thread, or from memory at addresses
 * that differ. All other instructions pass them on. */
#include "varying.h"

#include "../isa/scalar.h"
#include "uses.h"

#include <stdlib.h>

enum { ROUNDS_MOST = 64 };

/* Special registers that are one value for the block: %ntid, %ctaid ... are rows side by side. */
static int is_of_block(uint32_t special) {
    return special >= PTX_SR_NTID_X && special <= PTX_SR_CLUSTER_NCTARANK;
}

int varying_is_uniform(const struct run_build *build, const uint8_t *varying,
                       const struct ptx_operand *operand) {
    const struct ptx_operand *parts = &build->source->operands[operand->first];
    switch (operand->kind) {
    case PTX_OP_REGISTER:
    case PTX_OP_SUM: return !varying[operand->index];
    case PTX_OP_SPECIAL: return is_of_block(operand->index);
    case PTX_OP_ADDRESS:
    case PTX_OP_VECTOR:
        for (uint32_t i = 0; i < operand->count; i++)
            if (!varying_is_uniform(build, varying, &parts[i]))
                return 0;
        return 1;
    case PTX_OP_PARAM: return build->source->is_entry;
    default: return 1;
    }
}

/* Whether an instruction with equal sources in all lanes has equal results. */
static int is_uniform(const struct run_build *build, uint32_t at, const uint8_t *varying) {
    const struct scalar_meaning *meaning = build_meaning(build, at);
    const struct ptx_instruction *instruction = &build->source->code[at];
    if (!meaning)
        return 0;
    if (meaning->method == SCALAR_METHOD_LD)
        return meaning->space != SCALAR_LOCAL && meaning->space != SCALAR_GENERIC &&
               meaning->order <= SCALAR_WEAK &&
               varying_is_uniform(build, varying, &build->source->operands[instruction->first + 1]);
    if (meaning->kind != SCALAR_COMPUTES && meaning->kind != SCALAR_MOVES &&
        meaning->kind != SCALAR_ADDRESSES)
        return 0;
    for (uint32_t i = 0; i < instruction->count; i++) {
        const struct ptx_operand *operand = &build->source->operands[instruction->first + i];
        if (operand->kind != PTX_OP_REGISTER && !varying_is_uniform(build, varying, operand))
            return 0;
    }
    return 1;
}

/* 1: something new may differ. */
static int look(const struct run_build *build, uint32_t at, uint8_t *varying) {
    const struct run_uses *uses = &build->uses;
    int differs = !is_uniform(build, at, varying), changed = 0;
    for (uint32_t u = uses->first[at]; u < uses->first[at + 1] && !differs; u++)
        differs = uses->what[u] & USES_READ && varying[uses->reg[u]];
    for (uint32_t u = uses->first[at]; u < uses->first[at + 1] && differs; u++)
        if (uses->what[u] & USES_WRITE && !varying[uses->reg[u]])
            changed = varying[uses->reg[u]] = 1;
    return changed;
}

uint8_t *varying_find(const struct run_build *build) {
    const struct ptx_function *source = build->source;
    uint8_t *varying = calloc(source->n_registers + 1u, 1);
    int changed = 1;
    if (!varying)
        return NULL;
    for (uint32_t i = 0; i < source->n_params; i++)
        if (source->params[i].in_register)
            varying[source->params[i].reg] = 1;
    for (unsigned round = 0; changed && round < ROUNDS_MOST; round++) {
        changed = 0;
        for (uint32_t i = 0; i < source->n_code; i++)
            changed |= look(build, i, varying);
    }
    if (changed)
        memset(varying, 1, source->n_registers + 1u);
    return varying;
}
