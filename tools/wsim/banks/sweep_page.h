/* sweep_page.h - a sweep as a page. */
#ifndef WSIM_SWEEP_PAGE_H
#define WSIM_SWEEP_PAGE_H

#include "sweep.h"
#include "../common/table.h"

/* With the counts of its steps as a table: TOOL_FINE, or the status after saying why not. */
int sweep_print_page(const struct sweep *sweep, const struct table *table, enum tool_format format);

#endif
