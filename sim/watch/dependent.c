/* A kernel that begins before the one before it in its stream has ended (programmatic dependent
 * launch). Its writes are visible after griddepcontrol.wait, and to threads that another thread
 * tells after its own wait. A flag of the other kernel says so too. */
#include "listeners.h"

#include "../state/launch.h"

/* A warp, or a unit with such a warp, knows that the other kernel has ended: its slot is set. */
static int knows(const struct run_warp *warp) {
    return warp->heard[LISTENER_DEPENDENT] != NULL;
}

static void learn(struct run_warp *warp) {
    warp->heard[LISTENER_DEPENDENT] = warp;
    warp->block->unit->heard[LISTENER_DEPENDENT] = warp;
}

static void begin_unit(struct run_unit *unit) {
    unit->heard[LISTENER_DEPENDENT] = NULL;
    for (uint32_t b = 0; b < unit->n_blocks; b++)
        for (uint32_t w = 0; w < unit->blocks[b].n_warps; w++)
            unit->blocks[b].warps[w].heard[LISTENER_DEPENDENT] = NULL;
}

static void hear_order_of(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                          enum run_order_kind kind, const void *what) {
    const int told = warp->block->unit->heard[LISTENER_DEPENDENT] != NULL;
    (void)op, (void)what;
    if (kind == RUN_ORDER_LET_GO) {
        for (uint32_t rest = told ? lanes : 0; rest; rest &= rest - 1)
            learn(&warp->block->warps[run_lowest(rest)]);
    } else if (kind == RUN_ORDER_GRIDS || told ||
               (kind == RUN_ORDER_FENCE && warp->program->waits_grids)) {
        learn(warp); /* another block may have told it */
    }
}

/* Whether bytes are among those that the other kernel accesses as `kind`. Ranges are sorted by kind
 * and address. */
static int is_in(const struct wsim_launch *how, unsigned kind, uint64_t at, uint32_t bytes) {
    size_t low = 0, high = how->n_primary;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct wsim_touched *range = &how->primary[middle];
        if (range->kind < kind || (range->kind == kind && range->address + range->bytes <= at))
            low = middle + 1;
        else
            high = middle;
    }
    return low < how->n_primary && how->primary[low].kind == kind &&
           how->primary[low].address < at + bytes;
}

static void hear_access_of(struct run_warp *warp, const struct run_op *op,
                           const struct run_access *access) {
    const struct wsim_launch *const how = warp->worker->launch->how;
    if (knows(warp))
        return;
    if (access->acquires && warp->program->waits_grids) {
        learn(warp);
        return;
    }
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        const uint64_t at = run_access_at(access, lane);
        const int writes = access->kind != RUN_READ;
        if (!access->weak) {
            if (access->kind != RUN_WRITE && (is_in(how, WSIM_TOUCHED_STRONG, at, access->bytes) ||
                                              is_in(how, WSIM_TOUCHED_WRITTEN, at, access->bytes)))
                learn(warp); /* perhaps a flag */
            continue;
        }
        if (!is_in(how, WSIM_TOUCHED_WRITTEN, at, access->bytes))
            continue;
        run_finding_of(warp, op, access->for_lane ? access->for_lane - 1u : lane, NULL,
                       RULE_RACE_DEPENDENCY,
                       &(struct run_subject){RUN_ADDRESS, PTX_GLOBAL, access->bytes, at, 0},
                       "%s %u bytes that the kernel before this one in the stream writes: it may "
                       "still run; missing: cudaGridDependencySynchronize(), griddepcontrol.wait, "
                       "before the access",
                       writes ? "writes" : "reads", access->bytes);
        warp->heard[LISTENER_DEPENDENT] = warp; /* the wait that is missing is one mistake */
        return;
    }
}

const struct run_hears dependent_hears = {
    .unit_begin = begin_unit, .access = hear_access_of, .order = hear_order_of};
