/* Graphs: captured ones, and those of kernels, fills and empty nodes. */
#include "driver.h"

#include "core/graph.h"

#include <string.h>

typedef struct wsimrt_graph *CUgraph;
typedef struct wsimrt_node *CUgraphNode;
typedef struct wsimrt_exec *CUgraphExec;
typedef struct wsimrt_node *const *node_list;

/* --- capture --- */

CU cuStreamBeginCapture_v2(CUstream stream, int mode) {
    return wsimrt_capture_begin(stream, NULL, NULL, 0, (enum wsimrt_capture_mode)mode);
}

CU cuStreamEndCapture(CUstream stream, CUgraph *graph) {
    return wsimrt_capture_end(stream, graph);
}

CU cuStreamIsCapturing(CUstream stream, int *status) {
    struct wsimrt_capture_info info;
    const int error = status ? wsimrt_capture_info(stream, &info) : WSIMRT_INVALID_VALUE;
    if (!error)
        *status = info.status;
    return error;
}

CU cuStreamGetCaptureInfo_v2(CUstream stream, int *status, uint64_t *id, CUgraph *graph,
                             node_list *nodes, size_t *n) {
    struct wsimrt_capture_info info;
    const int error = status ? wsimrt_capture_info(stream, &info) : WSIMRT_INVALID_VALUE;
    if (error)
        return error;
    *status = info.status;
    if (info.status && id)
        *id = info.id;
    if (info.status && graph)
        *graph = info.graph;
    if (info.status && nodes)
        *nodes = info.nodes;
    if (info.status && n)
        *n = info.n;
    return 0;
}

CU cuStreamUpdateCaptureDependencies(CUstream stream, node_list nodes, size_t n, unsigned flags) {
    return flags > 1 ? WSIMRT_INVALID_VALUE : wsimrt_capture_update(stream, nodes, n, !flags);
}

CU cuThreadExchangeStreamCaptureMode(int *mode) {
    return wsimrt_capture_mode(mode);
}

/* --- graphs --- */

CU cuGraphCreate(CUgraph *graph, unsigned flags) {
    return flags ? WSIMRT_INVALID_VALUE : wsimrt_graph_make(graph);
}

CU cuGraphDestroy(CUgraph graph) {
    return wsimrt_graph_destroy(graph);
}

CU cuGraphClone(CUgraph *clone, CUgraph graph) {
    return wsimrt_graph_clone(graph, clone);
}

CU cuGraphNodeFindInClone(CUgraphNode *found, CUgraphNode node, CUgraph clone) {
    return wsimrt_node_in_clone(node, clone, found);
}

CU cuGraphDestroyNode(CUgraphNode node) {
    return wsimrt_node_remove(node);
}

CU cuGraphNodeGetType(CUgraphNode node, int *type) {
    struct wsimrt_node_params params;
    const int error = type ? wsimrt_node_get(node, &params) : WSIMRT_INVALID_VALUE;
    if (!error)
        *type = params.kind;
    return error;
}

CU cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *n) {
    return wsimrt_graph_nodes(graph, 0, nodes, n);
}

CU cuGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *n) {
    return wsimrt_graph_nodes(graph, 1, nodes, n);
}

/* CUDA_KERNEL_NODE_PARAMS; the second version has two more fields at its end. */
struct kernel_params {
    CUfunction function;
    unsigned grid[3], block[3], shared;
    void **params, **extra;
};

/* Places of `extra`: 1 the buffer, 2 its size, 0 the end. */
static int from_kernel(const struct kernel_params *from, struct wsimrt_node_params *to) {
    *to = (struct wsimrt_node_params){.kind = WSIMRT_NODE_KERNEL};
    if (!from)
        return WSIMRT_INVALID_VALUE;
    to->launch.function = from->function;
    memcpy(to->launch.grid, from->grid, sizeof to->launch.grid);
    memcpy(to->launch.block, from->block, sizeof to->launch.block);
    to->launch.shared = from->shared;
    to->launch.params = from->params;
    for (size_t i = 0; from->extra && from->extra[i]; i += 2)
        if (from->extra[i] == (void *)1)
            to->launch.packed = from->extra[i + 1];
        else if (from->extra[i] == (void *)2)
            to->launch.packed_bytes = *(size_t *)from->extra[i + 1];
        else
            return WSIMRT_INVALID_VALUE;
    return 0;
}

