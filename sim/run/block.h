/* block.h - units: blocks that live together, and how their warps take turns. Room run is the
 * public face of whole kernels: modules, launches, reports. It uses all rooms below. */
#ifndef WSIM_RUN_BLOCK_H
#define WSIM_RUN_BLOCK_H

#include "../state/run.h"

enum unit_outcome { UNIT_DONE, UNIT_LATER, UNIT_POLLING, UNIT_PARKED, UNIT_STOPPED };

/* Instructions after which a worker looks up: may it go on, does a unit wait for another one? */
uint64_t unit_slice(const struct run_launch *launch);

/* A unit of the worker's, with memory for its blocks, ready to begin; NULL: no memory. */
struct run_unit *unit_make(struct run_worker *worker);
void unit_free(struct run_unit *unit);

/* The unit becomes unit `number` of the launch. */
void unit_locate(struct run_unit *unit, uint64_t number);
/* The same, and it is at its beginning. 0: no memory. */
int unit_begin(struct run_unit *unit, uint64_t number);

/* Gives the unit to another worker. */
void unit_move(struct run_unit *unit, struct run_worker *worker);

/* Runs a unit to its end or until it must give way. UNIT_LATER: the slice of its worker is over.
 * UNIT_POLLING: it polls memory that only other blocks can change. UNIT_PARKED: it runs ahead, and
 * its next operation must wait for its turn. */
enum unit_outcome unit_run(struct run_unit *unit);

/* Whether it did something in its slice that other units may see. A loop of barriers around a load
 * may wait for another unit. */
static inline int unit_has_changed(const struct run_unit *unit) {
    return unit->events - unit->seen != unit->inner - unit->seen_inner;
}

/* Hands over what its blocks printed. 0: no memory. */
int unit_end(struct run_unit *unit);

/* Reports a deadlock: no warp of the unit can make progress. The finding lists the waiting warps.
 * `polling` is the number of units that poll; this unit represents them. */
void unit_deadlock(struct run_unit *unit, uint64_t polling);

/* Checks the launch and fills in derived values, in the order in which kernel.h lists
 * the errors. */
enum wsim_status launch_check(struct run_launch *launch, struct wsim_diag *diag);

#endif
