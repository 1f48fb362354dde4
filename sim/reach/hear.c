/* Tells listeners of accesses, order and traffic. */
#include "hear_ears.h"

#include "../memory/memory.h"
#include "../state/device.h"
#include "../state/launch.h"

unsigned hear_lane(const struct run_access *access, uint64_t at) {
    if (access->for_lane)
        return access->for_lane - 1u;
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1)
        if (at - run_access_at(access, run_lowest(rest)) < access->bytes)
            return run_lowest(rest);
    return run_lowest(access->lanes);
}

/* --- shared memory, lane by lane --- */

struct run_block *hear_block_of(const struct run_warp *warp, uint64_t at, uint64_t size) {
    const struct run_unit *unit = warp->block->unit;
    struct run_block *block = warp->block;
    const uint64_t rank = at >> RUN_RANK_SHIFT;
    if (rank != block->rank)
        block = rank < unit->n_blocks ? &unit->blocks[rank] : NULL;
    return block && at >= block->shared.base && at - block->shared.base + size <= block->shared.size
               ? block
               : NULL;
}

/* Some lanes, as far as their bytes are in the memory of a block, aligned and so within one cell.
 */
static uint32_t lanes_inside(const struct run_access *access, const struct run_block *block,
                             uint32_t lanes) {
    const uint64_t base = block->shared.base, last = block->shared.size - access->bytes;
    uint32_t inside = 0;
    uint64_t outside = 0, low = 0;
    if (access->row || (access->bytes & (access->bytes - 1)) || access->bytes > HEAR_CELL ||
        access->bytes > block->shared.size)
        return 0;
    if (lanes == UINT32_MAX) {
        for (unsigned lane = 0; lane < RUN_LANES; lane++) {
            outside |= (access->at[lane] - base) | (last - (access->at[lane] - base));
            low |= access->at[lane];
        }
        if (!(outside >> 63) && !(low & (access->bytes - 1)))
            return UINT32_MAX;
    }
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        if (access->at[run_lowest(rest)] - base <= last &&
            !(access->at[run_lowest(rest)] & (access->bytes - 1)))
            inside |= rest & (0u - rest);
    return inside;
}

/* Lanes of an access that reach the memory of one block. */
struct part {
    struct run_block *block;
    uint32_t lanes;
};

/* The parts of all blocks of the cluster, that of the warp first. *rest: lanes that are left. */
static unsigned parts_of(const struct run_warp *warp, const struct run_access *access,
                         struct part parts[RUN_LANES], uint32_t *rest) {
    uint32_t left = access->lanes;
    unsigned n = 0;
    *rest = 0;
    parts[0] = (struct part){warp->block, lanes_inside(access, warp->block, left)};
    n = parts[0].lanes != 0;
    for (left &= ~parts[0].lanes; left && !access->row; left &= left - 1) {
        const unsigned lane = run_lowest(left);
        struct run_block *block = hear_block_of(warp, access->at[lane], access->bytes);
        const uint32_t lanes = block ? lanes_inside(access, block, left) : 0;
        *rest |= ~lanes & UINT32_C(1) << lane;
        if (lanes)
            parts[n++] = (struct part){block, lanes};
        left = (left & ~lanes) | UINT32_C(1) << lane;
    }
    *rest = access->row ? 1 : *rest;
    return n;
}

static void tell_shared(struct run_warp *warp, const struct run_op *op,
                        const struct run_access *access) {
    const uint64_t size = access->row ? (uint64_t)access->row * access->bytes : access->bytes;
    struct part parts[RUN_LANES];
    uint32_t lanes;
    const unsigned n = parts_of(warp, access, parts, &lanes);
    EACH_EAR (ear, warp->worker->bytes) {
        const struct run_hears *const told = ear->hears;
        const unsigned needs = hears(ear, PTX_SHARED) ? told->begin(warp, op, access) : 0;
        if (!needs)
            continue;
        for (unsigned i = 0; i < n; i++)
            told->lanes(warp, op, access, parts[i].block, parts[i].lanes);
        for (uint32_t rest = lanes; rest; rest &= rest - 1) {
            const uint64_t at = access->at[run_lowest(rest)];
            struct run_block *block = hear_block_of(warp, at, size);
            if (block)
                told->window(warp, op, access, block, at - block->shared.base, size);
        }
        if (needs & HEAR_END)
            told->end(warp, op, access);
    }
}

