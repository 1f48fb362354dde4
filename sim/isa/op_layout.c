/* From an operation and an operand to its layout: picks the row of layout.def and cuts it to the
 * number of elements the operand has. */
#include "../base/base.h"
#include "isa.h"

/* Bits a value of this format is kept in: the next width a register can be cut into. */
static unsigned natural_container(const struct wsim_format *format) {
    unsigned bits = format->bits + (format->bits > 8 ? format->pad : 0u);
    unsigned width = 1;
    while (width < bits || width == 2)
        width *= 2;
    return width;
}

static const struct isa_layout_row *find_row(enum isa_scheme scheme, enum wsim_operand operand,
                                             unsigned key1, unsigned key2) {
    uint32_t key = ISA_LAYOUT_KEY(scheme, operand, key1, key2);
    for (unsigned i = 1; i < LAYOUT_COUNT; i++)
        if (isa_layout_keys[i] == key)
            return &isa_layouts[i];
    return NULL;
}

/* The largest value of the coordinate under `mask` among elements 0 .. elems - 1 of all lanes. The
 * bits of a row set different bits of a coordinate (limits.c), so more bits give a larger one. The
 * candidates are the largest element number, and it with one bit cleared and all below set. */
static uint32_t largest(const struct wsim_layout *layout, uint32_t mask) {
    uint32_t lanes = 0, above = 0, most = 0;
    for (unsigned i = 0; i < WSIM_LAYOUT_LANE_BITS; i++)
        lanes |= layout->lane[i] & mask;
    for (unsigned i = WSIM_LAYOUT_ELEM_BITS + 1; i-- > 0;)
        if (layout->elems >> i & 1) {
            uint32_t at = lanes | above;
            for (unsigned below = 0; below < i; below++)
                at |= layout->elem[below] & mask;
            most = at > most ? at : most;
            above |= i < WSIM_LAYOUT_ELEM_BITS ? layout->elem[i] & mask : 0;
        }
    return most;
}

static void measure(struct wsim_layout *layout) {
    layout->rows = (uint16_t)(largest(layout, 0xFFF) + 1);
    layout->cols = (uint16_t)((largest(layout, 0xFFF000) >> 12) + 1);
    layout->batches = (uint16_t)((largest(layout, 0xFF000000) >> 24) + 1);
}

/* Everything but the format of a layout: the row, cut to `elems` elements a lane of `bits` bits. */
static struct wsim_layout cut(const struct isa_layout_row *row, unsigned threads, unsigned elems,
                              unsigned bits) {
    struct wsim_layout layout = {0};
    unsigned i;
    layout.name = row->name;
    layout.lanes = (uint8_t)threads;
    layout.elems = (uint16_t)elems;
    layout.elem_bits = (uint8_t)bits;
    layout.regs = (uint8_t)((elems * bits + 31) / 32);
    for (i = 0; i < ISA_WARP_BITS; i++)
        layout.lane[i] = row->lane[i];
    for (; i < WSIM_LAYOUT_LANE_BITS && threads >> i > 1; i++)
        layout.lane[i] = isa_warpgroup[i - ISA_WARP_BITS];
    for (i = 0; i < WSIM_LAYOUT_ELEM_BITS && (elems - 1) >> i; i++)
        layout.elem[i] = row->elem[i];
    measure(&layout);
    return layout;
}

unsigned isa_op_stored_k(const struct wsim_op *op) {
    const struct isa_pattern *pattern = &isa_patterns[isa_form(op)->pattern];
    unsigned k = isa_op_shape(op).k;
    return pattern->chunk ? k / pattern->chunk * pattern->kept : k;
}

static struct wsim_layout quad(const struct wsim_op *op, enum wsim_operand operand, unsigned bits) {
    unsigned key = operand == WSIM_A   ? op->q[PLACE_ALAYOUT]
                   : operand == WSIM_B ? op->q[PLACE_BLAYOUT]
                                       : bits;
    return cut(find_row(SCHEME_QUAD, operand, 0, key), WSIM_LANES,
               operand == WSIM_C ? 8 : isa_op_shape(op).k, bits);
}

/* --- fragments of wmma where they are four of m8n8k4 --- */

static int has_squares(const struct wsim_op *op, const struct wsim_arch *arch) {
    return arch && arch->fragments == SCHEME_QUAD && isa_form(op)->scheme == SCHEME_FRAGMENT;
}

