/* Facts of operations from the tables, for display and for loops over all operations. */
#include "isa.h"

static unsigned max(unsigned a, unsigned b) {
    return a > b ? a : b;
}

/* The first PTX version that has the row and every word and type that is written. */
static unsigned first_ptx(const struct wsim_op *op) {
    unsigned ptx = isa_form(op)->ptx;
    for (int p = 0; p < PLACE_COUNT; p++)
        if (op->q[p])
            ptx = max(ptx, isa_place_has_types(p) ? isa_types[op->q[p]].ptx
                                                  : isa_word_of(p, op->q[p])->ptx);
    return ptx;
}

/* The layout of the metadata has one batch for each selector. */
static unsigned count_selectors(const struct wsim_op *op) {
    struct wsim_layout layout;
    return isa_op_has(op, WSIM_E) && wsim_op_layout(op, NULL, WSIM_E, &layout, NULL) == WSIM_OK
               ? layout.batches
               : 0;
}

/* The name with the word of sparsity that follows it. */
static const char *full_family_name(const struct wsim_op *op) {
    static const char *const names[WSIM_FAMILIES][3] = {
#define FAMILY(id, name, door, operands)                                                           \
    [WSIM_##id] = {name, [Q_SP] = name ".sp", [Q_SP_ORDERED] = name ".sp::ordered_metadata"},
#include "family.def"
    };
    return names[isa_form(op)->family][op->q[PLACE_SPARSE]];
}

static uint16_t register_operands(const struct wsim_op *op) {
    unsigned operands = 0, o;
    for (o = 0; o < WSIM_OPERANDS; o++)
        operands |= (unsigned)isa_op_has(op, (enum wsim_operand)o) << o;
    return (uint16_t)operands;
}

struct wsim_op_info wsim_op_describe(const struct wsim_op *op) {
    const struct isa_form *form;
    struct isa_shape shape;
    struct wsim_op_info info = {0};
    if (!isa_op_known(op))
        return info;
    form = isa_form(op);
    shape = isa_op_shape(op);
    info.family = (enum wsim_family)form->family;
    info.family_name = full_family_name(op);
    info.row = form->name;
    info.feature = isa_feature_names[form->feature];
    info.source = form->source;
    info.ptx = (uint16_t)first_ptx(op);
    info.m = shape.m;
    info.n = shape.n;
    info.k = shape.k;
    info.view = (enum wsim_view)isa_door(op)->view;
    info.does = isa_door(op)->does;
    info.counting = (enum wsim_counting)isa_door(op)->counting;
    info.operands = register_operands(op);
    info.threads = (uint8_t)isa_op_threads(op);
    info.sparse = form->pattern != PATTERN_NONE;
    info.selectors = (uint8_t)count_selectors(op);
    info.matrices = (uint8_t)(form->scheme == SCHEME_MOVE ? isa_op_matrices(op) : 0);
    info.bytes = (uint8_t)isa_op_bytes(op);
    info.sizes = form->sizes;
    info.documented = !form->undocumented;
    return info;
}
