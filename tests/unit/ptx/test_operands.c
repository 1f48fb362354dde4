/* Operands: what each spelling of one becomes. */
#include "text.h"

/* One operand as a short text: kind, index or value, elements in parentheses. */
static int describe(const struct ptx_module *m, const struct ptx_function *f,
                    const struct ptx_operand *op, char *out, size_t size);

static int describe_elements(const struct ptx_module *m, const struct ptx_function *f,
                             const struct ptx_operand *op, char *out, size_t size) {
    int n = 0;
    for (uint32_t i = 0; i < op->count; i++) {
        n += snprintf(out + n, size - (size_t)n, i ? "," : "");
        n += describe(m, f, &f->operands[op->first + i], out + n, size - (size_t)n);
    }
    return n;
}

static int describe(const struct ptx_module *m, const struct ptx_function *f,
                    const struct ptx_operand *op, char *out, size_t size) {
    static const char *const parts[] = {"", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1"};
    const char *minus = op->negated ? "!" : "";
    long long value = (long long)op->value;
    int n;
    switch (op->kind) {
    case PTX_OP_REGISTER:
        return snprintf(out, size, "%s%s%s", minus, f->registers[op->index].name, parts[op->part]);
    case PTX_OP_INTEGER: return snprintf(out, size, "%lld%s", value, op->is_unsigned ? "U" : "");
    case PTX_OP_F32: return snprintf(out, size, "f%08llx", (unsigned long long)op->value);
    case PTX_OP_F64: return snprintf(out, size, "d%016llx", (unsigned long long)op->value);
    case PTX_OP_SPECIAL: return snprintf(out, size, "%s", ptx_special_name(op->index));
    case PTX_OP_VARIABLE:
        return snprintf(out, size, "&%s%+lld", m->variables[op->index].name, value);
    case PTX_OP_PARAM: return snprintf(out, size, "param%u%+lld", (unsigned)op->index, value);
    case PTX_OP_LABEL: return snprintf(out, size, "@%u", (unsigned)op->index);
    case PTX_OP_SINK: return snprintf(out, size, "_");
    case PTX_OP_VECTOR:
    case PTX_OP_PAIR:
        n = snprintf(out, size, op->kind == PTX_OP_PAIR ? "pair(" : "(");
        n += describe_elements(m, f, op, out + n, size - (size_t)n);
        return n + snprintf(out + n, size - (size_t)n, ")");
    case PTX_OP_ADDRESS:
        n = snprintf(out, size, "[");
        n += describe_elements(m, f, op, out + n, size - (size_t)n);
        return n + snprintf(out + n, size - (size_t)n, "]%+lld", value);
    default: return snprintf(out, size, "?%u", op->kind);
    }
}

START_TEST(kinds) {
    static const char *const wanted[][2] = {
        {"add.s32 %r1, %r2, %r3;", "%r1 %r2 %r3"},
        {"add.s32 %r1, %r2, -5;", "%r1 %r2 -5"},
        {"add.s32 %r1, %r2, 8U;", "%r1 %r2 8U"},
        {"add.s32 %r1, %r2, 0x10;", "%r1 %r2 16"},
        {"add.s32 %r1, %r2, 017;", "%r1 %r2 15"},
        {"add.s32 %r1, %r2, 0b101U;", "%r1 %r2 5U"},
        {"add.s32\t%r1\n,%r2/*,%r4*/,//x\n%r3;", "%r1 %r2 %r3"},
        {"mov.u64 %rd1, 0xFFFFFFFFFFFFFFFF;", "%rd1 -1U"},
        {"mov.f32 %f1, 0f3F800000;", "%f1 f3f800000"},
        {"mov.f64 %fd1, 0d3ff0000000000000;", "%fd1 d3ff0000000000000"},
        {"mov.f32 %f1, 0.1;", "%f1 f3dcccccd"},
        {"mov.f32 %f1, -2.5e-1;", "%f1 fbe800000"},
        {"mov.f32 %f1, .5;", "%f1 f3f000000"},
        {"mov.f32 %f1, 0d3FF0000000000000;", "%f1 f3f800000"},
        {"mov.f64 %fd1, 0fC0000000;", "%fd1 d00000000c0000000"},
        {"mov.f64 %fd1, -(0f3F800000);", "%fd1 d800000003f800000"},
        {"mov.f32 %f1, -(0f3F800000);", "%f1 f80000000"},
        {"mov.f32 %f1, 0d7FF4000000000001;", "%f1 f7fe00000"},
        {"mov.f32 %f1, 0dFFF8000012345678;", "%f1 fffc00000"},
        {"mov.f32 %f1, 0.0e-999;", "%f1 f00000000"},
        {"mov.f64 %fd1, 1.5 * 2.0 - 1.0 / 4.0;", "%fd1 d4006000000000000"},
        {"mov.b64 %rd1, 1.0;", "%rd1 d3ff0000000000000"},
        {"mov.u32 %r1, %tid.x;", "%r1 %tid.x"},
        {"mov.u32 %r1, %lanemask_lt;", "%r1 %lanemask_lt"},
        {"mov.u32 %r1, %ctaid.b;", "%r1 %ctaid.z"},
        {"mov.u32 %r1, %gridid;", "%r1 %gridid"},
        {"mov.u16 %h1, %tid.y;", "%h1 %tid.y"},
        {"cvt.u32.u8 %r1, %tid.x;", "%r1 %tid.x"},
        {"mov.b32 %r1, %envreg31;", "%r1 %envreg31"},
        {"mov.u32 %r1, WARP_SZ;", "%r1 32"},
        {"mov.u32 %r1, WARP_SZ - 1;", "%r1 31"},
        {"mov.u64 %rd1, g;", "%rd1 &g+0"},
        {"mov.u64 %rd1, g+8;", "%rd1 &g+8"},
        {"mov.u64 %rd1, g[3];", "%rd1 &g+12"},
        {"mov.b32 %r1, b;", "%r1 param1+0"},
        {"ld.global.u32 %r1, [%rd1];", "%r1 [%rd1]+0"},
        {"ld.global.u32 %r1, [ %rd1 + 0 ];", "%r1 [%rd1]+0"},
        {"ld.global.u32 %r1, [%rd1+-16];", "%r1 [%rd1]-16"},
        {"ld.global.u32 %r1, [%rd1-16];", "%r1 [%rd1]-16"},
        {"ld.global.u32 %r1, [%rd1+4*3];", "%r1 [%rd1]+12"},
        {"ld.global.u32 %r1, [g+4];", "%r1 [&g+0]+4"},
        {"ld.global.u32 %r1, [g+4+8];", "%r1 [&g+0]+12"},
        {"ld.global.u32 %r1, g[2];", "%r1 [&g+0]+8"},
        {"ld.param.u64 %rd1, [b];", "%rd1 [param1+0]+0"},
        {"ld.param.u32 %r1, [b+4];", "%r1 [param1+0]+4"},
        {"ld.local.u32 %r1, [16];", "%r1 [16]+0"},
        {"ld.global.v4.f32 {%f1, _, %f3,%f4}, [%rd1];", "(%f1,_,%f3,%f4) [%rd1]+0"},
        {"st.global.v2.u32 [%rd1], {%r1, 7};", "[%rd1]+0 (%r1,7)"},
        {"mov.b64 {%r1, _}, %rd2;", "(%r1,_) %rd2"},
        {"mov.b32 %r1, {%h1, %h2};", "%r1 (%h1,%h2)"},
        {"setp.lt.s32 %p1|%p2, %r1, 4;", "pair(%p1,%p2) %r1 4"},
        {"setp.lt.and.s32 %p1|_, %r1, 4, !%p3;", "pair(%p1,_) %r1 4 !%p3"},
        {"elect.sync _|%p1, -1;", "pair(_,%p1) -1"},
        {"mov.pred %p1, -1;", "%p1 -1"},
        {"selp.b32 %r1, 1, 0, !%p1;", "%r1 1 0 !%p1"},
        {"vadd.s32.s32.s32 %r1, %r2.b3, %r3.h1;", "%r1 %r2.b3 %r3.h1"},
        {"vmad.s32.s32.s32 %r1, %r2, -%r3, %r4;", "%r1 %r2 !%r3 %r4"},
        {"atom.global.add.u32 _, [%rd1], 1;", "_ [%rd1]+0 1"},
        {".reg .v4 .f32 v; mov.f32 v.y, v.w; ", "v v"},
        {".reg .v2 .f32 v; st.global.v2.f32 [%rd1], v;", "[%rd1]+0 (v,v)"},
        {"bra END; END: ret;", "@1"},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        struct ptx_module m;
        char text[256] = "";
        const struct ptx_function *f = text_body(wanted[i][0], &m);
        int n = 0;
        for (uint32_t k = 0; k < f->code[0].count; k++) {
            n += snprintf(text + n, sizeof text - (size_t)n, k ? " " : "");
            n += describe(&m, f, text_operand(f, 0, k), text + n, sizeof text - (size_t)n);
        }
        ck_assert_msg(strcmp(text, wanted[i][1]) == 0, "%s: %s, not %s", wanted[i][0], text,
                      wanted[i][1]);
        ptx_free(&m);
    }
}
END_TEST

/* A component is the register with its number. */
START_TEST(components) {
    struct ptx_module m;
    const struct ptx_function *f = text_body(
        ".reg .v4 .f32 v; mov.f32 v.x, v.y; mov.f32 v.b, v.a; st.global.v4.f32 [%rd1], v;", &m);
    uint32_t first = text_operand(f, 0, 0)->index;
    ck_assert_uint_eq(text_operand(f, 0, 1)->index, first + 1);
    ck_assert_uint_eq(text_operand(f, 1, 0)->index, first + 2);
    ck_assert_uint_eq(text_operand(f, 1, 1)->index, first + 3);
    for (uint32_t i = 0; i < 4; i++)
        ck_assert_uint_eq(f->operands[text_operand(f, 2, 1)->first + i].index, first + i);
    ptx_free(&m);
}
END_TEST

START_TEST(guards) {
    struct ptx_module m;
    const struct ptx_function *f =
        text_body("@%p3 mov.u32 %r1, 1; @!%p5 mov.u32 %r1, 2; @ ! %p3 ret; ret;", &m);
    ck_assert_str_eq(f->registers[f->code[0].guard].name, "%p3");
    ck_assert_uint_eq(f->code[0].guard_not, 0);
    ck_assert_str_eq(f->registers[f->code[1].guard].name, "%p5");
    ck_assert_uint_eq(f->code[1].guard_not, 1);
    ck_assert_uint_eq(f->code[2].guard, f->code[0].guard);
    ck_assert_uint_eq(f->code[2].guard_not, 1);
    ck_assert_uint_eq(f->code[3].guard, PTX_NO_GUARD);
    ptx_free(&m);
}
END_TEST

/* As C computes them, with three exceptions. Results of ~ and % are unsigned. ?: keeps the type of
 * the chosen operand. Shifts go by the distance modulo 64. The CUDA 13.0 assembler computes 6,000
 * random expressions so. */
START_TEST(expressions) {
    static const struct {
        const char *text;
        long long value;
        int is_unsigned;
    } wanted[] = {
        {"1 + 2 * 3", 7, 0},
        {"(1 + 2) * 3", 9, 0},
        {"1 - 2 - 3", -4, 0},
        {"7 / -2", -3, 0},
        {"-7 % 3", 0, 1},
        {"7 % -3", 7, 1},
        {"7 % 16 < -1", 1, 0},
        {"7U / 2", 3, 1},
        {"0xFFFFFFFFFFFFFFFF / 2", 0x7FFFFFFFFFFFFFFF, 1},
        {"1 << 4 | 3", 19, 0},
        {"1 << 64", 1, 0},
        {"7 << 101", 0xe000000000, 0},
        {"-16 >> 2", -4, 0},
        {"-16 >> 70", -1, 0},
        {"0x8000000000000000 >> 63", 1, 1},
        {"6 & 3 ^ 1", 3, 0},
        {"6 ^ 3 & 1", 7, 0},
        {"~5", -6, 1},
        {"~1 / 3", 0x5555555555555554, 1},
        {"(-7) / (4 | 1)", -1, 0},
        {"(-1 & -7) < 0", 1, 0},
        {"!5 + !0", 1, 0},
        {"3 > 2", 1, 0},
        {"-1 < 1", 1, 0},
        {"-1 < 1U", 0, 0},
        {"2 <= 2 && 2 >= 3 || 4 == 4", 1, 0},
        {"3 != 3", 0, 0},
        {"1 ? 2 : 3", 2, 0},
        {"0 ? 2 : 1 ? 4 : 5", 4, 0},
        {"(1 ? 0 : 5U) > -1", 1, 0},
        {"(.u64)-1 / 2 ", 0x7FFFFFFFFFFFFFFF, 1},
        {"(.s64)0xFFFFFFFFFFFFFFFF", -1, 0},
        {"- - 3", 3, 0},
        {"+3", 3, 0},
        {"2*(3+(4-(5)))", 4, 0},
        {"WARP_SZ*2", 64, 0},
        {"0x8000000000000000 / -1U", 0, 1},
        {"-9223372036854775807 - 1", (-9223372036854775807 - 1), 0},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        struct ptx_module m;
        char text[128];
        snprintf(text, sizeof text, "mov.u64 %%rd1, %s;", wanted[i].text);
        const struct ptx_operand *op = text_operand(text_body(text, &m), 0, 1);
        ck_assert_msg((long long)op->value == wanted[i].value, "%s: %lld", wanted[i].text,
                      (long long)op->value);
        ck_assert_msg(op->is_unsigned == wanted[i].is_unsigned, "%s: signed", wanted[i].text);
        ptx_free(&m);
    }
}
END_TEST

START_TEST(calls) {
    struct ptx_module m;
    text_read(HEADER
              ".func (.param .b32 r) f(.param .b64 x, .param .b32 y) { ret; }\n.func g() { ret; }\n"
              ".entry k() { .reg .b64 %rd<3>; { .param .b32 out; .param .b64 in; .param .b32 i2;\n"
              "st.param.b64 [in+0], %rd1;\ncall.uni (out),\nf,\n(\nin,\ni2\n);\n}\ncall g;\n"
              "proto: .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 8 .b8 _[24]) "
              ".noreturn;\nlist: .calltargets f, g;\n{ .param .b32 o; .param .b64 i; .param .align "
              "8 .b8 s[24];"
              "call (o), %rd1, (i, s), proto; call %rd2, list; } }\n",
              &m);
    const struct ptx_function *k = text_function(&m, "k");
    ck_assert_uint_eq(k->code[1].count, 3);
    ck_assert_uint_eq(text_operand(k, 1, 0)->kind, PTX_OP_VECTOR);
    ck_assert_uint_eq(text_operand(k, 1, 1)->kind, PTX_OP_FUNCTION);
    ck_assert_str_eq(m.functions[text_operand(k, 1, 1)->index].name, "f");
    const struct ptx_operand *list = text_operand(k, 1, 2);
    ck_assert_uint_eq(list->count, 2);
    ck_assert_uint_eq(k->operands[list->first].kind, PTX_OP_VARIABLE);
    const struct ptx_variable *in = &m.variables[k->operands[list->first].index];
    ck_assert_str_eq(in->name, "in");
    ck_assert_int_eq(in->space, PTX_PARAM);
    ck_assert_int_eq(in->function, (int)(k - m.functions));
    ck_assert_uint_eq(k->code[2].count, 1);
    ck_assert_uint_eq(text_operand(k, 3, 3)->kind, PTX_OP_PROTOTYPE);
    const struct ptx_prototype *p = &k->prototypes[text_operand(k, 3, 3)->index];
    ck_assert_uint_eq(p->n_results, 1);
    ck_assert_uint_eq(p->n_params, 2);
    ck_assert_uint_eq(p->params[1].bytes, 24);
    ck_assert_uint_eq(text_operand(k, 4, 1)->kind, PTX_OP_TABLE);
    const struct ptx_table *t = &k->tables[text_operand(k, 4, 1)->index];
    ck_assert_uint_eq(t->count, 2);
    ck_assert_str_eq(m.functions[k->operands[t->first + 1].index].name, "g");
    ptx_free(&m);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {kinds, components, guards, expressions, calls};
    return run_tests("unit/ptx/operands", tests, sizeof tests / sizeof tests[0]);
}
