/* Graphs that launch: their nodes become work of a stream, in an order that the edges allow. */
#include "graph_state.h"
#include "ops.h"
#include "order.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ORDERED = 512 }; /* nodes of a graph whose order is looked at */

static void exec_release(struct wsimrt_exec *exec) {
    if (--exec->uses)
        return;
    graph_free(exec->graph);
    mark_release(exec->last);
    free(exec);
}

static int enter(const struct wsimrt_exec *exec) {
    const int error = core_enter(NULL);
    return error || handle_is(exec, HANDLE_EXEC) ? error : WSIMRT_INVALID_VALUE;
}

/* CUgraphInstantiateResult */
enum { MADE, FAILED, CYCLE, NODE_UNSUPPORTED, CONDITION_UNUSED = 5 };

static int refuse(struct wsimrt_instantiate *how, int result, struct wsimrt_node *wrong) {
    how->result = result;
    how->wrong = wrong;
    return WSIMRT_INVALID_VALUE;
}

static int runs_on_device(enum wsimrt_node_kind kind) {
    return kind == WSIMRT_NODE_KERNEL || kind == WSIMRT_NODE_COPY || kind == WSIMRT_NODE_FILL;
}

/* A graph that kernels launch has nodes, and only those that a device can run alone. */
static int check_device_nodes(const struct wsimrt_graph *graph, struct wsimrt_instantiate *how) {
    for (size_t i = 0; i < graph->n; i++)
        if (!runs_on_device(graph->nodes[i]->params.kind) &&
            graph->nodes[i]->params.kind != WSIMRT_NODE_GRAPH)
            return refuse(how, NODE_UNSUPPORTED, graph->nodes[i]);
    return graph->n ? 0 : refuse(how, FAILED, NULL);
}

/* Each condition has a node. Source: an H200. */
static int check_conditions(const struct wsimrt_graph *graph, struct wsimrt_instantiate *how) {
    size_t used = 0;
    int error = 0;
    for (size_t i = 0; i < graph->n && !error; i++) {
        const struct wsimrt_node_params *const params = &graph->nodes[i]->params;
        if (params->kind == WSIMRT_NODE_GRAPH)
            error = check_conditions(params->child, how);
        used += params->kind == WSIMRT_NODE_CONDITION;
        for (unsigned j = 0; params->condition.bodies && j < params->condition.count && !error; j++)
            error = check_conditions(params->condition.bodies[j], how);
    }
    return error || used == graph->n_conditions ? error : refuse(how, CONDITION_UNUSED, NULL);
}

/* Bodies of conditions have some kinds of nodes only. Source: CUDA Runtime API,
 * cudaConditionalNodeParams, and an H200. */
static int check_bodies(const struct wsimrt_graph *graph, int is_body,
                        struct wsimrt_instantiate *how) {
    int error = 0;
    for (size_t i = 0; i < graph->n && !error; i++) {
        const struct wsimrt_node_params *const params = &graph->nodes[i]->params;
        if (params->kind == WSIMRT_NODE_GRAPH)
            error = check_bodies(params->child, is_body, how);
        else if (params->kind == WSIMRT_NODE_CONDITION)
            for (unsigned j = 0; j < params->condition.count && !error; j++)
                error = check_bodies(params->condition.bodies[j], 1, how);
        else if (is_body && !runs_on_device(params->kind) && params->kind != WSIMRT_NODE_EMPTY)
            error = refuse(how, NODE_UNSUPPORTED, graph->nodes[i]);
    }
    return error;
}

static int check_graph(const struct wsimrt_graph *graph, struct wsimrt_instantiate *how) {
    int error = graph->body ? WSIMRT_NOT_SUPPORTED : check_conditions(graph, how);
    error = error ? error : check_bodies(graph, 0, how);
    if (!error && how->flags & WSIMRT_EXEC_DEVICE)
        error = check_device_nodes(graph, how);
    return error || !graph->execs ? error : WSIMRT_NOT_SUPPORTED;
}

