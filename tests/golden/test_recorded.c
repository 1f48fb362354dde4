/* traces/held.tsv says what the recordings hold, neither more nor less, and
 * sim/evidence/recorded.def is the same as numbers. With --record both are written instead
 * (record.sh). Recordings need zstd: without it the test is skipped.
 */
#include "../../sim/evidence/evidence.h"
#include "../run.h"
#include "files.h"

#include <stdio.h>
#include <string.h>

enum { MAX_HELD = 1 << 14, MAX_LINES = 1 << 13, LINE = 4096, SKIPPED = 77 };

#define HELD_TSV "traces/held.tsv"
#define FILES_TSV "traces/recordings.tsv"
#define TABLE "sim/evidence/recorded.def"

/* --- what the recordings hold --- */

struct held {
    char spelling[WSIM_SPELLING_MAX];
    int claim, file;
    unsigned long long number;
};

static struct {
    struct held row[MAX_HELD];
    int n, first; /* rows, and the first one of the file that is read */
    char about[512];
} all;

static void hold(const char *spelling, int claim, int file, unsigned long long number) {
    int i = all.first;
    while (i < all.n && (all.row[i].claim != claim || strcmp(all.row[i].spelling, spelling) != 0))
        i++;
    ck_assert_int_lt(i, MAX_HELD);
    if (i == all.n) {
        snprintf(all.row[i].spelling, WSIM_SPELLING_MAX, "%s", spelling);
        all.row[i].claim = claim;
        all.row[i].file = file;
        all.row[i].number = 0;
        all.n++;
    }
    all.row[i].number += number;
}

static void add(struct wsim_trace *trace, const char *path, unsigned line, void *about) {
    char spelling[WSIM_SPELLING_MAX];
    struct wsim_instruction access;
    struct wsim_op plain;
    if (strncmp(wsim_trace_spelling(trace), "tensormap.", 10) == 0)
        return; /* the driver's answers, not an operation: no row rests on them */
    if (!wsim_trace_op(trace) &&
        wsim_instruction_parse(wsim_trace_spelling(trace), &access, NULL) == WSIM_OK)
        return; /* an access of global memory: sectors.h names its evidence */
    ck_assert_msg(wsim_trace_op(trace) != NULL, "%s:%u: %s is not known", path, line,
                  wsim_trace_spelling(trace));
    plain = evidence_plain(wsim_trace_op(trace));
    wsim_op_spell(&plain, spelling);
    for (int claim = WSIM_RESULTS; claim <= WSIM_COUNTS; claim++)
        if (wsim_trace_held(trace, (enum wsim_claim)claim))
            hold(spelling, claim, *(int *)about, wsim_trace_held(trace, (enum wsim_claim)claim));
    snprintf(all.about, sizeof all.about, "%s\t%s\t%s\t%s\t%s\n", path,
             wsim_trace_header(trace, "gpu"),
             wsim_arch_name(wsim_arch_find(wsim_trace_header(trace, "arch"))),
             wsim_trace_header(trace, "driver"), wsim_trace_header(trace, "date"));
}

static int by_spelling(const void *a, const void *b) {
    const struct held *x = a, *y = b;
    int order = strcmp(x->spelling, y->spelling);
    order = order ? order : x->claim - y->claim;
    return order ? order : x->file - y->file;
}

/* Both tables, sorted, one line for what a merge should not tear apart. */
static void print_tables(FILE *held, FILE *files) {
    int n = files_find();
    all.n = 0;
    fputs("# file\tGPU\ttarget\tdriver\tdate; written by tests/golden/record.sh\n", files);
    for (int i = 0; i < n; i++) {
        all.first = all.n;
        files_cases(i, NULL, add, &i);
        if (all.n > all.first)
            fputs(all.about, files);
    }
    qsort(all.row, (size_t)all.n, sizeof all.row[0], by_spelling);
    fputs("# claim\toperation\tfile:number ...; number: of results whose bits it has, or of\n"
          "# accesses whose wavefronts it has; written by tests/golden/record.sh\n",
          held);
    for (int i = 0; i < all.n; i++) {
        const struct held *row = &all.row[i];
        int more =
            i > 0 && row->claim == row[-1].claim && strcmp(row->spelling, row[-1].spelling) == 0;
        if (!more)
            fprintf(held, "%s%s\t%s\t", i ? "\n" : "", row->claim ? "counts" : "results",
                    row->spelling);
        fprintf(held, "%s%s:%llu", more ? " " : "", files_path(row->file), row->number);
    }
    fputs("\n", held);
}