CU cuGraphAddKernelNode_v2(CUgraphNode *node, CUgraph graph, node_list before, size_t n,
                           const struct kernel_params *given) {
    struct wsimrt_node_params params;
    const int error = from_kernel(given, &params);
    return error ? error : wsimrt_graph_add(graph, before, NULL, n, &params, node);
}

CU cuGraphKernelNodeSetParams_v2(CUgraphNode node, const struct kernel_params *given) {
    struct wsimrt_node_params params;
    const int error = from_kernel(given, &params);
    return error ? error : wsimrt_node_set(node, &params);
}

CU cuGraphExecKernelNodeSetParams_v2(CUgraphExec exec, CUgraphNode node,
                                     const struct kernel_params *given) {
    struct wsimrt_node_params params;
    const int error = from_kernel(given, &params);
    return error ? error : wsimrt_exec_set(exec, node, &params);
}

struct fill_params { /* CUDA_MEMSET_NODE_PARAMS */
    CUdeviceptr to;
    size_t pitch;
    unsigned value, size;
    size_t width, height;
};

CU cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, node_list before, size_t n,
                        const struct fill_params *given, CUcontext context) {
    struct wsimrt_node_params params = {.kind = WSIMRT_NODE_FILL};
    (void)context;
    if (!given || !given->width || !given->height || given->width > SIZE_MAX / 4)
        return WSIMRT_INVALID_VALUE;
    params.fill = (struct wsimrt_fill){.to = {given->to, given->pitch, 0},
                                       .width = given->width * given->size,
                                       .height = given->height,
                                       .depth = 1,
                                       .value = given->value,
                                       .size = given->size};
    return wsimrt_graph_add(graph, before, NULL, n, &params, node);
}

CU cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, node_list before, size_t n) {
    struct wsimrt_node_params params = {.kind = WSIMRT_NODE_EMPTY};
    return wsimrt_graph_add(graph, before, NULL, n, &params, node);
}

CU cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph, node_list before, size_t n,
                            CUgraph child) {
    struct wsimrt_node_params params = {.kind = WSIMRT_NODE_GRAPH, .child = child};
    return wsimrt_graph_add(graph, before, NULL, n, &params, node);
}

CU cuGraphAddDependencies(CUgraph graph, node_list from, node_list to, size_t n) {
    return wsimrt_graph_link(graph, 1, from, to, NULL, n);
}

CU cuGraphRemoveDependencies(CUgraph graph, node_list from, node_list to, size_t n) {
    return wsimrt_graph_link(graph, 0, from, to, NULL, n);
}

/* --- graphs that launch --- */

CU cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long flags) {
    return flags & ~15ull ? WSIMRT_INVALID_VALUE : wsimrt_exec_make(graph, flags, exec);
}

CU cuGraphExecDestroy(CUgraphExec exec) {
    return wsimrt_exec_destroy(exec);
}

CU cuGraphLaunch(CUgraphExec exec, CUstream stream) {
    return wsimrt_exec_launch(exec, stream);
}

/* A launch needs nothing that would have to be there before. */
CU cuGraphUpload(CUgraphExec exec, CUstream stream) {
    uint64_t flags;
    (void)stream;
    return wsimrt_exec_flags(exec, &flags);
}

struct update_result { /* CUgraphExecUpdateResultInfo */
    int result;
    CUgraphNode node, from;
};

CU cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph, struct update_result *result) {
    struct update_result answer = {0, NULL, NULL};
    const int error = result ? wsimrt_exec_update(exec, graph, &answer.result, &answer.node)
                             : WSIMRT_INVALID_VALUE;
    if (result)
        *result = answer;
    return error;
}
