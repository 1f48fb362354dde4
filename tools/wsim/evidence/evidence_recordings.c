/* The recordings in docs/generated/evidence.md: files, what they hold of each form, what has none.
 */
#include "evidence_recordings.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* 1234567 as "1,234,567". */
static const char *grouped(uint64_t number, char out[32]) {
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%" PRIu64, number), i, k = 0;
    for (i = 0; i < n; i++) {
        if (i && (n - i) % 3 == 0)
            out[k++] = ',';
        out[k++] = digits[i];
    }
    out[k] = '\0';
    return out;
}

static void print_files(const struct evidence_table *table) {
    char results[32], counts[32];
    unsigned i;
    puts("\n| recording | GPU | as | driver | date | operations | results | accesses |\n"
         "| --- | --- | --- | --- | --- | --- | --- | --- |");
    for (i = 0; i < table->nfile; i++) {
        const struct evidence_file *file = &table->file[i];
        const struct wsim_recording *r = &file->recording;
        printf("| %s | %s | %s | %s | %s | %u | %s | %s |\n", r->file, r->gpu,
               wsim_arch_name(r->arch), r->driver, r->date, file->ops[0] + file->ops[1],
               grouped(file->number[WSIM_RESULTS], results),
               grouped(file->number[WSIM_COUNTS], counts));
    }
}

static int was_recorded_as(const struct evidence_table *table, const struct wsim_arch *arch) {
    unsigned i;
    for (i = 0; i < table->nfile; i++)
        if (table->file[i].recording.arch == arch)
            return 1;
    return 0;
}

static int rests_on_recordings(const struct evidence_table *table, unsigned a) {
    unsigned f, claim;
    for (f = 0; f < table->nform; f++)
        for (claim = 0; claim < EVIDENCE_CLAIMS; claim++)
            if (table->form[f].cell[claim][a].source[EVIDENCE_HARDWARE])
                return 1;
    return 0;
}

/* Where letters H stand without a recording of that very target, and where there are none. */
static void print_targets(const struct evidence_table *table) {
    const struct wsim_arch *none[EVIDENCE_ARCHS] = {NULL};
    char text[EVIDENCE_TEXT];
    unsigned a, n = 0;
    for (a = 0; a < table->narch; a++)
        if (!rests_on_recordings(table, a))
            none[n++] = table->arch[a];
        else if (!was_recorded_as(table, table->arch[a]))
            printf(
                "\nNothing was recorded as %s: its letters H rest on recordings of another target "
                "of the same\narithmetic generation.\n",
                wsim_arch_name(table->arch[a]));
    evidence_archs(none, n, text);
    if (n)
        printf("\nNo recordings at all: %s.\n", text);
    puts("\n[hardware-notes.md](../../lab/reports/hardware-notes.md) has the comparisons that are "
         "too large to keep.");
}

static void print_share(const struct evidence_cell *cell) {
    char number[32];
    if (cell->ops)
        printf(" %u of %u | %s |", cell->recorded, cell->ops, grouped(cell->number, number));
    else
        printf(" | |");
}

/* "mma sweep": the files of a target that hold operations of a form. */
static void print_names(const struct evidence_table *table, unsigned form,
                        const struct wsim_arch *arch) {
    unsigned i;
    for (i = 0; i < table->nfile; i++) {
        const char *name = strrchr(table->file[i].recording.file, '/');
        if (!table->file[i].has[form] || table->file[i].recording.arch != arch || !name)
            continue;
        printf(" %.*s", (int)strcspn(name + 1, "."), name + 1);
    }
    puts(" |");
}

static void add_cell(struct evidence_cell *sum, const struct evidence_cell *cell) {
    sum->ops += cell->ops;
    sum->recorded += cell->recorded;
    sum->number += cell->number;
}

/* What is recorded of the forms of one target. */
static void print_recorded(const struct evidence_table *table, unsigned a) {
    struct evidence_cell sum[EVIDENCE_CLAIMS];
    unsigned f, claim;
    memset(sum, 0, sizeof sum);
    printf("\n### Recorded as %s\n\n"
           "| form | operations with results | results | operations with counts | accesses | "
           "recordings |\n"
           "| --- | --- | --- | --- | --- | --- |\n",
           wsim_arch_name(table->arch[a]));
    for (f = 0; f < table->nform; f++) {
        const struct evidence_form *form = &table->form[f];
        if (!form->cell[WSIM_RESULTS][a].ops && !form->cell[WSIM_COUNTS][a].ops)
            continue;
        printf("| %s |", form->row);
        for (claim = 0; claim < EVIDENCE_CLAIMS; claim++) {
            print_share(&form->cell[claim][a]);
            add_cell(&sum[claim], &form->cell[claim][a]);
        }
        print_names(table, f, table->arch[a]);
    }
    printf("| all |");
    print_share(&sum[WSIM_RESULTS]);
    print_share(&sum[WSIM_COUNTS]);
    puts(" |");
}

/* The operations of a target of which a claim was not recorded as that target. */
static void print_missing(const struct evidence_line *line, void *about) {
    unsigned i;
    for (i = 0; i < line->narch; i++)
        if (line->arch[i] == about && !evidence_recorded_as(line, line->arch[i]))
            printf("| `%s` | %s | %s |\n", line->spelling, evidence_claims[line->claim],
                   strcmp(line->level, "none") == 0 ? "no model" : line->level);
}

static void print_unrecorded(const struct ops_filter *filter, const struct wsim_arch *arch) {
    printf("\n### Not recorded as %s\n\n"
           "| operation | what | so it is |\n"
           "| --- | --- | --- |\n",
           wsim_arch_name(arch));
    evidence_each(filter, print_missing, (void *)arch);
}

void evidence_recordings_print(const struct ops_filter *filter,
                               const struct evidence_table *table) {
    unsigned a;
    puts("\n## Recordings");
    print_files(table);
    print_targets(table);
    for (a = 0; a < table->narch; a++)
        if (was_recorded_as(table, table->arch[a])) {
            print_recorded(table, a);
            print_unrecorded(filter, table->arch[a]);
        }
}
