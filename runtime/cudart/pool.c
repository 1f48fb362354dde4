/* Pools of memory, and memory in the order of streams. */
#include "cudart.h"

#include <stdint.h>
#include <string.h>

typedef struct wsimrt_pool *cudaMemPool_t;

enum { FILE_HANDLE = 1 };

struct location { /* cudaMemLocation: 1 a device */
    int type, id;
};
struct pool_properties {
    int type, handles;
    struct location location;
    void *security;
    size_t most;
    unsigned char rest[56];
};
struct access {
    struct location location;
    int flags;
};

RT cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
    const int error = wsimrt_init();
    return rt_note(error ? error : wsimrt_pool_of(device, 0, pool));
}

RT cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
    const int error = wsimrt_init();
    const int found = error ? error : wsimrt_pool_of(device, 1, pool);
    return rt_note(found == WSIMRT_INVALID_DEVICE ? WSIMRT_INVALID_VALUE : found);
}

RT cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    const int error = wsimrt_init();
    const int used = error ? error : wsimrt_pool_use(device, pool);
    return rt_note(used == WSIMRT_INVALID_DEVICE ? WSIMRT_INVALID_VALUE : used);
}

/* Pools of devices alone: the type of the location is 1. */
static int device_of(const struct location *location, int type) {
    if (!location || type != 1)
        return -1;
    return location->type == 1 ? location->id : -1;
}

RT cudaMemGetDefaultMemPool(cudaMemPool_t *pool, const struct location *location, int type) {
    const int device = device_of(location, type);
    return device < 0 ? rt_note(WSIMRT_NOT_SUPPORTED) : cudaDeviceGetDefaultMemPool(pool, device);
}

RT cudaMemGetMemPool(cudaMemPool_t *pool, const struct location *location, int type) {
    const int device = device_of(location, type);
    return device < 0 ? rt_note(WSIMRT_NOT_SUPPORTED) : cudaDeviceGetMemPool(pool, device);
}

RT cudaMemSetMemPool(const struct location *location, int type, cudaMemPool_t pool) {
    const int device = device_of(location, type);
    return device < 0 ? rt_note(WSIMRT_NOT_SUPPORTED) : cudaDeviceSetMemPool(device, pool);
}

RT cudaMemPoolCreate(cudaMemPool_t *pool, const struct pool_properties *properties) {
    int error = properties && properties->type == 1 ? wsimrt_init() : WSIMRT_INVALID_VALUE;
    if (!error && (properties->location.type < 1 || properties->location.type > 4))
        error = WSIMRT_INVALID_VALUE;
    if (!error && properties->location.type != 1)
        error = WSIMRT_NOT_SUPPORTED;
    if (!error && properties->handles & ~FILE_HANDLE)
        error = WSIMRT_INVALID_VALUE;
    error = error ? error : wsimrt_pool_make(properties->location.id, properties->most, pool);
    if (error == WSIMRT_INVALID_DEVICE)
        error = WSIMRT_INVALID_VALUE;
    return rt_note(error || !properties->handles ? error : wsimrt_pool_share(*pool));
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

/* All devices of the process reach the memory of all others. */
RT cudaMemPoolSetAccess(cudaMemPool_t pool, const struct access *list, size_t n) {
    int device = 0, count = 0, error = n && !list ? WSIMRT_INVALID_VALUE : 0;
    error = error ? error : wsimrt_pool_device(pool, &device);
    error = error ? error : wsimrt_device_count(&count);
    for (size_t i = 0; i < n && !error; i++) {
        if (list[i].location.type > 1)
            error = WSIMRT_NOT_SUPPORTED;
        else if (list[i].location.type != 1 || list[i].location.id < 0 ||
                 list[i].location.id >= count)
            error = WSIMRT_INVALID_DEVICE;
        else if (list[i].location.id == device && list[i].flags != 3)
            error = list[i].flags ? WSIMRT_NOT_SUPPORTED : WSIMRT_INVALID_DEVICE;
    }
    return rt_note(error);
}

RT cudaMemPoolGetAccess(int *flags, cudaMemPool_t pool, const struct location *location) {
    int device = 0;
    int count = 0;
    int error = flags && location ? wsimrt_pool_device(pool, &device) : WSIMRT_INVALID_VALUE;
    error = error ? error : wsimrt_device_count(&count);
    if (!error && location->type == 1 && (location->id < 0 || location->id >= count))
        error = WSIMRT_INVALID_VALUE;
    if (!error)
        *flags = location->type == 1 ? 3 : 0;
    return rt_note(error);
}

static int allocate(void **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
    uint64_t address = 0;
    int error = pointer ? rt_need() : WSIMRT_INVALID_VALUE;
    if (!error && bytes)
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
    RT_CALL(pointer ? wsimrt_memory_free_later((uint64_t)(uintptr_t)pointer, stream) : 0);
}
