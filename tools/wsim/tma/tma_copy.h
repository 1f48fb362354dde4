/* tma_copy.h - one copy of a tensor map: the options that say which, and what the library is asked.
 */
#ifndef WSIM_TMA_COPY_H
#define WSIM_TMA_COPY_H

#include "tma_input.h"

enum { TMA_PIECE = 16, TMA_LINE = 128, TMA_LINE_PIECES = TMA_LINE / TMA_PIECE };

/* Shared memory that is shown: more than any block has. */
enum { TMA_MEMORY = 1 << 20 };

/* The options of a copy; NULL: not given. */
struct tma_request {
    char *coord, *offsets, *at, *global, *reduce;
    char *row, *col, *byte; /* show: one element, or what lies at an address */
    const char *file;
    int stores; /* the copy is a store, or the reduction `reduce` */
};

/* A copy that can be asked for its places, and done. */
struct tma_copy {
    const struct wsim_arch *arch;
    char spelling[WSIM_SPELLING_MAX];
    struct wsim_op op;
    int stores;
    struct wsim_tensor tensor;
    struct wsim_tensor_tile tile;
    struct wsim_tensor_map map;
    struct wsim_bulk io;
};

/* Reads the map and the place of a copy. */
void tma_copy_read(const struct tma_request *request, char *const option[TMA_PARAMETERS],
                   const char *arch, struct tma_copy *copy);

/* The map in short, and where the copy begins. */
#define TMA_PLACE 512
void tma_place(const struct tma_copy *copy, char out[TMA_PLACE]);

#endif
