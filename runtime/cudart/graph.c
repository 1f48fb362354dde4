/* Graphs: the functions of the runtime API on those of core/graph.h. Where CUDA 13 changed the
 * arguments of a name, RT_MAJOR says which they are. */
#include "cudart.h"

#include "core/graph.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct wsimrt_graph *cudaGraph_t;
typedef struct wsimrt_node *cudaGraphNode_t;
typedef struct wsimrt_exec *cudaGraphExec_t;
typedef struct wsimrt_edge_data edge_data;
typedef struct wsimrt_node *const *node_list;

/* --- parameters, by their public layout --- */

struct kernel_params { /* cudaKernelNodeParams */
    const void *host;
    struct dim3 grid, block;
    unsigned shared;
    void **params, **extra;
};
struct memset_params {
    void *to;
    size_t pitch;
    unsigned value, size;
    size_t width, height;
};
struct host_params {
    void (*function)(void *data);
    void *data;
};
struct alloc_params { /* cudaMemAllocNodeParams */
    unsigned char pool[88];
    const void *access;
    size_t n_access, bytes;
    void *address;
};
struct condition_params {
    uint64_t handle;
    int type;
    unsigned count;
    cudaGraph_t *bodies;
};
struct node_params { /* cudaGraphNodeParams */
    int kind, reserved[3];
    union {
        long long padding[29];
        struct kernel_params kernel;
        struct {
            int flags, reserved[3];
            struct copy_3d copy;
        } memcpy;
        struct memset_params memset;
        struct host_params host;
        struct {
            cudaGraph_t graph;
            int ownership;
        } child;
        cudaEvent_t event;
        struct alloc_params alloc;
        void *address;
        struct condition_params condition;
    } is;
    long long reserved2;
};

/* --- from their parameters to ours --- */

/* The places after the first word of `extra`: 1 the buffer, 2 its size, 0 the end. */
static void read_extra(void **extra, struct wsimrt_launch *launch) {
    for (size_t i = 0; extra && extra[i]; i += 2)
        if (extra[i] == (void *)1)
            launch->packed = extra[i + 1];
        else if (extra[i] == (void *)2)
            launch->packed_bytes = *(size_t *)extra[i + 1];
        else
            break;
}

static int from_kernel(const struct kernel_params *from, struct wsimrt_node_params *to) {
    int error;
    *to = (struct wsimrt_node_params){.kind = WSIMRT_NODE_KERNEL};
    if (!from || !from->host)
        return WSIMRT_INVALID_VALUE;
    error = rt_function(from->host, &to->launch.function);
    memcpy(to->launch.grid, &from->grid, sizeof to->launch.grid);
    memcpy(to->launch.block, &from->block, sizeof to->launch.block);
    to->launch.shared = from->shared;
    to->launch.params = from->params;
    read_extra(from->extra, &to->launch);
    return error;
}

static struct kernel_params to_kernel(const struct wsimrt_node_params *from) {
    struct kernel_params to = {.host = from->launch.function,
                               .shared = (unsigned)from->launch.shared,
                               .params = from->launch.params};
    memcpy(&to.grid, from->launch.grid, sizeof to.grid);
    memcpy(&to.block, from->launch.block, sizeof to.block);
    return to;
}

static int from_copy(const struct copy_3d *from, struct wsimrt_node_params *to) {
    *to = (struct wsimrt_node_params){.kind = WSIMRT_NODE_COPY};
    if (!from)
        return WSIMRT_INVALID_VALUE;
    to->note = from->kind;
    return rt_copy_box(from, &to->copy);
}

static struct copy_side to_side(const struct wsimrt_place *place) {
    return (struct copy_side){
        .memory = {(void *)(uintptr_t)place->address, place->pitch, place->pitch,
                   place->pitch && place->slice ? place->slice / place->pitch : 1}};
}

static struct copy_3d to_copy(const struct wsimrt_node_params *from) {
    return (struct copy_3d){.from = to_side(&from->copy.from),
                            .to = to_side(&from->copy.to),
                            .extent = {from->copy.width, from->copy.height ? from->copy.height : 1,
                                       from->copy.depth ? from->copy.depth : 1},
                            .kind = from->note};
}

