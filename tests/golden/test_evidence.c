/* Evidence of the model is justified. No row claims hardware for an operation without a recording,
 * and operations without a recording are exactly those of untraced.txt. That held.tsv says what the
 * recordings hold is test_recorded.c. */
#include "../../sim/evidence/evidence.h"
#include "../every.h"

enum { MAX_LINES = 4096, CLAIMS = WSIM_COUNTS + 1 };

static const char *const claim_names[CLAIMS] = {"results", "counts"};

/* --- untraced.txt --- */

struct untraced {
    const struct wsim_arch *arch;
    int claim;
    char spelling[WSIM_SPELLING_MAX];
    int needed;
};

static struct untraced untraced[MAX_LINES];
static int nuntraced;

static void read_untraced(void) {
    FILE *file = fopen(WSIM_SOURCE_DIR "/tests/golden/untraced.txt", "r");
    char line[WSIM_SPELLING_MAX + 64], arch[16], claim[16];
    ck_assert_ptr_nonnull(file);
    for (nuntraced = 0; fgets(line, sizeof line, file);) {
        struct untraced *one = &untraced[nuntraced];
        if (line[0] == '\n' || line[0] == '#')
            continue;
        expect(nuntraced++ < MAX_LINES, "untraced.txt is too long");
        expect(sscanf(line, "%15s %15s %191s", arch, claim, one->spelling) == 3, "%s", line);
        one->arch = wsim_arch_find(arch);
        one->claim = strcmp(claim, claim_names[0]) != 0;
        one->needed = 0;
        expect(one->arch && strcmp(claim, claim_names[one->claim]) == 0, "%s", line);
    }
    fclose(file);
}

/* The line that names an operation of a target of this generation. */
static struct untraced *find_untraced(int generation, int claim, const char *spelling) {
    int i;
    for (i = 0; i < nuntraced; i++)
        if (untraced[i].arch->generation == generation && untraced[i].claim == claim &&
            strcmp(untraced[i].spelling, spelling) == 0)
            return &untraced[i];
    return NULL;
}

/* --- operations and their recordings --- */

static int is_recorded(const struct wsim_op *op, const struct wsim_arch *arch, int claim) {
    struct wsim_recording recording;
    uint32_t cursor = 0;
    return wsim_op_recording(op, arch, (enum wsim_claim)claim, &cursor, &recording);
}

static int has_recordings(const struct wsim_arch *arch) {
    struct wsim_recording in;
    for (unsigned i = 0; wsim_recording_at(i, &in); i++)
        if (in.arch == arch)
            return 1;
    return 0;
}

/* --- the tests --- */

START_TEST(no_row_claims_more_than_is_recorded) {
    const struct wsim_arch *arch = wsim_arch_at((size_t)_i);
    struct wsim_op op;
    char text[WSIM_SPELLING_MAX];
    uint32_t cursor = 0;
    int claim, bold = 0;
    read_untraced();
    memset(&op, 0, sizeof op);
    while (wsim_op_next(&cursor, &op))
        for (claim = 0; claim < CLAIMS; claim++) {
            enum isa_evidence evidence;
            if (wsim_op_check(&op, arch, NULL) || !wsim_op_claims(&op, (enum wsim_claim)claim) ||
                !evidence_claimed(&op, arch, (enum wsim_claim)claim, &evidence) ||
                evidence != EVIDENCE_HARDWARE || is_recorded(&op, arch, claim))
                continue;
            wsim_op_spell(&op, text);
            if (!find_untraced(arch->generation, claim, text) && bold++ < 20)
                printf("%s: the row of %s of %s says hardware, but no recording holds them\n",
                       arch->name, claim_names[claim], text);
        }
    fflush(stdout); /* a failure loses what is not written yet */
    expect(!bold, "%s: %d claims without a recording (above)", arch->name, bold);
}
END_TEST

/* Regardless of rows: exactly the recorded operations. */
START_TEST(hardware_is_said_of_what_is_recorded) {
    const struct wsim_arch *arch = wsim_arch_at((size_t)_i);
    struct wsim_op op;
    uint32_t cursor = 0;
    int claim;
    memset(&op, 0, sizeof op);
    while (wsim_op_next(&cursor, &op))
        for (claim = 0; claim < CLAIMS; claim++) {
            const char *word = wsim_op_evidence(&op, arch, (enum wsim_claim)claim, NULL);
            char text[WSIM_SPELLING_MAX];
            wsim_op_spell(&op, text);
            if (word)
                expect((strcmp(word, "hardware") == 0) == is_recorded(&op, arch, claim),
                       "%s: %s of %s: %s", arch->name, claim_names[claim], text, word);
        }
}
END_TEST

