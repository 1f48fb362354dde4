/* Barriers of a block and of a cluster, addresses of other blocks, and what never ends. */
#include "launched.h"

static struct launched launched;

static void start(uint32_t grid, uint32_t block) {
    launched = (struct launched){.grid = grid, .block = block, .checks = WSIM_CHECK_SYNC};
    for (unsigned i = 0; i < WORDS; i++)
        launched.in[i] = 1000 + i;
}

/* Shared memory: box[thread] is written; then box[thread ^ %r20] is read. */
#define BOX                                                                                        \
    "mov.u32 %r8, box;\nshl.b32 %r9, %r0, 2;\nadd.u32 %r9, %r8, %r9;\nst.shared.u32 [%r9], %r2;\n"
#define OTHER                                                                                      \
    "xor.b32 %r9, %r0, %r20;\nshl.b32 %r9, %r9, 2;\nadd.u32 %r9, %r8, %r9;\n"                      \
    "ld.shared.u32 %r3, [%r9];\n"

START_TEST(a_block_waits) {
    for (int seed = 0; seed < 20; seed++) {
        start(3, 256);
        launched.seed = (uint64_t)seed;
        launch_good(&launched, KERNEL(BOX "bar.sync 0;\nmov.u32 %r20, 255;\n" OTHER));
        for (unsigned t = 0; t < 768; t++)
            ck_assert_uint_eq(launched.out[t], 1000 + (t ^ 255));
    }
}
END_TEST

/* After a barrier all warps read the protected data before one overwrites it, although the second
 * barrier is missing. On a GPU no warp is that far ahead either. Straight on, and in a loop.
 */
START_TEST(warps_keep_abreast) {
    const char *const kernels[] = {
        KERNEL(BOX "bar.sync 0;\nld.shared.u32 %r3, [%r8];\nst.shared.u32 [%r8], %r0;\n"),
        KERNEL(BOX "bar.sync 0;\nld.shared.u32 %r3, [%r8];\nmov.u32 %r10, 9;\n"
                   "LOOP: sub.u32 %r10, %r10, 1;\nsetp.ne.u32 %p1, %r10, 0;\n@%p1 bra LOOP;\n"
                   "atom.shared.add.u32 %r10, [%r8], 1;\n"),
        KERNEL(BOX "barrier.sync 1, 256;\nld.shared.u32 %r3, [%r8];\n"
                   "st.shared.u32 [%r8], %r0;\n")};
    for (unsigned i = 0; i < 3; i++) {
        start(2, 256);
        launch_good(&launched, kernels[i]);
        for (unsigned t = 0; t < 512; t++)
            ck_assert_uint_eq(launched.out[t], 1000 + t / 256 * 256);
    }
}
END_TEST

START_TEST(warps_that_exit_are_not_waited_for) {
    start(1, 256);
    launch_good(&launched, KERNEL(BOX "setp.ge.u32 %p0, %r0, 192;\n@%p0 exit;\n"
                                      "barrier.sync 3;\nmov.u32 %r20, 1;\n" OTHER));
    for (unsigned t = 0; t < 192; t++)
        ck_assert_uint_eq(launched.out[t], 1000 + (t ^ 1));
    ck_assert_uint_eq(launched.out[200], 0);
}
END_TEST

/* The last warps exit while the others wait already. */
START_TEST(late_exits_end_a_phase) {
    start(1, 128);
    launch_good(&launched,
                KERNEL("setp.lt.u32 %p0, %r0, 96;\n@%p0 bra MEET;\nmov.u32 %r10, 300;\n"
                       "LOOP: sub.u32 %r10, %r10, 1;\nsetp.ne.u32 %p1, %r10, 0;\n@%p1 bra LOOP;\n"
                       "exit;\nMEET: bar.sync 0;\nmov.u32 %r3, 7;\n"));
    for (unsigned t = 0; t < 128; t++)
        ck_assert_uint_eq(launched.out[t], t < 96 ? 7 : 0);
}
END_TEST

