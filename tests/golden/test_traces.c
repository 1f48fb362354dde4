/* Every recording in traces/ comes out of the model bit for bit. No case may be unsupported, no
 * file may be empty. Digests have tests of their own, because they take longer than other cases:
 *     test_golden_traces                      all cases but digests
 *     test_golden_traces SHARE SHARES         of all digests each SHARES-th, from number SHARE
 *     test_golden_traces SHARE SHARES PATH    of cases and of digests, on a path (wsim/path.h)
 * The first two take the best path there is, as users do. Without zstd the test is skipped, not
 * passed. So is an empty share, or a missing path. */
#include "../run.h"
#include "files.h"

#include <string.h>

enum { SKIPPED = 77 };

static int nfiles;
static unsigned share, shares; /* of digests, or of all; 0 shares: of the others */
static int path = -1;          /* that all is replayed on; -1: the best          */

/* How many cases there were, digests of this stream among them, and how many were replayed. */
struct seen {
    unsigned cases, digests, replayed;
};

static void replay_case(struct wsim_trace *trace, const char *file, unsigned line) {
    static const char *const words[] = {"equal", "different", "unsupported"};
    struct wsim_replay replay;
    wsim_trace_prepare(trace, path < 0                  ? 0
                              : path == WSIM_PATH_PLAIN ? WSIM_PLAIN
                                                        : WSIM_UP_TO(path));
    wsim_trace_replay(trace, NULL, &replay);
    ck_assert_msg(replay.verdict == WSIM_EQUAL,
                  "%s:%u: %s: %s, %llu differences, first in %s lane %u register %u row %u column "
                  "%u byte %u: expected %llx, got %llx %s",
                  file, line, wsim_trace_spelling(trace), words[replay.verdict],
                  (unsigned long long)replay.differences,
                  replay.first.field ? replay.first.field : "nothing", replay.first.place.lane,
                  replay.first.place.reg, replay.first.coord.row, replay.first.coord.col,
                  (unsigned)replay.first.offset, (unsigned long long)replay.first.expected,
                  (unsigned long long)replay.first.got, replay.why.text);
}

static int is_taken(int is_digest, const struct seen *seen) {
    if (!shares)
        return !is_digest && seen->cases % (unsigned)run_sample() == 0;
    if (path < 0)
        return is_digest && seen->digests % shares == share;
    return seen->cases % shares == share;
}

static void each_case(struct wsim_trace *trace, const char *file, unsigned line, void *about) {
    struct wsim_trace_digest digest;
    struct seen *seen = about;
    int is_digest = wsim_trace_is_digest(trace, &digest);
    ck_assert_msg(!is_digest || digest.stream == WSIM_STREAM,
                  "%s:%u: operands of stream %llu, which no longer exists; "
                  "tools/hw/rerecord.sh makes it again",
                  file, line, (unsigned long long)digest.stream);
    if (is_taken(is_digest, seen)) {
        replay_case(trace, file, line);
        seen->replayed++;
    }
    seen->digests += is_digest != 0;
    seen->cases++;
}

START_TEST(every_recording_is_equal) {
    struct seen seen = {0, 0, 0};
    files_cases(_i, NULL, each_case, &seen);
    ck_assert_uint_gt(seen.cases, 0);
    printf("%s: %u of %u cases equal\n", files_path(_i), seen.replayed, seen.cases);
}
END_TEST

/* Counted through all files, so that the shares of many short ones are alike. */
static struct seen shared;

/* Counted through all files, so that the shares of many short ones are alike. */
static struct seen shared;

START_TEST(every_share_is_equal) {
    for (int i = 0; i < nfiles; i++)
        files_cases(i, path < 0 ? "\tdigest=" : NULL, each_case, &shared);
    printf("%u of %u equal\n", shared.replayed, shared.cases);
}
END_TEST

static int run(void) {
    TCase *tcase = tcase_create("traces");
    tcase_set_timeout(tcase, 300);
    if (!shares) {
        tcase_add_loop_test(tcase, every_recording_is_equal, 0, nfiles);
        return run_case("golden/traces", tcase);
    }
    tcase_add_test(tcase, every_share_is_equal);
    if (run_case(path < 0 ? "golden/digests" : "golden/paths", tcase) != EXIT_SUCCESS)
        return EXIT_FAILURE;
    return shared.replayed == 0 ? SKIPPED : EXIT_SUCCESS;
}

static int find_path(const char *name) {
    int found = 0;
    while (found < WSIM_PATHS && strcmp(wsim_path_name((enum wsim_path)found), name) != 0)
        found++;
    return found;
}

int main(int argc, char **argv) {
    if (!files_readable()) {
        puts("skipped: this build cannot read zstd");
        return SKIPPED;
    }
    if (argc == 3 || argc == 4) {
        share = (unsigned)strtoul(argv[1], NULL, 10);
        shares = (unsigned)strtoul(argv[2], NULL, 10);
    }
    if (argc == 4)
        path = find_path(argv[3]);
    if ((argc != 1 && share >= shares) || path == WSIM_PATHS) {
        puts("usage: test_golden_traces [SHARE SHARES [PATH]]");
        return EXIT_FAILURE;
    }
    if (path >= 0 && !wsim_path_available((enum wsim_path)path)) {
        printf("skipped: there is no path %s here\n", argv[3]);
        return SKIPPED;
    }
    nfiles = files_find();
    if (nfiles < 0) {
        puts("cannot list traces/");
        return EXIT_FAILURE;
    }
    return run();
}
