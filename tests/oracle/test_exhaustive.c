/* test_exhaustive.c - every product of two narrow values and every pair of scale factors. Each
 * element of D is one product: row i of A and column j of B hold one value each, at equal k. */
#include "../run.h"
#include "judge.h"
#include "place.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const fp8[] = {"e4m3", "e5m2"};
static const char *const narrow[] = {"e4m3", "e5m2", "e3m2", "e2m3", "e2m1"};
static const char *const nibbles[] = {"s4", "u4"};
static const char *const bytes[] = {"s8", "u8"};

/* The number of patterns of an element type, and the container bits of one pattern. */
static int patterns(const char *type) {
    if (strcmp(type, "e2m1") == 0 || type[1] == '4')
        return 16;
    return strcmp(type, "e3m2") == 0 || strcmp(type, "e2m3") == 0 ? 64 : 256;
}

static uint64_t container(const struct oracle_op *op, enum place_operand operand, int pattern) {
    int shifted = strcmp(op->type[operand], "e2m1") == 0 && place_width(op, operand) == 8;
    return (uint64_t)pattern << (shifted ? 2 : 0);
}

/* D[i][j] is the product of patterns a0 + i and b0 + j, all at `k`. */
static void lay_out(const struct oracle_op *op, int a0, int b0, int k, struct cases_warp *warp) {
    memset(warp, 0, sizeof *warp);
    for (int lane = 0; lane < WSIM_LANES; lane++) {
        for (int elem = 0; elem < place_elems(op, PLACE_A); elem++) {
            struct place at = place_of(op, PLACE_A, lane, elem);
            if (at.col == k)
                place_set(&warp->a, place_width(op, PLACE_A), lane, elem,
                          container(op, PLACE_A, a0 + at.row));
        }
        for (int elem = 0; elem < place_elems(op, PLACE_B); elem++) {
            struct place at = place_of(op, PLACE_B, lane, elem);
            if (at.row == k)
                place_set(&warp->b, place_width(op, PLACE_B), lane, elem,
                          container(op, PLACE_B, b0 + at.col));
        }
    }
    warp->io.a = &warp->a, warp->io.b = &warp->b, warp->io.c = &warp->c;
}

/* All pairs of patterns on one architecture; on all that have the operation if `arch` is NULL. */
static void all_products(const char *spelling, const char *arch) {
    struct wsim_op op;
    struct oracle_op parsed;
    struct cases_warp warp;
    int count = 0, ran = 0;
    judge_parse(spelling, &op, &parsed);
    for (int a = 0; a < patterns(parsed.type[1]); a += parsed.m)
        for (int b = 0; b < patterns(parsed.type[2]); b += parsed.n, count++) {
            struct judge_case what = {&op, &parsed, "all products", (uint64_t)count * 2};
            lay_out(&parsed, a, b, count % parsed.k, &warp);
            ran +=
                arch ? judge_mma_on(&what, &warp, wsim_arch_find(arch)) : judge_mma(&what, &warp);
        }
    ck_assert_msg(ran >= count, "%s does not run on %s", spelling, arch ? arch : "anything");
}

START_TEST(all_products_of_8_bit_floats) {
    static const char *const archs[] = {"sm_89", "sm_90a", "sm_100a", "sm_120a"};
    char spelling[WSIM_SPELLING_MAX];
    snprintf(spelling, sizeof spelling, "mma.sync.aligned.m16n8k16.row.col.f32.%s.%s.f32",
             fp8[_i / 2 % 2], fp8[_i % 2]);
    all_products(spelling, archs[_i / 4]);
    snprintf(spelling, sizeof spelling, "mma.sync.aligned.m16n8k16.row.col.f16.%s.%s.f16",
             fp8[_i / 2 % 2], fp8[_i % 2]);
    all_products(spelling, archs[_i / 4]);
}
END_TEST

START_TEST(all_products_of_narrow_floats) {
    char spelling[WSIM_SPELLING_MAX];
    snprintf(spelling, sizeof spelling,
             "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.%s.%s.f32", narrow[_i / 5],
             narrow[_i % 5]);
    all_products(spelling, "sm_120a");
}
END_TEST

START_TEST(all_products_of_4_bit_integers) {
    char spelling[WSIM_SPELLING_MAX];
    snprintf(spelling, sizeof spelling, "mma.sync.aligned.m8n8k32.row.col.s32.%s.%s.s32",
             nibbles[_i / 2], nibbles[_i % 2]);
    all_products(spelling, NULL);
}
END_TEST

START_TEST(all_products_of_8_bit_integers) {
    char spelling[WSIM_SPELLING_MAX];
    snprintf(spelling, sizeof spelling, "mma.sync.aligned.m16n8k16.row.col.s32.%s.%s.s32",
             bytes[_i / 2], bytes[_i % 2]);
    all_products(spelling, "sm_80");
}
END_TEST

static const struct {
    const char *spelling;
    uint32_t ones; /* a register of 1.0 */
} scaled[] = {{"mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X"
               ".f32.e4m3.e4m3.f32.ue8m0",
               0x38383838},
              {"mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X"
               ".f32.e2m1.e2m1.f32.ue8m0",
               0x22222222},
              {"mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X"
               ".f32.e2m1.e2m1.f32.ue4m3",
               0x22222222}};

/* Row i of A has scale a0 + i in every byte that it may come from, column j of B has b0 + j. */
static void scale(int a0, int b0, struct cases_warp *warp) {
    for (int lane = 0; lane < WSIM_LANES; lane++) {
        warp->sfa[lane] = (uint32_t)(a0 + lane / 4 + 8 * (lane % 2)) * 0x01010101u;
        warp->sfb[lane] = (uint32_t)(b0 + lane / 4) * 0x01010101u;
    }
    warp->io.sfa = warp->sfa, warp->io.sfb = warp->sfb;
}

START_TEST(all_pairs_of_scale_factors) {
    struct wsim_op op;
    struct oracle_op parsed;
    struct cases_warp warp;
    judge_parse(scaled[_i].spelling, &op, &parsed);
    for (int a = 0, count = 0; a < 256; a += 16)
        for (int b = 0; b < 256; b += 8, count++) {
            struct judge_case what = {&op, &parsed, "all scale factors", (uint64_t)count * 2};
            lay_out(&parsed, 0, 0, count % parsed.k, &warp);
            for (int i = 0; i < WSIM_MAX_REGS * WSIM_LANES; i++)
                warp.a.r[i / WSIM_LANES][i % WSIM_LANES] =
                    warp.b.r[i / WSIM_LANES][i % WSIM_LANES] = scaled[_i].ones;
            scale(a, b, &warp);
            ck_assert_int_eq(judge_mma_on(&what, &warp, wsim_arch_find("sm_120a")), 1);
        }
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{all_products_of_8_bit_floats, 0, 16},
                                       {all_products_of_narrow_floats, 0, 25},
                                       {all_products_of_4_bit_integers, 0, 4},
                                       {all_products_of_8_bit_integers, 0, 4},
                                       {all_pairs_of_scale_factors, 0, 3}};
    return every_run("oracle/exhaustive", tests, 5);
}