/* For every recorded target. */
START_TEST(operations_without_a_recording_are_listed) {
    const struct wsim_arch *arch = wsim_arch_at((size_t)_i);
    struct wsim_op op;
    char text[WSIM_SPELLING_MAX];
    uint32_t cursor = 0;
    int claim, i, legal = 0, without = 0, missing = 0, stale = 0;
    read_untraced();
    memset(&op, 0, sizeof op);
    while (has_recordings(arch) && wsim_op_next(&cursor, &op))
        for (claim = 0; claim < CLAIMS; claim++) {
            struct untraced *line;
            if (wsim_op_check(&op, arch, NULL) || !wsim_op_claims(&op, (enum wsim_claim)claim))
                continue;
            legal++;
            if (is_recorded(&op, arch, claim))
                continue;
            without++;
            wsim_op_spell(&op, text);
            printf("no recording: %s %s %s\n", arch->name, claim_names[claim], text);
            line = find_untraced(arch->generation, claim, text);
            if (line)
                line->needed = 1;
            else if (++missing)
                printf("   ... and untraced.txt does not say so\n");
        }
    for (i = 0; i < nuntraced; i++)
        if (untraced[i].arch == arch && !untraced[i].needed && ++stale)
            printf("stale line in untraced.txt: %s %s %s\n", arch->name,
                   claim_names[untraced[i].claim], untraced[i].spelling);
    if (legal)
        printf("%s: results or counts of %d, %d without a recording\n", arch->name, legal, without);
    fflush(stdout);
    expect(!missing && !stale, "%s: untraced.txt lacks %d and has %d too many", arch->name, missing,
           stale);
}
END_TEST

/* --- traces/held.tsv --- */

struct held {
    struct wsim_op op;
    int claim;
    unsigned long long number;
};

static struct held held[MAX_LINES];
static int nheld;

/* Every line is an operation that has such a claim; the numbers of all its recordings are added. */
static void read_held(void) {
    FILE *file = fopen(WSIM_SOURCE_DIR "/traces/held.tsv", "r");
    char line[4096];
    ck_assert_ptr_nonnull(file);
    for (nheld = 0; fgets(line, sizeof line, file);) {
        struct held *one = &held[nheld];
        char *claim = strtok(line, "\t\n"), *spelling = strtok(NULL, "\t\n"), *in;
        if (!claim || claim[0] == '#')
            continue;
        expect(nheld++ < MAX_LINES && spelling, "held.tsv: %s", claim);
        one->op = every_parse(spelling);
        one->claim = strcmp(claim, claim_names[0]) != 0;
        one->number = 0;
        while ((in = strtok(NULL, " \n")) != NULL)
            one->number += strtoull(strrchr(in, ':') + 1, NULL, 10);
        expect(one->number > 0 && wsim_op_claims(&one->op, (enum wsim_claim)one->claim),
               "held.tsv: %s %s", claim, spelling);
    }
    fclose(file);
}

static unsigned long long number_held(const struct wsim_op *op, int claim) {
    for (int i = 0; i < nheld; i++)
        if (held[i].claim == claim && memcmp(&held[i].op, op, sizeof *op) == 0)
            return held[i].number;
    return 0;
}

/* Every operation, so that no two share a hash: one without a recording has none. */
START_TEST(the_library_has_what_is_held_and_no_more) {
    struct wsim_op op = {0};
    uint32_t cursor = 0, found = 0;
    read_held();
    while (wsim_op_next(&cursor, &op))
        for (int claim = 0; claim < CLAIMS; claim++) {
            struct wsim_recording in;
            unsigned long long number = 0;
            char text[WSIM_SPELLING_MAX];
            uint32_t at = 0;
            while (
                wsim_op_recording(&op, wsim_arch_find("sm_90a"), (enum wsim_claim)claim, &at, &in))
                number += in.number;
            wsim_op_spell(&op, text);
            expect(number == number_held(&op, claim), "%s of %s: %llu", claim_names[claim], text,
                   number);
            found += number != 0;
        }
    expect(found == (uint32_t)nheld, "%u of %d lines of held.tsv are operations", found, nheld);
}
END_TEST

