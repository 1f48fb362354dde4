/* live.h - registers whose values reach something that a kernel does. */
#ifndef WSIM_DECODE_LIVE_H
#define WSIM_DECODE_LIVE_H

#include "build.h"

/* A byte for each register of the function: 1 if an instruction with an effect depends on it. The
 * caller frees it. NULL: no memory. */
uint8_t *live_find(const struct run_build *build);

/* Whether an instruction does more than to write registers: it is not a computation or a plain
 * load. */
int live_has_effect(const struct run_build *build, uint32_t at);

#endif
