/* Nodes and edges of graphs, by the driver API. Errors and orders are those of an H200. */
#include "cu.h"

enum { WRITE_32 = 2, BARRIER = 6 };
struct op { /* CUstreamBatchMemOpParams */
    uint32_t what;
    uint64_t address, value;
    uint32_t flags;
    uint64_t rest[2];
};
struct ops { /* CUDA_BATCH_MEM_OP_NODE_PARAMS */
    void *context;
    unsigned n;
    struct op *list;
    unsigned flags;
};
struct node { /* CUgraphNodeParams */
    int kind, reserved[3];
    union {
        long long words[29];
        struct {
            int type, handles, location, device;
            unsigned char rest[72];
            const void *access;
            size_t n_access, bytes;
            uint64_t address;
        } alloc;
        struct {
            void *graph;
            int ownership;
        } child;
        uint64_t address;
    } is;
    long long last;
};
struct edge {
    unsigned char from, to, type, rest[5];
};
enum { FILL = 2, CHILD = 4, EMPTY = 5, ALLOC = 10, FREE = 11, OPS = 12 };

static void *new_graph(void) {
    void *graph = NULL;
    ck_cu(OK, CU(cuGraphCreate)(&graph, 0u));
    return graph;
}

static int add(void *graph, struct node *node, void *const *before, const struct edge *data,
               size_t n, void **made) {
    void *other = NULL;
    return CU(cuGraphAddNode_v2)(made ? made : &other, graph, before, data, n, node);
}

static void *empty(void *graph) {
    struct node node = {.kind = EMPTY};
    void *made = NULL;
    ck_cu(OK, add(graph, &node, NULL, NULL, 0, &made));
    return made;
}

static int link_nodes(void *graph, void *from, void *to) {
    return CU(cuGraphAddDependencies_v2)(graph, &from, &to, NULL, (size_t)1);
}

static uint64_t memory(void) {
    uint64_t address = 0;
    ck_cu(OK, CU(cuMemAlloc_v2)(&address, (size_t)64));
    ck_cu(OK, CU(cuMemsetD32_v2)(address, 7u, (size_t)16));
    return address;
}

static uint32_t word(uint64_t address) {
    uint32_t value = 0;
    ck_cu(OK, CU(cuMemcpyDtoH_v2)(&value, address, sizeof value));
    return value;
}