/* Two warps produce, two consume, through two barriers of 128 threads, ten times. */
#define HAND_OVER                                                                                  \
    "mov.u32 %r8, box;\nshl.b32 %r9, %r0, 2;\nadd.u32 %r9, %r8, %r9;\nmov.u32 %r10, 0;\n"          \
    "mov.u32 %r21, 1;\nmov.u32 %r22, 128;\nsetp.ge.u32 %p0, %r0, 64;\n@%p0 bra CONSUME;\n"         \
    "PRODUCE: setp.eq.u32 %p1, %r10, 0;\n@%p1 bra FIRST;\nbarrier.sync 2, 128;\n"                  \
    "FIRST: mad.lo.u32 %r11, %r10, 7, %r2;\nst.shared.u32 [%r9], %r11;\n"                          \
    "barrier.arrive %r21, %r22;\nadd.u32 %r10, %r10, 1;\nsetp.lt.u32 %p1, %r10, 10;\n"             \
    "@%p1 bra PRODUCE;\nbra DONE;\n"                                                               \
    "CONSUME: bar.sync %r21, %r22;\nld.shared.u32 %r11, [%r9+-256];\n"                             \
    "mad.lo.u32 %r3, %r3, 3, %r11;\nadd.u32 %r10, %r10, 1;\nsetp.lt.u32 %p1, %r10, 10;\n"          \
    "@!%p1 bra DONE;\nbar.arrive 2, 128;\nbra CONSUME;\nDONE:\n"

START_TEST(producers_and_consumers) {
    for (int seed = 0; seed < 20; seed++) {
        start(2, 128);
        launched.seed = (uint64_t)seed;
        launch_good(&launched, KERNEL(HAND_OVER));
        for (unsigned t = 0; t < 256; t++) {
            uint32_t sum = 0;
            for (uint32_t k = 0; t % 128 >= 64 && k < 10; k++)
                sum = sum * 3 + 1000 + (t - 64) + 7 * k;
            ck_assert_uint_eq(launched.out[t], sum);
        }
    }
}
END_TEST

START_TEST(reductions) {
    for (int seed = 0; seed < 10; seed++) {
        uint64_t random = 5 + (uint64_t)seed;
        uint32_t count = 0;
        start(1, 128);
        launched.seed = (uint64_t)seed;
        for (unsigned t = 0; t < 128; t++) {
            launched.in[t] = seed == 0 ? 1 : seed == 1 ? 0 : draw(&random) & 1;
            count += launched.in[t];
        }
        launch_good(&launched,
                    KERNEL("setp.ne.u32 %p0, %r2, 0;\nmov.u32 %r12, 5;\n"
                           "bar.red.popc.u32 %r10, 0, %p0;\nbar.red.and.pred %p1, %r12, %p0;\n"
                           "bar.red.or.pred %p2, 1, 128, %p0;\n"
                           "barrier.red.popc.u32 %r11, 0, !%p0;\n"
                           "selp.u32 %r12, 0x10000, 0, %p1;\nselp.u32 %r13, 0x20000, 0, %p2;\n"
                           "shl.b32 %r11, %r11, 20;\nor.b32 %r3, %r10, %r11;\n"
                           "or.b32 %r3, %r3, %r12;\nor.b32 %r3, %r3, %r13;\n"));
        for (unsigned t = 0; t < 128; t++)
            ck_assert_uint_eq(launched.out[t], (count | (128 - count) << 20) +
                                                   (count == 128 ? 0x10000 : 0) +
                                                   (count ? 0x20000 : 0));
    }
}
END_TEST

/* --- misuse --- */

START_TEST(a_part_of_the_block) {
    start(1, 128);
    launch_refused(&launched,
                   KERNEL("setp.lt.u32 %p0, %r0, 96;\n@%p0 bra MEET;\nbar.sync 1, 128;\n"
                          "bra DONE;\nMEET: bar.sync 0;\nDONE:\n"),
                   "sync.deadlock", "waits at barrier 0, where 96 of 128 threads have come");
    ck_assert_ptr_nonnull(strstr(launched.text, "barrier 1, where 32 of 128 threads"));
}
END_TEST

START_TEST(a_part_of_the_warp) {
    start(1, 32);
    launch_refused(&launched,
                   KERNEL("setp.lt.u32 %p0, %r0, 7;\n@%p0 bra MEET;\nbar.sync 1;\n"
                          "bra DONE;\nMEET: bar.sync 0;\nDONE:\n"),
                   "sync.deadlock", "waits for lanes 0xffffff80 at barrier 0");
}
END_TEST

