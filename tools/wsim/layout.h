/* layout.h - what wsim layout was asked, for the three ways to answer. */
#ifndef WSIM_LAYOUT_COMMAND_H
#define WSIM_LAYOUT_COMMAND_H

#include <jansson.h>
#include <wsim/wsim.h>

/* One number for each question; negative: any. */
struct layout_query {
    int lane, reg, row, col, batch;
};

/* Element `elem` of lane `lane`: both sides of the map. */
struct layout_entry {
    struct wsim_place place;
    struct wsim_coord coord;
};

/* The next entry that the query asks for, in order of lane, then element; start with *cursor 0.
 * Answers 0 when there are no more. */
int layout_next(const struct wsim_layout *layout, const struct layout_query *query,
                unsigned *cursor, struct layout_entry *entry);

/* The tables of one operand: lanes by registers, and rows by columns. */
void layout_print_tables(const char *operand, const struct wsim_layout *layout,
                         const struct layout_query *query);

#endif
