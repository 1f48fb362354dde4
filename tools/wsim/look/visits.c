/* Values at chosen lines; see visits.h. */
#include "visits.h"
#include "../common/members.h"
#include "../common/memory.h"
#include "../common/text.h"

#include <stdlib.h>
#include <string.h>

enum { REASON = 200 };

/* A line of a source or, without `file`, of the PTX. */
struct place {
    char *text; /* as given */
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
    uint64_t launch;
    json_t *values;
    uint32_t block[3], warp, lanes, id;
    uint8_t kept;
};

struct visits {
    struct visits_where where;
    struct place *places;
    size_t n_places;
    struct visit *open;  /* a table by place, launch, block and warp */
    size_t n_open, room; /* room: a power of two */
    json_t *list;
    struct trace *trace;
    uint8_t done; /* launches that follow are not seen */
};

struct visits_launch {
    struct wsim_look look;
    struct visits *visits;
    uint64_t number;
};

/* --- places --- */

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
    *place = (struct place){.text = memory_text(text, strlen(text))};
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
    struct visits *visits = ((struct visits_launch *)context)->visits;
    int when = visits->trace ? WSIM_LOOK_AFTER : 0;
    for (size_t i = 0; i < visits->n_places && !visits->done; i++) {
        struct place *place = &visits->places[i];
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

/* The slot of a pass in the table: its own, or a free one. */
static struct visit *find_slot(const struct visits *visits, const struct visit *wanted) {
    uint64_t hash = wanted->launch;
    struct visit *slot;
    for (unsigned i = 0; i < 3; i++)
        hash = hash * 0x9E3779B97F4A7C15u + wanted->block[i];
    hash = (hash * 0x9E3779B97F4A7C15u + wanted->warp) * 0x9E3779B97F4A7C15u + wanted->place;
    hash ^= hash >> 29;
    for (;; hash++) {
        slot = &visits->open[hash & (visits->room - 1)];
        if (!slot->lanes || (slot->place == wanted->place && slot->launch == wanted->launch &&
                             slot->warp == wanted->warp &&
                             memcmp(slot->block, wanted->block, sizeof slot->block) == 0))
            return slot;
    }
}

static void make_room(struct visits *visits) {
    struct visit *const old = visits->open;
    const size_t room = visits->room;
    if (visits->n_open * 2 < room)
        return;
    visits->room = room ? 2 * room : 64;
    visits->open = memory_make(visits->room, sizeof *visits->open);
    for (size_t i = 0; i < room; i++)
        if (old[i].lanes)
            *find_slot(visits, &old[i]) = old[i];
    free(old);
}

static json_t *lanes_of(uint32_t lanes) {
    json_t *list = json_array();
    for (int lane = 0; lane < 32; lane++)
        if (lanes >> lane & 1)
            json_array_append_new(list, json_integer(lane));
    return list;
}

static json_t *visit_json(const struct place *place, const struct wsim_seen *view,
                          uint64_t launch) {
    const struct wsim_site *site = &view->site;
    json_t *visit = json_pack(
        "{s:s, s:o, s:I, s:o, s:I, s:o, s:I, s:o, s:o}", "at", place->text, "file",
        site->file ? tool_json_text(site->file) : json_null(), "line", (json_int_t)site->line,
        "kernel", tool_json_text(site->function), "ptx_line", (json_int_t)site->ptx_line, "block",
        json_pack("[I, I, I]", (json_int_t)view->block[0], (json_int_t)view->block[1],
                  (json_int_t)view->block[2]),
        "warp", (json_int_t)view->warp, "lanes", lanes_of(view->lanes), "values", json_array());
    if (launch)
        json_object_set_new(visit, "launch", json_integer((json_int_t)launch));
    return visit;
}

static struct visit *open_visit(struct visits *visits, size_t index, uint64_t launch,
                                const struct wsim_seen *view) {
    const struct wsim_site *site = &view->site;
    struct place *place = &visits->places[index];
    struct visit made = {.place = index, .launch = launch, .warp = view->warp}, *visit;
    json_t *list;
    memcpy(made.block, view->block, sizeof made.block);
    make_room(visits);
    visit = find_slot(visits, &made);
    if (visit->lanes == view->lanes &&
        (site->id > visit->id || (site->id == visit->id && view->when == WSIM_LOOK_AFTER))) {
        visit->id = site->id;
        return visit;
    }
    visits->n_open += !visit->lanes;
    place->executed = 1;
    made.lanes = view->lanes;
    made.id = site->id;
    made.kept = place->visits++ < visits->where.most;
    *visit = made;
    if (visit->kept) {
        list = visit_json(place, view, launch);
        visit->values = get(list, "values");
        json_array_append_new(visits->list, list);
    }
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

static int is_wanted(const struct visits *visits, const struct wsim_seen *view) {
    return (!visits->where.has_block ||
            memcmp(visits->where.block, view->block, sizeof view->block) == 0) &&
           (!visits->where.has_warp || visits->where.warp == view->warp) &&
           (!visits->where.has_lane || view->lanes >> visits->where.lane & 1);
}

static int see(void *context, const struct wsim_seen *seen) {
    struct visits *visits = ((struct visits_launch *)context)->visits;
    struct wsim_seen view = *seen;
    if (!is_wanted(visits, seen))
        return 0;
    if (visits->trace && seen->when == WSIM_LOOK_AFTER)
        trace_add(visits->trace, seen, visits->where.has_lane ? (int)visits->where.lane : -1);
    if (visits->where.has_lane)
        view.lanes &= 1u << visits->where.lane;
    for (size_t i = 0; i < visits->n_places; i++) {
        struct place *place = &visits->places[i];
        struct visit *visit;
        if (line_in(place, &view.site) != place->line)
            continue;
        visit = open_visit(visits, i, ((struct visits_launch *)context)->number, &view);
        if (!visit->kept)
            continue;
        if (place->n_terms)
            add_terms(place, visit, &view);
        else
            add_uses(visit, &view);
    }
    return 0;
}

/* --- the whole --- */

struct visits *visits_open(const struct visits_where *where) {
    struct visits *visits = memory_make(1, sizeof *visits);
    visits->where = *where;
    visits->list = json_array();
    return visits;
}

int visits_add(struct visits *visits, const char *text) {
    visits->places = memory_grow(visits->places, (visits->n_places + 1) * sizeof *visits->places);
    return read_place(text, &visits->places[visits->n_places++]);
}

void visits_trace(struct visits *visits, struct trace *trace) {
    visits->trace = trace;
}

struct visits_launch *visits_begin(struct visits *visits, uint64_t number) {
    struct visits_launch *launch = memory_make(1, sizeof *launch);
    launch->look = (struct wsim_look){.at = find_places, .see = see, .context = launch};
    launch->visits = visits;
    launch->number = number;
    return launch;
}

const struct wsim_look *visits_look(const struct visits_launch *launch) {
    return &launch->look;
}

void visits_stop(struct visits *visits) {
    visits->done = 1;
}

static json_t *place_json(const struct place *place) {
    json_t *why = json_array();
    for (size_t i = 0; i < place->n_terms; i++)
        json_array_append_new(why, json_string(place->had[i] ? "" : place->why[i]));
    return json_pack("{s:o, s:b, s:b, s:I, s:[I, I], s:o}", "at", tool_json_text(place->text),
                     "known", (int)place->known, "executed", (int)place->executed, "times",
                     (json_int_t)place->visits, "near", (json_int_t)place->near[0],
                     (json_int_t)place->near[1], "why", why);
}

json_t *visits_places(const struct visits *visits) {
    json_t *list = json_array();
    for (size_t i = 0; i < visits->n_places; i++)
        json_array_append_new(list, place_json(&visits->places[i]));
    return list;
}

json_t *visits_list(const struct visits *visits) {
    return json_incref(visits->list);
}

void visits_forget(struct visits *visits) {
    json_array_clear(visits->list);
    for (size_t i = 0; i < visits->n_places; i++)
        visits->places[i].visits = visits->places[i].executed = 0;
    free(visits->open);
    visits->open = NULL;
    visits->n_open = visits->room = 0;
}

void visits_close(struct visits *visits) {
    if (!visits)
        return;
    for (size_t i = 0; i < visits->n_places; i++) {
        free(visits->places[i].text);
        free(visits->places[i].file);
        free(visits->places[i].terms);
        free(visits->places[i].why);
        free(visits->places[i].had);
    }
    json_decref(visits->list);
    free(visits->places);
    free(visits->open);
    free(visits);
}
