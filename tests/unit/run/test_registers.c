/* The registers that machine code would need: the words that live at once, and those that it adds.
 */
#include "kernel.h"

enum { ADDED = 8 };

#define LOADS "ld.global.u32 %r1, [%d1]; ld.global.u32 %r2, [%d1+4]; ld.global.u32 %r3, [%d1+8];\n"

static const struct {
    const char *body;
    uint32_t live;
} texts[] = {
    /* one value at a time */
    {"ld.global.u32 %r1, [%d1]; st.global.u32 [%d1], %r1;\n"
     "ld.global.u32 %r2, [%d1]; st.global.u32 [%d1], %r2;\n",
     1},
    {LOADS "st.global.u32 [%d1], %r3; st.global.u32 [%d1], %r2; st.global.u32 [%d1], %r1;\n", 3},
    /* a result takes the place of an operand that ends there */
    {"ld.global.u32 %r1, [%d1]; add.u32 %r2, %r1, 1; add.u32 %r3, %r2, 1; st.global.u32 [%d1], "
     "%r3;\n",
     1},
    /* parameters, numbers and copies of them are operands; %tid.x is not */
    {"mov.u32 %r1, 7; mov.u32 %r2, %r1; mov.u32 %r3, %tid.x; st.global.u32 [%d1], %r3;\n"
     "st.global.u32 [%d1], %r2;\n",
     1},
    /* predicates have their own registers, 64 bits are two words */
    {"ld.global.u64 %d2, [%d1]; setp.eq.u64 %p1, %d2, 0; setp.eq.u64 %p2, %d2, 1;\n"
     "@%p1 st.global.u64 [%d1], %d2; @%p2 st.global.u64 [%d1+8], %d2;\n",
     2},
    /* %r1 lives to the end of the loop that reads it, and beside %r2 and %r3 */
    {LOADS "loop: add.u32 %r2, %r2, %r1;\n ld.global.u32 %r4, [%d1]; st.global.u32 [%d1], %r4;\n"
           "setp.lt.u32 %p1, %r2, 100; @%p1 bra loop; st.global.u32 [%d1], %r3;\n",
     4},
    /* the same without a loop */
    {LOADS "add.u32 %r2, %r2, %r1;\n ld.global.u32 %r4, [%d1]; st.global.u32 [%d1], %r4;\n"
           "setp.lt.u32 %p1, %r2, 100; @%p1 bra done; st.global.u32 [%d1], %r3; done:\n",
     3},
    /* through the outer loop: a value that the inner one names */
    {"ld.global.u32 %r1, [%d1];\nouter: mov.u32 %r2, %tid.x;\n"
     "inner: add.u32 %r2, %r2, %r1; setp.lt.u32 %p1, %r2, 9; @%p1 bra inner;\n"
     "st.global.u32 [%d1], %r2; ld.global.u32 %r3, [%d1+4]; ld.global.u32 %r4, [%d1+8];\n"
     "st.global.u32 [%d1], %r3; setp.lt.u32 %p2, %r4, 9; @%p2 bra outer;\n",
     3},
};

static uint32_t registers_of(const char *body) {
    char text[9000];
    struct wsim_module *module;
    struct wsim_kernel_info info;
    struct wsim_diag diag;
    snprintf(
        text, sizeof text,
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 p) {\n.reg .b64 %%d<4>; .reg .b32 %%r<120>;\n"
        ".reg .pred %%p<3>;\nld.param.u64 %%d0, [p]; cvta.to.global.u64 %%d1, %%d0;\n%sret;\n}\n",
        body);
    ck_assert_msg(!wsim_module_load(text, strlen(text), 0, &module, &diag), "%u: %s", diag.line,
                  diag.text);
    wsim_kernel_describe(wsim_module_kernel(module, 0), &info);
    wsim_module_free(module);
    return info.machine_registers;
}

START_TEST(values_that_live_at_once_need_registers) {
    ck_assert_uint_eq(registers_of(texts[_i].body), texts[_i].live + ADDED);
}
END_TEST

/* Where many values live, the assembler moves some to their uses: half of those above 48. */
START_TEST(many_values_need_fewer) {
    char body[8192];
    for (uint32_t n = 46; n <= 110; n += 2) {
        size_t at = 0;
        for (uint32_t i = 0; i < n; i++)
            at +=
                (size_t)snprintf(body + at, sizeof body - at, "ld.global.u32 %%r%u, [%%d1];\n", i);
        for (uint32_t i = 0; i < n; i++)
            at +=
                (size_t)snprintf(body + at, sizeof body - at, "st.global.u32 [%%d1], %%r%u;\n", i);
        ck_assert_uint_eq(registers_of(body), ADDED + (n <= 48 ? n : 48 + (n - 48) / 2));
    }
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {values_that_live_at_once_need_registers, 0, COUNT(texts)},
        {many_values_need_fewer, 0, 1},
    };
    return every_run("unit/run/registers", tests, COUNT(tests));
}
