/* A watcher sees every read and written byte of a copy exactly once, and no byte of a refused copy.
 */
#include "../../run.h"

#include <string.h>
#include <wsim/wsim.h>

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))
#define COMPLETE "mbarrier::complete_tx::bytes"

enum { ROOM = 8192, GLOBAL_AT = 0x10000, SHARED_AT = 0x400, BARRIER_AT = SHARED_AT + ROOM - 8 };

/* How often each byte was read, written and updated, and every touch as it came. */
struct seen {
    unsigned count[3][ROOM];
    struct wsim_touch touch[1024];
    const struct wsim_memory *memory[1024];
    unsigned n;
};

static struct seen at_global, at_shared;
static unsigned order[2048], calls; /* 1: global, 2: shared, and the kind, as they came */
static uint8_t global_bytes[ROOM], shared_bytes[ROOM];
static struct wsim_memory global, shared;
static struct wsim_bulk io;
static struct wsim_diag diag;

static void see(void *context, const struct wsim_memory *memory, const struct wsim_touch *touch) {
    struct seen *seen = context;
    ck_assert_ptr_eq(memory, seen == &at_global ? &global : &shared);
    ck_assert_uint_ge(touch->address, memory->base);
    ck_assert_uint_le(touch->address - memory->base + touch->bytes, memory->size);
    ck_assert_uint_gt(touch->bytes, 0);
    for (unsigned i = 0; i < touch->bytes; i++)
        seen->count[touch->kind][touch->address - memory->base + i]++;
    seen->touch[seen->n++ % COUNT(seen->touch)] = *touch;
    order[calls++ % COUNT(order)] = (seen == &at_global ? 10 : 20) + touch->kind;
}

static const struct wsim_watch on_global = {see, &at_global}, on_shared = {see, &at_shared};

static void start(void) {
    memset(&at_global, 0, sizeof at_global);
    memset(&at_shared, 0, sizeof at_shared);
    calls = 0;
    for (unsigned i = 0; i < ROOM; i++) {
        global_bytes[i] = (uint8_t)(i * 2654435761u >> 13);
        shared_bytes[i] = (uint8_t)(i * 2246822519u >> 11);
    }
    global = wsim_memory_over(WSIM_GLOBAL, global_bytes, ROOM, GLOBAL_AT);
    shared = wsim_memory_over(WSIM_SHARED, shared_bytes, ROOM, SHARED_AT);
    global.watch = &on_global;
    shared.watch = &on_shared;
    memset(&io, 0, sizeof io);
    io.global = &global;
    io.shared = &shared;
    io.global_at = GLOBAL_AT + 32;
    io.shared_at = SHARED_AT + 128;
    io.bytes = 96;
}

static enum wsim_status run_on(const char *spelling, const char *arch) {
    struct wsim_op op;
    ck_assert_msg(wsim_op_parse(spelling, &op, &diag) == WSIM_OK, "%s", diag.text);
    return wsim_bulk_run(&op, wsim_arch_find(arch), &io, NULL, &diag);
}

static void run(const char *spelling) {
    ck_assert_msg(run_on(spelling, "sm_90a") == WSIM_OK, "%s: %s", spelling, diag.text);
}

/* One touch of the copy engine. */
static void one(const struct seen *seen, unsigned i, unsigned kind, uint64_t address,
                uint32_t bytes) {
    ck_assert_uint_lt(i, seen->n);
    ck_assert_uint_eq(seen->touch[i].kind, kind);
    ck_assert_uint_eq(seen->touch[i].address, address);
    ck_assert_uint_eq(seen->touch[i].bytes, bytes);
    ck_assert_uint_eq(seen->touch[i].lane, WSIM_NO_LANE);
}

