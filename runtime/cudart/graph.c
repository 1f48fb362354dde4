/* Graphs: the functions of the runtime API on those of core/graph.h. Where CUDA 13 changed the
 * arguments of a name, RT_MAJOR says which they are. */
#include "cudart.h"

#include "core/graph.h"

typedef struct wsimrt_graph *cudaGraph_t;
typedef struct wsimrt_node *cudaGraphNode_t;
typedef struct wsimrt_exec *cudaGraphExec_t;
typedef struct wsimrt_edge_data edge_data;
typedef struct wsimrt_node *const *node_list;

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
#endif

/* --- graphs that launch --- */

RT cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                 unsigned long long flags) {
    struct wsimrt_instantiate how = {.flags = flags};
    RT_CALL(flags & WSIMRT_EXEC_UPLOAD ? WSIMRT_INVALID_VALUE
                                       : wsimrt_exec_make(graph, &how, exec));
}

RT cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags) {
    return cudaGraphInstantiateWithFlags(exec, graph, flags);
}

RT cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
                                  struct wsimrt_instantiate *params) {
    RT_CALL(wsimrt_exec_make(graph, params, exec));
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

RT cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
    RT_CALL(wsimrt_exec_upload(exec, stream));
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
    int error = rt_need();
    error = error ? error : wsimrt_exec_update(exec, graph, &answer.result, &answer.node);
    if (result && error != WSIMRT_INVALID_VALUE)
        *result = answer;
    return rt_note(error);
}

/* --- a picture of a graph --- */

RT cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned flags) {
    (void)flags;
    RT_CALL(wsimrt_graph_draw(graph, path));
}

/* --- memory of graphs: it is that of the device --- */

RT cudaDeviceGraphMemTrim(int device) {
    int major, error = wsimrt_init();
    error = error ? error : wsimrt_device_attribute(&major, 75, device);
    return rt_note(error ? error : wsimrt_graph_memory_trim(device));
}

RT cudaDeviceGetGraphMemAttribute(int device, int attribute, uint64_t *value) {
    const int error = wsimrt_init();
    return rt_note(error ? error : wsimrt_graph_memory(device, attribute, value));
}

RT cudaDeviceSetGraphMemAttribute(int device, int attribute, const uint64_t *value) {
    const int error = wsimrt_init();
    if (!error && (!value || *value))
        return rt_note(WSIMRT_INVALID_VALUE);
    return rt_note(error ? error : wsimrt_graph_memory_reset(device, attribute));
}
