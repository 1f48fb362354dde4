/* Findings that are left out: by entries RULE@PLACE:LINE, by comments, by a baseline. Nothing else
 * is. Unused entries have a name, wrong ones the nearest rule. */
#include "../../run.h"

#include <check.h>
#include <string.h>
#include <wsim/harness/suppress.h>

#define COUNT(list) ((int)(sizeof(list) / sizeof(list)[0]))

static const struct wsim_suppress_finding race = {.rule = "race.global",
                                                  .kernel = "_ZN2ns4raceILi4EEEvPf",
                                                  .file = "/home/me/src/sum.cu",
                                                  .line = 41,
                                                  .other_file = "/home/me/src/load.cuh",
                                                  .other_line = 7,
                                                  .fingerprint = 5};

static struct wsim_suppress *list_of(const char *const *ignore,
                                     const struct wsim_lint_baseline *baseline,
                                     const char *(*text)(void *user, const char *file)) {
    const struct wsim_suppress_options options = {
        .ignore = ignore, .baseline = baseline, .text = text};
    struct wsim_suppress *list;
    struct wsim_diag diag;
    ck_assert_int_eq(wsim_suppress_make(&options, &list, &diag), WSIM_OK);
    return list;
}

static const struct {
    const char *entry;
    int fits;
} entries[] = {{"race", 1},
               {"race.global", 1},
               {"race.shared", 0},
               {"init", 0},
               {"race@sum.cu", 1},
               {"race@src/sum.cu", 1},
               {"race@um.cu", 0},
               {"race@sum.cu:41", 1},
               {"race@sum.cu:7", 0},
               {"race@load.cuh:7", 1},
               {"race@load.cuh:41", 0},
               {"race@load.cuh", 1},
               {"race@/home/me/src/sum.cu:41", 1},
               {"race@race", 1},
               {"race@race:41", 1},
               {"race@race:7", 1},
               {"race@race:8", 0},
               {"race@ace", 0},
               {"race@ns", 1},
               {"race@_ZN2ns4raceILi4EEEvPf", 1},
               {"race@_ZN2ns4raceILi4EEEvPf:41", 1},
               {"race@4race", 0},
               {"init@race", 0}};

/* An entry fits a rule and its first words, both places, and names of kernels. */
START_TEST(entry) {
    const char *const ignore[] = {"order.wait", entries[_i].entry, NULL};
    struct wsim_suppress *list = list_of(ignore, NULL, NULL);
    const char *reason;
    const enum wsim_suppress_kind kind = wsim_suppress_find(list, &race, &reason);
    ck_assert_msg((kind == WSIM_SUPPRESS_IGNORED) == entries[_i].fits, "%s", entries[_i].entry);
    ck_assert_str_eq(reason, entries[_i].fits ? entries[_i].entry : "");
    ck_assert_str_eq(wsim_suppress_unused(list, 0), "order.wait");
    ck_assert_int_eq(wsim_suppress_unused(list, 1) == NULL, entries[_i].fits);
    ck_assert_int_eq(wsim_suppress_may(list, "race.global"),
                     strncmp(entries[_i].entry, "race", 4) == 0 &&
                         strncmp(entries[_i].entry, "race.shared", 11) != 0 &&
                         strchr(entries[_i].entry, '@') != NULL);
    wsim_suppress_free(list);
}
END_TEST

/* A call has a function and the file of its code. */
START_TEST(call) {
    static const struct wsim_suppress_finding leak = {
        .rule = "api.leak", .kernel = "main", .object = "/opt/lib/libsum.so.1"};
    static const char *const fit[] = {"api@main", "api.leak@libsum.so.1", "api"};
    static const char *const unfit[] = {"api@mai", "api.leak@sum.so.1", "api.freed"};
    for (int i = 0; i < COUNT(fit); i++) {
        const char *const one[] = {fit[i], NULL}, *const other[] = {unfit[i], NULL};
        struct wsim_suppress *list = list_of(one, NULL, NULL);
        const char *reason;
        ck_assert_int_eq(wsim_suppress_find(list, &leak, &reason), WSIM_SUPPRESS_IGNORED);
        wsim_suppress_free(list);
        list = list_of(other, NULL, NULL);
        ck_assert_int_eq(wsim_suppress_find(list, &leak, &reason), WSIM_SUPPRESS_NOT);
        wsim_suppress_free(list);
    }
}
END_TEST

