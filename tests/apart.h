/* apart.h - buffers whose addresses are no pointers of the host, as the runtime makes them. */
#ifndef TESTS_APART_H
#define TESTS_APART_H

#include "run.h"

#include <stdlib.h>

#include <wsim/kernel.h>

/* The first address; nothing of the host is mapped there. */
#define APART_BASE (UINT64_C(0x20) << 32)

/* Makes an uninitialised buffer at an address and returns its bytes, which the caller frees. */
static inline void *apart_buffer(struct wsim_device *device, const char *name, uint64_t address,
                                 uint64_t bytes) {
    void *owned = calloc(1, (size_t)bytes);
    ck_assert_ptr_nonnull(owned);
    ck_assert_int_eq(wsim_device_place_at(device, name, address, owned, bytes, 1, NULL), WSIM_OK);
    return owned;
}

#endif
