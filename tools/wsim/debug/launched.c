/* The launches of a session: opened, scanned for lines, and run with stops. */
#include "server.h"
#include "../common/input.h"
#include "../common/memory.h"
#include "../common/text.h"
#include "../run/source.h"

#include <stdlib.h>
#include <string.h>

/* --- open --- */

/* A member as text: a string, a number, or a list as "1,2". NULL: there is none. The text stays
 * with server->keep. */
static char *word_of(struct server *server, const json_t *arguments, const char *key) {
    const json_t *value = get(arguments, key);
    char text[512] = "";
    json_t *kept, *one;
    size_t i;
    if (json_is_string(value))
        return (char *)(uintptr_t)json_string_value(value);
    if (json_is_integer(value))
        snprintf(text, sizeof text, "%lld", (long long)json_integer_value(value));
    json_array_foreach(value, i, one) {
        const size_t used = strlen(text);
        if (json_is_integer(one))
            snprintf(text + used, sizeof text - used, "%s%lld", i ? "," : "",
                     (long long)json_integer_value(one));
        else if (json_is_string(one))
            snprintf(text + used, sizeof text - used, "%s%s", i ? "," : "", json_string_value(one));
    }
    if (!*text)
        return NULL;
    kept = json_string(text);
    if (!kept)
        return NULL;
    json_array_append_new(server->keep, kept);
    return (char *)(uintptr_t)json_string_value(kept);
}

/* A member as a list of texts that ends with NULL: a list of strings or objects, or one string. */
static char **list_of(struct server *server, const json_t *arguments, const char *key,
                      unsigned slot) {
    const json_t *value = get(arguments, key);
    size_t n = json_is_array(value) ? json_array_size(value) : json_is_string(value);
    char **list = memory_make(n + 1, sizeof *list);
    server->lists[slot] = list;
    for (size_t i = 0; i < n; i++) {
        json_t *one = json_is_array(value) ? json_array_get(value, i) : (json_t *)(uintptr_t)value;
        if (json_is_object(one)) {
            char *text = json_dumps(one, JSON_COMPACT);
            json_t *kept = text ? json_string(text) : NULL;
            free(text);
            if (!kept)
                memory_out();
            json_array_append_new(server->keep, kept);
            one = kept;
        }
        list[i] = json_is_string(one) ? (char *)(uintptr_t)json_string_value(one) : NULL;
        if (!list[i])
            break;
    }
    return n ? list : NULL;
}

/* Whether a member is text, or a list of texts and of `others`. */
static int is_good(const json_t *value, json_type others) {
    json_t *one;
    size_t i;
    json_array_foreach(value, i,
                       one) if (!json_is_string(one) && json_typeof(one) != others) return 0;
    return !value || json_is_null(value) || json_is_string(value) || json_is_array(value) ||
           (others == JSON_INTEGER && json_is_integer(value));
}

static int check_arguments(const json_t *arguments, char why[WHY]) {
    static const char *const words[] = {"kernel", "grid", "block", "cluster",
                                        "shared", "arch", "nvcc",  "sources"};
    static const char *const lists[] = {"args", "buffers", "symbols"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!is_good(get(arguments, words[i]), JSON_INTEGER)) {
            snprintf(why, WHY, "launch: '%s' is text, a whole number, or a list of these",
                     words[i]);
            return 0;
        }
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (!is_good(get(arguments, lists[i]), JSON_OBJECT)) {
            snprintf(why, WHY, "launch: '%s' is a list of texts and objects", lists[i]);
            return 0;
        }
    return 1;
}

static void forget_arguments(struct server *server) {
    for (unsigned i = 0; i < 4; i++) {
        free(server->lists[i]);
        server->lists[i] = NULL;
    }
    json_decref(server->keep);
    server->keep = NULL;
}

