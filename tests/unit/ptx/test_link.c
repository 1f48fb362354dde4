/* Modules of several texts become one: which definition a name gets, and what is refused. */
#include "text.h"

#define MOST 4

/* Links texts of which none is wrong; the status, and the first problem in *diag. */
static enum wsim_status link_texts(const char *const *texts, uint32_t n, struct ptx_module *out,
                                   uint32_t *wrong, struct wsim_diag *diag) {
    static const char *const names[MOST] = {"a.ptx", "b.ptx", "c.ptx", "d.ptx"};
    struct ptx_module parts[MOST];
    enum wsim_status status;
    *wrong = 0;
    memset(diag, 0, sizeof *diag);
    for (uint32_t i = 0; i < n; i++)
        text_read(texts[i], &parts[i]);
    status = ptx_link(parts, n, names, 0, out, wrong, diag);
    for (uint32_t i = 0; i < n; i++)
        ck_assert_ptr_null(parts[i].arena);
    return status;
}

static void link_two(const char *a, const char *b, struct ptx_module *out) {
    const char *const texts[] = {a, b};
    struct wsim_diag diag;
    uint32_t wrong;
    enum wsim_status status = link_texts(texts, 2, out, &wrong, &diag);
    ck_assert_msg(status == WSIM_OK, "%s", diag.text);
    ck_assert_uint_eq(out->n_problems, 0);
    ck_assert_ptr_null(out->next);
}

/* The variable that operand 1 of the last function's first instruction means. */
static const struct ptx_variable *meant(const struct ptx_module *m) {
    const struct ptx_function *f = &m->functions[m->n_functions - 1];
    const struct ptx_operand *operand = text_operand(f, 0, 1);
    ck_assert_int_eq(operand->kind, PTX_OP_VARIABLE);
    return &m->variables[operand->index];
}

#define USES "\n.entry k() { .reg .b64 %d; mov.b64 %d, x; ret; }"

/* The definition of x of the first text that the second one means: its bytes, as first byte. */
static void check_taken(const char *first, const char *second, uint32_t part, unsigned value) {
    char a[256], b[512];
    struct ptx_module m;
    const struct ptx_variable *v;
    snprintf(a, sizeof a, HEADER "%s", first);
    snprintf(b, sizeof b, "%s%s%s", HEADER, second, USES);
    link_two(a, b, &m);
    v = meant(&m);
    ck_assert_str_eq(v->name, "x");
    ck_assert_uint_eq(v->part, part);
    ck_assert_uint_eq(v->init ? v->init[0] : 0, value);
    ck_assert_uint_eq(v->elsewhere, 0);
    ptx_free(&m);
}

START_TEST(variables) {
    check_taken(".visible .global .u32 x = 5;", ".extern .global .u32 x;", 0, 5);
    check_taken(".visible .global .u64 x = 5;", ".extern .global .b64 x;", 0, 5);
    check_taken(".visible .global .u32 x = 5;", ".extern .global .b8 x[4];", 0, 5);
    check_taken(".visible .global .u32 x[2] = {5};", ".extern .global .u32 x[];", 0, 5);
    check_taken(".weak .global .u32 x = 5;", ".extern .global .u32 x;", 0, 5);
    check_taken(".weak .global .u32 x = 5;", ".weak .global .u32 x = 6;", 0, 5);
    check_taken(".weak .global .u32 x = 5;", ".visible .global .u32 x = 6;", 1, 6);
    check_taken(".visible .global .u32 x = 5;", ".weak .global .u32 x = 6;", 0, 5);
    check_taken(".common .global .u32 x;", ".weak .global .u32 x = 6;", 1, 6);
    check_taken(".common .global .b8 x[4];", ".visible .global .b8 x[8] = {6};", 1, 6);
    check_taken(".common .global .b8 x[4];", ".common .global .b8 x[8];", 1, 0);
    check_taken(".common .global .b8 x[8];", ".common .global .b8 x[4];", 0, 0);
    check_taken(".visible .const .u32 x = 5;", ".extern .const .u32 x;", 0, 5);
    check_taken(".visible .shared .b8 x[64];", ".extern .shared .b8 x[];", 0, 0);
    /* Without a word each module has its own. */
    check_taken(".global .u32 x = 5;", ".global .u32 x = 6;", 1, 6);
    check_taken(".visible .global .u32 x = 5;", ".global .u32 x = 6;", 1, 6);
    /* An undefined variable stays external, and so do parts of dynamic shared memory. */
    check_taken(".global .u32 x = 5;", ".extern .global .u32 x;", 1, 0);
    check_taken(".extern .shared .b8 x[];", ".extern .shared .b8 x[];", 1, 0);
}
END_TEST

