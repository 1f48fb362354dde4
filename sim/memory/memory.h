/* memory.h - the one bounds check, the one byte mover, and who is told of it. */
#ifndef WSIM_MEMORY_MEMORY_H
#define WSIM_MEMORY_MEMORY_H

#include "../base/base.h"

#include <string.h>
#include <wsim/memory.h>

/* Whether bytes address .. address + n - 1 are all inside; no sum wraps. No bytes are inside of
 * every window. */
static inline int memory_has(const struct wsim_memory *memory, uint64_t address, uint64_t n) {
    uint64_t offset = address - memory->base; /* of a byte below the window: more than its size */
    return !n || (address >= memory->base && offset <= memory->size && n <= memory->size - offset);
}

/* Refuses memory that is not given, is of another space than `space`, or ends beyond the last
 * address that there is (2^32 - 1 of shared memory). Call it before anything below. */
enum wsim_status memory_need(const struct wsim_memory *memory, enum wsim_space space,
                             struct wsim_diag *diag);

/* Refuses bytes that are not all inside (WSIM_BOUNDS), and, to be `written`, memory that is
 * read-only (WSIM_OPERAND). No bytes are never refused. */
enum wsim_status memory_check(const struct wsim_memory *memory, uint64_t address, uint64_t n,
                              int written, struct wsim_diag *diag);

/* Where byte `address`, which is inside, is. */
static inline uint8_t *memory_at(const struct wsim_memory *memory, uint64_t address) {
    return memory->bytes + (size_t)(address - memory->base);
}

/* Up to 8 bytes, which are inside, as a little-endian number. */
uint64_t memory_get(const struct wsim_memory *memory, uint64_t address, unsigned n);
void memory_put(const struct wsim_memory *memory, uint64_t address, unsigned n, uint64_t bits);

/* Words of 32 bits, little-endian in memory; where the host has them so too, that is a copy. */
static inline int memory_is_host(void) {
    const uint16_t one = 1;
    uint8_t low;
    memcpy(&low, &one, 1);
    return low;
}

static inline void memory_read_words(uint32_t *to, const uint8_t *from, unsigned n) {
    if (memory_is_host()) {
        memcpy(to, from, n * sizeof *to);
        return;
    }
    for (unsigned i = 0; i < n; i++, from += 4)
        to[i] =
            from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static inline void memory_write_words(uint8_t *to, const uint32_t *from, unsigned n) {
    if (memory_is_host()) {
        memcpy(to, from, n * sizeof *from);
        return;
    }
    for (unsigned i = 0; i < n; i++)
        for (unsigned byte = 0; byte < 4; byte++)
            *to++ = (uint8_t)(from[i] >> 8 * byte);
}

/* Tells the watcher, if there is one. */
static inline void memory_tell(const struct wsim_memory *memory, const struct wsim_touch *touch) {
    if (memory->watch)
        memory->watch->touch(memory->watch->context, memory, touch);
}

#endif