/* --- accesses --- */

void hear_access_whole(struct run_warp *warp, const struct run_op *op,
                       const struct run_access *access) {
    EACH_EAR (ear, warp->worker->whole)
        if (hears(ear, access->space))
            ear->hears->access(warp, op, access);
}

void hear_access_bytes(struct run_warp *warp, const struct run_op *op,
                       const struct run_access *access) {
    struct hear_audience audience;
    unsigned ends = 0;
    if (access->space == PTX_SHARED) {
        tell_shared(warp, op, access);
        return;
    }
    audience.n = 0;
    EACH_EAR (ear, warp->worker->bytes)
        if (hears(ear, access->space)) {
            const unsigned needs = ear->hears->begin(warp, op, access);
            audience.hears[audience.n] = ear->hears;
            ends |= (needs & HEAR_END ? 1u : 0u) << audience.n;
            audience.n += needs != 0;
        }
    if (audience.n)
        hear_pieces(warp, op, access, &audience);
    for (; ends; ends &= ends - 1)
        audience.hears[run_lowest(ends)]->end(warp, op, access);
}

/* --- runs --- */

int hear_run_begins(struct run_warp *warp, struct hear_run *run) {
    const struct reach_plan *plan = run->op->more;
    const struct run_worker *worker = warp->worker;
    if (!hear_may_run(warp) || !plan->weak || plan->kind != RUN_READ || !run->buffer)
        return 0;
    EACH_EAR (ear, worker->bytes)
        if (hears(ear, PTX_GLOBAL) && !(ear->hears->run && ear->hears->run(warp, run)))
            return 0;
    return 1;
}

void hear_runs(struct run_warp *warp, const struct hear_run *runs, unsigned n) {
    EACH_EAR (ear, warp->worker->bytes)
        if (ear->hears->runs)
            ear->hears->runs(warp, runs, n);
    EACH_EAR (ear, warp->worker->traffic)
        ear->hears->traffic_runs(warp, runs, n);
}

/* --- order and traffic --- */

void hear_order_all(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                    enum run_order_kind kind, const void *what) {
    EACH_EAR (ear, warp->worker->order)
        if (hears(ear, kind))
            ear->hears->order(warp, op, lanes, kind, what);
}

void hear_traffic_all(struct run_warp *warp, const struct run_op *op,
                      const struct run_access *access) {
    EACH_EAR (ear, warp->worker->traffic)
        ear->hears->traffic(warp, op, access);
}

int hear_traffic_again(struct run_warp *warp, const struct run_op *op,
                       const struct hear_memory *memory, const uint64_t at[RUN_LANES],
                       uint32_t lanes, enum run_shape shape, const struct run_pattern *pattern) {
    const struct run_ears *ears = &warp->worker->traffic;
    return ears->n == 1 &&
           ears->ears[0].hears->traffic_again(warp, op, memory, at, lanes, shape, pattern);
}

void hear_traffic_code(struct run_warp *warp, const struct run_op *op, const struct wsim_code *code,
                       const struct wsim_io *io) {
    EACH_EAR (ear, warp->worker->traffic)
        ear->hears->traffic_code(warp, op, code, io);
}

void hear_traffic_copy(struct run_warp *warp, const struct run_op *op,
                       const struct run_access *access, const uint32_t to[RUN_LANES],
                       const uint32_t size[RUN_LANES], uint32_t bytes) {
    EACH_EAR (ear, warp->worker->traffic)
        ear->hears->traffic_copy(warp, op, access, to, size, bytes);
}

void hear_traffic_lines(struct run_warp *warp, const struct run_op *op, uint64_t at, unsigned n,
                        uint64_t pitch, uint64_t bytes) {
    EACH_EAR (ear, warp->worker->traffic)
        ear->hears->traffic_lines(warp, op, at, n, pitch, bytes);
}
