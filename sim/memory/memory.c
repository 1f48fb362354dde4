/* The one bounds check and the one byte mover of all state spaces. Knows no instruction. */
#include "memory.h"

#include <stddef.h>

const char *wsim_space_name(enum wsim_space space) {
    static const char *const names[WSIM_SPACES] = {"shared", "global", "local", "const", "param"};
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

int memory_has(const struct wsim_memory *memory, uint64_t address, uint64_t n) {
    uint64_t offset = address - memory->base;
    return address >= memory->base && offset <= memory->size && n <= memory->size - offset;
}

enum wsim_status memory_need(const struct wsim_memory *memory, const char *name,
                             struct wsim_diag *diag) {
    if (memory && (memory->bytes || !memory->size))
        return WSIM_OK;
    return base_refuse(diag, RULE_OPERAND_MISSING, 0, "operand %s is missing", name);
}

enum wsim_status memory_check(const struct wsim_memory *memory, uint64_t address, uint64_t n,
                              int written, struct wsim_diag *diag) {
    const char *space = wsim_space_name((enum wsim_space)memory->space);
    if (!memory_has(memory, address, n))
        return base_refuse(diag, RULE_MEMORY_BOUNDS, 0,
                           "bytes 0x%llx to 0x%llx of %s memory lie outside of the window, 0x%llx "
                           "to before 0x%llx",
                           (unsigned long long)address, (unsigned long long)(address + n - 1),
                           space ? space : "some", (unsigned long long)memory->base,
                           (unsigned long long)(memory->base + memory->size));
    if (written && memory->read_only)
        return base_refuse(diag, RULE_MEMORY_READ_ONLY, 0,
                           "%s memory 0x%llx is read-only here, and this instruction writes it",
                           space ? space : "some", (unsigned long long)address);
    return WSIM_OK;
}

uint8_t *memory_at(const struct wsim_memory *memory, uint64_t address) {
    return memory->bytes + (size_t)(address - memory->base);
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
