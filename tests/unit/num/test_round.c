/* Between two neighbours of a format every mode takes the right one: at ties, next to ties and
 * next to the neighbours. Above the largest number each mode overflows as defined. */
#include "helper.h"

/* The value at `eighths` of the way from the pattern to the next. */
static struct wsim_value between(const struct wsim_format *format, uint64_t bits, unsigned eighths,
                                 int negative) {
    struct wsim_value value = wsim_format_decode(format, bits);
    value.cls = WSIM_FINITE;
    value.negative = (uint8_t)negative;
    value.sig = value.sig * 8 + eighths;
    value.exp = (int16_t)(value.exp - 3);
    return value;
}

static int goes_up(uint64_t bits, unsigned eighths, int negative, enum wsim_rounding mode) {
    switch (mode) {
    case WSIM_RN: return eighths > 4 || (eighths == 4 && (bits & 1));
    case WSIM_RM: return negative;
    case WSIM_RP: return !negative;
    default: return 0;
    }
}

static void check_gap(const struct wsim_format *format, uint64_t bits, unsigned eighths,
                      int negative) {
    uint64_t sign = (uint64_t)negative << (format->bits - 1);
    unsigned mode;
    for (mode = WSIM_RN; mode <= WSIM_RP; mode++) {
        struct wsim_value value = between(format, bits, eighths, negative);
        uint64_t up = (uint64_t)goes_up(bits, eighths, negative, mode);
        ck_hex(wsim_format_encode(format, value, mode), sign | (bits + up));
        if (format->frac_bits > 23)
            continue;
        value.sig <<= 36; /* the same value from a wide magnitude */
        value.exp = (int16_t)(value.exp - 36);
        ck_hex(wsim_format_encode(format, value, mode), sign | (bits + up));
    }
}

/* Up to the gap below infinity, which is what rounding up from the largest number gives. */
START_TEST(every_gap_of_small_formats) {
    static const struct wsim_format *const format[] = {&F16, &BF16, &E5M2, &E4M3, &E2M1};
    static const uint64_t last[] = {0x7BFF, 0x7F7F, 0x7B, 0x7D, 0x6};
    unsigned f, eighths;
    uint64_t bits;
    for (f = 0; f < COUNT(format); f++)
        for (bits = 0; bits <= last[f]; bits++)
            for (eighths = 1; eighths < 8; eighths++) {
                check_gap(format[f], bits, eighths, 0);
                check_gap(format[f], bits, eighths, 1);
            }
}
END_TEST

START_TEST(some_gaps_of_wide_formats) {
    static const uint64_t f32[] = {0, 1, 2, 0x7FFFFE, 0x7FFFFF, 0x800000, 0x3F7FFFFF, 0x7F7FFFFF};
    static const uint64_t f64[] = {0, 1, 0xFFFFFFFFFFFFF, 0x10000000000000, 0x7FEFFFFFFFFFFFFF};
    unsigned i, eighths, negative;
    for (eighths = 1; eighths < 8; eighths++)
        for (negative = 0; negative < 2; negative++) {
            for (i = 0; i < COUNT(f32); i++)
                check_gap(&F32, f32[i], eighths, (int)negative);
            for (i = 0; i < COUNT(f64); i++)
                check_gap(&F64, f64[i], eighths, (int)negative);
        }
}
END_TEST

/* A last bit that stands for bits lost: one side of a tie, and never gone however far it drops. */
START_TEST(lost_bits_count) {
    struct num_result nearest = {&F64, 52, WSIM_RN}, up = {&F64, 52, WSIM_RP};
    uint64_t one = UINT64_C(1) << 63, tie = UINT64_C(1) << 10;
    ck_hex(num_round(&nearest, 0, one | tie, -63, 0), UINT64_C(0x3FF0000000000000));
    ck_hex(num_round(&nearest, 0, one | tie | 1, -63, 0), UINT64_C(0x3FF0000000000001));
    ck_hex(num_round(&nearest, 0, one | tie << 1 | tie, -63, 0), UINT64_C(0x3FF0000000000002));
    ck_hex(num_round(&up, 0, one | 1, -63, 0), UINT64_C(0x3FF0000000000001));
    ck_hex(num_round(&nearest, 0, one, -1138, 0), UINT64_C(0));
    ck_hex(num_round(&nearest, 0, one | 1, -1138, 0), UINT64_C(1));
    ck_hex(num_round(&nearest, 0, ~UINT64_C(0), -1139, 0), UINT64_C(0));
    ck_hex(num_round(&nearest, 1, 1, -20000, 0), UINT64_C(1) << 63);
    ck_hex(num_round(&up, 0, 1, -20000, 0), UINT64_C(1));
    ck_hex(num_round(&up, 1, ~UINT64_C(0), -20000, 0), UINT64_C(1) << 63);
}
END_TEST

START_TEST(overflow) {
    static const struct {
        enum wsim_rounding mode;
        int negative, rz_overflows;
        uint64_t want;
    } row[] = {
        {WSIM_RN, 0, 0, 0x7F800000}, {WSIM_RN, 1, 0, 0xFF800000}, {WSIM_RZ, 0, 0, 0x7F7FFFFF},
        {WSIM_RZ, 1, 0, 0xFF7FFFFF}, {WSIM_RZ, 0, 1, 0x7F800000}, {WSIM_RZ, 1, 1, 0xFF800000},
        {WSIM_RM, 0, 0, 0x7F7FFFFF}, {WSIM_RM, 1, 0, 0xFF800000}, {WSIM_RP, 0, 0, 0x7F800000},
        {WSIM_RP, 1, 0, 0xFF7FFFFF},
    };
    unsigned i;
    for (i = 0; i < COUNT(row); i++) {
        struct num_result result = {&F32, 23, (uint8_t)row[i].mode};
        ck_hex(num_round(&result, row[i].negative, 1, 128, row[i].rz_overflows), row[i].want);
        ck_hex(num_round(&result, row[i].negative, 3, 30000, row[i].rz_overflows), row[i].want);
    }
}
END_TEST

