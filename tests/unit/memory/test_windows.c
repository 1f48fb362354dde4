/* Windows at the ends of their address spaces, empty and read-only windows: bytes
 * inside are moved, others are refused with the broken rule. */
#include "../../run.h"

#include <string.h>
#include <wsim/wsim.h>

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))
#define LOAD "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
#define STORE "cp.async.bulk.global.shared::cta.bulk_group"
#define ADD "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32"
#define TILE "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
#define END32 (UINT64_C(1) << 32)

enum { ROOM = 4096, END_SM_80 = 0x29000, END_SM_90 = 0x39000 };

static uint8_t global_bytes[ROOM], shared_bytes[ROOM];
static struct wsim_memory global, shared;
static struct wsim_bulk io;
static struct wsim_diag diag;

static void start(void) {
    for (unsigned i = 0; i < ROOM; i++) {
        global_bytes[i] = (uint8_t)(i * 2654435761u >> 13);
        shared_bytes[i] = (uint8_t)(i * 2246822519u >> 11);
    }
    global = wsim_memory_over(WSIM_GLOBAL, global_bytes, ROOM, 0x1000);
    shared = wsim_memory_over(WSIM_SHARED, shared_bytes, ROOM, 0);
    memset(&io, 0, sizeof io);
    io.global = &global;
    io.shared = &shared;
    io.global_at = 0x1000;
    io.bytes = 64;
}

static enum wsim_status run(const char *spelling) {
    struct wsim_op op;
    ck_assert_int_eq(wsim_op_parse(spelling, &op, NULL), WSIM_OK);
    return wsim_bulk_run(&op, wsim_arch_find("sm_90a"), &io, NULL, &diag);
}

/* Refused by `rule`, and no byte has changed. */
static void refused(const char *spelling, const char *rule) {
    static uint8_t was_global[ROOM], was_shared[ROOM];
    memcpy(was_global, global_bytes, ROOM);
    memcpy(was_shared, shared_bytes, ROOM);
    ck_assert_msg(run(spelling) != WSIM_OK, "%s was not refused by %s", spelling, rule);
    ck_assert_msg(strcmp(diag.rule, rule) == 0, "%s, not %s: %s", diag.rule, rule, diag.text);
    ck_assert(memcmp(was_global, global_bytes, ROOM) == 0);
    ck_assert(memcmp(was_shared, shared_bytes, ROOM) == 0);
}

static void moved(const char *spelling, unsigned to_shared, unsigned from_global, unsigned bytes) {
    ck_assert_msg(run(spelling) == WSIM_OK, "%s", diag.text);
    ck_assert(memcmp(shared_bytes + to_shared, global_bytes + from_global, bytes) == 0);
}

START_TEST(spaces_have_names) {
    static const char *const names[] = {"shared", "global", "local", "const", "param", "tensor"};
    ck_assert_uint_eq(COUNT(names), WSIM_SPACES);
    for (unsigned i = 0; i < WSIM_SPACES; i++)
        ck_assert_str_eq(wsim_space_name((enum wsim_space)i), names[i]);
    ck_assert_ptr_null(wsim_space_name(WSIM_SPACES));
}
END_TEST

START_TEST(global_memory_ends_at_2_to_the_64) {
    start();
    global.base = 0 - (uint64_t)ROOM;
    io.global_at = 0 - UINT64_C(64);
    moved(LOAD, 0, ROOM - 64, 64);
    io.global_at += 16;
    refused(LOAD, "memory.bounds"); /* its end wraps to 16 */
    io.global_at = 0;
    refused(LOAD, "memory.bounds");
    io.global_at = global.base - 16;
    refused(LOAD, "memory.bounds");
    io.global_at = global.base;
    moved(LOAD, 0, 0, 64);
    global.base += 16;
    io.global_at = global.base;
    refused(LOAD, "memory.window");
    refused(STORE, "memory.window");
}
END_TEST

