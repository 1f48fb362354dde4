/* The answer of wsim run: kernels with their costs and findings, differences, notes. */
#include "report_cost.h"
#include "report_finding.h"
#include "judge.h"
#include "../common/counted.h"
#include "../common/doc.h"
#include "../common/memory.h"
#include "../common/screen.h"
#include "../common/text.h"

#include <stdlib.h>
#include <string.h>

typedef unsigned long long number;

/* --- output of kernels --- */

/* Text has the output as printed, unless it is compared: then the report has its differences. */
static void state_output(struct doc *doc, const struct run_report *report) {
    for (size_t i = 0; i < report->machine->ran && !report->has_output; i++) {
        size_t size = 0;
        const char *output = wsim_report_output(report->machine->launches[i].report, &size);
        char *copy = memory_make(size + 1, 1);
        text_mask_lines(copy, output, size);
        if (size)
            doc_raw(doc, report->masks ? copy : output, size);
        if (size && output[size - 1] != '\n')
            doc_raw(doc, "\n", 1);
        free(copy);
    }
}

/* --- lines --- */

/* "-" for a count of nothing. */
static void add_count(struct doc *doc, uint64_t count, int is_there) {
    if (is_there)
        doc_cell(doc, NULL, "%llu", (number)count);
    else
        doc_cell(doc, NULL, "-");
}

static void add_cost(struct doc *doc, const struct run_report *report,
                     const struct report_cost *cost) {
    const struct wsim_line *line = &cost->line;
    const char *source = source_line(report->source, line->file, line->line);
    char place[REPORT_PLACE];
    report_place(report, line->file, line->line, line->ptx_file, line->ptx_line, place,
                 sizeof place);
    doc_row(doc);
    add_count(doc, line->executed, 1);
    if (line->uncounted) {
        doc_cell(doc, NULL, "?");
        doc_cell(doc, NULL, "?");
    } else {
        add_count(doc, line->shared.wavefronts, line->shared.accesses > 0);
        add_count(doc, line->shared.ideal, line->shared.accesses > 0);
    }
    add_count(doc, line->sectors, line->requests > 0);
    add_count(doc, line->sectors_ideal, line->requests > 0);
    doc_cell(doc, NULL, "%s  %s", place,
             source               ? text_cut(source).text
             : cost->opcodes == 1 ? line->opcode
                                  : "");
}

/* The worst lines, in text. */
static void add_costs(struct doc *doc, const struct run_report *report,
                      const struct wsim_report *one) {
    static const struct doc_column columns[] = {
        {NULL, "executed", 0}, {NULL, "wavefronts", 0},  {NULL, "ideal", 0}, {NULL, "sectors", 0},
        {NULL, "ideal", 0},    {NULL, "line", DOC_FOLD}, {NULL, NULL, 0}};
    size_t count;
    struct report_cost *costs = report_costs(one, &count);
    if (count)
        qsort(costs, count, sizeof *costs, report_by_cost);
    if (count && report->lines) {
        doc_table(doc, NULL, columns);
        for (size_t i = 0; i < count && i < report->lines; i++)
            add_cost(doc, report, &costs[i]);
        doc_leave(doc);
    }
    free(costs);
}

/* --- counters --- */

static void state_counters(struct doc *doc, const struct run_report *report, size_t index) {
    const struct wsim_launch_one *one = &report->launch->launches[index];
    doc_list(doc, "counters");
    for (int c = 0; c < WSIM_LAUNCH_COUNTERS; c++) {
        const struct wsim_totals *totals = &report->machine->launches[index].totals;
        const char *name = wsim_launch_counter_name(c);
        const uint64_t got = wsim_launch_counter_of(totals, (enum wsim_launch_counter)c);
        if (!wsim_launch_counter_differs(one, totals, (enum wsim_launch_counter)c))
            continue;
        doc_object(doc, NULL, "{s:s, s:o, s:o}", "name", name, "expected",
                   report_whole(one->counter[c]), "got", report_whole(got));
        doc_line(doc, "launches[%zu] counter %s: %llu expected, got %llu", index, name,
                 (number)one->counter[c], (number)got);
    }
    doc_leave(doc);
}

