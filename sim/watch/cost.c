/* Cost of accesses, per operation: banks by the code of the access, sectors and lines by distinct
 * addresses. Most accesses are like the one before of their operation, and cost what it did. */
#include "cost.h"
#include "listeners.h"
#include "../decode/count.h"
#include "../machine/machine.h"
#include "../reach/hear.h"
#include "../state/device.h"
#include "../state/launch.h"

#include <stdlib.h>

enum { MOST_WARPS = 32 };
#define JOINED_MOST 16u /* bytes of a lane that accesses join to */

/* The lanes of a load, store or atomic, and all that its cost depends on. `lanes` and `place` do
 * not touch, because one comparison of both would wait for their two stores. */
struct spread {
    uint32_t lanes;
    enum run_shape shape;
    uint32_t place;                    /* of the first lane: see step_of */
    uint64_t first;                    /* its address                    */
    const struct run_pattern *pattern; /* of a load; NULL: it has none */
    const uint64_t *at; /* [RUN_LANES] of all lanes, unless the shape or the pattern says them;
                           those that take no part are where the first one is */
};

/* --- lanes --- */

/* Lanes can move by a multiple of this many bytes without changing a count: those of global memory
 * by lines. In shared memory alignment stays, and the banks rotate. */
static uint32_t step_of(const struct run_warp *warp, const struct run_op *op, uint8_t space,
                        uint32_t bytes) {
    if (space == PTX_GLOBAL)
        return PLACES;
    if (count_merged(warp->program, op))
        return JOINED_MOST;
    return bytes > MACHINE_WORD ? bytes : MACHINE_WORD;
}

static int is_remembered(const struct cost_last *last) {
    return last->misses < PATIENCE || last->misses % PATIENCE == 0;
}

/* Whether an access is like the last one. */
static int is_again(struct cost_last *last, const struct spread *spread) {
    const struct run_pattern *pattern = spread->pattern;
    uint64_t differ = 0;
    if (last->misses > PATIENCE && last->misses % PATIENCE != 1)
        return 0;
    if (last->lanes != spread->lanes || last->place != spread->place)
        return 0;
    if (spread->shape != RUN_SCATTERED)
        return last->shape == spread->shape;
    if (pattern && last->pattern == pattern->number)
        return 1;
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        differ |=
            (pattern ? (uint64_t)(int64_t)pattern->apart[lane] : spread->at[lane] - spread->first) -
            last->apart[lane];
    last->pattern = pattern && !differ ? pattern->number : last->pattern;
    return !differ;
}

static void remember(struct cost_last *last, const struct spread *spread,
                     const struct run_access *access) {
    uint64_t row = 0, one = 0;
    for (unsigned lane = 0; lane < RUN_LANES; lane++) {
        last->apart[lane] = spread->at[lane] - spread->first;
        row |= last->apart[lane] ^ (uint64_t)lane * access->bytes;
        one |= last->apart[lane];
    }
    last->lanes = spread->lanes;
    last->place = spread->place;
    last->space = access->space;
    last->pattern = 0;
    last->shape = !one                                  ? RUN_AT_ONE
                  : !row && spread->lanes == UINT32_MAX ? RUN_IN_ROW
                                                        : RUN_SCATTERED;
}

/* --- shared memory --- */

/* 1 and the cost of an access; 0: its counts are not known. */
static int find_cost(struct run_warp *warp, uint32_t number, const struct wsim_io *io,
                     struct wsim_cost_pattern *last, struct wsim_cost *cost) {
    const struct wsim_code *code = number ? warp->worker->launch->codes[number - 1] : NULL;
    return code && !wsim_cost_again(code, io, WSIM_HARDWARE_COUNTERS, last, cost, NULL);
}

static void add_cost(struct wsim_shared_counts *counts, const struct wsim_cost *cost) {
    counts->accesses++;
    counts->wavefronts += cost->wavefronts;
    counts->ideal += cost->ideal;
    counts->conflicts += cost->conflicts;
}

