/* map.h - layouts compiled: where each element of an operand goes, and where each result comes
 * from. */
#ifndef WSIM_EXEC_MAP_H
#define WSIM_EXEC_MAP_H

#include "../isa/isa.h"
#include "work.h"

/* Threads of a place, and what an element adds to it (struct wsim_code_place). */
enum { MAP_THREADS = 128, MAP_ELEM_BIT = 7 };

/* How the index of an element in its plane is formed. */
enum map_plane {
    MAP_ROWS,    /* A: a list of k for each row                                              */
    MAP_COLUMNS, /* B: a list of k for each column                                           */
    MAP_META,    /* metadata: selector, row, chunk                                           */
    MAP_FACTORS, /* scale factors: selection, row or column, block                           */
    MAP_LINES    /* what moves: line of memory, element of the line                          */
};

enum {
    MAP_META_ROW = 4,       /* bits of an index: chunks are below, ...                        */
    MAP_META_SELECTOR = 10, /* ... rows up to here                                            */
    MAP_FACTOR_LINE = 2,
    MAP_FACTOR_BATCH = 8,
    MAP_LINE = 8
};

/* Compiles the layout of an operand: that of the first warp of a warpgroup, whose other warps have
 * rows of their own. `k`: elements of a list; `split`: see product_order. 0: more elements than
 * there is room for. */
int map_compile(struct wsim_code_map *map, const struct wsim_layout *layout, enum map_plane plane,
                unsigned k, unsigned split, int by_columns);

/* Compiles the inverse of the layout of C or D. */
void map_invert(struct wsim_code_place *place, const struct wsim_layout *layout);

/* Elements of 1 bit are taken by 32, as a register has them. */
enum { MAP_WORD = 32 };
static inline unsigned map_unit(unsigned bits) {
    return bits == 1 ? MAP_WORD : bits;
}

/* Bytes that an element takes in a plane. */
static inline unsigned map_bytes(unsigned bits) {
    return map_unit(bits) < 8 ? 1 : map_unit(bits) / 8;
}

/* Puts the elements of 32 lanes into a plane, `first` elements on. */
void map_gather(const struct wsim_code_map *map, const uint32_t *const *regs, unsigned stride,
                void *plane, unsigned first);

/* Element `index`, of `bytes` bytes, of a plane or of a matrix in memory. */
uint64_t map_get(const void *plane, unsigned bytes, unsigned index);
void map_put(void *plane, unsigned bytes, unsigned index, uint64_t bits);

#endif
