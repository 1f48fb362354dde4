/* Products and sums without a rounding modifier that the assembler fuses. Which ones was read from
 * machine code of the assembler of CUDA 13.0 (lab/contract/README.md). The last steps of
 * div.approx, div.full and rcp.approx are such products. Some cases are not modelled, and such
 * pairs stay two operations: mov, neg or abs between the two, and unrolled loops. So do two factors
 * that are both written before the sum, and a quotient that is scaled with another .ftz. */
#include "contract_matrix.h"

#include "../isa/scalar.h"
#include "../num/real.h"
#include "live.h"
#include "places.h"
#include "uses.h"

#include <stdio.h>
#include <stdlib.h>

/* A product that can be fused: both factors are as they were at every sum, or it keeps one of them
 * in its register. It stays where a dead instruction or an mma reads it. */
enum { NO_PRODUCT, PRODUCT, PRODUCT_KEEPS_FIRST, PRODUCT_KEEPS_SECOND, PRODUCT_STAYS };

enum {
#define SCALE(name, bits) SCALE_##name = (bits),
#include "../isa/assembler.def"
};

/* d, a, b, and no rounding modifier. */
static int is_free(const struct run_build *build, uint32_t at) {
    const struct scalar_meaning *meaning = build_meaning(build, at);
    return meaning && build->source->code[at].count == 3 && meaning->types == 1 &&
           meaning->rounding == SCALAR_NO_ROUNDING &&
           (meaning->method == SCALAR_METHOD_MUL_FLOAT ||
            meaning->method == SCALAR_METHOD_ADD_FLOAT ||
            meaning->method == SCALAR_METHOD_SUB_FLOAT) &&
           contract_operands(build, at)[0].kind == PTX_OP_REGISTER;
}

/* div.approx and div.full end with a product in machine code. */
static int is_quotient(const struct run_build *build, uint32_t at) {
    const struct scalar_meaning *meaning = build_meaning(build, at);
    return meaning && meaning->method == SCALAR_METHOD_DIV_FLOAT &&
           meaning->approx != SCALAR_EXACT && build->source->code[at].count == 3 &&
           contract_operands(build, at)[0].kind == PTX_OP_REGISTER;
}

/* rcp.approx ends with a product too: it is div.full of 1. With .ftz it is one step of the unit. */
static int is_inverse(const struct run_build *build, uint32_t at) {
    const struct scalar_meaning *meaning = build_meaning(build, at);
    return meaning && meaning->method == SCALAR_METHOD_RCP && meaning->approx == SCALAR_APPROX &&
           !meaning->ftz && isa_scalar_types[meaning->type[0]].format == FORMAT_F32 &&
           build->source->code[at].count == 2 &&
           contract_operands(build, at)[0].kind == PTX_OP_REGISTER;
}

static struct ptx_operand f32_operand(uint32_t bits) {
    return (struct ptx_operand){.kind = PTX_OP_F32, .value = bits};
}

/* Factor 1 or 2 of a product. */
struct ptx_operand contract_factor(const struct run_build *build, uint32_t at, unsigned factor) {
    const struct ptx_operand *operands = contract_operands(build, at);
    if (is_inverse(build, at))
        return factor == 1 ? f32_operand(SCALE_ONE) : operands[1];
    if (factor == 2 && build->reciprocal[at])
        return f32_operand(build->reciprocal[at]);
    if (factor == 2 && build->inverse[at])
        return contract_inverse(build, at);
    return operands[factor];
}

/* Whether the division before a product by a power of two or a sum stays a division. */
static int is_divided(const struct run_build *build, uint32_t at) {
    return is_inverse(build, at) ||
           (is_quotient(build, at) && !build->reciprocal[at] && !build->inverse[at]);
}

static int is_register(const struct ptx_operand *operand, uint32_t reg) {
    return operand->kind == PTX_OP_REGISTER && operand->index == reg;
}

static int is_value(const struct ptx_operand *operand) {
    return operand->kind == PTX_OP_REGISTER || operand->kind == PTX_OP_F32 ||
           operand->kind == PTX_OP_F64 || operand->kind == PTX_OP_INTEGER;
}

/* Whether the product that `reg` holds can be part of the instruction: `anywhere` or in one block.
 */
