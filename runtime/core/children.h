/* children.h - kernels that kernels launch: the runtime of the device.
 *
 * Its functions are PTX (children.ptx), which is linked to modules that call them. They put
 * launches, copies and fills into memory of the context. After the kernel, these become the next
 * work of its stream: in the order of the calls, and launches for the tail last. This is one of the
 * orders that CUDA allows, because a kernel cannot wait for what it launched. */
#ifndef WSIM_RUNTIME_CHILDREN_H
#define WSIM_RUNTIME_CHILDREN_H

#include "state.h"

/* The beginning of the memory: what the PTX reads and writes, at these offsets. */
struct children_memory {
    uint64_t used, room; /* bytes of entries                                                    */
    uint64_t entries;    /* address of the first one                                            */
    uint64_t error;      /* the last one; its high word is the number of the thread             */
    uint32_t sequence;   /* entries that were launched                                          */
    uint32_t handles;    /* streams and events that were made                                   */
    uint32_t device, devices;
    uint64_t kernels; /* address of struct children_kernel                                   */
    uint32_t n_kernels, version;
    uint64_t attributes; /* pairs of int: whether it is there, and its value                    */
    uint32_t n_attributes, n_texts;
    uint64_t texts;  /* address of struct children_text                                     */
    uint64_t limits; /* uint64_t of each                                                    */
    uint32_t n_limits, unused;
    uint32_t sm_shared, binary;             /* bytes of an SM; the architecture, 90               */
    uint32_t block_shared, reserved_shared; /* bytes at most; and of each block beside its own    */
};

struct children_kernel {
    uint64_t address;
    uint32_t params, threads, shared;
    uint32_t fixed, constant, local, registers, ptx; /* as cudaFuncGetAttributes has them */
    uint8_t blocks[32]; /* on an SM, by the warps of a block less one; without shared memory   */
};

struct children_text {
    uint64_t name, text;
    uint32_t error, unused;
};

/* A launch, copy or fill; its parameters follow. */
struct children_entry {
    uint32_t bytes; /* with all that follows                                              */
    uint32_t begun; /* 1: launched                                                        */
    uint64_t what;  /* a kernel, CHILDREN_COPY, CHILDREN_FILL, CHILDREN_GRAPH             */
    uint32_t grid[3], block[3];
    uint32_t shared;
    uint32_t sequence;
    uint64_t stream;
    uint64_t from; /* the block that asks                                                */
};

enum {
    CHILDREN_COPY = 1,
    CHILDREN_FILL = 2,
    CHILDREN_TAIL = 3,
    CHILDREN_FORGET = 4,
    CHILDREN_GRAPH = 5
};

/* Its text: children.ptx. */
extern const char children_text[], grid_text[];
extern const size_t children_bytes, grid_bytes;

/* Makes the work of a launch that the kernel of another one asked for. */
typedef int children_launch(struct work *parent, const struct children_entry *entry,
                            struct work **made);

/* Before and after a launch of a module with children. begin: 0 if another launch of the context
 * has to end first, -1 if there is no memory. end: errors of the context. `list`: work that follows
 * in the stream. */
int children_begin(struct work *work);
int children_end(struct work *work, children_launch *launch, struct work **list);

/* The launch is over. */
void children_drop(struct work *work);

/* Frees the memory of a context. */
void children_free(struct wsimrt_context *context);

#endif
