/* Compares operands with the row of their instruction: number, kind, and register types.
 * Register types follow the assembler. .bN takes any register of N bits. An integer type takes
 * integers and .b; a floating-point type takes its own type and .b. A loaded, stored or converted
 * value may be in a wider register.
 * Source: PTX ISA 9.0, "Operand Type Checking", "Operand Size Exceeding Instruction-Type Size". */
#include "../num/num.h"
#include "shape.h"

#include <stdio.h>
#include <string.h>

/* The operand under check: its index and its instruction. */
struct look {
    struct reader *r;
    const struct ptx_opcode *opcode;
    const struct shape *shape;
    const struct wsim_scalar_operand *wanted;
    unsigned number; /* from 1 */
    struct place at;
};

static void refuse_kind(const struct look *look, const char *what, const char *takes) {
    ptx_complain(look->r, RULE_PTX_OPERAND_KIND, look->at,
                 "operand %u of '%.100s' is %s, must be %s", look->number, look->opcode->text, what,
                 takes);
}

/* --- registers --- */

/* .b is bits of any kind; f16x2 counts as integers do, but for arithmetic of its own. Types that
 * are several numbers in one register, and those of other formats, have no registers but .b. */
static int class_fits(const char *type, const struct ptx_type *reg, int pairs) {
    int is_plain = (type[0] == 'u' || type[0] == 's' || type[0] == 'b') && type[1] != 'f' &&
                   type[1] != 'e' && !strchr(type, 'x');
    if (reg->letter == 'b' || strcmp(type, reg->name) == 0)
        return 1;
    return is_plain &&
           (type[0] == 'b' || reg->letter != 'f' || (pairs && strcmp(reg->name, "f16x2") == 0));
}

static void check_register(const struct look *look, const struct ptx_operand *op, unsigned bits) {
    const struct ptx_register *reg = VEC_AT(struct ptx_register, look->r->registers, op->index);
    const char *type = look->wanted->type;
    int is_wide = (look->shape->wide && look->wanted->name != 'e' && reg->type.bits > bits) ||
                  (look->shape->any_address && reg->type.bits == 32);
    /* The assembler takes integers for a bf16 that set writes, or that a sum of f32 reads. */
    if (look->shape->compares && type[0] == 'b' && look->wanted->result)
        type = bits == 16 ? "u16" : "b";
    else if (look->shape->mixes && type[0] == 'b')
        type = "u16";
    int fits = bits == 1 ? reg->type.letter == 'p'
                         : (reg->type.bits == bits || is_wide) && reg->type.letter != 'p' &&
                               class_fits(type, &reg->type, !look->shape->exact);
    if (op->part && !look->wanted->parts)
        refuse_kind(look, "a part of a register", "a whole one");
    else if (op->negated && bits == 1 && look->wanted->result)
        refuse_kind(look, "negated", "a predicate, as a result");
    else if (op->negated && bits != 1 && !look->shape->signs)
        refuse_kind(look, "negated", "a register without a minus sign");
    else if (!fits && type[0])
        ptx_complain(look->r, RULE_PTX_OPERAND_TYPE, look->at,
                     "operand %u of '%.100s' must be a .%s, not '%.60s', a .%s", look->number,
                     look->opcode->text, type, reg->name, reg->type.name);
}

/* --- numbers --- */

/* Floating-point numbers take the width of the operand. */
static void check_number(const struct look *look, struct ptx_operand *op) {
    const char *type = look->wanted->type;
    unsigned bits = look->wanted->bits;
    if (look->wanted->immediate == 2 && op->kind != PTX_OP_INTEGER) {
        refuse_kind(look, ptx_kind_name(op), "a literal integer");
        return;
    }
    if (!look->wanted->immediate) {
        refuse_kind(look, ptx_kind_name(op),
                    look->wanted->result ? "a register, as a result" : "a register");
        return;
    }
    int is_float = type[0] == 'f' && !strchr(type, 'x');
    int is_raw = type[0] == 'b' && type[1] != 'f';
    int is_whole = is_raw || look->shape->mixes ||
                   ((type[0] == 'u' || type[0] == 's') && type[1] != 'e' && !strchr(type, 'x')) ||
                   type[0] == 'p';
    int is_raw_bits = is_raw && bits == (op->kind == PTX_OP_F32 ? 32 : 64);
    if (op->kind == PTX_OP_INTEGER ? !is_whole : !is_raw_bits && !(is_float && bits >= 32)) {
        ptx_complain(look->r, RULE_PTX_OPERAND_TYPE, look->at,
                     "operand %u of '%.100s' must be a .%s, not %s", look->number,
                     look->opcode->text, type, ptx_kind_name(op));
        return;
    }
    if (is_float && op->kind != PTX_OP_INTEGER)
        ptx_fit_real(op, bits);
}

