/* Entries of cells, many at a time. */
#include "cells.h"

#include <stdlib.h>

enum { CHUNK = 512 }; /* entries */

struct race_entry *race_entry_make(struct race_pool *pool) {
    struct race_entry *entry = pool->spare;
    if (entry)
        pool->spare = entry->next;
    else
        entry = pool_take(&pool->entries, sizeof *entry, CHUNK);
    if (!entry)
        return NULL;
    entry->next = NULL;
    entry->mask = entry->differs = 0;
    entry->ahead = entry->blurred = 0;
    entry->before.clock = entry->second.clock = 0;
    return entry;
}

void race_entry_drop(struct race_pool *pool, struct race_entry *entry) {
    entry->next = pool->spare;
    pool->spare = entry;
}

void race_chunks_free(struct pool_chunk *chunks) {
    for (struct pool_chunk *chunk = chunks; chunk; chunk = chunk->next) {
        struct race_entry *entries = (struct race_entry *)(void *)chunk->items;
        for (uint32_t i = 0; i < CHUNK; i++)
            free(entries[i].values);
    }
    pool_free(chunks);
}

void race_pool_end(struct race_pool *pool, struct pool_chunk **kept, unsigned most) {
    struct pool_chunk **end = &pool->entries.chunks;
    for (unsigned n = 0; *end && n < most && !*kept; n++)
        end = &(*end)->next;
    race_chunks_free(*end);
    *end = NULL;
    if (!*kept)
        *kept = pool->entries.chunks;
    *pool = (struct race_pool){0};
}