/* Both halves of the warp arrive at barrier 0 from two places: it works, with a finding. */
START_TEST(aligned_in_divergent_code) {
    start(1, 64);
    launch(&launched, KERNEL("setp.lt.u32 %p0, %r0, 7;\n@%p0 bra MEET;\nbar.sync 0;\n"
                             "mov.u32 %r3, 1;\nbra DONE;\nMEET: bar.sync 0;\nmov.u32 %r3, 2;\n"
                             "DONE:\n"));
    ck_assert_int_eq(launched.status, WSIM_OK);
    ck_assert_uint_eq(launched.findings, 1);
    ck_assert_str_eq(launched.rule, "sync.aligned.divergent");
    for (unsigned t = 0; t < 64; t++)
        ck_assert_uint_eq(launched.out[t], t < 7 ? 2 : 1);
}
END_TEST

/* Lane 0 waits for another warp while the others are at the barrier already. All lanes reach that
 * instruction and leave it together (the lock of a split sum in a GEMM). */
START_TEST(aligned_at_different_times) {
    start(1, 64);
    launch_good(&launched,
                KERNEL("mov.u32 %r8, box;\nsetp.ge.u32 %p0, %r0, 32;\n@%p0 bra OTHER;\n"
                       "setp.ne.u32 %p0, %r0, 0;\n@%p0 bra MEET;\n"
                       "LOOP: ld.volatile.shared.u32 %r9, [%r8];\nsetp.ne.u32 %p1, %r9, 77;\n"
                       "@%p1 bra LOOP;\nMEET: mov.u32 %r3, 5;\nbar.sync 0;\n"
                       "activemask.b32 %r3;\nbar.sync 0;\nbra DONE;\n"
                       "OTHER: mov.u32 %r9, 77;\nst.volatile.shared.u32 [%r8], %r9;\n"
                       "mov.u32 %r3, 6;\nbar.sync 0;\nbar.sync 0;\nDONE:\n"));
    for (unsigned t = 0; t < 64; t++)
        ck_assert_uint_eq(launched.out[t], t < 32 ? 0xFFFFFFFF : 6);
}
END_TEST

/* Lanes that exit elsewhere complete a barrier of their warp. */
START_TEST(lanes_exit_instead) {
    for (int seed = 0; seed < 8; seed++) {
        start(1, 64);
        launched.seed = (uint64_t)seed;
        launch(&launched, KERNEL("setp.ge.u32 %p0, %r0, 40;\n@%p0 bra ELSE;\nbar.sync 0;\n"
                                 "mov.u32 %r3, 1;\nbra DONE;\nELSE: mov.u32 %r3, 2;\n"
                                 "add.u64 %d3, %d1, %d2;\nst.global.u32 [%d3], %r3;\nexit;\n"
                                 "DONE:\n"));
        ck_assert_int_eq(launched.status, WSIM_OK);
        ck_assert_uint_eq(launched.findings, 1);
        ck_assert_str_eq(launched.rule, "sync.barrier.exit");
        ck_assert_ptr_nonnull(strstr(launched.text, "lanes 0xffffff00 exit"));
        for (unsigned t = 0; t < 64; t++)
            ck_assert_uint_eq(launched.out[t], t < 40 ? 1 : 2);
    }
}
END_TEST

/* Threads that have nothing to do return early: advice. Whole warps do so without any. */
START_TEST(lanes_return_early) {
    const char *const kernels[] = {
        KERNEL("setp.ge.u32 %p0, %r0, %r20;\n@%p0 exit;\nbar.sync 0;\n"),
        KERNEL("setp.ge.u32 %p0, %r0, %r20;\n@%p0 bra END;\nbar.sync 0;\nmov.u32 %r3, 1;\n"
               "add.u64 %d3, %d1, %d2;\nst.global.u32 [%d3], %r3;\nEND: ret;\n")};
    char ptx[4096];
    for (unsigned i = 0; i < 4; i++) {
        const char *limit = strstr(kernels[i / 2], "%r20");
        start(1, 64);
        snprintf(ptx, sizeof ptx, "%.*s%u%s", (int)(limit - kernels[i / 2]), kernels[i / 2],
                 i % 2 ? 32 : 40, limit + 4);
        launch(&launched, ptx);
        ck_assert_int_eq(launched.status, WSIM_OK);
        ck_assert_uint_eq(launched.counted, 0);
        ck_assert_uint_eq(launched.findings, i % 2 ? 0 : 1);
        if (i % 2 == 0)
            ck_assert_str_eq(launched.rule, "advice.barrier.exit");
    }
}
END_TEST

