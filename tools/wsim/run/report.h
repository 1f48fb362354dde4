/* report.h - what came of a launch file, for people and for programs. */
#ifndef WSIM_RUN_REPORT_H
#define WSIM_RUN_REPORT_H

#include "../common/doc.h"
#include "machine.h"
#include "source.h"

#define REPORT_WORDS 512

struct verdict {
    const struct wsim_launch_expect *expect;
    struct wsim_launch_comparison comparison;
};

/* A run in another order, and what came otherwise than in the first one. */
struct again {
    uint64_t seed;
    uint8_t async;      /* enum wsim_async */
    uint64_t different; /* bytes, lines of output */
    uint64_t findings;  /* that are new */
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
    struct verdict *verdicts; /* none after a launch that was stopped */
    size_t nverdicts;
    int has_output; /* what was printed was compared */
    struct output_comparison output;
    uint64_t different; /* bytes or elements, counters, lines of output */
    unsigned lines;     /* of costs, in the text for people              */
    int masks;          /* control characters of the kernels' output are '?' */
    struct source *source;
    char minimized[REPORT_WORDS]; /* what minimize.h found; "": nothing was asked */
    struct again *agains;         /* of again.h                                    */
    size_t nagains;
};

/* Reads what the launches left and compares. To be closed. */
void report_open(struct run_report *report, struct machine *machine, unsigned lines,
                 const char *sources);
void report_close(struct run_report *report);

/* Whether anything differs, or was found. */
int report_found(const struct run_report *report);

/* The output of all launches in order; to be freed. */
char *report_output(const struct machine *machine, size_t *size);

void report_compare_output(const char *want, size_t want_size, const char *got, size_t got_size,
                           struct output_comparison *out);

/* What makes a launch differ from a GPU though each answer is right, number `index`; NULL past the
 * last. */
const char *report_caveat(const struct run_report *report, size_t index);

/* Adds the findings of a launch with its counters that differ, differences, and notes to a
 * document, or with NULL prints them. */
void report_say_findings(const struct run_report *report, size_t index, struct doc *doc);
void report_say_differences(const struct run_report *report, struct doc *doc);
void report_say_notes(const struct run_report *report, struct doc *doc);

void report_print_text(const struct run_report *report);
void report_print_json(const struct run_report *report);

/* The lines with their source: csv, md, svg or html. TOOL_FINE, or the status after saying why not.
 */
int report_print_page(const struct run_report *report, enum tool_format format);

#endif
