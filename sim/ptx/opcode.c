/* Opcodes: each spelling of a module is looked up once, in the tables of scalar instructions and of
 * matrix instructions and copies. */
#include "../isa/scalar.h"
#include "shape.h"

#include <stdio.h>
#include <string.h>

enum { WIDE_OFFSETS = 2 }; /* of im2col::w: the halo, and the distance */

/* A cube has three coordinates in two dimensions. Surfaces have whole ones. */
static void texture_shape(const struct scalar_meaning *meaning, struct shape *shape) {
    static const struct {
        uint8_t axes, layered, cube;
    } shapes[] = {
        {0, 0, 0},
#define TEXTURE_SHAPE(id, word, axes, layered, cube) {axes, layered, cube},
#include "../isa/texture.def"
    };
    const int samples =
        meaning->method == SCALAR_METHOD_TEX || meaning->method == SCALAR_METHOD_TEX_GATHER;
    const unsigned geometry = meaning->geometry;
    shape->layered = shapes[geometry].layered;
    shape->axes = (uint8_t)(shapes[geometry].axes + shapes[geometry].cube);
    shape->coordinates = (uint8_t)(shape->axes + shape->layered);
    shape->coordinate = samples ? isa_scalar_types[meaning->type[1]].name : "s32";
}

/* The number of the sample and two coordinates; a layer takes the fourth register. */
static void samples_shape(struct shape *shape) {
    shape->axes = 2;
    shape->coordinates = 3;
    shape->coordinate = "s32";
}

/* Whether a register may be wider than its type. Types that are no plain numbers fit exactly. */
static int is_wide(const struct scalar_meaning *meaning) {
    for (unsigned i = 0; i < meaning->types; i++) {
        const struct isa_scalar_type *type = &isa_scalar_types[meaning->type[i]];
        if (type->letter == 'f' && *type->name != 'f')
            return 0;
    }
    return 1;
}

static int is_barrier(unsigned method) {
    return method >= SCALAR_METHOD_MBARRIER_INIT && method <= SCALAR_METHOD_MBARRIER_TRY_WAIT;
}

static int is_tensor(unsigned method) {
    return method >= SCALAR_METHOD_TENSOR_ALLOC && method <= SCALAR_METHOD_TENSOR_MMA;
}

/* Whether the assembler wants all 64 bits of an address that is generic or of global memory. */
static int is_long(const struct scalar_meaning *meaning) {
    if (meaning->space != SCALAR_GENERIC && meaning->space != SCALAR_GLOBAL)
        return 0;
    switch (meaning->method) {
    case SCALAR_METHOD_LD:
    case SCALAR_METHOD_ST:
    case SCALAR_METHOD_ATOM:
    case SCALAR_METHOD_RED:
    case SCALAR_METHOD_PREFETCH:
    case SCALAR_METHOD_DISCARD:
    case SCALAR_METHOD_APPLYPRIORITY: return 1;
    default: return is_barrier(meaning->method);
    }
}

/* Whether the addresses of a method are of one space, which its words name. */
static uint8_t accesses(unsigned method) {
    switch (method) {
    case SCALAR_METHOD_LD:
    case SCALAR_METHOD_ST:
    case SCALAR_METHOD_ATOM:
    case SCALAR_METHOD_RED:
    case SCALAR_METHOD_RED_ASYNC:
    case SCALAR_METHOD_ST_ASYNC:
    case SCALAR_METHOD_ST_BULK:
    case SCALAR_METHOD_ASYNC_ARRIVE:
    case SCALAR_METHOD_PREFETCH:
    case SCALAR_METHOD_PREFETCH_BULK:
    case SCALAR_METHOD_DISCARD:
    case SCALAR_METHOD_APPLYPRIORITY:
    case SCALAR_METHOD_CREATEPOLICY:
    case SCALAR_METHOD_CANCEL_TRY:
    case SCALAR_METHOD_TENSOR_ALLOC:
    case SCALAR_METHOD_TENSOR_COMMIT: return 1;
    default: return (uint8_t)is_barrier(method);
    }
}

