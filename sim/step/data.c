/* Plans of instructions that only compute: a fast step (quick.c), or the function of room lane. */
#include "data.h"
#include "flow.h"
#include "quick.h"

static void add_in(struct data *data, struct run_row row) {
    data->in[data->ins++] = row;
    if (row.bits == 128) {
        data->high_in[data->ins] = 1;
        data->in[data->ins++] = row;
    }
}

static void add_out(struct data *data, struct run_row row, uint8_t sign) {
    data->sign[data->outs] = sign;
    data->out[data->outs++] = row;
    if (row.bits == 128) {
        data->high_out[data->outs] = 1;
        data->out[data->outs++] = row;
    }
}

/* A result whose register is wider than its type is extended as the type says. */
static uint8_t sign_of(const struct wsim_scalar_operand *operand, struct run_row row) {
    return operand->type[0] == 's' && row.bits > operand->bits ? operand->bits : 0;
}

/* How many of the operands from `info` on have to be there. */
static unsigned needed_from(const struct wsim_scalar_info *info, unsigned at) {
    unsigned n = 0;
    for (; at < info->operands; at++)
        n += !info->operand[at].optional && !info->operand[at].pair;
    return n;
}

static int has_parts(const struct run_plan *plan) {
    for (unsigned i = 0; i < plan->info.operands; i++)
        if (plan->info.operand[i].parts)
            return 1;
    return 0;
}

static enum wsim_status add_operand(struct run_plan *plan, struct data *data,
                                    const struct wsim_scalar_operand *operand,
                                    const struct ptx_operand *written) {
    struct run_row row;
    enum wsim_status status = plan_row_of(plan, written, operand->bits, &row);
    if (status)
        return status;
    if (written->negated && row.bits != 1 && !has_parts(plan))
        return plan_refuse(plan, "a negated operand is not modelled");
    if (operand->result) {
        add_out(data, row, sign_of(operand, row));
        return WSIM_OK;
    }
    add_in(data, row);
    return WSIM_OK;
}

/* Both parts of d|p; the second may be left out. */
static enum wsim_status add_pair(struct run_plan *plan, struct data *data,
                                 const struct wsim_scalar_operand *operand,
                                 const struct ptx_operand *written) {
    const struct ptx_operand *parts = &plan->function->operands[written->first];
    enum wsim_status status = add_operand(plan, data, &operand[0], &parts[0]);
    return status ? status : add_operand(plan, data, &operand[1], &parts[1]);
}

static enum wsim_status add_operands(struct run_plan *plan, struct data *data) {
    const struct wsim_scalar_info *info = &plan->info;
    struct run_row none = {0};
    uint32_t at = 0;
    for (unsigned i = 0; i < info->operands; i++) {
        const struct wsim_scalar_operand *operand = &info->operand[i];
        enum wsim_status status;
        int pair = i + 1 < info->operands && info->operand[i + 1].pair;
        if (operand->optional && plan->count - at <= needed_from(info, i)) {
            if (operand->result)
                add_out(data, none, 0);
            else
                add_in(data, none);
            continue;
        }
        if (at >= plan->count)
            return plan_refuse(plan, "an operand is missing");
        if (pair && plan->operands[at].kind == PTX_OP_PAIR) {
            status = add_pair(plan, data, operand, &plan->operands[at]);
            i++;
        } else {
            status = add_operand(plan, data, operand, &plan->operands[at]);
            if (pair)
                add_out(data, none, 0), i++;
        }
        if (status)
            return status;
        at++;
    }
    return WSIM_OK;
}

/* Which part of each register a video instruction names, and which are negated, as wsim_scalar_run
 * wants it. */
static enum wsim_status add_parts(struct run_plan *plan, struct data *data) {
    static const char places[] = "dab", negated[] = "abc";
    uint64_t parts = 0;
    struct run_row row;
    enum wsim_status status;
    if (!has_parts(plan))
        return WSIM_OK;
    for (uint32_t i = 0; i < plan->info.operands && i < plan->count; i++) {
        const char *place = strchr(places, plan->info.operand[i].name);
        const char *sign = strchr(negated, plan->info.operand[i].name);
        if (place == places && plan->operands[i].part)
            return plan_refuse(plan, "a result that is a part of a register is not modelled");
        if (place)
            parts |= (uint64_t)plan->operands[i].part << 8 * (place - places);
        if (sign && plan->operands[i].negated)
            parts |= UINT64_C(1) << (24 + (sign - negated));
    }
    status = plan_fixed(plan, 64, parts, &row);
    if (!status)
        add_in(data, row);
    return status;
}

