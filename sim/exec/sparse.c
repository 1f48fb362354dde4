/* Sparse A: metadata to columns and back, as pattern.def and the META layouts say. */
#include "map.h"
#include "meta.h"
#include "product.h"

#include <string.h>
#include <wsim/exec.h>

static const struct isa_pattern *pattern_of(const struct wsim_op *op) {
    return &isa_patterns[isa_form(op)->pattern];
}

unsigned exec_valid_nibbles(const struct wsim_op *op) {
    const struct isa_pattern *pattern = pattern_of(op);
    return op->q[PLACE_SPARSE] == Q_SP_ORDERED ? pattern->ordered : pattern->valid;
}

/* An index counts quarters of the chunk; two indices share the stored elements between them. */
unsigned product_column(unsigned chunk, unsigned kept, unsigned nibble, unsigned s) {
    unsigned each = kept > 1 ? kept / 2 : 1;
    unsigned index = nibble >> 2 * (s / each) & 3;
    return index * chunk / 4 + s % each;
}

static unsigned column_in_chunk(const struct isa_pattern *pattern, unsigned nibble, unsigned s) {
    return product_column(pattern->chunk, pattern->kept, nibble, s);
}

void product_prepare_metadata(struct wsim_code *code) {
    struct wsim_code_product *how = &work_to(code)->product;
    const struct isa_pattern *pattern = &isa_patterns[isa_form(&code->op)->pattern];
    struct wsim_layout layout;
    isa_op_layout(&code->op, code->arch, WSIM_E, &layout, NULL);
    map_compile(&work_to(code)->e, &layout, MAP_META, 0, 0, 0);
    how->chunk = pattern->chunk;
    how->kept = pattern->kept;
    how->selectors = layout.batches;
    how->valid = (uint16_t)exec_valid_nibbles(&code->op);
}

static enum wsim_status refuse_nibble(const struct wsim_code *code, unsigned lane, unsigned nibble,
                                      unsigned value, unsigned at, struct wsim_diag *diag) {
    const struct wsim_op *op = &code->op;
    char list[3 * 16] = "";
    struct base_text text = {list, sizeof list, 0};
    for (unsigned v = 0; v < 16; v++)
        if (work_of(code)->product.valid >> v & 1)
            base_put(&text, " %x", v);
    return base_refuse(diag, RULE_MMA_METADATA_UNDEFINED, 0,
                       "metadata nibble %u of lane %u (row %u, chunk %u) is 0x%x: .%s with pattern "
                       "%s defines%s only",
                       nibble, lane, at >> MAP_META_ROW, at % PRODUCT_MAX_CHUNKS, value,
                       isa_word_text(PLACE_SPARSE, op->q[PLACE_SPARSE]), pattern_of(op)->name,
                       list);
}

enum wsim_status product_check_selector(const struct wsim_op *op, unsigned selectors,
                                        unsigned selector, struct wsim_diag *diag) {
    char range[BASE_RANGE];
    if (selector < selectors)
        return WSIM_OK;
    return base_refuse(diag, RULE_MMA_SELECTOR_RANGE, 0,
                       "sparsity selector %u of %s: the ISA defines %s", selector,
                       isa_op_called(op).text, base_range(range, selectors - 1));
}

enum wsim_status product_nibbles(const struct wsim_code *code, const uint32_t *e, unsigned selector,
                                 unsigned warp, uint8_t (*nibbles)[PRODUCT_MAX_CHUNKS],
                                 struct wsim_diag *diag) {
    const struct wsim_code_map *map = &work_of(code)->e;
    enum wsim_status status =
        product_check_selector(&code->op, work_of(code)->product.selectors, selector, diag);
    for (unsigned lane = 0; lane < WSIM_LANES && !status; lane++)
        for (unsigned nibble = 0; nibble < map->elems && !status; nibble++) {
            unsigned at = map->lane[lane] ^ map->elem[nibble], value = e[lane] >> 4 * nibble & 15;
            unsigned row = at >> MAP_META_ROW & (PRODUCT_MAX_WARP - 1);
            if (at >> MAP_META_SELECTOR != selector)
                continue;
            if (!(work_of(code)->product.valid >> value & 1))
                status = refuse_nibble(code, warp * WSIM_LANES + lane, nibble, value,
                                       (warp * PRODUCT_MAX_WARP + row) << MAP_META_ROW |
                                           at % PRODUCT_MAX_CHUNKS,
                                       diag);
            nibbles[row][at % PRODUCT_MAX_CHUNKS] = (uint8_t)value;
        }
    return status;
}

