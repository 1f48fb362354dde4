/* Nodes of graphs: parameters by their public layout, and ours. */
#include "driver.h"

#include "core/graph.h"

#include <string.h>

typedef struct wsimrt_graph *CUgraph;
typedef struct wsimrt_node *CUgraphNode;
typedef struct wsimrt_exec *CUgraphExec;
typedef struct wsimrt_node *const *node_list;

/* --- parameters --- */

struct kernel_params { /* CUDA_KERNEL_NODE_PARAMS_v2; the first version ends with `extra` */
    CUfunction function;
    unsigned grid[3], block[3], shared;
    void **params, **extra;
    CUfunction kernel;
    CUcontext context;
};
struct fill_params { /* CUDA_MEMSET_NODE_PARAMS */
    CUdeviceptr to;
    size_t pitch;
    unsigned value, size;
    size_t width, height;
};
struct host_params { /* CUDA_HOST_NODE_PARAMS */
    void (*function)(void *data);
    void *data;
};
struct alloc_params { /* CUDA_MEM_ALLOC_NODE_PARAMS */
    unsigned char pool[88];
    const void *access;
    size_t n_access, bytes;
    CUdeviceptr address;
};
struct node_params { /* CUgraphNodeParams */
    int kind, reserved[3];
    union {
        long long padding[29];
        struct kernel_params kernel;
        struct {
            int flags, reserved;
            CUcontext context;
            struct memcpy_3d copy;
        } memcpy;
        struct fill_params memset;
        struct host_params host;
        struct {
            CUgraph graph;
            int ownership;
        } child;
        CUevent event;
        struct alloc_params alloc;
        CUdeviceptr address;
        struct {
            uint64_t handle;
            int type;
            unsigned count;
            CUgraph *bodies;
        } condition;
    } is;
    long long reserved2;
};

/* Places of `extra`: 1 the buffer, 2 its size, 0 the end. */
static int from_kernel(const struct kernel_params *from, CUfunction function,
                       struct wsimrt_node_params *to) {
    *to = (struct wsimrt_node_params){.kind = WSIMRT_NODE_KERNEL};
    if (!from)
        return WSIMRT_INVALID_VALUE;
    to->launch.function = function;
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

static int from_kernel_1(const struct kernel_params *from, struct wsimrt_node_params *to) {
    return from_kernel(from, from ? from->function : NULL, to);
}

static int from_kernel_2(const struct kernel_params *from, struct wsimrt_node_params *to) {
    const CUfunction function = !from ? NULL : from->function ? from->function : from->kernel;
    return from_kernel(from, function, to);
}

static int from_fill(const struct fill_params *from, struct wsimrt_node_params *to) {
    *to = (struct wsimrt_node_params){.kind = WSIMRT_NODE_FILL};
    if (!from || !from->width || !from->height || from->width > SIZE_MAX / 4)
        return WSIMRT_INVALID_VALUE;
    to->fill = (struct wsimrt_fill){.to = {from->to, from->pitch, 0},
                                    .width = from->width * from->size,
                                    .height = from->height,
                                    .depth = 1,
                                    .value = from->value,
                                    .size = from->size};
    return 0;
}

static int from_copy(const struct memcpy_3d *from, struct wsimrt_node_params *to) {
    *to = (struct wsimrt_node_params){.kind = WSIMRT_NODE_COPY};
    return copy_of_box(from, &to->copy);
}

static int from_host(const struct host_params *from, struct wsimrt_node_params *to) {
    *to = (struct wsimrt_node_params){.kind = WSIMRT_NODE_CALL};
    if (!from || !from->function)
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
    case WSIMRT_NODE_KERNEL: return from_kernel_2(&from->is.kernel, to);
    case WSIMRT_NODE_COPY: return from_copy(&from->is.memcpy.copy, to);
    case WSIMRT_NODE_FILL: return from_fill(&from->is.memset, to);
    case WSIMRT_NODE_CALL: return from_host(&from->is.host, to);
    case WSIMRT_NODE_GRAPH: to->child = from->is.child.graph; return 0;
    case WSIMRT_NODE_EMPTY: return 0;
    case WSIMRT_NODE_WAIT:
    case WSIMRT_NODE_RECORD: to->event = from->is.event; return 0;
    case WSIMRT_NODE_ALLOC: to->bytes = from->is.alloc.bytes; return 0;
    case WSIMRT_NODE_FREE: to->address = from->is.address; return 0;
    case WSIMRT_NODE_CONDITION:
        to->condition.handle = from->is.condition.handle;
        to->condition.type = (unsigned)from->is.condition.type;
        to->condition.count = from->is.condition.count;
        return 0;
    default:
        return from->kind == 8 || from->kind == 9 ? WSIMRT_NOT_SUPPORTED : WSIMRT_INVALID_VALUE;
    }
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
                     const struct wsimrt_edge_data *data, size_t n, struct node_params *given) {
    struct wsimrt_node_params params;
    int error = from_params(given, &params);
    error = error ? error : wsimrt_graph_add(graph, before, data, n, &params, node);
    if (!error && params.kind == WSIMRT_NODE_ALLOC)
        given->is.alloc.address = params.address;
    if (!error && params.kind == WSIMRT_NODE_CONDITION)
        given->is.condition.bodies = params.condition.bodies;
    return error;
}

