/* test_copy.c - what copies cost: patterns by hand, each with the reason of its count. */
#include "copies.h"

static void expect_counts(const char *what, const struct pattern *p, enum wsim_counters counters,
                          unsigned wavefronts, unsigned conflicts) {
    struct wsim_copy copy = p->copy;
    struct wsim_copy_banks got;
    copy.counters = counters;
    got = copy_count(CA, &copy);
    expect(got.wavefronts == wavefronts && got.conflicts == conflicts, "%s: %u/%u, not %u/%u", what,
           (unsigned)got.wavefronts, (unsigned)got.conflicts, wavefronts, conflicts);
}

START_TEST(consecutive_costs_one_a_group) {
    unsigned bytes;
    for (bytes = 4; bytes <= 16; bytes *= 2) {
        struct pattern p;
        consecutive(&p, bytes);
        expect_counts("cold", &p, WSIM_HARDWARE_COUNTERS, bytes / 4, 0);
        expect_counts("page", &p, WSIM_SOURCE_PAGE, bytes / 4, 0);
        p.copy.src = NULL; /* means the same */
        expect_counts("no source", &p, WSIM_HARDWARE_COUNTERS, bytes / 4, 0);
        p.copy.mask = 0;
        expect_counts("nobody", &p, WSIM_HARDWARE_COUNTERS, 0, 0);
        expect_counts("nobody", &p, WSIM_SOURCE_PAGE, 0, 0);
    }
}
END_TEST

START_TEST(equal_words_do_not_fold) {
    struct pattern p;
    unsigned l;
    consecutive(&p, 4);
    for (l = 0; l < WSIM_LANES; l++)
        p.dst[l] = 0x100;
    expect_counts("one destination", &p, WSIM_HARDWARE_COUNTERS, 32, 31);
    expect_counts("one destination", &p, WSIM_SOURCE_PAGE, 32, 31);
    consecutive(&p, 16);
    for (l = 0; l < WSIM_LANES; l++)
        p.src[l] = 0x100;
    expect_counts("one source", &p, WSIM_HARDWARE_COUNTERS, 32, 28);
    expect_counts("one source", &p, WSIM_SOURCE_PAGE, 32, 28);
}
END_TEST

/* Lanes 0 and 1 share a destination, 1 and 2 a source, 2 and 3 a destination: a chain of four. No
 * lane clashes with more than two. */
START_TEST(a_chain_is_longer_than_a_crowd) {
    struct pattern p;
    struct wsim_copy_banks got;
    consecutive(&p, 4);
    p.copy.mask = 0xf;
    p.dst[1] = p.dst[0] + 128;
    p.src[2] = p.src[1];
    p.dst[3] = p.dst[2] + 256;
    expect_counts("chain", &p, WSIM_HARDWARE_COUNTERS, 4, 3);
    expect_counts("crowd", &p, WSIM_SOURCE_PAGE, 3, 2);
    got = copy_count(CA, &p.copy);
    ck_assert_uint_eq(got.ngroups, 1);
    ck_assert_uint_eq(got.group[0].lanes, 0xf);
    ck_assert_uint_eq(got.group[0].worst, 0xf);
    p.copy.counters = WSIM_SOURCE_PAGE;
    got = copy_count(CA, &p.copy);
    ck_assert_uint_eq(got.group[0].worst, 0x7);
}
END_TEST

/* Lane 0 shares a source with 1 and a destination with 2, which share nothing: two passes, but a
 * crowd of three. */
START_TEST(a_crowd_is_larger_than_a_chain) {
    struct pattern p;
    consecutive(&p, 8);
    p.copy.mask = 0x7;
    p.src[1] = p.src[0];
    p.dst[2] = p.dst[0] + 128;
    expect_counts("chain", &p, WSIM_HARDWARE_COUNTERS, 2, 1);
    expect_counts("crowd", &p, WSIM_SOURCE_PAGE, 3, 2);
}
END_TEST

/* Lines 0 and 3 + 4 k of one tag bank go to different batches, others together; warm lines do. */
START_TEST(cold_lines_of_a_tag_bank_are_batches) {
    static const struct {
        unsigned line, batches;
    } pairs[] = {{0, 1},  {1, 1},   {2, 1},   {3, 1},      {5, 2},   {10, 2},
                 {33, 2}, {0x8, 1}, {0xf, 2}, {0x8001, 1}, {0x90, 2}};
    unsigned i, l;
    for (i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct pattern p;
        struct wsim_copy_banks got;
        consecutive(&p, 4);
        for (l = 16; l < WSIM_LANES; l++)
            p.src[l] += pairs[i].line * 128;
        got = copy_count(CA, &p.copy);
        expect(got.wavefronts == pairs[i].batches && got.conflicts == 0, "line 0x%x: %u",
               pairs[i].line, (unsigned)got.wavefronts);
        expect(got.group[got.ngroups - 1].batch == pairs[i].batches - 1, "line 0x%x",
               pairs[i].line);
        p.copy.warm = 1;
        expect_counts("warm", &p, WSIM_HARDWARE_COUNTERS, 1, 0);
        expect_counts("page", &p, WSIM_SOURCE_PAGE, 1, 0);
    }
}
END_TEST