/* The assembler takes the lower part of a special register of 32 bits, and of %gridid, which had 32
 * bits once. */
static int special_fits(uint32_t index, unsigned bits, unsigned wanted) {
    return bits == wanted || (bits == 32 && wanted < 32) ||
           (index == PTX_SR_GRIDID && wanted <= 32);
}

static void check_special(const struct look *look, const struct ptx_operand *op) {
    const struct wsim_scalar_operand *wanted = look->wanted;
    struct ptx_type type;
    ptx_type_find(ptx_special_type(op->index), &type);
    if (wanted->result || !look->shape->specials)
        refuse_kind(look, "a special register", "one that mov has copied");
    else if (look->shape->copies &&
             (wanted->type[0] == 'f' || !special_fits(op->index, type.bits, wanted->bits)))
        ptx_complain(look->r, RULE_PTX_OPERAND_TYPE, look->at,
                     "operand %u of '%.100s' must be a .%s, not %s, a .%s", look->number,
                     look->opcode->text, wanted->type, ptx_special_name(op->index), type.name);
}

/* A register and a number. */
static void check_sum(const struct look *look, const struct ptx_operand *op) {
    const char letter = *look->wanted->type;
    if (look->wanted->result || look->wanted->immediate == 2 || op->negated || op->part ||
        look->shape->products)
        refuse_kind(look, "a sum", "a register");
    else if (letter != 'b' && letter != 'u' && letter != 's')
        ptx_complain(look->r, RULE_PTX_OPERAND_SUM, look->at,
                     "a register with an offset is an integer, not a .%s", look->wanted->type);
    else
        check_register(look, op, look->wanted->bits);
}

/* One register, number or name. */
static void check_simple(const struct look *look, struct ptx_operand *op) {
    const struct wsim_scalar_operand *wanted = look->wanted;
    switch (op->kind) {
    case PTX_OP_REGISTER:
        if (wanted->result == 3)
            refuse_kind(look, "a register", "_: this result has no register");
        else if (wanted->immediate == 2)
            refuse_kind(look, "a register", "a literal integer");
        else
            check_register(look, op, wanted->bits);
        return;
    case PTX_OP_SUM: check_sum(look, op); return;
    case PTX_OP_INTEGER:
    case PTX_OP_F32:
    case PTX_OP_F64: check_number(look, op); return;
    case PTX_OP_SINK:
        if (!wanted->result || wanted->list == 1)
            refuse_kind(look, "_", "a register or a number: only results can be left out");
        else if (wanted->result == 1)
            refuse_kind(look, "_", "a register: this result cannot be left out");
        return;
    case PTX_OP_SPECIAL: check_special(look, op); return;
    case PTX_OP_VARIABLE:
    case PTX_OP_PARAM:
    case PTX_OP_RESULT:
    case PTX_OP_FUNCTION:
        if (!wanted->symbol)
            refuse_kind(look, ptx_kind_name(op), "a register");
        return;
    default: refuse_kind(look, ptx_kind_name(op), "a register");
    }
}

/* --- lists of registers --- */

/* A list takes special registers that have the width of its elements. */
static int is_special_element(const struct look *look, const struct ptx_operand *op) {
    struct ptx_type type;
    ptx_type_find(ptx_special_type(op->index), &type);
    return !look->wanted->result && !look->shape->copies && !look->shape->exact &&
           type.bits == look->wanted->bits;
}

/* The assembler compares only the width of the registers of a vector. */
static void check_element(const struct look *look, struct ptx_operand *op) {
    struct wsim_scalar_operand bits = *look->wanted;
    struct look at_bits = *look;
    bits.result = bits.result ? 2 : 0;
    bits.type = op->kind == PTX_OP_REGISTER ? "b" : bits.type;
    at_bits.wanted = &bits;
    if (op->kind == PTX_OP_SUM)
        refuse_kind(look, ptx_kind_name(op), "a register");
    else if (op->kind != PTX_OP_SPECIAL || !is_special_element(look, op))
        check_simple(&at_bits, op);
}

