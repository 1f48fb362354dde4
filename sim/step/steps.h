/* steps.h - the table of all planners. Room step has the functions that operations call, and the
 * planners that choose them. It uses all rooms of the engine except run, and exec for matrices and
 * copies. */
#ifndef WSIM_STEP_STEPS_H
#define WSIM_STEP_STEPS_H

#include "../decode/decode.h"

extern const struct run_planners step_planners;

/* The values of a special register (enum ptx_special) in all lanes. */
void special_values(const struct run_warp *warp, uint32_t special, uint64_t values[RUN_LANES]);

#endif
