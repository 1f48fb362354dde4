/* test_mma.c - every mma of the tables equals the oracle bit for bit on every architecture that has
 * it. Covers operands of every kind, all selectors and all roundings. WSIM_DEEP=1 in the
 * environment runs many warps of each kind instead of a few. */
#include "../run.h"
#include "judge.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* Operation number `index` in table order; 0 if there are no more. */
static int op_at(int index, struct wsim_op *op) {
    uint32_t cursor = 0;
    memset(op, 0, sizeof *op);
    while (wsim_op_next(&cursor, op))
        if (index-- == 0)
            return 1;
    return 0;
}

static int op_count(void) {
    struct wsim_op op;
    int count = 0;
    while (op_at(count, &op))
        count++;
    return count;
}

static int is_mma(const struct wsim_op *op) {
    struct wsim_op_info info = wsim_op_describe(op);
    return info.family == WSIM_MMA && info.documented;
}

START_TEST(every_mma_agrees_with_the_oracle) {
    struct wsim_op op;
    struct oracle_op parsed;
    struct cases_warp warp;
    char spelling[WSIM_SPELLING_MAX];
    int ran = 0, repeats = cases_repeats(1, 24);
    if (!op_at(_i, &op) || !is_mma(&op))
        return;
    wsim_op_spell(&op, spelling);
    judge_parse(spelling, &op, &parsed);
    int integers = strcmp(parsed.type[0], "s32") == 0;
    int kinds = integers ? CASES_INTEGER_KINDS : CASES_KINDS;
    for (int i = 0; i < repeats * kinds; i++) {
        uint64_t seed = (uint64_t)_i * 100000 + (uint64_t)i;
        enum cases_kind kind = (enum cases_kind)((i + i / kinds) % kinds);
        cases_mma(&parsed, kind, seed, &warp);
        ran += judge_mma(&(struct judge_case){&op, &parsed, cases_name(kind), seed}, &warp);
    }
    /* Block scales rarely reach the least exponent. */
    for (int i = 0; i < 16 && strstr(spelling, ".block_scale"); i++) {
        uint64_t seed = (uint64_t)_i * 100000 + 50000 + (uint64_t)i;
        enum cases_kind kind = i % 2 ? CASES_FLOOR : CASES_TINY;
        cases_mma(&parsed, kind, seed, &warp);
        ran += judge_mma(&(struct judge_case){&op, &parsed, cases_name(kind), seed}, &warp);
    }
    ck_assert_msg(ran > 0, "%s: no architecture has it", spelling);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{every_mma_agrees_with_the_oracle, 0, op_count()}};
    return every_run("oracle/mma", tests, 1);
}
