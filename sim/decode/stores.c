/* The parameters that addresses of stores come from. An address is a sum of a pointer and of
 * numbers, so each register has the set of all in its value. A number of at most
 * 32 bits that was loaded is no pointer. One of 64 bits, or of several such parts, may be any. */
#include "stores.h"

#include "../isa/scalar.h"
#include "uses.h"

#include <stdlib.h>

#define HALF (UINT64_C(1) << 62) /* a number of at most 32 bits that was loaded */
#define ELSE (UINT64_C(1) << 61) /* an address of shared or local memory        */
#define ANY RUN_STORES_ANY       /* a pointer that was loaded                   */
#define WORDS RUN_STORES_WORDS

enum { ROUNDS_MOST = 64 };

static unsigned bits_of(const struct run_build *build, uint32_t reg) {
    return build->source->registers[reg].type.bits;
}

/* The words of the parameters that a load reads; ANY: of other memory. */
static uint64_t param_words(const struct run_build *build, const struct ptx_operand *address,
                            uint64_t bytes) {
    const struct ptx_operand *base = &build->source->operands[address->first];
    const int is_param = address->count == 1 && base->kind == PTX_OP_PARAM;
    const uint64_t first =
        is_param ? build->source->params[base->index].offset + base->value + address->value : 0;
    uint64_t words = 0;
    if (!is_param || !build->source->is_entry || first >= 8 * WORDS || first + bytes > 8 * WORDS)
        return ANY;
    for (uint64_t word = first / 8; word <= (first + bytes - 1) / 8; word++)
        words |= UINT64_C(1) << word;
    return words;
}

/* Whether a number may be an address, or move a number of 32 bits to the upper half. */
static int is_large(uint64_t value) {
    return value >> 32 && !(value >> 57);
}

/* The set of an operand without its registers. */
static uint64_t named(const struct run_build *build, const struct ptx_operand *operand) {
    const struct ptx_operand *parts = &build->source->operands[operand->first];
    uint64_t set = 0;
    switch (operand->kind) {
    case PTX_OP_VARIABLE:
        switch (build->ptx->variables[operand->index].space) {
        case PTX_GLOBAL: return ANY;
        default: return ELSE;
        }
    case PTX_OP_INTEGER: return is_large(operand->value) ? ANY : 0;
    case PTX_OP_ADDRESS:
    case PTX_OP_VECTOR:
    case PTX_OP_PAIR:
        for (uint32_t i = 0; i < operand->count; i++)
            set |= named(build, &parts[i]);
        return set;
    default: return 0;
    }
}

/* The union of the sets of all sources of an instruction. */
static uint64_t sources_of(const struct run_build *build, uint32_t at, const uint64_t *sets) {
    const struct ptx_instruction *instruction = &build->source->code[at];
    const struct run_uses *uses = &build->uses;
    uint64_t set = 0;
    for (uint32_t u = uses->first[at]; u < uses->first[at + 1]; u++)
        set |= uses->what[u] & USES_READ ? sets[uses->reg[u]] : 0;
    for (uint32_t i = 0; i < instruction->count; i++)
        set |= named(build, &build->source->operands[instruction->first + i]);
    return set;
}

/* Whether halves of a number of 64 bits may become a pointer. */
static int may_join(const struct run_build *build, uint32_t at,
                    const struct scalar_meaning *meaning) {
    const struct ptx_instruction *instruction = &build->source->code[at];
    const struct ptx_operand *operands = &build->source->operands[instruction->first];
    switch (meaning->method) {
    case SCALAR_METHOD_SHL: return operands[2].kind != PTX_OP_INTEGER || operands[2].value >= 32;
    case SCALAR_METHOD_OR:
    case SCALAR_METHOD_XOR: return operands[2].kind != PTX_OP_INTEGER;
    case SCALAR_METHOD_BFI: return 1;
    default: return instruction->count > 1 && operands[1].kind == PTX_OP_VECTOR;
    }
}

/* The set of the results of an instruction, of `bits` each. */
static uint64_t results_of(const struct run_build *build, uint32_t at, const uint64_t *sets,
                           unsigned bits) {
    const struct ptx_instruction *instruction = &build->source->code[at];
    const struct scalar_meaning *meaning = build_meaning(build, at);
    const uint64_t sources = sources_of(build, at, sets);
    if (!meaning)
        return bits > 32 ? ANY : HALF;
    switch (meaning->kind) {
    case SCALAR_COMPUTES:
    case SCALAR_MOVES:
    case SCALAR_ADDRESSES:
    case SCALAR_GATHERS:
        return bits > 32 && (sources & HALF) && may_join(build, at, meaning) ? ANY : sources;
    case SCALAR_ACCESSES:
        if (meaning->method == SCALAR_METHOD_LD && meaning->space == SCALAR_PARAM) {
            const unsigned loaded = isa_scalar_types[meaning->type[0]].bits;
            const uint64_t bytes = (uint64_t)loaded / 8 * (meaning->vector ? meaning->vector : 1);
            const uint64_t words =
                param_words(build, &build->source->operands[instruction->first + 1], bytes);
            if (words != ANY)
                return words | (loaded > 32 ? 0 : HALF);
        }
        break;
    default: break;
    }
    return bits > 32 ? ANY : HALF;
}