#define ADD_COUNTS(to, from)                                                                       \
    do {                                                                                           \
        (to)->accesses += (from)->accesses;                                                        \
        (to)->wavefronts += (from)->wavefronts;                                                    \
        (to)->ideal += (from)->ideal;                                                              \
        (to)->conflicts += (from)->conflicts;                                                      \
    } while (0)

/* Adds what machine accesses cost, and what the access as written does. */
static void add_shared(struct run_warp *warp, const struct run_op *op,
                       const struct wsim_shared_counts *shared,
                       const struct wsim_shared_counts *written) {
    struct run_counts *counts = &warp->worker->counts[run_number(warp, op)];
    const struct run_merged *merged = count_merged(warp->program, op);
    ADD_COUNTS(counts, shared);
    if (merged)
        ADD_COUNTS(&warp->worker->written[merged - warp->program->merged], written);
}

/* True if an earlier turn of an unrolled loop counted the access. Then its window is the same in
 * all lanes, and this part is new. */
static int shares_access(const struct run_warp *warp, struct cost_other *other,
                         const struct run_merged *merged, const uint32_t addr[RUN_LANES],
                         uint32_t lanes) {
    const uint32_t bytes = merged->access[0].bytes;
    const uint32_t part = 1u << addr[run_lowest(lanes)] % bytes;
    uint64_t hash = lanes;
    struct cost_window *of;
    if (!other->windows && !other->is_fresh)
        other->windows = calloc(MOST_WARPS, sizeof *other->windows);
    if (!other->windows)
        return 0;
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        hash = (hash ^ (lanes >> lane & 1 ? addr[lane] / bytes : 0)) * 0x100000001B3u;
    of = &other->windows[warp->number % MOST_WARPS];
    if (of->hash == hash && !(of->parts & part)) {
        of->parts |= part;
        return 1;
    }
    *of = (struct cost_window){hash, part};
    return 0;
}

/* Counts the machine accesses of one that is joined, and the access as written. 0: its
 * counts are not known. */
static int count_joined(struct run_warp *warp, struct cost_other *other,
                        const struct run_merged *merged, struct wsim_io *io,
                        uint32_t addr[RUN_LANES], struct wsim_shared_counts *shared,
                        struct wsim_shared_counts *written) {
    struct wsim_cost cost;
    int32_t from = 0;
    if (!find_cost(warp, merged->written, io, &other->written, &cost))
        return 0;
    add_cost(written, &cost);
    for (unsigned i = 0; i < merged->n; i++) {
        if (merged->access[i].unrolled && shares_access(warp, other, merged, addr, io->move.mask))
            continue;
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            if (io->move.mask >> lane & 1)
                addr[lane] += (uint32_t)(merged->access[i].from - from);
        from = merged->access[i].from;
        for (unsigned lane = 0; lane < RUN_LANES && merged->access[i].aligned; lane++)
            addr[lane] &= 0 - (uint32_t)merged->access[i].bytes;
        if (find_cost(warp, merged->access[i].code, io, &other->pattern, &cost))
            add_cost(shared, &cost);
    }
    return 1;
}

/* Whether the cost depends on more than the lanes: on the turns before. */
static int depends_on_turns(const struct run_merged *merged) {
    for (unsigned i = 0; merged && i < merged->n; i++)
        if (merged->access[i].unrolled)
            return 1;
    return 0;
}

/* The lanes in shared memory of the own block. Loads and stores of other blocks of the cluster do
 * not count on an H200 (tests/kernels/ordinary). */
static uint32_t lanes_here(const struct run_warp *warp, const struct run_access *access) {
    uint32_t lanes = access->lanes;
    for (uint32_t rest = warp->block->unit->n_blocks > 1 ? lanes : 0; rest; rest &= rest - 1)
        if (access->at[run_lowest(rest)] >> RUN_RANK_SHIFT != warp->block->rank)
            lanes &= ~(rest & (0u - rest));
    return lanes;
}