static const struct {
    const char *entry, *words;
    enum wsim_status status;
} wrong[] = {{"race.globl", "did you mean 'race.global'?", WSIM_OPERAND},
             {"rcae@a.cu", "did you mean 'race'?", WSIM_OPERAND},
             {"api.leek", "did you mean 'api.leak'?", WSIM_OPERAND},
             {"zzzzzz", "is called 'zzzzzz'", WSIM_OPERAND},
             {"race@", "RULE@PLACE:LINE", WSIM_SYNTAX},
             {"race@:7", "RULE@PLACE:LINE", WSIM_SYNTAX},
             {"race@a.cu:0", "RULE@PLACE:LINE", WSIM_SYNTAX},
             {"race@a.cu:7x", "RULE@PLACE:LINE", WSIM_SYNTAX},
             {"race@a b.cu", "RULE@PLACE:LINE", WSIM_SYNTAX},
             {"race,init", "RULE@PLACE:LINE", WSIM_SYNTAX}};

START_TEST(refused) {
    const char *const ignore[] = {"race", wrong[_i].entry, NULL};
    const struct wsim_suppress_options options = {.ignore = ignore};
    struct wsim_suppress *list;
    struct wsim_diag diag;
    ck_assert_int_eq(wsim_suppress_make(&options, &list, &diag), wrong[_i].status);
    ck_assert_msg(strstr(diag.text, wrong[_i].words) != NULL, "%s", diag.text);
    ck_assert_ptr_null(list);
    wsim_suppress_free(NULL);
}
END_TEST

static const char *text_of(void *user, const char *file) {
    static const char one[] = "a\nb // wsim-lint: off-line race -- it is a counter \nc\n",
                      two[] = "/* wsim-lint: off race.global */\nb\n// wsim-lint: on\nd",
                      three[] = "// wsim-lint: off-next-line init\nb\n// wsim-lint: of\nd";
    (void)user;
    return strstr(file, "one.cu")     ? one
           : strstr(file, "two.cu")   ? two
           : strstr(file, "three.cu") ? three
                                      : NULL;
}

static const struct {
    const char *file;
    uint32_t line;
    const char *reason; /* NULL: it counts */
} comments[] = {{"one.cu", 1, NULL},   {"one.cu", 2, "it is a counter"},
                {"one.cu", 3, NULL},   {"one.cu", 9, NULL},
                {"one.cu", 0, NULL},   {"two.cu", 1, ""},
                {"two.cu", 2, ""},     {"two.cu", 4, NULL},
                {"three.cu", 2, NULL}, {"two.cu", 3, NULL},
                {"three.cu", 4, NULL}, {"four.cu", 2, NULL}};

/* Comments are those of lint, at either place. */
START_TEST(comment) {
    for (int other = 0; other < 2; other++) {
        struct wsim_suppress_finding finding = {.rule = "race.global", .kernel = "k"};
        struct wsim_suppress *list = list_of(NULL, NULL, text_of);
        const char *reason;
        finding.file = other ? "none" : comments[_i].file;
        finding.line = other ? 2 : comments[_i].line;
        finding.other_file = other ? comments[_i].file : NULL;
        finding.other_line = other ? comments[_i].line : 0;
        ck_assert_int_eq(wsim_suppress_find(list, &finding, &reason),
                         comments[_i].reason ? WSIM_SUPPRESS_COMMENT : WSIM_SUPPRESS_NOT);
        ck_assert_str_eq(reason, comments[_i].reason ? comments[_i].reason : "");
        wsim_suppress_free(list);
    }
}
END_TEST

