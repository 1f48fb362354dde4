/* From an operation to its bank rule (banks.def) and the groups of lanes it makes. */
#include "banks.h"

#include "door.h"

static enum wsim_status refuse_unmeasured(const struct wsim_op *op, struct wsim_diag *diag) {
    return base_refuse(
        diag, RULE_BANKS_ACCESS_UNMEASURED, 0,
        "no counted bank rule for %s of %u bytes: not measured, or a loop of several "
        "accesses",
        isa_op_called(op).text, isa_op_bytes(op));
}

void banks_find(struct wsim_code *code) {
    const struct isa_banks *rule = isa_banks(&code->op);
    work_to(code)->bytes = (uint8_t)isa_op_bytes(&code->op);
    work_to(code)->lanes = WSIM_LANES;
    if (!rule)
        return;
    work_to(code)->banks = (uint8_t)(1 + (rule - isa_bank_rules));
    if (work_to(code)->counting == WSIM_COUNT_ROWS)
        work_to(code)->lanes = (uint8_t)(rule->lanes * isa_op_matrices(&code->op));
}

enum wsim_status banks_prepare(struct wsim_code *code, struct wsim_diag *diag) {
    banks_find(code);
    return work_to(code)->banks ? WSIM_OK : refuse_unmeasured(&code->op, diag);
}

static enum wsim_status check_access(const struct wsim_code *code, const struct wsim_io *io,
                                     struct wsim_diag *diag) {
    const struct wsim_code_work *work = work_of(code);
    int rows = work->counting == WSIM_COUNT_ROWS;
    unsigned lanes = rows ? isa_address_lanes(code->arch, work->lanes) : work->lanes;
    if (!work->banks)
        return refuse_unmeasured(&code->op, diag);
    if (!io->move.addr)
        return exec_need(io->move.addr, "addr", diag);
    if (rows && io->move.mask != UINT32_MAX)
        return base_refuse(diag, RULE_BANKS_MASK_PARTIAL, 0,
                           "mask 0x%08x: a matrix access is executed by the whole warp, its mask "
                           "must be 0xffffffff",
                           (unsigned)io->move.mask);
    if (!(machine_bits_of(io->move.addr, io->move.mask & machine_lanes(0, lanes)) &
          (work->bytes - 1u)))
        return WSIM_OK;
    for (unsigned l = 0; l < lanes; l++)
        if ((io->move.mask >> l & 1) && io->move.addr[l] % work->bytes)
            return base_refuse(diag, RULE_BANKS_ADDRESS_ALIGN, 0,
                               "address 0x%x of lane %u is not a multiple of the %u bytes it "
                               "accesses",
                               (unsigned)io->move.addr[l], l, work->bytes);
    return WSIM_OK;
}

void exec_banks_put(struct exec_banks_sink *sink, const struct wsim_cost_group *group) {
    if (sink->put)
        sink->put(sink->to, sink->cost.groups, group);
    sink->cost.groups++;
}

static void add_group(struct exec_banks_sink *sink, const struct isa_banks *rule,
                      struct wsim_cost_group *group) {
    group->wavefronts = (uint8_t)(group->ways * rule->passes);
    sink->cost.wavefronts += group->wavefronts;
    sink->cost.ideal += rule->passes;
    sink->cost.conflicts += group->ways - 1u;
    exec_banks_put(sink, group);
}

static void count_plain(const struct isa_banks *rule, const struct machine_access *access,
                        unsigned size, struct wsim_cost_group *group,
                        struct exec_banks_sink *sink) {
    for (unsigned first = 0; first < WSIM_LANES; first += size) {
        struct machine_group cost;
        group->lanes = machine_lanes(first, size) & access->mask;
        if (!group->lanes)
            continue;
        machine_count(access, group->lanes, rule->folding == FOLD_WORDS, &cost);
        group->ways = cost.ways;
        group->bank = cost.bank;
        group->nwords = cost.nwords;
        for (unsigned i = 0; i < cost.nwords; i++)
            group->words[i] = cost.words[i];
        add_group(sink, rule, group);
    }
}

static void count_quick(const struct isa_banks *rule, const struct machine_access *access,
                        unsigned size, struct wsim_cost_group *group,
                        struct exec_banks_sink *sink) {
    struct machine_groups all;
    machine_count_groups(access, size, rule->folding == FOLD_WORDS, sink->put != NULL, &all);
    for (unsigned g = 0, first = 0; first < WSIM_LANES; g++, first += size) {
        group->lanes = machine_lanes(first, size) & access->mask;
        group->ways = all.ways[g];
        if (group->lanes && sink->put) {
            group->bank = all.bank[g];
            group->nwords = (uint8_t)machine_words(&all, g, group->words);
        }
        if (group->lanes)
            add_group(sink, rule, group);
    }
}

/* Returns the counts if the caller asked for them. */
static void hand_out(struct exec_banks_sink *sink, const struct isa_banks *rule,
                     const struct machine_access *access, unsigned lanes, int merged) {
    struct wsim_cost_access *to = sink->access;
    to->mask = access->mask & machine_lanes(0, lanes);
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
    struct machine_access active = *access;
    struct wsim_cost_group group;
    group.worst = 0;
    group.access = (uint8_t)number;
    group.batch = 0;
    active.mask &= machine_lanes(0, lanes);
    (sink->plain ? count_plain : count_quick)(rule, &active, size, &group, sink);
    sink->cost.known = 1;
    sink->cost.accesses++;
    if (sink->access && sink->number == number)
        hand_out(sink, rule, access, lanes, merged);
    return merged;
}

enum wsim_status exec_banks_access(const struct wsim_code *code, const struct wsim_io *io,
                                   struct exec_banks_sink *sink, struct wsim_diag *diag) {
    struct machine_access access = {io->move.addr, io->move.mask, work_of(code)->bytes};
    enum wsim_status status = check_access(code, io, diag);
    if (!status)
        sink->cost.merged = (uint8_t)exec_banks_count(&isa_bank_rules[work_of(code)->banks - 1],
                                                      &access, work_of(code)->lanes, 0, sink);
    return status;
}
