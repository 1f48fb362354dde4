/* races.h - launches whose races are known, for the tests of the race check. */
#ifndef TESTS_UNIT_RUN_RACES_H
#define TESTS_UNIT_RUN_RACES_H

#include "../../../sim/base/base.h"
#include "launched.h"

static struct launched launched;

enum { SEEDS = 4 };

static inline void start(uint32_t block, int round) {
    launched = (struct launched){.grid = 2, .block = block, .checks = WSIM_CHECK_RACE};
    launched.seed = (uint64_t)(round % SEEDS);
    launched.async = round < SEEDS ? WSIM_ASYNC_EAGER : WSIM_ASYNC_LATE;
    for (unsigned i = 0; i < WORDS; i++)
        launched.in[i] = 1000 + i;
}

/* It is found at the line with one of two words: which access comes second depends on the order. */
static inline void found_of(uint32_t grid, uint32_t block, int round, const char *ptx,
                            const char *one, const char *other) {
    start(block, round);
    launched.grid = grid;
    launch(&launched, ptx);
    ck_assert_uint_gt(launched.findings, 0);
    ck_assert_str_eq(launched.rule, "race.shared");
    ck_assert_msg(launched.line == line_of(ptx, one) || launched.line == line_of(ptx, other),
                  "line %u: %s", launched.line, launched.text);
}

static inline void found(uint32_t block, int round, const char *ptx, const char *one,
                         const char *other) {
    found_of(2, block, round, ptx, one, other);
}

static inline void silent(uint32_t block, int round, const char *ptx) {
    start(block, round);
    launch_good(&launched, ptx);
}

/* A fence of the async proxy is missing in front of that line. */
static inline void unfenced(uint32_t block, int round, const char *ptx, const char *line) {
    start(block, round);
    launch(&launched, ptx);
    ck_assert_uint_gt(launched.findings, 0);
    ck_assert_str_eq(launched.rule, "proxy.fence.missing");
    ck_assert_uint_eq(launched.line, line_of(ptx, line));
}

/* %r8 is the box, %r9 the word of the thread, %r10 that of thread ^ 32. */
#define PLACES                                                                                     \
    "mov.u32 %r8, box;\nmad.lo.u32 %r9, %r0, 4, %r8;\nxor.b32 %r10, %r0, 32;\n"                    \
    "mad.lo.u32 %r10, %r10, 4, %r8;\n"
/* One lane of each warp, so that lanes of a warp do not race. */
#define LEADERS "and.b32 %r40, %r0, 31;\nsetp.ne.u32 %p9, %r40, 0;\n@%p9 exit;\n"
#define PUT "st.shared.u32 [%r9], %r2;\n"
#define GET "ld.shared.u32 %r3, [%r10];\n"
#define MEET "bar.sync 0;\n"
#define FENCE "fence.proxy.async.shared::cta;\n"
#define COPY "cp.async.ca.shared.global [%r9], [%d3], 4;\ncp.async.commit_group;\n"
#define WAIT "cp.async.wait_group 0;\n"
#define RANKS                                                                                      \
    PLACES "mov.u32 %r11, %cluster_ctarank;\nxor.b32 %r11, %r11, 1;\n"                             \
           "mapa.shared::cluster.u32 %r12, %r9, %r11;\nsetp.eq.u32 %p4, %r11, 0;\n"                \
           "mapa.shared::cluster.u32 %r13, %r8, %r11;\nsetp.eq.u32 %p15, %r0, 0;\n"

static inline void in_cluster(int round, const char *ptx, const char *rule, const char *line) {
    start(64, round);
    launched.cluster = 2;
    launch(&launched, ptx);
    ck_assert_uint_gt(launched.findings, 0);
    ck_assert_str_eq(launched.rule, rule);
    ck_assert_uint_eq(launched.line, line_of(ptx, line));
}

#endif
