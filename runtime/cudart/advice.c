/* Advice about managed memory, and memory that a stream has to itself. */
#include "cudart.h"

enum { CPU = -1 };
enum { SINGLE = 4 }; /* cudaMemAttachSingle */

static uint64_t address_of(const void *pointer) {
    return (uint64_t)(uintptr_t)pointer;
}

static int advise(const void *pointer, size_t bytes, int advice, struct wsimrt_location location) {
    enum { FIRST = 1, LAST = 6 };
    int error = rt_need();
    if (!error && (advice < FIRST || advice > LAST))
        error = WSIMRT_INVALID_VALUE;
    error = error ? error : wsimrt_capture_refuses();
    return rt_note(error ? error
                         : wsimrt_memory_advise(address_of(pointer), bytes, advice, location));
}

static int prefetch(const void *pointer, size_t bytes, struct wsimrt_location location,
                    cudaStream_t stream) {
    int error = rt_need();
    if (!error && !location.type)
        error = WSIMRT_INVALID_VALUE;
    error = error ? error : wsimrt_stream_asked(stream, 1);
    error = error ? error : wsimrt_capture_refuses();
    return rt_note(error ? error
                         : wsimrt_memory_prefetch(address_of(pointer), bytes, location, stream));
}

RT cudaMemAdvise_v2(const void *pointer, size_t bytes, int advice,
                    struct wsimrt_location location) {
    return advise(pointer, bytes, advice, location);
}

RT cudaMemPrefetchAsync_v2(const void *pointer, size_t bytes, struct wsimrt_location location,
                           unsigned flags, cudaStream_t stream) {
    return flags ? rt_note(WSIMRT_INVALID_VALUE) : prefetch(pointer, bytes, location, stream);
}

#if RT_MAJOR >= 13
RT cudaMemAdvise(const void *pointer, size_t bytes, int advice, struct wsimrt_location location) {
    return advise(pointer, bytes, advice, location);
}

RT cudaMemPrefetchAsync(const void *pointer, size_t bytes, struct wsimrt_location location,
                        unsigned flags, cudaStream_t stream) {
    return cudaMemPrefetchAsync_v2(pointer, bytes, location, flags, stream);
}
#else
/* CUDA 12 names a device, or the host by -1. */
static struct wsimrt_location location_of(int device) {
    return device == CPU ? (struct wsimrt_location){WSIMRT_AT_HOST, 0}
                         : (struct wsimrt_location){WSIMRT_AT_DEVICE, device};
}

RT cudaMemAdvise(const void *pointer, size_t bytes, int advice, int device) {
    return advise(pointer, bytes, advice, location_of(device));
}

RT cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device, cudaStream_t stream) {
    return prefetch(pointer, bytes, location_of(device), stream);
}
#endif

RT cudaMemPrefetchBatchAsync(void **pointers, const size_t *sizes, size_t n,
                             const struct wsimrt_location *locations, const size_t *first,
                             size_t n_locations, unsigned long long flags, cudaStream_t stream) {
    RT_CALL(
        wsimrt_batch_prefetch(pointers, sizes, n, locations, first, n_locations, flags, stream));
}

RT cudaMemDiscardBatchAsync(void **pointers, const size_t *sizes, size_t n,
                            unsigned long long flags, cudaStream_t stream) {
    RT_CALL(wsimrt_batch_discard(pointers, sizes, n, flags, stream));
}

RT cudaMemDiscardAndPrefetchBatchAsync(void **pointers, const size_t *sizes, size_t n,
                                       const struct wsimrt_location *locations, const size_t *first,
                                       size_t n_locations, unsigned long long flags,
                                       cudaStream_t stream) {
    const int error = cudaMemDiscardBatchAsync(pointers, sizes, n, flags, stream);
    return error ? error
                 : cudaMemPrefetchBatchAsync(pointers, sizes, n, locations, first, n_locations,
                                             flags, stream);
}

RT cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t bytes, unsigned flags) {
    struct wsimrt_range range;
    const uint64_t at = address_of(pointer);
    int error = rt_need();
    error = error ? error : wsimrt_stream_asked(stream, 1);
    error = error ? error : wsimrt_capture_refuses();
    error = error ? error : wsimrt_memory_of(at, &range);
    if (!error && (range.freed || range.pool || range.base != at ||
                   (bytes && bytes != range.bytes) || range.kind != WSIMRT_MANAGED ||
                   (flags == SINGLE && !stream) || (flags != 1 && flags != 2 && flags != 4)))
        error = WSIMRT_INVALID_VALUE;
    return rt_note(error);
}

RT cudaMemRangeGetAttribute(void *out, size_t size, int attribute, const void *pointer,
                            size_t bytes) {
    const int error = rt_need();
    return rt_note(error ? error
                         : wsimrt_memory_advice(out, size, attribute, address_of(pointer), bytes));
}

RT cudaMemRangeGetAttributes(void **out, const size_t *sizes, const int *attributes, size_t n,
                             const void *pointer, size_t bytes) {
    int error = !out || !sizes || !attributes || !n ? WSIMRT_INVALID_VALUE : 0;
    for (size_t i = 0; i < n && !error; i++)
        error = cudaMemRangeGetAttribute(out[i], sizes[i], attributes[i], pointer, bytes);
    return rt_note(error);
}
