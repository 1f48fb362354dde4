/* cp.async: each lane copies 4, 8 or 16 bytes from global to shared memory, or some of them and
 * zeros. */
#include "matrix.h"

#include "../isa/isa.h"
#include "../machine/machine.h"
#include "../state/device.h"
#include "../state/taint.h"

/* Known at issue; the bytes move on completion. */
struct flight {
    uint32_t to[RUN_LANES], size[RUN_LANES];
    uint32_t from[RUN_LANES], from_hi[RUN_LANES]; /* of the host: buffers may be anywhere */
    uint32_t bytes;
};

/* The copy refuses lanes that write the same bytes, as their order is undefined. One after another,
 * they go in the order of an H200: those of .cg as stores do, those of .ca in ascending order. */
static enum run_next one_by_one(const struct wsim_code *code, struct wsim_io *io,
                                struct run_warp *warp, const struct run_op *op, uint32_t lanes) {
    struct wsim_diag diag;
    const unsigned turn = ((const struct matrix_copy *)op->more)->turn;
    for (uint32_t rest = reach_places(lanes, turn); rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest) ^ turn;
        io->copy.mask = UINT32_C(1) << lane;
        if (wsim_run(code, io, &diag))
            return run_refused(warp, op, lane, &diag);
    }
    return RUN_ON;
}

static void begin_write(struct run_access *access, uint32_t lanes, uint32_t bytes) {
    access->space = PTX_SHARED;
    access->kind = RUN_WRITE;
    access->async = 1 + SYNC_CP_ASYNC;
    access->weak = 1;
    access->proxy = access->acquires = access->releases = access->row = 0;
    access->swaps = access->for_lane = access->taints = 0;
    access->replaces = access->narrow = access->barrier = access->plain = 0;
    access->all = access->nc = access->near = 0;
    access->data = NULL;
    access->plan = NULL;
    access->bytes = bytes;
    access->lanes = lanes;
}

/* Uninitialised bytes that were read are uninitialised where they are written. */
static void copy_taint(struct run_warp *warp, uint32_t lanes, const uint32_t to[RUN_LANES]) {
    struct run_taint *taint = warp->taint;
    struct run_block *block = warp->block;
    const uint64_t base = matrix_shared(block).base;
    taint->loads = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        if (taint->loaded[lane])
            taint_drop_shared(warp, block, to[lane] - base, taint->loaded[lane],
                              taint->origin[lane]);
    }
}

void copy_async_heard(const struct run_op *op, uint32_t lanes, uint32_t whole,
                      struct run_warp *warp, const uint64_t to[RUN_LANES],
                      const struct run_buffer *buffer, uint64_t base,
                      const uint64_t from[RUN_LANES]) {
    const struct matrix_copy *copy = op->more;
    const struct wsim_memory *shared = &warp->block->shared;
    const uint32_t start = (uint32_t)matrix_unranked(warp->block, shared->base);
    const int is_heard = (warp->worker->hears & (1u << PTX_SHARED | 1u << PTX_GLOBAL)) != 0;
    uint32_t unranked[RUN_LANES], size[RUN_LANES];
    struct run_access access;
    begin_write(&access, lanes, copy->bytes);
    for (unsigned lane = 0; lane < RUN_LANES; lane++) {
        unranked[lane] = start + (uint32_t)to[lane];
        size[lane] = machine_all_if(whole & machine_bit[lane]) & copy->bytes;
    }
    for (unsigned lane = 0; lane < RUN_LANES && is_heard; lane++) {
        access.at[lane] = shared->base + to[lane];
        access.host[lane] = (uint8_t *)((uintptr_t)shared->bytes + (uintptr_t)to[lane]);
    }
    if (is_heard)
        hear_access(warp, op, &access);
    access.space = PTX_GLOBAL;
    access.kind = RUN_READ;
    access.taints = RUN_TAINTS_STEP;
    access.lanes = whole;
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        access.at[lane] = base + (whole ? from[lane] : 0);
    for (unsigned lane = 0; lane < RUN_LANES && is_heard; lane++)
        access.host[lane] = run_host(buffer, access.at[lane]);
    warp->worker->recent = buffer ? buffer : warp->worker->recent;
    if (whole && is_heard)
        hear_access(warp, op, &access);
    if (warp->taint && warp->taint->loads)
        copy_taint(warp, whole, unranked);
    access.lanes = lanes;
    hear_traffic_copy(warp, op, &access, unranked, size, copy->bytes);
}