static int has_kernels_or_copies(const struct wsimrt_graph *graph) {
    int has = 0;
    for (size_t i = 0; i < graph->n && !has; i++) {
        const struct wsimrt_node_params *const params = &graph->nodes[i]->params;
        has = params->kind == WSIMRT_NODE_KERNEL || params->kind == WSIMRT_NODE_COPY ||
              (params->kind == WSIMRT_NODE_GRAPH && has_kernels_or_copies(params->child));
        for (unsigned j = 0; params->condition.bodies && j < params->condition.count; j++)
            has |= has_kernels_or_copies(params->condition.bodies[j]);
    }
    return has;
}

/* Local memory of kernels must not move once a graph has their places. Source: an H200. */
static void keep_local_memory(const struct wsimrt_graph *graph) {
    struct wsimrt_context *context;
    if (!core_current(&context) && has_kernels_or_copies(graph))
        context->flags |= WSIMRT_KEEPS_LOCAL;
}

static int make(struct wsimrt_graph *graph, struct wsimrt_instantiate *how,
                struct wsimrt_exec **exec) {
    enum { FLAGS = 15 };
    struct wsimrt_exec *made = NULL;
    size_t *order = NULL;
    int error = how->flags & ~(uint64_t)FLAGS || !handle_is(graph, HANDLE_GRAPH) || !exec
                    ? WSIMRT_INVALID_VALUE
                : how->flags & WSIMRT_EXEC_UPLOAD ? 0 /* the capture of its stream alone counts */
                                                  : capture_unsafe();
    error = error ? error : check_graph(graph, how);
    if (!error && !(order = graph_order(graph)))
        error = refuse(how, CYCLE, NULL);
    if (!error && !(made = calloc(1, sizeof *made)))
        error = WSIMRT_OUT_OF_MEMORY;
    error = error ? error : graph_copy(graph, order, &made->graph);
    free(order);
    if (!error && !handle_add(made, HANDLE_EXEC)) {
        graph_free(made->graph);
        error = WSIMRT_OUT_OF_MEMORY;
    }
    if (error) {
        free(made);
        return error;
    }
    made->graph->owned = 1;
    made->flags = how->flags;
    made->uses = 1;
    made->from = graph;
    made->from_id = graph->id;
    graph->execs += graph->memory;
    how->result = MADE;
    *exec = made;
    keep_local_memory(graph);
    users_share(graph, made->graph);
    return 0;
}

int wsimrt_exec_make(struct wsimrt_graph *graph, struct wsimrt_instantiate *how,
                     struct wsimrt_exec **exec) {
    int error = core_enter(NULL);
    if (!error && !how)
        error = WSIMRT_INVALID_VALUE;
    if (!error) {
        how->result = FAILED;
        how->wrong = NULL;
        error = make(graph, how, exec);
    }
    error = core_leave(error);
    if (!error && how->flags & WSIMRT_EXEC_UPLOAD)
        error = wsimrt_exec_upload(*exec, how->upload);
    if (error && how)
        how->result = how->result ? how->result : FAILED;
    return error;
}

int wsimrt_exec_destroy(struct wsimrt_exec *exec) {
    const struct wsimrt_graph *graph = NULL;
    int error = enter(exec);
    error = error ? error : capture_unsafe();
    if (!error) {
        graph = exec->graph;
        if (handle_is(exec->from, HANDLE_GRAPH) && exec->from->id == exec->from_id &&
            exec->graph->memory && exec->from->execs)
            exec->from->execs--;
        handle_remove(exec);
        exec_release(exec);
    }
    error = core_leave(error);
    if (graph)
        users_end(graph);
    return error;
}

int wsimrt_exec_flags(struct wsimrt_exec *exec, uint64_t *flags) {
    enum { NOT_TOLD = WSIMRT_EXEC_UPLOAD | 8 }; /* 8: priorities of nodes */
    int error = enter(exec);
    error = error || flags ? error : WSIMRT_INVALID_VALUE;
    if (!error)
        *flags = exec->flags & ~(uint64_t)NOT_TOLD; /* as on an H200 */
    return core_leave(error);
}

/* --- changes --- */

