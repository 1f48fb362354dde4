/* Pools of memory, memory in the order of streams, and memory of other processes. */
#include "driver.h"

typedef struct wsimrt_pool *CUmemoryPool;

enum { PINNED = 1, DEVICE = 1, FILE_HANDLE = 1 };

struct properties { /* CUmemPoolProps */
    int type, handles;
    struct wsimrt_location location;
    void *security;
    size_t most;
    unsigned char rest[56];
};
struct access { /* CUmemAccessDesc */
    struct wsimrt_location location;
    int flags;
};

CU cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) {
    return wsimrt_pool_of(device, 0, pool);
}

CU cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device) {
    return wsimrt_pool_of(device, 1, pool);
}

CU cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
    return wsimrt_pool_use(device, pool);
}

/* Only devices have pools. */
static int device_of(const struct wsimrt_location *location, int type, CUdevice *device) {
    if (!location || location->type != DEVICE || type != PINNED)
        return WSIMRT_NOT_SUPPORTED;
    *device = location->id;
    return 0;
}

CU cuMemGetDefaultMemPool(CUmemoryPool *pool, const struct wsimrt_location *location, int type) {
    CUdevice device = 0;
    const int error = device_of(location, type, &device);
    return error ? error : wsimrt_pool_of(device, 0, pool);
}

CU cuMemGetMemPool(CUmemoryPool *pool, const struct wsimrt_location *location, int type) {
    CUdevice device = 0;
    const int error = device_of(location, type, &device);
    return error ? error : wsimrt_pool_of(device, 1, pool);
}

CU cuMemSetMemPool(const struct wsimrt_location *location, int type, CUmemoryPool pool) {
    CUdevice device = 0;
    const int error = device_of(location, type, &device);
    return error ? error : wsimrt_pool_use(device, pool);
}

CU cuMemPoolCreate(CUmemoryPool *pool, const struct properties *properties) {
    int error = properties && properties->type == PINNED && !(properties->handles & ~FILE_HANDLE)
                    ? 0
                    : WSIMRT_INVALID_VALUE;
    if (!error && properties->location.type != DEVICE)
        error = WSIMRT_NOT_SUPPORTED;
    error = error ? error : wsimrt_pool_make(properties->location.id, properties->most, pool);
    return error || !properties->handles ? error : wsimrt_pool_share(*pool);
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

/* All devices of the process reach the memory of all others. */
CU cuMemPoolSetAccess(CUmemoryPool pool, const struct access *list, size_t n) {
    int device = 0, count = 0, error = n && !list ? WSIMRT_INVALID_VALUE : 0;
    error = error ? error : wsimrt_pool_device(pool, &device);
    error = error ? error : wsimrt_device_count(&count);
    for (size_t i = 0; i < n && !error; i++)
        if (list[i].location.type != DEVICE || list[i].location.id < 0 ||
            list[i].location.id >= count || (list[i].location.id == device && list[i].flags != 3))
            error = WSIMRT_INVALID_DEVICE;
    return error;
}

CU cuMemPoolGetAccess(int *flags, CUmemoryPool pool, struct wsimrt_location *location) {
    int device = 0;
    const int error = flags && location ? wsimrt_pool_device(pool, &device) : WSIMRT_INVALID_VALUE;
    if (!error)
        *flags = 3;
    return error;
}

CU cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t bytes, CUmemoryPool pool, CUstream stream) {
    if (!address)
        return WSIMRT_INVALID_VALUE;
    if (bytes)
        return wsimrt_pool_alloc(pool, bytes, stream, address);
    *address = 0;
    return 0;
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