/* The operands that the row gives. A result and a source of ld, st and cvt may be in a wider
 * register. The assembler takes special registers only in mov and cvt. */
static void scalar_shape(const struct wsim_scalar *op, struct shape *shape) {
    struct scalar_meaning meaning;
    wsim_scalar_info(op, &shape->info);
    isa_scalar_meaning(op, &meaning);
    int loads = meaning.method == SCALAR_METHOD_LD, stores = meaning.method == SCALAR_METHOD_ST;
    int converts =
        meaning.method == SCALAR_METHOD_CVT || meaning.method == SCALAR_METHOD_CVT_RANDOM;
    int moves = meaning.method == SCALAR_METHOD_MOVE || meaning.method == SCALAR_METHOD_MOVE_LIST;
    int surfaces = meaning.method == SCALAR_METHOD_SURFACE_LD ||
                   meaning.method == SCALAR_METHOD_SURFACE_ST ||
                   meaning.method == SCALAR_METHOD_SURFACE_RED;
    if (meaning.geometry)
        texture_shape(&meaning, shape);
    if (meaning.method == SCALAR_METHOD_TEX_SAMPLES)
        samples_shape(shape);
    if (meaning.method == SCALAR_METHOD_PREFETCH_TENSOR) {
        shape->coordinates = meaning.gathers ? ISA_MOST_COORDINATES : meaning.dimensions;
        shape->offsets = meaning.wide ? WIDE_OFFSETS : (uint8_t)(meaning.dimensions - 2u);
    }
    shape->wide = (uint8_t)((loads || stores || converts || surfaces) && is_wide(&meaning));
    shape->specials = (uint8_t)(meaning.method == SCALAR_METHOD_CVT || moves);
    shape->mixes =
        (uint8_t)(meaning.kind == SCALAR_COMPUTES && !converts && meaning.types == 2 &&
                  meaning.type[0] == SCALAR_TYPE_F32 && meaning.type[1] == SCALAR_TYPE_BF16);
    shape->lists =
        stores || meaning.method == SCALAR_METHOD_ATOM || meaning.method == SCALAR_METHOD_RED;
    shape->accesses = accesses(meaning.method);
    shape->long_address = (uint8_t)is_long(&meaning);
    shape->space = (uint8_t)(is_barrier(meaning.method) ? (int)SCALAR_SHARED : (int)meaning.space);
    shape->stores = (uint8_t)stores;
    shape->any_address = meaning.method == SCALAR_METHOD_ISSPACEP;
    shape->compares = meaning.method == SCALAR_METHOD_SET;
    shape->signs = meaning.method == SCALAR_METHOD_VMAD;
    shape->copies = (uint8_t)shape->specials;
    shape->handles = meaning.geometry || meaning.method == SCALAR_METHOD_TEX_QUERY ||
                     meaning.method == SCALAR_METHOD_TEX_SAMPLES ||
                     meaning.method == SCALAR_METHOD_SURFACE_QUERY;
    shape->calls = meaning.method == SCALAR_METHOD_CALL;
    shape->products = meaning.method == SCALAR_METHOD_TENSOR_MMA;
    shape->exact = (uint8_t)(is_barrier(meaning.method) || is_tensor(meaning.method) ||
                             meaning.method == SCALAR_METHOD_PREFETCH_BULK);
    shape->subscripts = meaning.method == SCALAR_METHOD_LD || meaning.method == SCALAR_METHOD_ST;
    for (unsigned i = 0; i < shape->info.operands; i++)
        shape->range[i] = isa_scalar_range(op, &meaning, i);
}