static int takes(const struct contract *contract, uint32_t product, uint32_t at, uint32_t reg,
                 int anywhere) {
    const struct run_build *build = contract->build;
    const struct scalar_meaning *mul = build_meaning(build, product);
    const struct scalar_meaning *sum = build_meaning(build, at);
    const struct ptx_operand *operands = contract_operands(build, at);
    const int together = contract->block[at] == contract->block[product];
    if (!sum)
        return !is_divided(build, product) &&
               matrix_takes(contract, mul, at, reg, anywhere, together && at > product);
    return (together ? at > product : anywhere) && is_free(build, at) &&
           sum->method != SCALAR_METHOD_MUL_FLOAT && sum->type[0] == mul->type[0] &&
           sum->ftz == mul->ftz && build->source->code[at].guard != reg &&
           is_register(&operands[1], reg) + is_register(&operands[2], reg) == 1 &&
           is_value(&operands[1]) && is_value(&operands[2]);
}

/* Whether the assembler has an operand in its instruction: a number, or what stands at a fixed
 * place of the parameters or of constant memory. */
static int is_constant(struct contract *contract, uint32_t at, const struct ptx_operand *operand) {
    enum { CHAIN = 16 };
    const struct run_build *build = contract->build;
    for (unsigned i = 0; i < CHAIN && operand->kind == PTX_OP_REGISTER; i++) {
        const uint32_t write = contract_write(contract, operand->index, at);
        const struct scalar_meaning *meaning = write ? build_meaning(build, write - 1) : NULL;
        if (!meaning || build->source->code[write - 1].guard != PTX_NO_GUARD)
            return 0;
        at = write - 1;
        operand = &contract_operands(build, at)[1];
        if (meaning->method == SCALAR_METHOD_LD) {
            if (!(meaning->space == SCALAR_PARAM && build->source->is_entry) &&
                meaning->space != SCALAR_CONST)
                return 0;
            operand = &build->source->operands[operand->first];
        } else if (meaning->method != SCALAR_METHOD_MOVE &&
                   meaning->method != SCALAR_METHOD_NEG_FLOAT)
            return 0;
    }
    return is_value(operand) ? operand->kind != PTX_OP_REGISTER
                             : operand->kind == PTX_OP_PARAM || operand->kind == PTX_OP_VARIABLE;
}

/* The reciprocal of a number that is a divisor, of 2^-126 to 2^126; others are scaled first. */
static uint32_t reciprocal_of(struct contract *contract, uint32_t at) {
    static const struct real_mode nearest;
    const struct ptx_operand *number;
    uint32_t exponent;
    if (!is_quotient(contract->build, at))
        return 0;
    number = contract_number(contract, at, &contract_operands(contract->build, at)[2]);
    exponent = number ? (uint32_t)number->value >> 23 & 0xFF : 0;
    if (exponent < 1 || exponent > 252)
        return 0;
    return (uint32_t)real_rcp(&isa_formats[FORMAT_F32], &nearest, (uint32_t)number->value);
}

/* The power of two of a product by 2, 4, 8 or one of their reciprocals, or of a quotient. 0: it is
 * another instruction. *reg: the register that it scales. */
static uint32_t scale_of(struct contract *contract, uint32_t at, uint32_t *reg) {
    const struct run_build *build = contract->build;
    const struct scalar_meaning *meaning = build_meaning(build, at);
    const struct ptx_operand *operands = contract_operands(build, at), *scaled = NULL;
    uint32_t scale = build->reciprocal[at];
    if (scale)
        scaled = &operands[1];
    else if (meaning && meaning->method == SCALAR_METHOD_MUL_FLOAT && meaning->types == 1 &&
             isa_scalar_types[meaning->type[0]].format == FORMAT_F32 &&
             meaning->rounding <= SCALAR_RN && build->source->code[at].count == 3)
        for (unsigned i = 1; i < 3 && !scaled; i++) {
            const struct ptx_operand *number = contract_number(contract, at, &operands[i]);
            scale = number ? (uint32_t)number->value : 0;
            scaled = number ? &operands[3 - i] : NULL;
        }
    if (!scaled || scaled->kind != PTX_OP_REGISTER || scale & 0x807FFFFF || scale < SCALE_LEAST ||
        scale > SCALE_MOST || scale == SCALE_ONE)
        return 0;
    *reg = scaled->index;
    return scale;
}