/* --- launches --- */

static json_t *shared_json(const struct wsim_shared_counts *counts) {
    return json_pack("{s:o, s:o, s:o, s:o}", "accesses", report_whole(counts->accesses),
                     "wavefronts", report_whole(counts->wavefronts), "ideal",
                     report_whole(counts->ideal), "conflicts", report_whole(counts->conflicts));
}

/* Counts of machine code, and those of the PTX (written; NULL: the same) where they differ. */
static int is_joined(const struct wsim_shared_counts *counts,
                     const struct wsim_shared_counts *written) {
    return written && written->accesses != counts->accesses;
}

static void state_shared(struct doc *doc, const char *key, const struct wsim_shared_counts *counts,
                         const struct wsim_shared_counts *written) {
    json_t *out = shared_json(counts);
    if (is_joined(counts, written))
        json_object_set_new(out, "written", shared_json(written));
    doc_set(doc, key, out);
}

static void word_shared(struct doc *doc, const char *name, const struct wsim_shared_counts *counts,
                        const struct wsim_shared_counts *written, int assembled) {
    if (counts->accesses)
        doc_line(doc, "  shared %s: %llu accesses, %llu wavefronts (ideal %llu), %llu conflicts",
                 name, (number)counts->accesses, (number)counts->wavefronts, (number)counts->ideal,
                 (number)counts->conflicts);
    if (is_joined(counts, written))
        doc_line(doc, "    %s; as written: %llu accesses, %llu wavefronts, %llu conflicts",
                 assembled ? "as in machine code" : "neighbours joined as ptxas does",
                 (number)written->accesses, (number)written->wavefronts,
                 (number)written->conflicts);
}

/* Accesses of shared memory whose cost is not known, and the instruction with the most. */
static void word_uncounted(struct doc *doc, const struct wsim_report *report, uint64_t count) {
    struct wsim_line line, most = {0};
    for (size_t i = 0; wsim_report_line(report, i, &line); i++)
        if (line.uncounted > most.uncounted)
            most = line;
    doc_line(doc, "  shared, not counted: %llu accesses, %llu of them %s in PTX line %u",
             (number)count, (number)most.uncounted, most.opcode, most.ptx_line);
}

static void word_launch(struct doc *doc, const struct run_report *report, size_t index) {
    static const char *const names[] = {"grid", "block", "cluster"};
    const struct wsim_launch_one *from = &report->launch->launches[index];
    const uint32_t *extents[] = {from->grid, report->machine->launches[index].block, from->cluster};
    char words[160] = "";
    size_t used = 0;
    for (int i = 0; i < 3; i++)
        if (extents[i][0])
            used += (size_t)snprintf(words + used, sizeof words - used, ", %s %ux%ux%u", names[i],
                                     extents[i][0], extents[i][1], extents[i][2]);
    doc_line(doc, "%s on %s%s", text_cut(report->machine->launches[index].kernel.name).text,
             wsim_arch_name(wsim_session_arch(report->machine->session)), words);
}

/* --- machine code --- */

/* The machine code of a kernel; NULL: counts follow the rule, or the PTX. */
static const struct wsim_machine_kernel *machine_of(const struct run_report *report, size_t index) {
    const struct machine_launch *one = &report->machine->launches[index];
    const struct wsim_machine *machine;
    if (!one->kernel.assembled)
        return NULL;
    machine = wsim_assembly_machine(report->machine->assembly);
    for (size_t i = 0; i < machine->nkernels; i++)
        if (strcmp(machine->kernels[i].name, one->kernel.name) == 0)
            return &machine->kernels[i];
    return NULL;
}

