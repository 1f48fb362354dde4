/* planners.h - all planners that steps.def names. */
#ifndef WSIM_RUN_PLANNERS_H
#define WSIM_RUN_PLANNERS_H

#include "../base/namespace.h"

#include "plan.h"

#define STEP(method, planner) run_planner planner;
#define MATRIX(family, planner) run_planner planner;
#include "steps.def"

#endif
