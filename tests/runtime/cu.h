/* cu.h - the driver API of the runtime, opened as programs without its headers open it. */
#ifndef TESTS_RUNTIME_CU_H
#define TESTS_RUNTIME_CU_H

#include "../run.h"

#include <core/runtime.h>
#include <dlfcn.h>
#include <string.h>

/* A call without a prototype, as C11 has them. Later clang warns of it, since C23 has none. */
#if defined __clang__ && __clang_major__ >= 15
#pragma clang diagnostic ignored "-Wdeprecated-non-prototype"
#pragma clang diagnostic ignored "-Wstrict-prototypes"
#endif
typedef int cu_function();

/* A function of libcuda.so.1. */
static inline cu_function *cu_find(const char *name) {
    static void *library;
    cu_function *function = NULL;
    void *symbol;
    if (!library)
        library = dlopen(RUNTIME_FOLDER "/libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    ck_assert_msg(library != NULL, "%s", dlerror());
    symbol = dlsym(library, name);
    ck_assert_msg(symbol != NULL, "%s is missing", name);
    memcpy(&function, &symbol, sizeof function);
    return function;
}

/* CU(cuInit)(0u); arguments have the exact types of the API. */
#define CU(name) (*cu_find(#name))

/* Asserts that a call returns an error by its id; OK for none. */
#define ck_cu(expected, call) ck_assert_int_eq(WSIMRT_##expected, call)

/* Out of line: p[tid] = v + tid + gv. */
static const char cu_text[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n.global .align 4 .u32 gv = 11;\n"
    ".visible .entry k(.param .u64 p, .param .u32 v) {\n"
    ".reg .u64 %a; .reg .u32 %r<4>;\n"
    "ld.param.u64 %a, [p]; ld.param.u32 %r0, [v]; mov.u32 %r1, %tid.x;\n"
    "mad.wide.u32 %a, %r1, 4, %a; ld.global.u32 %r2, [gv];\n"
    "add.u32 %r0, %r0, %r1; add.u32 %r0, %r0, %r2; st.global.u32 [%a], %r0; ret; }\n";

/* A context of its own for each test. Each is a process, so that a sticky error ends with it. */
static inline void *cu_begin(void) {
    void *context = NULL;
    ck_cu(OK, CU(cuInit)(0u));
    ck_cu(OK, CU(cuCtxCreate_v4)(&context, NULL, 0u, 0));
    return context;
}

static inline int cu_launch(void *function, unsigned threads, void *stream, void **params) {
    return CU(cuLaunchKernel)(function, 1u, 1u, 1u, threads, 1u, 1u, 0u, stream, params, NULL);
}

#endif
