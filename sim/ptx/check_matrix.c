/* Operands of matrix instructions and copies: how many there are, the registers of fragments, and
 * what follows these. */
#include "shape.h"

#include <string.h>
#include <stdio.h>

/* The operand under check. */
struct look {
    struct reader *r;
    const struct ptx_opcode *opcode;
    const struct shape *shape;
    const struct piece *piece;
    unsigned number; /* from 1 */
    unsigned item;   /* of the shape */
};

/* --- fragments --- */

/* Register types that may hold elements of a type, in addition to .b types. The last row is for all
 * other types. */
static const struct holder {
    const char *type, *registers;
} holders[] = {{"f16", ".f16x2"},      {"f32", ".f32"},        {"bf16", ".b32 alone"},
               {"tf32", ".b32 alone"}, {"bits", ".b32 alone"}, {"f64", ".u64 .s64 .f64"},
               {"", ".u32 .s32"}};

/* "": all types. */
static const char *holders_of(const char *type) {
    const struct holder *row = holders;
    while (*row->type && strcmp(row->type, type) != 0)
        row++;
    return *type ? row->registers : "";
}

static int fragment_fits(const char *type, const struct ptx_type *reg, int typed) {
    char name[16];
    snprintf(name, sizeof name, ".%s", reg->name);
    const char *names = holders_of(type);
    return !typed || !*names || reg->letter == 'b' || strstr(names, name) != NULL;
}

static const struct ptx_type *type_of(const struct reader *r, const struct ptx_operand *op) {
    return &VEC_AT(struct ptx_register, r->registers, op->index)->type;
}

/* Whether the registers of a list have a type. The assembler takes all of them as bits if one is of
 * bits. So it does if they are integers of two types, or if a number is among them. */
static int is_typed_list(const struct reader *r, const struct ptx_operand *list, uint32_t count) {
    const struct ptx_type *first = NULL;
    for (uint32_t i = 0; i < count; i++) {
        const struct ptx_type *type;
        if (list[i].kind == PTX_OP_INTEGER)
            return 0;
        if (list[i].kind != PTX_OP_REGISTER)
            continue;
        type = type_of(r, &list[i]);
        first = first ? first : type;
        if (type->letter == 'b' ||
            (type->letter != first->letter && type->letter != 'f' && first->letter != 'f'))
            return 0;
    }
    return 1;
}

/* The letter that numbers and registers of a list share: 'f', 'u' for integers, or 'b' if all are
 * bits. */
static char letter_of(const struct reader *r, const struct ptx_operand *list, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (list[i].kind == PTX_OP_REGISTER && type_of(r, &list[i])->letter != 'b')
            return type_of(r, &list[i])->letter == 'f' ? 'f' : 'u';
    return 'b';
}

/* Whether an element may be a number: of a list with a register, of its type. A list of numbers
 * alone has their width, which is 64 bits but for 0f. */
static int number_fits(const struct look *look, const struct ptx_operand *list, uint32_t count,
                       const struct ptx_operand *op) {
    static const struct ptx_type f32 = {.name = "f32", .bits = 32, .letter = 'f'};
    const unsigned k = look->number - 1;
    const int is_wide = look->shape->wide_list[k];
    const int is_integer = op->kind == PTX_OP_INTEGER;
    const char letter = letter_of(look->r, list, count);
    for (uint32_t i = 0; i < count; i++)
        if (list[i].kind == PTX_OP_REGISTER)
            return letter == 'b' || (letter == 'f') != is_integer;
    if (op->kind == PTX_OP_F32 && !is_wide)
        return !look->shape->integers[k] && fragment_fits(look->shape->type[k], &f32, 1);
    return is_wide || (is_integer && look->shape->integers[k]);
}

/* A special register of the width of the list, as a source. */
static int special_element_fits(const struct ptx_operand *op, unsigned bits) {
    struct ptx_type type;
    ptx_type_find(ptx_special_type(op->index), &type);
    return type.bits == bits;
}

