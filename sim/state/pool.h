/* pool.h - items of one size, allocated in chunks. A pool hands out one item at a time and takes
 * all of them back together. A user that frees single items keeps them in its own list. */
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

/* Returns an item of `size` bytes; a chunk has `each` items. Both are equal in all calls. Its
 * bytes are garbage. NULL: no memory. */
static inline void *pool_take(struct pool *pool, size_t size, uint32_t each) {
    if ((!pool->current || pool->used == each) && !pool_advance(pool, each * size))
        return NULL;
    return pool->current->items + pool->used++ * size;
}

#endif
