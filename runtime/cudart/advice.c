/* Advice about managed memory changes no result. The runtime keeps it, because programs may ask for
 * it. */
#include "cudart.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct location { /* cudaMemLocation, by value: 1 a device, 2 the host */
    int type, id;
};

enum { DEVICE = 1, HOST = 2, CPU = -1, NOWHERE = -2 };
enum { SINGLE = 4 }; /* cudaMemAttachSingle */

/* An allocation that got advice. */
struct advised {
    struct advised *next;
    uint64_t id; /* of the allocation */
    int read_mostly, host;
    struct location preferred, last;
    uint32_t accessed; /* a bit for each device */
};

static struct {
    pthread_mutex_t lock;
    struct advised *list;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Enters with the advice of a range, made if it is new; NULL: no memory. */
static struct advised *find(uint64_t id) {
    struct advised *at = all.list;
    while (at && at->id != id)
        at = at->next;
    if (!at && (at = calloc(1, sizeof *at))) {
        at->id = id;
        at->preferred.id = at->last.id = NOWHERE;
        at->next = all.list;
        all.list = at;
    }
    return at;
}

/* Checks that the bytes are in one live allocation. */
static int check(const void *pointer, size_t bytes, struct wsimrt_range *range) {
    const uint64_t at = (uint64_t)(uintptr_t)pointer;
    int error = rt_need();
    error = error ? error : wsimrt_memory_of(at, range);
    if (!error && (range->freed || !bytes || bytes > range->bytes - (at - range->base)))
        error = WSIMRT_INVALID_VALUE;
    return error;
}

static int check_location(const struct location *location) {
    int count = 0;
    const int error = wsimrt_device_count(&count);
    if (error || location->type != DEVICE)
        return error;
    return location->id < 0 || location->id >= count ? WSIMRT_INVALID_DEVICE : 0;
}

static void take(struct advised *advised, int advice, const struct location *location) {
    const uint32_t bit = location->type == DEVICE ? UINT32_C(1) << location->id : 0;
    switch (advice) {
    case 1:
    case 2: advised->read_mostly = advice == 1; break;
    case 3: advised->preferred = *location; break;
    case 4: advised->preferred = (struct location){0, NOWHERE}; break;
    case 5:
        advised->accessed |= bit;
        advised->host |= location->type != DEVICE;
        break;
    default: advised->accessed &= ~bit; advised->host &= location->type == DEVICE;
    }
}

static int advise(const void *pointer, size_t bytes, int advice, struct location location) {
    struct wsimrt_range range;
    struct advised *advised;
    int error = advice < 1 || advice > 6 ? WSIMRT_INVALID_VALUE : check(pointer, bytes, &range);
    if (!error && range.kind != WSIMRT_MANAGED && range.kind != WSIMRT_VARIABLE)
        error = WSIMRT_INVALID_VALUE;
    if (!error && advice != 1 && advice != 2 && advice != 4 && check_location(&location))
        error = WSIMRT_INVALID_VALUE;
    if (error)
        return rt_note(error);
    pthread_mutex_lock(&all.lock);
    advised = find(range.id);
    if (advised)
        take(advised, advice, &location);
    pthread_mutex_unlock(&all.lock);
    return rt_note(advised ? 0 : WSIMRT_OUT_OF_MEMORY);
}

static int prefetch(const void *pointer, size_t bytes, struct location location,
                    cudaStream_t stream) {
    struct wsimrt_range range;
    struct wsimrt_stream_info info;
    struct advised *advised;
    int error = check(pointer, bytes, &range);
    if (!error && range.kind != WSIMRT_MANAGED && range.kind != WSIMRT_VARIABLE)
        error = WSIMRT_INVALID_VALUE;
    error = error ? error : location.type ? check_location(&location) : WSIMRT_INVALID_VALUE;
    error = error ? error : wsimrt_stream_info(stream, &info);
    if (error)
        return rt_note(error);
    pthread_mutex_lock(&all.lock);
    advised = find(range.id);
    if (advised)
        advised->last = location;
    pthread_mutex_unlock(&all.lock);
    return rt_note(advised ? 0 : WSIMRT_OUT_OF_MEMORY);
}

RT cudaMemAdvise_v2(const void *pointer, size_t bytes, int advice, struct location location) {
    return advise(pointer, bytes, advice, location);
}

RT cudaMemPrefetchAsync_v2(const void *pointer, size_t bytes, struct location location,
                           unsigned flags, cudaStream_t stream) {
    return flags ? rt_note(WSIMRT_INVALID_VALUE) : prefetch(pointer, bytes, location, stream);
}

#if RT_MAJOR >= 13
RT cudaMemAdvise(const void *pointer, size_t bytes, int advice, struct location location) {
    return advise(pointer, bytes, advice, location);
}

RT cudaMemPrefetchAsync(const void *pointer, size_t bytes, struct location location, unsigned flags,
                        cudaStream_t stream) {
    return cudaMemPrefetchAsync_v2(pointer, bytes, location, flags, stream);
}
#else
/* CUDA 12 names a device, or the host by -1. */
static struct location location_of(int device) {
    return device == CPU ? (struct location){HOST, 0} : (struct location){DEVICE, device};
}

RT cudaMemAdvise(const void *pointer, size_t bytes, int advice, int device) {
    return advise(pointer, bytes, advice, location_of(device));
}

RT cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device, cudaStream_t stream) {
    return prefetch(pointer, bytes, location_of(device), stream);
}
#endif