/* The condition code of carry chains. */
static void add_carry(struct run_plan *plan, struct data *data) {
    struct run_row carry = {.at = plan->build->carry_at, .bits = 1};
    if (plan->meaning.carry_in)
        add_in(data, carry);
    if (plan->meaning.carry_out)
        add_out(data, carry, 0);
}

static int is_packed(const struct run_plan *plan) {
    return plan->meaning.method == SCALAR_METHOD_MOVE && plan->count == 2 &&
           (plan->operands[0].kind == PTX_OP_VECTOR || plan->operands[1].kind == PTX_OP_VECTOR);
}

static int is_approximate(const struct scalar_meaning *meaning) {
    return meaning->approx != SCALAR_EXACT || meaning->method == SCALAR_METHOD_TANH;
}

/* mov of a special register needs no row in between. */
static int reads_special(struct run_plan *plan, enum wsim_status *status) {
    struct run_row row;
    if (plan->meaning.method != SCALAR_METHOD_MOVE || plan->count != 2 ||
        plan->operands[0].kind != PTX_OP_REGISTER || plan->operands[1].kind != PTX_OP_SPECIAL)
        return 0;
    *status = plan_row(plan, 0, 0, &row);
    if (!*status)
        special_read(plan, plan->op, plan->operands[1].index, row);
    return 1;
}

/* An instruction with a further source: the result goes in again with it. */
static void do_again(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    scalar_function *function = scalar_find((enum scalar_method)meaning->method);
    uint64_t both[WSIM_SCALAR_OUT];
    function(meaning, in, both);
    both[1] = in[2];
    function(meaning, both, out);
}

static enum wsim_status add_again(struct run_plan *plan, struct data *data) {
    const struct wsim_scalar_info *info = &plan->info;
    if (!*info->again || plan->count <= info->operands)
        return WSIM_OK;
    data->function = do_again;
    if (!plan->build->program->again)
        plan->build->program->again = &plan->opcode->scalar;
    return add_operand(plan, data, &info->operand[info->operands - 1u],
                       &plan->operands[info->operands]);
}

/* A fourth operand (contract.h): the addend of an approximate division, or the power of two that
 * scales it or a product. */
static enum wsim_status add_fused(struct run_plan *plan, struct data *data) {
    const int divides = plan->meaning.method == SCALAR_METHOD_DIV_FLOAT;
    if ((!divides && plan->meaning.method != SCALAR_METHOD_MUL_FLOAT) ||
        plan->count <= plan->info.operands)
        return WSIM_OK;
    data->function = !divides       ? scalar_scaled_mul
                     : plan->scales ? scalar_scaled_quotient
                                    : scalar_quotient_sum;
    return add_operand(plan, data, &plan->info.operand[plan->info.operands - 1u],
                       &plan->operands[plan->info.operands]);
}

enum wsim_status data_plan(struct run_plan *plan) {
    struct data *data;
    enum wsim_status status;
    if (is_packed(plan))
        return pack_plan(plan);
    if (reads_special(plan, &status))
        return status;
    data = plan_keep(plan, sizeof *data);
    if (!data)
        return base_refuse(plan->diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory");
    data->meaning = plan->meaning;
    data->function = scalar_find(plan->meaning.method);
    if (!data->function)
        return plan_refuse(plan, "it is not executed");
    status = add_operands(plan, data);
    if (!status)
        status = add_parts(plan, data);
    if (!status)
        status = add_again(plan, data);
    if (!status)
        status = add_fused(plan, data);
    if (status)
        return status;
    add_carry(plan, data);
    plan->build->program->approximate |= (uint8_t)is_approximate(&plan->meaning);
    plan->op->more = data;
    plan->op->step = data->function != do_again ? quick_step(plan, data) : NULL;
    if (!plan->op->step)
        plan->op->step = data_step;
    return WSIM_OK;
}
