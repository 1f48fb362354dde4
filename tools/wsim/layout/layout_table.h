/* layout_table.h - the tables of an operand, for people. */
#ifndef WSIM_LAYOUT_TABLE_H
#define WSIM_LAYOUT_TABLE_H

#include "layout_query.h"

/* Lanes by registers, and rows by columns. */
void layout_print_tables(const char *operand, const struct wsim_layout *layout,
                         const struct layout_query *query);

#endif
