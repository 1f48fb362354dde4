/* steps.h - the table of all planners: what decoding needs of the steps. */
#ifndef WSIM_STEP_STEPS_H
#define WSIM_STEP_STEPS_H

#include "../decode/decode.h"

extern const struct run_planners step_planners;

#endif