static int from_line(void *to, const void *from, size_t bytes, int kind,
                     struct wsimrt_node_params *params) {
    *params = (struct wsimrt_node_params){.kind = WSIMRT_NODE_COPY, .note = kind};
    params->copy = (struct wsimrt_copy){.to = {(uint64_t)(uintptr_t)to, bytes, bytes},
                                        .from = {(uint64_t)(uintptr_t)from, bytes, bytes},
                                        .width = bytes,
                                        .height = 1,
                                        .depth = 1};
    return kind < 0 || kind > 4 ? RT_INVALID_DIRECTION : bytes ? 0 : WSIMRT_INVALID_VALUE;
}

static int from_memset(const struct memset_params *from, struct wsimrt_node_params *to) {
    *to = (struct wsimrt_node_params){.kind = WSIMRT_NODE_FILL};
    if (!from || !from->width || !from->height || from->width > SIZE_MAX / 4)
        return WSIMRT_INVALID_VALUE;
    to->fill = (struct wsimrt_fill){.to = {(uint64_t)(uintptr_t)from->to, from->pitch, 0},
                                    .width = from->width * from->size,
                                    .height = from->height,
                                    .depth = 1,
                                    .value = from->value,
                                    .size = from->size};
    return 0;
}

static struct memset_params to_memset(const struct wsimrt_node_params *from) {
    const struct wsimrt_fill *fill = &from->fill;
    return (struct memset_params){(void *)(uintptr_t)fill->to.address,
                                  fill->to.pitch,
                                  fill->value,
                                  fill->size,
                                  fill->width / fill->size,
                                  fill->height};
}

static int from_host(const struct host_params *from, struct wsimrt_node_params *to) {
    *to = (struct wsimrt_node_params){.kind = WSIMRT_NODE_CALL};
    if (!from)
        return WSIMRT_INVALID_VALUE;
    to->call.function = from->function;
    to->call.data = from->data;
    return 0;
}

static int from_params(const struct node_params *from, struct wsimrt_node_params *to) {
    if (!from)
        return WSIMRT_INVALID_VALUE;
    *to = (struct wsimrt_node_params){.kind = (enum wsimrt_node_kind)from->kind};
    switch (from->kind) {
    case WSIMRT_NODE_KERNEL: return from_kernel(&from->is.kernel, to);
    case WSIMRT_NODE_COPY: return from_copy(&from->is.memcpy.copy, to);
    case WSIMRT_NODE_FILL: return from_memset(&from->is.memset, to);
    case WSIMRT_NODE_CALL: return from_host(&from->is.host, to);
    case WSIMRT_NODE_GRAPH: to->child = from->is.child.graph; return 0;
    case WSIMRT_NODE_EMPTY: return 0;
    case WSIMRT_NODE_WAIT:
    case WSIMRT_NODE_RECORD: to->event = from->is.event; return 0;
    case WSIMRT_NODE_ALLOC: to->bytes = from->is.alloc.bytes; return 0;
    case WSIMRT_NODE_FREE: to->address = (uint64_t)(uintptr_t)from->is.address; return 0;
    case WSIMRT_NODE_CONDITION:
        to->condition.handle = from->is.condition.handle;
        to->condition.type = (unsigned)from->is.condition.type;
        to->condition.count = from->is.condition.count;
        return 0;
    default:
        return from->kind == 8 || from->kind == 9 ? WSIMRT_NOT_SUPPORTED : WSIMRT_INVALID_VALUE;
    }
}

/* --- graphs --- */

RT cudaGraphCreate(cudaGraph_t *graph, unsigned flags) {
    RT_CALL(flags ? WSIMRT_INVALID_VALUE : wsimrt_graph_make(graph));
}

RT cudaGraphDestroy(cudaGraph_t graph) {
    RT_CALL(wsimrt_graph_destroy(graph));
}

RT cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph) {
    RT_CALL(wsimrt_graph_clone(graph, clone));
}

RT cudaGraphNodeFindInClone(cudaGraphNode_t *found, cudaGraphNode_t node, cudaGraph_t clone) {
    RT_CALL(wsimrt_node_in_clone(node, clone, found));
}

RT cudaGraphDestroyNode(cudaGraphNode_t node) {
    RT_CALL(wsimrt_node_remove(node));
}

RT cudaGraphNodeGetType(cudaGraphNode_t node, int *type) {
    struct wsimrt_node_params params;
    int error = type ? rt_need() : WSIMRT_INVALID_VALUE;
    error = error ? error : wsimrt_node_get(node, &params);
    if (!error)
        *type = params.kind;
    return rt_note(error);
}

RT cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *n) {
    RT_CALL(wsimrt_graph_nodes(graph, 0, nodes, n));
}

