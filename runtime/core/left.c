/* How much memory a device has left. */
#include "state.h"

/* A context takes about half a percent of the memory of an H200. */
enum { CONTEXT_SHARE = 256 };

/* The bytes of whole pages that a device lacks, as an H200 counts them. Small allocations share
 * pages, managed ones have none, and pools keep what they reserved. */
static uint64_t footprint(int device) {
    const uint64_t page = WSIMRT_GRANULARITY;
    uint64_t small = 0, whole = 0;
    for (size_t i = 0; i < core.memory.n; i++) {
        const struct allocation *const at = core.memory.list[i];
        if (at->device != device || at->kind != WSIMRT_DEVICE || at->mapped || at->pool ||
            at->graph)
            continue;
        if (at->bytes > core.settings.shares || at->imported)
            whole += (at->bytes + page - 1) / page * page;
        else
            small += (at->bytes + core.settings.unit - 1) / core.settings.unit * core.settings.unit;
    }
    for (const struct wsimrt_pool *pool = core.pools; pool; pool = pool->next)
        if (pool->device == device)
            whole += pool->reserved;
    return whole + (small + page - 1) / page * page + core.devices[device].physical +
           core.devices[device].graphs;
}

uint64_t memory_left(int device) {
    const uint64_t used = core.settings.memory / CONTEXT_SHARE + footprint(device);
    return core.settings.memory > used ? core.settings.memory - used : 0;
}
