/* Barriers in shared memory: phases, tokens, bytes, other blocks of the cluster, and misuse. */
#include "launched.h"

static struct launched launched;

static void start(uint32_t grid, uint32_t block) {
    launched = (struct launched){.grid = grid, .block = block, .checks = WSIM_CHECK_SYNC};
    for (unsigned i = 0; i < WORDS; i++)
        launched.in[i] = 1000 + i;
}

/* Thread 0 makes the barrier at box (%r8) for `count` arrivals; all threads see it. */
#define MAKE(count)                                                                                \
    "mov.u32 %r8, box;\nsetp.eq.u32 %p15, %r0, 0;\n"                                               \
    "@%p15 mbarrier.init.shared::cta.b64 [%r8], " count ";\nbar.sync 0;\n"
/* Spins until the phase with the parity is over. */
#define SPIN(label, parity)                                                                        \
    label ": mbarrier.try_wait.parity.shared::cta.b64 %p14, [%r8], " parity ";\n"                  \
          "@!%p14 bra " label ";\n"

/* One lane of each warp waits, the others are at a barrier of the warp; the last warp arrives. */
START_TEST(one_lane_spins) {
    for (int seed = 0; seed < 20; seed++) {
        start(2, 128);
        launched.seed = (uint64_t)seed;
        launch_good(
            &launched,
            KERNEL(MAKE(
                "32") "setp.ge.u32 %p0, %r0, 96;\n@%p0 bra PRODUCE;\n"
                      "elect.sync %r10|%p1, -1;\n@!%p1 bra MEET;\n" SPIN(
                          "SPIN",
                          "0") "MEET: bar.warp.sync -1;\nld.shared.u32 %r3, [%r8+16];\nbra DONE;\n"
                               "PRODUCE: mov.u32 %r11, 77;\nst.shared.u32 [%r8+16], %r11;\n"
                               "mbarrier.arrive.shared::cta.b64 _, [%r8];\nDONE:\n"));
        for (unsigned t = 0; t < 256; t++)
            ck_assert_uint_eq(launched.out[t], t % 128 < 96 ? 77 : 0);
    }
}
END_TEST

/* Half of a warp waits at the barrier of the cluster, which the other half ends. That half then
 * polls for arrivals that the first half still has to make. */
#define HALF(label)                                                                                \
    "barrier.cluster.arrive;\nbarrier.cluster.wait;\n"                                             \
    "mbarrier.arrive.shared::cta.b64 _, [%r8];\n" SPIN(label, "0")

START_TEST(a_waiting_half_goes_on) {
    for (int seed = 0; seed < 8; seed++) {
        start(1, 32);
        launched.seed = (uint64_t)seed;
        launch_good(&launched, KERNEL(MAKE("32") "setp.lt.u32 %p0, %r0, 16;\n@%p0 bra LOW;\n" HALF(
                                   "HIGH_SPIN") "bra DONE;\nLOW: " HALF("LOW_SPIN") "DONE:\n"));
    }
}
END_TEST

