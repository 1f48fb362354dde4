/* Loads and stores of a block that is recorded: taper.h. */
#include "taper.h"

#include "../reach/hear.h"
#include "../state/device.h"

#define ALL 0xFFFFFFFFu

/* Where the lanes of an access are in the box. */
struct reached {
    uint64_t first; /* address of the first lane, where %ctaid is 0 */
    uint64_t at[RUN_LANES];
    const uint64_t *by;
    const struct run_buffer *buffer; /* NULL: it is shared memory */
    uint8_t space;
};

/* Whether all blocks have the costs of the recorded one: their lines are elsewhere. */
static int costs_stay(const struct taper *t, const struct reached *reached) {
    uint64_t moves = 0;
    for (unsigned k = 0; k < TAPE_AXES; k++)
        moves |= t->tape.box[k] > 1 ? reached->by[k] : 0;
    return !t->worker->traffic.n || !(moves & ((1u << ISA_LINE_SHIFT) - 1));
}

/* 0: the tape cannot access this. */
static int reach(struct taper *t, const struct run_warp *warp, const uint8_t *frame,
                 const struct reach_plan *plan, uint32_t lanes, struct reached *reached) {
    static const uint64_t still[TAPE_AXES];
    const enum tape_lanes lanes_are = tape_class(t, warp, plan->base, lanes);
    const struct tape_state *state = tape_state(t, warp, plan->base.at, plan->base.bits);
    const unsigned first = run_lowest(lanes);
    const uint64_t mask = plan->base.bits > 32 ? UINT64_MAX : UINT32_MAX;
    const uint64_t bytes = (uint64_t)plan->bytes * plan->elements;
    uint64_t begin;
    if (lanes_are == TAPE_OTHER || !lanes)
        return 0;
    begin = (tape_number(frame, plan->base, first) + plan->offset) & mask;
    reached->by = lanes_are == TAPE_MOVING ? state->by : still;
    reached->space = plan->space;
    reached->buffer = NULL;
    if (plan->space == PTX_GENERIC)
        reached->space = (uint8_t)run_space_of(begin);
    for (unsigned i = 0; i < RUN_LANES; i++) {
        const unsigned lane = lanes >> i & 1 ? i : first;
        const uint64_t at = (tape_number(frame, plan->base, lane) + plan->offset) & mask;
        if (at & (bytes - 1))
            return 0;
        reached->at[i] = at - begin;
    }
    for (unsigned k = 0; k < TAPE_AXES; k++) {
        if (reached->by[k] & (bytes - 1))
            return 0;
        begin -= reached->by[k] * t->id[k];
    }
    reached->first = begin;
    return !(bytes & (bytes - 1));
}

/* The place of the first lane in a buffer that has all lanes in the whole box; 0: there is none. */
static uintptr_t place_in_buffer(const struct taper *t, struct reached *reached, uint64_t bytes) {
    const struct wsim_device *device = t->worker->launch->device;
    const struct run_buffer *buffer;
    uint64_t low = UINT64_MAX, high = 0;
    for (unsigned i = 0; i < RUN_LANES; i++) {
        int64_t range[2];
        uint64_t at = reached->first + reached->at[i];
        for (unsigned k = 0; k < TAPE_AXES; k++)
            at += reached->by[k] * t->id[k];
        if (!tape_range(t, reached->by, at, 64, 0, t->tape.box, range))
            return 0;
        low = (uint64_t)range[0] < low ? (uint64_t)range[0] : low;
        high = (uint64_t)range[1] > high ? (uint64_t)range[1] : high;
    }
    buffer = run_buffer_open(device, low, high - low + bytes);
    reached->buffer = buffer;
    if (buffer)
        return (uintptr_t)run_host(buffer, buffer->base) +
               (uintptr_t)(reached->first - buffer->base);
    return 0;
}

static uintptr_t place_in_shared(struct taper *t, const struct run_warp *warp,
                                 const struct reach_plan *plan, const struct reached *reached) {
    const struct wsim_memory *memory = &warp->block->shared;
    const uint64_t base = memory->base + (plan->space == PTX_GENERIC ? RUN_SHARED_WINDOW : 0);
    const uint64_t bytes = (uint64_t)plan->bytes * plan->elements;
    for (unsigned k = 0; k < TAPE_AXES; k++)
        if (reached->by[k])
            return 0;
    for (unsigned i = 0; i < RUN_LANES; i++) {
        uint64_t at = reached->first + reached->at[i] - base;
        if (plan->base.bits <= 32)
            at = ((reached->first + reached->at[i]) & UINT32_MAX) - base;
        if (memory->size < bytes || at > memory->size - bytes)
            return 0;
        if (plan->kind == RUN_READ) {
            for (uint64_t b = 0; b < bytes; b++)
                if (!t->written[at + b])
                    t->tape.shared_bytes = memory->size;
        }
    }
    for (unsigned i = 0; plan->kind != RUN_READ && i < RUN_LANES; i++)
        memset(t->written + (((reached->first + reached->at[i]) &
                              (plan->base.bits <= 32 ? UINT32_MAX : UINT64_MAX)) -
                             base),
               1, (size_t)bytes);
    return (uintptr_t)t->tape.shared + (uintptr_t)(reached->first - base);
}

