/* Memory of devices and of the host: what makes and frees it. */
#define _GNU_SOURCE
#include "api.h"
#include "order.h"
#include "graph.h"
#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

/* Gives the pages of freed memory back to the system. A pool keeps its memory as it was. */
static void give_pages(const struct allocation *allocation) {
    const uint64_t at = allocation->base + allocation->apart;
    const uint64_t from = (at + PAGE - 1) / PAGE * PAGE;
    const uint64_t to = (at + allocation->bytes) / PAGE * PAGE;
    if (allocation->bytes >= ARENA_LARGE && to > from && !arena_is_pooled(allocation->base))
        madvise((void *)(uintptr_t)from, to - from, MADV_DONTNEED);
}

/* Puts private pages into the place of a file. */
static void leave_file(const struct allocation *allocation) {
    void *at = mmap((void *)(uintptr_t)(allocation->base + allocation->apart), allocation->bytes,
                    PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
                    -1, 0);
    (void)at; /* if it fails, the file stays: its bytes are as good as any */
}

/* --- allocations --- */

static int in_arena(enum wsimrt_memory kind) {
    return kind == WSIMRT_DEVICE || kind == WSIMRT_MANAGED;
}

/* Makes memory known to the devices, with the name that findings give it. */
static int lend(struct allocation *allocation) {
    void *const bytes = (void *)(uintptr_t)(allocation->base + allocation->apart);
    struct wsim_device *const device = allocation->context->device;
    struct wsim_diag diag;
    char name[32];
    if (!allocation->number)
        allocation->number = ++core.memory.numbers;
    snprintf(name, sizeof name, "buffer %llu", (unsigned long long)allocation->number);
    const int error = core_error(
        wsim_device_place_at(device, name, allocation->base, bytes, allocation->bytes,
                             allocation->kind == WSIMRT_DEVICE && !allocation->imported, &diag));
    if (!error)
        peers_of(allocation);
    return error;
}

