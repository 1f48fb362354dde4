/* tma_access.h - what it costs a warp to read or write the tile. */
#ifndef WSIM_TMA_ACCESS_H
#define WSIM_TMA_ACCESS_H

#include "../common/page.h"
#include "tma_copy.h"

/* How a warp reads the tile of a load along a row, down a column, 8 rows of a matrix, or writes
 * that of a store, and the wavefronts. */
void tma_print_accesses(const struct tma_copy *copy);
/* The same as lines of a page. */
void tma_page_accesses(const struct tma_copy *copy, struct page *page);
json_t *tma_accesses_json(const struct tma_copy *copy);

#endif
