/* From an operation to its bank rule (banks.def) and the groups of lanes it makes. */
#include "banks.h"

static enum wsim_status check_access(const struct wsim_code *code, const struct wsim_io *io,
                                     struct wsim_diag *diag) {
    const struct wsim_code_work *work = &code->work;
    int rows = work->counting == WSIM_COUNT_ROWS;
    unsigned lanes = rows ? isa_address_lanes(code->arch, work->lanes) : work->lanes;
    if (!work->banks)
        return base_refuse(diag, RULE_BANKS_ACCESS_UNMEASURED, 0,
                           "no counted bank rule for %s of %u bytes: not measured, or a loop of "
                           "several accesses",
                           isa_op_called(&code->op).text, work->bytes);
    if (!io->addr)
        return exec_need(io->addr, "addr", diag);
    if (rows && io->mask != UINT32_MAX)
        return base_refuse(diag, RULE_BANKS_MASK_PARTIAL, 0,
                           "mask 0x%08x: a matrix access is executed by the whole warp, its mask "
                           "must be 0xffffffff",
                           (unsigned)io->mask);
    for (unsigned l = 0; l < lanes; l++)
        if ((io->mask >> l & 1) && io->addr[l] % work->bytes)
            return base_refuse(diag, RULE_BANKS_ADDRESS_ALIGN, 0,
                               "address 0x%x of lane %u is not a multiple of the %u bytes it "
                               "accesses",
                               (unsigned)io->addr[l], l, work->bytes);
    return WSIM_OK;
}

static uint32_t lanes_from(unsigned first, unsigned count) {
    return (count == WSIM_LANES ? UINT32_MAX : (UINT32_C(1) << count) - 1) << first;
}

void exec_banks_put(struct exec_banks_sink *sink, const struct wsim_cost_group *group) {
    if (sink->put)
        sink->put(sink->to, sink->cost.groups, group);
    sink->cost.groups++;
}

static void add_group(struct exec_banks_sink *sink, const struct machine_access *access,
                      const struct isa_banks *rule, uint32_t lanes, unsigned number) {
    struct wsim_cost_group group;
    struct machine_group cost;
    if (!(lanes & access->mask))
        return;
    machine_count(access, lanes, rule->folding == FOLD_WORDS, &cost);
    group.lanes = lanes & access->mask;
    group.worst = 0;
    group.access = (uint8_t)number;
    group.batch = 0;
    group.ways = cost.ways;
    group.wavefronts = (uint8_t)(cost.ways * rule->passes);
    group.bank = cost.bank;
    group.nwords = cost.nwords;
    for (unsigned i = 0; i < cost.nwords; i++)
        group.words[i] = cost.words[i];
    sink->cost.wavefronts += group.wavefronts;
    sink->cost.ideal += rule->passes;
    sink->cost.conflicts += cost.ways - 1u;
    exec_banks_put(sink, &group);
}

/* Hands out what is counted, if that is what was asked for. */
static void hand_out(struct exec_banks_sink *sink, const struct isa_banks *rule,
                     const struct machine_access *access, unsigned lanes, int merged) {
    struct wsim_cost_access *to = sink->access;
    to->mask = access->mask & lanes_from(0, lanes);
    for (unsigned l = 0; l < WSIM_LANES; l++)
        to->addr[l] = to->mask >> l & 1 ? access->addr[l] : 0;
    to->bytes = access->bytes;
    to->rows = (uint8_t)(rule->unit == UNIT_MATRIX ? lanes : 0);
    to->folds = rule->folding == FOLD_WORDS;
    to->merged = (uint8_t)merged;
}

int exec_banks_count(const struct isa_banks *rule, const struct machine_access *access,
                     unsigned lanes, unsigned number, struct exec_banks_sink *sink) {
    int merged = rule->merging == MERGE_PAIRED && machine_paired(access);
    unsigned size = rule->lanes * (merged ? 2u : 1u);
    for (unsigned first = 0; first < lanes; first += size)
        add_group(sink, access, rule, lanes_from(first, size), number);
    sink->cost.known = 1;
    sink->cost.accesses++;
    if (sink->access && sink->number == number)
        hand_out(sink, rule, access, lanes, merged);
    return merged;
}

enum wsim_status exec_banks_access(const struct wsim_code *code, const struct wsim_io *io,
                                   struct exec_banks_sink *sink, struct wsim_diag *diag) {
    struct machine_access access = {io->addr, io->mask, code->work.bytes};
    enum wsim_status status = check_access(code, io, diag);
    if (!status)
        sink->cost.merged = (uint8_t)exec_banks_count(&isa_bank_rules[code->work.banks - 1],
                                                      &access, code->work.lanes, 0, sink);
    return status;
}
