/* Plans of tex and tld4. */
#include "texture.h"

#include "../isa/isa.h"

/* Results: { }, or { }|p. */
static enum wsim_status plan_results(struct run_plan *plan, struct texture_lookup *lookup) {
    const struct ptx_operand *result = &plan->operands[0];
    const struct ptx_operand *halves = &plan->function->operands[result->first];
    const unsigned bits = lookup->halves == 1 ? 16 : 32;
    enum wsim_status status;
    if (result->kind != PTX_OP_PAIR)
        return texture_rows(plan, result, bits, 4, lookup->to);
    status = texture_rows(plan, &halves[0], bits, 4, lookup->to);
    return status ? status : plan_row_of(plan, &halves[1], 1, &lookup->resident);
}

static enum wsim_status plan_offsets(struct run_plan *plan, uint32_t index,
                                     struct texture_lookup *lookup) {
    const struct ptx_operand *list = &plan->operands[index];
    const struct ptx_operand *part = &plan->function->operands[list->first];
    for (uint32_t i = 0; i < list->count; i++)
        if (part[i].kind != PTX_OP_INTEGER || part[i].value + 8 > 15)
            return plan_refuse(plan, "an offset is a number of -8 to 7");
    return texture_rows(plan, list, 32, 3, lookup->offset);
}

static enum wsim_status lookup_plan(struct run_plan *plan, uint8_t gathers) {
    struct texture_lookup *lookup = plan_keep(plan, sizeof *lookup);
    const uint8_t type = plan->meaning.type[0];
    enum wsim_status status;
    uint32_t next = 2;
    if (!lookup)
        return base_refuse(plan->diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory");
    lookup->lookup = plan->meaning.lookup;
    lookup->gathers = gathers;
    lookup->whole = plan->meaning.type[1] == SCALAR_TYPE_S32;
    lookup->halves = type == SCALAR_TYPE_F16 ? 1 : type == SCALAR_TYPE_F16X2 ? 2 : 0;
    status = plan_results(plan, lookup);
    if (!status)
        status = texture_operand_plan(plan, 1, &lookup->from);
    if (!status && lookup->lookup == SCALAR_LOOKUP_LEVEL)
        status = plan_row(plan, next++, 32, &lookup->level);
    if (!status && lookup->lookup == SCALAR_LOOKUP_GRADIENT) {
        status = texture_rows(plan, &plan->operands[next], 32, 3, lookup->dx);
        if (!status)
            status = texture_rows(plan, &plan->operands[next + 1], 32, 3, lookup->dy);
        next += 2;
    }
    if (!status && next < plan->count)
        status = plan_offsets(plan, next, lookup);
    plan->op->more = lookup;
    plan->op->step = texture_look_up;
    return status;
}

enum wsim_status texture_plan(struct run_plan *plan) {
    return lookup_plan(plan, 0);
}

enum wsim_status texture_gather_plan(struct run_plan *plan) {
    return lookup_plan(plan, (uint8_t)(1 + plan->meaning.component));
}
