/* Copies without a map: bytes, numbers, and the lanes of cp.async. */
#include "fixture.h"

#define LOAD "cp.async.bulk.shared::cluster.global." COMPLETE
#define STORE "cp.async.bulk.global.shared::cta.bulk_group"
#define TILE(way) "cp.async.bulk.tensor.2d." way
#define REDUCE(what) "cp.reduce.async.bulk.global.shared::cta.bulk_group." what

static struct fixture f;

static void start(uint32_t bytes) {
    fixture_start(&f);
    f.io.bytes = bytes;
    f.io.global_at = GLOBAL_BASE + 48;
    f.io.shared_at = 32;
}

START_TEST(bytes_go_both_ways) {
    start(64);
    ck_assert_int_eq(fixture_run(&f, LOAD), WSIM_OK);
    ck_assert(memcmp(f.shared + 32, f.global + 48, 64) == 0);
    ck_assert(memcmp(f.shared + 96, f.global + 112, 16) != 0);
    start(64);
    ck_assert_int_eq(fixture_run(&f, STORE), WSIM_OK);
    ck_assert(memcmp(f.shared + 32, f.global + 48, 64) == 0);
    ck_assert_uint_eq(f.result.bytes, 64);
}
END_TEST

static void put(uint8_t *at, uint64_t value, unsigned bytes) {
    while (bytes--) {
        *at++ = (uint8_t)value;
        value >>= 8;
    }
}

static uint64_t reduced(const char *spelling, unsigned bytes, uint64_t there, uint64_t value) {
    start(16);
    memset(f.global + 48, 0, 16);
    memset(f.shared + 32, 0, 16);
    put(f.global + 48, there, bytes);
    put(f.shared + 32, value, bytes);
    ck_assert_msg(fixture_run(&f, spelling) == WSIM_OK, "%s: %s", spelling, f.diag.text);
    return fixture_number(f.global + 48, bytes);
}

START_TEST(numbers_are_reduced) {
    ck_assert_uint_eq(reduced(REDUCE("add.u32"), 4, 0xffffffff, 2), 1);
    ck_assert_uint_eq(reduced(REDUCE("min.s32"), 4, 1, 0xffffffff), 0xffffffff);
    ck_assert_uint_eq(reduced(REDUCE("min.u32"), 4, 1, 0xffffffff), 1);
    ck_assert_uint_eq(reduced(REDUCE("max.s64"), 8, UINT64_C(1) << 63, 5), 5);
    ck_assert_uint_eq(reduced(REDUCE("inc.u32"), 4, 7, 7), 0);
    ck_assert_uint_eq(reduced(REDUCE("inc.u32"), 4, 6, 7), 7);
    ck_assert_uint_eq(reduced(REDUCE("dec.u32"), 4, 0, 9), 9);
    ck_assert_uint_eq(reduced(REDUCE("dec.u32"), 4, 10, 9), 9);
    ck_assert_uint_eq(reduced(REDUCE("dec.u32"), 4, 5, 9), 4);
    ck_assert_uint_eq(reduced(REDUCE("xor.b64"), 8, 0xf0f0, 0xff00), 0x0ff0);
    ck_assert_uint_eq(reduced(REDUCE("and.b32"), 4, 0xf0f0, 0xff00), 0xf000);
    ck_assert_uint_eq(reduced(REDUCE("or.b32"), 4, 0xf0f0, 0xff00), 0xfff0);
    ck_assert_uint_eq(reduced(REDUCE("add.noftz.f16"), 2, 0x0001, 0x0001), 0x0002);
    ck_assert_uint_eq(reduced(REDUCE("add.noftz.bf16"), 2, 0x3f80, 0x3f80), 0x4000);
    ck_assert_uint_eq(reduced(REDUCE("add.f32"), 4, 0x00800001, 0x80800000), 1);
    ck_assert_uint_eq(reduced(REDUCE("add.f64"), 8, UINT64_C(0x3ff0000000000000), 1),
                      UINT64_C(0x3ff0000000000000));
    ck_assert_uint_eq(reduced(REDUCE("max.bf16"), 2, 0xbf80, 0xc000), 0xbf80);
}
END_TEST