START_TEST(functions) {
    struct ptx_module m;
    const struct ptx_function *k;
    const struct ptx_variable *table;
    link_two(HEADER ".weak .func g() { ret; }\n.visible .func f(.param .b32 p) { ret; }\n"
                    ".visible .global .u64 other;",
             HEADER ".weak .func g() { trap; ret; }\n.extern .func f(.param .b32 p);\n"
                    ".extern .global .u64 other;\n"
                    ".global .u64 table[3] = {f, g, generic(other)};\n"
                    ".entry k() { .param .b32 q; call f, (q); call g; ret; }",
             &m);
    k = text_function(&m, "k");
    ck_assert_uint_eq(k->part, 1);
    ck_assert_ptr_eq(&m.functions[text_operand(k, 0, 0)->index], text_function(&m, "f"));
    ck_assert_uint_eq(m.functions[text_operand(k, 0, 0)->index].part, 0);
    ck_assert_uint_eq(text_operand(k, 1, 0)->index, 0);
    ck_assert_uint_eq(m.functions[0].n_code, 1);
    table = text_variable(&m, "table");
    ck_assert_uint_eq(table->relocations[0].symbol, text_operand(k, 0, 0)->index);
    ck_assert_uint_eq(table->relocations[1].symbol, 0);
    ck_assert_uint_eq(m.variables[table->relocations[2].symbol].part, 0);
    ptx_free(&m);
}
END_TEST

/* Opcodes, lines, files and locations keep what they mean; aliases share a body. */
START_TEST(numbers) {
    struct ptx_module m;
    const struct ptx_function *f;
    link_two(HEADER ".file 1 \"first.cu\"\n"
                    ".visible .func f() {\n.loc 1 6 1\ntrap; ret; }\n",
             ".version 9.0\n.target sm_100\n.func twin();\n.file 3 \"second.cu\"\n"
             ".visible .func g() {\n.loc 3 7 1\nbar.sync 0; ret; }\n"
             ".alias twin, g;\n.entry k() { call twin; call g; ret; }",
             &m);
    ck_assert_uint_eq(m.version, 90);
    ck_assert_str_eq(m.target, "sm_100");
    f = text_function(&m, "f");
    ck_assert_str_eq(m.opcodes[f->code[0].opcode].text, "trap");
    ck_assert_str_eq(m.files[m.locs[f->code[0].loc].file], "first.cu");
    for (int i = 0; i < 2; i++) {
        f = text_function(&m, i ? "twin" : "g");
        ck_assert_str_eq(m.opcodes[f->code[0].opcode].text, "bar.sync");
        ck_assert_str_eq(m.opcodes[f->code[1].opcode].text, "ret");
        ck_assert_str_eq(m.files[m.locs[f->code[0].loc].file], "second.cu");
        ck_assert_uint_eq(m.locs[f->code[0].loc].line, 7);
    }
    ptx_free(&m);
}
END_TEST

