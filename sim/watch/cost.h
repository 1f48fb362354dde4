/* cost.h - what accesses cost: passes through the banks of shared memory, sectors and lines of
 * global memory. Asked for by wsim_launch.count. */
#ifndef WSIM_WATCH_COST_H
#define WSIM_WATCH_COST_H

#include <wsim/code.h>

#include "../decode/plan.h"

/* The code that counts a load, store or atomic of shared memory, for cost_access; none where its
 * counts are not known. */
enum wsim_status cost_plan(struct run_plan *plan, const char *mnemonic, unsigned bytes);

#endif
