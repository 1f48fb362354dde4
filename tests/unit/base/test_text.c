/* test_text.c - a refusal fills the diag and returns its status; bounded text never grows past its
 * end; every status has a word. */
#include "../../every.h"

#include "../../../sim/base/base.h"

START_TEST(a_refusal_is_status_column_and_sentence) {
    struct wsim_diag diag = {WSIM_OK, 9, 9, NULL, "before"};
    ck_assert_int_eq(base_refuse(&diag, WSIM_ALIGN, 4, "lane %d", 3), WSIM_ALIGN);
    ck_assert_int_eq(diag.status, WSIM_ALIGN);
    ck_assert_uint_eq(diag.line, 0);
    ck_assert_uint_eq(diag.col, 4);
    ck_assert_str_eq(diag.text, "lane 3");
    ck_assert_int_eq(base_refuse(NULL, WSIM_BOUNDS, 0, "nobody listens"), WSIM_BOUNDS);
}
END_TEST

START_TEST(a_long_sentence_is_cut) {
    struct wsim_diag diag;
    base_refuse(&diag, WSIM_SYNTAX, 1, "%*d", 2 * WSIM_DIAG_TEXT, 7);
    ck_assert_int_eq((int)strlen(diag.text), WSIM_DIAG_TEXT - 1);
}
END_TEST

START_TEST(text_stays_inside_and_terminated) {
    char room[8] = "#######";
    struct base_text text = {room, 6, 0};
    base_put(&text, "%s", "ab");
    base_put(&text, "%d", 12);
    ck_assert_str_eq(room, "ab12");
    base_put(&text, "%s", "345");
    ck_assert_str_eq(room, "ab123");
    base_put(&text, "%s", "6");
    ck_assert_str_eq(room, "ab123");
    ck_assert_int_eq(room[6], '#');
}
END_TEST

START_TEST(text_without_room_takes_nothing) {
    struct base_text nowhere = {NULL, 0, 0};
    base_put(&nowhere, "%s", "gone");
    ck_assert_uint_eq(nowhere.used, 0);
}
END_TEST

START_TEST(every_status_has_a_word_of_its_own) {
    int s, other;
    for (s = WSIM_OK; s <= WSIM_NO_MEMORY; s++) {
        const char *word = wsim_status_name((enum wsim_status)s);
        ck_assert_str_ne(word, "unknown");
        for (other = WSIM_OK; other < s; other++)
            ck_assert_str_ne(word, wsim_status_name((enum wsim_status)other));
    }
    ck_assert_str_eq(wsim_status_name(WSIM_OK), "ok");
    ck_assert_str_eq(wsim_status_name((enum wsim_status)(WSIM_NO_MEMORY + 1)), "unknown");
}
END_TEST

START_TEST(the_version_is_three_numbers) {
    int major, minor, patch, end = 0;
    ck_assert_int_eq(sscanf(wsim_version(), "%d.%d.%d%n", &major, &minor, &patch, &end), 3);
    ck_assert_int_eq(wsim_version()[end], 0);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {a_refusal_is_status_column_and_sentence, 0, 1}, {a_long_sentence_is_cut, 0, 1},
        {text_stays_inside_and_terminated, 0, 1},        {text_without_room_takes_nothing, 0, 1},
        {every_status_has_a_word_of_its_own, 0, 1},      {the_version_is_three_numbers, 0, 1}};
    return every_run("unit/base/text", tests, COUNT(tests));
}
