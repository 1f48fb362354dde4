/* Graphs: nodes and edges. */
#include "graph_state.h"

#include <stdlib.h>
#include <string.h>

struct graph_memory *graph_memory_at(uint64_t address) {
    struct graph_memory *memory = core.graph_memory;
    while (memory && memory->address != address)
        memory = memory->next;
    return memory;
}

/* --- what nodes do --- */

/* Frees what the parameters of a node own. */
static void clear(struct wsimrt_node *node) {
    if (node->params.kind == WSIMRT_NODE_KERNEL && node->packed)
        module_release(node->params.launch.function->module);
    free(node->packed);
    free(node->addresses);
    node->packed = NULL;
    node->addresses = NULL;
    if (node->params.kind == WSIMRT_NODE_GRAPH && node->params.child)
        graph_free(node->params.child);
    node->params.child = NULL;
    for (unsigned i = 0; node->params.condition.bodies && i < node->params.condition.count; i++)
        graph_free(node->params.condition.bodies[i]);
    free(node->params.condition.bodies);
    node->params.condition.bodies = NULL;
    free(node->ops);
    node->ops = NULL;
    if (node->memory) {
        node->memory->uses--;
        if (node->memory->graph == node->graph)
            node->memory->graph = NULL;
    }
    node->memory = NULL;
    if (node->params.kind == WSIMRT_NODE_FREE) {
        struct graph_memory *const memory = graph_memory_at(node->params.address);
        if (memory && node->frees == 1)
            memory->ends = 0;
        if (memory && node->frees == 2)
            memory->freed--;
    }
}

static int set_kernel(struct wsimrt_node *node, const struct wsimrt_launch *launch) {
    const size_t bytes = launch->function->info.param_bytes;
    const size_t n = launch->function->info.params;
    unsigned char *packed = calloc(1, bytes + 1);
    void **addresses = calloc(n + 1, sizeof *addresses);
    struct wsim_kernel_param param;
    struct wsimrt_context *context = node->packed ? node->params.launch.context : launch->context;
    int error = packed && addresses ? launch_pack(launch, packed) : WSIMRT_OUT_OF_MEMORY;
    if (error) {
        free(packed);
        free(addresses);
        return error;
    }
    for (size_t i = 0; i < n && wsim_kernel_param_at(launch->function->kernel, i, &param); i++)
        addresses[i] = packed + param.offset;
    launch->function->module->uses++;
    clear(node);
    node->packed = packed;
    node->addresses = addresses;
    node->params.launch = *launch;
    if (!context && core_current(&context))
        context = NULL;
    node->params.launch.context = context; /* a node keeps it */
    node->params.launch.params = addresses;
    node->params.launch.packed = NULL;
    node->params.launch.stream = NULL;
    return 0;
}

static int set_ops(struct wsimrt_node *node, const struct wsimrt_node_params *params) {
    struct wsimrt_op *const ops = calloc(params->ops.n + 1, sizeof *ops);
    if (!ops)
        return WSIMRT_OUT_OF_MEMORY;
    if (params->ops.n)
        memcpy(ops, params->ops.list, params->ops.n * sizeof *ops);
    free(node->ops);
    node->ops = ops;
    node->params.ops = params->ops;
    node->params.ops.list = ops;
    return 0;
}

static int check_event(const struct wsimrt_event *event) {
    return handle_is(event, HANDLE_EVENT) ? 0 : WSIMRT_INVALID_VALUE;
}

/* A node has no more threads than its kernel may have. */
static int check_threads(const struct wsimrt_launch *launch) {
    const uint64_t most = module_threads(launch->function);
    const uint64_t rows = (uint64_t)launch->block[1] * launch->block[2];
    return rows && launch->block[0] > most / rows ? WSIMRT_INVALID_VALUE : 0;
}