static int read_arguments(struct server *server, const json_t *arguments, char why[WHY]) {
    struct command *command = &server->command;
    const char *text;
    if (!check_arguments(arguments, why))
        return 0;
    forget_arguments(server); /* of a launch that was refused */
    server->keep = json_array();
    json_array_append(server->keep, (json_t *)(uintptr_t)arguments);
    char **programs = list_of(server, arguments, "program", 0);
    if (!programs || !programs[0] || !*programs[0]) {
        snprintf(why, WHY, "launch: 'program' is a launch file (.json), PTX, or CUDA C++ (.cu)");
        return 0;
    }
    if (text_ends(programs[0], ".json"))
        command->launch = programs[0];
    else
        command->ptx = (const char *const *)programs;
    command->kernel = word_of(server, arguments, "kernel");
    command->grid = word_of(server, arguments, "grid");
    command->block = word_of(server, arguments, "block");
    command->cluster = word_of(server, arguments, "cluster");
    command->shared = word_of(server, arguments, "shared");
    command->arch = word_of(server, arguments, "arch");
    command->nvcc = word_of(server, arguments, "nvcc");
    command->cooperative = json_is_true(get(arguments, "cooperative"));
    command->args = list_of(server, arguments, "args", 1);
    command->buffers = list_of(server, arguments, "buffers", 2);
    command->symbols = list_of(server, arguments, "symbols", 3);
    text = word_of(server, arguments, "sources");
    server->folder = text ? memory_text(text, strlen(text)) : NULL;
    server->stops_at_entry = json_is_true(get(arguments, "stopOnEntry"));
    return 1;
}

/* --- the lines of all kernels: a run that ends before its first instruction --- */

static int add_code(void *context, const struct wsim_site *site) {
    struct server *server = context;
    struct code *code;
    if (server->n_codes % 256 == 0)
        server->codes = memory_grow(server->codes, (server->n_codes + 256) * sizeof *server->codes);
    code = &server->codes[server->n_codes++];
    *code = (struct code){.file = site->file ? memory_text(site->file, strlen(site->file)) : NULL,
                          .line = site->line,
                          .ptx_line = site->ptx_line};
    return WSIM_LOOK_BEFORE;
}

static int end_at_once(void *context, const struct wsim_seen *view) {
    (void)context, (void)view;
    return 1;
}

static void scan(struct server *server) {
    const struct wsim_look look = {.at = add_code, .see = end_at_once, .context = server};
    for (size_t i = 0; i < server->opened.parts->nlaunches; i++) {
        struct wsim_report *report = NULL;
        struct wsim_launch launch;
        wsim_session_describe(server->session, i, &launch);
        launch.look = &look;
        launch.checks = 0;
        wsim_launch_run(wsim_session_device(server->session), wsim_session_module(server->session),
                        &launch, &report, NULL);
        wsim_report_free(report);
    }
}

static int see(void *context, const struct wsim_seen *view);
static int places(void *context, const struct wsim_site *site);
static int progress(void *context, size_t launch, uint64_t done, uint64_t all);

static int refuse(const struct wsim_diag *diag, const char *ptx, char why[WHY]) {
    if (ptx && diag->line)
        snprintf(why, WHY, "%.120s:%u:%u: %.300s", ptx, diag->line, diag->col, diag->text);
    else
        snprintf(why, WHY, "%.400s", diag->text);
    return 0;
}

static int make_session(struct server *server, const json_t *arguments, char why[WHY]) {
    struct wsim_launch_options options = {.checks = WSIM_CHECK_ALL,
                                          .partial = !server->command.launch,
                                          .threads = 1,
                                          .progress = progress,
                                          .context = server,
                                          .look = &server->look};
    const char *ptx = NULL;
    struct wsim_diag diag;
    if (json_is_false(get(arguments, "checks")))
        options.checks = 0;
    if (json_is_false(get(arguments, "contract")))
        options.flags = WSIM_MODULE_NO_CONTRACT;
    if (wsim_session_make(server->opened.file, &options, &server->session, &ptx, &diag))
        return refuse(&diag, ptx, why);
    if (wsim_session_fill(server->session, &diag) || wsim_session_check(server->session, &diag))
        return refuse(&diag, NULL, why);
    scan(server);
    if (wsim_session_fill(server->session, &diag))
        return refuse(&diag, NULL, why);
    return 1;
}

