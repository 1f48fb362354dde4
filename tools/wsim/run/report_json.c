/* Results of a launch file as JSON; docs/kernels.md describes it. */
#include "report.h"
#include "../common/memory.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <stdlib.h>
#include <string.h>

static json_t *whole(uint64_t number) {
    return json_integer((json_int_t)number);
}

/* NULL as null. */
static json_t *text(const char *text) {
    return text ? tool_json_text(text) : json_null();
}

/* The output of a kernel, masked line by line. */
static json_t *output_text(const char *output, size_t size) {
    char *copy = memory_text(output, size);
    json_t *string;
    for (char *line = copy, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next = 0;
        text_mask(line);
        if (next)
            *next++ = '\n';
    }
    string = json_string(copy);
    free(copy);
    return string;
}

static json_t *shared_json(const struct wsim_shared_counts *counts) {
    return json_pack("{s:o, s:o, s:o, s:o}", "accesses", whole(counts->accesses), "wavefronts",
                     whole(counts->wavefronts), "ideal", whole(counts->ideal), "conflicts",
                     whole(counts->conflicts));
}

static json_t *place_json(const char *file, uint32_t line) {
    return json_pack("{s:o, s:I}", "file", text(file), "line", (json_int_t)line);
}

static json_t *source_json(const struct wsim_report *report, const struct wsim_line *line) {
    json_t *source, *list = json_array();
    for (uint32_t i = 0; i < line->inlined; i++) {
        const char *file, *function;
        uint32_t at;
        json_t *place;
        if (!wsim_report_inlined(report, line->id, i, &file, &at, &function))
            break;
        place = place_json(file, at);
        json_object_set_new(place, "function", text(function));
        json_array_append_new(list, place);
    }
    source = place_json(line->file, line->line);
    json_object_set_new(source, "inlined_at", list);
    return source;
}

/* A line of PTX, with its file if several are linked. */
static json_t *ptx_json(const char *file, uint32_t line) {
    json_t *out = json_pack("{s:I}", "line", (json_int_t)line);
    if (file)
        json_object_set_new(out, "file", text(file));
    return out;
}

static json_t *line_json(const struct wsim_report *report, const struct wsim_line *line) {
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:{s:o, s:o, s:o, s:o}}", "ptx",
                     ptx_json(line->ptx_file, line->ptx_line), "source", source_json(report, line),
                     "opcode", text(line->opcode), "executed", whole(line->executed), "threads",
                     whole(line->threads), "wavefronts", whole(line->shared.wavefronts), "ideal",
                     whole(line->shared.ideal), "conflicts", whole(line->shared.conflicts),
                     "uncounted", whole(line->uncounted), "global", "requests",
                     whole(line->requests), "sectors", whole(line->sectors), "ideal",
                     whole(line->sectors_ideal), "lines", whole(line->lines));
}

static json_t *three(const uint32_t number[3]) {
    return json_pack("[I, I, I]", (json_int_t)number[0], (json_int_t)number[1],
                     (json_int_t)number[2]);
}

static json_t *finding_json(const struct wsim_finding *f) {
    json_t *out =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b}", "rule", text(f->rule), "text",
                  text(f->text), "kernel", text(f->kernel), "block", three(f->block), "thread",
                  three(f->thread), "ptx", ptx_json(f->ptx_file, f->ptx_line), "source",
                  place_json(f->file, f->line), "count", whole(f->count), "fatal", f->fatal != 0);
    if (f->advice)
        json_object_set_new(out, "advice", json_true());
    if (f->other_ptx_line)
        json_object_set_new(out, "other",
                            json_pack("{s:o, s:o}", "ptx",
                                      ptx_json(f->other_ptx_file, f->other_ptx_line), "source",
                                      place_json(f->other_file, f->other_line)));
    return out;
}

static json_t *lists(const struct wsim_report *report, int findings) {
    json_t *list = json_array();
    struct wsim_line line;
    struct wsim_finding finding;
    for (size_t i = 0; !findings && wsim_report_line(report, i, &line); i++)
        json_array_append_new(list, line_json(report, &line));
    for (size_t i = 0; findings && wsim_report_finding(report, i, &finding); i++)
        json_array_append_new(list, finding_json(&finding));
    return list;
}

static json_t *counters_json(const struct wsim_launch_one *one, const struct wsim_totals *totals) {
    json_t *list = json_array();
    for (int c = 0; c < WSIM_LAUNCH_COUNTERS; c++) {
        uint64_t got = wsim_launch_counter_of(totals, (enum wsim_launch_counter)c);
        if (one->counted[c] && got != one->counter[c])
            json_array_append_new(list,
                                  json_pack("{s:s, s:o, s:o}", "name", wsim_launch_counter_name(c),
                                            "expected", whole(one->counter[c]), "got", whole(got)));
    }
    return list;
}

