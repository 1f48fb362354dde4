/* Nodes that the program adds, with memory of devices for those that need it. */
#include "graph_state.h"
#include "ops.h"

#include <stdlib.h>
#include <string.h>

/* Frees memory whose nodes are gone. */
static void drop_unused(void) {
    for (struct graph_memory **at = &core.graph_memory, *memory = *at; memory; memory = *at) {
        if (memory->uses) {
            at = &memory->next;
            continue;
        }
        *at = memory->next;
        memory_release(memory->address);
        free(memory);
    }
}

static int make_memory(struct wsimrt_context *context, struct wsimrt_node_params *params) {
    struct graph_memory *memory = calloc(1, sizeof *memory);
    const int error =
        memory ? memory_of_graph(context, params->bytes, &memory->address) : WSIMRT_OUT_OF_MEMORY;
    if (error) {
        free(memory);
        return error;
    }
    params->address = memory->address;
    memory->next = core.graph_memory;
    core.graph_memory = memory;
    return 0;
}

/* Addresses of enough bytes that a marked node frees; 0: none. */
static uint64_t reuse(const struct wsimrt_graph *graph, const unsigned char *marks,
                      uint64_t bytes) {
    for (size_t i = 0; i < graph->n; i++) {
        struct wsimrt_node *node = graph->nodes[i];
        const struct allocation *allocation;
        if (!marks[i] || node->params.kind != WSIMRT_NODE_FREE || node->reused)
            continue;
        allocation = memory_find(node->params.address, bytes);
        if (allocation && allocation->graph && allocation->base == node->params.address) {
            node->reused = 1;
            if (node->frees == 1 && graph_memory_at(allocation->base)) {
                graph_memory_at(allocation->base)->ends = 0;
                node->frees = 0;
            }
            return allocation->base;
        }
    }
    return 0;
}

/* Marks all nodes that a new one waits for. NULL: no memory. */
static unsigned char *mark_all(const struct wsimrt_graph *graph, struct wsimrt_node *const *before,
                               size_t n) {
    unsigned char *const marks = calloc(graph->n + 1, 1);
    for (size_t i = 0; marks && i < n; i++)
        if (handle_is(before[i], HANDLE_NODE) && before[i]->graph == graph)
            graph_mark_before(before[i], marks);
    return marks;
}

int graph_memory_make(struct wsimrt_context *context, const struct wsimrt_graph *graph,
                      struct wsimrt_node *const *before, size_t n,
                      struct wsimrt_node_params *params) {
    unsigned char *const marks = mark_all(graph, before, n);
    params->address = marks ? reuse(graph, marks, params->bytes) : 0;
    free(marks);
    return params->address ? 0 : make_memory(context, params);
}

/* A graph that is a node has no conditions, and no memory of its own. */
static int check_child(const struct wsimrt_graph *graph, const struct wsimrt_node_params *params) {
    const struct wsimrt_graph *const child = params->child;
    if (!handle_is(child, HANDLE_GRAPH))
        return WSIMRT_INVALID_VALUE;
    if (child->body || child->n_conditions || (child->memory && !params->moves))
        return WSIMRT_NOT_SUPPORTED;
    if (child == graph || (params->moves == 1 && (child->owned || graph_holds(child, graph))))
        return WSIMRT_INVALID_VALUE;
    return 0;
}

static int check_set(const struct wsimrt_node *node, const struct wsimrt_node_params *params) {
    if (!params || params->kind != node->params.kind || params->kind == WSIMRT_NODE_CONDITION)
        return WSIMRT_INVALID_VALUE;
    if (params->kind == WSIMRT_NODE_ALLOC || params->kind == WSIMRT_NODE_FREE)
        return WSIMRT_NOT_SUPPORTED;
    if (params->kind == WSIMRT_NODE_GRAPH) {
        const int error = check_child(NULL, params);
        return error ? error : graph_check_captured(node->params.child);
    }
    return 0;
}

int node_check(const struct wsimrt_node_params *params) {
    const struct wsimrt_fill *const fill = &params->fill;
    if (params->kind == WSIMRT_NODE_COPY)
        return copy_check(&params->copy);
    if (params->kind == WSIMRT_NODE_OPS)
        return ops_check(params->ops.list, params->ops.n);
    if (params->kind != WSIMRT_NODE_FILL)
        return 0;
    return fill->size == 1 || fill->size == 2 || fill->size == 4 ? fill_check(fill)
                                                                 : WSIMRT_INVALID_VALUE;
}

