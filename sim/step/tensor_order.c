/* The order of accesses to tensor memory: the findings of a kernel that does not wait. Each event
 * of a block advances a time. A column keeps the times of its last accesses, a warp those of its
 * waits and fences. Source: PTX ISA 9.0, "Memory consistency model" of tcgen05. */
#include "tensor.h"

static struct run_tensor_order *order_of(const struct run_block *block) {
    return block->tensor ? &block->tensor->order : NULL;
}

static int is_on(const struct run_warp *warp, const struct run_block *block) {
    return sync_checks(warp) && block->tensor && warp->number < RUN_TENSOR_WARPS;
}

/* A warp of the pair of blocks. */
static uint8_t name_of(const struct run_warp *warp) {
    return (uint8_t)(warp->block->rank % 2 * RUN_TENSOR_WARPS + warp->number);
}

void tensor_order_wait(struct run_warp *warp, int stores) {
    struct run_tensor_order *order = order_of(warp->block);
    if (order && warp->number < RUN_TENSOR_WARPS)
        order->warp[warp->number].waited[stores] = ++order->now;
}

void tensor_order_fence(struct run_warp *warp, int after) {
    struct run_tensor_order *order = order_of(warp->block);
    if (!order || warp->number >= RUN_TENSOR_WARPS)
        return;
    if (after)
        order->warp[warp->number].fenced = ++order->now;
    else
        order->warp[warp->number].released = ++order->now;
}

uint32_t tensor_order_now(const struct run_block *block) {
    return block->tensor ? block->tensor->order.now : 0;
}

void tensor_order_commit(struct run_warp *warp, struct run_block *block, uint32_t until) {
    struct run_tensor_order *order = order_of(block);
    if (!order)
        return;
    order->now++;
    for (unsigned c = 0; c < UMMA_COLUMNS; c++) {
        struct run_tensor_column *column = &order->column[c];
        if (column->issuer == name_of(warp) && column->issued && column->issued <= until) {
            column->done = order->now;
            column->issued = 0;
        }
    }
}

/* --- loads and stores --- */

enum run_next tensor_order_move(struct run_warp *warp, const struct run_op *op, uint32_t address,
                                unsigned columns, int stores) {
    struct run_tensor_order *order = order_of(warp->block);
    enum run_next next = RUN_ON;
    if (!is_on(warp, warp->block))
        return RUN_ON;
    const struct run_tensor_warp *me = &order->warp[warp->number];
    order->now++;
    for (unsigned c = umma_column(address); columns && c < UMMA_COLUMNS; c++, columns--) {
        struct run_tensor_column *column = &order->column[c];
        const char *what = column->writes ? "writes" : "reads";
        if (column->issued && (stores || column->writes) && !next)
            next = run_finding(warp, op, RUN_LANES, RULE_TCGEN_ORDER_COMMIT, 0,
                               "column %u: a tcgen05 operation that %s it has been issued, and no "
                               "commit of it has arrived at an mbarrier",
                               c, what);
        else if (column->done > me->fenced && (stores || column->writes) && !next)
            next = run_finding(warp, op, RUN_LANES, RULE_TCGEN_ORDER_FENCE, 0,
                               "column %u: tcgen05.fence::after_thread_sync is missing between the "
                               "wait for the commit and this access",
                               c);
        if (column->moved[1] > me->waited[1] && column->mover[1] == warp->number && !stores &&
            !next)
            next = run_finding(warp, op, RUN_LANES, RULE_TCGEN_ORDER_WAIT, 0,
                               "column %u: tcgen05.wait::st is missing between the tcgen05.st and "
                               "this load",
                               c);
        column->moved[stores] = order->now;
        column->mover[stores] = (uint8_t)warp->number;
    }
    return next == RUN_STOP ? next : RUN_ON;
}

/* --- work of the tensor core --- */

/* Whether a load (0) or a store (1) of a column comes surely before work that `warp` issues. */
static const char *missing(const struct run_tensor_order *order,
                           const struct run_tensor_column *column, const struct run_warp *warp,
                           int stores) {
    const struct run_tensor_warp *mover = &order->warp[column->mover[stores]];
    if (!column->moved[stores])
        return NULL;
    if (mover->waited[stores] < column->moved[stores])
        return stores ? "tcgen05.wait::st" : "tcgen05.wait::ld";
    if (column->mover[stores] == warp->number)
        return NULL;
    if (mover->released < mover->waited[stores] && mover->released < column->moved[stores])
        return "tcgen05.fence::before_thread_sync";
    return order->warp[warp->number].fenced < column->moved[stores]
               ? "tcgen05.fence::after_thread_sync"
               : NULL;
}

enum run_next tensor_order_work(struct run_warp *warp, const struct run_op *op, unsigned lane,
                                struct run_block *block, uint32_t address, unsigned columns,
                                int writes) {
    struct run_tensor_order *order = order_of(block);
    enum run_next next = RUN_ON;
    if (!is_on(warp, block))
        return RUN_ON;
    order->now++;
    for (unsigned c = umma_column(address); columns && c < UMMA_COLUMNS; c++, columns--) {
        struct run_tensor_column *column = &order->column[c];
        const char *what = block == warp->block ? missing(order, column, warp, 1) : NULL;
        if (!what && writes && block == warp->block)
            what = missing(order, column, warp, 0);
        if (what && !next)
            next = run_finding(warp, op, lane, RULE_TCGEN_ORDER_WAIT, 0,
                               "column %u: %s is missing between the access of a warp and this "
                               "operation",
                               c, what);
        column->writes = (uint8_t)(writes || (column->issued && column->writes));
        column->issued = order->now;
        column->issuer = name_of(warp);
        if (what)
            column->moved[0] = column->moved[1] = 0;
    }
    return next == RUN_STOP ? next : RUN_ON;
}

enum run_next tensor_order_free(struct run_warp *warp, const struct run_op *op, unsigned first,
                                unsigned columns) {
    struct run_tensor_order *order = order_of(warp->block);
    if (!is_on(warp, warp->block))
        return RUN_ON;
    for (unsigned c = first; c < first + columns; c++)
        if (order->column[c].issued)
            return run_finding(warp, op, RUN_LANES, RULE_TCGEN_ORDER_COMMIT, 0,
                               "column %u is freed: a tcgen05 operation on it has been issued, and "
                               "no commit of it has arrived at an mbarrier",
                               c);
    for (unsigned c = first; c < first + columns; c++)
        order->column[c] = (struct run_tensor_column){0};
    return RUN_ON;
}

/* --- groups of blocks --- */

enum run_next tensor_group(struct run_warp *warp, const struct run_op *op, unsigned lane,
                           unsigned blocks) {
    struct run_tensor *tensor = warp->block->tensor;
    if (!tensor || !sync_checks(warp))
        return RUN_ON;
    if (!tensor->group)
        tensor->group = (uint8_t)blocks;
    if (tensor->group == blocks)
        return RUN_ON;
    return run_finding(warp, op, lane, RULE_TCGEN_GROUP_MIXED, 0,
                       "cta_group::%u; an earlier tcgen05 instruction of the kernel has "
                       "cta_group::%u",
                       blocks, tensor->group);
}
