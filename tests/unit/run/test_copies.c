/* Copies beside the threads: cp.async, bulk copies, tensors, maps that a kernel makes, blocks of a
 * cluster; done early and late. */
#include "launched.h"

static struct launched launched;

static void start(uint32_t grid, uint32_t block) {
    launched = (struct launched){.grid = grid, .block = block};
    for (unsigned i = 0; i < WORDS; i++)
        launched.in[i] = 1000 + i;
}

/* Both times at which work can be done, and several orders. */
#define EVERY_TIME                                                                                 \
    for (unsigned way = 0; way < 8; way++)                                                         \
        for (unsigned once = 1; once; once = 0)

static void set_way(unsigned way) {
    launched.async = way % 2 ? WSIM_ASYNC_LATE : WSIM_ASYNC_EAGER;
    launched.seed = way / 2;
}

/* --- cp.async --- */

/* Lane t copies words 4 t ... to the place of lane 31 - t; then each reads word t % 4 of its own.
 */
#define MIRROR(copy, wait)                                                                         \
    KERNEL("mov.u32 %r8, box;\nsub.u32 %r9, 31, %r0;\nmad.lo.u32 %r9, %r9, 16, %r8;\n"             \
           "mul.wide.u32 %d4, %r0, 16;\nadd.u64 %d4, %d4, %d0;\n" copy wait                        \
           "bar.warp.sync -1;\nand.b32 %r10, %r0, 3;\nmad.lo.u32 %r8, %r0, 16, %r8;\n"             \
           "mad.lo.u32 %r8, %r10, 4, %r8;\nld.shared.u32 %r3, [%r8];\n")
#define WAIT "cp.async.commit_group;\ncp.async.wait_group 0;\n"

START_TEST(lanes_copy) {
    EVERY_TIME {
        start(1, 32);
        set_way(way);
        launch_good(&launched, MIRROR("cp.async.cg.shared.global [%r9], [%d4], 16;\n", WAIT));
        for (unsigned t = 0; t < 32; t++)
            ck_assert_uint_eq(launched.out[t], 1000 + 4 * (31 - t) + t % 4);
    }
}
END_TEST

/* Lane t reads min(t, 16) bytes, the rest are zeros; odd lanes ignore their source. */
START_TEST(lanes_copy_a_part) {
    EVERY_TIME {
        start(1, 32);
        set_way(way);
        launch_good(&launched,
                    MIRROR("min.u32 %r11, %r0, 16;\n"
                           "cp.async.ca.shared.global.L2::128B [%r9], [%d4], 16, %r11;\n",
                           "cp.async.wait_all;\n"));
        for (unsigned t = 0; t < 32; t++) {
            unsigned from = 31 - t, bytes = from < 16 ? from : 16, word = t % 4;
            uint32_t value = 1000 + 4 * from + word;
            if (bytes < 4 * word + 4)
                value &= bytes > 4 * word ? (1u << 8 * (bytes - 4 * word)) - 1 : 0;
            ck_assert_uint_eq(launched.out[t], value);
        }
        start(1, 32);
        set_way(way);
        launch_good(&launched,
                    MIRROR("and.b32 %r11, %r0, 1;\nsetp.ne.u32 %p0, %r11, 0;\nmov.b64 %d5, 0;\n"
                           "cp.async.cg.shared.global.L2::cache_hint [%r9], [%d4], 16, %p0, %d5;\n",
                           WAIT));
        for (unsigned t = 0; t < 32; t++)
            ck_assert_uint_eq(launched.out[t], (31 - t) % 2 ? 0 : 1000 + 4 * (31 - t) + t % 4);
    }
}
END_TEST

START_TEST(a_missing_wait_shows) {
    start(1, 32);
    launch(&launched, MIRROR("cp.async.cg.shared.global [%r9], [%d4], 16;\n", ""));
    ck_assert_uint_eq(launched.out[1], 1000 + 4 * 30 + 1);
    start(1, 32);
    launched.async = WSIM_ASYNC_LATE;
    launch(&launched, MIRROR("cp.async.cg.shared.global [%r9], [%d4], 16;\n", ""));
    ck_assert_uint_ne(launched.out[1], 1000 + 4 * 30 + 1);
}
END_TEST

