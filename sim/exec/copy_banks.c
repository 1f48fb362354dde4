/* From a copy to its rule (banks.def), its batches and its groups of lanes. */
#include "../copy/copy.h"
#include "banks.h"

static enum wsim_status check_form(const struct wsim_code *code, const struct wsim_io *io,
                                   enum wsim_counters counters, struct wsim_diag *diag) {
    enum wsim_status status;
    if (!isa_copies(&code->op, counters, 0))
        return base_refuse(diag, RULE_BANKS_ACCESS_UNMEASURED, 0, "no rule for the %s of %s",
                           counters == WSIM_SOURCE_PAGE ? "counters of the source page"
                                                        : "hardware counters",
                           isa_op_called(&code->op).text);
    status = copy_async_check(&code->op, io, diag);
    if (!status && !isa_copies(&code->op, counters, io->copy.bytes))
        return base_refuse(diag, RULE_BANKS_ACCESS_UNMEASURED, 0,
                           "no rule for %s of %u bytes a lane", isa_op_called(&code->op).text,
                           (unsigned)io->copy.bytes);
    return status;
}

static uint32_t high_of(const struct wsim_io *io, unsigned lane) {
    return io->copy.src && io->copy.src_hi ? io->copy.src_hi[lane] : 0;
}

/* Refuses copies that no recording covers, though a rule could be applied to them. */
static enum wsim_status check_known(const struct wsim_io *io, const struct isa_copies *rule,
                                    const struct machine_copy *lanes, struct wsim_diag *diag) {
    unsigned first = WSIM_LANES;
    if ((rule->costing != COST_FILLS || !io->copy.src_size) &&
        (rule->batching != BATCH_COLD || io->copy.warm))
        return WSIM_OK;
    for (unsigned l = 0; l < WSIM_LANES; l++) {
        if (!(lanes->mask & lanes->reads & UINT32_C(1) << l))
            continue;
        if (rule->costing == COST_FILLS && io->copy.src_size &&
            io->copy.src_size[l] < io->copy.bytes)
            return base_refuse(diag, RULE_BANKS_SOURCE_UNMEASURED, 0,
                               "source size %u of lane %u: this copy is counted for 0 and %u only",
                               (unsigned)io->copy.src_size[l], l, io->copy.bytes);
        first = first < l ? first : l;
        if (rule->batching == BATCH_COLD && !io->copy.warm &&
            ((lanes->src[l] ^ lanes->src[first]) >> isa_tags.known ||
             high_of(io, l) != high_of(io, first)))
            return base_refuse(diag, RULE_BANKS_TAGS_UNMEASURED, 0,
                               "sources 0x%x of lane %u and 0x%x of lane %u differ from bit %u on, "
                               "and how the tag bank of a cold line depends on that is not known",
                               (unsigned)lanes->src[first], first, (unsigned)lanes->src[l], l,
                               isa_tags.known);
    }
    return WSIM_OK;
}

/* Ways of the lanes that fill with zeros, counted as a store. `worst`: one lane for each distinct
 * word of the worst bank. */
static unsigned count_fills(const struct machine_copy *copy, uint32_t lanes, uint32_t *worst) {
    struct machine_access store = {copy->dst, copy->mask & ~copy->reads, copy->bytes};
    struct machine_group cost;
    machine_count(&store, lanes, 1, &cost);
    *worst = 0;
    for (unsigned w = 0; w < cost.nwords; w++)
        for (unsigned l = 0; l < WSIM_LANES; l++)
            if ((lanes & store.mask & UINT32_C(1) << l) &&
                cost.words[w] - copy->dst[l] / 4 < copy->bytes / 4u) {
                *worst |= UINT32_C(1) << l;
                break;
            }
    return cost.ways;
}

static void add_group(struct exec_banks_sink *sink, const struct machine_copy *copy,
                      const struct isa_copies *rule, uint32_t lanes, unsigned batch) {
    struct wsim_cost_group group = {.lanes = lanes, .batch = (uint8_t)batch};
    if (rule->costing == COST_FILLS)
        group.ways = (uint8_t)count_fills(copy, lanes, &group.worst);
    else if (rule->costing == COST_CROWD)
        group.ways =
            (uint8_t)(sink->plain ? machine_crowd : machine_crowd_quick)(copy, lanes, &group.worst);
    else
        group.ways =
            (uint8_t)(sink->plain ? machine_chain : machine_chain_quick)(copy, lanes, &group.worst);
    group.wavefronts = group.ways;
    sink->cost.wavefronts += group.wavefronts;
    sink->cost.ideal++;
    sink->cost.conflicts += group.wavefronts - 1u;
    exec_banks_put(sink, &group);
}

static void add_batch(struct exec_banks_sink *sink, const struct machine_copy *copy,
                      const struct isa_copies *rule, uint32_t batch, unsigned index) {
    for (unsigned first = 0; first < WSIM_LANES; first += rule->lanes)
        if (batch & machine_lanes(first, rule->lanes))
            add_group(sink, copy, rule, batch & machine_lanes(first, rule->lanes), index);
}

static void add_batches(struct exec_banks_sink *sink, const struct machine_copy *copy,
                        const struct isa_copies *rule, int cold) {
    uint32_t batch[WSIM_LANES];
    unsigned batches = 1;
    batch[0] = copy->mask;
    if (rule->costing == COST_FILLS)
        batch[0] &= ~copy->reads;
    else if (rule->batching == BATCH_COLD && cold)
        batches =
            (sink->plain ? machine_batches : machine_batches_quick)(copy, isa_tags.mask, batch);
    for (unsigned b = 0; b < batches; b++)
        add_batch(sink, copy, rule, batch[b], b);
}

static uint32_t reading(const struct wsim_io *io) {
    uint32_t reads = UINT32_MAX;
    for (unsigned l = 0; l < WSIM_LANES && io->copy.src_size; l++)
        if (io->copy.src_size[l] == 0)
            reads &= ~(UINT32_C(1) << l);
    return reads;
}

/* Copies past the counters show only their fills: the cost of a lane that reads is unknown. */
enum wsim_status exec_banks_copy(const struct wsim_code *code, const struct wsim_io *io,
                                 enum wsim_counters counters, struct exec_banks_sink *sink,
                                 struct wsim_diag *diag) {
    uint32_t consecutive[WSIM_LANES];
    struct machine_copy lanes = {io->copy.addr, io->copy.src ? io->copy.src : consecutive,
                                 io->copy.mask, 0, (uint8_t)io->copy.bytes};
    const struct isa_copies *rule;
    enum wsim_status status = check_form(code, io, counters, diag);
    for (unsigned l = 0; l < WSIM_LANES && !io->copy.src; l++)
        consecutive[l] = l * io->copy.bytes;
    if (status)
        return status;
    rule = isa_copies(&code->op, counters, io->copy.bytes);
    lanes.reads = reading(io);
    status = check_known(io, rule, &lanes, diag);
    if (status)
        return status;
    add_batches(sink, &lanes, rule, !io->copy.warm);
    sink->cost.known = rule->costing != COST_FILLS || !(lanes.mask & lanes.reads);
    return WSIM_OK;
}
