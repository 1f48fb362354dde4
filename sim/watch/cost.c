/* Cost of accesses, per operation: banks by the code of the access, which remembers its last
 * pattern; sectors and lines by distinct addresses. */
#include "listeners.h"
#include "../decode/count.h"
#include "../machine/machine.h"
#include "../state/launch.h"

#include <stdlib.h>

/* Lines of a matrix that one instruction moves, and sectors that one can touch. */
enum { LINES_MOST = 32, LINE_SECTORS = 5, MOST_WARPS = 32 };

/* --- shared memory --- */

/* Everything that the cost of a copy depends on: for each lane its places in a line of destination
 * and source. NOWHERE: the lane takes no part. */
struct copy_pattern {
    uint8_t to[RUN_LANES], from[RUN_LANES];
};
#define NOWHERE 0xFF
#define PLACES (1u << ISA_LINE_SHIFT)

/* The last wide access that turns of an unrolled loop share. */
struct window {
    uint64_t hash;
    uint32_t parts; /* bit b: the address of a turn was byte b of it */
};

/* The last access of an operation, and its cost. */
struct remembered {
    struct wsim_cost_pattern pattern; /* of an access                       */
    struct wsim_cost_pattern written; /* of one that is joined: as written  */
    struct copy_pattern copy;
    uint32_t wavefronts, ideal, conflicts; /* of a copy; 0: nothing was remembered */
    struct window *windows; /* [MOST_WARPS] of an unrolled access; NULL: none was counted */
};

/* Where the lanes of an access of global memory are, counted from the line of the first lane. */
struct spread {
    uint32_t lanes;
    uint32_t at[RUN_LANES];
};

/* The cost of an access. */
struct sector_counts {
    uint32_t sectors, lines, words;
};

#define REPEATS 4 /* accesses of an operation before it remembers the last one */

/* The last access of global memory of an operation. */
struct remembered_sectors {
    struct spread spread; /* no lanes: nothing was remembered */
    struct sector_counts counts;
};

/* The memories of an operation; NULL: none yet. */
struct memories {
    struct remembered *shared;
    struct remembered_sectors *global;
};

/* NULL: no memory, it is counted without. */
static struct memories *memories_of(struct run_worker *worker, uint32_t op) {
    struct memories *all = worker->heard[LISTENER_COST];
    if (!all)
        all = worker->heard[LISTENER_COST] =
            calloc(worker->launch->program->n_ops + 1u, sizeof *all);
    return all ? &all[op] : NULL;
}

static struct remembered *remembered_of(struct run_worker *worker, uint32_t op) {
    struct memories *memories = memories_of(worker, op);
    if (memories && !memories->shared)
        memories->shared = calloc(1, sizeof *memories->shared);
    return memories ? memories->shared : NULL;
}

static struct remembered_sectors *sectors_of(struct run_worker *worker, uint32_t op) {
    struct memories *memories = memories_of(worker, op);
    if (memories && !memories->global)
        memories->global = calloc(1, sizeof *memories->global);
    return memories ? memories->global : NULL;
}

static void free_worker(struct run_worker *worker) {
    struct memories *all = worker->heard[LISTENER_COST];
    if (!all)
        return;
    for (uint32_t op = 0; op <= worker->launch->program->n_ops; op++) {
        if (all[op].shared)
            free(all[op].shared->windows);
        if (all[op].shared || all[op].global) {
            free(all[op].shared);
            free(all[op].global);
        }
    }
    free(all);
    worker->heard[LISTENER_COST] = NULL;
}

/* 1 and what an access costs; 0: its counts are not known. */
static int find_cost(struct run_warp *warp, uint32_t number, const struct wsim_io *io,
                     struct wsim_cost_pattern *last, struct wsim_cost *cost) {
    const struct wsim_code *code = number ? warp->worker->launch->codes[number - 1] : NULL;
    return code && !wsim_cost_again(code, io, WSIM_HARDWARE_COUNTERS, last, cost, NULL);
}

