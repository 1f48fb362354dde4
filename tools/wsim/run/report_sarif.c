/* Findings of kernels as SARIF. */
#include "report.h"
#include "../common/sarif.h"

static void add(json_t *results, json_t *rules, const char *ptx, const struct wsim_finding *f) {
    sarif_add(results, rules,
              &(struct sarif_finding){.rule = f->rule ? f->rule : "finding",
                                      .level = f->severity == WSIM_SEVERITY_NOTE ? "note" : "error",
                                      .text = f->text,
                                      .inside = f->kernel,
                                      .file = f->file       ? f->file
                                              : f->ptx_file ? f->ptx_file
                                                            : ptx,
                                      .line = f->file ? f->line : f->ptx_line});
}

int report_print_sarif(const struct run_report *report) {
    json_t *results = json_array(), *rules = json_array();
    struct wsim_finding finding;
    for (size_t i = 0; i < report->machine->ran; i++) {
        const struct wsim_report *one = report->machine->launches[i].report;
        for (size_t n = 0; wsim_report_finding(one, n, &finding); n++)
            add(results, rules, report->launch->ptx[0].name, &finding);
    }
    sarif_print("wsim run", results, rules);
    return TOOL_GO;
}
