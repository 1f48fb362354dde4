/* Findings, and lines of source and PTX; see report_finding.h. */
#include "report_finding.h"
#include "judge.h"
#include "report_cost.h"
#include "../common/text.h"

#include <string.h>

typedef unsigned long long number;

json_t *report_whole(uint64_t number) {
    return json_integer((json_int_t)number);
}

json_t *report_text(const char *text) {
    return text ? tool_json_text(text) : json_null();
}

static json_t *place_json(const char *file, uint32_t line) {
    return json_pack("{s:o, s:I}", "file", report_text(file), "line", (json_int_t)line);
}

/* A line of the source, and where the instruction `id` was inlined. */
static json_t *source_json(const struct wsim_report *report, const char *file, uint32_t line,
                           uint32_t id) {
    json_t *source = place_json(file, line), *list = json_array();
    const char *at_file, *function;
    uint32_t at;
    for (size_t i = 0; wsim_report_inlined(report, id, i, &at_file, &at, &function); i++) {
        json_t *place = place_json(at_file, at);
        json_object_set_new(place, "function", report_text(function));
        json_array_append_new(list, place);
    }
    json_object_set_new(source, "inlined_at", list);
    return source;
}

/* A line of PTX, with the name of its text if there are several. */
static json_t *ptx_json(const char *file, uint32_t line) {
    json_t *out = json_pack("{s:I}", "line", (json_int_t)line);
    if (file)
        json_object_set_new(out, "file", report_text(file));
    return out;
}

json_t *report_line_json(const struct wsim_report *report, const struct wsim_line *line) {
    json_t *out = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:{s:o, s:o, s:o, s:o}}", "ptx",
        ptx_json(line->ptx_file, line->ptx_line), "source",
        source_json(report, line->file, line->line, line->id), "opcode", report_text(line->opcode),
        "executed", report_whole(line->executed), "threads", report_whole(line->threads),
        "wavefronts", report_whole(line->shared.wavefronts), "ideal",
        report_whole(line->shared.ideal), "conflicts", report_whole(line->shared.conflicts),
        "uncounted", report_whole(line->uncounted), "global", "requests",
        report_whole(line->requests), "sectors", report_whole(line->sectors), "ideal",
        report_whole(line->sectors_ideal), "lines", report_whole(line->lines));
    if (line->merged)
        json_object_set_new(out, "part_of", json_integer((json_int_t)line->merged));
    return out;
}

json_t *report_three(const uint32_t number[3]) {
    return json_pack("[I, I, I]", (json_int_t)number[0], (json_int_t)number[1],
                     (json_int_t)number[2]);
}

json_t *report_finding_json(const struct wsim_report *report, const struct wsim_finding *f) {
    json_t *out = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b}", "rule",
                            report_text(f->rule), "text", report_text(f->text), "kernel",
                            report_text(f->kernel), "block", report_three(f->block), "thread",
                            report_three(f->thread), "ptx", ptx_json(f->ptx_file, f->ptx_line),
                            "source", source_json(report, f->file, f->line, f->id), "count",
                            report_whole(f->count), "fatal", f->fatal != 0);
    if (f->advice)
        json_object_set_new(out, "advice", json_true());
    json_object_set_new(out, "severity",
                        json_string(f->severity == WSIM_SEVERITY_NOTE ? "note" : "mistake"));
    if (f->cause)
        json_object_set_new(out, "cause", report_whole(f->cause - 1));
    json_object_set_new(
        out, "different",
        json_pack("{s:o, s:o, s:o, s:o, s:o}", "addresses", report_whole(f->addresses), "registers",
                  report_whole(f->registers), "warps", report_whole(f->warps), "blocks",
                  report_whole(f->blocks), "ptx_lines", report_whole(f->ptx_lines)));
    if (f->other_ptx_line)
        json_object_set_new(
            out, "other",
            json_pack("{s:o, s:o}", "ptx", ptx_json(f->other_ptx_file, f->other_ptx_line), "source",
                      source_json(report, f->other_file, f->other_line, f->other_id)));
    return out;
}

/* " of k.ptx" if there are several texts of PTX. */
struct of_text {
    char text[TEXT_CUT + 8];
};

static struct of_text of_text(const char *name) {
    struct of_text out = {""};
    if (name)
        snprintf(out.text, sizeof out.text, " of %s", text_cut(text_name(name)).text);
    return out;
}

/* Appends ", 31 more addresses". */
static void add_more(char *words, size_t room, uint32_t count, const char *name) {
    const size_t used = strlen(words);
    const char *least = count >= WSIM_FINDING_MOST ? "at least " : "";
    if (count > 1)
        snprintf(words + used, room - used, "%s%s%u more %s%s", used ? ", " : "and ", least,
                 count - 1, name,
                 count == 2                      ? ""
                 : name[strlen(name) - 1] == 's' ? "es"
                                                 : "s");
}

