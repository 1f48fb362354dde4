/* Nodes of graphs: parameters by their public layout, and ours. */
#include "driver.h"

#include "core/node_layout.h"

#include <string.h>

typedef struct wsimrt_graph *CUgraph;
typedef struct wsimrt_node *CUgraphNode;
typedef struct wsimrt_exec *CUgraphExec;
typedef struct wsimrt_node *const *node_list;

/* --- parameters --- */

struct kernel_params { /* CUDA_KERNEL_NODE_PARAMS_v2; the first version ends with `extra` */
    struct wsimrt_launch_layout launch;
    CUfunction kernel;
    CUcontext context;
};

static int from_kernel(const struct wsimrt_launch_layout *from, struct wsimrt_node_params *to) {
    return wsimrt_node_of_launch(from, from ? from->function : NULL, to);
}

static int from_kernel_2(const struct kernel_params *from, struct wsimrt_node_params *to) {
    const CUfunction function = !from                   ? NULL
                                : from->launch.function ? from->launch.function
                                                        : from->kernel;
    return wsimrt_node_of_launch(from ? &from->launch : NULL, function, to);
}

static int from_copy(const struct memcpy_3d *from, struct wsimrt_node_params *to) {
    *to = (struct wsimrt_node_params){.kind = WSIMRT_NODE_COPY};
    if (from && from->from.type != MEMORY_UNIFIED && from->to.type != MEMORY_UNIFIED)
        to->sides = from->from.type << 8 | from->to.type;
    return copy_of_box(from, &to->copy);
}

static int from_ops(const struct wsimrt_ops_layout *from, struct wsimrt_node_params *to) {
    enum { MOST_OPS = 256 };
    if (!from || !from->context || from->flags || from->count >= MOST_OPS ||
        (from->count && !from->list))
        return WSIMRT_INVALID_VALUE;
    *to = (struct wsimrt_node_params){.kind = WSIMRT_NODE_OPS,
                                      .ops = {from->list, from->count, from->context}};
    return 0;
}

static int from_params(const struct wsimrt_node_layout *from, struct wsimrt_node_params *to) {
    struct kernel_params kernel;
    struct memcpy_3d box;
    const int error = wsimrt_node_layout_check(from);
    if (error)
        return error;
    switch (from->kind) {
    case WSIMRT_NODE_KERNEL:
        memcpy(&kernel, &from->is.kernel, sizeof kernel);
        return from_kernel_2(&kernel, to);
    case WSIMRT_NODE_COPY:
        memcpy(&box, from->is.copy.box, sizeof box);
        return from->is.copy.reserved[0] ? WSIMRT_INVALID_VALUE : from_copy(&box, to);
    case WSIMRT_NODE_OPS: return from_ops(&from->is.ops, to);
    case WSIMRT_NODE_CONDITION:
        if (wsimrt_node_of(from, to) || !wsimrt_condition_fits(to))
            return WSIMRT_INVALID_VALUE;
        if (!from->is.condition.context)
            return WSIMRT_INVALID_CONTEXT;
    }
    return wsimrt_node_of(from, to);
}

/* Reads a node of one kind. */
static int get(CUgraphNode node, enum wsimrt_node_kind kind, const void *out,
               struct wsimrt_node_params *params) {
    const int error = out ? wsimrt_node_get(node, params) : WSIMRT_INVALID_VALUE;
    return error ? error : params->kind == kind ? 0 : WSIMRT_INVALID_VALUE;
}

static int add(CUgraphNode *node, CUgraph graph, node_list before, size_t n, int error,
               struct wsimrt_node_params *params) {
    return error ? error : wsimrt_graph_add(graph, before, NULL, n, params, node);
}

static int set(CUgraphNode node, int error, const struct wsimrt_node_params *params) {
    return error ? error : wsimrt_node_set(node, params);
}

static int exec_set(CUgraphExec exec, CUgraphNode node, int error,
                    const struct wsimrt_node_params *params) {
    return error ? error : wsimrt_exec_set(exec, node, params);
}

/* --- any kind --- */

