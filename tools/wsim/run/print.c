/* Values at chosen lines; see print.h. */
#include "print.h"
#include "report_finding.h"
#include "trace.h"
#include "../common/members.h"
#include "../common/memory.h"
#include "../common/text.h"

#include <stdlib.h>
#include <string.h>

enum { REASON = 200 };

/* A line of a source or, without `file`, of the PTX. */
struct place {
    const char *text; /* as given */
    char *file;
    uint32_t line;
    struct term *terms;
    size_t n_terms;
    char (*why)[REASON];     /* of each term: why it had no value; "": it had one       */
    uint8_t *had;            /* of each term: it had one at some instruction             */
    uint64_t visits;         /* all, and those that are kept are no more than the limit */
    uint32_t near[2];        /* the nearest lines with code before and after it; 0: none */
    uint8_t known, executed; /* an instruction has this line; a lane came to it            */
};

/* A pass of some lanes over the instructions of a place. It is open until they come to an earlier
 * instruction or other lanes come. */
struct visit {
    size_t place;
    json_t *values;
    uint32_t block[3], warp, lanes, id;
    uint8_t kept;
};

struct print {
    struct wsim_look look;
    struct place *places;
    size_t n_places;
    uint32_t block[3], warp, lane;
    uint8_t has_block, has_warp, has_lane;
    uint32_t limit;
    struct visit *open;
    size_t n_open;
    json_t *visits;
    struct value_buffer *buffers;
    struct trace *trace;
    struct output output;
    const char *trace_name;
    uint8_t done; /* other runs of the launches are not seen */
};

/* --- options --- */

static int wrong_place(const char *text) {
    return tool_error("--print '%s': expected FILE:LINE or LINE (of the PTX), and after ':' "
                      "%%register, a, b, c, d or VARIABLE[/TYPExCOLUMNS][ROW]",
                      text_cut(text).text);
}

/* Where ":LINE" begins: the first colon with digits up to the end or the next colon. */
static const char *find_line(const char *text) {
    for (const char *at = strchr(text, ':'); at; at = strchr(at + 1, ':')) {
        const size_t digits = strspn(at + 1, "0123456789");
        if (digits && (!at[1 + digits] || at[1 + digits] == ':'))
            return at;
    }
    return NULL;
}

static int read_place(const char *text, struct place *place) {
    const int is_ptx = *text >= '0' && *text <= '9' && !strchr(text, '.');
    const char *colon = is_ptx ? text - 1 : find_line(text), *line, *wrong;
    char *end;
    unsigned long number;
    *place = (struct place){.text = text};
    if (!colon || colon == text)
        return wrong_place(text);
    line = colon + 1;
    number = strtoul(line, &end, 10);
    if (!number || number > UINT32_MAX || (*end && *end != ':'))
        return wrong_place(text);
    place->line = (uint32_t)number;
    if (!is_ptx)
        place->file = memory_text(text, (size_t)(colon - text));
    if (*end && !term_read(end + 1, &place->terms, &place->n_terms, &wrong))
        return tool_error("--print '%s': '%s' is no %%register, operand a to d, or variable "
                          "such as Ds/f32x16[3]",
                          text_cut(text).text, text_cut(wrong).text);
    place->why = memory_make(place->n_terms, sizeof *place->why);
    place->had = memory_make(place->n_terms, 1);
    return TOOL_GO;
}

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

int print_open(const struct print_options *options, struct print **out) {
    struct print *print;
    int status = TOOL_GO;
    *out = NULL;
    if (!options->places && !options->trace) {
        if (options->block || options->warp || options->lane || options->limit)
            return tool_error("--at-block, --at-warp, --at-lane and --at-most choose what --print "
                              "and --trace show: give one of these");
        return TOOL_GO;
    }
    *out = print = memory_make(1, sizeof *print);
    print->limit = 8;
    print->visits = json_array();
    print->trace_name = options->trace;
    for (char **at = options->places; at && *at && status == TOOL_GO; at++) {
        print->places = memory_grow(print->places, (print->n_places + 1) * sizeof *print->places);
        status = read_place(*at, &print->places[print->n_places++]);
    }
    if (status == TOOL_GO && options->block && !read_block(options->block, print->block))
        status = tool_error("--at-block '%s': expected X,Y,Z", text_cut(options->block).text);
    tool_number("--at-warp", options->warp, 31, &print->warp);
    tool_number("--at-lane", options->lane, 31, &print->lane);
    tool_number("--at-most", options->limit, 1u << 20, &print->limit);
    print->has_block = options->block != NULL;
    print->has_warp = options->warp != NULL;
    print->has_lane = options->lane != NULL;
    return status;
}

