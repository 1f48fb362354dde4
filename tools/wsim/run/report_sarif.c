/* Findings of kernels as SARIF. */
#include "judge.h"
#include "../common/sarif.h"

static void add(json_t *results, json_t *rules, const struct run_report *report, size_t launch,
                size_t index, const struct wsim_finding *f) {
    const struct judgement *is = judged(report, launch, index);
    const struct wsim_suppress_finding place = judge_place(report, f);
    sarif_add(results, rules,
              &(struct sarif_finding){.rule = place.rule,
                                      .level = f->severity == WSIM_SEVERITY_NOTE ? "note" : "error",
                                      .text = f->text,
                                      .inside = f->kernel,
                                      .file = place.file,
                                      .line = place.line,
                                      .other = sarif_other(place.rule),
                                      .other_file = place.other_file,
                                      .other_line = place.other_line,
                                      .fingerprint = is->fingerprint,
                                      .suppressed = is->kind,
                                      .reason = is->reason});
}

int report_print_sarif(const struct run_report *report) {
    json_t *results = json_array(), *rules = json_array();
    struct wsim_finding finding;
    for (size_t i = 0; i < report->machine->ran; i++) {
        const struct wsim_report *one = report->machine->launches[i].report;
        for (size_t n = 0; wsim_report_finding(one, n, &finding); n++)
            add(results, rules, report, i, n, &finding);
    }
    sarif_print("wsim run", results, rules);
    return TOOL_GO;
}