/* Whether a list is _ alone. */
static int is_left_out(const struct ptx_operand *list, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (list[i].kind != PTX_OP_SINK)
            return 0;
    return 1;
}

/* Whether an element has a kind that its list takes. A result may be left out, but not one that is
 * a sum of itself. */
static int element_fits(const struct look *look, const struct ptx_operand *list, uint32_t count,
                        const struct ptx_operand *op, unsigned bits) {
    const unsigned k = look->number - 1;
    const int is_result = look->shape->result[k];
    switch (op->kind) {
    case PTX_OP_REGISTER: return !op->negated && !op->part;
    case PTX_OP_SINK: return is_result && !look->shape->descriptor && !is_left_out(list, count);
    case PTX_OP_INTEGER:
    case PTX_OP_F32:
    case PTX_OP_F64: return !is_result && number_fits(look, list, count, op);
    case PTX_OP_SPECIAL: return !is_result && !look->shape->bare && special_element_fits(op, bits);
    default: return 0;
    }
}

static const char *kind_of(const struct ptx_operand *op) {
    return op->negated ? "a negated register"
           : op->part  ? "a part of a register"
                       : ptx_kind_name(op);
}

static void refuse_element(const struct look *look, const struct ptx_operand *op) {
    ptx_complain(look->r, RULE_PTX_OPERAND_KIND, look->piece->at,
                 "a fragment, operand %u of '%.140s', cannot hold %s", look->number,
                 look->opcode->text, kind_of(op));
}

/* Returns 1 if a register fits. */
static int check_element(const struct look *look, const struct ptx_operand *op, unsigned bits,
                         int typed) {
    const unsigned k = look->number - 1;
    const char *type = look->shape->type[k];
    const struct ptx_register *reg = VEC_AT(struct ptx_register, look->r->registers, op->index);
    if (reg->type.bits != bits || reg->type.letter == 'p')
        ptx_complain(look->r, RULE_PTX_OPERAND_TYPE, look->piece->at,
                     "registers of operand %u of '%.140s' must have %u bits, not '%.60s', a .%s",
                     look->number, look->opcode->text, bits, reg->name, reg->type.name);
    else if (!fragment_fits(type, &reg->type, typed))
        ptx_complain(look->r, RULE_PTX_OPERAND_TYPE, look->piece->at,
                     "operand %u of '%.140s' holds %s, not '%.60s', a .%s; allowed: .b%u %s",
                     look->number, look->opcode->text, type, reg->name, reg->type.name, bits,
                     holders_of(type));
    else
        return 1;
    return 0;
}

/* Whether integers, floating-point numbers and pairs of these mix in a list; .b goes with all. */
static int mixes(const struct reader *r, const struct ptx_operand *list, uint32_t count) {
    enum { INTEGERS = 1, FLOATS = 2, PAIRS = 4 };
    unsigned classes = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct ptx_type *type = list[i].kind == PTX_OP_REGISTER ? type_of(r, &list[i]) : NULL;
        if (type && type->letter == 'f')
            classes |= strchr(type->name, 'x') ? PAIRS : FLOATS;
        else if (type && type->letter != 'b')
            classes |= INTEGERS;
    }
    return (classes & (classes - 1)) != 0;
}

/* The registers of a fragment have its width, and the first of them its type. */
static void check_fragment(const struct look *look) {
    const struct ptx_operand *op = &look->piece->op;
    const int is_list = op->kind == PTX_OP_VECTOR;
    const struct ptx_operand *list = is_list ? ELEMENTS_OF(look->r, op) : op;
    const unsigned bits = look->shape->wide_list[look->number - 1] ? 64 : 32;
    const uint32_t count = is_list ? op->count : 1;
    const int typed = is_typed_list(look->r, list, count);
    for (uint32_t i = 0; i < count; i++)
        if (!element_fits(look, list, count, &list[i], bits)) {
            refuse_element(look, &list[i]);
            return;
        }
    for (uint32_t i = 0; i < count; i++)
        if (list[i].kind == PTX_OP_REGISTER &&
            !check_element(look, &list[i], bits, typed && i == 0))
            return;
    if (mixes(look->r, list, count))
        ptx_complain(look->r, RULE_PTX_OPERAND_TYPE, look->piece->at,
                     "operand %u of '%.140s' has registers of several types in one list",
                     look->number, look->opcode->text);
}

