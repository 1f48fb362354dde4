/* Findings that count; see judge.h. */
#include "judge.h"
#include "../common/memory.h"

#include <stdlib.h>
#include <string.h>

/* --- texts --- */

/* A text of PTX by its name; NULL: there is none, or it is a binary. */
static const char *ptx_of(const struct run_report *report, const char *name) {
    for (size_t i = 0; i < report->launch->nptx; i++) {
        const struct wsim_launch_ptx *ptx = &report->launch->ptx[i];
        if (strcmp(ptx->name, name) == 0)
            return strlen(ptx->bytes) == ptx->size ? ptx->bytes : NULL;
    }
    return NULL;
}

const char *judge_text(void *user, const char *file) {
    struct run_report *report = user;
    const char *text = ptx_of(report, file);
    return text ? text : source_text(report->source, file);
}

/* A copy of a line, to be freed; NULL: it is not there. */
static char *line_of(struct run_report *report, const char *file, uint32_t line) {
    const char *at = file && line ? judge_text(report, file) : NULL;
    for (; at && line > 1; line--) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    return at ? memory_text(at, strcspn(at, "\n")) : NULL;
}

/* --- places --- */

static const char *file_of(const struct run_report *report, const char *file, const char *ptx) {
    return file ? file : ptx ? ptx : report->launch->ptx[0].name;
}

struct wsim_suppress_finding judge_place(const struct run_report *report,
                                         const struct wsim_finding *f) {
    struct wsim_suppress_finding out = {.rule = f->rule ? f->rule : "finding",
                                        .kernel = f->kernel,
                                        .file = file_of(report, f->file, f->ptx_file),
                                        .line = f->file ? f->line : f->ptx_line};
    if (f->other_ptx_line) {
        out.other_file = file_of(report, f->other_file, f->other_ptx_file);
        out.other_line = f->other_file ? f->other_line : f->other_ptx_line;
    }
    return out;
}

static struct wsim_suppress_finding place_of(struct run_report *report,
                                             const struct wsim_finding *finding) {
    struct wsim_suppress_finding out = judge_place(report, finding);
    char *line = line_of(report, out.file, out.line);
    char *other = line_of(report, out.other_file, out.other_line);
    out.fingerprint = wsim_suppress_fingerprint(out.rule, line, other);
    free(line);
    free(other);
    return out;
}

/* --- judgements --- */

int judge_counts(struct run_report *report, const struct wsim_finding *finding) {
    const struct wsim_suppress_finding place = place_of(report, finding);
    const char *reason;
    if (finding->severity == WSIM_SEVERITY_NOTE ||
        wsim_suppress_find(report->suppress->list, &place, &reason))
        return 0;
    if (report->suppress->options.write)
        suppress_record_run(report->suppress, place.file, &place);
    return 1;
}

const struct judgement *judged(const struct run_report *report, size_t launch, size_t index) {
    return &report->judged[launch][index];
}

/* A finding that another one explains goes with that one; the same mistake at another line is
 * judged by itself. */
static void judge(struct run_report *report, size_t launch, size_t index,
                  const struct wsim_finding *f) {
    struct judgement *out = &report->judged[launch][index];
    const struct judgement *cause = f->cause ? judged(report, launch, f->cause - 1) : NULL;
    const struct wsim_suppress_finding place = place_of(report, f);
    struct wsim_finding first;
    const char *reason;
    out->kind = wsim_suppress_find(report->suppress->list, &place, &reason);
    if (!out->kind && cause && cause->kind &&
        wsim_report_finding(report->machine->launches[launch].report, f->cause - 1, &first) &&
        strcmp(first.rule, f->rule) != 0) {
        out->kind = cause->kind;
        reason = cause->reason;
    }
    out->reason = memory_text(reason, strlen(reason));
    out->fingerprint = place.fingerprint;
    if (!out->kind && report->suppress->options.write)
        suppress_record_run(report->suppress, place.file, &place);
    if (out->kind && (!cause || !cause->kind))
        report->suppress->counts[out->kind]++;
    if (f->severity != WSIM_SEVERITY_NOTE && out->kind)
        report->occurrences[launch] -= f->count;
}

void judge_all(struct run_report *report) {
    const size_t n = report->machine->ran;
    struct wsim_finding finding;
    report->judged = memory_make(n + 1, sizeof *report->judged);
    report->occurrences = memory_make(n + 1, sizeof *report->occurrences);
    for (size_t i = 0; i < n; i++) {
        const struct machine_launch *one = &report->machine->launches[i];
        size_t count = 0;
        report->occurrences[i] = one->totals.findings;
        while (wsim_report_finding(one->report, count, &finding))
            count++;
        report->judged[i] = memory_make(count + 1, sizeof *report->judged[i]);
        for (size_t k = 0; wsim_report_finding(one->report, k, &finding); k++)
            judge(report, i, k, &finding);
    }
    report->n_judged = n;
}

void judge_free(struct run_report *report) {
    for (size_t i = 0; i < report->n_judged; i++) {
        /* the list ends with a judgement without reason */
        for (struct judgement *at = report->judged[i]; at->reason; at++)
            free(at->reason);
        free(report->judged[i]);
    }
    free(report->judged);
    free(report->occurrences);
}
