/* Kernels and the host side by side, and calls of older programs: references of textures, launches
 * by shape. */
#include "cu.h"

#include <pthread.h>
#include <time.h>

/* A kernel and the host take turns in a word of pinned memory. */
START_TEST(a_kernel_waits_for_the_host_which_calls_nothing) {
    static const char text[] =
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
        ".reg .u64 %a; .reg .u32 %r<3>; .reg .pred %q;\nld.param.u64 %a, [p]; mov.u32 %r0, 1;\n"
        "wait: ld.volatile.global.u32 %r1, [%a]; setp.ne.u32 %q, %r1, %r0; @%q bra wait;\n"
        "add.u32 %r0, %r0, 1; st.volatile.global.u32 [%a], %r0; add.u32 %r0, %r0, 1;\n"
        "setp.lt.u32 %q, %r0, 20; @%q bra wait; ret; }\n";
    void *context = cu_begin(), *module = NULL, *function = NULL, *host = NULL;
    const time_t end = time(NULL) + 20;
    volatile uint32_t *word;
    uint64_t address;
    void *params[] = {&address};
    ck_cu(OK, CU(cuModuleLoadData)(&module, text));
    ck_cu(OK, CU(cuModuleGetFunction)(&function, module, "k"));
    ck_cu(OK, CU(cuMemHostAlloc)(&host, (size_t)4, 0u));
    word = host;
    *word = 0;
    address = (uint64_t)(uintptr_t)host;
    ck_cu(OK, cu_launch(function, 1, NULL, params));
    for (uint32_t turn = 1; turn < 20; turn += 2) {
        *word = turn;
        while (*word != turn + 1)
            ck_assert(time(NULL) < end);
    }
    ck_cu(OK, CU(cuCtxSynchronize)());
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

static void count(void *n) {
    ++*(int *)n;
}

static void count_and_end(void *n) {
    count(n);
    pthread_exit(NULL);
}

START_TEST(a_host_function_may_end_its_thread) {
    void *context = cu_begin(), *stream = NULL;
    int n = 0;
    ck_cu(OK, CU(cuStreamCreate)(&stream, 0u));
    for (int i = 0; i < 3; i++) {
        ck_cu(OK, CU(cuLaunchHostFunc)(stream, count_and_end, &n));
        ck_cu(OK, CU(cuLaunchHostFunc)(stream, count, &n));
        ck_cu(OK, CU(cuStreamSynchronize)(stream));
        ck_assert_int_eq(n, 2 * i + 2);
    }
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

START_TEST(a_launch_has_the_shape_and_parameters_of_its_function) {
    void *context = cu_begin(), *other = NULL, *module = NULL, *function = NULL;
    uint64_t out = 0;
    int host[32];
    ck_cu(OK, CU(cuCtxAttach)(&other, 0u));
    ck_assert_ptr_eq(other, context);
    ck_cu(OK, CU(cuModuleLoadData)(&module, cu_text));
    ck_cu(OK, CU(cuModuleGetFunction)(&function, module, "k"));
    ck_cu(OK, CU(cuMemAlloc_v2)(&out, sizeof host));
    ck_cu(INVALID_VALUE, CU(cuLaunch)(function));
    ck_cu(OK, CU(cuFuncSetBlockShape)(function, 32, 1, 1));
    ck_cu(OK, CU(cuParamSetSize)(function, 12u));
    ck_cu(OK, CU(cuParamSetv)(function, 0, &out, 8u));
    ck_cu(OK, CU(cuParamSeti)(function, 8, 100u));
    ck_cu(OK, CU(cuLaunch)(function));
    ck_cu(OK, CU(cuMemcpyDtoH_v2)(host, out, sizeof host));
    ck_assert_int_eq(host[31], 142);
    ck_cu(INVALID_VALUE, CU(cuFuncSetBlockShape)(function, 2000, 1, 1));
    ck_cu(OK, CU(cuCtxDetach)(context));
    ck_cu(OK, CU(cuCtxSynchronize)());
    ck_cu(OK, CU(cuCtxDetach)(context));
    ck_cu(INVALID_CONTEXT, CU(cuCtxSynchronize)());
}
END_TEST

struct descriptor { /* CUDA_ARRAY_DESCRIPTOR */
    size_t width, height;
    int format;
    unsigned channels;
};

START_TEST(a_reference_reads_what_it_was_bound_to) {
    static const char text[] =
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .global .texref t;\n"
        ".visible .entry k(.param .u64 p) { .reg .u64 %a; .reg .f32 %f<6>; .reg .u32 %r;\n"
        "ld.param.u64 %a, [p]; mov.u32 %r, %tid.x; mad.wide.u32 %a, %r, 4, %a;\n"
        "cvt.rn.f32.u32 %f1, %r; mov.f32 %f5, 0f3F000000;\n"
        "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [t, {%f1, %f5}]; st.global.f32 [%a], %f1; ret; "
        "}\n";
    void *context = cu_begin(), *module = NULL, *function = NULL, *reference = NULL, *array = NULL;
    struct descriptor shape = {8, 1, 0x20, 1};
    float texels[8], host[4];
    uint64_t out = 0, memory = 0;
    void *params[] = {&out};
    int mode = 9;
    for (int i = 0; i < 8; i++)
        texels[i] = (float)(10 * i);
    ck_cu(OK, CU(cuModuleLoadData)(&module, text));
    ck_cu(OK, CU(cuModuleGetFunction)(&function, module, "k"));
    ck_cu(OK, CU(cuMemAlloc_v2)(&out, sizeof host));
    ck_cu(NOT_FOUND, CU(cuModuleGetTexRef)(&reference, module, "u"));
    ck_cu(OK, CU(cuModuleGetTexRef)(&reference, module, "t"));
    ck_cu(OK, CU(cuTexRefGetAddressMode)(&mode, reference, 0));
    ck_assert_int_eq(mode, 1);
    ck_cu(OK, CU(cuArrayCreate_v2)(&array, &shape));
    ck_cu(OK, CU(cuMemcpyHtoA_v2)(array, (size_t)0, texels, sizeof texels));
    ck_cu(OK, CU(cuTexRefSetArray)(reference, array, 1u));
    ck_cu(OK, cu_launch(function, 4, NULL, params));
    ck_cu(OK, CU(cuMemcpyDtoH_v2)(host, out, sizeof host));
    ck_assert(host[0] == 0 && host[3] == 30);
    ck_cu(OK, CU(cuTexRefSetFilterMode)(reference, 1));
    ck_cu(OK, cu_launch(function, 4, NULL, params));
    ck_cu(OK, CU(cuMemcpyDtoH_v2)(host, out, sizeof host));
    ck_assert(host[0] == 0 && host[3] == 25);
    ck_cu(OK, CU(cuMemAlloc_v2)(&memory, sizeof texels));
    ck_cu(OK, CU(cuMemsetD32_v2)(memory, 0x40000000u, (size_t)8));
    ck_cu(OK, CU(cuTexRefSetAddress2D_v3)(reference, &shape, memory, (size_t)32));
    ck_cu(OK, cu_launch(function, 4, NULL, params));
    ck_cu(OK, CU(cuMemcpyDtoH_v2)(host, out, sizeof host));
    ck_assert(host[0] == 2 && host[3] == 2);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

/* The kernel gives the address of a variable that no call names. */
START_TEST(a_variable_that_a_kernel_points_to_is_memory) {
    static const char text[] =
        ".version 8.0\n.target sm_90\n.address_size 64\n.global .align 4 .b8 word[6] = {72, 101, "
        "108, 108, 111, 0};\n.visible .entry k(.param .u64 p) {\n.reg .u64 %a<2>;\n"
        "ld.param.u64 %a0, [p]; mov.u64 %a1, word; st.global.u64 [%a0], %a1; ret; }\n";
    void *context = cu_begin(), *module = NULL, *function = NULL;
    uint64_t out = 0, at = 0, base = 0;
    size_t bytes = 0;
    char word[6] = "";
    void *params[] = {&out};
    ck_cu(OK, CU(cuModuleLoadData)(&module, text));
    ck_cu(OK, CU(cuModuleGetFunction)(&function, module, "k"));
    ck_cu(OK, CU(cuMemAlloc_v2)(&out, sizeof at));
    ck_cu(OK, cu_launch(function, 1, NULL, params));
    ck_cu(OK, CU(cuMemcpyDtoH_v2)(&at, out, sizeof at));
    ck_cu(OK, CU(cuMemcpyDtoH_v2)(word, at, sizeof word));
    ck_assert_str_eq(word, "Hello");
    ck_cu(OK, CU(cuMemGetAddressRange_v2)(&base, &bytes, at + 3));
    ck_assert(base == at && bytes == sizeof word);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

int main(void) {
    TCase *tcase = tcase_create("alone");
    tcase_add_test(tcase, a_kernel_waits_for_the_host_which_calls_nothing);
    tcase_add_test(tcase, a_variable_that_a_kernel_points_to_is_memory);
    tcase_add_test(tcase, a_host_function_may_end_its_thread);
    tcase_add_test(tcase, a_launch_has_the_shape_and_parameters_of_its_function);
    tcase_add_test(tcase, a_reference_reads_what_it_was_bound_to);
    setenv("WSIM_REPORT", "none", 1);
    return run_case("alone", tcase);
}