/* The factors, 1 and 2, of a product that are the same at its use. */
static unsigned kept_of(struct contract *contract, uint32_t at, uint32_t use) {
    unsigned kept = 0;
    for (unsigned f = 1; f < 3; f++) {
        const struct ptx_operand factor = contract_factor(contract->build, at, f);
        kept |= contract_is_kept(contract, &factor, at, use) ? f : 0;
    }
    return kept;
}

/* Whether the result of a product takes the place of a factor. */
static int is_over_factor(const struct run_build *build, uint32_t at) {
    const struct ptx_operand first = contract_factor(build, at, 1),
                             second = contract_factor(build, at, 2);
    const uint32_t reg = contract_operands(build, at)->index;
    return is_register(&first, reg) || is_register(&second, reg);
}

/* The enum of a product, of whose factors those of `kept` are the same at every use. */
static int keeper(const struct run_build *build, uint32_t at, unsigned kept) {
    const struct ptx_operand first = contract_factor(build, at, 1),
                             second = contract_factor(build, at, 2);
    if (!kept)
        return first.kind == PTX_OP_REGISTER && is_register(&second, first.index)
                   ? PRODUCT_KEEPS_FIRST
                   : NO_PRODUCT;
    return kept == 3 ? PRODUCT : kept == 2 ? PRODUCT_KEEPS_FIRST : PRODUCT_KEEPS_SECOND;
}

/* Whether every use of the product is a sum that takes it, or dead. *kept: the factors that are
 * the same at all of them, 1 and 2. *dead: whether some use is dead. *added: whether an mma takes
 * it, which reads copies of the factors. */
static int is_taken(struct contract *contract, uint32_t at, int anywhere, unsigned *kept, int *dead,
                    int *added) {
    struct places *places = &contract->places;
    const uint32_t reg = contract_operands(contract->build, at)->index;
    const uint32_t write = place_from(places, reg, at);
    uint32_t uses = 0;
    places_follow(places, contract->build, reg);
    if (places->shared[write])
        return 0;
    for (uint32_t i = places->first[reg]; i < places->first[reg + 1]; i++) {
        const uint32_t use = places->at[i];
        if (places->source[i] != write + 1)
            continue;
        if (contract_is_dead(contract, use)) {
            *dead = 1;
            continue;
        }
        if ((places->what[i] != USES_READ &&
             (places->what[i] & USES_LASTING ||
              contract->build->source->code[use].guard != PTX_NO_GUARD)) ||
            !takes(contract, at, use, reg, anywhere))
            return 0;
        if (!build_meaning(contract->build, use))
            *added = 1;
        else
            *kept &= kept_of(contract, at, use);
        uses++;
    }
    if (*added)
        return *kept == 3;
    return uses && ((*kept == 3 && !*dead) || !is_over_factor(contract->build, at));
}

static int is_product(struct contract *contract, uint32_t at) {
    const struct run_build *build = contract->build;
    const struct scalar_meaning *meaning = build_meaning(build, at);
    const struct ptx_operand *operands = contract_operands(build, at);
    unsigned kept = 3;
    int anywhere, dead = 0, added = 0;
    if (build->source->code[at].guard != PTX_NO_GUARD)
        return NO_PRODUCT;
    if (is_inverse(build, at))
        anywhere = 0;
    else if (is_quotient(build, at))
        anywhere = build->reciprocal[at] || (meaning->approx == SCALAR_APPROX && meaning->ftz &&
                                             is_constant(contract, at, &operands[1]));
    else if (!is_free(build, at) || meaning->method != SCALAR_METHOD_MUL_FLOAT || meaning->sat)
        return NO_PRODUCT;
    else
        anywhere =
            is_constant(contract, at, &operands[1]) || is_constant(contract, at, &operands[2]);
    if ((is_inverse(build, at) && contract_number(contract, at, &operands[1])) ||
        !is_taken(contract, at, anywhere, &kept, &dead, &added))
        return NO_PRODUCT;
    if (dead || added)
        return kept == 3 ? PRODUCT_STAYS : NO_PRODUCT;
    return keeper(build, at, kept);
}

/* The product in an operand of a sum, + 1. 0: no product that can be fused. */
static uint32_t product_of(struct contract *contract, uint32_t sum,
                           const struct ptx_operand *operand) {
    const uint32_t write =
        operand->kind == PTX_OP_REGISTER ? contract_write(contract, operand->index, sum) : 0;
    return write && contract->product[write - 1] ? write : 0;
}

