/* Advice about managed memory changes no result. It is kept, because programs may ask for it. */
#include "state.h"

#include <stdlib.h>

enum { CPU = -1, NOWHERE = -2 };

/* An allocation that got advice. */
struct advised {
    struct advised *next;
    uint64_t id; /* of the allocation */
    int read_mostly, host, of_pool;
    struct wsimrt_location preferred, last;
    uint32_t accessed; /* a bit for each device */
};

/* The advice of an allocation, made if it is new; NULL: no memory. A managed pool has preferred
 * places. */
static struct advised *find(const struct allocation *allocation) {
    const uint64_t id = allocation->id;
    struct advised *at = core.advised;
    while (at && at->id != id)
        at = at->next;
    if (!at && (at = calloc(1, sizeof *at))) {
        at->id = id;
        at->preferred.id = at->last.id = NOWHERE;
        at->of_pool = allocation->pool != NULL;
        if (at->of_pool && allocation->pool->kind.location.type)
            at->preferred = allocation->pool->kind.location;
        at->next = core.advised;
        core.advised = at;
    }
    return at;
}

/* The advice of managed memory. */
static int enter(uint64_t address, uint64_t bytes, struct advised **advised) {
    const int error = core_enter(NULL);
    const struct allocation *const found = memory_find(address, bytes);
    if (error)
        return error;
    if (!bytes || !found || (!found->managed && found->kind != WSIMRT_MANAGED))
        return WSIMRT_INVALID_VALUE;
    *advised = find(found);
    return *advised ? 0 : WSIMRT_OUT_OF_MEMORY;
}

static int check_location(const struct wsimrt_location *location) {
    if (location->type == WSIMRT_AT_DEVICE &&
        (location->id < 0 || location->id >= core.settings.devices))
        return WSIMRT_INVALID_DEVICE;
    return location->type ? 0 : WSIMRT_INVALID_VALUE;
}

static void take(struct advised *advised, int advice, const struct wsimrt_location *location) {
    const uint32_t bit = location->type == WSIMRT_AT_DEVICE ? UINT32_C(1) << location->id : 0;
    switch (advice) {
    case 1:
    case 2: advised->read_mostly = advice == 1; break;
    case 3: advised->preferred = *location; break;
    case 4: advised->preferred = (struct wsimrt_location){0, NOWHERE}; break;
    case 5:
        advised->accessed |= bit;
        advised->host |= location->type != WSIMRT_AT_DEVICE;
        break;
    default: advised->accessed &= ~bit; advised->host &= location->type == WSIMRT_AT_DEVICE;
    }
}

int wsimrt_memory_advise(uint64_t address, uint64_t bytes, int advice,
                         struct wsimrt_location location) {
    struct advised *advised = NULL;
    int error = advice < 1 || advice > 6 ? WSIMRT_INVALID_VALUE : wsimrt_capture_refuses();
    if (error)
        return error;
    error = enter(address, bytes, &advised);
    if (!error && advice != 1 && advice != 2 && advice != 4 && check_location(&location))
        error = WSIMRT_INVALID_VALUE;
    if (!error && memory_find(address, 1)->pool) /* as on an H200 (driver 580) */
        error = WSIMRT_NOT_SUPPORTED;
    if (!error)
        take(advised, advice, &location);
    return core_leave(error);
}

int wsimrt_memory_prefetch(uint64_t address, uint64_t bytes, struct wsimrt_location location,
                           struct wsimrt_stream *stream) {
    struct wsimrt_stream_info info;
    struct advised *advised = NULL;
    int error = wsimrt_stream_info(stream, &info);
    if (!error && !location.type) /* before a capture is spoilt */
        error = WSIMRT_INVALID_VALUE;
    error = error ? error : wsimrt_stream_asked(stream, 1);
    if (error)
        return error;
    if (bytes && check_location(&location) == WSIMRT_INVALID_DEVICE)
        return WSIMRT_INVALID_DEVICE;
    error = enter(address, bytes, &advised);
    error = error ? error : check_location(&location);
    if (!error)
        advised->last = location;
    return core_leave(error);
}

/* --- questions --- */

/* As CUDA says it: a device, -1 the host, -2 nowhere. */
static int place_of(const struct wsimrt_location *location) {
    if (location->type > WSIMRT_AT_DEVICE)
        return CPU;
    return location->type == WSIMRT_AT_DEVICE ? location->id : NOWHERE;
}

static int answer(void *out, size_t bytes, int attribute, const struct advised *advised) {
    const struct wsimrt_location *const location =
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
    } else if (attribute == 6 && advised->of_pool) {
        numbers[0] = location->id;
    } else {
        numbers[0] = place_of(location);
    }
    return 0;
}

int wsimrt_memory_advice(void *out, size_t size, int attribute, uint64_t address, uint64_t bytes) {
    struct advised *advised = NULL;
    int error = enter(address, bytes, &advised);
    error = error ? error : answer(out, size, attribute, advised);
    return core_leave(error);
}
