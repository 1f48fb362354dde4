/* The driver itself and its devices. */
#include "driver.h"
#include "formats.h"

#include <stdio.h>
#include <string.h>

CU cuInit(unsigned flags) {
    return flags ? WSIMRT_INVALID_VALUE : wsimrt_init();
}

CU cuDriverGetVersion(int *version) {
    if (!version)
        return WSIMRT_INVALID_VALUE;
    *version = WSIMRT_CUDA_VERSION;
    return 0;
}

CU cuGetErrorName(int error, const char **name) {
    if (!name)
        return WSIMRT_INVALID_VALUE;
    *name = wsimrt_error_name(error);
    return *name ? 0 : WSIMRT_INVALID_VALUE;
}

CU cuGetErrorString(int error, const char **text) {
    if (!text)
        return WSIMRT_INVALID_VALUE;
    *text = wsimrt_error_text(error);
    return *text ? 0 : WSIMRT_INVALID_VALUE;
}

/* --- devices --- */

static int check(CUdevice device, const void *output) {
    struct wsimrt_device_info info;
    return output ? wsimrt_device_info(device, &info) : WSIMRT_INVALID_VALUE;
}

CU cuDeviceGetCount(int *count) {
    return wsimrt_device_count(count);
}

CU cuDeviceGet(CUdevice *device, int ordinal) {
    const int error = check(ordinal, device);
    if (!error)
        *device = ordinal;
    return error;
}

CU cuDeviceGetName(char *name, int size, CUdevice device) {
    struct wsimrt_device_info info;
    int error = name ? wsimrt_device_info(device, &info) : WSIMRT_INVALID_VALUE;
    if (!error && !size)
        error = WSIMRT_INVALID_VALUE;
    if (!error) /* a negative size is a large one */
        snprintf(name, size < 0 ? sizeof info.name : (size_t)size, "%s", info.name);
    return error;
}

CU cuDeviceGetUuid(void *uuid, CUdevice device) {
    struct wsimrt_device_info info;
    const int error = uuid ? wsimrt_device_info(device, &info) : WSIMRT_INVALID_VALUE;
    if (!error)
        memcpy(uuid, info.uuid, sizeof info.uuid);
    return error;
}

CU cuDeviceGetUuid_v2(void *uuid, CUdevice device) {
    return cuDeviceGetUuid(uuid, device);
}

CU cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
    struct wsimrt_device_info info;
    const int error = bytes ? wsimrt_device_info(device, &info) : WSIMRT_INVALID_VALUE;
    if (!error)
        *bytes = (size_t)info.memory;
    return error;
}

CU cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
    return wsimrt_device_attribute(value, attribute, device);
}

CU cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
    struct wsimrt_device_info info;
    const int error = major && minor ? wsimrt_device_info(device, &info) : WSIMRT_INVALID_VALUE;
    if (!error)
        *major = info.major, *minor = info.minor;
    return error;
}

/* CUdevprop, which CUDA 5 replaced by attributes. */
struct properties {
    int threads, block[3], grid[3], shared, constant, width, pitch, registers, clock, texture;
};

CU cuDeviceGetProperties(struct properties *properties, CUdevice device) {
    static const int numbers[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
    int values[sizeof numbers / sizeof numbers[0]];
    int error = properties ? 0 : WSIMRT_INVALID_VALUE;
    for (size_t i = 0; !error && i < sizeof numbers / sizeof numbers[0]; i++)
        error = wsimrt_device_attribute(&values[i], numbers[i], device);
    if (!error)
        memcpy(properties, values, sizeof *properties);
    return error;
}

CU cuDeviceGetPCIBusId(char *text, int size, CUdevice device) {
    struct wsimrt_device_info info;
    int error = text ? wsimrt_device_info(device, &info) : WSIMRT_INVALID_VALUE;
    if (!error && size >= 0 && (size_t)size <= strlen(info.pci)) /* it is never cut */
        error = WSIMRT_INVALID_VALUE;
    if (!error)
        memcpy(text, info.pci, strlen(info.pci) + 1);
    return error;
}

CU cuDeviceGetByPCIBusId(CUdevice *device, const char *text) {
    struct wsimrt_device_info info;
    unsigned part[3];
    int count, error = device && text && sscanf(text, "%x:%x:%x", part, part + 1, part + 2) == 3
                           ? wsimrt_device_count(&count)
                           : WSIMRT_INVALID_VALUE;
    for (int i = 0; !error && i < count; i++) {
        error = wsimrt_device_info(i, &info);
        if (!error && strcmp(info.pci, text) == 0) {
            *device = i;
            return 0;
        }
    }
    return error ? error : WSIMRT_INVALID_DEVICE;
}

CU cuDeviceCanAccessPeer(int *possible, CUdevice device, CUdevice peer) {
    return wsimrt_peer_possible(device, peer, possible);
}

/* CUdevice_P2PAttribute: 1 performance, 2 access, 3 native atomics, 4 access of arrays. */
CU cuDeviceGetP2PAttribute(int *value, int attribute, CUdevice device, CUdevice peer) {
    int possible = 0;
    int error = value ? wsimrt_peer_possible(device, peer, &possible) : WSIMRT_INVALID_VALUE;
    if (!error && device == peer)
        error = WSIMRT_INVALID_DEVICE;
    if (!error && (attribute < 1 || attribute > 4))
        error = WSIMRT_INVALID_VALUE;
    if (!error)
        *value = attribute == 1 ? 0 : possible;
    return error;
}

enum { LAST_ATOMIC = 12 }; /* CU_ATOMIC_OPERATION_MAX, less one */

/* A card on PCIe has no atomic operations on memory of the host. Source: an H200. */
CU cuDeviceGetHostAtomicCapabilities(unsigned *capabilities, const int *operations, unsigned n,
                                     CUdevice device) {
    struct wsimrt_device_info info;
    const int error =
        capabilities && operations && n ? wsimrt_device_info(device, &info) : WSIMRT_INVALID_VALUE;
    for (unsigned i = 0; i < n && !error; i++)
        if (operations[i] < 0 || operations[i] > LAST_ATOMIC)
            return WSIMRT_INVALID_VALUE;
    for (unsigned i = 0; i < n && !error; i++)
        capabilities[i] = 0;
    return error;
}

CU cuDeviceGetP2PAtomicCapabilities(unsigned *capabilities, const int *operations, unsigned n,
                                    CUdevice device, CUdevice peer) {
    int possible = 0;
    const int error =
        device == peer ? WSIMRT_INVALID_DEVICE : wsimrt_peer_possible(device, peer, &possible);
    return error ? error : cuDeviceGetHostAtomicCapabilities(capabilities, operations, n, device);
}

CU cuDeviceGetExecAffinitySupport(int *supported, int type, CUdevice device) {
    const int error = check(device, supported);
    (void)type;
    if (!error)
        *supported = 0;
    return error;
}

CU cuDeviceGetTexture1DLinearMaxWidth(size_t *width, int format, unsigned channels,
                                      CUdevice device) {
    struct wsim_array shape;
    int error =
        cu_read_format(format, channels, &shape) ? check(device, width) : WSIMRT_INVALID_VALUE;
    return error ? error : wsimrt_linear_width(&shape, device, width);
}

CU cuProfilerStart(void) {
    return 0;
}

CU cuProfilerStop(void) {
    return 0;
}
