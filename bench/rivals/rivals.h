/* rivals.h - the time of an instruction on each path, and of plain loops of its extent: `wsim
 * bench` prints both. */
#ifndef WSIM_RIVALS_H
#define WSIM_RIVALS_H

#include <wsim/harness/harness.h>
#include <wsim/wsim.h>

/* --- times (time.c) --- */

/* The timed distributions; the first is that of the column ns. */
enum { BENCH_DISTS = 4 };
extern const unsigned bench_dists[BENCH_DISTS];

/* One form on one path. */
struct bench_path {
    enum wsim_path path;
    const char *kernel; /* NULL: the plain path                  */
    double ns[BENCH_DISTS];
};

/* One form, and the loops of its extent; 0: none was compiled. */
struct bench_form {
    char spelling[WSIM_SPELLING_MAX];
    const struct wsim_arch *arch;
    double loop, restricted; /* ns of the faster plain order, and with restrict          */
    const char *order, *level;
    struct bench_path path[WSIM_PATHS];
    int paths;
};

/* Times an operation on the plain path and all paths with a kernel for it, or on one path (`only`:
 * flags of wsim_prepare, not 0). Errors: those of wsim_prepare; WSIM_NO_MEMORY. */
enum wsim_status bench_time(const struct wsim_op *op, const struct wsim_arch *arch, uint32_t only,
                            struct bench_form *form, struct wsim_diag *diag);

/* --- plain loops (loops.c) --- */

/* The type of the elements of a loop. */
enum loop_type { LOOP_FLOAT, LOOP_DOUBLE, LOOP_INT };

/* d = a b + c. a is m x k, c and d are m x n; b is k x n by rows, or n x k by columns. */
typedef void loop_run(const void *a, const void *b, const void *c, void *d);

/* One extent, compiled for one level of machine: both orders of B, and the first with `restrict` on
 * every pointer. */
struct loop {
    enum loop_type type;
    unsigned m, n, k;
    const char *level;
    loop_run *by_rows, *by_columns, *restricted;
};

/* Loop number `index` of a type and extent that this machine can run; NULL past the last. */
const struct loop *loop_find(enum loop_type type, unsigned m, unsigned n, unsigned k, int index);

#endif
