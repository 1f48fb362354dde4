/* Memory that is given back all at once; see memory.h. */
#include "memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 14, UNIT = 16 };

struct lf_block {
    struct lf_block *next;
    size_t used, room;
};

static struct lf_block *make_block(struct lf_memory *memory, size_t bytes) {
    size_t room = bytes > BLOCK ? bytes : BLOCK;
    struct lf_block *block = calloc(1, 2 * UNIT + room);
    if (!block)
        return NULL;
    block->room = room;
    block->next = memory->blocks;
    memory->blocks = block;
    return block;
}

void *lf_take(struct lf_memory *memory, size_t count, size_t size) {
    struct lf_block *block = memory->blocks;
    size_t bytes;
    if (size && count > (SIZE_MAX / 2) / size)
        return NULL;
    bytes = (count * size + UNIT - 1) / UNIT * UNIT;
    bytes = bytes ? bytes : UNIT;
    if (!block || block->room - block->used < bytes)
        block = make_block(memory, bytes);
    if (!block)
        return NULL;
    block->used += bytes;
    return (char *)block + 2 * UNIT + block->used - bytes;
}

char *lf_copy(struct lf_memory *memory, const char *text, size_t length) {
    char *copy = lf_take(memory, length + 1, 1);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

void lf_drop(struct lf_memory *memory) {
    while (memory->blocks) {
        struct lf_block *next = memory->blocks->next;
        free(memory->blocks);
        memory->blocks = next;
    }
}
