/* Graphs, captures, pools, and addresses apart from memory, by the driver API. Errors are those of
 * an H200. */
#include "cu.h"

#include <unistd.h>

static void *function_of(const char *name) {
    void *module = NULL, *function = NULL;
    ck_cu(OK, CU(cuModuleLoadData)(&module, cu_text));
    ck_cu(OK, CU(cuModuleGetFunction)(&function, module, name));
    return function;
}

static uint64_t allocate(size_t bytes) {
    uint64_t address = 0;
    ck_cu(OK, CU(cuMemAlloc_v2)(&address, bytes));
    return address;
}

/* Number `i` of the results at an address. */
static int read_int(uint64_t address, unsigned i) {
    int value = 0;
    ck_cu(OK, CU(cuMemcpyDtoH_v2)(&value, address + 4 * i, sizeof value));
    return value;
}

static void *new_stream(void) {
    void *stream = NULL;
    ck_cu(OK, CU(cuStreamCreate)(&stream, 1u));
    return stream;
}

/* The arguments of a kernel node: CUDA_KERNEL_NODE_PARAMS_v2. */
struct kernel_node {
    void *function;
    unsigned grid[3], block[3], shared;
    void **params, **extra;
    void *kernel, *context;
};

START_TEST(a_captured_graph_runs_when_it_is_launched) {
    void *context = cu_begin(), *k = function_of("k"), *s = new_stream(), *t = new_stream();
    void *graph = NULL, *exec = NULL, *fork = NULL, *join = NULL;
    uint64_t a = allocate(128), b = allocate(128);
    int v = 100, status = 9;
    size_t n = 0;
    void *to_a[] = {&a, &v}, *to_b[] = {&b, &v};
    ck_cu(OK, CU(cuEventCreate)(&fork, 2u));
    ck_cu(OK, CU(cuEventCreate)(&join, 2u));
    ck_cu(OK, CU(cuMemsetD32_v2)(a, 7u, (size_t)32));
    ck_cu(OK, CU(cuStreamBeginCapture_v2)(s, 0));
    ck_cu(OK, cu_launch(k, 32, s, to_a));
    v = 200;
    ck_cu(OK, CU(cuEventRecord)(fork, s));
    ck_cu(OK, CU(cuStreamWaitEvent)(t, fork, 0u));
    ck_cu(OK, cu_launch(k, 32, t, to_b));
    ck_cu(OK, CU(cuEventRecord)(join, t));
    ck_cu(OK, CU(cuStreamWaitEvent)(s, join, 0u));
    ck_cu(OK, CU(cuStreamIsCapturing)(t, &status));
    ck_assert_int_eq(status, 1);
    ck_cu(OK, CU(cuStreamEndCapture)(s, &graph));
    ck_cu(OK, CU(cuGraphGetNodes)(graph, NULL, &n));
    ck_assert_uint_eq(n, 2);
    ck_assert_int_eq(read_int(a, 3), 7); /* nothing ran yet */
    ck_cu(OK, CU(cuGraphInstantiateWithFlags)(&exec, graph, 0ull));
    ck_cu(OK, CU(cuGraphDestroy)(graph));
    ck_cu(INVALID_VALUE, CU(cuGraphDestroy)(graph));
    ck_cu(OK, CU(cuGraphLaunch)(exec, s));
    ck_cu(OK, CU(cuStreamSynchronize)(s));
    ck_assert_int_eq(read_int(a, 3), 100 + 3 + 11); /* arguments are those of the capture */
    ck_assert_int_eq(read_int(b, 31), 200 + 31 + 11);
    ck_cu(OK, CU(cuGraphExecDestroy)(exec));
    ck_cu(INVALID_VALUE, CU(cuGraphLaunch)(exec, s));
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

START_TEST(a_capture_refuses_what_no_graph_holds) {
    void *context = cu_begin(), *k = function_of("k"), *s = new_stream(), *t = new_stream();
    void *graph = NULL, *event = NULL;
    uint64_t a = allocate(128), other = 0;
    int v = 1;
    void *params[] = {&a, &v};
    ck_cu(OK, CU(cuEventCreate)(&event, 2u));
    ck_cu(ILLEGAL_STATE, CU(cuStreamEndCapture)(s, &graph));
    ck_cu(STREAM_CAPTURE_UNSUPPORTED, CU(cuStreamBeginCapture_v2)(NULL, 0));
    ck_cu(OK, CU(cuStreamBeginCapture_v2)(s, 0));
    ck_cu(ILLEGAL_STATE, CU(cuStreamBeginCapture_v2)(s, 0));
    ck_cu(STREAM_CAPTURE_UNSUPPORTED, CU(cuStreamSynchronize)(s));
    ck_cu(STREAM_CAPTURE_INVALIDATED, CU(cuStreamEndCapture)(s, &graph));
    ck_cu(OK, CU(cuStreamBeginCapture_v2)(s, 0));
    ck_cu(STREAM_CAPTURE_UNSUPPORTED, CU(cuMemAlloc_v2)(&other, (size_t)16));
    ck_cu(STREAM_CAPTURE_INVALIDATED, CU(cuStreamEndCapture)(s, &graph));
    ck_cu(OK, CU(cuStreamBeginCapture_v2)(s, 2)); /* relaxed */
    ck_cu(OK, CU(cuMemAlloc_v2)(&other, (size_t)16));
    ck_cu(OK, cu_launch(k, 32, s, params));
    ck_cu(OK, CU(cuEventRecord)(event, s));
    ck_cu(CAPTURED_EVENT, CU(cuEventSynchronize)(event));
    ck_cu(STREAM_CAPTURE_INVALIDATED, CU(cuStreamEndCapture)(s, &graph));
    ck_cu(OK, CU(cuStreamBeginCapture_v2)(s, 0));
    ck_cu(OK, CU(cuEventRecord)(event, s));
    ck_cu(OK, CU(cuStreamWaitEvent)(t, event, 0u));
    ck_cu(OK, cu_launch(k, 32, t, params));
    ck_cu(STREAM_CAPTURE_UNJOINED, CU(cuStreamEndCapture)(s, &graph));
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

START_TEST(a_graph_of_nodes_runs_in_the_order_of_its_edges) {
    void *context = cu_begin(), *graph = NULL, *exec = NULL, *first = NULL, *second = NULL;
    uint64_t a = allocate(128);
    int v = 5;
    void *params[] = {&a, &v};
    struct kernel_node node = {function_of("k"), {1, 1, 1}, {16, 1, 1}, 0,
                               params,           NULL,      NULL,       NULL};
    struct {
        uint64_t to;
        size_t pitch;
        unsigned value, size;
        size_t width, height;
    } fill = {a, 0, 0x01020304, 4, 32, 1};
    ck_cu(OK, CU(cuGraphCreate)(&graph, 0u));
    /* The kernel is added first, and waits for the fill. */
    ck_cu(OK, CU(cuGraphAddKernelNode_v2)(&first, graph, NULL, (size_t)0, &node));
    ck_cu(OK, CU(cuGraphAddMemsetNode)(&second, graph, NULL, (size_t)0, &fill, NULL));
    ck_cu(OK, CU(cuGraphAddDependencies)(graph, &second, &first, (size_t)1));
    ck_cu(INVALID_VALUE, CU(cuGraphAddDependencies)(graph, &second, &first, (size_t)1));
    ck_cu(OK, CU(cuGraphInstantiateWithFlags)(&exec, graph, 0ull));
    v = 6; /* the node has the old value */
    ck_cu(OK, CU(cuGraphLaunch)(exec, NULL));
    ck_assert_int_eq(read_int(a, 15), 5 + 15 + 11);
    ck_assert_int_eq(read_int(a, 16), 0x01020304);
    ck_cu(OK, CU(cuGraphExecKernelNodeSetParams_v2)(exec, first, &node));
    ck_cu(OK, CU(cuGraphLaunch)(exec, NULL));
    ck_assert_int_eq(read_int(a, 0), 6 + 11);
    ck_cu(OK, CU(cuGraphAddDependencies)(graph, &first, &second, (size_t)1));
    ck_cu(INVALID_VALUE, CU(cuGraphInstantiateWithFlags)(&exec, graph, 0ull)); /* a circle */
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

/* CUDA_MEMCPY3D: a row between two addresses. */
struct box_side {
    size_t x, y, z, level;
    unsigned type;
    const void *host;
    uint64_t device;
    void *array, *reserved;
    size_t pitch, height;
};
struct box {
    struct box_side from, to;
    size_t width, height, depth;
};

static struct box row(uint64_t from, uint64_t to, size_t bytes) {
    const struct box box = {{.type = 2, .device = from}, {.type = 2, .device = to}, bytes, 1, 1};
    return box;
}

static void count(void *data) {
    ++*(int *)data;
}

struct host_node {
    void (*function)(void *data);
    void *data;
};

/* CUgraphNodeParams of a copy. */
struct copy_node {
    int kind, reserved[3], flags, reserved2;
    void *context;
    struct box box;
    long long room[10];
};

/* The picture of a fill, a copy, a call and a record, one after another. */
static void check_picture(void *graph) {
    char path[] = "graph.XXXXXX", text[1024] = "";
    const int file = mkstemp(path);
    int nodes = 0, edges = 0;
    ck_assert_int_ge(file, 0);
    ck_cu(INVALID_VALUE, CU(cuGraphDebugDotPrint)(graph, NULL, 0u));
    ck_cu(OK, CU(cuGraphDebugDotPrint)(graph, path, 0u));
    ck_assert_int_gt(read(file, text, sizeof text - 1), 0);
    ck_assert_int_eq(close(file), 0);
    ck_assert_int_eq(unlink(path), 0);
    for (const char *at = text; (at = strstr(at, "[label=")); at++)
        nodes++;
    for (const char *at = text; (at = strstr(at, "->")); at++)
        edges++;
    ck_assert_msg(nodes == 4 && edges == 3 && strstr(text, "digraph") == text &&
                      strstr(text, "MEMSET") && strstr(text, "MEMCPY") && strstr(text, "HOST") &&
                      strstr(text, "RECORD"),
                  "%s", text);
}

/* Parameters of nodes that an H200 takes or refuses. */
START_TEST(parameters_of_nodes) {
    static const char empty[] =
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry e() { ret; }\n";
    void *context = cu_begin(), *graph = NULL, *node = NULL, *module = NULL;
    void *words[] = {(void *)7, &graph, NULL};
    struct host_node nothing = {NULL, NULL};
    struct kernel_node kernel = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .extra = words};
    struct {
        uint64_t to;
        size_t pitch;
        unsigned value, size;
        size_t width, height;
    } fill = {allocate(128), 0, 1, 4, 1, 1};
    ck_cu(OK, CU(cuGraphCreate)(&graph, 0u));
    ck_cu(OK, CU(cuModuleLoadData)(&module, empty));
    ck_cu(OK, CU(cuModuleGetFunction)(&kernel.function, module, "e"));
    ck_cu(INVALID_VALUE, CU(cuGraphAddHostNode)(&node, graph, NULL, (size_t)0, &nothing));
    ck_cu(OK, CU(cuGraphAddKernelNode_v2)(&node, graph, NULL, (size_t)0, &kernel));
    ck_cu(OK, CU(cuGraphAddMemsetNode)(&node, graph, NULL, (size_t)0, &fill, NULL));
    fill.width = 0;
    ck_cu(INVALID_VALUE, CU(cuGraphAddMemsetNode)(&node, graph, NULL, (size_t)0, &fill, NULL));
    fill.width = 1, fill.height = 0;
    ck_cu(INVALID_VALUE, CU(cuGraphAddMemsetNode)(&node, graph, NULL, (size_t)0, &fill, NULL));
    fill.height = 1, fill.size = 3;
    ck_cu(INVALID_VALUE, CU(cuGraphAddMemsetNode)(&node, graph, NULL, (size_t)0, &fill, NULL));
    fill.size = 1, fill.value = 300;
    ck_cu(OK, CU(cuGraphAddMemsetNode)(&node, graph, NULL, (size_t)0, &fill, NULL));
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

START_TEST(nodes_copy_call_and_record) {
    void *context = cu_begin(), *graph = NULL, *exec = NULL, *event = NULL, *found[2], *other[2];
    void *fill = NULL, *copy = NULL, *call = NULL, *record = NULL;
    uint64_t a = allocate(128), b = allocate(128), c = allocate(128), flags = 9;
    int calls = 0, status = 0;
    unsigned enabled = 9;
    size_t n = 2;
    struct {
        uint64_t to;
        size_t pitch;
        unsigned value, size;
        size_t width, height;
    } value = {a, 0, 7, 4, 32, 1}, old;
    struct box to_b = row(a, b, 64), to_c = row(a + 64, c, 32);
    struct host_node host = {count, &calls}, same = {NULL, NULL};
    struct copy_node node = {.kind = 1, .box = to_b};
    struct {
        uint64_t flags;
        void *stream, *wrong;
        int result;
    } how = {0, NULL, &how, 9};
    ck_cu(OK, CU(cuEventCreate)(&event, 2u));
    ck_cu(OK, CU(cuGraphCreate)(&graph, 0u));
    ck_cu(OK, CU(cuGraphAddMemsetNode)(&fill, graph, NULL, (size_t)0, &value, NULL));
    ck_cu(OK, CU(cuGraphAddNode_v2)(&copy, graph, &fill, NULL, (size_t)1, &node));
    ck_cu(OK, CU(cuGraphAddHostNode)(&call, graph, &copy, (size_t)1, &host));
    ck_cu(OK, CU(cuGraphAddEventRecordNode)(&record, graph, &call, (size_t)1, event));
    node.kind = 99;
    ck_cu(INVALID_VALUE, CU(cuGraphAddNode_v2)(&copy, graph, &fill, NULL, (size_t)1, &node));
    ck_cu(INVALID_VALUE, CU(cuGraphAddMemcpyNode)(&copy, graph, NULL, (size_t)0, NULL, NULL));

    ck_cu(OK, CU(cuGraphGetEdges_v2)(graph, NULL, NULL, NULL, &n));
    ck_assert_uint_eq(n, 3);
    n = 2;
    ck_cu(OK, CU(cuGraphGetEdges)(graph, found, other, &n));
    ck_assert(found[0] == fill && other[0] == copy && found[1] == copy && other[1] == call);
    n = 1;
    ck_cu(OK, CU(cuGraphNodeGetDependencies)(call, found, &n));
    ck_assert(n == 1 && found[0] == copy);
    ck_cu(OK, CU(cuGraphNodeGetDependentNodes)(call, found, &n));
    ck_assert(n == 1 && found[0] == record);
    ck_cu(OK, CU(cuGraphHostNodeGetParams)(call, &same));
    ck_assert(same.function == count && same.data == &calls);
    ck_cu(INVALID_VALUE, CU(cuGraphHostNodeGetParams)(copy, &same));
    ck_cu(OK, CU(cuGraphMemsetNodeGetParams)(fill, &old));
    ck_assert(old.to == a && old.value == 7 && old.size == 4 && old.width == 32 && old.height == 1);
    ck_cu(OK, CU(cuGraphEventRecordNodeGetEvent)(record, &found[0]));
    ck_assert_ptr_eq(found[0], event);

    ck_cu(OK, CU(cuGraphInstantiateWithParams)(&exec, graph, &how));
    ck_assert(how.result == 0 && !how.wrong);
    ck_cu(OK, CU(cuGraphExecGetFlags)(exec, &flags));
    ck_assert_uint_eq(flags, 0);
    ck_cu(OK, CU(cuGraphLaunch)(exec, NULL));
    ck_cu(OK, CU(cuCtxSynchronize)());
    ck_assert_int_eq(read_int(b, 15), 7);
    ck_assert_int_eq(calls, 1);
    ck_cu(OK, CU(cuEventQuery)(event));

    check_picture(graph);

    /* Later launches: another copy and fill, or none. */
    value.value = 8;
    ck_cu(OK, CU(cuGraphExecMemcpyNodeSetParams)(exec, copy, &to_c, NULL));
    ck_cu(OK, CU(cuGraphExecMemsetNodeSetParams)(exec, fill, &value, NULL));
    ck_cu(OK, CU(cuGraphLaunch)(exec, NULL));
    ck_assert_int_eq(read_int(b, 15), 7);
    ck_assert_int_eq(read_int(c, 7), 8);
    value.value = 9;
    ck_cu(OK, CU(cuGraphExecMemsetNodeSetParams)(exec, fill, &value, NULL));
    ck_cu(OK, CU(cuGraphNodeSetEnabled)(exec, fill, 0u));
    ck_cu(OK, CU(cuGraphNodeGetEnabled)(exec, fill, &enabled));
    ck_assert_uint_eq(enabled, 0);
    ck_cu(OK, CU(cuGraphLaunch)(exec, NULL));
    ck_assert_int_eq(read_int(c, 7), 8);
    ck_assert_int_eq(calls, 3);
    ck_cu(OK, CU(cuStreamIsCapturing)(NULL, &status));
    ck_assert_int_eq(status, 0);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

START_TEST(a_capture_continues_a_graph) {
    void *context = cu_begin(), *s = new_stream(), *graph = NULL, *same = NULL, *node = NULL;
    void *const *waits = NULL;
    const uint8_t *data = NULL;
    uint64_t a = allocate(128), id = 0;
    int status = 0;
    size_t n = 9;
    ck_cu(OK, CU(cuGraphCreate)(&graph, 0u));
    ck_cu(OK, CU(cuGraphAddEmptyNode)(&node, graph, NULL, (size_t)0));
    ck_cu(OK, CU(cuStreamBeginCaptureToGraph)(s, graph, &node, NULL, (size_t)1, 0));
    ck_cu(OK, CU(cuStreamGetCaptureInfo_v3)(s, &status, &id, &same, &waits, &data, &n));
    ck_assert(status == 1 && id && same == graph && n == 1 && waits[0] == node);
    ck_cu(OK, CU(cuMemsetD8Async)(a, 1, (size_t)16, s));
    ck_cu(OK, CU(cuStreamUpdateCaptureDependencies_v2)(s, &node, NULL, (size_t)1, 1u));
    ck_cu(OK, CU(cuMemsetD8Async)(a + 16, 1, (size_t)16, s));
    ck_cu(INVALID_VALUE, CU(cuStreamBeginCaptureToGraph)(s, NULL, NULL, NULL, (size_t)0, 0));
    ck_cu(OK, CU(cuStreamEndCapture)(s, &same));
    ck_assert_ptr_eq(same, graph);
    n = 0;
    ck_cu(OK, CU(cuGraphNodeGetDependentNodes)(node, NULL, &n));
    ck_assert_uint_eq(n, 2);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

/* A graph of one fill, captured as CUDA 10.0 did. */
static void *capture_fill(void *stream, uint64_t address, unsigned value) {
    void *graph = NULL;
    ck_cu(OK, CU(cuStreamBeginCapture)(stream));
    ck_cu(OK, CU(cuMemsetD32Async)(address, value, (size_t)4, stream));
    ck_cu(OK, CU(cuStreamEndCapture)(stream, &graph));
    return graph;
}

START_TEST(programs_of_cuda_10_use_graphs) {
    void *context = cu_begin(), *stream = new_stream(), *exec = NULL, *wrong = &exec, *empty = NULL;
    const uint64_t a = allocate(64);
    char log[4] = "log";
    int result = -1;
    ck_cu(OK, CU(cuGraphInstantiate)(&exec, capture_fill(stream, a, 5), &wrong, log, sizeof log));
    ck_assert(!wrong && !log[0]);
    ck_cu(OK, CU(cuGraphLaunch)(exec, stream));
    ck_cu(OK, CU(cuStreamSynchronize)(stream));
    ck_assert_int_eq(read_int(a, 3), 5);
    ck_cu(OK, CU(cuGraphExecUpdate)(exec, capture_fill(stream, a, 6), &wrong, &result));
    ck_assert(!wrong && result == 0);
    ck_cu(OK, CU(cuGraphLaunch)(exec, stream));
    ck_cu(OK, CU(cuStreamSynchronize)(stream));
    ck_assert_int_eq(read_int(a, 3), 6);
    ck_cu(OK, CU(cuGraphCreate)(&empty, 0u));
    ck_cu(GRAPH_EXEC_UPDATE_FAILURE, CU(cuGraphExecUpdate)(exec, empty, &wrong, &result));
    ck_assert_int_ne(result, 0);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

/* A graph takes one use of two, another use and one of its own; each object ends once. */
START_TEST(graphs_keep_objects_of_the_program) {
    void *context = cu_begin(), *graph = NULL, *object = NULL, *other = NULL;
    int ended = 0;
    ck_cu(OK, CU(cuGraphCreate)(&graph, 0u));
    ck_cu(INVALID_VALUE, CU(cuUserObjectCreate)(&object, &ended, count, 1u, 0u));
    ck_cu(INVALID_VALUE, CU(cuUserObjectCreate)(&object, &ended, count, 0u, 1u));
    ck_cu(INVALID_VALUE, CU(cuUserObjectCreate)(&object, &ended, NULL, 1u, 1u));
    ck_cu(OK, CU(cuUserObjectCreate)(&object, &ended, count, 2u, 1u));
    ck_cu(OK, CU(cuUserObjectCreate)(&other, &ended, count, 1u, 1u));
    ck_cu(OK, CU(cuGraphRetainUserObject)(graph, object, 1u, 1u));
    ck_cu(OK, CU(cuGraphRetainUserObject)(graph, other, 2u, 0u));
    ck_cu(INVALID_VALUE, CU(cuGraphRetainUserObject)(graph, other, 1u, 2u));
    ck_cu(INVALID_VALUE, CU(cuUserObjectRelease)(object, 3u));
    ck_cu(OK, CU(cuUserObjectRelease)(object, 1u));
    ck_cu(OK, CU(cuGraphReleaseUserObject)(graph, other, 1u));
    ck_assert_int_eq(ended, 0);
    ck_cu(OK, CU(cuGraphDestroy)(graph));
    ck_assert_int_eq(ended, 1); /* the first; the other has a use of the program */
    ck_cu(INVALID_VALUE, CU(cuUserObjectRetain)(object, 1u));
    ck_cu(OK, CU(cuUserObjectRetain)(other, 1u));
    ck_cu(OK, CU(cuUserObjectRelease)(other, 2u));
    ck_assert_int_eq(ended, 2);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

START_TEST(pools_count_their_memory) {
    void *context = cu_begin(), *pool = NULL, *s = new_stream();
    uint64_t a = 0, value = 1;
    ck_cu(OK, CU(cuDeviceGetDefaultMemPool)(&pool, 0));
    ck_cu(OK, CU(cuMemAllocAsync)(&a, (size_t)1000, s));
    ck_cu(OK, CU(cuMemPoolGetAttribute)(pool, 7, &value));
    ck_assert_uint_eq(value, 1000);
    ck_cu(OK, CU(cuMemsetD8Async)(a, 1, (size_t)1000, s));
    ck_cu(OK, CU(cuMemFreeAsync)(a, s));
    ck_cu(INVALID_VALUE, CU(cuMemFreeAsync)(a, s));
    ck_cu(OK, CU(cuStreamSynchronize)(s));
    ck_cu(OK, CU(cuMemPoolGetAttribute)(pool, 7, &value));
    ck_assert_uint_eq(value, 0);
    ck_cu(OK, CU(cuMemPoolGetAttribute)(pool, 8, &value));
    ck_assert_uint_eq(value, 1000);
    ck_cu(INVALID_VALUE, CU(cuMemPoolDestroy)(pool));
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

START_TEST(a_graph_uses_freed_addresses_again) {
    void *context = cu_begin(), *s = new_stream(), *graph = NULL, *exec = NULL;
    uint64_t a = 0, b = 0, c = 0;
    ck_cu(OK, CU(cuStreamBeginCapture_v2)(s, 0));
    ck_cu(OK, CU(cuMemAllocAsync)(&a, (size_t)512, s));
    ck_cu(OK, CU(cuMemAllocAsync)(&b, (size_t)512, s));
    ck_assert_uint_ne(a, b);
    ck_cu(OK, CU(cuMemsetD8Async)(a, 1, (size_t)512, s));
    ck_cu(OK, CU(cuMemFreeAsync)(a, s));
    ck_cu(OK, CU(cuMemAllocAsync)(&c, (size_t)512, s));
    ck_assert_uint_eq(a, c);
    ck_cu(OK, CU(cuMemsetD8Async)(c, 2, (size_t)512, s));
    ck_cu(OK, CU(cuStreamEndCapture)(s, &graph));
    ck_cu(OK, CU(cuGraphInstantiateWithFlags)(&exec, graph, 0ull));
    ck_cu(OK, CU(cuGraphLaunch)(exec, s));
    ck_cu(OK, CU(cuStreamSynchronize)(s));
    ck_assert_int_eq(read_int(c, 0), 0x02020202);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

/* CUmemAllocationProp and CUmemAccessDesc. */
struct properties {
    int type, handles, place, device;
    void *security;
    unsigned char flags[8];
};
struct access {
    int place, device;
    unsigned flags;
};

START_TEST(one_memory_has_two_addresses) {
    void *context = cu_begin();
    const struct properties properties = {1, 0, 1, 0, NULL, {0}};
    const struct access access = {1, 0, 3};
    size_t bytes = 0;
    uint64_t base = 0, memory = 0;
    ck_cu(OK, CU(cuMemGetAllocationGranularity)(&bytes, &properties, 0));
    ck_assert_uint_eq(bytes, 2u << 20);
    ck_cu(OK, CU(cuMemAddressReserve)(&base, 2 * bytes, (size_t)0, UINT64_C(0), 0ull));
    ck_cu(OK, CU(cuMemCreate)(&memory, bytes, &properties, 0ull));
    ck_cu(INVALID_VALUE, CU(cuMemCreate)(&memory, bytes + 1, &properties, 0ull));
    ck_cu(OK, CU(cuMemMap)(base, bytes, (size_t)0, memory, 0ull));
    ck_cu(INVALID_VALUE, CU(cuMemMap)(base, bytes, (size_t)0, memory, 0ull));
    ck_cu(OK, CU(cuMemMap)(base + bytes, bytes, (size_t)0, memory, 0ull));
    ck_cu(OK, CU(cuMemSetAccess)(base, 2 * bytes, &access, (size_t)1));
    ck_cu(OK, CU(cuMemRelease)(memory)); /* the maps keep it */
    ck_cu(OK, CU(cuMemsetD32_v2)(base, 0x11223344u, (size_t)2));
    ck_assert_int_eq(read_int(base + bytes, 1), 0x11223344);
    ck_cu(INVALID_VALUE, CU(cuMemAddressFree)(base, 2 * bytes));
    ck_cu(OK, CU(cuMemUnmap)(base, 2 * bytes));
    ck_cu(INVALID_VALUE, CU(cuMemsetD32_v2)(base, 1u, (size_t)1));
    ck_cu(OK, CU(cuMemAddressFree)(base, 2 * bytes));
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

/* A box that leaves pinned memory is refused; outside, memory belongs to the host. */
START_TEST(boxes_end_inside_pinned_memory) {
    void *context = cu_begin(), *pinned = NULL, *graph = NULL, *node = NULL;
    const uint64_t memory = allocate(4096);
    struct box box;
    ck_cu(OK, CU(cuMemHostAlloc)(&pinned, (size_t)64, 0u));
    memset(pinned, 1, 64);
    box = row((uint64_t)(uintptr_t)pinned, memory, 16);
    box.from.pitch = box.to.pitch = 16;
    box.height = 4;
    ck_cu(OK, CU(cuMemcpy3D_v2)(&box));
    box.height = 5;
    ck_cu(INVALID_VALUE, CU(cuMemcpy3D_v2)(&box));
    box.from.type = 4; /* unified */
    ck_cu(INVALID_VALUE, CU(cuMemcpy3D_v2)(&box));
    box.height = 2;
    box.depth = 3;
    ck_cu(INVALID_VALUE, CU(cuMemcpy3D_v2)(&box));
    box.depth = 2;
    ck_cu(OK, CU(cuMemcpy3D_v2)(&box));
    box.from.x = 1;
    ck_cu(INVALID_VALUE, CU(cuMemcpy3D_v2)(&box));
    box.from.x = 0;
    box.from.pitch = box.from.height = (size_t)1 << 32;
    ck_cu(INVALID_VALUE, CU(cuMemcpy3D_v2)(&box));
    ck_cu(OK, CU(cuGraphCreate)(&graph, 0u));
    box = row((uint64_t)(uintptr_t)pinned, memory, 0);
    box.height = 2;
    ck_cu(INVALID_VALUE, CU(cuGraphAddMemcpyNode)(&node, graph, NULL, (size_t)0, &box, NULL));
    ck_cu(OK, CU(cuGraphDestroy)(graph));
    ck_cu(OK, CU(cuMemFreeHost)(pinned));
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

int main(void) {
    static const TTest *const *const tests[] = {&boxes_end_inside_pinned_memory,
                                                &a_captured_graph_runs_when_it_is_launched,
                                                &a_capture_refuses_what_no_graph_holds,
                                                &a_graph_of_nodes_runs_in_the_order_of_its_edges,
                                                &nodes_copy_call_and_record,
                                                &parameters_of_nodes,
                                                &a_capture_continues_a_graph,
                                                &programs_of_cuda_10_use_graphs,
                                                &graphs_keep_objects_of_the_program,
                                                &pools_count_their_memory,
                                                &a_graph_uses_freed_addresses_again,
                                                &one_memory_has_two_addresses};
    TCase *tcase = tcase_create("graph");
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(tcase, *tests[i]);
    setenv("WSIM_REPORT", "none", 1);
    return run_case("graph", tcase);
}
