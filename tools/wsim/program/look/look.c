/* wsim-look.so: what wsim run --print and --trace see inside of a program. A library of its own, as
 * it needs one for JSON, which programs do not load otherwise. */
#include "wire/look.h"
#include "../../common/members.h"
#include "../../common/memory.h"
#include "../../look/visits.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    struct visits *visits;
    char *prefix; /* of the files of traces; NULL: none */
    FILE *file;
    struct trace *trace;
} state;

static int read_number(const json_t *options, const char *key, uint32_t *value) {
    const json_t *given = get(options, key);
    *value = (uint32_t)json_integer_value(given);
    return given != NULL;
}

static int open_options(const char *text) {
    struct visits_where where = {.most = 8};
    json_t *options = json_loads(text, 0, NULL), *one;
    const json_t *block = get(options, "block");
    size_t i;
    int status = options ? TOOL_GO : tool_error("WSIM_LOOK is no JSON");
    where.has_block = block != NULL;
    for (i = 0; i < 3; i++)
        where.block[i] = (uint32_t)json_integer_value(json_array_get(block, i));
    where.has_warp = (uint8_t)read_number(options, "warp", &where.warp);
    where.has_lane = (uint8_t)read_number(options, "lane", &where.lane);
    read_number(options, "most", &where.most);
    state.visits = visits_open(&where);
    json_array_foreach(get(options, "places"), i, one) {
        if (status == TOOL_GO)
            status = json_is_string(one) ? visits_add(state.visits, json_string_value(one))
                                         : tool_error("WSIM_LOOK: a place is a string");
    }
    if (*string(options, "trace"))
        state.prefix = memory_text(string(options, "trace"), strlen(string(options, "trace")));
    json_decref(options);
    return status == TOOL_GO;
}

/* The file of this process. */
static void open_trace(void) {
    char name[32], *path;
    if (!state.prefix || state.trace)
        return;
    snprintf(name, sizeof name, ".%ld", (long)getpid());
    path = memory_join(state.prefix, name, "");
    state.file = fopen(path, "we");
    if (state.file)
        state.trace = trace_open(state.file);
    else
        tool_error("--trace: %s cannot be written", path);
    free(path);
    visits_trace(state.visits, state.trace);
}

static void *begin(uint64_t number, const struct wsim_look **look) {
    struct visits_launch *launch = visits_begin(state.visits, number);
    open_trace();
    *look = visits_look(launch);
    return launch;
}

/* A child of fork must not write what waits here. */
static void end(void *launch) {
    if (state.file)
        fflush(state.file);
    free(launch);
}

static void put(FILE *out, const char *name, json_t *value) {
    fprintf(out, ",\n\"%s\": ", name);
    json_dumpf(value, out, JSON_COMPACT | JSON_ENSURE_ASCII);
    json_decref(value);
}

static void write_members(FILE *out) {
    put(out, "visits", visits_list(state.visits));
    put(out, "printed", visits_places(state.visits));
}

static void forget(void) {
    visits_forget(state.visits);
    visits_trace(state.visits, NULL);
    state.trace = NULL; /* its file is that of the parent */
    state.file = NULL;
}

__attribute__((visibility("default"))) extern const struct wire_look wsim_look_functions;
const struct wire_look wsim_look_functions = {open_options, begin, end, write_members, forget};
