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

enum { COMPARE_MAP = 24 };

struct comparison {
    size_t rows, columns;
    uint64_t elements, different;
    uint64_t map[COMPARE_MAP][COMPARE_MAP]; /* those that differ, part by part              */
    uint64_t nans;             /* that are NaN on one side only: they have no distance        */
    struct difference first;   /* row by row                                                  */
    struct difference largest; /* distance; the first of those                                */
};

/* Rows or columns of a part: a power of two, so that parts are those of tiles, or tiles of them. */
size_t compare_map_part(size_t extent);

/* Matrices of the same extent and format. */
void compare(const struct matrix *a, const struct matrix *b, struct comparison *result);

#endif
