/* bytes.h - windows of memory: whether bytes are in one, and numbers in little-endian order. */
#ifndef WSIM_COPY_BYTES_H
#define WSIM_COPY_BYTES_H

#include "../base/base.h"

#include <wsim/bulk.h>

/* Refuses bytes that are not all inside; `space` is "global" or "shared". */
enum wsim_status bytes_inside(const struct wsim_memory *memory, uint64_t address, uint64_t n,
                              const char *space, struct wsim_diag *diag);

/* Refuses memory that is not given. */
enum wsim_status bytes_need(const struct wsim_memory *memory, const char *space,
                            struct wsim_diag *diag);

/* Up to 8 bytes, which are inside. */
uint64_t bytes_get(const struct wsim_memory *memory, uint64_t address, unsigned n);
void bytes_put(const struct wsim_memory *memory, uint64_t address, unsigned n, uint64_t bits);

#endif
