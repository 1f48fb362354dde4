/* Uninitialised bytes: each planted use is found with its line, and its twin that writes them first
 * is silent. */
#include "launched.h"

static struct launched launched;

static void start(uint32_t grid, uint32_t block) {
    launched = (struct launched){.grid = grid, .block = block, .checks = WSIM_CHECK_INIT};
    for (unsigned i = 0; i < WORDS; i++)
        launched.in[i] = i;
}

/* It ends well, with one finding: of this rule, in the line of `word`, with these words. */
static void found(const char *ptx, const char *rule, const char *word, const char *words) {
    launch(&launched, ptx);
    ck_assert_msg(launched.status == WSIM_OK, "%s", launched.diag.text);
    ck_assert_msg(launched.findings == 1, "%u findings: %s %s", (unsigned)launched.findings,
                  launched.rule, launched.text);
    ck_assert_str_eq(launched.rule, rule);
    ck_assert_uint_eq(launched.line, line_of(ptx, word));
    ck_assert_msg(strstr(launched.text, words) != NULL, "no \"%s\" in: %s", words, launched.text);
}

#define OWN "mov.u32 %r8, box;\nmad.lo.u32 %r9, %r0, 4, %r8;\n"
#define FIRST "setp.eq.u32 %p1, %r0, 0;\nsetp.lt.u32 %p2, %r0, 16;\n"

/* --- shared memory --- */

START_TEST(shared_words_are_written_before_they_are_read) {
    start(1, 32);
    launch_good(&launched, KERNEL(OWN FIRST "st.shared.u32 [%r9], %r0;\nbar.sync 0;\n"
                                            "ld.shared.u32 %r3, [%r9];"));
    found(KERNEL(OWN FIRST "@%p2 st.shared.u32 [%r9], %r0;\nbar.sync 0;\n"
                           "ld.shared.u32 %r3, [%r9];"),
          "init.shared", "ld.shared", "uninitialised shared memory at box+0x40");
    /* A column: every fourth word, of which half were written. */
    found(KERNEL(OWN FIRST "@%p2 st.shared.u32 [%r9], %r0;\nbar.sync 0;\n"
                           "mad.lo.u32 %r9, %r0, 16, %r8;\nld.shared.u32 %r3, [%r9];"),
          "init.shared", "ld.shared", "uninitialised shared memory at box+0x40");
    /* The flag alone asks for it, and a launch without it says nothing. */
    launched.checks = WSIM_CHECK_ALL & ~WSIM_CHECK_INIT;
    launch_good(&launched, KERNEL("ld.shared.u32 %r3, [box];"));
}
END_TEST

/* Two of four bytes: a load of four bytes of a store of two. */
START_TEST(each_byte_counts) {
    start(1, 1);
    found(KERNEL("st.shared.u16 [box+8], 1;\nld.shared.u32 %r3, [box+8];"), "init.shared",
          "ld.shared", "at box+0xa");
    found(KERNEL("st.shared.u8 [box+9], 1;\nst.shared.u16 [box+10], 1;\n"
                 "ld.shared.u32 %r3, [box+8];"),
          "init.shared", "ld.shared", "at box+0x8");
    found(KERNEL("st.shared.v4.u32 [box], {%r0, %r0, %r0, %r0};\nst.shared.u8 [box+16], 1;\n"
                 "st.shared.v2.u8 [box+18], {1, 1};\nst.shared.u32 [box+20], 1;\n"
                 "ld.shared.v2.u32 {%r3, %r10}, [box+16];"),
          "init.shared", "ld.shared", "at box+0x11");
    launch_good(&launched, KERNEL("st.shared.u8 [box+8], 1;\nst.shared.u8 [box+9], 1;\n"
                                  "st.shared.u16 [box+10], 1;\nld.shared.u32 %r3, [box+8];"));
}
END_TEST

/* A compiler says which bytes of a struct a load needs; the others are padding. */
START_TEST(padding_is_not_used) {
#define PADDED(mask)                                                                               \
    KERNEL("st.shared.u8 [box+8], 1;\nst.shared.u32 [box+12], 1;\n" mask                           \
           "ld.shared.v2.u32 {%r3, %r10}, [box+8];\nst.global.v2.u32 [%d1+64], {%r3, %r10};\n")
    start(1, 1);
    launch_good(&launched, PADDED(".pragma \"used_bytes_mask 0xf1\";\n"));
    found(PADDED(".pragma \"used_bytes_mask 0xf3\";\n"), "init.shared", "ld.shared", "at box+0x9");
    found(PADDED(""), "init.shared", "ld.shared", "at box+0x9");
}
END_TEST

/* Values of the previous block do not count for this one. */
START_TEST(a_block_begins_with_nothing) {
    start(3, 1);
    found(KERNEL("setp.eq.u32 %p1, %r4, 0;\n@%p1 st.shared.u32 [box], 5;\n"
                 "ld.shared.u32 %r3, [box];"),
          "init.shared", "ld.shared", "box+0x0");
    launch_good(&launched, KERNEL("st.shared.u32 [box], 5;\nld.shared.u32 %r3, [box];"));
}
END_TEST

/* The old value of an atomic is read; of exch, compilers may not want it. */
START_TEST(atomics_read_and_write) {
    start(1, 4);
    found(KERNEL("atom.shared.add.u32 %r3, [box], 1;\nld.shared.u32 %r3, [box];"), "init.shared",
          "atom.shared", "box+0x0");
    found(KERNEL("red.shared.add.u32 [box], 1;\nld.shared.u32 %r3, [box];"), "init.shared",
          "red.shared", "box+0x0");
    launch_good(&launched, KERNEL("atom.shared.exch.b32 %r3, [box], 1;\nld.shared.u32 %r3, [box];\n"
                                  "atom.shared.add.u32 %r3, [box], 1;"));
}
END_TEST

