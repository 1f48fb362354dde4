/* Fields "expect" and "save" of a launch file; see file.h. */
#include "file.h"

#include <string.h>
#include <wsim/harness/npy.h>

/* --- expect --- */

static enum wsim_status read_format(const struct lf_node *at, const struct wsim_format **out,
                                    struct wsim_diag *diag) {
    static const char *const names[] = {"f16", "bf16", "f32", "f64"};
    const char *name;
    enum wsim_status status = lf_text(at, &name, diag);
    if (status)
        return status;
    for (size_t i = 0; i < 4; i++)
        if (strcmp(name, names[i]) == 0)
            *out = wsim_format_find(name);
    return *out ? WSIM_OK
                : lf_refuse(diag, at, RULE_LAUNCH_NAME_UNKNOWN,
                            "unknown type '%s': expected f16, bf16, f32 or f64", lf_cut(name).text);
}

static enum wsim_status read_limits(const struct lf_node *up, struct wsim_launch_limits *limits,
                                    struct wsim_diag *diag) {
    const struct lf_node *type = lf_member(up, "type"), *abs = lf_member(up, "abs");
    const struct lf_node *rel = lf_member(up, "rel"), *ulp = lf_member(up, "ulp");
    enum wsim_status status = type ? read_format(type, &limits->format, diag) : WSIM_OK;
    if (!status && abs)
        status = lf_limit(abs, &limits->abs, diag);
    if (!status && rel)
        status = lf_limit(rel, &limits->rel, diag);
    if (!status && ulp)
        status = lf_whole(ulp, INT64_MAX, &limits->ulp, diag);
    limits->given = abs || rel || ulp;
    if (!status && limits->given && !limits->format)
        status = lf_refuse(diag, up, RULE_LAUNCH_FIELD_WRONG,
                           "limits need a type: add f16, bf16, f32 or f64");
    return status;
}

/* Finds the buffer of an expectation, or the variable after "symbol:". */
static enum wsim_status read_subject(const struct wsim_launch_file *file, const struct lf_node *at,
                                     struct wsim_launch_expect *out) {
    static const char prefix[] = "symbol:";
    out->name = at->key;
    if (strncmp(at->key, prefix, sizeof prefix - 1) == 0) {
        out->symbol = at->key + sizeof prefix - 1;
        return *out->symbol ? WSIM_OK
                            : lf_refuse(file->diag, at, RULE_LAUNCH_NAME_UNKNOWN,
                                        "expected the name of a variable after symbol:");
    }
    out->buffer = lf_buffer(file, at->key);
    return out->buffer < file->parts.nbuffers
               ? WSIM_OK
               : lf_refuse(file->diag, at, RULE_LAUNCH_NAME_UNKNOWN,
                           "unknown buffer '%s' (write a variable as symbol:NAME)",
                           lf_cut(at->key).text);
}

static enum wsim_status check_size(const struct wsim_launch_file *file, const struct lf_node *at,
                                   const struct wsim_launch_expect *expect) {
    const uint64_t bytes = expect->symbol ? expect->size : file->buffers[expect->buffer].bytes;
    const struct wsim_format *format = expect->limits.format;
    if (expect->size != bytes)
        return lf_refuse(file->diag, at, RULE_LAUNCH_FILE_SIZE,
                         "%s has %llu bytes: buffer %s has %llu", lf_cut(at->text).text,
                         (unsigned long long)expect->size, lf_cut(expect->name).text,
                         (unsigned long long)bytes);
    if (format && expect->size % (format->bits / 8))
        return lf_refuse(file->diag, at, RULE_LAUNCH_FILE_SIZE,
                         "%llu bytes are not a whole number of %s",
                         (unsigned long long)expect->size, format->name);
    return WSIM_OK;
}

enum wsim_status lf_expect(struct wsim_launch_file *file, size_t source, const struct lf_node *at,
                           struct wsim_launch_expect *out) {
    static const char *const fields[] = {"file", "type", "abs", "rel", "ulp", NULL};
    const struct lf_node *name = lf_member(at, "file");
    struct lf_bytes found = {NULL, 0};
    enum wsim_status status = lf_fields(at, fields, file->diag);
    if (!status)
        status = read_subject(file, at, out);
    if (!status)
        status = read_limits(at, &out->limits, file->diag);
    if (!status && !name)
        status = lf_refuse(file->diag, at, RULE_LAUNCH_FIELD_WRONG,
                           "the field file is missing: it holds the expected bytes");
    if (!status)
        status = lf_open_data(file, source, name,
                              out->symbol ? WSIM_LAUNCH_BYTES : file->buffers[out->buffer].bytes,
                              "what it is compared with", &found, &out->limits.array);
    out->bytes = found.bytes;
    out->size = found.size;
    return status ? status : check_size(file, name, out);
}