/* The highest lane that writes a place stays; with .cg the lowest of the last quarter (H200). */
START_TEST(lanes_copy_to_one_place) {
    EVERY_TIME {
        start(1, 32);
        set_way(way);
        launch_good(&launched, KERNEL("mov.u32 %r8, box;\n"
                                      "cp.async.ca.shared.global [%r8], [%d3], 4;\n" WAIT
                                      "bar.warp.sync -1;\nld.shared.u32 %r3, [%r8];\n"));
        for (unsigned t = 0; t < 32; t++)
            ck_assert_uint_eq(launched.out[t], 1031);
        start(1, 32);
        set_way(way);
        launch_good(&launched, KERNEL("mov.u32 %r8, box;\nand.b32 %r10, %r0, 1;\n"
                                      "mad.lo.u32 %r8, %r10, 16, %r8;\nmul.wide.u32 %d4, %r0, 16;\n"
                                      "add.u64 %d4, %d4, %d0;\n"
                                      "cp.async.cg.shared.global [%r8], [%d4], 16;\n" WAIT
                                      "bar.warp.sync -1;\nld.shared.u32 %r3, [%r8];\n"));
        for (unsigned t = 0; t < 32; t++)
            ck_assert_uint_eq(launched.out[t], 1000 + 4 * (24 + t % 2));
    }
}
END_TEST

/* --- bulk copies --- */

/* Thread 0 makes the barrier at box for one arrival; the label is for spinning on its phase 0. */
#define MAKE                                                                                       \
    "mov.u32 %r8, box;\nadd.u32 %r9, %r8, 128;\nsetp.eq.u32 %p15, %r0, 0;\n"                       \
    "@%p15 mbarrier.init.shared::cta.b64 [%r8], 1;\n"                                              \
    "fence.mbarrier_init.release.cluster;\nbar.sync 0;\n"
#define EXPECT(bytes) "@%p15 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r8], " bytes ";\n"
#define SPIN "SPIN: mbarrier.try_wait.parity.shared::cta.b64 %p14, [%r8], 0;\n@!%p14 bra SPIN;\n"
#define MEET "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n"
/* Word t of the loaded words. */
#define READ "mad.lo.u32 %r10, %r0, 4, %r9;\nld.shared.u32 %r3, [%r10];\n"

/* %r12 and %r13 are the places and the barrier of the other block. */
#define FAR(operands)                                                                              \
    "mov.u32 %r11, %cluster_ctarank;\nxor.b32 %r11, %r11, 1;\n"                                    \
    "mapa.shared::cluster.u32 %r12, %r9, %r11;\nmapa.shared::cluster.u32 %r13, %r8, %r11;\n"       \
    "mul.wide.u32 %d4, %r4, 128;\nadd.u64 %d4, %d4, %d0;\n"                                        \
    "@%p15 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes " operands

START_TEST(threads_start_copies) {
    EVERY_TIME {
        start(2, 64);
        set_way(way);
        /* Block b loads its 64 words in two copies, adds 5 and stores them after the output. */
        launch_good(&launched, KERNEL(MAKE EXPECT(
                                   "256") "mul.wide.u32 %d4, %r4, 256;\nadd.u64 %d5, %d4, %d0;\n"
                                          "@%p15 cp.async.bulk.shared::cluster.global"
                                          ".mbarrier::complete_tx::bytes "
                                          "[%r9], [%d5], 128, [%r8];\n"
                                          "@%p15 cp.async.bulk.shared::cta.global"
                                          ".mbarrier::complete_tx::bytes "
                                          "[%r9+128], [%d5+128], 128, [%r8];\n" SPIN READ
                                          "add.u32 %r3, %r3, 5;\nst.shared.u32 [%r10], %r3;\n"
                                          "fence.proxy.async.shared::cta;\nbar.sync 0;\n"
                                          "add.u64 %d5, %d4, %d1;\n"
                                          "@%p15 cp.async.bulk.global.shared::cta.bulk_group "
                                          "[%d5+4096], [%r9], 256;\n"
                                          "@%p15 cp.reduce.async.bulk.global.shared::cta"
                                          ".bulk_group.max.u32 [%d1+8192], [%r9], 256;\n"
                                          "@%p15 cp.async.bulk.commit_group;\n"
                                          "@%p15 cp.async.bulk.wait_group 0;\n"));
        for (unsigned t = 0; t < 128; t++)
            ck_assert_uint_eq(launched.out[1024 + t], 1005 + t);
        for (unsigned t = 0; t < 64; t++)
            ck_assert_uint_eq(launched.out[2048 + t], 1069 + t);
    }
}
END_TEST

