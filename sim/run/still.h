/* still.h - whether nothing will ever change any more although blocks run: all of them poll. */
#ifndef WSIM_RUN_STILL_H
#define WSIM_RUN_STILL_H

#include "../state/run.h"

#define STILL_NOBODY 0u /* of run_worker.told: this thread of the host has no units */
#define STILL_RUNS 1u   /* it has, and they may do something                        */

/* Called before a launch: decides whether still_look can find anything. `alone`: no other launch
 * runs. */
void still_begin(struct run_shared *shared, const struct run_launch *launch, int alone);

/* Whether only launches change the memory of the device. */
int still_is_private(const struct wsim_device *device);

/* A turn begins. The caller may have changed memory since the last one, so every unit looks at it
 * before all of them count as still. */
void still_again(struct run_worker *worker);

/* A unit has written something, begun or ended. */
void still_changed(struct run_worker *worker);

/* How often something has changed in the address space of a launch. */
uint64_t still_changes(const struct run_launch *launch);

/* A unit has polled without an event; `changes` is the count from before. Returns 1 if no unit
 * will ever go on. */
int still_look(struct run_worker *worker, struct run_unit *unit, uint64_t changes);

#endif
