/* Products and sums without a rounding modifier that the assembler fuses. Which ones was read from
 * machine code of the assembler of CUDA 13.0 (lab/contract/README.md). The last steps of
 * div.approx, div.full and rcp.approx are such products. Unrolled loops are not modelled, so a
 * product of one round and a sum of the next one stay two operations. So does a quotient that is
 * scaled with another .ftz. */
#include "contract_matrix.h"

#include "../isa/scalar.h"
#include "../num/mufu.h"
#include "../num/real.h"
#include "live.h"
#include "places.h"
#include "uses.h"

#include <stdlib.h>

/* A product that can be fused. It stays where a dead instruction or an mma reads it. A factor that
 * is another one at some sum is copied in front of the product. ADDEND: it is one of a sum with
 * another product, and no other sum takes it any more. */
enum {
    NO_PRODUCT,
    PRODUCT,
    PRODUCT_STAYS,
    COPIES_FIRST = 4,
    COPIES_SECOND = 8,
    ADDEND = 16,
    FUSED = 32
};
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
int contract_is_inverse(const struct run_build *build, uint32_t at) {
    const struct scalar_meaning *meaning = build_meaning(build, at);
    return meaning && meaning->method == SCALAR_METHOD_RCP && meaning->approx == SCALAR_APPROX &&
           !meaning->ftz && isa_scalar_types[meaning->type[0]].format == FORMAT_F32 &&
           build->source->code[at].count == 2 &&
           contract_operands(build, at)[0].kind == PTX_OP_REGISTER;
}

struct ptx_operand contract_number_operand(uint32_t bits) {
    return (struct ptx_operand){.kind = PTX_OP_F32, .value = bits};
}

/* Factor 1 or 2 of a product. */
struct ptx_operand contract_factor(const struct run_build *build, uint32_t at, unsigned factor) {
    const struct ptx_operand *operands = contract_operands(build, at);
    if (contract_is_inverse(build, at))
        return factor == 1 ? contract_number_operand(SCALE_ONE) : operands[1];
    if (factor == 2 && build->reciprocal[at])
        return contract_number_operand(build->reciprocal[at]);
    if (factor == 2 && build->inverse[at])
        return contract_inverse(build, at);
    return operands[factor];
}

/* Whether the division before a product by a power of two or a sum stays a division. */
int contract_is_divided(const struct run_build *build, uint32_t at) {
    return contract_is_inverse(build, at) ||
           (is_quotient(build, at) && !build->reciprocal[at] && !build->inverse[at]);
}

static int is_register(const struct ptx_operand *operand, uint32_t reg) {
    return operand->kind == PTX_OP_REGISTER && operand->index == reg;
}

/* Whether the product that `reg` holds can be part of the instruction: `anywhere` or in one block.
 */
