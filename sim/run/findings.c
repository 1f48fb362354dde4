/* The order of findings: causes first.
 *
 * A thread that reads too early reads uninitialised bytes, and the write that comes later is a race
 * or lacks a fence. Both are one mistake, and the uninitialised read is its symptom: the two
 * findings share a source line and a variable. Without the wait for a wgmma, accesses of its
 * accumulator and of its tiles are too early. The register is the cause, as it is nearest to the
 * wait. */
#include "report.h"

#include "../sync/sync.h"

#include <stdlib.h>

static int is_uninitialised(const struct launch_finding *finding) {
    return !strncmp(finding->rule, "init.", 5);
}

static int is_unordered(const struct launch_finding *finding) {
    return !strncmp(finding->rule, "race.", 5) || !strcmp(finding->rule, "proxy.fence.missing");
}

static int lacks_wait(const struct launch_finding *finding) {
    return !strcmp(finding->rule, "wgmma.wait.missing");
}

static int shares_line(const struct launch_finding *a, const struct launch_finding *b) {
    return launch_same_line(&a->line, &b->line) || launch_same_line(&a->line, &b->other_line) ||
           (a->other_line.line && (launch_same_line(&a->other_line, &b->line) ||
                                   launch_same_line(&a->other_line, &b->other_line)));
}

static const struct run_placed *variable_of(const struct wsim_report *report,
                                            const struct launch_finding *finding) {
    return run_shared_variable(report->program,
                               (finding->low & ((1u << RUN_RANK_SHIFT) - 1)) - report->shared_base);
}

static int explains(const struct wsim_report *report, const struct launch_finding *cause,
                    const struct launch_finding *symptom) {
    if (lacks_wait(cause))
        return symptom->waits == 1 + SYNC_WGMMA && shares_line(symptom, cause);
    return is_unordered(cause) && is_uninitialised(symptom) && cause->space == symptom->space &&
           shares_line(symptom, cause) &&
           (cause->space != PTX_SHARED ||
            variable_of(report, cause) == variable_of(report, symptom));
}

/* By block, and in one block by time: threads of the host change neither. */
static int is_earlier(const struct launch_finding *a, const struct launch_finding *b) {
    return a->block != b->block ? a->block < b->block : a->when < b->when;
}

/* Writes findings in their final order, with symptoms after their cause. */
static int compare(const void *a, const void *b) {
    const struct launch_finding *x = a, *y = b;
    if (x->note != y->note)
        return x->note ? 1 : -1;
    return is_earlier(y, x) - is_earlier(x, y);
}

void report_order(struct wsim_report *report) {
    struct launch_finding *findings = report->findings;
    const uint32_t n = (uint32_t)report->n_findings;
    if (!n)
        return;
    qsort(findings, n, sizeof *findings, compare);
    /* The first finding that explains a symptom moves before it, if it came later. */
    for (uint32_t i = 0; i < n; i++) {
        uint32_t cause = 0;
        while (cause < n && !explains(report, &findings[cause], &findings[i]))
            cause++;
        if (cause < n && cause > i) {
            const struct launch_finding moved = findings[cause];
            memmove(&findings[i + 1], &findings[i], (cause - i) * sizeof *findings);
            findings[i] = moved;
        }
    }
    /* Symptoms follow their cause. Each move keeps the order of the others. */
    for (uint32_t i = 0; i < n; i++) {
        uint32_t next = i + 1;
        for (uint32_t k = i + 1; k < n; k++)
            if (!findings[k].cause && explains(report, &findings[i], &findings[k])) {
                struct launch_finding moved = findings[k];
                moved.cause = i + 1;
                memmove(&findings[next + 1], &findings[next], (k - next) * sizeof *findings);
                findings[next++] = moved;
            }
    }
}
