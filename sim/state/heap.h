/* heap.h - malloc of kernels: a buffer of the device from which pieces are given out. */
#ifndef WSIM_STATE_HEAP_H
#define WSIM_STATE_HEAP_H

#include "run.h"

/* The heap of a device, made before the first launch of a kernel that calls malloc. */
enum wsim_status heap_make(struct wsim_device *device, struct wsim_diag *diag);

/* An address, 0 if the heap is full; whether an address was given out, and is free now. */
uint64_t heap_take(struct run_launch *launch, uint64_t bytes);
int heap_give(struct run_launch *launch, uint64_t address);

#endif