RT cudaMemPrefetchBatchAsync(void **pointers, const size_t *sizes, size_t n,
                             const struct location *locations, const size_t *first,
                             size_t n_locations, unsigned long long flags, cudaStream_t stream) {
    size_t place = 0;
    int error =
        !n || !pointers || !sizes || !locations || !first || !n_locations || flags || first[0]
            ? WSIMRT_INVALID_VALUE
            : 0;
    for (size_t i = 0; i < n && !error; i++) {
        place += place + 1 < n_locations && first[place + 1] <= i;
        error = prefetch(pointers[i], sizes[i], locations[place], stream);
    }
    return rt_note(error);
}

/* The bytes of discarded memory have no meaning, so they may stay. */
RT cudaMemDiscardBatchAsync(void **pointers, const size_t *sizes, size_t n,
                            unsigned long long flags, cudaStream_t stream) {
    struct wsimrt_range range;
    int error = !n || !pointers || !sizes || flags || !stream ? WSIMRT_INVALID_VALUE : 0;
    for (size_t i = 0; i < n && !error; i++)
        error = check(pointers[i], sizes[i], &range);
    return rt_note(error);
}

RT cudaMemDiscardAndPrefetchBatchAsync(void **pointers, const size_t *sizes, size_t n,
                                       const struct location *locations, const size_t *first,
                                       size_t n_locations, unsigned long long flags,
                                       cudaStream_t stream) {
    const int error = cudaMemDiscardBatchAsync(pointers, sizes, n, flags, stream);
    return error ? error
                 : cudaMemPrefetchBatchAsync(pointers, sizes, n, locations, first, n_locations,
                                             flags, stream);
}

RT cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t bytes, unsigned flags) {
    struct wsimrt_range range;
    struct wsimrt_stream_info info;
    const uint64_t at = (uint64_t)(uintptr_t)pointer;
    int error = rt_need();
    error = error ? error : wsimrt_stream_info(stream, &info);
    error = error ? error : wsimrt_memory_of(at, &range);
    if (!error && (range.freed || (bytes && bytes != range.bytes) || range.kind == WSIMRT_DEVICE ||
                   (flags == SINGLE && (!stream || stream == WSIMRT_LEGACY)) ||
                   (flags != 1 && flags != 2 && flags != 4)))
        error = WSIMRT_INVALID_VALUE;
    return rt_note(error);
}

/* --- questions --- */

/* As CUDA says it: a device, -1 the host, -2 nowhere. */
static int place_of(const struct location *location) {
    return location->type == HOST ? CPU : location->id;
}

static int answer(void *out, size_t bytes, int attribute, const struct advised *advised) {
    const struct location *const location =
        attribute <= 3 || attribute == 5 || attribute == 6 ? &advised->preferred : &advised->last;
    int *const numbers = out;
    size_t used = 0;
    if (!out || bytes < sizeof *numbers || bytes % sizeof *numbers || attribute < 1 ||
        attribute > 8 || (attribute != 3 && bytes != sizeof *numbers))
        return WSIMRT_INVALID_VALUE;
    if (attribute == 1) {
        numbers[0] = advised->read_mostly;
    } else if (attribute == 3) {
        for (int i = 0; i < 32 && used < bytes / sizeof *numbers; i++)
            if (advised->accessed >> i & 1)
                numbers[used++] = i;
        if (advised->host && used < bytes / sizeof *numbers)
            numbers[used++] = CPU;
        while (used < bytes / sizeof *numbers)
            numbers[used++] = NOWHERE;
    } else if (attribute == 5 || attribute == 7) {
        numbers[0] = location->type;
    } else if (attribute == 6 || attribute == 8) {
        numbers[0] = location->type == DEVICE ? location->id : 0;
    } else {
        numbers[0] = place_of(location);
    }
    return 0;
}

RT cudaMemRangeGetAttribute(void *out, size_t size, int attribute, const void *pointer,
                            size_t bytes) {
    struct wsimrt_range range;
    struct advised *advised;
    int error = check(pointer, bytes, &range);
    if (!error && range.kind != WSIMRT_MANAGED && range.kind != WSIMRT_VARIABLE)
        error = WSIMRT_INVALID_VALUE;
    if (error)
        return rt_note(error);
    pthread_mutex_lock(&all.lock);
    advised = find(range.id);
    error = advised ? answer(out, size, attribute, advised) : WSIMRT_OUT_OF_MEMORY;
    pthread_mutex_unlock(&all.lock);
    return rt_note(error);
}

RT cudaMemRangeGetAttributes(void **out, const size_t *sizes, const int *attributes, size_t n,
                             const void *pointer, size_t bytes) {
    int error = !out || !sizes || !attributes || !n ? WSIMRT_INVALID_VALUE : 0;
    for (size_t i = 0; i < n && !error; i++)
        error = cudaMemRangeGetAttribute(out[i], sizes[i], attributes[i], pointer, bytes);
    return rt_note(error);
}
