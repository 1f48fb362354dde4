/* mov with registers in braces: several narrow ones are one wide one, or the other way round. */
#include "flow.h"
#include "pack.h"
#include "quick.h"

/* All parts of a lane as one number of up to 128 bits. */
static void gather(const struct pack *pack, uint8_t *frame, unsigned lane, uint64_t whole[2]) {
    unsigned at = 0;
    whole[0] = whole[1] = 0;
    for (unsigned i = 0; i < pack->ins; i++) {
        unsigned bits = pack->in_bits[i];
        uint64_t part = run_get(frame, pack->in[i], lane);
        if (bits == 128) {
            whole[0] = part;
            whole[1] = run_get_high(frame, pack->in[i], lane);
            return;
        }
        if (bits < 64)
            part &= (UINT64_C(1) << bits) - 1;
        whole[at / 64] |= part << at % 64;
        at += bits;
    }
}

void pack_lanes(const struct pack *pack, uint8_t *frame, uint32_t lanes) {
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = run_lowest(lanes), at = 0;
        uint64_t whole[2];
        gather(pack, frame, lane, whole);
        for (unsigned i = 0; i < pack->outs; i++) {
            unsigned bits = pack->out_bits[i];
            uint64_t part = whole[at / 64] >> at % 64;
            run_put(frame, pack->out[i], lane,
                    bits < 64 ? part & ((UINT64_C(1) << bits) - 1) : part);
            if (pack->out[i].bits == 128)
                run_longs(frame, pack->out[i].at)[RUN_LANES + lane] = whole[1];
            at += bits;
        }
    }
}

static enum run_next repack(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                            struct run_warp *warp) {
    (void)warp;
    pack_lanes(op->more, frame, lanes);
    return RUN_ON;
}

/* The parts of one side: each has its share of `whole` bits. */
static enum wsim_status plan_side(struct run_plan *plan, uint32_t index, unsigned whole,
                                  struct run_row *rows, uint8_t *bits, uint8_t *n) {
    uint32_t count;
    const struct ptx_operand *parts = plan_parts(plan, index, &count);
    if (!count || count > 16 || whole % count)
        return plan_refuse(plan, "this number of registers is not modelled");
    for (uint32_t i = 0; i < count; i++) {
        enum wsim_status status = plan_row_of(plan, &parts[i], whole / count, &rows[i]);
        if (status)
            return status;
        bits[i] = (uint8_t)(whole / count);
    }
    *n = (uint8_t)count;
    return WSIM_OK;
}

/* Two halves and a whole, each in a register of its width. */
static void choose_quick(struct run_plan *plan, const struct pack *pack, unsigned whole) {
    const int joins = pack->outs == 1;
    const struct run_row *wide = joins ? pack->out : pack->in;
    const struct run_row *half = joins ? pack->in : pack->out;
    run_step *step = quick_pack_step(plan, joins, whole);
    if (!step || pack->ins + pack->outs != 3 || wide->bits != whole)
        return;
    for (unsigned i = 0; i < 2; i++)
        if (half[i].bits != whole / 2 && (joins || half[i].bits))
            return;
    plan->op->step = step;
    plan->op->immediate = (half[0].bits != 0) | (unsigned)(half[1].bits != 0) << 1;
    for (unsigned i = 0; i < pack->outs; i++)
        plan->op->at[i] = pack->out[i].at;
    for (unsigned i = 0; i < pack->ins; i++)
        plan->op->at[pack->outs + i] = pack->in[i].at;
}

enum wsim_status pack_plan(struct run_plan *plan) {
    unsigned each = plan->info.operand[0].vector, whole = plan->info.operand[0].bits * each;
    struct pack *pack = plan_keep(plan, sizeof *pack);
    enum wsim_status status;
    if (!pack)
        return base_refuse(plan->diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory");
    status = plan_side(plan, 0, whole, pack->out, pack->out_bits, &pack->outs);
    if (!status)
        status = plan_side(plan, 1, whole, pack->in, pack->in_bits, &pack->ins);
    plan->op->step = repack;
    plan->op->more = pack;
    if (!status)
        choose_quick(plan, pack, whole);
    return status;
}
