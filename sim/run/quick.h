/* quick.h - steps for instructions that are frequent: the same as the function of room scalar, for
 * all lanes at once. */
#ifndef WSIM_RUN_QUICK_H
#define WSIM_RUN_QUICK_H

#include "../base/namespace.h"

#include "plan.h"

/* A step for an instruction that only computes, with its operands in op->at (results first) or
 * where it likes; NULL: there is none. Rows of constants are rows like others. It has to equal
 * scalar_run bit for bit (tests/unit/run). */
run_step *quick_step(struct run_plan *plan, const struct run_row *out, unsigned outs,
                     const struct run_row *in, unsigned ins);

#endif
