/* tma_tile.h - one load of a tensor map: the options that say which, and the tile it leaves. */
#ifndef WSIM_TMA_TILE_H
#define WSIM_TMA_TILE_H

#include "tma.h"

enum { TMA_PIECE = 16, TMA_LINE = 128, TMA_LINE_PIECES = TMA_LINE / TMA_PIECE };

/* What stands on the line beside the map; NULL: not given. */
struct tma_request {
    char *coord, *offsets, *at, *global;
    const char *file;
    enum tool_format format;
};

/* A load that can be asked for its places, and done. */
struct tma_load {
    const struct wsim_arch *arch;
    struct wsim_op op;
    struct wsim_tensor tensor;
    struct wsim_tensor_tile tile;
    struct wsim_tensor_map map;
    struct wsim_bulk io;
};

/* TOOL_GO, or the status after saying what is wrong. */
int tma_load_read(const struct tma_request *request, char *const option[TMA_PARAMETERS],
                  const char *arch, struct tma_load *load);

/* `wsim tma show` and `wsim tma load`. */
int tma_show(const struct tma_request *request, const struct tma_load *load);
int tma_move(const struct tma_request *request, struct tma_load *load);

#endif
