/* graph.h - graphs of work: nodes, edges, capture of streams, and graphs that launch. The rules of
 * runtime.h hold for all functions. */
#ifndef WSIM_RUNTIME_GRAPH_H
#define WSIM_RUNTIME_GRAPH_H

#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wsimrt_graph;
struct wsimrt_node;
struct wsimrt_exec;

/* Numbers of CUgraphNodeType and cudaGraphNodeType. */
enum wsimrt_node_kind {
    WSIMRT_NODE_KERNEL,
    WSIMRT_NODE_COPY,
    WSIMRT_NODE_FILL,
    WSIMRT_NODE_CALL,
    WSIMRT_NODE_GRAPH,
    WSIMRT_NODE_EMPTY,
    WSIMRT_NODE_WAIT,
    WSIMRT_NODE_RECORD,
    WSIMRT_NODE_ALLOC = 10,
    WSIMRT_NODE_FREE = 11,
    WSIMRT_NODE_OPS = 12,
    WSIMRT_NODE_CONDITION = 13
};

/* Numbers of CUgraphConditionalNodeType. */
enum wsimrt_condition { WSIMRT_IF, WSIMRT_WHILE, WSIMRT_SWITCH };

/* A node does this. Only the fields of its kind matter. */
struct wsimrt_node_params {
    enum wsimrt_node_kind kind;
    int note;                    /* of the caller: it comes back                                  */
    int wrong;                   /* ALLOC: an error of its parameters, which edges come before    */
    struct wsimrt_launch launch; /* KERNEL; its stream does not matter                            */
    int32_t attributes[17];      /* KERNEL: launch_attribute.def                                  */
    struct wsimrt_copy copy;
    int sides; /* COPY: the types of memory that the program named; 0: addresses say it         */
    struct wsimrt_fill fill;
    struct {
        void (*function)(void *data);
        void *data;
    } call;
    struct wsimrt_graph *child; /* GRAPH: copied into the node; of a node, the copy              */
    int moves; /* GRAPH: 0 a copy, 1 the node owns `child`, else a copy that may have memory      */
    struct wsimrt_event *event; /* WAIT, RECORD                                                  */
    uint64_t address, bytes;    /* ALLOC: the address is an answer; FREE                         */
    struct {
        const struct wsimrt_op *list; /* OPS: copied into the node                              */
        unsigned n;
        void *context; /* of the caller: it comes back                                          */
    } ops;
    struct {
        uint64_t handle;
        unsigned type;  /* enum wsimrt_condition                                                */
        unsigned count; /* of bodies                                                            */
        struct wsimrt_graph **bodies; /* made with the node                                    */
    } condition;
};

/* The bytes of CUgraphEdgeData: when the edge begins and where it ends. */
struct wsimrt_edge_data {
    uint8_t bytes[8];
};

WSIMRT_API int wsimrt_graph_make(struct wsimrt_graph **graph);
WSIMRT_API int wsimrt_graph_destroy(struct wsimrt_graph *graph);
WSIMRT_API int wsimrt_graph_clone(struct wsimrt_graph *graph, struct wsimrt_graph **clone);

/* An object of the program, with a number of uses: `destroy` runs when the last one is given back.
 * A graph keeps uses until it ends. Errors: WSIMRT_INVALID_VALUE, WSIMRT_OUT_OF_MEMORY. */
struct wsimrt_user;
WSIMRT_API int wsimrt_user_make(struct wsimrt_user **user, void *data, void (*destroy)(void *data),
                                unsigned uses, unsigned flags);
WSIMRT_API int wsimrt_user_retain(struct wsimrt_user *user, unsigned n);
WSIMRT_API int wsimrt_user_release(struct wsimrt_user *user, unsigned n);
WSIMRT_API int wsimrt_graph_retain(struct wsimrt_graph *graph, struct wsimrt_user *user, unsigned n,
                                   unsigned flags);
WSIMRT_API int wsimrt_graph_release(struct wsimrt_graph *graph, struct wsimrt_user *user,
                                    unsigned n);

/* Adds a node that waits for `n` nodes. `data` may be NULL. For ALLOC and CONDITION, *params gets
 * the answers. Errors: WSIMRT_INVALID_VALUE. */
