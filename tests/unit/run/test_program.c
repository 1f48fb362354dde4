/* Programs of several texts, cooperative launches, and callers that know structs of another size.
 */
#include "kernel.h"

#include <stddef.h>

#define HEAD KERNEL_HEAD

static struct wsim_device *device;
static uint64_t data;

static void open_device(void) {
    static const uint32_t zeros[KERNEL_WORDS];
    ck_assert_int_eq(wsim_device_make(wsim_arch_find("sm_90a"), &device, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_device_alloc(device, "data", sizeof zeros, 0, &data, NULL), WSIM_OK);
    wsim_device_write(device, data, zeros, sizeof zeros, NULL);
}

static void close_device(void) {
    wsim_device_free(device);
}

static uint32_t word(uint32_t index) {
    uint32_t value;
    ck_assert_int_eq(wsim_device_read(device, data + 4 * index, &value, 4, NULL), WSIM_OK);
    return value;
}

static struct wsim_module *link_texts(const char *a, const char *b) {
    const struct wsim_text texts[] = {{"a.ptx", a, strlen(a), NULL}, {"b.ptx", b, strlen(b), NULL}};
    struct wsim_module *module;
    struct wsim_diag diag;
    ck_assert_msg(!wsim_module_link(texts, 2, 0, &module, NULL, &diag), "%s", diag.text);
    return module;
}

static enum wsim_status run(struct wsim_module *module, struct wsim_launch *launch,
                            struct wsim_report **report, struct wsim_diag *diag) {
    launch->params = &data;
    launch->param_bytes = 8;
    launch->checks = WSIM_CHECK_ALL;
    launch->count = 1;
    return wsim_launch_run(device, module, launch, report, diag);
}

/* --- several texts --- */

static const char *const uses =
    HEAD ".extern .global .u32 x;\n.extern .const .u32 c;\n.extern .shared .b8 s[];\n"
         ".extern .func (.param .b32 r) f(.param .b32 p);\n.global .u64 g = f;\n"
         ".entry k(.param .u64 data)\n{\n.reg .b32 %r<9>; .reg .b64 %d<9>;\n"
         "ld.param.u64 %d1, [data];\nld.global.u32 %r1, [x];\nst.global.u32 [x], 9;\n"
         "st.global.u32 [%d1], %r1;\nld.const.u32 %r2, [c];\nst.global.u32 [%d1+4], %r2;\n"
         "{ .param .b32 q; .param .b32 a; st.param.b32 [q], 5; call (a), f, (q); ld.param.b32 %r3, "
         "[a]; }\nst.global.u32 [%d1+8], %r3;\n"
         "ld.global.u64 %d2, [g];\n{ .param .b32 q; .param .b32 a; st.param.b32 [q], 6;\n"
         "pt: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
         "call (a), %d2, (q), pt; ld.param.b32 %r3, [a]; }\nst.global.u32 [%d1+12], %r3;\n"
         "st.shared.u32 [s], 77;\nld.shared.u32 %r4, [s];\nst.global.u32 [%d1+16], %r4;\nret;\n}\n";
static const char *const defines =
    HEAD ".visible .global .u32 x = 41;\n.visible .const .u32 c = 42;\n.global .u32 own = 3;\n"
         ".visible .func (.param .b32 r) f(.param .b32 p)\n{ .reg .b32 %a<3>; .reg .b64 %u;\n"
         "ld.param.b32 %a1, [p];\nld.global.u32 %a2, [own];\nmul.lo.u32 %a1, %a1, %a2;\n"
         "st.param.b32 [r], %a1;\nret;\n}\n";

START_TEST(two_texts) {
    static const uint32_t wanted[] = {41, 42, 15, 18, 77};
    struct wsim_launch launch = {.shared = 16};
    struct wsim_report *report;
    struct wsim_line line;
    struct wsim_kernel_info kernel;
    struct wsim_diag diag;
    uint64_t address, bytes;
    uint32_t x;
    int lines = 0;
    open_device();
    for (int order = 0; order < 2; order++) {
        struct wsim_module *module = order ? link_texts(defines, uses) : link_texts(uses, defines);
        wsim_kernel_describe(wsim_module_kernel(module, 0), &kernel);
        ck_assert_str_eq(kernel.file, order ? "b.ptx" : "a.ptx");
        ck_assert_uint_eq(kernel.constant, 4);
        ck_assert_msg(!run(module, &launch, &report, &diag), "%s", diag.text);
        for (uint32_t i = 0; i < COUNT(wanted); i++)
            ck_assert_uint_eq(word(i), wanted[i]);
        ck_assert_int_eq(wsim_device_symbol(device, module, "x", &address, &bytes, NULL), WSIM_OK);
        wsim_device_read(device, address, &x, 4, NULL);
        ck_assert_uint_eq(x, 9);
        for (size_t i = 0; wsim_report_line(report, i, &line); i++)
            if (strcmp(line.opcode, "mul.lo.u32") == 0) {
                ck_assert_str_eq(line.ptx_file, order ? "a.ptx" : "b.ptx");
                ck_assert_uint_eq(line.ptx_line, 11);
                ck_assert_uint_eq(line.executed, 2);
                lines++;
            }
        wsim_report_free(report);
        wsim_module_free(module);
    }
    ck_assert_int_eq(lines, 2);
    close_device();
}
END_TEST

/* Lines that use more than memory, parameters and constants. */
START_TEST(lines_say_what_lies_outside) {
    static const char text[] =
        HEAD ".func twice(.reg .u32 x) { add.u32 x, x, x; ret; }\n"
             ".visible .entry k(.param .u64 p) {\n.reg .b32 %r<4>;\n"
             ".reg .pred %q;\n.reg .b64 %d;\nld.param.u64 %d, [p];\nld.global.u32 %r1, [%d];\n"
             "sub.u32 %r1, %r1, %r1;\nnanosleep.u32 1;\ncall twice, (%r1);\n"
             "setp.ne.u32 %q, %r1, 0;\n@%q bra on;\nst.global.u32 [%d], %r1;\non: ret;\n}\n";
    static const struct {
        const char *opcode;
        int outside;
    } wanted[] = {{"ld.param.u64", 0},  {"ld.global.u32", 0}, {"sub.u32", 0},
                  {"nanosleep.u32", 1}, {"call", 1},          {"setp.ne.u32", 0},
                  {"st.global.u32", 0}};
    struct wsim_launch launch = {.name = "k"};
    struct wsim_module *module;
    struct wsim_report *report;
    struct wsim_diag diag;
    struct wsim_line line;
    unsigned seen = 0;
    open_device();
    ck_assert_msg(!wsim_module_load(text, strlen(text), 0, &module, &diag), "%u: %s", diag.line,
                  diag.text);
    ck_assert_msg(!run(module, &launch, &report, &diag), "%s", diag.text);
    for (size_t i = 0; wsim_report_line(report, i, &line); i++)
        for (unsigned k = 0; k < COUNT(wanted); k++)
            if (strcmp(line.opcode, wanted[k].opcode) == 0) {
                ck_assert_msg(line.outside == wanted[k].outside, "%s", line.opcode);
                seen |= 1u << k;
            }
    ck_assert_uint_eq(seen, (1u << COUNT(wanted)) - 1);
    wsim_report_free(report);
    wsim_module_free(module);
    close_device();
}
END_TEST

/* An undefined symbol only stops kernels that need it. */
START_TEST(undefined) {
    struct wsim_module *module =
        link_texts(uses, HEAD ".visible .const .u32 c;\n.visible .entry other() { ret; }\n"
                              ".visible .global .u32 fine;\n");
    struct wsim_launch launch = {.name = "k", .shared = 16};
    struct wsim_problem problem;
    struct wsim_report *report;
    struct wsim_diag diag;
    uint64_t address, bytes;
    open_device();
    ck_assert(wsim_module_problem(module, 0, &problem));
    ck_assert_str_eq(problem.rule, "launch.variable.undefined");
    ck_assert_str_eq(problem.text, "variable 'x' is .extern (line 4 of a.ptx) and never defined");
    ck_assert_str_eq(problem.file, "a.ptx");
    ck_assert_uint_eq(problem.line, 13);
    ck_assert_int_eq(run(module, &launch, &report, &diag), WSIM_UNMODELLED);
    launch = (struct wsim_launch){.name = "other"};
    ck_assert_msg(!wsim_launch_run(device, module, &launch, &report, &diag), "%s", diag.text);
    wsim_report_free(report);
    ck_assert_int_eq(wsim_device_symbol(device, module, "fine", &address, &bytes, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_device_symbol(device, module, "x", &address, &bytes, NULL), WSIM_OPERAND);
    wsim_module_free(module);
    close_device();
}
END_TEST

/* Which text is wrong, and what is said of all of them if that is asked for. */
START_TEST(wrong) {
    const struct wsim_text texts[] = {{"a.ptx", uses, strlen(uses), NULL},
                                      {"b.ptx", HEAD ".global x;", strlen(HEAD) + 10, NULL},
                                      {NULL, HEAD ".x;", strlen(HEAD) + 3, NULL}};
    struct wsim_module *module;
    struct wsim_problem problem;
    struct wsim_diag diag;
    size_t wrong;
    ck_assert_int_eq(wsim_module_link(texts, 3, 0, &module, &wrong, &diag), WSIM_ILLEGAL);
    ck_assert_ptr_null(module);
    ck_assert_uint_eq(wrong, 1);
    ck_assert_uint_eq(diag.line, 4);
    ck_assert_int_eq(wsim_module_link(texts, 3, WSIM_MODULE_DIAGNOSE, &module, &wrong, &diag),
                     WSIM_ILLEGAL);
    ck_assert(wsim_module_problem(module, 0, &problem));
    ck_assert_str_eq(problem.file, "b.ptx");
    ck_assert(wsim_module_problem(module, 1, &problem));
    ck_assert_ptr_null(problem.file);
    wsim_module_free(module);
    ck_assert_int_eq(wsim_module_link(texts, 0, 0, &module, &wrong, &diag), WSIM_OPERAND);
    ck_assert_str_eq(diag.rule, "module.texts.range");
    const struct wsim_text twice[] = {texts[0], texts[0]};
    ck_assert_int_eq(wsim_module_link(twice, 2, 0, &module, &wrong, &diag), WSIM_OK);
    wsim_module_free(module);
    const struct wsim_text doubled[] = {{"a.ptx", defines, strlen(defines), NULL},
                                        {"b.ptx", defines, strlen(defines), NULL}};
    ck_assert_int_eq(wsim_module_link(doubled, 2, 0, &module, &wrong, &diag), WSIM_ILLEGAL);
    ck_assert_str_eq(diag.rule, "ptx.name.twice");
    ck_assert_uint_eq(wrong, 1);
}
END_TEST

/* --- cooperative launches --- */

/* A barrier of the grid as cooperative groups make it; block `late` leaves before. Each block reads
 * the value that the next one wrote before it. */
#define BARRIER(late)                                                                              \
    HEAD ".visible .entry k(.param .u64 data)\n{ .reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 "   \
         "%d<9>;\nld.param.u64 %d1, [data];\nmov.u32 %r1, %envreg2;\nmov.u32 %r2, %envreg1;\n"     \
         "mov.b64 %d2, {%r1, %r2};\nsetp.eq.u64 %p1, %d2, 0;\n@%p1 trap;\n"                        \
         "mov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %nctaid.x;\nsetp.eq.u32 %p2, %r3, " late ";\n"      \
         "@%p2 ret;\nmul.wide.u32 %d3, %r3, 4;\nadd.u64 %d3, %d3, %d1;\nadd.u32 %r5, %r3, 100;\n"  \
         "st.global.u32 [%d3], %r5;\nsub.u32 %r6, 0x80000001, %r4;\nsetp.eq.u32 %p3, %r3, 0;\n"    \
         "selp.u32 %r7, %r6, 1, %p3;\natom.add.release.gpu.global.u32 %r8, [%d2+4], %r7;\n"        \
         "WAIT: ld.acquire.gpu.global.u32 %r9, [%d2+4];\nxor.b32 %r9, %r9, %r8;\n"                 \
         "setp.ge.s32 %p4, %r9, 0;\n@%p4 bra WAIT;\nadd.u32 %r10, %r3, 1;\n"                       \
         "rem.u32 %r10, %r10, %r4;\nmul.wide.u32 %d4, %r10, 4;\nadd.u64 %d4, %d4, %d1;\n"          \
         "ld.global.u32 %r11, [%d4];\nst.global.u32 [%d3+1024], %r11;\nret;\n}\n"

START_TEST(cooperative) {
    for (uint32_t threads = 1; threads <= 2; threads++) {
        struct kernel kernel = {.text = BARRIER("1000")};
        kernel.launch.cooperative = 1;
        kernel.launch.threads = threads;
        kernel_good(&kernel, 64, 1);
        for (uint32_t i = 0; i < 64; i++)
            ck_assert_uint_eq(kernel.words[256 + i], 100 + (i + 1) % 64);
    }
    /* An H200 traps without the launch, also in a grid of one block. */
    for (uint32_t blocks = 1; blocks <= 2; blocks++) {
        struct kernel plain = {.text = BARRIER("1000")};
        kernel_run(&plain, blocks, 1);
        ck_assert_str_eq(plain.rule, "call.trap");
        ck_assert_ptr_nonnull(strstr(plain.diag.text, "the barrier of a cooperative launch"));
    }
}
END_TEST

/* One that does not come: found, and only where nothing else can end the wait. */
START_TEST(absent) {
    for (uint32_t threads = 1; threads <= 3; threads++) {
        struct kernel kernel = {.text = BARRIER("5")};
        kernel.launch.cooperative = 1;
        kernel.launch.threads = threads;
        kernel_run(&kernel, 16, 1);
        ck_assert_str_eq(kernel.rule, "sync.deadlock");
        ck_assert_ptr_nonnull(strstr(kernel.diag.text,
                                     "are in loops in which no register and no memory changes any "
                                     "more; here warp 0 at line"));
    }
}
END_TEST

/* A wait that counts ends by itself, whatever memory holds; so does one that reads the clock. */
START_TEST(patience) {
    struct kernel counts = {
        .text = KERNEL("mov.u32 %r1, 0;\nL: ld.volatile.global.u32 %r2, [%rd0];\nadd.u32 %r1, %r1, "
                       "1;\nsetp.lt.u32 %p1, %r1, 20000;\nsetp.eq.and.u32 %p2, %r2, 0, %p1;\n"
                       "@%p2 bra L;\nst.global.u32 [%rd0+4], %r1;")};
    kernel_good(&counts, 3, 1);
    ck_assert_uint_eq(counts.words[1], 20000);
    struct kernel clock = {
        .text = KERNEL("mov.u64 %rd1, %clock64;\nL: ld.volatile.global.u32 %r2, [%rd0];\n"
                       "mov.u64 %rd2, %clock64;\nsub.u64 %rd2, %rd2, %rd1;\n"
                       "setp.lt.u64 %p1, %rd2, 400000;\nsetp.eq.and.u32 %p2, %r2, 0, %p1;\n"
                       "@%p2 bra L;\nst.global.u32 [%rd0+4], 1;")};
    kernel_good(&clock, 1, 1);
    ck_assert_uint_eq(clock.words[1], 1);
    /* With limits of two seconds, a block gives up after some; without a limit it never ends. */
    struct kernel limit = {
        .text = KERNEL("mov.u32 %r1, 0;\nA: mov.u64 %rd1, %globaltimer;\n"
                       "L: ld.volatile.global.u32 %r2, [%rd0];\nmov.u64 %rd2, %globaltimer;\n"
                       "nanosleep.u32 20;\nsub.u64 %rd2, %rd2, %rd1;\n"
                       "setp.lt.u64 %p1, %rd2, 2000000000;\nsetp.eq.and.u32 %p2, %r2, 0, %p1;\n"
                       "@%p2 bra L;\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 50;\n"
                       "@%p1 bra A;\nst.global.u32 [%rd0+4], %r1;")};
    kernel_good(&limit, 3, 1);
    ck_assert_uint_eq(limit.words[1], 50);
    struct kernel backoff = {
        .text = KERNEL("mov.u64 %rd1, %globaltimer;\nL: ld.volatile.global.u32 %r2, [%rd0];\n"
                       "setp.ne.u32 %p2, %r2, 0;\n@%p2 ret;\nmov.u64 %rd2, %globaltimer;\n"
                       "sub.u64 %rd2, %rd2, %rd1;\nsetp.lt.u64 %p1, %rd2, 40000;\n@%p1 bra L;\n"
                       "nanosleep.u32 10000;\nbra L;")};
    kernel_run(&backoff, 3, 64);
    ck_assert_str_eq(backoff.rule, "sync.deadlock");
    struct kernel flag = {.text = KERNEL("L: ld.volatile.global.u32 %r2, [%rd0];\n"
                                         "setp.eq.u32 %p2, %r2, 0;\n@%p2 bra L;")};
    kernel_run(&flag, 2, 64);
    ck_assert_str_eq(flag.rule, "sync.deadlock");
    struct kernel sleeps = {.text = KERNEL("L: nanosleep.u32 20;\nld.volatile.global.u32 %r2, "
                                           "[%rd0];\nsetp.eq.u32 %p2, %r2, 0;\n@%p2 bra L;")};
    kernel_run(&sleeps, 2, 64);
    ck_assert_str_eq(sleeps.rule, "sync.deadlock");
}
END_TEST

START_TEST(too_large) {
    struct kernel kernel = {.text = KERNEL("")};
    kernel.launch.cooperative = 1;
    kernel.launch.max_instructions = 1;
    kernel_run(&kernel, 132 * 8 + 1, 256);
    ck_assert_str_eq(kernel.diag.rule, "launch.cooperative.range");
    ck_assert_ptr_nonnull(strstr(kernel.diag.text, "holds 8 blocks of 8 warps"));
    ck_assert_ptr_nonnull(strstr(kernel.diag.text, "of the NVIDIA H200 1056"));
    kernel.launch.grid[0] = 132 * 32 + 1;
    kernel.launch.block[0] = 1;
    kernel_run(&kernel, 1, 1);
    ck_assert_str_eq(kernel.diag.rule, "launch.cooperative.range");
    kernel.launch.grid[0] = 133;
    kernel.launch.shared = 120000;
    kernel_run(&kernel, 1, 1);
    ck_assert_str_eq(kernel.diag.rule, "launch.cooperative.range");
    kernel.launch.grid[0] = 8;
    kernel.launch.units = 4;
    kernel_run(&kernel, 1, 1);
    ck_assert_str_eq(kernel.diag.rule, "launch.part.range");
}
END_TEST

/* --- old texts --- */

#define OLD(version, target, registers, body)                                                      \
    ".version " version "\n.target " target "\n" registers                                         \
    ".entry k(.param .u64 data)\n{\n" KERNEL_REGISTERS                                             \
    "ld.param.u64 %rd0, [data];\nmov.u32 %r0, %tid.x;\n" body "\nret;\n}\n"

/* Only lanes of this group with a true guard vote; other lanes count as 0. */
START_TEST(without_sync) {
    static const char *const texts[] = {
        OLD("6.3", "sm_75", "",
            "setp.lt.u32 %p1, %r0, 12;\nand.b32 %r1, %r0, 3;\n"
            "setp.eq.u32 %p2, %r1, 1;\nmov.u32 %r2, 7;\nmov.u32 %r3, 7;\n"
            "@!%p1 bra L;\nvote.ballot.b32 %r2, %p2;\n"
            "shfl.down.b32 %r3, %r0, 4, 31;\nL:\n" STORE_AT(
                "%r0", "%r2") "add.u32 %r0, %r0, 32;\n" STORE_AT("%r0", "%r3")),
        OLD("9.0", "sm_62", "",
            "setp.lt.u32 %p1, %r0, 12;\nand.b32 %r1, %r0, 3;\n"
            "setp.eq.u32 %p2, %r1, 1;\nmov.u32 %r2, 7;\nmov.u32 %r3, 7;\n"
            "@%p1 vote.ballot.b32 %r2, %p2;\n"
            "@%p1 shfl.down.b32 %r3, %r0, 4, 31;\n" STORE_AT(
                "%r0", "%r2") "add.u32 %r0, %r0, 32;\n" STORE_AT("%r0", "%r3"))};
    for (unsigned t = 0; t < COUNT(texts); t++) {
        struct kernel kernel = {.text = texts[t]};
        kernel_good(&kernel, 1, 32);
        for (uint32_t i = 0; i < 32; i++) {
            ck_assert_uint_eq(kernel.words[i], i < 12 ? 0x222 : 7);
            ck_assert_uint_eq(kernel.words[32 + i], i < 8 ? i + 4 : i < 12 ? 0 : 7);
        }
    }
}
END_TEST

/* Each kernel has registers of its own for those of the module. */
START_TEST(registers_of_the_module) {
    struct kernel kernel = {
        .text = OLD("2.3", "sm_20", ".reg .u32 %s<3>, one;\n.reg .pred flag;\n.reg .v2 .u32 two;\n",
                    "mov.u32 one, 40;\nadd.u32 %s2, one, %r0;\nmov.u32 two.x, %s2;\n"
                    "setp.eq.u32 flag, %r0, 1;\n@flag add.u32 two.x, two.x, 100;\n" STORE_AT(
                        "%r0", "two.x"))};
    kernel_good(&kernel, 1, 3);
    ck_assert_uint_eq(kernel.words[0], 40);
    ck_assert_uint_eq(kernel.words[1], 141);
    ck_assert_uint_eq(kernel.words[2], 42);
}
END_TEST

/* --- kernels --- */

/* Handles in file order, of all modules of a text; what each kernel declares; a launch by handle.
 */
START_TEST(handles) {
    static const char text[] =
        HEAD ".entry first(.param .u64 .ptr .global .align 8 p, .param .f32 x)\n"
             ".maxntid 64, 2 .minnctapersm 3 .maxclusterrank 4\n{ .shared .b8 s[20]; .reg .b32 %r; "
             "mov.u32 %r, s; ret; }\n"
             ".entry second(.param .u64 data) .maxnreg 40\n"
             "{ .reg .b64 %d; ld.param.u64 %d, [data]; st.global.u32 [%d], 5; ret; }\n";
    struct wsim_module *module;
    struct wsim_kernel_info info;
    struct wsim_kernel_param param;
    struct wsim_report *report;
    struct wsim_diag diag;
    struct wsim_launch launch = {0};
    open_device();
    ck_assert_msg(!wsim_module_load(text, strlen(text), 0, &module, &diag), "%s", diag.text);
    const struct wsim_kernel *first = wsim_module_kernel(module, 0);
    const struct wsim_kernel *second = wsim_module_kernel(module, 1);
    ck_assert_ptr_null(wsim_module_kernel(module, 2));
    ck_assert_ptr_eq(wsim_module_find(module, "first"), first);
    ck_assert_ptr_eq(wsim_module_find(module, "second"), second);
    ck_assert_ptr_null(wsim_module_find(module, "third"));
    ck_assert_ptr_null(wsim_module_find(module, NULL));
    wsim_kernel_describe(first, &info);
    ck_assert_str_eq(info.name, "first");
    ck_assert_uint_eq(info.params, 2);
    ck_assert_uint_eq(info.shared, 20);
    ck_assert_uint_eq(info.maxntid[0], 64);
    ck_assert_uint_eq(info.maxntid[1], 2);
    ck_assert_uint_eq(info.minnctapersm, 3);
    ck_assert_uint_eq(info.maxclusterrank, 4);
    ck_assert_uint_eq(info.maxnreg, 0);
    ck_assert(wsim_kernel_param_at(first, 0, &param));
    ck_assert_str_eq(param.type, "u64");
    ck_assert(param.pointer);
    ck_assert(wsim_kernel_param_at(first, 1, &param));
    ck_assert_str_eq(param.name, "x");
    ck_assert_uint_eq(param.offset, 8);
    ck_assert(!wsim_kernel_param_at(first, 2, &param));
    ck_assert(!wsim_kernel_param_at(NULL, 0, &param));
    wsim_kernel_describe(second, &info);
    ck_assert_uint_eq(info.maxnreg, 40);
    launch.kernel = second;
    ck_assert_msg(!run(NULL, &launch, &report, &diag), "%s", diag.text);
    ck_assert_uint_eq(word(0), 5);
    wsim_report_free(report);
    wsim_module_free(module);
    close_device();
}
END_TEST

/* The sizes that a kernel demands, as on an H200: a block of one thread stands for .reqntid, and
 * with .blocksareclusters a grid counts clusters. */
START_TEST(demanded_sizes) {
    static const char text[] =
        ".version 9.0\n.target sm_90a\n.address_size 64\n"
        ".entry k(.param .u64 p) .reqntid 8, 4, 2 .reqnctapercluster 2, 3 .blocksareclusters {\n"
        ".reg .b32 %r<8>;\n.reg .b64 %d<2>;\nld.param.u64 %d1, [p];\nmov.u32 %r1, %ntid.y;\n"
        "red.global.add.u32 [%d1], %r1;\nmov.u32 %r2, %nctaid.x;\n"
        "red.global.max.u32 [%d1+4], %r2;\nmov.u32 %r2, %nctaid.y;\n"
        "red.global.max.u32 [%d1+8], %r2;\nret;\n}\n";
    const uint32_t range = UINT32_C(1) << 31;
    struct wsim_module *module;
    struct wsim_kernel_info info;
    struct wsim_report *report = NULL;
    struct wsim_diag diag;
    struct wsim_launch launch = {.name = "k", .grid = {2, 1, 1}};
    open_device();
    ck_assert_msg(!wsim_module_load(text, strlen(text), 0, &module, &diag), "%s", diag.text);
    wsim_kernel_describe(wsim_module_find(module, "k"), &info);
    ck_assert(info.blocksareclusters);
    ck_assert_msg(!run(module, &launch, &report, &diag), "%s", diag.text);
    wsim_report_free(report);
    ck_assert_uint_eq(word(0), 2 * 6 * 64 * 4); /* 2 clusters of 6 blocks of 64 threads, .y of 4 */
    ck_assert_uint_eq(word(1), 4);
    ck_assert_uint_eq(word(2), 3);
    launch.block[0] = 8;
    ck_assert_int_eq(run(module, &launch, &report, &diag), WSIM_OPERAND);
    ck_assert_str_eq(diag.rule, "launch.block.other");
    launch.block[0] = 0;
    launch.grid[0] = range / 2;
    ck_assert_int_eq(run(module, &launch, &report, &diag), WSIM_OPERAND);
    ck_assert_str_eq(diag.rule, "launch.grid.range");
    wsim_module_free(module);
    close_device();
}
END_TEST

int main(void) {
    const TTest *const tests[] = {demanded_sizes, two_texts,
                                  undefined,      wrong,
                                  cooperative,    absent,
                                  patience,       too_large,
                                  without_sync,   registers_of_the_module,
                                  handles,        lines_say_what_lies_outside};
    return run_tests("unit/run/program", tests, sizeof tests / sizeof tests[0]);
}
