/* sim/isa/recorded.def says what the recordings hold, neither more nor less. With --record it is
 * written instead (record.sh). Needs zstd: without it the test is skipped, not passed. */
#include "../../sim/isa/isa.h"
#include "../run.h"
#include "files.h"

#include <stdio.h>
#include <string.h>

enum { MAX_OPS = 2048, SKIPPED = 77 };

#define TABLE "sim/isa/recorded.def"

static const char head[] =
    "/* What the recordings under traces/ hold, and so what \"hardware\" may be said of. Written "
    "by\n"
    " * tests/golden/record.sh out of the recordings, never by hand; tests/golden compares.\n"
    " *\n"
    " * RECORDING(id, file, GPU, target, driver, date) opens a recording; the HELDs that follow "
    "are\n"
    " * what it holds:\n"
    " * HELD(claim, number, operation)\n"
    " *   number   RESULTS: elements of D, or elements stored, whose bits it has;\n"
    " *            COUNTS: accesses whose wavefronts it has, of most conflicts too */\n"
    "#ifndef RECORDING\n"
    "#define RECORDING(id, file, gpu, target, driver, date)\n"
    "#endif\n"
    "#ifndef HELD\n"
    "#define HELD(claim, number, spelling)\n"
    "#endif\n";

static const char foot[] = "\n#undef RECORDING\n#undef HELD\n";

/* --- what a recording holds --- */

struct held {
    struct wsim_op op;
    char spelling[WSIM_SPELLING_MAX];
    uint64_t number[WSIM_COUNTS + 1];
};

struct recording {
    char gpu[160], arch[160], driver[160], date[160];
    struct held op[MAX_OPS];
    int n;
};

static struct held *held_of(struct recording *of, const struct wsim_op *op) {
    struct held *row;
    int i;
    for (i = 0; i < of->n; i++)
        if (memcmp(&of->op[i].op, op, sizeof *op) == 0)
            return &of->op[i];
    ck_assert_int_lt(of->n, MAX_OPS);
    row = &of->op[of->n++];
    memset(row, 0, sizeof *row);
    row->op = *op;
    wsim_op_spell(op, row->spelling);
    return row;
}

static void add(struct wsim_trace *trace, const char *path, unsigned line, void *about) {
    struct recording *of = about;
    struct wsim_op plain;
    struct held *row;
    int claim;
    if (strncmp(wsim_trace_spelling(trace), "tensormap.", 10) == 0)
        return; /* the driver's answers, not an operation: no row rests on them */
    ck_assert_msg(wsim_trace_op(trace) != NULL, "%s:%u: %s is not known", path, line,
                  wsim_trace_spelling(trace));
    plain = isa_op_plain(wsim_trace_op(trace));
    row = held_of(of, &plain);
    for (claim = WSIM_RESULTS; claim <= WSIM_COUNTS; claim++)
        row->number[claim] += wsim_trace_held(trace, (enum wsim_claim)claim);
    snprintf(of->gpu, sizeof of->gpu, "%s", wsim_trace_header(trace, "gpu"));
    snprintf(of->arch, sizeof of->arch, "%s",
             wsim_arch_name(wsim_arch_find(wsim_trace_header(trace, "arch"))));
    snprintf(of->driver, sizeof of->driver, "%s", wsim_trace_header(trace, "driver"));
    snprintf(of->date, sizeof of->date, "%s", wsim_trace_header(trace, "date"));
}

/* In the order of the tables. */
static int by_operation(const void *a, const void *b) {
    const struct held *x = a, *y = b;
    return x->op.form != y->op.form ? x->op.form - y->op.form : strcmp(x->spelling, y->spelling);
}

/* --- as a table --- */

/* "sm_90a_mma" of "traces/sm_90a/mma.trace.zst". */
static void print_id(FILE *out, const char *path) {
    const char *at = path + strlen("traces/"), *end = strstr(at, ".trace");
    for (; at < end; at++)
        fputc(strchr("/-.", *at) ? '_' : *at, out);
}

/* A text between quotes. */
static void print_text(FILE *out, const char *text) {
    ck_assert_msg(!strpbrk(text, "\"\\"), "'%s' cannot stand in the table", text);
    fprintf(out, "\"%s\"", text);
}