/* Rows of ldmatrix: 16 bytes of each of 8 lanes. */
START_TEST(rows_of_matrices_are_read) {
#define MATRIX                                                                                     \
    "shl.b32 %r10, %r0, 4;\nadd.u32 %r9, %r8, %r10;\n"                                             \
    "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [%r9];"
    start(1, 32);
    launch_good(&launched, KERNEL(OWN "st.shared.u32 [%r9], %r0;\nbar.sync 0;\n" MATRIX));
    found(KERNEL(OWN FIRST "@%p2 st.shared.u32 [%r9], %r0;\nbar.sync 0;\n" MATRIX), "init.shared",
          "ldmatrix", "box+0x40");
}
END_TEST

/* Stores into the memory of another block make it known there, and only there. */
START_TEST(other_blocks_of_a_cluster_write) {
#define PEER(store)                                                                                \
    "mov.u32 %r8, box;\nmov.u32 %r9, %cluster_ctarank;\nxor.b32 %r10, %r9, 1;\n"                   \
    "mapa.shared::cluster.u32 %r11, %r8, %r10;\n" store                                            \
    "barrier.cluster.arrive;\nbarrier.cluster.wait;\nld.shared.u32 %r3, [box];"
    start(2, 1);
    launched.cluster = 2;
    launch_good(&launched, KERNEL(PEER("st.shared::cluster.u32 [%r11], %r9;\n")));
    ck_assert_uint_eq(launched.out[0], 1);
    found(KERNEL(PEER("setp.eq.u32 %p1, %r9, 0;\n@%p1 st.shared::cluster.u32 [%r11], %r9;\n")),
          "init.shared", "ld.shared", "box+0x0");
    found(KERNEL(PEER("st.shared.u32 [box], 1;\nld.shared::cluster.u32 %r12, [%r11+16];\n"
                      "st.global.u32 [%d1+64], %r12;\n")),
          "init.shared", "ld.shared::cluster", "box+0x10 of block 1 of the cluster");
}
END_TEST

/* Bytes that the copy engine brings are written when it is done, and what it takes it reads. */
START_TEST(copies_write_and_read) {
#define BARRIER                                                                                    \
    ".shared .align 8 .b64 bar;\nmov.u32 %r8, box;\nmov.u32 %r9, bar;\n"                           \
    "mbarrier.init.shared.b64 [%r9], 1;\nfence.proxy.async;\n"                                     \
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r8], [%d0], 64, [%r9];\n" \
    "mbarrier.arrive.expect_tx.shared.b64 %d8, [%r9], 64;\n"
#define WAIT "again: mbarrier.try_wait.shared.b64 %p1, [%r9], %d8;\n@!%p1 bra again;\n"
    for (unsigned late = 0; late < 2; late++) {
        start(1, 1);
        launched.async = late ? WSIM_ASYNC_LATE : WSIM_ASYNC_EAGER;
        launch_good(&launched, KERNEL(BARRIER WAIT "ld.shared.u32 %r3, [%r8+60];"));
        ck_assert_uint_eq(launched.out[0], 15);
        found(KERNEL(BARRIER WAIT "ld.shared.u32 %r3, [%r8+64];"), "init.shared",
              "ld.shared.u32 %r3", "box+0x40");
        found(KERNEL(BARRIER WAIT "cp.async.bulk.global.shared::cta.bulk_group [%d1+64], [%r8+16], "
                                  "64;\ncp.async.bulk.commit_group;\n"
                                  "cp.async.bulk.wait_group 0;"),
              "init.shared", "cp.async.bulk.global", "a copy or product reads");
    }
    found(KERNEL(BARRIER "ld.shared.u32 %r3, [%r8+60];\n" WAIT), "init.shared", "ld.shared.u32 %r3",
          "box+0x3c");
    /* The barrier itself has been written. */
    launch_good(&launched, KERNEL(BARRIER WAIT "ld.shared.b64 %d9, [bar];"));
}
END_TEST

/* --- local memory --- */

#define LOCAL ".local .align 16 .b8 depot[64];\n"

START_TEST(threads_write_their_local_memory) {
    start(2, 32);
    launch_good(&launched, KERNEL(LOCAL "st.local.u32 [depot+4], %r0;\nld.local.u32 %r3, "
                                        "[depot+4];"));
    found(KERNEL(LOCAL "st.local.u32 [depot+4], %r0;\nld.local.u32 %r3, [depot+8];"), "init.local",
          "ld.local", "uninitialised local memory at 0x8");
    /* Each lane has its own, and each block begins with nothing. */
    found(KERNEL(LOCAL FIRST "@%p2 st.local.u32 [depot+4], %r0;\nld.local.u32 %r3, [depot+4];"),
          "init.local", "ld.local", "0x4");
    found(KERNEL(LOCAL "setp.eq.u32 %p1, %r4, 0;\n@%p1 st.local.u32 [depot], 5;\n"
                       "ld.local.u32 %r3, [depot];"),
          "init.local", "ld.local", "0x0");
    /* A struct is copied with its padding. */
    launch_good(&launched, KERNEL(LOCAL "st.local.u32 [depot+4], 7;\n"
                                        "ld.local.v2.u32 {%r10, %r3}, [depot];"));
}
END_TEST

/* A copy is not a use: uninitialised bytes stay uninitialised at their destination, and their first
 * use is found. */
