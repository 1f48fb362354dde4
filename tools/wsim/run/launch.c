/* Launch files; see launch.h. */
#include "launch.h"
#include "launch_packed.h"
#include "number.h"
#include "../common/input.h"
#include "../common/memory.h"
#include "../common/names.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *const launch_counters[LAUNCH_COUNTERS] = {"ld_wavefronts",   "ld_conflicts",
                                                      "st_wavefronts",   "st_conflicts",
                                                      "atom_wavefronts", "atom_conflicts"};

/* --- what all parts need --- */

static size_t count_names(const char *const *names) {
    size_t n = 0;
    while (names[n])
        n++;
    return n;
}

int launch_fields(const struct place *at, const json_t *value, const char *const *names) {
    const char *key;
    json_t *unused,
        *object = (json_t *)value; /* jansson reads through pointers to what it may write */
    if (!json_is_object(value))
        return place_error(at, "expected an object, {\"%s\": ...}", names[0]);
    json_object_foreach(object, key, unused) {
        struct place member = place_key(at, key);
        size_t i = 0;
        while (names[i] && strcmp(names[i], key) != 0)
            i++;
        if (!names[i])
            return place_error(&member, "unknown field%s",
                               name_near(key, names, count_names(names)).text);
    }
    return TOOL_GO;
}

int launch_text(const struct place *at, const json_t *value, const char **out) {
    *out = json_string_value(value);
    if (!*out)
        return place_error(at, "expected a string");
    if (strlen(*out) != json_string_length(value) || !**out)
        return place_error(at,
                           **out ? "a name cannot contain a NUL character" : "the string is empty");
    return TOOL_GO;
}

void *launch_more(void *list, size_t *n, size_t size) {
    size_t old = *n;
    if ((old & (old - 1)) == 0) /* room is the next power of two */
        list = memory_grow(list, (old ? 2 * old : 1) * size);
    memset((char *)list + old * size, 0, size);
    ++*n;
    return list;
}

size_t launch_buffer(const struct launch *launch, const char *name) {
    size_t i = 0;
    while (i < launch->nbuffers && strcmp(launch->buffers[i].name, name) != 0)
        i++;
    return i;
}

int launch_entries(const struct place *at, size_t n, size_t most) {
    return n <= most ? TOOL_GO : place_error(at, "%zu entries: the limit is %zu", n, most);
}

json_t *launch_get(const struct place *at, const json_t *object, const char *key,
                   struct place *member) {
    *member = place_key(at, key);
    return json_object_get(object, key);
}

/* --- launches --- */

/* One to three numbers, the missing ones `rest`. */
static int read_extent(const struct place *up, const json_t *object, const char *key, uint32_t rest,
                       uint32_t out[3]) {
    struct place at;
    json_t *list = launch_get(up, object, key, &at);
    size_t n = json_array_size(list);
    out[0] = out[1] = out[2] = rest;
    if (!list)
        return TOOL_GO;
    if (!json_is_array(list) || n < 1 || n > 3)
        return place_error(&at, "expected a list of 1 to 3 numbers");
    out[0] = out[1] = out[2] = 1;
    for (size_t i = 0; i < n; i++) {
        struct place item = place_index(&at, i);
        uint64_t number = 1;
        int status = number_whole(&item, json_array_get(list, i), UINT32_MAX, &number);
        if (status != TOOL_GO)
            return status;
        if (number == 0)
            return place_error(&item, "expected at least 1");
        out[i] = (uint32_t)number;
    }
    return TOOL_GO;
}

static int read_counters(const struct place *at, const json_t *object, struct launch_one *one) {
    const char *names[LAUNCH_COUNTERS + 1] = {NULL};
    int status;
    memcpy(names, launch_counters, sizeof launch_counters);
    status = launch_fields(at, object, names);
    for (int i = 0; i < LAUNCH_COUNTERS && status == TOOL_GO; i++) {
        struct place member;
        json_t *value = launch_get(at, object, launch_counters[i], &member);
        one->counted[i] = value != NULL;
        if (value)
            status = number_whole(&member, value, INT64_MAX, &one->counter[i]);
    }
    return status;
}

