/* malloc of kernels. A table beside the heap, which kernels
 * cannot reach, records the pieces given out. A free grain lies between any two pieces. Freed
 * pieces are not given out again until nothing else is left, so an access to one is seen. */
#include "heap.h"

#include "device.h"
#include "launch.h"

#include <stdlib.h>

#define GRAIN 16u
#define NEAR 64u /* grains after a piece that are said to be after it */

static void lock(struct run_shared *shared) {
    while (atomic_flag_test_and_set_explicit(&shared->atomics, memory_order_acquire)) {
    }
}

static void unlock(struct run_shared *shared) {
    atomic_flag_clear_explicit(&shared->atomics, memory_order_release);
}

static uint32_t grains_in(const struct wsim_device *device) {
    return (uint32_t)(device->heap_bytes / GRAIN);
}

enum wsim_status wsim_device_heap(struct wsim_device *device, uint64_t bytes,
                                  struct wsim_diag *diag) {
    const uint64_t whole = bytes / GRAIN * GRAIN;
    if (device->heap)
        return base_refuse(diag, RULE_MEMORY_HEAP_SIZE, 0, "the heap is in use");
    if (!whole || whole / GRAIN >= UINT32_MAX)
        return base_refuse(diag, RULE_MEMORY_HEAP_SIZE, 0, "a heap of %llu bytes",
                           (unsigned long long)bytes);
    free(device->pieces);
    free(device->inside);
    device->pieces = NULL;
    device->inside = NULL;
    device->heap_bytes = whole;
    return WSIM_OK;
}

enum wsim_status heap_make(struct wsim_device *device, struct wsim_diag *diag) {
    enum wsim_status status;
    if (device->heap)
        return WSIM_OK;
    if (!device->heap_bytes)
        device->heap_bytes = ISA_HEAP_BYTES;
    if (!device->pieces)
        device->pieces = calloc(grains_in(device), sizeof *device->pieces);
    if (!device->inside)
        device->inside = calloc(grains_in(device), sizeof *device->inside);
    if (!device->pieces || !device->inside)
        return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory for a heap");
    status = wsim_device_alloc(device, "heap", device->heap_bytes, 256, &device->heap, diag);
    return status;
}

static uint32_t grains_of(uint64_t bytes) {
    return (uint32_t)((bytes + GRAIN - 1) / GRAIN);
}

/* The first of `grains` free grains from .. to - 1, with a free one after them; NO_GRAIN: none. */
#define NO_GRAIN UINT32_MAX
static uint32_t find(const struct wsim_device *device, uint32_t from, uint32_t to,
                     uint32_t grains) {
    uint32_t begin = from, at = from;
    while (at < to) {
        const struct heap_piece *piece = &device->pieces[at];
        if (piece->bytes) {
            at += grains_of(piece->bytes) + 1;
            begin = at;
        } else if (++at - begin == grains + 1) {
            return begin;
        }
    }
    return NO_GRAIN;
}

/* Freed pieces become free grains. */
static void purge(struct wsim_device *device) {
    for (uint32_t at = 0; at < grains_in(device); at++) {
        struct heap_piece *piece = &device->pieces[at];
        if (!piece->bytes || !piece->freed)
            continue;
        memset(device->inside + at, 0, grains_of(piece->bytes) * sizeof *device->inside);
        *piece = (struct heap_piece){0};
    }
}

static uint32_t place_for(struct wsim_device *device, uint32_t grains) {
    const uint32_t all = grains_in(device);
    uint32_t at = find(device, device->next_piece, all, grains);
    if (at == NO_GRAIN)
        at = find(device, 0, all, grains);
    if (at != NO_GRAIN)
        return at;
    purge(device);
    return find(device, 0, all, grains);
}

uint64_t heap_take(struct run_launch *launch, uint64_t bytes, uint32_t op) {
    struct wsim_device *device = launch->device;
    uint32_t grains, at;
    if (bytes > device->heap_bytes || bytes > UINT32_MAX - GRAIN)
        return 0;
    bytes = bytes ? bytes : 1;
    grains = grains_of(bytes);
    lock(launch->shared);
    at = place_for(device, grains);
    if (at != NO_GRAIN) {
        device->pieces[at] =
            (struct heap_piece){.bytes = (uint32_t)bytes, .op = op, .launch = device->heap_launch};
        for (uint32_t i = 0; i < grains; i++)
            device->inside[at + i] = at + 1;
        device->next_piece = at + grains + 1 < grains_in(device) ? at + grains + 1 : 0;
    }
    unlock(launch->shared);
    return at != NO_GRAIN ? device->heap + (uint64_t)at * GRAIN : 0;
}

int heap_give(struct run_launch *launch, uint64_t address) {
    struct wsim_device *device = launch->device;
    uint64_t offset = address - device->heap;
    struct heap_piece *piece;
    int given;
    if (!device->heap || offset >= device->heap_bytes || offset % GRAIN)
        return 0;
    lock(launch->shared);
    piece = &device->pieces[offset / GRAIN];
    given = piece->bytes && !piece->freed;
    piece->freed = piece->bytes != 0;
    unlock(launch->shared);
    return given;
}

const struct heap_piece *heap_piece_at(const struct wsim_device *device, uint64_t address,
                                       uint64_t *base) {
    const uint32_t at = (uint32_t)((address - device->heap) / GRAIN);
    for (uint32_t i = at;; i--) {
        const uint32_t inside = device->inside[i];
        if (inside) {
            *base = device->heap + (uint64_t)(inside - 1) * GRAIN;
            return &device->pieces[inside - 1];
        }
        if (!i || at - i == NEAR)
            return NULL;
    }
}

void heap_left(const struct run_launch *launch,
               void (*found)(void *context, const struct heap_piece *piece, uint64_t base),
               void *context) {
    const struct wsim_device *device = launch->device;
    for (uint32_t at = 0; device->pieces && at < grains_in(device); at++) {
        const struct heap_piece *piece = &device->pieces[at];
        if (piece->bytes && !piece->freed && piece->launch == device->heap_launch)
            found(context, piece, device->heap + (uint64_t)at * GRAIN);
        if (piece->bytes)
            at += grains_of(piece->bytes);
    }
}