/* Blocks that run at the same time add to the same words, by copies and by atomics. */
START_TEST(blocks_add_together) {
    for (unsigned round = 0; round < 4; round++) {
        start(128, 32);
        launched.threads = 4;
        launch_good(&launched,
                    HEAD "mov.u32 %r8, box;\nmad.lo.u32 %r9, %r0, 4, %r8;\nmov.u32 %r10, 3;\n"
                         "st.shared.u32 [%r9], %r10;\nfence.proxy.async.shared::cta;\n"
                         "bar.sync 0;\nsetp.eq.u32 %p0, %r0, 0;\nmul.wide.u32 %d4, %r0, 4;\n"
                         "add.u64 %d4, %d4, %d1;\nmov.u32 %r11, 400;\nAGAIN:\n"
                         "@%p0 cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 "
                         "[%d1], [%r8], 128;\n@%p0 cp.async.bulk.commit_group;\n"
                         "@%p0 cp.async.bulk.wait_group 0;\nred.global.add.u32 [%d4], %r0;\n"
                         "sub.u32 %r11, %r11, 1;\nsetp.ne.u32 %p1, %r11, 0;\n@%p1 bra AGAIN;\n"
                         "ret;\n}\n");
        for (unsigned t = 0; t < 32; t++)
            ck_assert_uint_eq(launched.out[t], 51200 * (3 + t));
    }
}
END_TEST

/* Rank 1 of a cluster of three loads for the blocks of a mask; each waits at its own barrier. */
START_TEST(several_blocks_are_loaded) {
    EVERY_TIME {
        start(6, 32);
        launched.cluster = 3;
        set_way(way);
        launch_good(&launched,
                    KERNEL(MAKE
                           "mov.u32 %r11, %cluster_ctarank;\nsetp.ne.u32 %p1, %r11, 1;\n"
                           "setp.ne.u32 %p2, %r11, 1;\nand.pred %p3, %p15, %p2;\n"
                           "@%p3 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r8], 128;\n" MEET
                           "mov.u32 %r3, 0;\n@!%p1 bra SEND;\n" SPIN READ "bra.uni DONE;\n"
                           "SEND: .reg .b16 %h<2>;\nmov.u16 %h0, 5;\nmul.wide.u32 %d4, %r4, 128;\n"
                           "add.u64 %d4, %d4, %d0;\n"
                           "@%p15 cp.async.bulk.shared::cluster.global"
                           ".mbarrier::complete_tx::bytes.multicast::cluster "
                           "[%r9], [%d4], 128, [%r8], %h0;\nDONE:\n" MEET));
        for (unsigned t = 0; t < 6 * 32; t++)
            ck_assert_uint_eq(launched.out[t], t / 32 % 3 == 1 ? 0
                                               : t / 32 < 3    ? 1032 + t % 32
                                                               : 1128 + t % 32);
    }
}
END_TEST