int launched_open(struct server *server, const json_t *arguments, char why[WHY]) {
    int status;
    *why = 0;
    if (server->is_open) {
        snprintf(why, WHY, "launch: a program is launched already");
        return 0;
    }
    if (!read_arguments(server, arguments, why))
        return 0;
    server->look =
        (struct wsim_look){.at = places, .see = see, .context = server, .when = WSIM_LOOK_FINDING};
    tool_catch(why, WHY);
    status = command_read(&server->command, &server->opened);
    tool_catch(NULL, 0);
    server->is_open = 1;
    if (status != TOOL_GO) {
        if (!*why)
            snprintf(why, WHY, "launch: the program cannot be read");
        return 0;
    }
    if (!server->folder)
        server->folder = server->opened.folder
                             ? memory_text(server->opened.folder, strlen(server->opened.folder))
                             : input_folder(server->opened.parts->ptx[0].name);
    return make_session(server, arguments, why);
}

void launched_close(struct server *server) {
    wsim_session_free(server->session);
    if (server->is_open) {
        opened_close(&server->opened);
        command_close(&server->command);
    }
    for (size_t i = 0; i < server->n_codes; i++)
        free(server->codes[i].file);
    for (size_t i = 0; i < server->n_breakpoints; i++)
        free(server->breakpoints[i].file);
    forget_arguments(server);
    free(server->codes);
    free(server->breakpoints);
    free(server->frames);
    free(server->references);
    free(server->begins);
    free(server->folder);
    wire_close(&server->wire);
}

/* --- breakpoints --- */

/* The line of an instruction in the file of a breakpoint; 0: it is in another one. The client and
 * the compiler may know a file by other folders. */
static uint32_t line_in(const struct breakpoint *b, const char *file, uint32_t line,
                        uint32_t ptx_line) {
    if (b->is_ptx)
        return ptx_line;
    return file && strcmp(text_name(file), text_name(b->file)) == 0 ? line : 0;
}

void breakpoint_verify(const struct server *server, struct breakpoint *b) {
    uint32_t best = 0;
    for (size_t i = 0; i < server->n_codes; i++) {
        const struct code *code = &server->codes[i];
        const uint32_t line = line_in(b, code->file, code->line, code->ptx_line);
        if (line >= b->line && line && (!best || line < best))
            best = line;
    }
    b->verified = best != 0;
    if (best)
        b->line = best;
}

json_t *breakpoint_json(const struct server *server, const struct breakpoint *b) {
    json_t *out = json_pack("{s:I, s:b, s:I}", "id", b->id, "verified", (int)b->verified, "line",
                            (json_int_t)b->line - server->lines_from_0);
    if (!b->verified)
        json_object_set_new(out, "message",
                            json_string(server->n_codes ? "no instruction has this line or a later "
                                                          "one of its file"
                                                        : "no program is launched yet"));
    return out;
}

static void note_beginning(struct server *server, uint32_t id, int begins) {
    if (id >= server->n_begins) {
        const size_t room = 2 * (size_t)id + 256;
        server->begins = memory_grow(server->begins, room);
        memset(server->begins + server->n_begins, 0, room - server->n_begins);
        server->n_begins = room;
    }
    server->begins[id] = (uint8_t)begins;
}

/* A breakpoint is at the first instruction of a run of instructions of its line. */
static int places(void *context, const struct wsim_site *site) {
    struct server *server = context;
    const char *file = site->file ? site->file : "";
    const int begins = site->line != server->last_line || strcmp(file, server->last_file) != 0;
    snprintf(server->last_file, sizeof server->last_file, "%.500s", file);
    server->last_line = site->line;
    note_beginning(server, site->id, begins);
    if (server->going != GO_ON)
        return WSIM_LOOK_BEFORE;
    for (size_t i = 0; i < server->n_breakpoints; i++) {
        const struct breakpoint *b = &server->breakpoints[i];
        if (b->verified && (begins || b->is_ptx) &&
            line_in(b, site->file, site->line, site->ptx_line) == b->line)
            return WSIM_LOOK_BEFORE;
    }
    return 0;
}

/* A condition that names nothing stops once and says so, as it can never hold. */
static int has_no_value(struct server *server, struct breakpoint *b, const char *why) {
    char text[WHY + 128];
    if (b->told)
        return 0;
    b->told = 1;
    snprintf(text, sizeof text, "breakpoint of line %u: %s; PTX has no scalar variables of C++\n",
             b->line, why);
    wire_event(&server->wire, "output",
               json_pack("{s:s, s:o}", "category", "important", "output", tool_json_text(text)));
    return 1;
}

