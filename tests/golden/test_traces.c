/* Every recording in traces/ comes out of the model bit for bit. No case may be unsupported, no
 * file may be empty, and the operations that have no recording are those of untraced.txt, neither
 * more nor fewer. Needs zstd: without it the test is skipped, not passed. */
#define _XOPEN_SOURCE 700 /* nftw */
#include "../../tools/wsim/trace_file.h"

#include <check.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wsim/wsim.h>

enum { MAX_FILES = 256, MAX_OPS = 2048, SKIPPED = 77 };

static char files[MAX_FILES][512];
static int nfiles;

/* Canonical spellings. */
struct spellings {
    char text[MAX_OPS][WSIM_SPELLING_MAX];
    int n;
};

static int has(const struct spellings *list, const char *spelling) {
    int i;
    for (i = list->n; i > 0; i--)
        if (strcmp(list->text[i - 1], spelling) == 0)
            return 1;
    return 0;
}

static void put(struct spellings *list, const char *spelling) {
    if (has(list, spelling))
        return;
    ck_assert_int_lt(list->n, MAX_OPS);
    snprintf(list->text[list->n++], WSIM_SPELLING_MAX, "%s", spelling);
}

/* A path that may be a trace goes on the list; .md and binary companions do not. */
static int visit(const char *path, const struct stat *what, int type, struct FTW *at) {
    (void)what;
    if (type != FTW_F || !strstr(path + at->base, ".trace"))
        return 0;
    if (nfiles == MAX_FILES || strlen(path) >= sizeof files[0])
        return 1;
    strcpy(files[nfiles++], path);
    return 0;
}

/* Folder of a file, in `out`. */
static const char *folder(const char *path, char out[512]) {
    size_t length = (size_t)(strrchr(path, '/') - path);
    memcpy(out, path, length); /* fits: visit saw to it */
    out[length] = '\0';
    return out;
}

static void replay_case(struct wsim_trace *trace, const char *path, unsigned line) {
    static const char *const words[] = {"equal", "different", "unsupported"};
    struct wsim_replay replay;
    wsim_trace_replay(trace, NULL, &replay);
    ck_assert_msg(replay.verdict == WSIM_EQUAL,
                  "%s:%u: %s: %s, %llu differences, first in %s lane %u register %u row %u column "
                  "%u byte %u: expected %llx, got %llx %s",
                  path, line, wsim_trace_spelling(trace), words[replay.verdict],
                  (unsigned long long)replay.differences,
                  replay.first.field ? replay.first.field : "nothing", replay.first.place.lane,
                  replay.first.place.reg, replay.first.coord.row, replay.first.coord.col,
                  (unsigned)replay.first.offset, (unsigned long long)replay.first.expected,
                  (unsigned long long)replay.first.got, replay.why.text);
}

/* Calls `each` for the cases of a file and returns how many there are. */
static unsigned for_cases(const char *path,
                          void (*each)(struct wsim_trace *, const char *, unsigned),
                          struct spellings *seen) {
    char dir[512];
    struct wsim_trace *trace = wsim_trace_new(folder(path, dir));
    struct trace_file *file = trace_file_open(path);
    struct wsim_diag diag = {WSIM_OK, 0, 0, ""};
    const char *text;
    size_t length;
    int more, is_case;
    unsigned line = 0, cases = 0;
    ck_assert_ptr_nonnull(trace);
    ck_assert_msg(file != NULL, "%s cannot be opened", path);
    while ((more = trace_file_next(file, &text, &length)) > 0) {
        line++;
        ck_assert_msg(wsim_trace_line(trace, text, length, &is_case, &diag) == WSIM_OK,
                      "%s:%u:%u: %s", path, line, (unsigned)diag.col, diag.text);
        if (!is_case)
            continue;
        cases++;
        if (each)
            each(trace, path, line);
        if (seen && strcmp(wsim_trace_header(trace, "arch"), "sm_90a") == 0) {
            char spelling[WSIM_SPELLING_MAX];
            struct wsim_op op;
            ck_assert_int_eq(wsim_op_parse(wsim_trace_spelling(trace), &op, &diag), WSIM_OK);
            wsim_op_spell(&op, spelling);
            put(seen, spelling);
        }
    }
    ck_assert_msg(more == 0, "%s:%u: %s", path, line + 1, trace_file_problem(file));
    trace_file_close(file);
    wsim_trace_free(trace);
    return cases;
}

