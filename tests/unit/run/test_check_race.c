/* Races in shared memory: each planted race is found at its line, and its ordered twin is
 * silent. Warps run in any order, copies are early or late. */
#include "races.h"

/* The first warp alone writes. */
#define PUT_FIRST "setp.lt.u32 %p8, %r0, 32;\n@%p8 " PUT
#define GET_OWN "ld.shared.u32 %r3, [%r9];\n"
#define GET_OFTEN GET_OWN GET_OWN GET_OWN GET_OWN GET_OWN GET_OWN GET_OWN GET_OWN

START_TEST(a_barrier_is_missing) {
    silent(128, _i, KERNEL(PLACES PUT MEET GET));
    found(128, _i, KERNEL(PLACES PUT GET), "st.shared", "ld.shared");
    /* Accesses of one warp only. */
    silent(128, _i, KERNEL(PLACES PUT GET_OWN));
    /* A read that comes after many others of its warp. */
    silent(64, _i, KERNEL(PLACES PUT_FIRST MEET GET_OFTEN GET));
    found(64, _i, KERNEL(PLACES PUT_FIRST GET_OFTEN GET), "st.shared", GET);
}
END_TEST

/* The next turn overwrites the bytes that were read. */
#define LOOP(meet)                                                                                 \
    PLACES "mov.u32 %r11, 3;\nAGAIN: st.shared.u32 [%r9], %r2;\n" MEET GET meet                    \
           "sub.u32 %r11, %r11, 1;\nsetp.ne.u32 %p1, %r11, 0;\n@%p1 bra AGAIN;\n"

START_TEST(what_is_read_is_overwritten) {
    silent(128, _i, KERNEL(LOOP(MEET)));
    silent(128, _i, KERNEL(LOOP("barrier.red.popc.u32 %r12, 3, 1;\n")));
    found(128, _i, KERNEL(LOOP("")), "st.shared", "ld.shared");
    /* A barrier that one half of the warps does not come to orders the other half only. */
    found(128, _i, KERNEL(LOOP("setp.ge.u32 %p2, %r0, 64;\n@%p2 bar.sync 2, 64;\n")), "st.shared",
          "ld.shared");
}
END_TEST

/* Each turn of each warp has a clock of its own, so there are more states than the check keeps. It
 * still knows the states in use, those of single bytes too. */
#define TURNS                                                                                      \
    PLACES "shr.u32 %r41, %r0, 5;\nmad.lo.u32 %r41, %r41, 4, %r8;\nmov.u32 %r11, 2000;\n"          \
           "st.shared.u8 [%r9+256], %r2;\n"                                                        \
           "AGAIN: st.shared.u32 [%r9], %r2;\natom.shared.add.u32 %r3, [%r41+512], 1;\n"           \
           "sub.u32 %r11, %r11, 1;\nadd.u32 %r2, %r2, %r3;\n"                                      \
           "setp.ne.u32 %p1, %r11, 0;\n@%p1 bra AGAIN;\n"

START_TEST(states_are_many) {
    silent(64, _i, KERNEL(TURNS MEET GET "ld.shared.u8 %r3, [%r10+256];\n"));
    found(64, _i, KERNEL(TURNS GET), "st.shared.u32", "ld.shared");
    found(64, _i, KERNEL(TURNS "ld.shared.u8 %r3, [%r10+256];\n"), "st.shared.u8", "ld.shared.u8");
}
END_TEST

/* Warps write parts of one word. */
START_TEST(bytes_are_told_apart) {
    silent(64, _i,
           KERNEL(LEADERS "mov.u32 %r8, box;\nshr.u32 %r9, %r0, 5;\nadd.u32 %r9, %r9, %r8;\n"
                          "st.shared.u8 [%r9], %r2;\n"));
    silent(64, _i,
           KERNEL(LEADERS "mov.u32 %r8, box;\nshr.u32 %r9, %r0, 5;\nadd.u32 %r9, %r9, %r8;\n"
                          "st.shared.u8 [%r9], %r2;\n" MEET "ld.shared.u32 %r3, [%r8];\n"));
    found(64, _i,
          KERNEL(LEADERS "mov.u32 %r8, box;\nshr.u32 %r9, %r0, 5;\nadd.u32 %r9, %r9, %r8;\n"
                         "st.shared.u8 [%r9], %r2;\nld.shared.u32 %r3, [%r8];\n"),
          "st.shared", "ld.shared");
}
END_TEST

