/* lanes_table.h - words that several lanes of a warp access, shared by the files of lanes. */
#ifndef WSIM_WATCH_LANES_TABLE_H
#define WSIM_WATCH_LANES_TABLE_H

#include "actors.h"
#include "lanes_places.h"

/* Where the words of an access are counted from, so that no address of the host has an effect. */
struct lanes_origin {
    uint64_t base;
    uint32_t memory;
};

/* An access that is compared. */
struct lanes_hearing {
    struct lanes_table *table;
    struct lanes_warp *lanes;
    struct run_warp *warp;
    const struct run_op *op;
    const struct run_access *access;
    struct lanes_access *mine;
    struct lanes_origin origin; /* of mine */
};

/* The number of a new epoch. */
uint32_t lanes_table_epoch(struct lanes_table *table);
/* Puts the words of an access into the table. */
void lanes_table_keep(struct lanes_table *table, struct lanes_warp *lanes, struct run_warp *warp,
                      struct lanes_access *access);
/* Compares an access with the table. Returns 1 if the finding was made. */
int lanes_table_compare(struct lanes_hearing *hearing);
/* Lanes of one store that write one place: the first pair with different values. */
void lanes_table_same(const struct lanes_hearing *hearing);

#endif
