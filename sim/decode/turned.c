/* Sums, products, minima and maxima of f64 whose operands the assembler turns round. A result that
 * is NaN has the payload of one operand, and num/fma.c prefers the second one of a sum or product.
 * So the order decides where both are NaN. The order was read from machine code of the assembler of
 * CUDA 13.0 (lab/contract/README.md). */
#include "contract_open.h"

#include "uses.h"

/* Where machine code has a value, by the instruction that makes it. One instruction makes it, or
 * several do. Values that are chosen or made in halves follow, and constants are last. The last
 * ones of several come first. Chosen ones have the order of the text. */
enum { OF_ONE, OF_SEVERAL, OF_HALVES, CONSTANT };

struct rank {
    unsigned kind;
    uint32_t at;
};

/* The register whose value the instruction hands on. The assembler has neg and abs as signs of the
 * operand. */
static const struct ptx_operand *handed_on(struct contract *contract, uint32_t at,
                                           const struct contract_copies *copies) {
    int negates;
    const struct run_build *build = contract->build;
    const struct scalar_meaning *meaning = build_meaning(build, at);
    const struct ptx_operand *operands = contract_operands(build, at);
    if (meaning && meaning->method == SCALAR_METHOD_ABS_FLOAT &&
        &isa_scalar_types[meaning->type[0]] == copies->type &&
        build->source->code[at].guard == PTX_NO_GUARD && operands[1].kind == PTX_OP_REGISTER)
        return &operands[1];
    return contract_copied(contract, at, copies, &negates);
}

/* Machine code has a quick way and a slow way to such a result, and they meet. Other roundings than
 * to nearest are a call. */
static int has_two_ways(const struct run_build *build, uint32_t at,
                        const struct scalar_meaning *meaning) {
    return meaning->kind == SCALAR_COMPUTES && contract_has_blocks(build, at, meaning) &&
           (meaning->rounding == SCALAR_RN || meaning->method == SCALAR_METHOD_RSQRT);
}

static int is_in_halves(const struct scalar_meaning *meaning) {
    const int ftz = meaning->ftz;
    int halves = 0;
    if (isa_scalar_types[meaning->type[0]].bits != 64)
        return 0;
#define HALVES(name, condition) halves |= meaning->method == SCALAR_METHOD_##name && (condition);
#include "../isa/assembler.def"
    return halves;
}

/* Whether every value of the register comes past the last write before the instruction, and that
 * write chooses by its guard. */
static int is_chosen(struct contract *contract, uint32_t reg, uint32_t at) {
    enum { WRITES_MOST = 16 };
    struct places *places = &contract->places;
    const struct run_build *build = contract->build;
    const uint32_t first = places->first[reg];
    uint32_t last = place_from(places, reg, at);
    while (last > first && !(places->what[last - 1] & USES_WRITE))
        last--;
    if (last == first || writes_of(places, reg) > WRITES_MOST)
        return 0;
    last = places->at[last - 1];
    if (build->source->code[last].guard == PTX_NO_GUARD || contract_ends_block(build, last))
        return 0;
    for (uint32_t i = first; i < places->first[reg + 1]; i++)
        if (places->what[i] & USES_WRITE && places->at[i] != last &&
            places_path(places, build, places->at[i], at, last))
            return 0;
    return 1;
}

static struct rank rank_of(struct contract *contract, uint32_t at, uint32_t reg,
                           const struct contract_copies *copies) {
    enum { CHAIN = 8 };
    const struct run_build *build = contract->build;
    const struct scalar_meaning *meaning;
    const struct ptx_operand *from = NULL;
    uint32_t write = contract_write(contract, reg, at);
    for (unsigned i = 0; write && i < CHAIN; i++) {
        from = handed_on(contract, write - 1, copies);
        if (!from)
            break;
        reg = from->index;
        at = write - 1;
        write = contract_write(contract, reg, at);
    }
    meaning = write ? build_meaning(build, write - 1) : NULL;
    if ((meaning && is_in_halves(meaning)) || is_chosen(contract, reg, at))
        return (struct rank){OF_HALVES, 0};
    if (write && !(meaning && has_two_ways(build, write - 1, meaning)))
        return (struct rank){OF_ONE, write};
    if (!write)
        write = places_earliest(&contract->places, contract->build, reg, at);
    return (struct rank){OF_SEVERAL, UINT32_MAX - write};
}

static int is_turnable(const struct run_build *build, uint32_t at) {
    const struct scalar_meaning *meaning = build_meaning(build, at);
    const struct ptx_operand *operands = contract_operands(build, at);
    return meaning && meaning->types == 1 &&
           isa_scalar_types[meaning->type[0]].format == FORMAT_F64 &&
           (meaning->method == SCALAR_METHOD_ADD_FLOAT ||
            meaning->method == SCALAR_METHOD_SUB_FLOAT ||
            meaning->method == SCALAR_METHOD_MUL_FLOAT || meaning->method == SCALAR_METHOD_FMA ||
            meaning->method == SCALAR_METHOD_MIN_FLOAT ||
            meaning->method == SCALAR_METHOD_MAX_FLOAT) &&
           operands[0].kind == PTX_OP_REGISTER && operands[1].kind == PTX_OP_REGISTER &&
           operands[2].kind == PTX_OP_REGISTER && operands[1].index != operands[2].index;
}

void turned_find(struct contract *contract) {
    struct run_build *build = contract->build;
    for (uint32_t i = 0; i < build->source->n_code; i++) {
        struct rank rank[2];
        if (!is_turnable(build, i))
            continue;
        for (unsigned o = 0; o < 2; o++) {
            const struct contract_copies copies = contract_copies_of(build_meaning(build, i));
            const struct ptx_operand *operand = &contract_operands(build, i)[1 + o];
            rank[o] = contract_is_held(contract, i, operand)
                          ? (struct rank){CONSTANT, 0}
                          : rank_of(contract, i, operand->index, &copies);
        }
        if (rank[0].kind != rank[1].kind ? rank[0].kind > rank[1].kind : rank[0].at > rank[1].at)
            build->sums[i] |= OPERANDS_TURNED;
    }
}
