/* Addresses and bytes of a planned access: from registers of a frame. */
#include "reach.h"

#include "../isa/isa.h"
#include "../memory/memory.h"

uint8_t reach_turn(unsigned bytes) {
    const struct isa_banks *rule = isa_bank_rule(UNIT_ST, bytes);
    return (uint8_t)((rule ? rule->lanes : 128 / bytes) - 1);
}

void reach_begin(const struct reach_plan *reach, uint8_t *frame, uint32_t lanes,
                 struct run_access *access) {
    reach_describe(reach, reach->space, lanes, access);
    access->plan = NULL;
    access->all = 0;
    if (reach->base.bits > 32) {
        const uint64_t *base = run_longs(frame, reach->base.at);
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            access->at[lane] = base[lane] + reach->offset;
    } else {
        const uint32_t *base = run_words(frame, reach->base.at);
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            access->at[lane] = (uint32_t)(base[lane] + (uint32_t)reach->offset);
    }
}

int reach_stays(const struct run_access *access, unsigned lane) {
    const unsigned turn = access->plan ? access->plan->turn : 0;
    const int differ = access->row || !(access->lanes & (access->lanes - 1));
    const uint32_t places = reach_places(access->lanes, turn);
    /* The addresses of lanes side by side are not all there. */
    if (differ)
        return 1;
    for (uint32_t rest = places & ~((UINT32_C(2) << (lane ^ turn)) - 1); rest; rest &= rest - 1)
        if (access->at[run_lowest(rest) ^ turn] == access->at[lane])
            return 0;
    return 1;
}

void reach_store_lanes(const struct reach_plan *reach, uint8_t *frame,
                       const struct run_access *access) {
    const unsigned bytes = (unsigned)reach->bytes * reach->elements;
    const int is_unit = reach_is_unit(reach);
    uint8_t unit[16];
    for (uint32_t rest = reach_places(access->lanes, reach->turn); rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest) ^ reach->turn;
        uint8_t *to = is_unit ? unit : access->host[lane];
        for (unsigned e = 0; e < reach->elements; e++, to += reach->bytes) {
            reach_store(to, reach->bytes > 8 ? 8 : reach->bytes,
                        run_get(frame, reach->row[e], lane));
            if (reach->bytes == 16)
                reach_store(to + 8, 8, run_get_high(frame, reach->row[e], lane));
        }
        if (is_unit)
            reach_copy(access->host[lane], unit, bytes);
    }
}

static const uint8_t *put_together(const struct run_access *access,
                                   uint8_t room[RUN_LANES * REACH_MOST]) {
    const uint32_t bytes = (uint32_t)access->plan->bytes * access->plan->elements;
    struct run_access staged;
    staged.lanes = access->lanes;
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        staged.host[lane] = room + lane * bytes;
    reach_store_lanes(access->plan, access->frame, &staged);
    return room;
}

/* A row of words is its own bytes; other registers are put together. */
const uint8_t *reach_data(const struct run_access *access, uint8_t room[RUN_LANES * REACH_MOST]) {
    const struct reach_plan *reach = access->plan;
    if (access->data || !reach)
        return access->data;
    if (reach->elements == 1 && memory_is_host() &&
        ((reach->bytes == 4 && reach->row[0].bits == 32) ||
         (reach->bytes == 8 && reach->row[0].bits == 64)))
        return access->frame + reach->row[0].at;
    return put_together(access, room);
}
