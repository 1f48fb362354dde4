/* Requests of the client; see server.h. */
#include "server.h"
#include "../common/memory.h"
#include "../common/text.h"

#include <stdlib.h>
#include <string.h>

/* A request: fills *body, or `why` and returns 0. *on is set if the kernel goes on. */
typedef int handle(struct server *server, const json_t *arguments, json_t **body, int *on,
                   char why[WHY]);

static int initialize(struct server *server, const json_t *arguments, json_t **body, int *on,
                      char why[WHY]) {
    (void)on, (void)why;
    server->lines_from_0 = json_is_false(get(arguments, "linesStartAt1"));
    *body = json_pack("{s:b, s:b, s:b, s:b, s:b, s:b, s:b, s:b, s:[{s:s, s:s, s:s, s:b}]}",
                      "supportsConfigurationDoneRequest", 1, "supportsConditionalBreakpoints", 1,
                      "supportsHitConditionalBreakpoints", 1, "supportsEvaluateForHovers", 1,
                      "supportsReadMemoryRequest", 1, "supportsExceptionInfoRequest", 1,
                      "supportsTerminateRequest", 1, "supportsSteppingGranularity", 1,
                      "exceptionBreakpointFilters", "filter", "findings", "label", "Findings",
                      "description", "Stop where a check finds something", "default", 1);
    return 1;
}

static int launch(struct server *server, const json_t *arguments, json_t **body, int *on,
                  char why[WHY]) {
    (void)body, (void)on;
    if (!launched_open(server, arguments, why))
        return 0;
    for (size_t i = 0; i < server->n_breakpoints; i++) {
        struct breakpoint *b = &server->breakpoints[i];
        breakpoint_verify(server, b);
        wire_event(
            &server->wire, "breakpoint",
            json_pack("{s:s, s:o}", "reason", "changed", "breakpoint", breakpoint_json(server, b)));
    }
    return 1;
}

/* --- breakpoints --- */

/* "%r3 == 5": a term and a number. */
static int read_condition(const char *text, struct breakpoint *b) {
    const size_t length = strcspn(text, "=!<> ");
    const char *at = text + length, *wrong;
    struct term *terms;
    size_t n;
    char *name = memory_text(text, length), *end;
    int good = term_read(name, &terms, &n, &wrong) && n == 1;
    if (good)
        b->condition = terms[0];
    free(terms);
    free(name);
    at += strspn(at, " ");
    for (n = 0; n < 2 && *at && strchr("=!<>", *at); n++)
        b->compare[n] = *at++;
    b->number = strtod(at, &end);
    return good && n && strcmp(b->compare, "=") != 0 && strcmp(b->compare, "!") != 0 && end > at &&
           !*end;
}

static void drop_breakpoints(struct server *server, const char *path) {
    size_t n = 0;
    for (size_t i = 0; i < server->n_breakpoints; i++)
        if (strcmp(server->breakpoints[i].file, path) == 0)
            free(server->breakpoints[i].file);
        else
            server->breakpoints[n++] = server->breakpoints[i];
    server->n_breakpoints = n;
}

static json_t *add_breakpoint(struct server *server, const char *path, const json_t *from) {
    const char *condition = json_string_value(get(from, "condition"));
    const char *after = json_string_value(get(from, "hitCondition"));
    const json_int_t line = json_integer_value(get(from, "line")) + server->lines_from_0;
    struct breakpoint b = {.id = ++server->last_id,
                           .line = line > 0 && line < UINT32_MAX ? (uint32_t)line : UINT32_MAX,
                           .after = after ? strtoull(after, NULL, 10) : 0};
    json_t *out;
    b.is_ptx = text_ends(path, ".ptx");
    b.file = memory_text(path, strlen(path));
    if (condition && *condition && !read_condition(condition, &b)) {
        free(b.file);
        return json_pack("{s:I, s:b, s:s}", "id", b.id, "verified", 0, "message",
                         "a condition is %register, operand or variable, then == != < <= > >= and "
                         "a number");
    }
    breakpoint_verify(server, &b);
    server->breakpoints =
        memory_grow(server->breakpoints, (server->n_breakpoints + 1) * sizeof *server->breakpoints);
    server->breakpoints[server->n_breakpoints++] = b;
    out = breakpoint_json(server, &b);
    return out;
}

static int set_breakpoints(struct server *server, const json_t *arguments, json_t **body, int *on,
                           char why[WHY]) {
    const json_t *source = get(arguments, "source"), *list = get(arguments, "breakpoints");
    const char *path = json_string_value(get(source, "path"));
    enum { MOST = 4096 };
    json_t *from, *answers;
    size_t i;
    (void)on;
    path = path ? path : json_string_value(get(source, "name"));
    if (!path || (*path == '\0' || path[strlen(path) - 1] == '/') ||
        (list && !json_is_array(list))) {
        snprintf(why, WHY, "setBreakpoints: 'source' needs a path, 'breakpoints' is a list");
        return 0;
    }
    drop_breakpoints(server, path);
    if (server->n_breakpoints + json_array_size(list) > MOST) {
        snprintf(why, WHY, "setBreakpoints: all files together have at most %d breakpoints", MOST);
        return 0;
    }
    answers = json_array();
    json_array_foreach(list, i, from)
        json_array_append_new(answers, add_breakpoint(server, path, from));
    *body = json_pack("{s:o}", "breakpoints", answers);
    server->look.version++;
    return 1;
}

