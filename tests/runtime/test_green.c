/* Green contexts, and events of all streams of a context. Splits and their errors are recorded on
 * an H200, driver 580. Other sources: documentation of the driver, and the table of splits in the
 * CUDA Programming Guide, "Green Contexts". */
#include "cu.h"

#include <cuda/green.h>

enum { NON_BLOCKING = 1, PER_THREAD = 2, BLOCKS_AN_SM = 2 };

_Static_assert(sizeof(struct green_resource) == 144, "CUdevResource of CUDA 13.0");

/* The primary context is current. */
static void *begin(void) {
    void *context = NULL;
    ck_cu(OK, CU(cuInit)(0u));
    ck_cu(OK, CU(cuDevicePrimaryCtxRetain)(&context, 0));
    ck_cu(OK, CU(cuCtxSetCurrent)(context));
    return context;
}

static void end(void) {
    ck_cu(OK, CU(cuCtxSetCurrent)(NULL));
    ck_cu(OK, CU(cuDevicePrimaryCtxReset_v2)(0));
}

static int split(struct green_resource *result, unsigned *n, struct green_resource *rest,
                 unsigned flags, unsigned least) {
    struct green_resource all;
    ck_cu(OK, CU(cuDeviceGetDevResource)(0, &all, GREEN_SM));
    return CU(cuDevSmResourceSplitByCount)(result, n, &all, rest, flags, least);
}

START_TEST(splits_are_those_of_the_guide) {
    static const struct {
        unsigned wanted, least, flags, n, size, rest;
    } splits[] = {
        {2, 72, 0, 1, 72, 60}, {6, 11, 0, 6, 16, 36}, {6, 11, GREEN_IGNORE_COSCHEDULING, 6, 12, 60},
        {2, 1, 0, 2, 8, 116},  {5, 8, 0, 5, 8, 92},
    };
    struct green_resource result[6], rest;
    begin();
    ck_cu(OK, CU(cuDeviceGetDevResource)(0, &rest, GREEN_SM));
    ck_assert(rest.is.sm.n == 132 && rest.is.sm.least == 8 && rest.is.sm.step == 8);
    for (size_t i = 0; i < sizeof splits / sizeof splits[0]; i++) {
        unsigned n = splits[i].wanted;
        ck_cu(OK, split(result, &n, &rest, splits[i].flags, splits[i].least));
        ck_assert_uint_eq(n, splits[i].n);
        for (unsigned k = 0; k < n; k++)
            ck_assert_uint_eq(result[k].is.sm.n, splits[i].size);
        ck_assert_uint_eq(rest.is.sm.n, splits[i].rest);
    }
    end();
}
END_TEST

/* As many parts as the device has. Only of the smallest with clusters there is one less. */
START_TEST(splits_of_the_whole_device) {
    static const struct {
        unsigned flags, least, n, size, rest;
    } splits[] = {
        {0, 0, 15, 8, 12},   {0, 8, 15, 8, 12},
        {0, 9, 8, 16, 4},    {0, 24, 5, 24, 12},
        {0, 41, 2, 48, 36},  {0, 64, 2, 64, 4},
        {0, 65, 1, 72, 60},  {0, 128, 1, 128, 4},
        {0, 129, 1, 132, 0}, {0, 132, 1, 132, 0},
        {1, 0, 66, 2, 0},    {1, 7, 16, 8, 4},
        {1, 41, 3, 42, 6},   {1, 65, 2, 66, 0},
        {1, 131, 1, 132, 0}, {GREEN_MAX_CLUSTER, 1, 15, 8, 12},
        {4, 33, 3, 40, 12},  {2, 57, 2, 64, 4},
        {2, 130, 1, 132, 0},
    };
    struct green_resource result[132], rest;
    begin();
    for (size_t i = 0; i < sizeof splits / sizeof splits[0]; i++) {
        unsigned n = 132, asked = 0;
        ck_cu(OK, split(NULL, &asked, NULL, splits[i].flags, splits[i].least));
        ck_cu(OK, split(result, &n, &rest, splits[i].flags, splits[i].least));
        ck_assert(n == splits[i].n && asked == splits[i].n);
        ck_assert(result[0].is.sm.n == splits[i].size && result[n - 1].is.sm.n == splits[i].size);
        ck_assert(!result[0].is.sm.least && !result[0].is.sm.step);
        ck_assert_uint_eq(rest.is.sm.n, splits[i].rest);
        ck_assert_int_eq(rest.type, splits[i].rest ? GREEN_SM : 0);
        ck_assert(!rest.is.sm.least && !rest.is.sm.step);
    }
    end();
}
END_TEST