/* A ring of one slot: a full and an empty barrier, 20 phases, whose parity alternates. */
START_TEST(phases_alternate) {
    for (int seed = 0; seed < 10; seed++) {
        uint32_t sum = 0;
        start(1, 64);
        launched.seed = (uint64_t)seed;
        launch_good(
            &launched,
            KERNEL("mov.u32 %r8, box;\nsetp.eq.u32 %p15, %r0, 0;\n"
                   "@%p15 mbarrier.init.shared.b64 [%r8], 32;\n"
                   "@%p15 mbarrier.init.shared.b64 [%r8+8], 32;\nbar.sync 0;\n"
                   "and.b32 %r12, %r0, 31;\nshl.b32 %r12, %r12, 2;\nadd.u32 %r12, %r12, %r8;\n"
                   "mov.u32 %r10, 0;\nmov.u32 %r11, 0;\nsetp.lt.u32 %p0, %r0, 32;\n"
                   "@%p0 bra PRODUCE;\n"
                   "CONSUME: mbarrier.test_wait.parity.shared.b64 %p1, [%r8], %r11;\n"
                   "@!%p1 bra CONSUME;\nld.shared.u32 %r13, [%r12+64];\n"
                   "mad.lo.u32 %r3, %r3, 5, %r13;\n"
                   "mbarrier.arrive.shared.b64 %d9, [%r8+8];\nbra NEXT;\n"
                   "PRODUCE: xor.b32 %r14, %r11, 1;\n"
                   "ASK: mbarrier.try_wait.parity.shared.b64 %p1, [%r8+8], %r14, 100;\n"
                   "@!%p1 bra ASK;\nadd.u32 %r13, %r2, %r10;\nst.shared.u32 [%r12+64], %r13;\n"
                   "mbarrier.arrive.shared.b64 %d9, [%r8];\n"
                   "NEXT: add.u32 %r10, %r10, 1;\nxor.b32 %r11, %r11, 1;\n"
                   "setp.eq.u32 %p2, %r10, 20;\n@%p2 bra DONE;\n@%p0 bra PRODUCE;\n"
                   "bra CONSUME;\nDONE:\n"));
        for (uint32_t k = 0; k < 20; k++)
            sum = sum * 5 + 1000 + 9 + k;
        ck_assert_uint_eq(launched.out[32 + 9], sum);
    }
}
END_TEST

/* Tokens: of 64 arrivals each says how many were pending; the wait is for its phase. */
START_TEST(tokens) {
    start(1, 64);
    launch_good(&launched,
                KERNEL(MAKE("64") "mbarrier.arrive.shared.b64 %d4, [%r8];\n"
                                  "SPIN: mbarrier.test_wait.shared.b64 %p1, [%r8], %d4;\n"
                                  "@!%p1 bra SPIN;\nmbarrier.pending_count.b64 %r3, %d4;\n"));
    /* One of the warps comes first. */
    for (unsigned t = 0; t < 64; t++)
        ck_assert_uint_eq(launched.out[t],
                          (launched.out[0] == 64) == (t < 32) ? 64 - t % 32 : 32 - t % 32);
}
END_TEST

/* Arrivals by many at once, without completing, and of threads that never come again. */
START_TEST(counts_and_drops) {
    start(1, 32);
    launch_good(
        &launched,
        KERNEL(MAKE("10") "@!%p15 bra DONE;\n"
                          "mbarrier.arrive.noComplete.shared.b64 %d4, [%r8], 4;\n"
                          "mbarrier.arrive_drop.shared.b64 %d5, [%r8], 3;\n"
                          "mbarrier.arrive.shared.b64 %d6, [%r8], 3;\n" /* phase 1 expects 7 */
                          "mbarrier.arrive.shared.b64 %d7, [%r8], 1;\n"
                          "mbarrier.pending_count.b64 %r10, %d5;\n"
                          "mbarrier.pending_count.b64 %r11, %d7;\n"
                          "mbarrier.test_wait.shared.b64 %p1, [%r8], %d6;\n"
                          "mbarrier.test_wait.parity.shared.b64 %p2, [%r8], 1;\n"
                          "selp.u32 %r12, 1, 0, %p1;\nselp.u32 %r13, 2, 0, %p2;\n"
                          "mad.lo.u32 %r3, %r10, 100, %r11;\nmad.lo.u32 %r3, %r3, 100, %r12;\n"
                          "add.u32 %r3, %r3, %r13;\nmbarrier.inval.shared.b64 [%r8];\n"
                          "mbarrier.init.shared.b64 [%r8], 1;\nDONE:\n"));
    ck_assert_uint_eq(launched.out[0], 60701);
}
END_TEST

