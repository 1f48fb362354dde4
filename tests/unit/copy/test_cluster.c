/* Copies to other blocks of a cluster, each a window: to all of a mask, or from one to another. */
#include "fixture.h"

#include <wsim/code.h>

enum { BLOCKS = 3, SMALL = 1024 };

static uint8_t bytes[BLOCKS][SMALL], global[SMALL];
static struct wsim_memory window[BLOCKS], source;
static const struct wsim_memory *cluster[BLOCKS];
static struct wsim_io io;
static struct wsim_diag diag;

static struct wsim_mbarrier barrier_of(unsigned block) {
    return (struct wsim_mbarrier){.shared = &window[block], .at = 1024};
}

/* Each block has a barrier at its first bytes that expects 64 bytes. */
static void start(void) {
    for (unsigned i = 0; i < SMALL; i++)
        global[i] = (uint8_t)(i * 7 + 1);
    source = wsim_memory_over(WSIM_GLOBAL, global, SMALL, 4096);
    for (unsigned b = 0; b < BLOCKS; b++) {
        struct wsim_mbarrier barrier = barrier_of(b);
        memset(bytes[b], (int)(0x10 + b), SMALL);
        memset(bytes[b], 0, 8);
        window[b] = wsim_memory_over(WSIM_SHARED, bytes[b], SMALL, 1024);
        cluster[b] = &window[b];
        wsim_mbarrier_init(&barrier, 1, NULL);
        wsim_mbarrier_expect_tx(&barrier, 64, NULL);
    }
    io = (struct wsim_io){.shared = &window[0],
                          .global = &source,
                          .bulk = {.shared_at = 1024 + 256,
                                   .global_at = 4096 + 128,
                                   .barrier_at = 1024,
                                   .has_barrier = 1,
                                   .bytes = 64,
                                   .cluster = cluster,
                                   .blocks = BLOCKS}};
}