/* Each block sends its words to the next one, and adds others to the words there. */
START_TEST(blocks_send_to_each_other) {
    EVERY_TIME {
        start(4, 32);
        launched.cluster = 4;
        set_way(way);
        launch_good(
            &launched,
            KERNEL(MAKE EXPECT("256") "mov.u32 %r11, %cluster_ctarank;\nadd.u32 %r11, %r11, 1;\n"
                                      "and.b32 %r11, %r11, 3;\nmad.lo.u32 %r10, %r0, 4, %r9;\n"
                                      "st.shared.u32 [%r10], %r2;\nst.shared.u32 [%r10+256], %r0;\n"
                                      "mapa.shared::cluster.u32 %r12, %r9, %r11;\n"
                                      "mapa.shared::cluster.u32 %r13, %r8, %r11;\n"
                                      "fence.proxy.async.shared::cta;\n" MEET
                                      "@%p15 cp.async.bulk.shared::cluster.shared::cta"
                                      ".mbarrier::complete_tx::bytes "
                                      "[%r12+128], [%r9], 128, [%r13];\n"
                                      "@%p15 cp.reduce.async.bulk.shared::cluster.shared::cta"
                                      ".mbarrier::complete_tx::bytes.add.u32 "
                                      "[%r12+256], [%r9], 128, [%r13];\n" SPIN MEET
                                      "ld.shared.u32 %r3, [%r10+128];\n"
                                      "ld.shared.u32 %r14, [%r10+256];\n"
                                      "mad.lo.u32 %r3, %r14, 65536, %r3;\n"));
        for (unsigned t = 0; t < 128; t++) {
            uint32_t sent = 1000 + (t + 96) % 128;
            ck_assert_uint_eq(launched.out[t], (sent + t % 32) * 65536 + sent);
        }
    }
}
END_TEST

/* Each block of a cluster loads into the memory of the other, where the barrier is too. */
START_TEST(threads_load_for_others) {
    EVERY_TIME {
        start(2, 32);
        launched.cluster = 2;
        set_way(way);
        launch_good(&launched, KERNEL(MAKE EXPECT("128") MEET FAR("[%r12], [%d4], 128, [%r13];\n")
                                          SPIN READ MEET));
        for (unsigned t = 0; t < 64; t++)
            ck_assert_uint_eq(launched.out[t], 1000 + (t + 32) % 64);
    }
    start(2, 32);
    launched.cluster = 2;
    launch_refused(&launched, KERNEL(MAKE MEET FAR("[%r12], [%d4], 128, [%r8];\n") MEET),
                   "bulk.barrier.elsewhere", "the barrier that counts them is in block");
}
END_TEST

/* A copy of nothing completes nothing, and its address may be anything. */
START_TEST(nothing_is_copied) {
    start(1, 32);
    launch_good(&launched, KERNEL(MAKE EXPECT("0") "mov.u64 %d4, 48;\n@%p15 cp.async.bulk"
                                                   ".shared::cluster.global"
                                                   ".mbarrier::complete_tx::bytes "
                                                   "[%r9], [%d4], 0, [%r8];\n" SPIN));
}
END_TEST

/* --- tensors --- */

#define FIELD(name, ordinal, type, value)                                                          \
    "@%p15 tensormap.replace.tile." name ".shared::cta.b1024." type " [%r20], " ordinal value ";"  \
    "\n"

/* Builds a map of 64 x 16 words of the input in shared memory, with boxes of 8 x ROWS.
 * Copies it to global memory after the output. */
#define MAP(rows)                                                                                  \
    "add.u32 %r20, %r8, 512;\nmad.lo.u32 %r21, %r0, 4, %r20;\nmov.u32 %r22, 0;\n"                  \
    "setp.lt.u32 %p13, %r0, 32;\n@%p13 st.shared.u32 [%r21], %r22;\nbar.sync 0;\n" FIELD(          \
        "global_address", "", "b64", "%d0") FIELD("rank", "", "b32", "1")                          \
        FIELD("box_dim", "0, ", "b32", "8") FIELD("box_dim", "1, ", "b32", rows)                   \
            FIELD("global_dim", "0, ", "b32", "64") FIELD("global_dim", "1, ", "b32", "16") FIELD( \
                "global_stride", "0, ", "b64", "256") FIELD("element_stride", "0, ", "b32", "1")   \
                FIELD("element_stride", "1, ", "b32", "1") FIELD("elemtype", "", "b32", "2")       \
                    FIELD("interleave_layout", "", "b32", "0") FIELD("swizzle_mode", "", "b32",    \
                                                                     "0")                          \
                        FIELD("fill_mode", "", "b32",                                              \
                              "0") "bar.sync 0;\nadd.u64 %d6, %d1, 8192;\n"                        \
                                   "@%p13 "                                                        \
                                   "tensormap.cp_fenceproxy.global.shared::cta.tensormap::"        \
                                   "generic.release.gpu.sync.aligned "                             \
                                   "[%d6], [%r20], 128;\nbar.sync "                                \
                                   "0;\nfence.proxy.tensormap::generic.acquire.gpu [%d6], 128;\n"