int node_set(struct wsimrt_node *node, const struct wsimrt_node_params *params) {
    int error = 0;
    struct wsimrt_graph *child = NULL;
    switch (params->kind) {
    case WSIMRT_NODE_KERNEL:
        if (!handle_is(params->launch.function, HANDLE_FUNCTION))
            return WSIMRT_INVALID_HANDLE;
        error = check_threads(&params->launch);
        error = error ? error : launch_check_sizes(&params->launch);
        error = error ? error : set_kernel(node, &params->launch);
        break;
    case WSIMRT_NODE_COPY:
        node->params.copy = params->copy;
        node->params.sides = params->sides;
        break;
    case WSIMRT_NODE_FILL:
        if (params->fill.size != 1 && params->fill.size != 2 && params->fill.size != 4)
            return WSIMRT_INVALID_VALUE;
        node->params.fill = params->fill;
        break;
    case WSIMRT_NODE_CALL:
        if (!params->call.function)
            return WSIMRT_INVALID_VALUE;
        node->params.call.function = params->call.function;
        node->params.call.data = params->call.data;
        break;
    case WSIMRT_NODE_GRAPH:
        child = params->moves == 1 ? params->child : NULL;
        error = child ? 0 : graph_copy(params->child, NULL, &child);
        if (error)
            return error;
        clear(node);
        child->owned = 1;
        node->params.child = child; /* copies of the node copy it */
        break;
    case WSIMRT_NODE_WAIT:
    case WSIMRT_NODE_RECORD:
        error = check_event(params->event);
        if (!error)
            node->params.event = params->event;
        break;
    case WSIMRT_NODE_FREE: node->params.address = params->address; break;
    case WSIMRT_NODE_OPS: error = set_ops(node, params); break;
    case WSIMRT_NODE_EMPTY:
    case WSIMRT_NODE_ALLOC:
    case WSIMRT_NODE_CONDITION: break;
    }
    if (!error) {
        node->params.kind = params->kind;
        node->params.note = params->note;
        memcpy(node->params.attributes, params->attributes, sizeof params->attributes);
    }
    return error;
}

static int use_memory(struct wsimrt_node *node, const struct wsimrt_node_params *params) {
    struct graph_memory *memory = graph_memory_at(params->address);
    if (!memory)
        return WSIMRT_INVALID_VALUE;
    memory->uses++;
    node->memory = memory;
    node->params.bytes = params->bytes;
    node->params.address = params->address;
    return 0;
}

int wsimrt_condition_fits(const struct wsimrt_node_params *params) {
    enum { MOST_BODIES = 65536 };
    static const unsigned most[] = {
        [WSIMRT_IF] = 2, [WSIMRT_WHILE] = 1, [WSIMRT_SWITCH] = MOST_BODIES};
    return params->condition.count && params->condition.type <= WSIMRT_SWITCH &&
           params->condition.count <= most[params->condition.type];
}

/* The bodies of a CONDITION node. */
static int make_bodies(struct wsimrt_node *node, struct wsimrt_node_params *params) {
    const unsigned count = params->condition.count;
    struct wsimrt_graph **bodies;
    int known = 0;
    for (size_t i = 0; i < node->graph->n_conditions; i++)
        known |= node->graph->conditions[i].handle == params->condition.handle;
    for (size_t i = 0; i < node->graph->n; i++) /* a handle has one node */
        if (node->graph->nodes[i] != node &&
            node->graph->nodes[i]->params.kind == WSIMRT_NODE_CONDITION &&
            node->graph->nodes[i]->params.condition.handle == params->condition.handle)
            known = 0;
    if (!known || !wsimrt_condition_fits(params))
        return WSIMRT_INVALID_VALUE;
    bodies = calloc(count, sizeof *bodies);
    node->params.condition.bodies = bodies;
    node->params.condition.count = count;
    node->params.condition.type = params->condition.type;
    node->params.condition.handle = params->condition.handle;
    for (unsigned i = 0; bodies && i < count; i++) {
        if (graph_make(&bodies[i]))
            return WSIMRT_OUT_OF_MEMORY;
        bodies[i]->owned = bodies[i]->body = 1;
    }
    params->condition.bodies = bodies;
    return bodies ? 0 : WSIMRT_OUT_OF_MEMORY;
}

/* --- making and freeing --- */