/* Whether the assembler checks the types of the registers of a fragment. */
static int is_typed(const struct wsim_op *op, const struct wsim_layout *layout,
                    enum wsim_operand operand) {
    const int is_factor = operand == WSIM_A || operand == WSIM_B;
    struct wsim_layout factors;
    switch ((enum isa_typed)isa_door(op)->typed) {
    case TYPED_FACTORS:
        if (is_factor)
            return layout->elem_bits >= 16 || isa_form(op)->blocks;
        return layout->elem_bits >= 16 &&
               (!isa_form(op)->pattern ||
                (!wsim_op_layout(op, NULL, WSIM_A, &factors, NULL) && factors.elem_bits < 16));
    case TYPED_WIDE: return layout->elem_bits >= 16;
    case TYPED_ALL: return 1;
    default: return 0;
    }
}

/* List `k` is a fragment: registers are words, or pairs of them where elements are f64. */
static void list_shape(const struct wsim_op *op, enum wsim_operand operand, struct shape *shape,
                       unsigned k) {
    struct wsim_layout layout;
    if (wsim_op_layout(op, NULL, operand, &layout, NULL))
        return;
    shape->wide_list[k] = layout.elem_bits == 64;
    shape->registers[k] = shape->wide_list[k] ? (uint8_t)layout.elems : layout.regs;
    shape->type[k] = !is_typed(op, &layout, operand) ? ""
                     : layout.elem_bits < 16         ? "bits"
                                                     : layout.format->name;
    shape->result[k] = operand == WSIM_D;
    shape->integers[k] = operand == WSIM_C && strcmp(layout.format->name, "s32") == 0;
}

static void add_item(struct shape *shape, enum shape_item item) {
    shape->item[shape->items++] = (uint8_t)item;
}

/* An address, whose variables are of one state space. */
static void add_address(struct shape *shape, enum scalar_space space) {
    shape->item_space[shape->items] = (uint8_t)space;
    add_item(shape, ITEM_ADDRESS);
}

/* The state space that an instruction with one address names. */
static enum scalar_space space_of(const struct wsim_op *op) {
    if (isa_form(op)->family == WSIM_MAP_REPLACE)
        return op->q[PLACE_FROM] == Q_FROM_CTA      ? SCALAR_SHARED
               : op->q[PLACE_FROM] == Q_FROM_GLOBAL ? SCALAR_GLOBAL
                                                    : SCALAR_GENERIC;
    switch (op->q[PLACE_SPACE]) {
    case Q_SHARED:
    case Q_SHARED_CTA:
    case Q_SHARED_CLUSTER: return SCALAR_SHARED;
    case Q_GLOBAL: return SCALAR_GLOBAL;
    default: return SCALAR_GENERIC;
    }
}

/* How many threads thread-id tells apart: batches of the layout are threads of each byte. */
static uint8_t threads_of(const struct wsim_op *op, enum wsim_operand factors, unsigned blocks) {
    enum { BYTES = 4 };
    struct wsim_layout layout;
    wsim_op_layout(op, NULL, factors, &layout, NULL);
    return (uint8_t)(layout.batches * blocks / BYTES);
}