static int read_args(struct launch *launch, const struct place *at, json_t *list,
                     struct launch_one *one) {
    int status = json_is_array(list) ? launch_entries(at, json_array_size(list), LAUNCH_ENTRIES)
                                     : place_error(at, "expected a list of arguments");
    for (size_t i = 0; status == TOOL_GO && i < json_array_size(list); i++) {
        struct place item = place_index(at, i);
        one->args = launch_more(one->args, &one->nargs, sizeof *one->args);
        status = launch_read_arg(launch, &item, json_array_get(list, i), &one->args[i]);
    }
    return status;
}

static int read_launch(struct launch *launch, const struct place *at, json_t *object,
                       struct launch_one *one) {
    static const char *const fields[] = {"kernel", "grid",     "block",       "cluster", "shared",
                                         "args",   "counters", "cooperative", NULL};
    int status = launch_fields(at, object, fields);
    struct place member;
    json_t *value;
    uint64_t shared = 0;
    if (status == TOOL_GO && (value = launch_get(at, object, "kernel", &member)) != NULL)
        status = launch_text(&member, value, &one->kernel);
    if (status == TOOL_GO)
        status = read_extent(at, object, "grid", 1, one->grid);
    if (status == TOOL_GO)
        status = read_extent(at, object, "block", 1, one->block);
    if (status == TOOL_GO)
        status = read_extent(at, object, "cluster", 0, one->cluster);
    if (status == TOOL_GO && (value = launch_get(at, object, "shared", &member)) != NULL)
        status = number_whole(&member, value, UINT32_MAX, &shared);
    one->shared = (uint32_t)shared;
    if (status == TOOL_GO && (value = launch_get(at, object, "cooperative", &member)) != NULL) {
        one->cooperative = json_is_true(value);
        status = json_is_boolean(value) ? TOOL_GO : place_error(&member, "expected true or false");
    }
    if (status == TOOL_GO && (value = launch_get(at, object, "args", &member)) != NULL)
        status = read_args(launch, &member, value, one);
    if (status == TOOL_GO && (value = launch_get(at, object, "counters", &member)) != NULL)
        status = read_counters(&member, value, one);
    return status;
}

static int read_launches(struct launch *launch, const struct place *at, json_t *list) {
    size_t n = json_array_size(list);
    int status = json_is_array(list) && n > 0 ? launch_entries(at, n, LAUNCH_LAUNCHES)
                                              : place_error(at, "expected a list of launches");
    for (size_t i = 0; status == TOOL_GO && i < n; i++) {
        struct place item = place_index(at, i);
        launch->launches =
            launch_more(launch->launches, &launch->nlaunches, sizeof *launch->launches);
        status = read_launch(launch, &item, json_array_get(list, i), &launch->launches[i]);
    }
    return status;
}

/* --- the whole --- */

static int read_arch(struct launch *launch, const struct place *at, const json_t *value) {
    const char *name;
    int status = launch_text(at, value, &name);
    if (status != TOOL_GO)
        return status;
    launch->arch = wsim_arch_called(name);
    return launch->arch ? TOOL_GO
                        : place_error(at, "unknown architecture '%s' (wsim arch lists them)",
                                      text_cut(name).text);
}

/* One file of PTX; all together are not longer than one may be. */
static int read_ptx(struct launch *launch, const struct place *at, const char *folder,
                    const char *name) {
    struct launch_ptx *one;
    uint64_t room = LAUNCH_PTX;
    int status;
    launch->ptx = launch_more(launch->ptx, &launch->nptx, sizeof *launch->ptx);
    one = &launch->ptx[launch->nptx - 1];
    one->name = name;
    for (size_t i = 0; i + 1 < launch->nptx; i++)
        room -= launch->ptx[i].file.size < room ? launch->ptx[i].file.size : room;
    status = file_read(at, folder, name, room, "what is read of PTX", &one->file);
    if (status == TOOL_GO)
        launch_unpack(&one->file, LAUNCH_PTX);
    return status;
}

