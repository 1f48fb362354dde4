/* Races between lanes of one warp, and between blocks of a cluster: each planted race is found, and
 * its ordered twin is silent. */
#include "races.h"

#define CLUSTER "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n"

static void lanes(const char *ptx, const char *rule, const char *line) {
    start(32, 0);
    launch(&launched, ptx);
    if (!rule) {
        ck_assert_msg(!launched.findings, "%s: %s", launched.rule, launched.text);
        return;
    }
    ck_assert_msg(launched.findings > 0, "nothing found");
    ck_assert_str_eq(launched.rule, rule);
    ck_assert_uint_eq(launched.line, line_of(ptx, line));
}

/* %r10 is the word of the next lane. */
#define NEXT                                                                                       \
    PLACES "add.u32 %r10, %r0, 1;\nand.b32 %r10, %r10, 31;\nmad.lo.u32 %r10, %r10, 4, %r8;\n"
#define SYNCWARP "bar.warp.sync 0xffffffff;\n"

/* %r8 points to a word that all add to, and %d1 to one in global memory. */
#define ADD_ONE "add.u32 %r11, %r11, 1;\nmul.lo.u32 %r11, %r11, 3;\n"
#define UPDATE                                                                                     \
    "mov.u32 %r12, box;\nld.shared.u32 %r11, [%r8+4];\n" ADD_ONE "st.shared.u32 [%r12+4], %r11;\n"

static void lacks(const char *ptx, uint32_t grid, uint32_t block, uint32_t threads,
                  const char *rule, const char *lack) {
    start(block, 0);
    launched.grid = grid;
    launched.threads = threads;
    launch(&launched, ptx);
    ck_assert_str_eq(launched.rule, rule);
    ck_assert_msg(strstr(launched.text, lack) &&
                      !strstr(strstr(launched.text, lack), "__sync") == !strstr(lack, "__sync"),
                  "%s", launched.text);
}

/* A sum without an atomic: no barrier repairs it. */
START_TEST(updates_lack_an_atomic) {
    static const char atomic[] = "; missing: an atomic operation (atomicAdd, red, atom)";
    lacks(KERNEL(PLACES UPDATE), 1, 32, 0, "race.warp", atomic);
    lacks(KERNEL(LEADERS PLACES UPDATE), 1, 64, 0, "race.shared", atomic);
    /* A store of the neighbour's value. */
    lacks(KERNEL(NEXT "ld.shared.u32 %r11, [%r10];\n" ADD_ONE "st.shared.u32 [%r9], %r11;\n"), 1,
          32, 0, "race.warp", "__syncwarp");
    lacks(KERNEL(LEADERS PLACES "ld.shared.u32 %r11, [%r10];\nst.shared.u32 [%r9], %r11;\n"), 1, 64,
          0, "race.shared", "__syncthreads");
    /* The address has two definitions, so it may be another one. */
    lacks(KERNEL(PLACES
                 "mov.u32 %r12, box;\nmov.u32 %r13, %r12;\nld.shared.u32 %r11, [%r12];\n" ADD_ONE
                 "add.u32 %r13, %r13, %r3;\nst.shared.u32 [%r13], %r11;\n"),
          1, 32, 0, "race.warp", "__syncwarp");
    /* A word that is overwritten, whatever it was. */
    lacks(KERNEL(PLACES "ld.shared.u32 %r11, [%r8];\nst.shared.u32 [%r8], %r0;\n"), 1, 32, 0,
          "race.warp", "__syncwarp");
#define FAR "ld.global.u32 %r11, [%d1];\n" ADD_ONE "st.global.u32 [%d1], %r11;\nexit;\n"
    for (uint32_t threads = 1; threads < 5; threads += 3)
        lacks(KERNEL(LEADERS FAR), 4, 32, threads, "race.global", atomic);
    lacks(KERNEL(LEADERS FAR), 1, 64, 0, "race.global", atomic);
    lacks(KERNEL(LEADERS "ld.global.u32 %r11, [%d1];\nst.global.u32 [%d1], %r0;\nexit;\n"), 1, 64,
          0, "race.global", "__syncthreads");
    /* One line of the source says what belongs together. */
    lacks(KERNEL(PLACES ".loc 1 5 1\nld.shared.u32 %r11, [%r8];\n.loc 1 5 9\n"
                        "setp.ne.u32 %p1, %r11, 77;\n@%p1 st.shared.u32 [%r8], %r0;\n"),
          1, 32, 0, "race.warp", atomic);
    /* Races of one store with its own load, with itself, and with a load that it does not complete.
     */
    lacks(KERNEL(LEADERS PLACES "and.b32 %r13, %r8, -1;\nld.shared.u32 %r14, [%r13+4];\n" UPDATE
                                "st.shared.u32 [%r13+64], %r14;\n"),
          1, 64, 0, "race.shared", "__syncthreads");
    ck_assert_uint_eq(launched.findings - launched.lack_atomics, 2);
    ck_assert_uint_eq(launched.lack_atomics, 2);
}
END_TEST