static struct wsimrt_node *find_in(const struct wsimrt_graph *graph,
                                   const struct wsimrt_node *node) {
    for (size_t i = 0; i < graph->n; i++) {
        struct wsimrt_node *at = graph->nodes[i], *found = NULL;
        if (at->origin == node->id)
            return at;
        if (at->params.kind == WSIMRT_NODE_GRAPH)
            found = find_in(at->params.child, node);
        for (unsigned j = 0;
             !found && at->params.condition.bodies && j < at->params.condition.count; j++)
            found = find_in(at->params.condition.bodies[j], node);
        if (found)
            return found;
    }
    return NULL;
}

static int find_copy(const struct wsimrt_exec *exec, const struct wsimrt_node *node,
                     struct wsimrt_node **copy) {
    *copy = handle_is(node, HANDLE_NODE) ? find_in(exec->graph, node) : NULL;
    return *copy ? 0 : WSIMRT_INVALID_VALUE;
}

/* Whether both addresses are memory of devices, or neither is. */
static int same_side(uint64_t a, uint64_t b) {
    const struct allocation *const at_a = memory_find(a, 1), *const at_b = memory_find(b, 1);
    return (at_a && at_a->kind != WSIMRT_HOST && at_a->kind != WSIMRT_REGISTERED) ==
           (at_b && at_b->kind != WSIMRT_HOST && at_b->kind != WSIMRT_REGISTERED);
}

/* Enters with the copy of a node. */
static int enter_copy(struct wsimrt_exec *exec, const struct wsimrt_node *node,
                      struct wsimrt_node **copy) {
    const int error = enter(exec);
    return error ? error : find_copy(exec, node, copy);
}

/* Whether a copy has the direction and the dimensions of another. */
static int same_way(const struct wsimrt_node_params *a, const struct wsimrt_node_params *b) {
    const struct wsimrt_copy *const x = &a->copy, *const y = &b->copy;
    if ((x->height > 1) != (y->height > 1) || (x->depth > 1) != (y->depth > 1))
        return 0;
    if (a->sides && b->sides)
        return a->sides == b->sides;
    return same_side(x->to.address, y->to.address) && same_side(x->from.address, y->from.address);
}

/* Whether the parameters of a node may replace others. */
static int same_shape(const struct wsimrt_node_params *a, const struct wsimrt_node_params *b) {
    if (a->kind == WSIMRT_NODE_FILL)
        return (a->fill.height > 1) == (b->fill.height > 1);
    return a->kind != WSIMRT_NODE_COPY || same_way(a, b);
}

static int may_set(enum wsimrt_node_kind kind) {
    return kind != WSIMRT_NODE_ALLOC && kind != WSIMRT_NODE_FREE && kind != WSIMRT_NODE_EMPTY;
}

static int may_disable(const struct wsimrt_node *node) {
    return node->params.kind == WSIMRT_NODE_KERNEL || node->params.kind == WSIMRT_NODE_COPY ||
           node->params.kind == WSIMRT_NODE_FILL;
}

int wsimrt_exec_enable(struct wsimrt_exec *exec, struct wsimrt_node *node, int enable) {
    struct wsimrt_node *copy;
    int error = enter_copy(exec, node, &copy);
    if (!error && !may_disable(copy))
        error = WSIMRT_INVALID_VALUE;
    if (!error)
        copy->disabled = !enable;
    return core_leave(error);
}

int wsimrt_exec_enabled(struct wsimrt_exec *exec, struct wsimrt_node *node, unsigned *enabled) {
    struct wsimrt_node *copy;
    int error = enter_copy(exec, node, &copy);
    if (!error && (!enabled || !may_disable(copy)))
        error = WSIMRT_INVALID_VALUE;
    if (!error)
        *enabled = !copy->disabled;
    return core_leave(error);
}

/* A graph in a graph keeps its kinds and edges. */
static int compare_child(const struct wsimrt_graph *old, const struct wsimrt_graph *graph) {
    size_t *const place = calloc(graph->n + 1, sizeof *place), wrong = 0;
    const int result = place ? graph_match(old, graph, place, &wrong) : UPDATE_ERROR;
    free(place);
    return result ? WSIMRT_GRAPH_EXEC_UPDATE_FAILURE : 0;
}