START_TEST(kernels_make_maps) {
    EVERY_TIME {
        start(1, 32);
        set_way(way);
        launch_good(&launched, KERNEL(MAKE EXPECT("128") MAP(
                                   "4") "mov.u32 %r11, 60;\nmov.u32 %r12, 2;\n"
                                        "@%p15 cp.async.bulk.tensor.2d"
                                        ".shared::cluster.global.tile"
                                        ".mbarrier::complete_tx::bytes "
                                        "[%r9], [%d6, {%r11, %r12}], [%r8];\n" SPIN READ));
        for (unsigned t = 0; t < 32; t++)
            ck_assert_uint_eq(launched.out[t],
                              t % 8 < 4 ? 1000 + 64 * (2 + t / 8) + 60 + t % 8 : 0);
    }
}
END_TEST

/* Rows that are named one by one. */
START_TEST(rows_are_gathered) {
    static const unsigned rows[4] = {7, 0, 15, 3};
    EVERY_TIME {
        start(1, 32);
        set_way(way);
        launched.arch = "sm_100a";
        launch_good(&launched,
                    KERNEL(MAKE EXPECT("128") MAP("1") "@%p15 cp.async.bulk.tensor.2d"
                                                       ".shared::cta.global.tile::gather4"
                                                       ".mbarrier::complete_tx::bytes "
                                                       "[%r9], [%d6, {16, 7, 0, 15, 3}], "
                                                       "[%r8];\n" SPIN READ));
        for (unsigned t = 0; t < 32; t++)
            ck_assert_uint_eq(launched.out[t], 1000 + 64 * rows[t / 8] + 16 + t % 8);
    }
}
END_TEST

/* Both blocks of a pair load 4 rows of their own, and the barrier of one counts the bytes of both.
 * %r13 is that barrier. */
#define PAIR(whose, copy)                                                                          \
    KERNEL(MAKE "mov.u32 %r11, %cluster_ctarank;\nsetp.eq.u32 %p2, %r11, " whose ";\n"             \
                "and.pred %p3, %p15, %p2;\n"                                                       \
                "@%p3 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r8], 256;\n" MAP("4") MEET    \
           "mov.u32 %r12, " whose ";\nmapa.shared::cluster.u32 %r13, %r8, %r12;\n"                 \
           "shl.b32 %r14, %r4, 2;\nmov.u32 %r15, 8;\n.reg .b16 %h<2>;\nmov.u16 %h0, 3;\n" copy     \
           "SPIN: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p14, [%r8], "          \
           "0;\n@!%p2 bra MET;\n@!%p14 bra SPIN;\nMET:\n" MEET READ)
#define PAIR_COPY(words)                                                                           \
    "@%p15 cp.async.bulk.tensor.2d.cta_group::2.shared::cluster.global.tile"                       \
    ".mbarrier::complete_tx::bytes" words

START_TEST(a_pair_counts_in_one_block) {
    static const char *const own[] = {
        PAIR("0", PAIR_COPY(" [%r9], [%d6, {%r15, %r14}], [%r13];\n")),
        PAIR("1", PAIR_COPY(" [%r9], [%d6, {%r15, %r14}], [%r13];\n"))};
    static const char *const both[] = {
        PAIR("0", "@%p2 bra GO;\nbra.uni WAIT;\nGO:\n" PAIR_COPY(
                      ".multicast::cluster [%r9], [%d6, {%r15, 2}], [%r13], %h0;\n") "WAIT:\n"),
        PAIR("1", "@!%p2 bra GO;\nbra.uni WAIT;\nGO:\n" PAIR_COPY(
                      ".multicast::cluster [%r9], [%d6, {%r15, 2}], [%r13], %h0;\n") "WAIT:\n")};
    EVERY_TIME {
        for (unsigned whose = 0; whose < 2; whose++) {
            start(2, 32);
            launched.cluster = 2;
            launched.arch = "sm_100a";
            set_way(way);
            launch_good(&launched, own[whose]);
            for (unsigned t = 0; t < 64; t++)
                ck_assert_uint_eq(launched.out[t], 1000 + 64 * (t / 8) + 8 + t % 8);
            start(2, 32);
            launched.cluster = 2;
            launched.arch = "sm_100a";
            set_way(way);
            launch_good(&launched, both[whose]);
            for (unsigned t = 0; t < 64; t++)
                ck_assert_uint_eq(launched.out[t], 1000 + 64 * (2 + t % 32 / 8) + 8 + t % 8);
        }
    }
}
END_TEST

