/* A difference is found at its place, with the distance of floats; lines may come in any order.
 */
#include "../../run.h"

#include <check.h>
#include <string.h>
#include <wsim/harness/launch.h>

/* --- bytes --- */

START_TEST(one_byte_is_found_wherever_it_is) {
    static uint8_t want[9001], got[9001];
    static const uint64_t places[] = {0, 1, 4095, 4096, 8191, 8192, 8999, 9000};
    const struct wsim_launch_limits none = {0};
    const uint64_t at = places[_i];
    struct wsim_launch_comparison c;
    for (unsigned i = 0; i < sizeof want; i++)
        want[i] = got[i] = (uint8_t)(i * 7 + 1);
    got[at] ^= 0x40;
    wsim_launch_compare(want, got, sizeof want, &none, &c);
    ck_assert_uint_eq(c.compared, sizeof want);
    ck_assert_uint_eq(c.different, 1);
    ck_assert_uint_eq(c.first, at);
    ck_assert_uint_eq(c.word, at / 4);
    ck_assert_uint_eq(c.start, at / 4 * 4);
    ck_assert_uint_eq(c.width, at == 9000 ? 1 : 4);
    ck_assert_uint_eq(c.want ^ c.got, UINT64_C(0x40) << 8 * (at % 4));
    got[at] ^= 0x40;
    wsim_launch_compare(want, got, sizeof want, &none, &c);
    ck_assert_uint_eq(c.different, 0);
}
END_TEST

/* --- floats --- */

static struct wsim_launch_limits limits_of(const char *type, double abs, double rel, uint64_t ulp) {
    return (struct wsim_launch_limits){
        .format = wsim_format_find(type), .given = 1, .abs = abs, .rel = rel, .ulp = ulp};
}

static uint64_t compare_f32(uint32_t want, uint32_t got, const struct wsim_launch_limits *limits,
                            struct wsim_launch_comparison *c) {
    uint8_t a[12] = {0}, b[12] = {0}; /* in the middle of three */
    for (int i = 0; i < 4; i++) {
        a[4 + i] = (uint8_t)(want >> 8 * i);
        b[4 + i] = (uint8_t)(got >> 8 * i);
    }
    wsim_launch_compare(a, b, sizeof a, limits, c);
    ck_assert_uint_eq(c->compared, 3);
    if (c->different)
        ck_assert_uint_eq(c->first, 1);
    return c->different;
}

START_TEST(floats_are_as_near_as_the_limits_say) {
    static const struct {
        uint32_t want, got;
        double abs, rel;
        uint64_t ulp, different;
    } cases[] = {
        {0x3F800000, 0x3F800001, 0, 0, 0, 1},        {0x3F800000, 0x3F800001, 0, 0, 1, 0},
        {0x3F800000, 0x3F7FFFFE, 0, 0, 1, 1},        {0x3F800000, 0x3F7FFFFE, 0, 0, 2, 0},
        {0x00000000, 0x80000000, 0, 0, 0, 0},        {0x00000001, 0x80000001, 0, 0, 1, 1},
        {0x00000001, 0x80000001, 0, 0, 2, 0},        {0x40000000, 0x40400000, 0.99, 0, 0, 1},
        {0x40000000, 0x40400000, 1, 0, 0, 0},        {0x40000000, 0x40400000, 0, 0.49, 0, 1},
        {0x40000000, 0x40400000, 0, 0.5, 0, 0},      {0x40000000, 0x40400000, 0.5, 0.25, 0, 0},
        {0x7FC00000, 0x7FFFFFFF, 0, 0, 0, 0},        {0x7FC00000, 0x3F800000, 9, 9, 1u << 31, 1},
        {0x3F800000, 0x7FC00000, 9, 9, 1u << 31, 1}, {0x7F800000, 0x7F7FFFFF, 1e39, 9, 9, 1},
        {0x7F800000, 0xFF800000, 9, 9, 1u << 31, 1}, {0x7F800000, 0x7F800000, 0, 0, 0, 0},
        {0x7F7FFFFF, 0x7F800000, 9, 9, 9, 1},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct wsim_launch_limits limits =
            limits_of("f32", cases[i].abs, cases[i].rel, cases[i].ulp);
        struct wsim_launch_comparison c;
        ck_assert_msg(compare_f32(cases[i].want, cases[i].got, &limits, &c) == cases[i].different,
                      "case %u", i);
    }
}
END_TEST

START_TEST(how_far_off_is_told) {
    const struct wsim_launch_limits limits = limits_of("f32", 10, 0, 0);
    struct wsim_launch_comparison c;
    char words[WSIM_LAUNCH_WORDS];
    compare_f32(0x40000000, 0x40400000, &limits, &c); /* 2 and 3 */
    ck_assert_uint_eq(c.unequal, 1);
    ck_assert_double_eq(c.abs, 1);
    ck_assert_double_eq(c.rel, 0.5);
    ck_assert_uint_eq(c.ulp, 0x400000);
    wsim_launch_compare_words(&c, &limits, words);
    ck_assert_ptr_nonnull(strstr(words, "within its limits, 1 of 3"));
}
END_TEST

