/* malloc of kernels. The heap has the default size of a GPU. A table beside it, which kernels
 * cannot reach, records the pieces given out. A free grain lies between any two pieces. Freed
 * pieces are not given out again until nothing else is left, so an access to one is seen. */
#include "heap.h"

#include "device.h"
#include "launch.h"

#include <stdlib.h>

#define GRAIN 16u
#define GRAINS (ISA_HEAP_BYTES / GRAIN)
#define NEAR 64u /* grains after a piece that are said to be after it */

static void lock(struct run_shared *shared) {
    while (atomic_flag_test_and_set_explicit(&shared->atomics, memory_order_acquire)) {
    }
}

static void unlock(struct run_shared *shared) {
    atomic_flag_clear_explicit(&shared->atomics, memory_order_release);
}

enum wsim_status heap_make(struct wsim_device *device, struct wsim_diag *diag) {
    enum wsim_status status;
    if (device->heap)
        return WSIM_OK;
    if (!device->pieces)
        device->pieces = calloc(GRAINS, sizeof *device->pieces);
    if (!device->inside)
        device->inside = calloc(GRAINS, sizeof *device->inside);
    if (!device->pieces || !device->inside)
        return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory for a heap");
    status = wsim_device_alloc(device, "heap", ISA_HEAP_BYTES, 256, &device->heap, diag);
    return status;
}

static uint32_t grains_of(uint64_t bytes) {
    return (uint32_t)((bytes + GRAIN - 1) / GRAIN);
}

/* The first of `grains` free grains from .. to - 1, with a free one after them; GRAINS: none. */
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
    return GRAINS;
}

/* Freed pieces become free grains. */
static void purge(struct wsim_device *device) {
    for (uint32_t at = 0; at < GRAINS; at++) {
        struct heap_piece *piece = &device->pieces[at];
        if (!piece->bytes || !piece->freed)
            continue;
        memset(device->inside + at, 0, grains_of(piece->bytes) * sizeof *device->inside);
        *piece = (struct heap_piece){0};
    }
}

static uint32_t place_for(struct wsim_device *device, uint32_t grains) {
    uint32_t at = find(device, device->next_piece, GRAINS, grains);
    if (at == GRAINS)
        at = find(device, 0, GRAINS, grains);
    if (at < GRAINS)
        return at;
    purge(device);
    return find(device, 0, GRAINS, grains);
}

uint64_t heap_take(struct run_launch *launch, uint64_t bytes, uint32_t op) {
    struct wsim_device *device = launch->device;
    uint32_t grains, at;
    if (bytes > ISA_HEAP_BYTES)
        return 0;
    bytes = bytes ? bytes : 1;
    grains = grains_of(bytes);
    lock(launch->shared);
    at = place_for(device, grains);
    if (at < GRAINS) {
        device->pieces[at] =
            (struct heap_piece){.bytes = (uint32_t)bytes, .op = op, .launch = device->heap_launch};
        for (uint32_t i = 0; i < grains; i++)
            device->inside[at + i] = at + 1;
        device->next_piece = at + grains + 1 < GRAINS ? at + grains + 1 : 0;
    }
    unlock(launch->shared);
    return at < GRAINS ? device->heap + (uint64_t)at * GRAIN : 0;
}

int heap_give(struct run_launch *launch, uint64_t address) {
    struct wsim_device *device = launch->device;
    uint64_t offset = address - device->heap;
    struct heap_piece *piece;
    int given;
    if (!device->heap || offset >= ISA_HEAP_BYTES || offset % GRAIN)
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
    for (uint32_t at = 0; device->pieces && at < GRAINS; at++) {
        const struct heap_piece *piece = &device->pieces[at];
        if (piece->bytes && !piece->freed && piece->launch == device->heap_launch)
            found(context, piece, device->heap + (uint64_t)at * GRAIN);
        if (piece->bytes)
            at += grains_of(piece->bytes);
    }
}
