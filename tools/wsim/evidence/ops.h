/* ops.h - the parts of wsim ops. */
#ifndef WSIM_OPS_H
#define WSIM_OPS_H

#include "../common/doc.h"
#include "../common/names.h"

/* --- filters (ops_filter.c) --- */

#define OPS_FAMILIES 192

struct ops_filter {
    const char *family; /* NULL: any */
    int begins;         /* also families that continue this name */
    int matrices;       /* no scalar instructions                */
    int has_type;       /* 0: any */
    struct named_types types;
    const struct wsim_arch *arch; /* NULL: any */
};

/* The filter of the options (NULL: not given). TOOL_GO, or TOOL_USAGE after an error message: a
 * family or type without any operation is a typing error. */
int ops_filter_open(struct ops_filter *filter, const char *family, const char *type,
                    const struct wsim_arch *arch, int matrices);

/* A listed operation: first those of matrices and copies, then the other scalar rows. All zero
 * bytes: before the first. */
struct ops_entry {
    struct wsim_op op;
    uint32_t cursor;
    struct wsim_scalar scalar; /* row 0: it is `op` */
    char spelling[WSIM_SPELLING_MAX], family[32];
    const char *row, *feature, *source;
    const char *evidence; /* word for filter->arch, "" without one */
    unsigned ptx;
};

/* The next operation that passes; 0: none. */
int ops_entry_next(const struct ops_filter *filter, struct ops_entry *entry);

/* The next operation of matrices or copies that passes, and its spelling; 0: none. */
int ops_next(const struct ops_filter *filter, uint32_t *cursor, struct wsim_op *op,
             char spelling[WSIM_SPELLING_MAX]);

/* TOOL_GO if an operation passes, or TOOL_FOUND after naming the targets that have some. */
int ops_filter_found(const struct ops_filter *filter);

/* --- evidence (evidence.c) --- */

/* States the evidence of every operation that passes: a row for each claim and the architectures
 * that share it. */
void evidence_answer(struct doc *doc, const struct ops_filter *filter);

#endif