static int takes(struct contract *contract, uint32_t product, uint32_t at, uint32_t reg,
                 int anywhere) {
    struct contract_copies copies;
    const struct ptx_operand *other;
    int negative;
    const struct run_build *build = contract->build;
    const struct scalar_meaning *mul = build_meaning(build, product);
    const struct scalar_meaning *sum = build_meaning(build, at);
    const struct ptx_operand *operands = contract_operands(build, at);
    const int together = contract->block[at] == contract->block[product];
    if (!sum)
        return !contract_is_divided(build, product) &&
               matrix_takes(contract, mul, at, reg, anywhere, together && at > product);
    if (!(together ? at > product : anywhere) || !is_free(build, at) ||
        sum->method == SCALAR_METHOD_MUL_FLOAT || sum->type[0] != mul->type[0] ||
        sum->ftz != mul->ftz || build->source->code[at].guard == reg ||
        is_register(&operands[1], reg) + is_register(&operands[2], reg) != 1 ||
        !contract_is_value(&operands[1]) || !contract_is_value(&operands[2]))
        return 0;
    copies = contract_copies_of(sum);
    other = &operands[is_register(&operands[1], reg) ? 2 : 1];
    return other->kind != PTX_OP_REGISTER ||
           contract_source(contract, other->index, at, &copies, &negative) != product + 1;
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

/* The value of an approximate function of a number, which the assembler computes. */
static uint32_t folded_of(struct contract *contract, uint32_t at) {
    const struct scalar_meaning *meaning = build_meaning(contract->build, at);
    const struct ptx_operand *number;
    int function = -1;
    if (!meaning || meaning->approx != SCALAR_APPROX ||
        contract->build->source->code[at].count != 2 ||
        isa_scalar_types[meaning->type[0]].format != FORMAT_F32)
        return 0;
#define UNIT(name, does)                                                                           \
    function = meaning->method == SCALAR_METHOD_##name ? MUFU_##does : function;
#include "../isa/assembler.def"
    number = function < 0
                 ? NULL
                 : contract_number(contract, at, &contract_operands(contract->build, at)[1]);
    return number ? mufu_folded((enum mufu_function)function, meaning->ftz, (uint32_t)number->value)
                  : 0;
}

/* The power of two of a product by 2, 4, 8 or one of their reciprocals, or of a quotient. 0: it is
 * another instruction. *reg: the register that it scales. */
static uint32_t scale_of(struct contract *contract, uint32_t at, uint32_t *reg) {
    const struct run_build *build = contract->build;
    const struct scalar_meaning *meaning = build_meaning(build, at);
    const struct ptx_operand *operands = contract_operands(build, at), *scaled = NULL;
    uint32_t scale = build->reciprocal[at];
    if (scale && is_quotient(build, at))
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

/* Whether every use of a product is a sum that takes it, or dead. */
struct taken {
    uint32_t product, sums;
    int anywhere;
    unsigned kept; /* the factors that are the same at all sums, 1 and 2              */
    int dead;      /* some use is dead                                                */
    int added;     /* an mma takes it, which reads copies of the factors              */
};

static int take_use(struct contract *contract, const struct contract_use *use, void *data) {
    struct taken *taken = data;
    const struct run_build *build = contract->build;
    if (use->is_copy)
        return 1;
    if (contract_is_dead(contract, use->at)) {
        taken->dead = 1;
        return 1;
    }
    if ((use->what != USES_READ &&
         (use->what & USES_LASTING || build->source->code[use->at].guard != PTX_NO_GUARD)) ||
        !takes(contract, taken->product, use->at, use->reg, taken->anywhere))
        return 0;
    taken->sums++;
    if (!build_meaning(build, use->at))
        taken->added = 1;
    else
        taken->kept &= kept_of(contract, taken->product, use->at);
    return 1;
}

/* An f32 or f64: the assembler computes products of two numbers. */
static int is_alone(const struct scalar_meaning *meaning) {
    return isa_scalar_types[meaning->type[0]].bits >= 32 &&
           isa_scalar_types[meaning->type[0]].elements == 1;
}

/* A product that is fused: `kept` factors are the same at every use. One that stays may take the
 * place of a factor. */
static unsigned kind_with(const struct run_build *build, uint32_t at, int stays, unsigned kept) {
    for (unsigned f = 1; f < 3 && stays; f++) {
        const struct ptx_operand factor = contract_factor(build, at, f);
        kept &= is_register(&factor, contract_operands(build, at)->index) ? ~f : 3u;
    }
    return (stays ? PRODUCT_STAYS : PRODUCT) | (3 & ~kept) * COPIES_FIRST;
}

static int is_product(struct contract *contract, uint32_t at) {
    const struct run_build *build = contract->build;
    const struct scalar_meaning *meaning = build_meaning(build, at);
    const struct ptx_operand *operands = contract_operands(build, at);
    struct taken taken = {.product = at, .kept = 3};
    struct contract_copies copies;
    int anywhere, negates;
    if (build->source->code[at].guard != PTX_NO_GUARD)
        return NO_PRODUCT;
    if (contract_is_inverse(build, at))
        anywhere = 0;
    else if (is_quotient(build, at))
        anywhere = build->reciprocal[at] || (meaning->approx == SCALAR_APPROX && meaning->ftz &&
                                             contract_is_constant(contract, at, &operands[1]));
    else if (!is_free(build, at) || meaning->method != SCALAR_METHOD_MUL_FLOAT || meaning->sat)
        return NO_PRODUCT;
    else
        anywhere = contract_is_constant(contract, at, &operands[1]) ||
                   contract_is_constant(contract, at, &operands[2]);
    copies = contract_copies_of(meaning);
    taken.anywhere = anywhere;
    if ((contract_number(contract, at, &operands[1]) &&
         (contract_is_inverse(build, at) ||
          (is_alone(meaning) && contract_number(contract, at, &operands[2])))) ||
        contract_copied(contract, at, &copies, &negates) ||
        !contract_uses(contract, at, operands[0].index, &copies, take_use, &taken) || !taken.sums)
        return NO_PRODUCT;
    contract->sums[at] = taken.sums;
    return (int)kind_with(build, at, taken.dead || taken.added, taken.kept);
}

/* The product in an operand of a sum, + 1, perhaps by way of copies. 0: no product that can be
 * fused. *negative: with the other sign. */
static uint32_t product_of(struct contract *contract, uint32_t sum,
                           const struct ptx_operand *operand, int *negative) {
    const struct scalar_meaning *meaning = build_meaning(contract->build, sum);
    const struct contract_copies copies =
        meaning ? contract_copies_of(meaning) : matrix_copies(contract, sum);
    const uint32_t write = operand->kind == PTX_OP_REGISTER
                               ? contract_source(contract, operand->index, sum, &copies, negative)
                               : 0;
    return write && contract->product[write - 1] ? write : 0;
}

static int is_sum(struct contract *contract, uint32_t at) {
    return is_free(contract->build, at) &&
           build_meaning(contract->build, at)->method != SCALAR_METHOD_MUL_FLOAT &&
           !contract_is_dead(contract, at);
}

static void copy_factors(struct contract *contract, uint32_t product, unsigned which) {
    for (unsigned f = 0; f < 2; f++)
        if (which & COPIES_FIRST << f)
            contract->build->copies[2 * product + f] = COPIES_WANTED;
}

static int is_addend(const struct contract *contract, uint32_t product) {
    return !product || contract->product[product - 1] & ADDEND;
}

/* The products that an mma adds. */
static void choose_added(struct contract *contract, uint32_t mma) {
    struct run_build *build = contract->build;
    const struct ptx_operand *operands = contract_operands(build, mma), *c;
    int blocks, negative;
    if (!matrix_adds(contract, mma, &blocks) || build->source->code[mma].count <= MATRIX_C ||
        operands[MATRIX_C].kind != PTX_OP_VECTOR)
        return;
    c = &build->source->operands[operands[MATRIX_C].first];
    for (uint32_t i = 0; i < operands[MATRIX_C].count; i++) {
        const uint32_t product = product_of(contract, mma, &c[i], &negative);
        if (is_addend(contract, product))
            continue;
        build->program->contractible++;
        if (build->module->flags & WSIM_MODULE_NO_CONTRACT)
            continue;
        build->addend[operands[MATRIX_C].first + i] = product | (negative ? ADDEND_NEGATIVE : 0);
        copy_factors(contract, product - 1, COPIES_FIRST | COPIES_SECOND);
    }
}

static void fuse(struct contract *contract, uint32_t at, uint32_t product, unsigned kind) {
    struct run_build *build = contract->build;
    contract->product[product] |= FUSED;
    build->program->contractible++;
    if (build->module->flags & WSIM_MODULE_NO_CONTRACT)
        return;
    build->fused_with[at] = product + 1;
    if (kind & ADDEND) /* it may take the place of a factor */
        kind = kind_with(build, product, 1, 3 & ~(kind / COPIES_FIRST & 3));
    copy_factors(contract, product, kind);
    if ((kind & 3) != PRODUCT_STAYS)
        build->fused_with[product] = CONTRACT_GONE;
}

/* The products of a sum that can be fused with it, + 1. */
static void products_of(struct contract *contract, uint32_t sum, uint32_t products[2]) {
    const struct ptx_operand *operands = contract_operands(contract->build, sum);
    int negative;
    for (unsigned o = 0; o < 2; o++)
        products[o] = product_of(contract, sum, &operands[1 + o], &negative);
}

/* If a sum has two products, that with fewer sums is fused, or else the first one. The other one is
 * an addend then. */
static void choose_one(struct contract *contract, uint32_t sum, int single) {
    const uint32_t *sums = contract->sums;
    uint32_t products[2], product;
    unsigned second;
    products_of(contract, sum, products);
    second = is_addend(contract, products[0]) ||
             (!is_addend(contract, products[1]) && sums[products[1] - 1] < sums[products[0] - 1]);
    product = products[second];
    if (is_addend(contract, product) || (single && sums[product - 1] != 1))
        return;
    contract->build->sums[sum] = (uint8_t)(1 + second);
    if (products[!second])
        contract->product[products[!second] - 1] |= ADDEND;
}

static void choose(struct contract *contract) {
    struct run_build *build = contract->build;
    int negative;
    for (int single = 1; single >= 0; single--) /* products with one sum go first */
        for (uint32_t i = 0; i < build->source->n_code; i++)
            if (is_sum(contract, i) && !build->sums[i])
                choose_one(contract, i, single);
    for (uint32_t i = 0; i < build->source->n_code; i++) {
        const struct ptx_operand *operand = &contract_operands(build, i)[build->sums[i]];
        uint32_t product;
        choose_added(contract, i);
        if (!build->sums[i])
            continue;
        product = product_of(contract, i, operand, &negative) - 1;
        build->sums[i] |= negative ? SUM_NEGATIVE : 0;
        fuse(contract, i, product, contract->product[product]);
    }
}

/* Copies of products that are gone go too. */
static void drop_copies(struct contract *contract) {
    struct run_build *build = contract->build;
    int more = !(build->module->flags & WSIM_MODULE_NO_CONTRACT), negates;
    while (more) {
        more = 0;
        for (uint32_t i = 0; i < build->source->n_code; i++) {
            const struct scalar_meaning *meaning = build_meaning(build, i);
            const struct contract_copies copies =
                meaning ? contract_copies_of(meaning) : (struct contract_copies){NULL, 0};
            const struct ptx_operand *from =
                build->fused_with[i] ? NULL : contract_copied(contract, i, &copies, &negates);
            const uint32_t write = from ? contract_write(contract, from->index, i) : 0;
            if (write && contract_is_gone(build->fused_with[write - 1])) {
                build->fused_with[i] = CONTRACT_GONE;
                more = 1;
            }
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
        !contract_is_value(&first) || !contract_is_value(&second))
        return 0;
    if (contract_is_divided(build, at))
        return meaning->ftz == build_meaning(build, use)->ftz &&
               !(contract_is_inverse(build, at) &&
                 contract_number(contract, at, &contract_operands(build, at)[1]));
    return is_quotient(build, at) ||
           (is_free(build, at) && meaning->method == SCALAR_METHOD_MUL_FLOAT &&
            isa_scalar_types[meaning->type[0]].format == FORMAT_F32 && !meaning->sat);
}

/* A product and its product by a power of two become one, which is rounded once, unless the second
 * one is part of a sum. */
static void choose_scaled(struct contract *contract) {
    static const struct contract_copies moves;
    struct run_build *build = contract->build;
    for (uint32_t i = 0; i < build->source->n_code; i++) {
        uint32_t reg = 0, product;
        const uint32_t scale = scale_of(contract, i, &reg);
        int dead, negative;
        if (!scale || contract->product[i] & FUSED)
            continue;
        product = contract_source(contract, reg, i, &moves, &negative);
        if (!product-- || !is_scalable(contract, product, i) ||
            !contract_used_once(contract, product, contract_operands(build, product)->index, &dead))
            continue;
        fuse(contract, i, product, kind_with(build, product, dead, kept_of(contract, product, i)));
        if (build->fused_with[i])
            build->reciprocal[i] = scale;
    }
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
                 contract_ends_block(build, i);
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
    build->sums = calloc(n + 1u, 1);
    contract.block = calloc(n + 1u, sizeof *contract.block);
    contract.product = calloc(n + 1u, 1);
    contract.sums = calloc(n + 1u, sizeof *contract.sums);
    contract.dead = calloc(n + 1u, 1);
    found = build->fused_with && build->reciprocal && build->inverse && build->addend &&
            build->copies && build->sums && contract.block && contract.product && contract.sums &&
            contract.dead && places_find(build, &contract.places);
    if (found && !build->source->debug) {
        number_blocks(&contract);
        for (uint32_t i = 0; i < n && !(build->module->flags & WSIM_MODULE_NO_CONTRACT); i++)
            build->reciprocal[i] = reciprocal_of(&contract, i) | folded_of(&contract, i);
        inverse_find(&contract);
        for (uint32_t i = 0; i < n; i++)
            contract.product[i] = (uint8_t)is_product(&contract, i);
        choose(&contract);
        choose_scaled(&contract);
        drop_copies(&contract);
        if (!(build->module->flags & WSIM_MODULE_NO_CONTRACT))
            turned_find(&contract);
    }
    places_free(&contract.places);
    free(contract.block);
    free(contract.product);
    free(contract.sums);
    free(contract.dead);
    return found;
}
