/* The bounds check and the byte mover of all state spaces. Knows no instruction. */
#include "memory.h"

#include <inttypes.h>
#include <stddef.h>

const char *wsim_space_name(enum wsim_space space) {
    static const char *const names[WSIM_SPACES] = {"shared", "global", "local",
                                                   "const",  "param",  "tensor"};
    return (unsigned)space < WSIM_SPACES ? names[space] : NULL;
}

struct wsim_memory wsim_memory_over(enum wsim_space space, void *bytes, uint64_t size,
                                    uint64_t base) {
    return (struct wsim_memory){
        .bytes = (uint8_t *)bytes, .base = base, .size = size, .space = (uint8_t)space};
}

struct wsim_memory wsim_memory_const(enum wsim_space space, const void *bytes, uint64_t size,
                                     uint64_t base) {
    union {
        const void *from;
        void *to;
    } same = {bytes}; /* read_only keeps the promise that the type cannot */
    struct wsim_memory memory = wsim_memory_over(space, same.to, size, base);
    memory.read_only = 1;
    return memory;
}

static const char *name_of(const struct wsim_memory *memory) {
    const char *name = wsim_space_name((enum wsim_space)memory->space);
    return name ? name : "unknown";
}

/* The last byte of a window that is not empty. */
static uint64_t last_of(const struct wsim_memory *memory) {
    return memory->base + (memory->size - 1);
}

/* The last address of a space: 64 bits, or 32 bits for shared memory. */
static enum wsim_status check_end(const struct wsim_memory *memory, struct wsim_diag *diag) {
    uint64_t most = memory->space == WSIM_SHARED ? UINT32_MAX : UINT64_MAX;
    uint64_t last = last_of(memory);
    if (!memory->size || (last >= memory->base && last <= most))
        return WSIM_OK;
    return base_refuse(diag, RULE_MEMORY_WINDOW, 0,
                       "the window of %s memory has 0x%" PRIx64 " bytes from 0x%" PRIx64
                       " on: its last address can be 0x%" PRIx64,
                       name_of(memory), memory->size, memory->base, most);
}

enum wsim_status memory_need(const struct wsim_memory *memory, enum wsim_space space,
                             struct wsim_diag *diag) {
    const char *name = wsim_space_name(space);
    if (!memory || (!memory->bytes && memory->size))
        return base_refuse(diag, RULE_OPERAND_MISSING, 0, "%s memory is missing", name);
    if (memory->space != space)
        return base_refuse(diag, RULE_MEMORY_SPACE, 0, "%s memory is a window of %s memory", name,
                           name_of(memory));
    return check_end(memory, diag);
}

static enum wsim_status refuse_bounds(const struct wsim_memory *memory, uint64_t address,
                                      uint64_t n, struct wsim_diag *diag) {
    if (!memory->size)
        return base_refuse(diag, RULE_MEMORY_BOUNDS, 0,
                           "%" PRIu64 " bytes at %s address 0x%" PRIx64 ": the window is empty", n,
                           name_of(memory), address);
    return base_refuse(diag, RULE_MEMORY_BOUNDS, 0,
                       "%" PRIu64 " bytes at %s address 0x%" PRIx64 ": the window is 0x%" PRIx64
                       " to 0x%" PRIx64,
                       n, name_of(memory), address, memory->base, last_of(memory));
}

enum wsim_status memory_check(const struct wsim_memory *memory, uint64_t address, uint64_t n,
                              int written, struct wsim_diag *diag) {
    if (!memory_has(memory, address, n))
        return refuse_bounds(memory, address, n, diag);
    if (n && written && memory->read_only)
        return base_refuse(diag, RULE_MEMORY_READ_ONLY, 0,
                           "%" PRIu64 " bytes at %s address 0x%" PRIx64
                           " would be written, and the window is read-only",
                           n, name_of(memory), address);
    return WSIM_OK;
}

uint64_t memory_get(const struct wsim_memory *memory, uint64_t address, unsigned n) {
    const uint8_t *from = memory_at(memory, address);
    uint64_t bits = 0;
    while (n--)
        bits = bits << 8 | from[n];
    return bits;
}

void memory_put(const struct wsim_memory *memory, uint64_t address, unsigned n, uint64_t bits) {
    uint8_t *to = memory_at(memory, address);
    for (; n--; bits >>= 8)
        *to++ = (uint8_t)bits;
}
