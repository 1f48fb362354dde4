/* Registers that no instruction has written. Each use is found, with the line of the read. Twins
 * that write the register first, or drop its bits, are silent. */
#include "launched.h"

static struct launched launched;

#define BEGIN                                                                                      \
    ".version 8.7\n.target sm_90a\n.address_size 64\n"                                             \
    ".func (.reg .b32 %y) twice(.reg .b32 %x)\n{\n.reg .b32 %z;\nadd.u32 %y, %x, %x;\nret;\n}\n"   \
    ".func (.reg .b32 %y) careless(.reg .b32 %x)\n{\n.reg .b32 %z;\nadd.u32 %y, %x, %z;\nret;\n"   \
    "}\n.visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .b32 %r<32>;\n"                \
    ".reg .b64 %d<16>;\n.reg .b16 %h<4>;\n.reg .f32 %f<16>;\n.reg .f64 %e<4>;\n.reg .b128 %q<3>;"  \
    "\n.reg .pred %p<8>;\nld.param.u64 %d0, [in];\nld.param.u64 %d1, [out];\n"                     \
    "mov.u32 %r0, %tid.x;\nsetp.lt.u32 %p1, %r0, 16;\n"
#define END "\nret;\n}\n"
#define PTX(body) BEGIN body END
#define STORE(reg) "st.global.u32 [%d1], " reg ";"
#define LOOP(body)                                                                                 \
    "mov.u32 %r1, 0;\nagain:\n" body                                                               \
    "add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p2, %r1, 3;\n@%p2 bra again;\n"

static void start(void) {
    launched = (struct launched){.grid = 2, .block = 32, .checks = WSIM_CHECK_INIT};
}

/* It ends well, with one finding: in the line of `word`, of this register, which it uses so. */
static const struct {
    const char *ptx, *word, *reg, *use;
} unset[] = {
    {PTX(STORE("%r9")), "st.global", "%r9", "stores the value"},
    {PTX("add.u32 %r3, %r9, 1;\n" STORE("%r3")), "add.u32 %r3", "%r9", "stores the value"},
    {PTX("@%p5 bra end;\n" STORE("%r0") "\nend:"), "@%p5", "%p5", "branches on the value"},
    {PTX("add.u64 %d5, %d0, %d9;\nld.global.u32 %r3, [%d5];"), "add.u64", "%d9",
     "uses the value as an address"},
    {PTX("mov.b32 %r3, {%h1, %h1};\n" STORE("%r3")), "mov.b32 %r3", "%h1", "stores the value"},
    {PTX("st.global.f64 [%d1], %e1;"), "st.global.f64", "%e1", "stores the value"},
    {PTX("st.global.b128 [%d1], %q1;"), "st.global.b128", "%q1", "stores the value"},
    /* A sum that begins with nothing: the loop writes it later. */
    {PTX(LOOP("add.f32 %f1, %f1, 0f3F800000;\n") "st.global.f32 [%d1], %f1;"), "add.f32", "%f1",
     "stores the value"},
    {PTX(LOOP("fma.rn.f32 %f1, 0f40000000, 0f3F800000, %f1;\nfma.rn.f32 %f1, 0f40000000, "
              "0f3F800000, %f1;\n") "st.global.f32 [%d1], %f1;"),
     "fma.rn", "%f1", "stores the value"},
    {PTX("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r0, %r0}, "
         "{%r0}, {%f1, %f2, %f3, %f4};\nst.global.f32 [%d1], %f1;"),
     "mma.sync", "%f1", "stores the value"},
    /* Both ways read it. */
    {PTX("@%p1 bra low;\nadd.u32 %r3, %r9, 1;\nbra end;\nlow:\nadd.u32 %r3, %r9, 2;\nend:\n" STORE(
         "%r3")),
     "add.u32 %r3, %r9, 1", "%r9", "stores the value"},
    /* The write stands in front, and no path executes it before the read. */
    {PTX("bra middle;\nfront:\nmov.u32 %r9, 1;\nbra end;\nmiddle:\nadd.u32 %r3, %r9, 2;\n" STORE(
         "%r3") "\nbra front;\nend:"),
     "add.u32 %r3", "%r9", "stores the value"},
    {PTX("call (%r3), careless, (%r0);\n" STORE("%r3")), "add.u32 %y, %x, %z", "%z",
     "stores the value"},
    {PTX("call (%r3), twice, (%r9);\n" STORE("%r3")), "call (%r3), twice", "%r9",
     "stores the value"},
    {PTX("vote.sync.any.pred %p3, %p5, -1;\nselp.u32 %r3, 1, 0, %p3;\n" STORE("%r3")), "vote.sync",
     "%p5", "stores the value"},
};

static const char *const set[] = {
    PTX("mov.u32 %r9, 1;\n" STORE("%r9")),
    /* Nothing of the value is left. */
    PTX("and.b32 %r3, %r9, 0;\n" STORE("%r3")),
    PTX("add.u32 %r3, %r9, 1;\n" STORE("%r0")),
    PTX("mov.b32 %r3, {%h1, %h2};\nshr.u32 %r3, %r3, 31;\nmov.b64 %d5, {%r0, %r9};\n"
        "st.global.u32 [%d1], %d5;"),
    PTX("selp.b32 %r3, %r0, %r9, %p1;\nsetp.lt.u32 %p2, %r0, 8;\n@%p2 " STORE("%r3")),
    /* Each lane has one of two writes. */
    PTX("@%p1 mov.u32 %r9, 1;\n@!%p1 mov.u32 %r9, 2;\n" STORE("%r9")),
    PTX("@%p1 bra low;\nmov.u32 %r9, 1;\nbra end;\nlow:\nmov.u32 %r9, 2;\nend:\n" STORE("%r9")),
    PTX("call (%r9), twice, (%r0);\n" STORE("%r9")),
    PTX(LOOP("@!%p1 mov.u32 %r9, 1;\n@%p1 mov.u32 %r9, 2;\n") STORE("%r9")),
    /* No path comes to the read. */
    PTX("bra end;\n" STORE("%r9") "\nend:"),
    PTX("setp.lt.u32 %p2, %r0, 64;\n@%p2 bra end;\n" STORE("%r9") "\nend:"),
};

START_TEST(registers_without_a_write_are_found) {
    const char *text = unset[_i].ptx;
    start();
    launch(&launched, text);
    ck_assert_msg(launched.status == WSIM_OK, "%s", launched.diag.text);
    ck_assert_msg(launched.findings == 1, "%u findings: %s %s", (unsigned)launched.findings,
                  launched.rule, launched.text);
    ck_assert_str_eq(launched.rule, "init.register");
    ck_assert_uint_eq(launched.line, line_of(text, unset[_i].word));
    ck_assert_msg(strstr(launched.text, unset[_i].reg) && strstr(launched.text, unset[_i].use),
                  "%s", launched.text);
    launched.checks = WSIM_CHECK_ALL & ~(WSIM_CHECK_INIT | WSIM_CHECK_RACE);
    launch_good(&launched, text);
}
END_TEST

START_TEST(registers_with_a_write_are_silent) {
    start();
    launch_good(&launched, set[_i]);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {registers_without_a_write_are_found, 0, (int)(sizeof unset / sizeof unset[0])},
        {registers_with_a_write_are_silent, 0, (int)(sizeof set / sizeof set[0])},
    };
    return every_run("check_unset", tests, (int)(sizeof tests / sizeof tests[0]));
}