static int set_filters(struct server *server, const json_t *arguments, json_t **body, int *on,
                       char why[WHY]) {
    json_t *filter;
    size_t i;
    (void)body, (void)on, (void)why;
    server->stops_at_findings = 0;
    json_array_foreach(get(arguments, "filters"), i, filter) {
        const char *name = json_string_value(filter);
        server->stops_at_findings |= name && strcmp(name, "findings") == 0;
    }
    return 1;
}

static int exception_info(struct server *server, const json_t *arguments, json_t **body, int *on,
                          char why[WHY]) {
    (void)arguments, (void)on;
    if (!server->at || !*server->rule) {
        snprintf(why, WHY, "exceptionInfo: the kernel does not stand at a finding");
        return 0;
    }
    *body = json_pack("{s:o, s:o, s:s}", "exceptionId", tool_json_text(server->rule), "description",
                      tool_json_text(server->text), "breakMode", "always");
    return 1;
}

/* --- going on --- */

static int configured(struct server *server, const json_t *arguments, json_t **body, int *on,
                      char why[WHY]) {
    (void)arguments, (void)body;
    if (!server->session) {
        snprintf(why, WHY, "configurationDone: launch a program first");
        return 0;
    }
    server->is_configured = 1;
    *on = 1;
    return 1;
}

static int go(struct server *server, const json_t *arguments, int *on, char why[WHY],
              enum going how) {
    const char *granularity = json_string_value(get(arguments, "granularity"));
    if (!server->at) {
        snprintf(why, WHY, "the kernel does not stand");
        return 0;
    }
    server->going = how;
    server->by_instruction = granularity && strcmp(granularity, "instruction") == 0;
    *server->rule = 0;
    *on = 1;
    return 1;
}

static int go_on(struct server *server, const json_t *arguments, json_t **body, int *on,
                 char why[WHY]) {
    *body = json_pack("{s:b}", "allThreadsContinued", 1);
    return go(server, arguments, on, why, GO_ON);
}

static int next(struct server *server, const json_t *arguments, json_t **body, int *on,
                char why[WHY]) {
    (void)body;
    return go(server, arguments, on, why, GO_STEP);
}

static int step_in(struct server *server, const json_t *arguments, json_t **body, int *on,
                   char why[WHY]) {
    (void)body;
    return go(server, arguments, on, why, GO_IN);
}

static int step_out(struct server *server, const json_t *arguments, json_t **body, int *on,
                    char why[WHY]) {
    (void)body;
    return go(server, arguments, on, why, GO_OUT);
}

static int pause_kernel(struct server *server, const json_t *arguments, json_t **body, int *on,
                        char why[WHY]) {
    (void)arguments, (void)body, (void)on, (void)why;
    if (!server->at) {
        server->going = GO_PAUSE;
        server->look.version++;
    }
    return 1;
}

static int quit(struct server *server, const json_t *arguments, json_t **body, int *on,
                char why[WHY]) {
    (void)arguments, (void)body, (void)why;
    server->quits = 1;
    *on = 1;
    return 1;
}

#define SEEN(name)                                                                                 \
    static int name(struct server *server, const json_t *arguments, json_t **body, int *on,        \
                    char why[WHY]) {                                                               \
        (void)on;                                                                                  \
        return seen_##name(server, arguments, body, why);                                          \
    }
SEEN(threads)
SEEN(stack)
SEEN(scopes)
SEEN(variables)
SEEN(evaluate)
SEEN(memory)

int server_request(struct server *server, json_t *request) {
    static const struct {
        const char *command;
        handle *handle;
    } rows[] = {{"initialize", initialize},
                {"launch", launch},
                {"setBreakpoints", set_breakpoints},
                {"setExceptionBreakpoints", set_filters},
                {"exceptionInfo", exception_info},
                {"configurationDone", configured},
                {"threads", threads},
                {"stackTrace", stack},
                {"scopes", scopes},
                {"variables", variables},
                {"evaluate", evaluate},
                {"readMemory", memory},
                {"continue", go_on},
                {"next", next},
                {"stepIn", step_in},
                {"stepOut", step_out},
                {"pause", pause_kernel},
                {"terminate", quit},
                {"disconnect", quit}};
    const char *type = json_string_value(get(request, "type"));
    const char *command = json_string_value(get(request, "command"));
    const json_t *arguments = get(request, "arguments");
    char why[WHY] = "";
    json_t *body = NULL;
    int on = 0, good;
    if (type && strcmp(type, "request") != 0 && command)
        return 0; /* a response to nothing that was asked */
    if (!command || (arguments && !json_is_object(arguments) && !json_is_null(arguments))) {
        wire_answer(&server->wire, request,
                    "a request is an object with 'seq', 'type', 'command' and 'arguments'", NULL);
        return 0;
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].command, command) == 0) {
            good = rows[i].handle(server, arguments, &body, &on, why);
            wire_answer(&server->wire, request, good ? NULL : why, body);
            if (good && rows[i].handle == launch)
                wire_event(&server->wire, "initialized", NULL);
            return good && on;
        }
    snprintf(why, WHY, "wsim debug does not have the request '%.80s'", command);
    wire_answer(&server->wire, request, why, NULL);
    return 0;
}
