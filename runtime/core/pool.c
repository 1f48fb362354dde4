/* Pools of memory in the order of streams. */
#include "graph_state.h"
#include "order.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int pool_make(const struct wsimrt_pool_kind *kind, uint64_t most, struct wsimrt_pool **pool) {
    const int pinned_there = kind->type == WSIMRT_PINNED && kind->location.type == WSIMRT_AT_DEVICE;
    struct wsimrt_pool *made = calloc(1, sizeof *made);
    if (!made || !handle_add(made, HANDLE_POOL)) {
        free(made);
        return WSIMRT_OUT_OF_MEMORY;
    }
    *made = (struct wsimrt_pool){.next = core.pools,
                                 .kind = *kind,
                                 .device = pinned_there ? kind->location.id : -1,
                                 .reuse = {1, 1, 1},
                                 .most = memory_reserved(most)};
    core.pools = made;
    *pool = made;
    return 0;
}

/* Enters with a pool. */
static int enter(const struct wsimrt_pool *pool) {
    const int error = core_enter(NULL);
    if (error)
        return error;
    return handle_is(pool, HANDLE_POOL) ? capture_unsafe() : WSIMRT_INVALID_VALUE;
}

/* --- kinds --- */

static int is_node(int id) {
    char path[64];
    snprintf(path, sizeof path, "/sys/devices/system/node/node%d", id);
    return id == 0 || (id > 0 && access(path, F_OK) == 0);
}

/* Copies a kind whose places are there. The number of a place without one is 0. Source: an H200
 * (driver 580). */
static int take_kind(const struct wsimrt_pool_kind *given, struct wsimrt_pool_kind *kind) {
    int managed;
    if (!given || (given->type != WSIMRT_PINNED && given->type != WSIMRT_MANAGED_TYPE))
        return WSIMRT_INVALID_VALUE;
    *kind = *given;
    managed = given->type == WSIMRT_MANAGED_TYPE;
    switch (given->location.type) {
    case WSIMRT_AT_DEVICE: return core_device(given->location.id);
    case WSIMRT_AT_NODE: return is_node(given->location.id) ? 0 : WSIMRT_INVALID_VALUE;
    case 0: /* managed memory without a preferred place */
    case WSIMRT_AT_NODE_NOW:
        if (!managed)
            return WSIMRT_INVALID_VALUE;
        break;
    case WSIMRT_AT_HOST: break;
    default: return managed ? WSIMRT_NOT_SUPPORTED : WSIMRT_INVALID_VALUE;
    }
    kind->location.id = 0;
    return 0;
}

static int is_kind(const struct wsimrt_pool *pool, const struct wsimrt_pool_kind *kind) {
    return pool->kind.type == kind->type && pool->kind.location.type == kind->location.type &&
           pool->kind.location.id == kind->location.id && !pool->destroyed && !pool->process;
}

int wsimrt_pool_make(const struct wsimrt_pool_kind *given, uint64_t most, int shareable,
                     struct wsimrt_pool **pool) {
    struct wsimrt_pool_kind kind;
    int error = core_enter(NULL);
    error = error || pool ? error : WSIMRT_INVALID_VALUE;
    error = error ? error : capture_unsafe();
    error = error ? error : take_kind(given, &kind);
    if (error == WSIMRT_INVALID_DEVICE ||
        (!error && shareable && kind.location.type == WSIMRT_AT_HOST) ||
        (!error && kind.type == WSIMRT_MANAGED_TYPE && (shareable || most)))
        error = WSIMRT_INVALID_VALUE;
    if (!error && shareable && kind.location.type != WSIMRT_AT_DEVICE) {
        wsimrt_say("pools of a node that are open to other processes are not modelled");
        error = WSIMRT_NOT_SUPPORTED;
    }
    error = error ? error : pool_make(&kind, most, pool);
    if (!error)
        (*pool)->shareable = shareable != 0;
    return core_leave(error);
}

/* Memory that is not freed keeps its pool. */
int wsimrt_pool_destroy(struct wsimrt_pool *pool) {
    int error = enter(pool);
    if (!error && pool->standard)
        error = WSIMRT_INVALID_VALUE;
    if (!error) {
        handle_remove(pool);
        pool->destroyed = 1;
        if (!pool->used)
            memory_end(pool);
    }
    return core_leave(error);
}

static int find_pool(const struct wsimrt_pool_kind *kind, int of_now, struct wsimrt_pool **pool) {
    struct wsimrt_pool *standard = NULL;
    int error;
    for (struct wsimrt_pool *at = core.pools; at; at = at->next) {
        if (!is_kind(at, kind))
            continue;
        if (at->standard)
            standard = at;
        if (at->chosen && of_now) {
            *pool = at;
            return 0;
        }
    }
    error = standard ? 0 : pool_make(kind, 0, &standard);
    if (!error) {
        standard->standard = 1;
        *pool = standard;
    }
    return error;
}

