/* memory.h - memory that is given back all at once. */
#ifndef WSIM_LAUNCH_MEMORY_H
#define WSIM_LAUNCH_MEMORY_H

#include <stddef.h>

struct lf_block;

/* All zeros: nothing is allocated yet. */
struct lf_memory {
    struct lf_block *blocks;
};

/* `count` elements of `size` bytes, all zeros. NULL: the heap is full. */
void *lf_take(struct lf_memory *memory, size_t count, size_t size);

/* A copy with a NUL after it. */
char *lf_copy(struct lf_memory *memory, const char *text, size_t length);

void lf_drop(struct lf_memory *memory);

#endif
