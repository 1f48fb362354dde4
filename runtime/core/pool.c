/* Pools of memory in the order of streams. */
#include "graph_state.h"

#include <stdlib.h>

int pool_make(int device, uint64_t most, struct wsimrt_pool **pool) {
    struct wsimrt_pool *made = calloc(1, sizeof *made);
    if (!made || !handle_add(made, HANDLE_POOL)) {
        free(made);
        return WSIMRT_OUT_OF_MEMORY;
    }
    *made = (struct wsimrt_pool){
        .next = core.pools, .device = device, .reuse = {1, 1, 1}, .most = most};
    core.pools = made;
    *pool = made;
    return 0;
}

static int check_device(int device) {
    return device < 0 || device >= core.settings.devices ? WSIMRT_INVALID_DEVICE : 0;
}

/* Enters with a pool. */
static int enter(const struct wsimrt_pool *pool) {
    const int error = core_enter(NULL);
    return error || handle_is(pool, HANDLE_POOL) ? error : WSIMRT_INVALID_VALUE;
}

int wsimrt_pool_make(int device, uint64_t most, struct wsimrt_pool **pool) {
    int error = core_enter(NULL);
    error = error || pool ? error : WSIMRT_INVALID_VALUE;
    error = error ? error : check_device(device);
    return core_leave(error ? error : pool_make(device, most, pool));
}

/* Memory that is not freed keeps its pool. */
int wsimrt_pool_destroy(struct wsimrt_pool *pool) {
    int error = enter(pool);
    if (!error && core.devices[pool->device].default_pool == pool)
        error = WSIMRT_INVALID_VALUE;
    if (!error) {
        if (core.devices[pool->device].pool == pool)
            core.devices[pool->device].pool = NULL;
        handle_remove(pool);
        pool->destroyed = 1;
        if (!pool->used)
            memory_end(pool);
    }
    return core_leave(error);
}

static int find_pool(int device, int of_now, struct wsimrt_pool **pool) {
    struct device *of = &core.devices[device];
    int error = of->default_pool ? 0 : pool_make(device, 0, &of->default_pool);
    if (!error)
        *pool = of_now && of->pool ? of->pool : of->default_pool;
    return error;
}

int wsimrt_pool_of(int device, int of_now, struct wsimrt_pool **pool) {
    int error = core_enter(NULL);
    error = error || pool ? error : WSIMRT_INVALID_VALUE;
    error = error ? error : check_device(device);
    return core_leave(error ? error : find_pool(device, of_now, pool));
}

int wsimrt_pool_use(int device, struct wsimrt_pool *pool) {
    int error = enter(pool);
    error = error ? error : check_device(device);
    if (!error)
        core.devices[device].pool = pool;
    return core_leave(error);
}

int wsimrt_pool_device(struct wsimrt_pool *pool, int *device) {
    int error = enter(pool);
    error = error || device ? error : WSIMRT_INVALID_VALUE;
    if (!error)
        *device = pool->device;
    return core_leave(error);
}

int wsimrt_pool_trim(struct wsimrt_pool *pool, uint64_t keep) {
    const int error = enter(pool);
    if (!error)
        memory_shrink(pool, keep);
    return core_leave(error);
}

static uint64_t *field_of(struct wsimrt_pool *pool, int attribute) {
    uint64_t *const fields[] = {&pool->threshold, &pool->reserved, &pool->reserved_high,
                                &pool->used, &pool->used_high};
    return attribute >= 4 && attribute <= 8 ? fields[attribute - 4] : NULL;
}

int wsimrt_pool_get(struct wsimrt_pool *pool, int attribute, void *value) {
    int error = enter(pool);
    if (!error && (!value || attribute < 1 || attribute > 8))
        error = WSIMRT_INVALID_VALUE;
    if (!error && attribute <= 3)
        *(int *)value = pool->reuse[attribute - 1];
    else if (!error)
        *(uint64_t *)value = *field_of(pool, attribute);
    return core_leave(error);
}

/* The highest numbers may only be set to 0: they begin again. */
int wsimrt_pool_set(struct wsimrt_pool *pool, int attribute, const void *value) {
    int error = enter(pool);
    if (!error && (!value || attribute < 1 || attribute > 8 || attribute == 5 || attribute == 7 ||
                   pool->process))
        error = WSIMRT_INVALID_VALUE;
    if (!error && attribute > 4 && *(const uint64_t *)value)
        error = WSIMRT_INVALID_VALUE;
    if (error)
        return core_leave(error);
    if (attribute <= 3)
        pool->reuse[attribute - 1] = *(const int *)value != 0;
    else if (attribute == 4)
        pool->threshold = *(const uint64_t *)value;
    else
        *field_of(pool, attribute) = *field_of(pool, attribute - 1);
    return core_leave(0);
}

int wsimrt_pool_alloc(struct wsimrt_pool *pool, uint64_t bytes, struct wsimrt_stream *stream,
                      uint64_t *address) {
    struct wsimrt_context *context;
    int error = core_enter(&context);
    if (!error && (!bytes || !address || (pool && !handle_is(pool, HANDLE_POOL))))
        error = WSIMRT_INVALID_VALUE;
    if (!error && !(stream = stream_of(stream, context)))
        error = WSIMRT_INVALID_HANDLE;
    if (!error && pool && pool->process)
        error = WSIMRT_INVALID_VALUE; /* the process that made it gives its memory */
    error = error ? error : capture_check(stream);
    if (!error && stream->capture) {
        struct wsimrt_node_params params = {.kind = WSIMRT_NODE_ALLOC, .bytes = bytes};
        error = graph_memory_make(stream->context, stream->capture->graph, stream->frontier->nodes,
                                  stream->frontier->n, &params);
        error = error ? error : capture_node(stream, &params);
        *address = params.address;
        return core_leave(error);
    }
    if (!error && !pool)
        error = find_pool(stream->context->ordinal, 1, &pool);
    if (!error && pool->most && bytes > pool->most - pool->used)
        error = WSIMRT_OUT_OF_MEMORY;
    return core_leave(error ? error : memory_of_pool(stream->context, bytes, pool, address));
}

int wsimrt_memory_free_later(uint64_t address, struct wsimrt_stream *stream) {
    struct wsimrt_context *context;
    int error = core_enter(&context);
    struct allocation *allocation = memory_find(address, 1);
    struct work *work = NULL;
    if (!error && allocation && (allocation->managed || allocation->kind == WSIMRT_MANAGED))
        error = WSIMRT_NOT_SUPPORTED;
    if (!error &&
        (!allocation || allocation->base + allocation->lead != address || allocation->dying ||
         allocation->kind != WSIMRT_DEVICE || allocation->imported != allocation->by_pool))
        error = WSIMRT_INVALID_VALUE;
    if (!error && !(stream = stream_of(stream, context)))
        error = WSIMRT_INVALID_HANDLE;
    error = error ? error : capture_check(stream);
    if (!error && allocation->graph && !stream->capture) { /* its graph keeps the addresses */
        error = allocation->live ? 0 : WSIMRT_INVALID_VALUE;
        allocation->live = 0;
        return core_leave(error);
    }
    if (!error && !(work = work_make(stream, &memory_free, 0)))
        error = WSIMRT_OUT_OF_MEMORY;
    if (!error) {
        allocation->dying = !stream->capture;
        work->is.address = address;
        error = work_issue(work, 0);
    }
    return core_leave(error);
}
