/* Evidence: the library answers for every architecture; architectures with the same answer share a
 * line. */

#include "ops.h"
#include <inttypes.h>
#include <string.h>

enum { CLAIMS = WSIM_COUNTS + 1, ARCHS = 64, TEXT = 512 };

static const char *const claims[CLAIMS] = {"results", "counts"};

/* A claim of an operation, and the architectures where its evidence is the same. */
struct line {
    const struct wsim_op *op;
    enum wsim_claim claim;
    const char *level, *source;          /* "none" and "": there is no model        */
    uint64_t number;                     /* results, or accesses, in the recordings */
    const struct wsim_arch *arch[ARCHS]; /* in the order of the tables     */
    unsigned narch;
};

struct lines {
    struct line line[ARCHS];
    unsigned n;
};

static uint64_t recorded(const struct wsim_op *op, const struct wsim_arch *arch,
                         enum wsim_claim claim) {
    struct wsim_recording recording;
    uint32_t cursor = 0;
    uint64_t number = 0;
    while (wsim_op_recording(op, arch, claim, &cursor, &recording))
        number += recording.number;
    return number;
}

/* The line of this evidence, or a new one. */
static struct line *find_line(struct lines *lines, const char *level, const char *source,
                              uint64_t number) {
    struct line *line;
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

static void add_arch(struct lines *lines, const struct wsim_op *op, const struct wsim_arch *arch,
                     enum wsim_claim claim) {
    const char *source = "", *level;
    struct line *line;
    if (wsim_op_check(op, arch, NULL))
        return;
    level = wsim_op_evidence(op, arch, claim, &source);
    line = find_line(lines, level ? level : "none", source, level ? recorded(op, arch, claim) : 0);
    line->op = op;
    line->claim = claim;
    line->arch[line->narch++] = arch;
}

/* --- words --- */

static unsigned number_of(const struct wsim_arch *arch) {
    unsigned i = 0;
    while (wsim_arch_at(i) != arch)
        i++;
    return i;
}

/* "sm_70..sm_89 sm_100": neighbours in the order of the tables are a range. */
static void name_archs(const struct wsim_arch *const *arch, unsigned n, char out[TEXT]) {
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

/* "mma" of "traces/sm_90a/mma.trace.zst" */
static void add_name(char text[TEXT], const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const size_t used = strlen(text);
    snprintf(text + used, TEXT - used, " %.*s", (int)strcspn(name, "."), name);
}

static int is_same_run(const struct wsim_recording *a, const struct wsim_recording *b) {
    return a->arch == b->arch && strcmp(a->gpu, b->gpu) == 0 && strcmp(a->driver, b->driver) == 0 &&
           strcmp(a->date, b->date) == 0;
}

/* The recordings of a line: an object each, and a line for those of one run of a GPU. */
static void add_recordings(struct doc *doc, const struct line *line) {
    struct wsim_recording r, last = {.gpu = NULL};
    char names[TEXT] = "";
    uint32_t cursor = 0;
    doc_list(doc, "recordings");
    while (line->number && wsim_op_recording(line->op, line->arch[0], line->claim, &cursor, &r)) {
        doc_object(doc, NULL, "{s:s, s:s, s:s, s:s, s:s, s:I}", "file", r.file, "gpu", r.gpu,
                   "arch", wsim_arch_name(r.arch), "driver", r.driver, "date", r.date, "number",
                   (json_int_t)r.number);
        if (last.gpu && !is_same_run(&last, &r)) {
            doc_line(doc, "        %s as %s, driver %s, %s:%s", last.gpu, wsim_arch_name(last.arch),
                     last.driver, last.date, names);
            names[0] = '\0';
        }
        last = r;
        add_name(names, r.file);
    }
    doc_leave(doc);
    if (last.gpu)
        doc_line(doc, "        %s as %s, driver %s, %s:%s", last.gpu, wsim_arch_name(last.arch),
                 last.driver, last.date, names);
    else if (*line->source)
        doc_line(doc, "        %s", line->source);
}

/* The cases that the evidence does not cover. */
static void add_caveats(struct doc *doc, const struct line *line) {
    const char *text;
    doc_enter(doc, "caveats");
    for (unsigned i = 0; i < line->narch && line->claim == WSIM_RESULTS; i++)
        if ((text = wsim_op_caveat(line->op, line->arch[i], WSIM_RESULTS)) != NULL)
            doc_set(doc, wsim_arch_name(line->arch[i]), json_string(text));
    doc_leave(doc);
}

static void add_line(struct doc *doc, const struct line *line, const char *spelling) {
    const struct wsim_op_info info = wsim_op_describe(line->op);
    json_t *list = json_array();
    char archs[TEXT], number[24] = "-";
    name_archs(line->arch, line->narch, archs);
    if (line->number)
        snprintf(number, sizeof number, "%" PRIu64, line->number);
    for (unsigned i = 0; i < line->narch; i++)
        json_array_append_new(list, json_string(wsim_arch_name(line->arch[i])));
    doc_row_of(doc, "ssssss", spelling, info.family_name, info.row, claims[line->claim],
               line->level, line->source);
    doc_cell(doc, json_integer((json_int_t)line->number), "%s", number);
    doc_cell(doc, list, "%s", archs);
    doc_line(doc, "    %-7s  %-10s  %7s  %s", claims[line->claim], line->level, number, archs);
    add_recordings(doc, line);
    add_caveats(doc, line);
}

static void add_op(struct doc *doc, const struct ops_filter *filter, const struct wsim_op *op,
                   const char *spelling) {
    const struct wsim_arch *arch;
    doc_line(doc, "%s", spelling);
    for (unsigned claim = 0; claim < CLAIMS; claim++) {
        struct lines lines = {.n = 0};
        for (unsigned i = 0; i < ARCHS && (arch = wsim_arch_at(i)) != NULL; i++)
            if (wsim_op_claims(op, (enum wsim_claim)claim) &&
                (!filter->arch || filter->arch == arch))
                add_arch(&lines, op, arch, (enum wsim_claim)claim);
        for (unsigned i = 0; i < lines.n; i++)
            add_line(doc, &lines.line[i], spelling);
    }
}

void evidence_answer(struct doc *doc, const struct ops_filter *filter) {
    static const struct doc_column columns[] = {{"spelling", "operation", 0},
                                                {"family", NULL, 0},
                                                {"row", NULL, 0},
                                                {"claim", "claim", DOC_LEFT},
                                                {"evidence", "evidence", DOC_LEFT},
                                                {"source", "source", DOC_LEFT},
                                                {"number", "recorded", DOC_LEFT},
                                                {"archs", "architectures", DOC_LEFT},
                                                {NULL, NULL, 0}};
    char spelling[WSIM_SPELLING_MAX];
    struct wsim_op op = {0};
    uint32_t cursor = 0;
    const struct wsim_arch *arch;
    doc_title(doc, "Evidence");
    doc_list(doc, "targets");
    for (size_t i = 0; (arch = wsim_arch_at(i)) != NULL; i++)
        if (!filter->arch || filter->arch == arch)
            doc_set(doc, NULL, json_string(wsim_arch_name(arch)));
    doc_leave(doc);
    doc_only(doc, DOC_PAGES | TOOL_CSV);
    doc_table(doc, "claims", columns);
    doc_only(doc, TOOL_TEXT);
    while (ops_next(filter, &cursor, &op, spelling))
        add_op(doc, filter, &op, spelling);
    doc_leave(doc);
}
