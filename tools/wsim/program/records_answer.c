/* The report of a program: its launches, findings, worst lines, functions that are not there. */
#include "records.h"
#include "../common/counted.h"
#include "../common/doc.h"
#include "../common/kernel_name.h"
#include "../common/members.h"
#include "../common/memory.h"
#include "../common/sarif.h"
#include "../common/screen.h"
#include "../common/text.h"
#include "../common/worst.h"
#include "../run/print.h"

#include <stdlib.h>
#include <string.h>

typedef long long count;

enum { PLACE = TEXT_PATH + TEXT_CUT };

/* "race.cu:12", "race+0x11a4", "kernel k". */
static void word_place(const json_t *finding, char out[PLACE]) {
    const char *file = string(finding, "file"), *object = string(finding, "object");
    if (*file && number(finding, "line"))
        snprintf(out, PLACE, "%s:%lld", text_source(file).text, number(finding, "line"));
    else if (*object)
        snprintf(out, PLACE, "%s+0x%llx", text_cut(text_name(object)).text,
                 number(finding, "offset"));
    else if (*string(finding, "kernel"))
        snprintf(out, PLACE, "%s", kernel_name(string(finding, "kernel")).text);
    else
        snprintf(out, PLACE, "program");
}

/* --- findings --- */

/* " (inlined at hop.cu:61, hop.cu:80)" */
static void word_inlined(const json_t *list, char words[3 * PLACE]) {
    enum { MOST = 3 };
    size_t used = 0;
    json_t *at;
    size_t i;
    words[0] = 0;
    json_array_foreach(list, i, at) {
        if (i < MOST)
            used += (size_t)snprintf(
                words + used, 3 * PLACE - used, "%s%s:%lld", i ? ", " : " (inlined at ",
                text_cut(text_name(string(at, "file"))).text, number(at, "line"));
    }
    if (used)
        snprintf(words + used, 3 * PLACE - used, ")");
}

static void word_kernel(struct doc *doc, const json_t *finding) {
    const json_t *block = get(finding, "block"), *thread = get(finding, "thread");
    const char *role = strncmp(string(finding, "rule"), "init.", 5) == 0 ? "use" : "other";
    char other[PLACE + 48] = "", inlined[3 * PLACE], other_inlined[3 * PLACE];
    int at[6];
    for (size_t i = 0; i < 6; i++)
        at[i] = (int)json_integer_value(json_array_get(i < 3 ? block : thread, i % 3));
    if (number(finding, "other_line") && *string(finding, "other_file"))
        snprintf(other, sizeof other, "; the %s: %s:%lld, PTX line %lld", role,
                 text_source(string(finding, "other_file")).text, number(finding, "other_line"),
                 number(finding, "other_ptx_line"));
    else if (number(finding, "other_ptx_line"))
        snprintf(other, sizeof other, "; the %s: PTX line %lld", role,
                 number(finding, "other_ptx_line"));
    word_inlined(get(finding, "inlined_at"), inlined);
    word_inlined(get(finding, "other_inlined_at"), other_inlined);
    doc_line(doc, "    kernel %s, block (%d,%d,%d), thread (%d,%d,%d), PTX line %lld%s%s%s%s",
             kernel_name(string(finding, "kernel")).text, at[0], at[1], at[2], at[3], at[4], at[5],
             number(finding, "ptx_line"), inlined, other, other_inlined,
             json_is_true(get(finding, "fatal"))  ? "; the launch ends here"
             : json_is_true(get(finding, "note")) ? "; not counted"
                                                  : "");
}

static void word_call(struct doc *doc, const json_t *finding) {
    const char *file = string(finding, "other_file"), *object = string(finding, "other_object");
    if (*file && number(finding, "other_line"))
        doc_line(doc, "    the other call: %s:%lld", text_source(file).text,
                 number(finding, "other_line"));
    else if (*object)
        doc_line(doc, "    the other call: %s+0x%llx", text_cut(text_name(object)).text,
                 number(finding, "other_offset"));
    doc_line(doc, "    rule: %s", string(finding, "meaning"));
}

