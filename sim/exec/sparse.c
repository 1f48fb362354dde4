/* Sparse A: metadata to columns and back, as pattern.def and the META layouts say. */
#include "../num/num.h"
#include "exec.h"

#include <string.h>

static const struct isa_pattern *pattern_of(const struct wsim_op *op) {
    return &isa_patterns[isa_form(op)->pattern];
}

/* Column, inside its chunk, of stored element `s` under a metadata nibble. An index counts
 * quarters of the chunk; two indices share the stored elements between them. */
static unsigned column_in_chunk(const struct isa_pattern *pattern, unsigned nibble, unsigned s) {
    unsigned each = pattern->kept > 1 ? pattern->kept / 2u : 1;
    unsigned index = nibble >> 2 * (s / each) & 3;
    return index * pattern->chunk / 4 + s % each;
}

static uint16_t valid_nibbles(const struct wsim_op *op) {
    const struct isa_pattern *pattern = pattern_of(op);
    return op->q[PLACE_SPARSE] == Q_SP_ORDERED ? pattern->ordered : pattern->valid;
}

static enum wsim_status refuse_nibble(const struct wsim_op *op, unsigned lane, unsigned nibble,
                                      unsigned value, struct wsim_coord at,
                                      struct wsim_diag *diag) {
    char list[3 * 16] = "";
    struct base_text text = {list, sizeof list, 0};
    unsigned v;
    for (v = 0; v < 16; v++)
        if (valid_nibbles(op) >> v & 1)
            base_put(&text, " %x", v);
    return base_refuse(diag, RULE_MMA_METADATA_UNDEFINED, 0,
                       "metadata nibble %u of lane %u (row %u, chunk %u) is 0x%x: .%s with pattern "
                       "%s defines%s only",
                       nibble, lane, at.row, at.col, value,
                       isa_word_text(PLACE_SPARSE, op->q[PLACE_SPARSE]), pattern_of(op)->name,
                       list);
}

static enum wsim_status check_selector(const struct wsim_op *op, unsigned selector,
                                       struct wsim_diag *diag) {
    unsigned selectors = wsim_op_describe(op).selectors;
    if (selector < selectors)
        return WSIM_OK;
    return base_refuse(diag, RULE_MMA_SELECTOR_RANGE, 0,
                       "sparsity selector %u of %s: the ISA defines 0 to %u", selector,
                       isa_form(op)->name, selectors - 1);
}

enum wsim_status exec_read_columns(const struct wsim_op *op, const uint32_t *e, unsigned selector,
                                   unsigned warp, struct exec_columns *columns,
                                   struct wsim_diag *diag) {
    const struct isa_pattern *pattern = pattern_of(op);
    struct wsim_layout layout;
    unsigned lane, nibble, s;
    enum wsim_status status = exec_need(e, "e", diag);
    if (!status)
        status = check_selector(op, selector, diag);
    if (!status)
        status = wsim_op_layout(op, WSIM_E, &layout, diag);
    for (lane = warp * WSIM_LANES; lane < (warp + 1) * WSIM_LANES && !status; lane++)
        for (nibble = 0; nibble < 8 && !status; nibble++) {
            struct wsim_coord at = wsim_layout_coord(&layout, lane, nibble);
            unsigned value = e[lane] >> 4 * nibble & 15;
            if (at.batch != selector)
                continue;
            if (!(valid_nibbles(op) >> value & 1))
                status = refuse_nibble(op, lane, nibble, value, at, diag);
            for (s = 0; s < pattern->kept; s++)
                columns->column[at.row % EXEC_MAX_ROWS][at.col * pattern->kept + s] =
                    (uint8_t)(at.col * pattern->chunk + column_in_chunk(pattern, value, s));
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
                           isa_form(op)->name);
    if (isa_op_threads(op) != WSIM_LANES)
        return base_refuse(diag, RULE_OP_DOOR_WRONG, 0,
                           "%s is executed by a warpgroup: its A is no fragment of one warp",
                           isa_form(op)->name);
    return check_selector(op, selector, diag);
}

static int is_zero(const struct wsim_layout *layout, uint64_t bits) {
    return num_decode(layout->format, layout->elem_bits, bits).cls == WSIM_ZERO;
}

/* A nibble that keeps every bit of the chunk; if there is none, one that keeps every value: -0 and
 * bits that the format ignores may go. */