CU cuGraphAddNode_v2(CUgraphNode *node, CUgraph graph, node_list before,
                     const struct wsimrt_edge_data *data, size_t n,
                     struct wsimrt_node_layout *given) {
    struct wsimrt_node_params params;
    int error = from_params(given, &params);
    error = error ? error : wsimrt_graph_add(graph, before, data, n, &params, node);
    if (!error)
        wsimrt_node_answer(&params, given);
    return error;
}

CU cuGraphAddNode(CUgraphNode *node, CUgraph graph, node_list before, size_t n,
                  struct wsimrt_node_layout *given) {
    return cuGraphAddNode_v2(node, graph, before, NULL, n, given);
}

CU cuGraphNodeSetParams(CUgraphNode node, const struct wsimrt_node_layout *given) {
    struct wsimrt_node_params params;
    return set(node, from_params(given, &params), &params);
}

CU cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node,
                            const struct wsimrt_node_layout *given) {
    struct wsimrt_node_params params;
    return exec_set(exec, node, from_params(given, &params), &params);
}

/* --- kernels --- */

CU cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, node_list before, size_t n,
                        const struct wsimrt_launch_layout *given) {
    struct wsimrt_node_params params;
    return add(node, graph, before, n, from_kernel(given, &params), &params);
}

CU cuGraphAddKernelNode_v2(CUgraphNode *node, CUgraph graph, node_list before, size_t n,
                           const struct kernel_params *given) {
    struct wsimrt_node_params params;
    return add(node, graph, before, n, from_kernel_2(given, &params), &params);
}

CU cuGraphKernelNodeSetParams(CUgraphNode node, const struct wsimrt_launch_layout *given) {
    struct wsimrt_node_params params;
    return set(node, from_kernel(given, &params), &params);
}

CU cuGraphKernelNodeSetParams_v2(CUgraphNode node, const struct kernel_params *given) {
    struct wsimrt_node_params params;
    return set(node, from_kernel_2(given, &params), &params);
}

CU cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                  const struct wsimrt_launch_layout *given) {
    struct wsimrt_node_params params;
    return exec_set(exec, node, from_kernel(given, &params), &params);
}

CU cuGraphExecKernelNodeSetParams_v2(CUgraphExec exec, CUgraphNode node,
                                     const struct kernel_params *given) {
    struct wsimrt_node_params params;
    return exec_set(exec, node, from_kernel_2(given, &params), &params);
}

CU cuGraphKernelNodeGetParams(CUgraphNode node, struct wsimrt_launch_layout *out) {
    struct wsimrt_node_params params;
    const int error = get(node, WSIMRT_NODE_KERNEL, out, &params);
    if (!error)
        *out = wsimrt_launch_of_node(&params);
    return error;
}

CU cuGraphKernelNodeGetParams_v2(CUgraphNode node, struct kernel_params *out) {
    struct wsimrt_node_params params;
    const int error = get(node, WSIMRT_NODE_KERNEL, out, &params);
    if (!error)
        *out = (struct kernel_params){.launch = wsimrt_launch_of_node(&params)};
    return error ? error : wsimrt_context_current(&out->context);
}

/* --- fills --- */

CU cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, node_list before, size_t n,
                        const struct wsimrt_fill_layout *given, CUcontext context) {
    struct wsimrt_node_params params;
    (void)context;
    return add(node, graph, before, n, wsimrt_node_of_fill(given, &params), &params);
}

CU cuGraphMemsetNodeSetParams(CUgraphNode node, const struct wsimrt_fill_layout *given) {
    struct wsimrt_node_params params;
    return set(node, wsimrt_node_of_fill(given, &params), &params);
}

CU cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                  const struct wsimrt_fill_layout *given, CUcontext context) {
    struct wsimrt_node_params params;
    (void)context;
    return exec_set(exec, node, wsimrt_node_of_fill(given, &params), &params);
}

CU cuGraphMemsetNodeGetParams(CUgraphNode node, struct wsimrt_fill_layout *out) {
    struct wsimrt_node_params params;
    const int error = get(node, WSIMRT_NODE_FILL, out, &params);
    if (!error)
        *out = wsimrt_fill_of_node(&params);
    return error;
}