START_TEST(bytes_without_a_map_are_one_run) {
    start();
    run("cp.async.bulk.shared::cluster.global." COMPLETE);
    ck_assert(at_global.n == 1 && at_shared.n == 1);
    one(&at_global, 0, WSIM_TOUCH_READ, GLOBAL_AT + 32, 96);
    one(&at_shared, 0, WSIM_TOUCH_WRITE, SHARED_AT + 128, 96);
    ck_assert_uint_eq(order[0], 10 + WSIM_TOUCH_READ);
    start();
    run("cp.async.bulk.global.shared::cta.bulk_group");
    one(&at_shared, 0, WSIM_TOUCH_READ, SHARED_AT + 128, 96);
    one(&at_global, 0, WSIM_TOUCH_WRITE, GLOBAL_AT + 32, 96);
    ck_assert_uint_eq(order[0], 20 + WSIM_TOUCH_READ);
    start();
    run("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32");
    one(&at_shared, 0, WSIM_TOUCH_READ, SHARED_AT + 128, 96);
    one(&at_global, 0, WSIM_TOUCH_UPDATE, GLOBAL_AT + 32, 96);
    ck_assert(at_global.n == 1 && at_shared.n == 1);
}
END_TEST

START_TEST(a_mask_hides_the_bytes_that_stay) {
    start();
    io.byte_mask =
        0xe00f; /* the last three of every 16 and the first four of the next go together */
    io.bytes = 32;
    ck_assert_msg(run_on("cp.async.bulk.global.shared::cta.bulk_group.cp_mask", "sm_100a") ==
                      WSIM_OK,
                  "%s", diag.text);
    ck_assert(at_global.n == 3 && at_shared.n == 3);
    one(&at_global, 0, WSIM_TOUCH_WRITE, GLOBAL_AT + 32, 4);
    one(&at_global, 1, WSIM_TOUCH_WRITE, GLOBAL_AT + 32 + 13, 7);
    one(&at_global, 2, WSIM_TOUCH_WRITE, GLOBAL_AT + 32 + 29, 3);
    one(&at_shared, 1, WSIM_TOUCH_READ, SHARED_AT + 128 + 13, 7);
    for (unsigned i = 0; i < 32; i++)
        ck_assert((global_bytes[32 + i] == shared_bytes[128 + i]) == (0xe00f >> i % 16 & 1));
}
END_TEST

START_TEST(a_barrier_is_updated) {
    struct wsim_mbarrier barrier = {&shared, BARRIER_AT, 7, 3, 5};
    start();
    memset(shared_bytes + ROOM - 8, 0, 8);
    ck_assert_int_eq(wsim_mbarrier_init(&barrier, 1, NULL), WSIM_OK);
    ck_assert_uint_eq(at_shared.n, 1);
    ck_assert_uint_eq(at_shared.touch[0].where, 7);
    ck_assert_uint_eq(at_shared.touch[0].warp, 3);
    ck_assert_uint_eq(at_shared.touch[0].lane, 5);
    ck_assert_uint_eq(at_shared.count[WSIM_TOUCH_UPDATE][ROOM - 1], 1);
    io.has_barrier = 1;
    io.barrier_at = BARRIER_AT;
    run("cp.async.bulk.shared::cluster.global." COMPLETE);
    ck_assert_uint_eq(at_shared.n, 3);
    one(&at_shared, 1, WSIM_TOUCH_WRITE, SHARED_AT + 128, 96);
    one(&at_shared, 2, WSIM_TOUCH_UPDATE, BARRIER_AT, 8);
    ck_assert_int_eq(wsim_mbarrier_wait(&barrier, 0, NULL), WSIM_OPERAND);
    ck_assert_uint_eq(at_shared.n, 3);
    ck_assert_int_eq(wsim_mbarrier_wait(&barrier, 1, NULL), WSIM_OK);
    ck_assert_uint_eq(at_shared.n, 4);
    ck_assert_uint_eq(at_shared.touch[3].kind, WSIM_TOUCH_UPDATE);
}
END_TEST

static struct wsim_tensor tensor_of(enum wsim_tensor_type type, enum wsim_swizzle swizzle,
                                    unsigned wide) {
    struct wsim_tensor tensor = {.dtype = type,
                                 .swizzle = swizzle,
                                 .rank = 2,
                                 .base = GLOBAL_AT + 64,
                                 .dims = {wide, 9},
                                 .strides = {128},
                                 .estrides = {1, 1},
                                 .box = {16, 8}};
    return tensor;
}

