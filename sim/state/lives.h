/* lives.h - tells listeners when launches, threads of the host, units, warps and local memory begin
 * and end: see struct run_hears. */
#ifndef WSIM_STATE_LIVES_H
#define WSIM_STATE_LIVES_H

#include "run.h"

/* Chooses the listeners that the launch asks for from `all`, which NULL ends. */
void hear_launch(struct run_launch *launch, const struct run_listener *const *all);
void hear_launch_end(struct run_launch *launch, const struct run_worker *workers, unsigned n);

void hear_launch_again(struct run_launch *launch, const struct run_worker *workers);

/* How host threads may share the launch: the strictest answer of the listeners in `all`. */
enum run_threads hear_threads(const struct run_launch *launch,
                              const struct run_listener *const *all);

/* 0: no memory. */
int hear_worker_make(struct run_worker *worker);
void hear_worker_free(struct run_worker *worker);
int hear_unit_make(struct run_unit *unit);
void hear_unit_free(struct run_unit *unit);
void hear_unit_begin(struct run_unit *unit);
void hear_warp_begin(struct run_warp *warp);
int hear_local_grow(struct run_warp *warp, uint32_t stride);
void hear_local_reuse(struct run_warp *warp, uint32_t from, uint32_t to);

#endif
