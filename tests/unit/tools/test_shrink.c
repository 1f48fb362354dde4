/* Shrinking: elements are at the places of the layouts. Operands that do not affect an element of D
 * disappear without changing it, for judges of every kind. */
#include "../../../tools/lib/shrink.c"
#include "../../../tools/lib/execute.h"
#include "../../../tools/lib/shrink_isolate.c"
#include "../../../tools/lib/shrink_target.c"
#include "../../../tools/lib/shrink_unit.c"

#include "../../every.h"

/* A case of an operation: filled, run, with an element of its result as the target. */
struct sample {
    struct shrink shrink;
    const struct wsim_arch *arch;
    uint32_t in[SHRINK_WORDS], out[SHRINK_WORDS];
};

static void make(struct sample *s, const struct wsim_op *op, unsigned selector, unsigned number,
                 unsigned dist) {
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    struct wsim_case c;
    uint32_t other[SHRINK_WORDS];
    uint64_t random = number + 1;
    memset(s, 0, sizeof *s);
    s->shrink.op = *op;
    s->shrink.batch = 1;
    s->shrink.limit = 100000;
    s->arch = every_first_arch(op);
    wsim_plan_make(op, selector, &s->shrink.plan, NULL);
    c = wsim_case_at(&s->shrink.plan, 5, number, dist);
    wsim_case_fill(&s->shrink.plan, &c, s->in);
    expect(!execute_case(op, s->arch, &s->shrink.plan, s->in, s->out, &diag), "%s", diag.text);
    memcpy(other, s->out, sizeof other);
    other[every_random(&random) % (s->shrink.plan.out_rows * 32)] ^= 1;
    expect(shrink_find(op, &s->shrink.plan, s->out, other, &s->shrink.target), "not found");
    ck_assert_uint_eq(s->shrink.target.differing, 1);
}

static void each_operation(void (*test)(struct sample *)) {
    static struct sample s;
    struct wsim_op op;
    uint32_t cursor = 0;
    memset(&op, 0, sizeof op);
    while (wsim_op_next(&cursor, &op)) {
        struct wsim_plan plan;
        if (wsim_op_describe(&op).documented && shrink_refusal(&op))
            continue;
        for (unsigned i = 0; wsim_plan_make(&op, i, &plan, NULL) == WSIM_OK; i++) {
            make(&s, &op, i, cursor, WSIM_DISTS);
            test(&s);
        }
    }
}

/* Each bit of the block belongs to one unit, but those of the addresses to none. */
static void check_cover(struct sample *s) {
    static struct shrink_unit units[SHRINK_UNITS];
    const struct wsim_plan *plan = &s->shrink.plan;
    unsigned n = shrink_units(plan, units);
    uint32_t before[SHRINK_WORDS];
    memcpy(before, s->in, sizeof before);
    ck_assert_uint_lt(n, SHRINK_UNITS);
    for (unsigned i = 0; i < n; i++)
        shrink_set(plan, units[i], s->in, ~shrink_get(plan, units[i], s->in));
    for (unsigned i = 0; i < plan->in_rows * 32; i++) {
        unsigned kept = plan->input[WSIM_IN_ADDR].rows && i / 32 >= plan->input[WSIM_IN_ADDR].first;
        expect(s->in[i] == (kept ? before[i] : ~before[i]), "word %u", i);
    }
}

START_TEST(units_cover_the_block) {
    each_operation(check_cover);
}
END_TEST

/* Everything at rest is something that the model takes. */
static void check_rest(struct sample *s) {
    static struct shrink_unit units[SHRINK_UNITS];
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    unsigned n = shrink_units(&s->shrink.plan, units);
    for (unsigned i = 0; i < n; i++)
        shrink_set(&s->shrink.plan, units[i], s->in, shrink_rest(&s->shrink.plan, units[i]));
    expect(!execute_case(&s->shrink.op, s->arch, &s->shrink.plan, s->in, s->out, &diag), "%s",
           diag.text);
    ck_assert_uint_eq(shrink_operands(&s->shrink.plan, s->in), 0);
}

START_TEST(rest_is_legal) {
    each_operation(check_rest);
}
END_TEST

/* One row of A, one column of B, one C; of a move what lies in two bytes at most. */
static void check_isolated(struct sample *s) {
    const struct wsim_plan *plan = &s->shrink.plan;
    struct wsim_op_info info = wsim_op_describe(&s->shrink.op);
    uint64_t was = shrink_result(&s->shrink.target, s->out);
    unsigned most = info.family == WSIM_MMA ? 2u * info.k + 1 : 4;
    shrink_isolate(&s->shrink.op, plan, &s->shrink.target, s->arch, s->in);
    execute_case(&s->shrink.op, s->arch, plan, s->in, s->out, NULL);
    expect(shrink_result(&s->shrink.target, s->out) == was, "%s: another result", info.row);
    expect(shrink_operands(plan, s->in) <= most, "%s: %u operands are left", info.row,
           shrink_operands(plan, s->in));
}

START_TEST(isolating_keeps_the_result) {
    each_operation(check_isolated);
}
END_TEST

/* --- judges --- */

struct judge {
    struct sample *s;
    struct shrink_unit need[3]; /* nonzero is enough */
    unsigned needs, calls, breaks;
    int answer;
};

static int of_needs(void *about, const uint32_t *blocks, unsigned n, uint8_t *differs) {
    struct judge *judge = about;
    const struct wsim_plan *plan = &judge->s->shrink.plan;
    ck_assert_uint_le(n, judge->s->shrink.batch);
    judge->calls += n;
    for (unsigned i = 0; i < n; i++, blocks += plan->in_rows * 32) {
        differs[i] = 1;
        for (unsigned j = 0; j < judge->needs; j++)
            differs[i] &= shrink_get(plan, judge->need[j], blocks) != 0;
    }
    return judge->breaks && judge->calls >= judge->breaks ? -1 : 0;
}