static unsigned choose_for(const struct isa_pattern *pattern, const struct wsim_layout *layout,
                           const uint64_t *chunk) {
    unsigned c, bits = 0, values = 0, nibble;
    for (c = 0; c < pattern->chunk; c++) {
        bits |= (chunk[c] ? 1u : 0u) << c;
        values |= (is_zero(layout, chunk[c]) ? 0u : 1u) << c;
    }
    nibble = choose_nibble(pattern, bits);
    return nibble < 16 ? nibble : choose_nibble(pattern, values);
}

typedef uint8_t nibble_map[EXEC_MAX_ROWS][EXEC_MAX_STORED]; /* [row][chunk] */

/* The nibble of every chunk of every row. */
static enum wsim_status choose_all(const struct wsim_op *op, const uint64_t *dense,
                                   nibble_map nibbles, struct wsim_diag *diag) {
    const struct isa_pattern *pattern = pattern_of(op);
    struct isa_shape shape = isa_op_shape(op);
    struct wsim_layout layout;
    unsigned row, chunk;
    wsim_op_layout(op, WSIM_A, &layout, NULL);
    for (row = 0; row < shape.m; row++)
        for (chunk = 0; chunk < shape.k / pattern->chunk; chunk++) {
            unsigned first = chunk * pattern->chunk;
            unsigned nibble = choose_for(pattern, &layout, dense + row * shape.k + first);
            if (nibble == 16)
                return base_refuse(diag, RULE_MMA_PATTERN_EXCEEDED, 0,
                                   "row %u, columns %u to %u: more nonzeros than pattern %s keeps",
                                   row, first, first + pattern->chunk - 1u, pattern->name);
            nibbles[row][chunk] = (uint8_t)nibble;
        }
    return WSIM_OK;
}

static void store_values(const struct wsim_op *op, const uint64_t *dense, nibble_map nibbles,
                         struct wsim_regs *a) {
    const struct isa_pattern *pattern = pattern_of(op);
    uint64_t stored[EXEC_MAX_ROWS * EXEC_MAX_STORED];
    struct wsim_layout layout;
    unsigned row, s, k = isa_op_shape(op).k;
    wsim_op_layout(op, WSIM_A, &layout, NULL);
    for (row = 0; row < layout.rows; row++)
        for (s = 0; s < layout.cols; s++) {
            unsigned chunk = s / pattern->kept;
            unsigned col = column_in_chunk(pattern, nibbles[row][chunk], s % pattern->kept);
            stored[row * layout.cols + s] = dense[row * k + chunk * pattern->chunk + col];
        }
    wsim_fragment_pack(&layout, stored, a);
}

static void store_metadata(const struct wsim_op *op, nibble_map nibbles, unsigned selector,
                           uint32_t e[WSIM_LANES]) {
    struct wsim_layout layout;
    unsigned lane, n;
    wsim_op_layout(op, WSIM_E, &layout, NULL);
    for (lane = 0; lane < WSIM_LANES; lane++)
        for (e[lane] = 0, n = 0; n < 8; n++) {
            struct wsim_coord at = wsim_layout_coord(&layout, lane, n);
            if (at.batch == selector)
                e[lane] |= (uint32_t)nibbles[at.row][at.col] << 4 * n;
        }
}

enum wsim_status wsim_sparse_compress(const struct wsim_op *op, const uint64_t *dense,
                                      unsigned selector, struct wsim_regs *a,
                                      uint32_t e[WSIM_LANES], struct wsim_diag *diag) {
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

enum wsim_status wsim_sparse_expand(const struct wsim_op *op, const struct wsim_regs *a,
                                    const uint32_t e[WSIM_LANES], unsigned selector,
                                    uint64_t *dense, struct wsim_diag *diag) {
    struct exec_columns columns;
    uint64_t stored[EXEC_MAX_ROWS * EXEC_MAX_STORED];
    struct wsim_layout layout;
    struct isa_shape shape;
    unsigned row, s;
    enum wsim_status status = check_sparse(op, selector, diag);
    if (!status)
        status = exec_read_columns(op, e, selector, 0, &columns, diag);
    if (!status)
        status = wsim_op_layout(op, WSIM_A, &layout, diag);
    if (status)
        return status;
    shape = isa_op_shape(op);
    wsim_fragment_unpack(&layout, a, stored);
    memset(dense, 0, sizeof *dense * shape.m * shape.k);
    for (row = 0; row < shape.m; row++)
        for (s = 0; s < layout.cols; s++)
            dense[row * shape.k + columns.column[row][s]] = stored[row * layout.cols + s];
    return WSIM_OK;
}
