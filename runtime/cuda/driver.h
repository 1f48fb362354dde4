/* driver.h - types of the driver API, by their public layout. No header of CUDA is needed to build
 * or to use the runtime. Handles are those of the core. Source: CUDA driver API 13.0. */
#ifndef WSIM_RUNTIME_DRIVER_H
#define WSIM_RUNTIME_DRIVER_H

#include "core/runtime.h"

/* A function that programs call. */
#define CU WSIMRT_API int

typedef struct wsimrt_context *CUcontext;
typedef struct wsimrt_module *CUmodule;
typedef struct wsimrt_function *CUfunction;
typedef struct wsimrt_stream *CUstream;
typedef struct wsimrt_event *CUevent;
typedef uint64_t CUdeviceptr;
typedef int CUdevice;

/* The error of a thread without a context, or with one that is gone. */
static inline int driver_context(void) {
    struct wsimrt_context_info info;
    return wsimrt_context_info(NULL, &info);
}

/* Types of memory. */
enum { MEMORY_HOST = 1, MEMORY_DEVICE, MEMORY_ARRAY, MEMORY_UNIFIED };

/* One side of a copy of two dimensions; the whole is CUDA_MEMCPY2D. */
struct side_2d {
    size_t x, y;
    unsigned type;
    const void *host;
    CUdeviceptr device;
    void *array;
    size_t pitch;
};
struct memcpy_2d {
    struct side_2d from, to;
    size_t width, height;
};

/* CUDA_MEMCPY3D, and CUDA_MEMCPY3D_PEER, which has a context in the place of `reserved`. */
struct side_3d {
    size_t x, y, z, level;
    unsigned type;
    const void *host;
    CUdeviceptr device;
    void *array, *reserved;
    size_t pitch, height;
};
struct memcpy_3d {
    struct side_3d from, to;
    size_t width, height, depth;
};

/* The copy that a box describes. */
int copy_of_box(const struct memcpy_3d *box, struct wsimrt_copy *how);

/* CUlaunchAttribute and CUlaunchConfig. */
struct launch_attribute {
    unsigned id;
    char pad[4];
    union {
        char bytes[64];
        int number;
        uint32_t three[3];
        CUevent event;
    } value;
};
struct launch_config {
    unsigned grid[3], block[3], shared;
    CUstream stream;
    struct launch_attribute *attributes;
    unsigned n;
};
enum {
    ATTRIBUTE_COOPERATIVE = 2,
    ATTRIBUTE_CLUSTER = 4,
    ATTRIBUTE_PROGRAMMATIC_STREAM = 6,
    ATTRIBUTE_PROGRAMMATIC_EVENT = 7,
    ATTRIBUTE_PREFERRED = 11,
    ATTRIBUTE_COMPLETION_EVENT = 12
};

#endif