/* --- what follows fragments --- */

static void refuse_kind(const struct look *look, const struct ptx_operand *op, const char *takes) {
    ptx_complain(look->r, RULE_PTX_OPERAND_KIND, look->piece->at,
                 "operand %u of '%.140s' is %s, must be %s", look->number, look->opcode->text,
                 kind_of(op), takes);
}

/* A register of that width, 1 for a predicate. */
static void check_register(const struct look *look, const struct ptx_operand *op, unsigned bits,
                           const char *takes) {
    const struct ptx_type *type;
    if (op->kind != PTX_OP_REGISTER || op->part || (op->negated && bits != 1)) {
        refuse_kind(look, op, takes);
        return;
    }
    type = type_of(look->r, op);
    if (bits == 1 ? type->letter != 'p' : type->letter == 'p' || type->bits != bits)
        ptx_complain(look->r, RULE_PTX_OPERAND_TYPE, look->piece->at,
                     "operand %u of '%.140s' is a .%s, must be %s", look->number,
                     look->opcode->text, type->name, takes);
}

/* A number, or a register of that width for integers; the assembler takes a sum of both. */
static void check_integer(const struct look *look, const struct ptx_operand *op, unsigned bits,
                          const char *takes) {
    struct ptx_operand whole = *op;
    if (op->kind == PTX_OP_INTEGER)
        return;
    if (op->kind == PTX_OP_SUM)
        whole.kind = PTX_OP_REGISTER;
    if (whole.kind == PTX_OP_REGISTER && type_of(look->r, op)->letter == 'f')
        ptx_complain(look->r, RULE_PTX_OPERAND_TYPE, look->piece->at,
                     "operand %u of '%.140s' is a .%s, must be %s", look->number,
                     look->opcode->text, type_of(look->r, op)->name, takes);
    else
        check_register(look, &whole, bits, takes);
}

/* The same in a list, which holds no sums. */
static void check_listed(const struct look *look, const struct ptx_operand *op, unsigned bits,
                         const char *takes) {
    if (op->kind == PTX_OP_SUM)
        refuse_kind(look, op, takes);
    else
        check_integer(look, op, bits, takes);
}

/* The same of 32 bits; it may be in { } alone. */
static void check_word(const struct look *look, const char *takes) {
    const struct ptx_operand *op = &look->piece->op;
    if (op->kind == PTX_OP_VECTOR && op->count == 1)
        op = VEC_AT(struct ptx_operand, look->r->operands, op->first);
    check_register(look, op, 32, takes);
}

static void check_number(const struct look *look, uint64_t most, const char *takes) {
    const struct isa_range range = {0, most, 1};
    if (look->piece->op.kind != PTX_OP_INTEGER)
        refuse_kind(look, &look->piece->op, takes);
    else
        ptx_check_range(look->r, look->opcode, look->number, &look->piece->op, range,
                        look->piece->at);
}

static void check_sign(const struct look *look) {
    const uint64_t value = look->piece->op.value;
    if (look->piece->op.kind != PTX_OP_INTEGER)
        refuse_kind(look, &look->piece->op, "a literal 1 or -1");
    else if (value != 1 && value != UINT64_MAX)
        ptx_complain(look->r, RULE_PTX_OPERAND_RANGE, look->piece->at,
                     "operand %u of '%.140s' is %lld, must be 1 or -1", look->number,
                     look->opcode->text, (long long)value);
}

