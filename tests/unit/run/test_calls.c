/* Functions: parameters, results, recursion, pointers, and what the device's library has. */
#include "kernel.h"

#define FIB                                                                                        \
    ".func (.param .b32 r) fib(.param .b32 n)\n{\n.reg .b32 %r<5>; .reg .pred %p;\n"               \
    "ld.param.b32 %r0, [n];\nsetp.lt.u32 %p, %r0, 2;\n@%p bra OUT;\n"                              \
    "{ .param .b32 a; .param .b32 b; add.u32 %r1, %r0, -1; st.param.b32 [a], %r1;\n"               \
    "call (b), fib, (a); ld.param.b32 %r2, [b]; }\n"                                               \
    "{ .param .b32 a; .param .b32 b; add.u32 %r1, %r0, -2; st.param.b32 [a], %r1;\n"               \
    "call (b), fib, (a); ld.param.b32 %r3, [b]; }\n"                                               \
    "add.u32 %r0, %r2, %r3;\nOUT: st.param.b32 [r], %r0;\nret;\n}\n"

/* The kernel of KERNEL after functions. */
#define WITH(functions, body)                                                                      \
    KERNEL_HEAD functions ".visible .entry k(.param .u64 data)\n{\n" KERNEL_REGISTERS              \
                          "ld.param.u64 %rd0, [data];\nmov.u32 %r0, %tid.x;\n" body "\nret;\n}\n"

START_TEST(recursion_under_divergence) {
    struct kernel kernel = {.text = WITH(FIB, "and.b32 %r1, %r0, 15;\n"
                                              "{ .param .b32 a; .param .b32 b;\n"
                                              "st.param.b32 [a], %r1;\ncall (b), fib, (a);\n"
                                              "ld.param.b32 %r2, [b]; }\n" STORE_AT("%r0", "%r2"))};
    uint32_t fib[16] = {0, 1};
    for (int i = 2; i < 16; i++)
        fib[i] = fib[i - 1] + fib[i - 2];
    kernel_good(&kernel, 1, 64);
    for (int i = 0; i < 64; i++)
        ck_assert_uint_eq(kernel.words[i], fib[i & 15]);
}
END_TEST

/* Registers and memory, several results, a struct by value, a guarded call. */
START_TEST(parameters_of_all_kinds) {
    struct kernel kernel = {
        .text = WITH(
            ".func (.reg .b32 d, .param .align 8 .b8 s[12]) f(.reg .b64 a, .reg .b32 p,"
            " .param .align 8 .b8 t[12])\n{\n.reg .b32 %r<4>; .reg .b64 %q; .reg .pred %g;\n"
            "setp.ne.u32 %g, p, 0; cvt.u32.u64 d, a; @%g add.u32 d, d, 1000;\n"
            "ld.param.b64 %q, [t]; st.param.b64 [s], %q;\n"
            "ld.param.s8 %r1, [t+8]; st.param.b16 [s+8], %r1;\n"
            "ld.param.u8 %r2, [t+9]; st.param.v2.b8 [s+10], {%r2, %r2};\nret;\n}\n",
            "{ .param .align 8 .b8 t[12]; .param .align 8 .b8 s[12];\n"
            "mov.b64 %rd1, 0x1122334455667788; st.param.b64 [t], %rd1;\n"
            "mov.b32 %r1, 0x0000aa90; st.param.b32 [t+8], %r1;\n"
            "cvt.u64.u32 %rd2, %r0; set.gt.u32.u32 %r7, %r0, 3; setp.ne.u32 %p2, %r0, 5;\n"
            "mov.u32 %r2, 7; mov.u32 %r3, 8; mov.u32 %r4, 9; mov.u32 %r5, 10;\n"
            "@%p2 call (%r2, s), f, (%rd2, %r7, t);\n"
            "@%p2 ld.param.v2.b32 {%r3, %r4}, [s]; @%p2 ld.param.b32 %r5, [s+8]; }\n"
            "shl.b32 %r6, %r0, 2;\n" STORE_AT("%r6", "%r2") "add.u32 %r6, %r6, 1;\n" STORE_AT(
                "%r6", "%r3") "add.u32 %r6, %r6, 1;\n" STORE_AT("%r6", "%r4") "add.u32 %r6, %r6, "
                                                                              "1;\n" STORE_AT(
                                                                                  "%r6", "%r5"))};
    kernel_good(&kernel, 1, 32);
    for (uint32_t i = 0; i < 32; i++) {
        ck_assert_uint_eq(kernel.words[4 * i], i == 5 ? 7 : i > 3 ? i + 1000 : i);
        ck_assert_uint_eq(kernel.words[4 * i + 1], i == 5 ? 8 : 0x55667788);
        ck_assert_uint_eq(kernel.words[4 * i + 2], i == 5 ? 9 : 0x11223344);
        ck_assert_uint_eq(kernel.words[4 * i + 3], i == 5 ? 10 : 0xaaaaff90);
    }
}
END_TEST