static int is_sum(struct contract *contract, uint32_t at) {
    return is_free(contract->build, at) &&
           build_meaning(contract->build, at)->method != SCALAR_METHOD_MUL_FLOAT &&
           !contract_is_dead(contract, at);
}

/* The products that an mma adds. */
static void choose_added(struct contract *contract, uint32_t mma) {
    struct run_build *build = contract->build;
    const struct ptx_operand *operands = contract_operands(build, mma), *c;
    int blocks;
    if (!matrix_adds(contract, mma, &blocks) || build->source->code[mma].count <= MATRIX_C)
        return;
    c = &build->source->operands[operands[MATRIX_C].first];
    for (uint32_t i = 0; operands[MATRIX_C].kind == PTX_OP_VECTOR && i < operands[MATRIX_C].count;
         i++) {
        const uint32_t product = product_of(contract, mma, &c[i]);
        if (!product)
            continue;
        build->program->contractible++;
        if (build->module->flags & WSIM_MODULE_NO_CONTRACT)
            continue;
        build->addend[operands[MATRIX_C].first + i] = product;
        build->copies[2 * (product - 1)] = COPIES_WANTED;
    }
}

/* If a sum has two products, the first one is fused and the second one stays whole. */
static void choose(struct contract *contract) {
    struct run_build *build = contract->build;
    for (uint32_t i = 0; i < build->source->n_code; i++) {
        const struct ptx_operand *operands = contract_operands(build, i);
        if (is_sum(contract, i) && product_of(contract, i, &operands[1]) &&
            product_of(contract, i, &operands[2]))
            contract->product[product_of(contract, i, &operands[2]) - 1] = 0;
    }
    for (uint32_t i = 0; i < build->source->n_code; i++) {
        const struct ptx_operand *operands = contract_operands(build, i);
        uint32_t product = 0;
        choose_added(contract, i);
        if (is_sum(contract, i)) {
            product = product_of(contract, i, &operands[1]);
            product = product ? product : product_of(contract, i, &operands[2]);
        }
        if (!product)
            continue;
        build->program->contractible++;
        if (!(build->module->flags & WSIM_MODULE_NO_CONTRACT)) {
            build->fused_with[i] = product;
            if (contract->product[product - 1] != PRODUCT_STAYS)
                build->fused_with[product - 1] =
                    CONTRACT_GONE - contract->product[product - 1] + PRODUCT;
        }
    }
}

/* Whether the product at `at` can be scaled by its use. */
static int is_scalable(struct contract *contract, uint32_t at, uint32_t use) {
    const struct run_build *build = contract->build;
    const struct scalar_meaning *meaning = build_meaning(build, at);
    const struct ptx_operand first = contract_factor(build, at, 1),
                             second = contract_factor(build, at, 2);
    if (!meaning || build->source->code[at].guard != PTX_NO_GUARD || build->fused_with[at] ||
        !is_value(&first) || !is_value(&second))
        return 0;
    if (is_divided(build, at))
        return meaning->ftz == build_meaning(build, use)->ftz &&
               !(is_inverse(build, at) &&
                 contract_number(contract, at, &contract_operands(build, at)[1]));
    return is_quotient(build, at) ||
           (is_free(build, at) && meaning->method == SCALAR_METHOD_MUL_FLOAT &&
            isa_scalar_types[meaning->type[0]].format == FORMAT_F32 && !meaning->sat);
}

/* A product and its product by a power of two become one, which is rounded once, unless the second
 * one is part of a sum. */
static void choose_scaled(struct contract *contract) {
    struct run_build *build = contract->build;
    for (uint32_t i = 0; i < build->source->n_code; i++) {
        uint32_t reg = 0, product;
        const uint32_t scale = scale_of(contract, i, &reg);
        unsigned kept;
        int dead, keeps;
        if (!scale || contract->product[i])
            continue;
        product = contract_write(contract, reg, i);
        if (!product-- || !is_scalable(contract, product, i) ||
            !contract_used_once(contract, product, reg, &dead))
            continue;
        kept = kept_of(contract, product, i);
        keeps = dead && kept == 3 ? PRODUCT_STAYS : keeper(build, product, kept);
        if (keeps == NO_PRODUCT || ((dead || kept != 3) && is_over_factor(build, product)) ||
            (dead && kept != 3))
            continue;
        build->program->contractible++;
        if (!(build->module->flags & WSIM_MODULE_NO_CONTRACT)) {
            build->fused_with[i] = product + 1;
            build->reciprocal[i] = scale;
            if (keeps != PRODUCT_STAYS)
                build->fused_with[product] = CONTRACT_GONE - (uint32_t)keeps + PRODUCT;
        }
    }
}

