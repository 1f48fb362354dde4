/* Metadata of a sparse A, a nibble at a time. */
#include "meta.h"

#include "exec.h"
#include "product.h"

#include <wsim/meta.h>

static enum wsim_status check_sparse(const struct wsim_op *op, struct wsim_diag *diag) {
    enum wsim_status status = isa_refuse_foreign(op, diag);
    if (!status && isa_form(op)->pattern == PATTERN_NONE)
        status = base_refuse(diag, RULE_OP_DOOR_WRONG, 0, "%s has no sparse operand",
                             isa_op_called(op).text);
    return status;
}

enum wsim_status wsim_meta_pattern(const struct wsim_op *op, struct wsim_meta_pattern *out,
                                   struct wsim_diag *diag) {
    enum wsim_status status = check_sparse(op, diag);
    const struct isa_pattern *pattern;
    if (status)
        return status;
    pattern = &isa_patterns[isa_form(op)->pattern];
    *out = (struct wsim_meta_pattern){
        .name = pattern->name,
        .rows = isa_op_shape(op).m,
        .groups = (uint16_t)(isa_op_shape(op).k / pattern->chunk),
        .columns = pattern->chunk,
        .kept = pattern->kept,
        .ordered = op->q[PLACE_SPARSE] == Q_SP_ORDERED,
        .selectors = wsim_op_describe(op).selectors,
        .valid = (uint16_t)exec_valid_nibbles(op),
    };
    return WSIM_OK;
}

enum wsim_status wsim_meta_read(const struct wsim_op *op, const uint32_t *e, unsigned selector,
                                unsigned row, unsigned group, struct wsim_meta_group *out,
                                struct wsim_diag *diag) {
    struct wsim_meta_group read = {.row = (uint16_t)row, .group = (uint16_t)group};
    struct wsim_coord at = {(uint16_t)selector, (uint16_t)row, (uint16_t)group};
    struct wsim_meta_pattern pattern;
    struct wsim_layout layout;
    enum wsim_status status = wsim_meta_pattern(op, &pattern, diag);
    if (!status)
        status = product_check_selector(op, pattern.selectors, selector, diag);
    if (!status && (row >= pattern.rows || group >= pattern.groups))
        status = base_refuse(diag, RULE_MMA_GROUP_OUTSIDE, 0,
                             "group %u of row %u: A of %s has %u groups in each of %u rows", group,
                             row, isa_op_called(op).text, pattern.groups, pattern.rows);
    if (status)
        return status;
    wsim_op_layout(op, NULL, WSIM_E, &layout, NULL);
    wsim_layout_places(&layout, at, &read.place, 1);
    read.nibble = (uint8_t)wsim_words_get(&layout, e, read.place);
    read.defined = pattern.valid >> read.nibble & 1;
    for (unsigned s = 0; s < pattern.kept; s++)
        read.column[s] = (uint8_t)product_column(pattern.columns, pattern.kept, read.nibble, s);
    *out = read;
    return WSIM_OK;
}

enum wsim_status wsim_meta_choose(const struct wsim_op *op, const uint64_t *elements,
                                  unsigned *nibble, struct wsim_diag *diag) {
    enum wsim_status status = check_sparse(op, diag);
    const struct isa_pattern *pattern;
    struct wsim_layout layout;
    unsigned chosen;
    if (status)
        return status;
    pattern = &isa_patterns[isa_form(op)->pattern];
    wsim_op_layout(op, NULL, WSIM_A, &layout, NULL);
    chosen = sparse_choose(pattern, &layout, elements);
    if (chosen == 16)
        return base_refuse(diag, RULE_MMA_PATTERN_EXCEEDED, 0,
                           "more nonzeros than pattern %s keeps of %u columns", pattern->name,
                           pattern->chunk);
    *nibble = chosen;
    return WSIM_OK;
}