/* --- attributes of kernels --- */

CU cuGraphKernelNodeGetAttribute(CUgraphNode node, int attribute, void *value) {
    return wsimrt_node_get_attribute(node, attribute, value);
}

CU cuGraphKernelNodeSetAttribute(CUgraphNode node, int attribute, const void *value) {
    return wsimrt_node_set_attribute(node, attribute, value);
}

CU cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from) {
    struct wsimrt_node_params params;
    int error = get(from, WSIMRT_NODE_KERNEL, from, &params);
    error = error ? error : get(to, WSIMRT_NODE_KERNEL, to, &params);
    error = error ? error : wsimrt_node_keep_attributes(from, &params);
    return set(to, error, &params);
}

/* --- copies --- */

CU cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, node_list before, size_t n,
                        const struct memcpy_3d *given, CUcontext context) {
    struct wsimrt_node_params params;
    (void)context;
    return add(node, graph, before, n, from_copy(given, &params), &params);
}

/* A side of a copy, with the type of its memory. */
static struct side_3d side_of(const struct wsimrt_place *place, uint64_t rows) {
    struct wsimrt_range range;
    struct side_3d side = {.type = MEMORY_HOST, .pitch = rows > 1 ? (size_t)place->pitch : 0};
    if (!wsimrt_memory_of(place->address, &range) && range.kind != WSIMRT_HOST &&
        range.kind != WSIMRT_REGISTERED)
        side.type = MEMORY_DEVICE;
    if (side.type == MEMORY_HOST)
        side.host = (const void *)(uintptr_t)place->address;
    else
        side.device = place->address;
    side.height = rows > 1 && place->pitch ? (size_t)(place->slice / place->pitch) : 0;
    return side;
}

CU cuGraphMemcpyNodeGetParams(CUgraphNode node, struct memcpy_3d *out) {
    struct wsimrt_node_params params;
    const int error = get(node, WSIMRT_NODE_COPY, out, &params);
    const uint64_t rows = error ? 0 : params.copy.height * params.copy.depth;
    if (!error)
        *out = (struct memcpy_3d){side_of(&params.copy.from, rows), side_of(&params.copy.to, rows),
                                  (size_t)params.copy.width, (size_t)params.copy.height,
                                  (size_t)params.copy.depth};
    return error;
}

CU cuGraphMemcpyNodeSetParams(CUgraphNode node, const struct memcpy_3d *given) {
    struct wsimrt_node_params params;
    return set(node, from_copy(given, &params), &params);
}

CU cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node, const struct memcpy_3d *given,
                                  CUcontext context) {
    struct wsimrt_node_params params;
    (void)context;
    return exec_set(exec, node, from_copy(given, &params), &params);
}

/* --- functions of the host --- */

CU cuGraphAddHostNode(CUgraphNode *node, CUgraph graph, node_list before, size_t n,
                      const struct wsimrt_call_layout *given) {
    struct wsimrt_node_params params;
    return add(node, graph, before, n, wsimrt_node_of_call(given, &params), &params);
}

CU cuGraphHostNodeSetParams(CUgraphNode node, const struct wsimrt_call_layout *given) {
    struct wsimrt_node_params params;
    return set(node, wsimrt_node_of_call(given, &params), &params);
}

CU cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                const struct wsimrt_call_layout *given) {
    struct wsimrt_node_params params;
    return exec_set(exec, node, wsimrt_node_of_call(given, &params), &params);
}

CU cuGraphHostNodeGetParams(CUgraphNode node, struct wsimrt_call_layout *out) {
    struct wsimrt_node_params params;
    const int error = get(node, WSIMRT_NODE_CALL, out, &params);
    if (!error)
        *out = (struct wsimrt_call_layout){params.call.function, params.call.data};
    return error;
}

/* --- values in memory --- */

CU cuGraphAddBatchMemOpNode(CUgraphNode *node, CUgraph graph, node_list before, size_t n,
                            const struct wsimrt_ops_layout *given) {
    struct wsimrt_node_params params;
    return add(node, graph, before, n, from_ops(given, &params), &params);
}