/* The number of the code that counts an access, from 1; 0: its counts are not known. */
static uint32_t code_of(const struct run_op *op) {
    const uint32_t number = op->at[COUNT_CODE] & ~(COUNT_REDUCED | COUNT_WHOLE);
    return number == COUNT_NONE ? 0 : number;
}

/* The lanes of an atomic that access memory: one, if redux combines the values of lanes that have
 * one address. */
static uint32_t lanes_of_atomic(const struct run_warp *warp, const struct run_op *op,
                                const struct run_access *access, uint32_t lanes) {
    const uint32_t first = run_lowest(lanes);
    if (op->traffic != RUN_TRAFFIC_ATOMIC || !(op->at[COUNT_CODE] & COUNT_REDUCED) ||
        (op->at[COUNT_CODE] & COUNT_WHOLE && lanes != UINT32_MAX) ||
        !(warp->worker->launch->arch->features >> FEATURE_AMPERE & 1))
        return lanes;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        if (access->at[run_lowest(rest)] != access->at[first])
            return lanes;
    return 1u << first;
}

/* 0: the counts are not known: those of atomics in other blocks, and of some instructions. */
static int count_shared(struct run_warp *warp, const struct run_op *op,
                        const struct run_access *access, uint32_t here,
                        struct wsim_shared_counts *shared, struct wsim_shared_counts *written) {
    uint32_t addr[RUN_LANES];
    struct wsim_io io = {.move = {.addr = addr}};
    const struct run_merged *merged = count_merged(warp->program, op);
    struct cost_other fresh, *other;
    struct wsim_cost cost;
    if ((op->traffic == RUN_TRAFFIC_ATOMIC && here != access->lanes) || !(merged || code_of(op)))
        return 0;
    if (!here)
        return 1;
    io.move.mask = lanes_of_atomic(warp, op, access, here);
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        addr[lane] = io.move.mask >> lane & 1
                         ? (uint32_t)(access->at[lane] & ((1u << RUN_RANK_SHIFT) - 1))
                         : 0;
    other = cost_other_of(warp->worker, run_number(warp, op), &fresh);
    if (merged)
        return count_joined(warp, other, merged, &io, addr, shared, written);
    if (!find_cost(warp, code_of(op), &io, &other->pattern, &cost))
        return 0;
    add_cost(shared, &cost);
    return 1;
}

/* `last` (may be NULL) remembers it. */
static void hear_shared(struct run_warp *warp, const struct run_op *op,
                        const struct run_access *access, const struct spread *spread,
                        struct cost_last *last) {
    const uint32_t here = lanes_here(warp, access);
    struct wsim_shared_counts shared = {0}, written = {0};
    if (!count_shared(warp, op, access, here, &shared, &written)) {
        warp->worker->counts[run_number(warp, op)].uncounted++;
        return;
    }
    add_shared(warp, op, &shared, &written);
    if (last && here == access->lanes && !depends_on_turns(count_merged(warp->program, op))) {
        remember(last, spread, access);
        last->shared = shared;
        last->written = written;
    }
}

static void hear_code(struct run_warp *warp, const struct run_op *op, const struct wsim_code *code,
                      const struct wsim_io *io) {
    struct run_worker *worker = warp->worker;
    const uint32_t number = run_number(warp, op);
    struct wsim_shared_counts now = {0};
    struct cost_other fresh, *last = cost_other_of(worker, number, &fresh);
    struct wsim_cost cost;
    if (wsim_cost_again(code, io, WSIM_HARDWARE_COUNTERS, &last->pattern, &cost, NULL)) {
        worker->counts[number].uncounted++;
        return;
    }
    add_cost(&now, &cost);
    ADD_COUNTS(&worker->counts[number], &now);
}