int graph_make(struct wsimrt_graph **graph) {
    struct wsimrt_graph *made = calloc(1, sizeof *made);
    if (!made || !handle_add(made, HANDLE_GRAPH)) {
        free(made);
        return WSIMRT_OUT_OF_MEMORY;
    }
    made->id = ++core.next_id;
    *graph = made;
    return 0;
}

static void node_free(struct wsimrt_node *node) {
    clear(node);
    handle_remove(node);
    free(node);
}

void graph_free(struct wsimrt_graph *graph) {
    if (!graph)
        return;
    for (size_t i = 0; i < graph->n; i++)
        node_free(graph->nodes[i]);
    handle_remove(graph);
    free(graph->nodes);
    free(graph->edges);
    free(graph->conditions);
    free(graph);
}

/* Room for one more element. */
static void *grow(void *list, size_t n, size_t *room, size_t bytes) {
    void *grown;
    if (n < *room)
        return list;
    grown = realloc(list, (*room ? 2 * *room : 8) * bytes);
    if (grown)
        *room = *room ? 2 * *room : 8;
    return grown;
}

static int new_node(struct wsimrt_graph *graph, struct wsimrt_node **node) {
    struct wsimrt_node *made = calloc(1, sizeof *made);
    struct wsimrt_node **grown = grow(graph->nodes, graph->n, &graph->room, sizeof *grown);
    if (grown)
        graph->nodes = grown;
    if (!made || !grown || !handle_add(made, HANDLE_NODE)) {
        free(made);
        return WSIMRT_OUT_OF_MEMORY;
    }
    made->graph = graph;
    made->id = made->origin = ++core.next_id;
    made->params.kind = WSIMRT_NODE_EMPTY;
    made->rooted = made->id;
    made->index = graph->n;
    graph->nodes[graph->n++] = made;
    *node = made;
    return 0;
}

static struct edge *find_edge(const struct wsimrt_graph *graph, const struct wsimrt_node *from,
                              const struct wsimrt_node *to) {
    for (size_t i = graph->n_edges; i-- > 0;)
        if (graph->edges[i].from == from && graph->edges[i].to == to)
            return &graph->edges[i];
    return NULL;
}

static int add_edge(struct wsimrt_graph *graph, struct wsimrt_node *from, struct wsimrt_node *to,
                    const struct wsimrt_edge_data *data) {
    struct edge *grown = grow(graph->edges, graph->n_edges, &graph->edge_room, sizeof *grown);
    if (!grown)
        return WSIMRT_OUT_OF_MEMORY;
    graph->edges = grown;
    graph->edges[graph->n_edges] = (struct edge){.from = from, .to = to};
    if (data)
        graph->edges[graph->n_edges].data = *data;
    graph->n_edges++;
    return 0;
}

/* Removes the edges of a node, or the one edge between two; the others keep their order. */
static void remove_edges(struct wsimrt_graph *graph, const struct wsimrt_node *from,
                         const struct wsimrt_node *to) {
    size_t kept = 0;
    for (size_t i = 0; i < graph->n_edges; i++) {
        const struct edge edge = graph->edges[i];
        if (to ? edge.from == from && edge.to == to : edge.from == from || edge.to == from)
            edge.to->rooted = ++core.next_id; /* if it has no other edge */
        else
            graph->edges[kept++] = edge;
    }
    graph->n_edges = kept;
}

/* Takes a node and its edges out of its graph. */
static void take_out(struct wsimrt_node *node) {
    struct wsimrt_graph *graph = node->graph;
    remove_edges(graph, node, NULL);
    graph->n--;
    for (size_t i = node->index; i < graph->n; i++) {
        graph->nodes[i] = graph->nodes[i + 1];
        graph->nodes[i]->index = i;
    }
    node_free(node);
}

/* Only kernels let a node begin early: when they say so, or when their blocks have begun. Source:
 * CUgraphEdgeData; which edges are refused: an H200. */
