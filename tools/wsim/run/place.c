/* Places in JSON. The library that reads it forgets where a value stood; the text, which is known
 * to be JSON by then, is walked again for the one place that something is said of. */
#include "place.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <stdarg.h>
#include <string.h>

enum { DEPTH = 16, PATH = 512, SENTENCE = 1024, PREFIX = TEXT_PATH + PATH + 40 };

struct place place_root(const struct place_source *source) {
    return (struct place){.source = source};
}

struct place place_key(const struct place *up, const char *key) {
    return (struct place){up->source, up, key, 0};
}

struct place place_index(const struct place *up, size_t index) {
    return (struct place){up->source, up, NULL, index};
}

/* The steps from the whole down to `place`; how many. */
static unsigned steps_of(const struct place *place, const struct place *steps[DEPTH]) {
    unsigned n = 0;
    for (const struct place *at = place; at->up; at = at->up)
        n++;
    n = n < DEPTH ? n : DEPTH;
    for (unsigned i = n; i > 0; place = place->up)
        steps[--i] = place;
    return n;
}

void place_path(const struct place *place, char *out, size_t room) {
    const struct place *steps[DEPTH];
    unsigned n = steps_of(place, steps);
    size_t used = 0;
    out[0] = 0;
    for (unsigned i = 0; i < n && used + 1 < room; i++)
        used +=
            (size_t)(steps[i]->key ? snprintf(out + used, room - used, "%s%s", i ? "." : "",
                                              text_cut(steps[i]->key).text)
                                   : snprintf(out + used, room - used, "[%zu]", steps[i]->index));
}

/* --- walking --- */

struct walk {
    const char *at, *end;
};

static void skip_blanks(struct walk *walk) {
    while (walk->at < walk->end && strchr(" \t\r\n", *walk->at))
        walk->at++;
}

/* Past a string, whose first character is its quote. */
static void skip_string(struct walk *walk) {
    for (walk->at++; walk->at < walk->end && *walk->at != '"'; walk->at++)
        if (*walk->at == '\\')
            walk->at++;
    walk->at++;
}

static void skip_value(struct walk *walk) {
    unsigned long depth = 0;
    while (walk->at < walk->end) {
        char c = *walk->at;
        if (depth == 0 && (c == ',' || c == ']' || c == '}'))
            return;
        depth += c == '{' || c == '[';
        depth -= c == '}' || c == ']';
        if (c == '"')
            skip_string(walk);
        else
            walk->at++;
    }
}

/* Whether the string at `walk` is `key`, whatever escapes it is written with. */
static int is_key(const struct walk *walk, const char *key) {
    struct walk end = *walk;
    json_t *string;
    int same;
    skip_string(&end);
    string = json_loadb(walk->at, (size_t)(end.at - walk->at), JSON_DECODE_ANY, NULL);
    same = string && strcmp(json_string_value(string), key) == 0;
    json_decref(string);
    return same;
}

/* From a value to the one that `step` names in it; *begin is where that begins to be said. 0: there
 * is none. */
static int descend(struct walk *walk, const struct place *step, const char **begin) {
    size_t index = 0;
    skip_blanks(walk);
    if (walk->at == walk->end || *walk->at != (step->key ? '{' : '['))
        return 0;
    for (walk->at++;; walk->at++, index++) {
        int found;
        skip_blanks(walk);
        if (walk->at >= walk->end || *walk->at == (step->key ? '}' : ']'))
            return 0;
        *begin = walk->at;
        found = step->key ? is_key(walk, step->key) : index == step->index;
        if (step->key) {
            skip_string(walk);
            skip_blanks(walk);
            walk->at++; /* the colon */
        }
        if (found)
            return 1;
        skip_value(walk);
        if (walk->at >= walk->end || *walk->at != ',')
            return 0;
    }
}

void place_find(const struct place *place, unsigned *line, unsigned *col) {
    const struct place_source *source = place->source;
    const struct place *steps[DEPTH];
    unsigned n = steps_of(place, steps);
    struct walk walk = {source->text, NULL};
    const char *begin = source->text, *at;
    *line = *col = 0;
    if (!source->text)
        return;
    walk.end = source->text + source->length;
    for (unsigned i = 0; i < n; i++)
        if (!descend(&walk, steps[i], &begin))
            break;
    *line = *col = 1;
    for (at = source->text; at < begin; at++) {
        *col = *at == '\n' ? 1 : *col + 1;
        *line += *at == '\n';
    }
}

/* "FILE:LINE:COLUMN: PATH: ". */
static void prefix_of(const struct place *place, char out[PREFIX]) {
    char path[PATH], at[32] = "";
    unsigned line, col;
    place_path(place, path, sizeof path);
    place_find(place, &line, &col);
    if (line)
        snprintf(at, sizeof at, ":%u:%u", line, col);
    snprintf(out, PREFIX, "%s%s: %s%s", text_path(place->source->name).text, at, path,
             *path ? ": " : "");
}

int place_error(const struct place *place, const char *format, ...) {
    char prefix[PREFIX], sentence[SENTENCE];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    prefix_of(place, prefix);
    return tool_error("%s%s", prefix, sentence);
}

void place_begin(const struct place *place) {
    char prefix[PREFIX];
    prefix_of(place, prefix);
    tool_subject(prefix);
}

void place_end(void) {
    tool_subject("");
}
