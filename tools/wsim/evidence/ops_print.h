/* ops_print.h - the three ways to print the operations that pass a filter. */
#ifndef WSIM_OPS_PRINT_H
#define WSIM_OPS_PRINT_H

#include "../common/tool.h"
#include "ops_filter.h"

void ops_print_text(const struct ops_filter *filter);
void ops_print_csv(const struct ops_filter *filter);
void ops_print_json(const struct ops_filter *filter);

/* md, svg or html: TOOL_FINE, or the status after saying why not. */
int ops_print_page(const struct ops_filter *filter, enum tool_format format);

#endif