/* The registers of a list have the same width. Floating-point types and integers do not mix, but .b
 * goes with both. A list of _ alone has no type. */
static void check_elements(const struct look *look, const struct ptx_operand *list) {
    const struct ptx_operand *elements = ELEMENTS_OF(look->r, list);
    const struct ptx_type *first = NULL, *letter = NULL;
    const char *wanted = look->wanted->type;
    uint32_t sinks = 0, floats = 0, numbers = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        sinks += elements[i].kind == PTX_OP_SINK;
        numbers += elements[i].kind == PTX_OP_INTEGER;
        if (elements[i].kind != PTX_OP_REGISTER)
            continue;
        const struct ptx_type *type =
            &VEC_AT(struct ptx_register, look->r->registers, elements[i].index)->type;
        first = first ? first : type;
        floats += type->letter == 'f';
        letter = letter || type->letter == 'b' ? letter : type;
        if (type->bits != first->bits ||
            (letter && type->letter != 'b' && (type->letter == 'f') != (letter->letter == 'f'))) {
            const struct ptx_type *other = type->bits != first->bits ? first : letter;
            ptx_complain(look->r, RULE_PTX_OPERAND_TYPE, look->at,
                         "operand %u of '%.100s' has a .%s and a .%s in one list", look->number,
                         look->opcode->text, other->name, type->name);
            return;
        }
    }
    if (list->count && sinks == list->count)
        refuse_kind(look, "a list of _", "a list with a register");
    else if (look->shape->exact && list->count && numbers == list->count)
        refuse_kind(look, "a list of numbers", "a list with a register");
    else if (floats && floats == list->count - sinks && (wanted[0] == 'u' || wanted[0] == 's'))
        ptx_complain(look->r, RULE_PTX_OPERAND_TYPE, look->at,
                     "operand %u of '%.100s' is a list of .%s, must be of .%s or bits",
                     look->number, look->opcode->text, first->name, wanted);
}

static void check_vector(const struct look *look, const struct ptx_operand *op) {
    const struct wsim_scalar_operand *wanted = look->wanted;
    struct ptx_operand *elements = ELEMENTS_OF(look->r, op);
    if (wanted->vector > 1 || (op->count == 1 && (wanted->list || wanted->packs))) {
        if (op->count != wanted->vector) {
            ptx_complain(look->r, RULE_PTX_OPERAND_COUNT, look->at,
                         "operand %u of '%.100s' has %u elements, not %u", look->number,
                         look->opcode->text, wanted->vector, (unsigned)op->count);
            return;
        }
        check_elements(look, op);
        for (uint32_t i = 0; i < op->count; i++)
            check_element(look, &elements[i]);
        return;
    }
    if (!wanted->packs || !op->count || wanted->bits % op->count) {
        refuse_kind(look, "a list", "one register");
        return;
    }
    struct wsim_scalar_operand part = *wanted;
    struct look at_part = *look;
    part.bits = (uint8_t)(wanted->bits / op->count);
    part.type = "b";
    part.result = part.result ? 2 : 0;
    at_part.wanted = &part;
    check_elements(look, op);
    for (uint32_t i = 0; i < op->count; i++) {
        if (elements[i].kind == PTX_OP_REGISTER)
            check_register(&at_part, &elements[i], part.bits);
        else if (elements[i].kind != PTX_OP_INTEGER || wanted->result)
            check_simple(&at_part, &elements[i]);
    }
}

/* A list of words. */
static void check_words(const struct look *look, const struct ptx_operand *op) {
    struct wsim_scalar_operand word = *look->wanted;
    struct look at_words = *look;
    word.kind = WSIM_SCALAR_REGISTER;
    word.bits = 32;
    word.type = "b32";
    word.immediate = 1;
    at_words.wanted = &word;
    check_vector(&at_words, op);
}

/* --- addresses --- */

static void check_base(const struct look *look, const struct ptx_operand *base) {
    const struct shape *shape = look->shape;
    const struct ptx_base takes = {.handle = shape->handles,
                                   .tensor = look->wanted->address,
                                   .bits = look->wanted->address && shape->products,
                                   .stores = shape->stores,
                                   .wide =
                                       shape->long_address && look->r->module->address_size == 64,
                                   .one_space = shape->accesses,
                                   .space = shape->space};
    ptx_check_base(look->r, look->opcode, look->number, base, takes, look->at);
}

