/* Graphs: capture, edges, and graphs that launch. The parameters of nodes are in nodes.c. */
#include "driver.h"

#include "core/graph.h"

#include <string.h>

typedef struct wsimrt_graph *CUgraph;
typedef struct wsimrt_node *CUgraphNode;
typedef struct wsimrt_exec *CUgraphExec;
typedef struct wsimrt_node *const *node_list;
typedef struct wsimrt_edge_data edge_data;

/* --- capture --- */

CU cuStreamBeginCapture_v2(CUstream stream, int mode) {
    return wsimrt_capture_begin(stream, NULL, NULL, 0, (enum wsimrt_capture_mode)mode);
}

/* CUDA 10.0 had one mode. */
CU cuStreamBeginCapture(CUstream stream) {
    return cuStreamBeginCapture_v2(stream, WSIMRT_CAPTURE_GLOBAL);
}

CU cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, node_list before,
                               const edge_data *data, size_t n, int mode) {
    (void)data;
    return graph ? wsimrt_capture_begin(stream, graph, before, n, (enum wsimrt_capture_mode)mode)
                 : WSIMRT_INVALID_VALUE;
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

CU cuStreamGetCaptureInfo_v3(CUstream stream, int *status, uint64_t *id, CUgraph *graph,
                             node_list *nodes, const edge_data **data, size_t *n) {
    return wsimrt_capture_read(stream, status, id, graph, nodes, data, n);
}

CU cuStreamGetCaptureInfo_v2(CUstream stream, int *status, uint64_t *id, CUgraph *graph,
                             node_list *nodes, size_t *n) {
    return cuStreamGetCaptureInfo_v3(stream, status, id, graph, nodes, NULL, n);
}

CU cuStreamGetCaptureInfo(CUstream stream, int *status, uint64_t *id) {
    return cuStreamGetCaptureInfo_v3(stream, status, id, NULL, NULL, NULL, NULL);
}

CU cuStreamUpdateCaptureDependencies(CUstream stream, node_list nodes, size_t n, unsigned flags) {
    return wsimrt_capture_update(stream, nodes, n, flags);
}

CU cuStreamUpdateCaptureDependencies_v2(CUstream stream, node_list nodes, const edge_data *data,
                                        size_t n, unsigned flags) {
    (void)data;
    return cuStreamUpdateCaptureDependencies(stream, nodes, n, flags);
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

CU cuGraphDebugDotPrint(CUgraph graph, const char *path, unsigned flags) {
    (void)flags;
    return wsimrt_graph_draw(graph, path);
}

CU cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *n) {
    return wsimrt_graph_nodes(graph, 0, nodes, n);
}

CU cuGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *n) {
    return wsimrt_graph_nodes(graph, 1, nodes, n);
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

CU cuGraphAddDependencies_v2(CUgraph graph, node_list from, node_list to, const edge_data *data,
                             size_t n) {
    return wsimrt_graph_link(graph, 1, from, to, data, n);
}

CU cuGraphRemoveDependencies_v2(CUgraph graph, node_list from, node_list to, const edge_data *data,
                                size_t n) {
    return wsimrt_graph_link(graph, 0, from, to, data, n);
}

CU cuGraphGetEdges_v2(CUgraph graph, CUgraphNode *from, CUgraphNode *to, edge_data *data,
                      size_t *n) {
    return wsimrt_graph_edges(graph, from, to, data, n);
}

CU cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *n) {
    return wsimrt_graph_edges(graph, from, to, NULL, n);
}

CU cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *nodes, edge_data *data, size_t *n) {
    return wsimrt_node_neighbours(node, 0, nodes, data, n);
}

CU cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *nodes, size_t *n) {
    return wsimrt_node_neighbours(node, 0, nodes, NULL, n);
}

CU cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *nodes, edge_data *data,
                                   size_t *n) {
    return wsimrt_node_neighbours(node, 1, nodes, data, n);
}

CU cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes, size_t *n) {
    return wsimrt_node_neighbours(node, 1, nodes, NULL, n);
}

CU cuGraphConditionalHandleCreate(uint64_t *handle, CUgraph graph, CUcontext context,
                                  unsigned value, unsigned flags) {
    if (flags > 1 || !context)
        return flags > 1 ? WSIMRT_INVALID_VALUE : WSIMRT_INVALID_CONTEXT;
    return wsimrt_graph_condition(graph, value, flags == 1, handle);
}

