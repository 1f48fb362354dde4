/* Every recording in traces/ comes out of the model bit for bit. No case may be unsupported, no
 * file may be empty. Needs zstd: without it the test is skipped, not passed. */
#include "files.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

enum { SKIPPED = 77 };

static int nfiles;

static void replay_case(struct wsim_trace *trace, const char *path, unsigned line, void *about) {
    static const char *const words[] = {"equal", "different", "unsupported"};
    struct wsim_replay replay;
    (void)about;
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

START_TEST(every_recording_is_equal) {
    unsigned cases = files_cases(_i, replay_case, NULL);
    printf("%s: %u cases equal\n", files_path(_i), cases);
    ck_assert_uint_gt(cases, 0);
}
END_TEST

static Suite *suite(void) {
    Suite *s = suite_create("golden");
    TCase *tc = tcase_create("traces");
    tcase_set_timeout(tc, 300);
    tcase_add_loop_test(tc, every_recording_is_equal, 0, nfiles);
    suite_add_tcase(s, tc);
    return s;
}

int main(void) {
    SRunner *runner;
    int failed;
    if (!files_readable()) {
        puts("skipped: this build cannot read zstd");
        return SKIPPED;
    }
    nfiles = files_find();
    if (nfiles < 0) {
        puts("cannot list traces/");
        return EXIT_FAILURE;
    }
    runner = srunner_create(suite());
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
