/* Files of matrices; see npy.h. */
#include "npy.h"
#include "../common/input.h"
#include "../common/memory.h"
#include "../common/output.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

_Noreturn static void refuse(const char *path, const char *why) {
    tool_fail("%s: %s", text_path(input_name(path)).text, why);
}

static void read_header(FILE *file, const char *path, struct wsim_npy *header) {
    uint8_t prefix[WSIM_NPY_PREFIX] = {0};
    size_t start, length, have = fread(prefix, 1, sizeof prefix, file);
    struct wsim_diag diag;
    char *text;
    if (ferror(file))
        refuse(path, strerror(errno));
    if (wsim_npy_prefix(prefix, &start, &length, &diag))
        refuse(path, diag.text);
    if (have < sizeof prefix)
        refuse(path, "the file ends in its header");
    text = memory_make(length + WSIM_NPY_PREFIX, 1);
    memcpy(text, prefix + start, have - start);
    if (length < have - start ||
        fread(text + have - start, 1, length - (have - start), file) != length - (have - start))
        refuse(path, "the file ends in its header");
    if (wsim_npy_read(text, length, header, &diag))
        refuse(path, diag.text);
    if (header->rank != 2)
        tool_fail("%s: it has %u dimension%s, and a matrix has 2", text_path(input_name(path)).text,
                  (unsigned)header->rank, header->rank == 1 ? "" : "s");
    free(text);
}

/* Memory grows with the bytes read: a header alone cannot make it large. */
static uint8_t *read_elements(FILE *file, const char *path, uint64_t bytes) {
    enum { FIRST = 1 << 20 };
    uint64_t room = 0, have = 0;
    uint8_t *elements = memory_make(1, 1);
    if (bytes > SIZE_MAX / 2)
        refuse(path, "larger than the address space");
    while (have < bytes) {
        size_t n;
        room = room ? 2 * room : FIRST;
        room = room < bytes ? room : bytes;
        elements = memory_grow(elements, (size_t)room);
        n = fread(elements + have, 1, (size_t)(room - have), file);
        have += n;
        if (have < room)
            break;
    }
    if (have == bytes && fgetc(file) == EOF && !ferror(file))
        return elements;
    if (ferror(file))
        refuse(path, strerror(errno));
    if (have < bytes)
        tool_fail("%s: its shape needs %llu bytes, the file has %llu",
                  text_path(input_name(path)).text, (unsigned long long)bytes,
                  (unsigned long long)have);
    refuse(path, "there are bytes after the matrix");
}

/* Between a file's order of bytes and that of this machine, which are the same or opposite. */
static void turn_bytes(uint8_t *elements, uint64_t count, unsigned bytes, int big_endian) {
    static const uint16_t first = 1;
    uint8_t is_little;
    memcpy(&is_little, &first, 1);
    if (bytes == 1 || is_little == !big_endian)
        return;
    wsim_npy_swap(elements, count, bytes);
}

void npy_read(const char *path, struct npy *npy) {
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    struct wsim_npy *header = &npy->header;
    uint64_t count;
    if (!file)
        refuse(path, strerror(errno));
    read_header(file, path, header);
    count = wsim_npy_count(header);
    npy->elements = read_elements(file, path, count * header->bytes);
    turn_bytes(npy->elements, count, header->bytes, header->big_endian);
    header->big_endian = 0;
    if (file != stdin)
        fclose(file);
}

static void put(FILE *file, const struct npy *npy) {
    enum { ROOM = 1 << 16 };
    const struct wsim_npy *header = &npy->header;
    uint64_t count = wsim_npy_count(header), each = ROOM / header->bytes;
    uint8_t *piece = memory_make(ROOM, 1);
    char text[WSIM_NPY_WRITTEN];
    fwrite(text, 1, wsim_npy_write(header, text), file);
    for (uint64_t i = 0; i < count; i += each) {
        uint64_t n = count - i < each ? count - i : each;
        memcpy(piece, npy->elements + i * header->bytes, (size_t)(n * header->bytes));
        turn_bytes(piece, n, header->bytes, 0);
        fwrite(piece, header->bytes, (size_t)n, file);
    }
    free(piece);
}

void npy_write(const char *path, const struct npy *npy) {
    struct output output;
    FILE *file;
    if (strcmp(path, "-") == 0) {
        put(stdout, npy);
        return;
    }
    file = output_open(&output, path);
    if (!file)
        tool_end(TOOL_USAGE);
    put(file, npy);
    if (output_close(&output) != TOOL_GO)
        tool_end(TOOL_USAGE);
}
