/* Addresses and memory apart: cuMemAddressReserve, cuMemCreate, cuMemMap. */
#include "driver.h"

#include <string.h>

typedef struct wsimrt_physical *CUmemGenericAllocationHandle;

/* OTHER_HANDLES: of Windows. An H200 overlooks bits without a meaning. */
enum { PINNED = 1, FILE_HANDLE = 1, OTHER_HANDLES = 2 | 4, FABRIC_HANDLE = 8 };
enum { DEVICE = 1, HOST = 2, NODE = 3 }; /* CUmemLocationType */

struct location { /* CUmemLocation */
    int type, id;
};
struct properties { /* CUmemAllocationProp */
    int type, handles;
    struct location location;
    void *security;
    unsigned char compressed, flags[7]; /* 1: memory that is compressed */
};
struct access { /* CUmemAccessDesc */
    struct location location;
    unsigned flags;
};

static int check(const struct properties *properties) {
    const int type = properties ? properties->location.type : 0;
    if (!properties || properties->type != PINNED || properties->handles & OTHER_HANDLES ||
        type < DEVICE || type > NODE || (type == HOST && properties->handles) ||
        (type == NODE && properties->location.id))
        return WSIMRT_INVALID_VALUE;
    return properties->handles & FABRIC_HANDLE ? WSIMRT_NOT_PERMITTED : 0;
}

CU cuMemGetAllocationGranularity(size_t *bytes, const struct properties *properties, int option) {
    if (!bytes || !properties || option < 0 || option > 1)
        return WSIMRT_INVALID_VALUE;
    *bytes = WSIMRT_GRANULARITY; /* of every type and place */
    return 0;
}

CU cuMemAddressReserve(CUdeviceptr *address, size_t bytes, size_t align, CUdeviceptr wanted,
                       unsigned long long flags) {
    return flags ? WSIMRT_INVALID_VALUE : wsimrt_virtual_reserve(bytes, align, wanted, address);
}

CU cuMemAddressFree(CUdeviceptr address, size_t bytes) {
    return wsimrt_virtual_free(address, bytes);
}

CU cuMemCreate(CUmemGenericAllocationHandle *memory, size_t bytes,
               const struct properties *properties, unsigned long long flags) {
    struct wsimrt_device_info info;
    int error =
        flags || !properties || !bytes || bytes % WSIMRT_GRANULARITY ? WSIMRT_INVALID_VALUE : 0;
    if (!error && properties->location.type == DEVICE) /* an H200 looks at the device first */
        error = wsimrt_device_info(properties->location.id, &info);
    error = error ? error : check(properties);
    return error ? error
                 : wsimrt_physical_make(
                       bytes,
                       properties->location.type == DEVICE ? properties->location.id : WSIMRT_NODE,
                       (properties->handles ? WSIMRT_PHYSICAL_FILE : 0) |
                           (properties->compressed ? WSIMRT_PHYSICAL_COMPRESSED : 0),
                       memory);
}

CU cuMemRelease(CUmemGenericAllocationHandle memory) {
    return wsimrt_physical_release(memory);
}

CU cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *memory, void *address) {
    return wsimrt_physical_of((uint64_t)(uintptr_t)address, memory);
}

CU cuMemGetAllocationPropertiesFromHandle(struct properties *properties,
                                          CUmemGenericAllocationHandle memory) {
    int device = 0;
    unsigned flags = 0;
    const int error =
        properties ? wsimrt_physical_info(memory, &device, &flags) : WSIMRT_INVALID_VALUE;
    if (!error)
        *properties =
            (struct properties){.type = PINNED,
                                .handles = flags & WSIMRT_PHYSICAL_FILE ? FILE_HANDLE : 0,
                                .location = {device < 0 ? NODE : DEVICE, device < 0 ? 0 : device},
                                .compressed = (flags & WSIMRT_PHYSICAL_COMPRESSED) != 0};
    return error;
}

CU cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle memory,
            unsigned long long flags) {
    return flags ? WSIMRT_INVALID_VALUE : wsimrt_virtual_map(address, bytes, offset, memory);
}

CU cuMemUnmap(CUdeviceptr address, size_t bytes) {
    return wsimrt_virtual_unmap(address, bytes);
}

/* The host is one place, whatever the node. */
CU cuMemSetAccess(CUdeviceptr address, size_t bytes, const struct access *list, size_t n) {
    unsigned now = 0;
    int error = list && n ? wsimrt_virtual_access_of(address, 0, &now) : WSIMRT_INVALID_VALUE;
    for (size_t i = 0; i < n && !error; i++) {
        const struct location *const at = &list[i].location;
        error = at->type < DEVICE || at->type > NODE || (at->type == DEVICE && at->id < 0)
                    ? WSIMRT_INVALID_VALUE
                    : wsimrt_virtual_access(
                          address, bytes, at->type == DEVICE ? at->id : WSIMRT_NODE, list[i].flags);
    }
    return error;
}

/* HOST asks for the widest access of all. */
CU cuMemGetAccess(unsigned long long *flags, const struct location *location, CUdeviceptr address) {
    unsigned access = 0;
    int error = WSIMRT_INVALID_VALUE;
    if (flags && location)
        error = wsimrt_virtual_access_of(address, 0, &access);
    if (!error && (location->type < DEVICE || location->type > NODE ||
                   (location->type == DEVICE && location->id < 0)))
        error = WSIMRT_INVALID_DEVICE;
    error = error ? error
                  : wsimrt_virtual_access_of(address,
                                             location->type == DEVICE ? location->id
                                             : location->type == HOST ? WSIMRT_ANY
                                                                      : WSIMRT_NODE,
                                             &access);
    if (!error)
        *flags = access;
    return error;
}

CU cuMemExportToShareableHandle(void *handle, CUmemGenericAllocationHandle memory, int type,
                                unsigned long long flags) {
    return type != FILE_HANDLE || flags ? WSIMRT_INVALID_VALUE
                                        : wsimrt_physical_export(memory, handle);
}

CU cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *memory, void *handle, int type) {
    return type != FILE_HANDLE ? WSIMRT_INVALID_VALUE
                               : wsimrt_physical_import((int)(intptr_t)handle, memory);
}
