/* race.h - who looks for races in shared and global memory: accesses of the same bytes that
 * nothing orders; and for fences between threads and the copy engine that are missing. Asked for by
 * WSIM_CHECK_RACE; without it run_unit.races is NULL and nobody comes here. */
#ifndef WSIM_WATCH_RACE_H
#define WSIM_WATCH_RACE_H

#include "../base/namespace.h"

#include "../sync/sync.h"

/* What is known of a unit, made with it; 0: no memory. Does nothing if races are not asked for. */
int check_race_make(struct run_unit *unit);
void check_race_free(struct run_unit *unit);
/* Blocks begin: nobody has accessed anything. */
void check_race_begin(struct run_unit *unit);

/* What a thread of the host knows of global memory; 0: no memory. */
int check_global_make(struct run_worker *worker);
void check_global_free(struct run_worker *worker);
/* Blocks may tell each other what they did, so they have to run one after another. */
int check_global_alone(const struct run_launch *launch);
/* All blocks have ended: what those of different threads of the host did is held against each
 * other. */
void check_global_end(struct run_launch *launch, const struct run_worker *workers, unsigned n);

#endif
