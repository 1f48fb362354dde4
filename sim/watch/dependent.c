/* A kernel that begins before the one before it in its stream has ended (programmatic dependent
 * launch). That kernel has ended after griddepcontrol.wait, for threads that another thread tells
 * after its own wait, too. A flag of the other kernel says so too.
 *
 * If the kernel before did not wait itself, kernels further before may still run: their ranges have
 * kinds from WSIM_TOUCHED_KINDS on. PTX promises no end of them to a wait of this kernel. On an
 * H200 they have ended (200 chains of three), so an access after a wait is a note. */
#include "listeners.h"

#include "../state/launch.h"

#include <stdatomic.h>

/* How much a warp knows to be over, or a unit with such a warp: it is in their slots. */
enum knows { KNOWS_NOTHING, KNOWS_LAST, KNOWS_ALL };

static uintptr_t level_of(void *const *heard) {
    return (uintptr_t)heard[LISTENER_DEPENDENT];
}

static void raise_to(void **heard, uintptr_t level) {
    if (level > level_of(heard))
        heard[LISTENER_DEPENDENT] = (void *)level;
}

static void learn(struct run_warp *warp, uintptr_t level) {
    raise_to(warp->heard, level);
    raise_to(warp->block->unit->heard, level);
}

static void begin_unit(struct run_unit *unit) {
    unit->heard[LISTENER_DEPENDENT] = NULL;
    for (uint32_t b = 0; b < unit->n_blocks; b++)
        for (uint32_t w = 0; w < unit->blocks[b].n_warps; w++)
            unit->blocks[b].warps[w].heard[LISTENER_DEPENDENT] = NULL;
}

static void hear_order_of(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                          enum run_order_kind kind, const void *what) {
    const uintptr_t told = level_of(warp->block->unit->heard);
    (void)op, (void)what;
    if (kind == RUN_ORDER_LET_GO) {
        for (uint32_t rest = told ? lanes : 0; rest; rest &= rest - 1)
            learn(&warp->block->warps[run_lowest(rest)], told);
        return;
    }
    if (kind == RUN_ORDER_GRIDS)
        atomic_store_explicit(&warp->worker->launch->shared->waited, 1, memory_order_relaxed);
    if (kind == RUN_ORDER_GRIDS || (kind == RUN_ORDER_FENCE && warp->program->waits_grids))
        learn(warp, KNOWS_LAST); /* at a fence, another block may have told it */
    learn(warp, told);
}

/* Whether bytes are among those that kernels before access as `kind`; those further before if
 * `beyond`. Ranges are sorted by kind and address. */
static int is_in(const struct wsim_launch *how, unsigned beyond, unsigned kind, uint64_t at,
                 uint32_t bytes) {
    size_t low = 0, high = how->n_primary;
    kind += beyond * WSIM_TOUCHED_KINDS;
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

/* Up to which `beyond` there are ranges. */
static unsigned end_of(const struct wsim_launch *how) {
    return how->n_primary ? how->primary[how->n_primary - 1].kind / WSIM_TOUCHED_KINDS + 1u : 0;
}

/* How kernels before access bytes that an access conflicts with; NULL: none does. */
static const char *conflict(const struct wsim_launch *how, unsigned beyond,
                            const struct run_access *access, uint64_t at) {
    const int writes = access->kind != RUN_READ;
    if (access->weak || (writes && access->kind != RUN_ATOMIC))
        if (is_in(how, beyond, WSIM_TOUCHED_WRITTEN, at, access->bytes))
            return "writes";
    if (writes && access->kind != RUN_ATOMIC)
        if (is_in(how, beyond, WSIM_TOUCHED_READ, at, access->bytes))
            return "reads";
    if (writes && access->weak)
        if (is_in(how, beyond, WSIM_TOUCHED_STRONG, at, access->bytes))
            return "accesses";
    return NULL;
}

/* Whether a load, or an atomic that returns a value, may see a flag of a kernel before. */
static int is_flag(const struct wsim_launch *how, const struct run_access *access, uint64_t at) {
    if (access->weak || access->kind == RUN_WRITE || access->kind == RUN_REDUCE)
        return 0;
    for (unsigned beyond = 0; beyond < 2; beyond++)
        if (is_in(how, beyond, WSIM_TOUCHED_STRONG, at, access->bytes) ||
            is_in(how, beyond, WSIM_TOUCHED_WRITTEN, at, access->bytes))
            return 1;
    return 0;
}

static void tell(struct run_warp *warp, const struct run_op *op, const struct run_access *access,
                 unsigned lane, uint64_t at, int beyond, const char *does) {
    run_finding_of(
        warp, op, access->for_lane ? access->for_lane - 1u : lane, NULL,
        level_of(warp->heard) == KNOWS_LAST ? RULE_ADVICE_DEPENDENCY_CHAIN : RULE_RACE_DEPENDENCY,
        &(struct run_subject){RUN_ADDRESS, PTX_GLOBAL, access->bytes, at, 0},
        "%s %u bytes that %s %s: it may still run; missing: cudaGridDependencySynchronize(), "
        "griddepcontrol.wait, %s",
        access->kind != RUN_READ ? "writes" : "reads", access->bytes,
        beyond ? "a kernel further before in the stream"
               : "the kernel before this one in the stream",
        does, beyond ? "in the kernel between" : "before the access");
    raise_to(warp->heard, KNOWS_ALL); /* the wait that is missing is one mistake */
}

static void hear_access_of(struct run_warp *warp, const struct run_op *op,
                           const struct run_access *access) {
    const struct wsim_launch *const how = warp->worker->launch->how;
    const unsigned from = (unsigned)level_of(warp->heard); /* ranges of `from` and more count */
    const unsigned end = end_of(how);
    if (from >= end)
        return;
    if (access->acquires && warp->program->waits_grids)
        learn(warp, KNOWS_LAST);
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        const uint64_t at = run_access_at(access, lane);
        if (is_flag(how, access, at)) {
            learn(warp, KNOWS_ALL);
            return;
        }
        for (unsigned beyond = (unsigned)level_of(warp->heard); beyond < end; beyond++) {
            const char *does = conflict(how, beyond, access, at);
            if (!does)
                continue;
            tell(warp, op, access, lane, at, (int)beyond, does);
            return;
        }
    }
}

const struct run_hears dependent_hears = {
    .unit_begin = begin_unit, .access = hear_access_of, .order = hear_order_of};