/* { byte-id, thread-id }: with several factors per row, byte-id selects the first. */
static void check_ids(const struct look *look, unsigned threads) {
    enum { BYTES = 4 };
    const struct isa_range ranges[2] = {{0, BYTES - look->shape->blocks, look->shape->blocks},
                                        {0, threads - 1, 1}};
    const struct piece *piece = look->piece;
    if (piece->op.kind != PTX_OP_VECTOR || piece->op.count != 2) {
        refuse_kind(look, &look->piece->op, "{ byte-id, thread-id }");
        return;
    }
    for (unsigned i = 0; i < 2; i++) {
        const struct ptx_operand *op =
            VEC_AT(struct ptx_operand, look->r->operands, piece->op.first + i);
        if (op->kind != PTX_OP_INTEGER)
            check_listed(look, op, 16, "numbers, or integers of 16 bits");
        else if (!ptx_check_range(look->r, look->opcode, look->number, op, ranges[i], piece->at))
            return;
    }
}

/* --- copies --- */

/* One of a few numbers. */
static void check_size(const struct look *look) {
    const uint64_t size = look->piece->op.value;
    if (look->piece->op.kind != PTX_OP_INTEGER)
        refuse_kind(look, &look->piece->op, "a literal number of bytes");
    else if (!size || size > look->shape->sizes || size & (size - 1) ||
             !(look->shape->sizes & size))
        ptx_complain(look->r, RULE_PTX_OPERAND_TYPE, look->piece->at,
                     "'%.100s' cannot copy %llu bytes per lane, only %s", look->opcode->text,
                     (unsigned long long)size, look->shape->sizes == 16 ? "16" : "4, 8 or 16");
}

/* How many of the bytes are read, or a predicate that says that none is. */
static void check_read(const struct look *look) {
    const struct ptx_operand *op = &look->piece->op;
    const struct ptx_operand *size = &look->piece[-1].op;
    if (op->kind == PTX_OP_INTEGER)
        ptx_check_range(look->r, look->opcode, look->number, op,
                        (struct isa_range){0, size->value, 1}, look->piece->at);
    else if (op->kind != PTX_OP_REGISTER || type_of(look->r, op)->letter != 'p' || op->part)
        check_integer(look, op, 32, "a number of bytes or a predicate");
}

/* Coordinates have 32 bits each. The assembler takes all of them as bits if one is of bits. */
static void check_coordinates(const struct look *look, const struct ptx_operand *list) {
    const char *takes = "a list of integers of 32 bits";
    const struct ptx_operand *ops = ELEMENTS_OF(look->r, list);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct ptx_operand *op = &ops[i];
        if (op->kind == PTX_OP_SPECIAL && special_element_fits(op, 32))
            continue;
        if (op->kind == PTX_OP_SUM)
            refuse_kind(look, op, takes);
        else if (letter_of(look->r, ops, list->count) == 'f' &&
                 is_typed_list(look->r, ops, list->count))
            check_integer(look, op, 32, takes);
        else if (op->kind != PTX_OP_INTEGER)
            check_register(look, op, 32, takes);
    }
}

void ptx_check_map(struct reader *r, const struct ptx_opcode *opcode, const struct shape *shape,
                   const struct piece *piece, unsigned number) {
    static const struct ptx_base map = {.one_space = 1, .space = SCALAR_GLOBAL};
    const struct look look = {r, opcode, shape, piece, number, 0};
    const struct ptx_operand *op = &piece->op, *list;
    if (op->kind != PTX_OP_ADDRESS || op->count != 2) {
        refuse_kind(&look, op, "[tensor map, { coordinates }]");
        return;
    }
    list = VEC_AT(struct ptx_operand, r->operands, op->first);
    if (op->value || list->kind == PTX_OP_INTEGER)
        refuse_kind(&look, op->value ? op : list, "the address of a tensor map, without an offset");
    else
        ptx_check_base(r, opcode, number, list, map, piece->at);
    list++;
    if (list->kind != PTX_OP_VECTOR || list->count != shape->coordinates)
        ptx_complain(r, RULE_PTX_OPERAND_COUNT, piece->at,
                     "operand %u of '%.140s' has %u coordinates, not %u", number, opcode->text,
                     shape->coordinates, list->kind == PTX_OP_VECTOR ? (unsigned)list->count : 1);
    else
        check_coordinates(&look, list);
}

