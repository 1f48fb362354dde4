/* compare.h - where two results differ, and by how much. */
#ifndef WSIM_GEMM_COMPARE_H
#define WSIM_GEMM_COMPARE_H

#include "matrix.h"

/* An element that differs. */
struct difference {
    size_t row, column;
    uint64_t bits[2];  /* of the first and of the second matrix                            */
    uint64_t distance; /* floats: numbers of the format from the one to the other; integers:
                          their difference                                                  */
};

struct comparison {
    uint64_t elements, different;
    uint64_t nans;             /* that are NaN on one side only: they have no distance        */
    struct difference first;   /* row by row                                                  */
    struct difference largest; /* distance; the first of those                                */
};

/* Matrices of the same extent and format. */
void compare(const struct matrix *a, const struct matrix *b, struct comparison *result);

#endif
