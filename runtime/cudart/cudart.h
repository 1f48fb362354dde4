/* cudart.h - types of the runtime API, by their public layout, and what its files share. Source:
 * CUDA Runtime API 13.0; code that nvcc 13.0 generates for registration and launches. */
#ifndef WSIM_RUNTIME_CUDART_H
#define WSIM_RUNTIME_CUDART_H

#include "core/runtime.h"

/* A function that programs call. */
#define RT WSIMRT_API int

typedef struct wsimrt_stream *cudaStream_t;
typedef struct wsimrt_event *cudaEvent_t;
struct wsimrt_graph;

struct dim3 {
    unsigned x, y, z;
};
struct extent {
    size_t width, height, depth;
};
struct position {
    size_t x, y, z;
};
struct pitched {
    void *address;
    size_t pitch, width, height;
};
struct copy_side {
    void *array;
    struct position at;
    struct pitched memory;
};
struct copy_3d { /* cudaMemcpy3DParms */
    struct copy_side from, to;
    struct extent extent;
    int kind;
};
struct peer_side {
    void *array;
    struct position at;
    struct pitched memory;
    int device;
};
struct copy_3d_peer { /* cudaMemcpy3DPeerParms */
    struct peer_side from, to;
    struct extent extent;
};
struct launch_attribute {
    unsigned id;
    char pad[4];
    union {
        char bytes[64];
        int number;
        unsigned three[3];
        cudaEvent_t event;
    } value;
};
struct launch_config { /* cudaLaunchConfig_t */
    struct dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    struct launch_attribute *attributes;
    unsigned n;
};
struct function_attributes { /* cudaFuncAttributes */
    size_t shared, constant, local;
    int threads, registers, ptx, binary, cache, dynamic_shared, carveout, cluster_must;
    int cluster[3], policy, non_portable, reserved[16];
};

/* Errors that the driver API does not have. */
enum {
    RT_INVALID_CONFIGURATION = 9,
    RT_INVALID_PITCH = 12,
    RT_INVALID_SYMBOL = 13,
    RT_INVALID_DIRECTION = 21,
    RT_MISSING_CONFIGURATION = 52,
    RT_INVALID_FUNCTION = 98
};

/* --- state.c --- */

/* Notes an error as the last one of the thread and returns it. */
int rt_note(int error);

/* Makes the primary context of the thread's device current, if the thread has no context. */
int rt_need(void);

/* rt_note(rt_need() or CALL). */
#define RT_CALL(call)                                                                              \
    do {                                                                                           \
        const int rt_error_ = rt_need();                                                           \
        return rt_note(rt_error_ ? rt_error_ : (call));                                            \
    } while (0)

/* The device of the thread. */
int rt_device(void);
/* The primary context of a device, retained. After a sticky error it is the one that is there. */
int rt_primary(int device, struct wsimrt_context **context);

/* --- registry.c --- */

/* The function behind a host function or a kernel handle; loads its fat binary at the first use. */
int rt_function(const void *host, struct wsimrt_function **function);
/* The address of the host for a kernel that was used by it; else the handle itself. */
void *rt_host_of(struct wsimrt_function *function);

/* The address and size of a variable in the current context. */
int rt_symbol(const void *host, uint64_t *address, uint64_t *bytes);

/* --- memory.c --- */

/* The side that a cudaMemcpyKind calls a device's must be such memory. */
int rt_check_kind(const struct wsimrt_copy *copy, int kind);

/* The box of a copy. */
int rt_copy_box(const struct copy_3d *params, struct wsimrt_copy *copy);

/* The address of `bytes` bytes at `offset` in a variable. */
int rt_symbol_part(const void *symbol, size_t bytes, size_t offset, uint64_t *address);

/* --- launch.c --- */

enum {
    RT_ATTRIBUTE_COOPERATIVE = 2,
    RT_ATTRIBUTE_CLUSTER = 4,
    RT_ATTRIBUTE_PROGRAMMATIC_STREAM = 6,
    RT_ATTRIBUTE_PROGRAMMATIC_EVENT = 7,
    RT_ATTRIBUTE_PRIORITY = 8,
    RT_ATTRIBUTE_PREFERRED = 11,
    RT_ATTRIBUTE_COMPLETION_EVENT = 12
};

#endif
