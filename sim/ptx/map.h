/* map.h - pairs of numbers get numbers of their own, from 0 on in the order they come. */
#ifndef WSIM_PTX_MAP_H
#define WSIM_PTX_MAP_H

#include "arena.h"

struct map_entry {
    uint32_t a, b;
};

struct map {
    struct arena_vec entries; /* struct map_entry                                      */
    uint32_t *table, slots;   /* numbers from 1                                        */
};

/* The number of (a, b), given now if it has none yet; UINT32_MAX: no memory. */
uint32_t map_number(struct ptx_arena *arena, struct map *map, uint32_t a, uint32_t b);

#endif
