/* quick.h - steps for frequent instructions: the same as the function of room lane, for all lanes
 * at once. */
#ifndef WSIM_RUN_QUICK_H
#define WSIM_RUN_QUICK_H

#include "../base/namespace.h"

#include "data.h"
#include "plan.h"

/* `which` of a row of quick.def: of a product the half, of a comparison that, of a shift across two
 * words what it does beyond 31; with these bits .ftz, .approx, .full. */
#define QUICK_FTZ 0x80
#define QUICK_APPROX 0x40
#define QUICK_FULL 0x20
#define QUICK_LEFT_WRAP 1
#define QUICK_RIGHT_WRAP 2

/* A step for an instruction that only computes, whose operands it puts into op->at (results
 * first); NULL: there is none. It equals data_step bit for bit (tests/rows/steps). */
run_step *quick_step(struct run_plan *plan, const struct data *data);

struct reach_plan;

/* A step for a load or store, which it prepared; NULL: there is none. It equals memory_step. */
run_step *quick_memory_step(const struct run_plan *plan, const struct reach_plan *reach);

/* What machines can do: a step a row of quick.def, and some more (quick_body.h). */
extern run_step *const wsim_quick_plain[], *const wsim_quick_v3[], *const wsim_quick_v4[];

/* Floats of the host as steps want them: to nearest even, subnormals kept. Each thread that runs
 * steps asks for them, and gives back what it had. */
struct quick_floats {
    unsigned long long state;
};
struct quick_floats quick_floats_begin(void);
void quick_floats_end(const struct quick_floats *before);

#endif