WSIMRT_API int wsimrt_graph_add(struct wsimrt_graph *graph, struct wsimrt_node *const *before,
                                const struct wsimrt_edge_data *data, size_t n,
                                struct wsimrt_node_params *params, struct wsimrt_node **node);
WSIMRT_API int wsimrt_node_remove(struct wsimrt_node *node);

/* An attribute of a kernel node by its number in CUlaunchAttributeID; `value` has 64 bytes. _keep
 * puts those of a node into parameters. */
WSIMRT_API int wsimrt_node_get_attribute(struct wsimrt_node *node, int attribute, void *value);
WSIMRT_API int wsimrt_node_set_attribute(struct wsimrt_node *node, int attribute,
                                         const void *value);
WSIMRT_API int wsimrt_node_keep_attributes(struct wsimrt_node *node,
                                           struct wsimrt_node_params *params);

/* Reads or changes the parameters of a node. Pointers are good until the node changes. */
WSIMRT_API int wsimrt_node_get(struct wsimrt_node *node, struct wsimrt_node_params *params);
WSIMRT_API int wsimrt_node_set(struct wsimrt_node *node, const struct wsimrt_node_params *params);

/* The node of a clone that was made from `node`. */
WSIMRT_API int wsimrt_node_in_clone(struct wsimrt_node *node, struct wsimrt_graph *clone,
                                    struct wsimrt_node **found);

/* Lists. With `nodes` NULL, *n becomes the number. Else at most *n are written, and *n says how
 * many. Places that are left get NULL. `data` may be NULL. */
WSIMRT_API int wsimrt_graph_nodes(struct wsimrt_graph *graph, int roots, struct wsimrt_node **nodes,
                                  size_t *n);
WSIMRT_API int wsimrt_graph_edges(struct wsimrt_graph *graph, struct wsimrt_node **from,
                                  struct wsimrt_node **to, struct wsimrt_edge_data *data,
                                  size_t *n);
WSIMRT_API int wsimrt_node_neighbours(struct wsimrt_node *node, int after,
                                      struct wsimrt_node **nodes, struct wsimrt_edge_data *data,
                                      size_t *n);

/* Writes the graph into a file, in the language of Graphviz. Errors: WSIMRT_INVALID_VALUE,
 * WSIMRT_OPERATING_SYSTEM, WSIMRT_OUT_OF_MEMORY. */
WSIMRT_API int wsimrt_graph_draw(struct wsimrt_graph *graph, const char *path);

/* Adds (add: 1) or removes (0) edges. Errors: WSIMRT_INVALID_VALUE (an edge that is there, or is
 * not). */
WSIMRT_API int wsimrt_graph_link(struct wsimrt_graph *graph, int add,
                                 struct wsimrt_node *const *from, struct wsimrt_node *const *to,
                                 const struct wsimrt_edge_data *data, size_t n);

/* Whether a condition of a type may have its number of bodies. */
WSIMRT_API int wsimrt_condition_fits(const struct wsimrt_node_params *params);

/* A handle of a condition. With `assign`, every launch sets it to `value` first. */
WSIMRT_API int wsimrt_graph_condition(struct wsimrt_graph *graph, unsigned value, int assign,
                                      uint64_t *handle);

/* Memory of ALLOC nodes, by the numbers of CUgraphMem_attribute. 0: bytes in use now, 1: at most,
 * 2: bytes that the device gave, 3: at most. */
WSIMRT_API int wsimrt_graph_memory(int device, int attribute, uint64_t *value);
/* The highest numbers begin again; memory that no launch needs is given back. */
WSIMRT_API int wsimrt_graph_memory_reset(int device, int attribute);
WSIMRT_API int wsimrt_graph_memory_trim(int device);
/* The memory of a graph is reserved, as its launch does. */
WSIMRT_API int wsimrt_exec_upload(struct wsimrt_exec *exec, struct wsimrt_stream *stream);

/* --- graphs that launch --- */

