/* Lanes that go different ways: each of them gets on, and those that can meet do. */
#include "kernel.h"

/* A lock that lanes of one warp take from each other: the holder has to get on while others spin.
 */
START_TEST(a_lock_within_a_warp_ends) {
    struct kernel kernel = {.text = KERNEL("SPIN: atom.global.cas.b32 %r1, [%rd0], 0, 1;\n"
                                           "setp.ne.u32 %p1, %r1, 0;\n"
                                           "@%p1 bra SPIN;\n"
                                           "ld.volatile.global.u32 %r2, [%rd0+4];\n"
                                           "add.u32 %r2, %r2, %r0;\n"
                                           "st.volatile.global.u32 [%rd0+4], %r2;\n"
                                           "membar.gl;\n"
                                           "atom.global.exch.b32 %r1, [%rd0], 0;")};
    kernel_good(&kernel, 1, 64);
    ck_assert_uint_eq(kernel.words[0], 0);
    ck_assert_uint_eq(kernel.words[1], 64 * 63 / 2);
}
END_TEST

/* The other way round: lanes that wait come first in the text, and the one that helps them last. */
START_TEST(a_lane_waits_for_its_neighbour) {
    struct kernel kernel = {.text = KERNEL("setp.eq.u32 %p1, %r0, 31;\n"
                                           "@%p1 bra GIVE;\n"
                                           "TAKE: ld.volatile.global.u32 %r1, [%rd0];\n"
                                           "setp.eq.u32 %p2, %r1, 0;\n"
                                           "@%p2 bra TAKE;\n"
                                           "bra.uni END;\n"
                                           "GIVE: mov.u32 %r1, 7;\n"
                                           "st.volatile.global.u32 [%rd0], %r1;\n"
                                           "END: add.u32 %r2, %r0, 1;\n" STORE_AT("%r2", "%r1"))};
    kernel_good(&kernel, 1, 32);
    for (int i = 0; i <= 32; i++)
        ck_assert_uint_eq(kernel.words[i], 7);
}
END_TEST

/* A warp waits for a later one, and a block for one that starts later. */
START_TEST(warps_and_blocks_wait_for_later_ones) {
    struct kernel kernel = {.text = KERNEL("mov.u32 %r1, %ctaid.x;\n"
                                           "shr.u32 %r2, %r0, 5;\n"
                                           "mad.lo.u32 %r3, %r1, 2, %r2;\n"
                                           "setp.eq.u32 %p1, %r3, 5;\n"
                                           "add.u32 %r4, %r3, 1;\n"
                                           "mul.wide.u32 %rd1, %r4, 4;\n"
                                           "add.s64 %rd1, %rd1, %rd0;\n"
                                           "@%p1 bra GO;\n"
                                           "WAIT: ld.acquire.gpu.global.u32 %r5, [%rd1];\n"
                                           "setp.eq.u32 %p2, %r5, 0;\n"
                                           "@%p2 bra WAIT;\n"
                                           "GO: mov.u32 %r6, 1;\n"
                                           "st.release.gpu.global.u32 [%rd1+-4], %r6;")};
    for (uint32_t threads = 1; threads <= 2; threads++) {
        kernel.launch.threads = threads;
        memset(kernel.words, 0, sizeof kernel.words);
        kernel_good(&kernel, 3, 64);
        for (int i = 0; i < 6; i++)
            ck_assert_uint_eq(kernel.words[i], 1);
    }
}
END_TEST

/* After an if with an else, and after a loop that lanes leave one by one, the warp is one group
 * again. The next instruction is executed once. */
