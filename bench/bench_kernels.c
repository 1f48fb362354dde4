/* bench_kernels.c - warp instructions a second of small loops of PTX: vector steps beside the plain
 * ones, one thread of the host. Prints, asserts nothing. */
#include "bench.h"

#include <wsim/kernel.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                                       \
    ".version 8.0\n.target sm_90\n.address_size 64\n"                                              \
    ".visible .entry k(.param .u64 data, .param .u32 times) {\n"                                   \
    ".reg .b32 %r<40>; .reg .b64 %d<20>; .reg .f32 %f<40>; .reg .pred %p<10>; .reg .b16 %h<10>;\n" \
    ".shared .align 16 .b8 tile[4096];\n"                                                          \
    "ld.param.u64 %d0, [data]; ld.param.u32 %r0, [times]; cvta.to.global.u64 %d0, %d0;\n"          \
    "mov.u32 %r1, %tid.x; mov.u32 %r2, 0; mul.wide.u32 %d1, %r1, 4; add.s64 %d2, %d0, %d1;\n"      \
    "and.b32 %r30, %r1, 127; shl.b32 %r30, %r30, 2; mov.u32 %r31, tile; add.u32 %r31, %r31, "      \
    "%r30;\n"                                                                                      \
    "mov.f32 %f0, 0f3F800001; mov.f32 %f1, 0f3F7FFFF0; mov.f32 %f2, 0f00000000;\n"                 \
    "mov.u32 %r3, %tid.x; mov.u32 %r4, 77; mov.u64 %d3, %d1;\n"                                    \
    "LOOP:\n"
#define TAIL                                                                                       \
    "add.s32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r0; @%p1 bra LOOP;\n"                             \
    "st.global.u32 [%d2], %r3; st.global.f32 [%d2+4096], %f2; st.global.u64 [%d0+16384], %d3; "    \
    "ret; }\n"
#define FOUR(x) x x x x

struct loop {
    const char *name, *body;
};
static const struct loop loops[] = {
    {"integer",
     FOUR("add.s32 %r3, %r3, %r4; xor.b32 %r4, %r4, %r3; shl.b32 %r5, %r3, 3; mad.lo.s32 "
          "%r3, %r5, 5, %r4; and.b32 %r4, %r3, 65535; sub.s32 %r3, %r3, %r4;\n")},
    {"addresses", FOUR("mul.wide.s32 %d4, %r3, 4; add.s64 %d5, %d0, %d4; shl.b64 %d6, %d5, 2; "
                       "cvt.s64.s32 %d7, %r2; add.s64 %d3, %d3, %d7; cvt.u32.u64 %r3, %d6;\n")},
    {"choices", FOUR("setp.lt.s32 %p2, %r3, %r4; selp.b32 %r5, %r3, %r4, %p2; add.s32 %r3, %r5, 7; "
                     "setp.ge.u32 %p3, %r3, 1000; and.pred %p2, %p2, %p3; selp.b32 %r4, %r2, %r3, "
                     "%p2;\n")},
    {"fma f32",
     FOUR("fma.rn.f32 %f2, %f0, %f1, %f2; fma.rn.f32 %f3, %f2, %f1, %f0; mul.f32 %f4, %f3, "
          "%f1; add.f32 %f2, %f4, %f0;\n")},
    {"fma ftz f32", FOUR("fma.rn.ftz.f32 %f2, %f0, %f1, %f2; fma.rn.ftz.f32 %f3, %f2, %f1, %f0; "
                         "mul.ftz.f32 %f4, %f3, %f1; add.ftz.f32 %f2, %f4, %f0;\n")},
    {"shared",
     FOUR("ld.shared.u32 %r5, [%r31]; add.s32 %r3, %r3, %r5; st.shared.u32 [%r31], %r3;\n")},
    {"global",
     FOUR("ld.global.u32 %r5, [%d2]; add.s32 %r3, %r3, %r5; st.global.u32 [%d2], %r3;\n")},
    {"global v4", FOUR("ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%d0]; add.s32 %r3, %r3, %r5;\n")},
    {"barrier", FOUR("bar.sync 0; add.s32 %r3, %r3, 1;\n")},
    {"shuffle", FOUR("shfl.sync.bfly.b32 %r5, %r3, 1, 31, -1; add.s32 %r3, %r3, %r5;\n")},
    {"ex2", FOUR("ex2.approx.ftz.f32 %f3, %f1; add.f32 %f2, %f2, %f3;\n")},
    {"half", FOUR("cvt.rn.f16.f32 %h1, %f1; cvt.f32.f16 %f3, %h1; add.f32 %f2, %f2, %f3;\n")},
};

/* Warp instructions a second; *bytes: what the kernel left. */
static double measure(const char *text, uint32_t flags, uint32_t checks, int count,
                      uint32_t times) {
    struct wsim_module *module;
    struct wsim_device *device;
    struct wsim_report *report;
    struct wsim_totals totals;
    struct wsim_diag diag;
    struct {
        uint64_t data;
        uint32_t times;
    } params = {0, times};
    static uint8_t zeros[65536];
    double best = 0;
    if (wsim_module_load(text, strlen(text), flags, &module, &diag) ||
        wsim_device_make(wsim_arch_find("sm_90a"), &device, &diag) ||
        wsim_device_alloc(device, "data", sizeof zeros, 0, &params.data, &diag))
        stop(&diag);
    for (int round = 0; round < 5; round++) {
        struct wsim_launch launch = {.grid = {1},
                                     .block = {128},
                                     .params = &params,
                                     .param_bytes = sizeof params,
                                     .threads = 1,
                                     .checks = checks,
                                     .count = (uint8_t)count};
        double start;
        wsim_device_write(device, params.data, zeros, sizeof zeros, &diag);
        launch.param_bytes = 12;
        start = now();
        if (wsim_launch_run(device, module, &launch, &report, &diag))
            stop(&diag);
        start = now() - start;
        wsim_report_totals(report, &totals);
        wsim_report_free(report);
        if ((double)totals.instructions / start > best)
            best = (double)totals.instructions / start;
    }
    wsim_device_free(device);
    wsim_module_free(module);
    return best;
}

int main(int argc, char **argv) {
    keep_heap();
    printf("%-12s %12s %12s %8s %12s %8s %12s\n", "loop", "million/s", "plain", "factor", "checks",
           "slower", "and counts");
    for (size_t i = 0; i < sizeof loops / sizeof loops[0]; i++) {
        char text[8192];
        double quick, plain, checks, counts;
        if (argc > 1 && !strstr(loops[i].name, argv[1]))
            continue;
        snprintf(text, sizeof text, "%s%s%s", HEAD, loops[i].body, TAIL);
        quick = measure(text, 0, 0, 0, 20000);
        plain = measure(text, WSIM_MODULE_PLAIN, 0, 0, 500);
        checks = measure(text, 0, WSIM_CHECK_ALL, 0, 10000);
        counts = measure(text, 0, WSIM_CHECK_ALL, 1, 10000);
        printf("%-12s %12.1f %12.2f %8.1f %12.1f %8.2f %12.1f\n", loops[i].name, quick / 1e6,
               plain / 1e6, quick / plain, checks / 1e6, quick / checks, counts / 1e6);
    }
    return 0;
}