/* The address of a parameter is that of a copy in local memory, one for each call. The name reads
 * bytes written through the address; the caller's value does not change. */
START_TEST(parameters_by_address) {
    struct kernel kernel = {
        .text =
            WITH(".func (.param .b32 d) f(.param .align 8 .b8 s[16], .param .b32 n)\n{\n"
                 ".reg .b32 %r<8>; .reg .b64 %q<4>; .reg .pred %p;\n"
                 "mov.b64 %q1, s; cvta.local.u64 %q2, %q1; ld.param.b32 %r1, [n];\n"
                 "and.b32 %r2, %r1, 3; mul.wide.u32 %q3, %r2, 4; add.u64 %q2, %q2, %q3;\n"
                 "add.u64 %q1, %q1, %q3; ld.param.b32 %r3, [%q1]; ld.u32 %r4, [%q2];\n"
                 "add.u32 %r3, %r3, %r4; st.u32 [%q2], %r3; ld.local.u32 %r5, [%q1];\n"
                 "ld.param.b32 %r6, [s+4]; add.u32 %r5, %r5, %r6;\n"
                 "setp.lt.u32 %p, %r1, 4; @%p bra LAST;\n"
                 "{ .param .align 8 .b8 t[16]; .param .b32 m; .param .b32 e;\n"
                 "ld.param.b64 %q3, [s]; st.param.b64 [t], %q3; ld.param.b64 %q3, [s+8];\n"
                 "st.param.b64 [t+8], %q3; add.u32 %r2, %r1, -4; st.param.b32 [m], %r2;\n"
                 "call (e), f, (t, m); ld.param.b32 %r6, [e]; add.u32 %r5, %r5, %r6; }\n"
                 "LAST: ld.param.b32 %r6, [s+12]; add.u32 %r5, %r5, %r6;\n"
                 "st.param.b32 [d], %r5; ret;\n}\n",
                 "{ .param .align 8 .b8 s[16]; .param .b32 n; .param .b32 d; mov.u32 %r1, 1000;\n"
                 "st.param.v2.b32 [s], {%r0, %r1}; st.param.v2.b32 [s+8], {%r1, %r0};\n"
                 "and.b32 %r2, %r0, 15; st.param.b32 [n], %r2; call (d), f, (s, n);\n"
                 "ld.param.b32 %r3, [d]; ld.param.b32 %r4, [s]; mad.lo.u32 %r3, %r4, 100000, %r3; "
                 "}\n" STORE_AT("%r0", "%r3"))};
    kernel_good(&kernel, 1, 32);
    for (uint32_t i = 0; i < 32; i++) {
        uint32_t s[4] = {i, 1000, 1000, i}, first[5], sum = 0, depth = 0;
        for (uint32_t n = i & 15;; n -= 4) {
            s[n & 3] *= 2;
            sum += s[n & 3] + s[1];
            first[depth++] = s[3];
            if (n < 4)
                break;
        }
        while (depth > 0)
            sum += first[--depth];
        ck_assert_uint_eq(kernel.words[i], i * 100000 + sum);
    }
}
END_TEST

