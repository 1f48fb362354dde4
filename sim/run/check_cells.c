/* Entries of cells, many at a time. */
#include "check_cells.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 512 };

/* Entries from `made` on were never given out, and hold nothing. */
struct race_chunk {
    struct race_chunk *next;
    uint32_t made;
    struct race_entry entries[CHUNK];
};

struct race_entry *race_entry_make(struct race_pool *pool) {
    struct race_entry *entry = pool->spare;
    uint8_t *values = entry ? entry->values : NULL;
    if (entry) {
        pool->spare = entry->next;
    } else {
        if (!pool->current || pool->used == CHUNK) {
            struct race_chunk *next = pool->current ? pool->current->next : pool->chunks;
            if (!next) {
                next = malloc(sizeof *next);
                if (!next)
                    return NULL;
                next->next = NULL;
                next->made = 0;
                if (pool->current)
                    pool->current->next = next;
                else
                    pool->chunks = next;
            }
            pool->current = next;
            pool->used = 0;
        }
        entry = &pool->current->entries[pool->used++];
        values = pool->used <= pool->current->made ? entry->values : NULL;
        if (pool->used > pool->current->made)
            pool->current->made = pool->used;
    }
    entry->next = NULL;
    entry->mask = entry->differs = 0;
    entry->before.clock = entry->second.clock = 0;
    entry->values = values;
    return entry;
}

void race_entry_drop(struct race_pool *pool, struct race_entry *entry) {
    entry->next = pool->spare;
    pool->spare = entry;
}

void race_chunks_free(struct race_chunk *chunks) {
    for (struct race_chunk *next, *chunk = chunks; chunk; chunk = next) {
        next = chunk->next;
        for (unsigned i = 0; i < chunk->made; i++)
            free(chunk->entries[i].values);
        free(chunk);
    }
}

void race_pool_end(struct race_pool *pool, struct race_chunk **kept, unsigned most) {
    struct race_chunk **end = &pool->chunks;
    for (unsigned n = 0; *end && n < most && !*kept; n++)
        end = &(*end)->next;
    race_chunks_free(*end);
    *end = NULL;
    if (!*kept)
        *kept = pool->chunks;
    *pool = (struct race_pool){0};
}