/* a[1] without brackets is an address as well. */
static int make_address(struct reader *r, struct piece *piece) {
    struct ptx_operand *base = arena_push(&r->work, &r->operands, sizeof *base);
    if (!base)
        return 0;
    *base = piece->op;
    base->value = 0;
    piece->op = (struct ptx_operand){
        .kind = PTX_OP_ADDRESS, .first = r->operands.n - 1, .count = 1, .value = piece->op.value};
    return 1;
}

static void check_address(const struct look *look, struct piece *piece, unsigned most) {
    if (piece->op.kind == PTX_OP_VARIABLE && piece->subscript && look->shape->subscripts &&
        !make_address(look->r, piece))
        return;
    if (piece->op.kind != PTX_OP_ADDRESS)
        refuse_kind(look, ptx_kind_name(&piece->op), "an address in [ ]");
    else if (piece->op.count > most)
        refuse_kind(look, "an address with coordinates", "an address alone");
    else if (look->shape->handles && piece->op.value)
        refuse_kind(look, "a handle with an offset", "a handle alone");
    else
        check_base(look, VEC_AT(struct ptx_operand, look->r->operands, piece->op.first));
}

/* --- textures --- */

/* Checks a list of `least` or more registers of 32 bits; where three are needed, it has four.
 * Layers are integers. */
static void check_tuple(const struct look *look, const struct ptx_operand *list, unsigned least,
                        int layered, const char *type) {
    const struct ptx_operand *elements = ELEMENTS_OF(look->r, list);
    struct wsim_scalar_operand wanted = *look->wanted;
    struct look at_element = *look;
    uint32_t n = list->kind == PTX_OP_VECTOR ? list->count : 1;
    if (list->kind != PTX_OP_VECTOR)
        elements = list;
    if (n < least || n == 3 || n > 4) {
        ptx_complain(look->r, RULE_PTX_OPERAND_COUNT, look->at,
                     "operand %u of '%.100s' has %u registers in { }, not %u", look->number,
                     look->opcode->text, (unsigned)n, least == 3 ? 4 : least);
        return;
    }
    wanted.bits = 32;
    wanted.immediate = 1;
    at_element.wanted = &wanted;
    for (uint32_t i = 0; i < n; i++) {
        struct ptx_operand element = elements[i];
        wanted.type = layered && i == 0 ? "u32" : type;
        check_simple(&at_element, &element);
    }
}

static void check_texture(const struct look *look, const struct piece *piece) {
    const struct ptx_operand *parts;
    if (piece->op.kind == PTX_OP_ADDRESS && piece->op.count == 3) {
        ptx_complain(look->r, RULE_PTX_TEXTURE_UNMODELLED, look->at,
                     "'%.100s' has a sampler of its own, which is not modelled",
                     look->opcode->text);
        return;
    }
    if (piece->op.kind != PTX_OP_ADDRESS || piece->op.count != 2) {
        refuse_kind(look, ptx_kind_name(&piece->op), "[texture, { coordinates }]");
        return;
    }
    parts = VEC_AT(struct ptx_operand, look->r->operands, piece->op.first);
    if (piece->op.value)
        refuse_kind(look, "a handle with an offset", "a handle alone");
    else if (parts[0].kind == PTX_OP_VARIABLE &&
             VEC_AT(struct ptx_variable, look->r->variables, parts[0].index)->type.letter != 't')
        refuse_kind(look, "a variable", "a .texref, a .surfref or a handle");
    else if (parts[0].kind == PTX_OP_INTEGER)
        refuse_kind(look, "a number", "a .texref, a .surfref or a handle");
    else
        check_base(look, &parts[0]);
    check_tuple(look, &parts[1], look->shape->coordinates, look->shape->layered,
                look->shape->coordinate);
}

/* --- what control instructions name --- */

/* A name that is declared nowhere may yet become a label. Lists and prototypes stand before. */
static void check_label(const struct look *look, struct piece *piece, uint32_t wants,
                        const char *what) {
    if (piece->waits && !(wants & WANTS_LABEL) && !ptx_lookup(look->r, piece->waits)) {
        ptx_complain(look->r, RULE_PTX_NAME_UNKNOWN, piece->at,
                     "operand %u of '%.100s' must be %s, which stands before it", look->number,
                     look->opcode->text, what);
        piece->waits = 0;
    } else if (piece->waits)
        piece->op.value = wants;
    else
        refuse_kind(look, ptx_kind_name(&piece->op), what);
}

