/* Findings that are left out; see suppress.h. */
#include "suppress.h"
#include "input.h"
#include "memory.h"
#include "output.h"
#include "text.h"
#include "tool.h"

#include <stdlib.h>
#include <string.h>

typedef unsigned long long number;

/* --- reading --- */

/* Reads the baseline; TOOL_USAGE after an error message. */
static int read_baseline(struct suppress *s, const char *path) {
    struct wsim_diag diag;
    size_t size;
    int status = TOOL_GO;
    char *text = input_bytes(path, &size);
    if (!text)
        return TOOL_USAGE;
    if (wsim_lint_baseline_read(text, size, &s->baseline, &diag)) {
        if (diag.status == WSIM_NO_MEMORY)
            memory_out();
        status = tool_error("%s: %s", text_path(path).text, diag.text);
    }
    free(text);
    return status;
}

int suppress_open(struct suppress *s, const struct suppress_options *options,
                  const char *(*text)(void *user, const char *file), void *user) {
    struct wsim_suppress_options list = {
        .ignore = (const char *const *)options->ignore, .text = text, .user = user};
    struct wsim_diag diag;
    int status = TOOL_GO;
    *s = (struct suppress){.options = *options};
    if (options->baseline && !options->write)
        status = read_baseline(s, options->baseline);
    if (status != TOOL_GO)
        return status;
    list.baseline = s->baseline;
    if (wsim_suppress_make(&list, &s->list, &diag)) {
        if (diag.status == WSIM_NO_MEMORY)
            memory_out();
        return tool_error("--ignore: %s (wsim why --rules lists them)", diag.text);
    }
    return TOOL_GO;
}

void suppress_close(struct suppress *s) {
    wsim_suppress_free(s->list);
    wsim_lint_baseline_free(s->baseline);
    for (size_t i = 0; i < s->n; i++)
        free(s->lines[i]);
    free(s->lines);
    free(s->places);
    *s = (struct suppress){.n = 0};
}

/* --- a new baseline --- */

static void record(struct suppress *s, const char *file, const char *rule, uint64_t fingerprint,
                   uint64_t place) {
    const struct wsim_lint_finding finding = {.rule = rule, .fingerprint = fingerprint};
    const size_t size = strlen(file) + strlen(rule) + 32;
    char *line = memory_make(size, 1);
    if (!wsim_lint_baseline_put(text_below(file), &finding, line, size)) {
        free(line);
        return;
    }
    for (size_t i = 0; i < s->n && place; i++)
        if (s->places[i] == place && strcmp(s->lines[i], line) == 0) {
            free(line);
            return;
        }
    s->lines = memory_grow(s->lines, (s->n + 1) * sizeof *s->lines);
    s->places = memory_grow(s->places, (s->n + 1) * sizeof *s->places);
    s->places[s->n] = place;
    s->lines[s->n++] = line;
}

void suppress_record(struct suppress *s, const char *file, const char *rule, uint64_t fingerprint) {
    record(s, file, rule, fingerprint, 0);
}

void suppress_record_run(struct suppress *s, const char *file,
                         const struct wsim_suppress_finding *f) {
    record(s, file, f->rule, f->fingerprint, wsim_suppress_place(f));
}

static int by_file(const void *a, const void *b) {
    const char *x = *(char *const *)a, *y = *(char *const *)b;
    const int file = strcmp(strchr(strchr(x, ' ') + 1, ' '), strchr(strchr(y, ' ') + 1, ' '));
    return file ? file : strcmp(x, y);
}

int suppress_write(struct suppress *s, const char *command) {
    struct output output;
    FILE *file;
    if (!s->options.write)
        return TOOL_GO;
    file = output_open(&output, s->options.write);
    if (!file)
        return TOOL_USAGE;
    if (s->n)
        qsort(s->lines, s->n, sizeof *s->lines, by_file);
    fprintf(file, "# Known findings of %s: rule, fingerprint of the statement, file.\n", command);
    for (size_t i = 0; i < s->n; i++)
        fputs(s->lines[i], file);
    if (output_close(&output) != TOOL_GO)
        return TOOL_USAGE;
    fflush(stdout);
    tool_note("wrote %zu finding%s to %s", s->n, s->n == 1 ? "" : "s",
              text_path(s->options.write).text);
    return TOOL_GO;
}

/* --- the answer --- */

static const char *const kinds[] = {[WSIM_SUPPRESS_NOT] = "",
                                    [WSIM_SUPPRESS_IGNORED] = "ignore",
                                    [WSIM_SUPPRESS_COMMENT] = "comment",
                                    [WSIM_SUPPRESS_KNOWN] = "baseline"};

enum wsim_suppress_kind suppress_kind_called(const char *name) {
    enum wsim_suppress_kind kind = WSIM_SUPPRESS_KNOWN;
    while (kind && strcmp(kinds[kind], name) != 0)
        kind--;
    return kind;
}

json_t *suppress_json(enum wsim_suppress_kind kind, const char *reason) {
    return kind ? json_pack("{s:s, s:o}", "kind", kinds[kind], "reason", tool_json_text(reason))
                : NULL;
}

void suppress_state(struct doc *doc, const struct suppress *s) {
    const uint64_t *n = s->counts;
    const number ignored = (number)(n[WSIM_SUPPRESS_IGNORED] + n[WSIM_SUPPRESS_COMMENT]);
    const number known = (number)n[WSIM_SUPPRESS_KNOWN];
    const size_t stale = wsim_suppress_stale(s->list);
    const char *entry;
    if (!s->options.ignore && !s->options.baseline && !ignored)
        return;
    if (ignored && n[WSIM_SUPPRESS_COMMENT])
        doc_line(doc, "%llu ignored, %llu of them by comments", ignored,
                 (number)n[WSIM_SUPPRESS_COMMENT]);
    else if (ignored)
        doc_line(doc, "%llu ignored", ignored);
    if (known)
        doc_line(doc, "%llu in the baseline", known);
    doc_enter(doc, "suppressed");
    doc_pack(doc, "{s:I, s:I, s:I, s:I}", "ignore", (json_int_t)n[WSIM_SUPPRESS_IGNORED], "comment",
             (json_int_t)n[WSIM_SUPPRESS_COMMENT], "baseline", (json_int_t)known, "stale",
             (json_int_t)stale);
    doc_list(doc, "unused");
    for (size_t i = 0; (entry = wsim_suppress_unused(s->list, i)) != NULL; i++)
        doc_fact(doc, NULL, tool_json_text(entry), "--ignore %s leaves out no finding",
                 text_cut(entry).text);
    doc_leave(doc);
    doc_leave(doc);
    if (stale)
        doc_line(doc, "%zu entr%s of the baseline ha%s no finding now", stale,
                 stale == 1 ? "y" : "ies", stale == 1 ? "s" : "ve");
}

void suppress_note_unused(const struct suppress *s, const uint64_t *used) {
    for (size_t i = 0; s->options.ignore && s->options.ignore[i]; i++)
        if (!used[i])
            tool_note("--ignore %s leaves out no finding", text_cut(s->options.ignore[i]).text);
}