/* The size has 20 bits without the lowest four; a copy of zero bytes ignores addresses. */
START_TEST(a_size_is_cut) {
    static const uint32_t sizes[] = {40, (1u << 20) + 32, 0x80000020, 15, 1u << 20};
    static const uint32_t moved[] = {32, 32, 32, 0, 0};
    unsigned i;
    for (i = 0; i < COUNT(sizes); i++) {
        start(sizes[i]);
        if (moved[i] == 0)
            f.io.shared_at = 33;
        ck_assert_int_eq(wsim_mbarrier_expect_tx(&f.barrier, moved[i], NULL), WSIM_OK);
        ck_assert_int_eq(fixture_run(&f, LOAD), WSIM_OK);
        ck_assert_uint_eq(f.result.bytes, moved[i]);
        ck_assert(memcmp(f.shared + 32, f.global + 48, moved[i]) == 0);
        ck_assert(memcmp(f.shared + 32 + moved[i], f.global + 48 + moved[i], 16) != 0);
        ck_assert_int_eq(wsim_mbarrier_arrive(&f.barrier, 1, NULL, NULL), WSIM_OK);
        ck_assert_int_eq(wsim_mbarrier_wait(&f.barrier, 0, NULL), WSIM_OK);
    }
}
END_TEST

START_TEST(what_is_not_whole_is_refused) {
    start(16);
    f.io.shared_at = 40;
    fixture_refused(&f, STORE, WSIM_ALIGN, "shared address 0x28");
    start(16);
    f.io.global_at += 4;
    fixture_refused(&f, STORE, WSIM_ALIGN, "global address 0x7f0000000034");
    start(16);
    f.io.global_at = GLOBAL_BASE - 16;
    fixture_refused(&f, LOAD, WSIM_BOUNDS, "global address 0x7efffffffff0");
    start(64);
    f.io.barrier_at = 88; /* the last 8 bytes of 32 to 96 */
    memset(f.shared + 88, 0, 8);
    f.barrier.at = 88;
    ck_assert_int_eq(wsim_mbarrier_init(&f.barrier, 1, NULL), WSIM_OK);
    fixture_refused(&f, LOAD, WSIM_OPERAND, "the barrier that counts them is at 0x58");
    f.io.bytes = 48;
    ck_assert_int_eq(fixture_run(&f, LOAD), WSIM_OK);
    start(16);
    fixture_refused(&f, "cp.async.bulk.shared::cluster.shared::cta." COMPLETE, WSIM_UNMODELLED,
                    "to another block of a cluster");
}
END_TEST

/* --- cp.async --- */

static enum wsim_status lanes(const char *spelling, const struct wsim_copy *copy) {
    struct wsim_op op;
    ck_assert_int_eq(wsim_op_parse(spelling, &op, NULL), WSIM_OK);
    return wsim_copy_async(&op, wsim_arch_find("sm_80"), copy, &f.global_memory, &f.shared_memory,
                           &f.diag);
}

START_TEST(lanes_copy_and_fill) {
    uint32_t dst[32], src[32], size[32];
    struct wsim_copy copy = {
        .bytes = 8, .mask = 0xfffffffe, .dst = dst, .src = src, .src_size = size};
    static uint8_t before[SHARED_BYTES];
    unsigned l, i;
    fixture_start(&f);
    memcpy(before, f.shared, sizeof before);
    for (l = 0; l < 32; l++) {
        dst[l] = 8 * (31 - l);
        src[l] = 16 * l;
        size[l] = l % 9;
    }
    ck_assert_int_eq(lanes("cp.async.ca.shared.global", &copy), WSIM_OK);
    for (l = 1; l < 32; l++)
        for (i = 0; i < 8; i++)
            ck_assert_uint_eq(f.shared[dst[l] + i], i < size[l] ? f.global[src[l] + i] : 0);
    ck_assert(memcmp(before + dst[0], f.shared + dst[0], 8) == 0);
}
END_TEST

START_TEST(lanes_that_cannot_are_refused) {
    uint32_t dst[32] = {0}, size[32] = {17};
    struct wsim_copy copy = {.bytes = 16, .mask = 1, .dst = dst};
    fixture_start(&f);
    copy.src_size = size;
    ck_assert_int_eq(lanes("cp.async.cg.shared.global", &copy), WSIM_OPERAND);
    ck_assert_ptr_nonnull(strstr(f.diag.text, "source size 17 of lane 0"));
    copy.src_size = NULL;
    copy.mask = 3;
    ck_assert_int_eq(lanes("cp.async.cg.shared.global", &copy), WSIM_OPERAND);
    ck_assert_ptr_nonnull(strstr(f.diag.text, "lanes 0 and 1 both write shared address 0x0"));
    dst[1] = 8;
    ck_assert_int_eq(lanes("cp.async.cg.shared.global", &copy), WSIM_ALIGN);
    copy.bytes = 8;
    ck_assert_int_eq(lanes("cp.async.cg.shared.global", &copy), WSIM_OPERAND);
    dst[1] = SHARED_BYTES;
    ck_assert_int_eq(lanes("cp.async.ca.shared.global", &copy), WSIM_BOUNDS);
    ck_assert_int_eq(lanes("cp.async.ca.shared.global.L2::64B", &copy), WSIM_BOUNDS);
}
END_TEST