int wsimrt_node_set(struct wsimrt_node *node, const struct wsimrt_node_params *params) {
    int error = core_enter(NULL);
    if (!error && !handle_is(node, HANDLE_NODE))
        error = WSIMRT_INVALID_VALUE;
    error = error ? error : check_set(node, params);
    error = error ? error : node_check(params);
    return core_leave(error ? error : node_set(node, params));
}

/* Memory of a graph, which no node of the program frees yet. */
int graph_check_free(struct wsimrt_graph *graph, uint64_t address) {
    const struct allocation *const allocation = memory_find(address, 1);
    const struct graph_memory *const memory = graph_memory_at(address);
    graph->memory = 1; /* also where the node is refused */
    if (!memory || !allocation || !allocation->graph || memory->ends)
        return WSIMRT_INVALID_VALUE;
    if (memory->graph == graph) /* which no exec and no other graph counts on */
        return memory->freed || graph->execs ? WSIMRT_INVALID_VALUE : 0;
    for (size_t i = 0; i < graph->n; i++)
        if (graph->nodes[i]->params.kind == WSIMRT_NODE_FREE && !graph->nodes[i]->reused &&
            graph->nodes[i]->params.address == address)
            return WSIMRT_INVALID_VALUE;
    return 0;
}

static void note_free(struct wsimrt_node *node) {
    struct graph_memory *const memory = graph_memory_at(node->params.address);
    node->frees = memory->graph == node->graph ? 1 : 2;
    if (node->frees == 1)
        memory->ends = 1;
    else
        memory->freed++;
}

int wsimrt_graph_add(struct wsimrt_graph *graph, struct wsimrt_node *const *before,
                     const struct wsimrt_edge_data *data, size_t n,
                     struct wsimrt_node_params *params, struct wsimrt_node **node) {
    struct wsimrt_context *context = NULL;
    int error = graph_enter(graph);
    if (!error && (!params || !node))
        error = WSIMRT_INVALID_VALUE;
    if (!error && params->kind == WSIMRT_NODE_KERNEL &&
        !handle_is(params->launch.function, HANDLE_FUNCTION))
        error = WSIMRT_INVALID_HANDLE;
    if (!error && params->kind == WSIMRT_NODE_GRAPH)
        error = check_child(graph, params);
    if (!error && params->kind == WSIMRT_NODE_FREE && !data && graph_has_all(graph, before, n))
        graph->memory = 1; /* also where a node is named twice */
    error = error ? error : graph_check_before(graph, before, data, n, params->kind);
    if (!error && params->kind == WSIMRT_NODE_ALLOC) {
        error = params->wrong ? params->wrong : core_current(&context);
        error = error ? error : graph_memory_make(context, graph, before, n, params);
        graph->memory |= error == WSIMRT_OUT_OF_MEMORY;
    }
    if (!error && params->kind == WSIMRT_NODE_FREE)
        error = graph_check_free(graph, params->address);
    error = error ? error : node_check(params);
    error = error ? error : graph_add(graph, before, data, n, params, node);
    if (!error && params->kind == WSIMRT_NODE_FREE)
        note_free(*node);
    return core_leave(error);
}

int wsimrt_graph_condition(struct wsimrt_graph *graph, unsigned value, int assign,
                           uint64_t *handle) {
    int error = graph_enter(graph);
    struct wsimrt_context *context = NULL;
    struct condition *grown;
    struct wsim_diag diag;
    const uint32_t first = value;
    uint64_t address = 0;
    error = error || handle ? error : WSIMRT_INVALID_VALUE;
    error = error ? error : core_current(&context);
    if (error)
        return core_leave(error);
    grown = realloc(graph->conditions, (graph->n_conditions + 1) * sizeof *grown);
    if (grown)
        graph->conditions = grown;
    if (!grown ||
        wsim_device_alloc(context->device, "condition of a graph", 4, 0, &address, &diag) ||
        wsim_device_write(context->device, address, &first, sizeof first, &diag))
        return core_leave(WSIMRT_OUT_OF_MEMORY);
    grown[graph->n_conditions++] = (struct condition){address, value, (uint8_t)(assign != 0)};
    *handle = address;
    return core_leave(0);
}

