/* cost.h - what accesses cost: passes through the banks of shared memory, sectors and lines of
 * global memory. Asked for by wsim_launch.count. */
#ifndef WSIM_WATCH_COST_H
#define WSIM_WATCH_COST_H

#include <wsim/code.h>

#include "../decode/plan.h"
#include "../state/run.h"

/* Plans the code that counts a load, store or atomic of shared memory, as its method says. A lane
 * has `bytes` bytes; 0: by the type of the instruction. No code where the counts are unknown. */
enum wsim_status cost_plan(struct run_plan *plan, enum scalar_method method, unsigned bytes);

/* How an access of shared memory counts as part of a joined one; NULL: it is its own. */
const struct run_merged *cost_merged(const struct run_program *program, const struct run_op *op);

#endif
