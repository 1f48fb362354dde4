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

int contract_ends_block(const struct run_build *build, uint32_t at) {
    const struct scalar_meaning *meaning = build_meaning(build, at);
    const unsigned kind = meaning ? meaning->kind : SCALAR_WAITS;
    const unsigned method = meaning ? meaning->method : 0;
    int stays = 0;
#define STAYS(condition) stays |= (condition);
#include "../isa/assembler.def"
    return build->source->code[at].guard != PTX_NO_GUARD && !stays;
}

int contract_is_value(const struct ptx_operand *operand) {
    return operand->kind == PTX_OP_REGISTER || operand->kind == PTX_OP_F32 ||
           operand->kind == PTX_OP_F64 || operand->kind == PTX_OP_INTEGER;
}

/* Results of instructions whose operands are constant, after assembler.def. */
enum { MAKES_NONE, MAKES_NUMBER, MAKES_CONSTANT };

static int makes_constant(const struct scalar_meaning *meaning, int computes) {
    const struct isa_scalar_type *type = &isa_scalar_types[meaning->type[0]],
                                 *source = &isa_scalar_types[meaning->type[meaning->types - 1]];
    const unsigned bits = type->bits;
    const int lone = bits >= 32 && type->elements == 1;
    const int nearest = meaning->rounding <= SCALAR_RN, exact = meaning->approx == SCALAR_EXACT;
    int folds = 0, keeps = 0;
    if (type->elements > 1 && meaning->method == SCALAR_METHOD_CVT)
        return MAKES_NONE;
#define FOLDS(name, condition) folds |= meaning->method == SCALAR_METHOD_##name && (condition);
#define KEEPS(name, condition) keeps |= meaning->method == SCALAR_METHOD_##name && (condition);
#include "../isa/assembler.def"
    return keeps ? MAKES_CONSTANT : folds && computes ? MAKES_NUMBER : MAKES_NONE;
}

/* left: how many instructions may follow. computes: those count that the assembler computes.
 * is_number: a parameter or constant memory is none. */
struct constant {
    unsigned left;
    int computes, is_number;
};

static int is_constant(struct contract *contract, uint32_t at, const struct ptx_operand *operand,
                       struct constant *constant) {
    const struct run_build *build = contract->build;
    const struct ptx_instruction *instruction;
    const struct scalar_meaning *meaning;
    const struct ptx_operand *from;
    uint32_t write;
    int makes, was_number = constant->is_number, is = constant->computes;
    if (operand->kind == PTX_OP_VECTOR) {
        for (uint32_t i = 0; i < operand->count && is; i++)
            is = is_constant(contract, at, &build->source->operands[operand->first + i], constant);
        return is;
    }
    if (operand->kind != PTX_OP_REGISTER)
        return contract_is_value(operand);
    write = contract_write(contract, operand->index, at);
    meaning = write ? build_meaning(build, write - 1) : NULL;
    if (!meaning || !constant->left || build->source->code[write - 1].guard != PTX_NO_GUARD)
        return 0;
    constant->left--;
    instruction = &build->source->code[write - 1];
    from = &contract_operands(build, write - 1)[1];
    if (meaning->method == SCALAR_METHOD_LD) {
        from = &build->source->operands[from->first];
        return !was_number &&
               ((meaning->space == SCALAR_PARAM && build->source->is_entry) ||
                meaning->space == SCALAR_CONST) &&
               (from->kind == PTX_OP_PARAM || from->kind == PTX_OP_VARIABLE);
    }
    makes = makes_constant(meaning, constant->computes);
    if (makes == MAKES_NONE)
        return 0;
    constant->is_number |= makes == MAKES_NUMBER;
    is = 1;
    for (uint32_t o = 1; o < instruction->count && is; o++)
        is = is_constant(contract, write - 1, from + o - 1, constant);
    constant->is_number = was_number;
    return is;
}

enum { INSTRUCTIONS_MOST = 32 };

int contract_is_constant(struct contract *contract, uint32_t at,
                         const struct ptx_operand *operand) {
    struct constant constant = {INSTRUCTIONS_MOST, 1, 0};
    return is_constant(contract, at, operand, &constant);
}

