/* plan_input.c - an operand in a plan: its registers of the block, and its numbers. */
#include "plan.h"

struct wsim_plan_input *plan_place(struct wsim_plan *plan, enum wsim_input which, unsigned rows) {
    struct wsim_plan_input *o = &plan->input[which];
    o->rows = (uint16_t)rows;
    plan->in_rows += rows;
    return o;
}

void plan_describe(struct wsim_plan_input *o, const struct wsim_format *format,
                   unsigned elem_bits) {
    o->elem_bits = (uint8_t)elem_bits;
    o->bits = format->bits < elem_bits ? format->bits : (uint8_t)elem_bits;
    o->pad = elem_bits > format->bits ? format->pad : 0;
    o->is_float = format->kind == WSIM_BINARY;
    o->exp_bits = format->exp_bits;
    o->frac_bits = format->frac_bits;
    o->infinities = format->specials == WSIM_SPECIALS_IEEE;
    o->has_nan = format->specials != WSIM_SPECIALS_NONE;
    o->bias = format->bias;
}