/* Producers, half of the block, hand over to consumers through barriers 1 and 2. A consumer arrives
 * after its load, or before it. */
#define EMPTY "setp.lt.u32 %p2, %r10, 4;\n@%p2 bar.arrive 2, 128;\n"
#define HAND_OVER(early, late)                                                                     \
    "mov.u32 %r8, box;\nmad.lo.u32 %r9, %r0, 4, %r8;\nmov.u32 %r10, 0;\n"                          \
    "setp.ge.u32 %p0, %r0, 64;\n@%p0 bra CONSUME;\n"                                               \
    "PRODUCE: setp.eq.u32 %p1, %r10, 0;\n@%p1 bra FIRST;\nbarrier.sync 2, 128;\n"                  \
    "FIRST: st.shared.u32 [%r9], %r2;\nbarrier.arrive 1, 128;\nadd.u32 %r10, %r10, 1;\n"           \
    "setp.lt.u32 %p1, %r10, 5;\n@%p1 bra PRODUCE;\nbra DONE;\n"                                    \
    "CONSUME: bar.sync 1, 128;\n" early "ld.shared.u32 %r11, [%r9+-256];\n" late                   \
    "add.u32 %r10, %r10, 1;\nsetp.lt.u32 %p1, %r10, 5;\n@%p1 bra CONSUME;\nDONE:\n"

START_TEST(barriers_are_arrived_at) {
    silent(128, _i, KERNEL(HAND_OVER("", EMPTY)));
    found(128, _i, KERNEL(HAND_OVER(EMPTY, "")), "st.shared", "ld.shared");
}
END_TEST

/* A lock, of one lane a warp, around a sum; or none. */
#define LOCKED(lock, unlock)                                                                       \
    PLACES "setp.eq.u32 %p1, %r0, 0;\n@%p1 st.shared.u32 [%r8], 0;\n"                              \
           "@%p1 st.shared.u32 [%r8+4], 0;\nbar.sync 0;\nand.b32 %r11, %r0, 31;\n"                 \
           "setp.ne.u32 %p2, %r11, 0;\n@%p2 bra DONE;\n" lock                                      \
           "ld.shared.u32 %r13, [%r8+4];\nadd.u32 %r13, %r13, 1;\n"                                \
           "st.shared.u32 [%r8+4], %r13;\n" unlock "DONE:\n"

START_TEST(locks_and_atomics_order) {
    silent(128, _i,
           KERNEL(LOCKED("SPIN: atom.shared.cas.b32 %r12, [%r8], 0, 1;\n"
                         "setp.ne.u32 %p3, %r12, 0;\n@%p3 bra SPIN;\nmembar.cta;\n",
                         "membar.cta;\natom.shared.exch.b32 %r12, [%r8], 0;\n")));
    silent(128, _i,
           KERNEL(LOCKED("SPIN: atom.shared.cas.b32 %r12, [%r8], 0, 1;\n"
                         "setp.ne.u32 %p3, %r12, 0;\n@%p3 bra SPIN;\nmembar.cta;\n",
                         "membar.cta;\nst.volatile.shared.u32 [%r8], 0;\n")));
    found(128, _i, KERNEL(LEADERS LOCKED("", "")), "ld.shared.u32 %r13",
          "st.shared.u32 [%r8+4], %r13");
    silent(128, _i, KERNEL(PLACES "red.shared.add.u32 [%r8], 1;\n"));
    /* An atomic and a load that is none. */
    found(128, _i,
          KERNEL(LEADERS PLACES "red.shared.add.u32 [%r8], 1;\nld.shared.u32 %r3, [%r8];\n"),
          "red.shared", "ld.shared");
    /* Whichever comes second. */
    found(128, _i,
          KERNEL(PLACES "setp.lt.u32 %p1, %r0, 32;\n@%p1 red.shared.add.u32 [%r8], 1;\n"
                        "@!%p1 ld.shared.u32 %r3, [%r8];\n"),
          "@%p1 red.shared", "@!%p1 ld.shared");
}
END_TEST

