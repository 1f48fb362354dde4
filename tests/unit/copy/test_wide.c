/* Copies that sm_90a lacks, as the PTX ISA documents them: im2col::w, gather4, scatter4. */
#include "fixture.h"

#define WIDE(mode) "cp.async.bulk.tensor." mode "." COMPLETE
#define LOAD_W WIDE("4d.shared::cta.global.im2col::w")
#define LOAD_W128 WIDE("3d.shared::cta.global.im2col::w::128")
#define GATHER WIDE("2d.shared::cta.global.tile::gather4")
#define SCATTER "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group"

static struct fixture f;

/* Pixels of 16 bytes, 1, 2, 3 ... in memory; along the width corners -1 and 0. */
static void pixels(uint32_t rank, const uint64_t *dims, enum wsim_tensor_mode mode) {
    unsigned i;
    fixture_start(&f);
    f.arch = "sm_100a";
    fixture_tile(&f, WSIM_TENSOR_UINT32, rank, dims, NULL);
    f.tensor.mode = mode;
    f.tensor.swizzle = WSIM_SWIZZLE_64B;
    f.tensor.lower[0] = -1;
    f.tensor.channels = 4;
    f.tensor.pixels = 8;
    for (i = 0; i < 512; i++) {
        memset(f.global + 256 + 16 * i, 0, 16);
        f.global[256 + 16 * i] = (uint8_t)(i + 1);
        f.global[257 + 16 * i] = (uint8_t)((i + 1) >> 8);
    }
}

/* A row is 64 bytes wide, of which the first 16 are written, wherever the swizzle has them. */
static int row_at(unsigned row) {
    return (int)fixture_number(f.shared + wsim_swizzle_apply(WSIM_SWIZZLE_64B, row * 64), 4);
}

/* Two images of 6 x 2. The walk is 3, 4, 5 in row 1 of the first image and -1 to 5 in row 1 of the
 * second. Then it leaves the tensor. Each fetch is one element further. */
START_TEST(the_width_is_walked_alone) {
    static const uint64_t dims[] = {4, 6, 2, 2};
    static const int want[] = {11, 12, 0, 19, 20, 21, 22, 23, 24, 0, 0};
    unsigned row;
    pixels(4, dims, WSIM_TENSOR_IM2COL_W);
    f.io.coord[1] = 3;
    f.io.coord[2] = 1;
    f.io.offset[0] = 3;
    f.io.offset[1] = 1;
    ck_assert_msg(fixture_run(&f, LOAD_W) == WSIM_OK, "%s", f.diag.text);
    for (row = 0; row < COUNT(want); row++)
        ck_assert_int_eq(row_at(row), want[row]);
    ck_assert_uint_eq(f.result.bytes, 11 * 16);
    ck_assert_uint_eq(f.result.outside, 3 * 16);
    ck_assert_int_eq(f.result.measured, 0);
}
END_TEST

/* 128 pixels in four groups of 32; after them the first halo pixel of each group, then the
 * second. */
START_TEST(groups_of_32_have_a_halo_each) {
    static const uint64_t dims[] = {4, 40, 8};
    unsigned row;
    pixels(3, dims, WSIM_TENSOR_IM2COL_W128);
    f.tensor.lower[0] = 0;
    f.tensor.pixels = 0; /* not looked at */
    f.io.offset[0] = 2;
    ck_assert_msg(fixture_run(&f, LOAD_W128) == WSIM_OK, "%s", f.diag.text);
    for (row = 0; row < 128; row++)
        ck_assert_int_eq(row_at(row), (int)row + 1);
    for (row = 0; row < 8; row++)
        ck_assert_int_eq(row_at(128 + row), (int)(32 * (row % 4 + 1) + row / 4) + 1);
    ck_assert_uint_eq(f.result.bytes, 136 * 16);
}
END_TEST