/* --- the end of shared memory --- */

/* Half of the window lies beyond what an SM of `arch` has. */
static void start_across(const char *arch, uint32_t end, uint32_t bytes) {
    start(bytes);
    f.arch = arch;
    f.shared_memory.base = end - SHARED_BYTES / 2;
    f.io.shared_at = end - 64;
    f.io.has_barrier = 0;
}

START_TEST(no_copy_goes_beyond_an_sm) {
    static const struct {
        const char *arch, *words;
        uint32_t end;
    } list[] = {{"sm_90", "shared memory of sm_90 ends at 0x39000", 0x39000},
                {"sm_120", "shared memory of sm_120 ends at 0x19000", 0x19000}};
    const uint64_t dims[] = {32, 32};
    const uint32_t box[] = {32, 4};
    for (unsigned i = 0; i < COUNT(list); i++) {
        const char *words = list[i].words, *arch = list[i].arch;
        uint32_t end = list[i].end;
        start_across(arch, end, 64);
        ck_assert_msg(fixture_run(&f, LOAD) == WSIM_OK, "%s", f.diag.text);
        ck_assert(memcmp(f.shared + SHARED_BYTES / 2 - 64, f.global + 48, 64) == 0);
        f.io.bytes = 80;
        fixture_refused(&f, LOAD, WSIM_BOUNDS, words);
        fixture_refused(&f, STORE, WSIM_BOUNDS, words);
        fixture_refused(&f, REDUCE("add.u32"), WSIM_BOUNDS, words);
        f.io.bytes = 16;
        f.io.shared_at = end;
        fixture_refused(&f, LOAD, WSIM_BOUNDS, words);
        f.io.bytes = 0; /* nothing is nowhere */
        ck_assert_int_eq(fixture_run(&f, LOAD), WSIM_OK);
        start_across(arch, end, 16);
        f.io.has_barrier = 1; /* the last bytes of the window */
        f.io.barrier_at = f.barrier.at = f.shared_memory.base + BARRIER_AT;
        ck_assert_int_eq(wsim_mbarrier_expect_tx(&f.barrier, 16, NULL), WSIM_OK);
        fixture_refused(&f, LOAD, WSIM_BOUNDS, words);
        start_across(arch, end, 0);
        fixture_tile(&f, WSIM_TENSOR_UINT8, 2, dims, box);
        f.io.shared_at = end - 128;
        ck_assert_msg(fixture_run(&f, TILE("shared::cta.global") ".tile." COMPLETE) == WSIM_OK,
                      "%s", f.diag.text);
        ck_assert(memcmp(f.shared + SHARED_BYTES / 2 - 32, f.global + 256 + 96, 32) == 0);
        f.tensor.box[1] = 5;
        fixture_refused(&f, TILE("shared::cta.global") ".tile." COMPLETE, WSIM_BOUNDS, words);
        fixture_refused(&f, TILE("global.shared::cta") ".tile.bulk_group", WSIM_BOUNDS, words);
    }
}
END_TEST

START_TEST(no_lane_goes_beyond_an_sm) {
    uint32_t dst[32];
    struct wsim_copy copy = {.bytes = 16, .mask = UINT32_MAX, .dst = dst};
    fixture_start(&f);
    f.shared_memory.base = 0x29000 - SHARED_BYTES / 2;
    for (uint32_t l = 0; l < 32; l++)
        dst[l] = 0x29000 - 16 * (32 - l);
    ck_assert_int_eq(lanes("cp.async.cg.shared.global", &copy), WSIM_OK);
    ck_assert(memcmp(f.shared + SHARED_BYTES / 2 - 512, f.global, 512) == 0);
    dst[7] = 0x29000;
    ck_assert_int_eq(lanes("cp.async.cg.shared.global", &copy), WSIM_BOUNDS);
    ck_assert_str_eq(f.diag.rule, "memory.end");
    ck_assert_ptr_nonnull(strstr(f.diag.text, "shared memory of sm_80 ends at 0x29000"));
    copy.mask = ~(UINT32_C(1) << 7);
    ck_assert_int_eq(lanes("cp.async.cg.shared.global", &copy), WSIM_OK);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {
        bytes_go_both_ways,           numbers_are_reduced,      a_size_is_cut,
        what_is_not_whole_is_refused, lanes_copy_and_fill,      lanes_that_cannot_are_refused,
        no_copy_goes_beyond_an_sm,    no_lane_goes_beyond_an_sm};
    return run_tests("copy/plain", tests, COUNT(tests));
}
