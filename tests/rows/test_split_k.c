/* test_split_k.c - a sparse instruction of larger K equals two of half K in sequence, on the halves
 * of A and B. Metadata registers are equal, selectors are 2f and 2f + 1. This relates the four
 * placements of metadata to each other without a formula. */
#include "warp.h"

/* Shapes with twice the K of another, and equal operand width. */
static const struct {
    const char *whole, *half, *type;
} splits[] = {
    {"m16n8k32", "m16n8k16", "f16"}, {"m16n8k32", "m16n8k16", "bf16"},
    {"m16n8k16", "m16n8k8", "tf32"}, {"m16n8k64", "m16n8k32", "s8"},
    {"m16n8k64", "m16n8k32", "u8"},  {"m16n8k128", "m16n8k64", "s4"},
    {"m16n8k128", "m16n8k64", "u4"},
};

/* Replaces the shape in `text`; 0 if it has another one or another type of A. */
static int halve(char *text) {
    char type[8];
    int i;
    for (i = 0; i < COUNT(splits); i++) {
        char *at = strstr(text, splits[i].whole);
        snprintf(type, sizeof type, ".%s.", splits[i].type);
        if (!at || at[strlen(splits[i].whole)] != '.' || !strstr(text, type))
            continue;
        memmove(at + strlen(splits[i].half), at + strlen(splits[i].whole),
                strlen(at + strlen(splits[i].whole)) + 1);
        memcpy(at, splits[i].half, strlen(splits[i].half));
        return 1;
    }
    return 0;
}

/* Columns (rows: for B) number part * size and up of `from`, as registers of `to`. */
static void cut(const struct wsim_op *from, const struct wsim_op *to, enum wsim_operand operand,
                int part, const struct wsim_regs *in, struct wsim_regs *out) {
    static uint64_t all[128 * 16], some[128 * 16];
    struct wsim_layout whole, half;
    int row, col, down = operand == WSIM_B;
    wsim_op_layout(from, NULL, operand, &whole, NULL);
    wsim_op_layout(to, NULL, operand, &half, NULL);
    wsim_fragment_unpack(&whole, in, all);
    for (row = 0; row < half.rows; row++)
        for (col = 0; col < half.cols; col++)
            some[row * half.cols + col] = all[(row + (down ? part * half.rows : 0)) * whole.cols +
                                              col + (down ? 0 : part * half.cols)];
    wsim_fragment_pack(&half, some, out);
}

/* Selectors of the halves: 2f and 2f + 1, whether the whole has two of them or one. */
static void compare(const struct wsim_op *whole, const struct wsim_op *half,
                    const struct wsim_arch *arch, unsigned f, uint64_t seed) {
    struct warp warp, part;
    unsigned h;
    warp_fill(whole, &seed, &warp);
    warp.io.selector = f;
    part = warp;
    part.io.a = &part.a;
    part.io.b = &part.b;
    part.io.c = &part.c;
    part.io.d = &part.c;
    warp_exec(whole, arch, &warp.io);
    for (h = 0; h < 2; h++) {
        cut(whole, half, WSIM_A, (int)h, &warp.a, &part.a);
        cut(whole, half, WSIM_B, (int)h, &warp.b, &part.b);
        part.io.selector = 2 * f + h;
        warp_exec(half, arch, &part.io);
    }
    expect(warp_same(whole, WSIM_D, &warp.d, &part.c), "%s, selector %u",
           wsim_op_describe(whole).row, f);
}

/* 1 if the operation is twice another one; then they agree. */
static int split(const struct wsim_op *op, uint64_t seed) {
    static const char *const archs[] = {"sm_80", "sm_90a", "sm_100a", "sm_120a"};
    char text[WSIM_SPELLING_MAX];
    struct wsim_op half;
    unsigned f;
    int i;
    wsim_op_spell(op, text);
    if (!wsim_op_describe(op).sparse || strstr(text, "kind") || !halve(text))
        return 0;
    half = every_parse(text);
    ck_assert_int_eq(wsim_op_describe(&half).selectors, 2 * wsim_op_describe(op).selectors);
    for (f = 0; f < wsim_op_describe(op).selectors; f++)
        for (i = 0; i < COUNT(archs); i++)
            compare(op, &half, wsim_arch_find(archs[i]), f, seed + f);
    return 1;
}

START_TEST(two_halves_make_a_whole) {
    struct wsim_op op;
    every_op(_i, &op);
    split(&op, (uint64_t)_i);
}
END_TEST

/* .sp and ordered: f16 with two accumulators, bf16, tf32; s8 s4 with four mixes and .satfinite. */
START_TEST(every_split_shape_was_met) {
    struct wsim_op op;
    int i, n = 0;
    for (i = 0; every_op(i, &op); i++)
        n += split(&op, 1);
    ck_assert_int_eq(n, 2 * (2 + 1 + 1 + 2 * 4 * 2));
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{two_halves_make_a_whole, 0, every_op_count()},
                                       {every_split_shape_was_met, 0, 1}};
    return every_run("rows/split_k", tests, COUNT(tests));
}
