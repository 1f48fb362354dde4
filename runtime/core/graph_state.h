/* graph_state.h - graphs and captures, as graph*.c, exec.c and capture.c share them. */
#ifndef WSIM_RUNTIME_GRAPH_STATE_H
#define WSIM_RUNTIME_GRAPH_STATE_H

#include "graph.h"
#include "state.h"

/* Memory of ALLOC nodes, which the copies of a node share. Without uses, it waits for a trim. */
struct graph_memory {
    struct graph_memory *next;
    unsigned uses;
    uint64_t address;
    const struct wsimrt_graph *graph; /* of its ALLOC node; NULL: it is gone                     */
    unsigned freed; /* the number of nodes of other graphs that free it                   */
    uint8_t ends;   /* a node of its graph frees it                                            */
};
struct graph_memory *graph_memory_at(uint64_t address); /* NULL: none */
/* Sets params->address for params->bytes. Addresses that a node before the new one frees are used
 * again. */
int graph_memory_make(struct wsimrt_context *context, const struct wsimrt_graph *graph,
                      struct wsimrt_node *const *before, size_t n,
                      struct wsimrt_node_params *params);

/* cudaGraphExecUpdateResult */
enum { UPDATE_OK, UPDATE_ERROR, UPDATE_TOPOLOGY, UPDATE_TYPE, UPDATE_FUNCTION, UPDATE_PARAMETERS };
/* Finds the place in `exec` of each node of a graph. Returns one of these; `wrong`
 * is then the index of the node that differs, or the number of nodes. */
int graph_match(const struct wsimrt_graph *exec, const struct wsimrt_graph *graph, size_t *place,
                size_t *wrong);

int graph_has_all(const struct wsimrt_graph *graph, struct wsimrt_node *const *nodes, size_t n);
/* Whether a node of a graph may free memory. */
int graph_check_free(struct wsimrt_graph *graph, uint64_t address);

/* Reserves the memory that a launch of the graph needs. */
int graph_reserve(const struct wsimrt_graph *graph, struct wsimrt_stream *stream);
/* Gives back the memory that no launch uses. */
void graphs_shrink(int device);

struct wsimrt_node {
    struct wsimrt_graph *graph;
    size_t index;        /* in the graph */
    uint64_t rooted;     /* when it last became a root: roots are listed from the last one on */
    uint64_t id, origin; /* origin: id of the node that this one was copied from */
    struct wsimrt_node_params params;
    unsigned char *packed; /* parameters of a KERNEL, and their addresses */
    void **addresses;
    struct graph_memory *memory;
    struct wsimrt_op *ops; /* of OPS */
    uint8_t frees;         /* of FREE, of the program: memory of its own graph 1, of another 2 */
    uint8_t disabled;
    uint8_t reused; /* of FREE: a later ALLOC has the addresses */
};

struct edge {
    struct wsimrt_node *from, *to;
    struct wsimrt_edge_data data;
};

struct condition {
    uint64_t handle; /* the address of its value */
    uint32_t value;
    uint8_t assign;
};

struct wsimrt_graph {
    struct wsimrt_context *context; /* NULL: no node needed one yet */
    struct wsimrt_node **nodes;
    struct edge *edges;
    struct condition *conditions;
    size_t n, n_edges, n_conditions, room, edge_room;
    uint8_t owned;  /* by a node or an exec: no handle of the program frees it */
    uint8_t body;   /* of a condition */
    uint8_t memory; /* a node of it made or freed memory, or should: it stays so */
    uint64_t id;
    unsigned execs; /* that were made of a graph with memory */
};

struct wsimrt_exec {
    struct wsimrt_graph *graph; /* a copy; its nodes are in the order of execution */
    struct wsimrt_graph *from;  /* that it was made of, if that is still there: ... */
    uint64_t from_id;           /* ... it has this number */
    uint64_t flags;
    unsigned uses;     /* conditions that are queued, and the handle */
    struct mark *last; /* the end of its last launch; NULL: none */
};

struct capture {
    struct capture *next;
    struct wsimrt_graph *graph;
    struct wsimrt_stream *origin;
    enum wsimrt_capture_mode mode;
    pthread_t thread;
    uint64_t id;
    uint8_t invalid;
    uint8_t given; /* the graph is one of the program */
};

/* An error that also makes the capture useless. */
static inline int capture_spoil(struct capture *capture, int error) {
    capture->invalid = 1;
    return error;
}

/* The capture that an event belongs to; NULL: none that is under way. */
struct capture *capture_of(const struct wsimrt_event *event);

/* Nodes that the next one waits for. */
struct frontier {
    struct wsimrt_node **nodes;
    size_t n;
};
int frontier_set(struct frontier *frontier, struct wsimrt_node *const *nodes, size_t n, int add);

void capture_end(struct capture *capture);

/* Without the lock's rules of graph.h: the lock is held, and the handles are right. */
int graph_make(struct wsimrt_graph **graph);
void graph_free(struct wsimrt_graph *graph);
/* A graph keeps uses of an object of the program. */
int users_keep(const struct wsimrt_graph *graph, struct wsimrt_user *user, unsigned n,
               unsigned flags);
/* Another graph keeps them too. */
void users_share(const struct wsimrt_graph *graph, const struct wsimrt_graph *copy);

/* Gives back the objects of the program that a graph kept. Without the lock of the core. */
void users_end(const struct wsimrt_graph *graph);
/* Whether a graph is another one, or inside that one: in a node, or a body of a condition. */
int graph_holds(const struct wsimrt_graph *outer, const struct wsimrt_graph *inner);
/* Enter the core, and check the handle. The caller leaves the core. */
int graph_enter(const struct wsimrt_graph *graph);
int node_enter(const struct wsimrt_node *node);
/* A graph keeps its nodes while a capture of it, or of one inside of it, is under way. */
int graph_check_captured(const struct wsimrt_graph *graph);
/* Marks all nodes that a node waits for, and itself. */
void graph_mark_before(const struct wsimrt_node *node, unsigned char *marks);
/* Whether a node of a kind may wait for these nodes. */
int graph_check_before(const struct wsimrt_graph *graph, struct wsimrt_node *const *before,
                       const struct wsimrt_edge_data *data, size_t n, enum wsimrt_node_kind kind);
int graph_add(struct wsimrt_graph *graph, struct wsimrt_node *const *before,
              const struct wsimrt_edge_data *data, size_t n, struct wsimrt_node_params *params,
              struct wsimrt_node **node);
/* A copy whose nodes name those of `graph` as origin. `order`: indices of its nodes; NULL: as they
 * are. */
int graph_copy(const struct wsimrt_graph *graph, const size_t *order, struct wsimrt_graph **copy);
int node_set(struct wsimrt_node *node, const struct wsimrt_node_params *params);

/* Whether the memory that a node copies or fills is there. */
int node_check(const struct wsimrt_node_params *params);

/* An order that the edges allow: indices of nodes, to be freed. NULL: there is none, or no memory.
 */
size_t *graph_order(const struct wsimrt_graph *graph);

#endif