START_TEST(copies_are_waited_for) {
    silent(64, _i, KERNEL(PLACES COPY WAIT MEET GET));
    silent(64, _i, KERNEL(PLACES COPY WAIT "ld.shared.u32 %r3, [%r9];\n"));
    found(64, _i, KERNEL(PLACES COPY "ld.shared.u32 %r3, [%r9];\n" WAIT), "ld.shared", "cp.async");
    found(64, _i, KERNEL(PLACES COPY MEET GET WAIT), "ld.shared", "cp.async");
    found(64, _i, KERNEL(PLACES COPY WAIT GET), "ld.shared", "cp.async");
}
END_TEST

#define MAKE(count)                                                                                \
    "setp.eq.u32 %p15, %r0, 0;\n@%p15 mbarrier.init.shared.b64 [%r8+512], " count ";\n"            \
    "@%p15 fence.mbarrier_init.release.cluster;\nbar.sync "                                        \
    "0;\n"
#define SPIN(label)                                                                                \
    label ": mbarrier.try_wait.parity.shared.b64 %p14, [%r8+512], 0;\n@!%p14 bra " label ";\n"

/* Warps 0 and 1 read, then warp 2 writes. It has waited for warp 1, which has waited for warp 0
 * after its own read and release. So only a barrier of all orders the write after warp 0. */
#define LATE "nanosleep.u32 1;\nnanosleep.u32 1;\nnanosleep.u32 1;\n"
#define HALVES "and.b32 %r41, %r0, 16;\nadd.u32 %r9, %r41, %r8;\n"
#define READERS(meet)                                                                              \
    PLACES HALVES                                                                                  \
        "setp.ge.u32 %p1, %r0, 64;\n@%p1 bra WRITE;\nsetp.ge.u32 %p2, %r0, 32;\n"                  \
        "@%p2 bra SECOND;\n" GET_OWN "mbarrier.arrive.shared.b64 %d4, [%r8+512];\n"                \
        "bra DONE;\nSECOND: " GET_OWN                                                              \
        "bar.arrive 2, 64;\n" SPIN("WAIT") "bra DONE;\nWRITE: " LATE "bar.sync 2, 64;\n" meet      \
                                           "st.shared.u32 [%r9], %r8;\nDONE: bar.sync 0;\n"

#define EXIT "setp.lt.u32 %p1, %r0, 64;\n@%p1 bra GO;\n" LATE "exit;\nGO:\n"
#define CLUSTER_COME "barrier.cluster.arrive;\n"
#define CLUSTER_WAIT "barrier.cluster.wait;\n"
#define PUT_ALL "st.shared.u32 [%r9], %r8;\n"

/* Lanes of warp 0 read words that are 12 bytes apart. A thread of warp 1 writes one word. */
#define COLUMN(word)                                                                               \
    "and.b32 %r41, %r0, 31;\nmad.lo.u32 %r41, %r41, 12, %r8;\nsetp.ge.u32 %p1, %r0, 32;\n"         \
    "@%p1 bra WRITE;\nld.shared.u32 %r3, [%r41];\nWRITE: setp.eq.u32 %p2, %r0, 32;\n"              \
    "@%p2 st.shared.u32 [%r8+" word "], %r8;\n"

/* Warp 0 reads its row and a row behind it, and writes beside the second one. Then warp 1 writes
 * the first one. */
#define TWO_PARTS                                                                                  \
    "setp.ge.u32 %p1, %r0, 32;\n@%p1 bra WRITE;\nld.shared.u32 %r3, [%r9];\n"                      \
    "ld.shared.u32 %r3, [%r9+516];\nst.shared.u32 [%r9+644], %r3;\nexit;\n"                        \
    "WRITE: st.shared.u32 [%r10], %r2;\n"

/* The launch has one block, as a second one keeps no reads. */
START_TEST(reads_are_kept) {
    found_of(1, 96, _i, KERNEL(PLACES MAKE("32") READERS("")), "st.shared", GET_OWN);
    silent(96, _i, KERNEL(PLACES MAKE("32") READERS(SPIN("MORE"))));
    /* Between the arrival and the wait; before the arrival. A third warp exits last. */
    found_of(1, 96, _i, KERNEL(PLACES HALVES EXIT CLUSTER_COME GET_OWN CLUSTER_WAIT PUT_ALL),
             "st.shared", GET_OWN);
    silent(96, _i, KERNEL(PLACES HALVES EXIT GET_OWN CLUSTER_COME CLUSTER_WAIT PUT_ALL));
    /* A part of memory is written, and another one is read, by all. */
    silent(64, _i,
           KERNEL(PLACES HALVES "xor.b32 %r9, %r9, 256;\n" GET_OWN "st.shared.u32 [%r10], %r2;\n"));
    found_of(1, 64, _i, KERNEL(PLACES COLUMN("108")), "ld.shared", "st.shared");
    found_of(1, 64, _i, KERNEL(PLACES COLUMN("372")), "ld.shared", "st.shared");
    silent(64, _i, KERNEL(PLACES COLUMN("112")));
    /* A store enters the reads of its part of memory. Reads of other parts wait. */
    found_of(1, 64, _i, KERNEL(PLACES TWO_PARTS), "ld.shared.u32 %r3, [%r9]", "WRITE: st");
}
END_TEST