/* With cold lines, lanes that fill are a batch of their own. With warm lines they join the
 * others: they do not wait for their source, but block lanes that read there. */
START_TEST(lanes_that_fill) {
    struct pattern p;
    consecutive(&p, 4);
    p.copy.src_size = p.size;
    p.copy.mask = 0x3;
    p.src[1] = p.src[0];
    p.size[0] = 0;
    expect_counts("cold", &p, WSIM_HARDWARE_COUNTERS, 2, 0);
    expect_counts("page", &p, WSIM_SOURCE_PAGE, 1, 0);
    p.copy.warm = 1;
    expect_counts("one that fills keeps a reader", &p, WSIM_HARDWARE_COUNTERS, 2, 1);
    p.size[0] = 3; /* partly is as good as whole */
    p.size[1] = 0;
    expect_counts("one that fills does not wait", &p, WSIM_HARDWARE_COUNTERS, 1, 0);
    p.size[1] = 1;
    expect_counts("two readers", &p, WSIM_HARDWARE_COUNTERS, 2, 1);
    expect_counts("two readers", &p, WSIM_SOURCE_PAGE, 2, 1);
}
END_TEST

START_TEST(bypassing_copies_cost_nothing_but_their_fills) {
    struct pattern p;
    struct wsim_copy_banks got;
    unsigned l;
    consecutive(&p, 16);
    for (l = 0; l < WSIM_LANES; l++)
        p.dst[l] = p.src[l] = 0x100;
    got = copy_count(CG, &p.copy);
    ck_assert(got.wavefronts == 0 && got.conflicts == 0 && got.ngroups == 0);
    p.copy.src_size = p.size;
    p.size[3] = p.size[5] = p.size[31] = 0;
    got = copy_count(CG, &p.copy);
    ck_assert(got.wavefronts == 2 && got.conflicts == 0); /* one word: folded, as a store is */
    p.dst[5] += 128;
    got = copy_count(CG, &p.copy);
    ck_assert(got.wavefronts == 3 && got.conflicts == 1 && got.ngroups == 2);
    ck_assert_uint_eq(got.group[0].lanes, 0x28);
    ck_assert_uint_eq(got.group[0].worst, 0x28);
    ck_assert_uint_eq(got.group[1].worst, UINT32_C(1) << 31);
}
END_TEST

/* Off lanes may hold any address; hints to fetch more change nothing. */
START_TEST(what_does_not_count) {
    static const char *const alike[] = {"cp.async.ca.shared::cta.global", CA ".L2::64B",
                                        CA ".L2::128B", CA ".L2::256B"};
    struct pattern p;
    struct wsim_copy_banks one;
    unsigned i, l;
    consecutive(&p, 8);
    for (l = 0; l < WSIM_LANES; l++) {
        p.dst[l] = 40 * (l ^ 5);
        p.src[l] = 1024 * (l / 3) + 8 * (l % 5);
    }
    p.copy.mask = 0x7fffffff;
    p.copy.src_size = p.size;
    one = copy_count(CA, &p.copy);
    p.dst[31] = p.src[31] = 0xffffffff;
    p.size[31] = 99;
    for (i = 0; i < sizeof alike / sizeof alike[0]; i++) {
        struct wsim_copy_banks other = copy_count(alike[i], &p.copy);
        expect(other.wavefronts == one.wavefronts && other.conflicts == one.conflicts, "%s",
               alike[i]);
    }
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{consecutive_costs_one_a_group, 0, 1},
                                       {equal_words_do_not_fold, 0, 1},
                                       {a_chain_is_longer_than_a_crowd, 0, 1},
                                       {a_crowd_is_larger_than_a_chain, 0, 1},
                                       {cold_lines_of_a_tag_bank_are_batches, 0, 1},
                                       {lanes_that_fill, 0, 1},
                                       {bypassing_copies_cost_nothing_but_their_fills, 0, 1},
                                       {what_does_not_count, 0, 1}};
    return every_run("unit/machine/copy", tests, COUNT(tests));
}