/* --- look --- */

/* Whether a path of the PTX ends with the name that the user gives. */
static int is_file(const char *path, const char *name) {
    const size_t all = path ? strlen(path) : 0, length = strlen(name);
    return all >= length && strcmp(path + all - length, name) == 0 &&
           (all == length || path[all - length - 1] == '/');
}

/* The line of an instruction in the file of a place; 0: it is in another one. */
static uint32_t line_in(const struct place *place, const struct wsim_site *site) {
    if (!place->file)
        return site->ptx_line;
    if (is_file(site->file, place->file))
        return site->line;
    if (text_ends(place->file, ".ptx") && (!site->ptx_file || is_file(site->ptx_file, place->file)))
        return site->ptx_line;
    return 0;
}

static int find_places(void *context, const struct wsim_site *site) {
    struct print *print = context;
    int when = print->trace ? WSIM_LOOK_AFTER : 0;
    for (size_t i = 0; i < print->n_places && !print->done; i++) {
        struct place *place = &print->places[i];
        const uint32_t line = line_in(place, site);
        if (line == place->line) {
            place->known = 1;
            when |= WSIM_LOOK_BEFORE | WSIM_LOOK_AFTER;
        } else if (line && line < place->line && line > place->near[0])
            place->near[0] = line;
        else if (line > place->line && (!place->near[1] || line < place->near[1]))
            place->near[1] = line;
    }
    return when;
}

static struct visit *open_visit(struct print *print, size_t index, const struct wsim_seen *view) {
    const struct wsim_site *site = &view->site;
    struct place *place = &print->places[index];
    struct visit *visit = NULL;
    for (size_t i = 0; i < print->n_open && !visit; i++)
        if (print->open[i].place == index && print->open[i].warp == view->warp &&
            memcmp(print->open[i].block, view->block, sizeof view->block) == 0)
            visit = &print->open[i];
    if (visit && visit->lanes == view->lanes &&
        (site->id > visit->id || (site->id == visit->id && view->when == WSIM_LOOK_AFTER))) {
        visit->id = site->id;
        return visit;
    }
    if (!visit) {
        print->open = memory_grow(print->open, (print->n_open + 1) * sizeof *print->open);
        visit = &print->open[print->n_open++];
    }
    place->executed = 1;
    *visit = (struct visit){.place = index,
                            .warp = view->warp,
                            .lanes = view->lanes,
                            .id = site->id,
                            .kept = place->visits++ < print->limit};
    memcpy(visit->block, view->block, sizeof visit->block);
    if (!visit->kept)
        return visit;
    visit->values = json_array();
    json_array_append_new(
        print->visits,
        json_pack("{s:s, s:o, s:I, s:o, s:I, s:o, s:I, s:o, s:o}", "at", place->text, "file",
                  site->file ? tool_json_text(site->file) : json_null(), "line",
                  (json_int_t)site->line, "kernel", tool_json_text(site->function), "ptx_line",
                  (json_int_t)site->ptx_line, "block", report_three(view->block), "warp",
                  (json_int_t)view->warp, "lanes", doc_bits(view->lanes), "values", visit->values));
    return visit;
}

/* Whether two values are of one register, operand, or part of a variable. */
static int is_same_name(const json_t *a, const json_t *b) {
    static const char *const keys[] = {"register", "operand", "variable", "first", "type"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const json_t *x = json_object_get(a, keys[i]), *y = json_object_get(b, keys[i]);
        if (!x != !y || (x && !json_equal(x, y)))
            return 0;
    }
    return json_array_size(json_object_get(a, "values")) ==
           json_array_size(json_object_get(b, "values"));
}