CU cuGraphBatchMemOpNodeSetParams(CUgraphNode node, const struct wsimrt_ops_layout *given) {
    struct wsimrt_node_params params;
    return set(node, from_ops(given, &params), &params);
}

CU cuGraphExecBatchMemOpNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                      const struct wsimrt_ops_layout *given) {
    struct wsimrt_node_params params;
    return exec_set(exec, node, from_ops(given, &params), &params);
}

CU cuGraphBatchMemOpNodeGetParams(CUgraphNode node, struct wsimrt_ops_layout *out) {
    struct wsimrt_node_params params;
    const int error = get(node, WSIMRT_NODE_OPS, out, &params);
    if (!error)
        *out = (struct wsimrt_ops_layout){params.ops.context, params.ops.n, params.ops.list, 0};
    return error;
}

/* --- other graphs --- */

CU cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *child) {
    struct wsimrt_node_params params;
    const int error = get(node, WSIMRT_NODE_GRAPH, child, &params);
    if (!error)
        *child = params.child;
    return error;
}

CU cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph child) {
    const struct wsimrt_node_params params = {.kind = WSIMRT_NODE_GRAPH, .child = child};
    return exec_set(exec, node, 0, &params);
}

/* --- events --- */

static int add_event(CUgraphNode *node, CUgraph graph, node_list before, size_t n, CUevent event,
                     enum wsimrt_node_kind kind) {
    struct wsimrt_node_params params = {.kind = kind, .event = event};
    return add(node, graph, before, n, 0, &params);
}

static int get_event(CUgraphNode node, CUevent *event, enum wsimrt_node_kind kind) {
    struct wsimrt_node_params params;
    const int error = get(node, kind, event, &params);
    if (!error)
        *event = params.event;
    return error;
}

CU cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph, node_list before, size_t n,
                             CUevent event) {
    return add_event(node, graph, before, n, event, WSIMRT_NODE_RECORD);
}

CU cuGraphAddEventWaitNode(CUgraphNode *node, CUgraph graph, node_list before, size_t n,
                           CUevent event) {
    return add_event(node, graph, before, n, event, WSIMRT_NODE_WAIT);
}

CU cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *event) {
    return get_event(node, event, WSIMRT_NODE_RECORD);
}

CU cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *event) {
    return get_event(node, event, WSIMRT_NODE_WAIT);
}

CU cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
    const struct wsimrt_node_params params = {.kind = WSIMRT_NODE_RECORD, .event = event};
    return set(node, 0, &params);
}

CU cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
    const struct wsimrt_node_params params = {.kind = WSIMRT_NODE_WAIT, .event = event};
    return set(node, 0, &params);
}

CU cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
    const struct wsimrt_node_params params = {.kind = WSIMRT_NODE_RECORD, .event = event};
    return exec_set(exec, node, 0, &params);
}

CU cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
    const struct wsimrt_node_params params = {.kind = WSIMRT_NODE_WAIT, .event = event};
    return exec_set(exec, node, 0, &params);
}

/* --- memory --- */

CU cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph, node_list before, size_t n,
                          struct wsimrt_alloc_layout *given) {
    struct wsimrt_node_params params;
    int error = wsimrt_node_of_alloc(given, &params);
    error = add(node, graph, before, n, error, &params);
    if (!error)
        given->address = params.address;
    return error;
}

CU cuGraphMemAllocNodeGetParams(CUgraphNode node, struct wsimrt_alloc_layout *out) {
    struct wsimrt_node_params params;
    const int error = get(node, WSIMRT_NODE_ALLOC, out, &params);
    if (!error)
        *out = wsimrt_alloc_of_node(&params);
    return error;
}

CU cuGraphAddMemFreeNode(CUgraphNode *node, CUgraph graph, node_list before, size_t n,
                         CUdeviceptr address) {
    struct wsimrt_node_params params = {.kind = WSIMRT_NODE_FREE, .address = address};
    return add(node, graph, before, n, 0, &params);
}

CU cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr *address) {
    struct wsimrt_node_params params;
    const int error = get(node, WSIMRT_NODE_FREE, address, &params);
    if (!error)
        *address = params.address;
    return error;
}
