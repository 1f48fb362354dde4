/* report.h - the results of a launch file, for people and for programs. */
#ifndef WSIM_RUN_REPORT_H
#define WSIM_RUN_REPORT_H

#include "../common/tool.h"
#include "machine.h"
#include "print.h"
#include "source.h"

#define REPORT_WORDS 512

struct verdict {
    const struct wsim_launch_expect *expect;
    struct wsim_launch_comparison comparison;
};

struct suppress;
struct judgement;

/* A run in another order, and its differences from the first run. */
struct again {
    uint64_t seed;
    uint8_t async;      /* enum wsim_async */
    uint64_t different; /* bytes, lines of output */
    uint64_t findings;  /* new findings */
    char **lines;       /* a sentence for each buffer and each finding */
    size_t nlines;
};

/* Lines of output that differ; the texts are to be freed. */
struct output_comparison {
    struct wsim_launch_lines lines;
    char *first_missing, *first_extra; /* NULL: none */
    uint64_t different;
};

struct run_report {
    const struct wsim_launch_parts *launch;
    struct machine *machine;
    struct verdict *verdicts; /* none after a stopped launch */
    size_t nverdicts;
    int has_output; /* printed lines were compared */
    struct output_comparison output;
    uint64_t different; /* bytes or elements, counters, lines of output */
    unsigned lines;     /* of costs, in the text for people              */
    int masks;          /* control characters of the kernels' output are '?' */
    struct source *source;
    const struct print *print;    /* of --print; NULL: not given */
    char minimized[REPORT_WORDS]; /* result of minimize.h; "": not called */
    struct again *agains;         /* of again.h                                    */
    size_t nagains;
    struct suppress *suppress;
    struct judgement **judged; /* by judge.h: of each finding of each launch */
    size_t n_judged;
    uint64_t *occurrences; /* of mistakes of each launch that count */
};

/* Compares the results of the launches and judges their findings. `suppress` has judge_text with
 * this report. Needs report_close. */
void report_open(struct run_report *report, struct machine *machine, unsigned lines,
                 const char *sources, struct suppress *suppress);
void report_close(struct run_report *report);

/* Whether there is a difference or a finding. */
int report_found(const struct run_report *report);

/* The output of all launches in order; to be freed. */
char *report_output(const struct machine *machine, size_t *size);

void report_compare_output(const char *want, size_t want_size, const char *got, size_t got_size,
                           struct output_comparison *out);

/* A reason why a launch may differ from a GPU although each result is right, number `index`; NULL
 * past the last. */
const char *report_caveat(const struct run_report *report, size_t index);

/* Prints the report: TOOL_GO, or the status after an error message. */
int report_print(const struct run_report *report, enum tool_format format);

/* The findings alone, as SARIF. */
int report_print_sarif(const struct run_report *report);

#endif
