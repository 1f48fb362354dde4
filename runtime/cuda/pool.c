/* Pools of memory, memory in the order of streams, and memory of other processes. */
#include "driver.h"

typedef struct wsimrt_pool *CUmemoryPool;

enum { FILE_HANDLE = 1 };

struct properties { /* CUmemPoolProps */
    int type, handles;
    struct wsimrt_location location;
    void *security;
    size_t most;
    unsigned char rest[56];
};

/* The kind of cudaMalloc. */
static struct wsimrt_pool_kind of_device(CUdevice device) {
    return (struct wsimrt_pool_kind){WSIMRT_PINNED, {WSIMRT_AT_DEVICE, device}};
}

CU cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) {
    const struct wsimrt_pool_kind kind = of_device(device);
    return wsimrt_pool_of(&kind, 0, pool);
}

CU cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device) {
    const struct wsimrt_pool_kind kind = of_device(device);
    return wsimrt_pool_of(&kind, 1, pool);
}

/* An unknown device is a wrong value here. */
static int use(const struct wsimrt_pool_kind *kind, CUmemoryPool pool) {
    const int error = wsimrt_pool_use(kind, pool);
    return error == WSIMRT_INVALID_DEVICE ? WSIMRT_INVALID_VALUE : error;
}

CU cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
    const struct wsimrt_pool_kind kind = of_device(device);
    const struct wsimrt_pool_kind managed = {WSIMRT_MANAGED_TYPE, kind.location};
    const int error = use(&kind, pool);
    return error == WSIMRT_INVALID_VALUE ? use(&managed, pool) : error;
}

/* Unlike the calls above, these take an unknown device for a wrong value. */
static int pool_at(const struct wsimrt_location *location, int type, int of_now,
                   CUmemoryPool *pool) {
    struct wsimrt_pool_kind kind = {.type = type};
    int error = location ? 0 : WSIMRT_INVALID_VALUE;
    if (error)
        return error;
    kind.location = *location;
    error = wsimrt_pool_of(&kind, of_now, pool);
    return error == WSIMRT_INVALID_DEVICE ? WSIMRT_INVALID_VALUE : error;
}

CU cuMemGetDefaultMemPool(CUmemoryPool *pool, const struct wsimrt_location *location, int type) {
    return pool_at(location, type, 0, pool);
}

CU cuMemGetMemPool(CUmemoryPool *pool, const struct wsimrt_location *location, int type) {
    return pool_at(location, type, 1, pool);
}

CU cuMemSetMemPool(const struct wsimrt_location *location, int type, CUmemoryPool pool) {
    const struct wsimrt_pool_kind kind = {type, location ? *location : (struct wsimrt_location){0}};
    return location ? use(&kind, pool) : WSIMRT_INVALID_VALUE;
}

CU cuMemPoolCreate(CUmemoryPool *pool, const struct properties *properties) {
    struct wsimrt_pool_kind kind;
    enum { USAGE = 2 }; /* bytes before the reserved ones */
    if (!properties || properties->handles & ~FILE_HANDLE)
        return WSIMRT_INVALID_VALUE;
    for (size_t i = USAGE; i < sizeof properties->rest; i++)
        if (properties->rest[i])
            return WSIMRT_INVALID_VALUE;
    kind = (struct wsimrt_pool_kind){properties->type, properties->location};
    return wsimrt_pool_make(&kind, properties->most, properties->handles, pool);
}

CU cuMemPoolExportToShareableHandle(void *handle, CUmemoryPool pool, int type,
                                    unsigned long long flags) {
    return handle && type == FILE_HANDLE && !flags ? wsimrt_pool_export(pool, handle)
                                                   : WSIMRT_INVALID_VALUE;
}

CU cuMemPoolImportFromShareableHandle(CUmemoryPool *pool, void *handle, int type,
                                      unsigned long long flags) {
    return type == FILE_HANDLE && !flags ? wsimrt_pool_import((int)(intptr_t)handle, pool)
                                         : WSIMRT_INVALID_VALUE;
}

CU cuMemPoolExportPointer(unsigned char *data, CUdeviceptr address) {
    return wsimrt_pool_export_memory(address, data);
}

CU cuMemPoolImportPointer(CUdeviceptr *address, CUmemoryPool pool, const unsigned char *data) {
    return wsimrt_pool_import_memory(pool, data, address);
}

CU cuMemPoolDestroy(CUmemoryPool pool) {
    return wsimrt_pool_destroy(pool);
}

CU cuMemPoolGetAttribute(CUmemoryPool pool, int attribute, void *value) {
    return wsimrt_pool_get(pool, attribute, value);
}

CU cuMemPoolSetAttribute(CUmemoryPool pool, int attribute, void *value) {
    return wsimrt_pool_set(pool, attribute, value);
}

CU cuMemPoolTrimTo(CUmemoryPool pool, size_t keep) {
    return wsimrt_pool_trim(pool, keep);
}

CU cuMemPoolSetAccess(CUmemoryPool pool, const struct wsimrt_access *list, size_t n) {
    return wsimrt_pool_access(pool, list, n);
}

CU cuMemPoolGetAccess(int *flags, CUmemoryPool pool, struct wsimrt_location *location) {
    return wsimrt_pool_access_of(pool, location, flags);
}

CU cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t bytes, CUmemoryPool pool, CUstream stream) {
    if (!address)
        return WSIMRT_INVALID_VALUE;
    if (bytes)
        return wsimrt_pool_alloc(pool, bytes, stream, address);
    *address = 0;
    return wsimrt_stream_asked(stream, 0);
}

CU cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream) {
    return cuMemAllocFromPoolAsync(address, bytes, NULL, stream);
}

CU cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
    return address ? wsimrt_memory_free_later(address, stream) : 0;
}

/* --- other processes --- */

struct ipc_handle { /* CUipcMemHandle, CUipcEventHandle */
    unsigned char bytes[64];
};

CU cuIpcGetMemHandle(struct ipc_handle *handle, CUdeviceptr address) {
    return handle ? wsimrt_ipc_memory(address, handle->bytes) : WSIMRT_INVALID_VALUE;
}

CU cuIpcOpenMemHandle_v2(CUdeviceptr *address, struct ipc_handle handle, unsigned flags) {
    return address && flags == 1 ? wsimrt_ipc_open(handle.bytes, address) : WSIMRT_INVALID_VALUE;
}

CU cuIpcCloseMemHandle(CUdeviceptr address) {
    return wsimrt_ipc_close(address);
}

CU cuIpcGetEventHandle(struct ipc_handle *handle, CUevent event) {
    return handle ? wsimrt_ipc_event(event, handle->bytes) : WSIMRT_INVALID_VALUE;
}

CU cuIpcOpenEventHandle(CUevent *event, struct ipc_handle handle) {
    return wsimrt_ipc_open_event(handle.bytes, event);
}
