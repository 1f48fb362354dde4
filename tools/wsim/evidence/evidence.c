/* What the model rests on, asked of the library for every architecture; architectures that give
 * the same answer share a line. */
#include "evidence.h"

#include <stdio.h>
#include <string.h>

const char *const evidence_claims[EVIDENCE_CLAIMS] = {"results", "counts"};

/* --- recordings --- */

static uint64_t recorded(const struct wsim_op *op, const struct wsim_arch *arch,
                         enum wsim_claim claim) {
    struct wsim_recording recording;
    uint32_t cursor = 0;
    uint64_t number = 0;
    while (wsim_op_recording(op, arch, claim, &cursor, &recording))
        number += recording.number;
    return number;
}

/* Adds `text` to a list unless it is in there; what does not fit is left out. */
static void join(char out[EVIDENCE_TEXT], const char *text) {
    size_t length = strlen(text), used = strlen(out);
    const char *at = out;
    while ((at = strstr(at, text)) != NULL) {
        if ((at == out || at[-1] == ' ') && (at[length] == '\0' || at[length] == ','))
            return;
        at += length;
    }
    if (used + 2 + length < EVIDENCE_TEXT)
        sprintf(out + used, "%s%s", used ? ", " : "", text);
}

void evidence_field(const struct evidence_line *line, enum evidence_field field,
                    char out[EVIDENCE_TEXT]) {
    struct wsim_recording recording;
    uint32_t cursor = 0;
    out[0] = '\0';
    while (line->number &&
           wsim_op_recording(line->op, line->arch[0], line->claim, &cursor, &recording)) {
        const char *texts[EVIDENCE_FIELDS] = {recording.gpu, wsim_arch_name(recording.arch),
                                              recording.driver, recording.date, recording.file};
        join(out, texts[field]);
    }
}

uint64_t evidence_recorded_as(const struct evidence_line *line, const struct wsim_arch *arch) {
    struct wsim_recording recording;
    uint32_t cursor = 0;
    uint64_t number = 0;
    while (line->number && wsim_op_recording(line->op, arch, line->claim, &cursor, &recording))
        number += recording.arch == arch ? recording.number : 0;
    return number;
}

/* --- architectures --- */

static unsigned number_of(const struct wsim_arch *arch) {
    unsigned i = 0;
    while (wsim_arch_at(i) != arch)
        i++;
    return i;
}

void evidence_archs(const struct wsim_arch *const *arch, unsigned n, char out[EVIDENCE_TEXT]) {
    unsigned i, last;
    out[0] = '\0';
    for (i = 0; i < n; i = last + 1) {
        for (last = i; last + 1 < n && number_of(arch[last + 1]) == number_of(arch[last]) + 1;)
            last++;
        if (last < i + 2)
            last = i; /* two are named */
        sprintf(out + strlen(out), "%s%s", i ? " " : "", wsim_arch_name(arch[i]));
        if (last > i)
            sprintf(out + strlen(out), "..%s", wsim_arch_name(arch[last]));
    }
}

/* --- lines --- */

struct lines {
    struct evidence_line line[EVIDENCE_ARCHS];
    unsigned n;
};

/* The line that says the same, or a new one. */
static struct evidence_line *find(struct lines *lines, const char *level, const char *source,
                                  uint64_t number) {
    struct evidence_line *line;
    for (line = lines->line; line < lines->line + lines->n; line++)
        if (strcmp(line->level, level) == 0 && strcmp(line->source, source) == 0 &&
            line->number == number)
            return line;
    lines->n++;
    line->level = level;
    line->source = source;
    line->number = number;
    line->narch = 0;
    return line;
}

static void add(struct lines *lines, const struct wsim_op *op, const struct wsim_arch *arch,
                enum wsim_claim claim) {
    const char *source = "", *level;
    struct evidence_line *line;
    if (wsim_op_check(op, arch, NULL))
        return;
    level = wsim_op_evidence(op, arch, claim, &source);
    line = find(lines, level ? level : "none", source, level ? recorded(op, arch, claim) : 0);
    line->arch[line->narch++] = arch;
}

void evidence_each(const struct ops_filter *filter,
                   void (*each)(const struct evidence_line *line, void *about), void *about) {
    char spelling[WSIM_SPELLING_MAX];
    const struct wsim_arch *arch;
    struct wsim_op op = {0};
    struct lines lines;
    uint32_t cursor = 0;
    unsigned claim, i;
    while (ops_next(filter, &cursor, &op, spelling))
        for (claim = 0; claim < EVIDENCE_CLAIMS; claim++) {
            lines.n = 0;
            for (i = 0; i < EVIDENCE_ARCHS && (arch = wsim_arch_at(i)) != NULL; i++)
                if (wsim_op_claims(&op, (enum wsim_claim)claim) &&
                    (!filter->arch || filter->arch == arch))
                    add(&lines, &op, arch, (enum wsim_claim)claim);
            for (i = 0; i < lines.n; i++) {
                lines.line[i].op = &op;
                lines.line[i].spelling = spelling;
                lines.line[i].claim = (enum wsim_claim)claim;
                each(&lines.line[i], about);
            }
        }
}
