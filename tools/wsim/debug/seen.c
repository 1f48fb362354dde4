/* Threads, frames, variables and memory where the kernel stands; see server.h. */
#include "server.h"
#include "../common/memory.h"
#include "../common/text.h"
#include "../run/source.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fail(char why[WHY], const char *text) {
    snprintf(why, WHY, "%s", text);
    return 0;
}

/* The `count` elements of a list from `start` on (count 0: all); releases the list. */
static json_t *part_of(json_t *list, json_int_t start, json_int_t count) {
    json_t *part = json_array();
    const json_int_t n = (json_int_t)json_array_size(list), from = start > 0 ? start : 0;
    for (json_int_t i = from; i < n && (count <= 0 || i - from < count); i++)
        json_array_append(part, json_array_get(list, (size_t)i));
    json_decref(list);
    return part;
}

/* --- sources --- */

/* The source of a file for the client. */
static json_t *source_json_of(const struct server *server, const char *file) {
    json_t *out = json_pack("{s:o}", "name", tool_json_text(text_name(file)));
    const char *name = file;
    char path[4096];
    if (*file == '/' && access(file, R_OK) == 0) {
        json_object_set_new(out, "path", tool_json_text(file));
        return out;
    }
    for (; name; name = strchr(name, '/') ? strchr(name, '/') + 1 : NULL) {
        snprintf(path, sizeof path, "%.2000s/%.2000s", server->folder, name);
        if (access(path, R_OK) == 0) {
            char whole[8300], here[4096];
            if (*path == '/' || !getcwd(here, sizeof here))
                *here = 0;
            snprintf(whole, sizeof whole, "%s%s%s", here, *here ? "/" : "",
                     strncmp(path, "./", 2) == 0 ? path + 2 : path);
            json_object_set_new(out, "path", tool_json_text(whole));
            return out;
        }
    }
    json_object_set_new(out, "path", tool_json_text(file));
    return out;
}

static json_t *ptx_source(const struct server *server, const struct wsim_site *site) {
    return source_json_of(server,
                          site->ptx_file ? site->ptx_file : server->opened.parts->ptx[0].name);
}

/* --- threads --- */

static void name_warp(const struct wsim_seen *view, char name[96]) {
    snprintf(name, 96, "block (%u,%u,%u) warp %u%s", view->block[0], view->block[1], view->block[2],
             view->warp, view->waits ? " waits" : "");
}

int seen_threads(struct server *server, const json_t *arguments, json_t **body, char why[WHY]) {
    struct wsim_seen other = {.warp = 0};
    json_t *threads = json_array();
    json_int_t last = 0;
    (void)arguments, (void)why;
    while (server->at && wsim_seen_next(server->at, &other)) {
        const json_int_t id = thread_of(server, &other);
        char name[96];
        if (id == last)
            continue;
        last = id;
        name_warp(&other, name);
        json_array_append_new(threads, json_pack("{s:I, s:s}", "id", id, "name", name));
    }
    if (!json_array_size(threads))
        json_array_append_new(
            threads, json_pack("{s:i, s:s}", "id", 1, "name",
                               server->ended ? "the kernels have ended" : "the kernel runs"));
    *body = json_pack("{s:o}", "threads", threads);
    return 1;
}

/* --- frames --- */

static size_t add_frame(struct server *server, const struct wsim_seen *view) {
    server->frames = memory_grow(server->frames, (server->n_frames + 1) * sizeof *server->frames);
    server->frames[server->n_frames] = (struct frame){*view};
    return server->n_frames++;
}

static void put_frame(struct server *server, json_t *frames, const struct wsim_seen *view,
                      const char *name, json_t *source, uint32_t line, uint32_t column,
                      const char *hint) {
    const size_t index = add_frame(server, view);
    json_t *frame = json_pack(
        "{s:I, s:o, s:I, s:I}", "id", (json_int_t)index + 1, "name", tool_json_text(name), "line",
        (json_int_t)line - (source ? server->lines_from_0 : 0), "column", (json_int_t)column);
    if (source)
        json_object_set_new(frame, "source", source);
    if (hint)
        json_object_set_new(frame, "presentationHint", json_string(hint));
    json_array_append_new(frames, frame);
}

/* The frames of lanes that are at one instruction: the source, the PTX, where it was inlined, and
 * the callers. */
