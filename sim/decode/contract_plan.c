/* The plans of products, sums and steps that contract.c and inverse.c join. */
#include "contract_open.h"

#include "../isa/scalar.h"

#include <stdio.h>

/* The sign bits of all numbers in a register of that type. */
static uint64_t signs_of(const struct isa_scalar_type *type) {
    uint64_t signs = 0;
    for (unsigned i = 0; i < type->elements; i++)
        signs |= UINT64_C(1) << (i * type->element_bits + type->element_bits - 1);
    return signs;
}

/* Plans `spelling` with other operands than those that are written. */
static enum wsim_status plan_as(struct run_plan *plan, const char *spelling,
                                const struct ptx_operand *operands, uint32_t count) {
    struct wsim_scalar op;
    struct run_plan as = *plan;
    enum wsim_status status = wsim_scalar_parse(spelling, &op, plan->diag);
    if (status)
        return status;
    isa_scalar_meaning(&op, &as.meaning);
    wsim_scalar_info(&op, &as.info);
    if (as.meaning.method == SCALAR_METHOD_DIV_FLOAT)
        as.meaning.sat = plan->meaning.sat; /* of the sum: no division has the word */
    as.operands = operands;
    as.count = count;
    status = plan->build->planners->computes(&as);
    plan->op = as.op;
    return status;
}

