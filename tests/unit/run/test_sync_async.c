/* Pending copies: the bytes that a thread sees before and after its wait, with immediate
 * and with the latest completion. */
#include "launched.h"

static struct launched launched;

static void start(uint32_t block, int late) {
    launched = (struct launched){.grid = 1, .block = block, .checks = WSIM_CHECK_SYNC};
    launched.async = late ? WSIM_ASYNC_LATE : WSIM_ASYNC_EAGER;
    for (unsigned i = 0; i < WORDS; i++)
        launched.in[i] = 1000 + i;
}

/* Thread t has three words of the box, at %r9 and 128 and 256 bytes after it, with 1, 2 and 4.
 * Copies bring three words of the input that are larger by t. */
#define BOX                                                                                        \
    "mov.u32 %r8, box;\nmad.lo.u32 %r9, %r0, 4, %r8;\nst.shared.u32 [%r9], 1;\n"                   \
    "st.shared.u32 [%r9+128], 2;\nst.shared.u32 [%r9+256], 4;\n"
#define COPY_0 "cp.async.ca.shared.global [%r9], [%d3], 4;\n"
#define COPY_128 "cp.async.ca.shared.global [%r9+128], [%d3+128], 4;\n"
#define COPY_256 "cp.async.ca.shared.global [%r9+256], [%d3+256], 4;\n"
#define COMMIT "cp.async.commit_group;\n"
/* Which of the three have come: 0 to 7. */
#define SEEN                                                                                       \
    "ld.shared.u32 %r10, [%r9];\nld.shared.u32 %r11, [%r9+128];\nld.shared.u32 %r12, [%r9+256];\n" \
    "setp.ge.u32 %p1, %r10, 1000;\nselp.u32 %r10, 1, 0, %p1;\n"                                    \
    "setp.ge.u32 %p1, %r11, 1000;\nselp.u32 %r11, 2, 0, %p1;\n"                                    \
    "setp.ge.u32 %p1, %r12, 1000;\nselp.u32 %r12, 4, 0, %p1;\n"                                    \
    "or.b32 %r10, %r10, %r11;\nor.b32 %r10, %r10, %r12;\nmad.lo.u32 %r3, %r3, 8, %r10;\n"
#define ALL "cp.async.wait_all;\n"
#define WAIT(groups) "cp.async.wait_group " groups ";\n"

static void every_thread(uint32_t block, int late, const char *ptx, uint32_t eager_seen,
                         uint32_t late_seen) {
    start(block, late);
    launch_good(&launched, ptx);
    for (unsigned t = 0; t < block; t++)
        ck_assert_uint_eq(launched.out[t], late ? late_seen : eager_seen);
}

START_TEST(groups_are_waited_for) {
    every_thread(32, _i,
                 KERNEL(BOX COPY_0 COMMIT COPY_128 COMMIT COPY_256 COMMIT SEEN WAIT("2")
                            SEEN WAIT("1") SEEN WAIT("0") SEEN),
                 07777, 00137);
    /* An empty group is one too, and what is in none is not waited for. */
    every_thread(20, _i,
                 KERNEL(BOX COPY_0 COMMIT COMMIT COPY_256 WAIT("1") SEEN WAIT("0")
                            SEEN COMMIT WAIT("1") SEEN ALL SEEN),
                 05555, 01115);
    every_thread(32, _i, KERNEL(BOX COPY_0 COPY_128 SEEN ALL SEEN), 033, 003);
}
END_TEST

/* Lanes of a warp have groups of their own. */
START_TEST(lanes_have_groups) {
    start(32, _i);
    launch_good(&launched,
                KERNEL(BOX COPY_0 COMMIT "setp.lt.u32 %p0, %r0, 11;\n"
                                         "@%p0 cp.async.ca.shared.global [%r9+128], [%d3], 4;\n"
                                         "@%p0 cp.async.commit_group;\n" WAIT("1") SEEN
                       "@%p0 " WAIT("0") SEEN ALL SEEN));
    for (unsigned t = 0; t < 32; t++)
        ck_assert_uint_eq(launched.out[t], _i ? (t < 11 ? 0133 : 0001) : (t < 11 ? 0333 : 0111));
}
END_TEST

#define MAKE(count)                                                                                \
    "setp.eq.u32 %p15, %r0, 0;\n@%p15 mbarrier.init.shared.b64 [%r8+512], " count ";\nbar.sync "   \
    "0;\n"
#define SPIN(label, parity)                                                                        \
    label ": mbarrier.try_wait.parity.shared.b64 %p14, [%r8+512], " parity ";\n"                   \
          "@!%p14 bra " label ";\n"

