/* A thread of the host: it takes units of a launch and runs them in turns until none is left. */
#include "worker.h"

#include "../state/device.h"
#include "../state/launch.h"
#include "../state/lives.h"
#include "../state/module.h"
#include "../memory/memory.h"
#include "../reach/hear.h"
#include "../step/quick.h"
#include "../step/tape.h"
#include "block.h"
#include "look.h"
#include "still.h"
#include "turns.h"

#include <stdlib.h>

/* Ends the launch with a finding at a warp of the unit that could go on. */
static void stop_here(const struct run_unit *unit, enum base_rule rule, uint64_t executed) {
    struct run_warp *warp = unit->blocks[0].warps;
    const struct run_op *op;
    for (uint32_t b = 0; b < unit->n_blocks && !warp->n_groups; b++)
        for (uint32_t w = 0; w < unit->blocks[b].n_warps && !warp->n_groups; w++)
            warp = &unit->blocks[b].warps[w];
    op = warp->n_groups ? &warp->program->ops[warp->groups[0].at] : NULL;
    run_finding(warp, op, RUN_LANES, rule, 1, "%s after %llu warp instructions",
                rule == RULE_LAUNCH_STOPPED ? "the caller stopped the launch"
                                            : "the launch did not end",
                (unsigned long long)executed);
}

void worker_report(const struct run_launch *launch) {
    const uint64_t taken = atomic_load(&launch->shared->next), all = launch->n_units;
    if (launch->how->progress(launch->how->context, taken < all ? taken : all, all))
        atomic_store(&launch->shared->asked, 1);
}

/* The same now and then, in the thread that launches; a unit counts as a thousand instructions. */
static void report_sometimes(struct run_worker *worker) {
    enum { EVERY = 100000 };
    const uint64_t now = worker->instructions + 1000 * atomic_load(&worker->launch->shared->next);
    if (!worker->calls || !worker->launch->how->progress || now - worker->called < EVERY)
        return;
    worker->called = now;
    worker_report(worker->launch);
}

/* Adds the instructions executed since the last call; 1: the launch continues. */
static int check_in(struct run_worker *worker, uint64_t *told) {
    struct run_shared *shared = worker->launch->shared;
    uint64_t most = worker->launch->how->max_instructions;
    uint64_t all = atomic_fetch_add(&shared->instructions, worker->instructions - *told);
    all += worker->instructions - *told;
    *told = worker->instructions;
    if (most && all >= most && worker->live && !atomic_load(&shared->stop))
        stop_here(worker->live, RULE_LAUNCH_INSTRUCTIONS_MANY, most);
    worker->slice = worker->instructions + unit_slice(worker->launch);
    report_sometimes(worker);
    look_again(worker->launch);
    if (atomic_load(&shared->asked) && worker->live && !atomic_load(&shared->stop))
        stop_here(worker->live, RULE_LAUNCH_STOPPED, all);
    return !atomic_load(&shared->stop) && !atomic_load(&shared->still);
}

static void put_behind(struct run_worker *worker, struct run_unit *unit) {
    struct run_unit **end = &worker->live;
    while (*end)
        end = &(*end)->next;
    unit->next = NULL;
    *end = unit;
}

/* A unit at its beginning, or where it came ahead of its turn; NULL: no memory. */
static struct run_unit *begin_unit(struct run_worker *worker, uint64_t n) {
    const struct run_launch *launch = worker->launch;
    struct run_unit *unit =
        launch->shared->turns ? turns_take(launch->shared->turns, worker, n) : NULL;
    if (unit || launch->shared->no_memory)
        return unit;
    unit = worker->spare;
    if (unit)
        worker->spare = unit->next;
    else
        unit = unit_make(worker);
    if (unit && unit_begin(unit, unit_at(launch, n)))
        return unit;
    unit_free(unit);
    return NULL;
}

/* --- tapes --- */

/* Fewer units that are left gain nothing. */
#define WORTH_A_TAPE 32

/* Whether units are single blocks in their order, which no caller sees and all checks may miss.
 * Costs are those of the recorded block. */
static int may_record(const struct run_worker *worker) {
    const struct run_launch *launch = worker->launch;
    const struct run_shared *shared = launch->shared;
    return !worker->records_none && !worker->records && !worker->plays && !shared->turns &&
           !launch->look && hear_may_miss(worker) && !launch->how->seed &&
           !launch->how->cooperative && launch->cluster[0] * launch->cluster[1] == 1 &&
           launch->cluster[2] == 1 && memory_is_host() &&
           !(launch->module->flags & (WSIM_MODULE_PLAIN | WSIM_MODULE_ONE_BY_ONE)) &&
           atomic_load(&shared->next) + WORTH_A_TAPE < launch->n_units;
}

/* The unit, which is at its beginning, may be like those after it. */
static void begin_record(struct run_worker *worker, struct run_unit *unit) {
    if (!may_record(worker) || worker->live)
        return;
    worker->records_none = 1;
    worker->records = tape_begin(unit);
}

/* The unit that was recorded is done. */
static void end_record(struct run_worker *worker) {
    if (!worker->records)
        return;
    if (tape_end(worker->records))
        worker->plays = worker->records;
    else
        tape_close(worker->records);
    worker->records = NULL;
}

/* A turn of the worker ends: buffers may change. */
static void end_tapes(struct run_worker *worker) {
    if (worker->records)
        tape_close(worker->records);
    if (worker->plays) {
        tape_close(worker->plays);
        still_changed(worker);
        if (!worker->live)
            atomic_store(&worker->told, STILL_NOBODY);
    }
    worker->records = worker->plays = NULL;
    worker->records_none = 0;
}