RT cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *n) {
    RT_CALL(wsimrt_graph_nodes(graph, 1, nodes, n));
}

RT cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                        edge_data *data, size_t *n) {
    RT_CALL(wsimrt_graph_edges(graph, from, to, data, n));
}

RT cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t *nodes, edge_data *data,
                                   size_t *n) {
    RT_CALL(wsimrt_node_neighbours(node, 0, nodes, data, n));
}

RT cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t *nodes, edge_data *data,
                                     size_t *n) {
    RT_CALL(wsimrt_node_neighbours(node, 1, nodes, data, n));
}

RT cudaGraphAddDependencies_v2(cudaGraph_t graph, node_list from, node_list to,
                               const edge_data *data, size_t n) {
    RT_CALL(wsimrt_graph_link(graph, 1, from, to, data, n));
}

RT cudaGraphRemoveDependencies_v2(cudaGraph_t graph, node_list from, node_list to,
                                  const edge_data *data, size_t n) {
    RT_CALL(wsimrt_graph_link(graph, 0, from, to, data, n));
}

/* Adds a node, and reports what the runtime answers in *params. */
static int add(cudaGraphNode_t *node, cudaGraph_t graph, node_list before, const edge_data *data,
               size_t n, int error, struct wsimrt_node_params *params) {
    error = error ? error : rt_need();
    return rt_note(error ? error : wsimrt_graph_add(graph, before, data, n, params, node));
}

RT cudaGraphAddNode_v2(cudaGraphNode_t *node, cudaGraph_t graph, node_list before,
                       const edge_data *data, size_t n, struct node_params *given) {
    struct wsimrt_node_params params;
    const int wrong = rt_need(), error = wrong ? wrong : from_params(given, &params);
    const int result = add(node, graph, before, data, n, error, &params);
    if (!result && params.kind == WSIMRT_NODE_ALLOC)
        given->is.alloc.address = (void *)(uintptr_t)params.address;
    if (!result && params.kind == WSIMRT_NODE_CONDITION)
        given->is.condition.bodies = params.condition.bodies;
    return result;
}

#if RT_MAJOR >= 13
RT cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, edge_data *data,
                     size_t *n) {
    return cudaGraphGetEdges_v2(graph, from, to, data, n);
}

RT cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes, edge_data *data,
                                size_t *n) {
    return cudaGraphNodeGetDependencies_v2(node, nodes, data, n);
}

RT cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes, edge_data *data,
                                  size_t *n) {
    return cudaGraphNodeGetDependentNodes_v2(node, nodes, data, n);
}

RT cudaGraphAddDependencies(cudaGraph_t graph, node_list from, node_list to, const edge_data *data,
                            size_t n) {
    return cudaGraphAddDependencies_v2(graph, from, to, data, n);
}

RT cudaGraphRemoveDependencies(cudaGraph_t graph, node_list from, node_list to,
                               const edge_data *data, size_t n) {
    return cudaGraphRemoveDependencies_v2(graph, from, to, data, n);
}

RT cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, node_list before,
                    const edge_data *data, size_t n, struct node_params *given) {
    return cudaGraphAddNode_v2(node, graph, before, data, n, given);
}
#else
RT cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *n) {
    return cudaGraphGetEdges_v2(graph, from, to, NULL, n);
}

RT cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *n) {
    return cudaGraphNodeGetDependencies_v2(node, nodes, NULL, n);
}

RT cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *n) {
    return cudaGraphNodeGetDependentNodes_v2(node, nodes, NULL, n);
}

RT cudaGraphAddDependencies(cudaGraph_t graph, node_list from, node_list to, size_t n) {
    return cudaGraphAddDependencies_v2(graph, from, to, NULL, n);
}

RT cudaGraphRemoveDependencies(cudaGraph_t graph, node_list from, node_list to, size_t n) {
    return cudaGraphRemoveDependencies_v2(graph, from, to, NULL, n);
}

RT cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, node_list before, size_t n,
                    struct node_params *given) {
    return cudaGraphAddNode_v2(node, graph, before, NULL, n, given);
}
#endif

/* --- nodes of one kind --- */

/* Reads a node of one kind. */
static int get(cudaGraphNode_t node, enum wsimrt_node_kind kind, const void *out,
               struct wsimrt_node_params *params) {
    int error = out ? rt_need() : WSIMRT_INVALID_VALUE;
    error = error ? error : wsimrt_node_get(node, params);
    return rt_note(error || params->kind == kind ? error : WSIMRT_INVALID_VALUE);
}

