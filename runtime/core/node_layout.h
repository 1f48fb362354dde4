/* node_layout.h - parameters of graph nodes as programs hold them. Both APIs of CUDA have these
 * structs, with other names and the same places. */
#ifndef WSIM_RUNTIME_NODE_LAYOUT_H
#define WSIM_RUNTIME_NODE_LAYOUT_H

#include "graph.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wsimrt_launch_layout { /* CUDA_KERNEL_NODE_PARAMS, cudaKernelNodeParams */
    void *function;           /* cudaKernelNodeParams: the function of the host */
    unsigned grid[3], block[3], shared;
    void **params, **extra;
};
struct wsimrt_fill_layout { /* CUDA_MEMSET_NODE_PARAMS, cudaMemsetParams */
    uint64_t to;
    size_t pitch;
    unsigned value, size;
    size_t width, height;
};
struct wsimrt_call_layout { /* CUDA_HOST_NODE_PARAMS, cudaHostNodeParams */
    void (*function)(void *data);
    void *data;
};
struct wsimrt_alloc_layout {             /* CUDA_MEM_ALLOC_NODE_PARAMS, cudaMemAllocNodeParams */
    int type, handles, location, device; /* of CUmemPoolProps */
    unsigned char rest[72];
    const struct wsimrt_access *access;
    size_t n_access, bytes;
    uint64_t address;
};
struct wsimrt_ops_layout { /* CUDA_BATCH_MEM_OP_NODE_PARAMS */
    void *context;
    unsigned count;
    const struct wsimrt_op *list;
    unsigned flags;
};
struct wsimrt_node_layout { /* CUgraphNodeParams, cudaGraphNodeParams */
    int kind, reserved[3];
    union {
        long long padding[29];
        struct {
            struct wsimrt_launch_layout launch;
            void *kernel, *context; /* of the driver alone */
        } kernel;
        struct {
            int reserved[4];
            long long box[27]; /* CUDA_MEMCPY3D, cudaMemcpy3DParms: these differ */
        } copy;
        struct wsimrt_fill_layout fill;
        struct wsimrt_call_layout call;
        struct {
            struct wsimrt_graph *graph;
            int ownership;
        } child;
        struct wsimrt_event *event;
        struct wsimrt_alloc_layout alloc;
        uint64_t address;
        struct wsimrt_ops_layout ops; /* of the driver alone */
        struct {
            uint64_t handle;
            int type;
            unsigned count;
            struct wsimrt_graph **bodies;
            void *context;
        } condition;
    } is;
    long long reserved2;
};

/* Checks the fields that every kind has. Errors: WSIMRT_INVALID_VALUE (NULL, reserved fields). */
WSIMRT_API int wsimrt_node_layout_check(const struct wsimrt_node_layout *from);

/* Read what a program gives. Errors: WSIMRT_INVALID_VALUE (NULL, or a value that no node has). */
WSIMRT_API int wsimrt_node_of_launch(const struct wsimrt_launch_layout *from,
                                     struct wsimrt_function *function,
                                     struct wsimrt_node_params *to);
WSIMRT_API int wsimrt_node_of_fill(const struct wsimrt_fill_layout *from,
                                   struct wsimrt_node_params *to);
WSIMRT_API int wsimrt_node_of_call(const struct wsimrt_call_layout *from,
                                   struct wsimrt_node_params *to);

WSIMRT_API int wsimrt_node_of_alloc(const struct wsimrt_alloc_layout *from,
                                    struct wsimrt_node_params *to);

/* The same of any kind but kernels and copies, which the two APIs describe in their own words.
 * Errors also: WSIMRT_NOT_SUPPORTED (semaphores of other APIs). */
WSIMRT_API int wsimrt_node_of(const struct wsimrt_node_layout *from, struct wsimrt_node_params *to);

/* Writes what a new node answers: an address, or bodies. */
WSIMRT_API void wsimrt_node_answer(const struct wsimrt_node_params *from,
                                   struct wsimrt_node_layout *to);

/* The parameters of a node for the program. */
WSIMRT_API struct wsimrt_launch_layout wsimrt_launch_of_node(const struct wsimrt_node_params *from);
WSIMRT_API struct wsimrt_alloc_layout wsimrt_alloc_of_node(const struct wsimrt_node_params *from);
WSIMRT_API struct wsimrt_fill_layout wsimrt_fill_of_node(const struct wsimrt_node_params *from);

#ifdef __cplusplus
}
#endif
#endif