/* Adds a value to a visit, unless it equals the last one of its name. */
static void add_value(struct visit *visit, const struct wsim_seen *view, json_t *value,
                      int written) {
    size_t i = json_array_size(visit->values);
    if (!value)
        return;
    while (i-- > 0) {
        const json_t *other = json_array_get(visit->values, i);
        if (!is_same_name(value, other))
            continue;
        if (json_equal(json_object_get(value, "values"), json_object_get(other, "values"))) {
            json_decref(value);
            return;
        }
        break;
    }
    json_object_set_new(value, "written", json_boolean(written));
    json_object_set_new(value, "ptx_line", json_integer((json_int_t)view->site.ptx_line));
    json_object_set_new(value, "opcode", json_string(view->site.opcode));
    json_array_append_new(visit->values, value);
}

/* The type in which a visit shows a register; "": the register is new. */
static const char *type_of(const struct visit *visit, const struct wsim_seen *view, uint32_t reg) {
    struct wsim_register is;
    json_t *value;
    size_t i;
    wsim_seen_register(view, reg, &is);
    json_array_foreach(visit->values, i, value) {
        const char *name = json_string_value(json_object_get(value, "register"));
        if (name && strcmp(name, is.name) == 0)
            return json_string_value(json_object_get(value, "type"));
    }
    return "";
}

static void add_terms(struct place *place, struct visit *visit, const struct wsim_seen *view) {
    for (size_t i = 0; i < place->n_terms; i++) {
        struct term term = place->terms[i];
        json_t *value;
        uint32_t reg;
        if (!*term.type && wsim_seen_find(view, term.name, &reg))
            snprintf(term.type, sizeof term.type, "%s", type_of(visit, view, reg));
        value = term_json(view, &term, place->why[i], REASON);
        place->had[i] |= value != NULL;
        add_value(visit, view, value, view->when == WSIM_LOOK_AFTER);
    }
}

/* Matrices are shown as such; of other instructions the registers: those that it reads before, and
 * those that it writes after. */
static void add_uses(struct visit *visit, const struct wsim_seen *view) {
    const int after = view->when == WSIM_LOOK_AFTER;
    struct wsim_use use;
    char why[256];
    json_t *value;
    int matrices = 0;
    for (const char *at = "abcd"; *at; at++) {
        value = operand_json(view, *at, why, sizeof why);
        matrices |= value != NULL;
        if (value && (*at == 'd') == after)
            add_value(visit, view, value, after);
        else
            json_decref(value);
    }
    for (uint32_t i = 0; !matrices && wsim_seen_use(view, i, &use); i++)
        if (use.writes == after)
            add_value(visit, view,
                      register_json(view, use.reg, &use, type_of(visit, view, use.reg)), after);
}

static int is_wanted(const struct print *print, const struct wsim_seen *view) {
    return (!print->has_block || memcmp(print->block, view->block, sizeof view->block) == 0) &&
           (!print->has_warp || print->warp == view->warp) &&
           (!print->has_lane || view->lanes >> print->lane & 1);
}

static int see(void *context, const struct wsim_seen *seen) {
    struct print *print = context;
    struct wsim_seen view = *seen;
    if (!is_wanted(print, seen))
        return 0;
    if (print->trace && seen->when == WSIM_LOOK_AFTER)
        trace_add(print->trace, seen, print->has_lane ? (int)print->lane : -1);
    if (print->has_lane)
        view.lanes &= 1u << print->lane;
    for (size_t i = 0; i < print->n_places; i++) {
        struct place *place = &print->places[i];
        struct visit *visit;
        if (line_in(place, &view.site) != place->line)
            continue;
        visit = open_visit(print, i, &view);
        if (!visit->kept)
            continue;
        if (place->n_terms)
            add_terms(place, visit, &view);
        else
            add_uses(visit, &view);
    }
    return 0;
}

const struct wsim_look *print_look(const struct print *print) {
    return print ? &print->look : NULL;
}

