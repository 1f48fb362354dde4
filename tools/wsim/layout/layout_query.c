/* Which elements of a layout a query leaves. */
#include "layout_query.h"

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