START_TEST(splits_and_descriptors_are_refused) {
    struct green_resource result[3], other[3], two[2], rest;
    unsigned n = 3, none = 0;
    void *desc = NULL, *green = NULL;
    begin();
    ck_cu(INVALID_RESOURCE_TYPE, CU(cuDeviceGetDevResource)(0, &rest, 2));
    ck_cu(INVALID_DEVICE, CU(cuDeviceGetDevResource)(9, &rest, GREEN_SM));
    for (unsigned flags = 0; flags <= 4; flags++)
        ck_assert_int_eq(split(result, &n, NULL, flags, 133),
                         flags == 3 ? WSIMRT_INVALID_VALUE : WSIMRT_INVALID_RESOURCE_CONFIGURATION);
    ck_cu(INVALID_VALUE, split(result, &n, NULL, GREEN_IGNORE_COSCHEDULING | GREEN_MAX_CLUSTER, 8));
    ck_cu(INVALID_VALUE, split(result, &n, NULL, 5, 8));
    ck_cu(INVALID_VALUE, split(result, &none, NULL, 0, 8));
    n = 3;
    ck_cu(OK, split(result, &n, &rest, 0, 8));
    ck_cu(OK, split(other, &n, NULL, 0, 8));
    ck_cu(INVALID_RESOURCE_CONFIGURATION,
          CU(cuDevSmResourceSplitByCount)(two, &n, &rest, NULL, 0u, 8u));
    two[0] = result[0], two[1] = result[1];
    ck_cu(OK, CU(cuDevResourceGenerateDesc)(&desc, two, 2u));
    two[1] = other[1];
    ck_cu(OK, CU(cuDevResourceGenerateDesc)(&desc, two, 2u));
    two[1] = rest;
    ck_cu(OK, CU(cuDevResourceGenerateDesc)(&desc, two, 2u));
    two[1] = result[0];
    ck_cu(OK, CU(cuDevResourceGenerateDesc)(&desc, two, 2u));
    ck_cu(OK, CU(cuGreenCtxCreate)(&green, desc, 0, (unsigned)GREEN_DEFAULT_STREAM));
    ck_cu(OK, CU(cuGreenCtxGetDevResource)(green, &two[1], GREEN_SM));
    ck_assert_uint_eq(two[1].is.sm.n, 8);
    ck_cu(OK, CU(cuGreenCtxDestroy)(green));
    two[0].type = 0;
    ck_cu(INVALID_RESOURCE_TYPE, CU(cuDevResourceGenerateDesc)(&desc, two, 1u));
    memset(&two[0], 0, sizeof two[0]);
    two[0].type = GREEN_SM; /* the program's own */
    ck_cu(INVALID_VALUE, CU(cuDevResourceGenerateDesc)(&desc, two, 1u));
    ck_cu(INVALID_VALUE, CU(cuGreenCtxCreate)(&green, desc, 0, 0u));
    ck_cu(INVALID_DEVICE, CU(cuGreenCtxCreate)(&green, desc, 9, (unsigned)GREEN_DEFAULT_STREAM));
    ck_cu(INVALID_VALUE, CU(cuGreenCtxCreate)(&green, &rest, 0, (unsigned)GREEN_DEFAULT_STREAM));
    ck_cu(INVALID_CONTEXT, CU(cuGreenCtxDestroy)(&rest));
    end();
}
END_TEST

