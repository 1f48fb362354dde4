/* wsim_cost: the one place from which accesses are counted. */
#include "banks.h"

/* Groups into an array of the caller's. */
struct array {
    struct wsim_cost_group *groups;
    size_t max;
};

static void put(void *to, unsigned index, const struct wsim_cost_group *group) {
    struct array *array = to;
    if (index < array->max)
        array->groups[index] = *group;
}

enum wsim_status wsim_cost(const struct wsim_code *code, const struct wsim_io *io,
                           enum wsim_counters counters, struct wsim_cost_group *groups, size_t max,
                           struct wsim_cost *cost, struct wsim_diag *diag) {
    struct array array = {groups, max};
    struct exec_banks_sink sink = {.put = put, .to = &array};
    enum wsim_status status = WSIM_OK;
    switch ((enum wsim_counting)code->work.counting) {
    case WSIM_COUNT_ACCESS:
    case WSIM_COUNT_ROWS: status = exec_banks_access(code, io, &sink, diag); break;
    case WSIM_COUNT_FRAGMENT: status = exec_banks_fragment(code, io, &sink, diag); break;
    case WSIM_COUNT_COPY: status = exec_banks_copy(code, io, counters, &sink, diag); break;
    case WSIM_COUNT_NONE:
        status = base_refuse(diag, RULE_OP_DOOR_WRONG, 0, "%s does not access shared memory",
                             isa_op_called(&code->op).text);
    }
    if (!status)
        *cost = sink.cost;
    return status;
}