static void put_frames(struct server *server, json_t *frames, const struct wsim_seen *at) {
    struct wsim_seen view = *at;
    const unsigned lane = value_lane(at);
    char name[400];
    do {
        const struct wsim_site *site = &view.site;
        const char *file, *function, *inside = NULL;
        uint32_t line, where = site->line;
        json_t *source = site->file ? source_json_of(server, site->file) : NULL;
        for (uint32_t i = 0; wsim_seen_inlined(&view, i, &file, &line, &function); i++) {
            if (!i || source) {
                put_frame(server, frames, &view, function ? function : site->function, source,
                          where, i ? 1 : site->column, NULL);
                source = NULL;
            }
            if (!i) {
                snprintf(name, sizeof name, "PTX line %u: %.200s", site->ptx_line, site->opcode);
                put_frame(server, frames, &view, name, ptx_source(server, site), site->ptx_line, 1,
                          "subtle");
            }
            source = source_json_of(server, file);
            where = line;
            inside = file;
        }
        if (source)
            put_frame(server, frames, &view, site->function, source, where,
                      inside ? 1 : site->column, NULL);
        if (!inside) {
            snprintf(name, sizeof name, "PTX line %u: %.200s", site->ptx_line, site->opcode);
            put_frame(server, frames, &view, name, ptx_source(server, site), site->ptx_line, 1,
                      site->file ? "subtle" : NULL);
        }
    } while (json_array_size(frames) < 1000 && wsim_seen_caller(&view, lane, &view));
}

static int is_warp(const struct wsim_seen *a, const struct wsim_seen *b) {
    return a->warp == b->warp && memcmp(a->block, b->block, sizeof a->block) == 0;
}

int seen_stack(struct server *server, const json_t *arguments, json_t **body, char why[WHY]) {
    const json_int_t thread = json_integer_value(get(arguments, "threadId"));
    const json_int_t from = json_integer_value(get(arguments, "startFrame"));
    const json_int_t levels = json_integer_value(get(arguments, "levels"));
    struct wsim_seen other = {.warp = 0};
    json_t *frames;
    char text[256], lanes[TEXT_BITS];
    size_t all;
    if (!server->at)
        return fail(why, "stackTrace: the kernel runs");
    frames = json_array();
    if (thread_of(server, server->at) == thread)
        put_frames(server, frames, server->at);
    while (wsim_seen_next(server->at, &other)) {
        if (thread_of(server, &other) != thread ||
            (is_warp(&other, server->at) && other.lanes & server->at->lanes))
            continue;
        if (json_array_size(frames)) {
            text_bits(other.lanes, lanes);
            snprintf(text, sizeof text, "lanes %s%s", lanes, other.waits ? " wait" : "");
            put_frame(server, frames, &other, text, NULL, 0, 0, "label");
        }
        put_frames(server, frames, &other);
    }
    all = json_array_size(frames);
    if (!all) {
        json_decref(frames);
        return fail(why, "stackTrace: there is no such thread");
    }
    *body = json_pack("{s:o, s:I}", "stackFrames", part_of(frames, from, levels), "totalFrames",
                      (json_int_t)all);
    return 1;
}

/* The frame of a number that the client has; NULL: none. */
static const struct wsim_seen *frame_at(const struct server *server, const json_t *number) {
    const json_int_t id = json_integer_value(number);
    if (!server->at)
        return NULL;
    if (!number)
        return server->at;
    return id > 0 && (size_t)id <= server->n_frames ? &server->frames[id - 1].view : NULL;
}

/* --- variables --- */

static json_int_t add_reference(struct server *server, const struct reference *reference) {
    server->references =
        memory_grow(server->references, (server->n_references + 1) * sizeof *server->references);
    server->references[server->n_references++] = *reference;
    return (json_int_t)server->n_references;
}

int seen_scopes(struct server *server, const json_t *arguments, json_t **body, char why[WHY]) {
    static const struct {
        const char *name, *hint;
    } scopes[SCOPES] = {{"Registers of this instruction", "registers"},
                        {"Registers", "registers"},
                        {"Predicates", "registers"},
                        {"Special registers", "registers"},
                        {"Variables", "locals"},
                        {"Parameters", "arguments"}};
    json_t *list;
    if (!get(arguments, "frameId") || !frame_at(server, get(arguments, "frameId")))
        return fail(why, "scopes: there is no such frame");
    list = json_array();
    for (unsigned i = 0; i < SCOPES; i++) {
        const struct reference reference = {
            .frame = (size_t)json_integer_value(get(arguments, "frameId")) - 1,
            .scope = (enum scope)i};
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:I, s:b}", "name", scopes[i].name,
                                        "presentationHint", scopes[i].hint, "variablesReference",
                                        add_reference(server, &reference), "expensive", 0));
    }
    *body = json_pack("{s:o}", "scopes", list);
    return 1;
}

