/* wsim layout --addresses: rows of memory of ldmatrix and stmatrix. */
#include "layout.h"
#include "../common/text.h"

/* A row: the lane that gives its address, and the lanes and registers that hold its elements. */
struct row {
    unsigned lane;
    struct wsim_coord at;
    uint32_t holders, regs; /* a bit each */
};

struct rows {
    const struct wsim_fragments *fragments;
    const struct wsim_layout *layout;
    const struct wsim_op *op;
};

static struct rows rows_of(const struct wsim_op *op, const struct wsim_fragments *fragments) {
    unsigned i = fragments->has >> WSIM_R & 1 ? WSIM_R : WSIM_D;
    return (struct rows){fragments, &fragments->layout[i], op};
}

static void find_holders(const struct rows *rows, struct row *row) {
    row->holders = row->regs = 0;
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        for (unsigned e = 0; e < rows->layout->elems; e++) {
            struct wsim_coord at = wsim_layout_coord(rows->layout, lane, e);
            if (at.batch == row->at.batch && at.row == row->at.row) {
                row->holders |= UINT32_C(1) << lane;
                row->regs |= UINT32_C(1) << wsim_layout_place(rows->layout, lane, e).reg;
            }
        }
}

static int is_asked(int32_t question, unsigned answer) {
    return question < 0 || (unsigned)question == answer;
}

/* The next row that is asked for, from lane row->lane on; 0: there is none. */
static int next(const struct rows *rows, struct row *row) {
    const struct wsim_fragment_query *only = &rows->fragments->only;
    for (; wsim_move_row(rows->op, row->lane, &row->at, NULL) == WSIM_OK; row->lane++)
        if (is_asked(only->lane, row->lane) && is_asked(only->row, row->at.row) &&
            is_asked(only->batch, row->at.batch)) {
            find_holders(rows, row);
            return 1;
        }
    return 0;
}

static void state(struct doc *doc, const struct rows *rows) {
    static const struct doc_column columns[] = {
        {"lane", "lane", 0},           {"matrix", "matrix", 0},    {"row", "row", 0},
        {"registers", "registers", 0}, {"holders", "of lanes", 0}, {NULL, NULL, 0}};
    struct row row = {.lane = 0};
    char regs[TEXT_BITS], holders[TEXT_BITS];
    doc_pack(doc, "{s:s, s:s}", "schema", "wsim.layout.addresses", "spelling",
             rows->fragments->spelling);
    doc_title(doc, "%s: the lane that gives the address of a row, and the lanes that hold the row",
              rows->fragments->spelling);
    doc_table(doc, "addresses", columns);
    doc_panel(doc)->hue = WSIM_HUE_GROUP;
    doc_panel(doc)->values = wsim_op_describe(rows->op).matrices;
    for (; next(rows, &row); row.lane++) {
        text_bits(row.regs, regs);
        text_bits(row.holders, holders);
        doc_row_of(doc, "uu", row.lane, row.at.batch);
        doc_shade(doc, row.at.batch, 0);
        doc_number(doc, row.at.row);
        doc_shade(doc, row.at.batch, 0);
        doc_cell(doc, doc_bits(row.regs), "%s", regs);
        doc_shade(doc, row.at.batch, 0);
        doc_cell(doc, doc_bits(row.holders), "%s", holders);
        doc_shade(doc, row.at.batch, 0);
    }
    doc_leave(doc);
}

int layout_rows(struct doc *doc, const struct wsim_op *op, const struct wsim_fragments *fragments) {
    const struct rows rows = rows_of(op, fragments);
    const struct wsim_fragment_query *only = &fragments->only;
    struct row first = {.lane = 0};
    if (!tool_moves_rows(op))
        tool_fail("--addresses: %s has no addresses of rows; ldmatrix and stmatrix do",
                  fragments->spelling);
    if (only->reg >= 0 || only->col >= 0)
        tool_fail("--addresses: rows are asked for by --lane, --row and --batch");
    if (doc_is(doc, TOOL_CUTE))
        tool_fail("--addresses: addresses can be text, json, csv, md, svg or html");
    if (next(&rows, &first) || doc_is(doc, TOOL_JSON | TOOL_CSV))
        state(doc, &rows);
    first.lane = 0;
    if (next(&rows, &first))
        return TOOL_FINE;
    tool_error("no lane of %s supplies the address of that row", fragments->spelling);
    return TOOL_FOUND;
}