/* A green context of 8 processors. */
static void *make_green(void) {
    struct green_resource result;
    unsigned n = 1;
    void *desc = NULL, *green = NULL;
    ck_cu(OK, split(&result, &n, NULL, 0, 8));
    ck_cu(OK, CU(cuDevResourceGenerateDesc)(&desc, &result, 1u));
    ck_cu(OK, CU(cuGreenCtxCreate)(&green, desc, 0, (unsigned)GREEN_DEFAULT_STREAM));
    return green;
}

static void *function_of(void *module) {
    void *function = NULL;
    ck_cu(OK, CU(cuModuleGetFunction)(&function, module, "k"));
    return function;
}

/* Modules, memory and events of the primary context serve in a green one. */
START_TEST(a_green_context_is_a_part_of_the_primary_one) {
    void *primary = begin(), *green = make_green(), *other = make_green(), *module = NULL;
    void *context = NULL, *stream = NULL, *plain = NULL, *of = NULL, *now = NULL, *event = NULL;
    struct green_resource resource;
    unsigned long long id = 0, id_other = 0;
    unsigned words[2] = {0};
    uint64_t memory = 0;
    int v = 1;
    void *params[] = {&memory, &v};
    ck_cu(OK, CU(cuModuleLoadData)(&module, cu_text));
    ck_cu(OK, CU(cuEventCreate)(&event, 0u));
    ck_cu(OK, CU(cuGreenCtxGetId)(green, &id));
    ck_cu(OK, CU(cuGreenCtxGetId)(other, &id_other));
    ck_assert(id != id_other);
    ck_cu(INVALID_CONTEXT, CU(cuGreenCtxGetId)(NULL, &id));
    ck_cu(INVALID_CONTEXT, CU(cuCtxSetCurrent)(green)); /* not converted */
    ck_cu(OK, CU(cuCtxFromGreenCtx)(&context, green));
    ck_cu(INVALID_VALUE, CU(cuGreenCtxStreamCreate)(&stream, green, 0u, 0));
    ck_cu(OK, CU(cuGreenCtxStreamCreate)(&stream, green, (unsigned)NON_BLOCKING, 0));
    ck_cu(OK, CU(cuStreamGetGreenCtx)(stream, &of));
    ck_assert_ptr_eq(of, green);
    ck_cu(OK, CU(cuStreamGetCtx)(stream, &now));
    ck_assert_ptr_eq(now, context);
    ck_cu(OK, CU(cuStreamGetCtx_v2)(stream, &now, &of));
    ck_assert(now == primary && of == green);
    ck_cu(OK, CU(cuStreamCreate)(&plain, 0u));
    ck_cu(OK, CU(cuStreamGetGreenCtx)(plain, &of));
    ck_assert_ptr_eq(of, NULL);

    ck_cu(OK, CU(cuCtxPushCurrent_v2)(context));
    ck_cu(OK, CU(cuCtxGetCurrent)(&now));
    ck_assert_ptr_eq(now, context);
    ck_cu(OK, CU(cuGreenCtxGetId)(NULL, &id_other));
    ck_assert(id == id_other);
    ck_cu(OK, CU(cuCtxGetDevResource)(context, &resource, GREEN_SM));
    ck_assert_uint_eq(resource.is.sm.n, 8);
    ck_cu(OK, CU(cuStreamGetGreenCtx)(NULL, &of));
    ck_assert_ptr_eq(of, green);
    ck_cu(INVALID_HANDLE, CU(cuStreamQuery)((void *)(intptr_t)PER_THREAD));
    ck_cu(OK, CU(cuMemAlloc_v2)(&memory, sizeof words));
    ck_cu(OK, cu_launch(function_of(module), 1, stream, params));
    ck_cu(OK, CU(cuEventRecord)(event, stream));
    ck_cu(OK, CU(cuStreamWaitEvent)(NULL, event, 0u));
    v = 2;
    memory += 4;
    ck_cu(OK, cu_launch(function_of(module), 1, NULL, params));
    ck_cu(OK, CU(cuCtxSynchronize)());
    ck_cu(OK, CU(cuCtxPopCurrent_v2)(&now));
    ck_assert_ptr_eq(now, context);

    memory -= 4;
    ck_cu(OK, CU(cuCtxGetDevResource)(primary, &resource, GREEN_SM));
    ck_assert_uint_eq(resource.is.sm.n, 132);
    ck_cu(OK, CU(cuGreenCtxDestroy)(green));
    ck_cu(INVALID_CONTEXT, CU(cuGreenCtxDestroy)(green));
    ck_cu(CONTEXT_IS_DESTROYED, CU(cuStreamSynchronize)(stream));
    ck_cu(CONTEXT_IS_DESTROYED, CU(cuStreamDestroy_v2)(stream));
    ck_cu(INVALID_CONTEXT, CU(cuCtxSetCurrent)(context));
    ck_cu(OK, CU(cuMemcpyDtoH_v2)(words, memory, sizeof words));
    ck_assert(words[0] == 12 && words[1] == 13);
    end();
    ck_cu(INVALID_CONTEXT, CU(cuGreenCtxDestroy)(other)); /* the reset has ended it */
}
END_TEST

