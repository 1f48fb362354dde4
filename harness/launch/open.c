/* Files that a launch file names; see file.h. */
#include "file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wsim/harness/beside.h>
#include <wsim/harness/npy.h>

/* --- plain files below a folder --- */

/* Reads up to most + 1 bytes; memory grows with the bytes that come. */
static void *read_stream(FILE *stream, uint64_t most, uint64_t *size, enum wsim_status *status) {
    char *bytes = NULL;
    uint64_t room = 0;
    *size = 0;
    *status = WSIM_OK;
    do {
        char *grown;
        room = room ? 2 * room : 1 << 16;
        room = room < most + 1 ? room : most + 1;
        grown = room < SIZE_MAX ? realloc(bytes, (size_t)room) : NULL;
        if (!grown) {
            free(bytes);
            *status = WSIM_NO_MEMORY;
            return NULL;
        }
        bytes = grown;
        *size += fread(bytes + *size, 1, (size_t)(room - *size), stream);
    } while (*size == room && room <= most);
    return bytes;
}

static enum wsim_status open_below(void *context, const char *name, uint64_t most, void **bytes,
                                   uint64_t *size, struct wsim_diag *diag) {
    FILE *stream;
    int failed;
    enum wsim_status status = wsim_beside_open(context, name, &stream, diag);
    if (status)
        return status;
    *bytes = read_stream(stream, most, size, &status);
    failed = ferror(stream);
    fclose(stream);
    if (status)
        return lf_no_memory(diag);
    if (!failed)
        return WSIM_OK;
    free(*bytes);
    return base_refuse(diag, RULE_LAUNCH_FILE_UNREADABLE, 0, "cannot read file '%s'",
                       lf_cut(name).text);
}

static void release_heap(void *context, void *bytes) {
    (void)context;
    free(bytes);
}

struct wsim_launch_files wsim_launch_folder(const char *folder) {
    return (struct wsim_launch_files){(void *)folder, open_below, release_heap, NULL};
}

/* --- any file --- */

enum wsim_status lf_open(struct wsim_launch_file *file, size_t source, const struct lf_node *at,
                         uint64_t most, const char *what, struct lf_bytes *out) {
    const struct wsim_launch_files *files = &file->sources[source].files;
    struct lf_opened *opened = lf_take(&file->memory, 1, sizeof *opened);
    struct wsim_diag why = {WSIM_SYNTAX, 0, 0, NULL, ""};
    const char *name;
    enum wsim_status status = lf_text(at, &name, file->diag);
    if (status)
        return status;
    if (!opened)
        return lf_no_memory(file->diag);
    out->bytes = NULL;
    out->size = 0;
    if (!files->open)
        return lf_refuse(file->diag, at, RULE_LAUNCH_FILE_UNREADABLE,
                         "'%s': the caller reads no files", lf_cut(name).text);
    status = files->open(files->context, name, most, &out->bytes, &out->size, &why);
    if (status == WSIM_NO_MEMORY)
        return lf_no_memory(file->diag);
    if (status)
        return lf_refuse(file->diag, at, RULE_LAUNCH_FILE_UNREADABLE, "%s", why.text);
    *opened = (struct lf_opened){file->opened, *files, out->bytes};
    file->opened = opened;
    if (out->size > most)
        return lf_refuse(file->diag, at, RULE_LAUNCH_FILE_SIZE, "%s is larger than %s, %llu bytes",
                         lf_cut(name).text, what, (unsigned long long)most);
    return WSIM_OK;
}

/* --- arrays --- */

int lf_is_array(const char *name) {
    const size_t n = strlen(name);
    return n >= 4 && strcmp(name + n - 4, ".npy") == 0;
}

/* Leaves the elements of a .npy file. NULL, or what is wrong. */
static const char *unwrap(struct lf_bytes *file, struct wsim_npy *out, struct wsim_diag *why) {
    struct wsim_npy array;
    uint8_t *bytes = file->bytes;
    size_t start, length;
    if (file->size < WSIM_NPY_PREFIX)
        return "it ends in its header";
    if (wsim_npy_prefix(bytes, &start, &length, why))
        return why->text;
    if (start + length > file->size)
        return "it ends in its header";
    if (wsim_npy_read((const char *)bytes + start, length, &array, why))
        return why->text;
    file->size -= start + length;
    file->bytes = bytes + start + length;
    if (file->size / array.bytes != wsim_npy_count(&array) || file->size % array.bytes)
        return "its shape needs another number of bytes than it has";
    if (array.big_endian)
        wsim_npy_swap(file->bytes, wsim_npy_count(&array), array.bytes);
    if (out)
        *out = array;
    return NULL;
}

enum wsim_status lf_open_data(struct wsim_launch_file *file, size_t source,
                              const struct lf_node *at, uint64_t most, const char *what,
                              struct lf_bytes *out, struct wsim_npy *array) {
    const int is_array = at->kind == LF_STRING && lf_is_array(at->text);
    const uint64_t header = is_array ? WSIM_NPY_PREFIX + WSIM_NPY_TEXT : 0;
    struct wsim_diag diag;
    const char *why;
    enum wsim_status status = lf_open(file, source, at, most + header, what, out);
    if (array)
        *array = (struct wsim_npy){0};
    if (status || !is_array)
        return status;
    why = unwrap(out, array, &diag);
    if (why)
        return lf_refuse(file->diag, at, RULE_LAUNCH_FILE_SIZE, "%s: %s", lf_cut(at->text).text,
                         why);
    if (out->size > most)
        return lf_refuse(file->diag, at, RULE_LAUNCH_FILE_SIZE, "%s has %llu bytes: %s has %llu",
                         lf_cut(at->text).text, (unsigned long long)out->size, what,
                         (unsigned long long)most);
    return WSIM_OK;
}
