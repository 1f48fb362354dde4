/* A picture of a graph, in the language of Graphviz. */
#include "graph.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int write_nodes(int file, struct wsimrt_node **nodes, size_t n) {
    static const char *const names[] = {"KERNEL", "MEMCPY", "MEMSET", "HOST",       "GRAPH",
                                        "EMPTY",  "WAIT",   "RECORD", "",           "",
                                        "ALLOC",  "FREE",   "BATCH_MEM_OP", "CONDITIONAL"};
    int error = 0;
    for (size_t i = 0; i < n && !error; i++) {
        struct wsimrt_node_params params;
        error = wsimrt_node_get(nodes[i], &params);
        if (!error &&
            dprintf(file, "\"%p\" [label=\"%s\"];\n", (void *)nodes[i], names[params.kind]) < 0)
            error = WSIMRT_OPERATING_SYSTEM;
    }
    return error;
}

static int write_edges(int file, struct wsimrt_node **from, struct wsimrt_node **to, size_t n) {
    int wrong = 0;
    for (size_t i = 0; i < n; i++)
        wrong |= dprintf(file, "\"%p\" -> \"%p\";\n", (void *)from[i], (void *)to[i]) < 0;
    return wrong ? WSIMRT_OPERATING_SYSTEM : 0;
}

static int write_graph(int file, struct wsimrt_graph *graph) {
    size_t n = 0, n_edges = 0;
    struct wsimrt_node **nodes = NULL;
    struct wsimrt_edge_data *data = NULL;
    int error = wsimrt_graph_nodes(graph, 0, NULL, &n);
    error = error ? error : wsimrt_graph_edges(graph, NULL, NULL, NULL, &n_edges);
    if (!error) {
        nodes = calloc(n + 2 * n_edges + 1, sizeof *nodes);
        data = calloc(n_edges + 1, sizeof *data);
        error = nodes && data ? 0 : WSIMRT_OUT_OF_MEMORY;
    }
    if (!error && n)
        error = wsimrt_graph_nodes(graph, 0, nodes, &n);
    if (!error && n_edges)
        error = wsimrt_graph_edges(graph, nodes + n, nodes + n + n_edges, data, &n_edges);
    if (!error && dprintf(file, "digraph dot {\n") < 0)
        error = WSIMRT_OPERATING_SYSTEM;
    error = error ? error : write_nodes(file, nodes, n);
    error = error ? error : write_edges(file, nodes + n, nodes + n + n_edges, n_edges);
    if (!error && dprintf(file, "}\n") < 0)
        error = WSIMRT_OPERATING_SYSTEM;
    free(nodes);
    free(data);
    return error;
}

int wsimrt_graph_draw(struct wsimrt_graph *graph, const char *path) {
    int error, file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    if (file < 0)
        return path ? WSIMRT_OPERATING_SYSTEM : WSIMRT_INVALID_VALUE;
    error = write_graph(file, graph);
    close(file);
    return error;
}
