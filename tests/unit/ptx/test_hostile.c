/* Hostile texts: time and memory only grow with the length of the text, and a lack of memory is
 * reported. */
#include "text.h"

#include "../../../sim/ptx/arena.h"

#include <time.h>

/* A text that is put together from parts that repeat. */
static char *text;
static size_t used;

enum { ROOM = 1 << 25 };

static void begin(void) {
    text = text ? text : malloc(ROOM);
    ck_assert_ptr_nonnull(text);
    used = 0;
}

static void put(const char *part, unsigned times) {
    size_t n = strlen(part);
    /* Without an assertion, which costs more than what it is about. */
    for (unsigned i = 0; i < times && used + n < ROOM; i++) {
        memcpy(text + used, part, n);
        used += n;
    }
}

static void number(const char *before, unsigned value, const char *behind) {
    char part[128];
    snprintf(part, sizeof part, "%s%u%s", before, value, behind);
    put(part, 1);
}

/* Reads it within 64 bytes of memory a byte of text and those that are free: its status. */
static enum wsim_status read_it(size_t free_bytes, uint32_t *problems) {
    struct ptx_module m;
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    clock_t start = clock();
    enum wsim_status status = ptx_read_within(text, used, used * 64 + free_bytes, &m, &diag);
    unsigned long long spent = (unsigned long long)((clock() - start) / (CLOCKS_PER_SEC / 1000));
    /* Requires a megabyte a second, which a busy machine reaches too. */
    ck_assert_msg(spent < 2000 + used / 500, "%llu ms for %zu bytes", spent, used);
    ck_assert_msg(status != WSIM_NO_MEMORY, "%s", diag.text);
    *problems = 0;
    for (const struct ptx_module *at = &m; at; at = at->next)
        *problems += at->n_problems;
    ptx_free(&m);
    return status;
}

static size_t free_bytes = 1 << 20;

static void expect(enum wsim_status wanted, uint32_t least, uint32_t most) {
    uint32_t problems;
    enum wsim_status status = read_it(free_bytes, &problems);
    ck_assert_int_eq(status, wanted);
    ck_assert_msg(problems >= least && problems <= most, "%u problems", (unsigned)problems);
}

START_TEST(nested_braces) {
    begin();
    put(HEADER ".entry k()\n{", 1);
    put("{", 1000000);
    put("ret;", 1);
    put("}", 1000000);
    put("}", 1);
    expect(WSIM_OK, 0, 0);
    begin();
    put(HEADER ".entry k()\n{", 1);
    put("{", 1000000);
    expect(WSIM_SYNTAX, 1, 1);
    begin();
    put(HEADER ".global .u32 x[4] = ", 1);
    put("{", 1000000);
    expect(WSIM_OPERAND, 1, 3);
    begin();
    put(HEADER ".entry k() { .reg .b32 %r<4>; add.s32 ", 1);
    put("{", 1000000);
    put("} }", 1);
    expect(WSIM_OPERAND, 1, 4);
}
END_TEST

/* Labels that are waited for in the innermost of many scopes are found in the outermost. */
START_TEST(labels_across_scopes) {
    begin();
    put(HEADER ".entry k()\n{", 1);
    for (unsigned i = 0; i < 100000; i++)
        number("{ bra L", i % 50000, "; ");
    for (unsigned i = 0; i < 100000; i++)
        put("}", 1);
    for (unsigned i = 0; i < 50000; i++)
        number(" L", i, ":");
    put("}", 1);
    expect(WSIM_OK, 0, 0);
}
END_TEST

/* Every scope has registers of its own by the same names. */
START_TEST(registers_across_scopes) {
    begin();
    put(HEADER ".entry k()\n{ .reg .b32 %r<9>;", 1);
    for (unsigned i = 0; i < 50000; i++)
        put("{ .reg .b32 %r<4000000000>, x; not.b32 x, %r3999999999; not.b32 %r5, x;\n", 1);
    for (unsigned i = 0; i < 50000; i++)
        put("not.b32 %r5, %r6; }", 1);
    put("}", 1);
    expect(WSIM_OK, 0, 0);
}
END_TEST