/* The value of a register in short: of the chosen lane, or of all lanes if they agree. */
static void short_value(const struct server *server, const struct wsim_seen *view,
                        const json_t *values, char out[WHY]) {
    char text[VALUE_TEXT];
    const unsigned lane = view->lanes >> server->lane & 1 ? server->lane : value_lane(view);
    int differ = 0;
    for (unsigned i = 0; i < 32; i++)
        differ |= view->lanes >> i & 1 &&
                  !json_equal(json_array_get(values, i), json_array_get(values, lane));
    value_cell(json_array_get(values, lane), text);
    if (differ)
        snprintf(out, WHY, "%s (lane %u)", text, lane);
    else
        snprintf(out, WHY, "%s", text);
}

static void put_register(struct server *server, json_t *list, const struct reference *scope,
                         json_t *value) {
    const struct wsim_seen *view = &server->frames[scope->frame].view;
    struct reference lanes = {.frame = scope->frame, .scope = SCOPE_LANES};
    char text[WHY];
    if (!value)
        return;
    snprintf(lanes.name, sizeof lanes.name, "%.250s", json_string_value(get(value, "register")));
    short_value(server, view, get(value, "values"), text);
    json_array_append_new(list, json_pack("{s:O, s:o, s:O, s:I, s:i, s:O}", "name",
                                          get(value, "register"), "value", tool_json_text(text),
                                          "type", get(value, "type"), "variablesReference",
                                          add_reference(server, &lanes), "indexedVariables", 32,
                                          "evaluateName", get(value, "register")));
    json_decref(value);
}

static void put_special(struct server *server, json_t *list, const struct reference *scope) {
    static const char *const names[] = {"%tid.x",   "%tid.y",    "%tid.z",          "%ctaid.x",
                                        "%ctaid.y", "%ctaid.z",  "%ntid.x",         "%ntid.y",
                                        "%ntid.z",  "%nctaid.x", "%nctaid.y",       "%nctaid.z",
                                        "%laneid",  "%warpid",   "%cluster_ctarank"};
    const struct wsim_seen *view = &server->frames[scope->frame].view;
    char why[WHY];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct term term = {.columns = 0};
        snprintf(term.name, sizeof term.name, "%s", names[i]);
        put_register(server, list, scope, term_json(view, &term, why, sizeof why));
    }
}

static void put_memory(struct server *server, json_t *list, const struct reference *scope) {
    const struct wsim_seen *view = &server->frames[scope->frame].view;
    struct wsim_variable variable;
    uint32_t cursor = 0;
    while (wsim_seen_variable(view, &cursor, &variable)) {
        struct reference rows = {.frame = scope->frame, .scope = SCOPE_ROWS};
        char text[WHY], place[64];
        snprintf(rows.name, sizeof rows.name, "%.250s", variable.name);
        snprintf(text, sizeof text, "%llu bytes at %s address 0x%llx",
                 (unsigned long long)variable.bytes,
                 wsim_space_name((enum wsim_space)variable.space),
                 (unsigned long long)variable.address);
        snprintf(place, sizeof place, "%s:0x%llx", wsim_space_name((enum wsim_space)variable.space),
                 (unsigned long long)variable.address);
        json_array_append_new(
            list, json_pack("{s:o, s:s, s:s, s:I, s:s, s:o}", "name", tool_json_text(variable.name),
                            "value", text, "type", variable.type, "variablesReference",
                            add_reference(server, &rows), "memoryReference", place, "evaluateName",
                            tool_json_text(variable.name)));
    }
}

static void put_params(struct server *server, json_t *list, const struct reference *scope) {
    const struct wsim_seen *view = &server->frames[scope->frame].view;
    const struct wsim_kernel *kernel = wsim_session_kernel(server->session, server->launch);
    struct wsim_kernel_param param;
    for (size_t i = 0; wsim_kernel_param_at(kernel, i, &param); i++) {
        char text[VALUE_TEXT], place[64];
        uint64_t value;
        unsigned bits;
        value_read(view, WSIM_PARAM, 0, param.offset, param.bytes < 8 ? (unsigned)param.bytes : 8,
                   &value);
        if (param.bytes > 8 || !value_bits(param.type, &bits))
            snprintf(text, sizeof text, "%u bytes", (unsigned)param.bytes);
        else if (param.pointer || bits == 64)
            value_text(view, "b64", 64, value, 0, text);
        else
            value_text(view, param.type, bits, value, 0, text);
        snprintf(place, sizeof place, "param:0x%x", (unsigned)param.offset);
        json_array_append_new(list, json_pack("{s:o, s:s, s:s, s:i, s:s}", "name",
                                              tool_json_text(param.name), "value", text, "type",
                                              param.type, "variablesReference", 0,
                                              "memoryReference", place));
    }
}