static void check_target(const struct look *look, struct piece *piece) {
    struct ptx_operand *op = &piece->op;
    if (piece->waits)
        op->value = WANTS_FUNCTION;
    if (op->kind == PTX_OP_REGISTER) {
        struct wsim_scalar_operand address = *look->wanted;
        struct look at_address = *look;
        address.type = "u64";
        at_address.wanted = &address;
        check_register(&at_address, op, 64);
    } else if (op->kind != PTX_OP_FUNCTION && !piece->waits)
        refuse_kind(look, ptx_kind_name(op), "a function or a register");
}

static void check_piece(const struct look *look, struct piece *piece) {
    switch (look->wanted->kind) {
    case WSIM_SCALAR_ADDRESS: check_address(look, piece, 1); return;
    case WSIM_SCALAR_TENSOR:
        ptx_check_map(look->r, look->opcode, look->shape, piece, look->number);
        return;
    case WSIM_SCALAR_TEXTURE: check_texture(look, piece); return;
    case WSIM_SCALAR_TUPLE:
        if (piece->op.kind != PTX_OP_VECTOR)
            refuse_kind(look, ptx_kind_name(&piece->op), "a list");
        else
            check_tuple(look, &piece->op, look->shape->axes, 0,
                        look->wanted->name == 'e' ? "s32" : "f32");
        return;
    case WSIM_SCALAR_LABEL: check_label(look, piece, WANTS_LABEL, "a label"); return;
    case WSIM_SCALAR_TARGETS:
        check_label(look, piece, WANTS_TABLE, "the name of .branchtargets");
        return;
    case WSIM_SCALAR_PROTOTYPE:
        check_label(look, piece, WANTS_TABLE | WANTS_PROTOTYPE,
                    "the name of .callprototype or .calltargets");
        return;
    case WSIM_SCALAR_FUNCTION: check_target(look, piece); return;
    case WSIM_SCALAR_OFFSETS:
        ptx_check_offsets(look->r, look->opcode, look->shape, piece, look->number);
        return;
    case WSIM_SCALAR_LIST:
        if (piece->op.kind != PTX_OP_VECTOR)
            refuse_kind(look, ptx_kind_name(&piece->op), "a list");
        else if (look->wanted->vector > 1)
            check_words(look, &piece->op);
        return;
    default: break;
    }
    if (piece->waits) {
        ptx_complain_name(look->r, piece->waits, piece->at, "the name");
        piece->waits = 0;
    } else if (piece->op.kind == PTX_OP_VECTOR) {
        check_vector(look, &piece->op);
    } else if (look->wanted->address && piece->op.kind == PTX_OP_ADDRESS) {
        check_address(look, piece, 1);
    } else if (look->wanted->list == 1 ||
               (look->wanted->vector > 1 && piece->op.kind != PTX_OP_SINK &&
                (piece->op.kind == PTX_OP_REGISTER || look->shape->lists))) {
        refuse_kind(look, ptx_kind_name(&piece->op), "a list");
    } else {
        check_simple(look, &piece->op);
        ptx_check_range(look->r, look->opcode, look->number, &piece->op,
                        look->shape->range[look->wanted - look->shape->info.operand], piece->at);
    }
}

/* --- how many --- */

static unsigned needed_from(const struct wsim_scalar_info *info, unsigned from) {
    unsigned n = 0;
    for (unsigned i = from; i < info->operands; i++)
        n += !info->operand[i].optional && !info->operand[i].pair;
    return n;
}

/* Both halves of d|p. */
static void check_pair(struct look *look, const struct piece *piece) {
    struct ptx_operand *halves = VEC_AT(struct ptx_operand, look->r->operands, piece->op.first);
    if (halves[0].kind == PTX_OP_SINK && halves[1].kind == PTX_OP_SINK)
        refuse_kind(look, "_|_", "a pair with a register");
    if (halves[0].kind == PTX_OP_VECTOR)
        check_vector(look, &halves[0]);
    else
        check_simple(look, &halves[0]);
    look->wanted++;
    check_simple(look, &halves[1]);
}

/* Whether the last operand is a depth to compare with, which stands after the offsets. */
static int compares_depth(const struct reader *r, const struct wsim_scalar_info *info) {
    const unsigned least = needed_from(info, 0);
    if (!info->operands || r->pieces.n <= least || r->pieces.n > least + 2)
        return 0;
    const struct wsim_scalar_operand *last = &info->operand[info->operands - 1u];
    return last->kind == WSIM_SCALAR_TUPLE && last->optional &&
           VEC_AT(struct piece, r->pieces, r->pieces.n - 1)->op.kind != PTX_OP_VECTOR;
}