static int occupancy_of(const struct run_report *report, size_t index,
                        const struct wsim_machine_kernel *kernel, struct wsim_occupancy *out) {
    const struct wsim_launch_one *from = &report->launch->launches[index];
    const uint32_t *block = report->machine->launches[index].block;
    const uint32_t threads = block[0] * block[1] * block[2];
    return kernel->registers &&
           wsim_arch_occupancy(
               wsim_session_arch(report->machine->session), threads, kernel->registers,
               report->machine->launches[index].kernel.shared + from->shared, out, NULL) == WSIM_OK;
}

static const char *const limits[] = {[WSIM_OCCUPANCY_BLOCKS] = "blocks",
                                     [WSIM_OCCUPANCY_WARPS] = "warps",
                                     [WSIM_OCCUPANCY_REGISTERS] = "registers",
                                     [WSIM_OCCUPANCY_SHARED] = "shared memory"};

static void state_machine(struct doc *doc, const struct run_report *report, size_t index) {
    const struct wsim_machine_kernel *kernel = machine_of(report, index);
    const uint32_t flags = report->machine->options.launch.flags;
    struct wsim_occupancy occupancy;
    doc_set(doc, "counted_by",
            report_text(kernel                           ? "machine code"
                        : flags & WSIM_MODULE_AS_WRITTEN ? "written"
                                                         : "rule"));
    if (!kernel)
        return;
    doc_enter(doc, "machine");
    doc_pack(doc, "{s:i, s:i, s:i, s:i}", "registers", (int)kernel->registers, "stack",
             (int)kernel->stack, "spill_stores", (int)kernel->spill_stores, "spill_loads",
             (int)kernel->spill_loads);
    if (occupancy_of(report, index, kernel, &occupancy))
        doc_pack(doc, "{s:i, s:i, s:i, s:s}", "sm_blocks", (int)occupancy.blocks, "sm_warps",
                 (int)occupancy.warps, "sm_warps_most", (int)occupancy.most_warps, "limited_by",
                 limits[occupancy.limit]);
    doc_leave(doc);
}

static void word_machine(struct doc *doc, const struct run_report *report, size_t index) {
    const struct wsim_machine_kernel *kernel = machine_of(report, index);
    struct wsim_occupancy occupancy;
    char spills[64] = "no spills";
    if (!kernel)
        return;
    if (kernel->spill_stores || kernel->spill_loads)
        snprintf(spills, sizeof spills, "spills of %u bytes", kernel->spill_stores);
    if (occupancy_of(report, index, kernel, &occupancy))
        doc_line(doc,
                 "  machine code: %u registers, %s; an SM holds %u block%s (%u of %u warps), "
                 "limited by %s",
                 kernel->registers, spills, occupancy.blocks, occupancy.blocks == 1 ? "" : "s",
                 occupancy.warps, occupancy.most_warps, limits[occupancy.limit]);
}

static void state_totals_of(struct doc *doc, const struct machine_launch *one) {
    const struct wsim_totals *t = &one->totals;
    doc_pack(doc, "{s:o, s:o, s:o}", "kernel", report_text(one->kernel.name), "blocks",
             report_whole(t->blocks), "instructions", report_whole(t->instructions));
    doc_enter(doc, "shared");
    state_shared(doc, "ld", &t->ld, &t->ld_written);
    state_shared(doc, "st", &t->st, &t->st_written);
    state_shared(doc, "atom", &t->atom, NULL);
    state_shared(doc, "copy", &t->copy, NULL);
    doc_set(doc, "uncounted", report_whole(t->uncounted));
    doc_leave(doc);
    doc_object(doc, "global", "{s:o, s:o, s:o, s:o}", "requests", report_whole(t->global_requests),
               "sectors", report_whole(t->global_sectors), "ideal", report_whole(t->global_ideal),
               "lines", report_whole(t->global_lines));
}

