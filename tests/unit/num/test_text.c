/* Numbers as text, in every format, compared with strtod and strtof of the C library. */
#include "../../every.h"

#include <math.h>

static const char *const formats[] = {"f16",  "bf16", "tf32", "f32",   "f64",   "e5m2", "e4m3",
                                      "e3m2", "e2m3", "e2m1", "ue8m0", "ue4m3", "s8",   "u8",
                                      "s4",   "u4",   "b1",   "s16",   "u16",   "s32",  "u32",
                                      "s64",  "u64",  "b16",  "b32"};

static uint64_t draw(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static uint64_t low(const struct wsim_format *format, uint64_t bits) {
    return format->bits < 64 ? bits & ((UINT64_C(1) << format->bits) - 1) : bits;
}

/* Text and back gives the same bits, but for a NaN; nothing is lost. */
static void there_and_back(const struct wsim_format *format, uint64_t bits) {
    char text[WSIM_NUMBER_TEXT];
    uint64_t again = ~bits;
    struct wsim_diag diag = {.text = ""};
    int exact = 0;
    wsim_format_write(format, bits, text);
    expect(strlen(text) < sizeof text - 1, "%s", text);
    expect(wsim_format_read(format, text, WSIM_RN, &exact, &again, &diag) == WSIM_OK, "%s %s: %s",
           format->name, text, diag.text);
    if (wsim_format_decode(format, bits).cls == WSIM_NAN)
        bits = format->nan;
    expect(again == bits, "%s %s: %llx, not %llx", format->name, text, (unsigned long long)again,
           (unsigned long long)bits);
    snprintf(text, sizeof text, "0x%llx", (unsigned long long)bits);
    expect(wsim_format_read(format, text, WSIM_RN, NULL, &again, &diag) == WSIM_OK && again == bits,
           "%s %s", format->name, text);
}

START_TEST(every_number_has_a_text) {
    const struct wsim_format *format = wsim_format_find(formats[_i]);
    uint64_t state = 88172645463325252u;
    if (format->bits <= 12)
        for (uint64_t bits = 0; bits >> format->bits == 0; bits++)
            there_and_back(format, bits);
    for (int i = 0; format->bits > 12 && i < 600; i++) {
        uint64_t bits = draw(&state);
        there_and_back(format, low(format, bits));
        there_and_back(format, low(format, bits >> bits % 60)); /* small ones */
    }
}
END_TEST

/* As few digits as strtod needs, but that whole numbers have all of theirs. */
START_TEST(doubles_are_short) {
    const struct wsim_format *f64 = wsim_format_find("f64");
    uint64_t state = 1234567890123u;
    for (int i = 0; i < 1500; i++) {
        char text[WSIM_NUMBER_TEXT], printed[64];
        double number, back;
        uint64_t bits = draw(&state);
        int digits = 0;
        if (i % 3 == 0)
            bits = (bits >> 62 << 62) | (UINT64_C(0x3FF) << 52) | (bits & UINT64_C(0xFFF0) << 36);
        memcpy(&number, &bits, sizeof number);
        if (isnan(number) || isinf(number))
            continue;
        wsim_format_write(f64, bits, text);
        back = strtod(text, NULL);
        expect(memcmp(&back, &number, sizeof back) == 0, "%s is %a", text, number);
        do
            snprintf(printed, sizeof printed, "%.*e", digits, number);
        while (strtod(printed, NULL) != number && ++digits);
        for (const char *at = text; *at && *at != 'e'; at++)
            digits -= *at >= '1' && *at <= '9';
        expect(digits + 1 >= 0 || !strpbrk(text, ".e"), "%s is longer than %s", text, printed);
    }
}
END_TEST

START_TEST(decimals_are_rounded_once) {
    const struct wsim_format *f32 = wsim_format_find("f32"), *f64 = wsim_format_find("f64");
    uint64_t state = 987654321u;
    for (int i = 0; i < 2000; i++) {
        char text[64];
        uint64_t r = draw(&state), bits;
        float narrow;
        double wide;
        uint32_t word;
        int exact;
        snprintf(text, sizeof text, "%s%u.%ue%d", r & 1 ? "-" : "", (unsigned)(r >> 40) & 0xFFF,
                 (unsigned)(r >> 8), (int)(r >> 20 & 63) - 42);
        ck_assert_int_eq(wsim_format_read(f32, text, WSIM_RN, &exact, &bits, NULL), WSIM_OK);
        narrow = strtof(text, NULL);
        memcpy(&word, &narrow, sizeof word);
        expect(bits == word, "%s: %llx, not %lx", text, (unsigned long long)bits,
               (unsigned long)word);
        ck_assert_int_eq(wsim_format_read(f64, text, WSIM_RN, &exact, &bits, NULL), WSIM_OK);
        wide = strtod(text, NULL);
        expect(memcmp(&bits, &wide, sizeof bits) == 0, "%s", text);
        expect(wsim_from_double(f64, wide, WSIM_RN) == bits && wsim_to_double(f64, bits) == wide,
               "%s", text);
        expect(wsim_from_double(f32, (double)narrow, WSIM_RZ) == word &&
                   wsim_from_float(f32, narrow, WSIM_RN) == word &&
                   wsim_to_float(f32, word) == narrow,
               "%s", text);
    }
}
END_TEST

static const struct {
    const char *format, *text;
    uint64_t bits;
} exact[] = {
    {"f16", "1", 0x3c00},
    {"f16", "-0", 0x8000},
    {"f16", "+1.5", 0x3e00},
    {"f16", "65504", 0x7bff},
    {"f16", "6.103515625e-5", 0x0400},
    {"f16", "5.9604644775390625e-08", 1},
    {"f16", "inf", 0x7c00},
    {"f16", "-Infinity", 0xfc00},
    {"f16", "NaN", 0x7fff},
    {"f16", "0xFC00", 0xfc00},
    {"bf16", "1e0", 0x3f80},
    {"tf32", "1", 0x1fc00},
    {"e4m3", "448", 0x7e},
    {"e4m3", "nan", 0x7f},
    {"e5m2", "inf", 0x7c},
    {"e2m1", "-6", 0xf},
    {"e3m2", "28", 0x1f},
    {"ue8m0", "1", 127},
    {"ue8m0", "0.5", 126},
    {"ue4m3", "448", 0x7e},
    {"ue4m3", "-0", 0},
    {"s8", "-128", 0x80},
    {"u8", "255", 255},
    {"s4", "-8", 8},
    {"b1", "1", 1},
    {"s32", "1e3", 1000},
    {"s32", "2.0", 2},
    {"u64", "18446744073709551615", UINT64_MAX},
    {"s64", "-9223372036854775808", UINT64_C(1) << 63},
    {"f64", "0.5", UINT64_C(0x3FE0000000000000)},
    {"f32", "16777216", 0x4b800000},
    {"f16", ".5", 0x3800},
    {"f16", "2.", 0x4000},
};

START_TEST(texts_that_are_exact) {
    const struct wsim_format *format = wsim_format_find(exact[_i].format);
    struct wsim_diag diag = {.text = ""};
    uint64_t bits = 0;
    ck_assert_msg(wsim_format_read(format, exact[_i].text, WSIM_RN, NULL, &bits, &diag) == WSIM_OK,
                  "%s", diag.text);
    ck_assert_msg(bits == exact[_i].bits, "%s %s: %llx", format->name, exact[_i].text,
                  (unsigned long long)bits);
}
END_TEST

static const struct {
    const char *format, *text, *rule, *words;
} wrong[] = {
    {"f16", "0.1", "number.value.inexact", "0.09997558594 (0x2e66) and 0.1000366211 (0x2e67)"},
    {"f16", "-2049", "number.value.inexact", "-2050 (0xe801) and -2048 (0xe800)"},
    {"f16", "65505", "number.value.range", "from -65504 to 65504"},
    {"f16", "-1e9", "number.value.range", "from -65504 to 65504"},
    {"f16", "1e-9", "number.value.inexact", "0 (0x0) and 5.960464478e-8 (0x1)"},
    {"f16", "1e99999999999", "number.value.range", "out of range"},
    {"f16", "1e-99999999999", "number.value.inexact", "0 (0x0)"},
    {"f16", "0x10000", "number.value.range", "the 16 of f16"},
    {"f64", "0x12345678901234567", "number.text.wrong", "not a number"},
    {"f16", "0x", "number.text.wrong", "not a number"},
    {"f16", "-0x1", "number.text.wrong", "not a number"},
    {"f16", "", "number.text.wrong", "not a number"},
    {"f16", ".", "number.text.wrong", "not a number"},
    {"f16", "1.2.3", "number.text.wrong", "not a number"},
    {"f16", "1e", "number.text.wrong", "not a number"},
    {"f16", "1 ", "number.text.wrong", "not a number"},
    {"f16", " 1", "number.text.wrong", "not a number"},
    {"f16", "--1", "number.text.wrong", "not a number"},
    {"f16", "infinit", "number.text.wrong", "not a number"},
    {"f16", "-nan", "number.text.wrong", "not a number"},
    {"e4m3", "inf", "number.value.range", "e4m3 has no infinity"},
    {"e2m1", "nan", "number.value.range", "e2m1 has no NaN"},
    {"s8", "nan", "number.value.range", "s8 has no NaN"},
    {"e4m3", "449", "number.value.range", "from -448 to 448"},
    {"s8", "128", "number.value.range", "from -128 to 127"},
    {"u8", "-1", "number.value.range", "from 0 to 255"},
    {"s32", "1.5", "number.value.inexact", "1 (0x1) and 2 (0x2)"},
    {"u64", "18446744073709551616", "number.value.range", "18446744073709551615"},
    {"ue8m0", "0", "number.value.range", "from 5.877471754e-39 to 1.701411835e+38"},
    {"ue8m0", "-1", "number.value.range", "out of range"},
    {"ue8m0", "3", "number.value.inexact", "2 (0x80) and 4 (0x81)"},
    {"f64", "0.1", "number.value.inexact", "0.099999999999999991673 (0x3fb9999999999999)"},
};

START_TEST(texts_that_are_refused) {
    const struct wsim_format *format = wsim_format_find(wrong[_i].format);
    struct wsim_diag diag = {.rule = "", .text = ""};
    uint64_t bits = 99;
    ck_assert_int_ne(wsim_format_read(format, wrong[_i].text, WSIM_RN, NULL, &bits, &diag),
                     WSIM_OK);
    ck_assert_msg(strcmp(diag.rule, wrong[_i].rule) == 0, "%s: %s", wrong[_i].text, diag.rule);
    ck_assert_msg(strstr(diag.text, wrong[_i].words) != NULL, "%s", diag.text);
    ck_assert_uint_eq(bits, 99);
}
END_TEST

START_TEST(rounding_is_told) {
    const struct wsim_format *f16 = wsim_format_find("f16"), *u8 = wsim_format_find("u8");
    uint64_t bits;
    int is_exact;
    wsim_format_read(f16, "0.1", WSIM_RN, &is_exact, &bits, NULL);
    ck_assert(bits == 0x2e66 && !is_exact);
    wsim_format_read(f16, "0.1", WSIM_RP, &is_exact, &bits, NULL);
    ck_assert(bits == 0x2e67 && !is_exact);
    wsim_format_read(f16, "1e9", WSIM_RN, &is_exact, &bits, NULL);
    ck_assert(bits == 0x7c00 && !is_exact);
    wsim_format_read(f16, "2048", WSIM_RN, &is_exact, &bits, NULL);
    ck_assert(bits == 0x6800 && is_exact);
    wsim_format_read(u8, "-3", WSIM_RN, &is_exact, &bits, NULL);
    ck_assert(bits == 0 && !is_exact);
    ck_assert_uint_eq(wsim_format_convert(wsim_format_find("f32"), 0x3dcccccd, f16, WSIM_RN),
                      0x2e66);
}
END_TEST

START_TEST(texts_look_so) {
    static const struct {
        const char *format, *text;
        uint64_t bits;
    } shown[] = {{"f16", "0.1", 0x2e66},
                 {"f16", "65504", 0x7bff},
                 {"f16", "6e-8", 1},
                 {"f16", "-0", 0x8000},
                 {"f32", "3.4028235e+38", 0x7f7fffff},
                 {"f32", "16777216", 0x4b800000},
                 {"e4m3", "448", 0x7e},
                 {"s8", "-128", 0x80},
                 {"b16", "65535", 0xffff},
                 {"f16", "-inf", 0xfc00},
                 {"f16", "nan", 0xfe01},
                 {"f32", "0.00001", 0x3727c5ac}};
    for (int i = 0; i < COUNT(shown); i++) {
        char text[WSIM_NUMBER_TEXT];
        wsim_format_write(wsim_format_find(shown[i].format), shown[i].bits, text);
        ck_assert_str_eq(text, shown[i].text);
    }
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{every_number_has_a_text, 0, COUNT(formats)},
                                       {doubles_are_short, 0, 1},
                                       {decimals_are_rounded_once, 0, 1},
                                       {texts_that_are_exact, 0, COUNT(exact)},
                                       {texts_that_are_refused, 0, COUNT(wrong)},
                                       {rounding_is_told, 0, 1},
                                       {texts_look_so, 0, 1}};
    return every_run("unit/num/text", tests, COUNT(tests));
}