static const char *evidence(const char *spelling, const char *target, enum wsim_claim claim) {
    struct wsim_op op = every_parse(spelling);
    const char *source = NULL, *word;
    word = wsim_op_evidence(&op, wsim_arch_find(target), claim, &source);
    if (word)
        ck_assert_msg(source && *source, "%s: no source", spelling);
    return word;
}

START_TEST(evidence_is_that_of_the_target) {
    const char *f16 = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
    const char *quad = "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32";
    const char *s8 = "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32";
    const char *clamped = "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32";
    const char *sparse = "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
    const char *fp6 = "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e4m3.e3m2.f32";
    const char *fp4 = "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e4m3.e2m1.f32";
    const char *k16 = "mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e4m3.f32";
    const char *k32 = "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32";
    const char *nvfp4 = "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::"
                        "4X.f32.e2m1.e2m1.f32.ue4m3";
    const char *ldm = "ldmatrix.sync.aligned.m8n8.x4.shared.b16";
    ck_assert_str_eq(evidence(f16, "sm_90a", WSIM_RESULTS), "hardware");
    ck_assert_str_eq(evidence(f16, "sm_90", WSIM_RESULTS), "hardware");
    ck_assert_str_eq(evidence(f16, "sm_80", WSIM_RESULTS), "published");
    ck_assert_str_eq(evidence(s8, "sm_89", WSIM_RESULTS), "documented");
    ck_assert_str_eq(evidence(quad, "sm_80", WSIM_RESULTS), "inferred");
    ck_assert_str_eq(evidence(sparse, "sm_90a", WSIM_RESULTS), "hardware");
    ck_assert_str_eq(evidence(sparse, "sm_80", WSIM_RESULTS), "inferred");
    ck_assert_str_eq(evidence(clamped, "sm_90a", WSIM_RESULTS), "hardware");
    ck_assert_str_eq(evidence(clamped, "sm_80", WSIM_RESULTS), "inferred");
    ck_assert_str_eq(evidence(fp6, "sm_120a", WSIM_RESULTS), "inferred");
    ck_assert_str_eq(evidence(fp4, "sm_120a", WSIM_RESULTS), "inferred");
    ck_assert_str_eq(evidence(k16, "sm_89", WSIM_RESULTS), "published");
    ck_assert_str_eq(evidence(k16, "sm_90a", WSIM_RESULTS), "hardware");
    ck_assert_str_eq(evidence(k16, "sm_100a", WSIM_RESULTS), "inferred");
    ck_assert_str_eq(evidence(k32, "sm_100a", WSIM_RESULTS), "published");
    ck_assert_str_eq(evidence(nvfp4, "sm_120a", WSIM_RESULTS), "published");
    ck_assert_str_eq(evidence("ld.shared.v4.u32", "sm_90a", WSIM_COUNTS), "hardware");
    ck_assert_str_eq(evidence("ld.shared.v4.u32", "sm_80", WSIM_COUNTS), "inferred");
    ck_assert_str_eq(evidence(ldm, "sm_90a", WSIM_RESULTS), "hardware");
    ck_assert_str_eq(evidence(ldm, "sm_90a", WSIM_COUNTS), "hardware");
    ck_assert_str_eq(evidence(ldm, "sm_80", WSIM_RESULTS), "documented");
    ck_assert_str_eq(evidence(ldm, "sm_80", WSIM_COUNTS), "inferred");
}
END_TEST

START_TEST(there_is_none_where_there_is_no_model) {
    const char *f16 = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
    ck_assert_ptr_null(evidence(f16, "sm_90a", WSIM_COUNTS));
    ck_assert_ptr_null(evidence(f16, "sm_75", WSIM_RESULTS));
    ck_assert_ptr_null(evidence("ld.shared.u32", "sm_90a", WSIM_RESULTS));
    ck_assert_ptr_null(evidence("atom.shared.add.f32", "sm_90a", WSIM_COUNTS));
    ck_assert_ptr_null(
        evidence("ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8", "sm_100a", WSIM_COUNTS));
}
END_TEST

