/* Values of a function and their uses; see contract_open.h. */
#include "contract_open.h"

#include "../isa/scalar.h"
#include "live.h"
#include "uses.h"

enum { UNKNOWN, ALIVE, DEAD };

const struct ptx_operand *contract_operands(const struct run_build *build, uint32_t at) {
    return &build->source->operands[build->source->code[at].first];
}

/* The one instruction whose result a register has at `at`, + 1. 0: none, several, or a caller. */
uint32_t contract_write(struct contract *contract, uint32_t reg, uint32_t at) {
    uint32_t place = place_of_value(&contract->places, contract->build, reg, at);
    return place ? contract->places.at[place - 1] + 1 : 0;
}

/* Whether a factor is the same at the sum as it was at the product. In another block it is, if no
 * path from a write of the factor comes to the sum around the product. */
int contract_is_kept(struct contract *contract, const struct ptx_operand *factor, uint32_t from,
                     uint32_t to) {
    enum { WRITES_MOST = 16 };
    struct places *places = &contract->places;
    const struct run_build *build = contract->build;
    if (factor->kind != PTX_OP_REGISTER)
        return factor->kind != PTX_OP_SPECIAL;
    if (contract->block[from] != contract->block[to]) {
        if (writes_of(places, factor->index) > WRITES_MOST)
            return 0;
        for (uint32_t i = places->first[factor->index]; i < places->first[factor->index + 1]; i++)
            if (places->what[i] & USES_WRITE && places_path(places, build, places->at[i], to, from))
                return 0;
        return 1;
    }
    return places->writes[place_from(places, factor->index, from + 1)] ==
           places->writes[place_from(places, factor->index, to)];
}

/* The number that an operand is, perhaps by way of mov. NULL: none that the text has. */
const struct ptx_operand *contract_number(struct contract *contract, uint32_t at,
                                          const struct ptx_operand *operand) {
    enum { CHAIN = 16 };
    const struct run_build *build = contract->build;
    for (unsigned i = 0; i < CHAIN && operand->kind == PTX_OP_REGISTER; i++) {
        const uint32_t write = contract_write(contract, operand->index, at);
        const struct scalar_meaning *meaning = write ? build_meaning(build, write - 1) : NULL;
        if (!meaning || meaning->method != SCALAR_METHOD_MOVE ||
            build->source->code[write - 1].count != 2 ||
            build->source->code[write - 1].guard != PTX_NO_GUARD)
            return NULL;
        at = write - 1;
        operand = &contract_operands(build, at)[1];
    }
    return operand->kind == PTX_OP_F32 || operand->kind == PTX_OP_INTEGER ? operand : NULL;
}

/* Whether the machine code of an instruction has a call, or more than one block. */
int contract_has_blocks(const struct run_build *build, uint32_t at,
                        const struct scalar_meaning *meaning) {
    const uint32_t count = build->source->code[at].count;
    const int reg = count && contract_operands(build, at)[count - 1].kind == PTX_OP_REGISTER;
    const int exact = meaning->approx == SCALAR_EXACT, ftz = meaning->ftz;
    const unsigned bits = isa_scalar_types[meaning->type[0]].bits;
    const char letter = isa_scalar_types[meaning->type[0]].letter;
    int blocks = 0;
#define BLOCKS(name, condition) blocks |= meaning->method == SCALAR_METHOD_##name && (condition);
#include "../isa/assembler.def"
    return blocks;
}

/* Whether an instruction only makes results that no instruction reads, or that such ones read. The
 * assembler keeps one whose machine code has blocks. */
static int find_dead(struct contract *contract, uint32_t at, unsigned depth) {
    enum { DEPTH_MOST = 32 };
    struct places *places = &contract->places;
    const struct run_uses *uses = &contract->build->uses;
    const struct scalar_meaning *meaning = build_meaning(contract->build, at);
    if (contract->dead[at])
        return contract->dead[at] == DEAD;
    contract->dead[at] = ALIVE; /* also where it reads its own result in a loop */
    if (depth == DEPTH_MOST || live_has_effect(contract->build, at) ||
        contract_has_blocks(contract->build, at, meaning))
        return 0;
    for (uint32_t u = uses->first[at]; u < uses->first[at + 1]; u++) {
        const uint32_t reg = uses->reg[u], write = place_from(places, reg, at);
        if (!(uses->what[u] & USES_WRITE))
            continue;
        places_follow(places, contract->build, reg);
        if (places->shared[write])
            return 0;
        for (uint32_t i = places->first[reg]; i < places->first[reg + 1]; i++)
            if (places->source[i] == write + 1 && !find_dead(contract, places->at[i], depth + 1))
                return 0;
    }
    contract->dead[at] = DEAD;
    return 1;
}

int contract_is_dead(struct contract *contract, uint32_t at) {
    return find_dead(contract, at, 0);
}

/* Whether the value that an instruction writes has one use, in one place, that is not dead. *dead:
 * whether there are others. */
int contract_used_once(struct contract *contract, uint32_t at, uint32_t reg, int *dead) {
    struct places *places = &contract->places;
    const uint32_t write = place_from(places, reg, at);
    uint32_t uses = 0, all = 0;
    places_follow(places, contract->build, reg);
    for (uint32_t i = places->first[reg]; i < places->first[reg + 1]; i++) {
        all += places->source[i] == write + 1;
        uses += places->source[i] == write + 1 && !contract_is_dead(contract, places->at[i]);
    }
    *dead = all != uses;
    return !places->shared[write] && uses == 1;
}
