/* roff.h - text as roff source. Nothing in it is a command, and it can be copied unchanged. */
#ifndef WSIM_ROFF_H
#define WSIM_ROFF_H

#include <stddef.h>

/* Text within a line. */
void roff_literal(const char *text);

/* Words that roff fills, in short lines of source; ends the last line. */
void roff_fill(const char *text, size_t length);

/* A line that is shown unchanged. */
void roff_line(const char *text, size_t length);

#endif
