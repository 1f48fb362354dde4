/* Bits have the values of the format row, encoding restores them, and the order of patterns is the
 * order of values. Exhaustive for every format of at most 19 bits. */
#include "helper.h"

#include <math.h>

static double as_real(struct wsim_value value) {
    double real = ldexp((double)value.sig, value.exp);
    return value.negative ? -real : real;
}

static uint64_t patterns(const struct wsim_format *format) {
    return UINT64_C(1) << format->bits;
}

START_TEST(every_pattern_comes_back) {
    unsigned f, mode;
    uint64_t bits;
    for (f = 0; f < n_small_formats; f++)
        for (bits = 0; bits < patterns(small_formats[f]); bits++)
            for (mode = WSIM_RN; mode <= WSIM_RP; mode++) {
                struct wsim_value value = wsim_format_decode(small_formats[f], bits);
                uint64_t back = wsim_format_encode(small_formats[f], value, mode);
                ck_hex(back, value.cls == WSIM_NAN ? small_formats[f]->nan : bits);
            }
}
END_TEST

/* Patterns without sign ascend as their values do, infinity above all; negative ones mirror them.
 */
START_TEST(patterns_are_ordered) {
    unsigned f;
    for (f = 0; f < n_small_formats; f++) {
        const struct wsim_format *format = small_formats[f];
        uint64_t half = patterns(format) >> format->is_signed, bits;
        if (format->kind != WSIM_BINARY)
            continue;
        for (bits = 1; bits < half; bits++) {
            struct wsim_value below = wsim_format_decode(format, bits - 1);
            struct wsim_value value = wsim_format_decode(format, bits);
            if (value.cls == WSIM_FINITE)
                ck_assert(as_real(below) < as_real(value));
            else
                ck_assert(value.cls >= below.cls && value.sig == 0);
            if (format->is_signed) {
                struct wsim_value mirror = wsim_format_decode(format, bits | half);
                ck_assert(mirror.negative && !value.negative && mirror.cls == value.cls);
                ck_assert(mirror.sig == value.sig && mirror.exp == value.exp);
            }
        }
    }
}
END_TEST

START_TEST(landmarks) {
    static const struct {
        const struct wsim_format *format;
        uint32_t least, one, largest; /* patterns */
        double least_real, largest_real;
        unsigned infinities, nans; /* of all patterns */
    } row[] = {
        {&F16, 1, 0x3C00, 0x7BFF, 0x1p-24, 65504, 2, 2046},
        {&BF16, 1, 0x3F80, 0x7F7F, 0x1p-133, 0xFFp120, 2, 254},
        {&TF32, 1, 0x1FC00, 0x3FBFF, 0x1p-136, 0x7FFp117, 2, 2046},
        {&E5M2, 1, 0x3C, 0x7B, 0x1p-16, 57344, 2, 6},
        {&E4M3, 1, 0x38, 0x7E, 0x1p-9, 448, 0, 2},
        {&E3M2, 1, 0x0C, 0x1F, 0.0625, 28, 0, 0},
        {&E2M3, 1, 0x08, 0x1F, 0.125, 7.5, 0, 0},
        {&E2M1, 1, 0x2, 0x7, 0.5, 6, 0, 0},
        {&UE8M0, 0, 127, 254, 0x1p-127, 0x1p127, 0, 1},
        {&UE4M3, 1, 0x38, 0x7E, 0x1p-9, 448, 0, 1},
    };
    unsigned i, infinities, nans;
    uint64_t bits;
    for (i = 0; i < COUNT(row); i++) {
        ck_assert(as_real(wsim_format_decode(row[i].format, row[i].least)) == row[i].least_real);
        ck_assert(as_real(wsim_format_decode(row[i].format, row[i].one)) == 1);
        ck_assert(as_real(wsim_format_decode(row[i].format, row[i].largest)) ==
                  row[i].largest_real);
        infinities = nans = 0;
        for (bits = 0; bits < patterns(row[i].format); bits++) {
            infinities += wsim_format_decode(row[i].format, bits).cls == WSIM_INF;
            nans += wsim_format_decode(row[i].format, bits).cls == WSIM_NAN;
        }
        ck_assert_uint_eq(infinities, row[i].infinities);
        ck_assert_uint_eq(nans, row[i].nans);
    }
}
END_TEST

