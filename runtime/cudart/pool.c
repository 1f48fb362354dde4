/* Pools of memory, and memory in the order of streams. */
#include "cudart.h"

#include <stdint.h>
#include <string.h>

typedef struct wsimrt_pool *cudaMemPool_t;

enum { FILE_HANDLE = 1 };

struct pool_properties {
    int type, handles;
    struct wsimrt_location location;
    void *security;
    size_t most;
    unsigned char rest[56];
};

/* The kind of cudaMalloc. */
static struct wsimrt_pool_kind of_device(int device) {
    return (struct wsimrt_pool_kind){WSIMRT_PINNED, {WSIMRT_AT_DEVICE, device}};
}

RT cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
    const struct wsimrt_pool_kind kind = of_device(device);
    const int error = wsimrt_init();
    return rt_note(error ? error : wsimrt_pool_of(&kind, 0, pool));
}

/* The error of a device that is not there. */
static int note(int error) {
    return rt_note(error == WSIMRT_INVALID_DEVICE ? WSIMRT_INVALID_VALUE : error);
}

RT cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
    const struct wsimrt_pool_kind kind = of_device(device);
    const int error = wsimrt_init();
    return note(error ? error : wsimrt_pool_of(&kind, 1, pool));
}

/* A managed pool becomes the one for managed memory, as on an H200 (driver 580). */
RT cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    const struct wsimrt_pool_kind kind = of_device(device);
    const struct wsimrt_pool_kind managed = {WSIMRT_MANAGED_TYPE, kind.location};
    int error = wsimrt_init();
    error = error ? error : wsimrt_pool_use(&kind, pool);
    return note(error == WSIMRT_INVALID_VALUE ? wsimrt_pool_use(&managed, pool) : error);
}

/* The kind at a place. */
static int enter(const struct wsimrt_location *location, int type, struct wsimrt_pool_kind *kind) {
    if (!location)
        return WSIMRT_INVALID_VALUE;
    *kind = (struct wsimrt_pool_kind){type, *location};
    return wsimrt_init();
}

RT cudaMemGetDefaultMemPool(cudaMemPool_t *pool, const struct wsimrt_location *location, int type) {
    struct wsimrt_pool_kind kind;
    const int error = enter(location, type, &kind);
    return note(error ? error : wsimrt_pool_of(&kind, 0, pool));
}

RT cudaMemGetMemPool(cudaMemPool_t *pool, const struct wsimrt_location *location, int type) {
    struct wsimrt_pool_kind kind;
    const int error = enter(location, type, &kind);
    return note(error ? error : wsimrt_pool_of(&kind, 1, pool));
}

RT cudaMemSetMemPool(const struct wsimrt_location *location, int type, cudaMemPool_t pool) {
    struct wsimrt_pool_kind kind;
    const int error = enter(location, type, &kind);
    return note(error ? error : wsimrt_pool_use(&kind, pool));
}

RT cudaMemPoolCreate(cudaMemPool_t *pool, const struct pool_properties *properties) {
    struct wsimrt_pool_kind kind;
    int error =
        properties ? enter(&properties->location, properties->type, &kind) : WSIMRT_INVALID_VALUE;
    if (!error && properties->handles & ~FILE_HANDLE)
        error = WSIMRT_INVALID_VALUE;
    return note(error ? error
                      : wsimrt_pool_make(&kind, properties->most, properties->handles, pool));
}

RT cudaMemPoolExportToShareableHandle(void *handle, cudaMemPool_t pool, int type, unsigned flags) {
    return rt_note(handle && type == FILE_HANDLE && !flags ? wsimrt_pool_export(pool, handle)
                                                           : WSIMRT_INVALID_VALUE);
}

RT cudaMemPoolImportFromShareableHandle(cudaMemPool_t *pool, void *handle, int type,
                                        unsigned flags) {
    const int error = type == FILE_HANDLE && !flags ? wsimrt_init() : WSIMRT_INVALID_VALUE;
    return rt_note(error ? error : wsimrt_pool_import((int)(intptr_t)handle, pool));
}

RT cudaMemPoolExportPointer(unsigned char *data, const void *pointer) {
    return rt_note(wsimrt_pool_export_memory((uint64_t)(uintptr_t)pointer, data));
}

RT cudaMemPoolImportPointer(void **pointer, cudaMemPool_t pool, const unsigned char *data) {
    uint64_t address = 0;
    int error = pointer ? rt_need() : WSIMRT_INVALID_VALUE;
    error = error ? error : wsimrt_pool_import_memory(pool, data, &address);
    if (!error)
        *pointer = (void *)(uintptr_t)address;
    return rt_note(error);
}

RT cudaMemPoolDestroy(cudaMemPool_t pool) {
    return rt_note(wsimrt_pool_destroy(pool));
}

RT cudaMemPoolGetAttribute(cudaMemPool_t pool, int attribute, void *value) {
    return rt_note(wsimrt_pool_get(pool, attribute, value));
}

RT cudaMemPoolSetAttribute(cudaMemPool_t pool, int attribute, const void *value) {
    return rt_note(wsimrt_pool_set(pool, attribute, value));
}

RT cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep) {
    return rt_note(wsimrt_pool_trim(pool, keep));
}

RT cudaMemPoolSetAccess(cudaMemPool_t pool, const struct wsimrt_access *list, size_t n) {
    return rt_note(wsimrt_pool_access(pool, list, n));
}

RT cudaMemPoolGetAccess(int *flags, cudaMemPool_t pool, const struct wsimrt_location *location) {
    return rt_note(wsimrt_pool_access_of(pool, location, flags));
}

static int allocate(void **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
    uint64_t address = 0;
    int error = pointer ? rt_need() : WSIMRT_INVALID_VALUE;
    if (!error)
        error = wsimrt_pool_alloc(pool, bytes, stream, &address);
    if (!error)
        *pointer = (void *)(uintptr_t)address;
    return rt_note(error);
}

RT cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
    return pool ? allocate(pointer, bytes, pool, stream) : rt_note(WSIMRT_INVALID_VALUE);
}

RT cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream) {
    return allocate(pointer, bytes, NULL, stream);
}

RT cudaFreeAsync(void *pointer, cudaStream_t stream) {
    RT_CALL(pointer ? wsimrt_memory_free_later((uint64_t)(uintptr_t)pointer, stream)
                    : wsimrt_sticky_error());
}
