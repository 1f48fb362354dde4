/* Instructions of PTX text: comments, labels, guards and directives are skipped; an instruction
 * continues over lines; a source of lines can end or fail. */
#include "../../run.h"

#include <check.h>
#include <string.h>
#include <wsim/harness/statement.h>

#define COUNT(list) ((int)(sizeof(list) / sizeof(list)[0]))

static const struct {
    const char *text, *spellings, *operands; /* of all instructions, with '|' between them */
} texts[] = {
    {"", "", ""},
    {"bar.sync 0;", "bar.sync", "0"},
    {"// a\n/* b;\n */ @!%p1 bra L; L: ret;", "bra|ret", "L|"},
    {".version 9.0\n.reg .b32 %r<4>;\nadd.s32 %r1,\n %r2, 3; }", "add.s32", "%r1,%r2,3"},
    {"add.s32 %r1, %r2; sub.s32 %r1, 1, 2", "add.s32|sub.s32", "%r1,%r2|%r1,1,2"},
    {"mov.b64 {%a, %b}, %c; call (r),\n f, (a\n);", "mov.b64|call", "{%a,%b},%c|(r),f,(a)"},
    {"bar.sync 0 /* no end", "bar.sync", "0"},
};

static void append(char out[1024], const char *text, int first) {
    ck_assert_uint_lt(strlen(out) + strlen(text) + 2, 1024);
    strcat(out, first ? "" : "|");
    strcat(out, text);
}

static void join(struct wsim_statements *in, char spellings[1024], char operands[1024]) {
    struct wsim_statement one;
    *spellings = *operands = '\0';
    for (int i = 0; wsim_statements_next(in, &one); i++) {
        append(spellings, one.spelling, i == 0);
        append(operands, one.operands, i == 0);
    }
}

START_TEST(text) {
    char spellings[1024], operands[1024];
    struct wsim_statements in = wsim_statements_of(texts[_i].text);
    join(&in, spellings, operands);
    ck_assert_str_eq(spellings, texts[_i].spellings);
    ck_assert_str_eq(operands, texts[_i].operands);
    ck_assert(!in.failed);
}
END_TEST

/* Offsets are those of the text, also of an instruction that its end cuts. */
START_TEST(places) {
    static const char text[] = "ret;\n  add.s32 a, b;  sub.s32 c, d";
    static const size_t column[] = {0, 7, 22}, first[] = {3, 14, 29}, end[] = {3, 19, 34};
    struct wsim_statements in = wsim_statements_of(text);
    struct wsim_statement one;
    for (int i = 0; i < 3; i++) {
        ck_assert(wsim_statements_next(&in, &one));
        ck_assert_uint_eq(one.column, column[i]);
        ck_assert_uint_eq(one.first, first[i]);
        ck_assert_uint_eq(one.end, end[i]);
        ck_assert_int_eq(one.ended, i < 2);
        ck_assert_uint_eq(one.line, 1);
    }
    ck_assert(!wsim_statements_next(&in, &one));
}
END_TEST

struct lines {
    const char *const *all;
    int n, fails;
};

static int next_line(void *user, const char **line) {
    struct lines *lines = user;
    if (!lines->n)
        return lines->fails ? -1 : 0;
    lines->n--;
    *line = *lines->all++;
    return 1;
}

START_TEST(lines) {
    static const char *const all[] = {"add.s32 a,", "  b; // c", "ret"};
    struct lines source = {all, 3, _i};
    struct wsim_statements in = wsim_statements_in(next_line, &source);
    struct wsim_statement one;
    ck_assert(wsim_statements_next(&in, &one));
    ck_assert_str_eq(one.operands, "a,b");
    ck_assert_uint_eq(one.line, 1);
    ck_assert(wsim_statements_next(&in, &one));
    ck_assert_str_eq(one.spelling, "ret");
    ck_assert_uint_eq(one.line, 3);
    ck_assert(!wsim_statements_next(&in, &one));
    ck_assert_int_eq(in.failed, _i);
}
END_TEST

/* A spelling that is too long is no spelling. */
START_TEST(longest) {
    char text[2 * WSIM_STATEMENT_SPELLING] = "";
    struct wsim_statement one;
    memset(text, 'a', sizeof text - 1);
    struct wsim_statements in = wsim_statements_of(text);
    ck_assert(wsim_statements_next(&in, &one));
    ck_assert_uint_eq(strlen(one.spelling), WSIM_STATEMENT_SPELLING - 1);
    ck_assert_int_eq(one.spelling[WSIM_STATEMENT_SPELLING - 2], '?');
}
END_TEST

static const struct {
    const char *c, *ptx;
} quoted[] = {
    {"bar.sync 0; // a", "bar.sync 0; "},
    {"asm volatile(\"mov.u32 %0, %%laneid;\" : \"=r\"(x));", "mov.u32 %0, %laneid;"},
    {"asm(\"a \"\n/* \" */ // \"\n\"b;\\n\\tc \\\\ \\x\" :: \"r\"(x))", "a b;\n c \\  "},
    {"\"a; // b\\nc\"", "a; \nc"},
    {"asm(\"no end", "no end"},
    {"asm(\"joined \\\nline\")", "joined line"},
    {"", ""},
};

START_TEST(unquote) {
    char out[128];
    memset(out, '#', sizeof out);
    wsim_statement_unquote(quoted[_i].c, out);
    ck_assert_str_eq(out, quoted[_i].ptx);
    ck_assert_int_eq(out[strlen(quoted[_i].c) + 1], '#');
}
END_TEST

static const struct {
    const char *text, *atom;
} atoms[] = {
    {"SM80_16x8x8 x", "SM80_16x8x8"},
    {" cute::SM90::GMMA<A, B<1>> y", "SM90::GMMA<A, B<1>>"},
    {"MMA_Atom< cute::SM75_U32x4_LDSM_N>", "SM75_U32x4_LDSM_N"},
    {"MMA_Atom<SM80_A<1", "SM80_A<1"},
    {"mma.sync", NULL},
    {"MMA_Atom<x>", NULL},
    {"", NULL},
};

START_TEST(atom) {
    size_t length = 0;
    const char *found = wsim_statement_atom(atoms[_i].text, &length);
    ck_assert_int_eq(found != NULL, atoms[_i].atom != NULL);
    if (found) {
        ck_assert_uint_eq(length, strlen(atoms[_i].atom));
        ck_assert_mem_eq(found, atoms[_i].atom, length);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("statement");
    TCase *tcase = tcase_create("statement");
    tcase_add_loop_test(tcase, text, 0, COUNT(texts));
    tcase_add_test(tcase, places);
    tcase_add_loop_test(tcase, lines, 0, 2);
    tcase_add_test(tcase, longest);
    tcase_add_loop_test(tcase, unquote, 0, COUNT(quoted));
    tcase_add_loop_test(tcase, atom, 0, COUNT(atoms));
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