START_TEST(lanes_meet_behind_ifs_and_loops) {
    struct kernel kernel = {.text = KERNEL("and.b32 %r1, %r0, 1;\n"
                                           "setp.eq.u32 %p1, %r1, 0;\n"
                                           "@%p1 bra EVEN;\n"
                                           "mov.u32 %r2, 100;\n"
                                           "bra.uni JOIN;\n"
                                           "EVEN: mov.u32 %r2, 200;\n"
                                           "JOIN: add.u32 %r3, %r2, %r0;\n"
                                           "mov.u32 %r4, 0;\n"
                                           "LOOP: setp.ge.u32 %p2, %r4, %r0;\n"
                                           "@%p2 bra OUT;\n"
                                           "add.u32 %r4, %r4, 1;\n"
                                           "and.b32 %r5, %r4, 3;\n"
                                           "setp.eq.u32 %p3, %r5, 0;\n"
                                           "@%p3 bra LOOP;\n"
                                           "add.u32 %r3, %r3, 1000;\n"
                                           "bra.uni LOOP;\n"
                                           "OUT: xor.b32 %r3, %r3, 1;\n" STORE_AT("%r0", "%r3"))};
    kernel_good(&kernel, 1, 32);
    for (unsigned i = 0; i < 32; i++)
        ck_assert_uint_eq(kernel.words[i], ((i & 1 ? 100 : 200) + i + 1000 * (i - i / 4)) ^ 1);
    ck_assert_uint_eq(kernel_executed(&kernel, "mov.u32 %r2, 100"), 1);
    ck_assert_uint_eq(kernel_executed(&kernel, "JOIN:"), 1);
    ck_assert_uint_eq(kernel_executed(&kernel, "LOOP:"), 32);
    ck_assert_uint_eq(kernel_executed(&kernel, "add.u32 %r3, %r3, 1000"), 24);
    ck_assert_uint_eq(kernel_executed(&kernel, "OUT:"), 1);
}
END_TEST

/* The join stands in front of both ways in the text: positions go by the graph. */
START_TEST(positions_do_not_go_by_the_text) {
    struct kernel kernel = {.text = KERNEL("and.b32 %r1, %r0, 1;\n"
                                           "setp.eq.u32 %p1, %r1, 0;\n"
                                           "bra.uni FORK;\n"
                                           "JOIN: add.u32 %r3, %r2, %r0;\n" STORE_AT(
                                               "%r0", "%r3") "ret;\n"
                                                             "ODD: mov.u32 %r2, 100;\n"
                                                             "bra.uni JOIN;\n"
                                                             "FORK: @!%p1 bra ODD;\n"
                                                             "mov.u32 %r2, 200;\n"
                                                             "bra.uni JOIN;")};
    kernel_good(&kernel, 1, 32);
    for (unsigned i = 0; i < 32; i++)
        ck_assert_uint_eq(kernel.words[i], (i & 1 ? 100 : 200) + i);
    ck_assert_uint_eq(kernel_executed(&kernel, "JOIN:"), 1);
}
END_TEST

/* brx.idx: every lane its own way. */
START_TEST(a_table_of_labels) {
    struct kernel kernel = {.text = KERNEL("ts: .branchtargets A, B, C, B;\n"
                                           "and.b32 %r1, %r0, 3;\n"
                                           "setp.gt.u32 %p1, %r0, 27;\n"
                                           "mov.u32 %r2, 5;\n"
                                           "@!%p1 brx.idx %r1, ts;\n"
                                           "bra.uni END;\n"
                                           "A: mov.u32 %r2, 10;\nbra.uni END;\n"
                                           "B: mov.u32 %r2, 20;\nbra.uni END;\n"
                                           "C: mov.u32 %r2, 30;\n"
                                           "END: add.u32 %r2, %r2, %r0;\n" STORE_AT("%r0", "%r2"))};
    static const uint32_t values[] = {10, 20, 30, 20};
    kernel_good(&kernel, 1, 32);
    for (unsigned i = 0; i < 32; i++)
        ck_assert_uint_eq(kernel.words[i], (i > 27 ? 5 : values[i & 3]) + i);
    ck_assert_uint_eq(kernel_executed(&kernel, "B:"), 1);
    ck_assert_uint_eq(kernel_executed(&kernel, "END:"), 1);
}
END_TEST

/* Exits in the middle, and guards on everything. */
START_TEST(some_lanes_end_early) {
    struct kernel kernel = {
        .text = KERNEL("setp.lt.u32 %p1, %r0, 10;\n" STORE_AT(
            "%r0", "%r0") "@%p1 exit;\n"
                          "setp.lt.u32 %p2, %r0, 20;\n"
                          "@!%p2 add.u32 %r0, %r0, 100;\n"
                          "@%p2 add.u32 %r0, %r0, 200;\n" STORE_AT("%r0", "%r0"))};
    kernel_good(&kernel, 1, 40);
    for (unsigned i = 0; i < 300; i++) {
        uint32_t is = i < 40 || (i >= 120 && i < 140) || (i >= 210 && i < 220) ? i : 0;
        ck_assert_uint_eq(kernel.words[i], is);
    }
    ck_assert_uint_eq(kernel.totals.warps, 2);
}
END_TEST