START_TEST(mbarriers_order) {
    silent(64, _i,
           KERNEL(PLACES MAKE("64") PUT "mbarrier.arrive.shared.b64 %d4, [%r8+512];\n" SPIN("WAIT")
                      GET));
    found(64, _i, KERNEL(PLACES MAKE("64") PUT "mbarrier.arrive.shared.b64 %d4, [%r8+512];\n" GET),
          "st.shared", "ld.shared");
    silent(64, _i,
           KERNEL(PLACES MAKE("64") COPY
                  "cp.async.mbarrier.arrive.noinc.shared.b64 [%r8+512];\n" SPIN("WAIT") GET));
    found(64, _i,
          KERNEL(PLACES MAKE("64") COPY "mbarrier.arrive.shared.b64 %d4, [%r8+512];\n" SPIN("WAIT")
                     GET WAIT),
          "ld.shared", "cp.async");
}
END_TEST

#define BULK                                                                                       \
    "@%p15 mbarrier.arrive.expect_tx.shared.b64 %d4, [%r8+512], 256;\n"                            \
    "@%p15 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r8], [%d0], 256, "  \
    "[%r8+512];\n"

START_TEST(bulk_copies_order) {
    silent(64, _i, KERNEL(PLACES MAKE("1") BULK SPIN("WAIT") GET));
    /* The copy overwrites the bytes that were read. */
    silent(64, _i, KERNEL(PLACES PUT FENCE MEET GET MEET MAKE("1") BULK SPIN("WAIT")));
    unfenced(64, _i, KERNEL(PLACES PUT MEET GET MEET MAKE("1") BULK SPIN("WAIT")), "cp.async.bulk");
    found(64, _i, KERNEL(PLACES MAKE("1") PUT FENCE MEET GET BULK SPIN("WAIT")), "ld.shared",
          "cp.async.bulk");
    /* A store to the bytes of the mbarrier before it is made. */
    silent(64, _i,
           KERNEL(PLACES "setp.eq.u32 %p15, %r0, 0;\n@%p15 st.shared.u64 [%r8+512], 0;\n" MAKE("1")
                      BULK SPIN("WAIT") GET));
    if (_i < SEEDS) /* eager: late the barrier is the only one that makes it come */
        found(64, _i, KERNEL(PLACES MAKE("1") BULK GET SPIN("WAIT")), "ld.shared", "cp.async.bulk");
}
END_TEST

/* One thread copies the stores of all threads to global memory. */
#define STORE                                                                                      \
    "setp.eq.u32 %p15, %r0, 0;\n@!%p15 bra DONE;\n" STORE_IN                                       \
    "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nDONE:\n"
#define STORE_IN                                                                                   \
    "mul.wide.u32 %d4, %r4, 256;\nadd.u64 %d4, %d4, %d1;\nadd.u64 %d4, %d4, "                      \
    "8192;\ncp.async.bulk.global.shared::cta.bulk_group [%d4], [%r8], 256;\n"

START_TEST(copies_see_what_is_fenced) {
    silent(64, _i, KERNEL(PLACES PUT FENCE MEET STORE));
    /* Or by the thread that copies, after the barrier. */
    silent(64, _i, KERNEL(PLACES PUT MEET FENCE STORE));
    unfenced(64, _i, KERNEL(PLACES PUT MEET STORE), "cp.async.bulk.global");
    unfenced(64, _i, KERNEL(PLACES FENCE PUT MEET STORE), "cp.async.bulk.global");
    unfenced(64, _i, KERNEL(PLACES PUT "fence.proxy.alias;\n" MEET STORE), "cp.async.bulk.global");
    /* Only the first warp fences what it wrote, in front of the barrier. */
    unfenced(64, _i,
             KERNEL(PLACES PUT
                    "setp.lt.u32 %p1, %r0, 32;\n@%p1 fence.proxy.async.shared::cta;\n" MEET STORE),
             "cp.async.bulk.global");
}
END_TEST