/* --- as numbers --- */

struct number_row {
    uint32_t hash;
    unsigned file;
    unsigned long long number;
};

static int by_hash(const void *a, const void *b) {
    const struct number_row *x = a, *y = b;
    return x->hash != y->hash ? (x->hash < y->hash ? -1 : 1) : (int)x->file - (int)y->file;
}

static char files[256][64];
static int nfiles;

static unsigned file_number(const char *path, size_t n) {
    int i = 0;
    while (i < nfiles && (strlen(files[i]) != n || memcmp(files[i], path, n) != 0))
        i++;
    ck_assert_msg(i < nfiles, FILES_TSV " does not have %.*s", (int)n, path);
    return (unsigned)i;
}

/* The files, as RECORDING rows. */
static void print_files(FILE *out, FILE *tsv) {
    char line[LINE];
    nfiles = 0;
    while (fgets(line, sizeof line, tsv)) {
        char *field[5] = {strtok(line, "\t\n")};
        if (!field[0] || field[0][0] == '#')
            continue;
        for (int i = 1; i < 5; i++)
            ck_assert_ptr_nonnull(field[i] = strtok(NULL, "\t\n"));
        ck_assert_int_lt(nfiles, 256);
        snprintf(files[nfiles++], sizeof files[0], "%s", field[0]);
        fprintf(out, "RECORDING(\"%s\", \"%s\", \"%s\", \"%s\", \"%s\")\n", field[0], field[1],
                field[2], field[3], field[4]);
    }
}

static void print_numbers(FILE *out, FILE *held, FILE *of_files) {
    static struct number_row row[MAX_HELD];
    char line[LINE];
    int n = 0;
    fputs("/* traces/held.tsv as numbers, written by tests/golden/record.sh.\n"
          " * RECORDING(file, GPU, target, driver, date)\n"
          " * HELD(hash of claim and operation, recording, number), in the order of the hash. */\n"
          "#ifndef RECORDING\n#define RECORDING(file, gpu, arch, driver, date)\n#endif\n"
          "#ifndef HELD\n#define HELD(hash, recording, number)\n#endif\n\n",
          out);
    print_files(out, of_files);
    while (fgets(line, sizeof line, held)) {
        char *claim = strtok(line, "\t\n"), *spelling = strtok(NULL, "\t\n"), *in;
        if (!claim || claim[0] == '#')
            continue;
        while ((in = strtok(NULL, " \n")) != NULL) {
            char *colon = strrchr(in, ':');
            ck_assert_ptr_nonnull(colon);
            ck_assert_int_lt(n, MAX_HELD);
            row[n].hash = evidence_hash(claim[0] == 'r' ? WSIM_RESULTS : WSIM_COUNTS, spelling);
            row[n].file = file_number(in, (size_t)(colon - in));
            row[n++].number = strtoull(colon + 1, NULL, 10);
        }
    }
    qsort(row, (size_t)n, sizeof row[0], by_hash);
    for (int i = 0; i < n; i++)
        fprintf(out, "%sHELD(0x%08x,%u,%llu)", i % 4 ? " " : "\n", (unsigned)row[i].hash,
                row[i].file, row[i].number);
    fputs("\n\n#undef RECORDING\n#undef HELD\n", out);
}

/* --- compared --- */

static FILE *source(const char *name, const char *how) {
    char path[1024];
    FILE *file;
    snprintf(path, sizeof path, "%s/%s", WSIM_SOURCE_DIR, name);
    file = fopen(path, how);
    ck_assert_msg(file != NULL, "%s cannot be opened", path);
    return file;
}

