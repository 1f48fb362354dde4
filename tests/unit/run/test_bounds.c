/* Launches that would never end, or take all memory: found, stopped or refused. */
#include "kernel.h"

/* --- loops in which nothing changes --- */

static void check_endless(const char *text) {
    for (uint32_t threads = run_sample() > 4 ? 2 : 1; threads <= 2; threads++) {
        struct kernel kernel = {.text = text};
        kernel.launch.threads = threads;
        kernel.launch.max_instructions = 400000000;
        kernel_run(&kernel, run_sample() > 4 ? 1 : 3, 64);
        ck_assert_str_eq(kernel.rule, "sync.deadlock");
        ck_assert_ptr_nonnull(strstr(kernel.diag.text, "in which no register and no memory"));
    }
}

START_TEST(endless) {
    check_endless(KERNEL("L: bra L;"));
    check_endless(KERNEL("L: ld.global.u32 %r1, [%rd0];\nbra L;"));
    check_endless(KERNEL("setp.lt.u32 %p1, %r0, 5;\n@%p1 bra END;\nL: xor.b32 %r0, %r0, 1;\n"
                         "xor.b32 %r0, %r0, 1;\nbra L;\nEND:"));
}
END_TEST

/* Jumps through a table end too: of whole groups, and of lanes that part and meet without end. */
START_TEST(tables) {
    struct kernel parts = {.text = KERNEL("mov.u32 %r1, %laneid;\nand.b32 %r1, %r1, 1;\n"
                                          "T: .branchtargets L, M;\nbra L;\nM: mov.u32 %r2, 5;\n"
                                          "L: brx.idx %r1, T;")};
    check_endless(KERNEL("mov.u32 %r1, 1;\nT: .branchtargets END, L;\nL: brx.idx %r1, T;\nEND:"));
    parts.launch.max_instructions = 100000;
    kernel_run(&parts, 1, 32);
    ck_assert_str_eq(parts.rule, "launch.instructions.many");
}
END_TEST

/* A loop that counts ends, however long it takes and wherever it keeps its count. */
START_TEST(counts) {
    struct kernel in_register = {
        .text = KERNEL("mov.u32 %r1, 0;\nL: add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 1500000;\n"
                       "@%p1 bra L;\nst.global.u32 [%rd0], %r1;")};
    struct kernel in_memory = {
        .text = KERNEL(".local .u32 n;\nst.local.u32 [n], 0;\nL: ld.local.u32 %r1, [n];\n"
                       "add.u32 %r1, %r1, 1;\nst.local.u32 [n], %r1;\n"
                       "setp.lt.u32 %p1, %r1, 1500000;\nmov.u32 %r2, %r1;\nmov.u32 %r1, 0;\n"
                       "@%p1 bra L;\nst.global.u32 [%rd0], %r2;")};
    kernel_good(&in_register, 1, 1);
    ck_assert_uint_eq(in_register.words[0], 1500000);
    kernel_good(&in_memory, 1, 1);
    ck_assert_uint_eq(in_memory.words[0], 1500000);
}
END_TEST

/* --- the caller stops a launch --- */

static int stop_after(void *context, uint64_t done, uint64_t all) {
    int *calls = context;
    ck_assert_uint_le(done, all);
    return --*calls <= 0;
}

/* With two threads of the host the one that launches has no work of its own in the end. */
START_TEST(stopped) {
    for (uint32_t threads = 1; threads <= 2; threads++) {
        int calls = 5;
        struct kernel kernel = {
            .text = KERNEL("mov.u32 %r2, %ctaid.x;\nmov.u64 %rd1, 0;\nsetp.ne.u32 %p1, %r2, 1;\n"
                           "@%p1 bra END;\nL: add.u64 %rd1, %rd1, 1;\nsetp.ne.u64 %p2, %rd1, 0;\n"
                           "@%p2 bra L;\nEND:")};
        kernel.launch.threads = threads;
        kernel.launch.progress = stop_after;
        kernel.launch.context = &calls;
        kernel_run(&kernel, 40, 256);
        ck_assert_str_eq(kernel.rule, "launch.stopped");
        ck_assert_ptr_nonnull(strstr(kernel.diag.text, "the caller stopped the launch after"));
    }
}
END_TEST

/* --- loads that compilers join --- */

/* Three words of shared memory, and the end of the buffer: a load of four, of which three are used.
 */
#define JOINED(pragma)                                                                             \
    KERNEL(".shared .align 16 .b8 s[12];\nmov.u32 %r1, 5;\nst.shared.u32 [s], %r1;\n"              \
           "st.shared.u32 [s+4], %r1;\nst.shared.u32 [s+8], %r1;\n" pragma                         \
           "ld.shared.v4.u32 {%r2, %r3, %r4, %r5}, [s];\nadd.u32 %r2, %r2, %r3;\n"                 \
           "add.u32 %r2, %r2, %r4;\nst.global.u32 [%rd0], %r2;\n")
