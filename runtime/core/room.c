/* Allocations where memory may be short, and what is at an address. A device that is short takes
 * back what pools and graphs do not use. Source: an H200 (driver 580). */
#include "graph_state.h"

/* Whether these bytes are free in any case, without a look at each allocation. */
static int is_roomy(int device, uint64_t bytes) {
    uint64_t most = core.settings.memory / 64; /* more than contexts take */
    most += 2 * core.devices[device].used + core.memory.n * core.settings.unit;
    most += core.devices[device].graphs;
    for (const struct wsimrt_pool *pool = core.pools; pool; pool = pool->next)
        most += pool->reserved;
    return most < core.settings.memory && bytes < core.settings.memory - most;
}

int memory_room(int device, uint64_t bytes) {
    if (is_roomy(device, bytes) || bytes <= memory_left(device))
        return 1;
    for (struct wsimrt_pool *pool = core.pools; pool; pool = pool->next)
        if (pool->device == device)
            memory_shrink(pool, 0);
    graphs_shrink(device);
    return bytes <= memory_left(device);
}

int pool_room(struct wsimrt_pool *pool, uint64_t bytes) {
    const uint64_t need = memory_reserved(pool->used + bytes);
    if (pool->device < 0 || need <= pool->reserved)
        return 1;
    if (bytes > core.settings.memory) /* nothing changes */
        return 0;
    for (int i = 0; i < 2; i++) /* the first time, the pool itself may give memory back */
        if (!memory_room(pool->device, need - pool->reserved)) {
            const uint64_t left = memory_left(pool->device);
            pool->reserved += left - left % core.settings.piece;
            return 0;
        }
    return 1;
}

int wsimrt_memory_alloc(uint64_t bytes, enum wsimrt_memory kind, unsigned flags,
                        uint64_t *address) {
    struct wsimrt_context *context;
    int error = core_enter(&context);
    error = error ? error : capture_unsafe();
    if (!error && (!bytes || !address || kind < WSIMRT_DEVICE || kind > WSIMRT_HOST))
        error = WSIMRT_INVALID_VALUE;
    if (!error && kind == WSIMRT_HOST && flags & ~7u)
        error = WSIMRT_INVALID_VALUE;
    if (!error && kind == WSIMRT_DEVICE && !memory_room(context->ordinal, bytes))
        error = WSIMRT_OUT_OF_MEMORY;
    error = error ? error : memory_make(context, bytes, kind, flags, address);
    return core_leave(error);
}

int wsimrt_memory_info(uint64_t *left, uint64_t *total) {
    struct wsimrt_context *context;
    int error = core_enter(&context);
    if (!error && total)
        *total = core.settings.memory;
    if (!error && left)
        *left = memory_left(context->ordinal);
    return core_leave(error);
}

int wsimrt_memory_of(uint64_t address, struct wsimrt_range *range) {
    int error = core_enter(NULL);
    struct wsimrt_context *current;
    const struct allocation *found = memory_seek(address);
    const int freed = !found;
    if (!error && range && virtual_range(address, core_current(&current) ? NULL : current, range))
        return core_leave(0);
    if (!error && !found)
        found = memory_freed(address);
    if (!error && (!range || !found))
        error = WSIMRT_INVALID_VALUE;
    if (!error)
        *range = (struct wsimrt_range){
            .base = found->base,
            .bytes = found->bytes,
            .kind = found->managed ? WSIMRT_MANAGED : (enum wsimrt_memory)found->kind,
            .flags = found->flags,
            .device = found->device,
            .context = freed || found->managed ? NULL : found->context,
            .id = found->id,
            .pool = freed ? NULL : found->pool,
            .freed = (uint8_t)freed,
            .sync = found->sync ? found->sync == SYNC_ON : found->kind == WSIMRT_MANAGED,
            .away = (uint8_t)(!freed && memory_is_away(found)),
            .far =
                (uint8_t)(!freed && !core_current(&current) && !peers_may_access(current, found))};
    return core_leave(error);
}

int wsimrt_physical_make(uint64_t bytes, int device, unsigned flags,
                         struct wsimrt_physical **memory) {
    int error = core_enter(NULL);
    if (!error && (!memory || !bytes || bytes % WSIMRT_GRANULARITY))
        error = WSIMRT_INVALID_VALUE;
    if (!error && device != WSIMRT_NODE && (device < 0 || device >= core.settings.devices))
        error = WSIMRT_INVALID_DEVICE;
    if (!error && device != WSIMRT_NODE && !memory_room(device, bytes))
        error = WSIMRT_OUT_OF_MEMORY;
    return core_leave(error ? error : physical_make(bytes, device, flags, memory));
}
