/* Findings that the environment or a comment leaves out: WSIM_IGNORE, WSIM_BASELINE. They do not
 * count for the status of the process. */
#define _GNU_SOURCE
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 24 }; /* bytes of a source or baseline */

/* A file with a 0 at its end, to be freed; NULL: it cannot be read. */
static char *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "re");
    char *text = NULL;
    size_t room = 0;
    *size = 0;
    while (file && !ferror(file) && !feof(file) && *size < MOST) {
        char *grown = *size == room ? realloc(text, (room = 2 * room + 4096) + 1) : text;
        if (!grown)
            break;
        text = grown;
        *size += fread(text + *size, 1, room - *size, file);
    }
    if (file)
        fclose(file);
    if (text)
        text[*size] = '\0';
    return text;
}

/* The text of a source, by the path that the compiler wrote. The last one is kept. */
static const char *text_of(void *user, const char *path) {
    struct source *source = &core.source;
    size_t size;
    (void)user;
    if (source->path && strcmp(source->path, path) == 0)
        return source->text;
    free(source->path);
    free(source->text);
    source->path = strdup(path);
    source->text = read_file(path, &size);
    return source->text;
}

/* --- settings --- */

static enum wsim_status read_baseline(const char *path, struct wsim_lint_baseline **out,
                                      struct wsim_diag *diag) {
    size_t size;
    char *text = read_file(path, &size);
    enum wsim_status status = WSIM_OPERAND;
    if (text)
        status = wsim_lint_baseline_read(text, size, out, diag);
    else
        snprintf(diag->text, sizeof diag->text, "it cannot be read");
    free(text);
    return status;
}

int suppress_read(const char *ignore, const char *path, struct wsim_suppress **list) {
    struct wsim_lint_baseline *baseline = NULL; /* as long as the process */
    char *words = strdup(ignore ? ignore : ""), *rest = NULL;
    const char **entries = calloc(strlen(words ? words : "") + 2, sizeof *entries);
    struct wsim_suppress_options options = {.ignore = entries, .text = text_of};
    struct wsim_diag diag = {.rule = NULL};
    enum wsim_status status = words && entries ? WSIM_OK : WSIM_NO_MEMORY;
    size_t n = 0;
    if (!status && path && (status = read_baseline(path, &baseline, &diag)) != WSIM_OK)
        wsimrt_say("WSIM_BASELINE=%.80s is wrong: %s", path, diag.text);
    if (!status) {
        for (char *at = strtok_r(words, ", \t\n", &rest); at; at = strtok_r(NULL, ", \t\n", &rest))
            entries[n++] = at;
        options.baseline = baseline;
        status = wsim_suppress_make(&options, list, &diag);
        if (status)
            wsimrt_say("WSIM_IGNORE=%.80s is wrong: %s", ignore ? ignore : "", diag.text);
    }
    free(entries);
    free(words);
    return status ? WSIMRT_INVALID_VALUE : 0;
}

/* --- findings --- */

/* The line of a text, to be freed; NULL: it is not there. */
static char *line_of(const char *path, uint32_t line) {
    const char *at = line ? text_of(NULL, path) : NULL;
    for (; at && line > 1; line--) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    return at ? strndup(at, strcspn(at, "\n")) : NULL;
}

/* Lines of the source make a better fingerprint than instructions. */
static void read_fingerprint(struct finding *finding) {
    char *line = line_of(finding->file, finding->line);
    char *other = line_of(finding->other_file, finding->other_line);
    if (line)
        finding->fingerprint = wsim_suppress_fingerprint(finding->rule, line, other);
    free(line);
    free(other);
}

/* A kernel without lines of a source counts as a file with lines of PTX. */
static struct wsim_suppress_finding place_of(const struct finding *f) {
    struct wsim_suppress_finding out = {.rule = f->rule,
                                        .kernel = f->meaning ? f->function : f->kernel,
                                        .object = f->object,
                                        .fingerprint = f->fingerprint,
                                        .place = f->meaning ? f->offset + 1 : 0};
    out.file = f->meaning ? f->object : f->line ? f->file : f->kernel;
    out.line = f->line ? f->line : f->ptx_line;
    if (f->other_ptx_line) {
        out.other_file = f->other_line ? f->other_file : f->kernel;
        out.other_line = f->other_line ? f->other_line : f->other_ptx_line;
    }
    return out;
}

void suppress_judge(struct finding *finding, const struct finding *cause) {
    struct wsim_suppress_finding place;
    const char *reason = "";
    read_fingerprint(finding);
    place = place_of(finding);
    if (core.settings.suppress)
        finding->suppressed = wsim_suppress_find(core.settings.suppress, &place, &reason);
    if (!finding->suppressed && cause && cause->suppressed &&
        strcmp(cause->rule, finding->rule) != 0) {
        finding->suppressed = cause->suppressed;
        reason = cause->reason;
    }
    finding->later = !finding->suppressed && finding->meaning && core.settings.report_folder &&
                     core.settings.suppress &&
                     wsim_suppress_may(core.settings.suppress, finding->rule);
    finding->reason = strdup(reason ? reason : "");
}