/* Through a table of pointers in memory; both functions return to the same place, as one group. */
START_TEST(pointers_to_functions) {
    struct kernel kernel = {
        .text = WITH(".func (.param .b32 r) twice(.param .b32 n)\n{\n.reg .b32 %r;\n"
                     "ld.param.b32 %r, [n]; add.u32 %r, %r, %r; st.param.b32 [r], %r;\n}\n"
                     ".func (.param .b32 r) square(.param .b32 n)\n{\n.reg .b32 %r;\n"
                     "ld.param.b32 %r, [n]; mul.lo.u32 %r, %r, %r; st.param.b32 [r], %r; ret;\n}\n"
                     ".global .u64 table[2] = {twice, square};\n",
                     "and.b32 %r1, %r0, 1; mul.wide.u32 %rd1, %r1, 8; mov.u64 %rd2, table;\n"
                     "add.s64 %rd1, %rd1, %rd2; ld.global.u64 %rd3, [%rd1];\n"
                     "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r0;\n"
                     "proto: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
                     "call (b), %rd3, (a), proto;\n"
                     "ld.param.b32 %r2, [b]; }\n"
                     "add.u32 %r2, %r2, 1;\n" STORE_AT("%r0", "%r2"))};
    kernel_good(&kernel, 1, 32);
    for (uint32_t i = 0; i < 32; i++)
        ck_assert_uint_eq(kernel.words[i], (i & 1 ? i * i : 2 * i) + 1);
    ck_assert_uint_eq(kernel_executed(&kernel, "add.u32 %r2, %r2, 1;"), 1);
}
END_TEST

/* Each depth has local memory of its own, and pointers to it are good further in. */
START_TEST(local_memory_of_callers) {
    struct kernel kernel = {
        .text = WITH(".func deeper(.param .b64 at, .param .b32 n)\n{\n.local .b32 own[2];\n"
                     ".reg .b64 %q<3>; .reg .b32 %r<3>; .reg .pred %p;\n"
                     "ld.param.b64 %q0, [at]; ld.param.b32 %r0, [n];\n"
                     "mov.u64 %q1, own; cvta.local.u64 %q1, %q1;\n"
                     "st.local.b32 [own+4], %r0; ld.u32 %r1, [%q0+4]; add.u32 %r1, %r1, %r0;\n"
                     "st.u32 [%q0], %r1; setp.eq.u32 %p, %r0, 0; @%p ret;\n"
                     "{ .param .b64 a; .param .b32 b; st.param.b64 [a], %q1;\n"
                     "add.u32 %r0, %r0, -1; st.param.b32 [b], %r0; call deeper, (a, b); }\n"
                     "ld.local.u32 %r1, [own]; ld.u32 %r2, [%q0]; add.u32 %r1, %r1, %r2;\n"
                     "st.u32 [%q0], %r1;\n}\n",
                     ".local .b32 mine[2]; mov.u64 %rd1, mine; cvta.local.u64 %rd1, %rd1;\n"
                     "st.local.u32 [mine+4], %r0;\n"
                     "{ .param .b64 a; .param .b32 b; st.param.b64 [a], %rd1;\n"
                     "and.b32 %r1, %r0, 3; st.param.b32 [b], %r1; call deeper, (a, b); }\n"
                     "ld.local.u32 %r2, [mine];\n" STORE_AT("%r0", "%r2"))};
    kernel_good(&kernel, 1, 32);
    for (uint32_t i = 0; i < 32; i++) {
        uint32_t n = i & 3, sum = i + n; /* what depth d stores: n(d-1) + n(d), and all below */
        for (uint32_t d = n; d > 0; d--)
            sum += d + (d - 1);
        ck_assert_uint_eq(kernel.words[i], sum);
    }
}
END_TEST

#define TEXT_OF(name, letters) ".global .b8 " name "[] = {" letters ", 0};\n"