static int set(cudaGraphNode_t node, int error, const struct wsimrt_node_params *params) {
    return rt_note(error ? error : wsimrt_node_set(node, params));
}

static int exec_set(cudaGraphExec_t exec, cudaGraphNode_t node, int error,
                    const struct wsimrt_node_params *params) {
    return rt_note(error ? error : wsimrt_exec_set(exec, node, params));
}

RT cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph, node_list before, size_t n,
                          const struct kernel_params *given) {
    struct wsimrt_node_params params;
    const int wrong = rt_need(), error = wrong ? wrong : from_kernel(given, &params);
    return add(node, graph, before, NULL, n, error, &params);
}

RT cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct kernel_params *out) {
    struct wsimrt_node_params params;
    const int error = get(node, WSIMRT_NODE_KERNEL, out, &params);
    if (!error)
        *out = to_kernel(&params);
    return error;
}

/* New parameters of a kernel node keep its attributes. */
static int keep_attributes(cudaGraphNode_t node, struct wsimrt_node_params *params) {
    struct wsimrt_node_params old;
    const int error = wsimrt_node_get(node, &old);
    if (!error && old.kind == WSIMRT_NODE_KERNEL) {
        params->launch.cooperative = old.launch.cooperative;
        memcpy(params->launch.cluster, old.launch.cluster, sizeof old.launch.cluster);
        params->note = old.note;
    }
    return error;
}

RT cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct kernel_params *given) {
    struct wsimrt_node_params params;
    int error = from_kernel(given, &params);
    error = error ? error : keep_attributes(node, &params);
    return set(node, error, &params);
}

RT cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    const struct kernel_params *given) {
    struct wsimrt_node_params params;
    int error = from_kernel(given, &params);
    error = error ? error : keep_attributes(node, &params);
    return exec_set(exec, node, error, &params);
}

RT cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph, node_list before, size_t n,
                          const struct copy_3d *given) {
    struct wsimrt_node_params params;
    return add(node, graph, before, NULL, n, from_copy(given, &params), &params);
}

RT cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph, node_list before, size_t n,
                            void *to, const void *from, size_t bytes, int kind) {
    struct wsimrt_node_params params;
    return add(node, graph, before, NULL, n, from_line(to, from, bytes, kind, &params), &params);
}

RT cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct copy_3d *out) {
    struct wsimrt_node_params params;
    const int error = get(node, WSIMRT_NODE_COPY, out, &params);
    if (!error)
        *out = to_copy(&params);
    return error;
}

RT cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const struct copy_3d *given) {
    struct wsimrt_node_params params;
    return set(node, from_copy(given, &params), &params);
}

RT cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *to, const void *from, size_t bytes,
                                  int kind) {
    struct wsimrt_node_params params;
    return set(node, from_line(to, from, bytes, kind, &params), &params);
}

RT cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    const struct copy_3d *given) {
    struct wsimrt_node_params params;
    return exec_set(exec, node, from_copy(given, &params), &params);
}

RT cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void *to,
                                      const void *from, size_t bytes, int kind) {
    struct wsimrt_node_params params;
    return exec_set(exec, node, from_line(to, from, bytes, kind, &params), &params);
}

/* Copies to and from variables. */
static int to_symbol(const void *symbol, const void *from, size_t bytes, size_t offset, int kind,
                     struct wsimrt_node_params *params) {
    uint64_t at = 0;
    const int error = rt_symbol_part(symbol, bytes, offset, &at);
    return error ? error : from_line((void *)(uintptr_t)at, from, bytes, kind, params);
}

static int from_symbol(void *to, const void *symbol, size_t bytes, size_t offset, int kind,
                       struct wsimrt_node_params *params) {
    uint64_t at = 0;
    const int error = rt_symbol_part(symbol, bytes, offset, &at);
    return error ? error : from_line(to, (const void *)(uintptr_t)at, bytes, kind, params);
}

RT cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph, node_list before,
                                  size_t n, const void *symbol, const void *from, size_t bytes,
                                  size_t offset, int kind) {
    struct wsimrt_node_params params;
    return add(node, graph, before, NULL, n, to_symbol(symbol, from, bytes, offset, kind, &params),
               &params);
}