START_TEST(bytes_are_waited_for) {
    start(1, 64);
    launch_good(
        &launched,
        KERNEL(MAKE("1") "setp.ge.u32 %p0, %r0, 32;\n@%p0 bra WAIT;\n@!%p15 bra DONE;\n"
                         "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r8], 96;\n"
                         "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r8], 4;\n"
                         "mov.u32 %r11, 55;\nst.shared.u32 [%r8+16], %r11;\n"
                         "mbarrier.complete_tx.shared::cta.b64 [%r8], 100;\nbra DONE;\n"
                         "WAIT:\n" SPIN("SPIN", "0") "ld.shared.u32 %r3, [%r8+16];\nDONE:\n"));
    for (unsigned t = 32; t < 64; t++)
        ck_assert_uint_eq(launched.out[t], 55);
}
END_TEST

/* Each block arrives at the barrier of the next one and waits at its own. */
START_TEST(other_blocks_arrive) {
    for (int seed = 0; seed < 20; seed++) {
        start(8, 32);
        launched.cluster = 4;
        launched.seed = (uint64_t)seed;
        launch_good(
            &launched,
            KERNEL(MAKE("32") "barrier.cluster.arrive;\nbarrier.cluster.wait;\n"
                              "mov.u32 %r20, %cluster_ctarank;\nadd.u32 %r20, %r20, 1;\n"
                              "and.b32 %r20, %r20, 3;\n"
                              "mapa.shared::cluster.u32 %r21, %r8, %r20;\n"
                              "mad.lo.u32 %r22, %r0, 4, %r21;\n"
                              "st.shared::cluster.u32 [%r22+16], %r2;\n"
                              "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r21];\n"
                              "SPIN: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p1, "
                              "[%r8], 0;\n@!%p1 bra SPIN;\n"
                              "mad.lo.u32 %r22, %r0, 4, %r8;\nld.shared.u32 %r3, [%r22+16];\n"
                              "barrier.cluster.arrive;\nbarrier.cluster.wait;\n"));
        for (unsigned t = 0; t < 256; t++) {
            unsigned before = (t / 32 + 3) % 4;
            ck_assert_uint_eq(launched.out[t], 1000 + t / 128 * 128 + before * 32 + t % 32);
        }
    }
}
END_TEST

/* st.async and red.async complete bytes where they land. */
START_TEST(remote_stores) {
    for (int late = 0; late < 2; late++) {
        start(2, 32);
        launched.cluster = 2;
        launched.async = (uint8_t)late;
        launch_good(
            &launched,
            KERNEL(MAKE("1") "mov.u32 %r23, 7;\nmad.lo.u32 %r22, %r0, 16, %r8;\n"
                             "st.shared.u32 [%r22+24], %r23;\n"
                             "@%p15 mbarrier.arrive.expect_tx.shared.b64 _, [%r8], 384;\n"
                             "barrier.cluster.arrive;\nbarrier.cluster.wait;\n"
                             "mov.u32 %r20, %cluster_ctarank;\nxor.b32 %r20, %r20, 1;\n"
                             "mapa.shared::cluster.u32 %r21, %r8, %r20;\n"
                             "mad.lo.u32 %r22, %r0, 16, %r21;\nadd.u32 %r24, %r2, 5000;\n"
                             "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 "
                             "[%r22+16], {%r2, %r24}, [%r21];\n"
                             "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::"
                             "bytes.add.u32 [%r22+24], %r0, [%r21];\n" SPIN(
                                 "SPIN",
                                 "0") "mad.lo.u32 %r22, %r0, 16, %r8;\n"
                                      "ld.shared.v2.u32 {%r25, %r26}, [%r22+16];\n"
                                      "ld.shared.u32 %r27, [%r22+24];\nadd.u32 %r3, %r25, %r26;\n"
                                      "add.u32 %r3, %r3, %r27;\n"
                                      "barrier.cluster.arrive;\nbarrier.cluster.wait;\n"));
        for (unsigned t = 0; t < 64; t++)
            ck_assert_uint_eq(launched.out[t], 2 * (1000 + (t ^ 32)) + 5000 + 7 + t % 32);
    }
}
END_TEST

