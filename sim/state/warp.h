/* warp.h - registers and local memory of a warp, and which of its groups goes next. */
#ifndef WSIM_STATE_WARP_H
#define WSIM_STATE_WARP_H

#include "run.h"

/* Puts the lanes of `lanes` at the beginning of the kernel. 0: no memory. */
int warp_begin(struct run_warp *warp, uint32_t lanes);

/* Memory that a warp keeps from block to block. */
void warp_free(struct run_warp *warp);

/* The frame of `function` at `depth`, made if there is none yet; NULL: no memory. */
struct run_frame *warp_frame(struct run_warp *warp, const struct run_function *function,
                             uint32_t depth);

/* More local memory for every lane, above all that is in use; *at is where. 0: there is none. */
int warp_stack(struct run_warp *warp, uint64_t bytes, uint32_t align, uint32_t *at);

/* Merges groups at one place and chooses the group that runs next: the ready one with the lowest
 * turn, then with the lowest position. Returns NULL if no group is ready. */
struct run_group *warp_choose(struct run_warp *warp);

/* Makes waiting groups try again. 0: no event has happened since their last try. */
int warp_wake(struct run_warp *warp);

#endif
