/* wsim_launch.touched: the report has each byte of global memory that a launch accesses once, by
 * kind. Ranges are as long as possible. Host threads change nothing. */
#include "launched.h"

enum { BYTES = 64 * 1024 };

/* Thread i of the grid reads 2 bytes at in + 4i and writes 1 byte at out + 3i. Thread 5 of block b
 * adds to the word at in + 60000 + 4b, thread 6 stores 8 volatile bytes. */
static const char text[] =
    ".version 8.7\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
    ".reg .b32 %r<16>;\n.reg .b64 %d<16>;\n.reg .pred %p<4>;\n.reg .b16 %h;\n"
    "ld.param.u64 %d0, [in];\nld.param.u64 %d1, [out];\n"
    "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\nmad.lo.u32 %r2, %r1, 64, %r0;\n"
    "mul.wide.u32 %d2, %r2, 4;\nadd.u64 %d2, %d2, %d0;\nld.global.b16 %h, [%d2];\n"
    "mul.wide.u32 %d3, %r2, 3;\nadd.u64 %d3, %d3, %d1;\nst.global.b8 [%d3], %r0;\n"
    "mul.wide.u32 %d4, %r1, 4;\nadd.u64 %d4, %d4, %d0;\n"
    "setp.eq.u32 %p0, %r0, 5;\n@%p0 red.global.add.u32 [%d4+60000], 1;\n"
    "mul.wide.u32 %d5, %r1, 8;\nadd.u64 %d5, %d5, %d1;\n"
    "setp.eq.u32 %p1, %r0, 6;\n@%p1 st.volatile.global.u64 [%d5+40000], %d5;\n"
    "ret;\n}\n";

struct run {
    struct wsim_report *report;
    uint64_t in, out;
};

static void begin(struct run *run, uint32_t threads, int asked) {
    static uint8_t bytes[2 * BYTES];
    struct wsim_device *device;
    struct wsim_module *module;
    struct wsim_diag diag;
    struct wsim_launch launch = {.grid = {40, 0, 0},
                                 .block = {64, 0, 0},
                                 .checks = WSIM_CHECK_RACE,
                                 .threads = threads,
                                 .touched = (uint8_t)asked};
    uint64_t params[2];
    ck_assert_int_eq(WSIM_OK, wsim_device_make(wsim_arch_find("sm_90a"), &device, &diag));
    ck_assert_int_eq(WSIM_OK, wsim_module_load(text, strlen(text), 0, &module, &diag));
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(WSIM_OK,
                         wsim_device_alloc(device, i ? "out" : "in", BYTES, 0, &params[i], &diag));
        ck_assert_int_eq(WSIM_OK, wsim_device_write(device, params[i], bytes, BYTES, &diag));
    }
    launch.params = params;
    launch.param_bytes = sizeof params;
    ck_assert_int_eq(WSIM_OK, wsim_launch_run(device, module, &launch, &run->report, &diag));
    run->in = params[0];
    run->out = params[1];
    wsim_module_free(module);
    wsim_device_free(device);
}

START_TEST(each_byte_once_by_kind) {
    static const uint32_t threads[] = {1, 2, 5};
    for (unsigned t = 0; t < 3; t++) {
        struct wsim_touched touched;
        struct run run;
        size_t i = 0;
        begin(&run, threads[t], 1);
        for (unsigned n = 0; n < 40 * 64; n++) { /* two bytes of four are read */
            ck_assert_int_eq(1, wsim_report_touched(run.report, i++, &touched));
            ck_assert_uint_eq(touched.address - run.in, 4 * n);
            ck_assert_uint_eq(touched.bytes, 2);
            ck_assert_uint_eq(touched.kind, WSIM_TOUCHED_READ);
        }
        for (unsigned n = 0; n < 40 * 64; n++) { /* one of three is written */
            ck_assert_int_eq(1, wsim_report_touched(run.report, i++, &touched));
            ck_assert_uint_eq(touched.address - run.out, 3 * n);
            ck_assert_uint_eq(touched.bytes, 1);
            ck_assert_uint_eq(touched.kind, WSIM_TOUCHED_WRITTEN);
        }
        for (unsigned m = 0; m < 4; m++) { /* words side by side are one range */
            const unsigned n = m % 2;
            ck_assert_int_eq(1, wsim_report_touched(run.report, i++, &touched));
            ck_assert_uint_eq(touched.address, run.in < run.out
                                                   ? (n ? run.out + 40000 : run.in + 60000)
                                                   : (n ? run.in + 60000 : run.out + 40000));
            ck_assert_uint_eq(touched.bytes, touched.address == run.in + 60000 ? 160 : 320);
            ck_assert_uint_eq(touched.kind, m < 2 ? WSIM_TOUCHED_STRONG : WSIM_TOUCHED_UPDATED);
        }
        ck_assert_int_eq(0, wsim_report_touched(run.report, i, &touched));
        wsim_report_free(run.report);
    }
}
END_TEST

START_TEST(nothing_without_being_asked) {
    struct wsim_touched touched;
    struct run run;
    begin(&run, 1, 0);
    ck_assert_int_eq(0, wsim_report_touched(run.report, 0, &touched));
    wsim_report_free(run.report);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{each_byte_once_by_kind, 0, 1},
                                       {nothing_without_being_asked, 0, 1}};
    return every_run("touched", tests, (int)(sizeof tests / sizeof tests[0]));
}
