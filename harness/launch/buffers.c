/* Fields "buffers" and "symbols" of a launch file; see file.h. */
#include "file.h"

#include <string.h>

/* "fill", -1 without one. */
static enum wsim_status read_fill(const struct lf_node *at, int *fill, struct wsim_diag *diag) {
    const struct lf_node *value = lf_member(at, "fill");
    uint64_t number = 0;
    enum wsim_status status = value ? lf_whole(value, 255, &number, diag) : WSIM_OK;
    *fill = value ? (int)number : -1;
    return status;
}

static enum wsim_status read_align(const struct lf_node *at, uint32_t *align,
                                   struct wsim_diag *diag) {
    const struct lf_node *value = lf_member(at, "align");
    uint64_t number = 0;
    enum wsim_status status = value ? lf_whole(value, 1u << 20, &number, diag) : WSIM_OK;
    if (!status && value && (number == 0 || (number & (number - 1))))
        status = lf_refuse(diag, value, RULE_LAUNCH_NUMBER_RANGE, "%llu is not a power of two",
                           (unsigned long long)number);
    *align = (uint32_t)number;
    return status;
}

/* "bytes" and "file", of which one gives the size. */
static enum wsim_status read_bytes(struct wsim_launch_file *file, const struct lf_node *at,
                                   uint64_t *bytes, const void **given, uint64_t *given_bytes) {
    const struct lf_node *value = lf_member(at, "bytes"), *name = lf_member(at, "file");
    struct lf_bytes found;
    enum wsim_status status;
    *bytes = WSIM_LAUNCH_BYTES;
    if (!value && !name)
        return lf_refuse(file->diag, at, RULE_LAUNCH_FIELD_WRONG, "expected bytes or a file");
    status = value ? lf_whole(value, WSIM_LAUNCH_BYTES, bytes, file->diag) : WSIM_OK;
    if (status || !name)
        return status;
    status = lf_open_data(file, 0, name, *bytes, value ? "what it fills" : "what a buffer can be",
                          &found, NULL);
    if (status)
        return status;
    *given = found.bytes;
    *given_bytes = found.size;
    if (!value)
        *bytes = found.size;
    return WSIM_OK;
}

static enum wsim_status read_buffer(struct wsim_launch_file *file, const struct lf_node *at,
                                    struct wsim_launch_buffer *buffer) {
    static const char *const fields[] = {"bytes", "file", "fill", "align", NULL};
    enum wsim_status status = lf_fields(at, fields, file->diag);
    buffer->name = at->key;
    if (!status)
        status = read_fill(at, &buffer->fill, file->diag);
    if (!status)
        status = read_align(at, &buffer->align, file->diag);
    return status ? status
                  : read_bytes(file, at, &buffer->bytes, &buffer->given, &buffer->given_bytes);
}

size_t lf_buffer(const struct wsim_launch_file *file, const char *name) {
    size_t i = 0;
    while (i < file->parts.nbuffers && strcmp(file->buffers[i].name, name) != 0)
        i++;
    return i;
}

enum wsim_status lf_buffers(struct wsim_launch_file *file, const struct lf_node *at) {
    uint64_t all = 0;
    enum wsim_status status = at->kind == LF_OBJECT
                                  ? lf_entries(at, WSIM_LAUNCH_ENTRIES, file->diag)
                                  : lf_refuse(file->diag, at, RULE_LAUNCH_FIELD_WRONG,
                                              "expected an object of names and buffers");
    if (status)
        return status;
    file->buffers = lf_take(&file->memory, at->count, sizeof *file->buffers);
    file->buffer_at = lf_take(&file->memory, at->count, sizeof *file->buffer_at);
    if (!file->buffers || !file->buffer_at)
        return lf_no_memory(file->diag);
    for (const struct lf_node *one = at->first; one && !status; one = one->next) {
        struct wsim_launch_buffer *buffer = &file->buffers[file->parts.nbuffers];
        file->buffer_at[file->parts.nbuffers++] = one;
        status = read_buffer(file, one, buffer);
        all += buffer->bytes;
        if (!status && all > WSIM_LAUNCH_BYTES)
            status = lf_refuse(file->diag, one, RULE_LAUNCH_NUMBER_RANGE,
                               "the buffers have more than %llu bytes together",
                               (unsigned long long)WSIM_LAUNCH_BYTES);
    }
    return status;
}

static enum wsim_status read_symbol(struct wsim_launch_file *file, const struct lf_node *at,
                                    struct wsim_launch_symbol *symbol) {
    static const char *const fields[] = {"file", "bytes", "fill", NULL};
    enum wsim_status status = lf_fields(at, fields, file->diag);
    symbol->name = at->key;
    if (!status)
        status = read_fill(at, &symbol->fill, file->diag);
    if (!status)
        status = read_bytes(file, at, &symbol->bytes, &symbol->given, &symbol->given_bytes);
    if (!status && symbol->fill < 0 && symbol->given_bytes < symbol->bytes)
        status =
            lf_refuse(file->diag, at, RULE_LAUNCH_FILE_SIZE,
                      "only %llu of %llu bytes are given: add a fill for the rest",
                      (unsigned long long)symbol->given_bytes, (unsigned long long)symbol->bytes);
    return status;
}

enum wsim_status lf_symbols(struct wsim_launch_file *file, const struct lf_node *at) {
    enum wsim_status status = at->kind == LF_OBJECT
                                  ? lf_entries(at, WSIM_LAUNCH_ENTRIES, file->diag)
                                  : lf_refuse(file->diag, at, RULE_LAUNCH_FIELD_WRONG,
                                              "expected an object of names and contents");
    if (status)
        return status;
    file->symbols = lf_take(&file->memory, at->count, sizeof *file->symbols);
    file->symbol_at = lf_take(&file->memory, at->count, sizeof *file->symbol_at);
    if (!file->symbols || !file->symbol_at)
        return lf_no_memory(file->diag);
    for (const struct lf_node *one = at->first; one && !status; one = one->next) {
        file->symbol_at[file->parts.nsymbols] = one;
        status = read_symbol(file, one, &file->symbols[file->parts.nsymbols++]);
    }
    return status;
}
