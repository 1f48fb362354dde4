/* Texts of old targets and versions, as the assembler of CUDA 13.0 reads them: lab/contract.
 * Targets before sm_20 flush subnormals, and mad.f32 without a rounding is fused. */
#include "kernel.h"

/* 2^-127 is subnormal. 1 + 2^-13 and 1 - 2^-13 tell a fused sum from two operations. */
#define NUMBERS                                                                                    \
    "mov.f32 %f1, 0f3F800400; mov.f32 %f2, 0f3F7FF800; mov.f32 %f3, 0fBF800000;\n"                 \
    "mov.f32 %f6, 0f00400000; mov.f32 %f7, 0f00000000; mov.f32 %f8, 0f3F800000;\n"

#define SUBNORMAL 0x00400000u
#define FUSED 0xb2800000u
#define BAD 0xffffffffu /* the text is refused */

static const struct {
    const char *head, *body;
    uint32_t result; /* %f5 */
} texts[] = {
    {"1.4|sm_10", "mad.f32 %f5, %f1, %f2, %f3;", FUSED},
    {"1.4|sm_10", "mad.sat.f32 %f5, %f1, %f2, %f3;", 0},
    {"8.0|sm_13", "mad.f32 %f5, %f1, %f2, %f3;", FUSED},
    {"1.4|sm_10", "mad.f32 %f5, %f6, %f8, %f7;", 0},
    {"3.1|sm_20", "mad.f32 %f5, %f6, %f8, %f7;", SUBNORMAL},
    {"3.1|sm_30", "mad.f32 %f5, %f1, %f2, %f3;", FUSED},
    {"3.2|sm_20", "mad.f32 %f5, %f1, %f2, %f3;", BAD},
    {"8.0|sm_90", "mad.f32 %f5, %f1, %f2, %f3;", BAD},
    {"1.4|sm_13", "add.f32 %f5, %f6, %f7;", 0},
    {"2.0|sm_20", "add.f32 %f5, %f6, %f7;", SUBNORMAL},
    {"1.4|sm_13", "abs.f32 %f5, %f6;", 0},
    {"1.4|sm_13", "mul.f32 %f5, %f6, %f8;", 0},
    {"1.4|sm_13", "max.f32 %f5, %f6, %f7;", 0},
    {"1.4|sm_13", "setp.gt.f32 %p1, %f6, %f7; selp.f32 %f5, %f8, %f3, %p1;", 0xbf800000u},
    {"2.0|sm_20", "setp.gt.f32 %p1, %f6, %f7; selp.f32 %f5, %f8, %f3, %p1;", 0x3f800000u},
    {"1.4|sm_13", "cvt.f64.f32 %fd1, %f6; cvt.rn.f32.f64 %f5, %fd1;", SUBNORMAL},
    {"1.4|sm_13", "mov.f32 %f5, %f6;", SUBNORMAL},
};

START_TEST(old_texts) {
    char text[2048];
    const char *bar = strchr(texts[_i].head, '|');
    struct kernel kernel = {.text = text};
    struct wsim_module *module = NULL;
    struct wsim_kernel_info info;
    snprintf(text, sizeof text, ".version %.*s\n.target %s\n%s%s%s", (int)(bar - texts[_i].head),
             texts[_i].head, bar + 1,
             ".entry k(.param .u64 data)\n{\n" KERNEL_REGISTERS
             "ld.param.u64 %rd0, [data];\n" NUMBERS,
             texts[_i].body, "\nst.global.f32 [%rd0], %f5;\nexit;\n}\n");
    ck_assert_int_eq(wsim_module_load(text, strlen(text), 0, &module, NULL), WSIM_OK);
    wsim_kernel_describe(wsim_module_find(module, "k"), &info);
    expect((info.problems != 0) == (texts[_i].result == BAD), "%s %s", texts[_i].head,
           texts[_i].body);
    wsim_module_free(module);
    if (texts[_i].result == BAD)
        return;
    kernel_good(&kernel, 1, 1);
    expect(kernel.words[0] == texts[_i].result, "%s %s: %x", texts[_i].head, texts[_i].body,
           (unsigned)kernel.words[0]);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{old_texts, 0, COUNT(texts)}};
    return every_run("unit/run/old", tests, COUNT(tests));
}
