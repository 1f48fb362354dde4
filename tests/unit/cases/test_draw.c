/* Drawing many words at a time gives the words of stream.h, which define them. Covers every
 * operation, selector and distribution, with the loops for every kind of machine that this machine
 * can run. */
#include "../../../harness/cases/draw.h"
#include "../../every.h"
#include <wsim/harness/harness.h>

enum { KINDS = 3, AFTER = 32, UNTOUCHED = 0x5A };

static const struct draw_loops *loops_of(int kind) {
    return kind == 0 ? &draw_plain : kind == 1 ? draw_v3() : draw_v4();
}

static void same_words(const struct wsim_op *op, const struct wsim_plan *plan, uint64_t number,
                       unsigned dist) {
    static uint32_t in[WSIM_CASE_ROWS * 32 + AFTER], wanted[WSIM_CASE_ROWS * 32 + AFTER];
    struct wsim_case c = wsim_case_at(plan, 11, number, dist);
    uint32_t words = plan->in_rows * 32, i;
    memset(wanted + words, UNTOUCHED, AFTER * sizeof *wanted);
    for (i = 0; i < words; i++)
        wanted[i] = wsim_case_word(plan, &c, i / 32, i % 32);
    for (int kind = 0; kind < KINDS; kind++) {
        if (!loops_of(kind))
            continue;
        memset(in, UNTOUCHED, (words + AFTER) * sizeof *in);
        draw_fill(loops_of(kind), plan, &c, in);
        for (i = 0; i < words + AFTER && in[i] == wanted[i];)
            i++;
        if (i < words + AFTER) {
            char spelling[WSIM_SPELLING_MAX];
            wsim_op_spell(op, spelling);
            expect(0, "%s, selector %u, %s, loops %d: register %u of lane %u is %08x, not %08x",
                   spelling, plan->selector, wsim_dist_name(dist), kind, (unsigned)(i / 32),
                   (unsigned)(i % 32), (unsigned)in[i], (unsigned)wanted[i]);
        }
    }
}

/* A sample of the words of a warpgroup's matrices, which have 200 KB. */
static int is_looked_at(const struct wsim_plan *plan) {
    return plan->threads == WSIM_LANES || plan->tile[1].rows % 128 == 8;
}

static void same_operands(const struct wsim_op *op) {
    struct wsim_plan plan;
    for (unsigned s = 0; wsim_plan_make(op, s, &plan, NULL) == WSIM_OK; s++)
        for (unsigned dist = 0; dist < WSIM_DISTS && is_looked_at(&plan); dist++)
            for (uint64_t i = 0; i < (plan.threads == WSIM_LANES ? 2 : 1); i++)
                same_words(op, &plan, plan.key % 1000 + i, dist);
}

START_TEST(every_word_is_that_of_the_stream) {
    struct wsim_op op = {0};
    uint32_t cursor = 0;
    unsigned seen = 0;
    while (wsim_op_next(&cursor, &op))
        if (seen++ % (unsigned)run_sample() == 0)
            same_operands(&op);
    ck_assert_uint_gt(seen, 2000);
}
END_TEST

/* An operation that draws many different elements, long enough that all of the rare ones come. */
START_TEST(rare_words_are_those_of_the_stream) {
    static const char *const spellings[] = {
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
        "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32",
        "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e3m2.f32",
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
        "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64",
        "mma.sync.aligned.m16n8k64.row.col.satfinite.s32.s4.u4.s32",
        "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc",
        ("mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1."
         "f32.ue4m3")};
    struct wsim_op op = every_parse(spellings[_i]);
    struct wsim_plan plan;
    wsim_plan_make(&op, 0, &plan, NULL);
    for (uint64_t number = 0; number < 1000 / (unsigned)run_sample(); number++)
        same_words(&op, &plan, number, WSIM_DISTS);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{every_word_is_that_of_the_stream, 0, 1},
                                       {rare_words_are_those_of_the_stream, 0, 8}};
    return every_run("unit/cases/draw", tests, COUNT(tests));
}