START_TEST(lanes_exchange) {
    const char *const orders[] = {SYNCWARP,
                                  MEET,
                                  "vote.sync.any.pred %p1, %p2, -1;\n",
                                  "shfl.sync.idx.b32 %r11, %r2, 0, 31, -1;\n",
                                  "membar.cta;\n",
                                  "match.any.sync.b32 %r11, %r2, -1;\n",
                                  "atom.shared.add.u32 %r11, [%r8+512], 1;\n"};
    char ptx[4096];
    for (unsigned i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        snprintf(ptx, sizeof ptx, "%s%s%s%s", HEAD NEXT PUT, orders[i], GET, TAIL);
        lanes(ptx, NULL, NULL);
    }
    lanes(KERNEL(NEXT PUT GET), "race.warp", "ld.shared");
    ck_assert_ptr_nonnull(strstr(launched.text, "lane 0 of warp 0 reads box+0x4, which lane 1"));
    lanes(KERNEL(NEXT PUT "st.shared.u32 [%r10], %r2;\n"), "race.warp", "st.shared.u32 [%r10]");
    /* The other order: a word is read, then another lane overwrites it. */
    lanes(KERNEL(NEXT PUT SYNCWARP GET "st.shared.u32 [%r9], %r0;\n"), "race.warp",
          "st.shared.u32 [%r9], %r0");
    lanes(KERNEL(NEXT PUT SYNCWARP GET SYNCWARP PUT), NULL, NULL);
    /* Branches that ran one after the other. */
    lanes(KERNEL(NEXT "setp.lt.u32 %p1, %r0, 16;\n@%p1 bra ELSE;\n" PUT
                      "bra.uni MEET;\nELSE: ld.shared.u32 %r3, [%r9+64];\nMEET:\n"),
          "race.warp", "ld.shared");
    /* Lanes that have their own words, in any shape. */
    lanes(KERNEL(NEXT PUT "ld.shared.u32 %r3, [%r9];\nst.shared.u32 [%r9], %r3;\n"), NULL, NULL);
    lanes(KERNEL(NEXT "xor.b32 %r11, %r0, 5;\nmad.lo.u32 %r11, %r11, 16, %r8;\n"
                      "st.shared.v4.u32 [%r11], {%r2, %r2, %r2, %r2};\n"
                      "ld.shared.u32 %r3, [%r11+8];\nst.shared.u16 [%r11+2], %r3;\n"),
          NULL, NULL);
    /* Halves of words. */
    lanes(KERNEL(NEXT "mad.lo.u32 %r11, %r0, 2, %r8;\nst.shared.u16 [%r11], %r2;\n"
                      "ld.shared.u16 %r3, [%r11];\n"),
          NULL, NULL);
    lanes(KERNEL(NEXT "mad.lo.u32 %r11, %r0, 2, %r8;\nst.shared.u16 [%r11], %r2;\n"
                      "ld.shared.u32 %r3, [%r9];\n"),
          "race.warp", "ld.shared");
    /* Lane 0 writes what all read at once. */
    lanes(KERNEL(NEXT "setp.eq.u32 %p1, %r0, 0;\n@%p1 st.shared.u32 [%r8], %r2;\n"
                      "ld.shared.u32 %r3, [%r8];\n"),
          "race.warp", "ld.shared");
    lanes(KERNEL(NEXT "setp.eq.u32 %p1, %r0, 0;\n@%p1 st.shared.u32 [%r8], %r2;\n" SYNCWARP
                      "ld.shared.u32 %r3, [%r8];\n"),
          NULL, NULL);
    /* Neither access is a line: lanes have gaps at different places. Lines came before. */
    lanes(KERNEL(NEXT PUT PUT PUT PUT PUT PUT PUT PUT SYNCWARP
                 "and.b32 %r11, %r0, 16;\nadd.u32 %r11, %r11, %r9;\n"
                 "st.shared.u32 [%r11], %r2;\nand.b32 %r12, %r0, 24;\n"
                 "add.u32 %r12, %r12, %r9;\nld.shared.u32 %r3, [%r12];\n"),
          "race.warp", "ld.shared");
    /* Older targets run in lockstep. */
    start(32, 0);
    launch_good(&launched, HEAD_OF("sm_60") NEXT PUT GET TAIL);
}
END_TEST

