/* worker.h - threads of the host that run a launch. */
#ifndef WSIM_RUN_WORKER_H
#define WSIM_RUN_WORKER_H

#include "../state/run.h"

/* Makes a thread of a launch. 0: no memory; nothing is left to close then. */
int worker_open(struct run_worker *worker, struct run_launch *launch);
void worker_close(struct run_worker *worker);

/* Runs units until none is left, the launch stops, worker->pause or ->quota is reached, or all
 * units of the launch only poll (run_shared.still). With a quota it also ends when a round of its
 * own units only polled. `worker` is a struct run_worker; returns NULL, as threads do. */
void *worker_run(void *worker);

/* Reports progress to the caller of the launch, who has a function for it and may ask for its end.
 */
void worker_report(const struct run_launch *launch);

/* Keeps what unfinished blocks printed. 0: no memory. */
int worker_end(struct run_worker *worker);

#endif
