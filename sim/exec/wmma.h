/* wmma.h - where the elements of a fragment of wmma are in memory. */
#ifndef WSIM_EXEC_WMMA_H
#define WSIM_EXEC_WMMA_H

#include "exec.h"

/* Alignment of a line in bytes: the part of the fragment that a lane has. Where whole rows of
 * shared memory are loaded at once, it is a row. */
unsigned wmma_line_align(const struct wsim_op *op, const struct wsim_layout *layout);

/* A matrix in memory. */
struct wmma_matrix {
    uint64_t start;  /* address                       */
    uint64_t stride; /* bits from line to line        */
};

/* The matrix at io->addr with io->stride; address and stride are checked. */
enum wsim_status wmma_open(const struct wsim_code *code, const struct wsim_io *io,
                           struct wmma_matrix *m, struct wsim_diag *diag);

/* Whether lines of memory are rows of the matrix that is moved. */
int wmma_by_rows(const struct wsim_op *op);

/* The lowest bit, from the start, of what an index of the map is. */
uint64_t wmma_bit(const struct wsim_code *code, const struct wmma_matrix *m, unsigned index);

#endif
