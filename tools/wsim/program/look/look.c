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

/* 0: the number is wrong. */
static int read_number(const json_t *given, uint32_t most, uint32_t *value) {
    const json_int_t number = json_integer_value(given);
    *value = (uint32_t)number;
    return json_is_integer(given) && number >= 0 && number <= most;
}

static int read_where(const json_t *options, struct visits_where *where) {
    const json_t *block = get(options, "block"), *warp = get(options, "warp"),
                 *lane = get(options, "lane");
    int good = read_number(get(options, "most"), 1u << 20, &where->most);
    for (size_t i = 0; i < 3 && block; i++)
        good &= read_number(json_array_get(block, i), UINT32_MAX, &where->block[i]);
    where->has_block = block != NULL;
    where->has_warp = warp != NULL;
    where->has_lane = lane != NULL;
    return good && (!block || json_array_size(block) == 3) &&
           (!get(options, "places") || json_is_array(get(options, "places"))) &&
           (!warp || read_number(warp, 31, &where->warp)) &&
           (!lane || read_number(lane, 31, &where->lane));
}

static int open_options(const char *text) {
    struct visits_where where = {.most = 0};
    json_t *options = json_loads(text, JSON_REJECT_DUPLICATES, NULL), *one;
    size_t i;
    int status =
        read_where(options, &where) ? TOOL_GO : tool_error("WSIM_LOOK is no JSON of --print");
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