int wsimrt_exec_set(struct wsimrt_exec *exec, struct wsimrt_node *node,
                    const struct wsimrt_node_params *params) {
    struct wsimrt_node *copy;
    int error = enter(exec);
    if (!error && params && params->kind == WSIMRT_NODE_GRAPH && /* before its node */
        handle_is(params->child, HANDLE_GRAPH) && params->child->memory)
        return core_leave(WSIMRT_GRAPH_EXEC_UPDATE_FAILURE);
    if (!error && params && handle_is(node, HANDLE_NODE) && node->params.kind == params->kind &&
        !may_set(params->kind))
        return core_leave(params->kind == WSIMRT_NODE_EMPTY ? 0 : WSIMRT_NOT_SUPPORTED);
    error = error ? error : find_copy(exec, node, &copy);
    if (!error && (!params || params->kind != copy->params.kind))
        error = WSIMRT_INVALID_VALUE;
    if (!error && !same_shape(params, &copy->params))
        error = WSIMRT_INVALID_VALUE;
    if (!error && params->kind == WSIMRT_NODE_GRAPH && !handle_is(params->child, HANDLE_GRAPH))
        error = WSIMRT_INVALID_VALUE;
    if (!error && params->kind == WSIMRT_NODE_GRAPH)
        error = compare_child(copy->params.child, params->child);
    error = error ? error : node_check(params);
    return core_leave(error ? error : node_set(copy, params));
}

/* Gives a node of an executable graph the parameters of another. */
static int update_node(struct wsimrt_node *to, const struct wsimrt_node *from) {
    const struct wsimrt_node_params *const params = &from->params, *const old = &to->params;
    if (params->kind == WSIMRT_NODE_GRAPH && compare_child(old->child, params->child))
        return UPDATE_TOPOLOGY;
    if (!same_shape(params, old) || (params->kind == WSIMRT_NODE_COPY && params->note &&
                                     old->note && params->note != old->note))
        return UPDATE_PARAMETERS;
    if (node_set(to, params))
        return UPDATE_PARAMETERS;
    to->origin = from->id;
    return UPDATE_OK;
}

int wsimrt_exec_update(struct wsimrt_exec *exec, struct wsimrt_graph *graph, int *result,
                       struct wsimrt_node **wrong) {
    int error = enter(exec);
    size_t *place = NULL, at = 0;
    if (!error && (!handle_is(graph, HANDLE_GRAPH) || graph->body || !result || !wrong))
        error = WSIMRT_INVALID_VALUE;
    if (!error && graph->memory && graph->execs &&
        !(exec->from == graph && exec->graph->memory)) /* that one alone is of its memory */
        error = WSIMRT_NOT_SUPPORTED;
    if (error)
        return core_leave(error);
    *wrong = NULL;
    place = calloc(graph->n + 1, sizeof *place);
    *result = place ? graph_match(exec->graph, graph, place, &at) : UPDATE_ERROR;
    for (size_t i = 0; i < graph->n && !*result; i++) {
        *result = update_node(exec->graph->nodes[place[i]], graph->nodes[i]);
        at = *result == UPDATE_TOPOLOGY ? graph->n : i; /* it names no node */
    }
    if (*result && at < graph->n)
        *wrong = graph->nodes[at];
    free(place);
    return core_leave(*result ? WSIMRT_GRAPH_EXEC_UPDATE_FAILURE : 0);
}

/* --- launches --- */

static int expand(struct wsimrt_exec *exec, const struct wsimrt_graph *graph,
                  struct wsimrt_stream *stream, struct work ***at);
static int run_condition(struct work *work);

/* A kernel of a graph launches another one, or its own. */
static int expand_exec(struct wsimrt_exec *exec, struct wsimrt_stream *stream, struct work ***at) {
    return handle_is(exec, HANDLE_EXEC) && exec->flags & WSIMRT_EXEC_DEVICE
               ? expand(exec, exec->graph, stream, at)
               : WSIMRT_INVALID_VALUE;
}

static void end_condition(struct work *work) {
    exec_release(work->is.condition.exec);
}