/* A subnormal keeps the least exponent, and the fraction is not normalised. */
START_TEST(elements) {
    struct num_elem e = num_decode(&F16, 16, 0x8001);
    ck_assert(e.sig == -1 && e.exp == -14 && e.cls == WSIM_FINITE);
    e = num_decode(&F16, 16, 0x8400);
    ck_assert(e.sig == -0x400 && e.exp == -14);
    e = num_decode(&F16, 16, 0xFC00);
    ck_assert(e.sig == -1 && e.cls == WSIM_INF);
    e = num_decode(&F16, 16, 0xFC01);
    ck_assert(e.sig == 0 && e.cls == WSIM_NAN);
    e = num_decode(&F16, 16, 0x8000);
    ck_assert(e.sig == 0 && e.cls == WSIM_ZERO);
    e = num_decode(&F32, 32, 0xC0490FDB);
    ck_assert(e.sig == -0xC90FDB && e.exp == 1);
    e = num_decode(&S4, 4, 0xF8);
    ck_assert(e.sig == -8 && e.exp == 0);
    e = num_decode(&U8, 8, 0x80);
    ck_assert(e.sig == 128);
}
END_TEST

/* In a wider container a value is above its padding. tf32 loses 13 bits, so one NaN of
 * f32 becomes infinity. e2m1 has 2 zero bits below it in a byte, none in a nibble. */
START_TEST(containers) {
    ck_assert(num_decode(&TF32, 32, 0x7F800001).cls == WSIM_INF);
    ck_assert(num_decode(&TF32, 32, 0xFF801FFF).cls == WSIM_INF);
    ck_assert(num_decode(&TF32, 32, 0x7F802000).cls == WSIM_NAN);
    ck_assert(num_decode(&TF32, 32, 0x3F801FFF).sig == 0x400);
    ck_assert(num_decode(&TF32, 32, 0x3F802000).sig == 0x401);
    ck_assert(num_decode(&E2M1, 8, 0xFC).sig == -3 && num_decode(&E2M1, 8, 0xFC).exp == 2);
    ck_assert(num_decode(&E2M1, 8, 0xC3).sig == 0);
    ck_assert(num_decode(&E2M1, 4, 0xF).sig == -3);
    ck_assert(num_decode(&E3M2, 8, 0xFF).sig == -7);
    ck_assert(num_decode(&UE4M3, 8, 0xB8).sig == 8 && num_decode(&UE4M3, 8, 0xB8).exp == 0);
}
END_TEST

START_TEST(wide_integers) {
    struct wsim_value value = wsim_format_decode(&S64, UINT64_C(1) << 63);
    ck_assert(value.negative && value.sig == UINT64_C(1) << 63);
    ck_hex(wsim_format_encode(&S64, value, WSIM_RN), UINT64_C(1) << 63);
    ck_hex(wsim_format_encode(&S32, value, WSIM_RN), UINT64_C(0x80000000));
    ck_hex(wsim_format_encode(&U32, value, WSIM_RN), UINT64_C(0));
    value = wsim_format_decode(&B64, ~UINT64_C(0));
    ck_hex(wsim_format_encode(&B64, value, WSIM_RN), ~UINT64_C(0));
    ck_hex(wsim_format_encode(&S64, value, WSIM_RN), ~UINT64_C(0) >> 1);
    ck_hex(wsim_format_encode(&U32, value, WSIM_RN), UINT64_C(0xFFFFFFFF));
}
END_TEST

int main(void) {
    const TTest *const tests[] = {every_pattern_comes_back,
                                  patterns_are_ordered,
                                  landmarks,
                                  elements,
                                  containers,
                                  wide_integers};
    return run_tests("decode", tests, COUNT(tests));
}
