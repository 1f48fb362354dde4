/* ops_print.h - the three ways to print the operations that pass a filter. */
#ifndef WSIM_OPS_PRINT_H
#define WSIM_OPS_PRINT_H

#include "ops_filter.h"

void ops_print_text(const struct ops_filter *filter);
void ops_print_csv(const struct ops_filter *filter);
void ops_print_json(const struct ops_filter *filter);

#endif