/* Without .aligned it is what the instruction is for; a .red counts both. */
START_TEST(unaligned_in_divergent_code) {
    start(1, 64);
    launch_good(&launched, KERNEL("setp.lt.u32 %p0, %r0, 7;\n@%p0 bra MEET;\n"
                                  "barrier.red.popc.u32 %r3, 0, 64, %p0;\n"
                                  "bra DONE;\nMEET: barrier.red.popc.u32 %r3, 0, 64, %p0;\n"
                                  "add.u32 %r3, %r3, 100;\nDONE:\n"));
    for (unsigned t = 0; t < 64; t++)
        ck_assert_uint_eq(launched.out[t], t < 7 ? 107 : 7);
}
END_TEST

START_TEST(numbers_of_barriers) {
    start(1, 64);
    launch_refused(&launched, KERNEL("mov.u32 %r10, 16;\nbar.sync %r10;\n"), "sync.barrier.range",
                   "barrier 16: a block has the barriers 0 to 15");
    start(1, 64);
    launch_refused(&launched, KERNEL("mov.u32 %r1, 48;\nbar.sync 1, %r1;\n"), "sync.barrier.count",
                   "barrier 1 of 48 threads");
    start(1, 64);
    launch_refused(&launched, KERNEL("bar.sync 1, 96;\n"), "sync.barrier.count",
                   "a multiple of 32 from 32 to 64");
    start(1, 64);
    launch_refused(&launched, KERNEL("bar.sync %r0;\n"), "sync.barrier.differs",
                   "lane 1 gives barrier 1");
    start(1, 96);
    launch_refused(&launched,
                   KERNEL("setp.lt.u32 %p0, %r0, 32;\nselp.u32 %r10, 64, 96, %p0;\n"
                          "bar.sync 1, %r10;\n"),
                   "sync.barrier.mixed", "barrier 1 is used for 96 threads");
}
END_TEST

/* The second warp takes registers; the first one does `first`, and then meets it. */
#define TAKE(directives, first)                                                                    \
    HEAD_WITH("sm_90a", directives)                                                                \
    "setp.ge.u32 %p0, %r0, 32;\n@%p0 bra TAKE;\n" first "bar.sync 1;\nbra END;\n"                  \
    "TAKE: setmaxnreg.inc.sync.aligned.u32 96;\nbar.sync 1;\nEND: mov.u32 %r3, 5;\n" TAIL
#define GIVE(n) "setmaxnreg.dec.sync.aligned.u32 " n ";\n"

START_TEST(registers_of_a_block) {
    static const char lacks[] = "waits for 96 registers a thread; setmaxnreg.dec of other warps "
                                "left 32 too few; warp 0 at line";
    start(1, 64);
    launch_refused(&launched, TAKE(".maxnreg 64", ""), "sync.deadlock", lacks);
    launch_refused(&launched, TAKE(".maxntid 64 .minnctapersm 16", ""), "sync.deadlock", lacks);
    launch_refused(&launched, TAKE(".maxnreg 64", GIVE("40")), "sync.deadlock", "left 8 too few");
    launch_good(&launched, TAKE(".maxnreg 64", GIVE("32")));
    ck_assert_uint_eq(launched.out[63], 5);
    /* a warp that exits gives nothing back: measured on an H200 */
    launch_refused(
        &launched, TAKE(".maxnreg 64", "exit;\n"), "sync.deadlock",
        "waits for 96 registers a thread; setmaxnreg.dec of other warps left 32 too few");
    /* ptxas drops setmaxnreg, or the registers are enough */
    launch_good(&launched, TAKE("", ""));
    launch_good(&launched, TAKE(".maxntid 64", ""));
    launch_good(&launched, TAKE(".maxntid 64 .minnctapersm 2", ""));
}
END_TEST

