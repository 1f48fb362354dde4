/* Lines of sources; see source.h. */
#include "source.h"
#include "../common/memory.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <stdlib.h>
#include <string.h>

enum { FILE_MOST = 1 << 24, FILES = 256 };

struct file {
    char *name, *text, *whole; /* NULL if there is no such file; whole: as it is */
    char **lines;
    size_t count;
};

struct source {
    char *folder;
    struct file files[FILES];
    size_t count;
};

struct source *source_open(const char *folder) {
    struct source *source = memory_make(1, sizeof *source);
    source->folder = memory_text(folder, strlen(folder));
    return source;
}

void source_close(struct source *source) {
    if (!source)
        return;
    for (size_t i = 0; i < source->count; i++) {
        free(source->files[i].name);
        free(source->files[i].text);
        free(source->files[i].whole);
        free(source->files[i].lines);
    }
    free(source->folder);
    free(source);
}

static FILE *open_below(const struct source *source, const char *name) {
    const char *slash;
    FILE *file;
    struct wsim_diag diag;
    while (wsim_beside_open(source->folder, name, &file, &diag)) {
        if (diag.status == WSIM_NO_MEMORY)
            memory_out();
        slash = strchr(name, '/');
        if (!slash || !slash[1])
            return NULL;
        name = slash + 1;
    }
    return file;
}

static char *read_text(FILE *stream) {
    char *text = memory_make(FILE_MOST + 1, 1);
    size_t size = fread(text, 1, FILE_MOST, stream);
    text[size] = 0;
    return memory_grow(text, size + 1);
}

/* Cuts the text into lines, in place. */
static void cut_lines(struct file *file) {
    size_t room = 0;
    for (char *at = file->text, *next; at; at = next) {
        size_t length;
        next = strchr(at, '\n');
        if (next)
            *next++ = 0;
        at += strspn(at, " \t\r");
        for (length = strlen(at); length > 0 && strchr(" \t\r", at[length - 1]); length--)
            at[length - 1] = 0;
        text_mask(at);
        if (file->count == room) {
            room = room ? 2 * room : 256;
            file->lines = memory_grow(file->lines, room * sizeof *file->lines);
        }
        file->lines[file->count++] = at;
    }
}

static struct file *file_of(struct source *source, const char *name) {
    struct file *file;
    FILE *stream;
    for (size_t i = 0; i < source->count; i++)
        if (strcmp(source->files[i].name, name) == 0)
            return &source->files[i];
    if (source->count == FILES)
        return NULL;
    file = &source->files[source->count++];
    file->name = memory_text(name, strlen(name));
    stream = open_below(source, name);
    if (!stream)
        return file;
    file->text = read_text(stream);
    file->whole = memory_text(file->text, strlen(file->text));
    fclose(stream);
    cut_lines(file);
    return file;
}

const char *source_line(struct source *source, const char *name, unsigned line) {
    struct file *file = name ? file_of(source, name) : NULL;
    return file && line > 0 && line <= file->count && *file->lines[line - 1] ? file->lines[line - 1]
                                                                             : NULL;
}

const char *source_text(struct source *source, const char *name) {
    const struct file *file = file_of(source, name);
    return file ? file->whole : NULL;
}