START_TEST(unknown_names) {
    begin();
    put(HEADER ".entry k()\n{", 1);
    for (unsigned i = 0; i < 100000; i++)
        number("not.b32 %a", i, ", %b;\n");
    put("}", 1);
    expect(WSIM_ILLEGAL, 900, 1100);
    begin();
    put(HEADER ".entry k()\n{", 1);
    for (unsigned i = 0; i < 50000; i++)
        number("bra label", i, ";\n");
    put("}", 1);
    expect(WSIM_ILLEGAL, 900, 1100);
    begin();
    put(HEADER ".entry k()\n{", 1);
    for (unsigned i = 0; i < 3000; i++)
        number("mma.sync.aligned.m16n8k", i, ".row.col.f32.f16.f16.f32 0;\n");
    put("}", 1);
    expect(WSIM_OPERAND, 900, 1100);
}
END_TEST

START_TEST(names) {
    begin();
    put(HEADER ".entry k()\n{ .reg .b32 ", 1);
    put("x", 1000000);
    put(", ", 1);
    put("y", 1000000);
    put("; not.b32 ", 1);
    put("z", 1000000);
    put(", ", 1);
    put("x", 1000000);
    put("; not.b32 %r", 1);
    put("1", 1000000);
    put(", %q", 1);
    put("0", 1000000);
    put("; }", 1);
    expect(WSIM_ILLEGAL, 2, 3);
    begin();
    put(HEADER ".entry k()\n{ .reg .b32 %r1<9>; not.b32 %r", 1);
    put("1", 1000000);
    put(", %r11; ", 1);
    put("ld", 1);
    put(".global", 100000);
    put(" %r11, [%r11]; }", 1);
    expect(WSIM_ILLEGAL, 2, 2);
}
END_TEST

START_TEST(numbers) {
    begin();
    put(HEADER ".global .f64 x[100000] = {0", 1);
    put(", 1e-320", 20000);
    put(", 1.", 1);
    put("7", 1000000);
    put("};", 1);
    expect(WSIM_OPERAND, 1, 2);
    begin();
    put(HEADER ".global .u64 x = 1", 1);
    put("+1", 1000000);
    put(";.global .u64 y = ", 1);
    put("-", 1000000);
    put("1;.global .u64 z = ", 1);
    put("(", 1000000);
    put("1;.global .u64 w = ", 1);
    put("1?", 1000000);
    put(";", 1);
    expect(WSIM_SYNTAX, 1, 3);
}
END_TEST

/* Sizes that no machine has, and small ones that add up to what may be initialised. */
/* A number at the end of a text: nothing is read after it, wherever its memory ends. */
START_TEST(number_at_the_end) {
    enum { LARGE = 1 << 15 };
    static char text[LARGE + 64];
    static const char *const ends[] = {"6", "6.", "6e", "0x", "0f", "6U", "(6"};
    for (size_t e = 0; e < sizeof ends / sizeof ends[0]; e++)
        for (size_t length = LARGE; length < LARGE + 16; length++) {
            struct ptx_module m;
            const size_t n = strlen(ends[e]);
            memset(text, ' ', length);
            memcpy(text, HEADER ".global .u32 x =", sizeof HEADER ".global .u32 x =" - 1);
            memcpy(text + length - n, ends[e], n);
            ck_assert_int_ne(ptx_read(text, length, &m, NULL), WSIM_OK);
            ptx_free(&m);
        }
}
END_TEST

START_TEST(sizes) {
    free_bytes = 1 << 26;
    begin();
    put(HEADER ".global .b8 x[1152921504606846976];\n.global .b64 y[1048576][1048576][1048576];\n"
               ".global .b8 z[1073741824] = {1};\n.entry k(.param .b8 p[4294967296]) { ret; }",
        1);
    expect(WSIM_OPERAND, 4, 4);
    begin();
    put(HEADER, 1);
    for (unsigned i = 0; i < 1000; i++)
        number(".const .b8 x", i, "[1000000] = {1};\n");
    expect(WSIM_OPERAND, 1, 1000);
    begin();
    put(HEADER ".global .b8 x[][1099511627776] = {", 1);
    put("{1},", 100000);
    put("};", 1);
    expect(WSIM_OPERAND, 1, 2);
    begin();
    put(HEADER ".global .b8 x", 1);
    put("[2]", 100000);
    put(";", 1);
    expect(WSIM_OPERAND, 1, 2);
    free_bytes = 1 << 20;
}
END_TEST

