/* Nodes of graphs: parameters as programs hold them, and the functions for each kind. */
#include "cudart.h"

#include "core/node_layout.h"

#include <string.h>

typedef struct wsimrt_graph *cudaGraph_t;
typedef struct wsimrt_node *cudaGraphNode_t;
typedef struct wsimrt_exec *cudaGraphExec_t;
typedef struct wsimrt_edge_data edge_data;
typedef struct wsimrt_node *const *node_list;

/* --- from the parameters of the program to ours --- */

static int from_kernel(const struct wsimrt_launch_layout *from, struct wsimrt_node_params *to) {
    struct wsimrt_function *function;
    int error = !from ? WSIMRT_INVALID_VALUE : from->function ? 0 : RT_INVALID_FUNCTION;
    error = error ? error : rt_function(from->function, &function);
    if (!error && from->params && from->extra)
        error = WSIMRT_INVALID_VALUE;
    return error ? error : wsimrt_node_of_launch(from, function, to);
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
                   place->pitch && place->slice ? place->slice / place->pitch : place->pitch != 0}};
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
    params->copy = (struct wsimrt_copy){.to = {.address = (uint64_t)(uintptr_t)to},
                                        .from = {.address = (uint64_t)(uintptr_t)from},
                                        .width = bytes,
                                        .height = 1,
                                        .depth = 1};
    if (kind < 0 || kind > 4)
        return RT_INVALID_DIRECTION;
    return bytes ? rt_check_kind(&params->copy, kind) : WSIMRT_INVALID_VALUE;
}

static int from_params(const struct wsimrt_node_layout *from, struct wsimrt_node_params *to) {
    struct copy_3d box;
    const int error = wsimrt_node_layout_check(from);
    if (error)
        return error;
    if (from->kind == WSIMRT_NODE_KERNEL)
        return from_kernel(&from->is.kernel.launch, to);
    if (from->kind != WSIMRT_NODE_COPY)
        return wsimrt_node_of(from, to);
    memcpy(&box, from->is.copy.box, sizeof box);
    return from_copy(&box, to);
}

/* --- any kind --- */

/* Adds a node, and reports what the runtime answers in *params. */
static int add(cudaGraphNode_t *node, cudaGraph_t graph, node_list before, const edge_data *data,
               size_t n, int error, struct wsimrt_node_params *params) {
    error = error ? error : rt_need();
    return rt_note(error ? error : wsimrt_graph_add(graph, before, data, n, params, node));
}

RT cudaGraphAddNode_v2(cudaGraphNode_t *node, cudaGraph_t graph, node_list before,
                       const edge_data *data, size_t n, struct wsimrt_node_layout *given) {
    struct wsimrt_node_params params;
    const int wrong = rt_need(), error = wrong ? wrong : from_params(given, &params);
    const int result = add(node, graph, before, data, n, error, &params);
    if (!result)
        wsimrt_node_answer(&params, given);
    return result;
}

#if RT_MAJOR >= 13
RT cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, node_list before,
                    const edge_data *data, size_t n, struct wsimrt_node_layout *given) {
    return cudaGraphAddNode_v2(node, graph, before, data, n, given);
}
#else
RT cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, node_list before, size_t n,
                    struct wsimrt_node_layout *given) {
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
                          const struct wsimrt_launch_layout *given) {
    struct wsimrt_node_params params;
    const int wrong = rt_need(), error = wrong ? wrong : from_kernel(given, &params);
    return add(node, graph, before, NULL, n, error, &params);
}

RT cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct wsimrt_launch_layout *out) {
    struct wsimrt_node_params params;
    const int error = get(node, WSIMRT_NODE_KERNEL, out, &params);
    if (!error) {
        *out = wsimrt_launch_of_node(&params);
        out->function = rt_host_of(params.launch.function);
    }
    return error;
}

RT cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct wsimrt_launch_layout *given) {
    struct wsimrt_node_params params;
    int error = from_kernel(given, &params);
    error = error ? error : wsimrt_node_keep_attributes(node, &params);
    return set(node, error, &params);
}

RT cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    const struct wsimrt_launch_layout *given) {
    struct wsimrt_node_params params;
    int error = from_kernel(given, &params);
    error = error ? error : wsimrt_node_keep_attributes(node, &params);
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
                          const struct wsimrt_fill_layout *given) {
    struct wsimrt_node_params params;
    return add(node, graph, before, NULL, n, wsimrt_node_of_fill(given, &params), &params);
}

RT cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct wsimrt_fill_layout *out) {
    struct wsimrt_node_params params;
    const int error = get(node, WSIMRT_NODE_FILL, out, &params);
    if (!error)
        *out = wsimrt_fill_of_node(&params);
    return error;
}

RT cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const struct wsimrt_fill_layout *given) {
    struct wsimrt_node_params params;
    return set(node, wsimrt_node_of_fill(given, &params), &params);
}

RT cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    const struct wsimrt_fill_layout *given) {
    struct wsimrt_node_params params;
    return exec_set(exec, node, wsimrt_node_of_fill(given, &params), &params);
}

RT cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph, node_list before, size_t n,
                        const struct wsimrt_call_layout *given) {
    struct wsimrt_node_params params;
    return add(node, graph, before, NULL, n, wsimrt_node_of_call(given, &params), &params);
}

RT cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct wsimrt_call_layout *out) {
    struct wsimrt_node_params params;
    const int error = get(node, WSIMRT_NODE_CALL, out, &params);
    if (!error)
        *out = (struct wsimrt_call_layout){params.call.function, params.call.data};
    return error;
}

RT cudaGraphHostNodeSetParams(cudaGraphNode_t node, const struct wsimrt_call_layout *given) {
    struct wsimrt_node_params params;
    return set(node, wsimrt_node_of_call(given, &params), &params);
}

RT cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                  const struct wsimrt_call_layout *given) {
    struct wsimrt_node_params params;
    return exec_set(exec, node, wsimrt_node_of_call(given, &params), &params);
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
                            struct wsimrt_alloc_layout *given) {
    struct wsimrt_node_params params;
    int error = rt_need();
    error = error ? error : wsimrt_node_of_alloc(given, &params);
    error = add(node, graph, before, NULL, n, error, &params);
    if (!error)
        given->address = params.address;
    return error;
}

RT cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, struct wsimrt_alloc_layout *out) {
    struct wsimrt_node_params params;
    const int error = get(node, WSIMRT_NODE_ALLOC, out, &params);
    if (!error)
        *out = wsimrt_alloc_of_node(&params);
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

RT cudaGraphNodeSetParams(cudaGraphNode_t node, const struct wsimrt_node_layout *given) {
    struct wsimrt_node_params params;
    return set(node, from_params(given, &params), &params);
}

RT cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                              const struct wsimrt_node_layout *given) {
    struct wsimrt_node_params params;
    return exec_set(exec, node, from_params(given, &params), &params);
}

/* --- attributes of kernel nodes --- */

RT cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, int attribute, void *value) {
    return rt_note(wsimrt_node_get_attribute(node, attribute, value));
}

RT cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, int attribute, const void *value) {
    return rt_note(wsimrt_node_set_attribute(node, attribute, value));
}

RT cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
    struct wsimrt_node_params params;
    int error = get(from, WSIMRT_NODE_KERNEL, &params, &params);
    error = error ? error : get(to, WSIMRT_NODE_KERNEL, &params, &params);
    error = error ? error : wsimrt_node_keep_attributes(from, &params);
    return set(to, error, &params);
}
