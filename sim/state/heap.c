/* malloc of kernels. The heap has the default size of a GPU. A table beside it, which kernels
 * cannot reach, records the pieces given out. */
#include "heap.h"

#include "device.h"
#include "launch.h"

#include <stdlib.h>

#define GRAIN 16u
#define GRAINS (ISA_HEAP_BYTES / GRAIN)

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
    device->pieces = calloc(GRAINS, sizeof *device->pieces);
    if (!device->pieces)
        return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory for a heap");
    status = wsim_device_alloc(device, "heap", ISA_HEAP_BYTES, 256, &device->heap, diag);
    return status;
}

/* pieces[g]: how many grains the piece has that begins at grain g; 0: free, or inside of one. The
 * search goes on behind where the last piece was found. */
static uint32_t find(const uint32_t *pieces, uint32_t from, uint32_t to, uint32_t grains) {
    uint32_t begin = from, at = from;
    while (at < to) {
        if (pieces[at]) {
            at += pieces[at];
            begin = at;
        } else if (++at - begin == grains) {
            return begin;
        }
    }
    return GRAINS;
}

uint64_t heap_take(struct run_launch *launch, uint64_t bytes) {
    struct wsim_device *device = launch->device;
    uint32_t grains, at;
    if (bytes > ISA_HEAP_BYTES)
        return 0;
    grains = bytes ? ((uint32_t)bytes + GRAIN - 1) / GRAIN : 1;
    lock(launch->shared);
    at = find(device->pieces, device->next_piece, GRAINS, grains);
    if (at == GRAINS)
        at = find(device->pieces, 0, GRAINS, grains);
    if (at < GRAINS) {
        device->pieces[at] = grains;
        device->next_piece = at + grains;
    }
    unlock(launch->shared);
    return at < GRAINS ? device->heap + (uint64_t)at * GRAIN : 0;
}

int heap_give(struct run_launch *launch, uint64_t address) {
    struct wsim_device *device = launch->device;
    uint64_t offset = address - device->heap;
    int given;
    if (!device->heap || offset >= ISA_HEAP_BYTES || offset % GRAIN)
        return 0;
    lock(launch->shared);
    given = device->pieces[offset / GRAIN] != 0;
    device->pieces[offset / GRAIN] = 0;
    device->next_piece = 0;
    unlock(launch->shared);
    return given;
}