/* 1024 threads a block: two blocks an SM. */
START_TEST(cooperative_blocks_fit_on_the_processors) {
    static const struct {
        unsigned blocks;
        int green, error;
    } grids[] = {
        {8 * BLOCKS_AN_SM, 1, WSIMRT_OK},
        {8 * BLOCKS_AN_SM + 1, 1, WSIMRT_COOPERATIVE_LAUNCH_TOO_LARGE},
        {8 * BLOCKS_AN_SM + 1, 0, WSIMRT_OK},
    };
    void *module = NULL, *green, *stream = NULL;
    uint64_t memory = 0;
    int v = 1;
    void *params[] = {&memory, &v};
    begin();
    green = make_green();
    ck_cu(OK, CU(cuGreenCtxStreamCreate)(&stream, green, (unsigned)NON_BLOCKING, 0));
    ck_cu(OK, CU(cuModuleLoadData)(&module, cu_text));
    ck_cu(OK, CU(cuMemAlloc_v2)(&memory, (size_t)4096));
    for (size_t i = 0; i < sizeof grids / sizeof grids[0]; i++)
        ck_assert_int_eq(CU(cuLaunchCooperativeKernel)(function_of(module), grids[i].blocks, 1u, 1u,
                                                       1024u, 1u, 1u, 0u,
                                                       grids[i].green ? stream : NULL, params),
                         grids[i].error);
    ck_cu(OK, CU(cuCtxSynchronize)());
    end();
}
END_TEST

/* A stream that waits until the host stores 1. */
static void *held(volatile unsigned **word) {
    void *stream = NULL, *host = NULL;
    ck_cu(OK, CU(cuMemHostAlloc)(&host, (size_t)4, 0u));
    *word = host;
    **word = 0;
    ck_cu(OK, CU(cuStreamCreate)(&stream, (unsigned)NON_BLOCKING));
    ck_cu(OK, CU(cuStreamWaitValue32_v2)(stream, (uint64_t)(uintptr_t)host, 1u, 0u));
    return stream;
}

START_TEST(an_event_of_a_context_has_the_work_of_all_streams) {
    volatile unsigned *word, *green_word;
    void *context = begin(), *green = make_green(), *of_green = NULL, *event = NULL, *stream;
    ck_cu(OK, CU(cuEventCreate)(&event, 0u));
    ck_cu(OK, CU(cuCtxFromGreenCtx)(&of_green, green));
    ck_cu(OK, CU(cuCtxRecordEvent)(context, event));
    ck_cu(OK, CU(cuEventSynchronize)(event));
    ck_cu(OK, CU(cuEventQuery)(event)); /* there was no work */
    stream = held(&word);
    ck_cu(OK, CU(cuGreenCtxRecordEvent)(green, event));
    ck_cu(OK, CU(cuEventSynchronize)(event)); /* the stream is none of the green context */
    ck_cu(OK, CU(cuCtxRecordEvent)(context, event));
    ck_cu(NOT_READY, CU(cuEventQuery)(event));
    *word = 1;
    ck_cu(OK, CU(cuEventSynchronize)(event));
    ck_cu(OK, CU(cuStreamQuery)(stream));

    ck_cu(OK, CU(cuCtxSetCurrent)(of_green));
    stream = held(&green_word);
    ck_cu(OK, CU(cuCtxSetCurrent)(context));
    ck_cu(OK, CU(cuCtxRecordEvent)(context, event)); /* with those of green contexts */
    ck_cu(NOT_READY, CU(cuEventQuery)(event));
    ck_cu(NOT_READY, CU(cuStreamQuery)(stream));
    *green_word = 1;
    ck_cu(OK, CU(cuEventSynchronize)(event));
    ck_cu(INVALID_CONTEXT, CU(cuCtxRecordEvent)(green, event));
    ck_cu(INVALID_HANDLE, CU(cuCtxRecordEvent)(context, NULL));
    end();
}
END_TEST