/* --- global memory --- */

static void add_sectors(struct run_warp *warp, const struct run_op *op, uint32_t bytes,
                        const struct cost_sectors *now) {
    struct run_counts *counts = &warp->worker->counts[run_number(warp, op)];
    counts->requests++;
    counts->lines += now->lines;
    counts->sectors += now->sectors;
    counts->sectors_ideal += ((uint64_t)now->words * bytes + 31) / 32;
}

/* The places of lanes, from 2 GB before the first one. In most warps they do not descend: equal
 * ones lie side by side. */
struct row {
    unsigned n;
    uint32_t at[1 + RUN_LANES]; /* at[0] is at[1] again */
};

/* 0: the lanes are too far apart. */
static int take_row(const struct run_access *access, struct row *row) {
    const uint64_t first = access->at[run_lowest(access->lanes)] & ~(uint64_t)(PLACES - 1);
    const uint64_t base = first - (UINT64_C(1) << 31);
    uint64_t far = 0;
    row->n = 0;
    row->at[1] = 0;
    if (access->lanes == UINT32_MAX) {
        for (unsigned lane = 0; lane < RUN_LANES; lane++) {
            row->at[1 + lane] = (uint32_t)(access->at[lane] - base);
            far |= access->at[lane] - base;
        }
        row->n = RUN_LANES;
    } else {
        for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
            const uint64_t at = access->at[run_lowest(rest)] - base;
            row->at[++row->n] = (uint32_t)at;
            far |= at;
        }
    }
    row->at[0] = row->at[1];
    return !(far >> 32);
}

/* Leaves the places once if parts of the warp have the same ones. */
static void drop_equal_parts(struct row *row) {
    for (unsigned half = row->n / 2; row->n == 2 * half && half; half /= 2) {
        if (memcmp(&row->at[1], &row->at[1 + half], half * sizeof row->at[0]) != 0)
            break;
        row->n = half;
    }
}

/* 0: some place descends. */
static inline int count_places(const uint32_t *at, unsigned n, struct cost_sectors *counts) {
    uint32_t words = 1, sectors = 1, lines = 1, descends = 0;
    for (unsigned i = 1; i <= n; i++) {
        const uint32_t other = at[i] ^ at[i - 1];
        descends |= at[i] < at[i - 1];
        words += other != 0;
        sectors += other >> ISA_SECTOR_SHIFT != 0;
        lines += other >> ISA_LINE_SHIFT != 0;
    }
    *counts = (struct cost_sectors){sectors, lines, words};
    return !descends;
}

static int count_ascending(const struct run_access *access, struct cost_sectors *counts) {
    struct row row;
    if (!take_row(access, &row))
        return 0;
    if (row.n == RUN_LANES && count_places(row.at, RUN_LANES, counts))
        return 1;
    drop_equal_parts(&row);
    return count_places(row.at, row.n, counts);
}

/* Sectors and lines of a warp are distinct ones. An address of several lanes counts once, in
 * atomics as often as the most wanted word of its sector is wanted. */
static void count_sectors(const struct run_access *access, struct cost_sectors *counts) {
    struct machine_sectors all;
    if (access->kind == RUN_READ || access->kind == RUN_WRITE) {
        if (count_ascending(access, counts))
            return;
        machine_sectors(access->at, access->lanes, &all);
    } else {
        machine_sectors_atomic(access->at, access->lanes, MACHINE_LINE / MACHINE_SECTOR, &all);
    }
    *counts = (struct cost_sectors){all.sectors, all.lines, all.words};
}

static void count_side_by_side(uint64_t first, uint32_t bytes, uint32_t lanes,
                               struct cost_sectors *counts) {
    const uint64_t last = first + (uint64_t)(lanes - 1) * bytes;
    counts->sectors = (uint32_t)((last >> ISA_SECTOR_SHIFT) - (first >> ISA_SECTOR_SHIFT)) + 1;
    counts->lines = (uint32_t)((last >> ISA_LINE_SHIFT) - (first >> ISA_LINE_SHIFT)) + 1;
    counts->words = lanes;
}