/* Wider stores, at generic addresses of another block. */
START_TEST(wide_remote_stores) {
    for (int late = 0; late < 2; late++) {
        start(2, 32);
        launched.cluster = 2;
        launched.async = (uint8_t)late;
        launch_good(
            &launched,
            KERNEL("mov.u32 %r8, box;\ncvta.shared.u64 %d8, box;\nsetp.eq.u32 %p15, %r0, 0;\n"
                   "@%p15 mbarrier.init.b64 [%d8], 1;\nbar.sync 0;\n"
                   "@%p15 mbarrier.arrive.expect_tx.release.cta.b64 _, [%d8], 32;\n"
                   "@%p15 mbarrier.expect_tx.relaxed.cta.b64 [%d8], 24;\n"
                   "barrier.cluster.arrive;\nbarrier.cluster.wait;\n"
                   "mov.u32 %r20, %cluster_ctarank;\nxor.b32 %r20, %r20, 1;\n"
                   "mapa.u64 %d9, %d8, %r20;\nadd.u32 %r21, %r2, 1;\nadd.u32 %r22, %r2, 2;\n"
                   "mov.b64 %d10, {%r21, %r2};\nmov.b64 %d11, {%r22, %r21};\n"
                   "setp.eq.u32 %p1, %r0, 1;\nsetp.eq.u32 %p2, %r0, 2;\nsetp.eq.u32 %p3, %r0, 3;\n"
                   "@%p1 st.async.mbarrier::complete_tx::bytes.v4.b32 [%d9+16], "
                   "{%r2, %r21, %r22, %r0}, [%d9];\n"
                   "@%p2 st.async.mbarrier::complete_tx::bytes.v2.b64 [%d9+32], {%d10, %d11}, "
                   "[%d9];\n"
                   "@%p3 st.async.mbarrier::complete_tx::bytes.b64 [%d9+48], %d11, [%d9];\n"
                   "@%p3 red.async.relaxed.cluster.mbarrier::complete_tx::bytes.add.u64 [%d9+64], "
                   "%d11, [%d9];\n@%p3 mbarrier.complete_tx.relaxed.cluster.b64 [%d9], 8;\n"
                   "SPIN: mbarrier.try_wait.parity.b64 %p14, [%d8], 0;\n@!%p14 bra SPIN;\n"
                   "and.b32 %r9, %r0, 15;\nmad.lo.u32 %r9, %r9, 4, %r8;\n"
                   "ld.shared.u32 %r3, [%r9+16];\n"
                   "barrier.cluster.arrive;\nbarrier.cluster.wait;\n"));
        for (unsigned block = 0; block < 2; block++) {
            uint32_t x = 1000 + 32 * (1 - block); /* thread 0 of the other one */
            const uint32_t expected[10] = {x + 1, x + 2, x + 3, 1,     x + 3,
                                           x + 2, x + 4, x + 3, x + 5, x + 4};
            for (unsigned i = 0; i < 10; i++)
                ck_assert_uint_eq(launched.out[32 * block + i], expected[i]);
        }
    }
}
END_TEST

/* Every reduction, by 32 lanes with two words of input each: the old word, and the operand. */
#define REDUCED(operation, bytes, type)                                                            \
    KERNEL(MAKE("1") "@%p15 mbarrier.arrive.expect_tx.shared.b64 _, [%r8], 32*" bytes ";\n"        \
                     "mad.lo.u32 %r22, %r0, 8, %r8;\nmul.wide.u32 %d4, %r0, 8;\n"                  \
                     "add.u64 %d4, %d0, %d4;\nld.global.u32 %r23, [%d4];\n"                        \
                     "ld.global." type " %d5, [%d4+4];\nmov.b64 %d6, {%r23, %r23};\n"              \
                     "st.shared.b64 [%r22+16], %d6;\nbar.warp.sync -1;\n"                          \
                     "cvt.u32.u64 %r24, %d5;\n" operation SPIN(                                    \
                         "SPIN", "0") "ld.shared.v2.u32 {%r3, %r25}, [%r22+16];\n"                 \
                                      "mul.lo.u32 %r25, %r25, 3;\nadd.u32 %r3, %r3, %r25;\n")