/* The operands after the matrices of a product. */
static void add_rest(const struct wsim_op *op, const struct isa_form *form, int is_group,
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

/* Whether one side of a copy is global memory. */
static int is_global(const struct wsim_op *op, int is_bulk, unsigned source) {
    if (!is_bulk)
        return source != 0;
    return source ? op->q[PLACE_FROM] == Q_FROM_GLOBAL : op->q[PLACE_TO] == Q_TO_GLOBAL;
}

/* The operands of a copy: destination, source, size, and the barrier that it signals. */
static void copy_shape(const struct wsim_op *op, int is_bulk, struct shape *shape) {
    const int has_map = op->q[PLACE_DIMENSIONS] != 0;
    const unsigned stores = op->q[PLACE_TO] == Q_TO_GLOBAL;
    if (has_map)
        shape->coordinates = (uint8_t)(isa_names_rows(op->q[PLACE_MODE]) ? ISA_MOST_COORDINATES
                                                                         : isa_op_dimensions(op));
    for (unsigned source = 0; source < 2; source++)
        if (has_map && source != stores)
            add_item(shape, ITEM_MAP);
        else
            add_address(shape, is_global(op, is_bulk, source) ? SCALAR_GLOBAL : SCALAR_SHARED);
    if (!has_map)
        add_item(shape, is_bulk ? ITEM_BYTES : ITEM_SIZE);
    if (!is_bulk)
        add_item(shape, ITEM_READ);
    if (is_bulk && !stores) /* the barrier */
        add_address(shape, SCALAR_SHARED);
    if (op->q[PLACE_MODE] == Q_IM2COL)
        shape->offsets = (uint8_t)(isa_op_dimensions(op) - 2);
    if (op->q[PLACE_MODE] == Q_IM2COL_W || op->q[PLACE_MODE] == Q_IM2COL_W128)
        shape->offsets = WIDE_OFFSETS;
    if (shape->offsets)
        add_item(shape, ITEM_OFFSETS);
    if (op->q[PLACE_MULTICAST])
        add_item(shape, ITEM_MASK);
    if (op->q[PLACE_HINT])
        add_item(shape, ITEM_POLICY);
    if (op->q[PLACE_MASK])
        add_item(shape, ITEM_MASK);
}

/* Interleaves have numbers in their order. */
enum {
#define INTERLEAVE(id, name, slice, align, rank) INTERLEAVE_##id,
#include "../isa/tensor.def"
};

/* Numbers that a field of a tensor map can have, a bit each. */
enum {
    NUMBERS_TYPE = 0
#define TYPE(id, name, bits, memory, is_float, align, multiple, box, interleaves, swizzles, needs, \
             replace)                                                                              \
    | 1 << (replace)
#include "../isa/tensor.def"
    ,
    NUMBERS_INTERLEAVE = 0
#define INTERLEAVE(id, name, slice, align, rank) | 1 << INTERLEAVE_##id
#include "../isa/tensor.def"
    ,
    NUMBERS_SWIZZLE_MODE = 1 << 4 /* of sm_103a: no driver makes such a map */
#define SWIZZLE(id, needs, mode, atom) | 1 << (mode)
#include "../isa/tensor.def"
    ,
    NUMBERS_SWIZZLE_ATOM = 0
#define SWIZZLE(id, needs, mode, atom) | 1 << (atom)
#include "../isa/tensor.def"
    ,
    NUMBERS_FILL = 0
#define FILL(id, name, is_float, replace) | 1 << (replace)
#include "../isa/tensor.def"
};

/* The ordinal and the value of tensormap.replace. */
static void field_shape(const struct wsim_op *op, struct shape *shape) {
    enum { ORDINAL = 1 << 16 };
#define LIMITED(id) 0
#define EACH(id) ORDINAL
#define LISTED(id) NUMBERS_##id
    static const uint32_t fields[] = {
#define FIELD(id, slot, number, row) [Q_##id] = number,
#include "../isa/tensor.def"
    };
    uint32_t numbers = fields[op->q[PLACE_FIELD]];
    if (numbers == ORDINAL)
        add_item(shape, ITEM_ORDINAL);
    else
        while (numbers >>= 1)
            shape->most++;
    shape->wide_list[0] = isa_form_allows(isa_form(op), PLACE_D, FORMAT_B64) != 0;
    add_item(shape, ITEM_VALUE);
}

