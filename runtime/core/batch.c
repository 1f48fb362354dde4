/* Many copies, prefetches or discards by one call. Each is work of the stream, in the order of the
 * lists. Lists of addresses are arrays of pointers or of numbers. */
#include "runtime.h"

#include <string.h>

enum { ORDER_STREAM = 1, ORDER_ANY = 3, OVERLAPS = 1 }; /* with kernels: a wish */

/* Batches need a stream of their own. */
static int is_legacy(const struct wsimrt_stream *stream) {
    return !stream || stream == WSIMRT_LEGACY;
}

static uint64_t address_at(const void *list, size_t i) {
    uint64_t address;
    memcpy(&address, (const char *)list + i * sizeof address, sizeof address);
    return address;
}

/* Attributes number i are those of the copies from first[i] on. */
static int check_attributes(const struct wsimrt_copy_attributes *attributes, const size_t *first,
                            size_t n_attributes, size_t n) {
    if (!attributes || !first || !n_attributes || n_attributes > n || first[0])
        return WSIMRT_INVALID_VALUE;
    for (size_t i = 0; i < n_attributes; i++)
        if (attributes[i].order < ORDER_STREAM || attributes[i].order > ORDER_ANY ||
            attributes[i].flags & ~(unsigned)OVERLAPS || first[i] >= n ||
            (i && first[i] <= first[i - 1]))
            return WSIMRT_INVALID_VALUE;
    return 0;
}

int wsimrt_batch_copy(const void *to, const void *from, const size_t *sizes, size_t n,
                      const struct wsimrt_copy_attributes *attributes, const size_t *first,
                      size_t n_attributes, struct wsimrt_stream *stream) {
    int error = !n || !to || !from || !sizes || is_legacy(stream) ? WSIMRT_INVALID_VALUE : 0;
    error = error ? error : check_attributes(attributes, first, n_attributes, n);
    for (size_t i = 0; i < n && !error; i++)
        error = sizes[i] ? 0 : WSIMRT_INVALID_VALUE;
    for (size_t i = 0; i < n && !error; i++) {
        const struct wsimrt_copy copy = {.to = {address_at(to, i), sizes[i], sizes[i]},
                                         .from = {address_at(from, i), sizes[i], sizes[i]},
                                         .width = sizes[i]};
        error = wsimrt_copy(&copy, stream, 0);
    }
    return error;
}

int wsimrt_batch_check(int order, struct wsimrt_stream *stream) {
    return order < ORDER_STREAM || order > ORDER_ANY || is_legacy(stream) ? WSIMRT_INVALID_VALUE
                                                                          : 0;
}

int wsimrt_batch_prefetch(const void *addresses, const size_t *sizes, size_t n,
                          const struct wsimrt_location *locations, const size_t *first,
                          size_t n_locations, unsigned long long flags,
                          struct wsimrt_stream *stream) {
    size_t place = 0;
    int error = !n || !addresses || !sizes || !locations || !first || !n_locations || flags ||
                        is_legacy(stream) || first[0] || n_locations > n
                    ? WSIMRT_INVALID_VALUE
                    : 0;
    for (size_t i = 0; i < n && !error; i++) {
        place += place + 1 < n_locations && first[place + 1] <= i;
        error =
            wsimrt_memory_prefetch(address_at(addresses, i), sizes[i], locations[place], stream);
        error = error == WSIMRT_INVALID_DEVICE ? WSIMRT_INVALID_VALUE : error;
    }
    return error;
}

/* The bytes of discarded memory have no meaning, so they may stay. */
int wsimrt_batch_discard(const void *addresses, const size_t *sizes, size_t n,
                         unsigned long long flags, struct wsimrt_stream *stream) {
    struct wsimrt_range range;
    int error = !n || !addresses || !sizes || flags || is_legacy(stream) ? WSIMRT_INVALID_VALUE : 0;
    for (size_t i = 0; i < n && !error; i++) {
        const uint64_t at = address_at(addresses, i);
        error = wsimrt_memory_of(at, &range);
        if (!error && (range.freed || range.kind != WSIMRT_MANAGED || !sizes[i] ||
                       sizes[i] > range.bytes - (at - range.base)))
            error = WSIMRT_INVALID_VALUE;
    }
    return error;
}
