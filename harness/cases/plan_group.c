/* plan_group.c - cases of wgmma: the parts of the window for A and B, and the immediates that a
 * case draws. */
#include "../../sim/isa/isa.h"
#include "plan.h"

#include <string.h>
#include <wsim/wgmma.h>

enum {
    LINE = 128,      /* bytes that the widest swizzle takes for a row                */
    SPARE_ROWS = 32, /* of the block, beyond what a matrix needs: to be scattered in */
    CHOICES = WSIM_CHOICE_SCALE_D
};

static void add_part(const struct wsim_op *op, enum wsim_operand operand, struct wsim_plan *plan) {
    int side = operand == WSIM_B;
    struct wsim_plan_input *o;
    struct wsim_tile tile;
    wsim_wgmma_tile(op, operand, 0, &tile, NULL);
    plan->tile[side].rows = tile.rows;
    plan->tile[side].k = tile.k;
    plan->tile[side].bits = tile.bits;
    o = plan_place(plan, side ? WSIM_IN_MATRIX_B : WSIM_IN_MATRIX_A,
                   (unsigned)tile.rows * LINE / (4 * WSIM_LANES) + SPARE_ROWS);
    plan_describe(o, isa_op_type(op, side ? PLACE_B : PLACE_A), tile.bits);
    o->extent = tile.k;
}

static void add_swizzles(struct wsim_plan *plan) {
    unsigned n = 0;
    for (unsigned mode = 0; mode < WSIM_SWIZZLES && n < WSIM_PLAN_SWIZZLES; mode++) {
        const struct isa_swizzle *row = &isa_swizzles[mode];
        struct wsim_plan_swizzle *to = &plan->swizzle[n];
        if (row->code == NO_CODE)
            continue;
        to->code = row->code;
        to->span = row->span ? row->span : WSIM_DESCRIPTOR_UNIT;
        memcpy(to->shift, row->shift, sizeof to->shift);
        memcpy(to->mask, row->mask, sizeof to->mask);
        n++;
    }
}

/* True if the instruction has this immediate. */
static int exists(const struct isa_form *form, unsigned how) {
    unsigned majors = WSIM_CHOICE_TRANS_A | WSIM_CHOICE_TRANS_B;
    unsigned signs = WSIM_CHOICE_NEGATE_A | WSIM_CHOICE_NEGATE_B;
    if (how & WSIM_CHOICE_REGISTERS && how & WSIM_CHOICE_TRANS_A)
        return 0;
    return (form->majors || !(how & majors)) && (form->signs || !(how & signs));
}

void plan_add_group(const struct wsim_op *op, struct wsim_plan *plan) {
    plan_place(plan, WSIM_IN_HOW, 1);
    add_part(op, WSIM_A, plan);
    add_part(op, WSIM_B, plan);
    add_swizzles(plan);
    for (unsigned how = 0; how < CHOICES; how++)
        if (exists(isa_form(op), how))
            plan->variant[plan->variants++] = (uint8_t)how;
}