CU cuDeviceGetGraphMemAttribute(CUdevice device, int attribute, uint64_t *value) {
    return wsimrt_graph_memory(device, attribute, value);
}

CU cuDeviceSetGraphMemAttribute(CUdevice device, int attribute, const uint64_t *value) {
    struct wsimrt_device_info info;
    const int error = wsimrt_device_info(device, &info);
    if (error || !value || *value)
        return error ? error : WSIMRT_INVALID_VALUE;
    return wsimrt_graph_memory_reset(device, attribute);
}

CU cuDeviceGraphMemTrim(CUdevice device) {
    return wsimrt_graph_memory_trim(device);
}

/* --- graphs that launch --- */

CU cuGraphInstantiateWithParams(CUgraphExec *exec, CUgraph graph,
                                struct wsimrt_instantiate *params) {
    enum { FAILED = 1 };
    const int error = driver_context();
    if (error && params) {
        params->wrong = NULL;
        params->result = FAILED;
    }
    return error ? error : wsimrt_exec_make(graph, params, exec);
}

static int instantiate(CUgraphExec *exec, CUgraph graph, uint64_t flags) {
    struct wsimrt_instantiate how = {.flags = flags};
    return cuGraphInstantiateWithParams(exec, graph, &how);
}

/* An upload needs a stream, so this call has none. */
CU cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long flags) {
    return flags & WSIMRT_EXEC_UPLOAD ? WSIMRT_INVALID_VALUE : instantiate(exec, graph, flags);
}

/* The older one has a log in the place of flags. */
CU cuGraphInstantiate_v2(CUgraphExec *exec, CUgraph graph, CUgraphNode *wrong, char *log,
                         size_t bytes) {
    if (wrong)
        *wrong = NULL;
    if (log && bytes)
        log[0] = '\0';
    return instantiate(exec, graph, 0);
}

CU cuGraphExecGetFlags(CUgraphExec exec, uint64_t *flags) {
    return flags ? wsimrt_exec_flags(exec, flags) : WSIMRT_INVALID_VALUE;
}

CU cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned enabled) {
    return wsimrt_exec_enable(exec, node, enabled != 0);
}

CU cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned *enabled) {
    return wsimrt_exec_enabled(exec, node, enabled);
}

CU cuGraphExecDestroy(CUgraphExec exec) {
    return wsimrt_exec_destroy(exec);
}

CU cuGraphLaunch(CUgraphExec exec, CUstream stream) {
    return wsimrt_exec_launch(exec, stream);
}

/* Reserves the memory of launches, which need no upload. */
CU cuGraphUpload(CUgraphExec exec, CUstream stream) {
    return wsimrt_exec_upload(exec, stream);
}

struct update_result { /* CUgraphExecUpdateResultInfo */
    int result;
    CUgraphNode node, from;
};

CU cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph, struct update_result *result) {
    struct update_result answer = {0, NULL, NULL};
    const int error = wsimrt_exec_update(exec, graph, &answer.result, &answer.node);
    if (result)
        *result = answer;
    return error;
}

/* CUDA 10 and 11 had two outputs. */
CU cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphNode *node, int *result) {
    struct update_result answer;
    const int error = cuGraphExecUpdate_v2(exec, graph, &answer);
    if (node)
        *node = answer.node;
    if (result)
        *result = answer.result;
    return error;
}

/* --- objects of the program that graphs keep alive --- */

CU cuUserObjectCreate(struct wsimrt_user **user, void *data, void (*destroy)(void *data),
                      unsigned uses, unsigned flags) {
    return wsimrt_user_make(user, data, destroy, uses, flags);
}

CU cuUserObjectRetain(struct wsimrt_user *user, unsigned n) {
    return wsimrt_user_retain(user, n);
}

CU cuUserObjectRelease(struct wsimrt_user *user, unsigned n) {
    return wsimrt_user_release(user, n);
}

CU cuGraphRetainUserObject(CUgraph graph, struct wsimrt_user *user, unsigned n, unsigned flags) {
    return wsimrt_graph_retain(graph, user, n, flags);
}

CU cuGraphReleaseUserObject(CUgraph graph, struct wsimrt_user *user, unsigned n) {
    return wsimrt_graph_release(graph, user, n);
}