/* Counts what the shape alone tells. 0: it does not. */
static int count_shape(uint64_t first, uint32_t bytes, uint32_t lanes, enum run_shape shape,
                       struct cost_sectors *counts) {
    *counts = (struct cost_sectors){1, 1, 1};
    if (shape == RUN_IN_ROW)
        count_side_by_side(first, bytes, RUN_LANES, counts);
    return shape != RUN_SCATTERED || !(lanes & (lanes - 1));
}

/* --- loads, stores and atomics --- */

/* Adds what the last access of the operation cost. 0: this one is not like it. */
static int add_again(struct run_warp *warp, const struct run_op *op, uint8_t space, uint32_t bytes,
                     struct cost_last *last, const struct spread *spread) {
    if (!last || last->space != space || !is_again(last, spread))
        return 0;
    last->misses = 0;
    if (space == PTX_GLOBAL)
        add_sectors(warp, op, bytes, &last->sectors);
    else
        add_shared(warp, op, &last->shared, &last->written);
    return 1;
}

static int hear_again(struct run_warp *warp, const struct run_op *op,
                      const struct hear_memory *memory, const uint64_t at[RUN_LANES],
                      uint32_t lanes, enum run_shape shape, const struct run_pattern *pattern) {
    const struct reach_plan *plan = op->more;
    const uint32_t bytes = (uint32_t)plan->bytes * plan->elements;
    const uint8_t space = memory->block ? PTX_SHARED : PTX_GLOBAL;
    const uint64_t first = memory->base + at[0];
    const struct cost_memories *all = warp->worker->heard[LISTENER_COST];
    const struct spread spread = {.lanes = lanes,
                                  .place = first & (step_of(warp, op, space, bytes) - 1),
                                  .shape = shape,
                                  .first = at[0],
                                  .pattern = pattern,
                                  .at = at};
    struct cost_sectors sectors;
    if (!op->traffic)
        return 1;
    if (space == PTX_GLOBAL && count_shape(first, bytes, lanes, shape, &sectors)) {
        add_sectors(warp, op, bytes, &sectors);
        return 1;
    }
    return all && add_again(warp, op, space, bytes, all[run_number(warp, op)].last, &spread);
}

/* Units of `bytes` that one or two pieces of a load touch; those of both count once. */
static uint32_t units_of(uint64_t first, uint64_t other, uint64_t size, uint32_t bytes) {
    const uint64_t from[2] = {first / bytes, other / bytes};
    const uint64_t to[2] = {(first + size - 1) / bytes, (other + size - 1) / bytes};
    const uint64_t begin = from[0] > from[1] ? from[0] : from[1];
    const uint64_t end = to[0] < to[1] ? to[0] : to[1];
    uint64_t n = to[0] - from[0] + 1 + to[1] - from[1] + 1;
    if (begin <= end)
        n -= end - begin + 1;
    return (uint32_t)n;
}

/* Counts the loads of a run. Their places in a line repeat after at most PLACES loads. */
static void hear_run_of(struct run_warp *warp, const struct hear_run *run) {
    const struct reach_plan *plan = run->op->more;
    struct run_counts *counts = &warp->worker->counts[run_number(warp, run->op)];
    uint64_t first = run->buffer->base + run->from;
    uint32_t period = 1;
    while (run->step * period % PLACES)
        period++;
    for (uint32_t k = 0; k < run->n && k < period; k++, first += run->step) {
        const uint64_t times = run->n / period + (k < run->n % period), far = first + run->far;
        const uint32_t words = units_of(first, far, run->size, plan->bytes);
        counts->requests += times;
        counts->lines += times * units_of(first, far, run->size, 1u << ISA_LINE_SHIFT);
        counts->sectors += times * units_of(first, far, run->size, 1u << ISA_SECTOR_SHIFT);
        counts->sectors_ideal += times * (((uint64_t)words * plan->bytes + 31) / 32);
    }
}

