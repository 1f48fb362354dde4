/* Races in global memory between blocks, and between warps of a block. Planted races are found, and
 * their ordered twins are silent. The findings depend neither on the order of unordered blocks nor
 * on the number of host threads. */
#include "../../../sim/base/base.h"
#include "launched.h"

static struct launched launched;

enum { SEEDS = 4 };

static void start(uint32_t grid, uint32_t block, int seed) {
    launched = (struct launched){.grid = grid, .block = block, .checks = WSIM_CHECK_RACE};
    launched.seed = (uint64_t)seed;
}

static void found(uint32_t grid, uint32_t block, int seed, const char *ptx, const char *one,
                  const char *other) {
    start(grid, block, seed);
    launch(&launched, ptx);
    ck_assert_msg(launched.findings > 0, "nothing found");
    ck_assert_msg(!strcmp(launched.rule, "race.global"), "%s: %s", launched.rule, launched.text);
    ck_assert_msg(launched.line == line_of(ptx, one) || launched.line == line_of(ptx, other),
                  "line %u: %s", launched.line, launched.text);
}

static void silent(uint32_t grid, uint32_t block, int seed, const char *ptx) {
    start(grid, block, seed);
    launch_good(&launched, ptx);
}

/* One lane of each warp: lanes of a warp race with each other, too. */
#define LEADERS "and.b32 %r40, %r0, 31;\nsetp.ne.u32 %p9, %r40, 0;\n@%p9 exit;\n"

/* Word `at` of the output, from 1024 on: what the kernel writes in the end is below. */
#define SPOT "add.u64 %d4, %d1, 8192;\n"

START_TEST(blocks_write_one_word) {
    found(4, 32, _i, KERNEL(LEADERS SPOT "st.global.u32 [%d4], %r1;\n"), "st.global.u32 [%d4]",
          "st.global");
    ck_assert_ptr_nonnull(strstr(launched.text, "block (1,0,0) writes byte 8192 of 'out', which "
                                                "block (0,0,0) writes with another value"));
    /* The word does not depend on which block comes last. */
    silent(4, 32, _i, KERNEL(LEADERS SPOT "st.global.u32 [%d4], 7;\n"));
    /* One of the blocks writes something else first. */
    found(4, 32, _i,
          KERNEL(LEADERS SPOT "setp.eq.u32 %p1, %r4, 2;\n@%p1 st.global.u32 [%d4], 6;\n"
                              "st.global.u32 [%d4], 7;\n"),
          "st.global.u32 [%d4], 7", "st.global.u32 [%d4], 6");
    /* Parts of a word. */
    silent(4, 32, _i,
           KERNEL("cvt.u64.u32 %d5, %r4;\n" LEADERS SPOT "add.u64 %d4, %d4, %d5;\n"
                  "st.global.u8 [%d4], %r4;\n"));
    silent(4, 32, _i, KERNEL(LEADERS SPOT "red.global.add.u32 [%d4], %r1;\n"));
    silent(4, 32, _i, KERNEL(LEADERS SPOT "st.volatile.global.u32 [%d4], %r1;\n"));
}
END_TEST

/* Half warps store one row. The words that lanes 0 to 15 store do not stay, so another block that
 * stores the others at last races all the same. Lanes of sm_60 do not race, so this race is the
 * only finding. The first store makes the buffer known, so fast steps take the second one in. */
#define HALVES(target, first, last)                                                                \
    HEAD_OF(target)                                                                                \
    "add.u64 %d6, %d1, %d2;\nst.global.u32 [%d6], %r3;\n" SPOT "and.b32 %r8, %r0, 15;\n"           \
    "mad.wide.u32 %d5, %r8, 4, %d4;\nsetp.lt.u32 %p1, %r0, 16;\nsetp.eq.u32 %p2, %r4, 0;\n"        \
    "selp.u32 %r9, " first ", " last ", %p1;\nselp.u32 %r9, %r9, " last ", %p2;\n"                 \
    "st.global.u32 [%d5], %r9;\n" TAIL

START_TEST(lanes_of_a_store_overlap) {
    found(2, 32, _i, HALVES("sm_60", "6", "7"), "st.global.u32 [%d5]", "st.global");
    silent(2, 32, _i, HALVES("sm_60", "7", "7"));
    silent(2, 32, _i, HALVES("sm_90a", "7", "7"));
}
END_TEST

START_TEST(blocks_read_what_others_write) {
    /* All blocks read a row, and the last one writes it then. */
    found(4, 32, _i,
          KERNEL(SPOT "mad.wide.u32 %d5, %r0, 4, %d4;\nld.global.u32 %r3, [%d5];\n"
                      "setp.eq.u32 %p1, %r4, 3;\nadd.u32 %r9, %r3, 1;\n"
                      "@%p1 st.global.u32 [%d5], %r9;\n"),
          "ld.global.u32 %r3, [%d5]", "st.global.u32 [%d5]");
    /* Word of the thread in the next block. */
    found(4, 32, _i,
          KERNEL(LEADERS SPOT "add.u64 %d5, %d4, %d2;\nst.global.u32 [%d5], %r1;\n"
                              "ld.global.u32 %r3, [%d5+128];\n"),
          "st.global.u32 [%d5]", "ld.global.u32 %r3");
    silent(4, 32, _i,
           KERNEL(LEADERS SPOT "add.u64 %d5, %d4, %d2;\nst.global.u32 [%d5], %r1;\n"
                               "ld.global.u32 %r3, [%d5+512];\n"));
    found(4, 32, _i,
          KERNEL(LEADERS SPOT "red.global.add.u32 [%d4], 1;\nld.global.u32 %r3, [%d4];\n"),
          "red.global", "ld.global.u32 %r3");
    found(4, 32, _i,
          KERNEL(LEADERS SPOT "mad.wide.u32 %d5, %r0, 8, %d4;\n"
                              "st.global.v2.u32 [%d5], {%r1, %r0};\n"),
          "st.global.v2", "st.global.v2");
}
END_TEST

