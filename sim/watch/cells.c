/* Entries of cells, many at a time. */
#include "cells.h"

enum { CHUNK = 512, MOST_KEPT = 128 /* chunks of each pool, for the next launch */ };

struct race_entry *race_entry_make(struct race_pool *pool) {
    struct race_entry *entry = pool->spare;
    if (entry)
        pool->spare = entry->next;
    else
        entry = pool_take(&pool->pools[RACE_ENTRIES], sizeof *entry, CHUNK);
    if (!entry)
        return NULL;
    entry->next = NULL;
    entry->more = NULL;
    entry->mask = 0;
    entry->ahead = entry->blurred = 0;
    return entry;
}

static union race_rest *make_rest(struct race_pool *pool) {
    union race_rest *rest = pool->spare_rests;
    if (rest)
        pool->spare_rests = rest->next;
    else
        rest = pool_take(&pool->pools[RACE_RESTS], sizeof *rest, CHUNK);
    return rest;
}

static void drop_rest(struct race_pool *pool, union race_rest *rest) {
    rest->next = pool->spare_rests;
    pool->spare_rests = rest;
}

struct race_more *race_more_of(struct race_pool *pool, struct race_entry *entry) {
    union race_rest *rest;
    if (entry->more || !(rest = make_rest(pool)))
        return entry->more;
    rest->more = (struct race_more){.first = entry->last};
    return entry->more = &rest->more;
}

uint8_t *race_add_values(struct race_pool *pool, struct race_entry *entry) {
    struct race_more *more = race_more_of(pool, entry);
    if (more && !more->values) {
        union race_rest *rest = make_rest(pool);
        more->values = rest ? rest->values : NULL;
    }
    return more ? more->values : NULL;
}

void race_entry_drop(struct race_pool *pool, struct race_entry *entry) {
    if (race_values(entry))
        drop_rest(pool, (union race_rest *)(void *)entry->more->values);
    if (entry->more)
        drop_rest(pool, (union race_rest *)entry->more);
    entry->next = pool->spare;
    pool->spare = entry;
}

void race_pool_begin(struct race_pool *pool, struct pool_chunk *kept[RACE_POOLS]) {
    for (unsigned i = 0; i < RACE_POOLS; i++) {
        pool->pools[i].chunks = kept[i];
        kept[i] = NULL;
    }
}

void race_pool_end(struct race_pool *pool, struct pool_chunk *kept[RACE_POOLS]) {
    for (unsigned i = 0; i < RACE_POOLS; i++) {
        struct pool_chunk **end = &pool->pools[i].chunks;
        for (unsigned n = 0; *end && n < MOST_KEPT && !kept[i]; n++)
            end = &(*end)->next;
        pool_free(*end);
        *end = NULL;
        if (!kept[i])
            kept[i] = pool->pools[i].chunks;
    }
    *pool = (struct race_pool){.spare = NULL};
}