/* Modules of one text stay apart unless one needs another. */
START_TEST(one_text) {
    static const struct {
        const char *text;
        int linked;
    } cases[] = {
        {HEADER ".visible .global .u32 x;\n" HEADER ".visible .global .u32 x;" USES, 0},
        {HEADER ".weak .global .u32 x;\n" HEADER ".weak .global .u32 x;" USES, 0},
        {HEADER ".extern .shared .b8 x[];\n" HEADER ".extern .shared .b8 x[];" USES, 0},
        {HEADER ".extern .func f();\n" HEADER ".extern .func f();\n", 0},
        {HEADER ".visible .global .u32 x;\n" HEADER ".extern .global .u32 x;" USES, 1},
        {HEADER ".extern .func f();\n" HEADER ".visible .func f() { ret; }\n", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ptx_module m;
        struct wsim_diag diag;
        uint32_t wrong;
        ck_assert_int_eq(link_texts(&cases[i].text, 1, &m, &wrong, &diag), WSIM_OK);
        ck_assert_msg((m.next == NULL) == cases[i].linked, "%s", cases[i].text);
        ptx_free(&m);
    }
}
END_TEST

/* Conflicts of two texts: the place in the second, and words that name the first. */
START_TEST(refused) {
    static const struct {
        const char *a, *b, *rule, *words;
    } cases[] = {
        {".visible .global .u32 x;", ".visible .global .u32 x;", "ptx.name.twice",
         "'x' is already defined in line 4 of a.ptx"},
        {".visible .func x() { ret; }", ".visible .func x() { ret; }", "ptx.name.twice",
         "already defined in line 4 of a.ptx"},
        {".visible .entry x() { ret; }", ".visible .entry x() { ret; }", "ptx.name.twice",
         "already defined in line 4 of a.ptx"},
        {".visible .global .b8 x[4];", ".extern .global .b8 x[8];", "ptx.link.other",
         "'x' has 8 bytes here and 4 in line 4 of a.ptx"},
        {".visible .global .b8 x[8];", ".extern .global .b8 x[4];", "ptx.link.other",
         "'x' has 4 bytes here and 8 in"},
        {".visible .global .b8 x[4];", ".common .global .b8 x[8];", "ptx.link.other",
         "'x' has 8 bytes here and 4 in"},
        {".visible .global .u32 x;", ".extern .const .u32 x;", "ptx.link.other",
         "'x' is .const here and .global in line 4 of a.ptx"},
        {".visible .global .align 4 .b8 x[8];", ".extern .global .align 16 .b8 x[8];",
         "ptx.link.other", "'x' is aligned to 16 bytes here and to 4 in"},
        {".visible .global .u32 x;", ".extern .func x();", "ptx.link.other",
         "'x' is a function here and a variable in line 4 of a.ptx"},
        {".visible .func x(.param .b32 p) { ret; }", ".extern .func x(.param .b64 p);",
         "ptx.function.other", "'x' has other parameters or results than in line 4 of a.ptx"},
        {".visible .func x(.param .b32 p) { ret; }", ".extern .func x(.reg .b32 p);",
         "ptx.function.other", "'x' has other parameters"},
        {".visible .func x() { ret; }", ".extern .func (.param .b32 r) x();", "ptx.function.other",
         "'x' has other parameters"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char a[256], b[256];
        const char *const texts[] = {a, b};
        struct ptx_module m;
        struct wsim_diag diag;
        uint32_t wrong;
        snprintf(a, sizeof a, HEADER "%s", cases[i].a);
        snprintf(b, sizeof b, HEADER "\n%s", cases[i].b);
        ck_assert_int_eq(link_texts(texts, 2, &m, &wrong, &diag), WSIM_ILLEGAL);
        ck_assert_str_eq(diag.rule, cases[i].rule);
        ck_assert_msg(strstr(diag.text, cases[i].words) != NULL, "%s", diag.text);
        ck_assert_uint_eq(wrong, 1);
        ck_assert_uint_eq(diag.line, 5);
        ck_assert_uint_eq(m.n_problems, 1);
        ck_assert_uint_eq(m.problems[0].part, 1);
        ptx_free(&m);
    }
}
END_TEST

int main(void) {
    const TTest *const tests[] = {variables, functions, numbers, one_text, refused};
    return run_tests("unit/ptx/link", tests, sizeof tests / sizeof tests[0]);
}
