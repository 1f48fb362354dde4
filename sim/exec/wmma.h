/* wmma.h - where the elements of a fragment of wmma are in memory. */
#ifndef WSIM_EXEC_WMMA_H
#define WSIM_EXEC_WMMA_H

#include "exec.h"

/* A matrix in memory, in bits from its start. */
struct wmma_matrix {
    uint32_t start;               /* of the window, bytes                  */
    unsigned across, along, bits; /* elements a line, and how many lines   */
    uint64_t stride;              /* bits from line to line                */
    int by_rows;
};

/* The registers of a load or store, and the matrix at `addr`; address and stride are checked. */
enum wsim_status wmma_open(const struct wsim_op *op, const uint32_t addr[WSIM_LANES],
                           uint32_t stride, const struct wsim_layout *layout, struct wmma_matrix *m,
                           struct wsim_diag *diag);

/* Whether lines of memory are rows of the matrix that is moved. */
int wmma_by_rows(const struct wsim_op *op);

/* Whether the first two elements of a lane are neighbours in memory. */
int wmma_lies_along(const struct wsim_layout *layout, const struct wmma_matrix *m);

/* Refuses architectures whose fragments are not in the tables. */
enum wsim_status wmma_need_fragments(const struct wsim_arch *arch, struct wsim_diag *diag);

/* The lowest bit of an element. */
uint64_t wmma_bit(const struct wmma_matrix *m, struct wsim_coord at);

#endif
