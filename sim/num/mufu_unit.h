/* mufu_unit.h - the unit inside of the approximate functions. */
#ifndef WSIM_NUM_MUFU_UNIT_H
#define WSIM_NUM_MUFU_UNIT_H

#include "mufu.h"

/* What the unit makes of a f32: as NAME.approx.ftz.f32, but of MUFU_SIN and MUFU_COS, whose
 * argument is in turns. */
uint32_t mufu_unit(enum mufu_function function, uint32_t x);

#endif