/* Uninitialised words count where they are used. */
#define UNSET(use)                                                                                 \
    KERNEL(".shared .align 16 .b8 s[12];\n.pragma \"used_bytes_mask 4095\";\n"                     \
           "ld.shared.v4.u32 {%r2, %r3, %r4, %r5}, [s];\n" use "st.global.u32 [%rd0], %r2;\n")
#define OTHER "ld.shared.u32 %r9, [s+8];\n"

START_TEST(joined) {
    static const char *const fine[] = {JOINED(".pragma \"used_bytes_mask 4095\";\n"),
                                       JOINED(".pragma \"used_bytes_mask 0xfff\";\n")};
    static const char *const wrong[] = {JOINED(""), JOINED(".pragma \"used_bytes_mask 65535\";\n"),
                                        JOINED(".pragma \"used_bytes_mask 8191\";\n"),
                                        JOINED(".pragma \"nounroll\";\n"),
                                        JOINED(".pragma \"used_bytes_mask 4095\";\n" OTHER)};
    for (uint32_t checks = 0; checks < 2; checks++) {
        for (size_t i = 0; i < sizeof fine / sizeof fine[0]; i++) {
            struct kernel kernel = {.text = fine[i], .launch.checks = checks ? WSIM_CHECK_ALL : 0};
            kernel_good(&kernel, 2, 1);
            ck_assert_uint_eq(kernel.words[0], 15);
            ck_assert_uint_eq(kernel.totals.findings, 0);
        }
        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
            struct kernel kernel = {.text = wrong[i], .launch.checks = checks ? WSIM_CHECK_ALL : 0};
            kernel_run(&kernel, 1, 1);
            ck_assert_str_eq(kernel.rule, "memory.bounds");
        }
    }
}
END_TEST

START_TEST(joined_unset) {
    struct kernel unused = {.text = UNSET("mov.u32 %r2, 7;\n"), .launch.checks = WSIM_CHECK_ALL};
    struct kernel stored = {.text = UNSET(""), .launch.checks = WSIM_CHECK_ALL};
    kernel_good(&unused, 2, 1);
    ck_assert_uint_eq(unused.totals.findings, 0);
    kernel_run(&stored, 1, 1);
    ck_assert_uint_eq(stored.totals.findings, 1);
}
END_TEST

/* --- variables --- */

#define HUGE_VARIABLE(bytes)                                                                       \
    KERNEL_HEAD ".global .b8 g[" bytes "];\n.visible .entry k(.param .u64 data)\n{\n"              \
                ".reg .b32 %r<3>;\n.reg .b64 %rd<2>;\nld.param.u64 %rd0, [data];\n"                \
                "ld.global.u32 %r1, [g+4096];\nst.global.u32 [%rd0], %r1;\nret;\n}\n"

/* Pages of a variable that nothing touches cost nothing: 4 GiB end at once. */
START_TEST(variables) {
    struct kernel most = {.text = HUGE_VARIABLE("4294967296"), .words = {7}};
    struct kernel more = {.text = HUGE_VARIABLE("4294967297")};
    kernel_good(&most, 1, 1);
    ck_assert_uint_eq(most.words[0], 0);
    kernel_run(&more, 1, 1);
    ck_assert_int_eq(more.status, WSIM_OPERAND);
    ck_assert_str_eq(more.diag.rule, "device.variables.large");
    ck_assert_str_eq(more.diag.text,
                     "variable 'g' has 4294967297 bytes: the .global variables of a "
                     "module may have 4294967296 together");
}
END_TEST

START_TEST(limit) {
    static const char text[] = KERNEL_HEAD ".global .b8 a[600];\n.global .b8 b[600];\n"
                                           ".visible .entry k() { ret; }\n";
    struct wsim_module *module;
    struct wsim_device *device;
    uint64_t address, bytes;
    struct wsim_diag diag;
    ck_assert_int_eq(wsim_module_load(text, sizeof text - 1, 0, &module, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_device_make(wsim_arch_find("sm_90a"), &device, NULL), WSIM_OK);
    wsim_device_limit_variables(device, 1199);
    ck_assert_int_eq(wsim_device_symbol(device, module, "a", &address, &bytes, &diag),
                     WSIM_OPERAND);
    ck_assert_str_eq(diag.rule, "device.variables.large");
    wsim_device_limit_variables(device, 1200);
    ck_assert_int_eq(wsim_device_symbol(device, module, "a", &address, &bytes, &diag), WSIM_OK);
    ck_assert_uint_eq(wsim_device_written(device, address, bytes), 600);
    wsim_device_free(device);
    wsim_module_free(module);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {endless, tables,       counts,    stopped,
                                  joined,  joined_unset, variables, limit};
    return run_tests("unit/run/bounds", tests, sizeof tests / sizeof tests[0]);
}
