/* The elements that a query of wsim layout names. */
#include "layout.h"

int layout_next(const struct wsim_layout *layout, const struct wsim_fragment_query *query,
                unsigned *cursor, struct layout_entry *entry) {
    while (*cursor < (unsigned)layout->lanes * layout->elems) {
        unsigned lane = *cursor / layout->elems;
        unsigned elem = *cursor % layout->elems;
        ++*cursor;
        entry->place = wsim_layout_place(layout, lane, elem);
        entry->coord = wsim_layout_coord(layout, lane, elem);
        if (wsim_fragment_asked(layout, query, entry->place, entry->coord))
            return 1;
    }
    return 0;
}

const char *layout_holder(const struct wsim_layout *layout) {
    return layout->lanes == WSIM_LANES ? "lane" : "thread";
}

int layout_is_list(const struct wsim_fragment_query *q) {
    return q->lane >= 0 || q->reg >= 0 || q->row >= 0 || q->col >= 0;
}

static void word_entry(struct doc *doc, const char *operand, const struct wsim_layout *layout,
                       const struct layout_entry *e) {
    char part[32] = "", batch[16] = "";
    if (layout->elem_bits == 64)
        snprintf(part, sizeof part, "-%u", e->place.reg + 1u);
    else if (layout->elem_bits < 32)
        snprintf(part, sizeof part, "  bits %2u..%-2u", e->place.lsb,
                 e->place.lsb + layout->elem_bits - 1u);
    if (layout->batches > 1)
        snprintf(batch, sizeof batch, "  #%u", e->coord.batch);
    doc_line(doc, "%-3s %s %2u  reg %u%s  element %2u  row %2u  col %2u%s", operand,
             layout_holder(layout), e->place.lane, e->place.reg, part, e->place.elem, e->coord.row,
             e->coord.col, batch);
}

static void state_operand(struct doc *doc, const char *operand, const struct wsim_layout *layout,
                          const struct wsim_fragment_query *query) {
    struct layout_entry e;
    unsigned cursor = 0;
    doc_enter(doc, NULL);
    doc_pack(doc, "{s:s, s:s, s:s, s:i, s:i, s:i, s:i, s:i}", "operand", operand, "layout",
             layout->name, "format", layout->format->name, "element_bits", layout->elem_bits,
             "registers", layout->regs, "batches", layout->batches, "rows", layout->rows, "cols",
             layout->cols);
    doc_list(doc, "places");
    while (layout_next(layout, query, &cursor, &e)) {
        doc_object(doc, NULL, "{s:i, s:i, s:i, s:i, s:i, s:i, s:i}", "lane", e.place.lane, "reg",
                   e.place.reg, "bit", e.place.lsb, "element", e.place.elem, "batch", e.coord.batch,
                   "row", e.coord.row, "col", e.coord.col);
        word_entry(doc, operand, layout, &e);
    }
    doc_leave(doc);
    doc_leave(doc);
}

void layout_state(struct doc *doc, const struct wsim_fragments *f) {
    if (!doc_is(doc, TOOL_JSON) && !(doc_is(doc, TOOL_TEXT) && layout_is_list(&f->only)))
        return;
    doc_pack(doc, "{s:s, s:s?}", "spelling", f->spelling, "arch",
             f->arch ? wsim_arch_name(f->arch) : NULL);
    doc_list(doc, "operands");
    for (int i = 0; i < WSIM_OPERANDS; i++)
        if (f->has >> i & 1)
            state_operand(doc, wsim_operand_name((enum wsim_operand)i), &f->layout[i], &f->only);
    doc_leave(doc);
}