START_TEST(copies_take_unknown_bytes_along) {
#define COPY                                                                                       \
    LOCAL "st.local.u32 [depot], 7;\nld.local.u32 %r10, [depot];\n"                                \
          "ld.local.u32 %r11, [depot+4];\nst.local.u32 [depot+8], %r10;\n"                         \
          "st.local.u32 [depot+12], %r11;\n"
#define GENERIC                                                                                    \
    LOCAL "mov.u64 %d8, depot;\ncvta.local.u64 %d8, %d8;\nst.u32 [%d8], 7;\n"                      \
          "ld.v2.u32 {%r10, %r11}, [%d8];\nst.v2.u32 [%d8+8], {%r10, %r11};\n"
    start(1, 32);
    launch_good(&launched, KERNEL(COPY "ld.local.u32 %r3, [depot+8];"));
    found(KERNEL(COPY "ld.local.u32 %r3, [depot+12];"), "init.local", "ld.local.u32 %r3", "0xc");
    launch_good(&launched, KERNEL(GENERIC "ld.local.u32 %r3, [depot+8];"));
    found(KERNEL(GENERIC "ld.local.u32 %r3, [depot+12];"), "init.local", "ld.local.u32 %r3", "0xc");
    /* It is written after the copy, by the same register and by another one. */
    launch_good(&launched, KERNEL(COPY "st.local.u32 [depot+12], %r0;\n"
                                       "ld.local.u32 %r3, [depot+12];"));
    launch_good(&launched, KERNEL(COPY "st.local.u32 [depot+4], %r0;\n"
                                       "ld.local.u32 %r12, [depot+4];\n"
                                       "st.local.u32 [depot+12], %r12;\n"
                                       "ld.local.u32 %r3, [depot+12];"));
    /* Elsewhere it is seen. */
    found(KERNEL(LOCAL "mov.u64 %d8, depot;\ncvta.local.u64 %d8, %d8;\nld.u32 %r10, [%d8+4];\n"
                       "st.u32 [%d1], %r10;\n"),
          "init.local", "ld.u32", "0x4, and the kernel stores the value");
    found(KERNEL(LOCAL "ld.local.u32 %r10, [depot+4];\nst.global.u32 [%d1], %r10;\n"), "init.local",
          "ld.local", "0x4");
}
END_TEST

/* --- values that are loaded, and not used --- */

/* %r10 is uninitialised but for its low byte, 5; %r11 altogether. */
#define HALF "st.shared.u8 [box], 5;\nld.shared.u32 %r10, [box];\nld.shared.u32 %r11, [box+64];\n"

/* The bits that reach the output are initialised. */
START_TEST(other_bits_may_be_uninitialised) {
    static const struct {
        const char *ptx;
        uint32_t result;
    } good[] = {
        {KERNEL(HALF "and.b32 %r3, %r10, 0x7f;\n"), 5},
        {KERNEL(HALF "or.b32 %r12, %r10, 0xffffff00;\nand.b32 %r3, %r12, -1;\n"), 0xFFFFFF05},
        {KERNEL(HALF "lop3.b32 %r3, %r10, 0xff, 3, 0x6a;\n"), 6},
        {KERNEL(HALF "shl.b32 %r12, %r10, 24;\nshr.u32 %r3, %r12, 25;\n"), 2},
        {KERNEL(HALF "bfe.u32 %r3, %r10, 1, 7;\n"), 2},
        {KERNEL(HALF "bfi.b32 %r3, %r10, 0x70, 0, 4;\n"), 0x75},
        {KERNEL(HALF "prmt.b32 %r3, %r10, %r11, 0x0000;\n"), 0x05050505},
        {KERNEL(HALF "shf.l.wrap.b32 %r12, %r11, %r10, 24;\nshr.u32 %r3, %r12, 24;\n"), 5},
        {KERNEL(HALF "cvt.u32.u8 %r3, %r10;\n"), 5},
        {KERNEL(HALF
                "mul.lo.u32 %r12, %r10, 3;\nadd.u32 %r12, %r12, 1;\nand.b32 %r3, %r12, 255;\n"),
         16},
        {KERNEL(HALF "mul.lo.u32 %r3, %r11, %r4;\n"), 0},
        {KERNEL(HALF "mad.lo.u32 %r3, %r4, %r11, 9;\n"), 9},
        {KERNEL(HALF "setp.eq.u32 %p1, %r0, 99;\nselp.b32 %r3, %r11, 7, %p1;\n"), 7},
        {KERNEL(HALF
                "setp.lt.u32 %p1, %r11, 5;\nselp.b32 %r12, 1, 2, %p1;\nsub.u32 %r3, %r4, 0;\n"),
         0},
        {KERNEL(HALF "setp.lt.u32 %p1, %r11, 5;\nselp.b32 %r3, 7, 7, %p1;\n"), 7},
        {KERNEL(HALF "and.b32 %r12, %r10, 0xf000000f;\nor.b32 %r12, %r12, 0x80;\n"
                     "setp.eq.u32 %p1, %r12, 0x45;\n@%p1 mov.u32 %r3, 1;\n"),
         0},
        {KERNEL(HALF
                "and.b32 %r12, %r11, 0xff;\nsetp.lt.u32 %p1, %r12, 256;\n@%p1 mov.u32 %r3, 1;\n"),
         1},
        {KERNEL(HALF "or.b32 %r12, %r11, 0x80000000;\nsetp.lt.s32 %p1, %r12, 0;\n"
                     "@%p1 mov.u32 %r3, 1;\n"),
         1},
        {KERNEL(HALF
                "setp.lt.u32 %p1, %r11, 9;\nsetp.eq.u32 %p2, %r0, 99;\nand.pred %p3, %p1, %p2;\n"
                "@%p3 mov.u32 %r3, 1;\n"),
         0},
        {KERNEL(HALF "setp.eq.u32 %p2, %r0, 99;\nsetp.lt.and.u32 %p1, %r11, 9, %p2;\n"
                     "@%p1 mov.u32 %r3, 1;\n"),
         0},
        {KERNEL(HALF "mov.b64 %d8, {%r4, %r11};\nmov.b64 {%r3, %r12}, %d8;\n"), 0},
        {KERNEL(HALF "cvt.u64.u32 %d8, %r11;\nshr.u64 %d8, %d8, 32;\ncvt.u32.u64 %r3, %d8;\n"), 0},
        {KERNEL(HALF "mov.b32 %f1, %r11;\ncvt.rn.f16x2.f32 %r12, %f1, 0f3f800000;\n"
                     "and.b32 %r3, %r12, 0xffff;\n"),
         0x3C00},
        {KERNEL(HALF "fma.rn.f16x2 %r12, %r10, %r10, %r10;\nmov.u32 %r3, 1;\n"), 1},
        /* It is stored, and loaded where it is initialised. */
        {KERNEL(HALF "st.shared.u32 [box+128], %r10;\nld.shared.u8 %r3, [box+128];\n"), 5},
        {KERNEL(HALF "st.shared.u32 [box+128], %r11;\nst.shared.u32 [box+128], 4;\n"
                     "ld.shared.u32 %r3, [box+128];\n"),
         4},
        {KERNEL(HALF "setp.eq.u32 %p1, %r0, 99;\n@%p1 st.global.u32 [%d1], %r11;\n"), 0},
    };
    start(1, 1);
    launch_good(&launched, good[_i].ptx);
    ck_assert_uint_eq(launched.out[0], good[_i].result);
}
END_TEST

