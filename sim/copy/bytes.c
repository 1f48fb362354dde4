/* Windows of memory. */
#include "bytes.h"

#include <inttypes.h>

enum wsim_status bytes_need(const struct wsim_memory *memory, const char *space,
                            struct wsim_diag *diag) {
    if (memory && memory->bytes)
        return WSIM_OK;
    return base_refuse(diag, RULE_OPERAND_MISSING, 0, "%s memory is missing", space);
}

enum wsim_status bytes_inside(const struct wsim_memory *memory, uint64_t address, uint64_t n,
                              const char *space, struct wsim_diag *diag) {
    uint64_t at = address - memory->base;
    if (address >= memory->base && at <= memory->size && n <= memory->size - at)
        return WSIM_OK;
    return base_refuse(diag, RULE_MEMORY_BOUNDS, 0,
                       "%" PRIu64 " bytes at %s address 0x%" PRIx64 ": the window is 0x%" PRIx64
                       " to before 0x%" PRIx64,
                       n, space, address, memory->base, memory->base + memory->size);
}

uint64_t bytes_get(const struct wsim_memory *memory, uint64_t address, unsigned n) {
    const uint8_t *at = memory->bytes + (address - memory->base);
    uint64_t bits = 0;
    unsigned i;
    for (i = 0; i < n; i++)
        bits |= (uint64_t)at[i] << 8 * i;
    return bits;
}

void bytes_put(const struct wsim_memory *memory, uint64_t address, unsigned n, uint64_t bits) {
    uint8_t *at = memory->bytes + (address - memory->base);
    unsigned i;
    for (i = 0; i < n; i++)
        at[i] = (uint8_t)(bits >> 8 * i);
}