static const struct work_kind condition_kind = {.run = run_condition, .end = end_condition};

/* Puts work behind others. */
static int chain(struct work *work, struct work ***at) {
    if (!work)
        return WSIMRT_OUT_OF_MEMORY;
    **at = work;
    *at = &work->next;
    return 0;
}

/* Whether an edge lets its second kernel begin before the first one ends. */
static int is_early(const struct edge *edge) {
    enum { TYPE = 2, PROGRAMMATIC = 1 }; /* CUgraphEdgeData */
    return edge->data.bytes[TYPE] == PROGRAMMATIC || edge->to->params.launch.dependent;
}

/* Whether a kernel may begin before the kernel right before it ends, and waits for nothing else. */
static int is_dependent(const struct wsimrt_node *node) {
    const struct wsimrt_graph *const graph = node->graph;
    const struct wsimrt_node *const before = node->index ? graph->nodes[node->index - 1] : NULL;
    int early = 0;
    if (!before || before->disabled || before->params.kind != WSIMRT_NODE_KERNEL)
        return 0;
    for (size_t i = 0; i < graph->n_edges; i++) {
        if (graph->edges[i].to != node)
            continue;
        if (graph->edges[i].from != before || !is_early(&graph->edges[i]))
            return 0;
        early = 1;
    }
    return early;
}

static int has_early(const struct wsimrt_graph *graph) {
    size_t i = 0;
    while (i < graph->n_edges && !is_early(&graph->edges[i]))
        i++;
    return i < graph->n_edges;
}

/* early: the graph has such edges. */
static int expand_node(struct wsimrt_exec *exec, const struct wsimrt_node *node, int early,
                       struct wsimrt_stream *stream, struct work ***at) {
    const struct wsimrt_node_params *params = &node->params;
    struct work *work = NULL;
    switch (params->kind) {
    case WSIMRT_NODE_KERNEL: {
        const int error = launch_make(&params->launch, stream, &work);
        if (!error && early) {
            work->is.launch.called = 1;
            work->is.launch.dependent = (uint8_t)is_dependent(node);
        }
        if (!error && exec->flags & WSIMRT_EXEC_DEVICE)
            work->is.launch.expand = expand_exec;
        return error ? error : chain(work, at);
    }
    case WSIMRT_NODE_COPY:
        if (!params->copy.width)
            return 0;
        if ((work = work_make(stream, &work_copy, 0)))
            work->is.copy = params->copy;
        return chain(work, at);
    case WSIMRT_NODE_FILL:
        if (!params->fill.width)
            return 0;
        if ((work = work_make(stream, &work_fill, 0)))
            work->is.fill = params->fill;
        return chain(work, at);
    case WSIMRT_NODE_CALL:
        if ((work = work_make(stream, &work_call, 0))) {
            work->is.call.function = params->call.function;
            work->is.call.data = params->call.data;
        }
        return chain(work, at);
    case WSIMRT_NODE_GRAPH: return expand(exec, params->child, stream, at);
    case WSIMRT_NODE_RECORD:
    case WSIMRT_NODE_WAIT:
        return event_expand(params->event, params->kind == WSIMRT_NODE_RECORD, stream, at);
    case WSIMRT_NODE_CONDITION:
        if ((work = work_make(stream, &condition_kind, 0))) {
            exec->uses++;
            work->is.condition.exec = exec;
            work->is.condition.node = node;
        }
        return chain(work, at);
    case WSIMRT_NODE_OPS: return ops_expand(params->ops.list, params->ops.n, stream, at);
    case WSIMRT_NODE_EMPTY:
    case WSIMRT_NODE_ALLOC:
    case WSIMRT_NODE_FREE: break;
    }
    return 0;
}

static int expand_conditions(const struct wsimrt_graph *graph, struct wsimrt_stream *stream,
                             struct work ***at) {
    int error = 0;
    for (size_t i = 0; i < graph->n_conditions && !error; i++)
        if (graph->conditions[i].assign) {
            struct work *work = work_make(stream, &work_fill, 0);
            if (work)
                work->is.fill = (struct wsimrt_fill){.to = {graph->conditions[i].handle, 4, 4},
                                                     .width = 4,
                                                     .height = 1,
                                                     .depth = 1,
                                                     .value = graph->conditions[i].value,
                                                     .size = 4};
            error = chain(work, at);
        }
    return error;
}