static const struct isa_square *find_square(const struct wsim_op *op, enum wsim_operand operand) {
    for (size_t i = 0; i < isa_square_count; i++)
        if (isa_squares[i].operand == operand && isa_squares[i].shape == op->q[PLACE_SHAPE])
            return &isa_squares[i];
    return NULL;
}

/* The four batches put where they are in the fragment. */
static void arrange(struct wsim_layout *layout, const struct isa_square *square) {
    for (unsigned i = 0; i < ISA_WARP_BITS; i++)
        if (layout->lane[i] >> 24)
            layout->lane[i] = square->bit[layout->lane[i] >> 25];
    measure(layout);
}

const char *isa_square_source(const struct wsim_op *op, const struct wsim_arch *arch) {
    const struct isa_square *square = has_squares(op, arch) ? find_square(op, WSIM_C) : NULL;
    return square ? square->source : NULL;
}

enum wsim_status isa_need_fragments(const struct wsim_op *op, const struct wsim_arch *arch,
                                    struct wsim_diag *diag) {
    if (!arch || isa_form(op)->scheme != SCHEME_FRAGMENT || arch->fragments == SCHEME_FRAGMENT ||
        isa_square_source(op, arch))
        return WSIM_OK;
    return base_refuse(diag, RULE_WMMA_FRAGMENT_UNKNOWN, 0,
                       "the fragment layout of %s on %s is not in the tables: it is not published",
                       isa_op_called(op).text, arch->name);
}

/* --- fragments --- */

/* The row of a shape, or else the row for any shape. */
static const struct isa_layout_row *find_fragment(enum wsim_operand operand, unsigned key1,
                                                  unsigned key2) {
    const struct isa_layout_row *row = find_row(SCHEME_FRAGMENT, operand, key1, key2);
    return row ? row : find_row(SCHEME_FRAGMENT, operand, 0, operand == WSIM_B ? key2 : 0);
}

/* At least `least` registers, the further ones copies of the first. */
static struct wsim_layout repeat(struct wsim_layout layout, unsigned least) {
    if (layout.regs < least) {
        layout.elems = (uint16_t)(layout.elems * least / layout.regs);
        layout.regs = (uint8_t)least;
    }
    return layout;
}

/* The number of rows of A in a warp selects its layout. */
static struct wsim_layout fragment(const struct wsim_op *op, const struct wsim_arch *arch,
                                   enum wsim_operand operand, unsigned bits) {
    struct isa_shape s = isa_op_shape(op);
    unsigned threads = isa_op_threads(op), per_reg = bits > 32 ? 1 : 32 / bits;
    unsigned least = isa_form(op)->least;
    if (isa_form(op)->scheme == SCHEME_QUAD || has_squares(op, arch))
        return quad(op, operand, bits);
    if (operand == WSIM_A)
        return repeat(cut(find_fragment(WSIM_A, s.m * WSIM_LANES / threads, per_reg), threads,
                          s.m * isa_op_stored_k(op) / threads, bits),
                      least);
    if (operand == WSIM_B)
        return repeat(cut(find_fragment(WSIM_B, s.n, per_reg), threads, s.k * s.n / threads, bits),
                      least);
    return cut(find_fragment(WSIM_C, s.m, s.n), threads, s.m * s.n / threads, bits);
}

/* The type of A, B, C or D; a C that has none is D. */
static const struct wsim_format *type_of(const struct wsim_op *op, enum wsim_operand operand) {
    static const uint8_t places[] = {
        [WSIM_D] = PLACE_D, [WSIM_A] = PLACE_A, [WSIM_B] = PLACE_B, [WSIM_C] = PLACE_C};
    enum isa_place place = (enum isa_place)places[operand];
    return isa_op_type(op, operand == WSIM_C && !op->q[place] ? PLACE_D : place);
}

/* A, B, C or D of an mma; C and D share their rows. */
struct wsim_layout isa_factor_layout(const struct wsim_op *op, const struct wsim_arch *arch,
                                     enum wsim_operand operand) {
    const struct isa_form *form = isa_form(op);
    const struct wsim_format *format = type_of(op, operand);
    enum wsim_operand like = operand == WSIM_D ? WSIM_C : operand;
    unsigned bits = natural_container(format);
    struct wsim_layout layout;
    if (form->container && like != WSIM_C)
        bits = form->container;
    layout = fragment(op, arch, like, bits);
    layout.format = format;
    return layout;
}

