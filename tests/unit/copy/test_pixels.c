/* im2col: walks that others published, corners that differ on every side, offsets, the written
 * bytes, and the traps. */
#include "fixture.h"

#define LOAD_IN(d) "cp.async.bulk.tensor." d ".shared::cluster.global.im2col." COMPLETE
#define LOAD LOAD_IN("4d")
#define STORE "cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group"
#define ADD "cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.im2col_no_offs.bulk_group"

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
    ck_assert_int_eq(f.result.measured, 1);
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

/* From batch -1 on, and from channels before the first: filled until the tensor begins. */
START_TEST(channels_and_batch_begin_anywhere) {
    static const int want[] = {0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0};
    images(2, 2, 1, 0, 0);
    f.io.coord[3] = -1;
    expect_walk(0, 0, 0, 0, want);
    images(2, 2, 4, 0, 0);
    f.tensor.channels = 8;
    f.io.coord[0] = -4;
    ck_assert_msg(fixture_run(&f, LOAD) == WSIM_OK, "%s", f.diag.text);
    ck_assert_uint_eq(f.result.outside, 256);
    ck_assert_uint_eq(fixture_number(f.shared + 32 * 6, 8), 0);
    ck_assert_uint_eq(fixture_number(f.shared + 32 * 6 + 16, 4), 7);
}
END_TEST

/* A row of `w` pixels, one image: what a load of one pixel from coordinate 0 on fetches. */
static unsigned fetched(uint32_t rank, const uint64_t *dims, const uint16_t *offset) {
    static const char *const loads[] = {LOAD_IN("3d"), LOAD_IN("4d"), LOAD_IN("5d")};
    uint64_t row = dims[0] * 2, pixel;
    unsigned i;
    fixture_start(&f);
    fixture_tile(&f, WSIM_TENSOR_UINT16, rank, dims, NULL);
    f.tensor.mode = WSIM_TENSOR_IM2COL;
    f.tensor.channels = 8;
    f.tensor.pixels = 1;
    for (i = 0; i + 2 < rank; i++)
        f.io.offset[i] = offset[i];
    for (pixel = 0; 256 + row * pixel + 2 <= GLOBAL_BYTES; pixel++) {
        f.global[256 + row * pixel] = (uint8_t)pixel;
        f.global[256 + row * pixel + 1] = (uint8_t)(pixel >> 8);
    }
    ck_assert_msg(fixture_run(&f, loads[rank - 3]) == WSIM_OK, "%s", f.diag.text);
    return f.result.outside ? UINT32_MAX : (unsigned)fixture_number(f.shared, 2);
}

/* 16 bits of one offset, 8 of each of two, and of three 5, the rest of which goes to the next. */
START_TEST(offsets_share_16_bits) {
    static const uint64_t row[] = {8, 4000, 1}, plane[] = {8, 256, 15, 1};
    static const uint64_t cube[] = {8, 32, 12, 10, 1};
    ck_assert_uint_eq(fetched(3, row, (const uint16_t[]){3999}), 3999);
    ck_assert_uint_eq(fetched(3, row, (const uint16_t[]){4000}), UINT32_MAX);
    ck_assert_uint_eq(fetched(3, row, (const uint16_t[]){65535}), UINT32_MAX);
    ck_assert_uint_eq(fetched(4, plane, (const uint16_t[]){255, 14}), 14 * 256 + 255);
    ck_assert_uint_eq(fetched(4, plane, (const uint16_t[]){256 + 7, 256 + 3}), 3 * 256 + 7);
    ck_assert_uint_eq(fetched(5, cube, (const uint16_t[]){31, 5, 7}), (7 * 12 + 5) * 32 + 31);
    ck_assert_uint_eq(fetched(5, cube, (const uint16_t[]){32 + 3, 4, 2}), (2 * 12 + 5) * 32 + 3);
    ck_assert_uint_eq(fetched(5, cube, (const uint16_t[]){0, 64 + 1, 33}), (3 * 12 + 1) * 32);
    ck_assert_uint_eq(fetched(5, cube, (const uint16_t[]){65535, 1, 1}), 12 * 32 + 31);
}
END_TEST

