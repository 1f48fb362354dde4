/* arena.h - memory that is allocated piece by piece and freed at once; arrays that grow in it. */
#ifndef WSIM_PTX_ARENA_H
#define WSIM_PTX_ARENA_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct arena_block;

/* Zeros are an empty arena; `most`: bytes that it may hold, 0: any number. */
struct ptx_arena {
    struct arena_block *last;
    size_t used, held, most;
    int failed; /* there was no memory once: memory taken since may be NULL */
};

/* `bytes` zeros, aligned for anything; NULL (and arena->failed) if there are none left. */
void *arena_take(struct ptx_arena *arena, size_t bytes);

/* A copy of `bytes` bytes and a 0 after them; NULL as above. */
char *arena_copy(struct ptx_arena *arena, const void *from, size_t bytes);

/* Gives everything back; the arena is empty and can be used again. */
void arena_free(struct ptx_arena *arena);

/* An array in an arena. */
struct arena_vec {
    void *at;
    uint32_t n, room;
};

/* Makes room for more elements. 0: no memory, or no number for them. */
int arena_grow(struct ptx_arena *arena, struct arena_vec *vec, size_t element);

/* Appends one element of zeros; NULL as above. Its size is a constant for the compiler. */
static inline void *arena_push(struct ptx_arena *arena, struct arena_vec *vec, size_t element) {
    void *at;
    if (vec->n == vec->room && !arena_grow(arena, vec, element))
        return NULL;
    at = (char *)vec->at + (size_t)vec->n++ * element;
    return memset(at, 0, element);
}

#endif