CU cuGraphAddNode(CUgraphNode *node, CUgraph graph, node_list before, size_t n,
                  struct node_params *given) {
    return cuGraphAddNode_v2(node, graph, before, NULL, n, given);
}

CU cuGraphNodeSetParams(CUgraphNode node, const struct node_params *given) {
    struct wsimrt_node_params params;
    return set(node, from_params(given, &params), &params);
}

CU cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node, const struct node_params *given) {
    struct wsimrt_node_params params;
    return exec_set(exec, node, from_params(given, &params), &params);
}

/* --- kernels --- */

CU cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, node_list before, size_t n,
                        const struct kernel_params *given) {
    struct wsimrt_node_params params;
    return add(node, graph, before, n, from_kernel_1(given, &params), &params);
}

CU cuGraphAddKernelNode_v2(CUgraphNode *node, CUgraph graph, node_list before, size_t n,
                           const struct kernel_params *given) {
    struct wsimrt_node_params params;
    return add(node, graph, before, n, from_kernel_2(given, &params), &params);
}

CU cuGraphKernelNodeSetParams(CUgraphNode node, const struct kernel_params *given) {
    struct wsimrt_node_params params;
    return set(node, from_kernel_1(given, &params), &params);
}

CU cuGraphKernelNodeSetParams_v2(CUgraphNode node, const struct kernel_params *given) {
    struct wsimrt_node_params params;
    return set(node, from_kernel_2(given, &params), &params);
}

CU cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                  const struct kernel_params *given) {
    struct wsimrt_node_params params;
    return exec_set(exec, node, from_kernel_1(given, &params), &params);
}

CU cuGraphExecKernelNodeSetParams_v2(CUgraphExec exec, CUgraphNode node,
                                     const struct kernel_params *given) {
    struct wsimrt_node_params params;
    return exec_set(exec, node, from_kernel_2(given, &params), &params);
}

/* The fields of both versions. */
static int get_kernel(CUgraphNode node, struct kernel_params *out) {
    struct wsimrt_node_params params;
    const int error = get(node, WSIMRT_NODE_KERNEL, out, &params);
    if (error)
        return error;
    out->function = params.launch.function;
    memcpy(out->grid, params.launch.grid, sizeof out->grid);
    memcpy(out->block, params.launch.block, sizeof out->block);
    out->shared = (unsigned)params.launch.shared;
    out->params = params.launch.params;
    out->extra = NULL;
    return 0;
}

CU cuGraphKernelNodeGetParams(CUgraphNode node, struct kernel_params *out) {
    return get_kernel(node, out);
}

CU cuGraphKernelNodeGetParams_v2(CUgraphNode node, struct kernel_params *out) {
    const int error = get_kernel(node, out);
    if (!error) {
        out->kernel = NULL;
        out->context = NULL;
    }
    return error;
}

/* --- fills --- */

CU cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, node_list before, size_t n,
                        const struct fill_params *given, CUcontext context) {
    struct wsimrt_node_params params;
    (void)context;
    return add(node, graph, before, n, from_fill(given, &params), &params);
}

CU cuGraphMemsetNodeSetParams(CUgraphNode node, const struct fill_params *given) {
    struct wsimrt_node_params params;
    return set(node, from_fill(given, &params), &params);
}

CU cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                  const struct fill_params *given, CUcontext context) {
    struct wsimrt_node_params params;
    (void)context;
    return exec_set(exec, node, from_fill(given, &params), &params);
}

CU cuGraphMemsetNodeGetParams(CUgraphNode node, struct fill_params *out) {
    struct wsimrt_node_params params;
    const struct wsimrt_fill *fill = &params.fill;
    const int error = get(node, WSIMRT_NODE_FILL, out, &params);
    if (!error)
        *out = (struct fill_params){fill->to.address, fill->to.pitch,           fill->value,
                                    fill->size,       fill->width / fill->size, fill->height};
    return error;
}

/* --- copies --- */

CU cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, node_list before, size_t n,
                        const struct memcpy_3d *given, CUcontext context) {
    struct wsimrt_node_params params;
    (void)context;
    return add(node, graph, before, n, from_copy(given, &params), &params);
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
                      const struct host_params *given) {
    struct wsimrt_node_params params;
    return add(node, graph, before, n, from_host(given, &params), &params);
}

CU cuGraphHostNodeSetParams(CUgraphNode node, const struct host_params *given) {
    struct wsimrt_node_params params;
    return set(node, from_host(given, &params), &params);
}

CU cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                const struct host_params *given) {
    struct wsimrt_node_params params;
    return exec_set(exec, node, from_host(given, &params), &params);
}

CU cuGraphHostNodeGetParams(CUgraphNode node, struct host_params *out) {
    struct wsimrt_node_params params;
    const int error = get(node, WSIMRT_NODE_CALL, out, &params);
    if (!error)
        *out = (struct host_params){params.call.function, params.call.data};
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
                          struct alloc_params *given) {
    struct wsimrt_node_params params = {.kind = WSIMRT_NODE_ALLOC,
                                        .bytes = given ? given->bytes : 0};
    const int error = add(node, graph, before, n, given ? 0 : WSIMRT_INVALID_VALUE, &params);
    if (!error)
        given->address = params.address;
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