/* Finds the written operands as the engine does. An optional operand is present if the statement
 * has more operands than the others need. Parentheses mark the lists of a call. */
static void check_scalar(struct reader *r, const struct ptx_opcode *opcode,
                         const struct shape *shape, struct place at) {
    const struct wsim_scalar_info *info = &shape->info;
    uint32_t n = r->pieces.n, next = 0;
    unsigned least = needed_from(info, 0), most = 0, beside = 0;
    for (unsigned i = 0; i < info->operands; i++)
        most += !info->operand[i].pair;
    most += *info->again != 0;
    if (compares_depth(r, info)) {
        ptx_complain(r, RULE_PTX_TEXTURE_UNMODELLED, at,
                     "'%.100s' compares depths, which is not modelled", opcode->text);
        return;
    }
    if (n < least || n > most) {
        ptx_refuse_count(r, opcode, least, most, at);
        return;
    }
    for (unsigned i = 0; i < info->operands && next < n; i++) {
        const struct wsim_scalar_operand *wanted = &info->operand[i];
        struct piece *piece = VEC_AT(struct piece, r->pieces, next);
        struct look look = {r, opcode, shape, wanted, next + 1, piece->at};
        int there = wanted->kind == WSIM_SCALAR_LIST ? piece->op.kind == PTX_OP_VECTOR
                                                     : n - next > needed_from(info, i);
        if (wanted->pair || (wanted->optional && !there))
            continue;
        if (wanted->optional == 2 && beside)
            break;
        beside += wanted->optional != 0;
        const int is_pair = i + 1 < info->operands && info->operand[i + 1].pair;
        if (piece->op.kind == PTX_OP_PAIR && is_pair)
            check_pair(&look, piece);
        else if (is_pair && !info->operand[i + 1].optional)
            refuse_kind(&look, ptx_kind_name(&piece->op), "a pair, with a predicate after a bar");
        else
            check_piece(&look, piece);
        next++;
        least = needed_from(info, i + 1);
    }
    if (next == n && least) {
        ptx_refuse_count(r, opcode, needed_from(info, 0), most, at);
        return;
    }
    least = needed_from(info, 0);
    if (next < n && *info->again && info->operands) {
        struct piece *piece = VEC_AT(struct piece, r->pieces, next);
        struct look look = {r,        opcode,   shape, &info->operand[info->operands - 1u],
                            next + 1, piece->at};
        check_piece(&look, piece);
        next++;
    }
    if (next < n)
        ptx_refuse_count(r, opcode, least, most, at);
}

/* The rule that the spelling of an instruction breaks in PTX that wsim knows. */
static enum base_rule spelling_rule(const struct ptx_opcode *o) {
    if (o->status == WSIM_UNMODELLED)
        return RULE_PTX_OPCODE_UNKNOWN;
    return strcmp(o->rule, base_rule_name(RULE_SPELLING_FAMILY_UNKNOWN)) == 0
               ? RULE_PTX_OPCODE_NAME
               : RULE_PTX_OPCODE_ILLEGAL;
}

void ptx_check(struct reader *r, uint32_t opcode, struct place at) {
    const struct ptx_opcode *o = VEC_AT(struct ptx_opcode, r->opcodes, opcode);
    const struct shape *shape = VEC_AT(struct shape, r->shapes, opcode);
    if (o->kind == PTX_UNKNOWN) {
        ptx_complain_unknown(r, spelling_rule(o), RULE_PTX_OPCODE_UNKNOWN, at, "'%.120s': %s",
                             o->text, o->why);
        return;
    }
    if (o->kind == PTX_MATRIX) {
        ptx_check_matrix(r, o, shape, at);
        return;
    }
    if (shape->past) {
        struct wsim_diag why;
        isa_scalar_past(&o->scalar, &why);
        ptx_complain(r, RULE_OP_VERSION_UNTIL, at, "%s", why.text);
    }
    if (shape->maps)
        ptx_complain(r, RULE_PTX_TARGET_UNMODELLED, at,
                     "'%.100s' computes in f32 with .target map_f64_to_f32, which is not modelled",
                     o->text);
    check_scalar(r, o, shape, at);
    if (shape->calls)
        ptx_check_call(r, at);
}