static int holds(struct server *server, struct breakpoint *b, const struct wsim_seen *view) {
    char why[WHY];
    json_t *value, *one;
    size_t i;
    int any = 0;
    if (!*b->condition.name)
        return 1;
    value = term_json(view, &b->condition, why, sizeof why);
    if (!value)
        return has_no_value(server, b, why);
    json_array_foreach(get(value, "values"), i, one) {
        const json_t *cell = json_is_array(one) ? json_array_get(one, 0) : one;
        double number = json_number_value(cell);
        if (json_is_string(cell))
            number = (double)strtoull(json_string_value(cell), NULL, 0);
        else if (!json_is_number(cell))
            continue;
        any |= strcmp(b->compare, "==") == 0   ? number == b->number
               : strcmp(b->compare, "!=") == 0 ? number != b->number
               : strcmp(b->compare, "<=") == 0 ? number <= b->number
               : strcmp(b->compare, ">=") == 0 ? number >= b->number
               : *b->compare == '<'            ? number < b->number
                                               : number > b->number;
    }
    json_decref(value);
    return any;
}

/* The breakpoint at which a warp stops; NULL: none. */
static const struct breakpoint *breakpoint_at(struct server *server, const struct wsim_seen *view) {
    const struct wsim_site *site = &view->site;
    const int begins = site->id < server->n_begins && server->begins[site->id];
    for (size_t i = 0; i < server->n_breakpoints; i++) {
        struct breakpoint *b = &server->breakpoints[i];
        if (!b->verified || (!begins && !b->is_ptx) ||
            line_in(b, site->file, site->line, site->ptx_line) != b->line ||
            !holds(server, b, view))
            continue;
        if (++b->hits >= b->after)
            return b;
    }
    return NULL;
}

/* --- stops --- */

json_int_t thread_of(const struct server *server, const struct wsim_seen *view) {
    const uint32_t *grid = server->opened.parts->launches[server->launch].grid;
    const uint64_t x = grid[0] ? grid[0] : 1, y = grid[1] ? grid[1] : 1;
    const uint64_t block = view->block[0] + x * (view->block[1] + y * view->block[2]);
    return (json_int_t)(1 + 32 * block + view->warp);
}

static uint32_t inlined_of(const struct wsim_seen *view) {
    const char *file, *function;
    uint32_t line, n = 0;
    while (wsim_seen_inlined(view, n, &file, &line, &function))
        n++;
    return n;
}

/* Whether a step of the warp ends here. */
static int ends_step(const struct server *server, const struct wsim_seen *view) {
    const struct wsim_site *site = &view->site;
    const char *file = site->file ? site->file : "";
    if (server->warp != view->warp || memcmp(server->block, view->block, sizeof view->block) != 0)
        return 0;
    if (server->going == GO_OUT)
        return view->depth < server->depth;
    if (server->going == GO_STEP && view->depth > server->depth)
        return 0;
    if (server->by_instruction || view->depth < server->depth)
        return 1;
    if (server->going == GO_STEP && inlined_of(view) > server->inlined)
        return 0;
    return site->line && (site->line != server->from_line || strcmp(file, server->from_file) != 0);
}

static void forget(struct server *server) {
    server->n_frames = server->n_references = 0;
}

/* The kernel stands here until the client lets it go on. 1: the launch ends. */
static int stand(struct server *server, const struct wsim_seen *view, const char *reason,
                 const char *text, const struct breakpoint *b) {
    json_t *body = json_pack("{s:s, s:I, s:b}", "reason", reason, "threadId",
                             thread_of(server, view), "allThreadsStopped", 1);
    if (text)
        json_object_set_new(body, "text", tool_json_text(text));
    if (b)
        json_object_set_new(body, "hitBreakpointIds", json_pack("[I]", b->id));
    forget(server);
    server->at = view;
    server->lane = value_lane(view);
    server->going = GO_ON;
    wire_event(&server->wire, "stopped", body);
    while (!server->quits) {
        json_t *request = wire_read(&server->wire, 1);
        int on;
        if (!request) {
            server->quits = 1;
            break;
        }
        on = server_request(server, request);
        json_decref(request);
        if (on)
            break;
    }
    memcpy(server->block, view->block, sizeof server->block);
    server->warp = view->warp;
    server->depth = view->depth;
    server->inlined = inlined_of(view);
    server->from_line = view->site.line;
    snprintf(server->from_file, sizeof server->from_file, "%.500s",
             view->site.file ? view->site.file : "");
    server->at = NULL;
    forget(server);
    server->look.version++;
    return server->quits;
}

