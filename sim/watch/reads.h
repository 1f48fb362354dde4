/* reads.h - weak loads of buffers that nothing else accesses, entered into cells later.
 *
 * While a buffer is only read by weak loads, no cell of it can show a race. So a load goes into a
 * log, with the clocks that its warp has. A loop tells its loads as runs: from place to place with
 * a constant step. Any other access of the buffer first enters the log into the cells, in the order
 * of the loads. A load that is not a few parts is such an access. After it, only runs begin a log.
 *
 * Most loads are never entered. The end of a launch asks for the two lowest units that read a byte.
 * Only the unit of a mark itself asks for its actor and clock. So a load of a unit that has ended
 * changes nothing in a cell whose bytes two lower units have read. */
#ifndef WSIM_WATCH_READS_H
#define WSIM_WATCH_READS_H

#include "actors.h"

/* Whether a run of loads may be logged, and the runs of a loop: see run_hears. */
int reads_run(struct run_warp *warp, struct hear_run *run);
void reads_runs(struct run_warp *warp, const struct hear_run *runs, unsigned n);

/* Whether an access is a weak load of a buffer whose loads are logged, so that reads_take has to
 * log it. Otherwise the loads of the buffer are in its cells now. */
int reads_fit(struct reads *reads, const struct race_asker *asker, const struct hear_again *again);
void reads_take(struct reads *reads, const struct race_asker *asker,
                const struct hear_again *again);

/* Another access of a buffer follows. `others`: it is not a weak load. */
void reads_enter(struct reads *reads, uint32_t buffer, int others);

/* The log of a thread of the host, if units are compared in the end of the launch. 0: no memory. */
int reads_make(struct run_worker *worker);
void reads_free(const struct run_worker *worker);
/* Enters the rest. */
void reads_end(struct reads *reads);

#endif