/* A finding that the one above explains, or that is the same mistake at another line. */
static void word_symptom(struct doc *doc, const json_t *finding, const json_t *cause) {
    const int again = cause && !strcmp(string(cause, "rule"), string(finding, "rule"));
    char place[PLACE], line[40] = "", times[40] = "", *text = kernel_text(string(finding, "text"));
    word_place(finding, place);
    if (!number(finding, "line") && number(finding, "ptx_line"))
        snprintf(line, sizeof line, ", PTX line %lld", number(finding, "ptx_line"));
    if (number(finding, "count") > 1)
        snprintf(times, sizeof times, " (%lld times)", number(finding, "count"));
    doc_line(doc, "    %s: %s%s: %s: %s%s", again ? "also" : "explains", place, line,
             string(finding, "rule"), text, times);
    free(text);
}

/* "    buffer 3: 4096 bytes of device memory of sum.cu:41; parameter 1 of 2 points to it" */
static void word_buffer(struct doc *doc, const json_t *finding) {
    const char *file = string(finding, "buffer_file"), *object = string(finding, "buffer_object");
    const char *function = string(finding, "buffer_function"), *param;
    char place[3 * PLACE] = "", more[PLACE + 32] = "";
    if (!number(finding, "buffer"))
        return;
    if (*file && number(finding, "buffer_line"))
        snprintf(place, sizeof place, " of %s:%lld", text_source(file).text,
                 number(finding, "buffer_line"));
    else if (*object)
        snprintf(place, sizeof place, " of %s%s%s+0x%llx%s",
                 *function ? kernel_name(function).text : "", *function ? " (" : "",
                 text_cut(text_name(object)).text, number(finding, "buffer_offset"),
                 *function ? ")" : "");
    param = string(finding, "buffer_param");
    if (*param && number(finding, "buffer_at"))
        snprintf(more, sizeof more, "; %s points to its byte %lld", text_cut(param).text,
                 number(finding, "buffer_at"));
    else if (*param)
        snprintf(more, sizeof more, "; %s points to it", text_cut(param).text);
    doc_line(doc, "    buffer %lld: %lld bytes of %s memory%s%s", number(finding, "buffer"),
             number(finding, "buffer_bytes"), string(finding, "buffer_kind"), place, more);
}

static void word_finding(struct doc *doc, const struct records *records, const json_t *finding) {
    const count times = number(finding, "count"), launches = number(finding, "launches");
    char place[PLACE], *text = kernel_text(string(finding, "text"));
    word_place(finding, place);
    doc_line(doc, "%s: %s%s: %s", place, json_is_true(get(finding, "note")) ? "note: " : "",
             string(finding, "rule"), text);
    free(text);
    if (!*string(finding, "meaning"))
        word_kernel(doc, finding);
    else
        word_call(doc, finding);
    word_buffer(doc, finding);
    if (json_object_size(records->programs) > 1)
        doc_line(doc, "    program %s", text_path(text_below(string(finding, "program"))).text);
    if (number(finding, "more_calls"))
        doc_line(doc, "    %lld more call%s of this line", number(finding, "more_calls"),
                 number(finding, "more_calls") == 1 ? "" : "s");
    if (times > 1 && launches > 1)
        doc_line(doc, "    %lld times in %lld launches", times, launches);
    else if (times > 1 + number(finding, "more_calls"))
        doc_line(doc, "    %lld times", times);
}

static void state_findings(struct doc *doc, const struct records *records) {
    const json_t *cause;
    json_t *finding;
    size_t i;
    doc_list(doc, "findings");
    json_array_foreach(records->findings, i, finding) {
        cause = NULL;
        if (number(finding, "cause"))
            cause = json_array_get(records->findings, (size_t)number(finding, "cause") - 1);
        if (get(finding, "suppressed"))
            doc_only(doc, TOOL_JSON);
        if (number(finding, "cause") && !get(cause, "suppressed"))
            word_symptom(doc, finding, cause);
        else
            word_finding(doc, records, finding);
        doc_only(doc, 0);
        doc_set(doc, NULL, json_incref(finding));
    }
    doc_leave(doc);
}

/* --- kernels and lines --- */

/* The sum of a column of the kernel's lines. */
static count sum_of(const json_t *kernel, const char *key) {
    count sum = 0;
    json_t *line;
    size_t i;
    json_array_foreach(get(kernel, "lines"), i, line) sum += number(line, key);
    return sum;
}