START_TEST(lanes_write_one_place) {
    lanes(KERNEL(NEXT "st.shared.u32 [%r8], 7;\n"), NULL, NULL);
    lanes(KERNEL(NEXT "st.shared.u32 [%r8], %r0;\n"), "race.warp", "st.shared");
    ck_assert_ptr_nonnull(strstr(launched.text, "lanes 0 and 1 of warp 0 write different values"));
    lanes(KERNEL(NEXT "st.shared.u32 [%r8], 7;\nsetp.lt.u32 %p1, %r0, 9;\n"
                      "@%p1 st.shared.u32 [%r8], 7;\n"),
          NULL, NULL);
    lanes(KERNEL(NEXT "st.shared.u32 [%r9], 7;\nred.shared.add.u32 [%r8], 1;\n"), "race.warp",
          "red.shared");
    lanes(KERNEL(NEXT "st.shared.u32 [%r9], 7;\n" SYNCWARP "red.shared.add.u32 [%r8], 1;\n"), NULL,
          NULL);
}
END_TEST

/* Volatile words in lockstep, and as flags. */
START_TEST(lanes_trust_volatile) {
    lanes(KERNEL(NEXT "st.volatile.shared.u32 [%r9], %r2;\nld.volatile.shared.u32 %r3, [%r10];\n"),
          "race.warp", "ld.volatile");
    lanes(KERNEL(NEXT "setp.eq.u32 %p1, %r0, 5;\nsetp.eq.u32 %p2, %r0, 9;\n"
                      "@%p1 st.volatile.shared.u32 [%r8], 0;\n" SYNCWARP "@%p1 bra SET;\n"
                      "@!%p2 bra DONE;\nPOLL: ld.volatile.shared.u32 %r3, [%r8];\n"
                      "setp.eq.u32 %p3, %r3, 0;\n@%p3 bra POLL;\nbra.uni DONE;\n"
                      "SET: st.volatile.shared.u32 [%r8], 1;\nDONE:\n"),
          NULL, NULL);
}
END_TEST

/* Rows of ldmatrix and stmatrix are for the whole warp. */
#define LOAD "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [%r11];\n"
#define STORE_ROWS "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r11], {%r2};\n"
#define ROWS NEXT "and.b32 %r11, %r0, 7;\nmad.lo.u32 %r11, %r11, 16, %r8;\n"

START_TEST(lanes_share_matrices) {
    lanes(KERNEL(ROWS PUT LOAD), "race.warp", "ldmatrix");
    lanes(KERNEL(ROWS PUT SYNCWARP LOAD), NULL, NULL);
    lanes(KERNEL(ROWS PUT SYNCWARP LOAD PUT), NULL, NULL);
    lanes(KERNEL(ROWS STORE_ROWS GET), "race.warp", "ld.shared");
    lanes(KERNEL(ROWS STORE_ROWS LOAD), "race.warp", "ldmatrix");
    lanes(KERNEL(ROWS STORE_ROWS SYNCWARP LOAD), NULL, NULL);
}
END_TEST