/* Whether the guard of an instruction ends a block in machine code. */
static int ends_block(const struct run_build *build, uint32_t at,
                      const struct scalar_meaning *meaning) {
    const unsigned kind = meaning ? meaning->kind : SCALAR_WAITS;
    const unsigned method = meaning ? meaning->method : 0;
    int stays = 0;
#define STAYS(condition) stays |= (condition);
#include "../isa/assembler.def"
    return build->source->code[at].guard != PTX_NO_GUARD && !stays;
}

static void number_blocks(struct contract *contract) {
    const struct run_build *build = contract->build;
    uint32_t block = 0;
    for (uint32_t i = 0; i < build->source->n_code; i++) {
        const struct scalar_meaning *meaning = build_meaning(build, i);
        int blocks;
        block += build->leads[i];
        contract->block[i] = block;
        matrix_adds(contract, i, &blocks);
        block += blocks || (meaning && contract_has_blocks(build, i, meaning)) ||
                 ends_block(build, i, meaning);
    }
}

int contract_find(struct run_build *build) {
    struct contract contract = {.build = build, .arch = wsim_arch_find(build->ptx->target)};
    uint32_t n = build->source->n_code;
    int found;
    build->fused_with = calloc(n + 1u, sizeof *build->fused_with);
    build->reciprocal = calloc(n + 1u, sizeof *build->reciprocal);
    build->inverse = calloc(n + 1u, sizeof *build->inverse);
    build->addend = calloc(build->source->n_operands + 1u, sizeof *build->addend);
    build->copies = calloc(2 * (n + 1u), sizeof *build->copies);
    contract.block = calloc(n + 1u, sizeof *contract.block);
    contract.product = calloc(n + 1u, 1);
    contract.dead = calloc(n + 1u, 1);
    found = build->fused_with && build->reciprocal && build->inverse && build->addend &&
            build->copies && contract.block && contract.product && contract.dead &&
            places_find(build, &contract.places);
    if (found && !build->source->debug) {
        number_blocks(&contract);
        for (uint32_t i = 0; i < n && !(build->module->flags & WSIM_MODULE_NO_CONTRACT); i++)
            build->reciprocal[i] = reciprocal_of(&contract, i);
        inverse_find(&contract);
        for (uint32_t i = 0; i < n; i++)
            contract.product[i] = (uint8_t)is_product(&contract, i);
        choose(&contract);
        choose_scaled(&contract);
    }
    places_free(&contract.places);
    free(contract.block);
    free(contract.product);
    free(contract.dead);
    return found;
}

/* --- a sum with a product --- */

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

/* An operation in front takes *operand with the opposite sign; *operand becomes its result. */
static enum wsim_status negate(struct run_plan *plan, const struct isa_scalar_type *type,
                               struct ptx_operand *operand) {
    const struct ptx_operand of[3] = {
        {.kind = PLAN_GIVEN}, *operand, {.kind = PTX_OP_INTEGER, .value = signs_of(type)}};
    enum wsim_status status = plan_scratch(plan, type->bits, &plan->given);
    struct run_plan front = *plan;
    char spelling[16];
    if (status)
        return status;
    front.op = plan_before(plan);
    if (!front.op)
        return out_of_memory(plan);
    front.op->guard = RUN_ALWAYS;
    snprintf(spelling, sizeof spelling, "xor.b%u", (unsigned)type->bits);
    *operand = of[0];
    return plan_as(&front, spelling, of, 3);
}

unsigned contract_keeps(const struct run_build *build, uint32_t product) {
    uint32_t fused = CONTRACT_GONE - build->fused_with[product];
    return fused < 3 ? fused : 0;
}