START_TEST(a_context_waits_for_an_event) {
    volatile unsigned *word;
    void *context = begin(), *green = make_green(), *event = NULL, *later = NULL, *of = NULL;
    void *stream = held(&word);
    ck_cu(OK, CU(cuEventCreate)(&event, 0u));
    ck_cu(OK, CU(cuEventRecord)(event, stream));
    ck_cu(OK, CU(cuGreenCtxWaitEvent)(green, event));
    ck_cu(OK, CU(cuStreamCreate)(&later, (unsigned)NON_BLOCKING));
    ck_cu(OK, CU(cuStreamSynchronize)(later)); /* another context */
    ck_cu(OK, CU(cuGreenCtxStreamCreate)(&of, green, (unsigned)NON_BLOCKING, 0));
    ck_cu(NOT_READY, CU(cuStreamQuery)(of));
    ck_cu(OK, CU(cuCtxWaitEvent)(context, event));
    ck_cu(INVALID_CONTEXT, CU(cuCtxWaitEvent)(green, event));
    ck_cu(INVALID_CONTEXT, CU(cuCtxWaitEvent)((void *)16, event));
    ck_cu(INVALID_CONTEXT, CU(cuCtxRecordEvent)((void *)16, event));
    ck_cu(NOT_READY, CU(cuStreamQuery)(later));
    ck_cu(OK, CU(cuStreamCreate)(&later, (unsigned)NON_BLOCKING));
    ck_cu(NOT_READY, CU(cuStreamQuery)(later));
    *word = 1;
    ck_cu(OK, CU(cuStreamSynchronize)(later));
    ck_cu(OK, CU(cuStreamSynchronize)(of));
    ck_cu(OK, CU(cuStreamCreate)(&later, (unsigned)NON_BLOCKING));
    ck_cu(OK, CU(cuStreamQuery)(later));
    end();
}
END_TEST

START_TEST(captures_forbid_events_of_a_context) {
    void *context = begin(), *stream = NULL, *event = NULL, *graph = NULL;
    ck_cu(OK, CU(cuEventCreate)(&event, 0u));
    ck_cu(OK, CU(cuStreamCreate)(&stream, (unsigned)NON_BLOCKING));
    for (int waits = 0; waits < 2; waits++) {
        ck_cu(OK, CU(cuStreamBeginCapture_v2)(stream, 2));
        ck_cu(STREAM_CAPTURE_UNSUPPORTED,
              waits ? CU(cuCtxWaitEvent)(context, event) : CU(cuCtxRecordEvent)(context, event));
        ck_cu(STREAM_CAPTURE_INVALIDATED, CU(cuStreamEndCapture)(stream, &graph));
    }
    end();
}
END_TEST

int main(void) {
    static const TTest *const *const tests[] = {&splits_are_those_of_the_guide,
                                                &splits_of_the_whole_device,
                                                &splits_and_descriptors_are_refused,
                                                &a_green_context_is_a_part_of_the_primary_one,
                                                &cooperative_blocks_fit_on_the_processors,
                                                &an_event_of_a_context_has_the_work_of_all_streams,
                                                &a_context_waits_for_an_event,
                                                &captures_forbid_events_of_a_context};
    TCase *tcase = tcase_create("green");
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(tcase, *tests[i]);
    setenv("WSIM_REPORT", "none", 1);
    return run_case("green", tcase);
}
