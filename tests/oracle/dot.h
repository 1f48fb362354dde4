/* dot.h - one element of D, written as a dot product: for vectors and probes that name values. */
#ifndef ORACLE_DOT_H
#define ORACLE_DOT_H

#include "judge.h"

/* D[row][col] of `spelling` on `arch`, where a and b are "k:hex k:hex ..." (stored k for a sparse
 * A; "*:hex" is every k), all other elements are zero and C[row][col] is `c`. Metadata keeps the
 * first two of four. Runs both the library and the oracle and fails the test, with `name` in the
 * message, unless both give `want`. `spread` chooses row, column and product. */
struct dot_case {
    const char *name, *spelling, *arch, *a, *b;
    uint64_t c, want;
    int spread;
    unsigned sfa, sfb; /* scale registers, in every lane */
};

/* The library's result; `want` is ignored. */
uint64_t dot_result(const struct dot_case *dot);

void dot_expect(const struct dot_case *dot);

#endif
