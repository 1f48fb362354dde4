/* Names in nested scopes: the innermost counts, siblings know nothing of each other, labels are
 * known in all of their scope. */
#include "text.h"

/* Labels: the numbers of the instructions that branches go to, in order of the branches. */
START_TEST(labels) {
    static const struct {
        const char *text;
        uint32_t to[4];
    } wanted[] = {
        {"L: bra L;", {0}},
        {"bra L; L:", {1}},
        {"{ bra L; } trap; L: ret;", {2}},
        {"{ L: bra L; } { L: bra L; }", {0, 1}},
        {"L: trap; { bra L; L: ret; }", {2}},
        {"L: trap; { bra L; { L: ret; bra L; } bra L; }", {0, 2, 0}},
        {"{ bra L; { L: trap; bra L; } } L: ret;", {3, 1}},
        {"A: B: bra A; bra B; C: D: bra D;", {0, 0, 2}},
        {"bra $L__BB0_1; $L__BB0_1 : ret;", {1}},
        {"bra %label; %label: ret;", {1}},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        struct ptx_module m;
        const struct ptx_function *f = text_body(wanted[i].text, &m);
        uint32_t n = 0;
        for (uint32_t k = 0; k < f->n_code; k++) {
            if (strcmp(m.opcodes[f->code[k].opcode].text, "bra") != 0)
                continue;
            ck_assert_uint_eq(text_operand(f, k, 0)->kind, PTX_OP_LABEL);
            ck_assert_msg(text_operand(f, k, 0)->index == wanted[i].to[n], "%s: branch %u to %u",
                          wanted[i].text, (unsigned)n, (unsigned)text_operand(f, k, 0)->index);
            n++;
        }
        ptx_free(&m);
    }
}
END_TEST

/* Registers: which ones are the same. Equal letters are equal registers. */
START_TEST(registers) {
    static const char *const wanted[][2] = {
        {"not.b32 %r1, %r2; not.b32 %r1, %r2;", "abab"},
        {"not.b32 %r1, %r2; { .reg .b32 %r1; not.b32 %r1, %r2; } not.b32 %r1, %r2;", "abcbab"},
        {"{ .reg .b32 x; not.b32 x, %r1; } { .reg .b32 x; not.b32 x, %r1; }", "abcb"},
        {"not.b32 %r1, %r2; { .reg .b32 %r<2>; not.b32 %r1, %r2; } not.b32 %r1, %r2;", "abcbab"},
        {"{ .reg .b32 %r<2>; not.b32 %r1, %r2; } not.b32 %r1, %r2;", "abcb"},
        {".reg .b32 %q1<20>, %q<2>; not.b32 %q119, %q10; not.b32 %q1, %q10;", "abcb"},
        {".reg .b32 a1, a01; not.b32 a1, a01; .reg .b32 z<3>; not.b32 z0, z2;", "abcd"},
        {".reg .b32 %tid; not.b32 %tid, %r1; { .reg .b32 %tid; not.b32 %tid, %r1; }", "abcb"},
        {"{ .reg .b32 %r<8>; { .reg .b32 %r3; not.b32 %r3, %r4; } not.b32 %r3, %r4; }", "abcb"},
        {"{ { not.b32 %r1, %r2; } not.b32 %r1, %r2; }", "abab"},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        struct ptx_module m;
        const struct ptx_function *f = text_body(wanted[i][0], &m);
        uint32_t of[26], n = 0;
        for (int c = 0; c < 26; c++)
            of[c] = UINT32_MAX;
        for (uint32_t k = 0; k < f->n_code; k++)
            for (uint32_t o = 0; o < 2; o++, n++) {
                uint32_t *same = &of[wanted[i][1][n] - 'a'], index = text_operand(f, k, o)->index;
                for (int c = 0; c < 26 && *same == UINT32_MAX; c++)
                    ck_assert_msg(of[c] != index, "%s: %u is another", wanted[i][0], (unsigned)n);
                *same = *same == UINT32_MAX ? index : *same;
                ck_assert_msg(*same == index, "%s: %u is not the same", wanted[i][0], (unsigned)n);
            }
        ck_assert_uint_eq(n, strlen(wanted[i][1]));
        ptx_free(&m);
    }
}
END_TEST

/* Only what is used exists, whatever is declared. */
START_TEST(families) {
    struct ptx_module m;
    const struct ptx_function *f =
        text_body(".reg .b32 %many<4000000000>; not.b32 %many3999999999, %many7;", &m);
    ck_assert_uint_eq(f->n_registers, 2);
    ck_assert_str_eq(f->registers[0].name, "%many3999999999");
    ck_assert_str_eq(f->registers[1].type.name, "b32");
    ck_assert_uint_eq(f->registers[1].type.bits, 32);
    ptx_free(&m);
}
END_TEST

/* Names outside of their scope or family are unknown. */
START_TEST(unknown) {
    static const char *const wanted[] = {
        "{ .reg .b32 x; } not.b32 x, %r1;",
        "not.b32 %r8, %r1;",
        "not.b32 %r01, %r1;",
        "bra L; { L: ret; }",
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        char text[512], sentence[WSIM_DIAG_TEXT];
        snprintf(text, sizeof text, HEADER ".entry k() { .reg .b32 %%r<8>;\n%s }", wanted[i]);
        ck_assert_int_eq(text_problem(text, sentence), WSIM_ILLEGAL);
        ck_assert_msg(strstr(sentence, "is not declared"), "%s", sentence);
    }
}
END_TEST

/* Variables of a block, with one name in two blocks. */
START_TEST(variables) {
    struct ptx_module m;
    const struct ptx_function *f = text_body(
        "{ .shared .u32 s; st.shared.u32 [s], %r1; } { .shared .u64 s; st.shared.u64 [s], %rd1; }"
        ".local .align 8 .b8 depot[24]; st.local.u32 [depot+4], %r1;",
        &m);
    uint32_t first = f->operands[text_operand(f, 0, 0)->first].index;
    uint32_t second = f->operands[text_operand(f, 1, 0)->first].index;
    uint32_t depot = f->operands[text_operand(f, 2, 0)->first].index;
    ck_assert_uint_ne(first, second);
    ck_assert_uint_eq(m.variables[first].bytes, 4);
    ck_assert_uint_eq(m.variables[second].bytes, 8);
    ck_assert_uint_eq(m.variables[depot].bytes, 24);
    ck_assert_int_eq(m.variables[depot].space, PTX_LOCAL);
    ptx_free(&m);
}
END_TEST

START_TEST(branch_tables) {
    struct ptx_module m;
    const struct ptx_function *f = text_body(
        "ts: .branchtargets B, A, B, C;\nbrx.idx %r1, ts;\nA: trap;\nB: exit;\nC: ret;", &m);
    const struct ptx_operand *op = text_operand(f, 0, 1);
    ck_assert_uint_eq(op->kind, PTX_OP_TABLE);
    const struct ptx_table *t = &f->tables[op->index];
    ck_assert_uint_eq(t->count, 4);
    static const uint32_t to[] = {2, 1, 2, 3};
    for (uint32_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(f->operands[t->first + i].kind, PTX_OP_LABEL);
        ck_assert_uint_eq(f->operands[t->first + i].index, to[i]);
    }
    ptx_free(&m);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {labels, registers, families, unknown, variables, branch_tables};
    return run_tests("unit/ptx/scopes", tests, sizeof tests / sizeof tests[0]);
}
