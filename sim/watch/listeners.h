/* listeners.h - the table of all listeners, and where each keeps its data. Room watch has the
 * checks and counters of a launch; it uses state, reach, decode and sync. No room but run names a
 * listener, by this table alone; step plans costs, and has the rows of passes.def in its table. */
#ifndef WSIM_WATCH_LISTENERS_H
#define WSIM_WATCH_LISTENERS_H

#include "../state/run.h"

/* Slots of `heard` in workers, units, blocks and warps. */
enum {
#define LISTENER(name, asked, spaces, orders, values, threads, hears) LISTENER_##name,
#include "listeners.def"
    LISTENERS
};

#define LISTENER(name, asked, spaces, orders, values, threads, hears)                              \
    extern const struct run_hears hears;
#include "listeners.def"

enum run_threads race_threads(const struct run_launch *launch);
enum run_threads watcher_threads(const struct run_launch *launch);

extern const struct run_listener *const watch_listeners[]; /* NULL ends them */

/* The clock up to which all that `other` did comes before what `warp` does now; 0: there is no race
 * check. `work`: what the tensor core did for `other`. */
uint32_t race_known_clock(const struct run_warp *warp, const struct run_warp *other, int work);

#endif