RT cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph, node_list before,
                                    size_t n, void *to, const void *symbol, size_t bytes,
                                    size_t offset, int kind) {
    struct wsimrt_node_params params;
    return add(node, graph, before, NULL, n, from_symbol(to, symbol, bytes, offset, kind, &params),
               &params);
}

RT cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol, const void *from,
                                        size_t bytes, size_t offset, int kind) {
    struct wsimrt_node_params params;
    return set(node, to_symbol(symbol, from, bytes, offset, kind, &params), &params);
}

RT cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *to, const void *symbol,
                                          size_t bytes, size_t offset, int kind) {
    struct wsimrt_node_params params;
    return set(node, from_symbol(to, symbol, bytes, offset, kind, &params), &params);
}

RT cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                            const void *symbol, const void *from, size_t bytes,
                                            size_t offset, int kind) {
    struct wsimrt_node_params params;
    return exec_set(exec, node, to_symbol(symbol, from, bytes, offset, kind, &params), &params);
}

RT cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, void *to,
                                              const void *symbol, size_t bytes, size_t offset,
                                              int kind) {
    struct wsimrt_node_params params;
    return exec_set(exec, node, from_symbol(to, symbol, bytes, offset, kind, &params), &params);
}

RT cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph, node_list before, size_t n,
                          const struct memset_params *given) {
    struct wsimrt_node_params params;
    return add(node, graph, before, NULL, n, from_memset(given, &params), &params);
}

RT cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct memset_params *out) {
    struct wsimrt_node_params params;
    const int error = get(node, WSIMRT_NODE_FILL, out, &params);
    if (!error)
        *out = to_memset(&params);
    return error;
}

RT cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const struct memset_params *given) {
    struct wsimrt_node_params params;
    return set(node, from_memset(given, &params), &params);
}

RT cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    const struct memset_params *given) {
    struct wsimrt_node_params params;
    return exec_set(exec, node, from_memset(given, &params), &params);
}

RT cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph, node_list before, size_t n,
                        const struct host_params *given) {
    struct wsimrt_node_params params;
    return add(node, graph, before, NULL, n, from_host(given, &params), &params);
}

RT cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct host_params *out) {
    struct wsimrt_node_params params;
    const int error = get(node, WSIMRT_NODE_CALL, out, &params);
    if (!error)
        *out = (struct host_params){params.call.function, params.call.data};
    return error;
}

RT cudaGraphHostNodeSetParams(cudaGraphNode_t node, const struct host_params *given) {
    struct wsimrt_node_params params;
    return set(node, from_host(given, &params), &params);
}

RT cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                  const struct host_params *given) {
    struct wsimrt_node_params params;
    return exec_set(exec, node, from_host(given, &params), &params);
}

RT cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph, node_list before, size_t n,
                              cudaGraph_t child) {
    struct wsimrt_node_params params = {.kind = WSIMRT_NODE_GRAPH, .child = child};
    return add(node, graph, before, NULL, n, 0, &params);
}

RT cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *child) {
    struct wsimrt_node_params params;
    const int error = get(node, WSIMRT_NODE_GRAPH, child, &params);
    if (!error)
        *child = params.child;
    return error;
}

RT cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                        cudaGraph_t child) {
    const struct wsimrt_node_params params = {.kind = WSIMRT_NODE_GRAPH, .child = child};
    return exec_set(exec, node, 0, &params);
}

RT cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph, node_list before, size_t n) {
    struct wsimrt_node_params params = {.kind = WSIMRT_NODE_EMPTY};
    return add(node, graph, before, NULL, n, 0, &params);
}

RT cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph, node_list before, size_t n,
                               cudaEvent_t event) {
    struct wsimrt_node_params params = {.kind = WSIMRT_NODE_RECORD, .event = event};
    return add(node, graph, before, NULL, n, 0, &params);
}

RT cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph, node_list before, size_t n,
                             cudaEvent_t event) {
    struct wsimrt_node_params params = {.kind = WSIMRT_NODE_WAIT, .event = event};
    return add(node, graph, before, NULL, n, 0, &params);
}

static int get_event(cudaGraphNode_t node, enum wsimrt_node_kind kind, cudaEvent_t *event) {
    struct wsimrt_node_params params;
    const int error = get(node, kind, event, &params);
    if (!error)
        *event = params.event;
    return error;
}

RT cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event) {
    return get_event(node, WSIMRT_NODE_RECORD, event);
}

RT cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event) {
    return get_event(node, WSIMRT_NODE_WAIT, event);
}

