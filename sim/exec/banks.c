/* From an operation to its bank rule (banks.def) and the groups of lanes it makes. */
#include "banks.h"

static enum wsim_status check_access(const struct wsim_op *op, const struct isa_banks *rule,
                                     const struct machine_access *access, unsigned lanes,
                                     struct wsim_diag *diag) {
    int rows = isa_form(op)->scheme == SCHEME_MOVE;
    unsigned l;
    if (!rule)
        return base_refuse(diag, RULE_BANKS_ACCESS_UNMEASURED, 0,
                           "no counted bank rule for %s of %u bytes: not measured, or a loop of "
                           "several accesses",
                           isa_form(op)->name, isa_op_bytes(op));
    if (rows && access->mask != UINT32_MAX)
        return base_refuse(diag, RULE_BANKS_MASK_PARTIAL, 0,
                           "mask 0x%08x: a matrix access is executed by the whole warp, its mask "
                           "must be 0xffffffff",
                           (unsigned)access->mask);
    for (l = 0; l < lanes; l++)
        if ((access->mask >> l & 1) && access->addr[l] % access->bytes)
            return base_refuse(diag, RULE_BANKS_ADDRESS_ALIGN, 0,
                               "address 0x%x of lane %u is not a multiple of the %u bytes it "
                               "accesses",
                               (unsigned)access->addr[l], l, (unsigned)access->bytes);
    return WSIM_OK;
}

static uint32_t lanes_from(unsigned first, unsigned count) {
    return (count == WSIM_LANES ? UINT32_MAX : (UINT32_C(1) << count) - 1) << first;
}

static void add_group(struct wsim_banks *out, const struct machine_access *access,
                      const struct isa_banks *rule, uint32_t lanes) {
    struct wsim_bank_group *group = &out->group[out->ngroups];
    struct machine_group cost;
    unsigned i;
    if (!(lanes & access->mask))
        return;
    machine_count(access, lanes, rule->folding == FOLD_WORDS, &cost);
    group->lanes = lanes & access->mask;
    group->ways = cost.ways;
    group->wavefronts = (uint8_t)(cost.ways * rule->passes);
    group->bank = cost.bank;
    group->nwords = cost.nwords;
    for (i = 0; i < cost.nwords; i++)
        group->words[i] = cost.words[i];
    out->ngroups++;
    out->wavefronts += group->wavefronts;
    out->ideal += rule->passes;
    out->conflicts += cost.ways - 1u;
}

void exec_banks_count(const struct isa_banks *rule, const struct machine_access *access,
                      unsigned lanes, struct wsim_banks *out) {
    unsigned first, size;
    *out = (struct wsim_banks){0};
    out->merged = rule->merging == MERGE_PAIRED && machine_paired(access);
    size = rule->lanes * (out->merged ? 2u : 1u);
    for (first = 0; first < lanes; first += size)
        add_group(out, access, rule, lanes_from(first, size));
}

enum wsim_status wsim_banks_count(const struct wsim_op *op, const struct wsim_arch *arch,
                                  const uint32_t addr[WSIM_LANES], uint32_t mask,
                                  struct wsim_banks *out, struct wsim_diag *diag) {
    const struct isa_banks *rule;
    struct machine_access access = {addr, mask, 0};
    unsigned lanes = WSIM_LANES;
    enum wsim_status status = wsim_op_check(op, arch, diag);
    if (status)
        return status;
    if (isa_form(op)->family == WSIM_CP_ASYNC)
        return base_refuse(diag, RULE_OP_DOOR_WRONG, 0,
                           "%s has two sides: wsim_banks_copy counts it", isa_form(op)->name);
    if (isa_form(op)->role)
        return base_refuse(diag, RULE_OP_DOOR_WRONG, 0,
                           "%s is several accesses: wsim_banks_fragment counts it",
                           isa_form(op)->name);
    access.bytes = (uint8_t)isa_op_bytes(op);
    if (access.bytes == 0)
        return base_refuse(diag, RULE_OP_DOOR_WRONG, 0, "%s does not access shared memory",
                           isa_form(op)->name);
    rule = isa_banks(op);
    if (rule && isa_form(op)->scheme == SCHEME_MOVE)
        lanes = rule->lanes * isa_op_matrices(op);
    status = check_access(op, rule, &access, isa_address_lanes(arch, lanes), diag);
    if (!status)
        exec_banks_count(rule, &access, lanes, out);
    return status;
}
