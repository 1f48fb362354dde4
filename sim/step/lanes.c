/* Steps that go lane by lane: fast steps (quick.c) equal them, and fall back to them. */
#include "../memory/memory.h"
#include "../reach/hear.h"
#include "access.h"
#include "data.h"

#include <stdatomic.h>

/* --- instructions that only compute --- */

enum run_next data_step(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                        struct run_warp *warp) {
    const struct data *data = op->more;
    (void)warp;
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = run_lowest(lanes);
        uint64_t in[WSIM_SCALAR_IN], out[WSIM_SCALAR_OUT];
        for (unsigned i = 0; i < data->ins; i++)
            in[i] = data->high_in[i] ? run_get_high(frame, data->in[i], lane)
                                     : run_get(frame, data->in[i], lane);
        data->function(&data->meaning, in, out);
        for (unsigned i = 0; i < data->outs; i++) {
            if (data->sign[i])
                out[i] = scalar_signed(out[i], data->sign[i]);
            if (data->high_out[i])
                run_longs(frame, data->out[i].at)[RUN_LANES + lane] = out[i];
            else
                run_put(frame, data->out[i], lane, out[i]);
        }
    }
    return RUN_ON;
}

/* --- loads and stores --- */

/* Other threads of the host run other blocks: what is ordered for them is ordered there too. */
static void order(const struct reach_plan *reach) {
    if (reach->order)
        atomic_thread_fence(memory_order_seq_cst);
}

/* An element of one lane. */
static void load_element(const struct reach_plan *reach, uint8_t *frame, unsigned e, unsigned lane,
                         const uint8_t *from) {
    const struct run_row row = reach->row[e];
    uint64_t value = reach_load(from, reach->bytes > 8 ? 8 : reach->bytes);
    if (reach->is_signed && reach->bytes < 8) {
        uint64_t sign = UINT64_C(1) << (8 * reach->bytes - 1);
        value = (value ^ sign) - sign;
    }
    run_put(frame, row, lane, value);
    if (row.bits == 128)
        run_longs(frame, row.at)[RUN_LANES + lane] = reach_load(from + 8, 8);
}

static void load_lanes(const struct reach_plan *reach, uint8_t *frame,
                       const struct run_access *access) {
    const unsigned bytes = (unsigned)reach->bytes * reach->elements;
    const int is_unit = reach_is_unit(reach);
    uint8_t unit[16];
    if (bytes == 4 && reach->row[0].bits == 32 && reach->elements == 1 && memory_is_host()) {
        uint32_t *to = run_words(frame, reach->row[0].at);
        for (uint32_t rest = access->lanes; rest; rest &= rest - 1)
            memcpy(&to[run_lowest(rest)], access->host[run_lowest(rest)], 4);
        return;
    }
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        const uint8_t *from = access->host[lane];
        if (is_unit) {
            reach_copy(unit, from, bytes);
            from = unit;
        }
        for (unsigned e = 0; e < reach->elements; e++, from += reach->bytes)
            if (reach->row[e].bits)
                load_element(reach, frame, e, lane, from);
    }
}

enum run_next memory_move(const struct reach_plan *reach, uint8_t *frame,
                          struct run_access *access) {
    if (reach->kind == RUN_READ)
        load_lanes(reach, frame, access);
    else
        reach_store_lanes(reach, frame, access);
    return RUN_ON;
}

enum run_next memory_step(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                          struct run_warp *warp) {
    const struct reach_plan *reach = op->more;
    struct run_access access;
    uint32_t align = (uint32_t)reach->bytes * (reach->elements + reach->unused);
    uint8_t room[RUN_LANES * REACH_MOST];
    enum run_next next;
    order(reach);
    reach_begin(reach, frame, lanes, &access);
    reach_name(reach, frame, &access);
    if (reach->kind == RUN_WRITE && warp->worker->values &&
        (reach->space == PTX_GLOBAL || reach->space == PTX_GENERIC))
        access.data = reach_data(&access, room);
    if (reach->space != PTX_GENERIC) {
        next = run_reach(warp, op, &access, align);
        if (next)
            return next;
        hear_traffic(warp, op, &access);
        memory_move(reach, frame, &access);
    } else {
        uint32_t rest;
        do {
            next = run_reach_generic(warp, op, &access, align, &rest);
            if (next)
                return next;
            hear_traffic(warp, op, &access);
            memory_move(reach, frame, &access);
            access.lanes = rest;
        } while (rest);
    }
    order(reach);
    return warp->taint ? RUN_TAINT : RUN_ON;
}
