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
};

/* --- fragments --- */

/* Register types that may hold elements of a type, in addition to .b types. The last row is for all
 * other types. */
static const struct holder {
    const char *type, *registers;
} holders[] = {{"f16", ".f16x2"},      {"f32", ".f32"},           {"bf16", ".b32 alone"},
               {"tf32", ".b32 alone"}, {"f64", ".u64 .s64 .f64"}, {"", ".u32 .s32"}};

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
        type = &VEC_AT(struct ptx_register, r->registers, list[i].index)->type;
        first = first ? first : type;
        if (type->letter == 'b' ||
            (type->letter != first->letter && type->letter != 'f' && first->letter != 'f'))
            return 0;
    }
    return 1;
}

/* The registers of a fragment have its width, and the first of them its type. */
static void check_fragment(struct reader *r, const struct ptx_opcode *opcode,
                           const struct shape *shape, unsigned list, const struct piece *piece) {
    const int is_list = piece->op.kind == PTX_OP_VECTOR;
    const unsigned bits = shape->wide_list[list] ? 64 : 32;
    const struct ptx_operand *ops = is_list ? ELEMENTS_OF(r, &piece->op) : &piece->op;
    const uint32_t count = is_list ? piece->op.count : 1;
    const int typed = is_typed_list(r, ops, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct ptx_operand *op = &ops[i];
        if (op->kind != PTX_OP_REGISTER)
            continue;
        const struct ptx_register *reg = VEC_AT(struct ptx_register, r->registers, op->index);
        if (reg->type.bits != bits || reg->type.letter == 'p')
            ptx_complain(
                r, RULE_PTX_OPERAND_TYPE, piece->at,
                "registers of operand %u of '%.140s' must have %u bits, not '%.60s', a .%s",
                list + 1, opcode->text, bits, reg->name, reg->type.name);
        else if (!fragment_fits(shape->type[list], &reg->type, typed && i == 0))
            ptx_complain(r, RULE_PTX_OPERAND_TYPE, piece->at,
                         "operand %u of '%.140s' holds %s, not '%.60s', a .%s; allowed: .b%u %s",
                         list + 1, opcode->text, shape->type[list], reg->name, reg->type.name, bits,
                         holders_of(shape->type[list]));
        else
            continue;
        return;
    }
}

/* --- what follows fragments --- */

static void refuse_kind(const struct look *look, const char *takes) {
    ptx_complain(look->r, RULE_PTX_OPERAND_KIND, look->piece->at,
                 "operand %u of '%.140s' is %s, must be %s", look->number, look->opcode->text,
                 ptx_kind_name(&look->piece->op), takes);
}

/* A register of that width, 1 for a predicate. */
static void check_register(const struct look *look, const struct ptx_operand *op, unsigned bits,
                           const char *takes) {
    const struct ptx_type *type;
    if (op->kind != PTX_OP_REGISTER) {
        refuse_kind(look, takes);
        return;
    }
    type = &VEC_AT(struct ptx_register, look->r->registers, op->index)->type;
    if (bits == 1 ? type->letter != 'p' : type->letter == 'p' || type->bits != bits)
        ptx_complain(look->r, RULE_PTX_OPERAND_TYPE, look->piece->at,
                     "operand %u of '%.140s' is a .%s, must be %s", look->number,
                     look->opcode->text, type->name, takes);
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
        refuse_kind(look, takes);
    else
        ptx_check_range(look->r, look->opcode, look->number, &look->piece->op, range,
                        look->piece->at);
}

static void check_sign(const struct look *look) {
    const uint64_t value = look->piece->op.value;
    if (look->piece->op.kind != PTX_OP_INTEGER)
        refuse_kind(look, "a literal 1 or -1");
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
        refuse_kind(look, "{ byte-id, thread-id }");
        return;
    }
    for (unsigned i = 0; i < 2; i++) {
        const struct ptx_operand *op =
            VEC_AT(struct ptx_operand, look->r->operands, piece->op.first + i);
        if (op->kind != PTX_OP_INTEGER)
            check_register(look, op, 16, "numbers, or registers of 16 bits");
        else if (!ptx_check_range(look->r, look->opcode, look->number, op, ranges[i], piece->at))
            return;
    }
}

