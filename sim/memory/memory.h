/* memory.h - the bounds check and the byte mover of all state spaces, and the notice to watchers.
 */
#ifndef WSIM_MEMORY_MEMORY_H
#define WSIM_MEMORY_MEMORY_H

#include "../base/base.h"

#include <string.h>
#include <wsim/memory.h>

/* True if bytes address .. address + n - 1 are all inside, without wrapping. Zero bytes are always
 * inside. */
static inline int memory_has(const struct wsim_memory *memory, uint64_t address, uint64_t n) {
    uint64_t offset = address - memory->base; /* of a byte below the window: more than its size */
    return !n || (address >= memory->base && offset <= memory->size && n <= memory->size - offset);
}

/* Refuses memory that is missing, belongs to another space, or ends beyond the last address
 * (2^32 - 1 for shared memory). Call it before the functions below. */
enum wsim_status memory_need(const struct wsim_memory *memory, enum wsim_space space,
                             struct wsim_diag *diag);

/* Refuses bytes that are not all inside (WSIM_BOUNDS), and read-only memory if they are `written`
 * (WSIM_OPERAND). Zero bytes are always accepted. */
enum wsim_status memory_check(const struct wsim_memory *memory, uint64_t address, uint64_t n,
                              int written, struct wsim_diag *diag);

/* The byte at `address`, which must be inside. */
static inline uint8_t *memory_at(const struct wsim_memory *memory, uint64_t address) {
    return memory->bytes + (size_t)(address - memory->base);
}

/* Up to 8 bytes inside the window, as a little-endian number. */
uint64_t memory_get(const struct wsim_memory *memory, uint64_t address, unsigned n);
void memory_put(const struct wsim_memory *memory, uint64_t address, unsigned n, uint64_t bits);

/* Moves 32-bit words, little-endian in memory; on a little-endian host this is a copy. */
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

/* Notifies the watcher, if any. */
static inline void memory_tell(const struct wsim_memory *memory, const struct wsim_touch *touch) {
    if (memory->watch)
        memory->watch->touch(memory->watch->context, memory, touch);
}

#endif