/* An entry of a baseline covers the findings of one place. */
START_TEST(baseline) {
    static const char text[] = "race.global 0000000000000005 src/sum.cu\n"
                               "race.global 0000000000000006 src/sum.cu\n";
    struct wsim_suppress_finding finding = race, turned = race;
    struct wsim_lint_baseline *known;
    struct wsim_suppress *list;
    const char *reason;
    ck_assert_int_eq(wsim_lint_baseline_read(text, strlen(text), &known, NULL), WSIM_OK);
    list = list_of(NULL, known, NULL);
    ck_assert_uint_eq(wsim_suppress_stale(list), 2);
    turned.line = race.other_line;
    turned.other_line = race.line;
    ck_assert_int_eq(wsim_suppress_find(list, &finding, &reason), WSIM_SUPPRESS_KNOWN);
    ck_assert_int_eq(wsim_suppress_find(list, &finding, &reason), WSIM_SUPPRESS_KNOWN);
    ck_assert_int_eq(wsim_suppress_find(list, &turned, &reason), WSIM_SUPPRESS_KNOWN);
    ck_assert_uint_eq(wsim_suppress_stale(list), 1);
    finding.line = 42; /* the same words at another line */
    ck_assert_int_eq(wsim_suppress_find(list, &finding, &reason), WSIM_SUPPRESS_NOT);
    finding = race;
    finding.fingerprint = 7;
    ck_assert_int_eq(wsim_suppress_find(list, &finding, &reason), WSIM_SUPPRESS_NOT);
    finding = race;
    finding.rule = "race.shared";
    ck_assert_int_eq(wsim_suppress_find(list, &finding, &reason), WSIM_SUPPRESS_NOT);
    finding = race;
    finding.fingerprint = 6;
    finding.file = "/home/me/other/sum.cu";
    ck_assert_int_eq(wsim_suppress_find(list, &finding, &reason), WSIM_SUPPRESS_NOT);
    finding.file = "src/sum.cu";
    ck_assert_int_eq(wsim_suppress_find(list, &finding, &reason), WSIM_SUPPRESS_KNOWN);
    ck_assert_uint_eq(wsim_suppress_stale(list), 0);
    wsim_suppress_free(list);
    list = list_of(NULL, known, NULL);
    finding = race;
    finding.place = 1;
    ck_assert_int_eq(wsim_suppress_find(list, &finding, &reason), WSIM_SUPPRESS_KNOWN);
    finding.place = 2;
    ck_assert_int_eq(wsim_suppress_find(list, &finding, &reason), WSIM_SUPPRESS_NOT);
    wsim_suppress_free(list);
    wsim_lint_baseline_free(known);
}
END_TEST

/* Blanks and the order of the places change nothing; words do. */
START_TEST(fingerprints) {
    const uint64_t one = wsim_suppress_fingerprint("race.global", "s[i] = 1;", "x = s[j];");
    ck_assert_uint_eq(one, wsim_suppress_fingerprint("race.global", " s[i]=1;\r", "\tx = s[j];"));
    ck_assert_uint_eq(one, wsim_suppress_fingerprint("race.global", "x = s[j];", "s[i] = 1;"));
    ck_assert_uint_ne(one, wsim_suppress_fingerprint("race.shared", "s[i] = 1;", "x = s[j];"));
    ck_assert_uint_ne(one, wsim_suppress_fingerprint("race.global", "s[i] = 2;", "x = s[j];"));
    ck_assert_uint_ne(one, wsim_suppress_fingerprint("race.global", "s[i] = 1;", NULL));
    ck_assert_uint_eq(wsim_suppress_fingerprint("race", NULL, NULL),
                      wsim_suppress_fingerprint("race", NULL, NULL));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("suppress");
    TCase *tcase = tcase_create("suppress");
    tcase_add_loop_test(tcase, entry, 0, COUNT(entries));
    tcase_add_test(tcase, call);
    tcase_add_loop_test(tcase, refused, 0, COUNT(wrong));
    tcase_add_loop_test(tcase, comment, 0, COUNT(comments));
    tcase_add_test(tcase, baseline);
    tcase_add_test(tcase, fingerprints);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