/* The line of the load, and that of the use. */
START_TEST(uses_of_uninitialised_values) {
    static const struct {
        const char *ptx, *use, *words;
    } bad[] = {
        {KERNEL(HALF "st.global.u32 [%d1], %r10;\n"), "st.global",
         "at box+0x1, and the kernel stores"},
        {KERNEL(HALF "add.u32 %r3, %r10, 1;\n"), "st.global", "stores the value"},
        {KERNEL(HALF "and.b32 %r3, %r10, 0x1ff;\n"), "st.global", "stores the value"},
        {KERNEL(HALF "setp.lt.u32 %p1, %r10, 6;\n@%p1 bra done;\nadd.u32 %r3, %r3, 1;\ndone:\n"),
         "@%p1 bra", "branches on the value"},
        {KERNEL(HALF "setp.lt.u32 %p1, %r10, 6;\n@%p1 st.shared.u32 [box], 1;\n"), "@%p1 st",
         "branches on the value"},
        {KERNEL(HALF "setp.lt.u32 %p1, %r10, 6;\n@%p1 mov.u32 %r3, 1;\n"), "st.global", "stores"},
        {KERNEL(HALF "and.b32 %r12, %r10, 0x100;\nmov.u32 %r13, box;\nadd.u32 %r12, %r12, %r13;\n"
                     "ld.shared.u32 %r3, [%r12];\nmov.u32 %r3, 1;\n"),
         "ld.shared.u32 %r3", "uses the value as an address"},
        {KERNEL(HALF "atom.shared.exch.b32 %r12, [box+64], %r10;\n"), "atom", "uses the value"},
        {KERNEL(HALF "selp.b32 %r3, %r10, 7, 1;\n"), "st.global", "stores"},
        {KERNEL(HALF "mul.hi.u32 %r3, %r10, 3;\n"), "st.global", "stores"},
        {KERNEL(HALF "mov.b64 %d8, {%r4, %r10};\nshr.u64 %d8, %d8, 40;\ncvt.u32.u64 %r3, %d8;\n"),
         "st.global", "stores"},
        /* It goes through shared memory: the first load is named. */
        {KERNEL(HALF "st.shared.u32 [box+128], %r10;\nld.shared.u8 %r3, [box+129];\n"), "st.global",
         "at box+0x1, and the kernel stores"},
    };
    start(1, 1);
    found(bad[_i].ptx, "init.shared", "ld.shared.u32 %r10", bad[_i].words);
    ck_assert_uint_eq(launched.other, line_of(bad[_i].ptx, bad[_i].use));
}
END_TEST

/* Lane 31 has an uninitialised value, the others have their number. */
#define ONE_LANE                                                                                   \
    OWN "setp.ne.u32 %p1, %r0, 31;\n@%p1 st.shared.u32 [%r9], %r0;\nld.shared.u32 %r10, [%r9];\n"  \
        "setp.eq.u32 %p3, %r10, 99;\nsetp.eq.u32 %p4, %r0, 99;\nmov.u32 %r3, 1;\n"

START_TEST(lanes_exchange_initialised_values) {
    static const char *const good[] = {
        KERNEL(ONE_LANE "shfl.sync.idx.b32 %r3, %r10, 3, 31, -1;\n"),
        KERNEL(ONE_LANE "shfl.sync.up.b32 %r3, %r10, 1, 0, -1;\n"),
        KERNEL(ONE_LANE "@%p1 shfl.sync.bfly.b32 %r3, %r0, 0, 31, 0x7fffffff;\n"),
        KERNEL(ONE_LANE "vote.sync.ballot.b32 %r12, %p3, -1;\nand.b32 %r3, %r12, 0x7fffffff;\n"),
        KERNEL(ONE_LANE "vote.sync.all.pred %p5, %p3, -1;\nselp.b32 %r3, 1, 2, %p5;\n"),
        KERNEL(ONE_LANE "or.b32 %r12, %r10, -2;\nredux.sync.or.b32 %r3, %r12, -1;\n"),
        KERNEL(ONE_LANE "elect.sync %r12|%p5, -1;\nselp.b32 %r3, 1, 2, %p5;\n"),
    };
    start(1, 32);
    launch_good(&launched, good[_i]);
}
END_TEST

START_TEST(lanes_exchange_uninitialised_values) {
    static const char *const bad[] = {
        KERNEL(ONE_LANE "shfl.sync.idx.b32 %r3, %r10, 31, 31, -1;\n"),
        KERNEL(ONE_LANE "shfl.sync.down.b32 %r3, %r10, 1, 31, -1;\n"),
        KERNEL(ONE_LANE "shfl.sync.idx.b32 %r12, %r0, %r10, 31, -1;\n"),
        KERNEL(ONE_LANE "vote.sync.ballot.b32 %r3, %p3, -1;\n"),
        KERNEL(ONE_LANE "vote.sync.any.pred %p5, %p3, -1;\nselp.b32 %r3, 1, 2, %p5;\n"),
        KERNEL(ONE_LANE "redux.sync.add.u32 %r3, %r10, -1;\n"),
        KERNEL(ONE_LANE "match.any.sync.b32 %r3, %r10, -1;\n"),
        /* Lanes meet at two instructions. */
        KERNEL(ONE_LANE "setp.lt.u32 %p5, %r0, 16;\n@%p5 bra low;\n"
                        "shfl.sync.bfly.b32 %r3, %r10, 16, 31, -1;\nbra done;\n"
                        "low: shfl.sync.bfly.b32 %r3, %r10, 16, 31, -1;\ndone:\n"),
    };
    start(1, 32);
    found(bad[_i], "init.shared", "ld.shared", "box+0x7c");
}
END_TEST

