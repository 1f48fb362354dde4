/* tma_tile.h - one copy of a tensor map: the options that say which, and the tile it moves. */
#ifndef WSIM_TMA_TILE_H
#define WSIM_TMA_TILE_H

#include "tma.h"

enum { TMA_PIECE = 16, TMA_LINE = 128, TMA_LINE_PIECES = TMA_LINE / TMA_PIECE };

/* Shared memory that is shown: more than any block has. */
enum { TMA_MEMORY = 1 << 20 };

/* What stands on the line beside the map; NULL: not given. */
struct tma_request {
    char *coord, *offsets, *at, *global, *reduce;
    const char *file;
    int stores; /* the copy is a store, or the reduction `reduce` */
    enum tool_format format;
    int colour;
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

/* TOOL_GO, or the status after saying what is wrong. */
int tma_copy_read(const struct tma_request *request, char *const option[TMA_PARAMETERS],
                  const char *arch, struct tma_copy *copy);

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
void tma_print_runs(const struct tma_runs *runs);
void tma_runs_csv(const struct tma_runs *runs);
json_t *tma_runs_json(const struct tma_runs *runs);

/* How a warp reads the tile of a load along a row, down a column, 8 rows of a matrix, or writes
 * that of a store, and the wavefronts. */
void tma_print_accesses(const struct tma_copy *copy);
json_t *tma_accesses_json(const struct tma_copy *copy);

/* A line: the map in short, where the copy begins. */
void tma_print_place(const struct tma_copy *copy);

/* `wsim tma show`, `wsim tma load` and `wsim tma store`. */
int tma_show(const struct tma_request *request, const struct tma_copy *copy);
int tma_move(const struct tma_request *request, struct tma_copy *copy);
int tma_store(const struct tma_request *request, const struct tma_copy *copy);

#endif