/* Whether costs were counted: --lines 0 counts none. */
static int have_costs(const struct records *records) {
    const json_t *kernel;
    size_t i;
    json_array_foreach(records->kernels, i, kernel) {
        if (json_array_size(get(kernel, "lines")))
            return 1;
    }
    return 0;
}

/* A count and the least that it could be: "64 (32)"; nothing where there is none. The second one is
 * a column of its own in JSON and CSV. */
static void add_pair(struct doc *doc, count value, count ideal) {
    if (value || ideal)
        doc_cell(doc, json_integer(value), "%lld (%lld)", value, ideal);
    else
        doc_cell(doc, json_integer(0), "%s", "");
    doc_number(doc, ideal);
}

static void state_kernels(struct doc *doc, const struct records *records) {
    enum { COUNTS = 4, ALL = 9 };
    static const struct doc_column columns[] = {{"launches", "launches", 0},
                                                {"blocks", "blocks", 0},
                                                {"instructions", "warp instructions", 0},
                                                {"findings", "occurrences", 0},
                                                {"wavefronts", "wavefronts (ideal)", 0},
                                                {"wavefronts_ideal", "", DOC_HIDDEN},
                                                {"sectors", "sectors (ideal)", 0},
                                                {"sectors_ideal", "", DOC_HIDDEN},
                                                {"kernel", "kernel", DOC_FOLD},
                                                {NULL, NULL, 0}};
    const int costs = have_costs(records) ? ALL - 1 : COUNTS;
    struct doc_column shown[ALL + 1];
    json_t *kernel;
    size_t i;
    memcpy(shown, columns, sizeof shown);
    memcpy(&shown[costs], &columns[ALL - 1], 2 * sizeof shown[0]);
    doc_table(doc, "kernels", shown);
    json_array_foreach(records->kernels, i, kernel) {
        doc_row(doc);
        for (int k = 0; k < COUNTS; k++)
            doc_number(doc, number(kernel, columns[k].key));
        for (int k = COUNTS; k < costs; k += 2)
            add_pair(doc, sum_of(kernel, columns[k].key), sum_of(kernel, columns[k + 1].key));
        doc_set(doc, "counted_by",
                json_string(!number(kernel, "assembled")  ? "rule"
                            : number(kernel, "predicted") ? "rule and machine code"
                                                          : "machine code"));
        doc_cell(doc, tool_json_text(string(kernel, "kernel")), "%s",
                 kernel_name(string(kernel, "kernel")).text);
    }
    doc_leave(doc);
}

struct cost {
    struct wsim_line line;
    const char *kernel;
};

static struct cost cost_of(const json_t *kernel, const json_t *line) {
    const char *file = string(line, "file");
    return (struct cost){.kernel = string(kernel, "kernel"),
                         .line = {.file = *file && number(line, "line") ? file : NULL,
                                  .line = (uint32_t)number(line, "line"),
                                  .ptx_line = (uint32_t)number(line, "ptx_line"),
                                  .opcode = string(line, "opcode"),
                                  .executed = (uint64_t)number(line, "executed"),
                                  .shared = {.wavefronts = (uint64_t)number(line, "wavefronts"),
                                             .ideal = (uint64_t)number(line, "wavefronts_ideal")},
                                  .sectors = (uint64_t)number(line, "sectors"),
                                  .sectors_ideal = (uint64_t)number(line, "sectors_ideal")}};
}

static int by_cost(const void *a, const void *b) {
    return worst_first(&((const struct cost *)a)->line, &((const struct cost *)b)->line);
}

static void state_line(struct doc *doc, const struct cost *cost) {
    const struct wsim_line *line = &cost->line;
    char place[PLACE];
    doc_row(doc);
    doc_number(doc, (count)line->executed);
    add_pair(doc, (count)line->shared.wavefronts, (count)line->shared.ideal);
    add_pair(doc, (count)line->sectors, (count)line->sectors_ideal);
    doc_pack(doc, "{s:o, s:I}", "kernel", tool_json_text(cost->kernel), "ptx_line",
             (json_int_t)line->ptx_line);
    if (line->file) {
        snprintf(place, PLACE, "%s:%u", text_cut(text_name(line->file)).text, line->line);
        doc_cell(doc, tool_json_text(place), "%s  %s", place, line->opcode);
    } else {
        doc_cell(doc, tool_json_text(line->opcode), "%s, PTX line %u  %s",
                 kernel_name(cost->kernel).text, line->ptx_line, line->opcode);
    }
}