#define RED "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes."
#define REDUCED_32(operation) REDUCED(RED operation " [%r22+16], %r24, [%r8];\n", "4", "u32")
#define REDUCED_64(operation) REDUCED(RED operation " [%r22+16], %d5, [%r8];\n", "8", "u32")

static uint32_t reduced(int which, uint32_t there, uint32_t x) {
    switch (which) {
    case 0: return there >= x ? 0 : there + 1;
    case 1: return there == 0 || there > x ? x : there - 1;
    case 2: return there < x ? there : x;
    case 3: return there > x ? there : x;
    case 4: return (int32_t)there < (int32_t)x ? there : x;
    case 5: return (int32_t)there > (int32_t)x ? there : x;
    case 6: return there & x;
    case 7: return there | x;
    case 8: return there ^ x;
    default: return there + x;
    }
}

START_TEST(remote_reductions) {
    static const char *const kernels[] = {
        REDUCED_32("inc.u32"), REDUCED_32("dec.u32"), REDUCED_32("min.u32"), REDUCED_32("max.u32"),
        REDUCED_32("min.s32"), REDUCED_32("max.s32"), REDUCED_32("and.b32"), REDUCED_32("or.b32"),
        REDUCED_32("xor.b32"), REDUCED_32("add.u32"), REDUCED_32("add.s32"), REDUCED_64("add.u64")};
    for (int which = 0; which < 12; which++) {
        uint64_t random = 9;
        start(1, 32);
        launched.async = (uint8_t)(which % 2);
        for (unsigned i = 0; i < 64; i++) {
            launched.in[i] = draw(&random);
            if (i % 8 == 1) /* limits: equal, and nothing there */
                launched.in[i] = launched.in[i - 1];
            if (i % 8 == 2)
                launched.in[i] = 0;
        }
        launch_good(&launched, kernels[which]);
        for (unsigned t = 0; t < 32; t++) {
            uint32_t there = launched.in[2 * t], x = launched.in[2 * t + 1];
            uint64_t wide = ((uint64_t)there << 32 | there) + x;
            uint32_t high = which == 11 ? (uint32_t)(wide >> 32) : there;
            ck_assert_msg(launched.out[t] == reduced(which, there, x) + 3 * high,
                          "%d: %08x and %08x: %08x", which, there, x, launched.out[t]);
        }
    }
}
END_TEST

/* A store that is not waited for is not there yet if copies are late. */
START_TEST(a_missing_wait_shows) {
    for (int late = 0; late < 2; late++) {
        start(1, 32);
        launched.async = (uint8_t)late;
        launch_good(
            &launched,
            KERNEL(MAKE("1") "@%p15 mbarrier.arrive.expect_tx.shared.b64 _, [%r8], 128;\n"
                             "mad.lo.u32 %r22, %r0, 4, %r8;\nst.shared.u32 [%r22+16], 3;\n"
                             "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 "
                             "[%r22+16], %r2, [%r8];\n"
                             "ld.shared.u32 %r3, [%r22+16];\n" SPIN("SPIN", "0")));
        for (unsigned t = 0; t < 32; t++)
            ck_assert_uint_eq(launched.out[t], late ? 3 : 1000 + t);
    }
}
END_TEST

/* --- misuse --- */

