/* wsim ops --evidence: one line an operation and claim, as text, CSV and JSON. */
#include "evidence_print.h"
#include "../common/screen.h"
#include "evidence.h"

#include <inttypes.h>
#include <string.h>

/* --- text --- */

enum { SOURCE_TEXT = (EVIDENCE_FIELDS + 1) * EVIDENCE_TEXT };

static const char *base(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* "mma, sweep" of "traces/sm_90a/mma.trace.zst, traces/sm_90a/sweep.trace.zst". */
static void short_names(char files[EVIDENCE_TEXT]) {
    char out[EVIDENCE_TEXT] = "", *name;
    for (name = strtok(files, ", "); name; name = strtok(NULL, ", "))
        sprintf(out + strlen(out), "%s%.*s", out[0] ? ", " : "", (int)strcspn(base(name), "."),
                base(name)); /* shorter than what it is made of */
    strcpy(files, out);
}

/* The source, and of recordings all that is known. */
static void source_text(const struct evidence_line *line, char out[SOURCE_TEXT]) {
    char field[EVIDENCE_FIELDS][EVIDENCE_TEXT];
    int f;
    for (f = 0; f < EVIDENCE_FIELDS; f++)
        evidence_field(line, (enum evidence_field)f, field[f]);
    short_names(field[EVIDENCE_FILE]);
    if (line->number)
        snprintf(out, SOURCE_TEXT, "%s as %s, driver %s, %s: %s", field[EVIDENCE_GPU],
                 field[EVIDENCE_TARGET], field[EVIDENCE_DRIVER], field[EVIDENCE_DATE],
                 field[EVIDENCE_FILE]);
    else
        snprintf(out, SOURCE_TEXT, "%s", line->source);
}

struct widths {
    int spelling, level, number, source, archs;
    char last[WSIM_SPELLING_MAX]; /* the spelling that stands above */
};

enum { CLAIM = 7 };

static void widen(int *width, size_t length) {
    *width = (int)length > *width ? (int)length : *width;
}

static void measure(const struct evidence_line *line, void *about) {
    struct widths *w = about;
    char source[SOURCE_TEXT], archs[EVIDENCE_TEXT];
    source_text(line, source);
    evidence_archs(line->arch, line->narch, archs);
    widen(&w->spelling, strlen(line->spelling));
    widen(&w->level, strlen(line->level));
    widen(&w->number, (size_t)snprintf(NULL, 0, "%" PRIu64, line->number));
    widen(&w->source, strlen(source));
    widen(&w->archs, strlen(archs));
}

/* Everything in a line. */
static void print_wide(const struct evidence_line *line, void *about) {
    const struct widths *w = about;
    char source[SOURCE_TEXT], archs[EVIDENCE_TEXT], number[24] = "-";
    source_text(line, source);
    evidence_archs(line->arch, line->narch, archs);
    if (line->number)
        snprintf(number, sizeof number, "%" PRIu64, line->number);
    printf("%-*s  %-*s  %-*s  %*s  %-*s  %s\n", w->spelling, line->spelling, CLAIM,
           evidence_claims[line->claim], w->level, line->level, w->number, number, w->source,
           source, archs);
}

/* The spelling above all that is known of it, each source below what rests on it. */
static void print_narrow(const struct evidence_line *line, void *about) {
    struct widths *w = about;
    char source[SOURCE_TEXT], archs[EVIDENCE_TEXT], number[24] = "-";
    source_text(line, source);
    evidence_archs(line->arch, line->narch, archs);
    if (line->number)
        snprintf(number, sizeof number, "%" PRIu64, line->number);
    if (strcmp(w->last, line->spelling) != 0)
        puts(line->spelling);
    snprintf(w->last, sizeof w->last, "%s", line->spelling);
    screen_fold(8, "    %-*s  %-*s  %*s  %s", CLAIM, evidence_claims[line->claim], w->level,
                line->level, w->number, number, archs);
    if (*source)
        screen_fold(8, "        %s", source);
}

static void print_text(const struct ops_filter *filter) {
    struct widths w = {0, 0, 0, 0, 0, ""};
    int fits;
    evidence_each(filter, measure, &w);
    fits = (unsigned)(w.spelling + CLAIM + w.level + w.number + w.source + w.archs + 10) <=
           screen_columns();
    evidence_each(filter, fits ? print_wide : print_narrow, &w);
}

/* --- CSV --- */

static void print_csv_line(const struct evidence_line *line, void *about) {
    struct wsim_op_info info = wsim_op_describe(line->op);
    unsigned i;
    int f;
    (void)about;
    printf("%s,%s,%s,%s,%s,%" PRIu64, line->spelling, info.family_name, info.row,
           evidence_claims[line->claim], line->level, line->number);
    for (f = 0; f < EVIDENCE_FIELDS; f++) {
        char field[EVIDENCE_TEXT];
        evidence_field(line, (enum evidence_field)f, field);
        printf(",\"%s\"", field);
    }
    printf(",\"%s\",", line->source);
    for (i = 0; i < line->narch; i++)
        printf("%s%s", i ? " " : "", wsim_arch_name(line->arch[i]));
    putchar('\n');
}

/* --- JSON --- */

static json_t *recordings_json(const struct evidence_line *line) {
    json_t *list = json_array();
    struct wsim_recording r;
    uint32_t cursor = 0;
    while (line->number && wsim_op_recording(line->op, line->arch[0], line->claim, &cursor, &r))
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:s, s:s, s:s, s:I}", "file", r.file, "gpu",
                                        r.gpu, "arch", wsim_arch_name(r.arch), "driver", r.driver,
                                        "date", r.date, "number", (json_int_t)r.number));
    return list;
}

static void add_json(const struct evidence_line *line, void *about) {
    struct wsim_op_info info = wsim_op_describe(line->op);
    json_t *archs = json_array();
    unsigned i;
    for (i = 0; i < line->narch; i++)
        json_array_append_new(archs, json_string(wsim_arch_name(line->arch[i])));
    json_array_append_new(about,
                          json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:o, s:o}", "spelling",
                                    line->spelling, "family", info.family_name, "row", info.row,
                                    "claim", evidence_claims[line->claim], "evidence", line->level,
                                    "source", line->source, "number", (json_int_t)line->number,
                                    "recordings", recordings_json(line), "archs", archs));
}

static void print_json(const struct ops_filter *filter) {
    json_t *list = json_array();
    evidence_each(filter, add_json, list);
    tool_print_json(
        json_pack("{s:s, s:i, s:o}", "schema", "wsim.evidence", "version", 1, "claims", list));
}

void evidence_print(const struct ops_filter *filter, enum tool_format format) {
    if (format == TOOL_TEXT) {
        print_text(filter);
    } else if (format == TOOL_CSV) {
        puts("spelling,family,row,claim,evidence,number,gpu,target,driver,date,files,source,archs");
        evidence_each(filter, print_csv_line, NULL);
    } else {
        print_json(filter);
    }
}
