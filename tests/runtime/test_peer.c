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
    enter(&sides[1]);
    ck_cu(OK, CU(cuMemsetD32_v2)(there, 5u, (size_t)32));
    enter(&sides[0]);
    ck_cu(OK, CU(cuMemcpyDtoD_v2)(here, there, (size_t)128));
    ck_cu(OK, run(&sides[0], here));
    enter(&sides[0]);
    ck_cu(OK, CU(cuCtxEnablePeerAccess)(sides[1].context, 0u));
    ck_cu(OK, run(&sides[0], there));
    check(there);
    ck_cu(OK, run(&sides[0], allocate(&sides[1]))); /* memory that is newer than the access */
    ck_cu(OK, CU(cuCtxDisablePeerAccess)(sides[1].context));
    ck_cu(OK, run(&sides[1], there));
    check(there);
    ck_cu(ILLEGAL_ADDRESS, run(&sides[0], there));
}
END_TEST

START_TEST(new_contexts_are_closed) {
    struct side sides[2];
    begin(sides);
    ck_cu(OK, CU(cuCtxDestroy_v2)(sides[0].context));
    sides[0].context = cu_begin();
    ck_cu(ILLEGAL_ADDRESS, run(&sides[1], allocate(&sides[0])));
}
END_TEST

/* Two H200, driver 580: a fault is the error of all contexts, and the process makes no more. The
 * device that has no fault shows it once a call waited for the other one. */
START_TEST(faults_end_both_devices) {
    struct side sides[2];
    void *context = NULL;
    uint64_t there, here;
    int value = 1;
    begin(sides);
    there = allocate(&sides[1]);
    here = 16; /* no memory */
    enter(&sides[0]);
    ck_cu(OK, cu_launch(sides[0].kernel, 1, NULL, (void *[]){&here, &value}));
    ck_cu(OK, run(&sides[1], there));
    ck_cu(OK, CU(cuMemsetD32_v2)(there, 5u, (size_t)32));
    enter(&sides[0]);
    ck_cu(ILLEGAL_ADDRESS, CU(cuCtxSynchronize)());
    enter(&sides[1]);
    ck_cu(ILLEGAL_ADDRESS, CU(cuMemsetD32_v2)(there, 5u, (size_t)32));
    ck_cu(ILLEGAL_ADDRESS, CU(cuCtxSynchronize)());
    for (int i = 0; i < 2; i++) {
        ck_cu(ILLEGAL_ADDRESS, CU(cuCtxCreate_v4)(&context, NULL, 0u, i));
        ck_cu(ILLEGAL_ADDRESS, CU(cuDevicePrimaryCtxRetain)(&context, i));
        ck_cu(OK, CU(cuCtxDestroy_v2)(sides[i].context));
    }
    ck_cu(ILLEGAL_ADDRESS, CU(cuCtxCreate_v4)(&context, NULL, 0u, 0));
}
END_TEST

/* Two H200, driver 580: a fill needs access of the device of its stream, but not in a graph. */
START_TEST(fills_need_access) {
    struct {
        uint64_t to;
        size_t pitch;
        unsigned value, size;
        size_t width, height;
    } params = {0, 0, 9, 4, 32, 1};
    struct side sides[2];
    uint64_t there, pointer = 0;
    unsigned words[32] = {0};
    int ordinal = -1;
    void *stream = NULL, *graph = NULL, *exec = NULL, *node = NULL;
    begin(sides);
    params.to = there = allocate(&sides[1]);
    ck_cu(OK, CU(cuStreamCreate)(&stream, 1u));
    enter(&sides[0]);
    ck_cu(INVALID_VALUE, CU(cuMemsetD8_v2)(there, 0, (size_t)4));
    ck_cu(INVALID_VALUE, CU(cuMemsetD2D32_v2)(there, (size_t)64, 0u, (size_t)16, (size_t)2));
    ck_cu(INVALID_VALUE, CU(cuMemsetD32Async)(there, 0u, (size_t)4, NULL));
    ck_cu(OK, CU(cuMemsetD8_v2)(there, 0, (size_t)0));
    ck_cu(OK, CU(cuMemsetD32Async)(there, 7u, (size_t)32, stream));
    ck_cu(OK, CU(cuMemcpyDtoH_v2)(words, there, sizeof words));
    ck_assert_uint_eq(words[31], 7);
    ck_cu(INVALID_VALUE, CU(cuPointerGetAttribute)(&pointer, 3, there)); /* its address */
    ck_cu(OK, CU(cuPointerGetAttribute)(&ordinal, 9, there));
    ck_assert_int_eq(ordinal, 1);
    ck_cu(OK, CU(cuGraphCreate)(&graph, 0u));
    ck_cu(OK, CU(cuGraphAddMemsetNode)(&node, graph, NULL, (size_t)0, &params, sides[0].context));
    ck_cu(OK, CU(cuGraphInstantiateWithFlags)(&exec, graph, 0ull));
    ck_cu(OK, CU(cuGraphLaunch)(exec, NULL));
    ck_cu(OK, CU(cuMemcpyDtoH_v2)(words, there, sizeof words));
    ck_assert_uint_eq(words[31], 9);
    ck_cu(OK, CU(cuCtxEnablePeerAccess)(sides[1].context, 0u));
    ck_cu(OK, CU(cuMemsetD8_v2)(there, 0, (size_t)4));
    ck_cu(OK, CU(cuPointerGetAttribute)(&pointer, 3, there));
    ck_assert(pointer == there);
}
END_TEST

