/* Which elements of a layout a query leaves. */
#include "layout_query.h"

static int wants(int question, unsigned answer) {
    return question < 0 || (unsigned)question == answer;
}

static int matches(const struct wsim_layout *layout, const struct layout_query *q,
                   const struct layout_entry *e) {
    int second = layout->elem_bits == 64 && q->reg == e->place.reg + 1;
    return wants(q->lane, e->place.lane) && (second || wants(q->reg, e->place.reg)) &&
           wants(q->row, e->coord.row) && wants(q->col, e->coord.col) &&
           wants(q->batch, e->coord.batch);
}

int layout_next(const struct wsim_layout *layout, const struct layout_query *query,
                unsigned *cursor, struct layout_entry *entry) {
    while (*cursor < (unsigned)layout->lanes * layout->elems) {
        unsigned lane = *cursor / layout->elems;
        unsigned elem = *cursor % layout->elems;
        ++*cursor;
        entry->place = wsim_layout_place(layout, lane, elem);
        entry->coord = wsim_layout_coord(layout, lane, elem);
        if (matches(layout, query, entry))
            return 1;
    }
    return 0;
}

const char *layout_holder(const struct wsim_layout *layout) {
    return layout->lanes == WSIM_LANES ? "lane" : "thread";
}
