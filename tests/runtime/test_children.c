/* Kernels that launch kernels, as nvcc compiles them: calls of __cudaCDP2..., by the driver API. */
#include "cu.h"

static const char *const texts[] = {
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".extern .func (.param .b64 o) __cudaCDP2GetParameterBufferV2(.param .b64 f, "
    ".param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s);\n"
    ".extern .func (.param .b32 o) __cudaCDP2LaunchDeviceV2(.param .b64 p, .param .b64 s);\n"
    ".extern .func (.param .b32 o) __cudaCDP2GetLastError();\n"
    ".extern .func (.param .b32 o) __cudaCDP2PeekAtLastError();\n"
    ".extern .func (.param .b64 o) __cudaCDP2GetErrorName(.param .b32 e);\n"
    ".extern .func (.param .b64 o) __cudaCDP2GetErrorString(.param .b32 e);\n"
    ".extern .func (.param .b32 o) __cudaCDP2GetDevice(.param .b64 p);\n"
    ".extern .func (.param .b32 o) __cudaCDP2DeviceGetAttribute(.param .b64 p, .param .b32 a, "
    ".param .b32 d);\n"
    ".extern .func (.param .b32 o) __cudaCDP2StreamCreateWithFlags(.param .b64 p, .param .b32 f);\n"
    ".extern .func (.param .b32 o) __cudaCDP2MemcpyAsync(.param .b64 t, .param .b64 f, "
    ".param .b64 n, .param .b32 k, .param .b64 s);\n"
    ".extern .func (.param .b32 o) __cudaCDP2Memset2DAsync(.param .b64 t, .param .b64 p, "
    ".param .b32 v, .param .b64 w, .param .b64 h, .param .b64 s);\n"

    ".visible .entry note(.param .u64 log, .param .u32 v, .param .u32 depth);\n"
    ".visible .entry large(.param .align 8 .b8 p[4000]);\n"

    /* A buffer for note() with blocks of `threads`, or for another kernel. */
    ".func (.param .b64 o) buffer(.param .b64 f, .param .b32 threads) {\n"
    ".reg .b64 %a; .reg .b32 %r;\n"
    ".param .b64 k, r; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12]; .param .b32 s;\n"
    "ld.param.b64 %a, [f]; ld.param.b32 %r, [threads]; st.param.b64 [k], %a;\n"
    "st.param.b32 [g], 1; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;\n"
    "st.param.b32 [b], %r; st.param.b32 [b+4], 1; st.param.b32 [b+8], 1; st.param.b32 [s], 0;\n"
    "call (r), __cudaCDP2GetParameterBufferV2, (k, g, b, s); ld.param.b64 %a, [r];\n"
    "st.param.b64 [o], %a; ret; }\n",

    /* note<<<1, 1, 0, stream>>>(log, v, depth) */
    ".func launch(.param .b64 log, .param .b32 v, .param .b32 depth, .param .b64 stream) {\n"
    ".reg .b64 %a, %b; .reg .b32 %r, %s; .param .b64 k, r, q; .param .b32 n, o;\n"
    "mov.u64 %a, note; st.param.b64 [k], %a; st.param.b32 [n], 1; call (r), buffer, (k, n);\n"
    "ld.param.b64 %a, [r]; ld.param.b64 %b, [log]; ld.param.b32 %r, [v];\n"
    "ld.param.b32 %s, [depth]; st.b64 [%a], %b; st.b32 [%a+8], %r; st.b32 [%a+12], %s;\n"
    "ld.param.b64 %b, [stream]; st.param.b64 [r], %a; st.param.b64 [q], %b;\n"
    "call (o), __cudaCDP2LaunchDeviceV2, (r, q); ret; }\n"

#define LAUNCH(v, depth, stream)                                                                   \
    "{ .param .b64 l, s; .param .b32 x, d; st.param.b64 [l], %a; st.param.b32 [x], " v ";\n"       \
    "st.param.b32 [d], " depth "; st.param.b64 [s], " stream "; call launch, (l, x, d, s); }\n"

    /* log[1 + log[0]++] = v, then three launches of its own. */
    ".visible .entry note(.param .u64 log, .param .u32 v, .param .u32 depth) {\n"
    ".reg .b64 %a, %b; .reg .b32 %r<6>; .reg .pred %p;\n"
    "ld.param.u64 %a, [log]; ld.param.u32 %r0, [v]; ld.param.u32 %r1, [depth];\n"
    "atom.global.add.u32 %r2, [%a], 1; mad.wide.u32 %b, %r2, 4, %a;\n"
    "st.global.b32 [%b+4], %r0; setp.eq.u32 %p, %r1, 0; @%p ret;\n"
    "sub.u32 %r1, %r1, 1; mad.lo.u32 %r3, %r0, 10, 1; mad.lo.u32 %r4, %r0, 10, 2;\n"
    "mad.lo.u32 %r5, %r0, 10, 3;\n" /* the second one is for the tail */
    LAUNCH("%r3", "%r1", "0") LAUNCH("%r4", "%r1", "3") LAUNCH(
        "%r5", "%r1",
        "4") "ret; }\n"

             /* Each thread launches note(number of the block). */
             ".visible .entry blocks(.param .u64 log) {\n.reg .b64 %a; .reg .b32 %r0;\n"
             "ld.param.u64 %a, [log]; mov.u32 %r0, %ctaid.x;\n" LAUNCH("%r0", "0", "0") "ret; }\n",

    /* Thread 1 makes a mistake. */
    ".visible .entry errors(.param .u64 out) {\n"
    ".reg .b64 %a, %b, %c; .reg .b32 %r<4>; .reg .pred %p; .local .align 8 .b64 "
    "made;\n"
    "ld.param.u64 %a, [out]; mov.u32 %r0, %tid.x; mad.wide.u32 %a, %r0, 64, %a;\n"
    "setp.ne.u32 %p, %r0, 1; @%p bra look;\n"
    "{ .param .b64 k, r; .param .b32 n; mov.u64 %b, note; st.param.b64 [k], %b;\n"
    "st.param.b32 [n], 2048; call (r), buffer, (k, n); ld.param.b64 %c, [r]; }\n"
    "st.global.b64 [%a+48], %c;\n"
    "look:\n"
    "{ .param .b32 o; call (o), __cudaCDP2PeekAtLastError, (); ld.param.b32 %r1, "
    "[o]; }\n"
    "st.global.b32 [%a], %r1;\n"
    "{ .param .b32 o; call (o), __cudaCDP2GetLastError, (); ld.param.b32 %r2, "
    "[o]; }\n"
    "st.global.b32 [%a+4], %r2;\n"
    "{ .param .b32 o; call (o), __cudaCDP2GetLastError, (); ld.param.b32 %r2, "
    "[o]; }\n"
    "st.global.b32 [%a+8], %r2;\n"
    "{ .param .b32 e; .param .b64 o; st.param.b32 [e], %r1;\n"
    "call (o), __cudaCDP2GetErrorName, (e); ld.param.b64 %b, [o]; }\n"
    "ld.b8 %r2, [%b+10]; st.global.b32 [%a+12], %r2;\n"
    "{ .param .b32 e; .param .b64 o; st.param.b32 [e], 700;\n"
    "call (o), __cudaCDP2GetErrorString, (e); ld.param.b64 %b, [o]; }\n"
    "ld.b8 %r2, [%b+3]; st.global.b32 [%a+16], %r2;\n"
    "{ .param .b64 p; .param .b32 o; add.u64 %b, %a, 20; st.param.b64 [p], %b;\n"
    "call (o), __cudaCDP2GetDevice, (p); }\n"
    "{ .param .b64 p; .param .b32 at, d, o; add.u64 %b, %a, 24; st.param.b64 "
    "[p], %b;\n"
    "st.param.b32 [at], 16; st.param.b32 [d], 0;\n"
    "call (o), __cudaCDP2DeviceGetAttribute, (p, at, d); }\n"
    "{ .param .b64 p; .param .b32 f, o; mov.u64 %b, made; cvta.local.u64 %b, "
    "%b;\n"
    "st.param.b64 [p], %b; st.param.b32 [f], 1;\n"
    "call (o), __cudaCDP2StreamCreateWithFlags, (p, f); }\n"
    "ld.local.b64 %b, [made]; st.global.b64 [%a+32], %b; ret; }\n",

    /* Buffers without a launch, until there is no room. */
    ".visible .entry large(.param .align 8 .b8 p[4000]) { ret; }\n"
    ".visible .entry full(.param .u64 out) {\n.reg .b64 %a, %b; .reg .b32 %r<2>; "
    ".reg .pred %p;\n"
    "ld.param.u64 %a, [out]; mov.u32 %r0, 0;\n"
    "more: { .param .b64 k, r; .param .b32 n; mov.u64 %b, large; st.param.b64 "
    "[k], %b;\n"
    "st.param.b32 [n], 1; call (r), buffer, (k, n); ld.param.b64 %b, [r]; }\n"
    "setp.eq.u64 %p, %b, 0; @%p bra done; add.u32 %r0, %r0, 1; bra more;\n"
    "done: st.global.b32 [%a], %r0;\n"
    "{ .param .b32 o; call (o), __cudaCDP2GetLastError, (); ld.param.b32 %r1, "
    "[o]; }\n"
    "st.global.b32 [%a+4], %r1; ret; }\n"

    /* blocks<<<1, 1>>>(log): its parameters are fewer bytes than an entry has room for. */
    ".visible .entry single(.param .u64 log) {\n.reg .b64 %a, %b;\n"
    "{ .param .b64 k, r, s; .param .b32 n, o; mov.u64 %b, blocks; st.param.b64 [k], %b;\n"
    "st.param.b32 [n], 1; call (r), buffer, (k, n); ld.param.b64 %b, [r];\n"
    "ld.param.u64 %a, [log]; st.b64 [%b], %a; st.param.b64 [r], %b; st.param.b64 [s], 0;\n"
    "call (o), __cudaCDP2LaunchDeviceV2, (r, s); } ret; }\n"

    /* Each thread launches bomb<<<1, 32>>> 300 times. */
    ".visible .entry bomb(.param .u64 out) {\n.reg .b64 %a, %b; .reg .b32 %r0; .reg .pred %p;\n"
    "ld.param.u64 %a, [out]; mov.u32 %r0, 0;\n"
    "more: { .param .b64 k, r, s; .param .b32 n, o; mov.u64 %b, bomb; st.param.b64 [k], %b;\n"
    "st.param.b32 [n], 32; call (r), buffer, (k, n); ld.param.b64 %b, [r];\n"
    "st.b64 [%b], %a; st.param.b64 [r], %b; st.param.b64 [s], 0;\n"
    "call (o), __cudaCDP2LaunchDeviceV2, (r, s); }\n"
    "add.u32 %r0, %r0, 1; setp.lt.u32 %p, %r0, 300; @%p bra more; ret; }\n"

    /* A fill of two rows, then a copy of what it wrote. */
    ".visible .entry moves(.param .u64 out) {\n.reg .b64 %a, %b; .reg .b32 %r0;\n"
    "ld.param.u64 %a, [out]; add.u64 %b, %a, 256;\n"
    "{ .param .b64 t, p, w, h, s; .param .b32 v, o; st.param.b64 [t], %a;\n"
    "st.param.b64 [p], 16; st.param.b32 [v], 0x1a5; st.param.b64 [w], 3; "
    "st.param.b64 [h], 2;\n"
    "st.param.b64 [s], 0; call (o), __cudaCDP2Memset2DAsync, (t, p, v, w, h, s); "
    "}\n"
    "{ .param .b64 t, f, n, s; .param .b32 k, o; st.param.b64 [t], %b; "
    "st.param.b64 [f], %a;\n"
    "st.param.b64 [n], 20; st.param.b32 [k], 3; st.param.b64 [s], 0;\n"
    "call (o), __cudaCDP2MemcpyAsync, (t, f, n, k, s); }\n"
    "st.global.b32 [%a+8], 7;\n"
    "{ .param .b64 t, f, n, s; .param .b32 k, o; st.param.b64 [t], %a; st.param.b64 [f], %b;\n"
    "st.param.b64 [n], 20; st.param.b32 [k], 1; st.param.b64 [s], 0;\n" /* from the host */
    "call (o), __cudaCDP2MemcpyAsync, (t, f, n, k, s); ld.param.b32 %r0, [o]; }\n"
    "st.global.b32 [%a+64], %r0;\n"
    "{ .param .b32 o; call (o), __cudaCDP2GetLastError, (); ld.param.b32 %r0, [o]; }\n"
    "st.global.b32 [%a+68], %r0; ret; }\n"};

