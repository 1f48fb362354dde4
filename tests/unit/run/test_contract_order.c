/* Which of two values of f64 machine code has in front. Both are NaNs, and the sum has the payload
 * of the second one. The cases were read out of machine code (lab/contract/order.py). */
#include "kernel.h"

#define A 1u
#define B 2u

/* Ways to make a value: %fd1 or %fd2 of the NaN %fd5 or %fd6. */
#define LOAD_A "ld.volatile.global.f64 %fd1, [%rd0+8];"
#define LOAD_B "ld.volatile.global.f64 %fd2, [%rd0+16];"
#define DIV_A "div.rn.f64 %fd1, %fd5, %fd7;"
#define DIV_B "div.rn.f64 %fd2, %fd6, %fd7;"
#define SELP_A "selp.f64 %fd1, %fd5, %fd7, %p1;"
#define SELP_B "selp.f64 %fd2, %fd6, %fd7, %p1;"
#define GUARD_A "mov.f64 %fd1, %fd7; @%p1 add.f64 %fd1, %fd5, %fd7;"
#define BRANCH_A "mov.f64 %fd1, %fd7; @!%p1 bra X; add.f64 %fd1, %fd5, %fd7; X:"

static const struct {
    const char *body;
    uint32_t front; /* 0: as in the text */
} orders[] = {
    {LOAD_A LOAD_B, A},
    {LOAD_B LOAD_A, B},
    {DIV_A LOAD_B, B},
    {LOAD_B DIV_A, B},
    {DIV_A DIV_B, B},
    {DIV_B DIV_A, A},
    {"div.rz.f64 %fd1, %fd5, %fd7;" LOAD_B, A},
    {"rcp.rn.f64 %fd1, %fd5;" LOAD_B, B},
    {"rcp.approx.ftz.f64 %fd1, %fd5;" LOAD_B, A},
    {"sqrt.rn.f64 %fd1, %fd5;" LOAD_B, B},
    {"rsqrt.approx.f64 %fd1, %fd5;" LOAD_B, B},
    {"rsqrt.approx.f64 %fd1, %fd5;" SELP_B, A},
    {SELP_A LOAD_B, B},
    {LOAD_B SELP_A, B},
    {SELP_A DIV_B, B},
    {DIV_B SELP_A, B},
    {SELP_A SELP_B, 0},
    {GUARD_A LOAD_B, B},
    {GUARD_A DIV_B, B},
    {GUARD_A SELP_B, 0},
    {GUARD_A "@%p2 bra Y; st.global.f64 [%rd0+64], %fd7; Y:" DIV_B, B},
    {BRANCH_A DIV_B, B},
    {BRANCH_A SELP_B, A},
    {"mov.f64 %fd1, %fd7; @%p1 ld.global.f64 %fd1, [%rd0+8];" SELP_B, A},
    {"mov.b64 %rd1, %fd5; or.b64 %rd1, %rd1, 4; mov.b64 %fd1, %rd1;" DIV_B, B},
    {"mov.b64 %rd1, %fd5; or.b64 %rd1, %rd1, 4; mov.b64 %fd1, %rd1;" SELP_B, 0},
    {"mov.b64 %fd1, %rd3;" SELP_B, B},
};

#define BEGIN                                                                                      \
    KERNEL_HEAD ".visible .entry k(.param .u64 data)\n{\n" KERNEL_REGISTERS                        \
                "ld.param.u64 %rd0, [data]; mov.u32 %r0, %tid.x;\n"                                \
                "ld.volatile.global.f64 %fd5, [%rd0+8]; ld.volatile.global.f64 %fd6, [%rd0+16];\n" \
                "ld.volatile.global.f64 %fd7, [%rd0+24]; mov.b64 %rd3, 0x7FF8000100000000;\n"      \
                "setp.eq.u32 %p1, %r0, 0; setp.ne.u32 %p2, %r0, 0;\n"

START_TEST(order_of_operands) {
    static const char *const texts[] = {"%fd1, %fd2", "%fd2, %fd1"};
    for (unsigned t = 0; t < 2; t++) {
        char text[4096];
        struct kernel kernel = {.text = text};
        const uint32_t front = orders[_i].front ? orders[_i].front : t ? B : A;
        snprintf(text, sizeof text,
                 "%s%s\nadd.rn.f64 %%fd3, %s;\nst.global.f64 [%%rd0], %%fd3;\nret;\n}\n", BEGIN,
                 orders[_i].body, texts[t]);
        kernel.words[3] = 0x7FF80000 + A;
        kernel.words[5] = 0x7FF80000 + B;
        kernel.words[7] = 0x3FF00000;
        kernel_good(&kernel, 1, 1);
        expect(kernel.words[1] == 0x7FF80000 + (front == A ? B : A), "%s %s: %x", orders[_i].body,
               texts[t], (unsigned)kernel.words[1]);
    }
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{order_of_operands, 0, COUNT(orders)}};
    return every_run("unit/run/contract_order", tests, COUNT(tests));
}
