/* Two devices: kernels access memory of the other one after the program opens it. */
#include "cu.h"

#include <stdio.h>

struct location {
    int type, id;
};
struct access {
    struct location location;
    int access;
};
enum { AT_DEVICE = 1, BOTH = 3 };

/* One context of each device, with the kernel. */
struct side {
    void *context, *kernel;
};

static void enter(const struct side *side) {
    ck_cu(OK, CU(cuCtxSetCurrent)(side->context));
}

static void begin(struct side sides[2]) {
    ck_cu(OK, CU(cuInit)(0u));
    for (int i = 0; i < 2; i++) {
        void *module = NULL;
        ck_cu(OK, CU(cuCtxCreate_v4)(&sides[i].context, NULL, 0u, i));
        ck_cu(OK, CU(cuModuleLoadData)(&module, cu_text));
        ck_cu(OK, CU(cuModuleGetFunction)(&sides[i].kernel, module, "k"));
    }
}

static uint64_t allocate(const struct side *side) {
    uint64_t address = 0;
    enter(side);
    ck_cu(OK, CU(cuMemAlloc_v2)(&address, (size_t)128));
    return address;
}

/* A kernel of a device writes 1000 + thread + 11, and its context has this error. */
static int run(const struct side *side, uint64_t address) {
    int value = 1000;
    void *params[] = {&address, &value};
    enter(side);
    ck_cu(OK, cu_launch(side->kernel, 32, NULL, params));
    return CU(cuCtxSynchronize)();
}

static void check(uint64_t address) {
    int host[32] = {0};
    ck_cu(OK, CU(cuMemcpyDtoH_v2)(host, address, sizeof host));
    ck_assert_int_eq(host[31], 1042);
    ck_cu(OK, CU(cuMemsetD32_v2)(address, 0u, (size_t)32));
}

/* Copies need no access. Kernels do, and the list of peers is that of a context. */
START_TEST(peers) {
    struct side sides[2];
    uint64_t there, here;
    begin(sides);
    there = allocate(&sides[1]);
    here = allocate(&sides[0]);
    ck_cu(OK, CU(cuMemsetD32_v2)(there, 5u, (size_t)32));
    ck_cu(OK, CU(cuMemcpyDtoD_v2)(here, there, (size_t)128));
    ck_cu(OK, run(&sides[0], here));
    enter(&sides[0]);
    ck_cu(OK, CU(cuCtxEnablePeerAccess)(sides[1].context, 0u));
    ck_cu(OK, run(&sides[0], there));
    check(there);
    ck_cu(OK, run(&sides[0], allocate(&sides[1]))); /* memory that is newer than the access */
    ck_cu(OK, CU(cuCtxDisablePeerAccess)(sides[1].context));
    ck_cu(ILLEGAL_ADDRESS, run(&sides[0], there));
    ck_cu(OK, run(&sides[1], there));
    check(there);
    ck_cu(OK, CU(cuCtxDestroy_v2)(sides[0].context));
    sides[0].context = cu_begin();
    ck_cu(ILLEGAL_ADDRESS, run(&sides[1], allocate(&sides[0]))); /* of memory that is new, too */
}
END_TEST

/* Memory of a pool follows the access to the pool, and not the peers. */
START_TEST(pools) {
    struct side sides[2];
    struct access access = {{AT_DEVICE, 0}, BOTH};
    void *pool = NULL;
    uint64_t address = 0;
    unsigned flags = 9;
    begin(sides);
    enter(&sides[1]);
    ck_cu(OK, CU(cuDeviceGetDefaultMemPool)(&pool, 1));
    ck_cu(OK, CU(cuMemAllocAsync)(&address, (size_t)128, NULL));
    ck_cu(OK, CU(cuCtxSynchronize)());
    ck_cu(OK, CU(cuMemPoolGetAccess)(&flags, pool, &access.location));
    ck_assert_uint_eq(flags, 0);
    ck_cu(OK, CU(cuMemPoolSetAccess)(pool, &access, (size_t)1));
    ck_cu(OK, CU(cuMemPoolGetAccess)(&flags, pool, &access.location));
    ck_assert_uint_eq(flags, BOTH);
    ck_cu(OK, run(&sides[0], address));
    check(address);
    access.access = 0;
    ck_cu(OK, CU(cuMemPoolSetAccess)(pool, &access, (size_t)1));
    enter(&sides[0]);
    ck_cu(OK, CU(cuCtxEnablePeerAccess)(sides[1].context, 0u));
    ck_cu(ILLEGAL_ADDRESS, run(&sides[0], address));
}
END_TEST