/* 64 blocks that take long enough for a second thread of the host. */
#define LONG                                                                                       \
    "mov.u32 %r9, 0;\nLOOP: add.u32 %r9, %r9, 1;\nsetp.lt.u32 %p1, %r9, 3000;\n@%p1 bra LOOP;\n"

START_TEST(the_answer_is_one) {
    const char *const kernels[] = {
        KERNEL(LONG SPOT "and.b32 %r10, %r4, 3;\nmad.wide.u32 %d5, %r10, 4, %d4;\n"
                         "st.global.u32 [%d5], %r4;\n"),
        KERNEL(LONG SPOT "add.u64 %d5, %d4, %d2;\nsetp.ge.u32 %p2, %r4, 60;\n"
                         "@%p2 ld.global.u32 %r3, [%d4];\nst.global.u32 [%d5], %r1;\n"),
        KERNEL(LONG SPOT "st.global.u32 [%d4], 7;\n")};
    char first[512] = "";
    for (int seed = 0; seed < SEEDS; seed++) {
        for (uint32_t threads = 1; threads <= 3; threads++) {
            start(64, 32, seed);
            launched.threads = threads;
            launch(&launched, kernels[_i]);
            if (!seed && threads == 1)
                snprintf(first, sizeof first, "%s", launched.text);
            ck_assert_str_eq(launched.text, first);
        }
    }
    ck_assert_int_eq(*first != 0, _i < 2);
}
END_TEST

/* Each block leaves a number; the last one that counts itself in reads them all. */
#define LAST_BLOCK(fence)                                                                          \
    SPOT "mad.wide.u32 %d5, %r4, 4, %d4;\nsetp.eq.u32 %p1, %r0, 0;\n"                              \
         "@!%p1 bra JOIN;\nst.global.u32 [%d5], %r1;\n" fence                                      \
         "atom.global.add.u32 %r8, [%d4+256], 1;\n"                                                \
         "JOIN: shfl.sync.idx.b32 %r8, %r8, 0, 31, -1;\nmov.u32 %r9, %nctaid.x;\n"                 \
         "sub.u32 %r9, %r9, 1;\nsetp.ne.u32 %p2, %r8, %r9;\n@%p2 bra DONE;\n" fence                \
         "and.b32 %r10, %r0, 3;\nmad.wide.u32 %d5, %r10, 4, %d4;\nld.global.u32 %r3, "             \
         "[%d5];\nDONE:\n"

START_TEST(the_last_block_reads) {
    silent(4, 32, _i, KERNEL(LAST_BLOCK("membar.gl;\n")));
    silent(4, 32, _i, KERNEL(LAST_BLOCK("fence.acq_rel.gpu;\n")));
    silent(4, 32, _i, KERNEL(LAST_BLOCK("fence.sc.sys;\n")));
    found(4, 32, _i, KERNEL(LAST_BLOCK("")), "st.global.u32 [%d5]", "ld.global.u32 %r3");
    found(4, 32, _i, KERNEL(LAST_BLOCK("membar.cta;\n")), "st.global.u32 [%d5]",
          "ld.global.u32 %r3");
}
END_TEST

/* Block 0 writes and sets a flag, the others wait for it. */
#define FLAG(early, fence, set, get, seen)                                                         \
    SPOT "setp.ne.u32 %p1, %r4, 0;\n@%p1 bra WAIT;\nadd.u64 %d5, %d4, %d2;\n"                      \
         "st.global.u32 [%d5], %r1;\n" early                                                       \
         "bar.sync 0;\nsetp.ne.u32 %p2, %r0, 0;\n@%p2 bra DONE;\n" fence set                       \
         " [%d4+512], 1;\nbra DONE;\n"                                                             \
         "WAIT: " get " %r8, [%d4+512];\nsetp.eq.u32 %p3, %r8, 0;\n@%p3 bra WAIT;\n" seen          \
         "mad.wide.u32 %d5, %r0, 4, %d4;\nld.global.u32 %r3, [%d5];\nDONE:\n"

START_TEST(flags_order) {
    const char *const silents[] = {
        KERNEL(FLAG("", "", "st.release.gpu.global.u32", "ld.acquire.gpu.global.u32", "")),
        KERNEL(FLAG("", "fence.acq_rel.gpu;\n", "st.relaxed.gpu.global.u32",
                    "ld.relaxed.gpu.global.u32", "fence.acq_rel.gpu;\n")),
        KERNEL(FLAG("", "membar.gl;\n", "st.volatile.global.u32", "ld.volatile.global.u32",
                    "membar.gl;\n")),
        KERNEL(FLAG("", "", "red.release.gpu.global.add.u32", "ld.acquire.gpu.global.u32", "")),
        /* Every warp fences its writes, then the block meets, and one thread sets the flag. */
        KERNEL(FLAG("membar.gl;\n", "", "red.global.add.u32", "ld.volatile.global.u32",
                    "bar.sync 0;\nmembar.gl;\n")),
        KERNEL(FLAG("membar.gl;\n", "", "red.global.add.u32", "ld.acquire.gpu.global.u32",
                    "bar.sync 0;\n"))};
    const char *const planted[] = {
        KERNEL(FLAG("", "", "st.relaxed.gpu.global.u32", "ld.acquire.gpu.global.u32", "")),
        KERNEL(FLAG("", "", "st.volatile.global.u32", "ld.volatile.global.u32", "membar.gl;\n")),
        /* Only the second warp fences. */
        KERNEL(FLAG("setp.ge.u32 %p4, %r0, 32;\n@%p4 membar.gl;\n", "", "red.global.add.u32",
                    "ld.volatile.global.u32", "membar.gl;\n"))};
    for (unsigned i = 0; i < 6; i++)
        silent(3, 64, _i, silents[i]);
    for (unsigned i = 0; i < 3; i++)
        found(3, 64, _i, planted[i], "st.global.u32 [%d5]", "ld.global.u32 %r3");
}
END_TEST

