/* helper.h - traces written by hand, line by line. */
#ifndef TESTS_UNIT_TRACE_HELPER_H
#define TESTS_UNIT_TRACE_HELPER_H

#include "../../run.h"
#include <stddef.h>
#include <wsim/harness/trace.h>

#ifndef COUNT
#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#endif

/* A line under construction. */
struct text {
    char at[1 << 16];
    size_t used;
};

/* Empties the line and starts it, printf style; adds to it; adds `n` words of `digits` digits. */
void text_start(struct text *line, const char *format, ...);
void text_add(struct text *line, const char *format, ...);
void text_hex(struct text *line, const uint64_t *words, unsigned n, unsigned digits);

/* ...and the same word `n` times. */
void text_same(struct text *line, uint64_t word, unsigned n, unsigned digits);

/* A reader that has read the whole header, with that architecture. */
struct wsim_trace *reader(const char *arch);

/* Reads the line, which must be a case, replays it. */
struct wsim_replay replayed(struct wsim_trace *trace, const struct text *line);

/* Reads a line that must be refused at this column (0: any) with this part in its sentence. */
void refused(struct wsim_trace *trace, const char *line, unsigned col, const char *part);

#endif
