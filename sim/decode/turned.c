/* Sums, products, minima and maxima of f64 whose operands the assembler turns round. A result that
 * is NaN has the payload of one operand, and num/fma.c prefers the second one of a sum or product.
 * So the order decides where both are NaN. The order was read from machine code of the assembler of
 * CUDA 13.0 (lab/contract/README.md). */
#include "contract_open.h"

/* Where machine code has a value, by the instruction that makes it: values of one instruction,
 * those that several instructions make, and constants. The last ones of several come first. */
enum { OF_ONE, OF_SEVERAL, CONSTANT };

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

static struct rank rank_of(struct contract *contract, uint32_t at, uint32_t reg,
                           const struct contract_copies *copies) {
    enum { CHAIN = 8 };
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
    if (write)
        return (struct rank){OF_ONE, write};
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
            rank[o] = contract_is_constant(contract, i, operand)
                          ? (struct rank){CONSTANT, 0}
                          : rank_of(contract, i, operand->index, &copies);
        }
        if (rank[0].kind != rank[1].kind ? rank[0].kind > rank[1].kind : rank[0].at > rank[1].at)
            build->sums[i] |= OPERANDS_TURNED;
    }
}
