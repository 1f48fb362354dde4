/* Capture of streams: the functions of the runtime API on those of core/graph.h. Where CUDA 13
 * changed the arguments of a name, RT_MAJOR says which they are. */
#include "cudart.h"

#include "core/graph.h"

typedef struct wsimrt_graph *cudaGraph_t;
typedef struct wsimrt_edge_data edge_data;
typedef struct wsimrt_node *const *node_list;

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
    cudaGraph_t own = NULL;
    int error = rt_need();
    if (error)
        return rt_note(error);
    if (graph)
        *graph = NULL;
    error = wsimrt_capture_end(stream, graph);
    if (!graph && error == WSIMRT_INVALID_VALUE) { /* the graph has no place */
        error = wsimrt_capture_end(stream, &own);
        if (!error && own)
            wsimrt_graph_destroy(own);
    }
    return rt_note(error);
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
    int error = status ? rt_need() : WSIMRT_INVALID_VALUE;
    error =
        error ? error : wsimrt_capture_read(stream, status, (uint64_t *)id, graph, nodes, data, n);
    return rt_note(error);
}

RT cudaStreamGetCaptureInfo_v2(cudaStream_t stream, int *status, unsigned long long *id,
                               cudaGraph_t *graph, node_list *nodes, size_t *n) {
    return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, nodes, NULL, n);
}

RT cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, node_list nodes,
                                          const edge_data *data, size_t n, unsigned flags) {
    (void)data;
    RT_CALL(flags > 1 ? WSIMRT_INVALID_VALUE : wsimrt_capture_update(stream, nodes, n, flags));
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