/* A warp that repeats a store keeps one entry for both. Other stores keep their own. */
START_TEST(the_last_store_is_named) {
    static const char *const agains[] = {
        "st.shared.u32 [%r9], %r0;\n",
        "setp.ge.u32 %p1, %r0, 16;\n@%p1 st.shared.u32 [%r9], %r0;\n",
        "st.shared.u16 [%r9], %r0;\n", "st.shared.u32 [%r9+256], %r0;\n"};
    char ptx[4096];
    for (unsigned i = 0; i < sizeof agains / sizeof agains[0]; i++)
        for (unsigned many = 0; many < 2; many++) { /* 16 stores: more than are kept at hand */
            struct base_text at = {ptx, sizeof ptx, 0};
            base_put(&at, "%s%s", HEAD NEXT PUT, agains[i]);
            for (unsigned k = 0; k < 16 * many; k++)
                base_put(&at, "st.shared.u32 [%%r9+512], %%r%u;\n", k % 3);
            base_put(&at, "add.u64 %%d5, %%d1, %%d2;\n");
            for (unsigned k = 0; k < 24 * many; k++) /* at other places: all are kept */
                base_put(&at, "st.global.u32 [%%d5+%u], %%r2;\n", 128 * k);
            base_put(&at, "%s%s", GET, TAIL);
            lanes(ptx, "race.warp", "ld.shared");
            ck_assert_uint_eq(launched.other, line_of(ptx, PUT) + (i == 0 || i == 2));
        }
}
END_TEST

/* Compilers store a row of a tile several times if fewer rows than threads are there. */
#define EQUAL "mov.u32 %r2, 7;\n"
#define FOUR NEXT "and.b32 %r11, %r0, 3;\nmad.lo.u32 %r11, %r11, 16, %r8;\n"

START_TEST(equal_rows_are_stored_twice) {
    silent(64, _i, KERNEL(ROWS EQUAL STORE_ROWS));
    found(64, _i, KERNEL(ROWS "mov.u32 %r2, %r0;\n" STORE_ROWS), "stmatrix", "stmatrix");
    lanes(KERNEL(FOUR EQUAL STORE_ROWS), NULL, NULL);
    lanes(KERNEL(FOUR "mov.u32 %r2, %r0;\n" STORE_ROWS), "matrix.row.twice", "stmatrix");
}
END_TEST

START_TEST(lanes_share_global_memory) {
    const char *const all = "add.u64 %d4, %d1, 8192;\nadd.u64 %d5, %d4, %d2;\n"
                            "xor.b32 %r8, %r1, 1;\nmad.wide.u32 %d6, %r8, 4, %d4;\n";
    char ptx[4096];
    for (unsigned i = 0; i < 4; i++) {
        snprintf(ptx, sizeof ptx, "%s%s%s%s%s%s", HEAD, all,
                 i < 2 ? "st.global.u32 [%d5], %r2;\n" : "ld.global.u32 %r3, [%d6];\n",
                 i % 2 ? SYNCWARP : "",
                 i < 2 ? "ld.global.u32 %r3, [%d6];\n" : "st.global.u32 [%d5], %r2;\n", TAIL);
        start(32, 0);
        launch(&launched, ptx);
        ck_assert_uint_eq(launched.findings != 0, i % 2 == 0);
        if (i % 2 == 0)
            ck_assert_str_eq(launched.rule, "race.warp");
    }
}
END_TEST