static int check_edge(const struct wsimrt_edge_data *data, const struct wsimrt_node *from,
                      enum wsimrt_node_kind to) {
    enum { FROM_PORT, TO_PORT, TYPE, PROGRAMMATIC = 1, LAUNCH_ORDER };
    const uint8_t *const bytes = data ? data->bytes : NULL;
    int wrong;
    if (!bytes || !(bytes[FROM_PORT] | bytes[TO_PORT] | bytes[TYPE]))
        return 0;
    wrong = from->params.kind != WSIMRT_NODE_KERNEL || bytes[TO_PORT];
    if (bytes[TYPE] == PROGRAMMATIC)
        wrong |= to != WSIMRT_NODE_KERNEL || !bytes[FROM_PORT] || bytes[FROM_PORT] > LAUNCH_ORDER;
    else
        wrong |= bytes[TYPE] || bytes[FROM_PORT] != LAUNCH_ORDER;
    return wrong ? WSIMRT_INVALID_VALUE : 0;
}

static int is_node_of(const struct wsimrt_node *node, const struct wsimrt_graph *graph) {
    return handle_is(node, HANDLE_NODE) && node->graph == graph;
}

int graph_has_all(const struct wsimrt_graph *graph, struct wsimrt_node *const *nodes, size_t n) {
    size_t i = 0;
    while (nodes && i < n && is_node_of(nodes[i], graph))
        i++;
    return i == n;
}

int graph_check_before(const struct wsimrt_graph *graph, struct wsimrt_node *const *before,
                       const struct wsimrt_edge_data *data, size_t n, enum wsimrt_node_kind kind) {
    int error = n && !before ? WSIMRT_INVALID_VALUE : 0;
    for (size_t i = 0; i < n && !error; i++) {
        if (!is_node_of(before[i], graph))
            error = WSIMRT_INVALID_VALUE;
        error = error ? error : check_edge(data ? &data[i] : NULL, before[i], kind);
        for (size_t j = 0; j < i && n < 64 && !error; j++)
            error = before[j] == before[i] ? WSIMRT_INVALID_VALUE : 0;
    }
    return error;
}

int graph_add(struct wsimrt_graph *graph, struct wsimrt_node *const *before,
              const struct wsimrt_edge_data *data, size_t n, struct wsimrt_node_params *params,
              struct wsimrt_node **node) {
    struct wsimrt_node *made;
    int error = graph_check_before(graph, before, data, n, params->kind);
    error = error ? error : new_node(graph, &made);
    if (error)
        return error;
    error = node_set(made, params);
    if (!error && params->kind == WSIMRT_NODE_ALLOC)
        error = use_memory(made, params);
    if (!error && params->kind == WSIMRT_NODE_CONDITION)
        error = make_bodies(made, params);
    for (size_t i = 0; i < n && !error; i++)
        error = add_edge(graph, before[i], made, data ? &data[i] : NULL);
    if (error) {
        take_out(made);
        return error;
    }
    if (params->kind == WSIMRT_NODE_ALLOC || params->kind == WSIMRT_NODE_FREE ||
        (params->kind == WSIMRT_NODE_GRAPH && made->params.child->memory))
        graph->memory = 1;
    if (params->kind == WSIMRT_NODE_ALLOC)
        made->memory->graph = graph;
    *node = made;
    return 0;
}

/* --- copies --- */

static int copy_node(const struct wsimrt_node *from, struct wsimrt_graph *graph) {
    struct wsimrt_node *node;
    const unsigned count = from->params.condition.count;
    int error = new_node(graph, &node);
    if (error)
        return error;
    node->origin = from->id;
    node->disabled = from->disabled;
    error = node_set(node, &from->params);
    if (!error && from->params.kind == WSIMRT_NODE_ALLOC)
        error = use_memory(node, &from->params);
    if (!error && from->params.kind == WSIMRT_NODE_CONDITION) {
        node->params.condition = from->params.condition;
        node->params.condition.bodies = calloc(count, sizeof *node->params.condition.bodies);
        error = node->params.condition.bodies ? 0 : WSIMRT_OUT_OF_MEMORY;
        for (unsigned i = 0; i < count && !error; i++) {
            error = graph_copy(from->params.condition.bodies[i], NULL,
                               &node->params.condition.bodies[i]);
            if (!error)
                node->params.condition.bodies[i]->owned = node->params.condition.bodies[i]->body =
                    1;
        }
    }
    return error;
}

