/* What the harness sends to a GPU is what the model executes: every distribution of every
 * operation, on the first architecture that has it; and the distributions are what they claim. */
#include "../../tools/hw/plan.h"
#include "../every.h"

enum { MOST_WORDS = 32 * 64 };

static void fill(const struct hw_plan *plan, uint64_t seed, uint64_t number, unsigned dist,
                 uint32_t *in) {
    struct hw_case c = hw_case_at(plan, seed, number, dist);
    hw_case_fill(plan, &c, in);
}

static void run_all(const struct wsim_op *op, unsigned selector) {
    char spelling[WSIM_SPELLING_MAX];
    uint32_t in[MOST_WORDS], out[MOST_WORDS];
    struct wsim_diag diag = {WSIM_OK, 0, 0, ""};
    struct hw_plan plan;
    wsim_op_spell(op, spelling);
    hw_plan_make(op, selector, &plan);
    expect(plan.in_rows > 0 && plan.in_rows <= 64 && plan.out_rows > 0 && plan.out_rows <= 64,
           "%s: %u rows in, %u out", spelling, (unsigned)plan.in_rows, (unsigned)plan.out_rows);
    for (unsigned number = 0; number < 2 * HW_DISTS; number++) {
        fill(&plan, 7, number, HW_DISTS, in);
        expect(hw_model(op, every_first_arch(op), &plan, in, out, &diag) == WSIM_OK,
               "%s, selector %u, case %u: %s", spelling, selector, number, diag.text);
    }
}

START_TEST(test_model_takes_every_case) {
    struct wsim_op op;
    uint32_t cursor = 0;
    unsigned seen = 0;
    memset(&op, 0, sizeof op);
    while (wsim_op_next(&cursor, &op)) {
        unsigned selectors = hw_covers(&op) ? wsim_op_info(&op).selectors : 0;
        if (!hw_covers(&op))
            continue;
        seen++;
        for (unsigned s = 0; s < (selectors ? selectors : 1); s++)
            run_all(&op, s);
    }
    ck_assert_uint_gt(seen, 400);
}
END_TEST

/* The stream is a function of seed, spelling, selector and case: it does not move. */
START_TEST(test_stream_is_fixed) {
    struct wsim_op op = every_parse("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    struct hw_plan plan;
    uint32_t first[MOST_WORDS], other[MOST_WORDS];
    uint64_t sum = 0;
    hw_plan_make(&op, 0, &plan);
    for (unsigned number = 0; number < HW_DISTS; number++) {
        fill(&plan, 1, number, HW_DISTS, first);
        fill(&plan, 1, number, number, other);
        ck_assert_mem_eq(first, other, plan.in_rows * 128);
        fill(&plan, 2, number, HW_DISTS, other);
        ck_assert_mem_ne(first, other, plan.in_rows * 128);
        for (unsigned i = 0; i < plan.in_rows * 32; i++)
            sum = hw_hash(sum, first[i]);
    }
    expect(sum == UINT64_C(0x97760668d17b8cff), "the stream has changed: 0x%llx",
           (unsigned long long)sum);
}
END_TEST

static unsigned exponent(uint32_t word, int half) {
    return word >> (half ? 26 : 10) & 31;
}

START_TEST(test_distributions) {
    struct wsim_op op = every_parse("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    unsigned subnormal = 0, top = 0;
    struct hw_plan plan;
    uint32_t in[MOST_WORDS];
    hw_plan_make(&op, 0, &plan);
    for (unsigned number = 0; number < 20; number++) {
        fill(&plan, 3, number, HW_NARROW, in);
        for (int i = 0; i < 32 * 6; i++)
            ck_assert_uint_eq(exponent(in[i], i & 1), 15);
        fill(&plan, 3, number, HW_FINITE, in);
        for (int i = 0; i < 32 * 6; i++)
            ck_assert_uint_ne(exponent(in[i], i & 1), 31);
        fill(&plan, 3, number, HW_SUBNORMAL, in);
        for (int i = 0; i < 32 * 6; i++)
            subnormal += exponent(in[i], i & 1) == 0;
        fill(&plan, 3, number, HW_SPECIALS, in);
        for (int i = 0; i < 32 * 6; i++)
            top += exponent(in[i], i & 1) == 31;
        fill(&plan, 3, number, HW_C_ALONE, in);
        for (int i = 0; i < 32 * 6; i++)
            ck_assert_uint_eq(in[i] & 0x7fff7fff, 0);
    }
    ck_assert_uint_gt(subnormal, 20 * 32 * 6 / 4);
    ck_assert_uint_gt(top, 20);
}
END_TEST

/* Every defined nibble comes, and none else where the selector looks. */
START_TEST(test_metadata) {
    struct wsim_op plain = every_parse("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    struct wsim_op ordered =
        every_parse("mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    unsigned seen[2] = {0, 0};
    struct hw_plan plan;
    uint32_t in[MOST_WORDS];
    for (int which = 0; which < 2; which++) {
        hw_plan_make(which ? &ordered : &plain, 2, &plan);
        for (unsigned number = 0; number < 50; number++) {
            fill(&plan, 1, number, HW_DISTS, in);
            for (unsigned lane = 2; lane < 32; lane += 4)
                for (unsigned i = 0; i < 8; i++)
                    seen[which] |= 1u << (in[plan.input[HW_E].first * 32 + lane] >> 4 * i & 15);
        }
    }
    ck_assert_uint_eq(seen[0], 0x7bde);
    ck_assert_uint_eq(seen[1], 0x7310);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{test_model_takes_every_case, 0, 1},
                                       {test_stream_is_fixed, 0, 1},
                                       {test_distributions, 0, 1},
                                       {test_metadata, 0, 1}};
    return every_run("hw/operands", tests, COUNT(tests));
}
