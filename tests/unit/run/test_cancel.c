/* Blocks and clusters that others cancel: each number is given away once, or its block begins; and
 * the 16 bytes of a response. */
#include "launched.h"

static struct launched launched;

static void start(uint32_t x, uint32_t y, uint32_t z) {
    launched = (struct launched){.grid = x, .grid_y = y, .grid_z = z, .block = 32};
    launched.checks = WSIM_CHECK_SYNC | WSIM_CHECK_RACE | WSIM_CHECK_INIT;
    launched.arch = "sm_100a";
}

/* %r10, %r11, %r12: the block whose work is done, in a grid of %r13 by %r14. Each thread adds 1 to
 * the word of its number. */
#define BEGIN                                                                                      \
    HEAD_OF("sm_100a")                                                                             \
    ".reg .b128 %q;\nmov.u32 %r10, %ctaid.x;\nmov.u32 %r11, %ctaid.y;\nmov.u32 %r12, %ctaid.z;\n"  \
    "mov.u32 %r13, %nctaid.x;\nmov.u32 %r14, %nctaid.y;\nmov.u32 %r15, box;\nmov.u32 %r16, 0;\n"   \
    "setp.eq.u32 %p0, %r0, 0;\n@%p0 mbarrier.init.shared.b64 [box+16], 1;\n"                       \
    "@%p0 fence.mbarrier_init.release.cluster;\nbar.sync 0;\n"
#define WORK                                                                                       \
    "mad.lo.u32 %r20, %r12, %r14, %r11;\nmad.lo.u32 %r20, %r20, %r13, %r10;\n"                     \
    "mad.lo.u32 %r20, %r20, 32, %r0;\nmul.wide.u32 %d4, %r20, 4;\nadd.u64 %d4, %d1, %d4;\n"        \
    "red.global.add.u32 [%d4], 1;\n"
#define AWAIT                                                                                      \
    "W: mbarrier.try_wait.parity.shared.b64 %p1, [box+16], %r16;\n@!%p1 bra W;\n"                  \
    "xor.b32 %r16, %r16, 1;\nld.shared.b128 %q, [%r15];\nfence.proxy.async.shared::cta;\n"         \
    "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p2, %q;\n@!%p2 ret;\n"               \
    "clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r10, %r11, %r12, _}, %q;\n"
#define EXPECT "@%p0 mbarrier.arrive.expect_tx.shared.b64 %d5, [box+16], 16;\n"
#define TRY "clusterlaunchcontrol.try_cancel.async.mbarrier::complete_tx::bytes."

static const char alone[] = BEGIN
    "L:\n" EXPECT "@%p0 clusterlaunchcontrol.try_cancel.async.shared::cta."
    "mbarrier::complete_tx::bytes.b128 [%r15], [box+16];\n" WORK AWAIT "bar.sync 0;\nbra L;\n}\n";

static const char together[] =
    BEGIN "barrier.cluster.arrive;\nbarrier.cluster.wait;\n"
          "mov.u32 %r17, %cluster_ctarank;\nsetp.eq.and.u32 %p3, %r17, 0, %p0;\n"
          "mov.u32 %r18, %cluster_ctaid.x;\nmov.u32 %r19, %cluster_ctaid.y;\n"
          "cvt.u64.u32 %d6, %r15;\ncvta.shared.u64 %d6, %d6;\n"
          "L:\n" EXPECT "@%p3 " TRY "multicast::cluster::all.b128 [%d6], [%d6+16];\n" WORK AWAIT
          "add.u32 %r10, %r10, %r18;\nadd.u32 %r11, %r11, %r19;\n"
          "barrier.cluster.arrive;\nbarrier.cluster.wait;\nbra L;\n}\n";

static void all_once(const char *ptx, uint32_t blocks) {
    launch_good(&launched, ptx);
    for (uint32_t i = 0; i < WORDS; i++)
        ck_assert_msg(launched.out[i] == (i < 32 * blocks), "block %u, seed %llu: done %u times",
                      i / 32, (unsigned long long)launched.seed, launched.out[i]);
}

/* Without a seed the first block takes all; with one, a few begin by themselves. */
START_TEST(work_is_done_once) {
    uint64_t began = 0;
    for (uint64_t seed = 0; seed < 24; seed++) {
        start(5, 3, 2);
        launched.seed = seed;
        launched.async = _i ? WSIM_ASYNC_LATE : WSIM_ASYNC_EAGER;
        all_once(alone, 30);
        ck_assert(seed || launched.blocks == 1);
        began += launched.blocks;
    }
    ck_assert_uint_gt(began, 3 * 24);
    ck_assert_uint_lt(began, 20 * 24);
}
END_TEST

START_TEST(clusters_are_cancelled_whole) {
    for (uint64_t seed = 0; seed < 24; seed++) {
        start(6, 4, 3);
        launched.cluster = 2;
        launched.cluster_y = 2;
        launched.seed = seed;
        launched.async = _i ? WSIM_ASYNC_LATE : WSIM_ASYNC_EAGER;
        all_once(together, 72);
        ck_assert_uint_eq(launched.blocks % 4, 0);
    }
}
END_TEST

/* Threads of the host do not change which blocks begin. */
START_TEST(threads_change_nothing) {
    uint64_t blocks;
    start(9, 9, 1);
    launched.seed = 5;
    all_once(alone, 81);
    blocks = launched.blocks;
    launched.threads = 4;
    all_once(alone, 81);
    ck_assert_uint_eq(launched.blocks, blocks);
}
END_TEST

/* The fields that the machine code of query_cancel reads. */
START_TEST(a_response_has_fields) {
    start(3, 2, 2);
    launch_good(&launched, BEGIN EXPECT
                "@%p0 clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::"
                "bytes.b128 [%r15], [box+16];\n"
                "W: mbarrier.try_wait.parity.shared.b64 %p1, [box+16], 0;\n@!%p1 bra W;\n"
                "ld.shared.v4.u32 {%r6, %r7, %r8, %r9}, [%r15];\n"
                "mad.lo.u32 %r20, %r12, %r14, %r11;\nmad.lo.u32 %r20, %r20, %r13, %r10;\n"
                "mul.wide.u32 %d4, %r20, 16;\nadd.u64 %d4, %d1, %d4;\n"
                "@%p0 st.global.v4.u32 [%d4], {%r6, %r7, %r8, %r9};\nret;\n}\n");
    for (uint32_t i = 0; i < 6; i++) { /* the even blocks begin, and cancel the odd ones */
        const uint32_t *words = &launched.out[4 * 2 * i], other = 2 * i + 1;
        ck_assert_uint_eq(words[0], other % 3);
        ck_assert_uint_eq(words[1], other / 3 % 2 | other / 6 << 16);
        ck_assert_uint_eq(words[2], 1);
        ck_assert_uint_eq(words[3], 0);
    }
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{work_is_done_once, 0, 2},
                                       {clusters_are_cancelled_whole, 0, 2},
                                       {threads_change_nothing, 0, 1},
                                       {a_response_has_fields, 0, 1}};
    return every_run("cancel", tests, (int)(sizeof tests / sizeof tests[0]));
}