static int see(void *context, const struct wsim_seen *view) {
    struct server *server = context;
    const struct breakpoint *b;
    char text[sizeof server->text + sizeof server->rule];
    if (view->when == WSIM_LOOK_FINDING) {
        if (!server->stops_at_findings)
            return 0;
        snprintf(server->rule, sizeof server->rule, "%.60s", view->rule);
        snprintf(server->text, sizeof server->text, "%.1000s", view->text);
        snprintf(text, sizeof text, "%s: %.1000s", server->rule, server->text);
        return stand(server, view, "exception", text, NULL);
    }
    b = breakpoint_at(server, view);
    if (b)
        return stand(server, view, "breakpoint", NULL, b);
    switch (server->going) {
    case GO_ENTRY: return stand(server, view, "entry", NULL, NULL);
    case GO_PAUSE: return stand(server, view, "pause", NULL, NULL);
    case GO_STEP:
    case GO_IN:
    case GO_OUT: return ends_step(server, view) ? stand(server, view, "step", NULL, NULL) : 0;
    default: return 0;
    }
}

/* Requests while the kernel runs. */
static int progress(void *context, size_t launch, uint64_t done, uint64_t all) {
    struct server *server = context;
    json_t *request;
    (void)launch, (void)done, (void)all;
    while (!server->quits && (request = wire_read(&server->wire, 0)) != NULL) {
        server_request(server, request);
        json_decref(request);
    }
    server->quits |= server->wire.ended != 0;
    return server->quits;
}

/* --- runs --- */

static void put_output(struct server *server, const char *category, const char *text) {
    wire_event(&server->wire, "output",
               json_pack("{s:s, s:o}", "category", category, "output", json_string(text)));
}

static void report(struct server *server, size_t index) {
    const struct wsim_report *of = wsim_session_report(server->session, index);
    struct wsim_finding finding;
    size_t size = 0;
    const char *output = wsim_report_output(of, &size);
    char *copy = memory_make(size + 1, 1), line[2048];
    text_mask_lines(copy, output, size);
    if (size)
        put_output(server, "stdout", copy);
    free(copy);
    for (size_t i = 0; wsim_report_finding(of, i, &finding); i++) {
        snprintf(line, sizeof line, "%.200s:%u: %s: %.1000s\n",
                 finding.file ? text_name(finding.file) : "PTX",
                 finding.file ? finding.line : finding.ptx_line, finding.rule, finding.text);
        text_mask(line);
        line[strlen(line) - 1] = '\n';
        put_output(server, "stderr", line);
    }
}

void launched_run(struct server *server) {
    const size_t n = server->opened.parts->nlaunches;
    struct wsim_diag diag;
    int found = 0;
    server->going = server->stops_at_entry ? GO_ENTRY : GO_ON;
    for (server->launch = 0; server->launch < n && !server->quits; server->launch++) {
        const size_t ran = server->launch;
        struct wsim_totals totals;
        *server->last_file = 0;
        server->last_line = 0;
        server->look.version++;
        if (wsim_session_run(server->session, &diag)) {
            put_output(server, "stderr", diag.text);
            found = 1;
            break;
        }
        report(server, ran);
        wsim_report_totals(wsim_session_report(server->session, ran), &totals);
        found |= totals.findings > 0;
        if (wsim_session_stopped(server->session))
            break;
    }
    server->launch = server->launch < n ? server->launch : n - 1;
    server->ended = 1;
    forget(server);
    wire_event(&server->wire, "exited", json_pack("{s:i}", "exitCode", found));
    wire_event(&server->wire, "terminated", NULL);
}