static void add_cost(struct run_counts *counts, const struct wsim_cost *cost) {
    counts->accesses++;
    counts->wavefronts += cost->wavefronts;
    counts->ideal += cost->ideal;
    counts->conflicts += cost->conflicts;
}

/* True if an earlier turn of an unrolled loop counted the access. Then its window is the same in
 * all lanes, and this part is new. */
static int shares_access(const struct run_warp *warp, struct remembered *last,
                         const struct run_merged *merged, const uint32_t addr[RUN_LANES],
                         uint32_t lanes) {
    const uint32_t bytes = merged->access[0].bytes;
    const uint32_t part = 1u << addr[run_lowest(lanes)] % bytes;
    uint64_t hash = lanes;
    struct window *of;
    if (!last->windows)
        last->windows = calloc(MOST_WARPS, sizeof *last->windows);
    if (!last->windows)
        return 0;
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        hash = (hash ^ (lanes >> lane & 1 ? addr[lane] / bytes : 0)) * 0x100000001B3u;
    of = &last->windows[warp->number % MOST_WARPS];
    if (of->hash == hash && !(of->parts & part)) {
        of->parts |= part;
        return 1;
    }
    *of = (struct window){hash, part};
    return 0;
}

/* Counts both the access as written and its machine accesses. */
static void hear_merged(struct run_warp *warp, const struct run_op *op,
                        const struct run_merged *merged, struct wsim_io *io,
                        uint32_t addr[RUN_LANES]) {
    const uint32_t number = run_number(warp, op);
    struct run_counts *counts = &warp->worker->counts[number];
    struct wsim_shared_counts *written;
    struct remembered fresh, *last = remembered_of(warp->worker, number);
    struct wsim_cost cost;
    int32_t from = 0;
    if (!last) {
        memset(&fresh, 0, sizeof fresh);
        last = &fresh;
    }
    if (!find_cost(warp, merged->written, io, &last->written, &cost)) {
        counts->uncounted++;
        return;
    }
    written = &warp->worker->written[merged - warp->program->merged];
    written->accesses++;
    written->wavefronts += cost.wavefronts;
    written->ideal += cost.ideal;
    written->conflicts += cost.conflicts;
    for (unsigned i = 0; i < merged->n; i++) {
        if (merged->access[i].unrolled && shares_access(warp, last, merged, addr, io->move.mask))
            continue;
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            if (io->move.mask >> lane & 1)
                addr[lane] += (uint32_t)(merged->access[i].from - from);
        from = merged->access[i].from;
        for (unsigned lane = 0; lane < RUN_LANES && merged->access[i].aligned; lane++)
            addr[lane] &= 0 - (uint32_t)merged->access[i].bytes;
        if (find_cost(warp, merged->access[i].code, io, &last->pattern, &cost))
            add_cost(counts, &cost);
    }
}

