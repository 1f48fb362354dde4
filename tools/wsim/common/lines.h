/* lines.h - the lines of standard input, none of them longer than a bound: a program that reads
 * what others wrote shall not take all the memory that there is.
 */
#ifndef WSIM_LINES_H
#define WSIM_LINES_H

#include <stddef.h>
#include <stdio.h>

#define LINES_MOST 65536 /* bytes of a line; no line of PTX comes near */

struct lines {
    FILE *file;
    const char *name; /* for what is said of it */
    unsigned long number;
    char *line; /* of the heap */
};

/* Lines of `file`, which is called `name`. lines_close is needed. */
struct lines lines_open(FILE *file, const char *name);
void lines_close(struct lines *lines);

/* The next line without its newline, valid until the next call; bytes of 0 have become '?'.
 * 1: there is one; 0: the end; -1: a line that is longer, or a file that cannot be read, which has
 * been said. */
int lines_next(struct lines *lines, const char **line);

/* The same as a source of lines for wsim_statements_in; `lines` is a struct lines. */
int lines_source(void *lines, const char **line);

#endif
