/* The tables of sim/isa agree with the assembler on every spelling and target. The exception are
 * spellings that PTX ISA 9.0 does not define: they are refused, with that reason. */
#include "../run.h"
#include "table.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A spelling is read once, then asked for on every target. */
struct reading {
    enum wsim_status status;
    struct wsim_op op;
};

static struct table table;
static struct reading *readings;

static void read_table(void) {
    size_t i;
    table_read(&table);
    readings = calloc(table.count, sizeof *readings);
    for (i = 0; i < table.count; i++)
        readings[i].status = wsim_op_parse(table.lines[i].spelling, &readings[i].op, NULL);
}

static void free_table(void) {
    table_free(&table);
    free(readings);
}

static int is_legal(size_t i, size_t target) {
    return readings[i].status == WSIM_OK &&
           wsim_op_check(&readings[i].op, table.targets[target], NULL) == WSIM_OK;
}

static enum wsim_status answer(const char *spelling, size_t target, struct wsim_diag *diag) {
    struct wsim_op op;
    enum wsim_status status = wsim_op_parse(spelling, &op, diag);
    return status ? status : wsim_op_check(&op, table.targets[target], diag);
}

static void show(size_t i, size_t target) {
    const int expected = table_legal(&table.lines[i], target);
    struct wsim_diag diag = {0};
    answer(table.lines[i].spelling, target, &diag);
    printf("%s on %s: expected %s, got %s %s\n", table.lines[i].spelling,
           wsim_arch_name(table.targets[target]), expected ? "legal" : "illegal",
           expected ? "illegal" : "legal", diag.text);
}

START_TEST(every_spelling_on_this_target_as_recorded) {
    enum { SHOWN = 20 };
    const size_t target = (size_t)_i;
    unsigned wrong = 0;
    size_t i;
    for (i = 0; i < table.count; i++)
        if (is_legal(i, target) != table_legal(&table.lines[i], target) && wrong++ < SHOWN)
            show(i, target);
    ck_assert_msg(wrong == 0, "%u of %u spellings wrong on %s", wrong, (unsigned)table.count,
                  wsim_arch_name(table.targets[target]));
}
END_TEST

START_TEST(undocumented_is_refused_by_that_name) {
    size_t i, t;
    for (i = 0; i < table.count; i++)
        for (t = 0; t < TABLE_TARGETS && table.lines[i].class == UNDOCUMENTED; t++) {
            struct wsim_diag diag = {0};
            enum wsim_status status = answer(table.lines[i].spelling, t, &diag);
            ck_assert_msg(status == WSIM_ILLEGAL && strstr(diag.text, "undocumented") != NULL,
                          "%s: %s", table.lines[i].spelling, diag.text);
        }
}
END_TEST

static int is_in_table(const struct wsim_op *op) {
    struct wsim_op_info info = wsim_op_describe(op);
    return info.does && info.threads != WSIM_GROUP_THREADS;
}

START_TEST(every_operation_is_recorded) {
    struct wsim_op op = {0};
    uint32_t cursor = 0;
    unsigned count = 0;
    while (wsim_op_next(&cursor, &op)) {
        char spelling[WSIM_SPELLING_MAX];
        const struct table_line *line;
        if (!is_in_table(&op))
            continue;
        wsim_op_spell(&op, spelling);
        line = table_find(&table, spelling);
        ck_assert_msg(line && (line->class == ISA || line->class == LATER),
                      "%s is not recorded as legal", spelling);
        count++;
    }
    ck_assert_uint_gt(count, 0);
}
END_TEST

