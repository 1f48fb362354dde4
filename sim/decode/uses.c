/* Which registers instructions read and write. */
#include "uses.h"

#include "../isa/isa.h"

#include <stdlib.h>

/* A walk over the operands of one instruction; without `uses` it only counts. */
struct walk {
    const struct run_build *build;
    struct run_uses *uses;
    uint32_t begin, n;
};

/* Each register once for each instruction. */
static void add(struct walk *walk, uint32_t reg, uint8_t what) {
    struct run_uses *uses = walk->uses;
    if (!uses) {
        walk->n++;
        return;
    }
    for (uint32_t i = walk->begin; i < walk->n; i++)
        if (uses->reg[i] == reg) {
            uses->what[i] |= what;
            return;
        }
    uses->reg[walk->n] = reg;
    uses->what[walk->n++] = what;
}

/* Adds an operand and its parts. Every register in brackets is read. */
static void add_operand(struct walk *walk, const struct ptx_operand *operand, uint8_t what) {
    const struct ptx_operand *parts = &walk->build->source->operands[operand->first];
    switch (operand->kind) {
    case PTX_OP_SUM:
    case PTX_OP_REGISTER: add(walk, operand->index, what); break;
    case PTX_OP_ADDRESS: what = USES_READ | (what & USES_LASTING); /* fall through */
    case PTX_OP_VECTOR:
    case PTX_OP_PAIR:
        for (uint32_t i = 0; i < operand->count; i++)
            add_operand(walk, &parts[i], what);
        break;
    default: break;
    }
}

/* Matrix instructions of one warp write their first operand and read the others. All that others
 * name may be both, and those of a warpgroup work in the background. */
static uint8_t use_by_matrix(const struct ptx_opcode *opcode, uint32_t operand, uint8_t guarded) {
    struct wsim_op_info info;
    if (opcode->kind != PTX_MATRIX)
        return USES_READ | USES_WRITE | USES_KEEPS;
    info = wsim_op_describe(&opcode->op);
    if (info.threads > RUN_LANES)
        return USES_READ | USES_WRITE | USES_KEEPS | USES_LASTING;
    switch (info.family) {
    case WSIM_MMA:
    case WSIM_WMMA:
    case WSIM_LDMATRIX:
    case WSIM_MOVMATRIX: return operand ? USES_READ : USES_WRITE | guarded;
    default: return USES_READ | USES_WRITE | USES_KEEPS;
    }
}

/* How many of the operands in front are results. */
static uint32_t results_of(const struct run_build *build, uint32_t opcode) {
    const struct wsim_scalar_info *info = &build->module->infos[opcode];
    uint32_t results = 0, n = 0;
    for (uint32_t i = 0; i < info->operands; i++) {
        n += !info->operand[i].pair;
        if (info->operand[i].result)
            results = n;
    }
    return results;
}

static void add_instruction(struct walk *walk, uint32_t index) {
    const struct ptx_instruction *instruction = &walk->build->source->code[index];
    const struct ptx_opcode *opcode = &walk->build->ptx->opcodes[instruction->opcode];
    const struct ptx_operand *operands = &walk->build->source->operands[instruction->first];
    int is_call = opcode->kind == PTX_SCALAR &&
                  walk->build->module->meanings[instruction->opcode].method == SCALAR_METHOD_CALL;
    uint32_t results = results_of(walk->build, instruction->opcode);
    uint8_t guarded = instruction->guard != PTX_NO_GUARD ? USES_READ | USES_KEEPS : 0;
    walk->begin = walk->n;
    if (guarded)
        add(walk, instruction->guard, USES_READ);
    for (uint32_t i = 0; i < instruction->count; i++) {
        uint8_t what = i < results ? USES_WRITE | guarded : USES_READ;
        if (is_call) /* results are in a list before the function */
            what = i == 0 && operands[0].kind == PTX_OP_VECTOR ? USES_WRITE | USES_READ | USES_KEEPS
                                                               : USES_READ;
        if (opcode->kind != PTX_SCALAR)
            what = use_by_matrix(opcode, i, guarded);
        add_operand(walk, &operands[i], what);
    }
}

void uses_free(struct run_uses *uses) {
    free(uses->first);
    free(uses->reg);
    free(uses->what);
    free(uses->read);
    *uses = (struct run_uses){0};
}

int uses_find(const struct run_build *build, struct run_uses *uses) {
    const struct ptx_function *source = build->source;
    struct walk walk = {.build = build};
    *uses = (struct run_uses){0};
    for (uint32_t i = 0; i < source->n_code; i++)
        add_instruction(&walk, i);
    uses->first = calloc(source->n_code + 1u, sizeof *uses->first);
    uses->reg = calloc(walk.n + 1u, sizeof *uses->reg);
    uses->what = calloc(walk.n + 1u, 1);
    uses->read = calloc(source->n_registers + 1u, 1);
    if (uses->first && uses->reg && uses->what && uses->read) {
        walk.uses = uses;
        walk.n = 0;
        for (uint32_t i = 0; i < source->n_code; i++) {
            uses->first[i] = walk.n;
            add_instruction(&walk, i);
        }
        uses->first[source->n_code] = walk.n;
        for (uint32_t u = 0; u < walk.n; u++)
            uses->read[uses->reg[u]] |= uses->what[u] & USES_READ;
        return 1;
    }
    uses_free(uses);
    return 0;
}
