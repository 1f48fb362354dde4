/* The order of accesses to tensor memory: the findings of a kernel that does not wait. Each event
 * of a block advances a time. A column keeps the times of its last accesses, a warp those of its
 * waits and fences. Clocks of the race
 * check say what a warp knows of other warps, and of work. Without that check only times are
 * compared. Source: PTX ISA 9.0,
 * "Memory consistency model" of tcgen05. */
#include "tensor.h"

#include "../watch/listeners.h"

static struct run_tensor_order *order_of(const struct run_block *block) {
    return block->tensor ? &block->tensor->order : NULL;
}

static int is_on(const struct run_warp *warp, const struct run_block *block) {
    return sync_checks(warp) && block->tensor && warp->number < RUN_TENSOR_WARPS;
}

/* The name of a warp of the pair of blocks, and back. */
static uint8_t name_of(const struct run_warp *warp) {
    return (uint8_t)(warp->block->rank % 2 * RUN_TENSOR_WARPS + warp->number);
}

static const struct run_warp *warp_of(const struct run_block *block, unsigned name) {
    const struct run_block *of =
        &block->unit->blocks[(block->rank & ~1u) + name / RUN_TENSOR_WARPS];
    return &of->warps[name % RUN_TENSOR_WARPS];
}

static struct run_tensor_warp *state_of(const struct run_warp *warp) {
    return &order_of(warp->block)->warp[warp->number];
}

void tensor_order_wait(struct run_warp *warp, int stores) {
    struct run_tensor_order *order = order_of(warp->block);
    if (order && warp->number < RUN_TENSOR_WARPS)
        order->warp[warp->number].waited[stores] = ++order->now;
}

/* Notes the clocks that a warp knows of the warps of the pair of blocks. */
static void note_known(const struct run_warp *warp, struct run_tensor_warp *to) {
    for (unsigned odd = 0; odd < 2; odd++) {
        const struct run_block *block = tensor_pair(warp->block, odd);
        for (unsigned w = 0; block && w < block->n_warps && w < RUN_TENSOR_WARPS; w++) {
            unsigned name = odd * RUN_TENSOR_WARPS + w;
            to->work[name] = race_known_clock(warp, &block->warps[w], 1);
            to->did[name] = race_known_clock(warp, &block->warps[w], 0);
        }
    }
}

