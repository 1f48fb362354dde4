/* Refusals of copies and barriers that no case of a trace can ask for: windows that do not fit,
 * barriers in any state. */
#include "case.h"

#define TILE "cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes"
#define WIDE "cp.async.bulk.tensor.3d.shared::cta.global.im2col::w.mbarrier::complete_tx::bytes"
#define BYTES "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes"
#define BARRIER_AT 4096

/* A block, its memory, a map and a barrier that expects two arrivals. */
struct block {
    uint8_t global[8192], shared[8192];
    struct wsim_memory global_memory, shared_memory;
    struct wsim_tensor_map map;
    struct wsim_mbarrier barrier;
    struct wsim_bulk bulk;
};

static struct block start(void) {
    struct block b;
    memset(&b, 0, sizeof b);
    return b;
}

/* Pointers into the block are set after it has its place. */
static void place(struct block *b) {
    b->global_memory = wsim_memory_over(WSIM_GLOBAL, b->global, sizeof b->global, 0);
    b->shared_memory = wsim_memory_over(WSIM_SHARED, b->shared, sizeof b->shared, 0);
    b->barrier = (struct wsim_mbarrier){.shared = &b->shared_memory, .at = BARRIER_AT};
    b->bulk = (struct wsim_bulk){.global = &b->global_memory,
                                 .shared = &b->shared_memory,
                                 .map = &b->map,
                                 .bytes = 64,
                                 .barrier_at = BARRIER_AT,
                                 .has_barrier = 1};
    ck_assert_int_eq(wsim_mbarrier_init(&b->barrier, 2, NULL), WSIM_OK);
}

static void make_map(struct block *b, enum wsim_tensor_mode mode) {
    struct wsim_tensor t = {.mode = mode,
                            .dtype = WSIM_TENSOR_FLOAT16,
                            .swizzle = WSIM_SWIZZLE_128B,
                            .rank = mode == WSIM_TENSOR_TILED ? 2 : 3,
                            .dims = {32, 16, 2},
                            .strides = {64, 1024},
                            .estrides = {1, 1, 1},
                            .box = {32, 8},
                            .channels = 32,
                            .pixels = 16};
    ck_assert_int_eq(wsim_tensor_encode(&t, wsim_arch_find("sm_100a"), &b->map, NULL), WSIM_OK);
}

/* The status, if memory is as it was. */
static enum wsim_status run(struct block *b, const char *spelling, struct wsim_diag *diag) {
    struct wsim_op op = every_parse(spelling);
    struct block before = *b;
    enum wsim_status status = wsim_bulk_run(&op, wsim_arch_find("sm_100a"), &b->bulk, NULL, diag);
    ck_assert_mem_eq(b->global, before.global, sizeof before.global);
    ck_assert_mem_eq(b->shared, before.shared, sizeof before.shared);
    return status;
}

static enum wsim_status barrier_overwritten(struct wsim_diag *diag) {
    struct block b = start();
    place(&b);
    b.bulk.shared_at = BARRIER_AT - 48;
    return run(&b, BYTES, diag);
}

static enum wsim_status bounds(struct wsim_diag *diag) {
    struct block b = start();
    place(&b);
    b.bulk.global_at = sizeof b.global - 48;
    return run(&b, BYTES, diag);
}

static enum wsim_status read_only(struct wsim_diag *diag) {
    struct block b = start();
    place(&b);
    b.shared_memory = wsim_memory_const(WSIM_SHARED, b.shared, sizeof b.shared, 0);
    return run(&b, BYTES, diag);
}

static enum wsim_status space(struct wsim_diag *diag) {
    struct block b = start();
    place(&b);
    b.bulk.shared = &b.global_memory;
    return run(&b, BYTES, diag);
}

/* Its last byte would be at 2^32, which a shared address cannot say. */
static enum wsim_status window(struct wsim_diag *diag) {
    struct block b = start();
    place(&b);
    b.shared_memory.base = (UINT64_C(1) << 32) - sizeof b.shared + 1;
    return run(&b, BYTES, diag);
}

static enum wsim_status rank_other(struct wsim_diag *diag) {
    struct block b = start();
    place(&b);
    make_map(&b, WSIM_TENSOR_TILED);
    return run(&b, "cp.async.bulk.tensor.3d.shared::cta.global.tile.mbarrier::complete_tx::bytes",
               diag);
}

static enum wsim_status offset_range(struct wsim_diag *diag) {
    struct block b = start();
    place(&b);
    make_map(&b, WSIM_TENSOR_IM2COL_W);
    b.bulk.offset[0] = 512;
    return run(&b, WIDE, diag);
}

