/* Values at chosen lines; see print.h. */
#include "print.h"
#include "../common/kernel_name.h"
#include "../common/members.h"
#include "../common/memory.h"
#include "../common/text.h"
#include "../look/visits.h"

#include <stdlib.h>
#include <string.h>

struct print {
    struct visits *visits;
    struct visits_launch *launch;
    struct trace *trace;
    struct output output;
    const char *trace_name;
};

/* --- options --- */

static int read_block(const char *text, uint32_t block[3]) {
    for (unsigned i = 0; i < 3; i++) {
        const size_t length = strcspn(text, ",x");
        block[i] = 0;
        if (!tool_is_number(text, length, UINT32_MAX, &block[i]) || (i == 2 && text[length]))
            return 0;
        text += length;
        if (!*text)
            return 1;
        text++;
    }
    return 0;
}

static int read_where(const struct print_options *options, struct visits_where *where) {
    *where = (struct visits_where){.most = 8};
    if (!options->places && !options->trace &&
        (options->block || options->warp || options->lane || options->limit))
        return tool_error("--at-block, --at-warp, --at-lane and --at-most choose what --print "
                          "and --trace show: give one of these");
    if (options->block && !read_block(options->block, where->block))
        return tool_error("--at-block '%s': expected X,Y,Z", text_cut(options->block).text);
    tool_number("--at-warp", options->warp, 31, &where->warp);
    tool_number("--at-lane", options->lane, 31, &where->lane);
    tool_number("--at-most", options->limit, 1u << 20, &where->most);
    where->has_block = options->block != NULL;
    where->has_warp = options->warp != NULL;
    where->has_lane = options->lane != NULL;
    return TOOL_GO;
}

int print_open(const struct print_options *options, struct print **out) {
    struct visits_where where;
    int status = read_where(options, &where);
    struct print *print;
    *out = NULL;
    if (status != TOOL_GO || (!options->places && !options->trace))
        return status;
    *out = print = memory_make(1, sizeof *print);
    print->visits = visits_open(&where);
    print->launch = visits_begin(print->visits, 0);
    print->trace_name = options->trace;
    for (char **at = options->places; at && *at && status == TOOL_GO; at++)
        status = visits_add(print->visits, *at);
    return status;
}

int print_json(const struct print_options *options, const char *trace, char **out) {
    struct visits_where where;
    struct visits *visits;
    json_t *json = json_object(), *places = json_array();
    int status = read_where(options, &where);
    *out = NULL;
    visits = visits_open(&where);
    for (char **at = options->places; at && *at && status == TOOL_GO; at++) {
        status = visits_add(visits, *at);
        json_array_append_new(places, tool_json_text(*at));
    }
    visits_close(visits);
    json_object_set_new(json, "places", places);
    json_object_set_new(json, "most", json_integer(where.most));
    if (options->trace)
        json_object_set_new(json, "trace", tool_json_text(trace));
    if (where.has_block)
        json_object_set_new(json, "block",
                            json_pack("[I, I, I]", (json_int_t)where.block[0],
                                      (json_int_t)where.block[1], (json_int_t)where.block[2]));
    if (where.has_warp)
        json_object_set_new(json, "warp", json_integer(where.warp));
    if (where.has_lane)
        json_object_set_new(json, "lane", json_integer(where.lane));
    if (status == TOOL_GO && (options->places || options->trace))
        *out = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    return status;
}

const struct wsim_look *print_look(const struct print *print) {
    return print ? visits_look(print->launch) : NULL;
}

int print_begin(struct print *print) {
    if (!print)
        return TOOL_GO;
    if (print->trace_name) {
        if (!output_open(&print->output, print->trace_name))
            return TOOL_USAGE;
        print->trace = trace_open(print->output.file);
        visits_trace(print->visits, print->trace);
    }
    return TOOL_GO;
}

int print_end(struct print *print) {
    int status = TOOL_GO;
    if (print) {
        visits_stop(print->visits);
        visits_trace(print->visits, NULL);
    }
    if (print && print->trace) {
        trace_close(print->trace);
        print->trace = NULL;
        status = output_close(&print->output);
    }
    return status;
}

void print_close(struct print *print) {
    if (!print)
        return;
    print_end(print);
    visits_close(print->visits);
    free(print->launch);
    free(print);
}

/* --- answer --- */

static void put_cell(struct doc *doc, const json_t *value) {
    char text[VALUE_TEXT];
    value_cell(value, text);
    doc_cell(doc, NULL, "%s", text);
}

/* One row for each lane, one column for each register. */
static void state_registers(struct doc *doc, const json_t *visit) {
    static const struct doc_column columns[] = {{NULL, "lane", 0}, {NULL, NULL, 0}};
    const json_t *values = get(visit, "values"), *lanes = get(visit, "lanes");
    size_t i, k, registers = 0;
    json_t *value, *lane;
    json_array_foreach(values, i, value) registers += get(value, "register") != NULL;
    if (!registers)
        return;
    doc_table(doc, NULL, columns);
    json_array_foreach(values, i, value) if (get(value, "register"))
        doc_column(doc, 0, NULL, "%s%s", string(value, "register"),
                   json_is_true(get(value, "written")) ? " =" : "");
    json_array_foreach(lanes, k, lane) {
        doc_row(doc);
        doc_cell(doc, NULL, "%d", (int)json_integer_value(lane));
        json_array_foreach(values, i, value) if (get(value, "register"))
            put_cell(doc, json_array_get(get(value, "values"), (size_t)json_integer_value(lane)));
    }
    doc_leave(doc);
}