static int copy_conditions(const struct wsimrt_graph *graph, struct wsimrt_graph *copy) {
    if (!graph->n_conditions)
        return 0;
    copy->conditions = calloc(graph->n_conditions, sizeof *copy->conditions);
    if (!copy->conditions)
        return WSIMRT_OUT_OF_MEMORY;
    memcpy(copy->conditions, graph->conditions, graph->n_conditions * sizeof *copy->conditions);
    copy->n_conditions = graph->n_conditions;
    return 0;
}

int graph_copy(const struct wsimrt_graph *graph, const size_t *order, struct wsimrt_graph **copy) {
    struct wsimrt_graph *made = NULL;
    size_t *place = calloc(graph->n + 1, sizeof *place);
    int error = place ? graph_make(&made) : WSIMRT_OUT_OF_MEMORY;
    error = error ? error : copy_conditions(graph, made);
    if (!error)
        made->memory = graph->memory;
    for (size_t i = 0; i < graph->n && !error; i++) {
        const size_t from = order ? order[i] : i;
        place[from] = i;
        error = copy_node(graph->nodes[from], made);
    }
    for (size_t i = 0; i < graph->n_edges && !error; i++)
        error = add_edge(made, made->nodes[place[graph->edges[i].from->index]],
                         made->nodes[place[graph->edges[i].to->index]], &graph->edges[i].data);
    free(place);
    if (error)
        graph_free(made);
    else
        *copy = made;
    return error;
}

void graph_mark_before(const struct wsimrt_node *node, unsigned char *marks) {
    if (marks[node->index])
        return;
    marks[node->index] = 1;
    for (size_t i = 0; i < node->graph->n_edges; i++)
        if (node->graph->edges[i].to == node)
            graph_mark_before(node->graph->edges[i].from, marks);
}

/* Nodes become ready in the order of their numbers; a seed picks among those that are ready. */
size_t *graph_order(const struct wsimrt_graph *graph) {
    size_t *order = calloc(4 * (graph->n + 1) + graph->n_edges, sizeof *order);
    size_t *const waits = order + graph->n + 1, *const first = waits + graph->n + 1;
    size_t *const used = first + graph->n + 1, *const to = used + graph->n;
    size_t ready = 0;
    if (!order)
        return NULL;
    for (size_t i = 0; i < graph->n_edges; i++) {
        waits[graph->edges[i].to->index]++;
        first[graph->edges[i].from->index + 1]++;
    }
    for (size_t i = 0; i < graph->n; i++)
        first[i + 1] += first[i];
    for (size_t i = 0; i < graph->n_edges; i++) {
        const size_t from = graph->edges[i].from->index;
        to[first[from] + used[from]++] = graph->edges[i].to->index;
    }
    for (size_t i = 0; i < graph->n; i++)
        if (!waits[i])
            order[ready++] = i;
    for (size_t done = 0; done < ready; done++) {
        if (core.settings.seed) {
            const size_t pick = done + (size_t)(core_random() % (ready - done));
            const size_t moved = order[pick];
            order[pick] = order[done];
            order[done] = moved;
        }
        for (size_t i = first[order[done]]; i < first[order[done] + 1]; i++)
            if (!--waits[to[i]])
                order[ready++] = to[i];
    }
    if (ready == graph->n)
        return order;
    free(order);
    return NULL;
}

/* --- the calls --- */

int graph_enter(const struct wsimrt_graph *graph) {
    const int error = core_enter(NULL);
    return error || handle_is(graph, HANDLE_GRAPH) ? error : WSIMRT_INVALID_VALUE;
}

int node_enter(const struct wsimrt_node *node) {
    const int error = core_enter(NULL);
    return error || handle_is(node, HANDLE_NODE) ? error : WSIMRT_INVALID_VALUE;
}

int wsimrt_graph_make(struct wsimrt_graph **graph) {
    int error = core_enter(NULL);
    error = error || graph ? error : WSIMRT_INVALID_VALUE;
    return core_leave(error ? error : graph_make(graph));
}

