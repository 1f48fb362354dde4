/* tma_access.h - the cost to a warp of reading or writing a tile. */
#ifndef WSIM_TMA_ACCESS_H
#define WSIM_TMA_ACCESS_H

#include "../common/doc.h"
#include "tma_copy.h"

/* States the wavefronts of a warp that reads the tile of a load, or writes that of a store. */
void tma_accesses(struct doc *doc, const struct tma_copy *copy);

#endif
