/* beside.h - files that a trace names. */
#ifndef WSIM_TRACE_BESIDE_H
#define WSIM_TRACE_BESIDE_H

#include "trace.h"

#include <wsim/harness/beside.h>

/* Opens a plain file below the folder `dir`. Errors: WSIM_SYNTAX (no folder; a name that leaves it
 * or leads through a link; not a plain file; open fails). */
enum wsim_status trace_beside_open(const char *dir, struct trace_span name, FILE **file,
                                   struct wsim_diag *diag);

#endif
