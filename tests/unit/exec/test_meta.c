/* test_meta.c - metadata group by group: as compression wrote it, as expansion reads it. */
#include "../../every.h"

static uint64_t dense[64 * 256], back[64 * 256];
static uint32_t a[WSIM_GROUP_REGS * WSIM_GROUP_THREADS], e[WSIM_GROUP_THREADS];

/* Some columns of every group, at most as many as are kept; of pairs whole pairs. */
static void fill(const struct wsim_meta_pattern *pattern, uint64_t *seed) {
    unsigned each = pattern->columns / 4 ? pattern->columns / 4 : 1;
    unsigned parts = pattern->columns / each, groups = (unsigned)pattern->rows * pattern->groups;
    memset(dense, 0, sizeof dense);
    for (unsigned g = 0; g < groups; g++)
        for (unsigned n = 0; n < pattern->kept / each; n++) {
            unsigned part = (unsigned)(every_random(seed) % parts);
            for (unsigned i = 0; i < each; i++)
                dense[g * pattern->columns + part * each + i] = 1;
        }
}

static void check_group(const struct wsim_op *op, const struct wsim_meta_pattern *pattern,
                        unsigned selector, unsigned g) {
    const uint64_t *elements = dense + (size_t)g * pattern->columns;
    struct wsim_meta_group group;
    unsigned nibble, ones = 0, found = 0;
    expect(!wsim_meta_read(op, e, selector, g / pattern->groups, g % pattern->groups, &group, NULL),
           "group %u is not read", g);
    expect(!wsim_meta_choose(op, elements, &nibble, NULL), "group %u is not chosen", g);
    expect(group.nibble == nibble, "group %u: nibble %x, chosen %x", g, group.nibble, nibble);
    expect(group.defined && pattern->valid >> nibble & 1, "group %u is undefined", g);
    expect((e[group.place.lane] >> group.place.lsb & 15) == nibble, "group %u is elsewhere", g);
    for (unsigned i = 0; i < pattern->columns; i++)
        ones += elements[i] != 0;
    for (unsigned s = 0; s < pattern->kept; s++) {
        expect(group.column[s] < pattern->columns, "group %u has no such column", g);
        found += elements[group.column[s]] != 0;
    }
    expect(found == ones, "group %u: %u kept of %u", g, found, ones);
}

/* A nibble that is not defined is found where it is, and refused by expansion. */
static void check_damage(const struct wsim_op *op, const struct wsim_meta_pattern *pattern,
                         unsigned selector, uint64_t *seed) {
    unsigned row = (unsigned)(every_random(seed) % pattern->rows), nibble = 0;
    unsigned g = (unsigned)(every_random(seed) % pattern->groups);
    struct wsim_meta_group group;
    while (pattern->valid >> nibble & 1)
        nibble++;
    ck_assert(!wsim_meta_read(op, e, selector, row, g, &group, NULL));
    e[group.place.lane] &= ~(UINT32_C(15) << group.place.lsb);
    e[group.place.lane] |= (uint32_t)nibble << group.place.lsb;
    ck_assert(!wsim_meta_read(op, e, selector, row, g, &group, NULL));
    ck_assert(!group.defined && group.nibble == nibble);
    ck_assert_int_eq(wsim_words_expand(op, a, e, selector, back, NULL), WSIM_OPERAND);
}

START_TEST(groups_are_what_was_compressed) {
    struct wsim_meta_pattern pattern;
    struct wsim_op op;
    uint64_t seed = (uint64_t)_i;
    every_op(_i, &op);
    if (!wsim_op_describe(&op).sparse || !wsim_op_describe(&op).documented) {
        ck_assert_int_eq(wsim_meta_pattern(&op, &pattern, NULL) == WSIM_OK,
                         wsim_op_describe(&op).sparse);
        return;
    }
    ck_assert(!wsim_meta_pattern(&op, &pattern, NULL));
    for (unsigned selector = 0; selector < pattern.selectors; selector++) {
        fill(&pattern, &seed);
        ck_assert(!wsim_words_compress(&op, dense, selector, a, e, NULL));
        for (unsigned g = 0; g < (unsigned)pattern.rows * pattern.groups; g++)
            check_group(&op, &pattern, selector, g);
        check_damage(&op, &pattern, selector, &seed);
    }
}
END_TEST

START_TEST(too_many_are_refused) {
    struct wsim_op op = every_parse("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    const uint64_t three[] = {1, 0, 1, 1}, two[] = {0, 1, 0, 1};
    struct wsim_diag diag;
    unsigned nibble = 99;
    ck_assert_int_eq(wsim_meta_choose(&op, three, &nibble, &diag), WSIM_OPERAND);
    ck_assert_str_eq(diag.rule, "mma.pattern.exceeded");
    ck_assert_uint_eq(nibble, 99);
    ck_assert_int_eq(wsim_meta_choose(&op, two, &nibble, NULL), WSIM_OK);
    ck_assert_uint_eq(nibble, 0xD);
    op = every_parse("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    ck_assert_int_eq(wsim_meta_choose(&op, two, &nibble, NULL), WSIM_ILLEGAL);
}
END_TEST

int main(void) {
    struct every_test tests[] = {{groups_are_what_was_compressed, 0, every_op_count()},
                                 {too_many_are_refused, 0, 1}};
    return every_run("meta", tests, COUNT(tests));
}