/* Every byte as often as wsim_bulk_locate says that the tile has it, in both memories. */
static void as_located(const char *spelling, unsigned global_kind, unsigned shared_kind) {
    static unsigned want_global[ROOM], want_shared[ROOM];
    struct wsim_op op;
    struct wsim_tensor tensor;
    struct wsim_tensor_tile tile;
    struct wsim_bulk_place place;
    ck_assert_int_eq(wsim_op_parse(spelling, &op, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_tensor_decode(io.map, &tensor, NULL), WSIM_OK);
    tile = wsim_tensor_measure(&tensor);
    memset(want_global, 0, sizeof want_global);
    memset(want_shared, 0, sizeof want_shared);
    for (uint64_t row = 0; row < tile.rows; row++)
        for (uint32_t byte = 0; byte < tile.inner; byte++) {
            ck_assert_msg(wsim_bulk_locate(&op, wsim_arch_find("sm_90a"), &io, row, byte, &place,
                                           &diag) == WSIM_OK,
                          "%s", diag.text);
            if (place.where != WSIM_BULK_OUTSIDE)
                want_global[place.global - GLOBAL_AT]++;
            if (place.where != WSIM_BULK_OUTSIDE || shared_kind == WSIM_TOUCH_WRITE)
                want_shared[place.shared - SHARED_AT]++;
        }
    for (unsigned kind = 0; kind < 3; kind++)
        for (unsigned i = 0; i < ROOM; i++) {
            ck_assert_uint_eq(at_global.count[kind][i], kind == global_kind ? want_global[i] : 0);
            ck_assert_uint_eq(at_shared.count[kind][i], kind == shared_kind ? want_shared[i] : 0);
        }
}

START_TEST(tiles_touch_what_is_located) {
    static const struct {
        const char *spelling;
        enum wsim_touch_kind global, shared;
        int32_t from;
    } ways[] = {
        {"cp.async.bulk.tensor.2d.shared::cluster.global.tile." COMPLETE, WSIM_TOUCH_READ,
         WSIM_TOUCH_WRITE, -4},
        {"cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group", WSIM_TOUCH_WRITE,
         WSIM_TOUCH_READ, 4},
        {"cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group", WSIM_TOUCH_UPDATE,
         WSIM_TOUCH_READ, 4},
    };
    static const enum wsim_swizzle swizzles[] = {WSIM_SWIZZLE_NONE, WSIM_SWIZZLE_64B,
                                                 WSIM_SWIZZLE_128B};
    for (unsigned way = 0; way < COUNT(ways); way++)
        for (unsigned s = 0; s < COUNT(swizzles); s++) {
            struct wsim_tensor tensor = tensor_of(WSIM_TENSOR_UINT32, swizzles[s], 17);
            struct wsim_tensor_map map;
            start();
            ck_assert_msg(wsim_tensor_encode(&tensor, wsim_arch_find("sm_90a"), &map, &diag) ==
                              WSIM_OK,
                          "%s", diag.text);
            io.map = &map;
            io.coord[0] = ways[way].from;
            io.coord[1] = 3;
            run(ways[way].spelling);
            as_located(ways[way].spelling, ways[way].global, ways[way].shared);
            ck_assert_uint_le(at_global.n, 2 * 8); /* runs, not bytes */
        }
}
END_TEST

START_TEST(lanes_are_named) {
    uint32_t dst[32], sizes[32];
    struct wsim_copy copy = {.bytes = 8, .mask = 0x80000021, .dst = dst, .src_size = sizes};
    struct wsim_op op;
    static const unsigned lanes[] = {0, 5, 31};
    start();
    for (unsigned l = 0; l < 32; l++) {
        dst[l] = SHARED_AT + 8 * (31 - l);
        sizes[l] = l % 9; /* lane 0 reads nothing */
    }
    ck_assert_int_eq(wsim_op_parse("cp.async.ca.shared.global", &op, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_copy_async(&op, wsim_arch_find("sm_80"), &copy, &global, &shared, &diag),
                     WSIM_OK);
    ck_assert(at_shared.n == 3 && at_global.n == 2);
    for (unsigned i = 0; i < 3; i++) {
        const struct wsim_touch *t = &at_shared.touch[i];
        ck_assert(t->lane == lanes[i] && t->address == dst[lanes[i]] && t->bytes == 8 &&
                  t->kind == WSIM_TOUCH_WRITE);
    }
    for (unsigned i = 1; i < 3; i++) {
        const struct wsim_touch *t = &at_global.touch[i - 1];
        ck_assert(t->lane == lanes[i] && t->address == GLOBAL_AT + 8 * lanes[i] &&
                  t->bytes == sizes[lanes[i]] && t->kind == WSIM_TOUCH_READ);
    }
}
END_TEST

/* All touches of a memory are of one instruction of one warp. */
static void all_of(const struct seen *seen, unsigned n, uint32_t where, uint16_t warp) {
    ck_assert_uint_eq(seen->n, n);
    for (unsigned i = 0; i < n; i++)
        ck_assert(seen->touch[i].where == where && seen->touch[i].warp == warp);
}

START_TEST(instruction_and_warp_are_handed_on) {
    static const char *const copies[] = {"cp.async.bulk.shared::cluster.global." COMPLETE,
                                         "cp.async.ca.shared.global"};
    uint32_t dst[32], src[32], src_hi[32];
    const struct wsim_arch *arch = wsim_arch_find("sm_90a");
    for (unsigned l = 0; l < 32; l++) {
        dst[l] = SHARED_AT + 4 * l;
        src[l] = 8 * l; /* after the first 2^32 bytes */
        src_hi[l] = 1;
    }
    for (unsigned i = 0; i < COUNT(copies); i++) {
        struct wsim_io each = {
            .shared = &shared, .global = &global, .where = 1234567890, .warp = 4321};
        struct wsim_code code;
        struct wsim_op op;
        start();
        memset(shared_bytes + ROOM - 8, 0, 8);
        global.base = UINT64_C(1) << 32;
        if (i)
            each.copy = (struct wsim_io_copy){
                .addr = dst, .src = src, .src_hi = src_hi, .mask = ~(uint32_t)0, .bytes = 4};
        else
            each.bulk = (struct wsim_io_bulk){.global_at = global.base,
                                              .shared_at = SHARED_AT,
                                              .bytes = 64,
                                              .barrier_at = BARRIER_AT,
                                              .has_barrier = 1};
        ck_assert_int_eq(wsim_mbarrier_init(&(struct wsim_mbarrier){&shared, BARRIER_AT, 1234567890,
                                                                    4321, WSIM_NO_LANE},
                                            1, &diag),
                         WSIM_OK);
        ck_assert_int_eq(wsim_op_parse(copies[i], &op, &diag), WSIM_OK);
        ck_assert_msg(wsim_prepare(&op, arch, 0, &code, &diag) == WSIM_OK, "%s", diag.text);
        ck_assert_msg(wsim_run(&code, &each, &diag) == WSIM_OK, "%s", diag.text);
        all_of(&at_global, i ? 32 : 1, 1234567890, 4321);
        all_of(&at_shared, i ? 33 : 3, 1234567890, 4321);
        for (unsigned l = 0; i && l < 32; l++)
            ck_assert(memcmp(shared_bytes + 4 * l, global_bytes + 8 * l, 4) == 0);
    }
}
END_TEST

START_TEST(what_is_refused_is_not_told) {
    start();
    io.bytes = ROOM;
    ck_assert_int_eq(run_on("cp.async.bulk.shared::cluster.global." COMPLETE, "sm_90a"),
                     WSIM_BOUNDS);
    io.bytes = 96;
    global.read_only = 1;
    ck_assert_int_eq(run_on("cp.async.bulk.global.shared::cta.bulk_group", "sm_90a"), WSIM_OPERAND);
    ck_assert_uint_eq(calls, 0);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {bytes_without_a_map_are_one_run,
                                  a_mask_hides_the_bytes_that_stay,
                                  a_barrier_is_updated,
                                  tiles_touch_what_is_located,
                                  lanes_are_named,
                                  instruction_and_warp_are_handed_on,
                                  what_is_refused_is_not_told};
    return run_tests("memory/watch", tests, COUNT(tests));
}