START_TEST(printf_and_malloc) {
    struct kernel kernel = {
        .text = WITH(
            ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
            ".extern .func (.param .b64 r) malloc(.param .b64 n);\n"
            ".extern .func free(.param .b64 p);\n"
            /* "%d %s %5.1f%%\n" and "ab" */
            TEXT_OF("f", "37, 100, 32, 37, 115, 32, 37, 53, 46, 49, 102, 37, 37, 10")
                TEXT_OF("s", "97, 98"),
            ".local .align 8 .b8 args[24];\n"
            "st.local.u32 [args], %r0; mov.u64 %rd1, s; cvta.global.u64 %rd1, %rd1;\n"
            "st.local.u64 [args+8], %rd1; mov.f64 %fd1, 0d4004000000000000;\n"
            "st.local.f64 [args+16], %fd1; mov.u64 %rd2, f; cvta.global.u64 %rd2, %rd2;\n"
            "mov.u64 %rd3, args; cvta.local.u64 %rd3, %rd3;\n"
            "{ .param .b64 a; .param .b64 b; .param .b32 r; st.param.b64 [a], %rd2;\n"
            "st.param.b64 [b], %rd3; call (r), vprintf, (a, b);\n"
            "ld.param.b32 %r1, [r]; }\n"
            "{ .param .b64 n; .param .b64 r; mov.u64 %rd4, 16; st.param.b64 [n], %rd4;\n"
            "call (r), malloc, (n); ld.param.b64 %rd5, [r]; }\n"
            "st.u32 [%rd5+12], %r0; ld.global.u32 %r2, [%rd5+12]; sub.u32 %r2, %r2, %r0;\n"
            "add.u32 %r1, %r1, %r2;\n"
            "{ .param .b64 p; st.param.b64 [p], %rd5; call free, (p); }\n" STORE_AT("%r0", "%r1"))};
    kernel_good(&kernel, 2, 2);
    ck_assert_str_eq(kernel.output, "0 ab   2.5%\n1 ab   2.5%\n0 ab   2.5%\n1 ab   2.5%\n");
    ck_assert_uint_eq(kernel.words[0], 3);
    ck_assert_uint_eq(kernel.words[1], 3);
}
END_TEST

/* Each hh loses an argument: the last one is the bytes of the format. Recorded on an H200. */
START_TEST(printf_with_hh) {
    struct kernel kernel = {
        .text =
            WITH(".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
                 /* "%hhd c %hd %hu %hx|\n" */
                 TEXT_OF("f", "37, 104, 104, 100, 32, 99, 32, 37, 104, 100, 32, "
                              "37, 104, 117, 32, 37, 104, 120, 124, 10"),
                 ".local .align 8 .b8 args[16];\n"
                 "st.local.u32 [args], -3; st.local.u32 [args+4], -4; st.local.u32 [args+8], -4;\n"
                 "st.local.u32 [args+12], -4; mov.u64 %rd2, f; cvta.global.u64 %rd2, %rd2;\n"
                 "mov.u64 %rd3, args; cvta.local.u64 %rd3, %rd3;\n"
                 "{ .param .b64 a; .param .b64 b; .param .b32 r; st.param.b64 [a], %rd2;\n"
                 "st.param.b64 [b], %rd3; call (r), vprintf, (a, b);\n"
                 "ld.param.b32 %r1, [r]; }\n" STORE_AT("%r0", "%r1"))};
    kernel_good(&kernel, 1, 1);
    ck_assert_str_eq(kernel.output, "-3 c -4 65532 6825|\n");
    ck_assert_uint_eq(kernel.words[0], 3);
}
END_TEST

/* A width may be an argument, a precision may not. Recorded on an H200. */
START_TEST(printf_with_a_width) {
    struct kernel kernel = {
        .text = WITH(".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
                     /* "%*d|%.*f|\n" */
                     TEXT_OF("f", "37, 42, 100, 124, 37, 46, 42, 102, 124, 10"),
                     ".local .align 8 .b8 args[16];\n"
                     "st.local.u32 [args], 6; st.local.u32 [args+4], 3;\n"
                     "mov.u64 %rd2, f; cvta.global.u64 %rd2, %rd2;\n"
                     "mov.u64 %rd3, args; cvta.local.u64 %rd3, %rd3;\n"
                     "{ .param .b64 a; .param .b64 b; .param .b32 r; st.param.b64 [a], %rd2;\n"
                     "st.param.b64 [b], %rd3; call (r), vprintf, (a, b); }\n")};
    kernel_good(&kernel, 1, 1);
    ck_assert_str_eq(kernel.output, "     3|%.*f|\n");
}
END_TEST