/* Mapped memory follows cuMemSetAccess. */
START_TEST(maps) {
    const size_t bytes = (size_t)2 << 20;
    struct {
        int type, handles;
        struct location location;
        void *security;
        unsigned char rest[8];
    } wanted = {.type = 1, .location = {AT_DEVICE, 1}};
    struct access access[2] = {{{AT_DEVICE, 1}, BOTH}, {{AT_DEVICE, 0}, BOTH}};
    struct side sides[2];
    uint64_t address = 0;
    void *memory = NULL;
    begin(sides);
    ck_cu(OK, CU(cuMemCreate)(&memory, bytes, &wanted, 0ull));
    ck_cu(OK, CU(cuMemAddressReserve)(&address, bytes, (size_t)0, (uint64_t)0, 0ull));
    ck_cu(OK, CU(cuMemMap)(address, bytes, (size_t)0, memory, 0ull));
    ck_cu(OK, CU(cuMemSetAccess)(address, bytes, access, (size_t)1 + (size_t)_i));
    ck_cu(OK, run(&sides[1], address));
    check(address);
    if (_i)
        ck_cu(OK, run(&sides[0], address));
    else
        ck_cu(ILLEGAL_ADDRESS, run(&sides[0], address));
}
END_TEST

/* Managed memory and memory of the host are open to all devices. */
START_TEST(wide) {
    struct side sides[2];
    uint64_t managed = 0;
    void *host = NULL;
    begin(sides);
    ck_cu(OK, CU(cuMemAllocManaged)(&managed, (size_t)128, 1u));
    ck_cu(OK, CU(cuMemAllocHost_v2)(&host, (size_t)128));
    for (int i = 0; i < 2; i++) {
        ck_cu(OK, run(&sides[i], managed));
        check(managed);
        ck_cu(OK, run(&sides[i], (uint64_t)(uintptr_t)host));
        ck_assert_int_eq(((int *)host)[31], 1042);
        memset(host, 0, 128);
    }
}
END_TEST

/* A kernel of a graph runs on the device of the stream that captured it, as on an H200, whatever
 * stream the graph launches into. Its context goes after it. */
START_TEST(graphs) {
    struct side sides[2];
    uint64_t there;
    void *stream = NULL, *graph = NULL, *exec = NULL;
    int value = 1000, host[32] = {0};
    void *params[] = {&there, &value};
    begin(sides);
    there = allocate(&sides[1]);
    ck_cu(OK, CU(cuStreamCreate)(&stream, 1u));
    ck_cu(OK, CU(cuStreamBeginCapture_v2)(stream, 0));
    ck_cu(OK, cu_launch(sides[1].kernel, 32, stream, params));
    ck_cu(OK, CU(cuStreamEndCapture)(stream, &graph));
    ck_cu(OK, CU(cuGraphInstantiateWithFlags)(&exec, graph, 0ull));
    enter(&sides[0]);
    ck_cu(OK, CU(cuGraphLaunch)(exec, NULL));
    ck_cu(OK, CU(cuCtxSynchronize)());
    ck_cu(OK, CU(cuMemcpyDtoH_v2)(host, there, sizeof host));
    ck_assert_int_eq(host[31], 1042);
    for (int i = 0; i < 50; i++)
        ck_cu(OK, CU(cuGraphLaunch)(exec, NULL));
    ck_cu(OK, CU(cuCtxDestroy_v2)(sides[1].context));
    ck_cu(OK, CU(cuCtxSynchronize)());
}
END_TEST

/* Memory of a node of a graph is open: its node names the devices. */
START_TEST(memory_of_graphs) {
    struct {
        int type, handles;
        struct location location;
        void *security;
        unsigned char compressed, rest[63];
        const struct access *access;
        size_t n, bytes;
        uint64_t address;
    } wanted = {.type = 1, .location = {AT_DEVICE, 1}, .bytes = 128};
    struct side sides[2];
    void *graph = NULL, *exec = NULL, *node = NULL;
    begin(sides);
    ck_cu(OK, CU(cuGraphCreate)(&graph, 0u));
    ck_cu(OK, CU(cuGraphAddMemAllocNode)(&node, graph, NULL, (size_t)0, &wanted));
    ck_cu(OK, CU(cuGraphInstantiateWithFlags)(&exec, graph, 0ull));
    ck_cu(OK, CU(cuGraphLaunch)(exec, NULL));
    ck_cu(OK, CU(cuCtxSynchronize)());
    ck_cu(OK, run(&sides[0], wanted.address));
    ck_cu(OK, run(&sides[1], wanted.address));
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{peers, 0, 1}, {pools, 0, 1},  {maps, 0, 2},
                                       {wide, 0, 1},  {graphs, 0, 1}, {memory_of_graphs, 0, 1}};
    setenv("WSIM_REPORT", "none", 1);
    setenv("WSIM_DEVICES", "2", 1);
    return every_run("runtime/peer", tests, sizeof tests / sizeof tests[0]);
}
