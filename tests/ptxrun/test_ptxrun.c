/* ptx_run: text of code generators, host memory, negative numbers, blocks and grids, a repeated
 * text, and errors that leave memory unchanged. */
#include "../run.h"

#include <ptxrun.h>
#include <stdio.h>

static const char text[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n.visible .entry E_4(\n\t.param .u64 data0,\n"
    "\t.param .u64 data1,\n\t.param .s32 add\n)\n.maxntid 4\n{\n\t.reg .u64 %dat_u64_<2>;\n\t.reg "
    ".s64 "
    "%alu_s64_<4>;\n\t.reg .s32 %v_<4>, %gidx0, %lidx0;\n\tld.param.u64\t%dat_u64_0, [data0+0];\n"
    "\tld.param.u64\t%dat_u64_1, [data1+0];\n\tld.param.s32\t%v_3, [add];\n\tmov.u32\t%gidx0, "
    "%ctaid.x;\n"
    "\tmov.u32\t%lidx0, %tid.x;\n\tmad.lo.s32\t%v_0, %gidx0, 4, "
    "%lidx0;\n\tcvt.s64.s32\t%alu_s64_0, %v_0;\n"
    "\tmad.lo.s64\t%alu_s64_1, %alu_s64_0, 4, %dat_u64_1;\n\tmad.lo.s64\t%alu_s64_2, %alu_s64_0, "
    "4, %dat_u64_0;\n"
    "\tld.global.s32\t%v_1, [%alu_s64_1+0];\n\tadd.s32\t%v_2, %v_1, "
    "%v_3;\n\tst.global.s32\t[%alu_s64_2+0], "
    "%v_2;\n\tret;\n}\n";

static void run(int32_t *out, const int32_t *in, int32_t add, int n) {
    void *args[] = {out, (void *)(uintptr_t)in, (void *)(intptr_t)add};
    ptx_run(text, n, args, 4, 1, 1, 2, 1, 1, 0);
}

START_TEST(a_kernel_on_memory_of_the_process) {
    int32_t in[8], out[10];
    for (int32_t i = 0; i < 8; i++)
        in[i] = i * 1000 - 3;
    for (int32_t round = 0; round < 3; round++) {
        out[8] = out[9] = 77;
        run(out, in, -5 * round, 3);
        for (int32_t i = 0; i < 8; i++)
            ck_assert_int_eq(out[i], i * 1000 - 3 - 5 * round);
        ck_assert_int_eq(out[8], 77);
    }
}
END_TEST

START_TEST(wrong_calls_leave_memory) {
    int32_t in[8] = {1}, out[8] = {9, 9, 9, 9, 9, 9, 9, 9};
    void *args[] = {out};
    run(out, in, 1, 2);
    ptx_run("this is no PTX", 1, args, 1, 1, 1, 1, 1, 1, 0);
    ptx_run(".version 7.5\n.target sm_75\n.address_size 64\n", 1, args, 1, 1, 1, 1, 1, 1, 0);
    for (int i = 0; i < 8; i++)
        ck_assert_int_eq(out[i], 9);
}
END_TEST

/* A test suite launches thousands of texts, some repeatedly. Each has variables of its own on the
 * device and finds them again. */
START_TEST(many_texts_keep_apart) {
    enum { TEXTS = 300 };
    static const unsigned steps[] = {7, 11, 13}; /* another order each time */
    static char texts[TEXTS][700];
    for (unsigned i = 0; i < TEXTS; i++)
        snprintf(texts[i], sizeof texts[i],
                 ".version 7.5\n.target sm_75\n.address_size 64\n.global .u32 count = %u;\n"
                 ".visible .entry E(.param .u64 data0)\n{\n\t.reg .u64 %%d;\n\t.reg .u32 %%r;\n"
                 "\tld.param.u64 %%d, [data0];\n\tld.global.u32 %%r, [count];\n"
                 "\tadd.u32 %%r, %%r, 1;\n\tst.global.u32 [count], %%r;\n"
                 "\tst.global.u32 [%%d], %%r;\n\tret;\n}\n",
                 1000 * i);
    for (unsigned round = 0; round < 3; round++)
        for (unsigned k = 0; k < TEXTS; k++) {
            unsigned i = k * steps[round] % TEXTS;
            uint32_t out = 0;
            void *args[] = {&out};
            ptx_run(texts[i], 1, args, 1, 1, 1, 1, 1, 1, 0);
            ck_assert_uint_eq(out, 1000 * i + round + 1);
        }
}
END_TEST

int main(void) {
    TCase *tcase = tcase_create("ptxrun");
    tcase_add_test(tcase, a_kernel_on_memory_of_the_process);
    tcase_add_test(tcase, wrong_calls_leave_memory);
    tcase_add_test(tcase, many_texts_keep_apart);
    return run_case("ptxrun", tcase);
}