int contract_is_held(struct contract *contract, uint32_t at, const struct ptx_operand *operand) {
    struct constant constant = {INSTRUCTIONS_MOST, 0, 0};
    return is_constant(contract, at, operand, &constant);
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

struct contract_copies contract_copies_of(const struct scalar_meaning *meaning) {
    return (struct contract_copies){&isa_scalar_types[meaning->type[0]], meaning->ftz};
}

/* Whether a product is one by 1 or -1: f32 and f64 have such numbers in the text. */
static int is_one(struct contract *contract, uint32_t at, const struct ptx_operand *operand,
                  const struct isa_scalar_type *type, int *negates) {
    const struct ptx_operand *number =
        operand->kind == PTX_OP_F64 ? operand : contract_number(contract, at, operand);
    const uint64_t one = type->bits == 64 ? UINT64_C(0x3FF0000000000000) : 0x3F800000;
    const uint64_t sign = UINT64_C(1) << (type->bits - 1);
    if (!number || type->bits < 32 || type->elements != 1)
        return 0;
    *negates = (number->value & sign) != 0;
    return (number->value & ~sign) == one;
}

/* Whether an operand is the square of an f32, whose magnitude is a copy. */
static int is_square(struct contract *contract, uint32_t at, const struct ptx_operand *operand,
                     const struct scalar_meaning *magnitude) {
    static const struct contract_copies moves;
    const struct run_build *build = contract->build;
    const uint32_t write =
        operand->kind == PTX_OP_REGISTER ? contract_write(contract, operand->index, at) : 0;
    const struct scalar_meaning *mul = write ? build_meaning(build, write - 1) : NULL;
    const struct ptx_operand *factors;
    uint32_t source[2];
    int negative;
    if (!mul || mul->method != SCALAR_METHOD_MUL_FLOAT || mul->rounding != SCALAR_NO_ROUNDING ||
        isa_scalar_types[mul->type[0]].format != FORMAT_F32 || mul->ftz < magnitude->ftz)
        return 0;
    factors = &contract_operands(build, write - 1)[1];
    if (factors[0].kind != PTX_OP_REGISTER || factors[1].kind != PTX_OP_REGISTER)
        return 0;
    for (unsigned i = 0; i < 2; i++)
        source[i] = contract_source(contract, factors[i].index, write - 1, &moves, &negative);
    return factors[0].index == factors[1].index || (source[0] && source[0] == source[1]);
}

/* Whether an operand is such a copy. */
static int is_magnitude(struct contract *contract, uint32_t at, const struct ptx_operand *operand) {
    const uint32_t write =
        operand->kind == PTX_OP_REGISTER ? contract_write(contract, operand->index, at) : 0;
    const struct scalar_meaning *meaning = write ? build_meaning(contract->build, write - 1) : NULL;
    return meaning && meaning->method == SCALAR_METHOD_ABS_FLOAT &&
           is_square(contract, write - 1, &contract_operands(contract->build, write - 1)[1],
                     meaning);
}

const struct ptx_operand *contract_copied(struct contract *contract, uint32_t at,
                                          const struct contract_copies *copies, int *negates) {
    const struct run_build *build = contract->build;
    const struct ptx_instruction *instruction = &build->source->code[at];
    const struct scalar_meaning *meaning = build_meaning(build, at);
    const struct ptx_operand *operands = contract_operands(build, at), *from = &operands[1];
    *negates = 0;
    if (!meaning || instruction->guard != PTX_NO_GUARD || instruction->count < 2 ||
        operands[0].kind != PTX_OP_REGISTER)
        return NULL;
    if (meaning->method == SCALAR_METHOD_MOVE) {
        if (instruction->count != 2 || from->kind != PTX_OP_REGISTER ||
            build->source->registers[from->index].type.bits !=
                build->source->registers[operands[0].index].type.bits)
            return NULL;
        return from;
    }
    if (!copies->type || meaning->types != 1 || meaning->sat || meaning->ftz > copies->ftz ||
        &isa_scalar_types[meaning->type[0]] != copies->type)
        return NULL;
    if (meaning->method == SCALAR_METHOD_ABS_FLOAT)
        return is_square(contract, at, from, meaning) ? from : NULL;
    if (meaning->method == SCALAR_METHOD_NEG_FLOAT && is_magnitude(contract, at, from))
        return NULL; /* machine code has -|x| in the sum */
    if (meaning->method == SCALAR_METHOD_NEG_FLOAT)
        *negates = 1;
    else if (meaning->method != SCALAR_METHOD_MUL_FLOAT || instruction->count != 3 ||
             meaning->rounding > SCALAR_RN)
        return NULL;
    else if (is_one(contract, at, from, copies->type, negates))
        from = &operands[2];
    else if (!is_one(contract, at, &operands[2], copies->type, negates))
        return NULL;
    if (meaning->method == SCALAR_METHOD_NEG_FLOAT && copies->type->elements > 1 &&
        copies->type->format == FORMAT_BF16)
        return NULL; /* machine code has a product by -1 */
    return from->kind == PTX_OP_REGISTER ? from : NULL;
}

enum { COPIES_MOST = 8 }; /* of copies, one after another */

uint32_t contract_source(struct contract *contract, uint32_t reg, uint32_t at,
                         const struct contract_copies *copies, int *negative) {
    uint32_t write = contract_write(contract, reg, at);
    int negates;
    *negative = 0;
    for (unsigned i = 0; write && i < COPIES_MOST; i++) {
        const struct ptx_operand *from = contract_copied(contract, write - 1, copies, &negates);
        if (!from)
            return write;
        *negative ^= negates;
        write = contract_write(contract, from->index, write - 1);
    }
    return write;
}

/* A walk over uses. crossed: a copy is in another block than the value. Then the last use is in
 * that block too, so that no newer value can come between. */
struct walk {
    const struct contract_copies *copies;
    contract_visit *visit;
    void *data;
    unsigned depth;
    int crossed;
};

static int walk_uses(struct contract *contract, uint32_t at, uint32_t reg, struct walk walk) {
    struct places *places = &contract->places;
    const uint32_t *block_of = contract->build->block_of;
    const uint32_t write = place_from(places, reg, at);
    places_follow(places, contract->build, reg);
    if (places->shared[write])
        return 0;
    for (uint32_t i = places->first[reg]; i < places->first[reg + 1]; i++) {
        struct contract_use use = {.at = places->at[i], .reg = reg, .what = places->what[i]};
        const int crosses = block_of[use.at] != block_of[at];
        const struct ptx_operand *from;
        struct walk next = walk;
        int negates;
        if (places->source[i] != write + 1)
            continue;
        from = contract_copied(contract, use.at, walk.copies, &negates);
        use.is_copy = from && from->index == reg && !contract_is_dead(contract, use.at);
        next.depth++;
        next.crossed |= crosses;
        if (((walk.depth || use.is_copy) && (crosses ? walk.crossed : use.at <= at)) ||
            (use.is_copy && next.depth > COPIES_MOST) || !walk.visit(contract, &use, walk.data) ||
            (use.is_copy &&
             !walk_uses(contract, use.at, contract_operands(contract->build, use.at)->index, next)))
            return 0;
    }
    return 1;
}

int contract_uses(struct contract *contract, uint32_t at, uint32_t reg,
                  const struct contract_copies *copies, contract_visit *visit, void *data) {
    return walk_uses(contract, at, reg, (struct walk){copies, visit, data, 0, 0});
}

struct count {
    uint32_t alive, all;
};

static int count_use(struct contract *contract, const struct contract_use *use, void *data) {
    struct count *count = data;
    count->all += !use->is_copy;
    count->alive += !use->is_copy && !contract_is_dead(contract, use->at);
    return 1;
}

int contract_used_once(struct contract *contract, uint32_t at, uint32_t reg, int *dead) {
    static const struct contract_copies moves;
    struct count count = {0, 0};
    const int known = contract_uses(contract, at, reg, &moves, count_use, &count);
    *dead = count.all != count.alive;
    return known && count.alive == 1;
}
