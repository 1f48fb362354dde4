/* cp.async whose lanes have waited, and perhaps not met: see copies.c. */
#include "copies.h"

/* Copies at the beginning of the list whose lanes have all waited, or arrived. */
static void know_first(struct races *races, struct run_warp *warp) {
    struct copies_warp *of = &races->copies[race_warp(warp)];
    uint32_t number = 0;
    while (of->n) {
        const struct copy *copy = copy_at(of, 0);
        if (copy->lanes & ~copy->done)
            break;
        number = copy->done ? copy->number : number;
        of->first++;
        of->n--;
    }
    if (!number)
        return;
    shared_learn(races, warp);
    copies_know(races, warp, number);
}

/* Bytes of lanes that have waited become writes of them, unless others have accessed them since. */
static void enter_states(struct races *races, struct run_warp *warp, const struct copy *copy,
                         uint32_t lanes) {
    const uint32_t number = race_warp(warp), *clocks = race_clocks(races, warp);
    struct race_asker asker = {.races = races,
                               .warp = warp,
                               .n_clocks = 1,
                               .kind = RACE_WRITE,
                               .clocks = {races->scratch}};
    asker.mark = (struct race_mark){
        .clock = clocks[number], .op = copy->op, .actor = (uint16_t)race_sharer(races, number)};
    race_copy(races, races->scratch, clocks);
    races->scratch[race_actor(races, warp, 1 + SYNC_CP_ASYNC)] = copy->number;
    races->states.version++;
    for (uint32_t rest = lanes; rest;) {
        const uint32_t from = copy->from[run_lowest(rest)];
        uint32_t bytes = copy->bytes;
        for (rest &= rest - 1; rest && copy->from[run_lowest(rest)] == from + bytes;
             rest &= rest - 1)
            bytes += copy->bytes;
        asker.found = RACE_NONE;
        shared_access(&asker, warp->block, from, bytes);
    }
    races->states.version++;
    if (asker.no_memory)
        run_no_memory(warp);
}

static void enter_lanes(struct races *races, struct run_warp *warp, const struct copy *copy,
                        uint32_t lanes, int is_epoch) {
    const struct run_op *op = &warp->program->ops[copy->op];
    struct run_access access = {.space = PTX_SHARED,
                                .kind = RUN_WRITE,
                                .weak = 1,
                                .plain = RUN_PLAIN_WEAK,
                                .bytes = copy->bytes,
                                .lanes = lanes};
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        access.at[lane] = warp->block->shared.base + copy->from[lane];
        access.host[lane] = (uint8_t *)((uintptr_t)warp->block->shared.bytes + copy->from[lane]);
    }
    if (is_epoch && races->lanes)
        lanes_hear(races->table, &races->lanes[race_warp(warp)], warp, op, &access);
    if (races->rest)
        release_hear(races, warp, op, &access, RACE_WRITE);
}

/* Copies that lanes have waited for become their writes. */
static void enter(struct races *races, struct run_warp *warp, int is_epoch) {
    struct copies_warp *of = &races->copies[race_warp(warp)];
    for (uint32_t i = 0; i < of->n; i++) {
        struct copy *copy = copy_at(of, i);
        const uint32_t lanes = copy->done & copy->lanes;
        if (!lanes)
            continue;
        enter_states(races, warp, copy, lanes);
        enter_lanes(races, warp, copy, lanes, is_epoch);
        copy->lanes &= ~lanes;
    }
}

void copies_enter(struct races *races, struct run_warp *warp) {
    races->unmet &= ~(UINT64_C(1) << race_warp(warp) % 64);
    enter(races, warp, 1);
    know_first(races, warp);
}

void copies_meet(struct races *races, struct run_warp *warp) {
    know_first(races, warp);
    races->unmet &= ~(UINT64_C(1) << race_warp(warp) % 64);
    enter(races, warp, 0);
}