/* Lanes 0 to 7 read from lanes that do not execute the shuffle. */
#define ABSENT "shfl.sync.down.b32 %r3, %r0, 8, 31, 0xffff;\n"
#define LOW "setp.lt.u32 %p1, %r0, 8;\nsetp.ge.u32 %p2, %r0, 16;\n@%p2 bra done;\n"

START_TEST(values_of_absent_lanes_are_dropped) {
    static const char *const good[] = {
        KERNEL(LOW ABSENT "selp.b32 %r3, %r3, 9, %p1;\ndone:\n"),
        KERNEL(LOW "shfl.sync.down.b32 %r10, %r0, 8, 31, 0xffff;\nadd.u32 %r10, %r10, %r0;\n"
                   "shfl.sync.idx.b32 %r3, %r10, 7, 31, 0xffff;\ndone:\n"),
        KERNEL(LOW "shfl.sync.down.b32 %r10, %r0, 8, 31, 0xffff;\nst.shared.u32 [box+64], 3;\n"
                   "@!%p1 st.shared.u32 [box], %r10;\n@%p1 st.shared.u32 [box+4], %r10;\n"
                   "ld.shared.u32 %r3, [box+4];\ndone:\n"),
        /* Outside of its segment a lane reads itself. */
        KERNEL(LOW "shfl.sync.down.b32 %r3, %r0, 8, 0x100f, 0xffff;\ndone:\n"),
    };
    start(1, 32);
    launch_good(&launched, good[_i]);
}
END_TEST

START_TEST(values_of_absent_lanes_are_used) {
    static const struct {
        const char *ptx, *use, *words;
        uint32_t block;
    } bad[] = {
        {KERNEL(LOW ABSENT "done:\n"), "st.global",
         "takes the value of lane 16, which does not execute this, and the kernel stores it", 32},
        {KERNEL(LOW ABSENT "setp.eq.u32 %p3, %r3, 0;\n@%p3 bra done;\ndone:\nmov.u32 %r3, 0;\n"),
         "@%p3 bra", "and the kernel branches on it", 32},
        /* The other lanes do not exist, or have exited. */
        {KERNEL("shfl.sync.bfly.b32 %r3, %r0, 4, 31, -1;\n"), "st.global", "of lane 20", 20},
        {KERNEL(LOW "shfl.sync.idx.b32 %r3, %r0, 31, 31, -1;\nst.global.u32 [%d1], %r3;\nret;\n"
                    "done: exit;\n"),
         "st.global", "of lane 31", 32},
        /* Lanes of one mask meet at two instructions. */
        {KERNEL(LOW "@!%p1 bra high;\nshfl.sync.down.b32 %r3, %r0, 16, 31, 0xffff;\nbra done;\n"
                    "high: shfl.sync.down.b32 %r10, %r0, 16, 31, 0xffff;\ndone:\n"),
         "st.global", "which does not execute this", 32},
    };
    start(1, bad[_i].block);
    found(bad[_i].ptx, "advice.shuffle.absent", "shfl.sync", bad[_i].words);
    ck_assert_uint_eq(launched.counted, 0);
    ck_assert_uint_eq(launched.other, line_of(bad[_i].ptx, bad[_i].use));
    launched.checks = WSIM_CHECK_ALL & ~WSIM_CHECK_INIT;
    launch(&launched, bad[_i].ptx);
    ck_assert_str_ne(launched.rule, "advice.shuffle.absent");
}
END_TEST

#define CALLEE                                                                                     \
    ".version 8.7\n.target sm_90a\n.address_size 64\n"                                             \
    ".func (.param .b32 z) f(.param .b32 x, .reg .b32 y)\n{\n.reg .b32 %r<4>;\n"                   \
    "ld.param.b32 %r1, [x];\nadd.u32 %r2, %r1, 1;\nst.param.b32 [z], %r2;\nret;\n}\n"
#define CALL(argument, other)                                                                      \
    HALF "{\n.param .b32 a;\n.param .b32 r;\n.reg .b32 y;\nmov.b32 y, " other ";\n"                \
         "st.param.b32 [a], " argument ";\ncall (r), f, (a, y);\nld.param.b32 %r3, [r];\n}\n"

/* Parameters and results carry uninitialised bits. */
START_TEST(functions_take_uninitialised_values) {
    static const char caller[] = KERNEL(CALL("%r10", "%r0")), other[] = KERNEL(CALL("%r0", "%r10"));
    char text[8192];
    const char *body = strstr(caller, ".visible");
    start(1, 1);
    snprintf(text, sizeof text, "%s%s", CALLEE, body);
    found(text, "init.shared", "ld.shared.u32 %r10", "stores the value");
    snprintf(text, sizeof text, "%s%s", CALLEE, strstr(other, ".visible"));
    launch_good(&launched, text);
}
END_TEST

/* --- matrices and copies --- */

/* Row 2 of the first matrix of ldmatrix is uninitialised: lanes 8 to 11 get it. */
#define ROWS                                                                                       \
    "setp.ne.u32 %p1, %r0, 2;\nshl.b32 %r10, %r0, 4;\nmov.u32 %r8, box;\nadd.u32 %r9, %r8, "       \
    "%r10;\n"                                                                                      \
    "@%p1 st.shared.v4.u32 [%r9], {%r0, %r0, %r0, %r0};\nbar.sync 0;\n"                            \
    "setp.ne.u32 %p2, %r0, 8;\n"
#define LDMATRIX "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r11, %r12}, [%r9];\n"
#define TRANSPOSED "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r11}, [%r9];\n"

/* A of m16n8k16 has row 8 in register 1 of lanes 0 to 3, B column 0 in those lanes. D has row 8 in
 * registers 2 and 3 of lanes 0 to 3. It has column 0 in registers 0 and 2 of lanes 0, 4, 8 ... */