START_TEST(endless) {
    start(1, 64);
    launch_refused(
        &launched,
        KERNEL(MAKE("3") "@%p15 mbarrier.arrive.expect_tx.shared.b64 _, [%r8], 512;\n" SPIN("SPIN",
                                                                                            "0")),
        "sync.deadlock", "waits for parity 0 of the mbarrier at box+0x0, where");
    ck_assert_msg(strstr(launched.text, "2 of 3 arrivals and 512 bytes are missing") != NULL, "%s",
                  launched.text);
    start(1, 64);
    launch_refused(
        &launched,
        KERNEL(MAKE("1") "@%p15 mbarrier.complete_tx.shared::cta.relaxed.cta.b64 [%r8], 16;\n"
                         "@%p15 mbarrier.arrive.shared.b64 _, [%r8];\n" SPIN("SPIN", "0")),
        "sync.deadlock", "where copies brought 16 bytes more than the phase expects");
    start(1, 64);
    launch_refused(&launched, KERNEL(MAKE("1") SPIN("SPIN", "0")), "sync.deadlock",
                   "1 of 1 arrivals are missing (parity 1 is over)");
}
END_TEST

START_TEST(misuse) {
    start(1, 32);
    launch_refused(&launched,
                   KERNEL("mov.u32 %r8, box;\nst.shared.u64 [%r8], 0;\n"
                          "mbarrier.arrive.shared.b64 _, [%r8];\n"),
                   "mbarrier.state.uninitialised", "mbarrier.init comes first");
    start(1, 32);
    launch_refused(&launched,
                   KERNEL(MAKE("20") "mbarrier.arrive.noComplete.shared.b64 %d4, [%r8], 1;\n"),
                   "mbarrier.arrive.completes", "this would end the phase");
    start(1, 32);
    launch_refused(&launched, KERNEL("mov.u32 %r8, box;\nmbarrier.init.shared.b64 [%r8+4], 1;\n"),
                   "mbarrier.address.align", "at a multiple of 8");
    start(1, 32);
    launch_refused(&launched, KERNEL("mov.u32 %r8, 0x20000;\nmbarrier.init.shared.b64 [%r8], 1;\n"),
                   "memory.bounds", "0x20000");
    start(1, 32);
    launch_refused(&launched, KERNEL(MAKE("1") "mbarrier.arrive.shared.b64 _, [%r8], 2;\n"),
                   "mbarrier.arrive.excess", "2 arrive");
}
END_TEST

/* A barrier may be initialised over any bytes; over another barrier it is a finding. */
START_TEST(barriers_are_made) {
    start(1, 32);
    launch_good(&launched, KERNEL("mov.u32 %r8, box;\nmov.u64 %d4, -1;\n"
                                  "setp.eq.u32 %p15, %r0, 0;\n@%p15 st.shared.u64 [%r8], %d4;\n"
                                  "@%p15 mbarrier.init.shared.b64 [%r8], 1;\n"
                                  "@%p15 mbarrier.inval.shared.b64 [%r8];\n"
                                  "@%p15 mbarrier.init.shared.b64 [%r8], 1;\n"));
    start(1, 32);
    launch(&launched, KERNEL("mov.u32 %r8, box;\nsetp.eq.u32 %p15, %r0, 0;\n"
                             "@%p15 mbarrier.init.shared.b64 [%r8], 1;\n"
                             "@%p15 mbarrier.init.shared.b64 [%r8], 5;\n"));
    ck_assert_int_eq(launched.status, WSIM_OK);
    ck_assert_uint_eq(launched.findings, 1);
    ck_assert_str_eq(launched.rule, "mbarrier.state.in_use");
}
END_TEST

int main(void) {
    const TTest *const tests[] = {one_lane_spins,
                                  a_waiting_half_goes_on,
                                  phases_alternate,
                                  tokens,
                                  counts_and_drops,
                                  bytes_are_waited_for,
                                  other_blocks_arrive,
                                  remote_stores,
                                  wide_remote_stores,
                                  remote_reductions,
                                  a_missing_wait_shows,
                                  endless,
                                  misuse,
                                  barriers_are_made};
    return run_tests("sync_mbarrier", tests, sizeof tests / sizeof tests[0]);
}