RT cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
    const struct wsimrt_node_params params = {.kind = WSIMRT_NODE_RECORD, .event = event};
    return set(node, 0, &params);
}

RT cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
    const struct wsimrt_node_params params = {.kind = WSIMRT_NODE_WAIT, .event = event};
    return set(node, 0, &params);
}

RT cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                        cudaEvent_t event) {
    const struct wsimrt_node_params params = {.kind = WSIMRT_NODE_RECORD, .event = event};
    return exec_set(exec, node, 0, &params);
}

RT cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                      cudaEvent_t event) {
    const struct wsimrt_node_params params = {.kind = WSIMRT_NODE_WAIT, .event = event};
    return exec_set(exec, node, 0, &params);
}

RT cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph, node_list before, size_t n,
                            struct alloc_params *given) {
    struct wsimrt_node_params params = {.kind = WSIMRT_NODE_ALLOC};
    int error = given ? 0 : WSIMRT_INVALID_VALUE;
    if (!error)
        params.bytes = given->bytes;
    error = add(node, graph, before, NULL, n, error, &params);
    if (!error)
        given->address = (void *)(uintptr_t)params.address;
    return error;
}

RT cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, struct alloc_params *out) {
    struct wsimrt_node_params params;
    const int error = get(node, WSIMRT_NODE_ALLOC, out, &params);
    if (!error)
        *out = (struct alloc_params){.bytes = params.bytes,
                                     .address = (void *)(uintptr_t)params.address};
    return error;
}

RT cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph, node_list before, size_t n,
                           void *address) {
    struct wsimrt_node_params params = {.kind = WSIMRT_NODE_FREE,
                                        .address = (uint64_t)(uintptr_t)address};
    return add(node, graph, before, NULL, n, address ? 0 : WSIMRT_INVALID_VALUE, &params);
}

RT cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void **out) {
    struct wsimrt_node_params params;
    const int error = get(node, WSIMRT_NODE_FREE, out, &params);
    if (!error)
        *out = (void *)(uintptr_t)params.address;
    return error;
}

RT cudaGraphConditionalHandleCreate(uint64_t *handle, cudaGraph_t graph, unsigned value,
                                    unsigned flags) {
    RT_CALL(flags > 1 ? WSIMRT_INVALID_VALUE
                      : wsimrt_graph_condition(graph, value, flags == 1, handle));
}

RT cudaGraphNodeSetParams(cudaGraphNode_t node, const struct node_params *given) {
    struct wsimrt_node_params params;
    return set(node, from_params(given, &params), &params);
}

RT cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                              const struct node_params *given) {
    struct wsimrt_node_params params;
    return exec_set(exec, node, from_params(given, &params), &params);
}

/* --- attributes of kernel nodes --- */

RT cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, int attribute, void *value) {
    struct wsimrt_node_params params;
    const int error = get(node, WSIMRT_NODE_KERNEL, value, &params);
    if (error)
        return error;
    memset(value, 0, 64);
    if (attribute == RT_ATTRIBUTE_COOPERATIVE)
        *(int *)value = params.launch.cooperative;
    else if (attribute == RT_ATTRIBUTE_CLUSTER)
        memcpy(value, params.launch.cluster, sizeof params.launch.cluster);
    else if (attribute == RT_ATTRIBUTE_PRIORITY)
        *(int *)value = params.note;
    return 0;
}

RT cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, int attribute, const void *value) {
    struct wsimrt_node_params params;
    const int error = get(node, WSIMRT_NODE_KERNEL, value, &params);
    if (error)
        return error;
    if (attribute == RT_ATTRIBUTE_COOPERATIVE)
        params.launch.cooperative = *(const int *)value != 0;
    else if (attribute == RT_ATTRIBUTE_CLUSTER)
        memcpy(params.launch.cluster, value, sizeof params.launch.cluster);
    else if (attribute == RT_ATTRIBUTE_PRIORITY)
        params.note = *(const int *)value;
    return set(node, 0, &params);
}

RT cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
    struct wsimrt_node_params params;
    int error = get(to, WSIMRT_NODE_KERNEL, &params, &params);
    error = error ? error : keep_attributes(from, &params);
    return set(to, error, &params);
}

/* --- graphs that launch --- */

RT cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                 unsigned long long flags) {
    RT_CALL(flags & ~15ull ? WSIMRT_INVALID_VALUE : wsimrt_exec_make(graph, flags, exec));
}