#define MMA(a, b, c)                                                                               \
    "setp.ne.u32 %p1, %r0, 0;\nmov.u32 %r10, box;\n"                                               \
    "mad.lo.u32 %r10, %r0, 4, %r10;\n@%p1 st.shared.u32 [%r10], 0;\nld.shared.u32 %r10, [%r10];\n" \
    "mov.u32 %r12, 0;\nsetp.ge.u32 %p2, %r0, 4;\nand.b32 %r13, %r0, 3;\n"                          \
    "setp.ne.u32 %p4, %r13, 0;\nmov.b32 %f1, %r12;\nmov.b32 %f2, %r10;\n"                          \
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f4, %f5, %f6, %f7}, {%r12, " a            \
    ", %r12, %r12}, {" b ", %r12}, {" c ", %f1, %f1, %f1};\n"
#define OUT(reg) "mov.b32 %r3, " reg ";\n"

/* The first 2 KB of `tile` are A, 64 rows of 16 halves: cores of 8 rows of 16 bytes. B is after
 * them. Row `row` of all 8-byte rows is uninitialised. */
#define WGMMA(row, regs)                                                                           \
    ".shared .align 1024 .b8 tile[4096];\nmov.u32 %r8, tile;\nmad.lo.u32 %r9, %r0, 16, %r8;\n"     \
    "setp.ne.u32 %p1, %r0, " row ";\n@%p1 st.shared.v4.u32 [%r9], {0, 0, 0, 0};\n"                 \
    "setp.lt.u32 %p2, %r0, 16;\nadd.u32 %r10, %r0, 128;\nsetp.ne.and.u32 %p2, %r10, " row          \
    ", %p2;\n@%p2 st.shared.v4.u32 [%r9+2048], {0, 0, 0, 0};\nbar.sync 0;\n"                       \
    "fence.proxy.async.shared::cta;\nwgmma.fence.sync.aligned;\nshr.u32 %r11, %r8, 4;\n"           \
    "cvt.u64.u32 %d8, %r11;\nadd.u64 %d9, %d8, 128;\n"                                             \
    "or.b64 %d8, %d8, 0x0000000800400000;\nor.b64 %d9, %d9, 0x0000000800080000;\n"                 \
    "mov.b32 %f1, 0;\nmov.b32 %f2, 0;\nmov.b32 %f3, 0;\nmov.b32 %f4, 0;\nsetp.ne.u32 %p3, 1, 0;\n" \
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %d8, %d9, %p3, 1, "   \
    "1, "                                                                                          \
    "0, 0;\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n"                  \
    "setp.lt.u32 %p4, %r0, 20;\nsetp.gt.or.u32 %p4, %r0, 23, %p4;\nand.b32 %r13, %r0, 3;\n"        \
    "setp.ne.u32 %p5, %r13, 1;\n" regs

/* Rows of products that are dropped. */
START_TEST(matrices_drop_uninitialised_rows) {
    static const struct {
        const char *ptx;
        uint32_t threads;
    } good[] = {
        {KERNEL(ROWS LDMATRIX OUT("%r12")), 32},
        {KERNEL(ROWS LDMATRIX "shr.u32 %r13, %r0, 2;\nsetp.ne.u32 %p3, %r13, 2;\n"
                              "selp.b32 %r3, %r11, 0, %p3;\n"),
         32},
        {KERNEL(ROWS TRANSPOSED "and.b32 %r13, %r0, 3;\nsetp.ne.u32 %p3, %r13, 1;\n"
                                "selp.b32 %r3, %r11, 0, %p3;\n"),
         32},
        {KERNEL(ROWS TRANSPOSED "shr.u32 %r3, %r11, 16;\n"), 32},
        {KERNEL(ROWS LDMATRIX "movmatrix.sync.aligned.m8n8.trans.b16 %r13, %r11;\n"
                              "shr.u32 %r3, %r13, 16;\n"),
         32},
        {KERNEL(ROWS LDMATRIX "add.u32 %r9, %r9, 512;\n"
                              "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r9], {%r11};\n"
                              "setp.lt.u32 %p3, %r0, 8;\nand.pred %p3, %p3, %p1;\n"
                              "@%p3 ld.shared.u32 %r3, [%r9];\n"),
         32},
        {KERNEL(MMA("%r10", "%r12", "%f1") OUT("%f4")), 32},
        {KERNEL(MMA("%r10", "%r12", "%f1") "selp.b32 %r3, %f6, 0, %p2;\n"), 32},
        {KERNEL(MMA("%r12", "%r10", "%f1") OUT("%f5")), 32},
        {KERNEL(MMA("%r12", "%r10", "%f1") "selp.b32 %r3, %f6, 0, %p4;\n"), 32},
        {KERNEL(MMA("%r12", "%r12", "%f2") OUT("%f5")), 32},
        {KERNEL(MMA("%r12", "%r12", "%f2") "selp.b32 %r3, %f4, 0, %p1;\n"), 32},
        {KERNEL(WGMMA("5", OUT("%f3"))), 128},
        {KERNEL(WGMMA("5", "selp.b32 %r3, %f1, 0, %p4;\n")), 128},
        {KERNEL(WGMMA("69", "selp.b32 %r3, %f2, 0, %p4;\n")), 128},
        {KERNEL(WGMMA("130", OUT("%f2"))), 128},
        {KERNEL(WGMMA("138", "selp.b32 %r3, %f1, 0, %p5;\n")), 128},
    };
    for (unsigned late = 0; late < 2; late++) {
        start(1, good[_i].threads);
        launched.async = late ? WSIM_ASYNC_LATE : WSIM_ASYNC_EAGER;
        launch_good(&launched, good[_i].ptx);
    }
}
END_TEST

