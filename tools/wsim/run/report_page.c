/* A launch file as a page or CSV: the source with the cost of each line, findings, differences. */
#include "report_cost.h"
#include "../common/memory.h"
#include "../common/text.h"

#include <stdlib.h>

typedef unsigned long long number;

enum { PLACE = 2 * TEXT_CUT, SENTENCE = 512 };

struct row {
    char place[PLACE], text[TEXT_PATH + 4];
};

/* The data of a picture of lines. */
struct lines {
    struct wsim_cost_line *line;
    struct row *row; /* the texts of each line */
    char (*launch)[SENTENCE];
    const char **launches;
    size_t count;
};

static void add_line(const struct run_report *report, struct lines *lines, uint32_t launch,
                     const struct report_cost *cost) {
    const struct wsim_line *line = &cost->line;
    const char *text = source_line(report->source, line->file, line->line);
    const size_t i = lines->count++;
    lines->line = memory_grow(lines->line, lines->count * sizeof *lines->line);
    lines->row = memory_grow(lines->row, lines->count * sizeof *lines->row);
    lines->line[i] = (struct wsim_cost_line){.launch = launch, .counts = *line};
    report_place(report, line->file, line->line, line->ptx_file, line->ptx_line,
                 lines->row[i].place, sizeof lines->row[i].place);
    snprintf(lines->row[i].text, sizeof lines->row[i].text, "%s",
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
        lines->line[i].place = lines->row[i].place;
        lines->line[i].text = lines->row[i].text;
    }
}

static void release(struct lines *lines) {
    free(lines->line);
    free(lines->row);
    free(lines->launch);
    free(lines->launches);
}

int report_print_page(const struct run_report *report, enum tool_format format) {
    struct doc *doc = doc_open(format, "wsim.run");
    struct wsim_cost_lines costs;
    struct wsim_picture picture;
    struct lines lines;
    int status;
    collect(report, &lines);
    costs = (struct wsim_cost_lines){.title = source_name(report->launch->ptx[0].name),
                                     .line = lines.line,
                                     .count = (uint32_t)lines.count,
                                     .launch = lines.launches,
                                     .launches = (uint32_t)report->machine->ran};
    wsim_picture_lines(&costs, &picture);
    doc_title(doc, "%s", costs.title);
    for (size_t i = 0; i < report->machine->ran; i++)
        report_say_findings(report, i, doc);
    report_say_differences(report, doc);
    doc_picture(doc, &picture);
    report_say_notes(report, doc);
    status = doc_close(doc, TOOL_FINE);
    release(&lines);
    return status;
}
