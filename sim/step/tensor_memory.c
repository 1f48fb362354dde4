/* Allocation of tensor memory. Columns are given out in units of 32, the lowest that are free. */
#include "tensor.h"

#include "../decode/build.h"

#include <stdlib.h>

enum { COLUMNS = UMMA_COLUMNS, BYTES = UMMA_LANES * UMMA_COLUMNS * 4 };

/* op->more. */
struct allocation {
    struct matrix_address address; /* alloc                                                    */
    struct run_row at, columns;    /* at: dealloc                                              */
    uint8_t blocks;
};

enum run_next tensor_check(struct run_warp *warp, const struct run_op *op, unsigned lane,
                           const struct run_block *block, const char *name, uint32_t address,
                           unsigned columns) {
    unsigned first = address & 0xFFFF;
    if (first + columns > COLUMNS)
        return run_finding(warp, op, lane, RULE_TCGEN_COLUMN_RANGE, 1,
                           "address 0x%08x of %s: columns %u to %u; tensor memory has %d",
                           (unsigned)address, name, first, first + columns - 1, COLUMNS);
    for (unsigned column = first; column < first + columns; column++)
        if (!block->tensor || !block->tensor->owner[column / RUN_TENSOR_UNIT])
            return run_finding(warp, op, lane, RULE_TCGEN_COLUMN_FREE, 1,
                               "address 0x%08x of %s: column %u is not allocated; "
                               "tcgen05.alloc comes first",
                               (unsigned)address, name, column);
    return RUN_ON;
}

/* Memory with bytes that are rarely right by accident. */
static struct run_tensor *make(struct run_block *block) {
    struct run_tensor *tensor = block->tensor;
    uint8_t *bytes;
    if (tensor)
        return tensor;
    tensor = malloc(sizeof *tensor + BYTES);
    if (!tensor)
        return NULL;
    bytes = (uint8_t *)(tensor + 1);
    memset(tensor, 0, sizeof *tensor);
    memset(bytes, 0x7E, BYTES);
    tensor->memory = wsim_memory_over(WSIM_TENSOR, bytes, BYTES, 0);
    return block->tensor = tensor;
}

static int is_size(uint64_t columns) {
    return columns >= RUN_TENSOR_UNIT && columns <= COLUMNS && !(columns & (columns - 1));
}

/* The first of `units` neighbours that are free; RUN_TENSOR_UNITS: there are none. */
static unsigned find(const struct run_tensor *tensor, unsigned units) {
    for (unsigned first = 0; first + units <= RUN_TENSOR_UNITS; first += units) {
        unsigned n = 0;
        while (n < units && !tensor->owner[first + n])
            n++;
        if (n == units)
            return first;
    }
    return RUN_TENSOR_UNITS;
}

static enum run_next refuse_size(struct run_warp *warp, const struct run_op *op, unsigned lane,
                                 uint64_t columns) {
    return run_finding(warp, op, lane, RULE_TCGEN_ALLOC_SIZE, 1,
                       "%llu columns: must be 32, 64, 128, 256 or 512",
                       (unsigned long long)columns);
}

static enum run_next find_growth(struct run_warp *warp, const struct run_op *op, unsigned lane,
                                 unsigned columns) {
    struct run_tensor *tensor = warp->block->tensor;
    unsigned last = tensor->last;
    tensor->last = (uint16_t)columns;
    if (!last || columns <= last || !sync_checks(warp))
        return RUN_ON;
    return run_finding(warp, op, lane, RULE_TCGEN_ALLOC_GROWS, 0,
                       "%u columns; the allocation before has %u, and none may have more than the "
                       "one before",
                       columns, last);
}

static enum run_next alloc(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                           struct run_warp *warp) {
    const struct allocation *allocation = op->more;
    struct run_block *block = warp->block;
    unsigned lane = run_lowest(lanes), units, first;
    uint64_t columns = run_get(frame, allocation->columns, lane);
    uint64_t at = matrix_address_of(frame, &allocation->address, lane);
    struct run_tensor *tensor;
    struct run_access access = {
        .space = PTX_SHARED, .kind = RUN_WRITE, .bytes = 4, .lanes = 1u << lane, .weak = 1};
    enum run_next next = sync_together(warp, op, lanes);
    if (next)
        return next;
    if (!is_size(columns))
        return refuse_size(warp, op, lane, columns);
    tensor = make(block);
    if (!tensor)
        return run_no_memory(warp);
    if (tensor->relinquished)
        return run_finding(warp, op, lane, RULE_TCGEN_ALLOC_PERMIT, 1,
                           "the block has relinquished its permit to allocate");
    next = tensor_group(warp, op, lane, allocation->blocks);
    if (next)
        return next;
    units = (unsigned)columns / RUN_TENSOR_UNIT;
    first = find(tensor, units);
    if (warp->number < RUN_TENSOR_WARPS)
        tensor->asked[warp->number] = (uint16_t)(first == RUN_TENSOR_UNITS ? columns : 0);
    if (first == RUN_TENSOR_UNITS)
        return RUN_WAIT;
    next = find_growth(warp, op, lane, (unsigned)columns);
    if (next)
        return next;
    if (allocation->address.space == PTX_GENERIC)
        at = (uint32_t)at;
    access.at[lane] = at;
    next = run_reach(warp, op, &access, 4);
    if (next)
        return next;
    for (unsigned i = 0; i < units; i++)
        tensor->owner[first + i] = (uint8_t)(1 + first);
    {
        uint32_t address = first * RUN_TENSOR_UNIT;
        memcpy(access.host[lane], &address, sizeof address);
    }
    tensor_known_drop(tensor, first * RUN_TENSOR_UNIT, (unsigned)columns);
    tensor->warp = warp;
    tensor->op = op;
    matrix_event(warp);
    return RUN_ON;
}