/* "and 31 more addresses, 3 more warps (176 times)", or "". */
static void word_more(const struct wsim_finding *f, char words[REPORT_PLACE]) {
    const uint32_t lines = f->ptx_lines - (f->other_ptx_line && f->ptx_lines > 1);
    char times[32];
    words[0] = 0;
    add_more(words, REPORT_PLACE, f->addresses, "address");
    add_more(words, REPORT_PLACE, f->registers, "register");
    add_more(words, REPORT_PLACE, f->warps, "warp");
    add_more(words, REPORT_PLACE, f->blocks, "block");
    add_more(words, REPORT_PLACE, lines, "PTX line");
    if (f->count > 1) {
        snprintf(times, sizeof times, *words ? " (%llu times)" : "%llu times", (number)f->count);
        strncat(words, times, REPORT_PLACE - strlen(words) - 1);
    }
}

/* Whether a finding and its cause are one mistake at two lines. */
static int is_again(const struct wsim_report *one, const struct wsim_finding *f) {
    struct wsim_finding cause;
    return wsim_report_finding(one, f->cause - 1, &cause) && f->rule && cause.rule &&
           strcmp(f->rule, cause.rule) == 0;
}

/* A finding that another one explains is a line of that one. */
static void word_symptom(struct doc *doc, const struct run_report *report,
                         const struct wsim_report *one, const struct wsim_finding *f) {
    char place[REPORT_PLACE], times[32] = "";
    report_place(report, f->file, f->line, f->ptx_file, f->ptx_line, place, sizeof place);
    if (f->count > 1)
        snprintf(times, sizeof times, " (%llu times)", (number)f->count);
    doc_line(doc, "    %s: %s: %s: %s%s", is_again(one, f) ? "also" : "explains", place, f->rule,
             f->text, times);
}

/* " (inlined at hop.cu:61, hop.cu:80)" */
static void word_inlined(const struct run_report *report, const struct wsim_report *one,
                         uint32_t id, char words[REPORT_PLACE]) {
    enum { MOST = 3 };
    const char *file, *function;
    size_t used = 0;
    uint32_t line;
    words[0] = 0;
    for (size_t i = 0; i < MOST && wsim_report_inlined(one, id, i, &file, &line, &function); i++) {
        char place[TEXT_CUT + 16];
        report_place(report, file, line, NULL, 0, place, sizeof place);
        used += (size_t)snprintf(words + used, REPORT_PLACE - used, "%s%s",
                                 i ? ", " : " (inlined at ", place);
        if (used >= REPORT_PLACE - 1)
            break;
    }
    if (used && used < REPORT_PLACE - 1)
        snprintf(words + used, REPORT_PLACE - used, ")");
}

static void word_finding(struct doc *doc, const struct run_report *report,
                         const struct wsim_report *one, const struct wsim_finding *f) {
    const char *note = f->severity == WSIM_SEVERITY_NOTE ? "note: " : "";
    char place[REPORT_PLACE], inlined[REPORT_PLACE], other[3 * REPORT_PLACE] = "",
                                                               more[REPORT_PLACE];
    if (f->other_ptx_line) {
        const char *role = strncmp(f->rule, "init.", 5) == 0 ? "use" : "other";
        report_place(report, f->other_file, f->other_line, f->other_ptx_file, f->other_ptx_line,
                     place, sizeof place);
        word_inlined(report, one, f->other_id, inlined);
        snprintf(other, sizeof other, "; the %s: %s, PTX line %u%s%s", role, place,
                 f->other_ptx_line, of_text(f->other_ptx_file).text, inlined);
    }
    report_place(report, f->file, f->line, f->ptx_file, f->ptx_line, place, sizeof place);
    doc_line(doc, "%s: %s%s: %s", place, note, f->rule ? f->rule : "finding", f->text);
    word_inlined(report, one, f->id, inlined);
    doc_line(doc, "    kernel %s, block (%u,%u,%u), thread (%u,%u,%u), PTX line %u%s%s%s%s",
             f->kernel, f->block[0], f->block[1], f->block[2], f->thread[0], f->thread[1],
             f->thread[2], f->ptx_line, of_text(f->ptx_file).text, inlined, other,
             f->fatal ? "; the launch ends here"
             : *note  ? "; not counted"
                      : "");
    word_more(f, more);
    if (*more)
        doc_line(doc, "    %s", more);
}

void report_word_finding(struct doc *doc, const struct run_report *report, size_t launch,
                         size_t index) {
    const struct wsim_report *one = report->machine->launches[launch].report;
    struct wsim_finding finding;
    if (!wsim_report_finding(one, index, &finding))
        return;
    if (finding.cause && !judged(report, launch, finding.cause - 1)->kind)
        word_symptom(doc, report, one, &finding);
    else
        word_finding(doc, report, one, &finding);
}
