/* Memory of a module: blocks of doubling size, freed at once. */
#include "arena.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGN = 16, FIRST = 1 << 14, LARGEST = 1 << 20 };

/* The bytes of a block begin after this. */
struct arena_block {
    struct arena_block *before;
    size_t size;
};

enum { HEAD = (sizeof(struct arena_block) + ALIGN - 1) / ALIGN * ALIGN };

static void *fail(struct ptx_arena *arena) {
    arena->failed = 1;
    return NULL;
}

/* A block of at least `bytes` bytes. A large piece gets a block of its own. Other blocks double up
 * to a limit, so the arena holds at most a few times the size of all requests. */
static int block_add(struct ptx_arena *arena, size_t bytes) {
    size_t size = arena->last ? arena->last->size * 2 : FIRST;
    size = size > LARGEST ? LARGEST : size;
    size = size < bytes ? bytes : size;
    if (size > SIZE_MAX / 4 || (arena->most && size > arena->most - arena->held))
        return 0;
    struct arena_block *block = calloc(1, HEAD + size);
    if (!block)
        return 0;
    block->size = size;
    block->before = arena->last;
    arena->last = block;
    arena->used = 0;
    arena->held += size;
    return 1;
}

void *arena_take(struct ptx_arena *arena, size_t bytes) {
    if (bytes > SIZE_MAX / 4)
        return fail(arena);
    bytes = bytes ? (bytes + ALIGN - 1) / ALIGN * ALIGN : ALIGN;
    if (!arena->last || bytes > arena->last->size - arena->used)
        if (!block_add(arena, bytes))
            return fail(arena);
    void *at = (char *)arena->last + HEAD + arena->used;
    arena->used += bytes;
    return at;
}

char *arena_copy(struct ptx_arena *arena, const void *from, size_t bytes) {
    char *copy = arena_take(arena, bytes + 1);
    if (copy && bytes)
        memcpy(copy, from, bytes);
    return copy;
}

void arena_free(struct ptx_arena *arena) {
    while (arena->last) {
        struct arena_block *before = arena->last->before;
        free(arena->last);
        arena->last = before;
    }
    arena->used = arena->held = 0;
    arena->failed = 0;
}

int arena_grow(struct ptx_arena *arena, struct arena_vec *vec, size_t element) {
    enum { SMALLEST = 8 };
    const uint32_t room = vec->room ? vec->room * 2 : SMALLEST;
    void *larger = vec->room > UINT32_MAX / 4 ? fail(arena) : arena_take(arena, room * element);
    if (!larger)
        return 0;
    if (vec->n)
        memcpy(larger, vec->at, (size_t)vec->n * element);
    vec->at = larger;
    vec->room = room;
    return 1;
}