static void hear_code(struct run_warp *warp, const struct run_op *op, const struct wsim_code *code,
                      const struct wsim_io *io) {
    struct run_worker *worker = warp->worker;
    const uint32_t number = run_number(warp, op);
    struct run_counts *counts = &worker->counts[number];
    struct remembered *last, fresh;
    struct wsim_cost cost;
    last = remembered_of(worker, number);
    if (!last) {
        memset(&fresh, 0, sizeof fresh);
        last = &fresh;
    }
    if (wsim_cost_again(code, io, WSIM_HARDWARE_COUNTERS, &last->pattern, &cost, NULL)) {
        counts->uncounted++;
        return;
    }
    add_cost(counts, &cost);
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

/* The code that counts an access; NULL: its counts are not known. */
static const struct wsim_code *code_of(const struct run_warp *warp, const struct run_op *op) {
    const uint32_t number = op->at[COUNT_CODE] & ~(COUNT_REDUCED | COUNT_WHOLE);
    return number == COUNT_NONE ? NULL : warp->worker->launch->codes[number - 1];
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

/* Whether the counts of an access are known: not those of atomics in other blocks. */
static int is_counted(const struct run_warp *warp, const struct run_op *op,
                      const struct run_access *access, uint32_t here) {
    if (op->traffic == RUN_TRAFFIC_ATOMIC && here != access->lanes)
        return 0;
    return count_merged(warp->program, op) || code_of(warp, op);
}

static void shared(struct run_warp *warp, const struct run_op *op,
                   const struct run_access *access) {
    uint32_t addr[RUN_LANES];
    struct wsim_io io = {.move = {.addr = addr, .mask = lanes_here(warp, access)}};
    const struct run_merged *merged = count_merged(warp->program, op);
    if (!is_counted(warp, op, access, io.move.mask)) {
        warp->worker->counts[run_number(warp, op)].uncounted++;
        return;
    }
    if (!io.move.mask)
        return;
    io.move.mask = lanes_of_atomic(warp, op, access, io.move.mask);
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        addr[lane] = io.move.mask >> lane & 1
                         ? (uint32_t)(access->at[lane] & ((1u << RUN_RANK_SHIFT) - 1))
                         : 0;
    if (merged)
        hear_merged(warp, op, merged, &io, addr);
    else
        hear_code(warp, op, code_of(warp, op), &io);
}

/* --- global memory --- */

/* Adds `value` to a set of `n`; 1: it was not there. */
static int add(uint64_t *set, unsigned *n, uint64_t value) {
    for (unsigned i = *n; i--;)
        if (set[i] == value)
            return 0;
    set[(*n)++] = value;
    return 1;
}

/* 0: the lanes are too far apart. */
static int spread_of(const struct run_access *access, struct spread *spread) {
    const uint64_t first = access->at[run_lowest(access->lanes)] & ~(uint64_t)(PLACES - 1);
    const uint64_t base = first - (UINT64_C(1) << 31); /* others may be before the first */
    uint64_t far = 0;
    spread->lanes = access->lanes;
    if (access->lanes == UINT32_MAX) {
        for (unsigned lane = 0; lane < RUN_LANES; lane++) {
            spread->at[lane] = (uint32_t)(access->at[lane] - base);
            far |= access->at[lane] - base;
        }
        return !(far >> 32);
    }
    memset(spread->at, 0, sizeof spread->at);
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        spread->at[lane] = (uint32_t)(access->at[lane] - base);
        far |= access->at[lane] - base;
    }
    return !(far >> 32);
}

/* The places of lanes that do not descend, as those of most warps: equal ones lie side by side. */
struct row {
    unsigned n;
    uint32_t at[1 + RUN_LANES]; /* at[0] is at[1] again */
};

/* The places of all lanes, once if parts of the warp have the same ones. */
static void take_row(const struct spread *spread, struct row *row) {
    row->n = 0;
    for (uint32_t rest = spread->lanes; rest; rest &= rest - 1)
        row->at[++row->n] = spread->at[run_lowest(rest)];
    for (unsigned half = row->n / 2; row->n == 2 * half && half; half /= 2) {
        if (memcmp(&row->at[1], &row->at[1 + half], half * sizeof row->at[0]) != 0)
            break;
        row->n = half;
    }
    row->at[0] = row->at[1];
}

/* 0: some place descends. */
static inline int count_row(const uint32_t *at, unsigned n, struct sector_counts *counts) {
    uint32_t words = 1, sectors = 1, lines = 1, descends = 0;
    for (unsigned i = 1; i <= n; i++) {
        const uint32_t other = at[i] ^ at[i - 1];
        descends |= at[i] < at[i - 1];
        words += other != 0;
        sectors += other >> ISA_SECTOR_SHIFT != 0;
        lines += other >> ISA_LINE_SHIFT != 0;
    }
    *counts = (struct sector_counts){sectors, lines, words};
    return !descends;
}

static int count_ascending(const struct spread *spread, struct sector_counts *counts) {
    struct row row;
    if (spread->lanes == UINT32_MAX) {
        row.at[0] = spread->at[0];
        memcpy(&row.at[1], spread->at, sizeof spread->at);
        if (count_row(row.at, RUN_LANES, counts))
            return 1;
    }
    take_row(spread, &row);
    return count_row(row.at, row.n, counts);
}

/* Sectors and lines of a warp are distinct ones. An address of several lanes counts once, in
 * atomics as often as the most wanted word of its sector is wanted. */
static void count_sectors(const struct run_access *access, const struct spread *spread,
                          struct sector_counts *counts) {
    const int folds = access->kind == RUN_READ || access->kind == RUN_WRITE;
    struct machine_sectors all;
    if (folds && spread && count_ascending(spread, counts))
        return;
    if (folds)
        machine_sectors(access->at, access->lanes, &all);
    else
        machine_sectors_atomic(access->at, access->lanes, MACHINE_LINE / MACHINE_SECTOR, &all);
    *counts = (struct sector_counts){all.sectors, all.lines, all.words};
}

/* Counts an access, or remembers that it is like the last one of its operation. */
static void find_sectors(struct run_warp *warp, uint32_t number, const struct run_access *access,
                         struct sector_counts *now) {
    const int repeats = warp->worker->counts[number].requests >= REPEATS;
    struct remembered_sectors *last = repeats ? sectors_of(warp->worker, number) : NULL;
    struct spread spread;
    const int near = spread_of(access, &spread);
    if (near && last && memcmp(&last->spread, &spread, sizeof spread) == 0) {
        *now = last->counts;
        return;
    }
    count_sectors(access, near ? &spread : NULL, now);
    if (near && last)
        *last = (struct remembered_sectors){spread, *now};
}

static void count_side_by_side(const struct run_access *access, struct sector_counts *counts) {
    const uint64_t first = access->at[0];
    const uint64_t last = first + (access->row - 1u) * access->bytes;
    counts->sectors = (uint32_t)((last >> ISA_SECTOR_SHIFT) - (first >> ISA_SECTOR_SHIFT)) + 1;
    counts->lines = (uint32_t)((last >> ISA_LINE_SHIFT) - (first >> ISA_LINE_SHIFT)) + 1;
    counts->words = access->row;
}

static void global(struct run_warp *warp, const struct run_op *op,
                   const struct run_access *access) {
    const uint32_t number = run_number(warp, op);
    struct run_counts *counts = &warp->worker->counts[number];
    const uint32_t lanes = lanes_of_atomic(warp, op, access, access->lanes);
    struct sector_counts now = {1, 1, 1};
    if (access->row)
        count_side_by_side(access, &now);
    else if (lanes & (lanes - 1))
        find_sectors(warp, number, access, &now);
    counts->requests++;
    counts->lines += now.lines;
    counts->sectors += now.sectors;
    counts->sectors_ideal += ((uint64_t)now.words * access->bytes + 31) / 32;
}

static void hear_lines(struct run_warp *warp, const struct run_op *op, uint64_t at, unsigned n,
                       uint64_t pitch, uint64_t bytes) {
    struct run_counts *counts = &warp->worker->counts[run_number(warp, op)];
    uint64_t sectors[LINES_MOST * LINE_SECTORS], lines[LINES_MOST * LINE_SECTORS];
    unsigned n_sectors = 0, n_lines = 0;
    if (n > LINES_MOST || bytes > (LINE_SECTORS - 1) << ISA_SECTOR_SHIFT)
        return;
    for (unsigned i = 0; i < n; i++) {
        const uint64_t first = at + i * pitch, last = first + bytes - 1;
        for (uint64_t s = first >> ISA_SECTOR_SHIFT; s <= last >> ISA_SECTOR_SHIFT; s++)
            add(sectors, &n_sectors, s);
        for (uint64_t l = first >> ISA_LINE_SHIFT; l <= last >> ISA_LINE_SHIFT; l++)
            add(lines, &n_lines, l);
    }
    counts->requests++;
    counts->lines += n_lines;
    counts->sectors += n_sectors;
    counts->sectors_ideal += (n * bytes + 31) / 32;
}

/* --- copies from global to shared memory --- */

/* Sectors of a copy: those of the source. A copy that bypasses L1 counts one again for each other
 * sector of the destination, or if its halves are exchanged (H200, lab/cg_cost). */
static void copied_sectors(struct run_warp *warp, const struct run_op *op, int passes_by,
                           const struct run_access *access, const uint32_t to[RUN_LANES],
                           const uint32_t size[RUN_LANES]) {
    struct run_counts *counts = &warp->worker->counts[run_number(warp, op)];
    struct machine_sectors count;
    uint64_t words[RUN_LANES], bytes = 0;
    uint32_t reads = 0;
    unsigned n_words = 0;
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        if (!size[lane])
            continue;
        reads |= machine_bit[lane];
        if (add(words, &n_words, access->at[lane]))
            bytes += size[lane];
    }
    if (passes_by)
        machine_sectors_delivered(access->at, to, reads, &count);
    else
        machine_sectors(access->at, reads, &count);
    counts->requests++;
    counts->lines += count.lines;
    counts->sectors += count.sectors;
    counts->sectors_ideal += (bytes + 31) / 32;
}

