/* The allocator of the test program; see heap.h. */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "heap.h"

static atomic_long left = -1, blocks;

void heap_end_after(long calls) {
    atomic_store(&left, calls);
}

long heap_blocks(void) {
    return atomic_load(&blocks);
}

#if HEAP_ENDS
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void __libc_free(void *block);

static int fails(void) {
    long now = atomic_load(&left);
    if (now > 0)
        atomic_fetch_sub(&left, 1);
    if (now == 0)
        errno = ENOMEM;
    return now == 0;
}

static void *count(void *block) {
    if (block)
        atomic_fetch_add(&blocks, 1);
    return block;
}

void *malloc(size_t size) {
    return fails() ? NULL : count(__libc_malloc(size));
}

void *calloc(size_t number, size_t size) {
    return fails() ? NULL : count(__libc_calloc(number, size));
}

void *realloc(void *old, size_t size) {
    void *block = fails() ? NULL : __libc_realloc(old, size);
    return old ? block : count(block);
}

void free(void *block) {
    if (block)
        atomic_fetch_sub(&blocks, 1);
    __libc_free(block);
}
#endif