static char lines[2][MAX_LINES][LINE];

static int read_lines(FILE *file, char to[MAX_LINES][LINE]) {
    int n = 0;
    rewind(file);
    while (fgets(to[n], LINE, file))
        ck_assert_int_lt(++n, MAX_LINES);
    return n;
}

/* Prints the lines of `a` that are not in `b`; all are sorted but the first. */
static int report(const char *what, char a[MAX_LINES][LINE], int na, char b[MAX_LINES][LINE],
                  int nb) {
    int missing = 0;
    for (int i = 0; i < na; i++) {
        int k = 0;
        while (k < nb && strcmp(a[i], b[k]) != 0)
            k++;
        if (k == nb && missing++ < 20)
            printf("%s: %s", what, a[i]);
    }
    return missing;
}

static void compare(const char *name, FILE *now, const char *advice) {
    FILE *file = source(name, "r");
    int table = read_lines(file, lines[0]), held = read_lines(now, lines[1]);
    int more = report("claimed, not held", lines[0], table, lines[1], held);
    int less = report("held, not claimed", lines[1], held, lines[0], table);
    fclose(file);
    fflush(stdout); /* a failure loses what is not written yet */
    ck_assert_msg(more == 0 && less == 0 && table == held,
                  "%s has %d lines too many and lacks %d (above): %s", name, more, less, advice);
}

START_TEST(the_tables_say_what_the_recordings_hold) {
    FILE *held = tmpfile(), *of_files = tmpfile();
    print_tables(held, of_files);
    compare(HELD_TSV, held, "run tests/golden/record.sh");
    compare(FILES_TSV, of_files, "run tests/golden/record.sh");
    fclose(held);
    fclose(of_files);
}
END_TEST

START_TEST(the_numbers_are_those_of_the_table) {
    FILE *now = tmpfile(), *held = source(HELD_TSV, "r"), *of_files = source(FILES_TSV, "r");
    print_numbers(now, held, of_files);
    compare(TABLE, now, "run tests/golden/record.sh --numbers");
    fclose(now);
    fclose(held);
    fclose(of_files);
}
END_TEST

/* The program looks for the lower half until it is the only row: order is what finding rests on. */
START_TEST(rows_are_in_order_and_of_recordings) {
    struct evidence_row row, last = {0, 0, 0};
    struct wsim_recording in;
    size_t i;
    for (i = 0; evidence_row(i, &row); i++, last = row) {
        ck_assert_uint_le(last.hash, row.hash);
        ck_assert(wsim_recording_at(row.recording, &in) && in.arch && row.number);
    }
    ck_assert_uint_gt(i, 1000);
}
END_TEST

/* --- written --- */

START_TEST(the_tables_are_written) {
    FILE *held = source(HELD_TSV, "w"), *of_files = source(FILES_TSV, "w");
    print_tables(held, of_files);
    ck_assert_int_eq(fclose(held), 0);
    ck_assert_int_eq(fclose(of_files), 0);
}
END_TEST

START_TEST(the_numbers_are_written) {
    FILE *held = source(HELD_TSV, "r"), *of_files = source(FILES_TSV, "r"),
         *table = source(TABLE, "w");
    print_numbers(table, held, of_files);
    fclose(held);
    fclose(of_files);
    ck_assert_int_eq(fclose(table), 0);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const compared[] = {the_numbers_are_those_of_the_table,
                                     rows_are_in_order_and_of_recordings,
                                     the_tables_say_what_the_recordings_hold};
    const TTest *const record[] = {the_tables_are_written, the_numbers_are_written};
    const char *how = argc > 1 ? argv[1] : "";
    if (strcmp(how, "--numbers") == 0) /* what a merge of held.tsv needs */
        return run_tests("golden/recorded", record + 1, 1);
    if (strcmp(how, "--record") == 0)
        return run_tests("golden/recorded", record, 2);
    if (!files_readable()) {
        int status = run_tests("golden/recorded", compared, 2);
        puts("skipped: this build cannot read zstd");
        return status ? status : SKIPPED;
    }
    return run_tests("golden/recorded", compared, 3);
}
