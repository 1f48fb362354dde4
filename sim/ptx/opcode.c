/* Opcodes: each spelling of a module is looked up once, in the tables of scalar instructions and of
 * matrix instructions and copies. */
#include "../isa/scalar.h"
#include "shape.h"

#include <string.h>

/* What the row says of operands. A result and a source of ld, st and cvt may be in a wider
 * register; the assembler takes special registers in mov and cvt alone. */
static void scalar_shape(const struct wsim_scalar *op, struct shape *shape) {
    struct scalar_meaning meaning;
    wsim_scalar_info(op, &shape->info);
    isa_scalar_meaning(op, &meaning);
    int loads = meaning.method == SCALAR_METHOD_LD, stores = meaning.method == SCALAR_METHOD_ST;
    int converts = meaning.method == SCALAR_METHOD_CVT;
    shape->wide = (uint8_t)(loads || stores || converts);
    shape->specials = (uint8_t)(converts || meaning.method == SCALAR_METHOD_MOVE ||
                                meaning.kind != SCALAR_COMPUTES);
    shape->accesses = (uint8_t)(loads || stores || meaning.method == SCALAR_METHOD_ATOM ||
                                meaning.method == SCALAR_METHOD_RED);
    shape->space = (uint8_t)meaning.space;
    shape->stores = (uint8_t)stores;
    shape->any_address = meaning.method == SCALAR_METHOD_ISSPACEP;
    shape->compares = meaning.method == SCALAR_METHOD_SET;
    shape->signs = meaning.method == SCALAR_METHOD_VMAD;
    shape->copies = meaning.method == SCALAR_METHOD_MOVE || converts;
    shape->calls = meaning.method == SCALAR_METHOD_CALL;
    for (unsigned i = 0; i < shape->info.operands; i++)
        shape->range[i] = isa_scalar_range(op, &meaning, i);
    shape->f32 = wsim_format_find("f32");
    shape->f64 = wsim_format_find("f64");
}

/* Whether the assembler looks at the types of the registers of a fragment. Of elements below 16
 * bits it does in wmma alone, of sparse products only A and B are looked at, of moves nothing.
 * Source: the assembler of CUDA 13.0, one form a family and type, ten types of registers. */
static int is_typed(const struct wsim_op_info *info, const struct wsim_layout *layout,
                    enum wsim_operand operand) {
    switch (info->door) {
    case WSIM_DOOR_MMA:
        if (info->sparse && (operand == WSIM_D || operand == WSIM_C))
            return 0; /* fall through */
    case WSIM_DOOR_WGMMA: return layout->elem_bits >= 16;
    case WSIM_DOOR_FRAGMENT_LOAD:
    case WSIM_DOOR_FRAGMENT_STORE:
    case WSIM_DOOR_FRAGMENT_MMA: return 1;
    default: return 0;
    }
}

/* List `k` is a fragment: registers are words, or pairs of them where elements are f64. */
static void list_shape(const struct wsim_op *op, const struct wsim_op_info *info,
                       enum wsim_operand operand, struct shape *shape, unsigned k) {
    struct wsim_layout layout;
    if (wsim_op_layout(op, NULL, operand, &layout, NULL))
        return;
    shape->wide_list[k] = layout.elem_bits == 64;
    shape->registers[k] = shape->wide_list[k] ? (uint8_t)layout.elems : layout.regs;
    shape->type[k] = is_typed(info, &layout, operand) ? layout.format->name : "";
}

static void add_item(struct shape *shape, enum shape_item item) {
    shape->item[shape->items++] = (uint8_t)item;
}

/* How many threads thread-id tells apart: batches of the layout are threads of each byte. */
static uint8_t threads_of(const struct wsim_op *op, enum wsim_operand factors, unsigned blocks) {
    enum { BYTES = 4 };
    struct wsim_layout layout;
    wsim_op_layout(op, NULL, factors, &layout, NULL);
    return (uint8_t)(layout.batches * blocks / BYTES);
}

/* What follows the matrices of a product. */
static void add_behind(const struct wsim_op *op, const struct isa_form *form, int is_group,
                       struct shape *shape) {
    shape->blocks = form->blocks;
    if (shape->selectors) {
        add_item(shape, ITEM_METADATA);
        add_item(shape, ITEM_SELECTOR);
    }
    for (unsigned i = 0; i < 2 && form->blocks; i++) {
        shape->threads[i] = threads_of(op, i ? WSIM_SFB : WSIM_SFA, form->blocks);
        add_item(shape, i ? ITEM_FACTORS_B : ITEM_FACTORS_A);
        add_item(shape, i ? ITEM_IDS_B : ITEM_IDS_A);
    }
    if (!is_group)
        return;
    add_item(shape, ITEM_SCALE_D);
    for (unsigned i = 0; i < 2 && form->signs; i++)
        add_item(shape, ITEM_SIGN);
    for (unsigned i = 0; i < 2 && form->majors; i++)
        add_item(shape, i ? ITEM_TRANS_B : ITEM_TRANS_A);
}

