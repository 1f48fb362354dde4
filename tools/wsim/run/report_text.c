/* The results of a launch file for people: costs with the worst lines first, findings, differences.
 * The last line is for programs. */
#include "report_cost.h"
#include "../common/memory.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <stdlib.h>
#include <string.h>

typedef unsigned long long number;

/* --- costs --- */

/* "-" for nothing, because many zeros hide the other numbers. */
static void put_count(uint64_t count, int there) {
    if (there)
        printf(" %10llu", (number)count);
    else
        printf(" %10s", "-");
}

/* A count of shared memory; "?" if some accesses are not counted. */
static void put_shared(uint64_t count, const struct wsim_line *line) {
    if (line->uncounted)
        printf(" %10s", "?");
    else
        put_count(count, line->shared.accesses > 0);
}

static void print_cost(const struct run_report *report, const struct report_cost *cost) {
    const struct wsim_line *line = &cost->line;
    const char *text = source_line(report->source, line->file, line->line);
    char place[2 * TEXT_CUT];
    report_place(report, line->file, line->line, line->ptx_file, line->ptx_line, place,
                 sizeof place);
    put_count(line->executed, 1);
    put_shared(line->shared.wavefronts, line);
    put_shared(line->shared.ideal, line);
    put_count(line->sectors, line->requests > 0);
    put_count(line->sectors_ideal, line->requests > 0);
    printf("  %s  %s\n", place,
           text                 ? text_cut(text).text
           : cost->opcodes == 1 ? line->opcode
                                : "");
}

static void print_costs(const struct run_report *report, const struct wsim_report *one) {
    size_t count;
    struct report_cost *costs = report_costs(one, &count);
    unsigned most;
    if (count)
        qsort(costs, count, sizeof *costs, report_by_cost);
    most = report->lines < count ? report->lines : (unsigned)count;
    if (most)
        printf(" %10s %10s %10s %10s %10s  %s\n", "executed", "wavefronts", "ideal", "sectors",
               "ideal", "line");
    for (unsigned i = 0; i < most; i++)
        print_cost(report, &costs[i]);
    free(costs);
}

static void print_shared(const char *name, const struct wsim_shared_counts *counts) {
    if (counts->accesses)
        printf("  shared %s: %llu accesses, %llu wavefronts (ideal %llu), %llu conflicts\n", name,
               (number)counts->accesses, (number)counts->wavefronts, (number)counts->ideal,
               (number)counts->conflicts);
}

/* Accesses of shared memory without a known number of passes, and the instruction that has most. */
static void print_uncounted(const struct wsim_report *report, uint64_t count) {
    struct wsim_line line, most = {0};
    for (size_t i = 0; wsim_report_line(report, i, &line); i++)
        if (line.uncounted > most.uncounted)
            most = line;
    printf("  shared, not counted: %llu accesses, %llu of them %s in PTX line %u\n", (number)count,
           (number)most.uncounted, most.opcode, most.ptx_line);
}

static void print_extent(const char *name, const uint32_t extent[3]) {
    if (extent[0])
        printf(", %s %ux%ux%u", name, extent[0], extent[1], extent[2]);
}

static void print_launch(const struct run_report *report, size_t index) {
    const struct machine_launch *one = &report->machine->launches[index];
    const struct wsim_launch_one *from = &report->launch->launches[index];
    const struct wsim_totals *t = &one->totals;
    printf("%s on %s", text_cut(one->kernel.name).text,
           wsim_arch_name(wsim_session_arch(report->machine->session)));
    print_extent("grid", from->grid);
    print_extent("block", from->block);
    print_extent("cluster", from->cluster);
    printf("\n  %llu blocks, %llu warps, %llu warp instructions, %llu of threads\n",
           (number)t->blocks, (number)t->warps, (number)t->instructions,
           (number)t->thread_instructions);
    print_shared("loads", &t->ld);
    print_shared("stores", &t->st);
    print_shared("atomics", &t->atom);
    print_shared("copies", &t->copy);
    if (t->uncounted)
        print_uncounted(one->report, t->uncounted);
    if (t->global_requests)
        printf("  global: %llu requests, %llu sectors (ideal %llu), %llu lines\n",
               (number)t->global_requests, (number)t->global_sectors, (number)t->global_ideal,
               (number)t->global_lines);
    print_costs(report, one->report);
    report_say_findings(report, index, NULL);
}

static void print_totals(const struct run_report *report) {
    number blocks = 0, instructions = 0, wavefronts = 0, conflicts = 0, findings = 0;
    for (size_t i = 0; i < report->machine->ran; i++) {
        const struct wsim_totals *t = &report->machine->launches[i].totals;
        blocks += t->blocks;
        instructions += t->instructions;
        wavefronts += t->ld.wavefronts + t->st.wavefronts + t->atom.wavefronts;
        conflicts += t->ld.conflicts + t->st.conflicts + t->atom.conflicts;
        findings += t->findings;
    }
    for (size_t i = 0; i < report->nagains; i++)
        findings += report->agains[i].findings;
    printf("launches %zu blocks %llu instructions %llu wavefronts %llu conflicts %llu findings "
           "%llu different %llu\n",
           report->machine->ran, blocks, instructions, wavefronts, conflicts, findings,
           (number)report->different);
}

/* Prints lines for a terminal, with '?' for control characters. */
static void print_masked(const char *text, size_t size) {
    char *copy = memory_text(text, size), *at = copy;
    for (size_t i = 0; i < size; i++)
        copy[i] = text[i] ? text[i] : '?';
    while (at < copy + size) {
        const size_t length = strcspn(at, "\n\t");
        const char end = at[length];
        at[length] = '\0';
        text_mask(at);
        fputs(at, stdout);
        if (end)
            putchar(end);
        at += length + 1;
    }
    free(copy);
}

/* Prints the output of kernels, unless it is compared. */
static void print_what_was_printed(const struct run_report *report) {
    for (size_t i = 0; i < report->machine->ran && !report->has_output; i++) {
        size_t size = 0;
        const char *text = wsim_report_output(report->machine->launches[i].report, &size);
        if (report->masks)
            print_masked(text, size);
        else if (size)
            fwrite(text, 1, size, stdout);
        if (size && text[size - 1] != '\n')
            putchar('\n');
    }
}

void report_print_text(const struct run_report *report) {
    print_what_was_printed(report);
    for (size_t i = 0; i < report->machine->ran; i++)
        print_launch(report, i);
    report_say_differences(report, NULL);
    report_say_notes(report, NULL);
    print_totals(report);
}