static enum wsim_status run(const char *spelling) {
    struct wsim_op op;
    struct wsim_code code;
    ck_assert_int_eq(wsim_op_parse(spelling, &op, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_prepare(&op, wsim_arch_find("sm_90a"), 0, &code, NULL), WSIM_UNMODELLED);
    ck_assert_int_eq(wsim_prepare(&op, wsim_arch_find("sm_90a"), WSIM_CLUSTER, &code, &diag),
                     WSIM_OK);
    return wsim_run(&code, &io, &diag);
}

/* Bytes that the barrier of a block still expects. */
static int32_t missing(unsigned block) {
    struct wsim_mbarrier barrier = barrier_of(block);
    struct wsim_mbarrier_state state;
    ck_assert_int_eq(wsim_mbarrier_read(&barrier, &state, NULL), WSIM_OK);
    return state.bytes;
}

/* Refused, and nothing has changed. */
static void refused(const char *spelling, const char *rule) {
    static uint8_t before[BLOCKS][SMALL];
    memcpy(before, bytes, sizeof before);
    ck_assert_int_ne(run(spelling), WSIM_OK);
    ck_assert_str_eq(diag.rule, rule);
    ck_assert_mem_eq(before, bytes, sizeof before);
}

#define LOAD "cp.async.bulk.shared::cluster.global." COMPLETE ".multicast::cluster"
#define SEND "cp.async.bulk.shared::cluster.shared::cta." COMPLETE
#define ADD "cp.reduce.async.bulk.shared::cluster.shared::cta." COMPLETE ".add.u32"

START_TEST(to_those_of_the_mask) {
    start();
    io.bulk.cta_mask = 5;
    ck_assert_int_eq(run(LOAD), WSIM_OK);
    for (unsigned b = 0; b < BLOCKS; b++) {
        ck_assert_int_eq(missing(b), b == 1 ? 64 : 0);
        ck_assert_int_eq(!memcmp(bytes[b] + 256, global + 128, 64), b != 1);
        ck_assert_uint_eq(bytes[b][255], 0x10 + b);
        ck_assert_uint_eq(bytes[b][320], 0x10 + b);
    }
    start();
    ck_assert_int_eq(run(LOAD), WSIM_OK); /* to no block */
    ck_assert_int_eq(missing(0), 64);
}
END_TEST

START_TEST(from_one_to_another) {
    start();
    io.bulk.cta_mask = 4;
    io.bulk.peer_at = 1024 + 512;
    ck_assert_int_eq(run(SEND), WSIM_OK);
    for (unsigned b = 0; b < BLOCKS; b++)
        ck_assert_int_eq(missing(b), b == 2 ? 0 : 64);
    for (unsigned i = 512; i < 576; i++)
        ck_assert_uint_eq(bytes[2][i], 0x10);
    ck_assert_uint_eq(bytes[2][576], 0x12);
    start();
    io.bulk.cta_mask = 2;
    io.bulk.peer_at = 1024 + 512;
    ck_assert_int_eq(run(ADD), WSIM_OK);
    ck_assert_int_eq(missing(1), 0);
    for (unsigned i = 512; i < 576; i++)
        ck_assert_uint_eq(bytes[1][i], 0x21);
}
END_TEST

/* All of a mask or none: the last block of it has no barrier. */
START_TEST(all_or_none) {
    struct wsim_mbarrier last = barrier_of(2);
    start();
    io.bulk.cta_mask = 7;
    wsim_mbarrier_inval(&last, NULL);
    refused(LOAD, "mbarrier.state.uninitialised");
    io.bulk.cta_mask = 9;
    refused(LOAD, "bulk.block.unknown");
    io.bulk.cta_mask = 3;
    refused(SEND, "bulk.block.unknown");
    io.bulk.cta_mask = 2;
    io.bulk.peer_at = 1024 + 8;
    refused(SEND, "bulk.piece.align");
    io.bulk.peer_at = 2048 - 16;
    refused(SEND, "memory.bounds");
    io.bulk.peer_at = 1024;
    refused(SEND, "bulk.barrier.overwritten");
    io.bulk.cluster = NULL;
    refused(SEND, "operand.missing");
}
END_TEST

/* --- a pair of blocks --- */

#define PAIR "cp.async.bulk.tensor.1d.cta_group::2.shared::cluster.global.tile." COMPLETE

static struct wsim_tensor_map map;

/* A vector of bytes, 64 a box. */
static void start_pair(unsigned blocks, unsigned odd) {
    struct wsim_tensor tensor = {.mode = WSIM_TENSOR_TILED,
                                 .dtype = WSIM_TENSOR_UINT8,
                                 .rank = 1,
                                 .base = 4096,
                                 .dims = {SMALL},
                                 .box = {64},
                                 .estrides = {1}};
    start();
    ck_assert_int_eq(wsim_tensor_encode(&tensor, wsim_arch_find("sm_100a"), &map, &diag), WSIM_OK);
    io.bulk.map = &map;
    io.bulk.coord[0] = 128;
    io.bulk.blocks = (uint16_t)blocks;
    io.bulk.barrier_odd = (uint8_t)odd;
}

static enum wsim_status run_pair(const char *spelling) {
    struct wsim_op op;
    struct wsim_code code;
    ck_assert_int_eq(wsim_op_parse(spelling, &op, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_prepare(&op, wsim_arch_find("sm_100a"), WSIM_CLUSTER, &code, &diag),
                     WSIM_OK);
    return wsim_run(&code, &io, &diag);
}

/* A copy to each block is counted in the block of the pair that the barrier names. */
START_TEST(one_of_a_pair_counts) {
    for (unsigned to = 0; to < 2; to++)
        for (unsigned odd = 0; odd < 2; odd++) {
            start_pair(2, odd);
            io.bulk.cta_mask = (uint16_t)(1u << to);
            ck_assert_int_eq(run_pair(PAIR), WSIM_OK);
            for (unsigned b = 0; b < 2; b++) {
                ck_assert_int_eq(missing(b), b == odd ? 0 : 64);
                ck_assert_int_eq(!memcmp(bytes[b] + 256, global + 128, 64), b == to);
            }
        }
}
END_TEST

/* Both blocks of a pair in the mask: one barrier counts the bytes of both. Both or none. */
START_TEST(both_of_a_pair_are_counted) {
    struct wsim_mbarrier odd = barrier_of(1);
    start_pair(2, 1);
    io.bulk.cta_mask = 3;
    wsim_mbarrier_expect_tx(&odd, 64, NULL);
    ck_assert_int_eq(run_pair(PAIR ".multicast::cluster"), WSIM_OK);
    ck_assert_int_eq(missing(0), 64);
    ck_assert_int_eq(missing(1), 0);
    for (unsigned b = 0; b < 2; b++)
        ck_assert_mem_eq(bytes[b] + 256, global + 128, 64);
    start_pair(2, 1);
    io.bulk.cta_mask = 3;
    ck_assert_int_eq(wsim_mbarrier_complete_tx(&odd, (1u << 20) - 1, NULL), WSIM_OK);
    ck_assert_int_eq(run_pair(PAIR ".multicast::cluster"), WSIM_OPERAND); /* 63 bytes too many */
    ck_assert_mem_ne(bytes[0] + 256, global + 128, 64);
    ck_assert_mem_ne(bytes[1] + 256, global + 128, 64);
}
END_TEST

/* The last block of an odd cluster has no partner. */
START_TEST(half_a_pair) {
    start_pair(3, 1);
    io.bulk.cta_mask = 4;
    ck_assert_int_eq(run_pair(PAIR), WSIM_OPERAND);
    ck_assert_str_eq(diag.rule, "bulk.block.unknown");
    start_pair(3, 0);
    io.bulk.cta_mask = 4;
    ck_assert_int_eq(run_pair(PAIR), WSIM_OK);
    ck_assert_int_eq(missing(2), 0);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {to_those_of_the_mask, from_one_to_another,        all_or_none,
                                  one_of_a_pair_counts, both_of_a_pair_are_counted, half_a_pair};
    return run_tests("cluster", tests, sizeof tests / sizeof tests[0]);
}