/* The worst lines of all kernels. */
static void state_lines(struct doc *doc, const struct records *records, uint32_t most) {
    static const struct doc_column columns[] = {{"executed", "executed", 0},
                                                {"wavefronts", "wavefronts (ideal)", 0},
                                                {"wavefronts_ideal", "", DOC_HIDDEN},
                                                {"sectors", "sectors (ideal)", 0},
                                                {"sectors_ideal", "", DOC_HIDDEN},
                                                {"line", "line", DOC_FOLD},
                                                {NULL, NULL, 0}};
    struct cost *costs = NULL;
    json_t *kernel, *line;
    size_t i, k, n = 0;
    json_array_foreach(records->kernels, i, kernel)
        json_array_foreach(get(kernel, "lines"), k, line) {
        const struct cost cost = cost_of(kernel, line);
        if (!cost.line.shared.wavefronts && !cost.line.sectors && !doc_is(doc, TOOL_JSON))
            continue; /* it costs nothing */
        costs = memory_grow(costs, (n + 1) * sizeof *costs);
        costs[n++] = cost;
    }
    if (n && most) {
        qsort(costs, n, sizeof *costs, by_cost);
        doc_table(doc, "lines", columns);
        for (i = 0; i < n && i < most; i++)
            state_line(doc, &costs[i]);
        doc_leave(doc);
    }
    free(costs);
}

/* Kernels whose wavefronts are predicted. */
static void word_counted(struct doc *doc, const struct records *records) {
    struct counted counted = {.n = {0, 0}};
    json_t *kernel;
    size_t i;
    json_array_foreach(records->kernels, i, kernel) {
        if (number(kernel, "predicted"))
            counted_add(&counted, 0, string(kernel, "kernel"));
        if (number(kernel, "assembled"))
            counted_add(&counted, 1, string(kernel, "kernel"));
    }
    if (have_costs(records))
        counted_word(doc, &counted);
}

/* --- the rest --- */

static void state_missing(struct doc *doc, const struct records *records) {
    json_t *one;
    size_t i;
    doc_list(doc, "missing");
    json_array_foreach(records->missing, i, one) {
        doc_line(doc, "%s is not there yet: it returned an error, %lld time%s",
                 text_cut(string(one, "function")).text, number(one, "calls"),
                 number(one, "calls") == 1 ? "" : "s");
        doc_set(doc, NULL, json_incref(one));
    }
    doc_leave(doc);
}

/* States launches and modules without a model. Returns how often they were asked for. */
static count state_lacks(struct doc *doc, const struct records *records) {
    count all = 0;
    json_t *one;
    size_t i;
    doc_list(doc, "unmodelled");
    json_array_foreach(records->lacks, i, one) {
        char *text = kernel_text(string(one, "text"));
        doc_line(doc, "not run, %lld time%s: %s: %s", number(one, "count"),
                 number(one, "count") == 1 ? "" : "s", kernel_name(string(one, "what")).text, text);
        free(text);
        doc_set(doc, NULL, json_incref(one));
        all += number(one, "count");
    }
    doc_leave(doc);
    return all;
}

/* Whether findings of kernels have lines of PTX alone. A kernel with one line of its source has
 * them; single instructions of the compiler have none. */
static int lack_lines(const struct records *records) {
    json_t *with = json_object(), *finding;
    size_t i;
    int lack = 0;
    json_array_foreach(records->findings, i, finding) if (number(finding, "line"))
        json_object_set_new(with, string(finding, "kernel"), json_true());
    json_array_foreach(records->findings, i, finding) lack |=
        number(finding, "ptx_line") && !get(with, string(finding, "kernel"));
    json_decref(with);
    return lack;
}