/* A barrier of another pair; the form without pairs, whose barrier lies beside the bytes. */
START_TEST(a_pair_counts_nowhere_else) {
    start(4, 32);
    launched.cluster = 4;
    launched.arch = "sm_100a";
    launch_refused(&launched, PAIR("2", PAIR_COPY(" [%r9], [%d6, {%r15, %r14}], [%r13];\n")),
                   "bulk.barrier.elsewhere", "the bytes go to block 0 of the cluster");
    start(2, 32);
    launched.cluster = 2;
    launched.arch = "sm_100a";
    launch_refused(&launched,
                   PAIR("0", "@%p15 cp.async.bulk.tensor.2d.cta_group::1.shared::cluster.global"
                             ".tile.mbarrier::complete_tx::bytes [%r9], [%d6, {%r15, %r14}], "
                             "[%r13];\n"),
                   "bulk.barrier.elsewhere", "the bytes go to block 1 of the cluster");
}
END_TEST

START_TEST(shared_memory_is_cleared) {
    start(1, 32);
    launched.arch = "sm_100a";
    launch_good(&launched, KERNEL("mov.u32 %r8, box;\nmad.lo.u32 %r10, %r0, 4, %r8;\n"
                                  "st.shared.u32 [%r10], %r2;\nbar.sync 0;\n"
                                  "setp.eq.u32 %p0, %r0, 7;\nmov.u64 %d4, 24;\n"
                                  "@%p0 st.bulk.weak.shared::cta [%r8+16], %d4, 0;\nbar.sync 0;\n"
                                  "ld.shared.u32 %r3, [%r10];\n"));
    for (unsigned t = 0; t < 32; t++)
        ck_assert_uint_eq(launched.out[t], t >= 4 && t < 10 ? 0 : 1000 + t);
}
END_TEST

/* --- what is wrong --- */

START_TEST(refused) {
    start(1, 32);
    launch_refused(&launched,
                   KERNEL(MAKE "@%p15 cp.async.bulk.shared::cluster.global"
                               ".mbarrier::complete_tx::bytes [%r9+8], [%d0], 16, [%r8];\n"),
                   "bulk.piece.align", "shared address 0x488");
    start(1, 32);
    launch_refused(&launched,
                   KERNEL(MAKE "@%p15 cp.async.bulk.shared::cluster.global"
                               ".mbarrier::complete_tx::bytes [%r9], [%d0+16368], 32, [%r8];\n"),
                   "memory.bounds", "");
    start(1, 32);
    launch_refused(&launched,
                   KERNEL(MAKE "mov.b64 %d4, 0;\nadd.u64 %d6, %d1, 8192;\n"
                               "@%p15 cp.async.bulk.tensor.1d.shared::cluster.global"
                               ".mbarrier::complete_tx::bytes [%r9], [%d6, {%r0}], [%r8];\n"),
                   "tensor.image.stamp", "");
}
END_TEST

int main(void) {
    const TTest *const tests[] = {lanes_copy,
                                  lanes_copy_a_part,
                                  a_missing_wait_shows,
                                  lanes_copy_to_one_place,
                                  threads_start_copies,
                                  blocks_add_together,
                                  several_blocks_are_loaded,
                                  blocks_send_to_each_other,
                                  threads_load_for_others,
                                  nothing_is_copied,
                                  kernels_make_maps,
                                  rows_are_gathered,
                                  a_pair_counts_in_one_block,
                                  a_pair_counts_nowhere_else,
                                  shared_memory_is_cleared,
                                  refused};
    return run_tests("copies", tests, sizeof tests / sizeof tests[0]);
}
