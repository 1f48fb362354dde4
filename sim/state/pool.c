/* Chunks of pools, a list that lives until the pool is freed. */
#include "pool.h"

#include <stdlib.h>

int pool_advance(struct pool *pool, size_t bytes) {
    struct pool_chunk **next = pool->current ? &pool->current->next : &pool->chunks;
    if (!*next) {
        *next = malloc(sizeof **next + bytes);
        if (!*next)
            return 0;
        (*next)->next = NULL;
    }
    pool->current = *next;
    pool->used = 0;
    return 1;
}

void pool_free(struct pool_chunk *chunks) {
    for (struct pool_chunk *next, *chunk = chunks; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
}
