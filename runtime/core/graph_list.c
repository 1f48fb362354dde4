/* Graphs: lists of nodes and edges. */
#include "graph_state.h"

#include <stdlib.h>
#include <string.h>

/* An H200 refuses a list that has no room. */
static int check_list(struct wsimrt_node **list, const size_t *n) {
    return n && (!list || *n) ? 0 : WSIMRT_INVALID_VALUE;
}

/* Puts element number `at` of a list into its place. */
static void put(struct wsimrt_node **list, size_t room, size_t at, struct wsimrt_node *node) {
    if (list && at < room)
        list[at] = node;
}

/* The end of a list with `all` elements. */
static void end_list(struct wsimrt_node **list, size_t all, size_t *n) {
    for (size_t i = all; list && i < *n; i++)
        list[i] = NULL;
    *n = list && *n < all ? *n : all;
}

static int compare_roots(const void *a, const void *b) {
    const struct wsimrt_node *const x = *(struct wsimrt_node *const *)a;
    const struct wsimrt_node *const y = *(struct wsimrt_node *const *)b;
    return x->rooted < y->rooted ? 1 : -1;
}

/* The roots of a graph. NULL: no memory. */
static struct wsimrt_node **list_roots(const struct wsimrt_graph *graph, size_t *n) {
    struct wsimrt_node **const list = calloc(graph->n + 1, sizeof *list);
    unsigned char *const marks = calloc(graph->n + 1, 1);
    *n = 0;
    for (size_t i = 0; marks && i < graph->n_edges; i++)
        marks[graph->edges[i].to->index] = 1;
    for (size_t i = 0; marks && list && i < graph->n; i++)
        if (!marks[i])
            list[(*n)++] = graph->nodes[i];
    if (list)
        qsort(list, *n, sizeof *list, compare_roots);
    free(marks);
    return list;
}

int wsimrt_graph_nodes(struct wsimrt_graph *graph, int roots, struct wsimrt_node **nodes,
                       size_t *n) {
    int error = graph_enter(graph);
    struct wsimrt_node **list = NULL;
    size_t all = error ? 0 : graph->n;
    error = error ? error : check_list(nodes, n);
    if (!error && roots && !(list = list_roots(graph, &all)))
        error = WSIMRT_OUT_OF_MEMORY;
    for (size_t i = 0; i < all && !error; i++)
        put(nodes, *n, i, list ? list[i] : graph->nodes[i]);
    if (!error)
        end_list(nodes, all, n);
    free(list);
    return core_leave(error);
}

static int is_plain(const struct wsimrt_edge_data *data) {
    static const struct wsimrt_edge_data plain;
    return memcmp(data, &plain, sizeof plain) == 0;
}

/* Indices of edges in the order of their first nodes, which an H200 lists one by one. NULL: no
 * memory. */
static size_t *order_edges(const struct wsimrt_graph *graph) {
    size_t *const order = calloc(graph->n_edges + graph->n + 2, sizeof *order);
    size_t *const next = order ? order + graph->n_edges + 1 : NULL;
    for (size_t i = 0; next && i < graph->n_edges; i++)
        next[graph->edges[i].from->index + 1]++;
    for (size_t i = 0; next && i < graph->n; i++)
        next[i + 1] += next[i];
    for (size_t i = 0; next && i < graph->n_edges; i++)
        order[next[graph->edges[i].from->index]++] = i;
    return order;
}

int wsimrt_graph_edges(struct wsimrt_graph *graph, struct wsimrt_node **from,
                       struct wsimrt_node **to, struct wsimrt_edge_data *data, size_t *n) {
    int error = graph_enter(graph);
    size_t *order = NULL;
    error = error ? error : check_list(from, n);
    if (!error && !from != !to)
        error = WSIMRT_INVALID_VALUE;
    if (!error && from && !(order = order_edges(graph)))
        error = WSIMRT_OUT_OF_MEMORY;
    for (size_t i = 0; !error && from && i < graph->n_edges && i < *n; i++) {
        const struct edge *const edge = &graph->edges[order[i]];
        from[i] = edge->from;
        to[i] = edge->to;
        if (data)
            data[i] = edge->data;
        else if (!is_plain(&edge->data))
            error = WSIMRT_LOSSY_QUERY;
    }
    free(order);
    if (!error) {
        size_t same = *n;
        end_list(from, graph->n_edges, n);
        end_list(to, graph->n_edges, &same);
    }
    return core_leave(error);
}

int wsimrt_node_neighbours(struct wsimrt_node *node, int after, struct wsimrt_node **nodes,
                           struct wsimrt_edge_data *data, size_t *n) {
    int error = node_enter(node);
    size_t all = 0;
    error = error ? error : check_list(nodes, n);
    for (size_t i = 0; !error && i < node->graph->n_edges; i++) {
        const struct edge *edge = &node->graph->edges[i];
        if ((after ? edge->from : edge->to) != node)
            continue;
        if (data && nodes && all < *n)
            data[all] = edge->data;
        put(nodes, *n, all++, after ? edge->to : edge->from);
    }
    if (!error)
        end_list(nodes, all, n);
    return core_leave(error);
}