int graph_holds(const struct wsimrt_graph *outer, const struct wsimrt_graph *inner) {
    int held = outer == inner;
    for (size_t i = 0; i < outer->n && !held; i++) {
        const struct wsimrt_node_params *const params = &outer->nodes[i]->params;
        held = params->child && graph_holds(params->child, inner);
        for (unsigned k = 0; params->condition.bodies && k < params->condition.count && !held; k++)
            held = graph_holds(params->condition.bodies[k], inner);
    }
    return held;
}

int graph_check_captured(const struct wsimrt_graph *graph) {
    for (const struct capture *at = core.captures; at; at = at->next)
        if (graph_holds(graph, at->graph))
            return WSIMRT_ILLEGAL_STATE;
    return 0;
}

int wsimrt_graph_destroy(struct wsimrt_graph *graph) {
    int error = graph_enter(graph);
    if (!error && graph->owned)
        error = WSIMRT_INVALID_VALUE;
    error = error ? error : graph_check_captured(graph);
    if (!error)
        graph_free(graph);
    error = core_leave(error);
    if (!error)
        users_end(graph);
    return error;
}

int wsimrt_graph_retain(struct wsimrt_graph *graph, struct wsimrt_user *user, unsigned n,
                        unsigned flags) {
    const int error = core_leave(graph_enter(graph));
    return error ? error : users_keep(graph, user, n, flags);
}

int wsimrt_graph_clone(struct wsimrt_graph *graph, struct wsimrt_graph **clone) {
    int error = graph_enter(graph);
    error = error || clone ? error : WSIMRT_INVALID_VALUE;
    if (!error && (graph->n_conditions || graph->memory || graph->body))
        error = WSIMRT_NOT_SUPPORTED; /* the nodes of its copy would have the same handles */
    error = error ? error : graph_copy(graph, NULL, clone);
    if (!error)
        users_share(graph, *clone);
    return core_leave(error);
}

int wsimrt_node_remove(struct wsimrt_node *node) {
    int error = node_enter(node);
    error = error ? error : graph_check_captured(node->graph);
    if (!error && node->graph->memory)
        error = WSIMRT_NOT_SUPPORTED;
    if (!error)
        take_out(node);
    return core_leave(error);
}

int wsimrt_node_get(struct wsimrt_node *node, struct wsimrt_node_params *params) {
    int error = node_enter(node);
    error = error || params ? error : WSIMRT_INVALID_VALUE;
    if (!error)
        *params = node->params;
    return core_leave(error);
}

static struct wsimrt_node *copy_of(const struct wsimrt_graph *graph,
                                   const struct wsimrt_node *node) {
    for (size_t i = 0; i < graph->n; i++)
        if (graph->nodes[i]->origin == node->id)
            return graph->nodes[i];
    return NULL;
}

int wsimrt_node_in_clone(struct wsimrt_node *node, struct wsimrt_graph *clone,
                         struct wsimrt_node **found) {
    int error = node_enter(node);
    if (!error && (!found || !handle_is(clone, HANDLE_GRAPH) || node->graph == clone))
        error = WSIMRT_INVALID_VALUE;
    if (!error && !(*found = copy_of(clone, node)))
        error = WSIMRT_INVALID_VALUE;
    return core_leave(error);
}

int wsimrt_graph_link(struct wsimrt_graph *graph, int add, struct wsimrt_node *const *from,
                      struct wsimrt_node *const *to, const struct wsimrt_edge_data *data,
                      size_t n) {
    int error = graph_enter(graph);
    if (!error && n && (!from || !to))
        error = WSIMRT_INVALID_VALUE;
    if (!error && !add && graph->memory)
        error = WSIMRT_NOT_SUPPORTED;
    for (size_t i = 0; i < n && !error; i++)
        if (!is_node_of(from[i], graph) || !is_node_of(to[i], graph) || from[i] == to[i] ||
            (find_edge(graph, from[i], to[i]) == NULL) != add ||
            (add && check_edge(data ? &data[i] : NULL, from[i], to[i]->params.kind)))
            error = WSIMRT_INVALID_VALUE;
    for (size_t i = 0; i < n && !error; i++)
        if (add)
            error = add_edge(graph, from[i], to[i], data ? &data[i] : NULL);
        else
            remove_edges(graph, from[i], to[i]);
    return core_leave(error);
}
