/* Every recording in traces/ comes out of the model bit for bit. No case may be unsupported, no
 * file may be empty. Digests take longer than all other cases, so they have tests of their own:
 *     test_golden_traces                  all cases but digests
 *     test_golden_traces SHARE SHARES     of all digests each SHARES-th, from number SHARE
 * Needs zstd: without it the test is skipped, not passed; so is a share in which there is none. */
#include "../run.h"
#include "files.h"

enum { SKIPPED = 77 };

static int nfiles;
static unsigned share, shares; /* of digests; 0 shares: of the others */

/* How many cases there were, digests of this stream among them, how many were replayed, and how
 * many digests there are of another stream of operands. */
struct seen {
    unsigned cases, digests, replayed;
};

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

static void each_case(struct wsim_trace *trace, const char *path, unsigned line, void *about) {
    struct wsim_trace_digest digest;
    struct seen *seen = about;
    int is_digest = wsim_trace_is_digest(trace, &digest);
    ck_assert_msg(!is_digest || digest.stream == WSIM_STREAM,
                  "%s:%u: operands of stream %llu, which nobody makes any more; "
                  "tools/hw/rerecord.sh makes it again",
                  path, line, (unsigned long long)digest.stream);
    if (is_digest ? shares && seen->digests++ % shares == share
                  : !shares && seen->cases % (unsigned)run_sample() == 0) {
        replay_case(trace, path, line);
        seen->replayed++;
    }
    seen->cases++;
}

START_TEST(every_recording_is_equal) {
    struct seen seen = {0, 0, 0};
    files_cases(_i, each_case, &seen);
    ck_assert_uint_gt(seen.cases, 0);
    printf("%s: %u of %u cases equal\n", files_path(_i), seen.replayed, seen.cases);
}
END_TEST

/* Counted through all files, so that the shares of many short ones are alike. */
static struct seen shared;

START_TEST(every_digest_is_equal) {
    for (int i = 0; i < nfiles; i++)
        files_cases(i, each_case, &shared);
    printf("%u of %u digests equal\n", shared.replayed, shared.digests);
}
END_TEST

static int run(void) {
    TCase *tcase = tcase_create("traces");
    tcase_set_timeout(tcase, 300);
    if (!shares) {
        tcase_add_loop_test(tcase, every_recording_is_equal, 0, nfiles);
        return run_case("golden/traces", tcase);
    }
    tcase_add_test(tcase, every_digest_is_equal);
    if (run_case("golden/digests", tcase) != EXIT_SUCCESS)
        return EXIT_FAILURE;
    return shared.replayed == 0 ? SKIPPED : EXIT_SUCCESS;
}

int main(int argc, char **argv) {
    if (!files_readable()) {
        puts("skipped: this build cannot read zstd");
        return SKIPPED;
    }
    if (argc == 3) {
        share = (unsigned)strtoul(argv[1], NULL, 10);
        shares = (unsigned)strtoul(argv[2], NULL, 10);
    }
    if (argc != 1 && share >= shares) {
        puts("usage: test_golden_traces [SHARE SHARES]");
        return EXIT_FAILURE;
    }
    nfiles = files_find();
    if (nfiles < 0) {
        puts("cannot list traces/");
        return EXIT_FAILURE;
    }
    return run();
}
