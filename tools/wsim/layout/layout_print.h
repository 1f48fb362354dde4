/* layout_print.h - what wsim layout prints beside pictures: lists for people, and JSON. */
#ifndef WSIM_LAYOUT_PRINT_H
#define WSIM_LAYOUT_PRINT_H

#include "layout_query.h"

/* Whether single elements are asked for. */
int layout_is_list(const struct wsim_fragment_query *query);

/* The elements that are asked for, a line each. */
void layout_print_list(const struct wsim_fragments *fragments);
void layout_print_json(const struct wsim_fragments *fragments);

#endif