START_TEST(numbers_have_limits) {
    static const uint64_t dims[] = {4, 6, 2, 2}, flat[] = {4, 40, 8};
    pixels(4, dims, WSIM_TENSOR_IM2COL_W);
    f.io.offset[0] = 512;
    fixture_refused(&f, LOAD_W, WSIM_OPERAND, "offset[0], the halo, is 512");
    f.io.offset[0] = 0;
    f.io.offset[1] = 32;
    fixture_refused(&f, LOAD_W, WSIM_OPERAND, "offset[1], of the width, is 32: it can be 0 to 31");
    f.io.offset[1] = 0;
    f.io.coord[1] = 6;
    fixture_refused(&f, LOAD_W, WSIM_OPERAND, "coord[1] is 6");
    f.tensor.mode = WSIM_TENSOR_IM2COL_W128;
    fixture_refused(&f, LOAD_W, WSIM_OPERAND, "the map is im2col_w128: mode .im2col::w needs");
    pixels(3, flat, WSIM_TENSOR_IM2COL_W128);
    f.io.offset[0] = 32;
    fixture_refused(&f, LOAD_W128, WSIM_OPERAND, "has at most 31");
}
END_TEST

/* The rules of cuTensorMapEncodeIm2colWide. */
START_TEST(maps_of_the_width) {
    static const uint64_t dims[] = {4, 6, 2, 2};
    const struct wsim_arch *hopper = wsim_arch_find("sm_90a"), *arch = wsim_arch_find("sm_100a");
    struct wsim_tensor back;
    pixels(4, dims, WSIM_TENSOR_IM2COL_W);
    f.tensor.lower[0] = -5;
    f.tensor.upper[0] = -2;
    ck_assert_int_eq(wsim_tensor_check(&f.tensor, hopper, &f.diag), WSIM_ILLEGAL);
    ck_assert_int_eq(wsim_tensor_encode(&f.tensor, arch, &f.map, &f.diag), WSIM_OK);
    ck_assert_int_eq(wsim_tensor_decode(&f.map, &back, NULL), WSIM_OK);
    ck_assert(back.mode == WSIM_TENSOR_IM2COL_W && back.lower[0] == -5 && back.upper[0] == -2);
    f.tensor.lower[0] = -32769;
    ck_assert_int_eq(wsim_tensor_check(&f.tensor, arch, &f.diag), WSIM_OPERAND);
    ck_assert_ptr_nonnull(strstr(f.diag.text, "the nearest is -32768"));
    f.tensor.lower[0] = -1;
    f.tensor.swizzle = WSIM_SWIZZLE_32B;
    ck_assert_int_eq(wsim_tensor_check(&f.tensor, arch, &f.diag), WSIM_OPERAND);
    ck_assert_ptr_nonnull(strstr(f.diag.text, "swizzle is 32B"));
    f.tensor.swizzle = WSIM_SWIZZLE_128B_ATOM_32B;
    ck_assert_int_eq(wsim_tensor_check(&f.tensor, arch, &f.diag), WSIM_OK);
    f.tensor.interleave = WSIM_TENSOR_INTERLEAVE_16B;
    ck_assert_int_eq(wsim_tensor_check(&f.tensor, arch, &f.diag), WSIM_OPERAND);
}
END_TEST

/* A column of pieces, and four rows in any order. */
START_TEST(four_rows_by_name) {
    static const uint64_t dims[] = {8, 20};
    static const uint32_t box[] = {4, 1};
    static const int32_t rows[] = {7, 0, 19, 20};
    uint8_t before[64];
    unsigned i;
    fixture_start(&f);
    f.arch = "sm_100a";
    fixture_tile(&f, WSIM_TENSOR_UINT32, 2, dims, box);
    f.io.coord[0] = 4;
    memcpy(f.io.coord + 1, rows, sizeof rows);
    ck_assert_msg(fixture_run(&f, GATHER) == WSIM_OK, "%s", f.diag.text);
    for (i = 0; i < 3; i++)
        ck_assert(memcmp(f.shared + 16 * i, f.global + 256 + 32 * rows[i] + 16, 16) == 0);
    ck_assert(fixture_number(f.shared + 48, 8) == 0); /* there is no row 20 */
    ck_assert_uint_eq(f.result.bytes, 64);
    ck_assert_int_eq(f.result.measured, 0);
    memcpy(before, f.shared, sizeof before);
    f.io.coord[2] = 11;
    ck_assert_msg(fixture_run(&f, SCATTER) == WSIM_OK, "%s", f.diag.text);
    ck_assert(memcmp(f.global + 256 + 32 * 11 + 16, before + 16, 16) == 0);
    ck_assert_uint_eq(f.result.outside, 16);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {the_width_is_walked_alone, groups_of_32_have_a_halo_each,
                                  numbers_have_limits, maps_of_the_width, four_rows_by_name};
    return run_tests("copy/wide", tests, COUNT(tests));
}