START_TEST(elements_of_two_and_eight_bytes_are_told_apart) {
    const struct wsim_launch_limits half = limits_of("bf16", 0, 0, 0),
                                    wide = limits_of("f64", 0, 0, 0);
    uint8_t want[32] = {0}, got[32] = {0};
    struct wsim_launch_comparison c;
    got[23] = 0x40;
    wsim_launch_compare(want, got, sizeof want, &half, &c);
    ck_assert_uint_eq(c.first, 11);
    ck_assert_uint_eq(c.start, 22);
    ck_assert_uint_eq(c.got, 0x4000);
    wsim_launch_compare(want, got, sizeof want, &wide, &c);
    ck_assert_uint_eq(c.first, 2);
    ck_assert_uint_eq(c.got, UINT64_C(0x40) << 56);
}
END_TEST

/* --- elements of arrays --- */

static void words_of(const void *want, const void *got, uint64_t size,
                     const struct wsim_launch_limits *limits, const char *words) {
    char text[WSIM_LAUNCH_WORDS];
    struct wsim_launch_comparison c;
    wsim_launch_compare(want, got, size, limits, &c);
    ck_assert(c.elements);
    wsim_launch_compare_words(&c, limits, text);
    ck_assert_str_eq(text, words);
}

START_TEST(elements_have_a_row_and_a_column) {
    const uint32_t one = 0x3F800000, two = 0x40000000;
    uint8_t want[24] = {0}, got[24] = {0};
    struct wsim_launch_limits rows = {
        .array = {.kind = 'f', .bytes = 4, .rank = 2, .extent = {2, 3}}};
    words_of(want, got, sizeof want, &rows, "equal, 6 elements");
    for (unsigned i = 0; i < 4; i++) {
        want[16 + i] = (uint8_t)(one >> 8 * i);
        got[16 + i] = (uint8_t)(two >> 8 * i);
    }
    words_of(want, got, sizeof want, &rows,
             "1 of 6 elements differ, first [1, 1]: 1 (0x3f800000) expected, got 2 (0x40000000), 1 "
             "apart (8388608 ulp)");
    rows.array.fortran = 1;
    words_of(want, got, sizeof want, &rows,
             "1 of 6 elements differ, first [0, 2]: 1 (0x3f800000) expected, got 2 (0x40000000), 1 "
             "apart (8388608 ulp)");
    rows.array = (struct wsim_npy){.kind = 'i', .bytes = 2, .rank = 1, .extent = {12}};
    words_of(want, got, sizeof want, &rows,
             "1 of 12 elements differ, first element 9: 16256 expected, got 16384");
    got[19] = 0xFF;
    words_of(want, got, sizeof want, &rows,
             "1 of 12 elements differ, first element 9: 16256 expected, got -256");
}
END_TEST

/* --- lines --- */

static void check_lines(const char *want, const char *got, uint64_t missing, const char *first,
                        uint64_t line, uint64_t extra) {
    struct wsim_launch_lines o;
    ck_assert_int_eq(wsim_launch_compare_lines(want, strlen(want), got, strlen(got), &o, NULL),
                     WSIM_OK);
    ck_assert_uint_eq(o.missing, missing);
    ck_assert_uint_eq(o.extra, extra);
    ck_assert_uint_eq(o.missing_line, line);
    if (first)
        ck_assert(o.missing_length == strlen(first) &&
                  memcmp(o.first_missing, first, o.missing_length) == 0);
}

START_TEST(lines_are_the_same_in_any_order) {
    check_lines("a\nb\nb\nc\n", "b\nc\na\nb\n", 0, NULL, 0, 0);
    check_lines("a\nb\nb\nc\n", "b\nc\na\n", 1, "b", 3, 0);
    check_lines("z\na\n", "b\n", 2, "z", 1, 1);
    check_lines("", "", 0, NULL, 0, 0);
    check_lines("a", "a\n", 0, NULL, 0, 0);
    check_lines("a\n\n", "a\n", 1, "", 2, 0);
    check_lines("ab\n", "a\nb\n", 1, "ab", 1, 2);
    check_lines("", "a\nb\n", 0, NULL, 0, 2);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {one_byte_is_found_wherever_it_is, 0, 8},
        {floats_are_as_near_as_the_limits_say, 0, 1},
        {how_far_off_is_told, 0, 1},
        {elements_of_two_and_eight_bytes_are_told_apart, 0, 1},
        {elements_have_a_row_and_a_column, 0, 1},
        {lines_are_the_same_in_any_order, 0, 1},
    };
    return every_run("compare", tests, 5);
}