/* The walk a step at a time. */
static void step(int64_t at[5]) {
    const struct wsim_tensor *t = &f.tensor;
    unsigned first = t->interleave == WSIM_TENSOR_INTERLEAVE_NONE, i;
    for (i = 0; i + 2 < t->rank; i++) {
        at[i + first] += t->estrides[i + first];
        if (at[i + first] < (int64_t)t->dims[i + first] + t->upper[i])
            return;
        at[i + first] = t->lower[i];
    }
    at[t->rank - 1] += t->estrides[t->rank - 1];
}

static unsigned below(unsigned n) {
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % n;
}

/* A map with the base pixel anywhere in its box, off the phase of its strides too. */
static void random_walk(void) {
    static const uint64_t dims[] = {8, 3, 3, 3, 3};
    unsigned first, i;
    fixture_start(&f);
    fixture_tile(&f, WSIM_TENSOR_UINT16, 3 + below(3), dims, NULL);
    f.tensor.mode = WSIM_TENSOR_IM2COL;
    f.tensor.interleave = below(2) ? WSIM_TENSOR_INTERLEAVE_16B : WSIM_TENSOR_INTERLEAVE_NONE;
    first = f.tensor.interleave == WSIM_TENSOR_INTERLEAVE_NONE;
    f.tensor.channels = 8;
    f.tensor.pixels = 60;
    for (i = 0; i < f.tensor.rank; i++)
        f.tensor.estrides[i] = 1 + below(4);
    for (i = 0; i + 2 < f.tensor.rank; i++) {
        f.tensor.lower[i] = (int32_t)below(4) - 3;
        f.tensor.upper[i] = (int32_t)below(4) - 1;
        f.io.coord[i + first] =
            f.tensor.lower[i] +
            (int32_t)below((unsigned)(dims[i + first] - f.tensor.lower[i]) + f.tensor.upper[i]);
    }
}

START_TEST(a_row_is_found_alone) {
    static const char *const loads[] = {LOAD_IN("3d"), LOAD_IN("4d"), LOAD_IN("5d")};
    const struct wsim_arch *arch = wsim_arch_find("sm_90a");
    struct wsim_bulk_place place;
    struct wsim_op op;
    int64_t at[WSIM_TENSOR_RANK];
    unsigned n, row, i;
    for (n = 0; n < 200; n++) {
        random_walk();
        ck_assert_int_eq(wsim_op_parse(loads[f.tensor.rank - 3], &op, NULL), WSIM_OK);
        ck_assert_msg(!wsim_tensor_encode(&f.tensor, arch, &f.map, &f.diag), "%s", f.diag.text);
        f.io.map = &f.map;
        for (i = 0; i < WSIM_TENSOR_RANK; i++)
            at[i] = f.io.coord[i];
        for (row = 0; row < f.tensor.pixels; row++, step(at)) {
            ck_assert_int_eq(wsim_bulk_locate(&op, arch, &f.io, row, 0, &place, NULL), WSIM_OK);
            ck_assert_mem_eq(place.coord, at, sizeof at);
        }
    }
}
END_TEST

START_TEST(a_pixel_outside_of_its_box_is_refused) {
    images(4, 4, 1, -1, -1);
    f.io.coord[1] = 3;
    fixture_refused(&f, LOAD, WSIM_OPERAND,
                    "coord[1] is 3: the base pixel must lie inside the box, -1 to 2");
    images(4, 4, 1, 0, 0);
    f.io.coord[2] = -1;
    fixture_refused(&f, LOAD, WSIM_OPERAND, "coord[2] is -1: the base pixel");
    f.io.coord[2] = 4;
    fixture_refused(&f, STORE, WSIM_OPERAND, "coord[2] is 4: the base pixel");
}
END_TEST

START_TEST(pieces_of_channels_are_whole) {
    images(4, 4, 1, 0, 0);
    f.io.coord[0] = 2;
    fixture_refused(&f, LOAD, WSIM_ALIGN,
                    "coord[0] is 2, byte 8 of its row: a load begins at a multiple of 16 "
                    "bytes; the nearest are 0 and 4");
    fixture_refused(&f, STORE, WSIM_ALIGN, "a store begins at a multiple of 16");
    fixture_refused(&f, ADD, WSIM_ALIGN, "a reduction begins at a multiple of 16");
}
END_TEST

