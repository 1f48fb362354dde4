/* module.h - modules and their functions: module.c. */
#ifndef WSIM_RUNTIME_MODULE_H
#define WSIM_RUNTIME_MODULE_H

#include "runtime.h"

#include <wsim/kernel.h>

struct machine;

struct wsimrt_module {
    struct wsimrt_module *next;
    struct wsim_module *module;
    struct wsimrt_context *context;    /* NULL: a library */
    struct wsimrt_function *functions; /* with a handle */
    unsigned uses;                     /* launches that are queued, and the handle */
    struct machine *machine;           /* numbers of its machine code; NULL: unknown */
    char *lack;                        /* why kernels have no instructions; NULL: they have */
    uint8_t children;                  /* its kernels may launch others */
    unsigned most_registers;           /* of a thread, without bounds of the kernel; 0: any */
    char *limits;                      /* of registers, of single kernels too; NULL: none */
    int error;                         /* of a lazy library, whose module is NULL; 0: none */
};

struct repeat; /* launches that need not run: repeat.c */

struct wsimrt_function {
    struct wsimrt_function *next;
    struct wsimrt_module *module;
    const struct wsim_kernel *kernel;
    struct wsim_kernel_info info;
    int ptx_version;
    uint32_t registers;      /* of the machine code; 0: unknown */
    unsigned most_registers; /* of a thread, without bounds of its own; 0: any */
    int dynamic_shared;      /* most that a launch may ask for */
    int carveout, non_portable, policy;
    int cache;             /* CUfunc_cache; 0: that of the context */
    uint8_t wanted;        /* settings_wants */
    uint8_t warned;        /* stderr has named its problem */
    struct repeat *repeat; /* NULL: none */
};

/* The function of a kernel of a module, and the most threads of its blocks. */
int module_kernel(struct wsimrt_module *module, const struct wsim_kernel *kernel,
                  struct wsimrt_function **function);
uint32_t module_threads(const struct wsimrt_function *function);

/* The threads of a block that .maxntid or .reqntid allows; zeros: those of the device. */
uint32_t threads_within(const uint32_t bounds[3]);

/* Blocks that an SM holds at once, of `threads` threads with dynamic shared memory. */
int module_blocks(const struct wsimrt_function *function, uint32_t threads, size_t shared);

/* Registers of a thread. */
uint32_t module_registers(const struct wsimrt_function *function);

void module_leave(struct wsimrt_context *context);
void module_release(struct wsimrt_module *module);

#endif