static void state_totals(struct doc *doc, const struct records *records, count lacks) {
    char more[40] = "";
    const char *kernel;
    json_t *one;
    if (lacks)
        snprintf(more, sizeof more, " not run %lld", lacks);
    if (lack_lines(records))
        doc_line(doc, "compile with nvcc -lineinfo: findings then name lines of the source");
    if (records->died)
        doc_line(
            doc,
            "%u of %u processes ended by a signal or _exit: their launches are not all counted",
            records->died, records->processes);
    json_object_foreach(records->running, kernel, one)
        doc_line(doc, "kernel %s was running", kernel_name(kernel).text);
    if (*records->lost)
        doc_line(doc, "parts that are missing: %s (of %u)", records->lost, records->of);
    doc_line(doc, "processes %u launches %lld findings %lld notes %lld%s", records->processes,
             (count)records->launches, (count)records->mistakes, (count)records->notes, more);
    doc_pack(doc, "{s:i, s:I, s:I, s:I}", "processes", (int)records->processes, "launches",
             (json_int_t)records->launches, "mistakes", (json_int_t)records->mistakes, "notes",
             (json_int_t)records->notes);
    if (records->died) {
        json_t *running = json_array();
        json_object_foreach(records->running, kernel, one)
            json_array_append_new(running, json_string(kernel));
        doc_pack(doc, "{s:i, s:o}", "died", (int)records->died, "running", running);
    }
    if (records->of)
        doc_pack(doc, "{s:i, s:i, s:i}", "parts", (int)records->parts, "of", (int)records->of,
                 "status", (int)records->status);
}

/* --- SARIF --- */

static int print_sarif(const struct records *records) {
    json_t *results = json_array(), *rules = json_array(), *finding;
    const char *const any = json_object_iter_key(json_object_iter(records->programs));
    size_t i;
    json_array_foreach(records->findings, i, finding) {
        const char *program = string(finding, "program");
        const char *file = string(finding, "file"), *object = string(finding, "object");
        const char *other = string(finding, "other_file"), *calls = string(finding, "meaning");
        const json_t *why = get(finding, "suppressed");
        char *text = kernel_text(string(finding, "text"));
        sarif_add(results, rules,
                  &(struct sarif_finding){
                      .rule = string(finding, "rule"),
                      .other = *calls ? "the other call" : sarif_other(string(finding, "rule")),
                      .other_file = number(finding, "other_line") ? other : NULL,
                      .other_line = (unsigned)number(finding, "other_line"),
                      .fingerprint = strtoull(string(finding, "fingerprint"), NULL, 16),
                      .suppressed = suppress_kind_called(string(why, "kind")),
                      .reason = string(why, "reason"),
                      .meaning = string(finding, "meaning"),
                      .level = json_is_true(get(finding, "note")) ? "note" : "error",
                      .text = text,
                      .inside = string(finding, "kernel"),
                      .file = *file     ? file
                              : *object ? object
                                        : program,
                      .program = program,
                      .line = (unsigned)number(finding, "line")});
        free(text);
    }
    json_array_foreach(records->lacks, i, finding) sarif_add(
        results, rules,
        &(struct sarif_finding){.rule = "unmodelled",
                                .meaning = "wsim has no model for this, so it did not run.",
                                .level = "error",
                                .text = string(finding, "text"),
                                .inside = string(finding, "what"),
                                .file = any ? any : "program"});
    sarif_print("wsim run", results, rules);
    return TOOL_GO;
}

/* The visits of --print. */
static void state_print(struct doc *doc, const struct records *records) {
    struct source *source;
    if (!json_array_size(records->printed))
        return;
    source = source_open(".");
    print_seen(doc, records->visits, records->printed, source);
    source_close(source);
}

uint32_t records_lines(enum tool_format format) {
    const int lacks_costs = format == TOOL_SARIF || format == TOOL_JUNIT;
    return format == TOOL_JSON ? UINT32_MAX : lacks_costs ? 0 : 5;
}

int records_print(const struct records *records, enum tool_format format, uint32_t lines) {
    struct doc *doc;
    int status;
    if (format == TOOL_SARIF)
        return print_sarif(records);
    if (format == TOOL_JUNIT)
        return records_junit(records), TOOL_GO;
    screen_widen();
    doc = doc_open(format, "wsim.program");
    doc_title(doc, "Findings of a program");
    state_print(doc, records);
    state_findings(doc, records);
    state_kernels(doc, records);
    state_lines(doc, records, lines);
    word_counted(doc, records);
    state_missing(doc, records);
    suppress_state(doc, records->suppress);
    state_totals(doc, records, state_lacks(doc, records));
    status = doc_close(doc, TOOL_GO);
    return status == TOOL_FINE ? TOOL_GO : status;
}
