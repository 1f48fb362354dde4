/* ops_filter.h - the operations that the options of wsim ops ask for. */
#ifndef WSIM_OPS_FILTER_H
#define WSIM_OPS_FILTER_H

#include "../common/names.h"

#define OPS_FAMILIES 192

struct ops_filter {
    const char *family; /* NULL: any */
    int begins;         /* families whose names go on behind that */
    int matrices;       /* only what wsim_op_next steps through  */
    int has_type;       /* 0: any */
    struct name_types types;
    const struct wsim_arch *arch; /* NULL: any */
};

/* The filter of what the options say (NULL: not given); `matrices` as above. TOOL_GO, or TOOL_USAGE
 * after naming the family or the type that no operation at all has: that is a typing error. */
int ops_filter_open(struct ops_filter *filter, const char *family, const char *type,
                    const struct wsim_arch *arch, int matrices);

/* An operation as it is listed: of the tables of matrices and copies, then of scalar rows that
 * those do not have as well. All zero bytes: before the first. */
struct ops_entry {
    struct wsim_op op;
    uint32_t cursor;
    struct wsim_scalar scalar; /* row 0: it is `op` */
    char spelling[WSIM_SPELLING_MAX], family[32];
    const char *row, *feature, *source;
    const char *evidence; /* word for filter->arch, "" without one */
    unsigned ptx;
};

/* The next one that passes; 0 when there are no more. */
int ops_entry_next(const struct ops_filter *filter, struct ops_entry *entry);

/* The next operation of matrices or copies that passes and its spelling, as wsim_op_next; 0 when
 * there are no more. */
int ops_next(const struct ops_filter *filter, uint32_t *cursor, struct wsim_op *op,
             char spelling[WSIM_SPELLING_MAX]);

/* TOOL_GO if an operation passes, or TOOL_FOUND after saying where there are some. */
int ops_filter_found(const struct ops_filter *filter);

#endif