/* An address has a width; a width before a second % is text. Recorded on an H200. */
START_TEST(printf_of_an_address) {
    struct kernel kernel = {
        .text = WITH(".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
                     /* "%10p|%p|%5%|\n" */
                     TEXT_OF("f", "37, 49, 48, 112, 124, 37, 112, 124, 37, 53, 37, 124, 10"),
                     ".local .align 8 .b8 args[16];\n"
                     "st.local.u64 [args], 0xabc; st.local.u64 [args+8], 0;\n"
                     "mov.u64 %rd2, f; cvta.global.u64 %rd2, %rd2;\n"
                     "mov.u64 %rd3, args; cvta.local.u64 %rd3, %rd3;\n"
                     "{ .param .b64 a; .param .b64 b; .param .b32 r; st.param.b64 [a], %rd2;\n"
                     "st.param.b64 [b], %rd3; call (r), vprintf, (a, b); }\n")};
    kernel_good(&kernel, 1, 1);
    ck_assert_str_eq(kernel.output, "     0xabc|(nil)|%5%|\n");
}
END_TEST

#define HEAP(use, after)                                                                           \
    WITH(".extern .func (.param .b64 r) malloc(.param .b64 n);\n"                                  \
         ".extern .func free(.param .b64 p);\n",                                                   \
         "{ .param .b64 n; .param .b64 r; mov.u64 %rd4, 20; st.param.b64 [n], %rd4;\n"             \
         "call (r), malloc, (n); ld.param.b64 %rd5, [r]; }\nst.u32 [%rd5], %r0;\n" use             \
         "{ .param .b64 p; st.param.b64 [p], %rd5; call free, (p); }\n" after)

