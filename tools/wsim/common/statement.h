/* statement.h - instructions out of PTX: of a line, of a whole file, or of bare spellings a line.
 * What is no instruction - blanks, comments, labels, directives, braces - is passed over, and so
 * is a guard. An instruction ends at ';'; where there is none, at the end of its line, unless what
 * follows can only be more of its operands.
 */
#ifndef WSIM_STATEMENT_H
#define WSIM_STATEMENT_H

#include "lines.h"

#include <stddef.h>

#define STATEMENT_SPELLING 512 /* characters of a spelling; none has half as many */
#define STATEMENT_OPERANDS 256 /* of the operands; what follows is not looked at  */

/* Where the text comes from: lines of a file, or one text. */
struct statements {
    struct lines *lines; /* NULL: only the text */
    const char *line, *at;
    unsigned long number; /* of the line */
    int failed;           /* a line could not be read, which has been said */
};

struct statement {
    char spelling[STATEMENT_SPELLING];
    char operands[STATEMENT_OPERANDS]; /* without comments; what does not fit is cut */
    unsigned long line;                /* in which the spelling stands               */
    size_t column;                     /* of its first character, from 0             */
    int ended;                         /* by ';'                                     */
};

struct statements statements_of(const char *text);
struct statements statements_in(struct lines *lines);

/* The next instruction: 1, or 0 at the end (look at `failed`). */
int statements_next(struct statements *in, struct statement *out);

#endif