/* Whether the columns that `nibble` keeps are all that is nonzero in the chunk; bit c of `nonzero`
 * is column c. */
static int covers(const struct isa_pattern *pattern, unsigned nibble, unsigned nonzero) {
    unsigned c, s;
    for (c = 0; c < pattern->chunk; c++) {
        int kept = !(nonzero >> c & 1);
        for (s = 0; s < pattern->kept; s++)
            kept |= column_in_chunk(pattern, nibble, s) == c;
        if (!kept)
            return 0;
    }
    return 1;
}

/* The least nibble with increasing indices that covers the chunk; 16 if none does. */
static unsigned choose_nibble(const struct isa_pattern *pattern, unsigned nonzero) {
    unsigned nibble = 0;
    while (nibble < 16 && !((pattern->ordered >> nibble & 1) && covers(pattern, nibble, nonzero)))
        nibble++;
    return nibble;
}

static enum wsim_status check_sparse(const struct wsim_op *op, unsigned selector,
                                     struct wsim_diag *diag) {
    enum wsim_status status = isa_refuse_foreign(op, diag);
    if (status)
        return status;
    if (isa_form(op)->pattern == PATTERN_NONE)
        return base_refuse(diag, RULE_OP_DOOR_WRONG, 0, "%s has no sparse operand",
                           isa_op_called(op).text);
    return product_check_selector(op, wsim_op_describe(op).selectors, selector, diag);
}

/* Check for functions that take the registers of one warp. */
static enum wsim_status check_warp(const struct wsim_op *op, struct wsim_diag *diag) {
    enum wsim_status status = isa_refuse_foreign(op, diag);
    if (!status && isa_form(op)->pattern && isa_op_threads(op) != WSIM_LANES)
        return base_refuse(diag, RULE_OP_DOOR_WRONG, 0,
                           "%s is executed by a warpgroup: its A is words of 128 lanes, not a "
                           "fragment of one warp",
                           isa_op_called(op).text);
    return status;
}

static int is_zero(const struct wsim_layout *layout, uint64_t bits) {
    return num_decode(layout->format, layout->elem_bits, bits).cls == WSIM_ZERO;
}

unsigned sparse_choose(const struct isa_pattern *pattern, const struct wsim_layout *layout,
                       const uint64_t *chunk) {
    unsigned c, bits = 0, values = 0, nibble;
    for (c = 0; c < pattern->chunk; c++) {
        bits |= (chunk[c] ? 1u : 0u) << c;
        values |= (is_zero(layout, chunk[c]) ? 0u : 1u) << c;
    }
    nibble = choose_nibble(pattern, bits);
    return nibble < 16 ? nibble : choose_nibble(pattern, values);
}

enum { MAX_ROWS = 4 * PRODUCT_MAX_WARP }; /* of a warpgroup */

typedef uint8_t nibble_map[MAX_ROWS][PRODUCT_MAX_CHUNKS]; /* [row][chunk] */

/* The nibble of every chunk of every row. */
static enum wsim_status choose_all(const struct wsim_op *op, const uint64_t *dense,
                                   nibble_map nibbles, struct wsim_diag *diag) {
    const struct isa_pattern *pattern = pattern_of(op);
    struct isa_shape shape = isa_op_shape(op);
    struct wsim_layout layout;
    unsigned row, chunk;
    wsim_op_layout(op, NULL, WSIM_A, &layout, NULL);
    for (row = 0; row < shape.m; row++)
        for (chunk = 0; chunk < shape.k / pattern->chunk; chunk++) {
            unsigned first = chunk * pattern->chunk;
            unsigned nibble = sparse_choose(pattern, &layout, dense + row * shape.k + first);
            if (nibble == 16)
                return base_refuse(diag, RULE_MMA_PATTERN_EXCEEDED, 0,
                                   "row %u, columns %u to %u: more nonzeros than pattern %s keeps",
                                   row, first, first + pattern->chunk - 1u, pattern->name);
            nibbles[row][chunk] = (uint8_t)nibble;
        }
    return WSIM_OK;
}

/* The column of the dense matrix that a stored element is of. */
static unsigned dense_column(const struct isa_pattern *pattern, nibble_map nibbles,
                             struct wsim_coord at) {
    unsigned chunk = at.col / pattern->kept;
    return chunk * pattern->chunk +
           column_in_chunk(pattern, nibbles[at.row][chunk], at.col % pattern->kept);
}