START_TEST(matrices_take_uninitialised_rows) {
    static const struct {
        const char *ptx, *load;
        uint32_t threads;
    } bad[] = {
        {KERNEL(ROWS LDMATRIX OUT("%r11")), "ldmatrix", 32},
        {KERNEL(ROWS LDMATRIX "@!%p2 mov.u32 %r3, %r11;\n"), "ldmatrix", 32},
        {KERNEL(ROWS TRANSPOSED "and.b32 %r3, %r11, 0xffff;\n"), "ldmatrix", 32},
        {KERNEL(ROWS LDMATRIX "movmatrix.sync.aligned.m8n8.trans.b16 %r13, %r11;\n"
                              "and.b32 %r3, %r13, 0xffff;\n"),
         "ldmatrix", 32},
        {KERNEL(ROWS LDMATRIX "add.u32 %r9, %r9, 512;\n"
                              "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r9], {%r11};\n"
                              "setp.lt.u32 %p3, %r0, 8;\n@%p3 ld.shared.u32 %r3, [%r9];\n"),
         "ldmatrix", 32},
        {KERNEL(MMA("%r10", "%r12", "%f1") OUT("%f6")), "ld.shared", 32},
        {KERNEL(MMA("%r12", "%r10", "%f1") OUT("%f4")), "ld.shared", 32},
        {KERNEL(MMA("%r12", "%r12", "%f2") OUT("%f4")), "ld.shared", 32},
        {KERNEL(WGMMA("5", OUT("%f1"))), "wgmma.mma_async", 128},
        {KERNEL(WGMMA("69", OUT("%f2"))), "wgmma.mma_async", 128},
        {KERNEL(WGMMA("130", OUT("%f1"))), "wgmma.mma_async", 128},
        {KERNEL(WGMMA("138", OUT("%f3"))), "wgmma.mma_async", 128},
    };
    for (unsigned late = 0; late < 2; late++) {
        start(1, bad[_i].threads);
        launched.async = late ? WSIM_ASYNC_LATE : WSIM_ASYNC_EAGER;
        found(bad[_i].ptx, "init.shared", bad[_i].load, "and the kernel stores the value");
        ck_assert_uint_eq(launched.other, line_of(bad[_i].ptx, "st.global"));
    }
}
END_TEST

/* Memory that is allocated again is uninitialised. */
START_TEST(a_stack_forgets) {
#define STACK(store)                                                                               \
    "stacksave.u64 %d8;\nalloca.u64 %d9, 1000;\nst.local.u32 [%d9+800], 7;\n"                      \
    "stackrestore.u64 %d8;\nalloca.u64 %d9, 1000;\n" store "ld.local.u32 %r3, [%d9+800];"
    start(1, 32);
    launch_good(&launched, KERNEL(STACK("st.local.u32 [%d9+800], 8;\n")));
    found(KERNEL(STACK("")), "init.local", "ld.local", "local memory");
}
END_TEST

/* --- global memory --- */

#define BYTES (1u << 19)

