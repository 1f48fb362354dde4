/* judge.h - which findings of a run count: those that no option and no comment leaves out. */
#ifndef WSIM_RUN_JUDGE_H
#define WSIM_RUN_JUDGE_H

#include "report.h"
#include "../common/suppress.h"

struct judgement {
    enum wsim_suppress_kind kind;
    char *reason;
    uint64_t fingerprint;
};

/* A finding at a line of its source, or else of its PTX. */
struct wsim_suppress_finding judge_place(const struct run_report *report,
                                         const struct wsim_finding *finding);

/* Judges the findings of all launches. */
void judge_all(struct run_report *report);
void judge_free(struct run_report *report);

/* The judgement of finding `index` of a launch. */
const struct judgement *judged(const struct run_report *report, size_t launch, size_t index);

/* Judges a finding of another run of the launches. */
int judge_counts(struct run_report *report, const struct wsim_finding *finding);

/* The text of a source or of PTX, for comments; `user` is the report. */
const char *judge_text(void *user, const char *file);

#endif
