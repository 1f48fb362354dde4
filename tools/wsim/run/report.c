/* Results of a launch file; see report.h. */
#include "report.h"
#include "again.h"
#include "judge.h"
#include "../common/memory.h"
#include "../common/tool.h"

#include <stdlib.h>
#include <string.h>

static uint64_t count_counters(const struct machine *machine) {
    uint64_t different = 0;
    for (size_t i = 0; i < machine->ran; i++)
        for (int c = 0; c < WSIM_LAUNCH_COUNTERS; c++)
            different += (uint64_t)wsim_launch_counter_differs(&machine->launch->launches[i],
                                                               &machine->launches[i].totals,
                                                               (enum wsim_launch_counter)c);
    return different;
}

char *report_output(const struct machine *machine, size_t *size) {
    char *all = memory_make(1, 1);
    *size = 0;
    for (size_t i = 0; i < machine->ran; i++) {
        size_t n = 0;
        const char *text = wsim_report_output(machine->launches[i].report, &n);
        all = memory_grow(all, *size + n + 1);
        if (n)
            memcpy(all + *size, text, n);
        *size += n;
    }
    return all;
}

static void compare_expect(struct run_report *report, size_t index) {
    struct verdict *verdict = &report->verdicts[report->nverdicts++];
    struct wsim_diag diag;
    verdict->expect = &report->launch->expects[index];
    /* wsim_session_fill found the variables: only memory is missing here. */
    if (wsim_session_compare(report->machine->session, index, &verdict->comparison, &diag))
        memory_out();
    report->different += verdict->comparison.different;
}

void report_compare_output(const char *want, size_t want_size, const char *got, size_t got_size,
                           struct output_comparison *out) {
    *out = (struct output_comparison){0};
    if (wsim_launch_compare_lines(want, want_size, got, got_size, &out->lines, NULL))
        memory_out();
    if (out->lines.missing)
        out->first_missing = memory_text(out->lines.first_missing, out->lines.missing_length);
    if (out->lines.extra)
        out->first_extra = memory_text(out->lines.first_extra, out->lines.extra_length);
    out->different = out->lines.missing > out->lines.extra ? out->lines.missing : out->lines.extra;
}

void report_open(struct run_report *report, struct machine *machine, unsigned lines,
                 const char *sources, struct suppress *suppress) {
    const struct wsim_launch_parts *launch = machine->launch;
    *report = (struct run_report){
        .launch = launch, .machine = machine, .lines = lines, .suppress = suppress};
    report->source = source_open(sources);
    report->verdicts = memory_make(launch->nexpects, sizeof *report->verdicts);
    report->different = count_counters(machine);
    if (machine->ran == launch->nlaunches)
        for (size_t i = 0; i < launch->nexpects; i++)
            compare_expect(report, i);
    if (launch->output_name) {
        size_t size;
        char *output = report_output(machine, &size);
        report_compare_output(launch->output, (size_t)launch->output_bytes, output, size,
                              &report->output);
        free(output);
        report->has_output = 1;
        report->different += report->output.different;
    }
    judge_all(report);
}

void report_close(struct run_report *report) {
    judge_free(report);
    again_close(report);
    source_close(report->source);
    free(report->verdicts);
    free(report->output.first_missing);
    free(report->output.first_extra);
}

int report_found(const struct run_report *report) {
    const int written = report->suppress->options.write != NULL;
    int found = report->different > 0;
    for (size_t i = 0; i < report->machine->ran; i++)
        found |= report->occurrences[i] > 0 && !written;
    for (size_t i = 0; i < report->nagains; i++)
        found |= report->agains[i].findings > 0 && !written;
    return found;
}

const char *report_caveat(const struct run_report *report, size_t index) {
    static const char *const sentences[] = {
        "approximate functions were measured on another architecture: their results are inferred",
        "it has pairs of mul and add without a rounding modifier, which the assembler may fuse "
        "(without --no-contract)",
        "a loop accesses shared memory: if ptxas unrolls it, it may merge more accesses than wsim "
        "counts",
        "neighbouring accesses of shared memory are guarded: ptxas may merge more of them than "
        "wsim counts",
        "it read a clock or an SM number: these values differ on a GPU",
        "it used the results of atomics: their order is one of many (--seed tries others)",
        "no size of a block is given: a block has one thread (--block, \"block\")"};
    const struct machine *machine = report->machine;
    uint8_t any[7] = {0};
    for (size_t i = 0; i < machine->ran; i++) {
        const struct wsim_totals *totals = &machine->launches[i].totals;
        any[0] |= totals->approximate;
        any[1] |= totals->contracted;
        any[2] |= totals->unrolls & 1;
        any[3] |= totals->unrolls & 2;
        any[4] |= totals->clock;
        any[5] |= totals->order;
        any[6] |= machine->launch->launches[i].unsized && machine->launches[i].block[0] *
                                                                  machine->launches[i].block[1] *
                                                                  machine->launches[i].block[2] ==
                                                              1;
    }
    for (size_t i = 0; i < sizeof any; i++)
        if (any[i] && index-- == 0)
            return sentences[i];
    return NULL;
}
