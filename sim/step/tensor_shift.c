/* tcgen05.shift: rows of 32 bytes move down by one row, except the last of each quarter of the
 * lanes. PTX ISA 9.0 gives the shape 31x256b and no direction. CUTLASS refills the last lane of
 * each quarter by a copy of 4x256b, so a lane takes what the next one had: inferred. */
#include "tensor.h"

enum { QUARTER = 32, COLUMNS = 8, BYTES = 4 * COLUMNS };

/* op->more. */
struct shift {
    struct matrix_address at;
    uint8_t blocks;
};

static enum run_next shift_block(struct run_warp *warp, const struct run_op *op, unsigned lane,
                                 const struct run_block *block, uint32_t at) {
    unsigned column = umma_column(at);
    enum run_next next = tensor_check(warp, op, lane, block, "the shift", at, COLUMNS);
    if (next)
        return next;
    for (unsigned to = 0; to < UMMA_LANES; to++) {
        uint8_t *bytes = block->tensor->memory.bytes;
        if (to % QUARTER == QUARTER - 1)
            continue;
        memcpy(bytes + umma_byte(to, column), bytes + umma_byte(to + 1, column), BYTES);
        for (unsigned c = column; c < column + COLUMNS; c++)
            for (unsigned half = TENSOR_LOW; half <= TENSOR_HIGH; half++)
                if (tensor_known_until(block->tensor, to + 1, c, 1, half) > c)
                    tensor_known_put(block->tensor, to, c, 1, half);
    }
    return RUN_ON;
}

static enum run_next move(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                          const void *data) {
    const struct shift *shift = op->more;
    enum run_next next = RUN_ON;
    uint32_t at;
    memcpy(&at, data, sizeof at);
    for (unsigned i = 0; i < shift->blocks && !next; i++)
        next = shift_block(warp, op, run_lowest(lanes),
                           shift->blocks == 1 ? warp->block : tensor_pair(warp->block, i), at);
    matrix_event(warp);
    return next;
}

static enum run_next issue(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                           struct run_warp *warp) {
    const struct shift *shift = op->more;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = run_lowest(rest);
        uint32_t at = (uint32_t)matrix_address_of(frame, &shift->at, lane);
        enum run_next next = tensor_check_pair(warp, op, lane, shift->blocks);
        if (!next && umma_lane(at) % QUARTER)
            next = run_finding(warp, op, lane, RULE_TCGEN_LANE_QUARTER, 1,
                               "address 0x%08x of the shift: the lane must be a multiple of 32",
                               (unsigned)at);
        if (!next)
            next = run_finding(warp, op, lane, RULE_ADVICE_SHIFT_INFERRED, 0,
                               "a lane takes what the next lane had: the direction is inferred");
        if (!next)
            next = tensor_group(warp, op, lane, shift->blocks);
        for (unsigned i = 0; i < shift->blocks && !next; i++)
            next = tensor_order_work(warp, op, lane,
                                     shift->blocks == 1 ? warp->block : tensor_pair(warp->block, i),
                                     at, COLUMNS, ISA_UMMA_SHIFT, 0);
        if (!next)
            next = sync_issue(warp, op, 1u << lane, SYNC_TENSOR, move, &at, sizeof at);
        if (next)
            return next;
    }
    return RUN_ON;
}

enum wsim_status tensor_shift_plan(struct run_plan *plan) {
    enum wsim_status status;
    struct shift *shift = matrix_keep(plan, sizeof *shift, &status);
    TRY(status);
    shift->blocks = plan->meaning.blocks;
    TRY(matrix_address_plan(plan, 0, PTX_SHARED, &shift->at));
    plan_beside(plan, SYNC_TENSOR);
    return plan_does_with(plan, issue, shift);
}
