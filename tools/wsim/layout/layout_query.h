/* layout_query.h - the elements that wsim layout is asked for. */
#ifndef WSIM_LAYOUT_QUERY_H
#define WSIM_LAYOUT_QUERY_H

#include <wsim/harness/picture.h>

/* Element `elem` of lane `lane`: both sides of the map. */
struct layout_entry {
    struct wsim_place place;
    struct wsim_coord coord;
};

/* The next entry that the query asks for, in order of lane, then element; start with *cursor 0.
 * Answers 0 when there are no more. */
int layout_next(const struct wsim_layout *layout, const struct wsim_fragment_query *query,
                unsigned *cursor, struct layout_entry *entry);

/* What holds a register, in a word: of a warpgroup the lanes are its threads. */
const char *layout_holder(const struct wsim_layout *layout);

#endif
