/* lines.h - the lines of standard input. Their length is bounded, and so is the memory they take.
 */
#ifndef WSIM_LINES_H
#define WSIM_LINES_H

#include <stddef.h>
#include <stdio.h>

#define LINES_MOST 65536 /* bytes of a line; no line of PTX comes near */

struct lines {
    FILE *file;
    const char *name; /* in messages */
    unsigned long number;
    char *line; /* of the heap */
};

/* Lines of `file`, which is called `name`. lines_close is needed. */
struct lines lines_open(FILE *file, const char *name);
void lines_close(struct lines *lines);

/* The next line without its newline, valid until the next call; '?' replaces bytes of 0. 1: a line;
 * 0: the end; -1 after an error message: a line is too long, or the file cannot be read.
 * As a source of wsim_statements_in: `lines` is a struct lines. */
int lines_source(void *lines, const char **line);

#endif
