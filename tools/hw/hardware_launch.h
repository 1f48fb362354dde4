/* hardware_launch.h - whole kernels on the GPU: a module of PTX, memory, launches. Each function
 * returns NULL, or the error. One module at a time. */
#ifndef HW_HARDWARE_LAUNCH_H
#define HW_HARDWARE_LAUNCH_H

#include <stddef.h>
#include <stdint.h>
#include <wsim/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* PTX texts, each ended by a 0, linked if they are several. The previous module and its variables
 * are gone. */
const char *hw_module_load(const char *const *ptx, size_t n);

const char *hw_memory_make(uint64_t bytes, uint64_t *address);
void hw_memory_free(uint64_t address);
const char *hw_memory_write(uint64_t address, const void *bytes, uint64_t size);
const char *hw_memory_fill(uint64_t address, int byte, uint64_t size);
const char *hw_memory_read(uint64_t address, void *bytes, uint64_t size);

/* A variable of the module. */
const char *hw_module_symbol(const char *name, uint64_t *address, uint64_t *bytes);

/* The 128 bytes that the driver makes of the parameters of a map. */
const char *hw_tensor_encode(const struct wsim_tensor *tensor, void *map);

struct hw_grid {
    const char *kernel;                     /* NULL: the only one                                */
    uint32_t grid[3], block[3], cluster[3]; /* cluster 0: as the kernel says */
    uint32_t shared;
    int cooperative;
    void **args; /* a pointer to the bytes of each parameter, and how many they are */
    const uint32_t *bytes;
    size_t nargs;
};

/* Whether the kernel takes these parameters; then begins it, and waits for it. */
const char *hw_grid_run(const struct hw_grid *grid);

#ifdef __cplusplus
}
#endif
#endif