/* Flags of instantiation, as CUDA numbers them. Kernels may launch a graph with DEVICE. */
enum { WSIMRT_EXEC_AUTO_FREE = 1, WSIMRT_EXEC_UPLOAD = 2, WSIMRT_EXEC_DEVICE = 4 };
struct wsimrt_instantiate { /* CUDA_GRAPH_INSTANTIATE_PARAMS, cudaGraphInstantiateParams */
    uint64_t flags;
    struct wsimrt_stream *upload;
    struct wsimrt_node *wrong; /* answers: a node that it refuses, and CUgraphInstantiateResult */
    int result;
};

/* A copy of the graph, in an order that its edges allow. Errors: WSIMRT_INVALID_VALUE (see
 * `result`), WSIMRT_NOT_SUPPORTED (a body of a condition; a graph with memory has one copy). */
WSIMRT_API int wsimrt_exec_make(struct wsimrt_graph *graph, struct wsimrt_instantiate *how,
                                struct wsimrt_exec **exec);
WSIMRT_API int wsimrt_exec_destroy(struct wsimrt_exec *exec);
WSIMRT_API int wsimrt_exec_launch(struct wsimrt_exec *exec, struct wsimrt_stream *stream);
WSIMRT_API int wsimrt_exec_flags(struct wsimrt_exec *exec, uint64_t *flags);

/* Changes what the copy of a node does in later launches. */
WSIMRT_API int wsimrt_exec_set(struct wsimrt_exec *exec, struct wsimrt_node *node,
                               const struct wsimrt_node_params *params);
WSIMRT_API int wsimrt_exec_enable(struct wsimrt_exec *exec, struct wsimrt_node *node, int enable);
WSIMRT_API int wsimrt_exec_enabled(struct wsimrt_exec *exec, struct wsimrt_node *node,
                                   unsigned *enabled);

/* Takes the parameters of a graph with the same nodes and edges. *result: as
 * cudaGraphExecUpdateResult; *wrong: the node of `graph` that does not fit. */
WSIMRT_API int wsimrt_exec_update(struct wsimrt_exec *exec, struct wsimrt_graph *graph, int *result,
                                  struct wsimrt_node **wrong);

/* --- capture --- */

/* Modes, as CUstreamCaptureMode: what other calls of the process are refused meanwhile. */
enum wsimrt_capture_mode { WSIMRT_CAPTURE_GLOBAL, WSIMRT_CAPTURE_THREAD, WSIMRT_CAPTURE_RELAXED };

struct wsimrt_capture_info {
    int status; /* 0 none, 1 active, 2 invalidated                                              */
    uint64_t id;
    struct wsimrt_graph *graph;
    struct wsimrt_node *const *nodes; /* that the next node waits for                           */
    const struct wsimrt_edge_data *data;
    size_t n;
};

/* Work of `stream` becomes nodes of a graph: a new one, or `graph` after the `n` nodes. */
WSIMRT_API int wsimrt_capture_begin(struct wsimrt_stream *stream, struct wsimrt_graph *graph,
                                    struct wsimrt_node *const *before, size_t n,
                                    enum wsimrt_capture_mode mode);
WSIMRT_API int wsimrt_capture_end(struct wsimrt_stream *stream, struct wsimrt_graph **graph);
WSIMRT_API int wsimrt_capture_info(struct wsimrt_stream *stream, struct wsimrt_capture_info *info);

/* The same in places of the program; NULL: it does not ask. Without a capture only *status is
 * written. Errors: WSIMRT_INVALID_VALUE (no `status`). */
WSIMRT_API int wsimrt_capture_read(struct wsimrt_stream *stream, int *status, uint64_t *id,
                                   struct wsimrt_graph **graph, struct wsimrt_node *const **nodes,
                                   const struct wsimrt_edge_data **data, size_t *n);

/* The next node waits for these nodes: in addition (flags: 0), or instead (1). */
WSIMRT_API int wsimrt_capture_update(struct wsimrt_stream *stream, struct wsimrt_node *const *nodes,
                                     size_t n, unsigned flags);

/* Exchanges the mode of the thread. */
WSIMRT_API int wsimrt_capture_mode(int *mode);

#ifdef __cplusplus
}
#endif
#endif