/* A synonym is another word for a recorded operation. */
START_TEST(synonyms_rest_on_the_same) {
    static const char *const pairs[][2] = {{"mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64",
                                            "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64.rn"},
                                           {"ldmatrix.sync.aligned.m8n8.x1.shared.b16",
                                            "ldmatrix.sync.aligned.m8n8.x1.shared::cta.b16"}};
    int i;
    for (i = 0; i < COUNT(pairs); i++) {
        struct wsim_op a = every_parse(pairs[i][0]), b = every_parse(pairs[i][1]);
        struct wsim_recording x, y;
        uint32_t at = 0, bt = 0, n = 0;
        while (wsim_op_recording(&a, wsim_arch_find("sm_90"), WSIM_RESULTS, &at, &x)) {
            ck_assert(wsim_op_recording(&b, wsim_arch_find("sm_90"), WSIM_RESULTS, &bt, &y));
            ck_assert_str_eq(x.file, y.file);
            ck_assert_uint_eq(x.number, y.number);
            ck_assert_str_eq(wsim_arch_name(x.arch), "sm_90a");
            n++;
        }
        ck_assert(!wsim_op_recording(&b, wsim_arch_find("sm_90"), WSIM_RESULTS, &bt, &y));
        ck_assert_uint_gt(n, 1);
        at = 0;
        ck_assert(!wsim_op_recording(&a, wsim_arch_find("sm_80"), WSIM_RESULTS, &at, &x));
    }
}
END_TEST

static const char *caveat(const char *spelling, const char *target) {
    struct wsim_op op = every_parse(spelling);
    ck_assert_ptr_null(wsim_op_caveat(&op, wsim_arch_find(target), WSIM_COUNTS));
    return wsim_op_caveat(&op, wsim_arch_find(target), WSIM_RESULTS);
}

START_TEST(caveats_are_told_where_nothing_was_recorded) {
    const char *f64 = "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64";
    const char *f16 = "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32";
    const char *mxf4 = "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32."
                       "ue8m0";
    ck_assert_ptr_nonnull(strstr(caveat(f64, "sm_80"), "NaN"));
    ck_assert_ptr_null(caveat(f64, "sm_90a")); /* recorded, NaNs too */
    ck_assert_ptr_nonnull(strstr(caveat(f16, "sm_75"), "floors"));
    ck_assert_ptr_null(caveat(f16, "sm_80"));
    ck_assert_ptr_nonnull(strstr(caveat(mxf4, "sm_120a"), "untested"));
    ck_assert_ptr_null(caveat(mxf4, "sm_90a")); /* not there */
}
END_TEST

static const char *source_of(const char *spelling, const char *target) {
    struct wsim_op op = every_parse(spelling);
    const char *source = NULL;
    ck_assert_str_eq(wsim_op_evidence(&op, wsim_arch_find(target), WSIM_RESULTS, &source),
                     "inferred");
    return source;
}

/* An inferred answer does not quote a comparison of another operation. */
START_TEST(what_is_inferred_says_from_what) {
    const struct wsim_arch *arch;
    struct wsim_op op = {0};
    uint32_t cursor = 0;
    const char *source;
    ck_assert_ptr_nonnull(
        strstr(source_of("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "sm_80"),
               "from the dense"));
    ck_assert_ptr_nonnull(
        strstr(source_of("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", "sm_80"), "from mma"));
    while (wsim_op_next(&cursor, &op))
        for (size_t i = 0; (arch = wsim_arch_at(i)) != NULL; i++)
            for (int claim = 0; claim < CLAIMS; claim++) {
                const char *word = wsim_op_evidence(&op, arch, (enum wsim_claim)claim, &source);
                char text[WSIM_SPELLING_MAX];
                wsim_op_spell(&op, text);
                expect(!word || strcmp(word, "inferred") != 0 || !strstr(source, "bitwise"),
                       "%s: %s: inferred (%s)", wsim_arch_name(arch), text, source);
            }
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {no_row_claims_more_than_is_recorded, 0, every_arch_count()},
        {hardware_is_said_of_what_is_recorded, 0, every_arch_count()},
        {operations_without_a_recording_are_listed, 0, every_arch_count()},
        {the_library_has_what_is_held_and_no_more, 0, 1},
        {caveats_are_told_where_nothing_was_recorded, 0, 1},
        {what_is_inferred_says_from_what, 0, 1},
        {evidence_is_that_of_the_target, 0, 1},
        {there_is_none_where_there_is_no_model, 0, 1},
        {synonyms_rest_on_the_same, 0, 1}};
    return every_run("golden/evidence", tests, COUNT(tests));
}
