/* The operations of a row together: what each form rests on, everywhere, and what every file of
 * recordings holds. */
#include "evidence_table.h"
#include "../common/memory.h"
#include "../common/tool.h"

#include <stdlib.h>
#include <string.h>

static enum evidence_level level_of(const char *word) {
    static const char *const words[] = {"hardware", "published", "documented", "inferred"};
    unsigned level = 0;
    while (level < EVIDENCE_NONE && strcmp(words[level], word) != 0)
        level++;
    return (enum evidence_level)level;
}

/* Operations of a form come one after another. */
static struct evidence_form *form_of(struct evidence_table *table, const char *row) {
    struct evidence_form *last = table->nform ? &table->form[table->nform - 1] : NULL;
    if (last && strcmp(last->row, row) == 0)
        return last;
    if (table->nform == EVIDENCE_FORMS) {
        table->full = 1;
        return NULL;
    }
    last = &table->form[table->nform++];
    last->row = row;
    return last;
}

static struct evidence_file *file_of(struct evidence_table *table,
                                     const struct wsim_recording *recording) {
    unsigned i;
    for (i = 0; i < table->nfile; i++)
        if (strcmp(table->file[i].recording.file, recording->file) == 0)
            return &table->file[i];
    if (table->nfile == EVIDENCE_FILES) {
        table->full = 1;
        return NULL;
    }
    table->file[i].recording = *recording;
    return &table->file[table->nfile++];
}

static void add_files(struct evidence_table *table, const struct evidence_line *line) {
    struct wsim_recording recording;
    struct evidence_file *file;
    uint32_t cursor = 0;
    while (wsim_op_recording(line->op, line->arch[0], line->claim, &cursor, &recording)) {
        file = file_of(table, &recording);
        if (!file)
            return;
        file->ops[line->claim]++;
        file->number[line->claim] += recording.number;
        file->has[table->nform - 1] = 1;
    }
}

static void add_line(const struct evidence_line *line, void *about) {
    struct evidence_table *table = about;
    struct evidence_form *form = form_of(table, wsim_op_describe(line->op).row);
    enum evidence_level level = level_of(line->level);
    unsigned i, a = 0;
    uint64_t own;
    for (i = 0; form && i < line->narch; i++) {
        struct evidence_cell *cell;
        while (table->arch[a] != line->arch[i])
            a++;
        cell = &form->cell[line->claim][a];
        if (!cell->source[level])
            cell->source[level] = line->source;
        own = evidence_recorded_as(line, line->arch[i]);
        cell->ops++;
        cell->recorded += own > 0;
        cell->number += own;
    }
    if (line->number && form)
        add_files(table, line);
}

static int same_cell(const struct evidence_cell *a, const struct evidence_cell *b) {
    int level;
    if (a->ops != b->ops)
        return 0;
    for (level = 0; level < EVIDENCE_LEVELS; level++)
        if (!a->source[level] != !b->source[level] ||
            (a->source[level] && strcmp(a->source[level], b->source[level]) != 0))
            return 0;
    return 1;
}

static int same_column(const struct evidence_table *table, unsigned a, unsigned b) {
    unsigned f, claim;
    for (f = 0; f < table->nform; f++)
        for (claim = 0; claim < EVIDENCE_CLAIMS; claim++)
            if (!same_cell(&table->form[f].cell[claim][a], &table->form[f].cell[claim][b]))
                return 0;
    return 1;
}

static int by_name(const void *a, const void *b) {
    const struct evidence_file *x = a, *y = b;
    return strcmp(x->recording.file, y->recording.file);
}

struct evidence_table *evidence_collect(const struct ops_filter *filter) {
    struct evidence_table *table = memory_make(1, sizeof *table);
    const struct wsim_arch *arch;
    unsigned i;
    for (i = 0; (arch = wsim_arch_at(i)) != NULL && i < EVIDENCE_ARCHS; i++)
        if (!filter->arch || filter->arch == arch)
            table->arch[table->narch++] = arch;
    evidence_each(filter, add_line, table);
    if (table->full) {
        free(table);
        tool_error("too many forms for the evidence table");
        return NULL;
    }
    qsort(table->file, table->nfile, sizeof table->file[0], by_name);
    for (i = 0; i < table->narch; i++)
        while (!same_column(table, table->group[i], i))
            table->group[i]++;
    return table;
}
