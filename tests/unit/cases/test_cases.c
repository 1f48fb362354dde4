/* The harness sends to a GPU the operands that the model executes: every distribution of every
 * operation, on the first architecture that executes it. Distributions have their documented
 * properties. */
#include "../../every.h"
#include "../../../tools/lib/execute.h"
#include <wsim/harness/harness.h>

enum { MOST_WORDS = 32 * 64 };

static void fill(const struct wsim_plan *plan, uint64_t seed, uint64_t number, unsigned dist,
                 uint32_t *in) {
    struct wsim_case c = wsim_case_at(plan, seed, number, dist);
    wsim_case_fill(plan, &c, in);
}

/* Wide matrices take long, and every width works the same: one case of each eighth. */
static unsigned cases_of(const struct wsim_plan *plan) {
    if (plan->threads == WSIM_LANES)
        return 2 * WSIM_DISTS;
    return plan->tile[1].rows == 8 ? WSIM_DISTS : plan->tile[1].rows % 64 == 0;
}

static void run_all(const struct wsim_op *op, unsigned selector) {
    char spelling[WSIM_SPELLING_MAX];
    static uint32_t in[WSIM_CASE_ROWS * 32], out[WSIM_CASE_ROWS * 32];
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    struct wsim_plan plan;
    unsigned most, first, cases;
    wsim_op_spell(op, spelling);
    wsim_plan_make(op, selector, &plan, NULL);
    most = plan.threads > 32 ? WSIM_CASE_ROWS : WSIM_CASE_WARP_ROWS;
    expect(plan.in_rows > 0 && plan.in_rows <= most && plan.out_rows > 0 && plan.out_rows <= most,
           "%s: %u rows in, %u out", spelling, (unsigned)plan.in_rows, (unsigned)plan.out_rows);
    first = (unsigned)(plan.key % WSIM_DISTS);
    cases = cases_of(&plan);
    for (unsigned number = first; number < first + cases; number++) {
        fill(&plan, 7, number, WSIM_DISTS, in);
        expect(execute_case(op, every_first_model(op), &plan, in, out, &diag) == WSIM_OK,
               "%s, selector %u, case %u: %s", spelling, selector, number, diag.text);
    }
}

START_TEST(test_model_takes_every_case) {
    struct wsim_op op;
    uint32_t cursor = 0;
    unsigned seen = 0;
    memset(&op, 0, sizeof op);
    while (wsim_op_next(&cursor, &op)) {
        struct wsim_plan plan;
        seen += wsim_plan_make(&op, 0, &plan, NULL) == WSIM_OK;
        for (unsigned s = 0; wsim_plan_make(&op, s, &plan, NULL) == WSIM_OK; s++)
            run_all(&op, s);
    }
    ck_assert_uint_gt(seen, 1900);
}
END_TEST