/* A pool of no kind that can be asked for has the node of a thread. */
static int enter_kind(const struct wsimrt_pool_kind *given, struct wsimrt_pool_kind *kind) {
    const int error = core_enter(NULL);
    if (!error && given && given->location.type == WSIMRT_AT_NODE_NOW)
        return WSIMRT_NOT_SUPPORTED;
    return error ? error : take_kind(given, kind);
}

int wsimrt_pool_of(const struct wsimrt_pool_kind *given, int of_now, struct wsimrt_pool **pool) {
    struct wsimrt_pool_kind kind;
    int error = enter_kind(given, &kind);
    error = error || pool ? error : WSIMRT_INVALID_VALUE;
    return core_leave(error ? error : find_pool(&kind, of_now, pool));
}

int wsimrt_pool_use(const struct wsimrt_pool_kind *given, struct wsimrt_pool *pool) {
    struct wsimrt_pool_kind kind;
    int error = enter_kind(given, &kind);
    if (!error && (!handle_is(pool, HANDLE_POOL) || !is_kind(pool, &kind)))
        error = WSIMRT_INVALID_VALUE;
    for (struct wsimrt_pool *at = core.pools; at && !error; at = at->next)
        if (is_kind(at, &kind))
            at->chosen = at == pool;
    return core_leave(error);
}

/* --- access --- */

enum { READS = 1, READS_AND_WRITES = 3 };

static int is_on_host(const struct wsimrt_location *location) {
    return location->type == WSIMRT_AT_HOST || location->type == WSIMRT_AT_NODE;
}

/* Access to memory of the host and to managed memory. Source: an H200 (driver 580). */
static int check_wide_access(const struct wsimrt_pool *pool, const struct wsimrt_access *wanted) {
    const struct wsimrt_location *const location = &wanted->location;
    const int on_host = is_on_host(location);
    if (wanted->access == READS)
        return WSIMRT_NOT_SUPPORTED;
    if (!on_host && location->type != WSIMRT_AT_DEVICE)
        return WSIMRT_INVALID_VALUE;
    if (!on_host && core_device(location->id))
        return WSIMRT_INVALID_DEVICE;
    if (wanted->access && wanted->access != READS_AND_WRITES)
        return WSIMRT_INVALID_VALUE;
    return on_host && !wanted->access && pool->kind.type == WSIMRT_PINNED ? WSIMRT_NOT_SUPPORTED
                                                                          : 0;
}

/* The device of a pool keeps its access. Others have none until the program gives it. */
static int check_access(const struct wsimrt_pool *pool, const struct wsimrt_access *wanted) {
    const struct wsimrt_location *const location = &wanted->location;
    if (pool->device < 0)
        return check_wide_access(pool, wanted);
    if (location->type != WSIMRT_AT_DEVICE)
        return WSIMRT_NOT_SUPPORTED;
    if (wanted->access == READS)
        return WSIMRT_NOT_SUPPORTED;
    if (core_device(location->id))
        return WSIMRT_INVALID_DEVICE;
    if (wanted->access && wanted->access != READS_AND_WRITES)
        return WSIMRT_INVALID_VALUE;
    return location->id != pool->device || wanted->access ? 0 : WSIMRT_INVALID_DEVICE;
}

int wsimrt_pool_access(struct wsimrt_pool *pool, const struct wsimrt_access *list, size_t n) {
    int error = enter(pool);
    uint32_t access;
    if (!error && n && !list)
        error = WSIMRT_INVALID_VALUE;
    for (size_t i = 0; i < n && !error; i++)
        error = check_access(pool, &list[i]);
    if (error)
        return core_leave(error);
    access = pool->access;
    for (size_t i = 0; i < n; i++) {
        const uint32_t bit = UINT32_C(1) << list[i].location.id % 32;
        if (is_on_host(&list[i].location))
            pool->host_access = list[i].access != 0;
        else
            access = list[i].access ? access | bit : access & ~bit;
    }
    if (pool->kind.type == WSIMRT_PINNED && !access != !pool->access)
        error = memory_lend(pool, access != 0);
    if (!error)
        pool->access = access;
    if (!error)
        peers_changed();
    return core_leave(error);
}