/* --- save --- */

static enum wsim_status read_type(const struct lf_node *up, struct wsim_launch_save *save,
                                  struct wsim_diag *diag) {
    static const struct {
        const char *name;
        char kind; /* as NumPy calls it */
        uint8_t bytes;
    } types[] = {
        {"u8", 'u', 1},  {"s8", 'i', 1},  {"b8", 'u', 1},  {"u16", 'u', 2},
        {"s16", 'i', 2}, {"b16", 'u', 2}, {"f16", 'f', 2}, {"bf16", 'V', 2},
        {"u32", 'u', 4}, {"s32", 'i', 4}, {"b32", 'u', 4}, {"f32", 'f', 4},
        {"u64", 'u', 8}, {"s64", 'i', 8}, {"b64", 'u', 8}, {"f64", 'f', 8},
    };
    const struct lf_node *at = lf_member(up, "type");
    const char *name = "u8";
    enum wsim_status status = at ? lf_text(at, &name, diag) : WSIM_OK;
    if (status)
        return status;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(name, types[i].name) == 0) {
            save->kind = types[i].kind;
            save->bytes = types[i].bytes;
            return WSIM_OK;
        }
    return lf_refuse(diag, at, RULE_LAUNCH_NAME_UNKNOWN,
                     "unknown type '%s': expected u8 to u64, s8 to s64, b8 to b64, f16, bf16, f32 "
                     "or f64",
                     lf_cut(name).text);
}

/* The extents; without them the whole buffer in one. */
static enum wsim_status read_shape(const struct lf_node *up, uint64_t bytes,
                                   struct wsim_launch_save *save, struct wsim_diag *diag) {
    const struct lf_node *list = lf_member(up, "shape");
    uint64_t count = 1, elements = bytes / save->bytes;
    enum wsim_status status = WSIM_OK;
    save->rank = 1;
    save->extent[0] = elements;
    if (bytes % save->bytes)
        return lf_refuse(diag, up, RULE_LAUNCH_FILE_SIZE,
                         "%llu bytes are not a whole number of elements of %u bytes",
                         (unsigned long long)bytes, (unsigned)save->bytes);
    if (!list)
        return WSIM_OK;
    if (list->kind != LF_ARRAY || list->count > WSIM_NPY_RANK)
        return lf_refuse(diag, list, RULE_LAUNCH_FIELD_WRONG,
                         "expected a list of at most %d numbers", WSIM_NPY_RANK);
    save->rank = 0;
    for (const struct lf_node *one = list->first; one && !status; one = one->next) {
        uint64_t *extent = &save->extent[save->rank++];
        status = lf_whole(one, WSIM_NPY_EXTENT, extent, diag);
        if (!status && *extent && count > UINT64_MAX / *extent)
            return lf_refuse(diag, list, RULE_LAUNCH_FILE_SIZE,
                             "the shape has more elements than the buffer");
        count *= status ? 1 : *extent;
    }
    if (status || count == elements)
        return status;
    return lf_refuse(diag, list, RULE_LAUNCH_FILE_SIZE,
                     "the shape has %llu elements, the buffer %llu", (unsigned long long)count,
                     (unsigned long long)elements);
}

enum wsim_status lf_save(struct wsim_launch_file *file, size_t source, const struct lf_node *at,
                         struct wsim_launch_save *out) {
    static const char *const fields[] = {"file", "type", "shape", NULL};
    const int is_object = at->kind == LF_OBJECT;
    const struct lf_node *name = is_object ? lf_member(at, "file") : at;
    enum wsim_status status = is_object ? lf_fields(at, fields, file->diag) : WSIM_OK;
    uint64_t bytes;
    out->text = source;
    out->line = at->line;
    out->col = at->col;
    out->buffer = lf_buffer(file, at->key);
    if (!status && out->buffer == file->parts.nbuffers)
        status = lf_refuse(file->diag, at, RULE_LAUNCH_NAME_UNKNOWN, "unknown buffer '%s'",
                           lf_cut(at->key).text);
    if (!status && !name)
        status = lf_refuse(file->diag, at, RULE_LAUNCH_FIELD_WRONG,
                           "the field file is missing: the file to write");
    if (!status)
        status = lf_text(name, &out->path, file->diag);
    if (status)
        return status;
    bytes = file->buffers[out->buffer].bytes;
    out->array = lf_is_array(out->path) != 0;
    if (out->array) {
        status = read_type(at, out, file->diag);
        return status ? status : read_shape(at, bytes, out, file->diag);
    }
    if (is_object && at->count > 1)
        return lf_refuse(file->diag, at, RULE_LAUNCH_FIELD_WRONG,
                         "type and shape need a file that ends with .npy");
    return WSIM_OK;
}