/* The stream is a function of seed, spelling, selector and case: it does not move. */
START_TEST(test_stream_is_fixed) {
    struct wsim_op op = every_parse("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    struct wsim_plan plan;
    uint32_t first[MOST_WORDS], other[MOST_WORDS];
    uint64_t sum = 0;
    wsim_plan_make(&op, 0, &plan, NULL);
    for (unsigned number = 0; number < WSIM_DISTS; number++) {
        fill(&plan, 1, number, WSIM_DISTS, first);
        fill(&plan, 1, number, number, other);
        ck_assert_mem_eq(first, other, plan.in_rows * 128);
        fill(&plan, 2, number, WSIM_DISTS, other);
        ck_assert_mem_ne(first, other, plan.in_rows * 128);
        for (unsigned i = 0; i < plan.in_rows * 32; i++)
            sum = wsim_stream_hash(sum, first[i]);
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
    struct wsim_plan plan;
    uint32_t in[MOST_WORDS];
    wsim_plan_make(&op, 0, &plan, NULL);
    for (unsigned number = 0; number < 20; number++) {
        fill(&plan, 3, number, WSIM_DIST_NARROW, in);
        for (int i = 0; i < 32 * 6; i++)
            ck_assert_uint_eq(exponent(in[i], i & 1), 15);
        fill(&plan, 3, number, WSIM_DIST_FINITE, in);
        for (int i = 0; i < 32 * 6; i++)
            ck_assert_uint_ne(exponent(in[i], i & 1), 31);
        fill(&plan, 3, number, WSIM_DIST_SUBNORMAL, in);
        for (int i = 0; i < 32 * 6; i++)
            subnormal += exponent(in[i], i & 1) == 0;
        fill(&plan, 3, number, WSIM_DIST_SPECIALS, in);
        for (int i = 0; i < 32 * 6; i++)
            top += exponent(in[i], i & 1) == 31;
        fill(&plan, 3, number, WSIM_DIST_C_ALONE, in);
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
    struct wsim_plan plan;
    uint32_t in[MOST_WORDS];
    for (int which = 0; which < 2; which++) {
        wsim_plan_make(which ? &ordered : &plain, 2, &plan, NULL);
        for (unsigned number = 0; number < 50; number++) {
            fill(&plan, 1, number, WSIM_DISTS, in);
            for (unsigned lane = 2; lane < 32; lane += 4)
                for (unsigned i = 0; i < 8; i++)
                    seen[which] |= 1u
                                   << (in[plan.input[WSIM_IN_E].first * 32 + lane] >> 4 * i & 15);
        }
    }
    ck_assert_uint_eq(seen[0], 0x7bde);
    ck_assert_uint_eq(seen[1], 0x7310);
}
END_TEST

START_TEST(test_refusals) {
    struct wsim_op sparse = every_parse("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    struct wsim_op load = every_parse("ld.shared.u32"), foreign = {0};
    struct wsim_plan plan;
    struct wsim_diag diag;
    memset(&foreign.q, 0xff, sizeof foreign.q);
    ck_assert_int_eq(wsim_plan_make(&sparse, 3, &plan, &diag), WSIM_OK);
    ck_assert_int_eq(wsim_plan_make(&sparse, 4, &plan, &diag), WSIM_OPERAND);
    ck_assert_ptr_nonnull(strstr(diag.text, "selector 4"));
    ck_assert_int_eq(wsim_plan_make(&load, 0, &plan, &diag), WSIM_UNMODELLED);
    ck_assert_int_eq(wsim_plan_make(&foreign, 0, &plan, &diag), WSIM_ILLEGAL);
    ck_assert_uint_eq(plan.selector, 3); /* still that of the plan that was made */
}
END_TEST

/* Any change of a word, of its place, of the case's number moves the digest; order does not. */
START_TEST(test_digest) {
    uint32_t out[64];
    uint64_t whole, seen[64];
    for (unsigned i = 0; i < 64; i++)
        out[i] = i % 3;
    whole = wsim_case_digest(5, out, 64);
    ck_assert_uint_ne(whole, wsim_case_digest(6, out, 64));
    ck_assert_uint_ne(whole, wsim_case_digest(5, out, 63));
    for (unsigned i = 0; i < 64; i++) {
        out[i] ^= 1;
        seen[i] = wsim_case_digest(5, out, 64);
        out[i] ^= 1;
        ck_assert_uint_ne(seen[i], whole);
        for (unsigned j = 0; j < i; j++)
            ck_assert_uint_ne(seen[i], seen[j]);
    }
    ck_assert_uint_eq(whole, UINT64_C(0x874dffc39ce6813e));
}
END_TEST

/* However many are summed up together, and whatever is left over. */
START_TEST(test_digests_are_the_sum) {
    enum { WORDS = 7, CASES = 37 };
    uint32_t out[WORDS * CASES];
    for (uint32_t i = 0; i < WORDS * CASES; i++)
        out[i] = i * 0x9e3779b9u;
    for (uint32_t cases = 0; cases <= CASES; cases++) {
        uint64_t sum = 0;
        for (uint32_t i = 0; i < cases; i++)
            sum += wsim_case_digest(1000 + i, out + i * WORDS, WORDS);
        ck_assert_uint_eq(wsim_case_digests(1000, cases, out, WORDS), sum);
    }
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{test_model_takes_every_case, 0, 1},
                                       {test_stream_is_fixed, 0, 1},
                                       {test_distributions, 0, 1},
                                       {test_metadata, 0, 1},
                                       {test_refusals, 0, 1},
                                       {test_digest, 0, 1},
                                       {test_digests_are_the_sum, 0, 1}};
    return every_run("unit/cases", tests, COUNT(tests));
}
