/* Results of a launch file; see report.h. */
#include "report.h"
#include "again.h"
#include "../common/memory.h"
#include "../common/tool.h"

#include <stdlib.h>
#include <string.h>

uint64_t report_counter(const struct wsim_totals *totals, enum launch_counter counter) {
    const struct wsim_shared_counts *kinds[] = {&totals->ld, &totals->st, &totals->atom};
    const struct wsim_shared_counts *kind = kinds[counter / 2];
    return counter % 2 ? kind->conflicts : kind->wavefronts;
}

static uint64_t count_counters(const struct machine *machine) {
    uint64_t different = 0;
    for (size_t i = 0; i < machine->ran; i++)
        for (int c = 0; c < LAUNCH_COUNTERS; c++)
            different += machine->launch->launches[i].counted[c] &&
                         report_counter(&machine->launches[i].totals, (enum launch_counter)c) !=
                             machine->launch->launches[i].counter[c];
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

static void compare_expect(struct run_report *report, struct machine *machine,
                           const struct launch_expect *expect) {
    struct verdict *verdict = &report->verdicts[report->nverdicts];
    struct place root = place_root(&machine->launch->source), list = place_key(&root, "expect");
    struct place at = place_key(&list, expect->name);
    uint64_t address, bytes = expect->file.size;
    uint8_t *got;
    if (!expect->symbol)
        address = machine->address[expect->buffer];
    else if (machine_symbol(machine, &at, expect->symbol, &address, &bytes) != TOOL_GO)
        return;
    got = machine_read(machine, address, bytes);
    verdict->expect = expect;
    compare_bytes(expect->file.bytes, got, bytes, &expect->limits, &verdict->comparison);
    free(got);
    report->different += verdict->comparison.different;
    report->nverdicts++;
}

void report_open(struct run_report *report, struct machine *machine, unsigned lines,
                 const char *sources) {
    const struct launch *launch = machine->launch;
    *report = (struct run_report){.launch = launch, .machine = machine, .lines = lines};
    report->source = source_open(sources);
    report->verdicts = memory_make(launch->nexpects, sizeof *report->verdicts);
    report->different = count_counters(machine);
    if (machine->ran == launch->nlaunches)
        for (size_t i = 0; i < launch->nexpects; i++)
            compare_expect(report, machine, &launch->expects[i]);
    if (launch->stdout_name) {
        size_t size;
        char *output = report_output(machine, &size);
        compare_output((const char *)launch->output.bytes, (size_t)launch->output.size, output,
                       size, &report->output);
        free(output);
        report->has_output = 1;
        report->different += report->output.missing > report->output.extra ? report->output.missing
                                                                           : report->output.extra;
    }
}

void report_close(struct run_report *report) {
    again_close(report);
    source_close(report->source);
    free(report->verdicts);
    free(report->output.first_missing);
    free(report->output.first_extra);
}

int report_found(const struct run_report *report) {
    int found = report->different > 0;
    for (size_t i = 0; i < report->machine->ran; i++)
        found |= report->machine->launches[i].totals.findings > 0;
    for (size_t i = 0; i < report->nagains; i++)
        found |= report->agains[i].findings > 0;
    return found;
}

const char *report_caveat(const struct run_report *report, size_t index) {
    static const char *const sentences[] = {
        "approximate functions ran on another architecture than they were measured on: their "
        "results are inferred",
        "it has pairs of mul and add without rounding, which the assembler may fuse to one "
        "rounding (--contract does)",
        "it read a clock or where it runs: such values are wsim's own",
        "it used what atomics returned: their order is one of many (--seed tries others)"};
    const struct machine *machine = report->machine;
    uint8_t any[4] = {0};
    for (size_t i = 0; i < machine->ran; i++) {
        const struct wsim_totals *totals = &machine->launches[i].totals;
        any[0] |= totals->approximate;
        any[1] |= totals->contracted;
        any[2] |= totals->clock;
        any[3] |= totals->order;
    }
    for (size_t i = 0; i < 4; i++)
        if (any[i] && index-- == 0)
            return sentences[i];
    return NULL;
}