int wsimrt_pool_access_of(struct wsimrt_pool *pool, const struct wsimrt_location *location,
                          int *access) {
    int error = enter(pool);
    int there;
    if (!error && (!location || !access))
        error = WSIMRT_INVALID_VALUE;
    there = !error && location->type == WSIMRT_AT_DEVICE;
    if ((there && core_device(location->id)) || (!error && !there && !is_on_host(location)))
        error = WSIMRT_INVALID_VALUE;
    if (!error && there)
        there = location->id == pool->device || (pool->access >> location->id & 1);
    else if (!error)
        there = pool->device < 0 && (pool->kind.type == WSIMRT_PINNED || pool->host_access);
    if (!error)
        *access = there ? READS_AND_WRITES : 0;
    return core_leave(error);
}

/* --- attributes --- */

int wsimrt_pool_trim(struct wsimrt_pool *pool, uint64_t keep) {
    const int error = enter(pool);
    if (!error)
        memory_shrink(pool, keep);
    return core_leave(error);
}

enum { USED = 7 };

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
        *(uint64_t *)value = *field_of(pool, attribute) + (attribute == USED ? pool->lost : 0);
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
        *field_of(pool, attribute) =
            *field_of(pool, attribute - 1) + (attribute == USED + 1 ? pool->lost : 0);
    return core_leave(0);
}

/* --- memory --- */

int wsimrt_pool_alloc(struct wsimrt_pool *pool, uint64_t bytes, struct wsimrt_stream *stream,
                      uint64_t *address) {
    struct wsimrt_context *context;
    int error = core_enter_stream(stream, &context);
    if (!error && !(stream = stream_of(stream, context)))
        error = stream_missing();
    error = error ? error : capture_check(stream);
    if (!error && (!address || (pool && !handle_is(pool, HANDLE_POOL))))
        error = WSIMRT_INVALID_VALUE;
    if (!error && pool && pool->process)
        error = WSIMRT_INVALID_VALUE; /* the process that made it gives its memory */
    if (!error && !stream->capture)
        error = capture_unsafe();
    if (!error && !bytes) {
        *address = 0;
        return core_leave(0);
    }
    if (!error && stream->capture && pool && pool->kind.type == WSIMRT_MANAGED_TYPE &&
        pool->kind.location.type != WSIMRT_AT_DEVICE && !is_on_host(&pool->kind.location))
        error = WSIMRT_INVALID_VALUE;
    if (!error && stream->capture && pool && pool->device < 0) {
        wsimrt_say("only memory of a device is a node of a graph");
        error = WSIMRT_NOT_SUPPORTED;
    }
    if (!error && stream->capture) {
        struct wsimrt_node_params params = {.kind = WSIMRT_NODE_ALLOC, .bytes = bytes};
        error = graph_memory_make(stream->context, stream->capture->graph, stream->frontier->nodes,
                                  stream->frontier->n, &params);
        error = error ? error : capture_node(stream, &params);
        *address = params.address;
        return core_leave(error);
    }
    if (!error && !pool) {
        const struct wsimrt_pool_kind kind = {WSIMRT_PINNED,
                                              {WSIMRT_AT_DEVICE, stream->context->ordinal}};
        error = find_pool(&kind, 1, &pool);
    }
    if (!error && pool->most && bytes > pool->most - pool->used)
        error = WSIMRT_OUT_OF_MEMORY;
    if (!error && !pool_room(pool, bytes))
        error = WSIMRT_OUT_OF_MEMORY;
    error = error ? error : memory_of_pool(stream->context, bytes, pool, address);
    if (!error)
        order_gives(stream, *address, bytes);
    return core_leave(error);
}

int wsimrt_memory_free_later(uint64_t address, struct wsimrt_stream *stream) {
    struct wsimrt_context *context;
    int error = core_enter_stream(stream, &context);
    struct allocation *allocation = memory_find(address, 1);
    struct work *work = NULL;
    if (!error && !(stream = stream_of(stream, context)))
        error = stream_missing();
    error = error ? error : capture_check(stream);
    if (!error && !stream->capture)
        error = capture_unsafe();
    if (!error && allocation &&
        (allocation->managed || (allocation->kind == WSIMRT_MANAGED && !allocation->pool)))
        error = WSIMRT_NOT_SUPPORTED;
    if (!error && (!allocation || allocation->base + allocation->lead != address ||
                   allocation->dying || (allocation->kind != WSIMRT_DEVICE && !allocation->pool) ||
                   (stream->capture && !allocation->pool && !allocation->graph) ||
                   allocation->imported != allocation->by_pool))
        error = WSIMRT_INVALID_VALUE;
    if (error == WSIMRT_INVALID_VALUE && stream && stream->capture)
        stream->capture->graph->memory = 1; /* also where the free is refused */
    if (!error && allocation->graph && stream->capture)
        error = graph_check_free(stream->capture->graph, address);
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
