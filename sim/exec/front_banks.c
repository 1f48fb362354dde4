/* The three old ways to count, each with its own structure for the answer. */
#include "banks.h"
#include "wmma.h"

/* --- accesses --- */

static void put_access(void *to, unsigned index, const struct wsim_cost_group *from) {
    struct wsim_bank_group *group = &((struct wsim_banks *)to)->group[index];
    group->lanes = from->lanes;
    group->ways = from->ways;
    group->wavefronts = from->wavefronts;
    group->bank = from->bank;
    group->nwords = from->nwords;
    for (unsigned i = 0; i < from->nwords; i++)
        group->words[i] = from->words[i];
}

static void finish(struct wsim_banks *out, const struct wsim_cost *cost, int merged) {
    out->wavefronts = cost->wavefronts;
    out->ideal = cost->ideal;
    out->conflicts = cost->conflicts;
    out->merged = (uint8_t)merged;
    out->ngroups = (uint8_t)cost->groups;
}

enum wsim_status wsim_banks_count(const struct wsim_op *op, const struct wsim_arch *arch,
                                  const uint32_t addr[WSIM_LANES], uint32_t mask,
                                  struct wsim_banks *out, struct wsim_diag *diag) {
    struct wsim_io io = {.move = {.addr = addr, .mask = mask}};
    struct exec_banks_sink sink = {.put = put_access, .to = out};
    struct wsim_code code;
    enum wsim_status status = wsim_op_check(op, arch, diag);
    if (status)
        return status;
    switch ((enum wsim_counting)isa_door(op)->counting) {
    case WSIM_COUNT_COPY:
        return base_refuse(diag, RULE_OP_DOOR_WRONG, 0,
                           "%s has two sides: wsim_banks_copy counts it", isa_op_called(op).text);
    case WSIM_COUNT_FRAGMENT:
        return base_refuse(diag, RULE_OP_DOOR_WRONG, 0,
                           "%s is several accesses: wsim_banks_fragment counts it",
                           isa_op_called(op).text);
    case WSIM_COUNT_NONE:
        return base_refuse(diag, RULE_OP_DOOR_WRONG, 0, "%s does not access shared memory",
                           isa_op_called(op).text);
    default: break;
    }
    status = wsim_prepare(op, arch, 0, &code, diag);
    if (!status)
        status = exec_banks_access(&code, &io, &sink, diag);
    if (!status)
        finish(out, &sink.cost, sink.cost.merged);
    return status;
}

/* --- fragments --- */

static void count_part(const struct wsim_code *code, const struct wmma_matrix *m, unsigned number,
                       struct wsim_fragment_banks *out) {
    struct wsim_fragment_access *to = &out->access[number];
    struct exec_banks_sink sink = {.put = put_access, .to = &to->banks};
    struct wsim_cost_access part;
    struct machine_access access;
    int merged;
    exec_banks_fragment_fill(code, m, number, &part);
    to->bytes = part.bytes;
    to->rows = part.rows;
    for (unsigned l = 0; l < (part.rows ? part.rows : WSIM_LANES); l++)
        to->addr[l] = part.addr[l];
    access = (struct machine_access){to->addr, UINT32_MAX, part.bytes};
    merged = exec_banks_count(exec_banks_fragment_rule(code, &part), &access,
                              part.rows ? part.rows : WSIM_LANES, number, &sink);
    finish(&to->banks, &sink.cost, merged);
    out->wavefronts += sink.cost.wavefronts;
    out->ideal += sink.cost.ideal;
    out->conflicts += sink.cost.conflicts;
}

enum wsim_status wsim_banks_fragment(const struct wsim_op *op, const struct wsim_arch *arch,
                                     const uint32_t addr[WSIM_LANES], uint32_t stride,
                                     struct wsim_fragment_banks *out, struct wsim_diag *diag) {
    struct wsim_io io = {.move = {.addr = addr, .stride = stride}};
    struct exec_banks_sink sink = {.put = NULL};
    struct wmma_matrix m;
    struct wsim_code code;
    enum wsim_status status = wsim_op_check(op, arch, diag);
    if (!status)
        status = exec_banks_fragment_check(op, diag);
    if (!status)
        status = wsim_prepare(op, arch, 0, &code, diag);
    if (!status)
        status = exec_banks_fragment(&code, &io, &sink, diag);
    if (status)
        return status;
    wmma_open(&code, &io, &m, NULL);
    *out = (struct wsim_fragment_banks){0};
    out->naccesses = (uint8_t)exec_banks_fragment_count(&code);
    for (unsigned i = 0; i < out->naccesses; i++)
        count_part(&code, &m, i, out);
    return WSIM_OK;
}

/* --- copies --- */

static void put_copy(void *to, unsigned index, const struct wsim_cost_group *from) {
    struct wsim_copy_group *group = &((struct wsim_copy_banks *)to)->group[index];
    group->lanes = from->lanes;
    group->worst = from->worst;
    group->wavefronts = from->wavefronts;
    group->batch = from->batch;
}

enum wsim_status wsim_banks_copy(const struct wsim_op *op, const struct wsim_arch *arch,
                                 const struct wsim_copy *copy, struct wsim_copy_banks *out,
                                 struct wsim_diag *diag) {
    struct wsim_io io = {.copy = {.addr = copy->dst,
                                  .src = copy->src,
                                  .src_size = copy->src_size,
                                  .mask = copy->mask,
                                  .bytes = copy->bytes,
                                  .warm = copy->warm != 0}};
    struct exec_banks_sink sink = {.put = put_copy, .to = out};
    struct wsim_code code;
    enum wsim_status status = wsim_op_check(op, arch, diag);
    if (!status && isa_door(op)->counting != WSIM_COUNT_COPY)
        status = base_refuse(diag, RULE_OP_DOOR_WRONG, 0,
                             "%s is not a copy: wsim_banks_count counts accesses",
                             isa_op_called(op).text);
    if (!status)
        status = wsim_prepare(op, arch, 0, &code, diag);
    if (!status)
        status = exec_banks_copy(&code, &io, copy->counters, &sink, diag);
    if (status)
        return status;
    out->wavefronts = sink.cost.wavefronts;
    out->ideal = sink.cost.ideal;
    out->conflicts = sink.cost.conflicts;
    out->known = sink.cost.known;
    out->ngroups = (uint8_t)sink.cost.groups;
    return WSIM_OK;
}