/* Runs a unit at once. 0: it has to run as others do. */
static int play_unit(struct run_worker *worker, uint64_t n) {
    const struct run_launch *launch = worker->launch;
    const struct run_shared *shared = launch->shared;
    const uint64_t most = launch->how->max_instructions;
    struct run_unit *told;
    uint32_t id[3];
    uint64_t instructions;
    if (!worker->plays || atomic_load(&shared->asked))
        return 0;
    instructions = worker->instructions + tape_instructions(worker->plays);
    block_locate(launch, unit_at(launch, n), 0, id);
    if (!tape_has(worker->plays, id) || instructions >= worker->slice ||
        (most && atomic_load(&shared->instructions) + instructions >= most))
        return 0;
    told = tape_tells(worker->plays);
    if (told && worker->live) /* it may be one of these */
        return 0;
    if (told) {
        unit_locate(told, unit_at(launch, n));
        hear_unit_begin(told);
    }
    atomic_store(&worker->told, STILL_RUNS);
    tape_play(worker->plays, id);
    if (worker->live) /* they may poll for what the block wrote */
        still_changed(worker);
    return 1;
}

/* Takes the first free unit, and plays it if it can. Returns 0 if none is left or memory runs out.
 */
static int take_unit(struct run_worker *worker) {
    struct run_launch *launch = worker->launch;
    uint64_t number = atomic_fetch_add(&launch->shared->next, 1);
    struct run_unit *unit;
    if (number >= launch->n_units)
        return 0;
    if (play_unit(worker, number))
        return 1;
    unit = begin_unit(worker, number);
    if (!unit) {
        launch->shared->no_memory = 1;
        atomic_store(&launch->shared->stop, 1);
        return 0;
    }
    begin_record(worker, unit);
    unit->next = worker->live;
    worker->live = unit;
    worker->n_live++;
    atomic_store(&worker->told, STILL_RUNS);
    still_changed(worker);
    return 1;
}

/* Runs a unit. If it ran ahead, its first slice may have ended; else it continues. */
static enum unit_outcome run_unit(struct run_worker *worker, struct run_unit *unit) {
    const enum unit_outcome outcome = (enum unit_outcome)unit->outcome;
    const uint64_t ran = unit->ran;
    unit->outcome = 0;
    unit->ran = 0;
    if (!ran && !unit->parked)
        return unit_run(unit);
    if (outcome != UNIT_PARKED)
        return outcome;
    worker->slice -= unit->used;
    return unit_run(unit);
}

/* Units run in turns. One that has changed nothing for a slice may wait for a block that is still
 * to begin, so then another unit gets its turn. */
void *worker_run(void *argument) {
    struct run_worker *worker = argument;
    struct run_shared *shared = worker->launch->shared;
    const struct quick_floats floats = quick_floats_begin();
    uint64_t told = worker->instructions;
    uint32_t idle = 0; /* turns in a row that only polled */
    while ((worker->live || take_unit(worker)) && check_in(worker, &told) &&
           worker->instructions < worker->quota) {
        struct run_unit *unit = worker->live;
        const uint64_t changes = still_changes(worker->launch);
        enum unit_outcome outcome;
        if (!unit) { /* it was played */
            if (worker->pause && worker->instructions >= worker->pause)
                break;
            continue;
        }
        outcome = run_unit(worker, unit);
        if (outcome == UNIT_STOPPED)
            break;
        if (outcome == UNIT_DONE)
            end_record(worker);
        else if (worker->records)
            end_tapes(worker), worker->records_none = 1;
        if (unit->events != unit->seen) {
            still_changed(worker);
            idle = 0;
        }
        if (outcome != UNIT_DONE) {
            if (unit_has_changed(unit))
                continue;
            if (outcome == UNIT_POLLING && still_look(worker, unit, changes)) {
                atomic_store(&shared->still, changes + 1);
                break;
            }
            idle = outcome == UNIT_POLLING ? idle + 1 : 0;
            worker->live = unit->next;
            put_behind(worker, unit);
            if (worker->n_live < RUN_MOST_LIVE && take_unit(worker))
                idle = 0;
            if (idle > worker->n_live && worker->quota != UINT64_MAX)
                break;
            if (worker->pause && worker->instructions >= worker->pause)
                break;
            continue;
        }
        worker->live = unit->next;
        worker->n_live--;
        idle = 0;
        still_changed(worker);
        if (!worker->live && !worker->plays)
            atomic_store(&worker->told, STILL_NOBODY);
        if (!unit_end(unit))
            shared->no_memory = 1;
        unit->next = worker->spare;
        worker->spare = unit;
        if (worker->pause && worker->instructions >= worker->pause)
            break;
    }
    check_in(worker, &told);
    end_tapes(worker);
    quick_floats_end(&floats);
    return NULL;
}

static void free_units(struct run_unit *unit) {
    for (struct run_unit *next; unit; unit = next) {
        next = unit->next;
        unit_free(unit);
    }
}

int worker_end(struct run_worker *worker) {
    int kept = 1;
    for (struct run_unit *unit = worker->live; unit; unit = unit->next)
        kept &= unit_end(unit);
    return kept;
}

void worker_close(struct run_worker *worker) {
    free_units(worker->live);
    free_units(worker->spare);
    free(worker->counts);
    free(worker->written);
    hear_worker_free(worker);
}

int worker_open(struct run_worker *worker, struct run_launch *launch) {
    *worker = (struct run_worker){.launch = launch};
    worker->counts = calloc(launch->program->n_ops + 1u, sizeof *worker->counts);
    worker->quota = UINT64_MAX;
    if (launch->how->count && launch->program->n_merged)
        worker->written = calloc(launch->program->n_merged, sizeof *worker->written);
    if (worker->counts && (worker->written || !launch->how->count || !launch->program->n_merged) &&
        hear_worker_make(worker))
        return 1;
    worker_close(worker);
    return 0;
}
