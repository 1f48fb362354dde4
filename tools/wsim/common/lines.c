/* Lines of standard input; see lines.h. */
#include "lines.h"
#include "memory.h"
#include "text.h"
#include "tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct lines lines_open(FILE *file, const char *name) {
    struct lines lines = {file, name, 0, memory_make(LINES_MOST + 1, 1)};
    return lines;
}

void lines_close(struct lines *lines) {
    free(lines->line);
}

static int lines_next(struct lines *lines, const char **line) {
    size_t n = 0;
    int c;
    while ((c = getc(lines->file)) != EOF && c != '\n' && n < LINES_MOST)
        lines->line[n++] = (char)(c ? c : '?');
    if (ferror(lines->file)) {
        tool_error("%s: %s", text_path(lines->name).text, strerror(errno));
        return -1;
    }
    if (c == EOF && n == 0)
        return 0;
    lines->number++;
    if (c != EOF && c != '\n') {
        tool_error("%s:%lu: the line has more than %d bytes", text_path(lines->name).text,
                   lines->number, LINES_MOST);
        return -1;
    }
    lines->line[n] = '\0';
    *line = lines->line;
    return 1;
}

int lines_source(void *lines, const char **line) {
    return lines_next(lines, line);
}
