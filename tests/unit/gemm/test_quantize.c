/* Numbers as elements and scale factors of block-scaled instructions, worked out by hand.
 * python/tests/test_scaled.py compares random matrices with NumPy. */
#include "product.h"

#include <math.h>

enum { K = 40, ROOM = 64 };

static const char mxf4[] = "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1."
                           "f32.ue8m0";
static const char nvfp4[] = "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale."
                            "scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3";
static const char bytes[] = "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e5m2."
                            "e2m1.f32.ue8m0";

static struct wsim_code code;

static struct wsim_gemm prepare(const char *spelling) {
    struct wsim_op op = every_parse(spelling);
    struct wsim_gemm_size size = {.m = 1, .n = 1, .k = K};
    struct wsim_gemm gemm;
    struct wsim_diag diag = {0};
    expect(!wsim_prepare(&op, wsim_arch_find("sm_120a"), 0, &code, &diag), "%s", diag.text);
    expect(!wsim_gemm_prepare(&code, &size, &gemm, &diag), "%s", diag.text);
    return gemm;
}

/* Quantises K numbers along k; bytes beyond stay 0xA5. */
static void quantize(const char *spelling, enum wsim_operand operand, const float numbers[K],
                     uint8_t elements[ROOM], uint8_t scales[4]) {
    struct wsim_gemm gemm = prepare(spelling);
    const size_t row = operand == WSIM_A ? 1000 : 1, column = operand == WSIM_A ? 1 : 1000;
    const struct wsim_gemm_from from = {.elements = numbers, .row = row, .column = column};
    const struct wsim_gemm_to to = {elements, row, column}, factors = {scales, row, column};
    struct wsim_diag diag = {0};
    memset(elements, 0xA5, ROOM);
    memset(scales, 0xA5, 4);
    expect(
        !wsim_gemm_quantize(&gemm, operand, wsim_format_find("f32"), &from, &to, &factors, &diag),
        "%s", diag.text);
    for (int i = K; i < ROOM; i++)
        ck_assert_uint_eq(elements[i], 0xA5);
}

/* The largest number of a block is 7.9 = 1.975 * 2^2, so that its factor is 2^(2 - 2). */
START_TEST(factors_of_powers_of_two) {
    static const float numbers[K] = {0,    0.25f, 0.251f, 0.75f,  1,  1.25f, 1.75f, 2.5f,      5,
                                     5.1f, 7.9f,  -0.0f,  -0.25f, -5, -7,    3,     [32] = 48, -12};
    static const uint8_t codes[] = {0, 0, 1, 2, 2, 2, 4, 4, 6, 7, 7, 8, 8, 14, 15, 5};
    uint8_t elements[ROOM], scales[4];
    quantize(mxf4, _i ? WSIM_B : WSIM_A, numbers, elements, scales);
    ck_assert_uint_eq(scales[0], 127);
    ck_assert_uint_eq(scales[1], 127 + 3);
    ck_assert_uint_eq(scales[2], 0xA5);
    ck_assert_mem_eq(elements, codes, sizeof codes);
    ck_assert_uint_eq(elements[32], 7);
    ck_assert_uint_eq(elements[33], 11);
}
END_TEST

/* The largest number over 6, rounded to e4m3; the elements are those over the rounded factor. */
START_TEST(factors_of_e4m3) {
    static const float numbers[K] = {12, 1, -3, 5, [16] = 10.5f, 1, [32] = 1e6f, 2000};
    uint8_t elements[ROOM], scales[4];
    quantize(nvfp4, WSIM_A, numbers, elements, scales);
    ck_assert_uint_eq(scales[0], 0x40);            /* 2                                     */
    ck_assert_mem_eq(elements, "\x7\x1\xB\x4", 4); /* 6 0.5 -1.5 2.5 (a tie: 2)             */
    ck_assert_uint_eq(scales[1], 0x3e);            /* 1.75                                  */
    ck_assert_mem_eq(elements + 16, "\x7\x1", 2);  /* 6 and 0.571                           */
    ck_assert_uint_eq(scales[2], 0x7e);            /* 448, the largest                      */
    ck_assert_mem_eq(elements + 32, "\x7\x6", 2);  /* beyond 6; 4.46                        */
}
END_TEST

/* A factor that rounds to 0 makes elements of 0. */
START_TEST(factors_of_zero) {
    static const float numbers[K] = {1e-3f, -1e-3f, [16] = -0.0f};
    uint8_t elements[ROOM], scales[4];
    quantize(nvfp4, WSIM_B, numbers, elements, scales);
    ck_assert_uint_eq(scales[0], 0);
    ck_assert_mem_eq(elements, "\0\0", 2);
    ck_assert_uint_eq(scales[1], 0);
    ck_assert_uint_eq(elements[16], 8);
}
END_TEST

/* An e5m2 has infinities, which no number becomes; e2m1 in a byte is shifted by 2. */
START_TEST(elements_of_bytes) {
    static const float numbers[K] = {65000, -65000, 1};
    static const float small[K] = {1e-44f, 3, [32] = 3};
    uint8_t elements[ROOM], scales[4];
    quantize(bytes, WSIM_A, numbers, elements, scales);
    ck_assert_uint_eq(scales[0], 127);
    ck_assert_mem_eq(elements, "\x7b\xfb\x3c", 3);
    quantize(bytes, WSIM_B, small, elements, scales);
    ck_assert_uint_eq(scales[0], 127 - 1);
    ck_assert_mem_eq(elements, "\0\x1c", 2);
    ck_assert_uint_eq(scales[1], 127 - 1);
}
END_TEST

/* Exponents of factors end at -127; infinities and NaNs make a factor of NaN. */
START_TEST(ends_of_the_range) {
    static const uint32_t tiny = 1;
    static const float special[2] = {HUGE_VALF, NAN};
    float numbers[K] = {0};
    uint8_t elements[ROOM], scales[4];
    memcpy(numbers, &tiny, sizeof tiny);
    quantize(bytes, WSIM_A, numbers, elements, scales);
    ck_assert_uint_eq(scales[0], 0);
    ck_assert_uint_eq(elements[0], 0);
    numbers[0] = 1;
    numbers[5] = special[_i];
    quantize(bytes, WSIM_A, numbers, elements, scales);
    ck_assert_uint_eq(scales[0], 0xff);
    ck_assert_uint_eq(elements[0], 0);
    ck_assert_uint_eq(elements[5], 0);
    ck_assert_uint_eq(scales[1], 0);
    quantize(nvfp4, WSIM_A, numbers, elements, scales);
    ck_assert_uint_eq(scales[0], 0x7f);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {factors_of_powers_of_two, 0, 2}, {factors_of_e4m3, 0, 1},   {factors_of_zero, 0, 1},
        {elements_of_bytes, 0, 1},        {ends_of_the_range, 0, 2},
    };
    return every_run("quantize", tests, COUNT(tests));
}