/* A wait is that of each lane. */
START_TEST(lanes_wait_for_their_copies) {
    silent(32, _i, KERNEL(NEXT COPY WAIT SYNCWARP GET));
    silent(32, _i, KERNEL(NEXT COPY WAIT "ld.shared.u32 %r3, [%r9];\n"));
    start(32, _i);
    launch(&launched, KERNEL(NEXT COPY WAIT GET));
    ck_assert_str_eq(launched.rule, "race.warp");
    ck_assert_uint_eq(launched.line, line_of(KERNEL(NEXT COPY WAIT GET), GET));
    /* Other lanes meet before the wait, not behind it. */
    start(32, _i);
    launch(&launched, KERNEL(NEXT COPY SYNCWARP WAIT GET));
    ck_assert_str_eq(launched.rule, "race.warp");
    /* A lane reads, another one copies. */
    silent(32, _i, KERNEL(NEXT GET SYNCWARP COPY WAIT));
    start(32, _i);
    launch(&launched, KERNEL(NEXT GET COPY WAIT));
    ck_assert_str_eq(launched.rule, "race.warp");
    /* Two groups, of which one is waited for. */
    silent(32, _i,
           KERNEL(NEXT COPY "cp.async.commit_group;\ncp.async.wait_group 1;\n" SYNCWARP GET));
    found(32, _i, KERNEL(NEXT COPY "cp.async.commit_group;\ncp.async.wait_group 2;\n" SYNCWARP GET),
          GET, "cp.async.ca");
    /* Copies of one warp over each other. */
    silent(32, _i, KERNEL(NEXT COPY WAIT COPY WAIT));
    start(32, _i);
    launch(&launched, KERNEL(NEXT COPY COPY WAIT));
    ck_assert_str_eq(launched.rule, "race.shared");
    ck_assert_ptr_nonnull(strstr(launched.text, "; missing: cp.async.wait_group 0"));
}
END_TEST

#define GROUPED                                                                                    \
    "mul.wide.u32 %d7, %r4, 16;\nadd.u64 %d7, %d7, %d1;\n"                                         \
    "cp.async.bulk.global.shared::cta.bulk_group [%d7+8192], [%r8], 16;\n"
#define COMMIT "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;\n"
#define BY_FIRST "setp.ne.u32 %p1, %r0, 0;\n@%p1 bra SKIP;\n" GROUPED COMMIT "SKIP:\n"

/* A bulk copy is that of its lane: stores of others come before it, or behind its wait. */
START_TEST(lanes_copy_for_others) {
    silent(32, _i, KERNEL(NEXT PUT FENCE SYNCWARP BY_FIRST SYNCWARP PUT));
    start(32, _i);
    launch(&launched, KERNEL(NEXT PUT FENCE BY_FIRST));
    ck_assert_str_eq(launched.rule, "race.warp");
    start(32, _i);
    launch(&launched, KERNEL(NEXT PUT FENCE SYNCWARP BY_FIRST PUT));
    ck_assert_str_eq(launched.rule, "race.shared");
    ck_assert_ptr_nonnull(strstr(launched.text, "__syncwarp"));
}
END_TEST

/* cp.async writes as threads do, so the copy engine needs a fence behind the wait. */
START_TEST(copies_are_fenced) {
    silent(32, _i, KERNEL(NEXT COPY WAIT FENCE SYNCWARP BY_FIRST));
    unfenced(32, _i, KERNEL(NEXT COPY WAIT SYNCWARP BY_FIRST), "cp.async.bulk.global");
    unfenced(32, _i, KERNEL(NEXT COPY FENCE WAIT SYNCWARP BY_FIRST), "cp.async.bulk.global");
}
END_TEST

#define MASKED "and.b32 %r41, %r0, 16;\nshl.b32 %r41, 65535, %r41;\nbar.warp.sync %r41;\n"
#define ACROSS(lanes) PLACES "xor.b32 %r10, %r0, " lanes ";\nmad.lo.u32 %r10, %r10, 4, %r8;\n"

/* A part of the warp meets: lanes outside of the mask are not ordered. */
START_TEST(parts_meet) {
    silent(32, _i, KERNEL(ACROSS("1") PUT MASKED GET));
    lanes(KERNEL(ACROSS("16") PUT MASKED GET), "race.warp", GET);
    silent(32, _i, KERNEL(ACROSS("1") PUT MASKED GET SYNCWARP PUT MASKED GET));
    /* A third lane passes it on. */
    silent(32, _i,
           KERNEL(ACROSS("17") PUT MASKED "and.b32 %r41, %r0, 1;\nshl.b32 %r41, 0x55555555, "
                                          "%r41;\nbar.warp.sync %r41;\n" GET));
}
END_TEST