static void *module;

static void *open_kernel(const char *name) {
    char text[16384] = "";
    void *function = NULL;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        strcat(text, texts[i]);
    ck_cu(OK, CU(cuModuleLoadData)(&module, text));
    ck_cu(OK, CU(cuModuleGetFunction)(&function, module, name));
    return function;
}

static uint64_t zeros(size_t bytes) {
    uint64_t address = 0;
    ck_cu(OK, CU(cuMemAlloc_v2)(&address, bytes));
    ck_cu(OK, CU(cuMemsetD8_v2)(address, (unsigned char)0, bytes));
    return address;
}

static void read(void *to, uint64_t from, size_t bytes) {
    ck_cu(OK, CU(cuMemcpyDtoH_v2)(to, from, bytes));
}

START_TEST(launches_run_after_the_kernel_the_tail_last) {
    static const int expected[] = {13, 1, 11, 111, 113, 112, 13, 131, 133, 132, 12, 121, 123, 122};
    void *context = cu_begin(), *note = open_kernel("note");
    uint64_t log = zeros(256);
    int v = 1, depth = 2, got[14];
    void *args[] = {&log, &v, &depth};
    ck_cu(OK, cu_launch(note, 1, NULL, args));
    ck_cu(OK, CU(cuCtxSynchronize)());
    read(got, log, sizeof got);
    for (unsigned i = 0; i < 14; i++)
        ck_assert_int_eq(got[i], expected[i]);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

START_TEST(an_event_behind_a_kernel_waits_for_what_it_launched) {
    void *context = cu_begin(), *note = open_kernel("note"), *s = NULL, *t = NULL, *event = NULL;
    uint64_t log = zeros(256), copy = zeros(256);
    int v = 1, depth = 1, got[5];
    void *args[] = {&log, &v, &depth};
    ck_cu(OK, CU(cuStreamCreate)(&s, 1u));
    ck_cu(OK, CU(cuStreamCreate)(&t, 1u));
    ck_cu(OK, CU(cuEventCreate)(&event, 2u));
    ck_cu(OK, cu_launch(note, 1, s, args));
    ck_cu(OK, CU(cuEventRecord)(event, s));
    ck_cu(OK, CU(cuStreamWaitEvent)(t, event, 0u));
    ck_cu(OK, CU(cuMemcpyDtoDAsync_v2)(copy, log, (size_t)256, t));
    ck_cu(OK, CU(cuCtxSynchronize)());
    read(got, copy, sizeof got);
    ck_assert_int_eq(got[0], 4);
    ck_assert_int_eq(got[4], 12);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

START_TEST(blocks_launch_in_ascending_order) {
    void *context = cu_begin(), *blocks = open_kernel("blocks");
    uint64_t log = zeros(4096);
    int got[1 + 60];
    void *args[] = {&log};
    ck_cu(OK, CU(cuLaunchKernel)(blocks, 20u, 1u, 1u, 3u, 1u, 1u, 0u, NULL, args, (void **)NULL));
    read(got, log, sizeof got);
    ck_assert_int_eq(got[0], 60);
    for (int i = 0; i < 60; i++)
        ck_assert_int_eq(got[1 + i], i / 3);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

START_TEST(parameters_of_eight_bytes_arrive) {
    void *context = cu_begin(), *single = open_kernel("single");
    uint64_t log = zeros(256);
    int got[2];
    void *args[] = {&log};
    ck_cu(OK, cu_launch(single, 1, NULL, args));
    ck_cu(OK, CU(cuCtxSynchronize)());
    read(got, log, sizeof got);
    ck_assert_int_eq(got[0], 1);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

START_TEST(errors_are_those_of_a_thread) {
    void *context = cu_begin(), *errors = open_kernel("errors");
    uint64_t out = zeros(256);
    struct {
        int peeked, last, again, letter, text, device, processors, unused;
        uint64_t stream, unused2, buffer, unused3;
    } got[4];
    void *args[] = {&out};
    ck_cu(OK, cu_launch(errors, 4, NULL, args));
    read(got, out, sizeof got);
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(got[i].peeked, i == 1 ? 9 : 0); /* invalid configuration */
        ck_assert_int_eq(got[i].last, i == 1 ? 9 : 0);
        ck_assert_int_eq(got[i].again, 0);
        ck_assert_int_eq(got[i].text, 'i'); /* "an illegal memory access ..." */
        ck_assert_int_eq(got[i].device, 0);
        ck_assert_int_eq(got[i].processors, 132);
        ck_assert_uint_eq(got[i].buffer, 0);
        for (int j = 0; j < i; j++)
            ck_assert_uint_ne(got[i].stream, got[j].stream);
    }
    ck_assert_int_eq(got[0].letter, 'S'); /* CUDA_SUCCESS, or cudaSuccess with the runtime API */
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

START_TEST(a_full_buffer_is_an_error_of_the_kernel) {
    void *context = cu_begin(), *full = open_kernel("full"), *note = NULL;
    uint64_t out = zeros(256);
    int got[2], v = 5, depth = 0;
    void *args[] = {&out}, *more[] = {&out, &v, &depth};
    ck_cu(OK, cu_launch(full, 1, NULL, args));
    read(got, out, sizeof got);
    ck_assert_int_ge(got[0], 4000);
    ck_assert_int_eq(got[1], 701);
    ck_cu(OK, CU(cuMemsetD8_v2)(out, (unsigned char)0, (size_t)256));
    ck_cu(OK, CU(cuModuleGetFunction)(&note, module, "note"));
    ck_cu(OK, cu_launch(note, 1, NULL, more)); /* the next kernel has room */
    read(got, out, sizeof got);
    ck_assert_int_eq(got[1], 5);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

START_TEST(copies_and_fills_run_in_their_order) {
    void *context = cu_begin(), *moves = open_kernel("moves");
    uint64_t out = zeros(512);
    unsigned char got[512];
    void *args[] = {&out};
    ck_cu(OK, cu_launch(moves, 1, NULL, args));
    read(got, out, sizeof got);
    for (unsigned i = 0; i < 32; i++) {
        const unsigned char filled = i % 16 < 3 ? 0xA5 : i == 8 ? 7 : 0;
        ck_assert_uint_eq(got[i], filled);
        ck_assert_uint_eq(got[256 + i], i < 20 ? filled : 0);
    }
    ck_assert_uint_eq(got[64], 21); /* invalid copy direction */
    ck_assert_uint_eq(got[68], 21);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

START_TEST(a_fault_of_a_child_is_that_of_the_context) {
    void *context = cu_begin(), *blocks = open_kernel("blocks");
    uint64_t bad = 8;
    void *args[] = {&bad};
    ck_cu(OK, cu_launch(blocks, 1, NULL, args));
    ck_cu(ILLEGAL_ADDRESS, CU(cuCtxSynchronize)());
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

START_TEST(kernels_that_launch_themselves_without_end_fail) {
    void *context = cu_begin(), *bomb = open_kernel("bomb");
    uint64_t out = 0;
    void *args[] = {&out};
    ck_cu(OK, cu_launch(bomb, 32, NULL, args));
    ck_cu(LAUNCH_OUT_OF_RESOURCES, CU(cuCtxSynchronize)());
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

int main(void) {
    static const TTest *const *const tests[] = {
        &launches_run_after_the_kernel_the_tail_last,
        &an_event_behind_a_kernel_waits_for_what_it_launched,
        &blocks_launch_in_ascending_order,
        &parameters_of_eight_bytes_arrive,
        &errors_are_those_of_a_thread,
        &a_full_buffer_is_an_error_of_the_kernel,
        &copies_and_fills_run_in_their_order,
        &a_fault_of_a_child_is_that_of_the_context,
        &kernels_that_launch_themselves_without_end_fail};
    TCase *tcase = tcase_create("children");
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(tcase, *tests[i]);
    setenv("WSIM_REPORT", "none", 1);
    return run_case("children", tcase);
}
