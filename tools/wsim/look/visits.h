/* visits.h - the looks of wsim run --print and --trace, for kernels and inside of programs: values
 * of registers, operands and variables at chosen lines. */
#ifndef WSIM_LOOK_VISITS_H
#define WSIM_LOOK_VISITS_H

#include "trace.h"

struct visits;
struct visits_launch;

/* Which warps are seen, and how many visits of a place are kept. */
struct visits_where {
    uint32_t block[3], warp, lane, most;
    uint8_t has_block, has_warp, has_lane;
};

struct visits *visits_open(const struct visits_where *where);

/* A place of --print. TOOL_GO, or TOOL_USAGE after an error message. */
int visits_add(struct visits *visits, const char *text);

/* Instructions go to `trace` too, which the caller closes after visits_trace(visits, NULL). */
void visits_trace(struct visits *visits, struct trace *trace);

/* The look of a launch, to be freed after it; `number` tells launches of a program apart, 0 is of
 * kernels. */
struct visits_launch *visits_begin(struct visits *visits, uint64_t number);
const struct wsim_look *visits_look(const struct visits_launch *launch);

/* Nothing is seen any more. */
void visits_stop(struct visits *visits);

/* The state of each place: {"at", "known", "executed", "times", "near": [LINE, LINE], "why": [TEXT
 * of each expression without a value; ""]}. */
json_t *visits_places(const struct visits *visits);
/* The visits, in their order: docs/debug.md has their members. */
json_t *visits_list(const struct visits *visits);

/* Forgets all visits: those of a parent process. */
void visits_forget(struct visits *visits);
void visits_close(struct visits *visits);

#endif