START_TEST(long_dimensions_are_refused) {
    images(4, 4, 1, 0, 0);
    f.tensor.dims[3] = UINT64_C(1) << 31;
    ck_assert_msg(fixture_run(&f, LOAD) == WSIM_OK, "%s", f.diag.text);
    f.tensor.dims[3]++;
    fixture_refused(&f, LOAD, WSIM_OPERAND, "dims[3] is 2147483649: a copy needs 2^31");
}
END_TEST

START_TEST(stores_have_corners_inside) {
    static const char *const writes[] = {STORE, ADD};
    unsigned i;
    for (i = 0; i < 2; i++) {
        images(4, 4, 1, 0, 0);
        f.tensor.lower[1] = -1;
        fixture_refused(&f, writes[i], WSIM_OPERAND,
                        "lower[1] is -1, upper[1] 0: mode .im2col_no_offs needs 0 or more");
        f.tensor.lower[1] = 0;
        f.tensor.upper[0] = 1;
        fixture_refused(&f, writes[i], WSIM_OPERAND, "lower[0] is 0, upper[0] 1: mode");
        f.tensor.upper[0] = 0;
        f.io.coord[3] = -1;
        fixture_refused(&f, writes[i], WSIM_OPERAND, "coord[3] is -1: ");
        f.io.coord[3] = 0;
        f.io.coord[0] = -4;
        fixture_refused(&f, writes[i], WSIM_OPERAND, "coord[0] is -4: ");
    }
}
END_TEST

/* Every second column of the box, 1 to 3, of every second image; channel 4 is padding. */
START_TEST(strides_and_padding_of_a_store) {
    static uint8_t before[GLOBAL_BYTES];
    static const uint64_t dims[] = {5, 5, 2, 3};
    static const unsigned pixels[] = {1, 3, 6, 8, 21, 23, 26, 28};
    unsigned i;
    fixture_start(&f);
    fixture_tile(&f, WSIM_TENSOR_UINT32, 4, dims, NULL);
    f.tensor.mode = WSIM_TENSOR_IM2COL;
    f.tensor.lower[0] = 1;
    f.tensor.upper[0] = -1;
    f.tensor.channels = 12;
    f.tensor.pixels = 10;
    f.tensor.estrides[1] = f.tensor.estrides[3] = 2;
    f.io.coord[1] = 1;
    f.io.offset[0] = 1; /* a store has none */
    memcpy(before, f.global, sizeof before);
    ck_assert_msg(fixture_run(&f, STORE) == WSIM_OK, "%s", f.diag.text);
    ck_assert_uint_eq(f.result.bytes, 480);
    ck_assert_uint_eq(f.result.padding, 8 * 12);
    ck_assert_uint_eq(f.result.outside, 480 - 8 * 20);
    for (i = 0; i < COUNT(pixels); i++)
        memcpy(before + 256 + 32 * pixels[i], f.shared + 48 * i, 32);
    ck_assert(memcmp(before, f.global, sizeof before) == 0);
}
END_TEST

START_TEST(pixels_are_stored_where_they_were_loaded) {
    static uint8_t before[GLOBAL_BYTES];
    images(4, 4, 1, 0, 0);
    memcpy(before, f.global, sizeof before);
    ck_assert_int_eq(fixture_run(&f, LOAD), WSIM_OK);
    memset(f.global + 256, 0xEE, 256);
    ck_assert_msg(fixture_run(&f, STORE) == WSIM_OK, "%s", f.diag.text);
    ck_assert(memcmp(before, f.global, sizeof before) == 0);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {published_walks,
                                  corners_belong_to_the_dimension_of_their_place,
                                  channels_and_batch_begin_anywhere,
                                  offsets_share_16_bits,
                                  a_row_is_found_alone,
                                  a_pixel_outside_of_its_box_is_refused,
                                  pieces_of_channels_are_whole,
                                  long_dimensions_are_refused,
                                  stores_have_corners_inside,
                                  strides_and_padding_of_a_store,
                                  pixels_are_stored_where_they_were_loaded};
    return run_tests("copy/pixels", tests, COUNT(tests));
}