/* The costs of a launch, in text: pages have them in a picture. */
static void word_costs(struct doc *doc, const struct run_report *report, size_t index) {
    const struct machine_launch *one = &report->machine->launches[index];
    const struct wsim_totals *t = &one->totals;
    doc_only(doc, TOOL_TEXT);
    word_launch(doc, report, index);
    doc_line(doc, "  %llu blocks, %llu warps, %llu warp instructions, %llu of threads",
             (number)t->blocks, (number)t->warps, (number)t->instructions,
             (number)t->thread_instructions);
    word_machine(doc, report, index);
    word_shared(doc, "loads", &t->ld, &t->ld_written, one->kernel.assembled);
    word_shared(doc, "stores", &t->st, &t->st_written, one->kernel.assembled);
    word_shared(doc, "atomics", &t->atom, NULL, 0);
    word_shared(doc, "copies", &t->copy, NULL, 0);
    if (t->uncounted)
        word_uncounted(doc, one->report, t->uncounted);
    if (t->global_requests)
        doc_line(doc, "  global: %llu requests, %llu sectors (ideal %llu), %llu lines",
                 (number)t->global_requests, (number)t->global_sectors, (number)t->global_ideal,
                 (number)t->global_lines);
    add_costs(doc, report, one->report);
    doc_only(doc, DOC_SHOWN);
}

static void state_launch(struct doc *doc, const struct run_report *report, size_t index) {
    const struct machine_launch *one = &report->machine->launches[index];
    struct wsim_finding finding;
    struct wsim_line line;
    const char *output;
    size_t size = 0;
    doc_enter(doc, NULL);
    state_totals_of(doc, one);
    state_machine(doc, report, index);
    doc_list(doc, "lines");
    for (size_t i = 0; doc_is(doc, TOOL_JSON) && wsim_report_line(one->report, i, &line); i++)
        doc_set(doc, NULL, report_line_json(one->report, &line));
    doc_leave(doc);
    doc_list(doc, "findings");
    for (size_t i = 0; wsim_report_finding(one->report, i, &finding); i++) {
        const struct judgement *is = judged(report, index, i);
        json_t *json = report_finding_json(one->report, &finding);
        if (is->kind)
            json_object_set_new(json, "suppressed", suppress_json(is->kind, is->reason));
        else
            report_word_finding(doc, report, index, i);
        doc_set(doc, NULL, json);
    }
    doc_leave(doc);
    state_counters(doc, report, index);
    output = wsim_report_output(one->report, &size);
    if (size) {
        char *copy = memory_make(size + 1, 1);
        text_mask_lines(copy, output, size);
        doc_set(doc, "output", json_string(copy));
        free(copy);
    }
    doc_leave(doc);
}

/* --- differences --- */

static void state_verdict(struct doc *doc, const struct verdict *verdict) {
    const struct wsim_launch_comparison *c = &verdict->comparison;
    const struct wsim_launch_limits *limits = &verdict->expect->limits;
    const int digits = (int)(2 * c->width);
    char words[WSIM_LAUNCH_WORDS];
    wsim_launch_compare_words(c, limits, words);
    doc_enter(doc, NULL);
    doc_pack(doc, "{s:o, s:o, s:o, s:s}", "name", report_text(verdict->expect->name), "compared",
             report_whole(c->compared), "different", report_whole(c->different), "words", words);
    if (c->different)
        doc_object(doc, "first", "{s:s, s:o, s:o, s:o}", "unit", c->elements ? "element" : "byte",
                   "index", report_whole(c->first), "expected",
                   json_sprintf("0x%0*llx", digits, (number)c->want), "got",
                   json_sprintf("0x%0*llx", digits, (number)c->got));
    doc_leave(doc);
    doc_line(doc, "%s: %s", text_cut(verdict->expect->name).text, words);
}

static void state_stdout(struct doc *doc, const struct output_comparison *o) {
    doc_object(doc, "stdout", "{s:o, s:o, s:o, s:o}", "missing", report_whole(o->lines.missing),
               "extra", report_whole(o->lines.extra), "first_missing",
               report_text(o->first_missing), "first_extra", report_text(o->first_extra));
    if (!o->different)
        doc_line(doc, "stdout: the same lines");
    if (o->lines.missing)
        doc_line(doc, "stdout: %llu lines are missing, the first %llu: '%s'",
                 (number)o->lines.missing, (number)o->lines.missing_line,
                 text_cut(o->first_missing).text);
    if (o->lines.extra)
        doc_line(doc, "stdout: %llu extra lines, the first %llu: '%s'", (number)o->lines.extra,
                 (number)o->lines.extra_line, text_cut(o->first_extra).text);
}