RT cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags) {
    return cudaGraphInstantiateWithFlags(exec, graph, flags);
}

struct instantiate_params {
    unsigned long long flags;
    cudaStream_t upload;
    cudaGraphNode_t wrong;
    int result;
};

RT cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
                                  struct instantiate_params *params) {
    const int error = params ? cudaGraphInstantiateWithFlags(exec, graph, params->flags)
                             : rt_note(WSIMRT_INVALID_VALUE);
    if (params) {
        params->wrong = NULL;
        params->result = error == WSIMRT_INVALID_VALUE ? 2 : error ? 1 : 0;
    }
    return error;
}

RT cudaGraphExecDestroy(cudaGraphExec_t exec) {
    return rt_note(wsimrt_exec_destroy(exec));
}

RT cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags) {
    uint64_t value = 0;
    const int error = flags ? wsimrt_exec_flags(exec, &value) : WSIMRT_INVALID_VALUE;
    if (!error)
        *flags = value;
    return rt_note(error);
}

RT cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
    RT_CALL(wsimrt_exec_launch(exec, stream));
}

/* A launch needs nothing that would have to be there before. */
RT cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
    uint64_t flags;
    (void)stream;
    RT_CALL(wsimrt_exec_flags(exec, &flags));
}

RT cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled) {
    RT_CALL(wsimrt_exec_enable(exec, node, enabled != 0));
}

RT cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned *enabled) {
    RT_CALL(wsimrt_exec_enabled(exec, node, enabled));
}

struct update_result {
    int result;
    cudaGraphNode_t node, from;
};

RT cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, struct update_result *result) {
    struct update_result answer = {0, NULL, NULL};
    int error = result ? rt_need() : WSIMRT_INVALID_VALUE;
    error = error ? error : wsimrt_exec_update(exec, graph, &answer.result, &answer.node);
    if (result)
        *result = answer;
    return rt_note(error);
}

/* --- capture --- */

RT cudaStreamBeginCapture(cudaStream_t stream, int mode) {
    RT_CALL(wsimrt_capture_begin(stream, NULL, NULL, 0, (enum wsimrt_capture_mode)mode));
}

RT cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, node_list before,
                                 const edge_data *data, size_t n, int mode) {
    (void)data;
    RT_CALL(graph ? wsimrt_capture_begin(stream, graph, before, n, (enum wsimrt_capture_mode)mode)
                  : WSIMRT_INVALID_VALUE);
}

RT cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
    RT_CALL(wsimrt_capture_end(stream, graph));
}

RT cudaStreamIsCapturing(cudaStream_t stream, int *status) {
    struct wsimrt_capture_info info;
    int error = status ? rt_need() : WSIMRT_INVALID_VALUE;
    error = error ? error : wsimrt_capture_info(stream, &info);
    if (!error)
        *status = info.status;
    return rt_note(error);
}

RT cudaStreamGetCaptureInfo_v3(cudaStream_t stream, int *status, unsigned long long *id,
                               cudaGraph_t *graph, node_list *nodes, const edge_data **data,
                               size_t *n) {
    struct wsimrt_capture_info info;
    int error = status ? rt_need() : WSIMRT_INVALID_VALUE;
    error = error ? error : wsimrt_capture_info(stream, &info);
    if (error)
        return rt_note(error);
    *status = info.status;
    if (info.status && id)
        *id = info.id;
    if (info.status && graph)
        *graph = info.graph;
    if (info.status && nodes)
        *nodes = info.nodes;
    if (info.status && data)
        *data = info.data;
    if (info.status && n)
        *n = info.n;
    return 0;
}

RT cudaStreamGetCaptureInfo_v2(cudaStream_t stream, int *status, unsigned long long *id,
                               cudaGraph_t *graph, node_list *nodes, size_t *n) {
    return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, nodes, NULL, n);
}

RT cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, node_list nodes,
                                          const edge_data *data, size_t n, unsigned flags) {
    (void)data;
    RT_CALL(flags > 1 ? WSIMRT_INVALID_VALUE : wsimrt_capture_update(stream, nodes, n, !flags));
}

#if RT_MAJOR >= 13
RT cudaStreamGetCaptureInfo(cudaStream_t stream, int *status, unsigned long long *id,
                            cudaGraph_t *graph, node_list *nodes, const edge_data **data,
                            size_t *n) {
    return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, nodes, data, n);
}