/* What a copy names: where to, where from, how much, and who is told. */
static void copy_shape(const struct wsim_op *op, int is_bulk, struct shape *shape) {
    const int has_map = op->q[PLACE_DIMENSIONS] != 0, stores = op->q[PLACE_TO] == Q_TO_GLOBAL;
    if (has_map)
        shape->coordinates = (uint8_t)(isa_names_rows(op->q[PLACE_MODE]) ? ISA_MOST_COORDINATES
                                                                         : isa_op_dimensions(op));
    add_item(shape, has_map && stores ? ITEM_MAP : ITEM_ADDRESS);
    add_item(shape, has_map && !stores ? ITEM_MAP : ITEM_ADDRESS);
    if (!has_map)
        add_item(shape, is_bulk ? ITEM_BYTES : ITEM_SIZE);
    if (!is_bulk)
        add_item(shape, ITEM_READ);
    if (is_bulk && !stores) { /* the barrier */
        add_item(shape, ITEM_ADDRESS);
        add_item(shape, ITEM_OFFSETS);
    }
    if (op->q[PLACE_MULTICAST])
        add_item(shape, ITEM_MASK);
    if (op->q[PLACE_HINT])
        add_item(shape, ITEM_POLICY);
    if (op->q[PLACE_MASK])
        add_item(shape, ITEM_MASK);
}

/* Matrices stand in this order: a fragment of enum wsim_operand, or another item of BEFORE more. */
static void matrix_shape(const struct wsim_op *op, struct shape *shape) {
    enum { BEFORE = 64, NOTHING = -1 };
#define OTHER(item) (BEFORE + ITEM_##item)
    static const struct {
        enum wsim_door door;
        int8_t items[SHAPE_LISTS];
    } orders[] = {
        {WSIM_DOOR_MMA, {WSIM_D, WSIM_A, WSIM_B, WSIM_C}},
        {WSIM_DOOR_FRAGMENT_MMA, {WSIM_D, WSIM_A, WSIM_B, WSIM_C}},
        {WSIM_DOOR_WGMMA, {WSIM_D, WSIM_A, OTHER(DESCRIPTOR), NOTHING}},
        {WSIM_DOOR_LDMATRIX, {WSIM_D, OTHER(ADDRESS), NOTHING, NOTHING}},
        {WSIM_DOOR_MOVMATRIX, {WSIM_D, WSIM_A, NOTHING, NOTHING}},
        {WSIM_DOOR_STMATRIX, {OTHER(ADDRESS), WSIM_R, NOTHING, NOTHING}},
        {WSIM_DOOR_FRAGMENT_LOAD, {WSIM_D, OTHER(ADDRESS), OTHER(STRIDE), NOTHING}},
        {WSIM_DOOR_FRAGMENT_STORE, {OTHER(ADDRESS), WSIM_R, OTHER(STRIDE), NOTHING}},
    };
#undef OTHER
    const struct wsim_op_info info = wsim_op_describe(op);
    const int is_group = info.door == WSIM_DOOR_WGMMA;
    shape->descriptor = (uint8_t)is_group;
    shape->sizes = info.sizes;
    shape->bare = info.door == WSIM_DOOR_MOVMATRIX;
    shape->selectors = info.selectors;
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        for (unsigned k = 0; k < SHAPE_LISTS && orders[i].door == info.door; k++) {
            const int item = orders[i].items[k];
            if (item >= BEFORE)
                add_item(shape, (enum shape_item)(item - BEFORE));
            else if (item != NOTHING) {
                add_item(shape, ITEM_FRAGMENT);
                list_shape(op, &info, (enum wsim_operand)item, shape, k);
            }
        }
    if (info.door == WSIM_DOOR_MMA || is_group)
        add_behind(op, isa_form(op), is_group, shape);
    if (info.door == WSIM_DOOR_ASYNC || info.door == WSIM_DOOR_BULK)
        copy_shape(op, info.door == WSIM_DOOR_BULK, shape);
}

static void look_up(struct reader *r, struct ptx_opcode *o, struct shape *shape) {
    struct wsim_diag why;
    struct wsim_instruction instruction;
    if (strlen(o->text) >= WSIM_SPELLING_MAX) {
        o->status = base_refuse(&why, RULE_PTX_OPCODE_UNKNOWN, 0, "no spelling is that long");
        o->rule = why.rule;
        o->why = "no spelling is that long";
        return;
    }
    o->status = wsim_instruction_parse(o->text, &instruction, &why);
    o->scalar = instruction.scalar;
    o->op = instruction.op;
    if (instruction.is_scalar) {
        o->kind = PTX_SCALAR;
        scalar_shape(&o->scalar, shape);
        shape->past = shape->info.until && r->module->version >= shape->info.until &&
                      ptx_target_number(r->module->target) >= ISA_SYNC_TARGET;
        shape->maps = r->maps_f64 && strstr(o->text, ".f64");
        return;
    }
    if (instruction.is_op) {
        o->kind = PTX_MATRIX;
        matrix_shape(&o->op, shape);
        return;
    }
    o->kind = PTX_UNKNOWN;
    o->rule = why.rule;
    o->why = arena_copy(r->keep, why.text, strlen(why.text));
}

uint32_t ptx_opcode(struct reader *r, uint32_t name) {
    if (NAME_AT(r, name)->opcode)
        return NAME_AT(r, name)->opcode;
    struct ptx_opcode *o = arena_push(&r->work, &r->opcodes, sizeof *o);
    struct shape *shape = o ? arena_push(&r->work, &r->shapes, sizeof *shape) : NULL;
    if (!shape)
        return 0;
    o->text = ptx_name_keep(r, name);
    look_up(r, o, shape);
    return NAME_AT(r, name)->opcode = r->opcodes.n;
}