void ptx_check_offsets(struct reader *r, const struct ptx_opcode *opcode, const struct shape *shape,
                       const struct piece *piece, unsigned number) {
    const struct look look = {r, opcode, shape, piece, number, 0};
    if (piece->op.kind != PTX_OP_VECTOR)
        refuse_kind(&look, &piece->op, "{ offsets }");
    else if (piece->op.count != shape->offsets)
        ptx_complain(r, RULE_PTX_OPERAND_COUNT, piece->at,
                     "operand %u of '%.140s' has %u offsets, not %u", number, opcode->text,
                     shape->offsets, (unsigned)piece->op.count);
    else
        for (uint32_t i = 0; i < piece->op.count; i++)
            check_listed(&look, VEC_AT(struct ptx_operand, r->operands, piece->op.first + i), 16,
                         "a list of integers of 16 bits");
}

enum {
#define SCALAR(id, value, source) COPY_##id = value,
#include "../isa/copy.def"
    COPY_SCALARS_END
};

static const struct isa_range bulk_sizes = {0, (1u << COPY_SIZE_BITS) - COPY_PIECE, COPY_PIECE};

/* [base + offset] of the state space that the spelling names. */
static void check_address(const struct look *look) {
    const struct ptx_operand *op = &look->piece->op;
    const struct ptx_base base = {.one_space = 1, .space = look->shape->item_space[look->item]};
    if (op->kind != PTX_OP_ADDRESS)
        refuse_kind(look, op, "an address in [ ]");
    else if (op->count > 1)
        refuse_kind(look, op, "an address alone, without coordinates");
    else
        ptx_check_base(look->r, look->opcode, look->number,
                       VEC_AT(struct ptx_operand, look->r->operands, op->first), base,
                       look->piece->at);
}

/* A subscript without brackets is an address to scalar instructions alone. */
static void check_item(const struct look *look, enum shape_item item) {
    const struct shape *shape = look->shape;
    const struct ptx_operand *op = &look->piece->op;
    switch (item) {
    case ITEM_FRAGMENT: return;
    case ITEM_MASK: check_integer(look, op, 16, "a mask, an integer of 16 bits"); return;
    case ITEM_STRIDE: check_integer(look, op, 32, "a stride, an integer of 32 bits"); return;
    case ITEM_GROUPS: check_number(look, INT32_MAX, "a number of groups"); return;
    case ITEM_SIZE: check_size(look); return;
    case ITEM_READ: check_read(look); return;
    case ITEM_BYTES:
        check_integer(look, op, 32, "a number of bytes, an integer of 32 bits");
        ptx_check_range(look->r, look->opcode, look->number, op, bulk_sizes, look->piece->at);
        return;
    case ITEM_MAP: ptx_check_map(look->r, look->opcode, shape, look->piece, look->number); return;
    case ITEM_OFFSETS:
        ptx_check_offsets(look->r, look->opcode, shape, look->piece, look->number);
        return;
    case ITEM_POLICY:
        check_integer(look, op, 64, "a cache policy, 64 bits in a register or a number");
        return;
    case ITEM_ADDRESS: check_address(look); return;
    case ITEM_ORDINAL:
        check_number(look, ISA_MOST_COORDINATES - 1, "an ordinal, a literal number");
        return;
    case ITEM_VALUE:
        if (shape->most)
            check_number(look, shape->most, "a literal number");
        else if (op->kind != PTX_OP_INTEGER)
            check_register(look, op, shape->wide_list[0] ? 64 : 32,
                           shape->wide_list[0] ? "64 bits" : "32 bits");
        return;
    case ITEM_DESCRIPTOR:
        check_integer(look, op, 64, "a descriptor, a register of 64 bits");
        return;
    case ITEM_METADATA: check_word(look, "metadata, a register of 32 bits"); return;
    case ITEM_SELECTOR:
        check_number(look, shape->selectors - 1u, "a selector, a literal number");
        return;
    case ITEM_FACTORS_A:
    case ITEM_FACTORS_B: check_word(look, "scale factors, a register of 32 bits"); return;
    case ITEM_IDS_A: check_ids(look, shape->threads[0]); return;
    case ITEM_IDS_B: check_ids(look, shape->threads[1]); return;
    case ITEM_SCALE_D:
        if (op->kind == PTX_OP_INTEGER)
            check_number(look, 1, "");
        else
            check_register(look, op, 1, "scale-d, a predicate, 0 or 1");
        return;
    case ITEM_SIGN: check_sign(look); return;
    case ITEM_TRANS_A:
    case ITEM_TRANS_B: check_number(look, 1, "a literal 0 or 1"); return;
    }
}