static enum run_next dealloc(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                             struct run_warp *warp) {
    const struct allocation *allocation = op->more;
    struct run_tensor *tensor = warp->block->tensor;
    unsigned lane = run_lowest(lanes), first, units = 0;
    uint64_t columns = run_get(frame, allocation->columns, lane);
    uint32_t at = (uint32_t)run_get(frame, allocation->at, lane);
    enum run_next next = sync_together(warp, op, lanes);
    if (next)
        return next;
    if (!is_size(columns))
        return refuse_size(warp, op, lane, columns);
    first = (at & 0xFFFF) / RUN_TENSOR_UNIT;
    while (tensor && first + units < RUN_TENSOR_UNITS && tensor->owner[first + units] == 1 + first)
        units++;
    if (at % RUN_TENSOR_UNIT || at >= COLUMNS || units * RUN_TENSOR_UNIT != columns)
        return run_finding(warp, op, lane, RULE_TCGEN_DEALLOC_OTHER, 1,
                           "no allocation of %llu columns begins at address 0x%08x",
                           (unsigned long long)columns, (unsigned)at);
    next = tensor_group(warp, op, lane, allocation->blocks);
    if (!next)
        next = tensor_order_free(warp, op, first * RUN_TENSOR_UNIT, units * RUN_TENSOR_UNIT);
    if (next)
        return next;
    for (unsigned i = 0; i < units; i++)
        tensor->owner[first + i] = 0;
    matrix_event(warp);
    return RUN_ON;
}

static enum run_next relinquish(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                struct run_warp *warp) {
    enum run_next next = sync_together(warp, op, lanes);
    struct run_tensor *tensor;
    (void)frame;
    if (next)
        return next;
    tensor = make(warp->block);
    if (!tensor)
        return run_no_memory(warp);
    tensor->relinquished = 1;
    return RUN_ON;
}

/* Loads and stores are done when they are issued, and products write only after a commit. */
static enum run_next wait(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                          struct run_warp *warp) {
    enum run_next next = sync_together(warp, op, lanes);
    (void)frame;
    if (!next)
        tensor_order_wait(warp, (int)op->immediate);
    return next;
}

static enum run_next fence(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                           struct run_warp *warp) {
    (void)frame, (void)lanes;
    tensor_order_fence(warp, (int)op->immediate);
    return RUN_ON;
}

/* --- plans --- */

enum wsim_status tensor_alloc_plan(struct run_plan *plan) {
    enum wsim_status status;
    struct allocation *allocation = matrix_keep(plan, sizeof *allocation, &status);
    TRY(status);
    TRY(matrix_address_plan(plan, 0,
                            plan->meaning.space == SCALAR_SHARED ? PTX_SHARED : PTX_GENERIC,
                            &allocation->address));
    TRY(plan_row(plan, 1, 32, &allocation->columns));
    allocation->blocks = plan->meaning.blocks;
    return plan_does_with(plan, alloc, allocation);
}

enum wsim_status tensor_dealloc_plan(struct run_plan *plan) {
    enum wsim_status status;
    struct allocation *allocation = matrix_keep(plan, sizeof *allocation, &status);
    TRY(status);
    TRY(plan_row(plan, 0, 32, &allocation->at));
    TRY(plan_row(plan, 1, 32, &allocation->columns));
    allocation->blocks = plan->meaning.blocks;
    return plan_does_with(plan, dealloc, allocation);
}

enum wsim_status tensor_relinquish_plan(struct run_plan *plan) {
    return plan_does(plan, relinquish);
}

enum wsim_status tensor_wait_plan(struct run_plan *plan) {
    plan->op->immediate = plan->meaning.stores;
    plan->build->program->tensor_waits |= !plan->meaning.stores;
    return plan_does(plan, wait);
}

enum wsim_status tensor_fence_plan(struct run_plan *plan) {
    plan->op->immediate = plan->meaning.after;
    plan->build->program->tensor_fences = 1;
    return plan_does(plan, fence);
}