/* Two of four warps write B of a product that all four issue. */
#define PRODUCT(meet)                                                                              \
    PLACES "setp.lt.u32 %p1, %r0, 64;\n@%p1 st.shared.u32 [%r9], %r2;\n" FENCE meet                \
           "shr.u32 %r11, %r8, 4;\ncvt.u64.u32 %d5, %r11;\n"                                       \
           "or.b64 %d5, %d5, 68720001024;\nsetp.eq.u32 %p2, %r0, %r0;\n"                           \
           "wgmma.fence.sync.aligned;\n"                                                           \
           "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, "              \
           "{%r2, %r2, %r2, %r2}, %d5, %p2, 1, 1, 0;\n"                                            \
           "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n"

START_TEST(four_warps_issue_a_product) {
    silent(128, _i, KERNEL(PRODUCT(MEET)));
    /* Meeting for the product orders nothing before it. */
    found(128, _i, KERNEL(PRODUCT("")), "wgmma.mma_async", "wgmma.mma_async");
    /* Nor do barriers of two halves order one half with the other. */
    found(128, _i,
          KERNEL(PRODUCT("setp.ge.u32 %p3, %r0, 64;\n@%p3 bar.sync 1, 64;\n"
                         "@!%p3 bar.sync 2, 64;\n")),
          "wgmma.mma_async", "wgmma.mma_async");
    /* A wait of one warp is a wait for the products of all four: the group is theirs together. */
    silent(128, _i, KERNEL(PRODUCT(MEET) "@%p1 st.shared.u32 [%r9], %r0;\n"));
}
END_TEST

/* The word of the thread is written in the other block of the cluster. */
#define REMOTE(meet)                                                                               \
    PLACES "mov.u32 %r11, %cluster_ctarank;\nxor.b32 %r11, %r11, 1;\n"                             \
           "mapa.shared::cluster.u32 %r12, %r9, %r11;\n"                                           \
           "st.shared::cluster.u32 [%r12], %r2;\n" meet "ld.shared.u32 %r3, [%r9];\n"              \
           "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n"

START_TEST(clusters_meet) {
    const char *ordered =
        KERNEL(REMOTE("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n"));
    const char *planted = KERNEL(REMOTE("bar.sync 0;\n"));
    start(64, _i);
    launched.cluster = 2;
    launch_good(&launched, ordered);
    start(64, _i);
    launched.cluster = 2;
    launch(&launched, planted);
    ck_assert_str_eq(launched.rule, "race.shared");
    ck_assert(launched.line == line_of(planted, "st.shared::cluster") ||
              launched.line == line_of(planted, "ld.shared"));
    ck_assert_ptr_nonnull(strstr(launched.text, "of another block"));
}
END_TEST

#define CLUSTER "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n"
/* One block accesses memory of the other one, which need not wait for that. */
START_TEST(blocks_exit) {
    const char *const accesses[] = {"ld.shared::cluster.u32 %r3, [%r12];\n",
                                    "st.shared::cluster.u32 [%r12], %r2;\n",
                                    "atom.shared::cluster.add.u32 %r3, [%r12], 1;\n",
                                    ("mbarrier.arrive.release.cluster.shared::cluster.b64 _, "
                                     "[%r13];\n")};
    char ptx[4096], line[64];
    for (unsigned i = 0; i < 16; i++) {
        /* Block 1 accesses block 0, or the other way round: one of them comes after the exit. */
        const char *access = accesses[i / 2 % 4], *who = i < 8 ? "@%p4 " : "@!%p4 ";
        snprintf(line, sizeof line, "%.*s", 40, access);
        snprintf(ptx, sizeof ptx, "%s%s%s%s%s%s%s", HEAD RANKS,
                 i / 2 % 4 < 3 ? PUT : "@%p15 mbarrier.init.shared.b64 [%r8], 99;\n", CLUSTER, who,
                 access, i % 2 ? CLUSTER : "", TAIL);
        if (i % 2 == 0) {
            in_cluster(_i, ptx, "race.exit", line);
            continue;
        }
        start(64, _i);
        launched.cluster = 2;
        launch_good(&launched, ptx);
    }
}
END_TEST

