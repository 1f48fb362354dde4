/* loops.h - what a product of the same extent costs in plain C: the measure of all kernels. */
#ifndef WSIM_BENCH_LOOPS_H
#define WSIM_BENCH_LOOPS_H

#include <stddef.h>

/* Elements of the loop: float, or what the accumulators are. */
enum loop_type { LOOP_FLOAT, LOOP_DOUBLE, LOOP_INT };

/* d = a b + c: a is m x k, c and d are m x n, b is k x n by rows or n x k by columns. */
typedef void loop_run(const void *a, const void *b, const void *c, void *d);

/* One extent, compiled for one level of machine: the two plain orders of B, and the first of them
 * with `restrict` on every pointer. */
struct loop {
    enum loop_type type;
    unsigned m, n, k;
    const char *level;
    loop_run *by_rows, *by_columns, *restricted;
};

/* The loop number `index` of this type and extent that this machine can run; NULL past the last:
 * none was compiled for it. */
const struct loop *loop_find(enum loop_type type, unsigned m, unsigned n, unsigned k, int index);

#endif