/* The elements of a list as variables. */
static void put_elements(json_t *list, const json_t *values, const char *format, size_t first) {
    char name[32], text[VALUE_TEXT];
    json_t *value;
    size_t i;
    json_array_foreach(values, i, value) {
        if (json_is_null(value))
            continue;
        snprintf(name, sizeof name, format, first + i);
        value_cell(value, text);
        json_array_append_new(list, json_pack("{s:s, s:o, s:i}", "name", name, "value",
                                              tool_json_text(text), "variablesReference", 0));
    }
}

static void put_term(struct server *server, json_t *list, const struct reference *of) {
    const struct wsim_seen *view = &server->frames[of->frame].view;
    struct term term = {.columns = 0};
    json_t *value, *row;
    char why[WHY];
    size_t i, at;
    snprintf(term.name, sizeof term.name, "%.250s", of->name);
    value = term_json(view, &term, why, sizeof why);
    at = (size_t)json_integer_value(get(value, "first"));
    if (of->scope == SCOPE_LANES)
        put_elements(list, get(value, "values"), "lane %zu", 0);
    else
        json_array_foreach(get(value, "values"), i, row) {
            put_elements(list, row, "[%zu]", at);
            at += json_array_size(row);
        }
    json_decref(value);
}

static void put_registers(struct server *server, json_t *list, const struct reference *of) {
    const struct wsim_seen *view = &server->frames[of->frame].view;
    struct wsim_register reg;
    struct wsim_use use;
    if (of->scope == SCOPE_USED) {
        for (uint32_t i = 0; wsim_seen_use(view, i, &use); i++)
            put_register(server, list, of, register_json(view, use.reg, &use, ""));
        return;
    }
    for (uint32_t i = 0; wsim_seen_register(view, i, &reg) && json_array_size(list) < 4096; i++)
        if (reg.held && (reg.bits == 1) == (of->scope == SCOPE_PREDICATES))
            put_register(server, list, of, register_json(view, i, NULL, ""));
}

int seen_variables(struct server *server, const json_t *arguments, json_t **body, char why[WHY]) {
    const json_int_t number = json_integer_value(get(arguments, "variablesReference"));
    const json_int_t start = json_integer_value(get(arguments, "start"));
    const json_int_t count = json_integer_value(get(arguments, "count"));
    struct reference of;
    json_t *list;
    if (!server->at || number < 1 || (size_t)number > server->n_references)
        return fail(why, "variables: there is no such reference");
    of = server->references[number - 1];
    list = json_array();
    switch (of.scope) {
    case SCOPE_USED:
    case SCOPE_HELD:
    case SCOPE_PREDICATES: put_registers(server, list, &of); break;
    case SCOPE_SPECIAL: put_special(server, list, &of); break;
    case SCOPE_MEMORY: put_memory(server, list, &of); break;
    case SCOPE_PARAMS: put_params(server, list, &of); break;
    default: put_term(server, list, &of); break;
    }
    *body = json_pack("{s:o}", "variables", part_of(list, start, count));
    return 1;
}

/* --- evaluate --- */

/* "lane 5" chooses the lane that registers show. */
static int choose_lane(struct server *server, const struct wsim_seen *view, const char *text,
                       char out[WHY], char why[WHY]) {
    uint32_t lane;
    if (!tool_is_number(text, strlen(text), 31, &lane) || !(view->lanes >> lane & 1))
        return fail(why, "evaluate: 'lane N' takes a lane that is at this instruction");
    server->lane = lane;
    snprintf(out, WHY, "registers show lane %u", (unsigned)lane);
    return 1;
}

/* A matrix or an array as lines. */
static char *rows_text(const json_t *value) {
    size_t used = 0, room = 1024, i, k;
    char *text = memory_make(room, 1), cell[VALUE_TEXT];
    json_t *row, *one;
    json_array_foreach(get(value, "values"), i, row) {
        json_array_foreach(row, k, one) {
            value_cell(one, cell);
            if (used + VALUE_TEXT + 2 > room)
                text = memory_grow(text, room *= 2);
            used += (size_t)snprintf(text + used, room - used, "%s%s",
                                     k   ? " "
                                     : i ? "\n"
                                         : "",
                                     cell);
        }
    }
    return text;
}

