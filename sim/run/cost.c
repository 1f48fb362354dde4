/* What accesses cost, per operation: banks by the code of the access, which remembers its last
 * pattern; sectors and lines by distinct addresses. */
#include "cost.h"
#include "build.h"
#include "launch.h"

#include <stdlib.h>

#define NONE 0u /* op->at[CODE]: its counts are not known      */
#define CODE (RUN_OPERANDS - 1)

/* --- shared memory --- */

enum wsim_status cost_plan(struct run_plan *plan, const char *mnemonic, unsigned bytes) {
    char text[WSIM_SPELLING_MAX];
    struct base_text spelling = {text, sizeof text, 0};
    struct wsim_op op, *kept;
    uint32_t number;
    enum wsim_status status;
    if (bytes)
        base_put(&spelling, "%s.shared.b%u", mnemonic, 8 * bytes);
    else
        base_put(&spelling, "%s.%s", mnemonic, isa_scalar_types[plan->meaning.type[0]].name);
    if (wsim_op_parse(text, &op, NULL))
        return WSIM_OK;
    kept = plan_keep(plan, sizeof *kept);
    if (!kept)
        return base_refuse(plan->diag, RULE_MEMORY_HEAP_FULL, 0, "there is no memory");
    *kept = op;
    status = plan_code(plan, kept, &number);
    plan->op->at[CODE] = number + 1;
    return status;
}

/* The pattern that operation `op` had last; NULL: no memory, it is counted without. */
static struct wsim_cost_pattern *pattern_of(struct run_worker *worker, uint32_t op) {
    struct wsim_cost_pattern **patterns = worker->cost;
    if (!patterns) {
        patterns = calloc(worker->launch->program->n_ops + 1u, sizeof *patterns);
        if (!patterns)
            return NULL;
        worker->cost = patterns;
    }
    if (!patterns[op])
        patterns[op] = calloc(1, sizeof *patterns[op]);
    return patterns[op];
}

void cost_free(struct run_worker *worker) {
    struct wsim_cost_pattern **patterns = worker->cost;
    if (!patterns)
        return;
    for (uint32_t op = 0; op <= worker->launch->program->n_ops; op++)
        free(patterns[op]);
    free(patterns);
    worker->cost = NULL;
}

void cost_code(struct run_warp *warp, const struct run_op *op, const struct wsim_code *code,
               const struct wsim_io *io) {
    struct run_worker *worker = warp->worker;
    const uint32_t number = run_number(warp, op);
    struct run_counts *counts = &worker->counts[number];
    struct wsim_cost_pattern *last, fresh;
    struct wsim_cost cost;
    if (!worker->launch->how->count)
        return;
    last = pattern_of(worker, number);
    if (!last) {
        memset(&fresh, 0, sizeof fresh);
        last = &fresh;
    }
    if (wsim_cost_again(code, io, WSIM_HARDWARE_COUNTERS, last, &cost, NULL))
        return; /* its counts are not known */
    counts->accesses++;
    counts->wavefronts += cost.wavefronts;
    counts->ideal += cost.ideal;
    counts->conflicts += cost.conflicts;
}

static void shared(struct run_warp *warp, const struct run_op *op,
                   const struct run_access *access) {
    uint32_t addr[RUN_LANES];
    struct wsim_io io = {.addr = addr, .mask = access->lanes};
    if (op->at[CODE] == NONE || !warp->worker->launch->codes[op->at[CODE] - 1])
        return;
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        addr[lane] = access->lanes >> lane & 1
                         ? (uint32_t)(access->at[lane] & ((1u << RUN_RANK_SHIFT) - 1))
                         : 0;
    cost_code(warp, op, warp->worker->launch->codes[op->at[CODE] - 1], &io);
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

/* Sectors and lines of a warp are distinct ones. An address of several lanes counts once, in
 * atomics as often as the most wanted word of its sector is wanted. */
static void global(struct run_warp *warp, const struct run_op *op,
                   const struct run_access *access) {
    struct run_counts *counts = &warp->worker->counts[run_number(warp, op)];
    const int folds = access->kind == RUN_READ || access->kind == RUN_WRITE;
    uint64_t sectors[RUN_LANES], lines[RUN_LANES], words[RUN_LANES];
    uint8_t wanted[RUN_LANES] = {0}, most[RUN_LANES] = {0};
    unsigned n_sectors = 0, n_lines = 0, n_words = 0;
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        const uint64_t at = access->at[run_lowest(rest)];
        unsigned word, sector;
        add(words, &n_words, at);
        add(lines, &n_lines, at >> ISA_LINE_SHIFT);
        add(sectors, &n_sectors, at >> ISA_SECTOR_SHIFT);
        if (folds)
            continue;
        for (word = 0; words[word] != at;)
            word++;
        for (sector = 0; sectors[sector] != at >> ISA_SECTOR_SHIFT;)
            sector++;
        if (++wanted[word] > most[sector])
            most[sector] = wanted[word];
    }
    counts->requests++;
    counts->lines += n_lines;
    counts->sectors_ideal += ((uint64_t)n_words * access->bytes + 31) / 32;
    counts->sectors += n_sectors;
    for (unsigned i = 0; i < n_sectors && !folds; i++)
        counts->sectors += most[i] - 1u;
}

void cost_access(struct run_warp *warp, const struct run_op *op, const struct run_access *access) {
    if (!warp->worker->launch->how->count || access->async || !op->traffic)
        return;
    if (access->space == PTX_SHARED)
        shared(warp, op, access);
    else if (access->space == PTX_GLOBAL)
        global(warp, op, access);
}