static uint64_t whole_pages(uint64_t bytes) {
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

static int allocate(struct wsimrt_context *context, uint64_t bytes, enum wsimrt_memory kind,
                    unsigned flags, struct wsimrt_pool *pool, uint64_t *address) {
    struct allocation made = {.bytes = bytes,
                              .room = bytes,
                              .context = context,
                              .device = context->ordinal,
                              .flags = flags,
                              .pool = pool,
                              .kind = (uint8_t)kind};
    struct device *device = &core.devices[context->ordinal];
    struct allocation *kept;
    int error;
    if (in_arena(kind)) {
        if (bytes > core.settings.memory - (kind == WSIMRT_MANAGED ? device->used : 0))
            return WSIMRT_OUT_OF_MEMORY;
        if (pool && kind == WSIMRT_DEVICE)
            made.base = arena_take_of(pool, bytes, &made.room);
        if (kind == WSIMRT_MANAGED)
            made.base = arena_take_managed(whole_pages(bytes), &made.room);
        else if (!made.base)
            made.base = arena_take(bytes, &made.room);
        made.apart = kind == WSIMRT_DEVICE ? core.memory.apart : 0;
    } else if (bytes <= SIZE_MAX - PAGE) {
        void *host = NULL;
        if (posix_memalign(&host, bytes < WSIM_PAGE_BYTES ? PAGE : WSIM_PAGE_BYTES,
                           (size_t)whole_pages(bytes)) == 0)
            made.base = (uint64_t)(uintptr_t)host;
        arena_large_pages(made.base, bytes);
    }
    if (!made.base)
        return WSIMRT_OUT_OF_MEMORY;
    api_caller(&made.caller);
    if (kind != WSIMRT_DEVICE)
        order_host();
    error = memory_is_away(&made) ? 0 : lend(&made);
    kept = error ? NULL : memory_insert(&made);
    if (!kept) {
        if (!in_arena(kind))
            free((void *)(uintptr_t)made.base);
        return WSIMRT_OUT_OF_MEMORY;
    }
    arena_map(&made, 1);
    device->used += in_arena(kind) ? bytes : 0;
    *address = made.base;
    return 0;
}

int memory_make(struct wsimrt_context *context, uint64_t bytes, enum wsimrt_memory kind,
                unsigned flags, uint64_t *address) {
    return allocate(context, bytes, kind, flags, NULL, address);
}

int memory_of_graph(struct wsimrt_context *context, uint64_t bytes, uint64_t *address) {
    const int error =
        bytes ? allocate(context, bytes, WSIMRT_DEVICE, 0, NULL, address) : WSIMRT_INVALID_VALUE;
    struct allocation *const made = error ? NULL : memory_find(*address, 1);
    if (made) {
        made->graph = 1;
        peers_of(made);
    }
    return error;
}

int memory_of_array(struct wsimrt_context *context, uint64_t bytes, uint64_t *address) {
    const int error = allocate(context, bytes, WSIMRT_DEVICE, 0, NULL, address);
    if (!error)
        memory_find(*address, 1)->array = 1;
    return error;
}

int memory_of_map(struct wsimrt_context *context, int device, uint64_t base, void *at,
                  uint64_t bytes) {
    struct allocation made = {.base = base,
                              .apart = (uint64_t)(uintptr_t)at - base,
                              .bytes = bytes,
                              .room = bytes,
                              .context = context,
                              .device = device,
                              .kind = WSIMRT_DEVICE,
                              .imported = 1,
                              .mapped = 1};
    const int error = lend(&made);
    return error || memory_insert(&made) ? error : WSIMRT_OUT_OF_MEMORY;
}

int memory_of_file(struct wsimrt_context *context, int file, uint64_t bytes, uint64_t *address) {
    struct allocation made = {
        .context = context, .device = context->ordinal, .kind = WSIMRT_DEVICE, .imported = 1};
    const uint64_t whole = (bytes + PAGE - 1) / PAGE * PAGE;
    uint64_t room = 0, base = arena_take(whole + PAGE, &room), shift;
    if (!base)
        return WSIMRT_OUT_OF_MEMORY;
    shift = (PAGE - base % PAGE) % PAGE;
    made.base = base + shift;
    made.bytes = whole;
    made.room = room - shift;
    made.apart = core.memory.apart;
    if (mmap((void *)(uintptr_t)(made.base + made.apart), whole, PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED)
        return WSIMRT_OUT_OF_MEMORY;
    if (lend(&made) || !memory_insert(&made))
        return WSIMRT_OUT_OF_MEMORY;
    core.devices[made.device].used += made.bytes;
    *address = made.base;
    return 0;
}

/* Counts bytes that a pool gives (more: 1) or gets back. */
static void count(struct wsimrt_pool *pool, uint64_t bytes, int more) {
    pool->used += more ? bytes : (uint64_t)0 - bytes;
    if (pool->used + pool->lost > pool->used_high)
        pool->used_high = pool->used + pool->lost;
    if (pool->used > pool->reserved)
        pool->reserved = memory_reserved(pool->used);
    if (pool->reserved > pool->reserved_high)
        pool->reserved_high = pool->reserved;
}

int memory_of_pool(struct wsimrt_context *context, uint64_t bytes, struct wsimrt_pool *pool,
                   uint64_t *address) {
    enum { ATTACH_GLOBAL = 1 };
    const int managed = pool->kind.type == WSIMRT_MANAGED_TYPE;
    const enum wsimrt_memory kind = managed             ? WSIMRT_MANAGED
                                    : pool->device >= 0 ? WSIMRT_DEVICE
                                                        : WSIMRT_HOST;
    const int error = allocate(context, bytes, kind, managed ? ATTACH_GLOBAL : 0, pool, address);
    if (!error)
        count(pool, bytes, 1);
    return error;
}

int memory_lend(struct wsimrt_pool *pool, int lends) {
    struct wsim_diag diag;
    int error = 0;
    for (size_t i = 0; i < core.memory.n; i++) {
        struct allocation *const at = core.memory.list[i];
        if (at->pool == pool && lends)
            error = error ? error : lend(at);
        else if (at->pool == pool)
            wsim_device_release(at->context->device, at->base, &diag);
    }
    return error;
}

/* Frees an allocation of any kind. */
static void release(struct allocation *allocation) {
    struct wsimrt_pool *const pool = allocation->pool;
    struct wsim_diag diag;
    if (allocation->context && allocation->kind != WSIMRT_VARIABLE)
        wsim_device_release(allocation->context->device, allocation->base, &diag);
    if (in_arena(allocation->kind) && !allocation->mapped) {
        arena_map(allocation, 0);
        core.devices[allocation->device].used -= allocation->bytes;
        if (allocation->imported)
            leave_file(allocation);
        else
            give_pages(allocation);
        arena_again(allocation->base);
    } else if (allocation->kind == WSIMRT_HOST) {
        free((void *)(uintptr_t)allocation->base);
    }
    if (pool) {
        count(pool, allocation->bytes, 0);
        pool->freed = allocation->base;
    }
    memory_forget(allocation);
    if (pool && pool->destroyed && !pool->used)
        memory_end(pool);
}

void memory_release(uint64_t address) {
    struct allocation *allocation = memory_find(address, 1);
    if (allocation)
        release(allocation);
}

void memory_leave(struct wsimrt_context *context) {
    for (size_t i = core.memory.n; i-- > 0;)
        if (core.memory.list[i]->context == context)
            release(core.memory.list[i]);
}

static int insert_variable(const struct allocation *made) {
    const struct allocation *known = memory_find(made->base, made->bytes);
    if (!known && (known = memory_insert(made)) != NULL)
        peers_of(known);
    return known ? 0 : WSIMRT_OUT_OF_MEMORY;
}

int memory_variable(struct wsimrt_context *context, uint64_t address, uint64_t bytes) {
    const struct allocation made = {.base = address,
                                    .bytes = bytes,
                                    .room = bytes,
                                    .context = context,
                                    .device = context->ordinal,
                                    .kind = WSIMRT_VARIABLE};
    return insert_variable(&made);
}

int memory_managed(struct wsimrt_context *context, uint64_t address, uint64_t bytes) {
    const struct allocation made = {.base = address,
                                    .bytes = bytes,
                                    .room = bytes,
                                    .context = context,
                                    .device = context ? context->ordinal : 0,
                                    .kind = WSIMRT_VARIABLE,
                                    .managed = 1};
    order_host();
    return insert_variable(&made);
}

struct allocation *memory_seek(uint64_t address) {
    struct allocation *found = memory_find(address, 1);
    for (struct wsimrt_context *at = core.contexts; at && !found; at = at->next) {
        uint64_t base, bytes;
        if (wsim_device_variable(at->device, address, &base, &bytes) &&
            !memory_variable(at, base, bytes))
            found = memory_find(address, 1);
    }
    return found;
}

static int run_free(struct work *work) {
    struct allocation *allocation = memory_find(work->is.address, 1);
    if (allocation && allocation->base == work->is.address &&
        (in_arena(allocation->kind) || allocation->pool)) {
        const struct wsimrt_place place = {.address = allocation->base};
        order_box(work, "a free", &place, allocation->bytes, 1, 1, 1);
        release(allocation);
    }
    return 1;
}

static int capture_free(const struct work *work, struct wsimrt_node_params *params) {
    params->kind = WSIMRT_NODE_FREE;
    params->address = work->is.address;
    return 1;
}

const struct work_kind memory_free = {.run = run_free, .capture = capture_free, .frees = 1};

/* A free without a stream gives the pages back at once, and the pool still counts the bytes, as on
 * an H200 (driver 580). */
static void release_now(struct allocation *allocation) {
    struct wsimrt_pool *const pool = allocation->imported ? NULL : allocation->pool;
    if (pool)
        pool->lost += allocation->bytes;
    release(allocation);
    if (pool && handle_is(pool, HANDLE_POOL))
        memory_shrink(pool, pool->threshold);
}

/* Why an address cannot be freed. */
static void say_wrong(const struct allocation *allocation, uint64_t address) {
    const struct allocation *const freed = allocation ? NULL : memory_freed(address);
    if (allocation && address != allocation->base + allocation->lead)
        core_because("byte %llu of buffer %llu: a free takes the first byte",
                     (unsigned long long)(address - allocation->base),
                     (unsigned long long)allocation->number);
    else if (freed)
        core_because("buffer %llu, which is freed", (unsigned long long)freed->number);
    else if (!allocation)
        core_because("an address that is in no buffer");
}

int wsimrt_memory_free(uint64_t address, int host) {
    struct wsimrt_context *context;
    int error = core_enter(NULL);
    struct allocation *allocation = memory_find(address, 1);
    error = error ? error : core_enter_with(allocation ? allocation->context : NULL, &context);
    error = error ? error : capture_unsafe();
    if (!error && (!allocation || allocation->base + allocation->lead != address ||
                   allocation->imported != allocation->by_pool || allocation->array ||
                   (host ? allocation->kind != WSIMRT_HOST || allocation->pool
                         : !in_arena(allocation->kind) && !allocation->pool)))
        error = WSIMRT_INVALID_VALUE;
    if (error == WSIMRT_INVALID_VALUE)
        say_wrong(allocation, address);
    if (!allocation)
        api_freed("a free gets", address);
    error = error ? error : work_drain(context, NULL);
    allocation = memory_find(address, 1); /* another thread may have freed it meanwhile */
    if (!error && !allocation)
        error = WSIMRT_INVALID_VALUE;
    if (!error && allocation->graph && !allocation->live)
        error = WSIMRT_INVALID_VALUE;
    if (!error && !allocation->graph)
        release_now(allocation);
    else if (!error)
        allocation->live = 0;
    return core_leave(error);
}

/* Whether the host may write at an address. Without /proc: it may. */
static int is_writable(uint64_t at) {
    FILE *maps = fopen("/proc/self/maps", "re");
    uint64_t from, to;
    char access = 'w';
    while (maps && fscanf(maps, "%" SCNx64 "-%" SCNx64 " %*c%c%*[^\n]", &from, &to, &access) == 3)
        if (at < to)
            break;
    if (maps)
        fclose(maps);
    return access == 'w';
}

int wsimrt_memory_register(void *bytes, uint64_t size, unsigned flags) {
    struct wsimrt_context *context;
    int error = core_enter(&context);
    enum { READ_ONLY = 8 };
    static const unsigned ALL = 1 | 2 | READ_ONLY; /* portable, mapped; not memory of a device */
    const uint64_t base = (uint64_t)(uintptr_t)bytes;
    char byte;
    error = error ? error : capture_unsafe();
    if (!error && (!bytes || !size || size > UINT64_MAX - base))
        error = WSIMRT_INVALID_VALUE;
    if (!error && memory_find(base, 1) && memory_find(base, 1)->kind != WSIMRT_REGISTERED)
        error = WSIMRT_INVALID_VALUE;
    if (!error && (memory_find(base, 1) || memory_below(base) < memory_below(base + size - 1)))
        error = WSIMRT_HOST_MEMORY_ALREADY_REGISTERED;
    if (!error && flags & ~ALL)
        error = WSIMRT_INVALID_VALUE;
    if (!error && (!memory_peek(&byte, base, 1) || !memory_peek(&byte, base + size - 1, 1)))
        error = WSIMRT_INVALID_VALUE;
    if (!error && !(flags & READ_ONLY) && (!is_writable(base) || !is_writable(base + size - 1)))
        error = WSIMRT_INVALID_VALUE;
    if (!error) {
        struct allocation made = {.base = base,
                                  .bytes = size,
                                  .room = size,
                                  .context = context,
                                  .device = context->ordinal,
                                  .flags = flags & ~(unsigned)READ_ONLY,
                                  .kind = WSIMRT_REGISTERED};
        api_caller(&made.caller);
        error = lend(&made);
        error = error || memory_insert(&made) ? error : WSIMRT_OUT_OF_MEMORY;
    }
    return core_leave(error);
}

int wsimrt_memory_unregister(void *bytes) {
    struct wsimrt_context *context;
    int error = core_enter(&context);
    struct allocation *allocation = memory_find((uint64_t)(uintptr_t)bytes, 1);
    error = error ? error : capture_unsafe();
    if (!error && !bytes)
        error = WSIMRT_INVALID_VALUE;
    if (!error && allocation &&
        (allocation->kind != WSIMRT_REGISTERED || allocation->base != (uint64_t)(uintptr_t)bytes))
        error = WSIMRT_INVALID_VALUE;
    if (!error && !allocation)
        error = WSIMRT_HOST_MEMORY_NOT_REGISTERED;
    if (!error)
        error = work_drain(context, NULL);
    if (!error)
        release(allocation);
    return core_leave(error);
}

int wsimrt_memory_set_sync(uint64_t address, int sync) {
    int error = core_enter(NULL);
    struct allocation *const found = memory_find(address, 1);
    if (!error && !found)
        error = WSIMRT_INVALID_VALUE;
    if (!error)
        found->sync = sync ? SYNC_ON : SYNC_OFF;
    return core_leave(error);
}
