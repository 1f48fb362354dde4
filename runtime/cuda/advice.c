/* Advice about managed memory. */
#include "driver.h"

enum { CPU = -1 };

/* Old versions name a device, or the host by -1. */
static struct wsimrt_location location_of(CUdevice device) {
    return device == CPU ? (struct wsimrt_location){WSIMRT_AT_HOST, 0}
                         : (struct wsimrt_location){WSIMRT_AT_DEVICE, device};
}

CU cuMemAdvise(CUdeviceptr address, size_t bytes, int advice, CUdevice device) {
    return wsimrt_memory_advise(address, bytes, advice, location_of(device));
}

CU cuMemAdvise_v2(CUdeviceptr address, size_t bytes, int advice, struct wsimrt_location location) {
    return wsimrt_memory_advise(address, bytes, advice, location);
}

CU cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice device, CUstream stream) {
    return wsimrt_memory_prefetch(address, bytes, location_of(device), stream);
}

CU cuMemPrefetchAsync_v2(CUdeviceptr address, size_t bytes, struct wsimrt_location location,
                         unsigned flags, CUstream stream) {
    return flags ? WSIMRT_INVALID_VALUE : wsimrt_memory_prefetch(address, bytes, location, stream);
}

CU cuMemRangeGetAttribute(void *out, size_t size, int attribute, CUdeviceptr address,
                          size_t bytes) {
    const int error = driver_context();
    return error ? error : wsimrt_memory_advice(out, size, attribute, address, bytes);
}

CU cuMemRangeGetAttributes(void **out, const size_t *sizes, const int *attributes, size_t n,
                           CUdeviceptr address, size_t bytes) {
    int error = out && sizes && attributes && n ? 0 : WSIMRT_INVALID_VALUE;
    for (size_t i = 0; i < n && !error; i++)
        error = wsimrt_memory_advice(out[i], sizes[i], attributes[i], address, bytes);
    return error;
}
