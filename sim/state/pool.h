/* pool.h - items of one size, many at a time: they are given out one by one and given back all
 * together. Who gives one back alone keeps it in a list of its own type. */
#ifndef WSIM_STATE_POOL_H
#define WSIM_STATE_POOL_H

#include <stddef.h>
#include <stdint.h>

struct pool_chunk {
    struct pool_chunk *next;
    _Alignas(max_align_t) unsigned char items[];
};

struct pool {
    struct pool_chunk *chunks, *current; /* NULL: all items are given back */
    uint32_t used;                       /* of the current chunk           */
};

/* Goes on to the next chunk, of `bytes` bytes, which is made if there is none. 0: no memory. */
int pool_advance(struct pool *pool, size_t bytes);

void pool_free(struct pool_chunk *chunks);

/* An item of `size` bytes, of which a chunk has `each`, the same in all calls: zeros, or what was
 * left in it when all were given back. NULL: no memory. */
static inline void *pool_take(struct pool *pool, size_t size, uint32_t each) {
    if ((!pool->current || pool->used == each) && !pool_advance(pool, each * size))
        return NULL;
    return pool->current->items + pool->used++ * size;
}

#endif