START_TEST(shared_memory_ends_at_2_to_the_32) {
    start();
    shared.base = END32 - ROOM;
    io.shared_at = 0xffffffc0;
    refused(LOAD, "memory.end"); /* no SM has so much, though the window does */
    io.bytes = 80;
    refused(LOAD, "memory.bounds"); /* the fifth piece would be at 2^32, or at 0 */
    refused(STORE, "memory.bounds");
    refused(ADD, "memory.bounds");
    shared.base += 16; /* a window across the end, in which those bytes would be */
    refused(LOAD, "memory.window");
    refused(STORE, "memory.window");
    refused(ADD, "memory.window");
}
END_TEST

START_TEST(a_tile_ends_with_shared_memory) {
    struct wsim_tensor tensor = {.dtype = WSIM_TENSOR_UINT32,
                                 .swizzle = WSIM_SWIZZLE_128B,
                                 .rank = 2,
                                 .base = 0x1000,
                                 .dims = {32, 16},
                                 .strides = {128},
                                 .estrides = {1, 1},
                                 .box = {32, 8}};
    struct wsim_tensor_map map;
    start();
    ck_assert_int_eq(wsim_tensor_encode(&tensor, wsim_arch_find("sm_90a"), &map, &diag), WSIM_OK);
    io.map = &map;
    shared.base = END_SM_90 - ROOM;
    io.shared_at = END_SM_90 - 1024;
    moved(TILE, ROOM - 1024, 0, 16); /* the line of row 0 is left as it is */
    io.shared_at += 128;
    refused(TILE, "memory.bounds");
    shared.base = END32 - ROOM + 16;
    refused(TILE, "memory.window");
}
END_TEST

START_TEST(nothing_is_in_every_window) {
    start();
    io.bytes = 0;
    global = wsim_memory_over(WSIM_GLOBAL, NULL, 0, 0x1000);
    shared = wsim_memory_over(WSIM_SHARED, NULL, 0, END32);
    ck_assert_int_eq(run(LOAD), WSIM_OK);
    io.shared_at = 0x1230;
    ck_assert_int_eq(run(STORE), WSIM_OK);
    io.bytes = 16;
    refused(LOAD, "memory.bounds");
    ck_assert_ptr_nonnull(strstr(diag.text, "the window is empty"));
    global = wsim_memory_over(WSIM_GLOBAL, NULL, 1, 0x1000);
    refused(LOAD, "operand.missing");
}
END_TEST

START_TEST(a_window_is_of_its_space) {
    start();
    global.space = WSIM_SHARED;
    refused(LOAD, "memory.space");
    ck_assert_ptr_nonnull(strstr(diag.text, "global memory is a window of shared memory"));
    global.space = WSIM_SPACES;
    refused(LOAD, "memory.space");
    start();
    shared.space = WSIM_GLOBAL;
    refused(STORE, "memory.space");
}
END_TEST

START_TEST(what_is_only_read_may_be_read_only) {
    start();
    global = wsim_memory_const(WSIM_GLOBAL, global_bytes, ROOM, 0x1000);
    moved(LOAD, 0, 0, 64);
    refused(STORE, "memory.read_only");
    refused(ADD, "memory.read_only");
    io.bytes = 0;
    ck_assert_int_eq(run(STORE), WSIM_OK); /* nothing is written */
    start();
    shared = wsim_memory_const(WSIM_SHARED, shared_bytes, ROOM, 0);
    refused(LOAD, "memory.read_only");
    moved(STORE, 0, 0, 64);
    ck_assert_int_eq(run(ADD), WSIM_OK);
}
END_TEST

