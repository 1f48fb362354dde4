/* ops_filter.h - the operations that the options of wsim ops ask for. */
#ifndef WSIM_OPS_FILTER_H
#define WSIM_OPS_FILTER_H

#include <wsim/wsim.h>

struct ops_filter {
    const char *family, *type;    /* NULL: any */
    const struct wsim_arch *arch; /* NULL: any */
};

/* The next operation that passes and its spelling, as wsim_op_next; 0 when there are no more. */
int ops_next(const struct ops_filter *filter, uint32_t *cursor, struct wsim_op *op,
             char spelling[WSIM_SPELLING_MAX]);

/* TOOL_GO, or TOOL_USAGE after naming the family or the type that no operation at all has: that is
 * a typing error. */
int ops_filter_check(const struct ops_filter *filter);

#endif
