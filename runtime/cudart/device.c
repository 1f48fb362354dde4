/* Devices: attributes, properties, limits, peers. */
#include "cudart.h"

#include <stdio.h>
#include <string.h>

RT cudaDriverGetVersion(int *version) {
    if (!version)
        return rt_note(WSIMRT_INVALID_VALUE);
    *version = WSIMRT_CUDA_VERSION;
    return 0;
}

RT cudaRuntimeGetVersion(int *version) {
    return cudaDriverGetVersion(version);
}

RT cudaDeviceGetAttribute(int *value, int attribute, int device) {
    int n = 0, error = wsimrt_init();
    error = error ? error : wsimrt_device_count(&n);
    if (!error && (device < 0 || device >= n))
        error = WSIMRT_INVALID_DEVICE;
    return rt_note(error ? error : wsimrt_device_attribute(value, attribute, device));
}

/* --- cudaDeviceProp --- */

enum { BOTH = 3, ONLY_12 = 1, ONLY_13 = 2 };
enum { BYTES_12 = 1032, BYTES_13 = 1008, AT_UUID = 256, AT_NUMBERS = 288 };

static const struct property {
    uint8_t size, attribute, versions;
} properties[] = {
#define PROPERTY(size, attribute, versions) {size, attribute, versions},
#include "property.def"
};

static int put_number(char *out, size_t *at, const struct property *property, int device,
                      uint64_t memory) {
    int number = 0;
    const int error =
        property->attribute ? wsimrt_device_attribute(&number, property->attribute, device) : 0;
    const uint64_t wide = property->attribute ? (uint64_t)number : memory;
    *at = (*at + property->size - 1) / property->size * property->size;
    if (property->size == 4)
        memcpy(out + *at, &number, 4);
    else
        memcpy(out + *at, &wide, 8);
    *at += property->size;
    return error;
}

static int put_properties(char *out, int device, unsigned version, size_t bytes) {
    struct wsimrt_device_info info;
    size_t at = AT_NUMBERS;
    int error = wsimrt_init();
    error = error ? error : wsimrt_device_info(device, &info);
    if (!error && !out)
        error = WSIMRT_INVALID_VALUE;
    if (error)
        return rt_note(error);
    memset(out, 0, bytes);
    memcpy(out, info.name, sizeof info.name);
    memcpy(out + AT_UUID, info.uuid, sizeof info.uuid);
    for (size_t i = 0; i < sizeof properties / sizeof properties[0] && !error; i++)
        if (properties[i].versions & version)
            error = put_number(out, &at, &properties[i], device, info.memory);
    return rt_note(error);
}

RT cudaGetDeviceProperties(char *properties_13, int device) {
    return put_properties(properties_13, device, ONLY_13, BYTES_13);
}

/* The name in CUDA 12. */
RT cudaGetDeviceProperties_v2(char *properties_12, int device) {
    return put_properties(properties_12, device, ONLY_12, BYTES_12);
}

/* All devices are equal. */
RT cudaChooseDevice(int *device, const void *wanted) {
    const int error = device && wanted ? wsimrt_init() : WSIMRT_INVALID_VALUE;
    if (!error)
        *device = 0;
    return rt_note(error);
}

RT cudaDeviceGetPCIBusId(char *text, int size, int device) {
    struct wsimrt_device_info info;
    enum { SHORTEST = 13 };
    int error = text && size >= SHORTEST ? wsimrt_init() : WSIMRT_INVALID_VALUE;
    error = error ? error : wsimrt_device_info(device, &info);
    if (!error)
        snprintf(text, (size_t)size, "%s", info.pci);
    return rt_note(error);
}

RT cudaDeviceGetByPCIBusId(int *device, const char *text) {
    struct wsimrt_device_info info;
    int count = 0;
    int error = device && text && strchr(text, ':') ? wsimrt_init() : WSIMRT_INVALID_VALUE;
    error = error ? error : wsimrt_device_count(&count);
    for (int i = 0; !error && i < count; i++)
        if (!wsimrt_device_info(i, &info) && strcmp(info.pci, text) == 0) {
            *device = i;
            return 0;
        }
    return rt_note(error ? error : WSIMRT_INVALID_DEVICE);
}

/* --- limits and preferences --- */

RT cudaDeviceGetLimit(size_t *value, int limit) {
    RT_CALL(wsimrt_limit_get(limit, value));
}

RT cudaDeviceSetLimit(int limit, size_t value) {
    RT_CALL(wsimrt_limit_set(limit, value));
}

/* A preference: it changes no result. */

RT cudaDeviceGetCacheConfig(int *config) {
    RT_CALL(config ? wsimrt_context_cache(-1, config) : WSIMRT_INVALID_VALUE);
}

RT cudaDeviceSetCacheConfig(int config) {
    RT_CALL(config < 0 ? WSIMRT_INVALID_VALUE : wsimrt_context_cache(config, NULL));
}

