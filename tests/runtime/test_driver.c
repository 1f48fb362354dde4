/* The driver API: a program loads PTX, launches it and reads results. Wrong calls give errors and
 * never end the process. Results and errors are those of an H200. */
#include "cu.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void *load(void) {
    void *module = NULL;
    ck_cu(OK, CU(cuModuleLoadData)(&module, cu_text));
    return module;
}

static void *function_of(void *module) {
    void *function = NULL;
    ck_cu(OK, CU(cuModuleGetFunction)(&function, module, "k"));
    return function;
}

static uint64_t allocate(size_t bytes) {
    uint64_t address = 0;
    ck_cu(OK, CU(cuMemAlloc_v2)(&address, bytes));
    return address;
}

static long resident_pages(void) {
    FILE *file = fopen("/proc/self/statm", "r");
    long all = 0, pages = 0;
    ck_assert(file && fscanf(file, "%ld %ld", &all, &pages) == 2);
    fclose(file);
    return pages;
}

/* Zeros take no memory where nothing was, neither for bytes nor for the record of which are
 * initialised. Elsewhere they are written. */
START_TEST(a_fill_with_zeros_leaves_fresh_memory_alone) {
    enum { LARGE = 256 << 20, AT = (101 << 20) + 12, MOST = LARGE / 32 };
    const long page = sysconf(_SC_PAGESIZE);
    static const unsigned ones[3] = {~0u, ~0u, ~0u};
    void *context = cu_begin();
    const uint64_t a = allocate(LARGE);
    const long before = resident_pages();
    unsigned words[3];
    ck_cu(OK, CU(cuMemsetD8_v2)(a, 0u, (size_t)LARGE));
    ck_assert_int_lt((resident_pages() - before) * page, MOST);
    ck_cu(OK, CU(cuMemcpyHtoD_v2)(a + AT, ones, sizeof ones));
    ck_cu(OK, CU(cuMemsetD32_v2)(a + AT + 4, 0u, (size_t)(LARGE - AT - 4) / 4));
    ck_cu(OK, CU(cuMemcpyDtoH_v2)(words, a + AT, sizeof words));
    ck_assert(words[0] == ~0u && !words[1] && !words[2]);
    ck_cu(OK, CU(cuMemsetD8_v2)(a, 0u, (size_t)LARGE));
    ck_cu(OK, CU(cuMemcpyDtoH_v2)(words, a + AT, sizeof words));
    ck_assert(!words[0] && !words[1] && !words[2]);
    ck_cu(OK, CU(cuMemFree_v2)(a));
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

START_TEST(a_program_of_the_driver_api) {
    void *context = cu_begin(), *module = load(), *function = NULL, *library = NULL, *kernel = NULL;
    uint64_t variable = 0, out = allocate(128);
    size_t bytes = 0, packed_bytes = 12;
    int v = 1000, host[32], value = 0;
    void *params[] = {&out, &v};
    struct {
        uint64_t out;
        int v;
    } packed = {out, 7};
    void *extra[] = {(void *)1, &packed, (void *)2, &packed_bytes, NULL};
    ck_cu(NOT_FOUND, CU(cuModuleGetFunction)(&function, module, "nope"));
    function = function_of(module);
    ck_cu(OK, CU(cuModuleGetGlobal_v2)(&variable, &bytes, module, "gv"));
    ck_assert_uint_eq(bytes, 4);
    ck_cu(OK, CU(cuMemsetD32_v2)(variable, 20u, (size_t)1));
    ck_cu(OK, cu_launch(function, 32, NULL, params));
    ck_cu(OK, CU(cuMemcpyDtoH_v2)(host, out, sizeof host));
    ck_assert_int_eq(host[31], 1051);
    ck_cu(OK, CU(cuLaunchKernel)(function, 1u, 1u, 1u, 32u, 1u, 1u, 0u, NULL, NULL, extra));
    ck_cu(OK, CU(cuMemcpyDtoH_v2)(host, out, sizeof host));
    ck_assert_int_eq(host[1], 28);
    ck_cu(OK, CU(cuFuncGetAttribute)(&value, 0, function));
    ck_assert_int_eq(value, 1024);
    ck_cu(OK, CU(cuLibraryLoadData)(&library, cu_text, NULL, NULL, 0u, NULL, NULL, 0u));
    ck_cu(OK, CU(cuLibraryGetKernel)(&kernel, library, "k"));
    ck_cu(OK, cu_launch(kernel, 32, NULL, params));
    ck_cu(OK, CU(cuCtxSynchronize)());
    ck_cu(OK, CU(cuMemcpyDtoH_v2)(host, out, sizeof host));
    ck_assert_int_eq(host[0], 1011); /* its own variable */
    ck_cu(OK, CU(cuModuleUnload)(module));
    ck_cu(OK, CU(cuMemFree_v2)(out));
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

START_TEST(images_that_do_not_load) {
    void *context = cu_begin(), *module = NULL;
    char log[512] = "";
    int options[] = {5, 6};
    void *values[] = {log, (void *)sizeof log};
    ck_cu(INVALID_IMAGE, CU(cuModuleLoadDataEx)(&module, "garbage", 2u, options, values));
    ck_cu(INVALID_PTX, CU(cuModuleLoadDataEx)(
                           &module, ".version 8.0\n.target sm_90\n.visible .entry k(){ bogus; }",
                           2u, options, values));
    ck_assert_ptr_ne(strstr(log, "bogus"), NULL);
    ck_cu(INVALID_PTX,
          CU(cuModuleLoadData)(&module, ".version 8.0\n.target sm_90\n"
                                        ".entry k(){ .reg .b32 %a; .reg .b32 %a; ret; }"));
    ck_cu(OK, CU(cuModuleLoadData)(&module, ".version 8.0\n.target sm_90\n"
                                            ".entry k(){ .reg .b32 %a; add.s33 %a, %a, %a; }"));
    module = NULL;
    ck_cu(NO_BINARY_FOR_GPU, CU(cuModuleLoadDataEx)(&module, "\177ELF\2", 2u, options, values));
    ck_cu(INVALID_VALUE, CU(cuModuleLoadData)(&module, NULL));
    ck_cu(FILE_NOT_FOUND, CU(cuModuleLoad)(&module, "/no/such/file"));
    ck_assert_ptr_eq(module, NULL);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

/* The linker reads no further than it was given, and takes PTX as PTX alone. */
START_TEST(a_fat_binary_as_ptx) {
    static const unsigned char member[] = {0x50, 0xED, 0x55, 0xBA, 1, 0, 16, 0, 64, 0, 0, 0,
                                           0,    0,    0,    0,    1, 0, 1,  1, 64, 0, 0, 0};
    void *context = cu_begin(), *state = NULL;
    ck_cu(OK, CU(cuLinkCreate_v2)(0u, NULL, NULL, &state));
    for (size_t n = 1; n <= sizeof member; n++)
        ck_cu(INVALID_IMAGE, CU(cuLinkAddData_v2)(state, 1, (void *)(uintptr_t)member, n, "member",
                                                  0u, NULL, NULL));
    ck_cu(OK, CU(cuLinkDestroy)(state));
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

/* A module that is compiled for another GPU, and a log that is cut. */
START_TEST(options_of_the_compiler) {
    enum { ERROR_LOG = 5, ERROR_BYTES, TARGET = 9 };
    static const struct {
        uintptr_t target;
        int error;
    } rows[] = {{90, WSIMRT_OK},
                {0x10000 + 90, WSIMRT_OK},
                {0x10000 + 80, WSIMRT_INVALID_VALUE},
                {130, WSIMRT_INVALID_VALUE},
                {35, WSIMRT_INVALID_IMAGE},
                {75, WSIMRT_INVALID_PTX},
                {100, WSIMRT_INVALID_SOURCE}};
    int options[] = {ERROR_LOG, ERROR_BYTES}, target = TARGET;
    char log[16] = "";
    void *context = cu_begin(), *module = NULL, *values[] = {log, (void *)8}, *value;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        value = (void *)rows[i].target;
        ck_assert_int_eq(CU(cuModuleLoadDataEx)(&module, cu_text, 1u, &target, &value),
                         rows[i].error);
        ck_assert_int_eq(module != NULL, !rows[i].error);
        if (module)
            ck_cu(OK, CU(cuModuleUnload)(module));
        module = NULL;
    }
    ck_cu(INVALID_PTX, CU(cuModuleLoadDataEx)(&module, ".version 8.0\n.target sm_90\nnonsense\n",
                                              2u, options, values));
    ck_assert_uint_eq(strlen(log), 7);
    ck_assert_uint_eq((uintptr_t)values[1], 8);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

/* Units that do not fit together, and a link that has ended. */
START_TEST(the_end_of_a_link) {
    void *context = cu_begin(), *link = NULL, *image = NULL;
    size_t bytes = 0;
    char *text = strdup(cu_text);
    ck_cu(OK, CU(cuLinkCreate_v2)(0u, NULL, NULL, &link));
    ck_cu(INVALID_VALUE, CU(cuLinkAddData_v2)(link, 77, text, (size_t)8, "", 0u, NULL, NULL));
    ck_cu(OK, CU(cuLinkAddData_v2)(link, 1, text, sizeof cu_text, "", 0u, NULL, NULL));
    ck_cu(OK, CU(cuLinkComplete)(link, &image, &bytes));
    ck_cu(INVALID_VALUE, CU(cuLinkAddData_v2)(link, 1, text, sizeof cu_text, "", 0u, NULL, NULL));
    ck_cu(INVALID_HANDLE, CU(cuLinkComplete)(link, &image, &bytes));
    ck_cu(OK, CU(cuLinkDestroy)(link));
    ck_cu(OK, CU(cuLinkCreate_v2)(0u, NULL, NULL, &link));
    ck_cu(OK, CU(cuLinkAddData_v2)(link, 1, text, sizeof cu_text, "", 0u, NULL, NULL));
    ck_cu(INVALID_SOURCE, CU(cuLinkAddData_v2)(link, 1, text, sizeof cu_text, "", 0u, NULL, NULL));
    ck_cu(INVALID_SOURCE, CU(cuLinkComplete)(link, &image, &bytes));
    ck_cu(OK, CU(cuLinkDestroy)(link));
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
    free(text);
}
END_TEST

/* A kernel that holds 60 numbers at once. */
static void write_wide(char *text, size_t room, const char *bounds) {
    size_t at = (size_t)snprintf(text, room,
                                 ".version 8.0\n.target sm_80\n.address_size 64\n"
                                 ".visible .entry k(.param .u64 p) %s {\n.reg .u64 %%a;\n"
                                 ".reg .u32 %%r<64>;\nld.param.u64 %%a, [p];\n",
                                 bounds);
    for (int i = 0; i < 60; i++)
        at += (size_t)snprintf(text + at, room - at, "ld.global.u32 %%r%d, [%%a+%d];\n", i, 4 * i);
    for (int i = 0; i < 60; i++)
        at += (size_t)snprintf(text + at, room - at, "st.global.u32 [%%a+%d], %%r%d;\n", 4 * i,
                               59 - i);
    snprintf(text + at, room - at, "ret; }\n");
}

/* Registers of kernel k of an image. */
static int registers_of(const void *image, uintptr_t limit) {
    int option = 0, value = 0;
    void *module = NULL, *number = (void *)limit;
    ck_cu(OK, CU(cuModuleLoadDataEx)(&module, image, limit ? 1u : 0u, &option, &number));
    ck_cu(OK, CU(cuFuncGetAttribute)(&value, 4, function_of(module)));
    ck_cu(OK, CU(cuModuleUnload)(module));
    return value;
}

/* The limit holds for kernels without bounds of their own, from 24 on. A link keeps it. */
START_TEST(registers_have_a_limit) {
    static char text[8192];
    void *context = cu_begin(), *link = NULL, *image = NULL, *number = (void *)38;
    size_t bytes = 0;
    int option = 0;
    write_wide(text, sizeof text, "");
    ck_assert_int_gt(registers_of(text, 0), 57);
    ck_assert_int_eq(registers_of(text, 57), 57);
    ck_assert_int_eq(registers_of(text, 8), 24);
    ck_assert_int_gt(registers_of(text, 300), 57);
    ck_cu(OK, CU(cuLinkCreate_v2)(1u, &option, &number, &link));
    ck_cu(OK, CU(cuLinkAddData_v2)(link, 1, (void *)text, strlen(text) + 1, "", 0u, NULL, NULL));
    ck_cu(OK, CU(cuLinkComplete)(link, &image, &bytes));
    ck_assert_int_eq(registers_of(image, 0), 38);
    ck_cu(OK, CU(cuLinkDestroy)(link));
    write_wide(text, sizeof text, ".maxntid 64");
    ck_assert_int_gt(registers_of(text, 38), 57);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

/* Calls of a thread that is cancelled. Check keeps memory of each assertion, so it makes none. */
static struct {
    cu_function *set, *fill, *wait;
    void *context;
    uint64_t memory;
} filler;

static void *fill_often(void *unused) {
    (void)unused;
    filler.set(filler.context);
    for (int i = 0; i < 5000000; i++) {
        filler.fill(filler.memory, 3u, (size_t)1 << 20);
        filler.wait();
    }
    return NULL;
}

/* A thread that is cancelled ends between two calls, and other threads go on. */
START_TEST(threads_that_are_cancelled) {
    void *context = cu_begin(), *result = NULL;
    filler.set = cu_find("cuCtxSetCurrent");
    filler.fill = cu_find("cuMemsetD8_v2");
    filler.wait = cu_find("cuCtxSynchronize");
    filler.context = context;
    filler.memory = allocate(1 << 20);
    for (int i = 0; i < 20; i++) {
        pthread_t thread;
        ck_assert_int_eq(pthread_create(&thread, NULL, fill_often, NULL), 0);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        ck_assert_int_eq(pthread_cancel(thread), 0);
        ck_assert_int_eq(pthread_join(thread, &result), 0);
        ck_assert_ptr_eq(result, PTHREAD_CANCELED);
        ck_cu(OK, CU(cuCtxSynchronize)());
    }
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

START_TEST(wrong_handles_and_addresses) {
    static const uintptr_t strays[] = {8, 0x1234, 0xdeadbeef00000000, UINTPTR_MAX};
    void *context = cu_begin(), *module = load(), *other = NULL;
    uint64_t memory = allocate(64);
    char host[64] = {0};
    size_t n;
    unsigned count;
    for (size_t i = 0; i < sizeof strays / sizeof strays[0]; i++) {
        void *stray = (void *)strays[i];
        ck_cu(INVALID_CONTEXT, CU(cuCtxSetCurrent)(stray));
        ck_cu(INVALID_CONTEXT, CU(cuCtxDestroy_v2)(stray));
        ck_cu(INVALID_HANDLE, CU(cuLinkDestroy)(stray));
        ck_cu(INVALID_HANDLE, CU(cuModuleUnload)(stray));
        ck_cu(INVALID_HANDLE, CU(cuModuleGetFunction)(&other, stray, "k"));
        ck_cu(INVALID_HANDLE, CU(cuStreamSynchronize)(stray));
        ck_cu(INVALID_HANDLE, CU(cuStreamDestroy_v2)(stray));
        ck_cu(INVALID_HANDLE, CU(cuEventQuery)(stray));
        ck_cu(INVALID_HANDLE, CU(cuEventDestroy_v2)(stray));
        ck_cu(INVALID_HANDLE, cu_launch(stray, 32, NULL, NULL));
        ck_cu(INVALID_VALUE, CU(cuMemFree_v2)((uint64_t)strays[i]));
        ck_cu(INVALID_VALUE, CU(cuMemcpyHtoD_v2)(memory, stray, (size_t)16));
        ck_cu(INVALID_VALUE, CU(cuMemcpyDtoH_v2)(stray, memory, (size_t)16));
        ck_cu(INVALID_VALUE, CU(cuMemcpyHtoD_v2)((uint64_t)strays[i], host, (size_t)16));
        ck_cu(INVALID_VALUE, CU(cuMemsetD8_v2)((uint64_t)strays[i], 0u, (size_t)16));
        ck_cu(INVALID_VALUE, CU(cuMemHostUnregister)(stray) == WSIMRT_HOST_MEMORY_NOT_REGISTERED
                                 ? WSIMRT_INVALID_VALUE
                                 : 0);
    }
    ck_cu(INVALID_HANDLE, CU(cuModuleUnload)(context)); /* a handle of another kind */
    ck_cu(INVALID_VALUE, CU(cuMemcpyHtoD_v2)(memory, host, (size_t)65));
    ck_cu(INVALID_VALUE, CU(cuMemcpyHtoD_v2)(memory + 1, host, (size_t)64));
    ck_cu(INVALID_VALUE, CU(cuMemFree_v2)(memory + 1));
    ck_cu(OK, CU(cuMemFree_v2)(memory));
    ck_cu(INVALID_VALUE, CU(cuMemFree_v2)(memory));
    ck_cu(INVALID_VALUE, CU(cuMemcpyHtoD_v2)(memory, host, (size_t)1));
    ck_cu(OUT_OF_MEMORY, CU(cuMemAlloc_v2)(&memory, (size_t)1 << 60));
    ck_cu(INVALID_VALUE, CU(cuMemAlloc_v2)(&memory, (size_t)0));
    ck_cu(INVALID_VALUE, CU(cuMemAlloc_v2)(NULL, (size_t)4));
    ck_cu(OK, CU(cuMemGetInfo_v2)(&n, NULL));
    ck_cu(INVALID_VALUE, CU(cuModuleGetFunctionCount)(NULL, module));
    ck_cu(OK, CU(cuModuleGetFunctionCount)(&count, module));
    ck_assert_uint_eq(count, 1);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
    ck_cu(INVALID_HANDLE, CU(cuModuleUnload)(module)); /* gone with its context */
    ck_cu(INVALID_CONTEXT, CU(cuMemAlloc_v2)(&memory, (size_t)4));
}
END_TEST

START_TEST(launches_that_a_gpu_refuses) {
    void *context = cu_begin(), *function = function_of(load());
    uint64_t out = allocate(128);
    int v = 1;
    void *params[] = {&out, &v}, *short_params[] = {&out, NULL};
    ck_cu(INVALID_VALUE, cu_launch(function, 0, NULL, params));
    ck_cu(INVALID_VALUE, cu_launch(function, 2000, NULL, params));
    ck_cu(INVALID_VALUE, cu_launch(function, 32, NULL, NULL));
    ck_cu(INVALID_VALUE, cu_launch(function, 32, NULL, short_params));
    ck_cu(INVALID_VALUE,
          CU(cuLaunchKernel)(function, 1u, 70000u, 1u, 32u, 1u, 1u, 0u, NULL, params, NULL));
    ck_cu(INVALID_VALUE,
          CU(cuLaunchKernel)(function, 1u, 1u, 1u, 32u, 1u, 1u, 100000u, NULL, params, NULL));
    ck_cu(INVALID_VALUE, CU(cuFuncSetAttribute)(function, 8, 300000));
    ck_cu(OK, CU(cuFuncSetAttribute)(function, 8, 100000));
    ck_cu(OK, CU(cuLaunchKernel)(function, 1u, 1u, 1u, 32u, 1u, 1u, 100000u, NULL, params, NULL));
    ck_cu(OK, CU(cuCtxSynchronize)());
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

/* The launch itself succeeds, and every later call of the context has the error. */
START_TEST(an_error_of_a_kernel_is_sticky) {
    void *context = cu_begin(), *function = function_of(load()), *event = NULL;
    uint64_t nowhere = (uint64_t)1 << 40, memory = 0;
    int v = 1;
    void *params[] = {&nowhere, &v};
    ck_cu(OK, cu_launch(function, 1, NULL, params));
    ck_cu(OK, CU(cuMemAlloc_v2)(&memory, (size_t)4)); /* no call has waited yet */
    ck_cu(OK, cu_launch(function, 1, NULL, params));
    ck_cu(ILLEGAL_ADDRESS, CU(cuCtxSynchronize)());
    ck_cu(ILLEGAL_ADDRESS, CU(cuMemAlloc_v2)(&memory, (size_t)4));
    ck_cu(ILLEGAL_ADDRESS, CU(cuEventCreate)(&event, 0u));
    ck_cu(ILLEGAL_ADDRESS, cu_launch(function, 1, NULL, params));
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

/* Pages around an allocation. Small ones, up to 2 MiB, share a piece that stays mapped; larger ones
 * have pages of 2 MiB. Recorded on an H200: a store of 4 bytes at `at`, before or after a free. */
START_TEST(stores_outside_of_buffers_end_where_a_gpu_ends_them) {
    static const struct {
        uint64_t bytes;
        int64_t at;
        int freed, error;
    } stores[] = {
        {1024, 1024, 0, WSIMRT_OK},
        {1024, 66560, 0, WSIMRT_OK},
        {1024, 0, 1, WSIMRT_OK},
        {2 << 20, 2 << 20, 0, WSIMRT_OK},
        {2 << 20, 0, 1, WSIMRT_OK},
        {3 << 20, 3 << 20, 0, WSIMRT_OK},
        {3 << 20, (4 << 20) - 4, 0, WSIMRT_OK},
        {3 << 20, 4 << 20, 0, WSIMRT_ILLEGAL_ADDRESS},
        {3 << 20, 0, 1, WSIMRT_ILLEGAL_ADDRESS},
        {10 << 20, 10 << 20, 0, WSIMRT_ILLEGAL_ADDRESS},
        {10 << 20, (10 << 20) - 4, 0, WSIMRT_OK},
    };
    void *context = cu_begin(), *function = function_of(load());
    uint64_t address = allocate((size_t)stores[_i].bytes);
    int v = 1;
    void *params[] = {&address, &v};
    if (stores[_i].freed)
        ck_cu(OK, CU(cuMemFree_v2)(address));
    address += (uint64_t)stores[_i].at;
    ck_cu(OK, cu_launch(function, 1, NULL, params));
    ck_assert_int_eq(CU(cuCtxSynchronize)(), stores[_i].error);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST
enum { STORES = 11 };

START_TEST(functions_by_name_and_version) {
    void *address = NULL;
    int status = -1;
    ck_cu(OK, CU(cuInit)(0u));
    ck_cu(OK,
          CU(cuGetProcAddress_v2)("cuTensorMapEncodeTiled", &address, 12000, (uint64_t)0, &status));
    ck_assert(address && status == 0);
    ck_cu(OK,
          CU(cuGetProcAddress_v2)("cuTensorMapEncodeTiled", &address, 11080, (uint64_t)0, &status));
    ck_assert(!address && status == 2);
    ck_cu(OK, CU(cuGetProcAddress_v2)("cuNoSuchThing", &address, 13000, (uint64_t)0, &status));
    ck_assert(!address && status == 1);
    address = &status;
    ck_cu(OK, CU(cuGetProcAddress_v2)("cuNoSuchThing", &address, 13000, (uint64_t)0, (int *)NULL));
    ck_assert_ptr_null(address);
    address = &status; /* which the first version keeps */
    ck_cu(NOT_FOUND, CU(cuGetProcAddress)("cuNoSuchThing", &address, 13000, (uint64_t)0));
    ck_assert_ptr_eq(address, &status);
    ck_cu(OK, CU(cuGetProcAddress_v2)("", &address, 13000, (uint64_t)0, &status));
    ck_assert(!address && status == 1);
    ck_cu(OK, CU(cuGetProcAddress_v2)("cuCtxCreate", &address, -1, (uint64_t)0, &status));
    ck_assert_ptr_nonnull(address);
    ck_cu(OK, CU(cuGetProcAddress_v2)("cuMemcpyHtoD", &address, 6050, (uint64_t)2, &status));
    ck_assert(!address && status == 2);
    ck_cu(INVALID_VALUE,
          CU(cuGetProcAddress_v2)("cuCtxCreate", &address, 13010, (uint64_t)0, &status));
    ck_cu(OK, CU(cuGetProcAddress_v2)("cuCtxCreate", &address, 11040, (uint64_t)0, &status));
    ck_assert_ptr_eq(address, (void *)(uintptr_t)cu_find("cuCtxCreate_v3"));
    ck_cu(OK, CU(cuGetProcAddress_v2)("cuMemcpyHtoD", &address, 12000, (uint64_t)2, &status));
    ck_assert_ptr_eq(address, (void *)(uintptr_t)cu_find("cuMemcpyHtoD_v2_ptds"));
    ck_cu(NOT_SUPPORTED, CU(cuMulticastCreate)());
    ck_cu(NOT_FOUND, CU(cuGetExportTable)(&address, "0123456789abcdef"));
}
END_TEST

/* The text that a call prints on stdout. */
static void printed(int (*call)(void), int expected, char *text, size_t size) {
    FILE *file = tmpfile();
    const int out = dup(STDOUT_FILENO);
    size_t n;
    ck_assert(file && out >= 0);
    fflush(stdout);
    dup2(fileno(file), STDOUT_FILENO);
    ck_assert_int_eq(call(), expected);
    fflush(stdout);
    dup2(out, STDOUT_FILENO);
    close(out);
    rewind(file);
    n = fread(text, 1, size - 1, file);
    text[n] = 0;
    fclose(file);
}

static int synchronize(void) {
    return CU(cuCtxSynchronize)();
}

/* As on an H100: lines before a fault appear at the next call that waits. */
START_TEST(what_a_kernel_printed_before_its_fault_appears) {
    static const char source[] =
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
        ".global .align 1 .b8 line[7] = {108, 105, 110, 101, 33, 10, 0};\n"
        ".visible .entry fails(.param .u64 p) {\n.reg .b64 %a<2>; .reg .b32 %r<1>;\n"
        "mov.u64 %a0, line; cvta.global.u64 %a0, %a0; mov.u64 %a1, 0;\n"
        "{ .param .b64 f, a; .param .b32 r; st.param.b64 [f], %a0; st.param.b64 [a], %a1;\n"
        "call (r), vprintf, (f, a); }\n"
        "ld.param.u64 %a0, [p]; mov.u32 %r0, 1; st.global.u32 [%a0], %r0; ret; }\n";
    void *context = cu_begin(), *module = NULL, *fails = NULL;
    uint64_t bad = 8;
    void *args[] = {&bad};
    char text[64];
    ck_cu(OK, CU(cuModuleLoadData)(&module, source));
    ck_cu(OK, CU(cuModuleGetFunction)(&fails, module, "fails"));
    ck_cu(OK, cu_launch(fails, 2, NULL, args));
    printed(synchronize, WSIMRT_ILLEGAL_ADDRESS, text, sizeof text);
    ck_assert_str_eq(text, "line!\nline!\n");
    printed(synchronize, WSIMRT_ILLEGAL_ADDRESS, text, sizeof text);
    ck_assert_str_eq(text, "");
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

START_TEST(calls_of_contexts_that_an_h200_refuses) {
    void *context = cu_begin();
    struct {
        int type;
        unsigned processors;
    } affinity = {7, 0};
    size_t value = 0;
    ck_cu(INVALID_VALUE, CU(cuCtxPushCurrent_v2)(NULL));
    ck_cu(INVALID_VALUE, CU(cuCtxDestroy_v2)(NULL));
    ck_cu(UNSUPPORTED_LIMIT, CU(cuCtxGetLimit)(&value, 9));
    ck_cu(INVALID_VALUE, CU(cuCtxGetLimit)(&value, 10));
    ck_cu(INVALID_VALUE, CU(cuCtxSetFlags)(0x1000u));
    ck_cu(OK, CU(cuCtxSetFlags)(0x10u));
    ck_cu(INVALID_VALUE, CU(cuCtxSetCacheConfig)(9));
    ck_cu(OK, CU(cuCtxSetCacheConfig)(2));
    ck_cu(OK, CU(cuCtxGetExecAffinity)(&affinity, 0));
    ck_assert_int_eq(affinity.type, 0);
    ck_assert_uint_eq(affinity.processors, 132);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

/* malloc of kernels has what the limit says; after the first launch that may call it, no more. */
START_TEST(the_heap_of_kernels_has_the_size_of_its_limit) {
    static const char source[] =
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".extern .func (.param .b64 r) malloc(.param .b64 n);\n"
        ".visible .entry takes(.param .u64 p, .param .u64 n) {\n.reg .b64 %a<2>; .reg .b32 %r;\n"
        ".reg .pred %p; ld.param.u64 %a0, [n];\n"
        "{ .param .b64 n, r; st.param.b64 [n], %a0; call (r), malloc, (n);\n"
        "ld.param.b64 %a1, [r]; }\n"
        "setp.ne.u64 %p, %a1, 0; selp.u32 %r, 1, 2, %p; @!%p bra full; add.u64 %a0, %a0, %a1;\n"
        "st.u8 [%a0+-1], %r;\n"
        "full: ld.param.u64 %a0, [p]; st.global.u32 [%a0], %r; ret; }\n";
    enum { HEAP = 2, MIB = 1 << 20 };
    static const int larger[] = {0, 1};
    void *context = cu_begin(), *module = NULL, *takes = NULL;
    const uint64_t bytes = larger[_i] ? 60 * MIB : 9 * MIB;
    size_t limit = 0;
    uint64_t out = 0;
    int got = 0;
    void *args[] = {&out, (void *)(uintptr_t)&bytes};
    ck_cu(OK, CU(cuModuleLoadData)(&module, source));
    ck_cu(OK, CU(cuModuleGetFunction)(&takes, module, "takes"));
    ck_cu(OK, CU(cuMemAlloc_v2)(&out, (size_t)64));
    if (larger[_i])
        ck_cu(OK, CU(cuCtxSetLimit)(HEAP, (size_t)64 * MIB));
    ck_cu(OK, cu_launch(takes, 1, NULL, args));
    ck_cu(OK, CU(cuMemcpyDtoH_v2)(&got, out, sizeof got));
    ck_assert_int_eq(got, larger[_i] ? 1 : 2);
    ck_cu(INVALID_VALUE, CU(cuCtxSetLimit)(HEAP, (size_t)32 * MIB));
    ck_cu(OK, CU(cuCtxGetLimit)(&limit, HEAP));
    ck_assert_uint_eq(limit, larger[_i] ? 64 * MIB : 8 * MIB);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

START_TEST(queries_find_work_that_no_call_waited_for) {
    void *context = cu_begin(), *function = function_of(load()), *stream = NULL, *event = NULL;
    uint64_t out = allocate(128);
    int v = 1;
    void *params[] = {&out, &v};
    ck_cu(OK, CU(cuStreamCreate)(&stream, 1u));
    ck_cu(OK, CU(cuEventCreate)(&event, 0u));
    ck_cu(OK, CU(cuStreamQuery)(stream));
    ck_cu(OK, cu_launch(function, 1, stream, params));
    ck_cu(OK, CU(cuEventRecord)(event, stream));
    ck_cu(OK, CU(cuEventSynchronize)(event));
    ck_cu(OK, CU(cuStreamQuery)(stream));
    ck_cu(OK, cu_launch(function, 1, stream, params));
    nanosleep(&(struct timespec){0, 2000000}, NULL); /* time for a GPU to end it */
    ck_cu(OK, CU(cuStreamQuery)(stream));
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

/* An event of a context that was reset, and one that was only recorded (H200). */
START_TEST(events_know_their_context) {
    void *event, *stream, *context;
    ck_cu(OK, CU(cuInit)(0u));
    ck_cu(OK, CU(cuDevicePrimaryCtxRetain)(&context, 0));
    ck_cu(OK, CU(cuCtxSetCurrent)(context));
    ck_cu(OK, CU(cuStreamCreate)(&stream, 1u));
    ck_cu(OK, CU(cuEventCreate)(&event, 0u));
    ck_cu(OK, CU(cuEventQuery)(event));
    ck_cu(OK, CU(cuEventRecord)(event, stream));
    ck_cu(OK, CU(cuStreamSynchronize)(stream));
    ck_cu(OK, CU(cuStreamQuery)(stream));
    ck_cu(OK, CU(cuEventQuery)(event));
    ck_cu(OK, CU(cuDevicePrimaryCtxReset_v2)(0));
    ck_cu(OK, CU(cuDevicePrimaryCtxRetain)(&context, 0));
    ck_cu(OK, CU(cuCtxSetCurrent)(context));
    ck_cu(CONTEXT_IS_DESTROYED, CU(cuEventQuery)(event));
    ck_cu(OK, CU(cuDevicePrimaryCtxRelease_v2)(0));
}
END_TEST

/* CUDA_RESOURCE_DESC and CUDA_TEXTURE_DESC of linear memory, as they were given. */
START_TEST(descriptors_of_a_texture_come_back) {
    struct {
        int type;
        uint64_t address;
        int format;
        unsigned channels;
        size_t bytes, unused[13];
        unsigned flags;
    } linear = {.type = 2, .format = 0x20, .channels = 2, .bytes = 64}, linear_again;
    struct {
        int address[3], filter;
        unsigned flags, anisotropy;
        int mip_filter;
        uint32_t lod[3], border[4];
        int unused[12];
    } sampler = {.address = {0, 1, 2}, .flags = 0x62, .anisotropy = 3, .border = {1, 2, 3, 4}},
      sampler_again;
    void *context = cu_begin();
    uint64_t handle = 0;
    linear.address = allocate(64);
    ck_cu(OK, CU(cuTexObjectCreate)(&handle, &linear, &sampler, NULL));
    ck_cu(OK, CU(cuTexObjectGetResourceDesc)(&linear_again, handle));
    ck_assert_uint_eq(linear_again.address, linear.address);
    ck_assert_int_eq(linear_again.type, 2);
    ck_assert_int_eq(linear_again.format, 0x20);
    ck_assert_uint_eq(linear_again.channels, 2);
    ck_assert_uint_eq(linear_again.bytes, 64);
    ck_cu(OK, CU(cuTexObjectGetTextureDesc)(&sampler_again, handle));
    ck_assert_int_eq(sampler_again.address[2], 2);
    ck_assert_uint_eq(sampler_again.flags, 0x62);
    ck_assert_uint_eq(sampler_again.anisotropy, 3);
    ck_assert_uint_eq(sampler_again.border[3], 4);
    ck_cu(OK, CU(cuTexObjectDestroy)(handle));
    ck_cu(INVALID_VALUE, CU(cuTexObjectGetTextureDesc)(&sampler_again, handle));
    linear.bytes = 0; /* no texel: an H200 makes it */
    ck_cu(OK, CU(cuTexObjectCreate)(&handle, &linear, &sampler, NULL));
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

int main(void) {
    static const TTest *const *const tests[] = {&a_program_of_the_driver_api,
                                                &a_fill_with_zeros_leaves_fresh_memory_alone,
                                                &images_that_do_not_load,
                                                &a_fat_binary_as_ptx,
                                                &options_of_the_compiler,
                                                &the_end_of_a_link,
                                                &registers_have_a_limit,
                                                &threads_that_are_cancelled,
                                                &wrong_handles_and_addresses,
                                                &launches_that_a_gpu_refuses,
                                                &an_error_of_a_kernel_is_sticky,
                                                &functions_by_name_and_version,
                                                &queries_find_work_that_no_call_waited_for,
                                                &events_know_their_context,
                                                &descriptors_of_a_texture_come_back,
                                                &calls_of_contexts_that_an_h200_refuses,
                                                &what_a_kernel_printed_before_its_fault_appears};
    TCase *tcase = tcase_create("driver");
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(tcase, *tests[i]);
    tcase_add_loop_test(tcase, stores_outside_of_buffers_end_where_a_gpu_ends_them, 0, STORES);
    tcase_add_loop_test(tcase, the_heap_of_kernels_has_the_size_of_its_limit, 0, 2);
    setenv("WSIM_REPORT", "none", 1);
    return run_case("driver", tcase);
}