/* Row i has the nodes that node i waits for. NULL: all nodes are in a row, there are too many, or
 * the check is off. */
static unsigned char *find_before(const struct wsimrt_graph *graph) {
    const size_t n = graph->n;
    unsigned char *const before =
        n > 1 && n <= MOST_ORDERED && core.settings.checks & CHECK_API ? calloc(n, n) : NULL;
    int beside = 0;
    for (size_t i = 0; before && i < n; i++) {
        unsigned char *const row = before + i * n;
        for (size_t e = 0; e < graph->n_edges; e++) {
            const size_t from = graph->edges[e].from->index;
            if (graph->edges[e].to != graph->nodes[i])
                continue;
            row[from] = 1;
            for (size_t k = 0; k < from; k++)
                row[k] |= before[from * n + k];
        }
        beside |= i && !row[i - 1];
    }
    if (beside)
        return before;
    free(before);
    return NULL;
}

static int expand(struct wsimrt_exec *exec, const struct wsimrt_graph *graph,
                  struct wsimrt_stream *stream, struct work ***at) {
    const int early = has_early(graph);
    unsigned char *const before = graph == exec->graph ? find_before(graph) : NULL;
    int error = expand_conditions(graph, stream, at);
    if (early) /* before its first kernel */
        order_depends();
    if (before)
        order_graph();
    for (size_t i = 0; i < graph->n && !error; i++) {
        struct work **const first = *at;
        if (graph->nodes[i]->disabled)
            continue;
        error = expand_node(exec, graph->nodes[i], early, stream, at);
        if (before && !error)
            order_node(*first, i, before + i * graph->n, graph->n);
    }
    free(before);
    return error;
}

static void drop(struct work *list) {
    for (struct work *next; list; list = next) {
        next = list->next;
        work_free(list);
    }
}

/* The memory of a node of a kind; NULL: it is another. */
static struct allocation *memory_of(const struct wsimrt_node *node, enum wsimrt_node_kind kind) {
    struct allocation *const memory =
        node->params.kind == kind ? memory_find(node->params.address, 1) : NULL;
    return memory && memory->graph ? memory : NULL;
}

/* The launch of a graph does not happen: its nodes give no memory. */
static void leave_memory(const struct wsimrt_graph *graph) {
    struct allocation *memory;
    for (size_t i = 0; i < graph->n; i++)
        if ((memory = memory_of(graph->nodes[i], WSIMRT_NODE_ALLOC)) != NULL)
            memory->live = 0;
}

static int gives(const struct wsimrt_graph *graph, uint64_t address) {
    size_t i = 0;
    while (i < graph->n && !(graph->nodes[i]->params.kind == WSIMRT_NODE_ALLOC &&
                             graph->nodes[i]->params.address == address))
        i++;
    return i < graph->n;
}

/* Memory that an earlier launch gave and that is not freed refuses another launch, unless the graph
 * frees it first. So does memory of another graph that is not there to be freed. */
static int take_memory(const struct wsimrt_exec *exec) {
    const struct wsimrt_graph *const graph = exec->graph;
    struct allocation *memory;
    for (size_t i = 0; i < graph->n; i++) {
        memory = memory_of(graph->nodes[i], WSIMRT_NODE_ALLOC);
        if (memory && memory->live && !(exec->flags & WSIMRT_EXEC_AUTO_FREE))
            return WSIMRT_INVALID_VALUE;
        memory = memory_of(graph->nodes[i], WSIMRT_NODE_FREE);
        if (memory && !memory->live && !gives(graph, graph->nodes[i]->params.address))
            return WSIMRT_INVALID_VALUE;
    }
    leave_memory(graph);
    for (size_t i = 0; i < graph->n; i++)
        if ((memory = memory_of(graph->nodes[i], WSIMRT_NODE_ALLOC)) != NULL)
            memory->live++;
    for (size_t i = 0; i < graph->n; i++)
        if ((memory = memory_of(graph->nodes[i], WSIMRT_NODE_FREE)) != NULL && memory->live)
            memory->live--;
    return 0;
}