static enum wsim_status out_of_memory(struct run_plan *plan) {
    return base_refuse(plan->diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory");
}

static struct ptx_operand row_operand(uint32_t at, unsigned bits) {
    return (struct ptx_operand){.kind = PLAN_ROW, .index = bits, .value = at};
}

/* An operation in front takes *operand with the opposite sign; *operand becomes its result. In
 * machine code the sign belongs to the fused operation, where a NaN of f64 keeps its own as in
 * neg.f64. Other types have one NaN. */
static enum wsim_status negate(struct run_plan *plan, const struct isa_scalar_type *type,
                               struct ptx_operand *operand) {
    struct run_row row;
    enum wsim_status status = plan_scratch(plan, type->bits, &row);
    struct run_plan front = *plan;
    const struct ptx_operand of[3] = {
        row_operand(row.at, row.bits), *operand, {.kind = PTX_OP_INTEGER, .value = signs_of(type)}};
    char spelling[16];
    if (status)
        return status;
    front.op = plan_before(plan);
    if (!front.op)
        return out_of_memory(plan);
    front.op->guard = RUN_ALWAYS;
    snprintf(spelling, sizeof spelling, "xor.b%u", (unsigned)type->bits);
    *operand = of[0];
    if (type->format == FORMAT_F64)
        return plan_as(&front, "neg.f64", of, 2);
    return plan_as(&front, spelling, of, 3);
}

static unsigned bits_of(const struct run_build *build, uint32_t at) {
    return isa_scalar_types[build_meaning(build, at)->type[0]].bits;
}

/* Rows for the copies of a product that are wanted. 0: no memory. */
static int make_copies(struct run_build *build, uint32_t product) {
    for (unsigned f = 0; f < 2; f++) {
        uint32_t *copy = &build->copies[2 * product + f];
        if (*copy == COPIES_WANTED)
            *copy = build_row(build, bits_of(build, product));
        else if (!*copy)
            continue;
        if (!*copy)
            return 0;
    }
    return 1;
}

enum wsim_status contract_plan_copies(struct run_plan *plan) {
    struct run_build *build = plan->build;
    const uint32_t at = (uint32_t)(plan->instruction - plan->function->code);
    enum wsim_status status = WSIM_OK;
    if (!make_copies(build, at))
        return out_of_memory(plan);
    for (unsigned f = 0; f < 2 && !status; f++) {
        const uint32_t copy = build->copies[2 * at + f];
        struct ptx_operand operands[2];
        struct run_plan front;
        char spelling[16];
        if (!copy)
            continue;
        front = *plan;
        operands[0] = row_operand(copy, bits_of(build, at));
        operands[1] = contract_factor(build, at, f + 1);
        front.op = plan_before(plan);
        if (!front.op)
            return out_of_memory(plan);
        front.op->guard = RUN_ALWAYS;
        snprintf(spelling, sizeof spelling, "mov.b%u", bits_of(build, at));
        status = plan_as(&front, spelling, operands, 2);
    }
    return status;
}

enum wsim_status contract_added(struct run_plan *plan, const struct ptx_operand *part,
                                uint32_t factors[2], int *negative) {
    struct run_build *build = plan->build;
    const uint32_t addend = build->addend[part - plan->function->operands];
    const uint32_t product = addend & ~ADDEND_NEGATIVE;
    factors[0] = factors[1] = 0;
    *negative = product != addend;
    if (!product)
        return WSIM_OK;
    if (!make_copies(build, product - 1))
        return out_of_memory(plan);
    factors[0] = build->copies[2 * (product - 1)];
    factors[1] = build->copies[2 * (product - 1) + 1];
    return WSIM_OK;
}

/* A factor of a product where it is part of another instruction: its copy, if it has one. */
static struct ptx_operand read_factor(const struct run_build *build, uint32_t product,
                                      unsigned factor) {
    const uint32_t copy = build->copies[2 * product + factor - 1];
    return copy ? row_operand(copy, bits_of(build, product))
                : contract_factor(build, product, factor);
}

enum wsim_status contract_plan_quotient(struct run_plan *plan) {
    const uint32_t at = (uint32_t)(plan->instruction - plan->function->code);
    const struct ptx_operand operands[3] = {plan->operands[0], plan->operands[1],
                                            contract_factor(plan->build, at, 2)};
    const struct ptx_operand folded[2] = {plan->operands[0],
                                          contract_number_operand(plan->build->reciprocal[at])};
    if (plan->meaning.method != SCALAR_METHOD_DIV_FLOAT)
        return plan_as(plan, "mov.b32", folded, 2);
    return plan_as(plan, plan->meaning.ftz ? "mul.rn.ftz.f32" : "mul.rn.f32", operands, 3);
}

enum wsim_status contract_plan_inverse(struct run_plan *plan) {
    const uint32_t at = (uint32_t)(plan->instruction - plan->function->code);
    const int changes = plan->build->inverse[at] == CONTRACT_CHANGED;
    struct ptx_operand operands[2] = {plan->operands[0], plan->operands[1]};
    if (plan->meaning.method == SCALAR_METHOD_DIV_FLOAT)
        return contract_plan_quotient(plan);
    if (plan->meaning.method == SCALAR_METHOD_EX2) {
        enum wsim_status status =
            negate(plan, &isa_scalar_types[plan->meaning.type[0]], &operands[1]);
        return status ? status : plan_as(plan, "ex2.approx.ftz.f32", operands, 2);
    }
    if (!changes)
        operands[1] = contract_inverse(plan->build, at);
    return plan_as(plan, "mov.b32", operands, 2);
}

/* Writes the spelling of a quotient, whose fourth operand is the addend or the power of two. */
static void spell_quotient(const struct run_build *build, uint32_t at, char spelling[32]) {
    const struct scalar_meaning *meaning = build_meaning(build, at);
    snprintf(spelling, 32, "div.%s%s.f32",
             contract_is_inverse(build, at) || meaning->approx == SCALAR_FULL ? "full" : "approx",
             meaning->ftz ? ".ftz" : "");
}

/* a - b is -b + a then. */
enum wsim_status contract_plan_turned(struct run_plan *plan) {
    static const char *const roundings[] = {
        [SCALAR_NO_ROUNDING] = "rn", [SCALAR_RN] = "rn", [SCALAR_RZ] = "rz",
        [SCALAR_RM] = "rm",          [SCALAR_RP] = "rp",
    };
    const struct ptx_operand *given = plan->operands;
    struct run_plan as = *plan;
    struct ptx_operand operands[4] = {given[0], given[2], given[1]};
    enum wsim_status status;
    if (plan->meaning.method == SCALAR_METHOD_SUB_FLOAT) {
        char spelling[16];
        operands[2] = (struct ptx_operand){.kind = PTX_OP_F64, .value = UINT64_C(0xBFF) << 52};
        operands[3] = given[1];
        snprintf(spelling, sizeof spelling, "fma.%s.f64", roundings[plan->meaning.rounding]);
        return plan_as(plan, spelling, operands, 4);
    }
    if (plan->count == 4)
        operands[3] = given[3];
    as.operands = operands;
    status = plan->build->planners->computes(&as);
    plan->op = as.op;
    return status;
}

enum wsim_status contract_plan(struct run_plan *plan, uint32_t product) {
    struct run_build *build = plan->build;
    const uint32_t at = (uint32_t)(plan->instruction - plan->function->code);
    const struct isa_scalar_type *type = &isa_scalar_types[plan->meaning.type[0]];
    const uint32_t scale = build->reciprocal[at];
    const int second = (build->sums[at] & 3) == 2;
    const int turned = (build->sums[product] & OPERANDS_TURNED) != 0;
    const int is_sub = !scale && plan->meaning.method == SCALAR_METHOD_SUB_FLOAT;
    const int minus = !scale && ((build->sums[at] & SUM_NEGATIVE) != 0) != (is_sub && second);
    struct ptx_operand operands[4] = {plan->operands[0]};
    enum wsim_status status = WSIM_OK;
    char spelling[32];
    if (!make_copies(build, product))
        return out_of_memory(plan);
    operands[1] = read_factor(build, product, turned ? 2 : 1);
    operands[2] = read_factor(build, product, turned ? 1 : 2);
    operands[3] = scale ? contract_number_operand(scale) : plan->operands[second ? 1 : 2];
    if (minus)
        status = negate(plan, type, &operands[1]);
    if (!status && is_sub && !second)
        status = negate(plan, type, &operands[3]);
    if (status)
        return status;
    plan->scales = scale != 0;
    if (contract_is_divided(build, product))
        spell_quotient(build, product, spelling);
    else
        snprintf(spelling, sizeof spelling, "%s.rn%s%s.%s", scale ? "mul" : "fma",
                 plan->meaning.ftz ? ".ftz" : "", plan->meaning.sat ? ".sat" : "", type->name);
    return plan_as(plan, spelling, operands, 4);
}
