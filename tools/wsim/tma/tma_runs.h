/* tma_runs.h - rows of a tile that fare alike, together. */
#ifndef WSIM_TMA_RUNS_H
#define WSIM_TMA_RUNS_H

#include "../common/doc.h"
#include "tma_copy.h"

/* Rows that follow each other, alike but for one coordinate. */
struct tma_run {
    uint64_t first, rows;
    int64_t coord[WSIM_TENSOR_RANK]; /* of the first element of the first row                */
    unsigned dim;                    /* of more than one row: what moves ...                 */
    int64_t step;                    /* ... and by how much                                  */
    uint32_t bytes[3];               /* of each row, by enum wsim_bulk_where                 */
    uint64_t global, every; /* address of the first byte that is touched, from row to row    */
};

struct tma_runs {
    const struct tma_copy *copy;
    struct tma_run *run; /* of the heap; to be freed */
    size_t count;
};

void tma_runs(const struct tma_copy *copy, struct tma_runs *runs);
/* States the runs, a row for each. */
void tma_state_runs(struct doc *doc, const struct tma_runs *runs);

#endif