int seen_evaluate(struct server *server, const json_t *arguments, json_t **body, char why[WHY]) {
    const char *text = json_string_value(get(arguments, "expression"));
    const struct wsim_seen *view = frame_at(server, get(arguments, "frameId"));
    struct reference reference = {.scope = SCOPE_LANES};
    struct term *terms = NULL;
    char out[WHY];
    const char *wrong;
    json_t *value;
    size_t n = 0;
    if (!text)
        return fail(why, "evaluate: 'expression' is missing");
    if (!view)
        return fail(why,
                    server->at ? "evaluate: there is no such frame" : "evaluate: the kernel runs");
    if (strncmp(text, "lane ", 5) == 0) {
        if (!choose_lane(server, view, text + 5, out, why))
            return 0;
        *body = json_pack("{s:s, s:i}", "result", out, "variablesReference", 0);
        return 1;
    }
    if (!term_read(text, &terms, &n, &wrong) || n != 1) {
        free(terms);
        return fail(why, "evaluate: give a %register, an operand a to d, a variable such as "
                         "Ds/f32x16[3], or 'lane N'");
    }
    *why = 0;
    value = term_json(view, &terms[0], why, WHY);
    free(terms);
    if (!value)
        return 0;
    if (get(value, "register")) {
        short_value(server, view, get(value, "values"), out);
        reference.frame = get(arguments, "frameId")
                              ? (size_t)json_integer_value(get(arguments, "frameId")) - 1
                              : add_frame(server, view);
        snprintf(reference.name, sizeof reference.name, "%.250s",
                 json_string_value(get(value, "register")));
        *body =
            json_pack("{s:o, s:O, s:I}", "result", tool_json_text(out), "type", get(value, "type"),
                      "variablesReference", add_reference(server, &reference));
    } else {
        char *rows = rows_text(value);
        *body = json_pack("{s:s, s:O, s:i}", "result", rows, "type", get(value, "type"),
                          "variablesReference", 0);
        free(rows);
    }
    json_decref(value);
    return 1;
}

/* --- memory --- */

static char *base64(const uint8_t *bytes, size_t n) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *text = memory_make(n / 3 * 4 + 8, 1), *to = text;
    for (size_t i = 0; i < n; i += 3) {
        const size_t left = n - i;
        const uint32_t three = (uint32_t)bytes[i] << 16 |
                               (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                               (left > 2 ? bytes[i + 2] : 0);
        *to++ = digits[three >> 18];
        *to++ = digits[three >> 12 & 63];
        *to++ = left > 1 ? digits[three >> 6 & 63] : '=';
        *to++ = left > 2 ? digits[three & 63] : '=';
    }
    return text;
}

/* "shared:0x400", or an address of global memory or a generic one. */
static int read_reference(const char *text, enum wsim_space *space, uint64_t *address) {
    const char *colon = strchr(text, ':');
    char *end;
    *space = WSIM_SPACES;
    for (int i = 0; colon && i < WSIM_SPACES; i++) {
        const char *name = wsim_space_name((enum wsim_space)i);
        if (strlen(name) == (size_t)(colon - text) && strncmp(name, text, strlen(name)) == 0)
            *space = (enum wsim_space)i;
    }
    if (colon && *space == WSIM_SPACES)
        return 0;
    text = colon ? colon + 1 : text;
    *address = strtoull(text, &end, 0);
    return *text >= '0' && *text <= '9' && !*end;
}

int seen_memory(struct server *server, const json_t *arguments, json_t **body, char why[WHY]) {
    enum { MOST = 1 << 20 };
    const char *text = json_string_value(get(arguments, "memoryReference"));
    const json_int_t count = json_integer_value(get(arguments, "count"));
    enum wsim_space space;
    uint64_t address, n = 0;
    uint8_t *bytes;
    char *coded;
    if (!server->at)
        return fail(why, "readMemory: the kernel runs");
    if (!text || !read_reference(text, &space, &address))
        return fail(why, "readMemory: 'memoryReference' is an address such as shared:0x400");
    if (count < 0 || count > MOST)
        return fail(why, "readMemory: 'count' is 0 to 1048576");
    address += (uint64_t)json_integer_value(get(arguments, "offset"));
    bytes = memory_make((size_t)count + 1, 1);
    while (n < (uint64_t)count &&
           !wsim_seen_read(server->at, space, server->lane, address + n, bytes + n, 1, NULL))
        n++;
    coded = base64(bytes, (size_t)n);
    snprintf(why, WHY, "0x%llx", (unsigned long long)address);
    *body = json_pack("{s:s, s:I, s:s}", "address", why, "unreadableBytes",
                      (json_int_t)((uint64_t)count - n), "data", coded);
    free(coded);
    free(bytes);
    return 1;
}
