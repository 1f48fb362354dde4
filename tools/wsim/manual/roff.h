/* roff.h - text as roff has it: nothing in it is a command, and what can be copied stays as it is.
 */
#ifndef WSIM_ROFF_H
#define WSIM_ROFF_H

#include <stddef.h>

/* Text within a line. */
void roff_literal(const char *text);

/* Words that are filled, in lines of the source that are not long; ends the last one. */
void roff_fill(const char *text, size_t length);

/* A line that is shown as it is. */
void roff_line(const char *text, size_t length);

#endif