START_TEST(deadlock_names_sources) {
    start(1, 64);
    launch_refused(&launched,
                   KERNEL("setp.ge.u32 %p0, %r0, 32;\n@%p0 exit;\n.loc 1 7 0\nbar.sync 1, 64;\n"
                          ".loc 1 8 0\n") ".file 1 \"folder/k.cu\"\n",
                   "sync.deadlock",
                   "warp 0 at k.cu:7 (bar.sync) waits at barrier 1, where 32 of 64");
}
END_TEST

/* A finding that does not end the launch. */
static void launch_found(const char *ptx, const char *rule, const char *words) {
    launch(&launched, ptx);
    ck_assert_str_eq(launched.rule, rule);
    ck_assert_msg(strstr(launched.text, words) != NULL, "no \"%s\" in: %s", words, launched.text);
}

START_TEST(registers_of_a_warp) {
    start(1, 32);
    launch_refused(&launched,
                   KERNEL("setp.lt.u32 %p0, %r0, 8;\n@%p0 setmaxnreg.dec.sync.aligned.u32 24;\n"
                          "@!%p0 bar.sync 0;\n"),
                   "sync.deadlock", "waits for lanes 0xffffff00");
    launch_problem(KERNEL("setmaxnreg.dec.sync.aligned.u32 20;\n"), "from 24 to 256");
    launch_problem(KERNEL("setmaxnreg.inc.sync.aligned.u32 100;\n"), "from 24 to 256");
    start(1, 64);
    launch_good(&launched, KERNEL("setmaxnreg.dec.sync.aligned.u32 24;\n"
                                  "griddepcontrol.wait;\nfence.acq_rel.gpu;\nmembar.gl;\n"
                                  "fence.proxy.async;\nfence.mbarrier_init.release.cluster;\n"
                                  "fence.proxy.alias;\nmov.u32 %r3, 5;\n"));
    ck_assert_uint_eq(launched.out[63], 5);
    start(1, 128);
    launch_found(KERNEL("setp.ge.u32 %p0, %r0, 32;\n@%p0 bra END;\n" GIVE("24") "END: mov.u32 "
                                                                                "%r3, 5;\n"),
                 "sync.registers.group",
                 "warp 0 has executed setmaxnreg 1 times, and warp 1 of its warpgroup 0 times");
    launch_found(KERNEL("setp.ge.u32 %p0, %r0, 96;\n@%p0 bra HAS;\n" GIVE(
                     "24") "bra END;\n"
                           "HAS: " GIVE("32") "END: mov.u32 %r3, 5;\n"),
                 "sync.registers.group",
                 "warp 0 sets 24 registers, and warp 3 of its warpgroup 32: all four warps");
    /* each role of a warp has an instruction of its own */
    launch_good(&launched, KERNEL("setp.ge.u32 %p0, %r0, 96;\n@%p0 bra HAS;\n" GIVE(
                               "24") "bra END;\nHAS: " GIVE("24") "END: mov.u32 %r3, 5;\n"));
    start(1, 256);
    launch_good(&launched, KERNEL("setp.ge.u32 %p0, %r0, 128;\n@%p0 bra HAS;\n" GIVE(
                               "24") "bra END;\nHAS: " GIVE("32") "END: mov.u32 %r3, 5;\n"));
}
END_TEST

/* --- clusters --- */

#define CLUSTER_SYNC                                                                               \
    "barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;\n"

/* Each block reads the box of the next one. */
START_TEST(a_cluster_waits) {
    for (int seed = 0; seed < 20; seed++) {
        start(8, 64);
        launched.cluster = 4;
        launched.seed = (uint64_t)seed;
        launch_good(&launched,
                    KERNEL(BOX CLUSTER_SYNC
                           "mov.u32 %r20, %cluster_ctarank;\nadd.u32 %r20, %r20, 1;\n"
                           "and.b32 %r20, %r20, 3;\nmapa.shared::cluster.u32 %r21, %r9, %r20;\n"
                           "ld.shared::cluster.u32 %r3, [%r21];\n"
                           "getctarank.shared::cluster.u32 %r22, %r21;\n"
                           "shl.b32 %r22, %r22, 16;\nadd.u32 %r3, %r3, %r22;\n" CLUSTER_SYNC));
        for (unsigned t = 0; t < 512; t++) {
            unsigned next = (t / 64 + 1) % 4, from = t / 256 * 256 + next * 64 + t % 64;
            ck_assert_uint_eq(launched.out[t], 1000 + from + (next << 16));
        }
    }
}
END_TEST

