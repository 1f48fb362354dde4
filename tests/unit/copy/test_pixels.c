/* im2col: walks that others published, corners that differ on every side, rows by coordinate. */
#include "fixture.h"

#define LOAD "cp.async.bulk.tensor.4d.shared::cluster.global.im2col." COMPLETE

static struct fixture f;

/* Images of h x w pixels with 4 channels of float32, all of which hold 1, 2, 3 ... */
static void images(unsigned w, unsigned h, unsigned n, int lower, int upper) {
    const uint64_t dims[] = {4, w, h, n};
    unsigned i, c;
    fixture_start(&f);
    fixture_tile(&f, WSIM_TENSOR_UINT32, 4, dims, NULL);
    f.tensor.mode = WSIM_TENSOR_IM2COL;
    f.tensor.lower[0] = f.tensor.lower[1] = lower;
    f.tensor.upper[0] = f.tensor.upper[1] = upper;
    f.tensor.channels = 4;
    f.tensor.pixels = 16;
    for (i = 0; i < w * h * n; i++)
        for (c = 0; c < 4; c++) {
            memset(f.global + 256 + 16 * i + 4 * c, 0, 4);
            f.global[256 + 16 * i + 4 * c] = (uint8_t)(i + 1);
        }
}

static void expect_walk(int w, int h, unsigned off_w, unsigned off_h, const int *want) {
    unsigned i;
    f.io.coord[1] = w;
    f.io.coord[2] = h;
    f.io.offset[0] = (uint16_t)off_w;
    f.io.offset[1] = (uint16_t)off_h;
    ck_assert_msg(fixture_run(&f, LOAD) == WSIM_OK, "%s", f.diag.text);
    for (i = 0; i < 16; i++)
        ck_assert_int_eq((int)fixture_number(f.shared + 16 * i + 12, 4), want[i]);
    ck_assert_uint_eq(f.result.bytes, 256);
    ck_assert_int_eq(f.result.measured, 0);
}

/* Triton and CubeCL test with these. */
START_TEST(published_walks) {
    static const int whole[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    static const int padded[] = {0, 0, 0, 0, 0, 1, 2, 3, 0, 5, 6, 7, 0, 9, 10, 11};
    static const int second[] = {8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23};
    static const int k00[] = {0, 0, 0, 0, 0, 1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9};
    static const int k01[] = {0, 0, 0, 0, 1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0};
    static const int k10[] = {0, 1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 0, 0, 0};
    static const int k11[] = {1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 0, 0, 0, 0};
    images(4, 4, 1, 0, 0);
    expect_walk(0, 0, 0, 0, whole);
    images(4, 4, 1, -1, -1);
    expect_walk(-1, -1, 0, 0, padded);
    expect_walk(-1, -1, 1, 1, whole);
    images(4, 4, 2, 0, 0);
    expect_walk(3, 1, 0, 0, second);
    images(3, 3, 1, -1, 0);
    expect_walk(-1, -1, 0, 0, k00);
    expect_walk(-1, -1, 1, 0, k01);
    expect_walk(-1, -1, 0, 1, k10);
    expect_walk(-1, -1, 1, 1, k11);
}
END_TEST

/* W from -2 to dim - 2, H from 1 to dim + 1, every second column. */
START_TEST(corners_belong_to_the_dimension_of_their_place) {
    static const int want[] = {0, 6, 8, 0, 11, 13, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    images(5, 3, 1, 0, 0);
    f.tensor.lower[0] = -2;
    f.tensor.upper[0] = -2;
    f.tensor.lower[1] = 1;
    f.tensor.upper[1] = 1;
    f.tensor.estrides[1] = 2;
    expect_walk(-2, 1, 0, 0, want);
}
END_TEST

START_TEST(a_pixel_outside_of_its_box_is_refused) {
    images(4, 4, 1, -1, -1);
    f.io.coord[1] = 3;
    fixture_refused(&f, LOAD, WSIM_OPERAND,
                    "coord[1] is 3: the base pixel begins inside of its box, -1 to 2");
    f.io.coord[1] = 0;
    f.io.offset[1] = 256;
    fixture_refused(&f, LOAD, WSIM_OPERAND, "offset[1] is 256: in rank 4 it has 8 bits");
    f.io.offset[1] = 0;
    fixture_refused(&f, "cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group",
                    WSIM_OPERAND,
                    "lower[0] is -1, upper[0] -1: mode .im2col_no_offs needs 0 or more");
}
END_TEST

START_TEST(pixels_are_stored_where_they_were_loaded) {
    static uint8_t before[GLOBAL_BYTES];
    images(4, 4, 1, 0, 0);
    memcpy(before, f.global, sizeof before);
    ck_assert_int_eq(fixture_run(&f, LOAD), WSIM_OK);
    memset(f.global + 256, 0xEE, 256);
    ck_assert_msg(
        fixture_run(&f, "cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group") ==
            WSIM_OK,
        "%s", f.diag.text);
    ck_assert(memcmp(before, f.global, sizeof before) == 0);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {published_walks, corners_belong_to_the_dimension_of_their_place,
                                  a_pixel_outside_of_its_box_is_refused,
                                  pixels_are_stored_where_they_were_loaded};
    return run_tests("copy/pixels", tests, COUNT(tests));
}