/* Warps of a block wait for a flag in global memory. */
#define FLAG_INSIDE                                                                                \
    SPOT "mad.wide.u32 %d4, %r4, 1024, %d4;\nsetp.ge.u32 %p1, %r0, 32;\n@%p1 bra WAIT;\n"          \
         "mad.wide.u32 %d5, %r0, 4, %d4;\nst.global.u32 [%d5], %r1;\nbar.warp.sync -1;\n"          \
         "setp.ne.u32 %p2, %r0, 0;\n@%p2 bra DONE;\nmembar.gl;\n"                                  \
         "st.relaxed.gpu.global.u32 [%d4+512], 1;\nbra DONE;\n"                                    \
         "WAIT: ld.relaxed.gpu.global.u32 %r8, [%d4+512];\nsetp.eq.u32 %p3, %r8, 0;\n"             \
         "@%p3 bra WAIT;\nsub.u32 %r9, %r0, 32;\nmad.wide.u32 %d5, %r9, 4, %d4;\n"                 \
         "ld.global.u32 %r3, [%d5];\nDONE:\n"

/* A relaxed load of a flag orders nothing by itself. GPUs mostly do, so the finding is a note. */
START_TEST(relaxed_loads_need_a_fence) {
    const char *const advised[] = {
        KERNEL(
            FLAG("", "membar.gl;\n", "st.relaxed.gpu.global.u32", "ld.relaxed.gpu.global.u32", "")),
        KERNEL(FLAG("", "membar.gl;\n", "st.relaxed.gpu.global.u32", "ld.volatile.global.u32",
                    "membar.cta;\n")),
        KERNEL(FLAG("", "membar.gl;\n", "st.relaxed.gpu.global.u32", "ld.volatile.global.u32",
                    "bar.warp.sync -1;\n")),
        /* A barrier of the block is no fence for other blocks. */
        KERNEL(FLAG("", "membar.gl;\n", "st.relaxed.gpu.global.u32", "ld.relaxed.gpu.global.u32",
                    "bar.sync 0;\n")),
        KERNEL(FLAG("", "membar.gl;\n", "st.relaxed.gpu.global.u32", "ld.relaxed.gpu.global.u32",
                    "membar.cta;\nbar.sync 0;\n"))};
    for (unsigned i = 0; i < 5; i++) {
        start(3, 64, _i);
        launch(&launched, advised[i]);
        ck_assert_uint_gt(launched.findings, 0);
        ck_assert_str_eq(launched.rule, "advice.race.acquire");
        ck_assert_ptr_nonnull(strstr(launched.text, "missing: fence.acq_rel.gpu after"));
        ck_assert_uint_eq(launched.counted, 0);
    }
    /* Other blocks can wait for such a flag too. */
    for (uint32_t grid = 1; grid < 3; grid++) {
        start(grid, 64, _i);
        launch(&launched, KERNEL(FLAG_INSIDE));
        ck_assert_str_eq(launched.rule, "advice.race.acquire");
        ck_assert_ptr_nonnull(
            strstr(launched.text, grid > 1 ? "missing: fence.acq_rel.gpu" : "fence.acq_rel.cta"));
    }
}
END_TEST

/* All blocks meet at a counter, several times; writes of others before it are read after it. */
#define GRID_BARRIER(arrive)                                                                       \
    SPOT "mov.u32 %r11, 0;\nAGAIN: add.u32 %r11, %r11, 1;\nmul.lo.u32 %r12, %r11, 4;\n"            \
         "add.u64 %d5, %d4, %d2;\nst.global.u32 [%d5], %r11;\nbar.sync 0;\n"                       \
         "setp.ne.u32 %p1, %r0, 0;\n@%p1 bra MET;\n" arrive                                        \
         "SPIN: ld.acquire.gpu.global.u32 %r9, [%d4+2048];\nsetp.lt.u32 %p2, %r9, %r12;\n"         \
         "@%p2 bra SPIN;\n"                                                                        \
         "MET: bar.sync 0;\nxor.b32 %r13, %r1, 64;\nmad.wide.u32 %d6, %r13, 4, %d4;\n"             \
         "ld.global.u32 %r3, [%d6];\n"                                                             \
         "shr.u32 %r14, %r11, 1;\nadd.u64 %d4, %d4, 1024;\nsub.u64 %d4, %d4, 1024;\n"              \
         "bar.sync 0;\n@%p1 bra LEFT;\nred.release.gpu.global.add.u32 [%d4+2052], 1;\n"            \
         "SPIN2: ld.acquire.gpu.global.u32 %r9, [%d4+2052];\nsetp.lt.u32 %p2, %r9, %r12;\n"        \
         "@%p2 bra SPIN2;\nLEFT: bar.sync 0;\n"                                                    \
         "setp.lt.u32 %p3, %r11, 3;\n@%p3 bra AGAIN;\n"

