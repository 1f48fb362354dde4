/* kernel_parts.h - common functions of the examples with whole kernels: a module on a device.
 * A refusal ends the program. */
#ifndef KERNEL_PARTS_H
#define KERNEL_PARTS_H

#include <wsim/kernel.h>

struct parts {
    struct wsim_module *module;
    struct wsim_device *device;
};

/* Loads examples/kernels/NAME.ptx for a device of `arch`. */
struct parts parts_open(const char *name, const char *arch);
void parts_close(struct parts *parts);

/* A buffer that holds `from` (NULL: zeros). */
uint64_t parts_buffer(struct parts *parts, const char *name, const void *from, uint64_t bytes);
void parts_read(struct parts *parts, uint64_t address, void *to, uint64_t bytes);

/* A map of a matrix of `rows` x `cols` elements, `pitch` bytes a row. */
struct wsim_tensor_map parts_map(enum wsim_tensor_type type, uint64_t base, unsigned rows,
                                 unsigned cols, unsigned pitch, enum wsim_swizzle swizzle,
                                 unsigned box_rows, unsigned box_cols);

/* Launches with all checks; prints the findings and returns the costs. */
struct wsim_totals parts_run(struct parts *parts, const char *kernel, unsigned x, unsigned y,
                             unsigned threads, const void *params, uint32_t bytes);

#endif
