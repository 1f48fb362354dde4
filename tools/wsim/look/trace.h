/* trace.h - executed instructions as lines of a file. docs/debug.md has the format. */
#ifndef WSIM_LOOK_TRACE_H
#define WSIM_LOOK_TRACE_H

#include "value.h"

struct trace;

/* Writes to `file`, which stays open. */
struct trace *trace_open(FILE *file);
void trace_close(struct trace *trace);

/* The instruction that a warp has executed, for all lanes (`lane` -1) or one. */
void trace_add(struct trace *trace, const struct wsim_seen *view, int lane);

#endif
