/* Files of launch files; see launch_files.h. */
#include "launch_files.h"
#include "trace_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wsim/harness/beside.h>

#ifdef HAVE_ZSTD
#include <zstd.h>

/* A member of a fat binary. */
static int unpack_zstandard(void *context, const void *from, size_t stored, void *to, size_t size) {
    (void)context;
    return ZSTD_decompress(to, size, from, stored) == size;
}
#define UNPACK_ZSTANDARD unpack_zstandard
#else
#define UNPACK_ZSTANDARD NULL
#endif

static enum wsim_status refuse(struct wsim_diag *diag, const char *name, const char *why) {
    *diag = (struct wsim_diag){.status = WSIM_SYNTAX};
    snprintf(diag->text, sizeof diag->text, "%.160s: %s", name, why);
    return WSIM_SYNTAX;
}

static enum wsim_status no_memory(struct wsim_diag *diag) {
    *diag = (struct wsim_diag){.status = WSIM_NO_MEMORY, .text = "out of memory"};
    return WSIM_NO_MEMORY;
}

/* --- opening --- */

static enum wsim_status open_one(const char *folder, const char *name, FILE **file,
                                 struct wsim_diag *diag) {
    if (folder)
        return wsim_beside_open(folder, name, file, diag);
    *file = fopen(name, "rb");
    return *file ? WSIM_OK : refuse(diag, name, strerror(errno));
}

static int ends_with(const char *name, const char *end) {
    const size_t n = strlen(name), m = strlen(end);
    return n >= m && strcmp(name + n - m, end) == 0;
}

/* The file, or a compressed one that stands for it. */
static enum wsim_status open_any(const char *folder, const char *name, FILE **file, int *packed,
                                 struct wsim_diag *diag) {
    static const char *const ends[] = {".zst", ".xz", ".gz"};
    enum wsim_status status = open_one(folder, name, file, diag);
    *packed = 0;
    for (size_t i = 0; i < 3; i++)
        *packed |= ends_with(name, ends[i]);
    for (size_t i = 0; i < 3 && status && status != WSIM_NO_MEMORY; i++) {
        const size_t length = strlen(name) + 8;
        char *other = malloc(length);
        struct wsim_diag unused;
        if (!other)
            return no_memory(diag);
        snprintf(other, length, "%s%s", name, ends[i]);
        if (open_one(folder, other, file, &unused) == WSIM_OK) {
            status = WSIM_OK;
            *packed = 1;
        }
        free(other);
    }
    return status;
}

/* --- reading --- */

/* Up to most + 1 bytes; memory grows with the bytes that come. NULL: the heap is full. */
static char *read_all(FILE *plain, struct trace_file *packed, uint64_t most, uint64_t *size,
                      int *failed) {
    uint64_t room = 0;
    char *bytes = NULL;
    *size = 0;
    *failed = 0;
    do {
        char *grown;
        size_t n;
        room = room ? 2 * room : 1 << 16;
        room = room < most + 1 ? room : most + 1;
        grown = room < SIZE_MAX ? realloc(bytes, (size_t)room) : NULL;
        if (!grown) {
            free(bytes);
            return NULL;
        }
        bytes = grown;
        n = (size_t)(room - *size);
        *size += packed ? trace_file_read(packed, bytes + *size, n, failed)
                        : fread(bytes + *size, 1, n, plain);
    } while (!*failed && *size == room && room <= most);
    *failed |= plain && ferror(plain);
    return bytes;
}

static enum wsim_status open_file(void *context, const char *name, uint64_t most, void **bytes,
                                  uint64_t *size, struct wsim_diag *diag) {
    struct trace_file *unpacker = NULL;
    int is_packed, failed;
    FILE *file;
    enum wsim_status status = open_any(context, name, &file, &is_packed, diag);
    if (status)
        return status;
    if (is_packed && !(unpacker = trace_file_of(file)))
        return no_memory(diag); /* the file is closed */
    *bytes = read_all(unpacker ? NULL : file, unpacker, most, size, &failed);
    if (!*bytes)
        status = no_memory(diag);
    else if (failed)
        status = refuse(diag, name, unpacker ? trace_file_problem(unpacker) : strerror(errno));
    if (status) {
        free(*bytes);
        *bytes = NULL;
    }
    if (unpacker)
        trace_file_close(unpacker);
    else
        fclose(file);
    return status;
}

static void release_file(void *context, void *bytes) {
    (void)context;
    free(bytes);
}

struct wsim_launch_files launch_files(const char *folder) {
    return (struct wsim_launch_files){(void *)folder, open_file, release_file, UNPACK_ZSTANDARD};
}

enum wsim_status launch_files_unpack(void **bytes, uint64_t *size, uint64_t most) {
    size_t room;
    char *text;
    if (wsim_fatbin_text(*bytes, (size_t)*size, NULL, UNPACK_ZSTANDARD, NULL, NULL, &room, NULL) ||
        room > most)
        return WSIM_OK;
    text = malloc(room + 1);
    if (!text)
        return WSIM_NO_MEMORY;
    if (wsim_fatbin_text(*bytes, (size_t)*size, NULL, UNPACK_ZSTANDARD, NULL, text, &room, NULL)) {
        free(text);
        return WSIM_OK;
    }
    free(*bytes);
    *bytes = text;
    *size = room;
    return WSIM_OK;
}
