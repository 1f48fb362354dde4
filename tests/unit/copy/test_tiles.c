/* Tiles: every byte where the formulas of the PTX ISA put it, none beside it, and what traps. */
#include "fixture.h"

#define LOAD(n) "cp.async.bulk.tensor." #n "d.shared::cluster.global.tile." COMPLETE
#define STORE(n) "cp.async.bulk.tensor." #n "d.global.shared::cta.tile.bulk_group"
#define ADD(n) "cp.reduce.async.bulk.tensor." #n "d.global.shared::cta.add.tile.bulk_group"

static struct fixture f;

/* 128-byte swizzle, written out: chunk and line of 128 bytes, XORed. */
static unsigned swizzled(unsigned at) {
    unsigned chunk = at / 16 % 8, line = at / 128 % 8;
    return at / 128 * 128 + (chunk ^ line) * 16 + at % 16;
}

START_TEST(a_load_fills_what_is_outside) {
    static uint8_t before[BARRIER_AT];
    const uint64_t dims[] = {20, 5};
    const uint32_t box[] = {8, 4};
    int x, y;
    fixture_start(&f);
    memcpy(before, f.shared, sizeof before);
    fixture_tile(&f, WSIM_TENSOR_UINT32, 2, dims, box);
    f.tensor.swizzle = WSIM_SWIZZLE_128B;
    f.io.shared_at = 1024 + 128;
    f.io.coord[0] = 16;
    f.io.coord[1] = -1;
    ck_assert_int_eq(wsim_mbarrier_expect_tx(&f.barrier, 128, NULL), WSIM_OK);
    ck_assert_int_eq(fixture_run(&f, LOAD(2)), WSIM_OK);
    for (y = 0; y < 4; y++)
        for (x = 0; x < 8; x++) {
            unsigned at = swizzled(1024 + 128 + (unsigned)y * 128 + (unsigned)x * 4);
            int inside = y - 1 >= 0 && 16 + x < 20;
            uint64_t want =
                inside ? fixture_number(f.global + 256 + (y - 1) * 80 + (16 + x) * 4, 4) : 0;
            ck_assert_uint_eq(fixture_number(f.shared + at, 4), want);
            memset(f.shared + at, 0, 4);
            memset(before + at, 0, 4);
        }
    ck_assert_msg(memcmp(before, f.shared, sizeof before) == 0, "bytes beside the tile changed");
    ck_assert_uint_eq(f.result.bytes, 128);
    ck_assert_uint_eq(f.result.outside, 32 + 3 * 16);
    ck_assert_int_eq(f.result.measured, 1);
    ck_assert_int_eq(wsim_mbarrier_arrive(&f.barrier, 1, NULL, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_mbarrier_wait(&f.barrier, 0, NULL), WSIM_OK);
}
END_TEST

START_TEST(element_strides_skip_but_in_dimension_0) {
    const uint64_t dims[] = {32, 12};
    const uint32_t box[] = {8, 7};
    unsigned x, y;
    fixture_start(&f);
    fixture_tile(&f, WSIM_TENSOR_UINT16, 2, dims, box);
    f.tensor.estrides[0] = f.tensor.estrides[1] = 3;
    f.io.coord[1] = 2;
    ck_assert_int_eq(fixture_run(&f, LOAD(2)), WSIM_OK);
    for (y = 0; y < 3; y++)
        for (x = 0; x < 8; x++)
            ck_assert_uint_eq(fixture_number(f.shared + y * 16 + x * 2, 2),
                              fixture_number(f.global + 256 + (2 + 3 * y) * 64 + x * 2, 2));
    ck_assert_uint_eq(f.result.bytes, 48);
}
END_TEST

START_TEST(slices_are_moved_whole) {
    const uint64_t dims[] = {9, 3, 2};
    const uint32_t box[] = {8, 2, 2};
    unsigned x, n, i;
    fixture_start(&f);
    fixture_tile(&f, WSIM_TENSOR_UINT16, 3, dims, box);
    f.tensor.interleave = WSIM_TENSOR_INTERLEAVE_32B;
    f.tensor.swizzle = WSIM_SWIZZLE_32B;
    f.tensor.strides[0] = 9 * 32;
    f.tensor.strides[1] = 3 * 9 * 32;
    f.tensor.estrides[0] = 2;
    f.io.coord[0] = 1;
    f.io.coord[1] = 2;
    ck_assert_int_eq(fixture_run(&f, LOAD(3)), WSIM_OK);
    for (n = 0; n < 2; n++)
        for (x = 0; x < 4; x++)
            for (i = 0; i < 32; i++) {
                unsigned at = n * 128 + x * 32 + i;
                at ^= at >> 3 & 0x10;
                ck_assert_uint_eq(f.shared[at],
                                  f.global[256 + n * 864 + 2 * 288 + (1 + 2 * x) * 32 + i]);
            }
    ck_assert_uint_eq(f.result.bytes, 256);
}
END_TEST

START_TEST(a_fill_of_nan_marks_every_16_bits) {
    const uint64_t dims[] = {8};
    const uint32_t box[] = {8};
    fixture_start(&f);
    fixture_tile(&f, WSIM_TENSOR_FLOAT64, 1, dims, box);
    f.tensor.oob = WSIM_TENSOR_FILL_NAN;
    f.io.coord[0] = 8;
    ck_assert_int_eq(fixture_run(&f, LOAD(1)), WSIM_OK);
    ck_assert_uint_eq(fixture_number(f.shared, 8), UINT64_C(0x7ff77ff77ff77ff7));
    ck_assert_uint_eq(f.result.outside, 64);
}
END_TEST

START_TEST(a_load_of_tf32_rounds) {
    static const uint32_t in[] = {0x3f800fff, 0x3f801000, 0x3f801001, 0x3f803000,
                                  0x7f7fffff, 0xff800000, 0xffc12345, 0x00001001};
    static const uint32_t want[] = {0x3f800000, 0x3f800000, 0x3f802000, 0x3f804000,
                                    0x7f800000, 0xff800000, 0x7fffe000, 0x00002000};
    const uint64_t dims[] = {8};
    const uint32_t box[] = {8};
    unsigned i, b;
    fixture_start(&f);
    fixture_tile(&f, WSIM_TENSOR_TFLOAT32_FTZ, 1, dims, box);
    for (i = 0; i < 8; i++)
        for (b = 0; b < 4; b++)
            f.global[256 + 4 * i + b] = (uint8_t)(in[i] >> 8 * b);
    ck_assert_int_eq(fixture_run(&f, LOAD(1)), WSIM_OK);
    for (i = 0; i < 8; i++)
        ck_assert_uint_eq(fixture_number(f.shared + 4 * i, 4), want[i]);
}
END_TEST

/* Rows are written in pieces of 16 bytes, past dims[0]; the caller can ask how many bytes that is.
 */
START_TEST(a_store_writes_over_padding) {
    static uint8_t before[GLOBAL_BYTES];
    const uint64_t dims[] = {10, 3};
    const uint32_t box[] = {16, 4};
    unsigned y;
    fixture_start(&f);
    memcpy(before, f.global, sizeof before);
    fixture_tile(&f, WSIM_TENSOR_UINT16, 2, dims, box);
    f.tensor.strides[0] = 48;
    f.io.coord[1] = 1;
    ck_assert_int_eq(fixture_run(&f, STORE(2)), WSIM_OK);
    for (y = 0; y < 2; y++) {
        ck_assert(memcmp(f.global + 256 + (1 + y) * 48, f.shared + y * 32, 32) == 0);
        memcpy(before + 256 + (1 + y) * 48, f.shared + y * 32, 32);
    }
    ck_assert_msg(memcmp(before, f.global, sizeof before) == 0, "bytes beside the tile changed");
    ck_assert_uint_eq(f.result.padding, 2 * 6 * 2);
    ck_assert_uint_eq(f.result.bytes, 128);
}
END_TEST

START_TEST(a_reduction_adds_to_padding_too) {
    const uint64_t dims[] = {3};
    const uint32_t box[] = {4};
    uint32_t want[4];
    unsigned i;
    fixture_start(&f);
    fixture_tile(&f, WSIM_TENSOR_INT32, 1, dims, box);
    for (i = 0; i < 4; i++)
        want[i] = (uint32_t)(fixture_number(f.global + 256 + 4 * i, 4) +
                             fixture_number(f.shared + 4 * i, 4));
    ck_assert_int_eq(fixture_run(&f, ADD(1)), WSIM_OK);
    for (i = 0; i < 4; i++)
        ck_assert_uint_eq(fixture_number(f.global + 256 + 4 * i, 4), want[i]);
    ck_assert_uint_eq(f.result.padding, 4);
}
END_TEST

/* Rows that share their bytes come one after another. */
START_TEST(of_rows_that_overlap_the_last_stays) {
    const uint64_t dims[] = {8, 4, 4};
    const uint32_t box[] = {8, 2, 2};
    fixture_start(&f);
    fixture_tile(&f, WSIM_TENSOR_UINT32, 3, dims, box);
    f.tensor.strides[0] = 16; /* half of a row */
    f.tensor.strides[1] = 0;
    ck_assert_int_eq(fixture_run(&f, STORE(3)), WSIM_OK);
    ck_assert(memcmp(f.global + 256, f.shared + 2 * 32, 16) == 0);
    ck_assert(memcmp(f.global + 272, f.shared + 3 * 32, 32) == 0);
    f.tensor.dtype = WSIM_TENSOR_INT32;
    f.tensor.strides[0] = 0;
    memset(f.global + 256, 0, 32);
    memset(f.shared, 1, 128);
    ck_assert_int_eq(fixture_run(&f, ADD(3)), WSIM_OK);
    ck_assert_uint_eq(fixture_number(f.global + 256, 4), 0x04040404);
}
END_TEST

START_TEST(a_store_steps_over_elements) {
    static uint8_t before[GLOBAL_BYTES];
    const uint64_t dims[] = {8, 6};
    const uint32_t box[] = {8, 5};
    unsigned y;
    fixture_start(&f);
    memcpy(before, f.global, sizeof before);
    fixture_tile(&f, WSIM_TENSOR_FLOAT16, 2, dims, box);
    f.tensor.estrides[0] = 2; /* not looked at */
    f.tensor.estrides[1] = 2;
    f.io.coord[1] = 3;
    ck_assert_int_eq(fixture_run(&f, STORE(2)), WSIM_OK);
    for (y = 0; y < 2; y++)
        memcpy(before + 256 + (3 + 2 * y) * 16, f.shared + y * 16, 16);
    ck_assert_msg(memcmp(before, f.global, sizeof before) == 0, "other rows were written");
    ck_assert_uint_eq(f.result.bytes, 48);
    ck_assert_uint_eq(f.result.outside, 16);
}
END_TEST

/* Addresses are numbers of 64 bits: 2^31 rows of 2^33 bytes come back to the first. */
START_TEST(addresses_wrap) {
    const uint64_t dims[] = {16, UINT64_C(1) << 31};
    const uint32_t box[] = {16, 1};
    fixture_start(&f);
    fixture_tile(&f, WSIM_TENSOR_UINT8, 2, dims, box);
    f.tensor.strides[0] = UINT64_C(1) << 34;
    f.io.coord[1] = 1 << 30;
    ck_assert_int_eq(fixture_run(&f, LOAD(2)), WSIM_OK);
    ck_assert(memcmp(f.global + 256, f.shared, 16) == 0);
    f.tensor.strides[0] = UINT64_C(1) << 33;
    fixture_refused(&f, LOAD(2), WSIM_BOUNDS, "global address 0x80007f0000000100");
}
END_TEST

START_TEST(sums_of_rows_that_overlap) {
    const uint64_t dims[] = {4, 3};
    const uint32_t box[] = {4, 3};
    uint32_t want;
    unsigned y;
    fixture_start(&f);
    fixture_tile(&f, WSIM_TENSOR_UINT32, 2, dims, box);
    f.tensor.strides[0] = 0;
    want = (uint32_t)fixture_number(f.global + 256, 4);
    for (y = 0; y < 3; y++)
        want += (uint32_t)fixture_number(f.shared + 16 * y, 4);
    ck_assert_int_eq(fixture_run(&f, ADD(2)), WSIM_OK);
    ck_assert_uint_eq(fixture_number(f.global + 256, 4), want);
}
END_TEST

START_TEST(what_traps_is_refused) {
    const uint64_t dims[] = {64, 8};
    const uint32_t box[] = {16, 2};
    fixture_start(&f);
    fixture_tile(&f, WSIM_TENSOR_FLOAT16, 2, dims, box);
    f.io.coord[0] = -3;
    fixture_refused(&f, LOAD(2), WSIM_ALIGN,
                    "coord[0] is -3, byte -6 of its row: a load begins at a multiple of 16 bytes; "
                    "the nearest are -8 and 0");
    fixture_refused(&f, STORE(2), WSIM_OPERAND,
                    "coord[0] is -3: a store cannot begin at negative coordinates");
    f.io.coord[0] = 4;
    fixture_refused(&f, LOAD(2), WSIM_ALIGN, "coord[0] is 4, byte 8 of its row");
    fixture_refused(&f, STORE(2), WSIM_ALIGN, "a store begins at a multiple of 16 bytes");
    fixture_refused(&f, ADD(2), WSIM_ALIGN, "a reduction begins at a multiple of 16 bytes");
    f.io.coord[1] = 8; /* where nothing is moved as well */
    fixture_refused(&f, STORE(2), WSIM_ALIGN, "a store begins at a multiple of 16 bytes");
    f.io.coord[0] = 0;
    f.io.coord[1] = -1;
    fixture_refused(&f, ADD(2), WSIM_OPERAND, "coord[1] is -1: a reduction cannot begin");
    f.io.coord[1] = 0;
    f.tensor.dims[1] = (UINT64_C(1) << 31) + 1;
    fixture_refused(&f, LOAD(2), WSIM_OPERAND,
                    "dims[1] is 2147483649: a copy needs 2^31 or less, whatever it moves");
    f.tensor.dims[1]--;
    ck_assert_int_eq(fixture_run(&f, LOAD(2)), WSIM_OK);
    f.io.shared_at = 64;
    fixture_refused(&f, LOAD(2), WSIM_ALIGN,
                    "shared address 0x40: a tile begins at a multiple of 128 bytes; the nearest "
                    "are 0x0 and 0x80");
    f.io.shared_at = 0;
    fixture_refused(&f, LOAD(3), WSIM_OPERAND, "rank 2: .3d copies need one of rank 3");
    fixture_refused(&f, "cp.async.bulk.tensor.3d.shared::cluster.global.im2col." COMPLETE,
                    WSIM_OPERAND, "the map is tiled: mode .im2col needs");
}
END_TEST

START_TEST(what_is_outside_of_a_window_is_refused) {
    const uint64_t dims[] = {64, 8};
    const uint32_t box[] = {16, 2};
    fixture_start(&f);
    fixture_tile(&f, WSIM_TENSOR_FLOAT16, 2, dims, box);
    f.tensor.base = GLOBAL_BASE + GLOBAL_BYTES - 128;
    f.io.coord[1] = 1;
    fixture_refused(&f, LOAD(2), WSIM_BOUNDS, "global address 0x7f0000010000");
    f.io.coord[1] = 0;
    f.tensor.box[1] = 1;
    f.io.shared_at = SHARED_BYTES;
    fixture_refused(&f, LOAD(2), WSIM_BOUNDS, "shared address 0x4000");
    f.io.shared_at = 0;
    f.io.shared = NULL;
    fixture_refused(&f, LOAD(2), WSIM_OPERAND, "shared memory is missing");
}
END_TEST

START_TEST(what_nobody_has_measured_is_refused) {
    const uint64_t dims[] = {8, 2};
    const uint32_t box[] = {8, 2};
    fixture_start(&f);
    fixture_tile(&f, WSIM_TENSOR_FLOAT16, 2, dims, box);
    fixture_refused(
        &f, "cp.async.bulk.tensor.2d.shared::cluster.global." COMPLETE ".multicast::cluster",
        WSIM_UNMODELLED, "copies to several blocks of a cluster");
}
END_TEST

START_TEST(a_barrier_that_cannot_count_refuses) {
    const uint64_t dims[] = {8};
    const uint32_t box[] = {8};
    fixture_start(&f);
    fixture_tile(&f, WSIM_TENSOR_UINT32, 1, dims, box);
    memset(f.shared + BARRIER_AT, 0, WSIM_MBARRIER_BYTES);
    fixture_refused(&f, LOAD(1), WSIM_OPERAND, "not initialised");
    ck_assert_int_eq(wsim_mbarrier_init(&f.barrier, 1, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_mbarrier_complete_tx(&f.barrier, WSIM_MBARRIER_MOST - 16, NULL), WSIM_OK);
    fixture_refused(&f, LOAD(1), WSIM_OPERAND, "32 bytes are completed");
}
END_TEST

/* Bytes of the tile, of the gap that padding leaves, and of the swizzle's line. */
START_TEST(a_copy_spares_its_barrier) {
    const uint64_t dims[] = {8, 4};
    const uint32_t box[] = {8, 4};
    fixture_start(&f);
    fixture_tile(&f, WSIM_TENSOR_UINT32, 2, dims, box);
    f.tensor.swizzle = WSIM_SWIZZLE_128B; /* rows of 32 bytes, 128 apart; row 1 is at 144 and 128 */
    f.io.barrier_at = 24;
    memset(f.shared, 0, 1024);
    fixture_refused(&f, LOAD(2), WSIM_OPERAND, "the barrier that counts them is at 0x18");
    ck_assert_str_eq(f.diag.rule, "bulk.barrier.overwritten");
    f.io.barrier_at = 128 + 24;
    fixture_refused(&f, LOAD(2), WSIM_OPERAND, "the barrier that counts them is at 0x98");
    f.io.barrier_at = 32;
    f.barrier.at = 32;
    ck_assert_int_eq(wsim_mbarrier_init(&f.barrier, 1, NULL), WSIM_OK);
    ck_assert_msg(fixture_run(&f, LOAD(2)) == WSIM_OK, "%s", f.diag.text);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {a_load_fills_what_is_outside,
                                  element_strides_skip_but_in_dimension_0,
                                  slices_are_moved_whole,
                                  a_fill_of_nan_marks_every_16_bits,
                                  a_load_of_tf32_rounds,
                                  a_store_writes_over_padding,
                                  a_reduction_adds_to_padding_too,
                                  of_rows_that_overlap_the_last_stays,
                                  sums_of_rows_that_overlap,
                                  a_store_steps_over_elements,
                                  addresses_wrap,
                                  what_traps_is_refused,
                                  what_is_outside_of_a_window_is_refused,
                                  what_nobody_has_measured_is_refused,
                                  a_barrier_that_cannot_count_refuses,
                                  a_copy_spares_its_barrier};
    return run_tests("copy/tiles", tests, COUNT(tests));
}