static const char variables[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .global .attribute(.managed) .align 4 .u32 m = 9;\n"
    ".visible .global .align 4 .u32 g = 2;\n"
    ".visible .entry inc() {\n.reg .u32 %r; .reg .u64 %a;\nmov.u64 %a, m;\n"
    "ld.global.u32 %r, [%a];\nadd.u32 %r, %r, 1;\nst.global.u32 [%a], %r;\nret;\n}\n";

/* Two H200, driver 580: modules of contexts have a managed variable each. A library has one for all
 * devices, which lives as long as the library. */
START_TEST(managed_variables) {
    struct side sides[2];
    void *module[2], *library = NULL, *kernel = NULL;
    uint64_t at[2] = {0, 0}, common = 0, again = 0;
    size_t bytes = 0;
    int ordinal = -1;
    begin(sides);
    for (int i = 0; i < 2; i++) {
        enter(&sides[i]);
        ck_cu(OK, CU(cuModuleLoadData)(&module[i], variables));
        ck_cu(OK, CU(cuModuleGetGlobal_v2)(&at[i], &bytes, module[i], "m"));
        ck_cu(OK, CU(cuPointerGetAttribute)(&ordinal, 9, at[i]));
        ck_assert_int_eq(ordinal, i);
    }
    ck_assert(at[0] != at[1]);
    ck_cu(OK, CU(cuModuleGetFunction)(&kernel, module[1], "inc"));
    ck_cu(OK, cu_launch(kernel, 1, NULL, NULL));
    ck_cu(OK, CU(cuCtxSynchronize)());
    ck_assert_int_eq(*(int *)(uintptr_t)at[0], 9);
    ck_assert_int_eq(*(int *)(uintptr_t)at[1], 10);
    ck_cu(OK, CU(cuLibraryLoadData)(&library, variables, NULL, NULL, 0u, NULL, NULL, 0u));
    ck_cu(OK, CU(cuLibraryGetManaged)(&common, &bytes, library, "m"));
    ck_cu(NOT_FOUND, CU(cuLibraryGetManaged)(&again, &bytes, library, "g"));
    ck_cu(OK, CU(cuLibraryGetKernel)(&kernel, library, "inc"));
    for (int i = 0; i < 2; i++) {
        enter(&sides[1 - i]);
        ck_cu(OK, cu_launch(kernel, 1, NULL, NULL));
        ck_cu(OK, CU(cuCtxSynchronize)());
        ck_assert_int_eq(*(int *)(uintptr_t)common, 10 + i);
        ck_cu(OK, CU(cuPointerGetAttribute)(&ordinal, 9, common));
        ck_assert_int_eq(ordinal, 0);
    }
    ck_cu(OK, CU(cuCtxDestroy_v2)(sides[1].context));
    ck_cu(OK, CU(cuCtxDestroy_v2)(sides[0].context));
    cu_begin();
    ck_cu(OK, CU(cuLibraryGetManaged)(&again, &bytes, library, "m"));
    ck_assert(again == common);
    ck_cu(OK, cu_launch(kernel, 1, NULL, NULL));
    ck_cu(OK, CU(cuCtxSynchronize)());
    ck_assert_int_eq(*(int *)(uintptr_t)common, 12);
}
END_TEST

/* Two H200, driver 580: variables of a module are closed to the other device, peer or not. */
START_TEST(variables_are_closed) {
    struct side sides[2];
    void *module = NULL;
    uint64_t address = 0;
    size_t bytes = 0;
    begin(sides);
    enter(&sides[1]);
    ck_cu(OK, CU(cuModuleLoadData)(&module, variables));
    ck_cu(OK, CU(cuModuleGetGlobal_v2)(&address, &bytes, module, "g"));
    enter(&sides[0]);
    ck_cu(OK, CU(cuCtxEnablePeerAccess)(sides[1].context, 0u));
    ck_cu(INVALID_VALUE, CU(cuMemsetD8_v2)(address, 0, (size_t)4));
    ck_cu(ILLEGAL_ADDRESS, run(&sides[0], address));
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
    const struct every_test tests[] = {{peers, 0, 1},
                                       {new_contexts_are_closed, 0, 1},
                                       {faults_end_both_devices, 0, 1},
                                       {fills_need_access, 0, 1},
                                       {managed_variables, 0, 1},
                                       {variables_are_closed, 0, 1},
                                       {pools, 0, 1},
                                       {maps, 0, 2},
                                       {wide, 0, 1},
                                       {graphs, 0, 1},
                                       {memory_of_graphs, 0, 1}};
    setenv("WSIM_REPORT", "none", 1);
    setenv("WSIM_DEVICES", "2", 1);
    return every_run("runtime/peer", tests, sizeof tests / sizeof tests[0]);
}
