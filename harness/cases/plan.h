/* plan.h - shared by the parts of a plan. */
#ifndef WSIM_CASES_PLAN_H
#define WSIM_CASES_PLAN_H

#include <wsim/harness/cases.h>

/* Gives an input `registers` registers of the block. */
struct wsim_plan_input *plan_place(struct wsim_plan *plan, enum wsim_input which, unsigned rows);

/* The numbers of a format in containers of `bits` bits. */
void plan_describe(struct wsim_plan_input *o, const struct wsim_format *format, unsigned elem_bits);

/* The operands of a wgmma beside registers: its window and its immediates. */
void plan_add_group(const struct wsim_op *op, struct wsim_plan *plan);

#endif