START_TEST(grids_meet) {
    silent(4, 64, _i,
           KERNEL(GRID_BARRIER("fence.acq_rel.gpu;\natom.global.add.u32 %r8, [%d4+2048], 1;\n")));
    silent(4, 64, _i,
           KERNEL(GRID_BARRIER("atom.acq_rel.gpu.global.add.u32 %r8, [%d4+2048], 1;\n")));
    /* The fence of the first turn is missing. */
    found(4, 64, _i, KERNEL(GRID_BARRIER("atom.global.add.u32 %r8, [%d4+2048], 1;\n")),
          "st.global.u32 [%d5]", "ld.global.u32 %r3");
}
END_TEST

/* Warps of one block. */
START_TEST(warps_need_a_barrier) {
#define EXCHANGE(meet)                                                                             \
    SPOT "add.u64 %d5, %d4, %d2;\nst.global.u32 [%d5], %r1;\n" meet                                \
         "xor.b32 %r8, %r1, 32;\nmad.wide.u32 %d6, %r8, 4, %d4;\nld.global.u32 %r3, [%d6];\n"
    silent(2, 64, _i, KERNEL(EXCHANGE("bar.sync 0;\n")));
    found(2, 64, _i, KERNEL(EXCHANGE("")), "st.global.u32 [%d5]", "ld.global.u32 %r3");
    /* All threads say the same. */
    silent(2, 64, _i, KERNEL(SPOT "st.global.u32 [%d4], 1;\n"));
    found(1, 64, _i, KERNEL(LEADERS SPOT "st.global.u32 [%d4], %r0;\n"), "st.global.u32 [%d4]",
          "st.global.u32 [%d4]");
}
END_TEST

/* Each block takes a number, and one of them, or all, put the counter back with a plain store. */
#define COUNTER(whose)                                                                             \
    SPOT "setp.ne.u32 %p1, %r0, 0;\n@%p1 bra DONE;\nmembar.gl;\n"                                  \
         "mov.u32 %r9, %nctaid.x;\nsub.u32 %r9, %r9, 1;\n"                                         \
         "atom.global.inc.u32 %r8, [%d4], 100;\n" whose "st.global.u32 [%d4], 0;\nDONE:\n"

START_TEST(the_last_block_puts_back) {
    silent(4, 32, _i, KERNEL(COUNTER("setp.ne.u32 %p2, %r8, %r9;\n@%p2 bra DONE;\n")));
    /* It reads it, too. */
    silent(4, 32, _i,
           KERNEL(COUNTER("setp.ne.u32 %p2, %r8, %r9;\n@%p2 bra DONE;\n"
                          "ld.global.u32 %r3, [%d4];\n")));
    found(4, 32, _i, KERNEL(COUNTER("")), "atom.global.inc", "st.global.u32 [%d4]");
    /* The first one does. */
    found(4, 32, _i, KERNEL(COUNTER("setp.ne.u32 %p2, %r8, 0;\n@%p2 bra DONE;\n")),
          "atom.global.inc", "st.global.u32 [%d4]");
    /* A block without a number is ordered after no other block. */
    found(4, 32, _i,
          KERNEL(SPOT "setp.eq.u32 %p1, %r4, 3;\n@!%p1 atom.global.inc.u32 %r8, [%d4], 100;\n"
                      "@%p1 st.global.u32 [%d4], 0;\n"),
          "atom.global.inc", "st.global.u32 [%d4]");
}
END_TEST

/* A value that is guessed, and looked at again by atom.cas, is no mistake but may be said. */
#define GUESS_AT(load, place, tested)                                                              \
    SPOT load " %r8, [" place "];\nAGAIN: add.u32 %r9, %r8, 1;\n"                                  \
              "atom.global.cas.b32 %r10, [" tested "], %r8, %r9;\n"                                \
              "setp.ne.u32 %p1, %r10, %r8;\nmov.u32 %r8, %r10;\n@%p1 bra AGAIN;\n"
#define GUESS(load, place) GUESS_AT(load, place, "%d4")

START_TEST(guesses_are_looked_at_again) {
    start(4, 64, _i);
    launch(&launched, KERNEL(GUESS("ld.global.u32", "%d4")));
    ck_assert_uint_gt(launched.findings, 0);
    ck_assert_str_eq(launched.rule, "advice.race.guess");
    ck_assert_uint_eq(launched.counted, 0);
    /* nvcc computes the same address twice. */
    start(4, 64, _i);
    launch(&launched, KERNEL("cvta.to.global.u64 %d20, %d1;\nadd.s64 %d21, %d20, 8188;\n" GUESS_AT(
                          "ld.global.u32", "%d21+4", "%d4")));
    ck_assert_uint_gt(launched.findings, 0);
    ck_assert_str_eq(launched.rule, "advice.race.guess");
    /* Another lane of the warp changes it. */
    start(1, 32, _i);
    launch(&launched,
           KERNEL("setp.eq.u32 %p3, %r0, 0;\n@%p3 red.global.add.u32 [%d1+8192], 1;\n" GUESS(
               "ld.global.u32", "%d4")));
    ck_assert_uint_gt(launched.findings, 0);
    ck_assert_str_eq(launched.rule, "advice.race.guess");
    ck_assert_uint_eq(launched.counted, 0);
    silent(4, 64, _i, KERNEL(GUESS("ld.relaxed.gpu.global.u32", "%d4")));
    /* Another word is no guess at this one. */
    found(4, 64, _i, KERNEL("red.global.add.u32 [%d1+8188], 1;\n" GUESS("ld.global.u32", "%d4+-4")),
          "ld.global.u32 %r8", "red.global");
    found(4, 64, _i,
          KERNEL("red.global.add.u32 [%d1+8192], 1;\ncvta.to.global.u64 %d20, %d1;\n"
                 "add.s64 %d21, %d20, 8188;\n" GUESS_AT("ld.global.u32", "%d21+4", "%d4+4")),
          "ld.global.u32 %r8", "red.global");
}
END_TEST

