/* layout_print.h - the three ways to print what wsim layout answers. */
#ifndef WSIM_LAYOUT_PRINT_H
#define WSIM_LAYOUT_PRINT_H

#include "layout_query.h"

/* An operation, and its operands as far as the answer is about them. */
struct layout_subject {
    const struct wsim_op *op;
    const char *spelling;
    const struct wsim_arch *arch; /* NULL: none was named */
    struct wsim_layout layout[WSIM_OPERANDS];
    int has[WSIM_OPERANDS];
};

/* Text: the tables if the query names no element, else a list. */
void layout_print_text(const struct layout_subject *subject, const struct layout_query *query);
void layout_print_csv(const struct layout_subject *subject, const struct layout_query *query);
void layout_print_json(const struct layout_subject *subject, const struct layout_query *query);

#endif
