/* Comparisons, minima, kinds of numbers and signs: every pair of landmarks against the comparisons
 * of this machine. NaNs, zeros and subnormals follow recordings of an H200. */
#include "host.h"

#include "../../../sim/num/real.h"

#include <math.h>

static const struct wsim_format *const formats[] = {&F32, &F64, &F16, &BF16};
static const struct real_mode plain;

/* A number of any format as an f64; a NaN as one. */
static double number(const struct wsim_format *format, uint64_t bits) {
    return is_nan(format, bits) ? (double)NAN : real_of(format, bits);
}

static void check_pair(const struct wsim_format *format, uint64_t a, uint64_t b) {
    double x = number(format, a), y = number(format, b);
    enum real_order want = isnan(x) || isnan(y) ? REAL_UNORDERED
                           : x < y              ? REAL_LESS
                           : x > y              ? REAL_GREATER
                                                : REAL_EQUAL;
    uint64_t least, greatest;
    ck_hex(real_compare(format, 0, a, b), want);
    if (isnan(x) || isnan(y))
        return;
    /* fmin may take either zero; here the negative one is less */
    least = x < y || (x == y && signbit(x)) ? a : b;
    greatest = x > y || (x == y && !signbit(x)) ? a : b;
    ck_hex(real_min(format, &plain, a, b), least);
    ck_hex(real_max(format, &plain, a, b), greatest);
}

START_TEST(all_pairs) {
    const struct wsim_format *format = formats[_i];
    for (unsigned i = 0; i < LANDMARKS * LANDMARKS; i++)
        check_pair(format, landmark(format, i / LANDMARKS), landmark(format, i % LANDMARKS));
}
END_TEST

START_TEST(random_pairs) {
    const struct wsim_format *format = formats[_i];
    uint64_t state = (uint64_t)_i;
    for (unsigned i = 0; i < 50000; i++) {
        uint64_t a = nasty(format, &state, i), b = nasty(format, &state, i);
        check_pair(format, a, b);
        check_pair(format, a, a ^ 1);
    }
}
END_TEST

START_TEST(minima_with_nan) {
    static const struct real_mode nan = {.nan = 1};
    ck_hex(real_min(&F32, &plain, 0x7F800001, 0xC0400000), UINT64_C(0xC0400000));
    ck_hex(real_max(&F32, &plain, 0x3F800000, 0xFFC00000), UINT64_C(0x3F800000));
    ck_hex(real_min(&F32, &plain, 0xFFC00000, 0xFFBFFFFF), UINT64_C(0x7FFFFFFF));
    ck_hex(real_min(&F32, &nan, 0x007FFFFF, 0x7F800001), UINT64_C(0x7FFFFFFF));
    ck_hex(real_max(&F32, &nan, 0xFFC00000, 1), UINT64_C(0x7FFFFFFF));
    ck_hex(real_max(&F16, &plain, 0xFC01, 0x8001), UINT64_C(0x8001));
    ck_hex(real_max(&BF16, &nan, 0x3F80, 0x7F81), UINT64_C(0x7FFF));
    ck_hex(real_min(&F64, &plain, 0x7FF0000000000001, 1), UINT64_C(1));
}
END_TEST

START_TEST(words_of_minima) {
    static const struct real_mode ftz = {.ftz = 1}, abs = {.xorsign_abs = 1};
    ck_hex(real_min(&F32, &ftz, 0x00000001, 0x80000002), UINT64_C(0x80000000));
    ck_hex(real_max(&F32, &ftz, 0x80000001, 0x80000002), UINT64_C(0x80000000));
    ck_hex(real_min(&F32, &plain, 0x00000001, 0x80000002), UINT64_C(0x80000002));
    ck_hex(real_min(&F32, &abs, 0xBF800000, 0x40000000), UINT64_C(0xBF800000));
    ck_hex(real_min(&F32, &abs, 0xC0000000, 0xBF800000), UINT64_C(0x3F800000));
    ck_hex(real_max(&F32, &abs, 0x3F800000, 0xC0000000), UINT64_C(0xC0000000));
    ck_hex(real_max(&F16, &abs, 0xC000, 0xBC00), UINT64_C(0x4000));
}
END_TEST

START_TEST(comparisons_flush) {
    ck_hex(real_compare(&F32, 1, 0x00000001, 0x807FFFFF), REAL_EQUAL);
    ck_hex(real_compare(&F32, 0, 0x00000001, 0x807FFFFF), REAL_GREATER);
    ck_hex(real_compare(&F32, 1, 0x00800000, 0x007FFFFF), REAL_GREATER);
    ck_hex(real_compare(&F32, 1, 0x7FC00000, 1), REAL_UNORDERED);
}
END_TEST

START_TEST(kinds) {
    /* of the magnitudes of landmarks: zero, four subnormals, seven numbers, infinity, two NaNs */
    for (unsigned i = 0; i < LANDMARKS; i++) {
        const struct wsim_format *format = formats[i % 2];
        uint64_t x = landmark(format, i);
        double real = number(format, x);
        int subnormal = real != 0 && fabs(real) < ldexp(1, 1 - format->bias);
        ck_hex(real_test(format, REAL_FINITE, x), isfinite(real) != 0);
        ck_hex(real_test(format, REAL_INFINITE, x), isinf(real) != 0);
        ck_hex(real_test(format, REAL_NUMBER, x), !isnan(real));
        ck_hex(real_test(format, REAL_NOTANUMBER, x), isnan(real) != 0);
        ck_hex(real_test(format, REAL_SUBNORMAL, x), subnormal);
        ck_hex(real_test(format, REAL_NORMAL, x), isfinite(real) && !subnormal);
    }
}
END_TEST

/* A NaN that is negated is as any result that is NaN; copysign is of bits. */
START_TEST(signs) {
    static const struct real_mode ftz = {.ftz = 1};
    ck_hex(real_neg(&F32, &plain, 0x00000001), UINT64_C(0x80000001));
    ck_hex(real_neg(&F32, &ftz, 0x00000001), UINT64_C(0x80000000));
    ck_hex(real_neg(&F32, &plain, 0xFF800001), UINT64_C(0x7FFFFFFF));
    ck_hex(real_neg(&F64, &plain, 0xFFF0000000000001), UINT64_C(0xFFF8000000000001));
    ck_hex(real_neg(&F16, &plain, 0x3C00), UINT64_C(0xBC00));
    ck_hex(real_abs(&F32, &plain, 0x80000000), UINT64_C(0));
    ck_hex(real_abs(&F32, &ftz, 0x807FFFFF), UINT64_C(0));
    ck_hex(real_abs(&F64, &plain, 0xFFF8000000000005), UINT64_C(0xFFF8000000000005));
    ck_hex(real_abs(&BF16, &plain, 0xFFC0), UINT64_C(0x7FFF));
    ck_hex(real_copysign(&F32, 0x80000000, 0x7F800001), UINT64_C(0xFF800001));
    ck_hex(real_copysign(&F64, 0x3FF0000000000000, 0x8000000000000005), UINT64_C(5));
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{all_pairs, 0, 4},
                                       {random_pairs, 0, 4},
                                       {minima_with_nan, 0, 1},
                                       {words_of_minima, 0, 1},
                                       {comparisons_flush, 0, 1},
                                       {kinds, 0, 1},
                                       {signs, 0, 1}};
    return every_run("order", tests, COUNT(tests));
}
