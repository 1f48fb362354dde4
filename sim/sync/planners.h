/* planners.h - what the planners of sync_*.c share. */
#ifndef WSIM_SYNC_PLANNERS_H
#define WSIM_SYNC_PLANNERS_H

#include "../decode/plan.h"
#include "sync.h"

#define STEP(method, planner) run_planner planner;
#define MATRIX(family, planner) run_planner planner;
#include "steps.def"
#undef STEP
#undef MATRIX

#endif