/* A matrix or an array. */
static void state_rows(struct doc *doc, const json_t *value) {
    static const struct doc_column columns[] = {{NULL, "", 0}, {NULL, NULL, 0}};
    const json_t *rows = get(value, "values");
    const size_t width = json_array_size(json_array_get(rows, 0));
    const int matrix = get(value, "operand") != NULL;
    const json_int_t first = json_integer_value(get(value, "first"));
    json_t *row;
    size_t i, k;
    if (matrix)
        doc_line(doc, "  %s%s, %s, %zu x %zu, of %s (PTX line %lld)", string(value, "operand"),
                 json_is_true(get(value, "written")) ? " after" : "", string(value, "type"),
                 json_array_size(rows), width, string(value, "opcode"),
                 (long long)json_integer_value(get(value, "ptx_line")));
    else
        doc_line(doc, "  %s%s, %s, %lld elements at %s address 0x%llx", string(value, "variable"),
                 json_is_true(get(value, "written")) ? " after" : "", string(value, "type"),
                 (long long)json_integer_value(get(value, "elements")), string(value, "space"),
                 (unsigned long long)json_integer_value(get(value, "address")));
    doc_table(doc, NULL, columns);
    for (k = 0; k < width; k++)
        doc_column(doc, 0, NULL, "%zu", k);
    json_array_foreach(rows, i, row) {
        doc_row(doc);
        doc_cell(doc, NULL, "%lld",
                 matrix ? (long long)i : (long long)(first + (json_int_t)(i * width)));
        for (k = 0; k < width; k++)
            put_cell(doc, json_array_get(row, k));
    }
    doc_leave(doc);
}

static void state_visit(struct doc *doc, const json_t *visit, struct source *source) {
    const json_t *values = get(visit, "values"), *block = get(visit, "block");
    const char *file = json_string_value(get(visit, "file"));
    const json_int_t line = json_integer_value(get(visit, "line"));
    const char *text = source_line(source, file, (unsigned)line);
    char launch[KERNEL_NAME + 64] = "";
    json_t *value;
    size_t i;
    if (get(visit, "launch"))
        snprintf(launch, sizeof launch, ", kernel %s, launch %lld",
                 kernel_name(string(visit, "kernel")).text, (long long)number(visit, "launch"));
    doc_line(doc, "%s%s, block (%d,%d,%d), warp %d%s%s", string(visit, "at"), launch,
             (int)json_integer_value(json_array_get(block, 0)),
             (int)json_integer_value(json_array_get(block, 1)),
             (int)json_integer_value(json_array_get(block, 2)),
             (int)json_integer_value(get(visit, "warp")), text ? ": " : "",
             text ? text_cut(text).text : "");
    state_registers(doc, visit);
    json_array_foreach(values, i, value) if (!get(value, "register")) state_rows(doc, value);
    doc_gap(doc);
}

/* The visits of a place that were kept. */
static json_int_t count_kept(const json_t *visits, const json_t *place) {
    json_int_t kept = 0;
    json_t *visit;
    size_t i;
    json_array_foreach(visits, i, visit) kept +=
        strcmp(string(visit, "at"), string(place, "at")) == 0;
    return kept;
}

static void state_place(struct doc *doc, json_t *place, json_int_t kept) {
    const unsigned near[2] = {(unsigned)json_integer_value(json_array_get(get(place, "near"), 0)),
                              (unsigned)json_integer_value(json_array_get(get(place, "near"), 1))};
    const json_int_t times = number(place, "times");
    const struct cut_text at = text_cut(string(place, "at"));
    const int executed = json_is_true(get(place, "executed"));
    char words[80] = "";
    json_t *why;
    size_t i;
    if (near[0] && near[1])
        snprintf(words, sizeof words, "; lines %u and %u have", near[0], near[1]);
    else if (near[0] || near[1])
        snprintf(words, sizeof words, "; line %u has", near[0] + near[1]);
    if (!json_is_true(get(place, "known")))
        doc_line(doc, "%s: no instruction has this line%s", at.text, words);
    else if (!executed)
        doc_line(doc, "%s: no lane reached this line", at.text);
    else if (times > kept)
        doc_line(doc, "%s: %lld more times; --at-most shows more", at.text,
                 (long long)(times - kept));
    json_array_foreach(get(place, "why"), i, why) {
        if (executed && *text_in(why))
            doc_line(doc, "%s: %s", at.text, text_in(why));
    }
    doc_object(doc, NULL, "{s:o, s:b, s:I}", "at", tool_json_text(string(place, "at")), "known",
               json_is_true(get(place, "known")), "times", times);
}

int print_missing_at(const json_t *places) {
    json_t *place;
    size_t i;
    json_array_foreach(places, i, place) {
        if (!json_is_true(get(place, "known")))
            return tool_error("--print '%s': no instruction has this line",
                              text_cut(string(place, "at")).text);
    }
    return TOOL_GO;
}

int print_missing(const struct print *print) {
    json_t *places = print ? visits_places(print->visits) : NULL;
    const int status = print_missing_at(places);
    json_decref(places);
    return status;
}

void print_seen(struct doc *doc, const json_t *visits, const json_t *places,
                struct source *source) {
    json_t *one;
    size_t i;
    doc_only(doc, TOOL_TEXT);
    json_array_foreach(visits, i, one) state_visit(doc, one, source);
    doc_list(doc, "printed");
    json_array_foreach(places, i, one) state_place(doc, one, count_kept(visits, one));
    doc_leave(doc);
    doc_set(doc, "visits", json_incref((json_t *)visits));
    doc_only(doc, DOC_SHOWN);
}

void print_state(struct doc *doc, const struct print *print, struct source *source) {
    json_t *places = print ? visits_places(print->visits) : NULL, *list;
    if (json_array_size(places)) {
        list = visits_list(print->visits);
        print_seen(doc, list, places, source);
        json_decref(list);
    }
    json_decref(places);
}