/* Whether lanes are `step` bytes apart. */
static int are_apart(uint32_t lanes, const uint64_t at[RUN_LANES], uint64_t step) {
    const unsigned first = run_lowest(lanes);
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        if (at[run_lowest(rest)] != (run_lowest(rest) - first) * step)
            return 0;
    return 1;
}

static enum tape_kind kind_of(const struct reach_plan *plan, uint32_t lanes,
                              const uint64_t at[RUN_LANES]) {
    const int loads = plan->kind == RUN_READ, wide = plan->bytes == 8;
    const enum tape_kind any = loads ? TAPE_LOAD : TAPE_STORE;
    if (plan->elements != 1 || plan->bytes < 4 || plan->row[0].bits != 8u * plan->bytes)
        return any;
    if (loads && !wide && are_apart(lanes, at, 0))
        return TAPE_LOAD_ONE;
    if (!are_apart(lanes, at, plan->bytes))
        return any;
    if (lanes == ALL)
        return (enum tape_kind)((loads ? TAPE_LOAD_4 : TAPE_STORE_4) + wide);
    return wide ? any : loads ? TAPE_LOAD_SOME : TAPE_STORE_SOME;
}

void tape_access(struct taper *t, const struct run_warp *warp, const uint8_t *frame,
                 const struct run_op *op, uint32_t lanes) {
    const struct reach_plan *plan = op->more;
    const int loads = plan->kind == RUN_READ;
    const uint64_t bytes = (uint64_t)plan->bytes * plan->elements;
    struct reach_plan *mine;
    struct tape_lanes_at *access;
    struct reached reached;
    struct tape_act *act;
    uintptr_t place = 0;
    if (plan->space == PTX_PARAM || plan->space == PTX_CONST) {
        if (!loads || tape_class(t, warp, plan->base, lanes) != TAPE_KNOWN)
            tape_fails(t);
        for (unsigned e = 0; !t->failed && e < plan->elements; e++)
            if (plan->row[e].bits)
                tape_knows(t, tape_state(t, warp, plan->row[e].at, plan->row[e].bits), lanes);
        return;
    }
    if (plan->unused || plan->order || plan->acquires || plan->releases ||
        !reach(t, warp, frame, plan, lanes, &reached)) {
        tape_fails(t);
        return;
    }
    if (reached.space == PTX_SHARED)
        place = place_in_shared(t, warp, plan, &reached);
    else if (reached.space == PTX_GLOBAL && plan->weak && plan->base.bits > 32 &&
             costs_stay(t, &reached))
        place = place_in_buffer(t, &reached, bytes);
    if (t->heard && loads && reached.buffer &&
        !hear_needs_none(t->unit->blocks[0].warps, reached.buffer))
        place = 0;
    mine = tape_keep(t, sizeof *mine);
    access = tape_keep(t, sizeof *access);
    if (!place || !mine || !access) {
        tape_fails(t);
        return;
    }
    *mine = *plan;
    access->reach = mine;
    memcpy(access->at, reached.at, sizeof reached.at);
    for (unsigned e = 0; t->heard && !loads && e < plan->elements; e++)
        tape_fills(t, warp, frame, plan->row[e], lanes); /* where listeners look for them */
    for (unsigned e = 0; e < plan->elements; e++)
        if (plan->row[e].bits)
            mine->row[e].at = loads ? tape_writes(t, warp, plan->row[e], lanes)
                                    : tape_reads(t, warp, frame, plan->row[e], lanes);
    act = tape_add(t, kind_of(plan, lanes, access->at), lanes);
    if (!act)
        return;
    act->moved = tape_move(t, reached.by);
    act->access = access;
    act->of = op;
    act->op.at[0] = mine->row[0].at;
    act->op.immediate = place;
    if (act->kind == TAPE_LOAD_SOME || act->kind == TAPE_STORE_SOME)
        act->op.immediate -= 4 * run_lowest(lanes); /* lane 0 */
    act->buffer = reached.buffer;
    act->first = act->low = act->high = place;
    for (unsigned i = 0; i < RUN_LANES; i++) {
        const uintptr_t from = place + (uintptr_t)access->at[i], to = from + (uintptr_t)bytes;
        act->low = from < act->low ? from : act->low;
        act->high = to > act->high ? to : act->high;
    }
}