/* Rows for copies of both factors, once. 0: no memory. */
static int make_copies(struct run_build *build, uint32_t product) {
    uint32_t *copies = &build->copies[2 * product];
    if (copies[0] != COPIES_WANTED)
        return 1;
    copies[0] = build_row(build, 32);
    copies[1] = build_row(build, 32);
    return copies[0] && copies[1];
}

enum wsim_status contract_plan_copies(struct run_plan *plan) {
    struct run_build *build = plan->build;
    const uint32_t at = (uint32_t)(plan->instruction - plan->function->code);
    enum wsim_status status = WSIM_OK;
    if (!build->copies[2 * at])
        return WSIM_OK;
    if (!make_copies(build, at))
        return out_of_memory(plan);
    for (unsigned f = 0; f < 2 && !status; f++) {
        const struct ptx_operand operands[2] = {{.kind = PLAN_GIVEN},
                                                contract_factor(build, at, f + 1)};
        struct run_plan front = *plan;
        front.given = (struct run_row){.at = build->copies[2 * at + f], .bits = 32};
        front.op = plan_before(plan);
        if (!front.op)
            return out_of_memory(plan);
        front.op->guard = RUN_ALWAYS;
        status = plan_as(&front, "mov.b32", operands, 2);
    }
    return status;
}

enum wsim_status contract_added(struct run_plan *plan, const struct ptx_operand *part,
                                uint32_t factors[2]) {
    struct run_build *build = plan->build;
    const uint32_t product = build->addend[part - plan->function->operands];
    factors[0] = factors[1] = 0;
    if (!product)
        return WSIM_OK;
    if (!make_copies(build, product - 1))
        return out_of_memory(plan);
    factors[0] = build->copies[2 * (product - 1)];
    factors[1] = build->copies[2 * (product - 1) + 1];
    return WSIM_OK;
}

enum wsim_status contract_plan_kept(struct run_plan *plan, unsigned factor) {
    const uint32_t at = (uint32_t)(plan->instruction - plan->function->code);
    const struct ptx_operand operands[2] = {plan->operands[0],
                                            contract_factor(plan->build, at, factor)};
    char spelling[16];
    snprintf(spelling, sizeof spelling, "mov.b%u",
             (unsigned)isa_scalar_types[plan->meaning.type[0]].bits);
    return plan_as(plan, spelling, operands, 2);
}

enum wsim_status contract_plan_quotient(struct run_plan *plan) {
    const uint32_t at = (uint32_t)(plan->instruction - plan->function->code);
    const struct ptx_operand operands[3] = {plan->operands[0], plan->operands[1],
                                            contract_factor(plan->build, at, 2)};
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
             is_inverse(build, at) || meaning->approx == SCALAR_FULL ? "full" : "approx",
             meaning->ftz ? ".ftz" : "");
}

enum wsim_status contract_plan(struct run_plan *plan, uint32_t product) {
    const struct run_build *build = plan->build;
    const uint32_t at = (uint32_t)(plan->instruction - plan->function->code);
    const struct isa_scalar_type *type = &isa_scalar_types[plan->meaning.type[0]];
    const struct ptx_operand result = *contract_operands(build, product);
    const int first = is_register(&plan->operands[1], result.index);
    const uint32_t scale = build->reciprocal[at];
    struct ptx_operand operands[4] = {plan->operands[0], contract_factor(build, product, 1),
                                      contract_factor(build, product, 2),
                                      scale ? f32_operand(scale) : plan->operands[first ? 2 : 1]};
    const unsigned kept = contract_keeps(build, product);
    const struct ptx_operand old = operands[kept];
    char spelling[32];
    for (unsigned f = 1; kept && f < 3; f++)
        if (is_register(&operands[f], old.index) && old.kind == PTX_OP_REGISTER)
            operands[f] = result;
    if (!scale && plan->meaning.method == SCALAR_METHOD_SUB_FLOAT) {
        enum wsim_status status = negate(plan, type, &operands[first ? 3 : 1]);
        if (status)
            return status;
    }
    plan->scales = scale != 0;
    if (is_divided(build, product))
        spell_quotient(build, product, spelling);
    else
        snprintf(spelling, sizeof spelling, "%s.rn%s%s.%s", scale ? "mul" : "fma",
                 plan->meaning.ftz ? ".ftz" : "", plan->meaning.sat ? ".sat" : "", type->name);
    return plan_as(plan, spelling, operands, 4);
}
