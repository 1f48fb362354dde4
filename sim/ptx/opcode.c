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

/* The operands that are fragments stand in this order. */
static void matrix_shape(const struct wsim_op *op, struct shape *shape) {
    static const struct {
        enum wsim_door door;
        int8_t fragments[SHAPE_LISTS];
    } orders[] = {
        {WSIM_DOOR_MMA, {WSIM_D, WSIM_A, WSIM_B, WSIM_C}},
        {WSIM_DOOR_FRAGMENT_MMA, {WSIM_D, WSIM_A, WSIM_B, WSIM_C}},
        {WSIM_DOOR_WGMMA, {WSIM_D, WSIM_A, -1, -1}},
        {WSIM_DOOR_LDMATRIX, {WSIM_D, -1, -1, -1}},
        {WSIM_DOOR_MOVMATRIX, {WSIM_D, WSIM_A, -1, -1}},
        {WSIM_DOOR_STMATRIX, {-1, WSIM_R, -1, -1}},
        {WSIM_DOOR_FRAGMENT_LOAD, {WSIM_D, -1, -1, -1}},
        {WSIM_DOOR_FRAGMENT_STORE, {-1, WSIM_R, -1, -1}},
    };
    struct wsim_op_info info = wsim_op_describe(op);
    shape->descriptor = info.door == WSIM_DOOR_WGMMA;
    shape->sizes = info.sizes;
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        for (unsigned k = 0; k < SHAPE_LISTS && orders[i].door == info.door; k++)
            if (orders[i].fragments[k] >= 0)
                list_shape(op, &info, (enum wsim_operand)orders[i].fragments[k], shape, k);
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