/* Atomics whose scope is the block are not atomic for other blocks. */
START_TEST(scopes_leave_blocks_out) {
    found(4, 32, _i, KERNEL(SPOT "red.relaxed.cta.global.add.u32 [%d4], 1;\n"), "red.relaxed.cta",
          "red.relaxed.cta");
    ck_assert_ptr_nonnull(strstr(launched.text, "its block or cluster alone"));
    found(4, 32, _i, KERNEL(SPOT "atom.relaxed.cta.global.add.u32 %r3, [%d4], 1;\n"),
          "atom.relaxed.cta", "atom.relaxed.cta");
    found(4, 32, _i,
          KERNEL(SPOT "setp.eq.u32 %p1, %r4, 2;\n@%p1 red.relaxed.cta.global.add.u32 [%d4], 1;\n"
                      "@!%p1 red.relaxed.gpu.global.add.u32 [%d4], 1;\n"),
          "@%p1 red.relaxed.cta", "@!%p1 red.relaxed.gpu");
    /* Each block has a word of its own, which all of its warps change. */
    silent(4, 64, _i,
           KERNEL(SPOT "mul.wide.u32 %d5, %r4, 4;\nadd.u64 %d4, %d4, %d5;\n"
                       "atom.relaxed.cta.global.add.u32 %r3, [%d4], 1;\n"));
}
END_TEST

/* ld.global.nc of bytes that the launch has written: wrong even after a barrier. */
START_TEST(read_only_loads) {
    const char *const written = KERNEL(SPOT "add.u64 %d5, %d4, %d2;\nst.global.u32 [%d5], %r1;\n"
                                            "bar.sync 0;\nld.global.nc.u32 %r3, [%d5];\n");
    start(2, 64, _i);
    launch(&launched, written);
    ck_assert_uint_gt(launched.findings, 0);
    ck_assert_str_eq(launched.rule, "race.read_only");
    ck_assert_uint_eq(launched.line, line_of(written, "ld.global.nc"));
    silent(2, 64, _i,
           KERNEL(SPOT "add.u64 %d5, %d4, %d2;\nst.global.u32 [%d5], %r1;\nbar.sync 0;\n"
                       "ld.global.nc.u32 %r3, [%d3];\n"));
    silent(2, 64, _i,
           KERNEL(SPOT "add.u64 %d5, %d4, %d2;\nst.global.u32 [%d5], %r1;\nbar.sync 0;\n"
                       "ld.global.u32 %r3, [%d5];\n"));
}
END_TEST

/* A body of loads and stores at random places of 768 bytes: rows, parts of rows, single words. With
 * `apart`, no two stores have one value. */
static void random_body(uint64_t *state, char *text, size_t size, int apart) {
    static const char *const places[] = {"shl.b32 %r8, %r0, 2;\nand.b32 %r8, %r8, 127;\n",
                                         "mov.u32 %r8, 0;\n",
                                         "shl.b32 %r8, %r0, 2;\nand.b32 %r8, %r8, 60;\n",
                                         "and.b32 %r8, %r0, 16;\nmul.lo.u32 %r8, %r8, 6;\n",
                                         "and.b32 %r8, %r0, 24;\nmul.lo.u32 %r8, %r8, 12;\n",
                                         "mul.lo.u32 %r8, %r0, 12;\nand.b32 %r8, %r8, 508;\n"};
    static const char *const guards[] = {"", "", "", "@%p1 ", "@%p2 ", "@!%p2 "};
    struct base_text at = {text, size, 0};
    base_put(&at, "%s",
             "setp.gt.u32 %p1, %r4, 1;\nand.b32 %r9, %r0, 32;\nsetp.ne.u32 %p2, %r9, 0;\n" SPOT);
    for (unsigned n = 8 + draw(state) % 16; n; n--) {
        const char *guard = guards[draw(state) % 6];
        const unsigned what = draw(state) % 12, from = draw(state) % 64 * 4;
        if (what == 0) {
            base_put(&at, "bar.sync 0;\n");
            continue;
        }
        base_put(&at, "%scvt.u64.u32 %%d6, %%r8;\nadd.u64 %%d5, %%d4, %%d6;\n",
                 places[draw(state) % 6]);
        if (apart && (what == 1 || what == 2))
            base_put(&at, "mad.lo.u32 %%r11, %%r1, 64, %u;\n%sst.global.u32 [%%d5+%u], %%r11;\n", n,
                     guard, from);
        else if (what == 1)
            base_put(&at, "%sst.global.u32 [%%d5+%u], %u;\n", guard, from, 5 + draw(state) % 2);
        else if (what == 2)
            base_put(&at, "%sst.global.u32 [%%d5+%u], %%r1;\n", guard, from);
        else if (what == 3)
            base_put(&at, "%sld.volatile.global.u32 %%r10, [%%d5+%u];\n", guard, from);
        else
            base_put(&at, "%sld.global.u32 %%r10, [%%d5+%u];\n", guard, from);
    }
}

