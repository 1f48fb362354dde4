/* Fields "buffers" and "symbols" of a launch file. */
#include "launch.h"
#include "number.h"
#include "../common/tool.h"

/* "fill", -1 without one. */
static int read_fill(const struct place *at, const json_t *object, int *fill) {
    struct place member;
    json_t *value = launch_get(at, object, "fill", &member);
    uint64_t number = 0;
    int status = value ? number_whole(&member, value, 255, &number) : TOOL_GO;
    *fill = value ? (int)number : -1;
    return status;
}

/* "bytes" and "file", one of which says how many there are. */
static int read_bytes(struct launch *launch, const struct place *at, const json_t *object,
                      uint64_t *bytes, struct file_bytes *file) {
    struct place where;
    json_t *value = launch_get(at, object, "bytes", &where),
           *name = json_object_get(object, "file");
    const char *path;
    int status;
    *bytes = LAUNCH_BYTES;
    if (!value && !name)
        return place_error(at, "expected bytes or a file");
    status = value ? number_whole(&where, value, LAUNCH_BYTES, bytes) : TOOL_GO;
    if (status != TOOL_GO || !name)
        return status;
    where = place_key(at, "file");
    status = launch_text(&where, name, &path);
    if (status == TOOL_GO)
        status = file_read_data(&where, launch->folder, path, *bytes,
                                value ? "what it fills" : "what a buffer can be", file);
    if (!value)
        *bytes = file->size;
    return status;
}

static int read_align(const struct place *at, const json_t *object, uint32_t *align) {
    struct place member;
    json_t *value = launch_get(at, object, "align", &member);
    uint64_t number = 0;
    int status = value ? number_whole(&member, value, 1u << 20, &number) : TOOL_GO;
    if (status == TOOL_GO && value && (number == 0 || (number & (number - 1))))
        status = place_error(&member, "%llu is not a power of two", (unsigned long long)number);
    *align = (uint32_t)number;
    return status;
}

static int read_buffer(struct launch *launch, const struct place *at, const json_t *value,
                       struct launch_buffer *buffer) {
    static const char *const fields[] = {"bytes", "file", "fill", "align", NULL};
    int status = launch_fields(at, value, fields);
    if (status == TOOL_GO)
        status = read_fill(at, value, &buffer->fill);
    if (status == TOOL_GO)
        status = read_align(at, value, &buffer->align);
    if (status == TOOL_GO)
        status = read_bytes(launch, at, value, &buffer->bytes, &buffer->file);
    return status;
}

int launch_read_buffers(struct launch *launch, const struct place *at, json_t *object) {
    uint64_t all = 0;
    const char *key;
    json_t *value;
    int status = json_is_object(object)
                     ? launch_entries(at, json_object_size(object), LAUNCH_ENTRIES)
                     : place_error(at, "expected an object of names and buffers");
    if (status != TOOL_GO)
        return status;
    json_object_foreach(object, key, value) {
        struct place member = place_key(at, key);
        struct launch_buffer *buffer;
        launch->buffers = launch_more(launch->buffers, &launch->nbuffers, sizeof *launch->buffers);
        buffer = &launch->buffers[launch->nbuffers - 1];
        buffer->name = key;
        status = read_buffer(launch, &member, value, buffer);
        all += buffer->bytes;
        if (status == TOOL_GO && all > LAUNCH_BYTES)
            status = place_error(&member, "the buffers have more than %llu bytes together",
                                 (unsigned long long)LAUNCH_BYTES);
        if (status != TOOL_GO)
            return status;
    }
    return TOOL_GO;
}

static int read_symbol(struct launch *launch, const struct place *at, const json_t *value,
                       struct launch_symbol *symbol) {
    static const char *const fields[] = {"file", "bytes", "fill", NULL};
    int status = launch_fields(at, value, fields);
    if (status == TOOL_GO)
        status = read_fill(at, value, &symbol->fill);
    if (status == TOOL_GO)
        status = read_bytes(launch, at, value, &symbol->bytes, &symbol->file);
    if (status == TOOL_GO && symbol->fill < 0 && symbol->file.size < symbol->bytes)
        status =
            place_error(at, "only %llu of %llu bytes are given: add a fill for the rest",
                        (unsigned long long)symbol->file.size, (unsigned long long)symbol->bytes);
    return status;
}

int launch_read_symbols(struct launch *launch, const struct place *at, json_t *object) {
    const char *key;
    json_t *value;
    int status = json_is_object(object)
                     ? launch_entries(at, json_object_size(object), LAUNCH_ENTRIES)
                     : place_error(at, "expected an object of names and contents");
    if (status != TOOL_GO)
        return status;
    json_object_foreach(object, key, value) {
        struct place member = place_key(at, key);
        launch->symbols = launch_more(launch->symbols, &launch->nsymbols, sizeof *launch->symbols);
        launch->symbols[launch->nsymbols - 1].name = key;
        status = read_symbol(launch, &member, value, &launch->symbols[launch->nsymbols - 1]);
        if (status != TOOL_GO)
            return status;
    }
    return TOOL_GO;
}