static void store_values(const struct wsim_op *op, const uint64_t *dense, nibble_map nibbles,
                         uint32_t *a) {
    const struct isa_pattern *pattern = pattern_of(op);
    struct wsim_layout layout;
    unsigned k = isa_op_shape(op).k;
    wsim_op_layout(op, NULL, WSIM_A, &layout, NULL);
    for (unsigned lane = 0; lane < layout.lanes; lane++)
        for (unsigned elem = 0; elem < layout.elems; elem++) {
            struct wsim_coord at = wsim_layout_coord(&layout, lane, elem);
            wsim_words_set(&layout, a, wsim_layout_place(&layout, lane, elem),
                           dense[at.row * k + dense_column(pattern, nibbles, at)]);
        }
}

static void store_metadata(const struct wsim_op *op, nibble_map nibbles, unsigned selector,
                           uint32_t *e) {
    struct wsim_layout layout;
    unsigned lane, n;
    wsim_op_layout(op, NULL, WSIM_E, &layout, NULL);
    for (lane = 0; lane < layout.lanes; lane++)
        for (e[lane] = 0, n = 0; n < layout.elems; n++) {
            struct wsim_coord at = wsim_layout_coord(&layout, lane, n);
            if (at.batch == selector)
                e[lane] |= (uint32_t)nibbles[at.row][at.col] << 4 * n;
        }
}

enum wsim_status wsim_words_compress(const struct wsim_op *op, const uint64_t *dense,
                                     unsigned selector, uint32_t *a, uint32_t *e,
                                     struct wsim_diag *diag) {
    nibble_map nibbles;
    enum wsim_status status = check_sparse(op, selector, diag);
    if (!status)
        status = choose_all(op, dense, nibbles, diag);
    if (status)
        return status;
    store_values(op, dense, nibbles, a);
    store_metadata(op, nibbles, selector, e);
    return WSIM_OK;
}

/* Writes nothing to *dense if a nibble is refused. */
static enum wsim_status read_all(const struct wsim_op *op, const uint32_t *e, unsigned selector,
                                 nibble_map nibbles, struct wsim_diag *diag) {
    struct wsim_code code = {.op = *op};
    enum wsim_status status = exec_need(e, "e", diag);
    if (status)
        return status;
    product_prepare_metadata(&code);
    for (unsigned warp = 0; warp < isa_op_threads(op) / WSIM_LANES && !status; warp++)
        status = product_nibbles(&code, e + (size_t)warp * WSIM_LANES, selector, warp,
                                 nibbles + (size_t)warp * PRODUCT_MAX_WARP, diag);
    return status;
}

enum wsim_status wsim_words_expand(const struct wsim_op *op, const uint32_t *a, const uint32_t *e,
                                   unsigned selector, uint64_t *dense, struct wsim_diag *diag) {
    struct wsim_layout layout;
    struct isa_shape shape;
    nibble_map nibbles;
    enum wsim_status status = check_sparse(op, selector, diag);
    if (!status)
        status = read_all(op, e, selector, nibbles, diag);
    if (!status)
        status = wsim_op_layout(op, NULL, WSIM_A, &layout, diag);
    if (status)
        return status;
    shape = isa_op_shape(op);
    memset(dense, 0, sizeof *dense * shape.m * shape.k);
    for (unsigned lane = 0; lane < layout.lanes; lane++)
        for (unsigned elem = 0; elem < layout.elems; elem++) {
            struct wsim_coord at = wsim_layout_coord(&layout, lane, elem);
            dense[at.row * shape.k + dense_column(pattern_of(op), nibbles, at)] =
                wsim_words_get(&layout, a, wsim_layout_place(&layout, lane, elem));
        }
    return WSIM_OK;
}

enum wsim_status wsim_sparse_compress(const struct wsim_op *op, const uint64_t *dense,
                                      unsigned selector, struct wsim_regs *a,
                                      uint32_t e[WSIM_LANES], struct wsim_diag *diag) {
    enum wsim_status status = check_warp(op, diag);
    return status ? status : wsim_words_compress(op, dense, selector, a->r[0], e, diag);
}

enum wsim_status wsim_sparse_expand(const struct wsim_op *op, const struct wsim_regs *a,
                                    const uint32_t e[WSIM_LANES], unsigned selector,
                                    uint64_t *dense, struct wsim_diag *diag) {
    enum wsim_status status = check_warp(op, diag);
    return status ? status : wsim_words_expand(op, a->r[0], e, selector, dense, diag);
}
