/* planners.h - all planners that steps.def names. */
#ifndef WSIM_STEP_PLANNERS_H
#define WSIM_STEP_PLANNERS_H

#include "../decode/decode.h"

#define STEP(method, planner) run_planner planner;
#define MATRIX(family, planner) run_planner planner;
#include "steps.def"

#endif