void tensor_order_fence(struct run_warp *warp, int after) {
    struct run_tensor_order *order = order_of(warp->block);
    if (!order || warp->number >= RUN_TENSOR_WARPS)
        return;
    if (after) {
        order->warp[warp->number].fenced = ++order->now;
        note_known(warp, &order->warp[warp->number]);
    } else {
        order->warp[warp->number].released = ++order->now;
    }
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

/* The rule of a missing fence. A kernel without any is no slip: a compiler has its own order. */
static enum base_rule fence_rule(const struct run_warp *warp) {
    return warp->program->tensor_fences ? RULE_TCGEN_ORDER_FENCE : RULE_ADVICE_FENCE_ABSENT;
}

/* Whether `warp` has waited for the commit of the last work on a column. */
static int has_waited(const struct run_warp *warp, const struct run_block *block,
                      const struct run_tensor_column *column) {
    return race_known_clock(warp, warp_of(block, column->issuer), 1) >= column->clock;
}

/* --- loads and stores --- */

/* Finds an access of a warp to a column that comes too early. */
static enum run_next find_move(struct run_warp *warp, const struct run_op *op, unsigned c,
                               int stores) {
    const struct run_tensor_column *column = &order_of(warp->block)->column[c];
    const struct run_tensor_warp *me = state_of(warp);
    const unsigned quarter = warp->number % RUN_TENSOR_QUARTERS;
    const struct run_tensor_move *stored = &column->move[quarter][1];
    const int conflicts = stores || column->work > ISA_UMMA_READS;
    const char *what = column->work > ISA_UMMA_READS ? "writes" : "reads";
    if (column->issued && conflicts)
        return run_finding(warp, op, RUN_LANES, RULE_TCGEN_ORDER_COMMIT, 0,
                           "column %u: a tcgen05 operation that %s it has been issued, and no "
                           "commit of it has arrived at an mbarrier",
                           c, what);
    if (column->done && conflicts && !has_waited(warp, warp->block, column))
        return run_finding(warp, op, RUN_LANES, RULE_TCGEN_ORDER_COMMIT, 0,
                           "column %u: a tcgen05 operation that %s it has been committed, and "
                           "this warp does not wait for the mbarrier of the commit",
                           c, what);
    if (column->done && conflicts &&
        (column->done > me->fenced || me->work[column->issuer] < column->clock))
        return run_finding(warp, op, RUN_LANES, fence_rule(warp), 0,
                           "column %u: tcgen05.fence::after_thread_sync is missing between the "
                           "wait for the commit and this access",
                           c);
    if (!stores && column->moves >> (2 * quarter + 1) & 1 && stored->at > me->waited[1] &&
        stored->by == warp->number)
        return run_finding(warp, op, RUN_LANES, RULE_TCGEN_ORDER_WAIT, 0,
                           "column %u: tcgen05.wait::st is missing between the tcgen05.st and "
                           "this load",
                           c);
    return RUN_ON;
}

enum run_next tensor_order_move(struct run_warp *warp, const struct run_op *op, uint32_t address,
                                unsigned columns, int stores) {
    struct run_tensor_order *order = order_of(warp->block);
    unsigned quarter = warp->number % RUN_TENSOR_QUARTERS, first = umma_column(address);
    struct run_tensor_move move = {.clock = race_known_clock(warp, warp, 0),
                                   .by = (uint8_t)warp->number};
    enum run_next next = RUN_ON;
    if (!is_on(warp, warp->block))
        return RUN_ON;
    move.at = ++order->now;
    for (unsigned c = first; c < first + columns && c < UMMA_COLUMNS; c++) {
        if (!next)
            next = find_move(warp, op, c, stores);
        order->column[c].move[quarter][stores] = move;
        order->column[c].moves |= (uint8_t)(1u << (2 * quarter + (unsigned)stores));
    }
    return next == RUN_STOP ? next : RUN_ON;
}

/* --- work of the tensor core --- */

enum order { ORDERED, WAIT_LD, WAIT_ST, FENCE_BEFORE, BARRIER, FENCE_AFTER };
static const char *const order_names[] = {NULL,
                                          "tcgen05.wait::ld",
                                          "tcgen05.wait::st",
                                          "tcgen05.fence::before_thread_sync",
                                          "a barrier",
                                          "tcgen05.fence::after_thread_sync"};

/* The order that a move of a warp of `block` lacks to work that `warp` issues. */
static enum order missing(const struct run_warp *warp, const struct run_block *block,
                          const struct run_tensor_move *move, int stores) {
    const struct run_tensor_warp *mover = &order_of(block)->warp[move->by], *me = state_of(warp);
    const struct run_warp *by = &block->warps[move->by];
    const int waits = mover->waited[stores] >= move->at;
    const enum order last = waits ? ORDERED : WAIT_LD;
    if (!waits && (stores || warp->program->tensor_waits))
        return stores ? WAIT_ST : WAIT_LD;
    if (by == warp)
        return last;
    if (mover->released < mover->waited[stores] && mover->released < move->at)
        return FENCE_BEFORE;
    if (race_known_clock(warp, by, 0) < move->clock)
        return BARRIER;
    /* Times of two blocks do not compare. */
    return (block == warp->block && me->fenced < move->at) || me->did[name_of(by)] < move->clock
               ? FENCE_AFTER
               : last;
}

/* A kernel without any wait for loads leaves that to the assembler, as the CuTe DSL does. An
 * instruction that uses a register of a load waits for the load. */
static enum base_rule rule_of(const struct run_warp *warp, enum order what) {
    if (what == FENCE_BEFORE || what == FENCE_AFTER)
        return fence_rule(warp);
    return what == WAIT_LD && !warp->program->tensor_waits ? RULE_ADVICE_WAIT_ABSENT
                                                           : RULE_TCGEN_ORDER_WAIT;
}

/* Moves of warps that may be under way. The others are forgotten. */
static enum order find_moves(const struct run_warp *warp, const struct run_block *block,
                             struct run_tensor_column *column, int writes) {
    enum order what = ORDERED;
    for (unsigned i = 0; i < 2 * RUN_TENSOR_QUARTERS && column->moves; i++) {
        int stores = i % 2;
        if (!(column->moves >> i & 1) || !(stores || writes))
            continue;
        if (!what)
            what = missing(warp, block, &column->move[i / 2][stores], stores);
        column->moves &= (uint8_t) ~(1u << i);
    }
    return what;
}

/* Whether work has to wait for the last work on a column, which is under way. */
static int must_wait(const struct run_warp *warp, const struct run_block *block,
                     const struct run_tensor_column *column, enum isa_umma_work work, uint32_t d) {
    return isa_umma_waits((enum isa_umma_work)column->work, work, column->d == d) &&
           (column->issued || (column->done && !has_waited(warp, block, column)));
}

enum run_next tensor_order_work(struct run_warp *warp, const struct run_op *op, unsigned lane,
                                struct run_block *block, uint32_t address, unsigned columns,
                                enum isa_umma_work work, uint32_t d) {
    struct run_tensor_order *order = order_of(block);
    const uint32_t clock = race_known_clock(warp, warp, 0);
    unsigned first = umma_column(address);
    enum run_next next = RUN_ON;
    if (!is_on(warp, block) || !warp->block->tensor)
        return RUN_ON;
    order->now++;
    for (unsigned c = first; c < first + columns && c < UMMA_COLUMNS; c++) {
        struct run_tensor_column *column = &order->column[c];
        const enum order what = find_moves(warp, block, column, work > ISA_UMMA_READS);
        if (what && !next)
            next = run_finding(warp, op, lane, rule_of(warp, what), 0,
                               "column %u: %s is missing between the access of a warp and this "
                               "operation",
                               c, order_names[what]);
        else if (!next && must_wait(warp, block, column, work, d))
            next = run_finding(warp, op, lane, RULE_TCGEN_ORDER_COMMIT, 0,
                               "column %u: a product before writes it%s, and nothing waits for the "
                               "mbarrier of a commit of that product",
                               c, work == ISA_UMMA_PRODUCT ? " with another D or shape" : "");
        if (!column->issued || work > column->work)
            column->work = (uint8_t)work;
        if (work == ISA_UMMA_PRODUCT)
            column->d = d;
        column->issued = order->now;
        column->issuer = name_of(warp);
        column->clock = clock;
    }
    return next == RUN_STOP ? next : RUN_ON;
}

/* --- freed columns --- */

static enum run_next find_free(struct run_warp *warp, const struct run_op *op, unsigned c) {
    const struct run_tensor_column *column = &order_of(warp->block)->column[c];
    if (column->issued)
        return run_finding(warp, op, RUN_LANES, RULE_TCGEN_ORDER_COMMIT, 0,
                           "column %u is freed: a tcgen05 operation on it has been issued, and "
                           "no commit of it has arrived at an mbarrier",
                           c);
    if (column->done && !has_waited(warp, warp->block, column))
        return run_finding(warp, op, RUN_LANES, RULE_TCGEN_ORDER_COMMIT, 0,
                           "column %u is freed: a tcgen05 operation on it has been committed, and "
                           "this warp does not wait for the mbarrier of the commit",
                           c);
    for (unsigned i = 0; i < 2 * RUN_TENSOR_QUARTERS; i++) {
        const struct run_tensor_move *move = &column->move[i / 2][i % 2];
        const struct run_warp *by = &warp->block->warps[move->by];
        if (!(column->moves >> i & 1))
            continue;
        if (race_known_clock(warp, by, 0) < move->clock)
            return run_finding(warp, op, RUN_LANES, RULE_TCGEN_ORDER_WAIT, 0,
                               "column %u is freed: no barrier orders the %s of warp %u before it",
                               c, i % 2 ? "tcgen05.st" : "tcgen05.ld", move->by);
        if (state_of(by)->waited[i % 2] < move->at)
            return run_finding(warp, op, RUN_LANES, rule_of(warp, i % 2 ? WAIT_ST : WAIT_LD), 0,
                               "column %u is freed: %s is missing after the %s of warp %u", c,
                               order_names[i % 2 ? WAIT_ST : WAIT_LD],
                               i % 2 ? "tcgen05.st" : "tcgen05.ld", move->by);
    }
    return RUN_ON;
}

enum run_next tensor_order_free(struct run_warp *warp, const struct run_op *op, unsigned first,
                                unsigned columns) {
    struct run_tensor_order *order = order_of(warp->block);
    enum run_next next = RUN_ON;
    if (!is_on(warp, warp->block))
        return RUN_ON;
    for (unsigned c = first; c < first + columns && !next; c++)
        next = find_free(warp, op, c);
    for (unsigned c = first; c < first + columns; c++)
        order->column[c] = (struct run_tensor_column){0};
    return next;
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

enum run_next tensor_check_pair(struct run_warp *warp, const struct run_op *op, unsigned lane,
                                unsigned blocks) {
    if (blocks == 1 || tensor_pair(warp->block, 1))
        return RUN_ON;
    return run_finding(warp, op, lane, RULE_TCGEN_PAIR_MISSING, 1,
                       "block %u of the cluster has no partner; cta_group::2 needs blocks in pairs",
                       (unsigned)warp->block->rank);
}