static void state_again(struct doc *doc, const struct again *again) {
    const char *async = again->async == WSIM_ASYNC_LATE ? "late" : "eager";
    doc_enter(doc, NULL);
    doc_pack(doc, "{s:o, s:s, s:o, s:o}", "seed", report_whole(again->seed), "async", async,
             "different", report_whole(again->different), "findings",
             report_whole(again->findings));
    doc_list(doc, "words");
    for (size_t i = 0; i < again->nlines; i++)
        doc_fact(doc, NULL, tool_json_text(again->lines[i]), "with --seed %llu --async %s: %s",
                 (number)again->seed, async, again->lines[i]);
    doc_leave(doc);
    doc_leave(doc);
    if (!again->nlines)
        doc_line(doc, "with --seed %llu --async %s: the same", (number)again->seed, async);
}

static void state_differences(struct doc *doc, const struct run_report *report) {
    doc_list(doc, "expect");
    for (size_t i = 0; i < report->nverdicts; i++)
        state_verdict(doc, &report->verdicts[i]);
    doc_leave(doc);
    if (report->has_output)
        state_stdout(doc, &report->output);
    if (report->nagains)
        doc_list(doc, "again");
    for (size_t i = 0; i < report->nagains; i++)
        state_again(doc, &report->agains[i]);
    if (report->nagains)
        doc_leave(doc);
    if (report->machine->ran < report->launch->nlaunches)
        doc_line(doc, "launches[%zu] and later ones did not run", report->machine->ran);
}

static void state_notes(struct doc *doc, const struct run_report *report) {
    const char *caveat;
    doc_list(doc, "notes");
    for (size_t i = 0; (caveat = report_caveat(report, i)) != NULL; i++)
        doc_fact(doc, NULL, json_string(caveat), "note: %s", caveat);
    doc_leave(doc);
    if (*report->minimized)
        doc_fact(doc, "minimized", report_text(report->minimized), "minimized: %s",
                 report->minimized);
}

/* Which wavefronts are predicted. JSON has it for each launch. */
static void word_counted(struct doc *doc, const struct run_report *report) {
    struct counted counted = {.n = {0, 0}};
    for (size_t i = 0; i < report->machine->ran; i++) {
        const struct machine_launch *one = &report->machine->launches[i];
        const struct wsim_totals *t = &one->totals;
        if (one->kernel.assembled ? t->ld.accesses + t->st.accesses > 0
                                  : is_joined(&t->ld, &t->ld_written) ||
                                        is_joined(&t->st, &t->st_written) || t->unrolls)
            counted_add(&counted, one->kernel.assembled, one->kernel.name);
    }
    if (!(report->machine->options.launch.flags & WSIM_MODULE_AS_WRITTEN))
        counted_word(doc, &counted);
}

/* The last line of text, for programs. */
static void state_totals(struct doc *doc, const struct run_report *report) {
    number blocks = 0, instructions = 0, wavefronts = 0, conflicts = 0, findings = 0;
    for (size_t i = 0; i < report->machine->ran; i++) {
        const struct wsim_totals *t = &report->machine->launches[i].totals;
        blocks += t->blocks;
        instructions += t->instructions;
        wavefronts += t->ld.wavefronts + t->st.wavefronts + t->atom.wavefronts;
        conflicts += t->ld.conflicts + t->st.conflicts + t->atom.conflicts;
        findings += report->occurrences[i];
    }
    for (size_t i = 0; i < report->nagains; i++)
        findings += report->agains[i].findings;
    doc_only(doc, TOOL_TEXT);
    doc_line(doc,
             "launches %zu blocks %llu instructions %llu wavefronts %llu conflicts %llu findings "
             "%llu different %llu",
             report->machine->ran, blocks, instructions, wavefronts, conflicts, findings,
             (number)report->different);
    doc_set(doc, "different", report_whole(report->different));
}