START_TEST(lines_and_files) {
    begin();
    put(HEADER ".file 4294967295 \"x\"\n.entry k()\n{", 1);
    for (unsigned i = 0; i < 100000; i++)
        number(".loc ", i * 40000,
               " 4294967295 4294967295, function_name x+4294967295, "
               "inlined_at 1 2 3\nret;");
    put("}", 1);
    expect(WSIM_OK, 0, 0);
    begin();
    put(HEADER, 1);
    put("// a long line ", 500000);
    put("\n/*", 1);
    put("*", 1000000);
    expect(WSIM_SYNTAX, 1, 1);
}
END_TEST

START_TEST(statements) {
    begin();
    put(HEADER ".entry k()\n{", 1);
    put("ret\n", 100000);
    put("@", 100000);
    put("\"", 100000);
    put("$ %", 100000);
    put("[", 100000);
    put("}", 1);
    expect(WSIM_OPERAND, 1, 50);
    begin();
    put(HEADER, 1);
    put(".version 1.0 .target sm_10 ", 20000);
    expect(WSIM_OK, 0, 0);
    begin();
    put(HEADER ".func f(", 1);
    put(".param .u32 x,", 50000);
    put(".param .u32 x) { call f, (", 1);
    put("1,", 200000);
    put("1); }", 1);
    expect(WSIM_ILLEGAL, 1, 3);
    begin();
    put(HEADER ".entry k() { mma", 1);
    put(".", 100000);
    put(" {", 1);
    put("0,", 100000);
    put("0}; }", 1);
    expect(WSIM_OK, 1, 1);
}
END_TEST

/* A register without memory does not exist: each instruction makes one and complains. */
START_TEST(no_memory_for_registers) {
    int ended = 0;
    begin();
    put(HEADER ".entry k() { .reg .f64 %f<9000>;\n", 1);
    for (unsigned i = 0; i < 1200; i++)
        number("cnot.b16 %f", i, ", 1;\n");
    put("ret; }", 1);
    for (size_t most = 4096; most < 4000000; most += most / 300 + 1) {
        struct ptx_module m;
        struct wsim_diag diag;
        enum wsim_status status = ptx_read_within(text, used, most, &m, &diag);
        ck_assert_int_eq(status, ended ? WSIM_OPERAND : status);
        ck_assert(status == WSIM_OPERAND || status == WSIM_NO_MEMORY);
        ended |= status == WSIM_OPERAND;
        ptx_free(&m);
    }
    ck_assert_int_eq(ended, 1);
}
END_TEST

/* Memory may end anywhere: nothing is kept then, and the next text is read as if nothing was. */
START_TEST(no_memory) {
    static const char whole[] = HEADER
        ".extern .func f(.param .b32 x);\n.global .u64 t[] = {f, 1, t+8};\n.alias g, h;\n.const "
        ".b8 "
        "large[200000] = {1};\n"
        ".entry k(.param .u64 a) { .reg .b32 %r<9>; .reg .pred p; { .reg .b32 x; not.b32 x, %r1; "
        "}\n"
        ".loc 1 2 3, function_name s, inlined_at 4 5 6\n@p bra L; add.foo %r1, %r99;\nL: ret; }\n"
        ".section .debug_str { s: .b8 1,0 }\n.version 1.0\n.entry k() { ret; }";
    struct ptx_module m;
    struct wsim_diag diag;
    enum wsim_status full = ptx_read(whole, strlen(whole), &m, &diag);
    ck_assert_int_ne(full, WSIM_NO_MEMORY);
    ptx_free(&m);
    int ended = 0;
    for (size_t most = 1; most < 2000000; most += most / 64 + 1) {
        enum wsim_status status = ptx_read_within(whole, strlen(whole), most, &m, &diag);
        ck_assert(status == WSIM_NO_MEMORY || status == full);
        ck_assert_msg(!ended || status == full, "%zu bytes are too few, less are not", most);
        if (status == WSIM_NO_MEMORY) {
            ck_assert_str_eq(diag.rule, "memory.heap.full");
            ck_assert_ptr_null(m.functions);
        } else
            ck_assert_uint_le(m.arena->held, most);
        ended |= status == full;
        ptx_free(&m);
    }
    ck_assert(ended);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {nested_braces,
                                  number_at_the_end,
                                  labels_across_scopes,
                                  registers_across_scopes,
                                  unknown_names,
                                  names,
                                  numbers,
                                  sizes,
                                  lines_and_files,
                                  statements,
                                  no_memory_for_registers,
                                  no_memory};
    int failed = run_tests("unit/ptx/hostile", tests, sizeof tests / sizeof tests[0]);
    free(text);
    return failed;
}
