/* From a copy to its rule (banks.def), its batches and its groups of lanes. */
#include "../copy/copy.h"
#include "../machine/machine.h"
#include "exec.h"

#include <wsim/banks.h>

static enum wsim_status check_form(const struct wsim_op *op, const struct wsim_arch *arch,
                                   const struct wsim_copy *copy, const struct wsim_io *io,
                                   struct wsim_diag *diag) {
    enum wsim_status status = wsim_op_check(op, arch, diag);
    const struct isa_form *form;
    if (status)
        return status;
    form = isa_form(op);
    if (form->family != WSIM_CP_ASYNC)
        return base_refuse(diag, RULE_OP_DOOR_WRONG, 0,
                           "%s is no copy: wsim_banks_count counts accesses", form->name);
    if (!isa_copies(op, copy->counters, 0))
        return base_refuse(diag, RULE_BANKS_ACCESS_UNMEASURED, 0, "no rule for the %s of %s",
                           copy->counters == WSIM_SOURCE_PAGE ? "counters of the source page"
                                                              : "hardware counters",
                           form->name);
    status = copy_async_check(op, io, diag);
    if (!status && !isa_copies(op, copy->counters, copy->bytes))
        return base_refuse(diag, RULE_BANKS_ACCESS_UNMEASURED, 0,
                           "no rule for %s of %u bytes a lane", form->name, copy->bytes);
    return status;
}

/* What the rules have not been seen to cover. */
static enum wsim_status check_known(const struct wsim_copy *copy, const struct isa_copies *rule,
                                    const struct machine_copy *lanes, struct wsim_diag *diag) {
    unsigned l, first = WSIM_LANES;
    for (l = 0; l < WSIM_LANES; l++) {
        if (!(lanes->mask & lanes->reads & UINT32_C(1) << l))
            continue;
        if (rule->costing == COST_FILLS && copy->src_size && copy->src_size[l] < copy->bytes)
            return base_refuse(diag, RULE_BANKS_SOURCE_UNMEASURED, 0,
                               "source size %u of lane %u: this copy is counted for 0 and %u only",
                               (unsigned)copy->src_size[l], l, copy->bytes);
        first = first < l ? first : l;
        if (rule->batching == BATCH_COLD && !copy->warm &&
            (lanes->src[l] ^ lanes->src[first]) >> isa_tags.known)
            return base_refuse(diag, RULE_BANKS_TAGS_UNMEASURED, 0,
                               "sources 0x%x of lane %u and 0x%x of lane %u differ from bit %u on, "
                               "and how the tag bank of a cold line depends on that is not known",
                               (unsigned)lanes->src[first], first, (unsigned)lanes->src[l], l,
                               isa_tags.known);
    }
    return WSIM_OK;
}

/* Lanes that fill with zeros, as a store of them: one for each distinct word of the worst bank. */
static unsigned count_fills(const struct machine_copy *copy, uint32_t lanes, uint32_t *worst) {
    struct machine_access store = {copy->dst, copy->mask & ~copy->reads, copy->bytes};
    struct machine_group cost;
    unsigned l, w;
    machine_count(&store, lanes, 1, &cost);
    *worst = 0;
    for (w = 0; w < cost.nwords; w++)
        for (l = 0; l < WSIM_LANES; l++)
            if ((lanes & store.mask & UINT32_C(1) << l) &&
                cost.words[w] - copy->dst[l] / 4 < copy->bytes / 4u) {
                *worst |= UINT32_C(1) << l;
                break;
            }
    return cost.ways;
}

static void add_group(struct wsim_copy_banks *out, const struct machine_copy *copy,
                      const struct isa_copies *rule, uint32_t lanes) {
    struct wsim_copy_group *group = &out->group[out->ngroups];
    unsigned ways;
    if (rule->costing == COST_FILLS)
        ways = count_fills(copy, lanes, &group->worst);
    else if (rule->costing == COST_CROWD)
        ways = machine_crowd(copy, lanes, &group->worst);
    else
        ways = machine_chain(copy, lanes, &group->worst);
    group->lanes = lanes;
    group->wavefronts = (uint8_t)ways;
    out->ngroups++;
    out->wavefronts += ways;
    out->ideal++;
    out->conflicts += ways - 1;
}

static void add_batch(struct wsim_copy_banks *out, const struct machine_copy *copy,
                      const struct isa_copies *rule, uint32_t batch, unsigned index) {
    uint32_t all = rule->lanes == WSIM_LANES ? UINT32_MAX : (UINT32_C(1) << rule->lanes) - 1;
    unsigned first;
    for (first = 0; first < WSIM_LANES; first += rule->lanes)
        if (batch & all << first) {
            out->group[out->ngroups].batch = (uint8_t)index;
            add_group(out, copy, rule, batch & all << first);
        }
}

static void add_batches(struct wsim_copy_banks *out, const struct machine_copy *copy,
                        const struct isa_copies *rule, int cold) {
    uint32_t batch[WSIM_LANES] = {copy->mask};
    unsigned b, batches = 1;
    if (rule->costing == COST_FILLS)
        batch[0] &= ~copy->reads;
    else if (rule->batching == BATCH_COLD && cold)
        batches = machine_batches(copy, isa_tags.mask, batch);
    for (b = 0; b < batches; b++)
        add_batch(out, copy, rule, batch[b], b);
}

static uint32_t reading(const struct wsim_copy *copy) {
    uint32_t reads = UINT32_MAX;
    unsigned l;
    for (l = 0; l < WSIM_LANES && copy->src_size; l++)
        if (copy->src_size[l] == 0)
            reads &= ~(UINT32_C(1) << l);
    return reads;
}

enum wsim_status wsim_banks_copy(const struct wsim_op *op, const struct wsim_arch *arch,
                                 const struct wsim_copy *copy, struct wsim_copy_banks *out,
                                 struct wsim_diag *diag) {
    uint32_t consecutive[WSIM_LANES];
    struct machine_copy lanes = {copy->dst, copy->src ? copy->src : consecutive, copy->mask, 0,
                                 (uint8_t)copy->bytes};
    const struct isa_copies *rule;
    unsigned l;
    struct wsim_io io = {.addr = copy->dst,
                         .src = copy->src,
                         .src_size = copy->src_size,
                         .mask = copy->mask,
                         .bytes = copy->bytes};
    enum wsim_status status = check_form(op, arch, copy, &io, diag);
    for (l = 0; l < WSIM_LANES; l++)
        consecutive[l] = l * copy->bytes;
    if (status)
        return status;
    rule = isa_copies(op, copy->counters, copy->bytes);
    lanes.reads = reading(copy);
    status = check_known(copy, rule, &lanes, diag);
    if (status)
        return status;
    *out = (struct wsim_copy_banks){0};
    add_batches(out, &lanes, rule, !copy->warm);
    return WSIM_OK;
}