/* A relaxed arrival at the barrier of the cluster releases what a fence for the cluster did; other
 * blocks do not exit before it. */
START_TEST(relaxed_arrivals) {
    static const char relaxed[] =
        "barrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.aligned;\n";
    static const char get[] = "ld.shared::cluster.u32 %r3, [%r12];\n";
    static const struct {
        const char *fence; /* before the relaxed arrival; NULL: that comes last */
        int good;
    } cases[] = {{"", 0},
                 {"fence.acq_rel.cta;\n", 0},
                 {"fence.acq_rel.cluster;\n", 1},
                 {"membar.gl;\n", 1},
                 {"fence.mbarrier_init.release.cluster;\n", 1},
                 {NULL, 1}};
    char ptx[4096];
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *fence = cases[i].fence;
        snprintf(ptx, sizeof ptx, "%s%s%s%s%s%s", HEAD RANKS PUT, fence ? fence : "",
                 fence ? relaxed : CLUSTER, get, fence ? CLUSTER : relaxed, TAIL);
        if (!cases[i].good) {
            in_cluster(_i, ptx, "race.shared", "ld.shared::cluster.u32");
            ck_assert_ptr_nonnull(strstr(launched.text, "which is .relaxed"));
            continue;
        }
        start(64, _i);
        launched.cluster = 2;
        launch_good(&launched, ptx);
    }
}
END_TEST

/* An arrival at a barrier of another block, or of the own one, which is made too late. */
START_TEST(mbarriers_are_made_late) {
    const char *make = "@%p15 mbarrier.init.shared.b64 [%r8], 1;\n";
    const char *arrive = "@%p15 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r13];\n";
    char ptx[4096];
    for (unsigned i = 0; i < 2; i++) {
        snprintf(ptx, sizeof ptx, "%s%s%s%s%s%s", HEAD RANKS, make, i ? CLUSTER : "bar.sync 0;\n",
                 arrive, CLUSTER, TAIL);
        start(64, 0);
        launched.cluster = 2;
        launched.seed = 0;
        launch(&launched, ptx);
        ck_assert_uint_eq(launched.findings != 0, !i);
        if (!i)
            ck_assert_str_eq(launched.rule, "race.mbarrier");
    }
    for (unsigned i = 0; i < 2; i++) {
        snprintf(ptx, sizeof ptx, "%s%s%s%s%s", HEAD PLACES,
                 "setp.eq.u32 %p15, %r0, 0;\n@%p15 mbarrier.init.shared.b64 [%r8], 64;\n",
                 i ? MEET : "", "mbarrier.arrive.shared.b64 %d4, [%r8];\n", TAIL);
        start(64, 0);
        launch(&launched, ptx);
        ck_assert_uint_eq(launched.findings != 0, !i);
        if (!i)
            ck_assert_str_eq(launched.rule, "race.mbarrier");
    }
}
END_TEST

/* Without the check nothing is said. */
START_TEST(it_is_asked_for) {
    start(128, 0);
    launched.checks = WSIM_CHECK_SYNC;
    launch_good(&launched, KERNEL(PLACES PUT GET));
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {a_barrier_is_missing, 0, 2 * SEEDS},
        {what_is_read_is_overwritten, 0, 2 * SEEDS},
        {bytes_are_told_apart, 0, 2 * SEEDS},
        {states_are_many, 0, SEEDS},
        {barriers_are_arrived_at, 0, 2 * SEEDS},
        {locks_and_atomics_order, 0, 2 * SEEDS},
        {copies_are_waited_for, 0, 2 * SEEDS},
        {reads_are_kept, 0, 2 * SEEDS},
        {mbarriers_order, 0, 2 * SEEDS},
        {bulk_copies_order, 0, 2 * SEEDS},
        {four_warps_issue_a_product, 0, 2 * SEEDS},
        {clusters_meet, 0, 2 * SEEDS},
        {blocks_exit, 0, 2 * SEEDS},
        {relaxed_arrivals, 0, 2 * SEEDS},
        {mbarriers_are_made_late, 0, 1},
        {copies_see_what_is_fenced, 0, 2 * SEEDS},
        {it_is_asked_for, 0, 1},
    };
    return every_run("check_race", tests, (int)(sizeof tests / sizeof tests[0]));
}