static enum run_next move(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                          const void *data) {
    const struct flight *flight = data;
    const struct wsim_memory shared = matrix_shared(warp->block), global = matrix_global();
    struct wsim_io io = {.shared = &shared,
                         .global = &global,
                         .copy = {.addr = flight->to,
                                  .src = flight->from,
                                  .src_hi = flight->from_hi,
                                  .src_size = flight->size,
                                  .mask = lanes,
                                  .bytes = flight->bytes}};
    matrix_event(warp);
    if (wsim_run(matrix_code(warp, op), &io, NULL))
        return one_by_one(matrix_code(warp, op), &io, warp, op, lanes);
    return RUN_ON;
}

/* Finds the sources, those of one size after the other: lanes that read nothing name no memory. */
static enum run_next reach_sources(struct run_warp *warp, const struct run_op *op,
                                   struct flight *flight, struct run_access *access) {
    const uint32_t lanes = access->lanes;
    uint32_t left = lanes;
    access->space = PTX_GLOBAL;
    access->kind = RUN_READ;
    access->taints = RUN_TAINTS_STEP;
    while (left) {
        uint32_t size = flight->size[run_lowest(left)], same = 0;
        enum run_next next = RUN_ON;
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            same |= (uint32_t)(flight->size[lane] == size) << lane;
        same &= left;
        access->lanes = same;
        access->bytes = size;
        if (size && size <= flight->bytes)
            next = run_reach(warp, op, access, size == flight->bytes ? size : 1);
        if (next)
            return next;
        for (uint32_t rest = size && size <= flight->bytes ? same : 0; rest; rest &= rest - 1) {
            const unsigned lane = run_lowest(rest);
            const uint64_t host = (uint64_t)(uintptr_t)access->host[lane];
            flight->from[lane] = (uint32_t)host;
            flight->from_hi[lane] = (uint32_t)(host >> 32);
        }
        left &= ~same;
    }
    if (warp->taint && warp->taint->loads)
        copy_taint(warp, lanes, flight->to);
    return RUN_ON;
}

/* How much each lane reads. */
static void sizes_of(const struct matrix_copy *copy, uint8_t *frame, uint32_t size[RUN_LANES]) {
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        size[lane] = copy->bytes;
    for (unsigned lane = 0; copy->size.bits && lane < RUN_LANES; lane++) {
        uint32_t value = (uint32_t)run_get(frame, copy->size, lane);
        size[lane] = !copy->ignores ? value : value ? 0 : copy->bytes;
    }
}

enum run_next copy_async_step(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                              struct run_warp *warp) {
    const struct matrix_copy *copy = op->more;
    struct flight flight;
    struct run_access access;
    enum run_next next;
    uint32_t any = 0;
    flight.bytes = copy->bytes;
    begin_write(&access, lanes, copy->bytes);
    matrix_addresses(frame, &copy->to, access.at);
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        any |= flight.to[lane] = (uint32_t)matrix_unranked(warp->block, access.at[lane]);
    if (any >> RUN_RANK_SHIFT && (next = run_near_only(warp, op, lanes, &access, copy->bytes)))
        return next;
    sizes_of(copy, frame, flight.size);
    next = run_reach(warp, op, &access, copy->bytes);
    if (next)
        return next;
    matrix_addresses(frame, &copy->from, access.at);
    for (unsigned lane = 0; lane < RUN_LANES; lane++) {
        flight.from[lane] = (uint32_t)access.at[lane];
        flight.from_hi[lane] = (uint32_t)(access.at[lane] >> 32);
    }
    next = reach_sources(warp, op, &flight, &access);
    if (next)
        return next;
    access.lanes = lanes;
    hear_traffic_copy(warp, op, &access, flight.to, flight.size, flight.bytes);
    return sync_issue(warp, op, lanes, SYNC_CP_ASYNC, move, &flight, sizeof flight);
}