/* --- the picture of pages and CSV --- */

enum { SENTENCE = 512 };

/* The data of a picture of lines. */
struct row {
    char place[REPORT_PLACE], text[TEXT_PATH + 4];
};

struct lines {
    struct wsim_cost_line *line;
    struct row *row;
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
    lines->row = memory_grow(lines->row, lines->count * sizeof *lines->row);
    lines->line[i] = (struct wsim_cost_line){.launch = launch, .counts = *line};
    report_place(report, line->file, line->line, line->ptx_file, line->ptx_line,
                 lines->row[i].place, REPORT_PLACE);
    snprintf(lines->row[i].text, sizeof lines->row[i].text, "%s",
             text                 ? text_path(text).text
             : cost->opcodes == 1 ? line->opcode
                                  : "");
}

/* The worst lines, report->lines of them, in the order of the source. */
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

static void word_counts(const struct run_report *report, size_t index, char out[SENTENCE]) {
    const struct machine_launch *one = &report->machine->launches[index];
    const struct wsim_launch_one *from = &report->launch->launches[index];
    const struct wsim_totals *t = &one->totals;
    snprintf(out, SENTENCE,
             "%s on %s, grid %ux%ux%u, block %ux%ux%u: %llu warp instructions; shared memory: %llu "
             "wavefronts (ideal %llu); global memory: %llu sectors (ideal %llu)",
             text_cut(one->kernel.name).text,
             wsim_arch_name(wsim_session_arch(report->machine->session)), from->grid[0],
             from->grid[1], from->grid[2], one->block[0], one->block[1], one->block[2],
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
        word_counts(report, i, lines->launch[i]);
        lines->launches[i] = lines->launch[i];
        add_launch(report, lines, (uint32_t)i);
    }
    for (size_t i = 0; i < lines->count; i++) { /* the arrays no longer move */
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

int report_print(const struct run_report *report, enum tool_format format) {
    struct doc *doc;
    struct wsim_cost_lines costs;
    struct wsim_picture picture;
    struct lines lines = {NULL, NULL, NULL, NULL, 0};
    int status;
    if (format == TOOL_SARIF)
        return report_print_sarif(report);
    doc = doc_open(format, "wsim.run");
    screen_widen(); /* programs read the lines of text */
    doc_title(doc, "%s", text_name(report->launch->ptx[0].name));
    doc_set(doc, "arch", json_string(wsim_arch_name(wsim_session_arch(report->machine->session))));
    state_output(doc, report);
    print_state(doc, report->print, report->source);
    doc_list(doc, "launches");
    for (size_t i = 0; i < report->machine->ran; i++)
        state_launch(doc, report, i);
    doc_leave(doc);
    state_differences(doc, report);
    for (size_t i = 0; i < report->machine->ran; i++)
        word_costs(doc, report, i);
    if (doc_is(doc, DOC_PAGES | TOOL_CSV)) {
        collect(report, &lines);
        costs = (struct wsim_cost_lines){.title = text_name(report->launch->ptx[0].name),
                                         .line = lines.line,
                                         .count = (uint32_t)lines.count,
                                         .launch = lines.launches,
                                         .launches = (uint32_t)report->machine->ran};
        wsim_picture_lines(&costs, &picture);
        doc_only(doc, DOC_PAGES | TOOL_CSV);
        doc_picture(doc, &picture);
        doc_only(doc, DOC_SHOWN);
    }
    state_notes(doc, report);
    word_counted(doc, report);
    suppress_state(doc, report->suppress);
    state_totals(doc, report);
    status = doc_close(doc, TOOL_GO);
    release(&lines);
    return status == TOOL_FINE ? TOOL_GO : status;
}
