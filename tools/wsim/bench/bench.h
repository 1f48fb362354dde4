/* bench.h - what the parts of wsim bench share. */
#ifndef WSIM_BENCH_H
#define WSIM_BENCH_H

#include "../common/tool.h"

/* Distributions that are timed; the first is the one that figures without a name are of. */
enum { BENCH_DISTS = 4 };
extern const unsigned bench_dists[BENCH_DISTS];

/* One form on one path. */
struct bench_path {
    enum wsim_path path;
    const char *kernel; /* NULL: the plain path                  */
    double ns[BENCH_DISTS];
};

/* One form, with the loops of the same extent; 0 where none was compiled. */
struct bench_form {
    char spelling[WSIM_SPELLING_MAX];
    const struct wsim_arch *arch;
    double loop, restricted; /* ns of the quicker plain order, and with restrict          */
    const char *order, *level;
    struct bench_path path[WSIM_PATHS];
    int paths;
};

/* Times an operation: on all paths that have a kernel for it and the plain one, or on one alone
 * (`only` the flags of wsim_prepare, 0: all). TOOL_GO, or the status after saying why not. */
int bench_time(const struct wsim_op *op, const struct wsim_arch *arch, uint32_t only,
               struct bench_form *form);

#endif