static void hear_runs_of(struct run_warp *warp, const struct hear_run *runs, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        if (runs[i].n)
            hear_run_of(warp, &runs[i]);
}

/* The lanes of an access, and addresses of all: in `at`, where the access does not have them. */
static void spread_of(const struct run_warp *warp, const struct run_op *op,
                      const struct run_access *access, uint64_t at[RUN_LANES],
                      struct spread *spread) {
    const uint32_t lanes = access->all ? access->all : access->lanes;
    const uint64_t first = access->at[run_lowest(lanes)];
    const uint32_t step = step_of(warp, op, access->space, access->bytes);
    const int whole = access->all || lanes == UINT32_MAX;
    for (unsigned lane = 0; lane < RUN_LANES && !whole; lane++)
        at[lane] = lanes >> lane & 1 ? access->at[lane] : first;
    *spread = (struct spread){.lanes = lanes,
                              .place = first & (step - 1),
                              .shape = RUN_SCATTERED,
                              .first = first,
                              .at = whole ? access->at : at};
}

static void count_global(struct run_warp *warp, const struct run_op *op,
                         const struct run_access *access, struct cost_sectors *now) {
    const uint32_t lanes = lanes_of_atomic(warp, op, access, access->lanes);
    const uint64_t first = access->at[run_lowest(lanes)];
    if (access->row)
        count_side_by_side(first, access->bytes, access->row, now);
    else if (!count_shape(first, access->bytes, lanes, RUN_SCATTERED, now))
        count_sectors(access, now);
}

static void hear_global(struct run_warp *warp, const struct run_op *op,
                        const struct run_access *access, const struct spread *spread,
                        struct cost_last *last) {
    struct cost_sectors now;
    count_global(warp, op, access, &now);
    add_sectors(warp, op, access->bytes, &now);
    if (last) {
        remember(last, spread, access);
        last->sectors = now;
    }
}

/* Whether an access is not remembered. One lane is counted at once. So is a row, which has the
 * address of its first lane alone. Lanes in other blocks would count later. */
static int is_single(const struct run_warp *warp, const struct run_op *op,
                     const struct run_access *access) {
    const uint32_t lanes = lanes_of_atomic(warp, op, access, access->lanes);
    if (access->space == PTX_SHARED)
        return lanes_here(warp, access) != access->lanes;
    return access->row == RUN_LANES || !(lanes & (lanes - 1));
}

/* Fast steps, which set `all`, have asked whether the access is like the last one. */
static void hear_access_of(struct run_warp *warp, const struct run_op *op,
                           const struct run_access *access) {
    uint64_t at[RUN_LANES];
    struct spread spread = {0};
    struct cost_last *last;
    if (access->async || !op->traffic ||
        (access->space != PTX_SHARED && access->space != PTX_GLOBAL))
        return;
    last = is_single(warp, op, access) ? NULL : cost_last_of(warp->worker, run_number(warp, op));
    if (last)
        spread_of(warp, op, access, at, &spread);
    if (last && !access->all && add_again(warp, op, access->space, access->bytes, last, &spread))
        return;
    if (access->space == PTX_SHARED)
        hear_shared(warp, op, access, &spread, last && is_remembered(last) ? last : NULL);
    else
        hear_global(warp, op, access, &spread, last && is_remembered(last) ? last : NULL);
    if (last)
        last->misses++;
}

const struct run_hears cost_hears = {.worker_free = cost_free,
                                     .traffic = hear_access_of,
                                     .traffic_again = hear_again,
                                     .traffic_runs = hear_runs_of,
                                     .traffic_code = hear_code,
                                     .traffic_copy = cost_hear_copy,
                                     .traffic_lines = cost_hear_lines};