/* --- copies --- */

/* One of a few numbers. */
static void check_size(const struct look *look) {
    const uint64_t size = look->piece->op.value;
    if (look->piece->op.kind != PTX_OP_INTEGER)
        refuse_kind(look, "a literal number of bytes");
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
    else if (op->kind != PTX_OP_REGISTER)
        refuse_kind(look, "a number of bytes or a predicate");
}

void ptx_check_map(struct reader *r, const struct ptx_opcode *opcode, const struct shape *shape,
                   const struct piece *piece, unsigned number) {
    const struct look look = {r, opcode, shape, piece, number};
    const struct ptx_operand *op = &piece->op, *list;
    if (op->kind != PTX_OP_ADDRESS || op->count != 2) {
        refuse_kind(&look, "[tensor map, { coordinates }]");
        return;
    }
    list = VEC_AT(struct ptx_operand, r->operands, op->first + 1);
    if (list->kind != PTX_OP_VECTOR || list->count != shape->coordinates)
        ptx_complain(r, RULE_PTX_OPERAND_COUNT, piece->at,
                     "operand %u of '%.140s' has %u coordinates, not %u", number, opcode->text,
                     shape->coordinates, list->kind == PTX_OP_VECTOR ? (unsigned)list->count : 1);
}

void ptx_check_offsets(struct reader *r, const struct ptx_opcode *opcode, const struct shape *shape,
                       const struct piece *piece, unsigned number) {
    const struct look look = {r, opcode, shape, piece, number};
    if (piece->op.kind != PTX_OP_VECTOR)
        refuse_kind(&look, "{ offsets }");
    else if (piece->op.count != shape->offsets)
        ptx_complain(r, RULE_PTX_OPERAND_COUNT, piece->at,
                     "operand %u of '%.140s' has %u offsets, not %u", number, opcode->text,
                     shape->offsets, (unsigned)piece->op.count);
}

enum {
#define SCALAR(id, value, source) COPY_##id = value,
#include "../isa/copy.def"
    COPY_SCALARS_END
};

static const struct isa_range bulk_sizes = {0, (1u << COPY_SIZE_BITS) - COPY_PIECE, COPY_PIECE};

/* A subscript without brackets is an address to scalar instructions alone. */
static void check_item(const struct look *look, enum shape_item item) {
    const struct shape *shape = look->shape;
    const struct ptx_operand *op = &look->piece->op;
    switch (item) {
    case ITEM_FRAGMENT:
    case ITEM_MASK:
    case ITEM_STRIDE: return;
    case ITEM_SIZE: check_size(look); return;
    case ITEM_READ: check_read(look); return;
    case ITEM_BYTES:
        ptx_check_range(look->r, look->opcode, look->number, op, bulk_sizes, look->piece->at);
        return;
    case ITEM_MAP: ptx_check_map(look->r, look->opcode, shape, look->piece, look->number); return;
    case ITEM_OFFSETS:
        ptx_check_offsets(look->r, look->opcode, shape, look->piece, look->number);
        return;
    case ITEM_POLICY:
        if (op->kind != PTX_OP_INTEGER)
            check_register(look, op, 64, "a cache policy, 64 bits in a register or a number");
        return;
    case ITEM_ADDRESS:
        if (op->kind != PTX_OP_ADDRESS)
            refuse_kind(look, "an address in [ ]");
        return;
    case ITEM_DESCRIPTOR:
        if (op->kind != PTX_OP_INTEGER)
            check_register(look, op, 64, "a descriptor, a register of 64 bits");
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
        refuse_kind(look, is_list ? "a register without braces" : "a list of one, in { }");
    else
        check_fragment(look->r, look->opcode, shape, k, piece);
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
        const struct look look = {r, opcode, shape, VEC_AT(struct piece, r->pieces, next),
                                  next + 1};
        if (item == ITEM_FRAGMENT)
            check_list(&look);
        else
            check_item(&look, item);
        next++;
    }
}

void ptx_check_matrix(struct reader *r, const struct ptx_opcode *opcode, const struct shape *shape,
                      struct place at) {
    if (shape->items)
        check_items(r, opcode, shape, at);
}