static json_t *launch_json(const struct run_report *report, size_t index) {
    const struct machine_launch *one = &report->machine->launches[index];
    const struct wsim_totals *t = &one->totals;
    size_t size = 0;
    const char *output = wsim_report_output(one->report, &size);
    json_t *out = json_pack(
        "{s:o, s:o, s:o, s:{s:o, s:o, s:o, s:o, s:o}, s:{s:o, s:o, s:o, s:o}, s:o, s:o, s:o}",
        "kernel", text(one->kernel.name), "blocks", whole(t->blocks), "instructions",
        whole(t->instructions), "shared", "ld", shared_json(&t->ld), "st", shared_json(&t->st),
        "atom", shared_json(&t->atom), "copy", shared_json(&t->copy), "uncounted",
        whole(t->uncounted), "global", "requests", whole(t->global_requests), "sectors",
        whole(t->global_sectors), "ideal", whole(t->global_ideal), "lines", whole(t->global_lines),
        "lines", lists(one->report, 0), "findings", lists(one->report, 1), "counters",
        counters_json(&report->launch->launches[index], t));
    if (size)
        json_object_set_new(out, "output", output_text(output, size));
    return out;
}

static json_t *verdict_json(const struct verdict *verdict) {
    const struct wsim_launch_comparison *c = &verdict->comparison;
    const struct wsim_launch_limits *limits = &verdict->expect->limits;
    char words[WSIM_LAUNCH_WORDS];
    json_t *out;
    wsim_launch_compare_words(c, limits, words);
    out = json_pack("{s:o, s:o, s:o, s:s}", "name", text(verdict->expect->name), "compared",
                    whole(c->compared), "different", whole(c->different), "words", words);
    if (c->different)
        json_object_set_new(
            out, "first",
            json_pack("{s:s, s:o, s:o, s:o}", "unit", limits->given ? "element" : "byte", "index",
                      whole(c->first), "expected",
                      json_sprintf("0x%0*llx", (int)(2 * c->width), (unsigned long long)c->want),
                      "got",
                      json_sprintf("0x%0*llx", (int)(2 * c->width), (unsigned long long)c->got)));
    return out;
}

static json_t *output_json(const struct output_comparison *o) {
    return json_pack("{s:o, s:o, s:o, s:o}", "missing", whole(o->lines.missing), "extra",
                     whole(o->lines.extra), "first_missing", text(o->first_missing), "first_extra",
                     text(o->first_extra));
}

static json_t *agains_json(const struct run_report *report) {
    json_t *list = json_array();
    for (size_t i = 0; i < report->nagains; i++) {
        const struct again *again = &report->agains[i];
        json_t *lines = json_array();
        for (size_t k = 0; k < again->nlines; k++)
            json_array_append_new(lines, text(again->lines[k]));
        json_array_append_new(list,
                              json_pack("{s:o, s:s, s:o, s:o, s:o}", "seed", whole(again->seed),
                                        "async", again->async == WSIM_ASYNC_LATE ? "late" : "eager",
                                        "different", whole(again->different), "findings",
                                        whole(again->findings), "words", lines));
    }
    return list;
}

void report_print_json(const struct run_report *report) {
    json_t *launches = json_array(), *verdicts = json_array(), *notes = json_array(), *root;
    const char *caveat;
    for (size_t i = 0; i < report->machine->ran; i++)
        json_array_append_new(launches, launch_json(report, i));
    for (size_t i = 0; i < report->nverdicts; i++)
        json_array_append_new(verdicts, verdict_json(&report->verdicts[i]));
    for (size_t i = 0; (caveat = report_caveat(report, i)) != NULL; i++)
        json_array_append_new(notes, json_string(caveat));
    root =
        json_pack("{s:s, s:i, s:s, s:o, s:o, s:o, s:o}", "schema", "wsim.run", "version", 1, "arch",
                  wsim_arch_name(wsim_session_arch(report->machine->session)), "launches", launches,
                  "expect", verdicts, "notes", notes, "different", whole(report->different));
    if (*report->minimized)
        json_object_set_new(root, "minimized", text(report->minimized));
    if (report->nagains)
        json_object_set_new(root, "again", agains_json(report));
    if (report->has_output)
        json_object_set_new(root, "stdout", output_json(&report->output));
    tool_print_json(root);
}
