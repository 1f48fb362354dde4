/* A digest is equal for its own cases and for no others. The test computes the sum
 * backwards, with the public functions that make and run one case. */
#include "helper.h"
#include "../../../tools/lib/execute.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <wsim/harness/cases.h>

#define MMA "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
#define SPARSE "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32"
#define MOV "movmatrix.sync.aligned.m8n8.trans.b16"
#define DIGITS "0123456789abcdef"

struct set {
    const char *spelling, *sel, *dist;
    uint64_t seed, first, cases;
};

static unsigned selector_of(const struct set *set) {
    return set->sel[0] ? (unsigned)set->sel[0] - '0' : 0;
}

/* The expected line. */
static uint64_t sum(const struct set *set, const char *arch) {
    static uint32_t in[WSIM_CASE_ROWS * 32], out[WSIM_CASE_ROWS * 32];
    struct wsim_plan plan;
    struct wsim_op op;
    uint64_t i, digest = 0;
    ck_assert_int_eq(wsim_op_parse(set->spelling, &op, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_plan_make(&op, selector_of(set), &plan, NULL), WSIM_OK);
    for (i = set->cases; i > 0; i--) {
        uint64_t number = set->first + i - 1;
        struct wsim_case c =
            wsim_case_at(&plan, set->seed, number, (unsigned)wsim_dist_find(set->dist));
        wsim_case_fill(&plan, &c, in);
        ck_assert_int_eq(execute_case(&op, wsim_arch_find(arch), &plan, in, out, NULL), WSIM_OK);
        digest += wsim_case_digest(number, out, plan.out_rows * 32);
    }
    return digest;
}

static void write_line(struct text *line, const struct set *set, int stream, uint64_t digest) {
    text_start(line, "%s\tstream=%d", set->spelling, stream);
    if (set->sel[0])
        text_add(line, "\tsel=%s", set->sel);
    text_add(line, "\tdist=%s\tseed=%" PRIu64 "\tfirst=%" PRIu64 "\tcases=%" PRIu64, set->dist,
             set->seed, set->first, set->cases);
    text_add(line, "\tdigest=%016" PRIx64, digest);
}

static struct wsim_replay run_set(struct wsim_trace *trace, const struct set *set,
                                  uint64_t digest) {
    struct text line;
    write_line(&line, set, WSIM_STREAM, digest);
    return replayed(trace, &line);
}

START_TEST(sets_of_cases_are_equal) {
    static const struct {
        struct set set;
        const char *arch;
        unsigned elements;
    } list[] = {
        {{MMA, "", "all", 1, 0, 14}, "sm_90a", 128},
        {{MMA, "", "raw", UINT64_MAX, UINT64_MAX - 1, 2}, "sm_80", 128},
        {{SPARSE, "1", "one-hot", 7, 100, 3}, "sm_80", 128},
        {{"mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", "", "c-alone", 1, 1, 2},
         "sm_90a",
         128},
        {{"mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3."
          "e4m3.f32.ue8m0",
          "", "near-one", 3, 4, 5},
         "sm_120a",
         128},
        {{MOV, "", "position", 1, 5, 3}, "sm_90a", 64},
        {{"ldmatrix.sync.aligned.m8n8.x2.shared.b16", "", "all", 2, 0, 4}, "sm_90a", 128},
        {{"stmatrix.sync.aligned.m8n8.x4.shared.b16", "", "all", 2, 0, 4}, "sm_90a", 256},
        {{"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16", "", "all", 1, 0, 14}, "sm_90a", 512},
        {{"wgmma.mma_async.sp.sync.aligned.m64n24k32.f16.f16.f16", "1", "position", 1, 3, 2},
         "sm_90a",
         1536},
        {{"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", "", "all", 3, 0, 14}, "sm_75", 256},
        {{"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", "", "raw", 3, 0, 4}, "sm_90a", 512},
        {{"wmma.store.d.sync.aligned.col.m8n8k4.global.f64", "", "all", 3, 0, 4}, "sm_90a", 64}};
    unsigned i;
    for (i = 0; i < COUNT(list); i++) {
        struct wsim_trace *trace = reader(list[i].arch);
        uint64_t digest = sum(&list[i].set, list[i].arch);
        struct wsim_replay replay = run_set(trace, &list[i].set, digest);
        ck_assert_msg(replay.verdict == WSIM_EQUAL, "%s: %s", list[i].set.spelling,
                      replay.why.text);
        ck_assert_uint_eq(wsim_trace_results(trace), list[i].elements * list[i].set.cases);
        ck_assert_uint_eq(wsim_trace_held(trace, WSIM_RESULTS), wsim_trace_results(trace));
        wsim_trace_free(trace);
    }
}
END_TEST

/* A digest of which one thing is said wrongly is not equal. */
START_TEST(other_cases_are_different) {
    static const struct set right = {SPARSE, "1", "specials", 11, 3, 6};
    static const struct set wrong[] = {
        {"mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", "1", "specials", 11, 3, 6},
        {SPARSE, "0", "specials", 11, 3, 6},
        {SPARSE, "1", "overflow", 11, 3, 6},
        {SPARSE, "1", "all", 11, 3, 6},
        {SPARSE, "1", "specials", 12, 3, 6},
        {SPARSE, "1", "specials", 11, 4, 6},
        {SPARSE, "1", "specials", 11, 3, 5},
        {SPARSE, "1", "specials", 11, 3, 7}};
    struct wsim_trace *trace = reader("sm_90a");
    uint64_t digest = sum(&right, "sm_90a");
    struct wsim_trace_digest cases;
    struct wsim_replay replay;
    unsigned i;
    for (i = 0; i < COUNT(wrong); i++) {
        replay = run_set(trace, &wrong[i], digest);
        ck_assert_msg(replay.verdict == WSIM_DIFFERENT, "line %u of the list is equal", i);
        ck_assert_str_eq(replay.first.field, "digest");
        ck_assert_uint_eq(replay.differences, 1);
        ck_assert_uint_eq(replay.first.expected, digest);
        ck_assert_uint_eq(replay.first.got, sum(&wrong[i], "sm_90a"));
    }
    ck_assert_int_eq(wsim_trace_is_digest(trace, &cases), 1);
    ck_assert(cases.seed == 11 && cases.first == 3 && cases.cases == 7);
    ck_assert_uint_eq(cases.dist, WSIM_DIST_SPECIALS);
    ck_assert_int_eq(run_set(trace, &right, digest ^ 1).verdict, WSIM_DIFFERENT);
    ck_assert_int_eq(run_set(trace, &right, digest).verdict, WSIM_EQUAL);
    wsim_trace_free(trace);
}
END_TEST

/* One case of `all` is the case of its own distribution. */
START_TEST(all_takes_turns) {
    struct wsim_trace *trace = reader("sm_90a");
    unsigned n;
    for (n = 0; n < 2 * WSIM_DISTS; n++) {
        struct set one = {MOV, "", wsim_dist_name(n % WSIM_DISTS), 5, n, 1}, all = one;
        all.dist = "all";
        ck_assert_int_eq(run_set(trace, &all, sum(&one, "sm_90a")).verdict, WSIM_EQUAL);
    }
    wsim_trace_free(trace);
}
END_TEST

START_TEST(a_selector_out_of_range_is_a_refusal) {
    static const char *const selectors[] = {"2", "4294967296", "18446744073709551615"};
    struct wsim_trace *trace = reader("sm_90a");
    unsigned i;
    for (i = 0; i < COUNT(selectors); i++) {
        struct set set = {SPARSE, selectors[i], "raw", 1, 0, 1};
        struct wsim_replay replay = run_set(trace, &set, 0);
        ck_assert_int_eq(replay.verdict, WSIM_DIFFERENT);
        ck_assert_str_eq(replay.first.field, "trap");
        ck_assert_uint_eq(replay.first.got, 1);
        ck_assert_msg(strstr(replay.why.text, "selector") != NULL, "%s", replay.why.text);
    }
    wsim_trace_free(trace);
}
END_TEST

START_TEST(another_stream_is_unsupported) {
    static const struct set set = {MOV, "", "raw", 1, 0, 1}, illegal = {MMA, "", "raw", 1, 0, 1};
    struct wsim_trace *trace = reader("sm_90a");
    struct wsim_replay replay;
    struct text line;
    for (int stream = 1; stream <= 3; stream += 2) {
        write_line(&line, &set, stream, sum(&set, "sm_90a"));
        replay = replayed(trace, &line);
        ck_assert_int_eq(replay.verdict, WSIM_UNSUPPORTED);
        ck_assert_msg(strstr(replay.why.text, stream == 1 ? "stream 1;" : "stream 3;") != NULL,
                      "%s", replay.why.text);
    }
    write_line(&line, &illegal, WSIM_STREAM, 0);
    replayed(trace, &line);
    wsim_trace_replay(trace, wsim_arch_find("sm_75"), &replay); /* it came with sm_80 */
    ck_assert_int_eq(replay.verdict, WSIM_UNSUPPORTED);
    ck_assert_msg(replay.why.text[0] && !strstr(replay.why.text, "case"), "%s", replay.why.text);
    text_start(&line, "mma.sync.aligned.m16n8k17.row.col.f32.f16.f16.f32\tstream=2\tdist=raw"
                      "\tdigest=" DIGITS);
    ck_assert_int_eq(replayed(trace, &line).verdict, WSIM_UNSUPPORTED);
    ck_assert_uint_eq(wsim_trace_results(trace), 0);
    wsim_trace_free(trace);
}
END_TEST

#define ZERO8 "00000000"
#define ZERO64 ZERO8 ZERO8 ZERO8 ZERO8 ZERO8 ZERO8 ZERO8 ZERO8
#define ZERO256 ZERO64 ZERO64 ZERO64 ZERO64
#define SET "stream=2\tdist=raw\tseed=1\tfirst=0\t"
#define SUM "digest=" DIGITS

START_TEST(refused_lines) {
    static const struct {
        const char *line, *part;
    } bad[] = {
        {MOV "\t" SET "cases=0\t" SUM, "1 to 1048576"},
        {MOV "\t" SET "cases=1048577\t" SUM, "1 to 1048576"},
        {MOV "\t" SET "cases=18446744073709551615\t" SUM, "1 to 1048576"},
        {MOV "\t" SET "cases=18446744073709551616\t" SUM, "64 bits"},
        {MOV "\t" SET "cases=-1\t" SUM, "decimal"},
        {MOV "\t" SET SUM, "'cases' is missing"},
        {MOV "\t" SET "cases=1", "'stream' belongs to a digest"},
        {MOV "\tdist=raw\tseed=1\tfirst=0\tcases=1\t" SUM, "'stream' is missing"},
        {MOV "\tstream=2\tseed=1\tfirst=0\tcases=1\t" SUM, "'dist' is missing"},
        {MOV "\tstream=2\tdist=raw\tfirst=0\tcases=1\t" SUM, "'seed' is missing"},
        {MOV "\tstream=2\tdist=raw\tseed=1\tcases=1\t" SUM, "'first' is missing"},
        {MOV "\tstream=2\tdist=raw\tseed=1\tfirst=18446744073709551615\tcases=2\t" SUM, "64 bits"},
        {MOV "\tstream=2\tdist=Raw\tseed=1\tfirst=0\tcases=1\t" SUM, "near-one"},
        {MOV "\tstream=2\tdist=\tseed=1\tfirst=0\tcases=1\t" SUM, "extremes all"},
        {MOV "\tstream=2\tdist=ra\tseed=1\tfirst=0\tcases=1\t" SUM, "unknown distribution"},
        {MOV "\tstream=2\tdist=raw\tseed=0x1\tfirst=0\tcases=1\t" SUM, "decimal"},
        {MOV "\t" SET "cases=1\tdigest=0123456789abcde", "15 hex digits instead of 16"},
        {MOV "\t" SET "cases=1\tdigest=0123456789ABCDEF", "hex digit"},
        {MOV "\t" SET "cases=1\tseed=1\t" SUM, "given twice"},
        {MOV "\t" SET "cases=1\tsel=0\t" SUM, "does not belong"},
        {SPARSE "\t" SET "cases=1\t" SUM, "'sel' is missing"},
        {MOV "\t" SET "cases=1\ta=" ZERO256 "\t" SUM, "'a' in a digest"},
        {MOV "\t" SET "cases=1\td=" ZERO256 "\t" SUM, "'d' in a digest"},
        {MOV "\t" SET "cases=1\ttrap=1\t" SUM, "'trap' in a digest"},
        {MOV "\ta=" ZERO256 "\td=" ZERO256 "\tseed=1", "'seed' belongs to a digest"},
        {"ldmatrix.sync.aligned.m8n8.x1.shared.b16\t" SET "cases=1\twavefronts=1\t" SUM,
         "'wavefronts' in a digest"},
        {"ld.shared.u32\taddr=" ZERO256 "\tdigest=" DIGITS, "does not belong"},
        {"mma.sync.aligned.m16n8k17.row.col.f32.f16.f16.f32\ttrap=1\tcases=1",
         "'cases' belongs to a digest"}};
    struct wsim_trace *trace = reader("sm_90a");
    unsigned i;
    for (i = 0; i < COUNT(bad); i++)
        refused(trace, bad[i].line, 0, bad[i].part);
    wsim_trace_free(trace);
}
END_TEST

static void results_of(struct wsim_trace *trace, const char *line, uint64_t results, uint64_t held,
                       uint64_t counted) {
    struct wsim_trace_digest digest;
    struct text text;
    text_start(&text, "%s", line);
    replayed(trace, &text);
    ck_assert_msg(wsim_trace_results(trace) == results, "%" PRIu64 " results, not %" PRIu64 ": %s",
                  wsim_trace_results(trace), results, line);
    ck_assert_uint_eq(wsim_trace_held(trace, WSIM_RESULTS), held);
    ck_assert_uint_eq(wsim_trace_held(trace, WSIM_COUNTS), counted);
    ck_assert_int_eq(wsim_trace_is_digest(trace, &digest), 0);
}

START_TEST(results_of_other_cases) {
    struct wsim_trace *trace = reader("sm_90a");
    ck_assert_uint_eq(wsim_trace_results(trace), 0);
    ck_assert_ptr_null(wsim_trace_op(trace));
    results_of(trace, MOV "\ta=" ZERO256 "\td=" ZERO256, 64, 64, 0);
    results_of(trace, "ld.shared.u32\taddr=" ZERO256 "\twavefronts=1\tconflicts=0", 1, 0, 1);
    results_of(trace, "ld.shared.u32\taddr=" ZERO256 "\ttrap=1", 1, 0, 0);
    results_of(trace,
               "ldmatrix.sync.aligned.m8n8.x1.shared.b16\tsmem=@fill:00:128\taddr=" ZERO256
               "\td=" ZERO256 "\twavefronts=1",
               65, 64, 1);
    ck_assert_int_eq(wsim_op_describe(wsim_trace_op(trace)).family, WSIM_LDMATRIX);
    results_of(trace, "tensormap.other\tdims=1\tresult=1", 0, 0, 0);
    ck_assert_ptr_null(wsim_trace_op(trace));
    wsim_trace_free(trace);
}
END_TEST

/* Recordings rest on stream 2 and on the sum as they were when the first was made. */
START_TEST(digests_stay_what_they_were) {
    FILE *file = fopen(WSIM_SOURCE_DIR "/tests/data/model/digests.trace", "r");
    struct wsim_trace *trace = wsim_trace_new(NULL);
    struct wsim_replay replay;
    char line[512];
    int is_case, cases = 0;
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file)) {
        ck_assert_int_eq(wsim_trace_line(trace, line, strlen(line), &is_case, NULL), WSIM_OK);
        if (!is_case)
            continue;
        wsim_trace_replay(trace, NULL, &replay);
        ck_assert_msg(replay.verdict == WSIM_EQUAL, "%s%s", line, replay.why.text);
        cases++;
    }
    ck_assert_int_eq(cases, 12);
    fclose(file);
    wsim_trace_free(trace);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {sets_of_cases_are_equal,
                                  other_cases_are_different,
                                  all_takes_turns,
                                  a_selector_out_of_range_is_a_refusal,
                                  another_stream_is_unsupported,
                                  refused_lines,
                                  results_of_other_cases,
                                  digests_stay_what_they_were};
    return run_tests("digest", tests, COUNT(tests));
}
