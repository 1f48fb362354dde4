/* Fields "expect" and "save" of a launch file. */
#include "launch.h"
#include "number.h"
#include "../common/npy_header.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <string.h>

/* --- expect --- */

static int read_limit(const struct place *up, const json_t *object, const char *key, double *out,
                      int *given) {
    struct place at = place_key(up, key);
    json_t *value = json_object_get(object, key);
    *given |= value != NULL;
    return value ? number_limit(&at, value, out) : TOOL_GO;
}

static int read_format(const struct place *at, const json_t *value,
                       const struct wsim_format **out) {
    static const char *const names[] = {"f16", "bf16", "f32", "f64"};
    const char *name;
    int status = launch_text(at, value, &name);
    if (status != TOOL_GO)
        return status;
    for (size_t i = 0; i < 4; i++)
        if (strcmp(name, names[i]) == 0)
            *out = wsim_format_find(name);
    return *out ? TOOL_GO
                : place_error(at, "unknown type '%s': expected f16, bf16, f32 or f64",
                              text_cut(name).text);
}

static int read_limits(const struct place *up, const json_t *object, struct launch_limits *limits) {
    struct place at = place_key(up, "type");
    json_t *value = json_object_get(object, "type");
    int status = value ? read_format(&at, value, &limits->format) : TOOL_GO;
    if (status == TOOL_GO)
        status = read_limit(up, object, "abs", &limits->abs, &limits->given);
    if (status == TOOL_GO)
        status = read_limit(up, object, "rel", &limits->rel, &limits->given);
    if (status == TOOL_GO && (value = json_object_get(object, "ulp")) != NULL) {
        at = place_key(up, "ulp");
        limits->given = 1;
        status = number_whole(&at, value, INT64_MAX, &limits->ulp);
    }
    if (status == TOOL_GO && limits->given && !limits->format)
        status = place_error(up, "limits need a type: add f16, bf16, f32 or f64");
    return status;
}

/* Finds the buffer called `name`, or the variable after "symbol:". */
static int read_subject(const struct launch *launch, const struct place *at, const char *name,
                        struct launch_expect *expect) {
    static const char prefix[] = "symbol:";
    expect->name = name;
    if (strncmp(name, prefix, sizeof prefix - 1) == 0) {
        expect->symbol = name + sizeof prefix - 1;
        return *expect->symbol ? TOOL_GO
                               : place_error(at, "expected the name of a variable after symbol:");
    }
    expect->buffer = launch_buffer(launch, name);
    return expect->buffer < launch->nbuffers
               ? TOOL_GO
               : place_error(at, "unknown buffer '%s' (write a variable as symbol:NAME)",
                             text_cut(name).text);
}

int launch_read_expect(struct launch *launch, const struct place *at, const char *name,
                       json_t *value, const char *folder) {
    static const char *const fields[] = {"file", "type", "abs", "rel", "ulp", NULL};
    struct place file_at = place_key(at, "file");
    struct launch_expect *expect;
    const char *path = NULL;
    uint64_t most = LAUNCH_BYTES;
    int status = launch_fields(at, value, fields);
    launch->expects = launch_more(launch->expects, &launch->nexpects, sizeof *launch->expects);
    expect = &launch->expects[launch->nexpects - 1];
    if (status == TOOL_GO)
        status = read_subject(launch, at, name, expect);
    if (status == TOOL_GO)
        status = read_limits(at, value, &expect->limits);
    if (status == TOOL_GO)
        status = json_object_get(value, "file")
                     ? launch_text(&file_at, json_object_get(value, "file"), &path)
                     : place_error(at, "the field file is missing: it holds the expected bytes");
    if (status != TOOL_GO)
        return status;
    if (!expect->symbol)
        most = launch->buffers[expect->buffer].bytes;
    status =
        file_read_data(&file_at, folder, path, most, "what it is compared with", &expect->file);
    if (status == TOOL_GO && !expect->symbol && expect->file.size != most)
        status = place_error(&file_at, "%s has %llu bytes: buffer %s has %llu",
                             text_path(path).text, (unsigned long long)expect->file.size,
                             text_cut(name).text, (unsigned long long)most);
    if (status == TOOL_GO && expect->limits.format &&
        expect->file.size % (expect->limits.format->bits / 8))
        status = place_error(&file_at, "%llu bytes are not a whole number of %s",
                             (unsigned long long)expect->file.size, expect->limits.format->name);
    return status;
}