static enum wsim_status place_outside(struct wsim_diag *diag) {
    struct block b = start();
    struct wsim_op op = every_parse(TILE);
    struct wsim_bulk_place at;
    place(&b);
    make_map(&b, WSIM_TENSOR_TILED);
    return wsim_bulk_locate(&op, wsim_arch_find("sm_90a"), &b.bulk, 8, 0, &at, diag);
}

/* --- barriers --- */

static enum wsim_status address_align(struct wsim_diag *diag) {
    struct block b = start();
    place(&b);
    b.barrier.at += 4;
    return wsim_mbarrier_init(&b.barrier, 1, diag);
}

static enum wsim_status arrive_excess(struct wsim_diag *diag) {
    struct block b = start();
    place(&b);
    return wsim_mbarrier_arrive(&b.barrier, 3, NULL, diag);
}

static enum wsim_status bytes_range(struct wsim_diag *diag) {
    struct block b = start();
    place(&b);
    return wsim_mbarrier_expect_tx(&b.barrier, WSIM_MBARRIER_MOST + 1, diag);
}

static enum wsim_status count_range(struct wsim_diag *diag) {
    struct block b = start();
    place(&b);
    wsim_mbarrier_inval(&b.barrier, NULL);
    return wsim_mbarrier_init(&b.barrier, 0, diag);
}

static enum wsim_status parity_range(struct wsim_diag *diag) {
    struct block b = start();
    int done;
    place(&b);
    return wsim_mbarrier_test_parity(&b.barrier, 2, &done, diag);
}

/* Some byte of the barrier can be made one that no instruction leaves: which, is its own matter. */
static enum wsim_status state_damaged(struct wsim_diag *diag) {
    struct block b = start();
    unsigned i, value;
    for (i = 0; i < WSIM_MBARRIER_BYTES; i++)
        for (value = 0; value < 256; value++) {
            struct wsim_mbarrier_state state;
            struct wsim_diag why = {WSIM_OK, 0, 0, NULL, ""};
            place(&b);
            b.shared[BARRIER_AT + i] = (uint8_t)value;
            if (wsim_mbarrier_read(&b.barrier, &state, &why) &&
                strcmp(why.rule, "mbarrier.state.damaged") == 0)
                return wsim_mbarrier_arrive(&b.barrier, 1, NULL, diag);
            memset(b.shared + BARRIER_AT, 0, WSIM_MBARRIER_BYTES);
        }
    return WSIM_OK;
}

static enum wsim_status state_in_use(struct wsim_diag *diag) {
    struct block b = start();
    place(&b);
    return wsim_mbarrier_init(&b.barrier, 1, diag);
}

static enum wsim_status state_uninitialised(struct wsim_diag *diag) {
    struct block b = start();
    place(&b);
    wsim_mbarrier_inval(&b.barrier, NULL);
    return wsim_mbarrier_arrive(&b.barrier, 1, NULL, diag);
}

/* Two phases later. */
static enum wsim_status token_stale(struct wsim_diag *diag) {
    struct block b = start();
    uint64_t token = 0;
    int done;
    place(&b);
    wsim_mbarrier_arrive(&b.barrier, 2, &token, NULL);
    wsim_mbarrier_arrive(&b.barrier, 2, NULL, NULL);
    return wsim_mbarrier_test(&b.barrier, token, &done, diag);
}

static enum wsim_status wait_endless(struct wsim_diag *diag) {
    struct block b = start();
    place(&b);
    return wsim_mbarrier_wait(&b.barrier, 0, diag);
}

const struct reject_direct reject_copies[] = {
    {"bulk.barrier.overwritten", barrier_overwritten},
    {"bulk.offset.range", offset_range},
    {"bulk.place.outside", place_outside},
    {"bulk.rank.other", rank_other},
    {"memory.bounds", bounds},
    {"memory.read_only", read_only},
    {"memory.space", space},
    {"memory.window", window},
    {"mbarrier.address.align", address_align},
    {"mbarrier.arrive.excess", arrive_excess},
    {"mbarrier.bytes.range", bytes_range},
    {"mbarrier.count.range", count_range},
    {"mbarrier.parity.range", parity_range},
    {"mbarrier.state.damaged", state_damaged},
    {"mbarrier.state.in_use", state_in_use},
    {"mbarrier.state.uninitialised", state_uninitialised},
    {"mbarrier.token.stale", token_stale},
    {"mbarrier.wait.endless", wait_endless},
};

const int reject_copies_count = COUNT(reject_copies);