/* A launch of an executable graph waits for its launch before, in any stream. Source:
 * cudaGraphLaunch. A mark that no work holds is of a stream that is gone. */
static int wait_for_last(const struct wsimrt_exec *exec, struct wsimrt_stream *stream,
                         struct work ***at) {
    struct work *work;
    if (!exec->last)
        return 0;
    if (exec->last->done || exec->last->uses == 1) {
        order_wait(stream, exec->last);
        return 0;
    }
    if ((work = work_make(stream, &work_wait, 0)) != NULL) {
        work->is.mark = exec->last;
        exec->last->uses++;
    }
    return chain(work, at);
}

/* The next launch waits for the end of this one. */
static int mark_end(struct wsimrt_exec *exec, struct wsimrt_stream *stream, struct work ***at) {
    struct mark *mark = calloc(1, sizeof *mark);
    struct work *const work = mark ? work_make(stream, &work_record, 0) : NULL;
    if (!work) {
        free(mark);
        return WSIMRT_OUT_OF_MEMORY;
    }
    mark->uses = 2; /* the graph and the work */
    work->is.mark = mark;
    mark_release(exec->last);
    exec->last = mark;
    return chain(work, at);
}

int wsimrt_exec_launch(struct wsimrt_exec *exec, struct wsimrt_stream *stream) {
    struct wsimrt_context *context;
    int error = core_enter_stream(stream, &context);
    struct work *list = NULL, **at = &list;
    if (!error && !handle_is(exec, HANDLE_EXEC))
        error = WSIMRT_INVALID_VALUE;
    if (!error && !(stream = stream_of(stream, context)))
        error = stream_missing();
    if (!error && !stream->capture)
        error = capture_check(stream);
    if (!error && stream->capture)
        return core_leave(capture_spoil(stream->capture, WSIMRT_STREAM_CAPTURE_UNSUPPORTED));
    error = error ? error : wait_for_last(exec, stream, &at);
    error = error ? error : expand(exec, exec->graph, stream, &at);
    error = error ? error : take_memory(exec);
    if (error) {
        drop(list);
        return core_leave(error);
    }
    error = graph_reserve(exec->graph, stream);
    if (error) {
        leave_memory(exec->graph);
        drop(list);
        return core_leave(error);
    }
    error = mark_end(exec, stream, &at);
    work_issue_list(list);
    return core_leave(error);
}

int wsimrt_exec_upload(struct wsimrt_exec *exec, struct wsimrt_stream *stream) {
    struct wsimrt_context *context;
    int error = core_enter_stream(stream, &context);
    if (!error && !handle_is(exec, HANDLE_EXEC))
        error = WSIMRT_INVALID_VALUE;
    if (!error && !(stream = stream_of(stream, context)))
        error = stream_missing();
    if (!error) /* of other streams' captures it takes no notice */
        error = stream->capture ? capture_refuse(stream) : capture_check(stream);
    error = error ? error : graph_reserve(exec->graph, stream);
    return core_leave(error);
}

/* The bodies of a condition become the next work of its stream. */
static int run_condition(struct work *work) {
    struct wsimrt_exec *exec = work->is.condition.exec;
    const struct wsimrt_node_params *params = &work->is.condition.node->params;
    struct work *list = NULL, **at = &list;
    struct wsim_diag diag;
    uint32_t value = 0;
    unsigned body;
    int error = core_error(wsim_device_read(work->context->device, params->condition.handle, &value,
                                            sizeof value, &diag));
    body = params->condition.type == WSIMRT_SWITCH ? value : !value;
    if (!error && body < params->condition.count)
        error = expand(exec, params->condition.bodies[body], work->stream, &at);
    if (!error && body < params->condition.count && params->condition.type == WSIMRT_WHILE)
        error = expand_node(exec, work->is.condition.node, 0, work->stream, &at);
    if (error) {
        drop(list);
        context_fail(work->context, error);
        return 1;
    }
    queue_insert(work, list);
    return 1;
}