/* --- all of them --- */

static void check_list(const struct look *look) {
    const struct shape *shape = look->shape;
    const struct piece *piece = look->piece;
    const unsigned k = look->number - 1, wanted = shape->registers[k];
    const int is_list = piece->op.kind == PTX_OP_VECTOR;
    const unsigned written = is_list ? piece->op.count : 1;
    if (shape->descriptor && k == 1 && !is_list) {
        check_item(look, ITEM_DESCRIPTOR);
        return;
    }
    if (!wanted)
        return;
    if (written != wanted)
        ptx_complain(look->r, RULE_PTX_OPERAND_COUNT, piece->at,
                     "operand %u of '%.140s' has %u registers, not %u", look->number,
                     look->opcode->text, wanted, written);
    else if (is_list == shape->bare)
        refuse_kind(look, &look->piece->op,
                    is_list ? "a register without braces" : "a list of one, in { }");
    else
        check_fragment(look);
}

static int has_list(const struct reader *r, unsigned from, unsigned end) {
    for (unsigned i = from; i < end && i < r->pieces.n; i++)
        if (((const struct piece *)r->pieces.at)[i].op.kind == PTX_OP_VECTOR)
            return 1;
    return 0;
}

/* Whether the other operands say that an item is there: A in registers is not transposed, and
 * offsets are the only list of a copy. */
static int is_there(const struct reader *r, enum shape_item item) {
    return item != ITEM_TRANS_A || !has_list(r, 1, 2);
}

static int is_optional(enum shape_item item) {
    return item == ITEM_STRIDE || item == ITEM_READ;
}

static void check_items(struct reader *r, const struct ptx_opcode *opcode,
                        const struct shape *shape, struct place at) {
    unsigned least = 0, most = 0, next = 0;
    for (unsigned i = 0; i < shape->items; i++) {
        const enum shape_item item = (enum shape_item)shape->item[i];
        most += (unsigned)is_there(r, item);
        least += is_there(r, item) && !is_optional(item);
    }
    if (r->pieces.n < least || r->pieces.n > most) {
        ptx_refuse_count(r, opcode, least, most, at);
        return;
    }
    for (unsigned i = 0; i < shape->items; i++) {
        const enum shape_item item = (enum shape_item)shape->item[i];
        if (!is_there(r, item) || (is_optional(item) && r->pieces.n < most))
            continue;
        const struct look look = {r,        opcode, shape, VEC_AT(struct piece, r->pieces, next),
                                  next + 1, i};
        if (item == ITEM_FRAGMENT)
            check_list(&look);
        else
            check_item(&look, item);
        next++;
    }
}

void ptx_check_matrix(struct reader *r, const struct ptx_opcode *opcode, const struct shape *shape,
                      struct place at) {
    if (shape->counted)
        check_items(r, opcode, shape, at);
}
