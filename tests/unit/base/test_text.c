/* test_text.c - a refusal fills the diag and returns its status; bounded text never grows past its
 * end; every status has a word. */
#include "../../every.h"

#include "../../../sim/base/base.h"

START_TEST(a_refusal_is_rule_status_column_and_sentence) {
    struct wsim_diag diag = {WSIM_OK, 9, 9, NULL, "before"};
    ck_assert_int_eq(base_refuse(&diag, RULE_MATRIX_ROW_ALIGN, 4, "lane %d", 3), WSIM_ALIGN);
    ck_assert_int_eq(diag.status, WSIM_ALIGN);
    ck_assert_str_eq(diag.rule, "matrix.row.align");
    ck_assert_uint_eq(diag.line, 0);
    ck_assert_uint_eq(diag.col, 4);
    ck_assert_str_eq(diag.text, "lane 3");
    ck_assert_int_eq(base_refuse(NULL, RULE_MEMORY_BOUNDS, 0, "nobody listens"), WSIM_BOUNDS);
}
END_TEST

START_TEST(a_refusal_is_repeated_under_its_rule) {
    struct wsim_diag why = {WSIM_OK, 9, 9, NULL, "before"}, diag = why;
    base_refuse(&why, RULE_MEMORY_HEAP_FULL, 4, "lane %d", 3);
    ck_assert_int_eq(base_repeat(&diag, &why, 5, "case %d: %s", 8, why.text), WSIM_NO_MEMORY);
    ck_assert_int_eq(diag.status, WSIM_NO_MEMORY);
    ck_assert_str_eq(diag.rule, "memory.heap.full");
    ck_assert_uint_eq(diag.line, 0);
    ck_assert_uint_eq(diag.col, 5);
    ck_assert_str_eq(diag.text, "case 8: lane 3");
    ck_assert_int_eq(base_repeat(NULL, &why, 0, "nobody listens"), WSIM_NO_MEMORY);
}
END_TEST

START_TEST(a_long_sentence_is_cut) {
    struct wsim_diag diag;
    base_refuse(&diag, RULE_SPELLING_QUALIFIER_EMPTY, 1, "%*d", 2 * WSIM_DIAG_TEXT, 7);
    ck_assert_int_eq((int)strlen(diag.text), WSIM_DIAG_TEXT - 1);
}
END_TEST

START_TEST(a_range_of_one_is_one_number) {
    char out[BASE_RANGE];
    ck_assert_str_eq(base_range(out, 0), "only 0");
    ck_assert_str_eq(base_range(out, 1), "0 to 1");
    ck_assert_str_eq(base_range(out, UINT32_MAX), "0 to 4294967295");
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

/* Rule number i of the table as it is written there. */
static const struct {
    const char *id, *name, *meaning, *source;
    enum wsim_status status;
} rows[] = {
#define RULE(id, name, status, meaning, source) {#id, name, meaning, source, WSIM_##status},
#include "../../../sim/base/rule.def"
};

START_TEST(rules_are_sorted_and_none_is_there_twice) {
    int i;
    for (i = 1; i < COUNT(rows); i++)
        expect(strcmp(rows[i - 1].name, rows[i].name) < 0, "%s stands after %s", rows[i].name,
               rows[i - 1].name);
}
END_TEST

/* MATRIX_ROW_ALIGN is "matrix.row.align": one name in two alphabets. */
START_TEST(a_rule_has_one_name) {
    const char *id = rows[_i].id, *name = rows[_i].name;
    size_t i, dots = 0;
    ck_assert_uint_eq(strlen(id), strlen(name));
    for (i = 0; name[i]; i++) {
        int letter = name[i] >= 'a' && name[i] <= 'z';
        dots += name[i] == '.';
        expect(id[i] == (letter ? name[i] - 'a' + 'A' : '_'), "%s is not %s", id, name);
        expect(letter || name[i] == '.' || name[i] == '_', "%s has %c", name, name[i]);
    }
    expect(dots == 1 || dots == 2, "%s is not room.thing.wrong", name);
}
END_TEST

START_TEST(a_rule_has_a_sentence_and_a_source) {
    const char *meaning = rows[_i].meaning, *source = rows[_i].source;
    size_t n = strlen(meaning), i;
    expect(n > 10 && meaning[n - 1] == '.', "%s: no full stop", rows[_i].name);
    expect(meaning[0] >= 'A' && meaning[0] <= 'Z', "%s: no capital", rows[_i].name);
    for (i = 0; i + 2 < n; i++)
        expect(memcmp(meaning + i, ". ", 2) != 0, "%s: two sentences", rows[_i].name);
    expect(!strpbrk(meaning, "\"|\n") && !strpbrk(source, "\"|\n"), "%s: not for tables",
           rows[_i].name);
    expect(n + strlen(source) < 900, "%s: too long", rows[_i].name);
    expect(*source && source[strlen(source) - 1] != '.', "%s: no source", rows[_i].name);
}
END_TEST

START_TEST(rules_are_found_by_name) {
    struct wsim_rule rule;
    ck_assert_int_eq(wsim_rule_find(rows[_i].name, &rule), 1);
    ck_assert_str_eq(rule.name, rows[_i].name);
    ck_assert_str_eq(rule.meaning, rows[_i].meaning);
    ck_assert_str_eq(rule.source, rows[_i].source);
    ck_assert_int_eq(rule.status, rows[_i].status);
    expect(strcmp(wsim_status_name(rule.status), "unknown") != 0, "%s: no status", rule.name);
}
END_TEST

START_TEST(rules_are_stepped_through_once_each) {
    struct wsim_rule rule = {"untouched", WSIM_OK, "", ""};
    uint32_t cursor = 0;
    int n = 0;
    while (wsim_rule_next(&cursor, &rule))
        ck_assert_str_eq(rule.name, rows[n++].name);
    ck_assert_int_eq(n, COUNT(rows));
    rule.name = "untouched";
    ck_assert_int_eq(wsim_rule_next(&cursor, &rule), 0);
    cursor = UINT32_MAX;
    ck_assert_int_eq(wsim_rule_next(&cursor, &rule), 0);
    ck_assert_int_eq(wsim_rule_find("no.such.rule", &rule), 0);
    ck_assert_int_eq(wsim_rule_find("", &rule), 0);
    ck_assert_str_eq(rule.name, "untouched");
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{a_refusal_is_rule_status_column_and_sentence, 0, 1},
                                       {a_refusal_is_repeated_under_its_rule, 0, 1},
                                       {a_long_sentence_is_cut, 0, 1},
                                       {a_range_of_one_is_one_number, 0, 1},
                                       {text_stays_inside_and_terminated, 0, 1},
                                       {text_without_room_takes_nothing, 0, 1},
                                       {every_status_has_a_word_of_its_own, 0, 1},
                                       {the_version_is_three_numbers, 0, 1},
                                       {rules_are_sorted_and_none_is_there_twice, 0, 1},
                                       {a_rule_has_one_name, 0, COUNT(rows)},
                                       {a_rule_has_a_sentence_and_a_source, 0, COUNT(rows)},
                                       {rules_are_found_by_name, 0, COUNT(rows)},
                                       {rules_are_stepped_through_once_each, 0, 1}};
    return every_run("unit/base/text", tests, COUNT(tests));
}
