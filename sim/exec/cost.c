/* wsim_cost: the one place from which accesses are counted, and told how they were. */
#include "banks.h"

#include <stddef.h>
#include <string.h>

/* Groups into an array of the caller's. */
struct array {
    struct wsim_cost_group *groups;
    size_t max;
};

static void put(void *to, unsigned index, const struct wsim_cost_group *group) {
    struct array *array = to;
    struct wsim_cost_group *room = &array->groups[index];
    if (index >= array->max)
        return;
    memcpy(room, group, offsetof(struct wsim_cost_group, words));
    for (unsigned i = 0; i < group->nwords; i++)
        room->words[i] = group->words[i];
}

static enum wsim_status refuse_door(const struct wsim_code *code, struct wsim_diag *diag) {
    return base_refuse(diag, RULE_OP_DOOR_WRONG, 0, "%s does not access shared memory",
                       isa_op_called(&code->op).text);
}

enum wsim_status wsim_cost(const struct wsim_code *code, const struct wsim_io *io,
                           enum wsim_counters counters, struct wsim_cost_group *groups, size_t max,
                           struct wsim_cost *cost, struct wsim_diag *diag) {
    struct array array = {groups, max};
    struct exec_banks_sink sink = {
        .plain = (code->flags & WSIM_PLAIN) != 0, .put = max ? put : NULL, .to = &array};
    enum wsim_status status = WSIM_OK;
    switch ((enum wsim_counting)work_of(code)->counting) {
    case WSIM_COUNT_ACCESS:
    case WSIM_COUNT_ROWS: status = exec_banks_access(code, io, &sink, diag); break;
    case WSIM_COUNT_FRAGMENT: status = exec_banks_fragment(code, io, &sink, diag); break;
    case WSIM_COUNT_COPY: status = exec_banks_copy(code, io, counters, &sink, diag); break;
    case WSIM_COUNT_NONE: status = refuse_door(code, diag);
    }
    if (!status)
        *cost = sink.cost;
    return status;
}

enum wsim_status wsim_cost_access(const struct wsim_code *code, const struct wsim_io *io,
                                  unsigned number, struct wsim_cost_access *access,
                                  struct wsim_diag *diag) {
    struct wsim_cost_access found;
    struct exec_banks_sink sink = {
        .access = &found, .number = number, .plain = (code->flags & WSIM_PLAIN) != 0};
    enum wsim_status status = WSIM_OK;
    switch ((enum wsim_counting)work_of(code)->counting) {
    case WSIM_COUNT_ACCESS:
    case WSIM_COUNT_ROWS: status = exec_banks_access(code, io, &sink, diag); break;
    case WSIM_COUNT_FRAGMENT: status = exec_banks_fragment(code, io, &sink, diag); break;
    case WSIM_COUNT_COPY:
        status = base_refuse(diag, RULE_OP_DOOR_WRONG, 0,
                             "%s does not access words: the groups of wsim_cost name its lanes",
                             isa_op_called(&code->op).text);
        break;
    case WSIM_COUNT_NONE: status = refuse_door(code, diag);
    }
    if (!status && number >= sink.cost.accesses)
        status = base_refuse(
            diag, RULE_BANKS_NUMBER_RANGE, 0, "access %u of %s: it has %u, the last is %u", number,
            isa_op_called(&code->op).text, (unsigned)sink.cost.accesses, sink.cost.accesses - 1u);
    if (!status)
        *access = found;
    return status;
}

unsigned wsim_cost_turns(const struct wsim_cost_access *access, uint32_t lanes, unsigned bank,
                         uint8_t turn[WSIM_LANES]) {
    struct machine_access machine = {access->addr, access->mask, access->bytes};
    return machine_turns(&machine, lanes, access->folds, bank, turn);
}