/* Operands in written order: that of the row of the door. */
static void matrix_shape(const struct wsim_op *op, struct shape *shape) {
    const struct wsim_op_info info = wsim_op_describe(op);
    const int is_group = isa_is_group(op);
    const uint8_t *written = isa_door(op)->written;
    shape->sizes = info.sizes;
    shape->bare = (info.does & WSIM_DOES_EXCHANGE) != 0;
    shape->selectors = info.selectors;
    shape->counted = *written != ISA_ITEM_END;
    for (unsigned k = 0; k < ISA_MOST_WRITTEN && written[k]; k++)
        switch ((enum isa_item)written[k]) {
        case ISA_ITEM_ADDRESS: add_address(shape, space_of(op)); break;
        case ISA_ITEM_STRIDE: add_item(shape, ITEM_STRIDE); break;
        case ISA_ITEM_MATRIX:
            shape->descriptor = 1;
            add_item(shape, ITEM_DESCRIPTOR);
            break;
        case ISA_ITEM_REST: add_rest(op, isa_form(op), is_group, shape); break;
        case ISA_ITEM_GROUPS:
            if (isa_form(op)->family == WSIM_WGMMA_WAIT)
                add_item(shape, ITEM_GROUPS);
            break;
        case ISA_ITEM_FIELD: field_shape(op, shape); break;
        case ISA_ITEM_COPIED: copy_shape(op, info.threads == 1, shape); break;
        default:
            add_item(shape, ITEM_FRAGMENT);
            list_shape(op, (enum wsim_operand)(written[k] - 1), shape, k);
        }
}

/* Copies a spelling with one more word at a dot. 0: no room. */
static int add_word(const char *text, size_t dot, const char *word, char out[WSIM_SPELLING_MAX]) {
    const int n = snprintf(out, WSIM_SPELLING_MAX, "%.*s.%s%s", (int)dot, text, word, text + dot);
    return n > 0 && n < WSIM_SPELLING_MAX;
}

/* Parses an old text. mad.f32 has no rounding before PTX 3.2, nor for targets before sm_20, and
 * rounds to nearest. Targets before sm_20 flush subnormals in all operations of f32 that can,
 * except conversions of f64. Source: machine code of the assembler of CUDA 13.0 (lab/contract). */
static int parse_old(const struct reader *r, const char *text, struct wsim_instruction *out) {
    const int flushes = wsim_target_number(r->module->target) < ISA_SUBNORMALS_TARGET &&
                        *r->module->target && !strstr(text, ".f64");
    const int is_mad = strcmp(text, "mad.f32") == 0 || strcmp(text, "mad.sat.f32") == 0;
    char rounded[WSIM_SPELLING_MAX], flushed[WSIM_SPELLING_MAX];
    struct wsim_diag why;
    if (is_mad && (flushes || r->module->version < ISA_MAD_ROUNDING_VERSION)) {
        if (!add_word(text, strlen("mad"), "rn", rounded))
            return 0;
        text = rounded;
    }
    for (size_t i = 0; flushes && strstr(text, ".f32") && text[i]; i++)
        if (text[i] == '.' && add_word(text, i, "ftz", flushed) &&
            !wsim_instruction_parse(flushed, out, &why) && out->is_scalar)
            return 1;
    return text == rounded && !wsim_instruction_parse(text, out, &why);
}

static void look_up(struct reader *r, struct ptx_opcode *o, struct shape *shape) {
    struct wsim_diag why;
    struct wsim_instruction instruction;
    if (strlen(o->text) >= WSIM_SPELLING_MAX) {
        o->status = base_refuse(&why, RULE_PTX_OPCODE_UNKNOWN, 0, "the spelling is too long");
        o->rule = why.rule;
        o->why = "the spelling is too long";
        return;
    }
    o->status = parse_old(r, o->text, &instruction)
                    ? WSIM_OK
                    : wsim_instruction_parse(o->text, &instruction, &why);
    o->scalar = instruction.scalar;
    o->op = instruction.op;
    if (instruction.is_scalar) {
        o->kind = PTX_SCALAR;
        scalar_shape(&o->scalar, shape);
        /* Devices run instructions that no assembler takes, as the module allows them. They run
         * those of old versions too, as its text is old. */
        if (shape->info.ptx && !shape->info.until)
            o->needs = isa_scalar_needs(&o->scalar, &shape->info.ptx);
        shape->past = shape->info.until && r->module->version >= shape->info.until &&
                      wsim_target_number(r->module->target) >= ISA_SYNC_TARGET;
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
