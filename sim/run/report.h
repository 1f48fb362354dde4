/* report.h - what one launch left: sums, findings, text. */
#ifndef WSIM_RUN_REPORT_H
#define WSIM_RUN_REPORT_H

#include "../state/launch.h"

struct wsim_report {
    const struct wsim_module *module;
    const struct run_program *program;
    struct run_counts *counts;          /* [program->n_ops + 1] */
    struct wsim_shared_counts *written; /* as of a worker */
    uint32_t *lines;                    /* operations that ran, in file order */
    size_t n_lines;
    struct launch_finding *findings;
    size_t n_findings;
    uint32_t shared_base; /* as of the launch */
    struct wsim_totals totals;
    char *output;
    size_t output_size;
    struct wsim_touched *touched;
    size_t n_touched;
    int waited; /* for another launch */
};

/* NULL: no memory. */
struct wsim_report *report_make(const struct run_launch *launch);

/* Sums up what the workers counted and takes over findings and text. 0: no memory. */
int report_sum(struct wsim_report *report, struct run_launch *launch,
               const struct run_worker *workers, unsigned n);

/* Puts the findings in order, each cause before the findings that it explains. */
void report_order(struct wsim_report *report);

/* The status of the launch: that of its first fatal finding. */
enum wsim_status report_status(const struct wsim_report *report, struct wsim_diag *diag);

#endif
