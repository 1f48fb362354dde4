/* paths.h - code of one operation on all paths, and the loops that hold them against the plain one.
 * WSIM_PATH_RESULTS: how many results at least of each distribution (10000). WSIM_PATH_ONLY: only
 * operations whose spelling contains it. */
#ifndef TESTS_ROWS_PATHS_H
#define TESTS_ROWS_PATHS_H

#include "../every.h"

#include <wsim/harness/cases.h>

/* `fast`: the paths that have a kernel of their own for it. */
struct paths {
    struct wsim_code plain, fast[WSIM_PATHS];
    int n;
};

/* Puts operands into the block of a case, which holds those of the stream already. */
typedef void paths_fill(const struct paths *paths, const struct wsim_plan *plan, unsigned dist,
                        uint32_t *in);

/* A set of distributions; `knows` (NULL: all) says of which plans. */
struct paths_dists {
    unsigned count;
    const char *(*name)(unsigned dist);
    int (*knows)(const struct wsim_plan *plan);
    paths_fill *fill;
};

/* Calls `visit` for operation number `index`, where it has kernels, on an architecture of each
 * generation. */
void paths_each(int index, void (*visit)(const struct paths *paths));

/* Checks operation number `index`, if it has kernels, on an architecture of each generation. Every
 * path gives the bits of the plain one, in `sets` sets of distributions. */
void paths_compare(int index, const struct paths_dists *dists, int sets);

#endif