START_TEST(tiles_honour_read_only_windows) {
    static const char store[] = "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group";
    static const char add[] =
        "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group";
    struct wsim_tensor tensor = {.dtype = WSIM_TENSOR_UINT32,
                                 .rank = 2,
                                 .base = 0x1000,
                                 .dims = {8, 4},
                                 .strides = {32},
                                 .estrides = {1, 1},
                                 .box = {8, 4}};
    struct wsim_tensor_map map;
    start();
    ck_assert_int_eq(wsim_tensor_encode(&tensor, wsim_arch_find("sm_90a"), &map, &diag), WSIM_OK);
    io.map = &map;
    global.read_only = 1;
    moved(TILE, 0, 0, 128);
    refused(store, "memory.read_only");
    refused(add, "memory.read_only");
    global.read_only = 0;
    shared.read_only = 1;
    refused(TILE, "memory.read_only");
    moved(store, 0, 0, 128);
    ck_assert_int_eq(run(add), WSIM_OK);
}
END_TEST

START_TEST(a_window_has_no_byte_more) {
    start();
    global = wsim_memory_over(WSIM_GLOBAL, global_bytes + 1, 64, 0x1001);
    refused(LOAD, "memory.bounds"); /* at 0x1000, a byte before it */
    refused(STORE, "memory.bounds");
    global = wsim_memory_over(WSIM_GLOBAL, global_bytes, 63, 0x1000);
    refused(LOAD, "memory.bounds"); /* the last byte is past it */
    refused(STORE, "memory.bounds");
    global.size = 64;
    moved(LOAD, 0, 0, 64);
    shared = wsim_memory_over(WSIM_SHARED, shared_bytes + 1, 64, 1);
    refused(LOAD, "memory.bounds");
    refused(STORE, "memory.bounds");
    shared = wsim_memory_over(WSIM_SHARED, shared_bytes, 63, 0);
    refused(LOAD, "memory.bounds");
    refused(STORE, "memory.bounds");
    shared.size = 64;
    moved(LOAD, 0, 0, 64);
}
END_TEST

static enum wsim_status lanes(const struct wsim_copy *copy) {
    struct wsim_op op;
    ck_assert_int_eq(wsim_op_parse("cp.async.ca.shared.global", &op, NULL), WSIM_OK);
    return wsim_copy_async(&op, wsim_arch_find("sm_80"), copy, &global, &shared, &diag);
}

START_TEST(lanes_reach_the_ends) {
    uint32_t dst[32], src[32], sizes[32];
    struct wsim_copy copy = {.bytes = 4, .mask = 1, .dst = dst, .src = src};
    start();
    global = wsim_memory_const(WSIM_GLOBAL, global_bytes, ROOM, 0 - (uint64_t)ROOM);
    shared.base = END_SM_80 - ROOM;
    dst[0] = END_SM_80 - 4;
    src[0] = ROOM - 4;
    ck_assert_msg(lanes(&copy) == WSIM_OK, "%s", diag.text);
    ck_assert(memcmp(shared_bytes + ROOM - 4, global_bytes + ROOM - 4, 4) == 0);
    src[0] = ROOM; /* wraps to global address 0 */
    ck_assert_int_eq(lanes(&copy), WSIM_BOUNDS);
    sizes[0] = 0;
    copy.src_size = sizes; /* an address that is not read may be any */
    ck_assert_int_eq(lanes(&copy), WSIM_OK);
    copy.src_size = NULL;
    src[0] = 0;
    dst[0] = 0;
    ck_assert_int_eq(lanes(&copy), WSIM_BOUNDS);
    shared.read_only = 1;
    dst[0] = END_SM_80 - 4;
    ck_assert_int_eq(lanes(&copy), WSIM_OPERAND);
    ck_assert_str_eq(diag.rule, "memory.read_only");
}
END_TEST

int main(void) {
    const TTest *const tests[] = {spaces_have_names,
                                  global_memory_ends_at_2_to_the_64,
                                  shared_memory_ends_at_2_to_the_32,
                                  a_tile_ends_with_shared_memory,
                                  nothing_is_in_every_window,
                                  a_window_is_of_its_space,
                                  what_is_only_read_may_be_read_only,
                                  tiles_honour_read_only_windows,
                                  a_window_has_no_byte_more,
                                  lanes_reach_the_ends};
    return run_tests("memory/windows", tests, COUNT(tests));
}