static struct wsim_layout matrix(const struct wsim_op *op, const struct wsim_arch *arch,
                                 enum wsim_operand operand) {
    struct wsim_layout layout = isa_factor_layout(op, arch, operand);
    if (has_squares(op, arch))
        arrange(&layout, find_square(op, operand == WSIM_D ? WSIM_C : operand));
    return layout;
}

/* The layout that wmma.load and wmma.store move. */
static struct wsim_layout moved(const struct wsim_op *op, const struct wsim_arch *arch) {
    const struct wsim_format *format = isa_op_type(op, PLACE_D);
    enum wsim_operand role = (enum wsim_operand)isa_form(op)->role;
    struct wsim_layout layout = fragment(op, arch, role, natural_container(format));
    if (has_squares(op, arch))
        arrange(&layout, find_square(op, role));
    layout.format = format;
    return layout;
}

static struct wsim_layout metadata(const struct wsim_op *op) {
    struct wsim_layout layout =
        cut(find_row(SCHEME_META, WSIM_E, isa_form(op)->placement, 0), isa_op_threads(op), 8, 4);
    layout.format = &isa_formats[FORMAT_PAIR];
    return layout;
}

static struct wsim_layout factors(const struct wsim_op *op, enum wsim_operand operand) {
    struct wsim_layout layout =
        cut(find_row(SCHEME_SCALE, operand, 0, isa_form(op)->blocks), WSIM_LANES, 4, 8);
    layout.format = isa_op_type(op, PLACE_STYPE);
    return layout;
}

/* The register side of a move. movmatrix reads rows and writes them transposed. */
static struct wsim_layout move(const struct wsim_op *op, int transposed) {
    const struct isa_layout_row *row =
        &isa_layouts[transposed ? isa_form(op)->layout : LAYOUT_M8N8];
    const struct wsim_format *format = isa_op_type(op, PLACE_D);
    struct isa_shape tile = isa_op_shape(op);
    unsigned elems = (unsigned)tile.m * tile.n * isa_op_matrices(op) / WSIM_LANES;
    struct wsim_layout layout = cut(row, WSIM_LANES, elems, format->bits);
    layout.format = format;
    return layout;
}

const char *wsim_operand_name(enum wsim_operand operand) {
    static const char *const names[] = {"d", "a", "b", "c", "e", "sfa", "sfb", "r"};
    return (unsigned)operand < WSIM_OPERANDS ? names[operand] : NULL;
}

/* Values of an access are registers without a layout: one a lane. */
static int has_layout(const struct wsim_op *op, enum wsim_operand operand) {
    return isa_form(op)->scheme != SCHEME_NONE && isa_op_has(op, operand);
}

enum wsim_status isa_op_layout(const struct wsim_op *op, const struct wsim_arch *arch,
                               enum wsim_operand operand, struct wsim_layout *layout,
                               struct wsim_diag *diag) {
    const struct isa_form *form = isa_form(op);
    const char *name = wsim_operand_name(operand);
    enum wsim_status status;
    if (operand == WSIM_B && form->products != PRODUCTS_NONE && !isa_op_has(op, operand))
        return base_refuse(diag, RULE_OP_OPERAND_SHARED, 0,
                           "B of %s is in shared memory, at the address in its descriptor",
                           isa_op_called(op).text);
    if (!name || !has_layout(op, operand))
        return base_refuse(diag, RULE_OP_OPERAND_NONE, 0, "%s has no operand %s",
                           isa_op_called(op).text, name ? name : "of that number");
    status = isa_need_fragments(op, arch, diag);
    if (status)
        return status;
    if (form->scheme == SCHEME_MOVE)
        *layout = move(op, !isa_does(op, WSIM_DOES_EXCHANGE) || operand == WSIM_D);
    else if (form->role)
        *layout = moved(op, arch);
    else if (operand == WSIM_E)
        *layout = metadata(op);
    else if (operand == WSIM_SFA || operand == WSIM_SFB)
        *layout = factors(op, operand);
    else
        *layout = matrix(op, arch, operand);
    return WSIM_OK;
}

enum wsim_status wsim_op_layout(const struct wsim_op *op, const struct wsim_arch *arch,
                                enum wsim_operand operand, struct wsim_layout *layout,
                                struct wsim_diag *diag) {
    enum wsim_status status = arch ? wsim_op_check(op, arch, diag) : isa_refuse_foreign(op, diag);
    return status ? status : isa_op_layout(op, arch, operand, layout, diag);
}