/* Order, repetition and synonyms change neither the operation nor where it is legal. */
START_TEST(every_legal_spelling_has_one_canonical_form) {
    size_t i;
    for (i = 0; i < table.count; i++) {
        const struct table_line *line = &table.lines[i], *canonical;
        char spelling[WSIM_SPELLING_MAX];
        struct wsim_op op;
        if (line->class > REPEAT)
            continue;
        ck_assert_int_eq(wsim_op_parse(line->spelling, &op, NULL), WSIM_OK);
        wsim_op_spell(&op, spelling);
        canonical = table_find(&table, spelling);
        ck_assert_msg(canonical && canonical->class == ISA, "%s read as %s, which is no spelling",
                      line->spelling, spelling);
        ck_assert_msg(strcmp(canonical->accepted, line->accepted) == 0,
                      "%s read as %s, which is legal elsewhere", line->spelling, spelling);
    }
}
END_TEST

static int legal_somewhere(const char *spelling) {
    size_t t;
    for (t = 0; t < TABLE_TARGETS; t++)
        if (answer(spelling, t, NULL) == WSIM_OK)
            return 1;
    return 0;
}

START_TEST(every_suggestion_is_legal_somewhere) {
    size_t i;
    for (i = 0; i < table.count; i += run_sample()) {
        const char *spelling = table.lines[i].spelling;
        char suggestion[WSIM_SPELLING_MAX];
        struct wsim_diag diag = {0};
        struct wsim_op op;
        enum wsim_status status = wsim_op_parse(spelling, &op, &diag);
        if (status == WSIM_OK || !wsim_op_nearest(spelling, &op)) /* nothing is near */
            continue;
        wsim_op_spell(&op, suggestion);
        ck_assert_msg(legal_somewhere(suggestion), "%s: suggests %s", spelling, suggestion);
        ck_assert_msg(strstr(diag.text, suggestion) != NULL, "%s: %s", spelling, diag.text);
    }
}
END_TEST

/* The spelling with one letter more in the qualifier at `at`: ".sync" becomes ".sync_". */
static const char *lengthen(const char *spelling, const char *at, char out[WSIM_SPELLING_MAX + 1]) {
    const size_t end = (size_t)(at - spelling) + 1 + strcspn(at + 1, ".");
    snprintf(out, WSIM_SPELLING_MAX + 1, "%.*s_%s", (int)end, spelling, spelling + end);
    return out;
}

static void slip_in_every_word(const char *spelling) {
    char slip[WSIM_SPELLING_MAX + 1], found[WSIM_SPELLING_MAX];
    const char *at;
    for (at = strchr(spelling, '.'); at; at = strchr(at + 1, '.')) {
        struct wsim_diag diag;
        struct wsim_op guess;
        ck_assert_int_eq(wsim_op_parse(lengthen(spelling, at, slip), &guess, &diag), WSIM_SYNTAX);
        ck_assert_uint_eq(diag.col, (size_t)(at - spelling) + 2);
        ck_assert_int_eq(wsim_op_nearest(slip, &guess), 1);
        wsim_op_spell(&guess, found);
        ck_assert_msg(strcmp(found, spelling) == 0, "%s: suggests %s", slip, found);
    }
}

START_TEST(a_slip_of_one_letter_is_put_right) {
    struct wsim_op op = {0};
    uint32_t cursor = 0;
    for (unsigned n = 0; wsim_op_next(&cursor, &op); n++) {
        char spelling[WSIM_SPELLING_MAX];
        if (n % run_sample())
            continue;
        wsim_op_spell(&op, spelling);
        slip_in_every_word(spelling);
    }
}
END_TEST

int main(void) {
    TCase *tcase = tcase_create("recorded answers");
    tcase_add_unchecked_fixture(tcase, read_table, free_table);
    run_add_loop(tcase, every_spelling_on_this_target_as_recorded, 0, TABLE_TARGETS);
    tcase_add_test(tcase, undocumented_is_refused_by_that_name);
    tcase_add_test(tcase, every_operation_is_recorded);
    tcase_add_test(tcase, every_legal_spelling_has_one_canonical_form);
    tcase_add_test(tcase, every_suggestion_is_legal_somewhere);
    tcase_add_test(tcase, a_slip_of_one_letter_is_put_right);
    return run_case("legality", tcase);
}