RT cudaStreamUpdateCaptureDependencies(cudaStream_t stream, node_list nodes, const edge_data *data,
                                       size_t n, unsigned flags) {
    return cudaStreamUpdateCaptureDependencies_v2(stream, nodes, data, n, flags);
}
#else
RT cudaStreamGetCaptureInfo(cudaStream_t stream, int *status, unsigned long long *id) {
    return cudaStreamGetCaptureInfo_v3(stream, status, id, NULL, NULL, NULL, NULL);
}

RT cudaStreamUpdateCaptureDependencies(cudaStream_t stream, node_list nodes, size_t n,
                                       unsigned flags) {
    return cudaStreamUpdateCaptureDependencies_v2(stream, nodes, NULL, n, flags);
}
#endif

RT cudaThreadExchangeStreamCaptureMode(int *mode) {
    RT_CALL(wsimrt_capture_mode(mode));
}

/* --- a picture of a graph --- */

static int write_nodes(int file, cudaGraphNode_t *nodes, size_t n) {
    static const char *const names[] = {"KERNEL", "MEMCPY", "MEMSET", "HOST",       "GRAPH",
                                        "EMPTY",  "WAIT",   "RECORD", "",           "",
                                        "ALLOC",  "FREE",   "",       "CONDITIONAL"};
    int error = 0;
    for (size_t i = 0; i < n && !error; i++) {
        struct wsimrt_node_params params;
        error = wsimrt_node_get(nodes[i], &params);
        if (!error &&
            dprintf(file, "\"%p\" [label=\"%s\"];\n", (void *)nodes[i], names[params.kind]) < 0)
            error = WSIMRT_OPERATING_SYSTEM;
    }
    return error;
}

static int write_edges(int file, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t n) {
    int wrong = 0;
    for (size_t i = 0; i < n; i++)
        wrong |= dprintf(file, "\"%p\" -> \"%p\";\n", (void *)from[i], (void *)to[i]) < 0;
    return wrong ? WSIMRT_OPERATING_SYSTEM : 0;
}

static int write_graph(int file, cudaGraph_t graph) {
    size_t n = 0, n_edges = 0;
    cudaGraphNode_t *nodes = NULL;
    edge_data *data = NULL;
    int error = wsimrt_graph_nodes(graph, 0, NULL, &n);
    error = error ? error : wsimrt_graph_edges(graph, NULL, NULL, NULL, &n_edges);
    if (!error) {
        nodes = calloc(n + 2 * n_edges + 1, sizeof *nodes);
        data = calloc(n_edges + 1, sizeof *data);
        error = nodes && data ? 0 : WSIMRT_OUT_OF_MEMORY;
    }
    error = error ? error : wsimrt_graph_nodes(graph, 0, nodes, &n);
    if (!error && n_edges)
        error = wsimrt_graph_edges(graph, nodes + n, nodes + n + n_edges, data, &n_edges);
    if (!error && dprintf(file, "digraph dot {\n") < 0)
        error = WSIMRT_OPERATING_SYSTEM;
    error = error ? error : write_nodes(file, nodes, n);
    error = error ? error : write_edges(file, nodes + n, nodes + n + n_edges, n_edges);
    if (!error && dprintf(file, "}\n") < 0)
        error = WSIMRT_OPERATING_SYSTEM;
    free(nodes);
    free(data);
    return error;
}

RT cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned flags) {
    int file, error = path ? rt_need() : WSIMRT_INVALID_VALUE;
    (void)flags;
    if (error)
        return rt_note(error);
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0)
        return rt_note(WSIMRT_OPERATING_SYSTEM);
    error = write_graph(file, graph);
    close(file);
    return rt_note(error);
}

/* --- memory of graphs: it is that of the device --- */

RT cudaDeviceGraphMemTrim(int device) {
    int major, error = wsimrt_init();
    return rt_note(error ? error : wsimrt_device_attribute(&major, 75, device));
}

RT cudaDeviceGetGraphMemAttribute(int device, int attribute, uint64_t *value) {
    const int error = wsimrt_init();
    return rt_note(error ? error : wsimrt_graph_memory(device, attribute, value));
}

RT cudaDeviceSetGraphMemAttribute(int device, int attribute, const uint64_t *value) {
    uint64_t now;
    const int error = wsimrt_init();
    if (!error && (!value || *value || (attribute != 1 && attribute != 3)))
        return rt_note(WSIMRT_INVALID_VALUE);
    return rt_note(error ? error : wsimrt_graph_memory(device, attribute, &now));
}