/* Loads of one warp side by side share a cell. A finding names the load of its own byte. */
START_TEST(findings_name_the_line_of_the_byte) {
#define APART(order)                                                                               \
    order SPOT "setp.ge.u32 %p1, %r0, 32;\n@%p1 bra W;\nld.global.u32 %r8, [%d4+4];\n"             \
               "ld.global.u32 %r9, [%d4+8];\nld.global.u32 %r10, [%d4+12];\nbra DONE;\n"           \
               "W: st.global.u32 [%d4+8], 7;\nDONE:\n"
    const char *const kernels[] = {
        KERNEL(APART("")),
        /* Other blocks may read what this kernel writes, so blocks run in turns. */
        KERNEL(APART("ld.volatile.global.u32 %r8, [%d1+12288];\n"))};
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t store = line_of(kernels[i], "W: st"), load = line_of(kernels[i], "%r9, [");
        start(1, 64, _i);
        launch(&launched, kernels[i]);
        ck_assert_uint_eq(launched.findings, 1);
        ck_assert_msg((launched.line == store && launched.other == load) ||
                          (launched.line == load && launched.other == store),
                      "%u/%u: %s", launched.line, launched.other, launched.text);
    }
}
END_TEST

/* Cells of weak reads take further ones by a fast path. The check of uninitialised memory hears
 * each of these loads, so the race check hears them too. The seeds of the list differed once. */
START_TEST(fast_reads_leave_the_same_marks) {
    static const int once[] = {1566, 2172, 3120, 3201, 3798, 4911, 5145, 7806};
    static char body[8192], text[12288];
    uint64_t state = (uint64_t)(_i < 400 ? _i : once[_i - 400]) + 1, races[2];
    random_body(&state, body, sizeof body, 0);
    snprintf(text, sizeof text, "%s%s%s", HEAD, body, TAIL);
    for (uint32_t threads = 1; threads <= 2; threads++) {
        for (unsigned judged = 0; judged < 2; judged++) {
            start(4, 64, (_i < 400 ? _i : 0) % 3);
            launched.threads = threads;
            launched.blank = 1;
            launched.checks |= judged ? WSIM_CHECK_INIT : 0;
            launch(&launched, text);
            races[judged] = launched.races;
        }
        ck_assert_msg(races[0] == races[1], "threads %u: %s\n%s", threads, launched.text, text);
    }
}
END_TEST

/* Blocks race with each other and within themselves. Which ones a thread of the host runs decides
 * neither the findings nor their counts, nor the values that findings show. */
START_TEST(threads_find_the_same) {
    static char body[8192], text[12288];
    uint64_t state = (uint64_t)_i + 1, races = 0;
    if (run_skips(_i))
        return;
    random_body(&state, body, sizeof body, 1);
    snprintf(text, sizeof text, "%s%s%s%s", HEAD, LONG, body, TAIL);
    for (uint32_t threads = 1; threads <= 3; threads++) {
        start(32, 64, _i % 3);
        launched.threads = threads;
        launch(&launched, text);
        races = threads == 1 ? launched.races : races;
        ck_assert_msg(launched.races == races, "threads %u: %s\n%s", threads, launched.text, text);
    }
}
END_TEST

/* Loads wait in a log until something else accesses their buffer. When the log is full, those of
 * blocks that go on stay, each with the clocks of its warp. The second warp reads a word that the
 * first one has read, so it does not know that. Its store races with the first load. */
START_TEST(a_full_log_keeps_clocks) {
    const char *const kernel =
        KERNEL("add.u64 %d4, %d0, 1024;\nsetp.ge.u32 %p2, %r0, 32;\nld.global.u32 %r10, "
               "[%d4];\nmov.u32 %r9, 0;\n"
               "LOOP: mul.lo.u32 %r8, %r9, %r9;\nand.b32 %r8, %r8, 60;\n"
               "cvt.u64.u32 %d5, %r8;\nadd.u64 %d5, %d5, %d4;\n"
               "ld.global.u32 %r10, [%d5+64];\nadd.u32 %r9, %r9, 1;\n"
               "setp.lt.u32 %p1, %r9, 9000;\n@%p1 bra LOOP;\n@!%p2 bra DONE;\n"
               "st.global.u32 [%d4], 7;\nDONE:\n");
    found(1, 64, _i, kernel, "st.global.u32 [%d4]", "%r10, [%d4]");
}
END_TEST

/* Warps write a word each of 64 bytes, `step` bytes apart, then that of another warp. */
#define ONE_CELL(step, meet)                                                                       \
    KERNEL(LEADERS SPOT "shr.u32 %r8, %r0, 5;\nmul.lo.u32 %r9, %r8, " step ";\n"                   \
                        "and.b32 %r9, %r9, 63;\nmad.lo.u32 %r10, %r8, " step ", 20;\n"             \
                        "and.b32 %r10, %r10, 63;\ncvt.u64.u32 %d5, %r9;\n"                         \
                        "cvt.u64.u32 %d6, %r10;\nadd.u64 %d5, %d4, %d5;\n"                         \
                        "add.u64 %d6, %d4, %d6;\nst.global.u32 [%d5], %r8;\n" meet                 \
                        "st.global.u32 [%d6], %r0;\n")

START_TEST(many_write_one_cell) {
    static const char *const kernels[] = {ONE_CELL("4", ""),  ONE_CELL("4", "bar.sync 0;\n"),
                                          ONE_CELL("20", ""), ONE_CELL("20", "bar.sync 0;\n"),
                                          ONE_CELL("52", ""), ONE_CELL("52", "bar.sync 0;\n")};
    for (unsigned i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        start(1, 512, _i);
        launch(&launched, kernels[i]);
        ck_assert_uint_eq(launched.counted, i % 2 ? 0 : 16);
    }
}
END_TEST