/* --- save --- */

struct kind {
    const char *name;
    char kind; /* as NumPy calls it */
    uint8_t bytes;
};

static const struct kind kinds[] = {
    {"u8", 'u', 1},  {"s8", 'i', 1},  {"b8", 'u', 1},  {"u16", 'u', 2},
    {"s16", 'i', 2}, {"b16", 'u', 2}, {"f16", 'f', 2}, {"bf16", 'V', 2},
    {"u32", 'u', 4}, {"s32", 'i', 4}, {"b32", 'u', 4}, {"f32", 'f', 4},
    {"u64", 'u', 8}, {"s64", 'i', 8}, {"b64", 'u', 8}, {"f64", 'f', 8},
};

static int read_kind(const struct place *up, const json_t *object, struct launch_save *save) {
    struct place at = place_key(up, "type");
    json_t *value = json_object_get(object, "type");
    const char *name = NULL;
    int status = value ? launch_text(&at, value, &name) : TOOL_GO;
    if (status != TOOL_GO)
        return status;
    name = name ? name : "u8";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(name, kinds[i].name) == 0) {
            save->kind = kinds[i].kind;
            save->bytes = kinds[i].bytes;
            return TOOL_GO;
        }
    return place_error(
        &at, "unknown type '%s': expected u8 to u64, s8 to s64, b8 to b64, f16, bf16, f32 or f64",
        text_cut(name).text);
}

/* Extents, the whole buffer in one without them. */
static int read_shape(const struct place *up, const json_t *object, uint64_t bytes,
                      struct launch_save *save) {
    struct place at = place_key(up, "shape");
    json_t *list = json_object_get(object, "shape");
    uint64_t count = 1, elements = bytes / save->bytes;
    size_t n = json_array_size(list);
    save->rank = 1;
    save->extent[0] = elements;
    if (bytes % save->bytes)
        return place_error(up, "%llu bytes are not a whole number of elements of %u bytes",
                           (unsigned long long)bytes, (unsigned)save->bytes);
    if (!list)
        return TOOL_GO;
    if (!json_is_array(list) || n > NPY_RANK)
        return place_error(&at, "expected a list of at most %d numbers", NPY_RANK);
    save->rank = (uint8_t)n;
    for (size_t i = 0; i < n; i++) {
        struct place item = place_index(&at, i);
        int status = number_whole(&item, json_array_get(list, i), 1u << 30, &save->extent[i]);
        if (status != TOOL_GO)
            return status;
        if (save->extent[i] && count > UINT64_MAX / save->extent[i])
            return place_error(&at, "the shape has more elements than the buffer");
        count *= save->extent[i];
    }
    return count == elements ? TOOL_GO
                             : place_error(&at, "the shape has %llu elements, the buffer %llu",
                                           (unsigned long long)count, (unsigned long long)elements);
}

int launch_read_save(struct launch *launch, const struct place *at, const char *name, json_t *value,
                     const char *folder) {
    static const char *const fields[] = {"file", "type", "shape", NULL};
    struct place file_at = json_is_object(value) ? place_key(at, "file") : *at;
    struct launch_save *save;
    uint64_t bytes;
    int status = json_is_object(value) ? launch_fields(at, value, fields) : TOOL_GO;
    launch->saves = launch_more(launch->saves, &launch->nsaves, sizeof *launch->saves);
    save = &launch->saves[launch->nsaves - 1];
    save->folder = folder;
    save->buffer = launch_buffer(launch, name);
    if (status == TOOL_GO && save->buffer == launch->nbuffers)
        status = place_error(at, "unknown buffer '%s'", text_cut(name).text);
    if (status == TOOL_GO)
        status = launch_text(
            &file_at, json_is_object(value) ? json_object_get(value, "file") : value, &save->path);
    if (status != TOOL_GO)
        return status;
    bytes = launch->buffers[save->buffer].bytes;
    if (file_is_array(save->path)) {
        status = read_kind(at, value, save);
        return status == TOOL_GO ? read_shape(at, value, bytes, save) : status;
    }
    if (json_is_object(value) && json_object_size(value) > 1)
        return place_error(at, "type and shape need a file that ends with .npy");
    return TOOL_GO;
}
