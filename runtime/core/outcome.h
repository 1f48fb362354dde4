/* outcome.h - inputs and outputs of launches, in bytes of memory.
 *
 * An outcome keeps the bytes that a launch read as they were before it, and those that it wrote as
 * it left them. Where the first ones are in memory again, it puts the others there, and does what
 * the launch would do.
 */
#ifndef WSIM_RUNTIME_OUTCOME_H
#define WSIM_RUNTIME_OUTCOME_H

#include "state.h"

struct outcome;

/* --- versions of the bytes of an allocation: equal versions, equal bytes --- */

uint64_t outcome_version(struct allocation *memory);
void outcome_wrote(struct allocation *memory);
/* Gives all that the launch wrote a new version; NULL: all memory. */
void outcome_wrote_by(const struct wsim_report *report);

/* --- outcomes --- */

/* A number of some bytes of the allocations that parameters of a launch point to. */
uint64_t outcome_sample(const struct wsim_launch *launch);

/* Before a launch. NULL: another one is in flight, or there is no memory. */
struct outcome *outcome_begin(const struct work *work);

/* After it: keeps the report, in *owner, until outcome_free or until other outcomes need the
 * memory. 0: the outcome depends on more, or something else wrote meanwhile. */
int outcome_end(struct outcome *outcome, struct wsim_report *report, struct outcome **owner);

/* Writes what the launch would write. 0: it would read other bytes. */
int outcome_apply(struct outcome *outcome);

const struct wsim_report *outcome_report(const struct outcome *outcome);

void outcome_free(struct outcome *outcome);

#endif
