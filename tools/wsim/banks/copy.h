/* copy.h - one copy that wsim banks counts, from the options. */
#ifndef WSIM_COPY_H
#define WSIM_COPY_H

#include "banks_options.h"

#include <wsim/wsim.h>

/* What one kind of counters tells. */
struct copy_counts {
    struct wsim_cost cost;
    struct wsim_cost_group group[WSIM_LANES]; /* cost.groups of them */
};

/* A copy, as both kinds of counters tell what it cost. */
struct copy_run {
    char spelling[WSIM_SPELLING_MAX];
    const struct wsim_arch *arch;
    uint32_t dst[WSIM_LANES], src[WSIM_LANES], src_size[WSIM_LANES];
    struct wsim_io io;
    struct copy_counts hardware;
    struct copy_counts page;  /* counters of the source page...           */
    struct wsim_diag no_page; /* ... or why not; status 0 if they are there */
    const char *evidence, *source;
    uint32_t unknown; /* lanes whose cost is not known ...                                 */
    int has_store;    /* ... and what a store of them to the same addresses costs         */
    struct wsim_cost store;
};

/* The store that moves as many bytes a lane. */
const char *copy_store(const struct copy_run *run);

/* Counts the copy `op` of the lanes in run->io.mask on run->arch; TOOL_GO, or the status after
 * saying what is wrong. */
int copy_count(struct copy_run *run, const struct wsim_op *op, const struct banks_options *options);

#endif