/* 1: some set has become larger. */
static int look(const struct run_build *build, uint32_t at, uint64_t *sets) {
    const struct run_uses *uses = &build->uses;
    int changed = 0;
    for (uint32_t u = uses->first[at]; u < uses->first[at + 1]; u++) {
        const unsigned bits = bits_of(build, uses->reg[u]);
        uint64_t *set = &sets[uses->reg[u]], more;
        if (!(uses->what[u] & USES_WRITE) || bits == 1)
            continue;
        more = results_of(build, at, sets, bits) & ~*set;
        *set |= more;
        changed |= more != 0;
    }
    return changed;
}

/* Whether an instruction writes no global memory. */
static int is_harmless(const struct run_build *build, uint32_t at) {
    const struct ptx_opcode *opcode = &build->ptx->opcodes[build->source->code[at].opcode];
    const struct scalar_meaning *meaning = build_meaning(build, at);
    if (!meaning)
        switch (opcode->kind == PTX_MATRIX ? wsim_op_describe(&opcode->op).family : WSIM_FAMILIES) {
        case WSIM_MMA:
        case WSIM_WMMA:
        case WSIM_WMMA_LOAD_A:
        case WSIM_WMMA_LOAD_B:
        case WSIM_WMMA_LOAD_C:
        case WSIM_CP_ASYNC:
        case WSIM_WGMMA:
        case WSIM_WGMMA_FENCE:
        case WSIM_WGMMA_COMMIT:
        case WSIM_WGMMA_WAIT:
        case WSIM_LDMATRIX:
        case WSIM_STMATRIX:
        case WSIM_MOVMATRIX: return 1;
        default: return 0;
        }
    switch (meaning->method) {
    case SCALAR_METHOD_ST:
    case SCALAR_METHOD_ATOM:
    case SCALAR_METHOD_RED:
        return meaning->space != SCALAR_GENERIC && meaning->space != SCALAR_GLOBAL;
    case SCALAR_METHOD_LD:
    case SCALAR_METHOD_TEX:
    case SCALAR_METHOD_TEX_GATHER:
    case SCALAR_METHOD_TEX_QUERY: return 1;
    default: return meaning->kind != SCALAR_ACCESSES;
    }
}

/* The parameters that a store may go to. */
static uint64_t goes_to(const struct run_build *build, uint32_t at, const uint64_t *sets) {
    const struct scalar_meaning *meaning = build_meaning(build, at);
    const struct ptx_instruction *instruction = &build->source->code[at];
    const struct ptx_operand *operands = &build->source->operands[instruction->first];
    const struct ptx_operand *address =
        &operands[meaning && meaning->method == SCALAR_METHOD_ATOM && instruction->count > 1];
    const struct ptx_operand *base;
    uint64_t set;
    if (!meaning || meaning->method == SCALAR_METHOD_CALL || address->kind != PTX_OP_ADDRESS ||
        address->count != 1)
        return ANY;
    base = &build->source->operands[address->first];
    set = named(build, base);
    set |= base->kind == PTX_OP_REGISTER || base->kind == PTX_OP_SUM ? sets[base->index] : 0;
    set &= ~HALF;
    return set ? set & ~ELSE : ANY;
}

int stores_find(const struct run_build *build) {
    const struct ptx_function *source = build->source;
    uint64_t *stores = &build->program->stores;
    uint64_t *sets;
    int changed = 1;
    if (*stores & ANY)
        return 1;
    sets = calloc(source->n_registers + 1u, sizeof *sets);
    if (!sets)
        return 0;
    for (uint32_t i = 0; i < source->n_params; i++)
        if (source->params[i].in_register)
            sets[source->params[i].reg] = ANY;
    for (unsigned round = 0; changed && round < ROUNDS_MOST; round++) {
        changed = 0;
        for (uint32_t i = 0; i < source->n_code; i++)
            changed |= look(build, i, sets);
    }
    for (uint32_t i = 0; i < source->n_code && !(*stores & ANY); i++)
        if (!is_harmless(build, i))
            *stores |= goes_to(build, i, sets);
    if (changed)
        *stores = ANY;
    free(sets);
    return 1;
}