/* The bytes of graphs that may still run, but for those of one stream. */
static uint64_t busy_graphs(const struct wsimrt_context *context, const struct wsimrt_stream *but) {
    uint64_t bytes = 0;
    for (const struct wsimrt_stream *at = context->streams; at; at = at->next)
        if (at != but && at->ended > context->waited)
            bytes += at->graph;
    return bytes;
}

/* The bytes of the ALLOC nodes of a graph, addresses that are used again once. */
static uint64_t bytes_of(const struct wsimrt_graph *graph) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < graph->n; i++) {
        const struct wsimrt_node *const node = graph->nodes[i];
        int again = node->params.kind != WSIMRT_NODE_ALLOC;
        for (size_t k = 0; k < i && !again; k++)
            again = graph->nodes[k]->params.kind == WSIMRT_NODE_ALLOC &&
                    graph->nodes[k]->params.address == node->params.address;
        bytes += again ? 0 : node->params.bytes;
    }
    return bytes;
}

static int allocates(const struct wsimrt_graph *graph, uint64_t address) {
    for (size_t i = 0; graph && i < graph->n; i++)
        if (graph->nodes[i]->memory && graph->nodes[i]->memory->address == address)
            return 1;
    return 0;
}

/* The bytes that launches gave and that are not freed yet, but for those of one graph. */
static uint64_t live_bytes(int device, const struct wsimrt_graph *but) {
    uint64_t bytes = 0;
    for (const struct graph_memory *at = core.graph_memory; at; at = at->next) {
        const struct allocation *const allocation = memory_find(at->address, 1);
        if (allocation && allocation->live && allocation->device == device &&
            !allocates(but, at->address))
            bytes += memory_reserved(allocation->bytes);
    }
    return bytes;
}

int graph_reserve(const struct wsimrt_graph *graph, struct wsimrt_stream *stream) {
    const int ordinal = stream->context->ordinal;
    struct device *const device = &core.devices[ordinal];
    const uint64_t own = memory_reserved(bytes_of(graph)), others = live_bytes(ordinal, graph);
    const uint64_t live = live_bytes(ordinal, NULL) - others;
    const uint64_t need = own ? own + busy_graphs(stream->context, stream) + others : 0;
    const uint64_t left = need > device->graphs ? memory_left(ordinal) : 0;
    int error = 0;
    stream->graph = own > live ? own - live : 0;
    if (need > device->graphs && need - device->graphs > left) { /* pools give nothing back */
        device->graphs += left - left % core.settings.piece;
        error = WSIMRT_OUT_OF_MEMORY;
    } else if (device->graphs < need) {
        device->graphs = need;
    }
    if (device->graphs_high < device->graphs)
        device->graphs_high = device->graphs;
    return error;
}

int wsimrt_graph_memory(int device, int attribute, uint64_t *value) {
    int error = core_enter(NULL);
    error = error ? error : core_device(device);
    if (!error && (!value || attribute < 0 || attribute > 3))
        error = WSIMRT_INVALID_VALUE;
    if (!error) {
        drop_unused();
        *value = attribute & 1 ? core.devices[device].graphs_high : core.devices[device].graphs;
    }
    return core_leave(error);
}

int wsimrt_graph_memory_reset(int device, int attribute) {
    int error = core_enter(NULL);
    error = error ? error : core_device(device);
    if (!error && attribute != 1 && attribute != 3)
        error = WSIMRT_INVALID_VALUE;
    if (!error)
        core.devices[device].graphs_high = core.devices[device].graphs;
    return core_leave(error);
}

void graphs_shrink(int device) {
    const struct wsimrt_context *const context = core.devices[device].primary;
    uint64_t needed = context ? busy_graphs(context, NULL) : 0;
    drop_unused();
    needed += live_bytes(device, NULL);
    if (core.devices[device].graphs > needed)
        core.devices[device].graphs = needed;
}

int wsimrt_graph_memory_trim(int device) {
    int error = core_enter(NULL);
    error = error ? error : core_device(device);
    if (!error)
        graphs_shrink(device);
    return core_leave(error);
}
