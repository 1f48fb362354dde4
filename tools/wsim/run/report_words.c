/* Findings, differences and notes of a launch file as lines, for text and for pages. */
#include "report_cost.h"
#include "../common/text.h"

#include <stdarg.h>
#include <stdlib.h>

typedef unsigned long long number;

enum { LINE = 2048, PLACE = 2 * TEXT_CUT };

static void say(struct doc *doc, const char *format, ...) DOC_PRINTF(2);

/* A line of the document, or of standard output. */
static void say(struct doc *doc, const char *format, ...) {
    char line[LINE];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (doc)
        doc_line(doc, "%s", line);
    else
        puts(line);
}

/* --- findings --- */

struct text_name {
    char text[TEXT_CUT + 8];
};

/* " of FILE.ptx" where several texts are linked. */
static struct text_name text_of(const char *name) {
    struct text_name of = {""};
    if (name)
        snprintf(of.text, sizeof of.text, " of %s", text_cut(source_name(name)).text);
    return of;
}

static void say_finding(const struct run_report *report, const struct wsim_finding *f,
                        struct doc *doc) {
    char place[PLACE], other[PLACE], aside[2 * PLACE] = "", times[40] = "";
    report_place(report, f->file, f->line, f->ptx_file, f->ptx_line, place, sizeof place);
    if (f->other_ptx_line) {
        report_place(report, f->other_file, f->other_line, f->other_ptx_file, f->other_ptx_line,
                     other, sizeof other);
        snprintf(aside, sizeof aside, "; the other: %s, PTX line %u%s", other, f->other_ptx_line,
                 text_of(f->other_ptx_file).text);
    }
    if (f->count > 1)
        snprintf(times, sizeof times, "; %llu times", (number)f->count);
    say(doc, "%s: %s: %s", place, f->rule ? f->rule : "finding", f->text);
    say(doc, "    kernel %s, block (%u,%u,%u), thread (%u,%u,%u), PTX line %u%s%s%s%s", f->kernel,
        f->block[0], f->block[1], f->block[2], f->thread[0], f->thread[1], f->thread[2],
        f->ptx_line, text_of(f->ptx_file).text, aside, times,
        f->fatal    ? "; a GPU stops here"
        : f->advice ? "; not counted"
                    : "");
}

void report_say_findings(const struct run_report *report, size_t index, struct doc *doc) {
    const struct wsim_launch_one *one = &report->launch->launches[index];
    const struct machine_launch *ran = &report->machine->launches[index];
    struct wsim_finding finding;
    for (size_t i = 0; wsim_report_finding(ran->report, i, &finding); i++)
        say_finding(report, &finding, doc);
    for (unsigned c = 0; c < WSIM_LAUNCH_COUNTERS; c++) {
        const number got = wsim_launch_counter_of(&ran->totals, (enum wsim_launch_counter)c);
        if (one->counted[c] && got != one->counter[c])
            say(doc, "launches[%zu] counter %s: %llu expected, got %llu", index,
                wsim_launch_counter_name((enum wsim_launch_counter)c), (number)one->counter[c],
                got);
    }
}

/* --- differences --- */

static void say_output(const struct run_report *report, struct doc *doc) {
    const struct wsim_launch_lines *lines = &report->output.lines;
    if (!report->has_output)
        return;
    if (!report->output.different)
        say(doc, "stdout: the same lines");
    if (lines->missing)
        say(doc, "stdout: %llu lines are missing, the first %llu: '%s'", (number)lines->missing,
            (number)lines->missing_line, text_cut(report->output.first_missing).text);
    if (lines->extra)
        say(doc, "stdout: %llu lines are too many, the first %llu: '%s'", (number)lines->extra,
            (number)lines->extra_line, text_cut(report->output.first_extra).text);
}

static void say_again(const struct again *again, struct doc *doc) {
    const char *when = again->async == WSIM_ASYNC_LATE ? "late" : "eager";
    if (!again->nlines)
        say(doc, "with --seed %llu --async %s: the same", (number)again->seed, when);
    for (size_t i = 0; i < again->nlines; i++)
        say(doc, "with --seed %llu --async %s: %s", (number)again->seed, when, again->lines[i]);
}

void report_say_differences(const struct run_report *report, struct doc *doc) {
    char words[WSIM_LAUNCH_WORDS];
    for (size_t i = 0; i < report->nverdicts; i++) {
        const struct verdict *verdict = &report->verdicts[i];
        wsim_launch_compare_words(&verdict->comparison, &verdict->expect->limits, words);
        say(doc, "%s: %s", text_cut(verdict->expect->name).text, words);
    }
    say_output(report, doc);
    for (size_t i = 0; i < report->nagains; i++)
        say_again(&report->agains[i], doc);
    if (report->machine->ran < report->launch->nlaunches)
        say(doc, "launches[%zu] and what follows did not run", report->machine->ran);
}

void report_say_notes(const struct run_report *report, struct doc *doc) {
    const char *caveat;
    for (size_t i = 0; (caveat = report_caveat(report, i)) != NULL; i++)
        say(doc, "note: %s", caveat);
    if (*report->minimized)
        say(doc, "minimized: %s", report->minimized);
}