static void print_recording(FILE *out, int index) {
    static const char *const words[] = {"RESULTS,", "COUNTS,"};
    static struct recording of;
    int i, claim;
    of.n = 0;
    files_cases(index, add, &of);
    if (of.n == 0)
        return;
    qsort(of.op, (size_t)of.n, sizeof of.op[0], by_operation);
    fputs("\nRECORDING(", out);
    print_id(out, files_path(index));
    fputs(", ", out);
    print_text(out, files_path(index));
    fputs(", ", out);
    print_text(out, of.gpu);
    fprintf(out, ", %s, ", of.arch);
    print_text(out, of.driver);
    fputs(", ", out);
    print_text(out, of.date);
    fputs(")\n", out);
    for (i = 0; i < of.n; i++)
        for (claim = WSIM_RESULTS; claim <= WSIM_COUNTS; claim++)
            if (of.op[i].number[claim])
                fprintf(out, "HELD(%-8s %10llu, \"%s\")\n", words[claim],
                        (unsigned long long)of.op[i].number[claim], of.op[i].spelling);
}

static void print_table(FILE *out, int nfiles) {
    int i;
    fputs(head, out);
    for (i = 0; i < nfiles; i++)
        print_recording(out, i);
    fputs(foot, out);
}

/* --- compared with the table --- */

enum { MAX_LINES = 1 << 16 };

struct lines {
    char *text;
    char *line[MAX_LINES];
    int recording[MAX_LINES]; /* line that opened the recording it belongs to */
    int n;
};

static void cut(struct lines *lines, FILE *file) {
    size_t size = 0;
    long used;
    int opened = 0;
    char *at;
    fseek(file, 0, SEEK_END);
    used = ftell(file);
    rewind(file);
    lines->text = calloc(1, (size_t)used + 1);
    size = fread(lines->text, 1, (size_t)used, file);
    ck_assert_int_eq((long)size, used);
    lines->n = 0;
    for (at = strtok(lines->text, "\n"); at; at = strtok(NULL, "\n")) {
        ck_assert_int_lt(lines->n, MAX_LINES);
        opened = strncmp(at, "RECORDING", 9) == 0 ? lines->n : opened;
        lines->recording[lines->n] = opened;
        lines->line[lines->n++] = at;
    }
}

/* Whether `lines` has line `i` of `from`, in the same recording. */
static int has(const struct lines *lines, const struct lines *from, int i) {
    int k;
    for (k = 0; k < lines->n; k++)
        if (strcmp(lines->line[k], from->line[i]) == 0 &&
            strcmp(lines->line[lines->recording[k]], from->line[from->recording[i]]) == 0)
            return 1;
    return 0;
}

/* Prints the lines that only `a` has. */
static int report(const char *what, const struct lines *a, const struct lines *b) {
    int i, n = 0;
    for (i = 0; i < a->n; i++)
        if (!has(b, a, i) && n++ < 20)
            printf("%s %s\n    %s\n", what, a->line[a->recording[i]], a->line[i]);
    return n;
}

START_TEST(the_table_says_what_the_recordings_hold) {
    static struct lines table, held;
    FILE *file = fopen(WSIM_SOURCE_DIR "/" TABLE, "r"), *now = tmpfile();
    int more, less;
    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(now);
    print_table(now, files_find());
    cut(&table, file);
    cut(&held, now);
    fclose(file);
    fclose(now);
    more = report("not held by", &table, &held);
    less = report("not said of", &held, &table);
    fflush(stdout); /* a failure loses what is not written yet */
    ck_assert_msg(more == 0, TABLE " claims what the recordings do not hold (%d lines above)",
                  more);
    ck_assert_msg(less == 0,
                  "recordings hold what " TABLE " does not say (%d lines above): "
                  "run tests/golden/record.sh",
                  less);
    ck_assert_int_eq(table.n, held.n);
    free(table.text);
    free(held.text);
}
END_TEST

/* Assertions need a test around them. */
START_TEST(the_table_is_written) {
    FILE *file = fopen(WSIM_SOURCE_DIR "/" TABLE, "w");
    ck_assert_ptr_nonnull(file);
    print_table(file, files_find());
    ck_assert_int_eq(fclose(file), 0);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const compare[] = {the_table_says_what_the_recordings_hold};
    const TTest *const record[] = {the_table_is_written};
    if (!files_readable()) {
        puts("skipped: this build cannot read zstd");
        return SKIPPED;
    }
    return run_tests("golden/recorded", argc > 1 && !strcmp(argv[1], "--record") ? record : compare,
                     1);
}