/* Banks of 4 bytes. */
RT cudaDeviceGetSharedMemConfig(int *config) {
    const int error = config ? rt_need() : WSIMRT_INVALID_VALUE;
    if (!error)
        *config = 1;
    return rt_note(error);
}

RT cudaDeviceSetSharedMemConfig(int config) {
    enum { EIGHT_BYTES = 2 };
    const int error = rt_need();
    return rt_note(error ? error : config < 0 || config > EIGHT_BYTES ? WSIMRT_INVALID_VALUE : 0);
}

/* It makes no context, as on an H200. */
RT cudaCtxResetPersistingL2Cache(void) {
    struct wsimrt_context_info info;
    int error = wsimrt_init();
    error = error ? error : wsimrt_context_info(NULL, &info);
    return rt_note(error ? error : wsimrt_sticky_error());
}

RT cudaProfilerStart(void) {
    return 0;
}

RT cudaProfilerStop(void) {
    return 0;
}

/* --- peers --- */

RT cudaDeviceCanAccessPeer(int *possible, int device, int peer) {
    const int error = wsimrt_init();
    return rt_note(error ? error : wsimrt_peer_possible(device, peer, possible));
}

RT cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
    struct wsimrt_context *context;
    int error = rt_need();
    error = error ? error : rt_primary(peer, &context);
    if (!error && flags)
        error = WSIMRT_INVALID_VALUE;
    return rt_note(error ? error : wsimrt_peer_enable(context));
}

RT cudaDeviceDisablePeerAccess(int peer) {
    struct wsimrt_context *context;
    int error = rt_need();
    error = error ? error : rt_primary(peer, &context);
    return rt_note(error ? error : wsimrt_peer_disable(context));
}

/* cudaDeviceP2PAttr: 1 performance, 2 access, 3 native atomics, 4 access of arrays. */
RT cudaDeviceGetP2PAttribute(int *value, int attribute, int device, int peer) {
    int possible = 0;
    int error = value ? wsimrt_init() : WSIMRT_INVALID_VALUE;
    if (!error && device == peer)
        error = WSIMRT_INVALID_DEVICE;
    error = error ? error : wsimrt_peer_possible(device, peer, &possible);
    if (!error && (attribute < 1 || attribute > 4))
        error = WSIMRT_INVALID_VALUE;
    if (!error)
        *value = attribute == 1 ? 0 : possible;
    return rt_note(error);
}

int cuDeviceGetHostAtomicCapabilities(unsigned *capabilities, const int *operations, unsigned n,
                                      int device);
int cuDeviceGetP2PAtomicCapabilities(unsigned *capabilities, const int *operations, unsigned n,
                                     int device, int peer);

RT cudaDeviceGetHostAtomicCapabilities(unsigned *capabilities, const int *operations, unsigned n,
                                       int device) {
    const int error = wsimrt_init();
    return rt_note(error ? error
                         : cuDeviceGetHostAtomicCapabilities(capabilities, operations, n, device));
}

RT cudaDeviceGetP2PAtomicCapabilities(unsigned *capabilities, const int *operations, unsigned n,
                                      int device, int peer) {
    const int error = wsimrt_init();
    return rt_note(
        error ? error
              : cuDeviceGetP2PAtomicCapabilities(capabilities, operations, n, device, peer));
}

/* Writes of other devices over the bus are seen at once. */
RT cudaDeviceFlushGPUDirectRDMAWrites(int target, int scope) {
    enum { OWNER = 100, ALL_DEVICES = 200 };
    const int known = target == 0 && (scope == OWNER || scope == ALL_DEVICES);
    return rt_note(known ? rt_need() : WSIMRT_INVALID_VALUE);
}

/* --- the driver API by name --- */

int cuGetProcAddress_v2(const char *name, void **address, int version, uint64_t flags, int *status);

RT cudaGetDriverEntryPointByVersion(const char *name, void **address, unsigned version,
                                    unsigned long long flags, int *status) {
    enum { NO_NAME = 1 };
    int found = 0, error = name && address ? wsimrt_init() : WSIMRT_INVALID_VALUE;
    if (!error && !*name && version <= WSIMRT_CUDA_VERSION) {
        *address = NULL;
        found = NO_NAME;
    } else
        error = error ? error : cuGetProcAddress_v2(name, address, (int)version, flags, &found);
    if (!error && status)
        *status = found;
    return rt_note(error);
}

RT cudaGetDriverEntryPoint(const char *name, void **address, unsigned long long flags,
                           int *status) {
    return cudaGetDriverEntryPointByVersion(name, address, WSIMRT_CUDA_VERSION, flags, status);
}

RT cudaGetExportTable(const void **table, const void *id) {
    (void)id;
    if (table)
        *table = NULL;
    return rt_note(WSIMRT_INVALID_VALUE);
}