/* A device with a buffer `half`, of which the host has written the first half. */
static uint64_t make_half(struct wsim_device **device) {
    static const uint8_t zeros[BYTES / 2];
    uint64_t address;
    ck_assert_int_eq(wsim_device_make(wsim_arch_find("sm_90a"), device, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_device_alloc(*device, "half", BYTES, 0, &address, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_device_write(*device, address, zeros, sizeof zeros, NULL), WSIM_OK);
    return address;
}

/* Launches `k` with %d0 as the buffer; the findings are in launched. */
static void on(struct wsim_device *device, uint64_t address, uint32_t grid, uint32_t block,
               uint32_t checks, const char *ptx) {
    struct wsim_module *module = NULL;
    struct wsim_report *report = NULL;
    struct wsim_diag diag;
    struct wsim_finding finding;
    const uint64_t params[2] = {address, address};
    struct wsim_launch how = {.grid = {grid},
                              .block = {block},
                              .params = params,
                              .param_bytes = sizeof params,
                              .checks = checks,
                              .threads = 4};
    ck_assert_msg(wsim_module_load(ptx, strlen(ptx), 0, &module, &diag) == WSIM_OK, "%s",
                  diag.text);
    ck_assert_msg(wsim_launch_run(device, module, &how, &report, &diag) == WSIM_OK, "%s",
                  diag.text);
    launched.findings = 0;
    while (wsim_report_finding(report, launched.findings, &finding)) {
        if (launched.findings++)
            continue;
        snprintf(launched.rule, sizeof launched.rule, "%s", finding.rule);
        snprintf(launched.text, sizeof launched.text, "%s", finding.text);
        launched.line = finding.ptx_line;
    }
    wsim_report_free(report);
    wsim_module_free(module);
}

/* %d4 is an address of a byte for each thread of the grid: neighbours are of different blocks. */
#define BARE(body)                                                                                 \
    ".version 8.7\n.target sm_90a\n.address_size 64\n"                                             \
    ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .b32 %r<32>;\n.reg .b64 "         \
    "%d<16>;\n.shared .align 16 .b8 box[1024];\nld.param.u64 %d0, [in];\nmov.u32 %r0, %tid.x;\n"   \
    "mov.u32 %r4, %ctaid.x;\nmov.u32 %r5, %nctaid.x;\nmad.lo.u32 %r1, %r0, %r5, %r4;\n"            \
    "cvt.u64.u32 %d2, %r1;\nadd.u64 %d4, %d0, %d2;\nmov.u32 %r2, 0;\n" body                        \
    "\nst.global.u32 [%d0], %r2;\nret;\n}\n"

START_TEST(global_bytes_are_written_by_the_host_or_a_kernel) {
    static const char *const text[] = {
        BARE("ld.global.u32 %r2, [%d0+262140];"),
        BARE("ld.global.u32 %r2, [%d0+262144];"),
        BARE("st.global.u32 [%d0+262144], 1;\nld.global.u32 %r2, [%d0+262144];"),
        BARE("ld.global.v2.u32 {%r3, %r2}, [%d0+262144];"),
        BARE("red.global.add.u32 [%d0+262152], 1;\nld.global.u32 %r2, [%d0+262152];"),
        BARE("cp.async.ca.shared.global [box], [%d0+262160], 8;\ncp.async.wait_all;"),
        BARE("st.global.u32 [%d0+262176], 1;\n"
             "cp.async.ca.shared.global [box], [%d0+262176], 8;\ncp.async.wait_all;\n"
             "ld.shared.u32 %r2, [box];\n"),
        BARE("cp.async.ca.shared.global [box], [%d0+262176], 8;\ncp.async.wait_all;\n"
             "ld.shared.u32 %r2, [box+4];\n"),
        BARE("ld.u8 %r2, [%d0+262155];\nld.u8 %r2, [%d0+262156];"),
    };
    static const struct {
        const char *word, *words;
    } is[] = {
        {NULL, NULL},
        {"ld.global", "reads uninitialised byte 262144 of 'half'"},
        {NULL, NULL},
        {"ld.global", "reads uninitialised byte 262148 of 'half'"},
        {"red.global", "byte 262152"},
        {NULL, NULL},
        {NULL, NULL},
        {"cp.async.ca", "a copy reads uninitialised byte 262180"},
        {"ld.u8 %r2, [%d0+262156]", "byte 262156"},
    };
    struct wsim_device *device;
    uint64_t address = make_half(&device);
    for (unsigned i = 0; i < sizeof is / sizeof is[0]; i++) {
        on(device, address, 1, 1, WSIM_CHECK_INIT, text[i]);
        ck_assert_msg(launched.findings == (is[i].word != NULL), "%u: %s", i, launched.text);
        if (!is[i].word)
            continue;
        ck_assert_str_eq(launched.rule, "init.global");
        ck_assert_uint_eq(launched.line, line_of(text[i], is[i].word));
        ck_assert_msg(strstr(launched.text, is[i].words) != NULL, "%s", launched.text);
    }
    wsim_device_free(device);
}
END_TEST

/* The copy engine takes uninitialised bytes along: 16 of 32 bytes. */
START_TEST(bulk_copies_take_unknown_bytes_along) {
#define BULK(load)                                                                                 \
    BARE(".reg .pred %p<2>;\n.shared .align 8 .b64 bar;\nmbarrier.init.shared.b64 [bar], 1;\n"     \
         "fence.proxy.async;\ncp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "  \
         "[box], [%d0+262128], 32, [bar];\nmbarrier.arrive.expect_tx.shared.b64 %d8, [bar], 32;\n" \
         "again: mbarrier.try_wait.shared.b64 %p1, [bar], %d8;\n@!%p1 bra again;\n" load)
    static const char good[] = BULK("ld.shared.v2.u32 {%r2, %r3}, [box+8];");
    static const char bad[] = BULK("ld.shared.v2.u32 {%r2, %r3}, [box+16];");
    struct wsim_device *device;
    uint64_t address = make_half(&device);
    on(device, address, 1, 1, WSIM_CHECK_INIT, good);
    ck_assert_msg(!launched.findings, "%s", launched.text);
    on(device, address, 1, 1, WSIM_CHECK_INIT, bad);
    ck_assert_uint_eq(launched.findings, 1);
    ck_assert_str_eq(launched.rule, "init.global");
    ck_assert_uint_eq(launched.line, line_of(bad, "cp.async.bulk"));
    ck_assert_str_eq(launched.text, "a copy reads uninitialised byte 262144 of 'half', and the "
                                    "kernel stores the value");
    wsim_device_free(device);
}
END_TEST

/* A launch without the check may have written anywhere, so its memory counts as initialised. */
START_TEST(launches_that_do_not_look_write_too) {
    struct wsim_device *device;
    uint64_t address = make_half(&device);
    on(device, address, 1, 1, 0, BARE("st.global.u32 [%d0+300000], 1;"));
    on(device, address, 1, 1, WSIM_CHECK_INIT, BARE("ld.global.u32 %r2, [%d0+300000];"));
    ck_assert_msg(!launched.findings, "%s", launched.text);
    wsim_device_free(device);
}
END_TEST

/* Blocks of several threads of the host write neighbouring bytes, whose bits are in one byte; all
 * of them are known to the next launch. */
START_TEST(no_bit_is_lost_between_threads) {
    struct wsim_device *device;
    uint64_t address = make_half(&device);
    on(device, address, BYTES / 1024, 1024, WSIM_CHECK_INIT, BARE("st.global.u8 [%d4], 1;"));
    ck_assert_msg(!launched.findings, "%s", launched.text);
    on(device, address, BYTES / 1024, 1024, WSIM_CHECK_INIT, BARE("ld.global.u8 %r2, [%d4];"));
    ck_assert_msg(!launched.findings, "%s", launched.text);
    wsim_device_free(device);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {shared_words_are_written_before_they_are_read, 0, 1},
        {each_byte_counts, 0, 1},
        {padding_is_not_used, 0, 1},
        {a_block_begins_with_nothing, 0, 1},
        {atomics_read_and_write, 0, 1},
        {rows_of_matrices_are_read, 0, 1},
        {other_blocks_of_a_cluster_write, 0, 1},
        {copies_write_and_read, 0, 1},
        {threads_write_their_local_memory, 0, 1},
        {copies_take_unknown_bytes_along, 0, 1},
        {other_bits_may_be_uninitialised, 0, 27},
        {uses_of_uninitialised_values, 0, 12},
        {lanes_exchange_initialised_values, 0, 7},
        {lanes_exchange_uninitialised_values, 0, 8},
        {values_of_absent_lanes_are_dropped, 0, 4},
        {values_of_absent_lanes_are_used, 0, 5},
        {functions_take_uninitialised_values, 0, 1},
        {matrices_drop_uninitialised_rows, 0, 17},
        {matrices_take_uninitialised_rows, 0, 12},
        {a_stack_forgets, 0, 1},
        {global_bytes_are_written_by_the_host_or_a_kernel, 0, 1},
        {bulk_copies_take_unknown_bytes_along, 0, 1},
        {launches_that_do_not_look_write_too, 0, 1},
        {no_bit_is_lost_between_threads, 0, 6},
    };
    return every_run("check_init", tests, (int)(sizeof tests / sizeof tests[0]));
}