/* One lane arrives for its warp: also for cp.async, and for stores to another block. */
#define INIT                                                                                       \
    "setp.eq.u32 %p15, %r0, 0;\n@%p15 mbarrier.init.shared.b64 [%r8+512], 1;\n"                    \
    "@%p15 fence.mbarrier_init.release.cluster;\nbar.sync 0;\n"
#define HAND(gather)                                                                               \
    PLACES INIT                                                                                    \
        "setp.ge.u32 %p1, %r0, 32;\n@%p1 bra READ;\n" COPY WAIT gather                             \
        "@%p15 mbarrier.arrive.shared.b64 %d4, [%r8+512];\nbra DONE;\n"                            \
        "READ: mbarrier.try_wait.parity.shared.b64 %p14, [%r8+512], 0;\n@!%p14 bra READ;\n" GET    \
        "DONE: bar.sync 0;\n"

START_TEST(one_lane_arrives_for_copies) {
    silent(64, _i, KERNEL(HAND(SYNCWARP)));
    found(64, _i, KERNEL(HAND("")), GET, "cp.async.ca");
    ck_assert_ptr_nonnull(strstr(launched.text, "__syncwarp"));
}
END_TEST

/* Scopes between two blocks of a cluster. */
#define FLAG(scope)                                                                                \
    RANKS INIT CLUSTER "@!%p4 bra READ;\n" PUT_ONE "st.release." scope                             \
                       ".shared::cluster.u32 [%r13+768], 1;\nbra DONE;\n"                          \
                       "READ: ld.acquire." scope                                                   \
                       ".shared.u32 %r14, [%r8+768];\nsetp.eq.u32 %p5, %r14, 0;\n"                 \
                       "@%p5 bra READ;\nld.shared.u32 %r3, [%r9];\nDONE:\n" CLUSTER
#define CLEAR "@%p15 st.shared.u32 [%r8+768], 0;\n"
#define PUT_ONE "st.shared::cluster.u32 [%r12], %r2;\n"

START_TEST(scopes_of_a_cluster) {
    const char *const good = KERNEL("mov.u32 %r8, box;\nsetp.eq.u32 %p15, %r0, 0;\n" CLEAR
                                    "setp.eq.u32 %p15, %r0, 0;\n@!%p15 exit;\n" FLAG("cluster"));
    const char *const narrow = KERNEL("mov.u32 %r8, box;\nsetp.eq.u32 %p15, %r0, 0;\n" CLEAR
                                      "setp.eq.u32 %p15, %r0, 0;\n@!%p15 exit;\n" FLAG("cta"));
    start(32, _i);
    launched.cluster = 2;
    launch_good(&launched, good);
    start(32, _i);
    launched.cluster = 2;
    launch(&launched, narrow);
    ck_assert_uint_gt(launched.findings, 0);
    ck_assert_str_eq(launched.rule, "race.shared");
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {updates_lack_an_atomic, 0, 1},
        {lanes_exchange, 0, 1},
        {lanes_write_one_place, 0, 1},
        {lanes_trust_volatile, 0, 1},
        {lanes_share_matrices, 0, 1},
        {the_last_store_is_named, 0, 1},
        {equal_rows_are_stored_twice, 0, 3},
        {lanes_share_global_memory, 0, 1},
        {lanes_wait_for_their_copies, 0, 2 * SEEDS},
        {lanes_copy_for_others, 0, 2 * SEEDS},
        {copies_are_fenced, 0, 2 * SEEDS},
        {parts_meet, 0, 2 * SEEDS},
        {one_lane_arrives_for_copies, 0, 2 * SEEDS},
        {scopes_of_a_cluster, 0, 2 * SEEDS},
    };
    return every_run("check_lanes", tests, (int)(sizeof tests / sizeof tests[0]));
}
