/* What came of a launch file, as a page: the source with what each line costs, what was found, what
 * differs. */
#include "report_cost.h"
#include "../common/memory.h"
#include "../common/page.h"
#include "../common/text.h"

#include <stdlib.h>

typedef unsigned long long number;

enum { PLACE = 2 * TEXT_CUT, SENTENCE = 512 };

/* The data that a picture of lines points to. */
struct lines {
    struct wsim_cost_line *line;
    char (*place)[PLACE];
    char (*text)[TEXT_PATH + 4];
    char (*launch)[SENTENCE];
    const char **launches;
    size_t count;
};

static void add_line(const struct run_report *report, struct lines *lines, uint32_t launch,
                     const struct report_cost *cost) {
    const struct wsim_line *line = &cost->line;
    const char *text = source_line(report->source, line->file, line->line);
    size_t i = lines->count++;
    lines->line = memory_grow(lines->line, lines->count * sizeof *lines->line);
    lines->place = memory_grow(lines->place, lines->count * sizeof *lines->place);
    lines->text = memory_grow(lines->text, lines->count * sizeof *lines->text);
    lines->line[i] = (struct wsim_cost_line){.launch = launch, .counts = *line};
    report_place(report, line->file, line->line, line->ptx_file, line->ptx_line, lines->place[i],
                 sizeof lines->place[i]);
    snprintf(lines->text[i], sizeof lines->text[i], "%s",
             text                 ? text_path(text).text
             : cost->opcodes == 1 ? line->opcode
                                  : "");
}

/* The worst lines if there are more than are asked for, in the order of the source. */
static void add_launch(const struct run_report *report, struct lines *lines, uint32_t launch) {
    const struct wsim_report *one = report->machine->launches[launch].report;
    size_t count, most;
    struct report_cost *costs = report_costs(one, &count), worst;
    most = report->lines < count ? report->lines : count;
    if (most < count) {
        struct report_cost *order = memory_make(count, sizeof *order);
        for (size_t i = 0; i < count; i++)
            order[i] = costs[i];
        qsort(order, count, sizeof *order, report_by_cost);
        worst = order[most ? most - 1 : 0];
        free(order);
    }
    for (size_t i = 0; i < count && most; i++)
        if (most == count || report_by_cost(&costs[i], &worst) <= 0)
            add_line(report, lines, launch, &costs[i]);
    free(costs);
}

static void word_launch(const struct run_report *report, size_t index, char out[SENTENCE]) {
    const struct machine_launch *one = &report->machine->launches[index];
    const struct wsim_launch_one *from = &report->launch->launches[index];
    const struct wsim_totals *t = &one->totals;
    snprintf(out, SENTENCE,
             "%s on %s, grid %ux%ux%u, block %ux%ux%u: %llu warp instructions; shared memory: %llu "
             "wavefronts (ideal %llu); global memory: %llu sectors (ideal %llu)",
             text_cut(one->kernel.name).text,
             wsim_arch_name(wsim_session_arch(report->machine->session)), from->grid[0],
             from->grid[1], from->grid[2], from->block[0], from->block[1], from->block[2],
             (number)t->instructions,
             (number)(t->ld.wavefronts + t->st.wavefronts + t->atom.wavefronts),
             (number)(t->ld.ideal + t->st.ideal + t->atom.ideal), (number)t->global_sectors,
             (number)t->global_ideal);
}

static void collect(const struct run_report *report, struct lines *lines) {
    size_t ran = report->machine->ran;
    *lines = (struct lines){.launch = memory_make(ran, sizeof *lines->launch),
                            .launches = memory_make(ran, sizeof *lines->launches)};
    for (size_t i = 0; i < ran; i++) {
        word_launch(report, i, lines->launch[i]);
        lines->launches[i] = lines->launch[i];
        add_launch(report, lines, (uint32_t)i);
    }
    for (size_t i = 0; i < lines->count; i++) { /* they have stopped moving */
        lines->line[i].place = lines->place[i];
        lines->line[i].text = lines->text[i];
    }
}

static void release(struct lines *lines) {
    free(lines->line);
    free(lines->place);
    free(lines->text);
    free(lines->launch);
    free(lines->launches);
}

/* --- what was found, what differs --- */

static void add_findings(const struct run_report *report, size_t index, struct page *page) {
    struct wsim_finding f;
    char place[PLACE];
    for (size_t i = 0; wsim_report_finding(report->machine->launches[index].report, i, &f); i++) {
        report_place(report, f.file, f.line, f.ptx_file, f.ptx_line, place, sizeof place);
        page_line(page, WSIM_LINES_ABOVE,
                  "%s: %s: %s (block %u,%u,%u, thread %u,%u,%u; %llu times)", place,
                  f.rule ? f.rule : "finding", f.text, f.block[0], f.block[1], f.block[2],
                  f.thread[0], f.thread[1], f.thread[2], (number)f.count);
    }
}

static void add_verdicts(const struct run_report *report, struct page *page) {
    char words[WSIM_LAUNCH_WORDS];
    const char *caveat;
    for (size_t i = 0; i < report->nverdicts; i++) {
        const struct verdict *verdict = &report->verdicts[i];
        wsim_launch_compare_words(&verdict->comparison, &verdict->expect->limits, words);
        page_line(page, WSIM_LINES_ABOVE, "%s: %s", text_cut(verdict->expect->name).text, words);
    }
    if (report->has_output && !report->output.different)
        page_line(page, WSIM_LINES_ABOVE, "stdout: the same lines");
    else if (report->has_output)
        page_line(page, WSIM_LINES_ABOVE, "stdout: %llu lines are missing, %llu are too many",
                  (number)report->output.lines.missing, (number)report->output.lines.extra);
    for (size_t i = 0; i < report->nagains; i++)
        page_line(page, WSIM_LINES_ABOVE, "with --seed %llu --async %s: %s%s",
                  (number)report->agains[i].seed,
                  report->agains[i].async == WSIM_ASYNC_LATE ? "late" : "eager",
                  report->agains[i].nlines ? report->agains[i].lines[0] : "the same",
                  report->agains[i].nlines > 1 ? " ..." : "");
    if (report->machine->ran < report->launch->nlaunches)
        page_line(page, WSIM_LINES_ABOVE, "launches[%zu] and what follows did not run",
                  report->machine->ran);
    for (size_t i = 0; (caveat = report_caveat(report, i)) != NULL; i++)
        page_line(page, WSIM_LINES_BELOW, "note: %s", caveat);
    if (*report->minimized)
        page_line(page, WSIM_LINES_BELOW, "minimized: %s", report->minimized);
}

int report_print_page(const struct run_report *report, enum tool_format format) {
    struct wsim_cost_lines costs;
    struct wsim_picture picture;
    struct lines lines;
    struct page page;
    int status;
    collect(report, &lines);
    costs = (struct wsim_cost_lines){.title = source_name(report->launch->ptx[0].name),
                                     .line = lines.line,
                                     .count = (uint32_t)lines.count,
                                     .launch = lines.launches,
                                     .launches = (uint32_t)report->machine->ran};
    wsim_picture_lines(&costs, &picture);
    if (format == TOOL_CSV) {
        status = picture_print(&picture, format);
    } else {
        page_open(&page, costs.title);
        for (size_t i = 0; i < report->machine->ran; i++)
            add_findings(report, i, &page);
        add_verdicts(report, &page);
        page_picture(&page, &picture);
        status = page_print(&page, format);
    }
    release(&lines);
    return status;
}
