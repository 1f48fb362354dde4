/* Files of launches; see file.h. */
#include "file.h"
#include "../common/memory.h"
#include "../common/npy_header.h"
#include "../common/text.h"
#include "../common/tool.h"
#include "../common/trace_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int ends_with(const char *name, const char *end) {
    size_t n = strlen(name), m = strlen(end);
    return n >= m && strcmp(name + n - m, end) == 0;
}

int file_is_array(const char *name) {
    return ends_with(name, ".npy");
}

/* --- opening --- */

enum { WHY = TEXT_PATH + 256 };

static FILE *open_one(const char *folder, const char *name, char *why, size_t room) {
    struct wsim_diag diag;
    FILE *file = NULL;
    if (folder) {
        if (wsim_beside_open(folder, name, &file, &diag))
            snprintf(why, room, "%s", diag.text);
    } else {
        file = fopen(name, "rb");
        if (!file)
            snprintf(why, room, "%.*s: %.200s", TEXT_PATH, text_path(name).text, strerror(errno));
    }
    return file;
}

/* The file or a compressed one that stands for it. */
static FILE *open_any(const char *folder, const char *name, int *packed, char *why, size_t room) {
    static const char *const ends[] = {".zst", ".xz", ".gz"};
    FILE *file = open_one(folder, name, why, room);
    *packed = 0;
    for (size_t i = 0; i < 3; i++)
        *packed |= ends_with(name, ends[i]);
    for (size_t i = 0; i < 3 && !file; i++) {
        size_t length = strlen(name) + 8;
        char *other = memory_make(length, 1), unused[WHY];
        snprintf(other, length, "%s%s", name, ends[i]);
        file = open_one(folder, other, unused, sizeof unused);
        *packed = file != NULL;
        free(other);
    }
    return file;
}

/* --- reading --- */

/* Up to one byte more than `most`, so that more than that can be told; memory grows with what has
 * come. Either reader is NULL. */
static int read_all(FILE *plain, struct trace_file *packed, uint64_t most, struct file_bytes *out) {
    enum { FIRST = 1 << 16 };
    uint64_t room = 0;
    int failed = 0;
    out->size = 0;
    do {
        size_t n;
        room = room ? 2 * room : FIRST;
        room = room < most + 1 ? room : most + 1;
        if (room >= SIZE_MAX)
            memory_out();
        out->bytes = memory_grow(out->bytes, (size_t)room + 1);
        n = (size_t)(room - out->size);
        n = packed ? trace_file_read(packed, out->bytes + out->size, n, &failed)
                   : fread(out->bytes + out->size, 1, n, plain);
        out->size += n;
    } while (!failed && out->size == room && room <= most);
    out->bytes[out->size] = 0;
    return !failed && !(plain && ferror(plain));
}

int file_read(const struct place *at, const char *folder, const char *name, uint64_t most,
              const char *what, struct file_bytes *out) {
    char why[WHY];
    struct trace_file *unpacker = NULL;
    int packed, status = TOOL_GO;
    FILE *file = open_any(folder, name, &packed, why, sizeof why);
    *out = (struct file_bytes){NULL, 0};
    if (!file)
        return place_error(at, "%s", why);
    if (packed && !(unpacker = trace_file_of(file)))
        memory_out();
    if (!read_all(packed ? NULL : file, unpacker, most, out))
        status = place_error(at, "%s: %s", text_path(name).text,
                             packed ? trace_file_problem(unpacker) : strerror(errno));
    else if (out->size > most)
        status = place_error(at, "%s is larger than %s, %llu bytes", text_path(name).text, what,
                             (unsigned long long)most);
    if (unpacker)
        trace_file_close(unpacker);
    else
        fclose(file);
    if (status != TOOL_GO) {
        free(out->bytes);
        out->bytes = NULL;
    }
    return status;
}

/* --- arrays --- */

/* Leaves the elements of a .npy file. NULL, or what is wrong. */
static const char *unwrap(struct file_bytes *file, char complaint[NPY_COMPLAINT]) {
    struct npy_header header;
    size_t start, length;
    const char *why;
    if (file->size < NPY_PREFIX)
        return "it ends in its header";
    why = npy_prefix(file->bytes, &start, &length);
    if (why)
        return why;
    if (start + length > file->size)
        return "it ends in its header";
    if (!npy_text((const char *)file->bytes + start, length, &header, complaint))
        return complaint;
    file->size -= start + length;
    if (file->size / header.bytes != npy_count(&header) || file->size % header.bytes)
        return "its shape asks for another number of bytes than there are";
    memmove(file->bytes, file->bytes + start + length, (size_t)file->size + 1);
    if (header.big_endian)
        npy_swap(file->bytes, npy_count(&header), header.bytes);
    return NULL;
}

int file_read_data(const struct place *at, const char *folder, const char *name, uint64_t most,
                   const char *what, struct file_bytes *out) {
    uint64_t header = file_is_array(name) ? NPY_PREFIX + NPY_TEXT_MAX : 0;
    char complaint[NPY_COMPLAINT];
    const char *why = NULL;
    int status = file_read(at, folder, name, most + header, what, out);
    if (status != TOOL_GO || !header)
        return status;
    why = unwrap(out, complaint);
    if (why)
        status = place_error(at, "%s: %s", text_path(name).text, why);
    else if (out->size > most)
        status = place_error(at, "%s has %llu bytes: %s has %llu", text_path(name).text,
                             (unsigned long long)out->size, what, (unsigned long long)most);
    if (status != TOOL_GO) {
        free(out->bytes);
        out->bytes = NULL;
    }
    return status;
}
