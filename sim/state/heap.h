/* heap.h - malloc of kernels: a buffer of the device from which pieces are given out. */
#ifndef WSIM_STATE_HEAP_H
#define WSIM_STATE_HEAP_H

#include "run.h"

/* A piece; its first grain is its index in the device's table. */
struct heap_piece {
    uint32_t bytes; /* of the call, at least 1; 0: no piece begins here */
    uint32_t op;    /* of malloc                                        */
    uint32_t launch;
    uint8_t freed; /* its grains are not given out again for a while   */
};

/* The heap of a device, made before the first launch of a kernel that calls malloc. */
enum wsim_status heap_make(struct wsim_device *device, struct wsim_diag *diag);

/* An address, 0 if the heap is full; whether an address was given out, and is free now. */
uint64_t heap_take(struct run_launch *launch, uint64_t bytes, uint32_t op);
int heap_give(struct run_launch *launch, uint64_t address);

/* The piece that an address lies in, or after; NULL: none. *base: its first address. */
const struct heap_piece *heap_piece_at(const struct wsim_device *device, uint64_t address,
                                       uint64_t *base);

/* Calls `found` for each piece that this launch took and did not free. */
void heap_left(const struct run_launch *launch,
               void (*found)(void *context, const struct heap_piece *piece, uint64_t base),
               void *context);

#endif