START_TEST(a_node_writes_values) {
    void *context = cu_begin(), *graph = new_graph(), *node = NULL, *exec = NULL;
    const uint64_t at = memory();
    struct op list[2] = {{.what = WRITE_32, .address = at, .value = 5},
                         {.what = WRITE_32, .address = at + 4, .value = 6}};
    struct ops ops = {context, 2, list, 0}, got = {0};
    ck_cu(OK, CU(cuGraphAddBatchMemOpNode)(&node, graph, NULL, (size_t)0, &ops));
    ops.n = 1;
    list[0].value = 9; /* the node has copied them */
    ck_cu(OK, CU(cuGraphInstantiateWithFlags)(&exec, graph, 0ull));
    ck_cu(OK, CU(cuGraphLaunch)(exec, NULL));
    ck_cu(OK, CU(cuCtxSynchronize)());
    ck_assert_uint_eq(word(at), 5);
    ck_assert_uint_eq(word(at + 4), 6);
    ck_assert_uint_eq(word(at + 8), 7);
    ck_cu(OK, CU(cuGraphExecBatchMemOpNodeSetParams)(exec, node, &ops));
    ck_cu(OK, CU(cuGraphLaunch)(exec, NULL));
    ck_cu(OK, CU(cuCtxSynchronize)());
    ck_assert_uint_eq(word(at), 9);
    ck_cu(OK, CU(cuGraphBatchMemOpNodeGetParams)(node, &got));
    ck_assert(got.n == 2 && got.context == context && got.list != list && got.list[1].value == 6);
    list[0].address = 4096; /* a launch finds that out */
    ck_cu(OK, CU(cuGraphExecBatchMemOpNodeSetParams)(exec, node, &ops));
    ck_cu(INVALID_VALUE, CU(cuGraphLaunch)(exec, NULL));
    list[0].address = at + 2;
    ck_cu(INVALID_VALUE, CU(cuGraphBatchMemOpNodeSetParams)(node, &ops));
    list[0] = (struct op){.what = BARRIER};
    ck_cu(OK, CU(cuGraphBatchMemOpNodeSetParams)(node, &ops));
    list[0].what = BARRIER + 1;
    ck_cu(INVALID_VALUE, CU(cuGraphBatchMemOpNodeSetParams)(node, &ops));
    ops = (struct ops){NULL, 0, list, 0};
    ck_cu(INVALID_VALUE, CU(cuGraphBatchMemOpNodeSetParams)(node, &ops));
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

START_TEST(a_capture_makes_one_node_of_values) {
    void *context = cu_begin(), *stream = NULL, *graph = NULL, *node = NULL;
    const uint64_t at = memory();
    struct op list[2] = {{.what = WRITE_32, .address = at, .value = 5},
                         {.what = WRITE_32, .address = at + 4, .value = 6}};
    struct ops got = {0};
    size_t n = 1;
    int kind = 0;
    ck_cu(OK, CU(cuStreamCreate)(&stream, 1u));
    ck_cu(OK, CU(cuStreamBeginCapture_v2)(stream, 0));
    ck_cu(OK, CU(cuStreamBatchMemOp_v2)(stream, 2u, list, 0u));
    ck_cu(OK, CU(cuStreamEndCapture)(stream, &graph));
    ck_cu(OK, CU(cuGraphGetNodes)(graph, &node, &n));
    ck_cu(OK, CU(cuGraphNodeGetType)(node, &kind));
    ck_cu(OK, CU(cuGraphBatchMemOpNodeGetParams)(node, &got));
    ck_assert(n == 1 && kind == OPS && got.n == 2);
    ck_assert_uint_eq(word(at), 7);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

/* Only an edge from a kernel has a port, and no node here is one. */
START_TEST(edges_and_fields_without_meaning_are_refused) {
    static const struct edge edges[] = {{.from = 1}, {.from = 2}, {.to = 1}, {.type = 1}};
    void *context = cu_begin(), *graph = new_graph(), *first = empty(graph);
    struct node node = {.kind = EMPTY};
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++)
        ck_cu(INVALID_VALUE, add(graph, &node, &first, &edges[i], 1, NULL));
    node.reserved[1] = 1;
    ck_cu(INVALID_VALUE, add(graph, &node, NULL, NULL, 0, NULL));
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

START_TEST(the_last_root_comes_first) {
    void *context = cu_begin(), *graph = new_graph(), *n[3], *list[3], *from[3], *to[3];
    size_t count = 3;
    for (unsigned i = 0; i < 3; i++)
        n[i] = empty(graph);
    ck_cu(OK, CU(cuGraphGetRootNodes)(graph, list, &count));
    ck_assert(count == 3 && list[0] == n[2] && list[1] == n[1] && list[2] == n[0]);
    ck_cu(OK, link_nodes(graph, n[2], n[1]));
    ck_cu(OK, link_nodes(graph, n[0], n[1]));
    ck_cu(OK, CU(cuGraphGetEdges_v2)(graph, from, to, NULL, &count));
    ck_assert(count == 2 && from[0] == n[0] && from[1] == n[2]);
    ck_cu(OK, CU(cuGraphRemoveDependencies_v2)(graph, &n[0], &n[1], NULL, (size_t)1));
    ck_cu(OK, CU(cuGraphRemoveDependencies_v2)(graph, &n[2], &n[1], NULL, (size_t)1));
    count = 2;
    ck_cu(OK, CU(cuGraphGetRootNodes)(graph, list, &count));
    ck_assert(count == 2 && list[0] == n[1] && list[1] == n[2]);
    count = 0;
    ck_cu(INVALID_VALUE, CU(cuGraphGetRootNodes)(graph, list, &count));
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

static uint64_t alloc_in(void *graph) {
    struct node node = {.kind = ALLOC,
                        .is.alloc = {.type = 1, .location = 1, .device = 0, .bytes = 4096}};
    ck_cu(OK, add(graph, &node, NULL, NULL, 0, NULL));
    return node.is.alloc.address;
}

static int free_in(void *graph, uint64_t address) {
    struct node node = {.kind = FREE, .is.address = address};
    return add(graph, &node, NULL, NULL, 0, NULL);
}

START_TEST(memory_of_a_graph_is_freed_once) {
    void *context = cu_begin(), *own = new_graph(), *a = new_graph(), *b = new_graph();
    void *clone = NULL, *exec = NULL, *stream = NULL;
    uint64_t at = alloc_in(own);
    ck_cu(OK, free_in(a, at));
    ck_cu(INVALID_VALUE, free_in(a, at));
    ck_cu(OK, free_in(b, at));
    ck_cu(INVALID_VALUE, free_in(own, at));
    at = alloc_in(own);
    ck_cu(OK, free_in(own, at));
    ck_cu(INVALID_VALUE, free_in(a, at));
    at = alloc_in(own);
    ck_cu(OK, CU(cuGraphInstantiateWithFlags)(&exec, own, 0ull));
    ck_cu(INVALID_VALUE, free_in(own, at));
    ck_cu(OK, free_in(a, at));
    a = new_graph();
    ck_cu(INVALID_VALUE, free_in(a, 0)); /* which counts as a node with memory */
    ck_cu(NOT_SUPPORTED, CU(cuGraphClone)(&clone, a));
    ck_cu(OK, CU(cuStreamCreate)(&stream, 1u));
    ck_cu(OK, CU(cuStreamBeginCapture_v2)(stream, 0));
    ck_cu(OK, CU(cuMemAllocAsync)(&at, (size_t)64, stream));
    ck_cu(OK, CU(cuMemFreeAsync)(at, stream));
    ck_cu(OK, CU(cuStreamEndCapture)(stream, &a));
    ck_cu(NOT_SUPPORTED, CU(cuGraphClone)(&clone, a));
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

START_TEST(a_node_owns_the_graph_that_moves) {
    void *context = cu_begin(), *graph = new_graph(), *child = new_graph(), *node = NULL;
    void *got = NULL, *exec = NULL, *stream = NULL;
    struct node inside = {.kind = CHILD, .is.child = {NULL, 1}};
    struct node add_child = {.kind = CHILD, .is.child = {child, 1}};
    alloc_in(child);
    add_child.is.child.ownership = 0;
    ck_cu(NOT_SUPPORTED, add(graph, &add_child, NULL, NULL, 0, NULL));
    add_child.is.child.ownership = 1;
    ck_cu(OK, add(graph, &add_child, NULL, NULL, 0, &node));
    ck_cu(OK, CU(cuGraphChildGraphNodeGetGraph)(node, &got));
    ck_assert_ptr_eq(got, child);
    empty(child);
    ck_cu(INVALID_VALUE, CU(cuGraphDestroy)(child));
    inside.is.child.graph = graph; /* a circle */
    ck_cu(INVALID_VALUE, add(child, &inside, NULL, NULL, 0, NULL));
    ck_cu(OK, CU(cuStreamCreate)(&stream, 1u));
    ck_cu(OK, CU(cuStreamBeginCaptureToGraph)(stream, child, NULL, NULL, (size_t)0, 2));
    ck_cu(ILLEGAL_STATE, CU(cuGraphDestroy)(graph));
    ck_cu(OK, CU(cuStreamEndCapture)(stream, &got));
    ck_cu(OK, CU(cuGraphInstantiateWithFlags)(&exec, graph, 0ull));
    ck_cu(OK, CU(cuGraphLaunch)(exec, NULL));
    ck_cu(OK, CU(cuGraphDestroy)(graph));
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

START_TEST(a_spoilt_capture_ends_its_graph) {
    void *context = cu_begin(), *stream = NULL, *graph = new_graph(), *end = graph;
    uint64_t address = 0;
    size_t n = 0;
    ck_cu(OK, CU(cuStreamCreate)(&stream, 1u));
    ck_cu(OK, CU(cuStreamBeginCaptureToGraph)(stream, graph, NULL, NULL, (size_t)0, 0));
    ck_cu(ILLEGAL_STATE, CU(cuGraphDestroy)(graph));
    ck_cu(STREAM_CAPTURE_UNSUPPORTED, CU(cuMemAlloc_v2)(&address, (size_t)4));
    ck_cu(STREAM_CAPTURE_INVALIDATED, CU(cuStreamEndCapture)(stream, &end));
    ck_assert_ptr_null(end);
    ck_cu(INVALID_VALUE, CU(cuGraphGetNodes)(graph, NULL, &n));
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

int main(void) {
    static const TTest *const *const tests[] = {&a_node_writes_values,
                                                &a_capture_makes_one_node_of_values,
                                                &edges_and_fields_without_meaning_are_refused,
                                                &the_last_root_comes_first,
                                                &memory_of_a_graph_is_freed_once,
                                                &a_node_owns_the_graph_that_moves,
                                                &a_spoilt_capture_ends_its_graph};
    TCase *tcase = tcase_create("nodes");
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(tcase, *tests[i]);
    setenv("WSIM_REPORT", "none", 1);
    return run_case("nodes", tcase);
}