/* Truncation reaches infinity at 2^128 and not below. */
START_TEST(truncation_up_to_the_end) {
    struct num_result f32 = {&F32, 23, WSIM_RZ}, e8m13 = {&F32, 13, WSIM_RZ};
    struct num_result f16 = {&F16, 10, WSIM_RN};
    ck_hex(num_round(&f32, 0, ~UINT64_C(0), 64, 1), UINT64_C(0x7F7FFFFF));
    ck_hex(num_round(&e8m13, 1, ~UINT64_C(0), 64, 1), UINT64_C(0xFF7FFC00));
    ck_hex(num_round(&e8m13, 0, 0x807FFF, -139 - 10, 1), UINT64_C(0x00807C00));
    ck_hex(num_round(&e8m13, 0, 0x7FF, -149, 1), UINT64_C(0x400));
    ck_hex(num_round(&e8m13, 0, 0x3FF, -149, 1), UINT64_C(0));
    ck_hex(num_round(&f16, 0, 65519, 0, 1), UINT64_C(0x7BFF));
    ck_hex(num_round(&f16, 0, 65520, 0, 1), UINT64_C(0x7C00));
}
END_TEST

static uint64_t encode(const struct wsim_format *format, int negative, uint64_t sig, int exp) {
    struct wsim_value value = {WSIM_FINITE, 0, 0, 0};
    value.negative = (uint8_t)negative;
    value.sig = sig;
    value.exp = (int16_t)exp;
    return wsim_format_encode(format, value, WSIM_RN);
}

/* Formats without infinity end at their largest number, unsigned ones at the other end too. */
START_TEST(ends_of_other_formats) {
    struct wsim_value infinity = {WSIM_INF, 1, 0, 0};
    ck_hex(encode(&E4M3, 0, 449, 0), UINT64_C(0x7E));
    ck_hex(encode(&E4M3, 1, 480, 0), UINT64_C(0xFE));
    ck_hex(encode(&E4M3, 1, 1, 20), UINT64_C(0xFE));
    ck_hex(encode(&E2M1, 1, 100, 0), UINT64_C(0xF));
    ck_hex(encode(&E3M2, 0, 31, 0), UINT64_C(0x1F));
    ck_hex(encode(&UE4M3, 1, 3, 0), UINT64_C(0));
    ck_hex(encode(&UE8M0, 0, 1, -200), UINT64_C(0));
    ck_hex(encode(&UE8M0, 0, 1, 200), UINT64_C(0xFE));
    ck_hex(encode(&UE8M0, 0, 5, 0), UINT64_C(129));
    ck_hex(wsim_format_encode(&E4M3, infinity, WSIM_RZ), UINT64_C(0xFE));
    ck_hex(wsim_format_encode(&F16, infinity, WSIM_RZ), UINT64_C(0xFC00));
    ck_hex(wsim_format_encode(&UE4M3, infinity, WSIM_RN), UINT64_C(0));
    ck_hex(wsim_format_encode(&S4, infinity, WSIM_RN), UINT64_C(8));
    ck_hex(wsim_format_encode(&U8, infinity, WSIM_RN), UINT64_C(0));
}
END_TEST

START_TEST(integers) {
    ck_hex(encode(&S4, 0, 8, 0), UINT64_C(7));
    ck_hex(encode(&S4, 1, 8, 0), UINT64_C(8));
    ck_hex(encode(&S4, 1, 9, 0), UINT64_C(8));
    ck_hex(encode(&U8, 0, 5, -1), UINT64_C(2));
    ck_hex(encode(&U8, 0, 7, -1), UINT64_C(4));
    ck_hex(encode(&U8, 0, 1, 300), UINT64_C(255));
    ck_hex(encode(&U8, 0, 1, -300), UINT64_C(0));
    ck_hex(encode(&S32, 1, 3, -1), UINT64_C(0xFFFFFFFE));
}
END_TEST

START_TEST(conversions) {
    ck_hex(num_convert(&E4M3, &F16, 0x01), UINT64_C(0x1800)); /* 2^-9 becomes normal */
    ck_hex(num_convert(&E5M2, &F16, 0x01), UINT64_C(0x0100));
    ck_hex(num_convert(&E5M2, &F16, 0xFC), UINT64_C(0xFC00));
    ck_hex(num_convert(&E4M3, &F16, 0xFF), UINT64_C(0x7FFF));
    ck_hex(num_convert(&F16, &F32, 0xFE00), UINT64_C(0x7FFFFFFF));
    ck_hex(num_convert(&F16, &F32, 0x8001), UINT64_C(0xB3800000));
    ck_hex(num_convert(&F32, &F16, 0x477FEFFF), UINT64_C(0x7BFF));
    ck_hex(num_convert(&F32, &F16, 0x477FF000), UINT64_C(0x7C00));
    ck_hex(num_convert(&F32, &F16, 0xB3000000), UINT64_C(0x8000)); /* a tie keeps its sign */
    ck_hex(num_convert(&F32, &F16, 0xB3000001), UINT64_C(0x8001));
    ck_hex(num_convert(&F32, &E4M3, 0x7F800000), UINT64_C(0x7E));
}
END_TEST

int main(void) {
    const TTest *const tests[] = {
        every_gap_of_small_formats, some_gaps_of_wide_formats, lost_bits_count, overflow,
        truncation_up_to_the_end,   ends_of_other_formats,     integers,        conversions};
    return run_tests("round", tests, COUNT(tests));
}