START_TEST(it_is_asked_for) {
    start(4, 32, 0);
    launched.checks = WSIM_CHECK_SYNC | WSIM_CHECK_MEMORY | WSIM_CHECK_INIT;
    launch_good(&launched, KERNEL(SPOT "st.global.u32 [%d4], %r1;\n"));
}
END_TEST

/* A block stores to the word of the input that the next one loads, at %d6 + %d2 + 128. The address
 * is a sum with the other parameter, too. */
#define INTO_INPUT(way)                                                                            \
    ".version 8.7\n.target sm_90a\n.address_size 64\n"                                             \
    ".func (.reg .b64 %x) same(.reg .b64 %a)\n{\nmov.b64 %x, %a;\nret;\n}\n"                       \
    ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"                                      \
    ".reg .b32 %r<16>;\n.reg .b64 %d<16>;\n.reg .pred %p<4>;\n.shared .align 16 .b8 box[16];\n"    \
    "ld.param.u64 %d0, [in];\nld.param.u64 %d1, [out];\nmov.u32 %r0, %tid.x;\n"                    \
    "mov.u32 %r1, %ctaid.x;\nmul.wide.u32 %d2, %r1, 128;\nadd.u64 %d3, %d0, %d2;\n"                \
    "ld.global.u32 %r2, [%d3];\nsetp.ne.u32 %p0, %r0, 0;\n@%p0 exit;\n" way                        \
    "sub.u64 %d6, %d6, %d1;\nadd.u64 %d6, %d6, %d1;\nadd.u64 %d7, %d6, %d2;\n"                     \
    "st.global.u32 [%d7+128], %r1;\nret;\n}\n"
#define HALVES_OF_INPUT                                                                            \
    "mov.b64 {%r8, %r9}, %d0;\nst.shared.v2.u32 [box], {%r8, %r9};\n"                              \
    "ld.shared.v2.u32 {%r10, %r11}, [box];\n"

START_TEST(stores_find_their_buffer) {
    const char *const kernels[] = {
        INTO_INPUT("mov.u64 %d6, %d0;\n"),
        INTO_INPUT("setp.lt.u32 %p1, %r0, 32;\nselp.b64 %d6, %d0, %d1, %p1;\n"),
        INTO_INPUT("st.shared.u64 [box], %d0;\nld.shared.u64 %d6, [box];\n"),
        INTO_INPUT("st.shared.u64 [box], %d0;\nmov.u64 %d8, 0;\n"
                   "atom.shared.or.b64 %d6, [box], %d8;\n"),
        INTO_INPUT(HALVES_OF_INPUT "mov.b64 %d6, {%r10, %r11};\n"),
        INTO_INPUT(HALVES_OF_INPUT "cvt.u64.u32 %d6, %r11;\nshl.b64 %d6, %d6, 32;\n"
                                   "cvt.u64.u32 %d8, %r10;\nor.b64 %d6, %d6, %d8;\n"),
        INTO_INPUT(HALVES_OF_INPUT "cvt.u64.u32 %d6, %r10;\ncvt.u64.u32 %d8, %r11;\n"
                                   "bfi.b64 %d6, %d8, %d6, 32, 32;\n"),
        INTO_INPUT("mov.b64 {%r8, %r9}, %d0;\nshfl.sync.idx.b32 %r8, %r8, 0, 31, 1;\n"
                   "mov.b64 %d6, {%r8, %r9};\n"),
        INTO_INPUT(HALVES_OF_INPUT "cvt.u64.u32 %d6, %r11;\ncvt.u64.u32 %d8, %r10;\n"
                                   "mad.lo.u64 %d6, %d6, 4294967296, %d8;\n"),
        INTO_INPUT(HALVES_OF_INPUT "cvt.u64.u32 %d6, %r11;\nshl.b64 %d6, %d6, 16;\n"
                                   "prmt.b32 %r12, %r10, 0, 0x4432;\ncvt.u64.u32 %d8, %r12;\n"
                                   "or.b64 %d6, %d6, %d8;\nshl.b64 %d6, %d6, 16;\n"
                                   "and.b32 %r12, %r10, 65535;\ncvt.u64.u32 %d8, %r12;\n"
                                   "or.b64 %d6, %d6, %d8;\n"),
        INTO_INPUT("mov.u64 %d8, in;\nld.param.u64 %d6, [%d8];\n"),
        INTO_INPUT("call.uni (%d6), same, (%d0);\n")};
    found(4, 32, 0, kernels[_i], "st.global.u32", "ld.global.u32");
}
END_TEST

/* The findings of 4 blocks: each loads from the input, whose words the one before stores to. */
static unsigned long long findings_of(struct wsim_device *device, const char *ptx,
                                      const void *params, uint32_t bytes) {
    const struct wsim_launch how = {.params = params,
                                    .param_bytes = bytes,
                                    .grid = {4, 1, 1},
                                    .block = {1, 1, 1},
                                    .checks = WSIM_CHECK_RACE,
                                    .threads = 1};
    struct wsim_module *module;
    struct wsim_report *report;
    struct wsim_totals totals;
    struct wsim_diag diag;
    ck_assert_msg(!wsim_module_load(ptx, strlen(ptx), 0, &module, &diag), "%s", diag.text);
    ck_assert_msg(!wsim_launch_run(device, module, &how, &report, &diag), "%s", diag.text);
    wsim_report_totals(report, &totals);
    wsim_report_free(report);
    wsim_module_free(module);
    return totals.findings;
}