/* The address of a block's own memory is that which mapa gives for it, and carries its rank. */
START_TEST(addresses_carry_ranks) {
    start(2, 32);
    launched.cluster = 2;
    launch_good(&launched,
                KERNEL("mov.u32 %r8, box;\nmov.u32 %r20, %cluster_ctarank;\n"
                       "mapa.shared::cluster.u32 %r21, %r8, %r20;\nsub.u32 %r3, %r21, %r8;\n"
                       "getctarank.shared::cluster.u32 %r22, %r8;\n"
                       "sub.u32 %r22, %r22, %r20;\nor.b32 %r3, %r3, %r22;\n"
                       "cvta.shared.u64 %d4, box;\nmapa.u64 %d5, %d4, 1;\n"
                       "getctarank.u64 %r23, %d5;\nshl.b32 %r23, %r23, 8;\n"
                       "or.b32 %r3, %r3, %r23;\n"));
    for (unsigned t = 0; t < 64; t++)
        ck_assert_uint_eq(launched.out[t], 0x100);
}
END_TEST

START_TEST(cluster_misuse) {
    start(2, 32);
    launched.cluster = 2;
    launch_refused(&launched, KERNEL("barrier.cluster.wait;\n"), "sync.cluster.order",
                   "lane 0 waits at the barrier of the cluster and has not arrived");
    start(2, 32);
    launched.cluster = 2;
    launch_refused(&launched, KERNEL("barrier.cluster.arrive;\nbarrier.cluster.arrive;\n"),
                   "sync.cluster.order", "lane 0 arrives at the barrier of the cluster again");
    start(2, 32);
    launched.cluster = 2;
    launch_refused(&launched,
                   KERNEL("setp.eq.u32 %p0, %r1, 40;\n@!%p0 barrier.cluster.arrive;\n"
                          "@!%p0 barrier.cluster.wait;\n@%p0 bar.sync 0;\n"),
                   "sync.deadlock", "waits at the barrier of the cluster, where 1 threads");
    start(2, 32);
    launched.cluster = 2;
    launch_refused(&launched,
                   KERNEL("mov.u32 %r8, box;\nmapa.shared::cluster.u32 %r21, %r8, 256;\n"),
                   "sync.rank.range", "which has the blocks 0 to 1");
    launch_refused(&launched,
                   KERNEL("mov.u32 %r8, box;\nmapa.shared::cluster.u32 %r21, %r8, 2;\n"
                          "st.shared::cluster.u32 [%r21], %r8;\n"),
                   "memory.bounds", "of block 2, but the cluster has 2");
}
END_TEST

/* Threads that have exited are not waited for; a thread may do other things between. */
START_TEST(cluster_exits) {
    start(2, 64);
    launched.cluster = 2;
    launch_good(&launched, KERNEL("setp.ge.u32 %p0, %r1, 100;\n@%p0 exit;\n"
                                  "barrier.cluster.arrive.relaxed;\nmov.u32 %r3, 9;\n"
                                  "barrier.cluster.wait;\n"));
    for (unsigned t = 0; t < 128; t++)
        ck_assert_uint_eq(launched.out[t], t < 100 ? 9 : 0);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {a_block_waits,
                                  warps_keep_abreast,
                                  warps_that_exit_are_not_waited_for,
                                  late_exits_end_a_phase,
                                  producers_and_consumers,
                                  reductions,
                                  a_part_of_the_block,
                                  a_part_of_the_warp,
                                  aligned_in_divergent_code,
                                  aligned_at_different_times,
                                  lanes_exit_instead,
                                  lanes_return_early,
                                  unaligned_in_divergent_code,
                                  numbers_of_barriers,
                                  deadlock_names_sources,
                                  registers_of_a_warp,
                                  registers_of_a_block,
                                  a_cluster_waits,
                                  addresses_carry_ranks,
                                  cluster_misuse,
                                  cluster_exits};
    return run_tests("sync_block", tests, sizeof tests / sizeof tests[0]);
}