/* "a.ptx", or ["a.ptx", "b.ptx"]. */
static int read_code(struct launch *launch, const struct place *at, const json_t *value) {
    const size_t n = json_is_array(value) ? json_array_size(value) : 1;
    const char *name;
    int status = n ? launch_entries(at, n, LAUNCH_ENTRIES)
                   : place_error(at, "expected a file or a list of files");
    for (size_t i = 0; status == TOOL_GO && i < n; i++) {
        const struct place item = json_is_array(value) ? place_index(at, i) : *at;
        status = launch_text(&item, json_is_array(value) ? json_array_get(value, i) : value, &name);
        if (status == TOOL_GO)
            status = read_ptx(launch, &item, launch->folder, name);
    }
    return status;
}

static int read_output(struct launch *launch, const struct place *at, const json_t *value) {
    int status = launch_text(at, value, &launch->stdout_name);
    if (status == TOOL_GO)
        status = file_read(at, launch->folder, launch->stdout_name, LAUNCH_PTX,
                           "what is compared of output", &launch->output);
    return status;
}

/* Each member of an object by the reader of one. */
static int read_each(struct launch *launch, const struct place *at, json_t *object,
                     int (*read)(struct launch *launch, const struct place *at, const char *name,
                                 json_t *value, const char *folder)) {
    const char *key;
    json_t *value;
    int status = json_is_object(object)
                     ? launch_entries(at, json_object_size(object), LAUNCH_ENTRIES)
                     : place_error(at, "expected an object of names and files");
    if (status != TOOL_GO)
        return status;
    json_object_foreach(object, key, value) {
        struct place member = place_key(at, key);
        status = read(launch, &member, key, value, launch->folder);
        if (status != TOOL_GO)
            return status;
    }
    return TOOL_GO;
}

static int read_members(struct launch *launch, const struct place *at) {
    struct place member;
    int status = TOOL_GO;
    json_t *value;
    if ((value = launch_get(at, launch->json, "arch", &member)) != NULL)
        status = read_arch(launch, &member, value);
    if (status == TOOL_GO && (value = launch_get(at, launch->json, "buffers", &member)) != NULL)
        status = launch_read_buffers(launch, &member, value);
    if (status == TOOL_GO && (value = launch_get(at, launch->json, "symbols", &member)) != NULL)
        status = launch_read_symbols(launch, &member, value);
    if (status == TOOL_GO) {
        value = launch_get(at, launch->json, "launches", &member);
        status = value ? read_launches(launch, &member, value)
                       : place_error(at, "the field launches is missing");
    }
    if (status == TOOL_GO && (value = launch_get(at, launch->json, "expect", &member)) != NULL)
        status = read_each(launch, &member, value, launch_read_expect);
    if (status == TOOL_GO && (value = launch_get(at, launch->json, "save", &member)) != NULL)
        status = read_each(launch, &member, value, launch_read_save);
    if (status == TOOL_GO && (value = launch_get(at, launch->json, "stdout", &member)) != NULL)
        status = read_output(launch, &member, value);
    return status;
}

static int read_all(struct launch *launch, const char *const *ptx) {
    static const char *const fields[] = {"ptx",    "arch", "buffers", "symbols", "launches",
                                         "expect", "save", "stdout",  NULL};
    struct place root = place_root(&launch->source), member;
    int status = launch_fields(&root, launch->json, fields);
    json_t *value;
    if (status != TOOL_GO)
        return status;
    value = launch_get(&root, launch->json, "ptx", &member);
    if (ptx) {
        struct place_source source = {"the command line", NULL, 0};
        struct place none = place_root(&source);
        for (; *ptx && status == TOOL_GO; ptx++)
            status = read_ptx(launch, &none, NULL, *ptx);
    } else {
        status = value
                     ? read_code(launch, &member, value)
                     : place_error(&root, "the field ptx is missing: name the file of the kernels");
    }
    return status == TOOL_GO ? read_members(launch, &root) : status;
}

