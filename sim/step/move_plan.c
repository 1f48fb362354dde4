/* Plans of moves of fragments and of cp.async: a fast step (quick.c), or the one of matrix_move.c
 * and copy_async.c. */
#include "matrix.h"

#include "quick.h"

/* [to], [from], size {, src-size or ignore-src} {, cache policy} */
enum wsim_status copy_async_plan(struct run_plan *plan) {
    uint32_t hint = plan->opcode->op.q[PLACE_HINT] ? 1 : 0;
    enum wsim_status status;
    struct matrix_copy *copy = matrix_keep(plan, sizeof *copy, &status);
    uint64_t bytes;
    TRY(status);
    TRY(matrix_code_plan(plan));
    TRY(matrix_address_plan(plan, 0, PTX_SHARED, &copy->to));
    TRY(matrix_address_plan(plan, 1, PTX_GLOBAL, &copy->from));
    plan_copies(plan, SYNC_CP_ASYNC);
    if (!plan_constant(plan, 2, &bytes) || bytes > 16)
        return plan_refuse(plan, "its size is not a constant 4, 8 or 16");
    copy->bytes = (uint32_t)bytes;
    copy->turn = plan->opcode->op.q[PLACE_CACHE] == Q_CG ? reach_turn(copy->bytes) : 0;
    if (plan->count > 4 + hint)
        return plan_refuse(plan, "it has too many operands");
    if (plan->count == 4 + hint) {
        TRY(plan_row(plan, 3, 32, &copy->size));
        if (copy->size.bits > 32)
            return plan_refuse(plan, "its source size has 32 bits");
        copy->ignores = copy->size.bits == 1;
    }
    plan->op->more = copy;
    plan->op->step = quick_copy_step(plan, copy_async_step);
    plan->op->bytes = (uint8_t)bytes;
    plan->op->count = 1;
    plan->op->traffic = RUN_TRAFFIC_COPY;
    return WSIM_OK;
}

static enum wsim_status plan_move(struct run_plan *plan, unsigned address, unsigned regs,
                                  enum wsim_operand operand, run_step *step) {
    enum wsim_status status;
    struct matrix_move *move = matrix_keep(plan, sizeof *move, &status);
    TRY(status);
    TRY(matrix_code_plan(plan));
    TRY(matrix_address_plan(plan, address, matrix_space_of(&plan->opcode->op), &move->address));
    TRY(matrix_regs_plan(plan, regs, operand, &move->regs));
    if (plan->count > 2)
        TRY(plan_row(plan, 2, 32, &move->stride));
    if (move->regs.wide) {
        move->space = matrix_space(plan, move->regs.n * 2u * RUN_LANES * 4u);
        if (!move->space)
            return plan_refuse(plan, "the function has too many registers");
    }
    move->stores = operand == WSIM_R;
    plan->op->more = move;
    plan->op->step = step;
    plan->op->traffic = move->stores ? RUN_TRAFFIC_STORE : RUN_TRAFFIC_LOAD;
    return WSIM_OK;
}

enum wsim_status matrix_load_rows_plan(struct run_plan *plan) {
    return plan_move(plan, 1, 0, WSIM_D, quick_rows_step(plan, matrix_rows_step));
}

enum wsim_status matrix_store_rows_plan(struct run_plan *plan) {
    return plan_move(plan, 0, 1, WSIM_R, matrix_rows_step);
}

enum wsim_status matrix_load_fragment_plan(struct run_plan *plan) {
    return plan_move(plan, 1, 0, WSIM_D, matrix_fragment_step);
}

enum wsim_status matrix_store_fragment_plan(struct run_plan *plan) {
    return plan_move(plan, 0, 1, WSIM_R, matrix_fragment_step);
}