/* With .noinc the barrier counts the arrivals of copies, without it waits for them as well. */
START_TEST(copies_arrive) {
    every_thread(32, _i,
                 KERNEL(BOX MAKE("32") COPY_0 COPY_128
                        "cp.async.mbarrier.arrive.noinc.shared.b64 [%r8+512];\n" SEEN SPIN("S", "0")
                            SEEN),
                 033, 003);
    every_thread(32, _i,
                 KERNEL(BOX MAKE("32") COPY_0 COPY_256
                        "cp.async.mbarrier.arrive.shared::cta.b64 [%r8+512];\n"
                        "mbarrier.arrive.shared.b64 _, [%r8+512];\n" SEEN SPIN("S", "0") SEEN),
                 055, 005);
    /* Arrivals do not complete a phase that other threads have still to arrive in. */
    start(32, _i);
    launch_refused(&launched,
                   KERNEL(BOX MAKE("33") COPY_0
                          "cp.async.mbarrier.arrive.noinc.shared.b64 [%r8+512];\n" SPIN("S", "0")),
                   "sync.deadlock", "1 of 33 arrivals are missing");
    start(32, _i);
    launch_refused(&launched,
                   KERNEL(BOX MAKE("1") COPY_0
                          "cp.async.mbarrier.arrive.shared.b64 [%r8+512];\n" SPIN("S", "0")),
                   "sync.deadlock", "1 of 1 arrivals are missing");
}
END_TEST

/* A bulk copy in, which completes a barrier, and one out, which its thread waits for. */
#define BULK_IN                                                                                    \
    "@%p15 mbarrier.arrive.expect_tx.shared.b64 _, [%r8+512], 384;\n"                              \
    "@%p15 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r8], [%d0], 384, "  \
    "[%r8+512];\n"

START_TEST(bulk_copies_complete_barriers) {
    every_thread(32, _i, KERNEL(BOX MAKE("1") BULK_IN SEEN SPIN("S", "0") SEEN), 077, 007);
    /* A warp that waits and keeps storing waits as well. */
    every_thread(32, _i,
                 KERNEL(BOX MAKE("1") BULK_IN SEEN
                        "S: mbarrier.test_wait.parity.shared.b64 %p14, [%r8+512], 0;\n"
                        "st.shared.u32 [%r8+600], %r2;\n@!%p14 bra S;\n" SEEN),
                 077, 007);
}
END_TEST

/* Two copies of which the second overwrites what the first brought: they come in order. */
START_TEST(bulk_copies_come_in_order) {
    start(32, _i);
    launch_good(
        &launched,
        KERNEL(BOX MAKE("1") BULK_IN
               "add.u64 %d4, %d0, 256;\n"
               "@%p15 mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r8+512], 128;\n"
               "@%p15 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
               "[%r8], [%d4], 128, [%r8+512];\n" SPIN("S", "0") "ld.shared.u32 %r3, [%r9];\n"));
    for (unsigned t = 0; t < 32; t++)
        ck_assert_uint_eq(launched.out[t], 1064 + t);
}
END_TEST

#define BULK_OUT                                                                                   \
    "fence.proxy.async.shared::cta;\nbar.warp.sync -1;\nsetp.eq.u32 %p15, %r0, 0;\n"               \
    "add.u64 %d4, %d1, 256;\n"                                                                     \
    "@%p15 cp.async.bulk.global.shared::cta.bulk_group [%d4], [%r8], 128;\n"                       \
    "@%p15 cp.async.bulk.commit_group;\n"

/* A late copy reads the current bytes: here the slot was refilled too early. */
START_TEST(bulk_copies_read_late) {
    start(32, _i);
    launch_good(&launched, KERNEL(BOX BULK_OUT "bar.warp.sync -1;\nst.shared.u32 [%r9], 99;\n"
                                               "@%p15 cp.async.bulk.wait_group.read 0;\n"));
    for (unsigned t = 0; t < 32; t++)
        ck_assert_uint_eq(launched.out[64 + t], _i ? 99 : 1);
    start(32, _i);
    launch_good(&launched,
                KERNEL(BOX BULK_OUT "@%p15 cp.async.bulk.wait_group.read 0;\nbar.warp.sync -1;\n"
                                    "st.shared.u32 [%r9], 99;\n"));
    for (unsigned t = 0; t < 32; t++)
        ck_assert_uint_eq(launched.out[64 + t], 1);
}
END_TEST

/* A copy without a wait completes at the end, with a note that counts as no finding. */
static void leaks(const char *ptx, int late, const char *words) {
    start(32, late);
    launch(&launched, ptx);
    ck_assert_int_eq(launched.status, WSIM_OK);
    ck_assert_uint_eq(launched.findings, 1);
    ck_assert_uint_eq(launched.counted, 0);
    ck_assert_str_eq(launched.rule, "sync.group.leak");
    ck_assert_msg(strstr(launched.text, words) != NULL, "%s", launched.text);
}

START_TEST(groups_are_left_open) {
    leaks(KERNEL(BOX BULK_OUT), _i, "cp.async.bulk pending: its group was not waited for");
    for (unsigned t = 0; t < 32; t++)
        ck_assert_uint_eq(launched.out[64 + t], 1);
    leaks(KERNEL(BOX COPY_0), _i, "cp.async pending: it was put into no group");
    leaks(KERNEL(BOX COPY_0 COMMIT COPY_128 COMMIT WAIT("1")), _i,
          "cp.async pending: its group was not waited for");
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {groups_are_waited_for, 0, 2},
        {lanes_have_groups, 0, 2},
        {copies_arrive, 0, 2},
        {bulk_copies_complete_barriers, 0, 2},
        {bulk_copies_come_in_order, 0, 2},
        {bulk_copies_read_late, 0, 2},
        {groups_are_left_open, 0, 2},
    };
    return every_run("sync_async", tests, (int)(sizeof tests / sizeof tests[0]));
}