/* The wavefronts of a copy through L1, as instrumented code counts them: what a line of the source
 * is shown with. 0: no rule is known. */
static int count_copy(struct run_warp *warp, const struct run_op *op,
                      const struct run_access *access, const uint32_t to[RUN_LANES],
                      const uint32_t size[RUN_LANES], uint32_t bytes, struct remembered *last) {
    const struct ptx_instruction *at = run_instruction_of(warp->program, run_number(warp, op));
    const struct wsim_op *spelling = &warp->program->module->opcodes[at->opcode].op;
    uint32_t from[RUN_LANES];
    struct wsim_copy copy = {.bytes = bytes,
                             .mask = access->lanes,
                             .dst = to,
                             .src = from,
                             .src_size = size,
                             .counters = WSIM_SOURCE_PAGE};
    struct wsim_copy_banks banks;
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        from[lane] = access->lanes >> lane & 1 ? (uint32_t)access->at[lane] % PLACES : 0;
    if (wsim_banks_copy(spelling, warp->worker->launch->arch, &copy, &banks, NULL) || !banks.known)
        return 0;
    last->wavefronts = banks.wavefronts;
    last->ideal = banks.ideal;
    last->conflicts = banks.conflicts;
    return 1;
}

static void hear_copy(struct run_warp *warp, const struct run_op *op,
                      const struct run_access *access, const uint32_t to[RUN_LANES],
                      const uint32_t size[RUN_LANES], uint32_t bytes) {
    const uint32_t number = run_number(warp, op);
    struct run_counts *counts = &warp->worker->counts[number];
    const struct ptx_instruction *at = run_instruction_of(warp->program, number);
    struct remembered *last, fresh = {0};
    struct copy_pattern now;
    copied_sectors(warp, op, warp->program->module->opcodes[at->opcode].op.q[PLACE_CACHE] == Q_CG,
                   access, to, size);
    for (unsigned lane = 0; lane < RUN_LANES; lane++) {
        const int takes_part = access->lanes >> lane & 1;
        now.to[lane] = (uint8_t)(takes_part ? to[lane] % PLACES : NOWHERE);
        now.from[lane] = (uint8_t)(takes_part && size[lane] ? access->at[lane] % PLACES : NOWHERE);
    }
    last = remembered_of(warp->worker, number);
    last = last ? last : &fresh;
    if (!last->wavefronts || memcmp(&last->copy, &now, sizeof now) != 0) {
        last->wavefronts = 0;
        last->copy = now;
        if (!count_copy(warp, op, access, to, size, bytes, last)) {
            counts->uncounted++;
            return;
        }
    }
    counts->accesses++;
    counts->wavefronts += last->wavefronts;
    counts->ideal += last->ideal;
    counts->conflicts += last->conflicts;
}

static void hear_access_of(struct run_warp *warp, const struct run_op *op,
                           const struct run_access *access) {
    if (access->async || !op->traffic)
        return;
    if (access->space == PTX_SHARED)
        shared(warp, op, access);
    else if (access->space == PTX_GLOBAL)
        global(warp, op, access);
}

const struct run_hears cost_hears = {.worker_free = free_worker,
                                     .traffic = hear_access_of,
                                     .traffic_code = hear_code,
                                     .traffic_copy = hear_copy,
                                     .traffic_lines = hear_lines};