START_TEST(every_recording_is_equal) {
    unsigned cases = for_cases(files[_i], replay_case, NULL);
    printf("%s: %u cases equal\n", files[_i], cases);
    ck_assert_uint_gt(cases, 0);
}
END_TEST

START_TEST(the_recordings_the_tables_cite_are_there) {
    static const char *const cited[] = {"mma", "move", "banks"};
    unsigned i;
    for (i = 0; i < sizeof cited / sizeof cited[0]; i++) {
        char name[64];
        int f, found = 0;
        snprintf(name, sizeof name, "/sm_90a/%s.trace", cited[i]);
        for (f = 0; f < nfiles; f++)
            found |= strstr(files[f], name) != NULL;
        ck_assert_msg(found, "traces%s is missing", name);
    }
}
END_TEST

static void read_untraced(struct spellings *list) {
    FILE *file = fopen(WSIM_SOURCE_DIR "/tests/golden/untraced.txt", "r");
    char line[WSIM_SPELLING_MAX + 2];
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] && line[0] != '#')
            put(list, line);
    }
    fclose(file);
}

START_TEST(operations_without_a_recording_are_listed) {
    static struct spellings traced, untraced, needed;
    const struct wsim_arch *arch = wsim_arch_find("sm_90a");
    struct wsim_op op = {0};
    uint32_t cursor = 0;
    int f, i, missing = 0, stale = 0, legal = 0;
    for (f = 0; f < nfiles; f++)
        for_cases(files[f], NULL, &traced);
    read_untraced(&untraced);
    while (wsim_op_next(&cursor, &op)) {
        char spelling[WSIM_SPELLING_MAX];
        if (wsim_op_check(&op, arch, NULL) != WSIM_OK)
            continue;
        legal++;
        wsim_op_spell(&op, spelling);
        if (has(&traced, spelling))
            continue;
        put(&needed, spelling);
        printf("no recording: %s\n", spelling);
        if (!has(&untraced, spelling) && ++missing)
            printf("   ... and untraced.txt does not say so\n");
    }
    for (i = 0; i < untraced.n; i++)
        if (!has(&needed, untraced.text[i]) && ++stale)
            printf("stale line in untraced.txt: %s\n", untraced.text[i]);
    printf("sm_90a: %d operations, %d with a recording, %d without\n", legal, legal - needed.n,
           needed.n);
    ck_assert_int_eq(missing, 0);
    ck_assert_int_eq(stale, 0);
}
END_TEST

static Suite *suite(void) {
    Suite *s = suite_create("golden");
    TCase *tc = tcase_create("traces");
    tcase_set_timeout(tc, 300);
    tcase_add_loop_test(tc, every_recording_is_equal, 0, nfiles);
    tcase_add_test(tc, the_recordings_the_tables_cite_are_there);
    tcase_add_test(tc, operations_without_a_recording_are_listed);
    suite_add_tcase(s, tc);
    return s;
}

#ifdef HAVE_ZSTD
#define CAN_READ 1
#else
#define CAN_READ 0
#endif

int main(void) {
    SRunner *runner;
    int failed;
    if (!CAN_READ) {
        puts("skipped: this build cannot read zstd");
        return SKIPPED;
    }
    if (nftw(WSIM_SOURCE_DIR "/traces", visit, 16, FTW_PHYS) != 0) {
        puts("cannot list " WSIM_SOURCE_DIR "/traces");
        return EXIT_FAILURE;
    }
    runner = srunner_create(suite());
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