#define FROM(parameter)                                                                            \
    ".version 8.7\n.target sm_90a\n.address_size 64\n"                                             \
    ".visible .entry k(.param .u64 in, " parameter ")\n{\n.reg .b32 %r<4>;\n.reg .b64 %d<8>;\n"    \
    "ld.param.u64 %d0, [in];\nmov.u32 %r1, %ctaid.x;\nmul.wide.u32 %d2, %r1, 128;\n"               \
    "add.u64 %d3, %d0, %d2;\nld.global.u32 %r2, [%d3];\n"
#define TO(shift) "add.u64 %d4, %d4, %d2;\nst.global.u32 [%d4" shift "], %r1;\nret;\n}\n"

/* Byte `n` of the structure, at that bit of %d4. */
#define PART(n, bit) "ld.param.u8 %d5, [box+" #n "];\nbfi.b64 %d4, %d5, %d4, " #bit ", 8;\n"
#define PARTS                                                                                      \
    PART(1, 0)                                                                                     \
    PART(2, 8) PART(3, 16) PART(4, 24) PART(5, 32) PART(6, 40) PART(7, 48) PART(8, 56)

/* A packed structure has a pointer behind a byte; the compiler loads it in parts. */
START_TEST(pointers_lie_across_words) {
    static uint32_t words[256];
    struct wsim_device *device;
    uint8_t params[17] = {0};
    const uint64_t at = (uint64_t)(uintptr_t)words;
    memcpy(params, &at, 8);
    memcpy(params + 9, &at, 8);
    ck_assert(!wsim_device_make(wsim_arch_find("sm_90a"), &device, NULL));
    ck_assert(!wsim_device_adopt(device, "in", words, sizeof words, NULL));
    ck_assert(findings_of(device,
                          FROM(".param .align 1 .b8 box[9]") "mov.b64 %d4, 0;\n" PARTS TO("+128"),
                          params, sizeof params) > 0);
    wsim_device_free(device);
}
END_TEST

#define UP FROM(".param .u64 to") "ld.param.u64 %d4, [to];\n" TO("+1152")
#define DOWN FROM(".param .u64 to") "ld.param.u64 %d4, [to];\n" TO("-896")

/* Maps side by side are one array, and the end of a buffer may be the begin of another. */
START_TEST(buffers_may_touch) {
    static uint32_t words[512];
    struct wsim_device *device;
    const uint64_t params[2] = {(uint64_t)(uintptr_t)&words[_i ? 256 : 0],
                                (uint64_t)(uintptr_t)&words[_i ? 0 : 256]};
    ck_assert(!wsim_device_make(wsim_arch_find("sm_90a"), &device, NULL));
    ck_assert(!wsim_device_adopt(device, "low", words, 1024, NULL));
    ck_assert(!wsim_device_adopt(device, "high", words + 256, 1024, NULL));
    ck_assert(findings_of(device, _i ? UP : DOWN, params, sizeof params) > 0);
    wsim_device_free(device);
}
END_TEST

/* The same of a store in a function, and of an atomic. */
START_TEST(functions_store_too) {
    static const char ptx[] =
        ".version 8.7\n.target sm_90a\n.address_size 64\n"
        ".func put(.reg .b64 %a, .reg .b32 %v)\n{\nst.global.u32 [%a+128], %v;\nret;\n}\n"
        ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .b32 %r<8>;\n"
        ".reg .b64 %d<8>;\n.reg .pred %p;\nld.param.u64 %d0, [in];\nmov.u32 %r0, %tid.x;\n"
        "mov.u32 %r1, %ctaid.x;\nmul.wide.u32 %d1, %r1, 128;\nadd.u64 %d2, %d0, %d1;\n"
        "ld.global.u32 %r2, [%d2];\nsetp.ne.u32 %p, %r0, 0;\n@%p exit;\n"
        "call.uni put, (%d2, %r1);\nret;\n}\n";
    found(4, 32, 0, ptx, "st.global.u32", "ld.global.u32");
    found(4, 32, 0, KERNEL(LEADERS "add.u64 %d7, %d0, %d2;\nred.global.add.u32 [%d7+128], 1;\n"),
          "red.global", "ld.global.u32 %r2");
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {blocks_write_one_word, 0, SEEDS},
        {lanes_of_a_store_overlap, 0, SEEDS},
        {blocks_read_what_others_write, 0, SEEDS},
        {the_answer_is_one, 0, 3},
        {the_last_block_reads, 0, SEEDS},
        {flags_order, 0, SEEDS},
        {grids_meet, 0, SEEDS},
        {relaxed_loads_need_a_fence, 0, SEEDS},
        {warps_need_a_barrier, 0, SEEDS},
        {the_last_block_puts_back, 0, SEEDS},
        {findings_name_the_line_of_the_byte, 0, SEEDS},
        {fast_reads_leave_the_same_marks, 0, 408},
        {threads_find_the_same, 0, 192},
        {a_full_log_keeps_clocks, 0, SEEDS},
        {stores_find_their_buffer, 0, 12},
        {pointers_lie_across_words, 0, 1},
        {buffers_may_touch, 0, 2},
        {functions_store_too, 0, 1},
        {many_write_one_cell, 0, SEEDS},
        {it_is_asked_for, 0, 1},
        {scopes_leave_blocks_out, 0, SEEDS},
        {read_only_loads, 0, SEEDS},
        {guesses_are_looked_at_again, 0, SEEDS},
    };
    return every_run("check_global", tests, (int)(sizeof tests / sizeof tests[0]));
}