int print_begin(struct print *print, const struct wsim_session *session,
                const struct wsim_launch_parts *parts) {
    if (!print)
        return TOOL_GO;
    print->buffers = value_buffers_of(session, parts);
    value_buffers(print->buffers, parts->nbuffers);
    print->look = (struct wsim_look){.at = find_places, .see = see, .context = print};
    if (print->trace_name) {
        if (!output_open(&print->output, print->trace_name))
            return TOOL_USAGE;
        print->trace = trace_open(print->output.file);
    }
    return TOOL_GO;
}

int print_end(struct print *print) {
    int status = TOOL_GO;
    if (print) {
        print->done = 1;
        value_buffers(NULL, 0);
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
    for (size_t i = 0; i < print->n_places; i++) {
        free(print->places[i].file);
        free(print->places[i].terms);
        free(print->places[i].why);
        free(print->places[i].had);
    }
    json_decref(print->visits);
    free(print->places);
    free(print->open);
    free(print->buffers);
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
    json_t *row, *cell;
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
        json_array_foreach(row, k, cell) put_cell(doc, cell);
    }
    doc_leave(doc);
}

static void state_visit(struct doc *doc, const json_t *visit, struct source *source) {
    const json_t *values = get(visit, "values"), *block = get(visit, "block");
    const char *file = json_string_value(get(visit, "file"));
    const json_int_t line = json_integer_value(get(visit, "line"));
    const char *text = source_line(source, file, (unsigned)line);
    json_t *value;
    size_t i;
    doc_line(doc, "%s, block (%d,%d,%d), warp %d%s%s", string(visit, "at"),
             (int)json_integer_value(json_array_get(block, 0)),
             (int)json_integer_value(json_array_get(block, 1)),
             (int)json_integer_value(json_array_get(block, 2)),
             (int)json_integer_value(get(visit, "warp")), text ? ": " : "",
             text ? text_cut(text).text : "");
    state_registers(doc, visit);
    json_array_foreach(values, i, value) if (!get(value, "register")) state_rows(doc, value);
    doc_gap(doc);
}

static void state_place(struct doc *doc, const struct print *print, const struct place *place) {
    char near[80] = "";
    if (!place->known && place->near[0] && place->near[1])
        snprintf(near, sizeof near, "; lines %u and %u have", place->near[0], place->near[1]);
    else if (!place->known && (place->near[0] || place->near[1]))
        snprintf(near, sizeof near, "; line %u has", place->near[0] + place->near[1]);
    if (!place->known)
        doc_line(doc, "%s: no instruction has this line%s", text_cut(place->text).text, near);
    else if (!place->executed)
        doc_line(doc, "%s: no lane reached this line", text_cut(place->text).text);
    else if (place->visits > print->limit)
        doc_line(doc, "%s: %llu more times; --at-most shows more", text_cut(place->text).text,
                 (unsigned long long)(place->visits - print->limit));
    for (size_t i = 0; i < place->n_terms; i++)
        if (place->executed && !place->had[i] && *place->why[i])
            doc_line(doc, "%s: %s", text_cut(place->text).text, place->why[i]);
    doc_object(doc, NULL, "{s:o, s:b, s:I}", "at", tool_json_text(place->text), "known",
               (int)place->known, "times", (json_int_t)place->visits);
}

int print_missing(const struct print *print) {
    for (size_t i = 0; print && i < print->n_places; i++)
        if (!print->places[i].known)
            return tool_error("--print '%s': no instruction has this line",
                              text_cut(print->places[i].text).text);
    return TOOL_GO;
}

void print_state(struct doc *doc, const struct print *print, struct source *source) {
    json_t *visit;
    size_t i;
    if (!print || !print->n_places)
        return;
    doc_only(doc, TOOL_TEXT);
    json_array_foreach(print->visits, i, visit) state_visit(doc, visit, source);
    doc_list(doc, "printed");
    for (i = 0; i < print->n_places; i++)
        state_place(doc, print, &print->places[i]);
    doc_leave(doc);
    doc_set(doc, "visits", json_incref(print->visits));
    doc_only(doc, DOC_SHOWN);
}
