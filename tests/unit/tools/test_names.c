/* Words of users: what is shown of them, what they stand for, what was meant by one that is none.
 */
#include "../../../tools/wsim/common/names.c"
#include "../../../tools/wsim/common/text.c"
#include "../../run.h"

#include <check.h>

#define COUNT(list) ((int)(sizeof(list) / sizeof(list)[0]))

static const struct {
    const char *text, *shown;
} masked[] = {
    {"", ""},
    {"plain ~", "plain ~"},
    {"a\tb\nc\r", "a?b?c?"},
    {"\x1b[31m", "?[31m"},
    {"\x7f", "?"},
    {"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
    {"\xc2\x9b", "??"},                  /* a control character in two bytes */
    {"\xff\xfe", "??"},                  /* no UTF-8 */
    {"\xc0\xaf \xe0\x80\xaf", "?? ???"}, /* longer than need be */
    {"\xed\xa0\x80", "???"},             /* a half of a pair */
    {"\xf4\x90\x80\x80", "????"},        /* beyond the last character */
    {"\xe2\x82", "??"},                  /* cut off */
    {"\xe2\x80\xae", "???"},             /* turns the direction of what follows */
    {"\xe2\x80\xa8\xe2\x81\xa6", "??????"},
};

START_TEST(what_a_terminal_obeys_is_masked) {
    char text[64];
    snprintf(text, sizeof text, "%s", masked[_i].text);
    text_mask(text);
    ck_assert_str_eq(text, masked[_i].shown);
}
END_TEST

START_TEST(lines_and_tabs_stay) {
    static const char bytes[] = "a\tb\033\nc\0d";
    char text[sizeof bytes];
    text_mask_lines(text, bytes, sizeof bytes - 1);
    ck_assert_str_eq(text, "a\tb?\nc?d");
}
END_TEST

START_TEST(long_texts_are_cut) {
    char text[TEXT_CUT + 8];
    memset(text, 'x', sizeof text);
    text[TEXT_CUT] = '\0';
    ck_assert_str_eq(text_cut(text).text, text);
    text[TEXT_CUT] = 'x';
    text[TEXT_CUT + 1] = '\0';
    ck_assert_uint_eq(strlen(text_cut(text).text), TEXT_CUT + 3);
    ck_assert_str_eq(text_cut(text).text + TEXT_CUT, "...");
    for (int before = 0; before < 4;
         before++) { /* a character of four bytes is whole or not there */
        struct cut_text cut;
        memset(text, 'x', sizeof text);
        memcpy(text + TEXT_CUT - before, "\xf0\x9f\x98\x80", 4);
        text[TEXT_CUT + 5] = '\0';
        cut = text_cut(text);
        ck_assert_str_eq(cut.text + TEXT_CUT - before, "...");
    }
}
END_TEST

static const struct {
    const char *a, *b;
    unsigned distance;
} pairs[] = {
    {"", "", 0},    {"bank", "banks", 1},     {"shwo", "show", 1},      {"LAYOUT", "layout", 0},
    {"abc", "", 3}, {"kitten", "sitting", 3}, {"swizle", "swizzle", 1}, {"tma", "mma", 1}};

START_TEST(distances) {
    ck_assert_uint_eq(name_distance(pairs[_i].a, pairs[_i].b), pairs[_i].distance);
}
END_TEST

START_TEST(hints_are_near) {
    const char *const names[] = {"layout", "banks", "--version", "tma"};
    char longest[NAME_FAR + 8];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    ck_assert_str_eq(name_near("lay", names, 4).text, "; did you mean 'layout'?");
    ck_assert_str_eq(name_near("bakns", names, 4).text, "; did you mean 'banks'?");
    ck_assert_str_eq(name_near("version", names, 4).text, "; did you mean '--version'?");
    ck_assert_str_eq(name_near("--versoin", names, 4).text, "; did you mean '--version'?");
    ck_assert_str_eq(name_near("x", names, 4).text, "");
    ck_assert_str_eq(name_near("", names, 4).text, "");
    ck_assert_str_eq(name_near(longest, names, 4).text, "");
}
END_TEST

static const struct {
    const char *text, *arch;
} archs[] = {{"sm_90a", "sm_90a"},
             {"SM90A", "sm_90a"},
             {"90a", "sm_90a"},
             {"sm-80", "sm_80"},
             {"H100 SXM", "sm_90a"},
             {"NVIDIA H200", "sm_90a"},
             {"RTX 4090", "sm_89"},
             {"GeForce RTX 5090", "sm_120a"},
             {"NVIDIA A100-SXM4-80GB", "sm_80"},
             {"Tesla T4", "sm_75"}};

START_TEST(architectures_by_what_they_are_called) {
    const struct wsim_arch *arch = wsim_arch_called(archs[_i].text);
    ck_assert_ptr_nonnull(arch);
    ck_assert_str_eq(wsim_arch_name(arch), archs[_i].arch);
}
END_TEST

START_TEST(architectures_that_nobody_has) {
    static const char *const texts[] = {"",      " ",      "sm",      "sm_",  "RTX",
                                        "H100X", "NVIDIA", "GeForce", "sm_91"};
    for (int i = 0; i < COUNT(texts); i++)
        ck_assert_msg(wsim_arch_called(texts[i]) == NULL, "%s", texts[i]);
}
END_TEST

START_TEST(words_for_types) {
    ck_assert_str_eq(named_types("fp8").type[1], "e5m2");
    ck_assert_str_eq(named_types("e4m3").type[0], "e4m3");
    ck_assert_ptr_null(named_types("e4m3").type[1]);
}
END_TEST

int main(void) {
    TCase *tcase = tcase_create("names");
    tcase_add_loop_test(tcase, what_a_terminal_obeys_is_masked, 0, COUNT(masked));
    tcase_add_test(tcase, lines_and_tabs_stay);
    tcase_add_test(tcase, long_texts_are_cut);
    tcase_add_loop_test(tcase, distances, 0, COUNT(pairs));
    tcase_add_test(tcase, hints_are_near);
    tcase_add_loop_test(tcase, architectures_by_what_they_are_called, 0, COUNT(archs));
    tcase_add_test(tcase, architectures_that_nobody_has);
    tcase_add_test(tcase, words_for_types);
    return run_case("names", tcase);
}