/* Accesses to a block of malloc: inside, past its end, after its free. */
START_TEST(blocks_of_malloc) {
    static const struct {
        const char *text, *rule;
    } cases[] = {
        {HEAP("st.u32 [%rd5+16], %r0;\n", ""), ""},
        {HEAP("st.u16 [%rd5+18], 1; ld.u32 %r1, [%rd5];\n", ""), ""},
        {HEAP("st.u32 [%rd5+20], %r0;\n", ""), "memory.heap.bounds"},
        {HEAP("ld.global.v2.u32 {%r1, %r2}, [%rd5+16];\n", ""), "memory.heap.bounds"},
        {HEAP("ld.global.u8 %r1, [%rd5+40];\n", ""), "memory.heap.bounds"},
        {HEAP("", "ld.u32 %r1, [%rd5];\n"), "memory.heap.freed"},
        {HEAP("", "st.u32 [%rd5+4], %r1;\n"), "memory.heap.freed"},
        {HEAP("{ .param .b64 n; .param .b64 r; mov.u64 %rd4, 20; st.param.b64 [n], %rd4;\n"
              "call (r), malloc, (n); }\n",
              ""),
         "memory.heap.leak"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct kernel kernel = {.text = cases[i].text};
        kernel.launch.checks = WSIM_CHECK_MEMORY;
        kernel_run(&kernel, 2, 2);
        ck_assert_msg(kernel.status == WSIM_OK, "case %u: %s: %s", i, kernel.rule,
                      kernel.diag.text);
        ck_assert_msg(!strcmp(kernel.rule, cases[i].rule), "case %u: %s", i, kernel.rule);
    }
}
END_TEST

/* The text of blocks that did not come to their end. */
START_TEST(text_before_a_failed_assertion) {
    struct kernel kernel = {
        .text =
            WITH(".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, "
                 ".param .b64 d, .param .b64 e);\n" TEXT_OF("t", "120, 61, 49"),
                 "{ .param .b64 q; .param .b32 n; mov.u64 %rd1, t; cvta.global.u64 %rd1, %rd1;\n"
                 "st.param.b64 [q], %rd1; st.param.b32 [n], 7; setp.gt.u32 %p1, %r0, 0;\n"
                 "@%p1 call __assertfail, (q, q, n, q, q); }")};
    kernel_run(&kernel, 1, 3);
    ck_assert_int_eq(kernel.status, WSIM_OPERAND);
    ck_assert_str_eq(kernel.rule, "call.assert");
    ck_assert_str_eq(kernel.output,
                     "x=1:7: x=1: block: [0,0,0], thread: [1,0,0] Assertion `x=1` failed.\n"
                     "x=1:7: x=1: block: [0,0,0], thread: [2,0,0] Assertion `x=1` failed.\n");
}
END_TEST

/* Modules come and go on one device, at the same addresses: each has its own variables. */
START_TEST(modules_on_one_device) {
    struct wsim_device *device;
    struct wsim_report *report;
    uint64_t address;
    ck_assert_int_eq(wsim_device_make(wsim_arch_find("sm_90a"), &device, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_device_alloc(device, "out", 4, 0, &address, NULL), WSIM_OK);
    for (uint32_t i = 1; i < 20; i++) {
        struct wsim_launch launch = {.params = &address, .param_bytes = 8, .threads = 1};
        struct wsim_module *module;
        char text[1024];
        uint32_t is = 0;
        int n = snprintf(text, sizeof text, "%s.global .b32 g = %u;\n.const .b32 c = %u;\n%s",
                         KERNEL_HEAD, (unsigned)i, (unsigned)(100 * i),
                         ".entry k(.param .u64 p)\n{ .reg .b64 %rd; .reg .b32 %r<3>;\n"
                         "ld.param.u64 %rd, [p]; ld.global.u32 %r1, [g]; ld.const.u32 %r2, [c];\n"
                         "add.u32 %r1, %r1, %r2; st.global.u32 [%rd], %r1; }\n");
        ck_assert_int_eq(wsim_module_load(text, (size_t)n, 0, &module, NULL), WSIM_OK);
        for (int again = 0; again < 2; again++) {
            ck_assert_int_eq(wsim_launch_run(device, module, &launch, &report, NULL), WSIM_OK);
            wsim_report_free(report);
        }
        wsim_module_free(module);
        ck_assert_int_eq(wsim_device_read(device, address, &is, 4, NULL), WSIM_OK);
        ck_assert_uint_eq(is, 101 * i);
    }
    wsim_device_free(device);
}
END_TEST

/* Measurements of an H200 are called inferred on other targets. */
START_TEST(approximate_functions_of_other_architectures) {
    struct kernel kernel = {.text =
                                KERNEL("ld.global.f32 %f1, [%rd0]; rcp.approx.ftz.f32 %f2, %f1;")};
    kernel_good(&kernel, 1, 1);
    ck_assert_uint_eq(kernel.totals.approximate, 0);
    kernel.arch = "sm_80";
    kernel_good(&kernel, 1, 1);
    ck_assert_uint_eq(kernel.totals.approximate, 1);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{recursion_under_divergence, 0, 1},
                                       {parameters_of_all_kinds, 0, 1},
                                       {parameters_by_address, 0, 1},
                                       {pointers_to_functions, 0, 1},
                                       {local_memory_of_callers, 0, 1},
                                       {printf_and_malloc, 0, 1},
                                       {printf_with_hh, 0, 1},
                                       {printf_with_a_width, 0, 1},
                                       {printf_of_an_address, 0, 1},
                                       {blocks_of_malloc, 0, 1},
                                       {text_before_a_failed_assertion, 0, 1},
                                       {modules_on_one_device, 0, 1},
                                       {approximate_functions_of_other_architectures, 0, 1}};
    return every_run("unit/run/calls", tests, COUNT(tests));
}