static int of_one_mind(void *about, const uint32_t *blocks, unsigned n, uint8_t *differs) {
    struct judge *judge = about;
    (void)blocks;
    judge->calls += n;
    memset(differs, judge->answer, n);
    return 0;
}

/* Two products must not be zero, one of them outside of what the target is made of: a judge may
 * know better than the layouts. */
static void start(struct sample *s, struct judge *judge) {
    struct wsim_op op = every_parse("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    struct judge fresh = {s, {{WSIM_IN_A, 3, 1}, {WSIM_IN_B, 30, 2}, {WSIM_IN_C, 9, 3}}, 3, 0, 0,
                          0};
    make(s, &op, 0, 1, WSIM_DIST_NEAR_ONE);
    *judge = fresh;
    for (unsigned i = 0; i < 3; i++)
        shrink_set(&s->shrink.plan, judge->need[i], s->in, 0x4b37);
    s->shrink.judge = of_needs;
    s->shrink.about = judge;
}

START_TEST(what_is_needed_stays_and_becomes_one) {
    static struct sample s;
    struct judge judge;
    static const uint64_t one[] = {0x3c00, 0x3c00, 0x3f800000};
    start(&s, &judge);
    shrink_run(&s.shrink, s.arch, s.in);
    ck_assert_uint_eq(shrink_operands(&s.shrink.plan, s.in), 3);
    for (unsigned i = 0; i < 3; i++)
        ck_assert_uint_eq(shrink_get(&s.shrink.plan, judge.need[i], s.in), one[i]);
    ck_assert_uint_lt(judge.calls, 1500);
    ck_assert_uint_eq(judge.calls, s.shrink.asked);
}
END_TEST

/* The same block, however many questions are put at once. */
START_TEST(batches_change_nothing) {
    static const unsigned batches[] = {1, 2, 7, SHRINK_BATCH};
    static struct sample first, s;
    struct judge judge;
    for (unsigned i = 0; i < 4; i++) {
        start(&s, &judge);
        s.shrink.batch = batches[i];
        shrink_run(&s.shrink, s.arch, s.in);
        if (i == 0)
            first = s;
        ck_assert_mem_eq(first.in, s.in, s.shrink.plan.in_rows * 128);
    }
}
END_TEST

START_TEST(never_and_always) {
    static struct sample s, before;
    struct judge judge;
    for (int answer = 0; answer < 2; answer++) {
        start(&s, &judge);
        judge.answer = answer;
        s.shrink.judge = of_one_mind;
        before = s;
        shrink_run(&s.shrink, s.arch, s.in);
        if (answer)
            ck_assert_uint_eq(shrink_operands(&s.shrink.plan, s.in), 0);
        else
            ck_assert_mem_eq(s.in, before.in, sizeof s.in);
        ck_assert_uint_lt(judge.calls, answer ? 10 : 20000);
    }
}
END_TEST

/* A judge that has had enough, or may not be asked any more: what was reached by then still
 * differs. */
START_TEST(work_can_end_early) {
    static struct sample s;
    struct judge judge;
    uint8_t differs = 0;
    for (int by_judge = 0; by_judge < 2; by_judge++) {
        start(&s, &judge);
        judge.breaks = by_judge ? 20 : 0;
        s.shrink.limit = by_judge ? 1000 : 20;
        shrink_run(&s.shrink, s.arch, s.in);
        ck_assert_uint_eq(s.shrink.asked, 20);
        judge.breaks = 0;
        of_needs(&judge, s.in, 1, &differs);
        ck_assert_int_eq(differs, 1);
    }
}
END_TEST

static unsigned simpler(const struct sample *s, struct shrink_unit unit, uint64_t bits,
                        uint64_t values[VALUES]) {
    return shrink_simpler(&s->shrink.op, &s->shrink.plan, unit, bits, values, VALUES);
}

/* Simpler bits are other bits, not zero, and end where a value is as simple as it gets. */
START_TEST(simpler_values) {
    static struct sample s;
    uint64_t values[VALUES];
    struct shrink_unit a = {WSIM_IN_A, 0, 0}, c = {WSIM_IN_C, 0, 0};
    struct wsim_op op = every_parse("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    make(&s, &op, 0, 0, WSIM_DIST_RAW);
    ck_assert_uint_eq(simpler(&s, a, 0x3c00, values), 0);
    ck_assert_uint_eq(simpler(&s, a, 0xbc00, values), 1);
    ck_assert_uint_eq(values[0], 0x3c00);
    ck_assert_uint_eq(simpler(&s, a, 0xcc00, values), 2); /* -16: 1, -1 */
    ck_assert_uint_eq(simpler(&s, a, 0xfe01, values), 3); /* a NaN */
    ck_assert_uint_eq(values[2], 0x7fff);
    ck_assert_uint_lt(simpler(&s, c, 0x7f7fffff, values), VALUES);
    for (uint32_t bits = 1; bits < 0x10000; bits += 7) {
        unsigned n = simpler(&s, a, bits, values);
        for (unsigned i = 0; i < n; i++)
            expect(values[i] && values[i] != bits && values[i] < 0x10000, "%x: %llx",
                   (unsigned)bits, (unsigned long long)values[i]);
    }
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {units_cover_the_block, 0, 1},      {rest_is_legal, 0, 1},
        {isolating_keeps_the_result, 0, 1}, {what_is_needed_stays_and_becomes_one, 0, 1},
        {batches_change_nothing, 0, 1},     {never_and_always, 0, 1},
        {work_can_end_early, 0, 1},         {simpler_values, 0, 1},
    };
    return every_run("shrinking", tests, COUNT(tests));
}