/* Puts whole numbers that are too long for the reader of JSON between quotes: to this format that
 * is the same. */
static char *quote_numbers(const char *text, size_t length, size_t *quoted) {
    enum { DIGITS = 18 };
    char *out = memory_make(2 * length + 1, 1), *to = out;
    const char *end = text + length;
    int in_string = 0;
    while (text < end) {
        size_t n = !in_string && (*text == '-' || isdigit((unsigned char)*text)) ? 1 : 0;
        if (n)
            while (text + n < end && (isalnum((unsigned char)text[n]) || strchr("+-.", text[n])) &&
                   text[n])
                n++;
        if (n > DIGITS && memchr(text, '.', n) == NULL && memchr(text, 'e', n) == NULL &&
            memchr(text, 'E', n) == NULL) {
            *to++ = '"';
            memcpy(to, text, n);
            to += n;
            *to++ = '"';
        } else {
            n = n ? n : 1;
            if (*text == '"')
                in_string = !in_string;
            if (in_string && *text == '\\' && text + 1 < end)
                n = 2;
            memcpy(to, text, n);
            to += n;
        }
        text += n;
    }
    *quoted = (size_t)(to - out);
    return out;
}

static json_t *parse(const char *text, size_t length, json_error_t *error) {
    json_t *json = json_loadb(text, length, JSON_REJECT_DUPLICATES, error);
    if (!json && json_error_code(error) == json_error_numeric_overflow) {
        size_t quoted;
        char *other = quote_numbers(text, length, &quoted);
        json = json_loadb(other, quoted, JSON_REJECT_DUPLICATES, error);
        free(other);
    }
    return json;
}

int launch_open(struct launch *launch, const char *path, const char *const *ptx) {
    json_error_t error;
    size_t length;
    *launch = (struct launch){.folder = input_folder(path)};
    launch->text = input_bytes(path, &length);
    if (!launch->text)
        return TOOL_USAGE;
    launch->source = (struct place_source){input_name(path), launch->text, length};
    launch->json = parse(launch->text, length, &error);
    if (!launch->json)
        return tool_error("%s:%d:%d: %s", text_path(input_name(path)).text, error.line,
                          error.column > 0 ? error.column : 1, error.text);
    return read_all(launch, ptx);
}

int launch_take(struct launch *launch, json_t *json) {
    *launch = (struct launch){.json = json, .source = {"the command line", NULL, 0}};
    return read_all(launch, NULL);
}

void launch_close(struct launch *launch) {
    for (size_t i = 0; i < launch->nbuffers; i++)
        free(launch->buffers[i].file.bytes);
    for (size_t i = 0; i < launch->nsymbols; i++)
        free(launch->symbols[i].file.bytes);
    for (size_t i = 0; i < launch->nexpects; i++)
        free(launch->expects[i].file.bytes);
    for (size_t i = 0; i < launch->nlaunches; i++) {
        for (size_t k = 0; k < launch->launches[i].nargs; k++) {
            free(launch->launches[i].args[k].value);
            free(launch->launches[i].args[k].patches);
        }
        free(launch->launches[i].args);
    }
    free(launch->buffers);
    free(launch->symbols);
    free(launch->launches);
    free(launch->expects);
    free(launch->saves);
    free(launch->output.bytes);
    for (size_t i = 0; i < launch->nptx; i++)
        free(launch->ptx[i].file.bytes);
    free(launch->ptx);
    free(launch->folder);
    free(launch->text);
    json_decref(launch->json);
}
