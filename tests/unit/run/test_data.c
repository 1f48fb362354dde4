/* Instructions that only compute, in forms that a lane's judge does not know: a minimum or maximum
 * of three. */
#include "kernel.h"

#define NAN_A "0f7FC12345"
#define NAN_B "0fFFFFFFFF"

static const struct {
    const char *body;
    uint32_t result; /* %f5 */
} thirds[] = {
    {"max.f32 %f5, %f1, %f2, %f3;", 0x40400000u}, /* 1, -2 and 3 */
    {"max.f32 %f5, %f3, %f1, %f2;", 0x40400000u},
    {"max.f32 %f5, %f2, %f3, %f1;", 0x40400000u},
    {"min.f32 %f5, %f1, %f2, %f3;", 0xc0000000u},
    {"min.f32 %f5, %f3, %f1, %f2;", 0xc0000000u},
    {"min.f32 %f5, %f2, %f3, %f1;", 0xc0000000u},
    /* the result is one of the sources */
    {"mov.f32 %f5, %f3; max.f32 %f5, %f1, %f2, %f5;", 0x40400000u},
    {"mov.f32 %f5, %f2; min.f32 %f5, %f5, %f1, %f3;", 0xc0000000u},
    /* and of lanes that are not active nothing is written */
    {"mov.f32 %f5, %f1; @%p1 max.f32 %f5, %f2, %f2, %f3;", 0x3f800000u},
    /* one that is no number counts if all are none, or with .NaN */
    {"max.f32 %f5, " NAN_A ", %f1, %f2;", 0x3f800000u},
    {"max.f32 %f5, %f2, " NAN_A ", %f1;", 0x3f800000u},
    {"max.f32 %f5, %f1, %f2, " NAN_A ";", 0x3f800000u},
    {"min.f32 %f5, " NAN_A ", " NAN_B ", %f3;", 0x40400000u},
    {"max.f32 %f5, " NAN_A ", " NAN_B ", " NAN_A ";", 0x7fffffffu},
    {"max.NaN.f32 %f5, %f1, %f2, " NAN_A ";", 0x7fffffffu},
    {"min.NaN.f32 %f5, " NAN_B ", %f2, %f1;", 0x7fffffffu},
    {"min.NaN.f32 %f5, %f3, %f1, %f3;", 0x3f800000u},
    /* zeros have an order, and flushed numbers are zeros */
    {"max.f32 %f5, 0f80000000, 0f80000000, 0f00000000;", 0x00000000u},
    {"min.f32 %f5, 0f00000000, 0f00000000, 0f80000000;", 0x80000000u},
    {"max.f32 %f5, 0f80000001, 0f80000002, 0f80000003;", 0x80000001u},
    {"max.ftz.f32 %f5, 0f80000000, 0f80000002, 0f00000003;", 0x00000000u},
    {"min.ftz.f32 %f5, %f3, %f1, 0f00000003;", 0x00000000u},
    /* without their signs */
    {"max.abs.f32 %f5, %f1, 0fC0800000, %f3;", 0x40800000u},
    {"max.abs.f32 %f5, %f1, %f3, 0fC0800000;", 0x40800000u},
    {"min.abs.f32 %f5, %f3, %f2, 0fC0800000;", 0x40000000u},
    {"min.abs.f32 %f5, " NAN_B ", %f2, " NAN_A ";", 0x40000000u},
    {"max.NaN.abs.f32 %f5, %f1, %f2, " NAN_B ";", 0x7fffffffu},
    {"min.ftz.abs.f32 %f5, %f1, 0f80000003, %f3;", 0x00000000u},
    {"min.abs.f32 %f5, %f1, 0f80000003, %f3;", 0x00000003u},
};

START_TEST(minima_and_maxima_of_three) {
    char text[2048];
    struct kernel kernel = {.text = text, .arch = _i & 1 ? "sm_120" : "sm_100"};
    snprintf(text, sizeof text, "%s%s%s",
             KERNEL_HEAD ".visible .entry k(.param .u64 data)\n{\n" KERNEL_REGISTERS
                         "ld.param.u64 %rd0, [data];\nmov.u32 %r0, %tid.x;\n"
                         "setp.ne.u32 %p1, %r0, %r0;\nmov.f32 %f1, 0f3F800000;\n"
                         "mov.f32 %f2, 0fC0000000;\nmov.f32 %f3, 0f40400000;\n",
             thirds[_i].body, "\nmov.b32 %r5, %f5;\n" STORE_AT("%r0", "%r5") "ret;\n}\n");
    kernel_good(&kernel, 1, 33);
    for (unsigned lane = 0; lane < 33; lane++)
        ck_assert_msg(kernel.words[lane] == thirds[_i].result, "%s lane %u: %08x, not %08x",
                      thirds[_i].body, lane, kernel.words[lane], thirds[_i].result);
}
END_TEST

/* Instructions without such a form take two. */
START_TEST(others_take_two) {
    static const char *const texts[] = {"max.s32 %r1, %r2, %r3, %r4;",
                                        "max.f64 %fd1, %fd2, %fd3, %fd4;",
                                        "max.xorsign.abs.f32 %f1, %f2, %f3, %f4;",
                                        "add.f32 %f1, %f2, %f3, %f4;",
                                        "max.f32 %f1, %f2, %f3, %f4, %f5;",
                                        "max.abs.f32 %f1, %f2, %f3;",
                                        "max.f32 %f1, %f2, %f3, %rd4;"};
    char text[2048];
    struct wsim_module *module;
    struct wsim_problem problem;
    snprintf(text, sizeof text, "%s%s%s",
             KERNEL_HEAD ".visible .entry k(.param .u64 data)\n{\n" KERNEL_REGISTERS, texts[_i],
             "\nret;\n}\n");
    if (wsim_module_load(text, strlen(text), 0, &module, NULL) == WSIM_OK)
        ck_assert_msg(wsim_module_problem(module, 0, &problem), "%s", texts[_i]);
    wsim_module_free(module);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{minima_and_maxima_of_three, 0, COUNT(thirds)},
                                       {others_take_two, 0, 7}};
    return every_run("unit/run/data", tests, COUNT(tests));
}