/* Seeds and threads of the host change the order and nothing else. */
START_TEST(order_changes_nothing) {
    struct kernel kernel = {.text = KERNEL("mov.u32 %r1, %ctaid.x;\n"
                                           "mov.u32 %r2, %ntid.x;\n"
                                           "mad.lo.u32 %r3, %r1, %r2, %r0;\n"
                                           "atom.global.add.u32 %r4, [%rd0], %r3;\n"
                                           "add.u32 %r5, %r3, 1;\n" STORE_AT("%r5", "%r3"))};
    for (uint32_t i = 0; i < 12; i++) {
        kernel.launch.seed = i * 77;
        kernel.launch.threads = 1 + i % 3;
        memset(kernel.words, 0, sizeof kernel.words);
        kernel_good(&kernel, 15, 60);
        ck_assert_uint_eq(kernel.words[0], 900 * 899 / 2);
        for (uint32_t word = 0; word < 900; word++)
            ck_assert_uint_eq(kernel.words[word + 1], word);
        ck_assert_uint_eq(kernel.totals.blocks, 15);
        ck_assert_uint_eq(kernel.totals.instructions, 30u * 11);
        ck_assert_uint_eq(kernel.totals.thread_instructions, 900u * 11);
    }
}
END_TEST

/* A block waits for a later one in a loop with a barrier, whose events no other block sees. */
START_TEST(blocks_that_poll_around_a_barrier_give_way) {
    struct kernel kernel = {
        .text = KERNEL("mov.u32 %r1, %ctaid.x;\nsetp.eq.u32 %p1, %r1, 1;\n@%p1 bra RAISE;\n"
                       "WAIT:\nbar.sync 0;\nld.volatile.global.u32 %r2, [%rd0];\nbar.sync 0;\n"
                       "setp.eq.u32 %p2, %r2, 0;\n@%p2 bra WAIT;\nst.global.u32 [%rd0+4], %r2;\n"
                       "ret;\nRAISE:\nst.volatile.global.u32 [%rd0], 7;\n")};
    for (unsigned threads = 1; threads < 3; threads++) {
        memset(kernel.words, 0, sizeof kernel.words);
        kernel.launch.threads = threads;
        kernel_good(&kernel, 2, 64);
        ck_assert_uint_eq(kernel.words[1], 7);
    }
}
END_TEST

/* Two sides of a branch that poll take turns at every poll. The upper lanes raise the flag after
 * ten polls, and the lower ones have polled as often. */
START_TEST(polling_sides_take_turns) {
    struct kernel kernel = {.text = KERNEL("mov.u32 %r2, 0;\n"
                                           "setp.lt.u32 %p1, %r0, 16;\n"
                                           "@%p1 bra LOW;\n"
                                           "HIGH: ld.volatile.global.u32 %r1, [%rd0+256];\n"
                                           "add.u32 %r2, %r2, 1;\n"
                                           "add.u32 %r3, %r1, %r2;\n"
                                           "setp.lt.u32 %p2, %r3, 10;\n"
                                           "@%p2 bra HIGH;\n"
                                           "mov.u32 %r4, 1;\n"
                                           "st.volatile.global.u32 [%rd0+512], %r4;\n"
                                           "bra.uni END;\n"
                                           "LOW: ld.volatile.global.u32 %r1, [%rd0+512];\n"
                                           "add.u32 %r2, %r2, 1;\n"
                                           "setp.eq.u32 %p2, %r1, 0;\n"
                                           "@%p2 bra LOW;\n"
                                           "END: " STORE_AT("%r0", "%r2"))};
    kernel_good(&kernel, 1, 32);
    ck_assert_uint_eq(kernel.words[31], 10);
    ck_assert_uint_ge(kernel.words[0], 10);
    ck_assert_uint_le(kernel.words[0], 12);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{a_lock_within_a_warp_ends, 0, 1},
                                       {a_lane_waits_for_its_neighbour, 0, 1},
                                       {polling_sides_take_turns, 0, 1},
                                       {blocks_that_poll_around_a_barrier_give_way, 0, 1},
                                       {warps_and_blocks_wait_for_later_ones, 0, 1},
                                       {lanes_meet_behind_ifs_and_loops, 0, 1},
                                       {positions_do_not_go_by_the_text, 0, 1},
                                       {a_table_of_labels, 0, 1},
                                       {some_lanes_end_early, 0, 1},
                                       {order_changes_nothing, 0, 1}};
    return every_run("unit/run/divergence", tests, COUNT(tests));
}
