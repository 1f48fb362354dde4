/* The place in a result; see shrink_target.h. */
#include "shrink_target.h"

uint64_t shrink_result(const struct shrink_target *target, const uint32_t *out) {
    const uint32_t *word = out + target->reg * WSIM_LANES + target->lane;
    if (target->bits == 64)
        return word[0] | (uint64_t)word[WSIM_LANES] << 32;
    return word[0] >> target->lsb & wsim_stream_ones(target->bits);
}

void shrink_set_result(const struct shrink_target *target, uint32_t *out, uint64_t bits) {
    uint32_t *word = out + target->reg * WSIM_LANES + target->lane;
    uint32_t mask = (uint32_t)wsim_stream_ones(target->bits < 32 ? target->bits : 32);
    *word = (*word & ~(mask << target->lsb)) | ((uint32_t)bits & mask) << target->lsb;
    if (target->bits == 64)
        word[WSIM_LANES] = (uint32_t)(bits >> 32);
}

static struct shrink_target element_at(const struct wsim_layout *layout, unsigned lane,
                                       unsigned elem) {
    struct wsim_place place = wsim_layout_place(layout, lane, elem);
    struct shrink_target target = {.reg = place.reg,
                                   .lane = lane,
                                   .lsb = place.lsb,
                                   .bits = layout->elem_bits,
                                   .at = wsim_layout_coord(layout, lane, elem)};
    return target;
}

static struct shrink_target byte_at(unsigned offset) {
    struct shrink_target target = {
        .reg = offset / 128, .lane = offset / 4 % 32, .lsb = 8 * (offset % 4), .bits = 8};
    return target;
}

int shrink_find(const struct wsim_op *op, const struct wsim_plan *plan, const uint32_t *expected,
                const uint32_t *got, struct shrink_target *target) {
    struct wsim_layout layout = {0};
    unsigned n = WSIM_CASE_WINDOW_BYTES, elems = 1, differing = 0;
    if (!plan->store) {
        wsim_op_layout(op, NULL, WSIM_D, &layout, NULL);
        elems = layout.elems;
        n = WSIM_LANES * elems;
    }
    for (unsigned i = 0; i < n; i++) {
        struct shrink_target here =
            plan->store ? byte_at(i) : element_at(&layout, i / elems, i % elems);
        if (shrink_result(&here, expected) != shrink_result(&here, got) && differing++ == 0)
            *target = here;
    }
    if (differing)
        target->differing = differing;
    return differing > 0;
}
