/* A launch: what is asked for is checked, then threads of the host take units until none is left.
 */
#include "../state/lives.h"
#include "../watch/listeners.h"
#include "../state/launch.h"
#include "../step/quick.h"

#include "../isa/isa.h"
#include "block.h"
#include "../state/device.h"
#include "../state/module.h"
#include "report.h"
#include "still.h"

#include <stdlib.h>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#include <unistd.h>
#define THREADS 1
#endif

/* Instructions after which a worker looks up: may it go on, does a unit wait for another one? */
#define SLICE (1u << 20)
/* Instructions before it is worth while to begin another thread. */
#define WORTH_A_THREAD 16000u

/* The launch is to end: where a warp of the unit is that would go on. */
static void stop_here(const struct run_unit *unit, uint64_t executed) {
    struct run_warp *warp = unit->blocks[0].warps;
    const struct run_op *op;
    for (uint32_t b = 0; b < unit->n_blocks && !warp->n_groups; b++)
        for (uint32_t w = 0; w < unit->blocks[b].n_warps && !warp->n_groups; w++)
            warp = &unit->blocks[b].warps[w];
    op = warp->n_groups ? &warp->program->ops[warp->groups[0].at] : NULL;
    run_finding(warp, op, RUN_LANES, RULE_LAUNCH_INSTRUCTIONS_MANY, 1,
                "%llu warp instructions were executed and the launch has not ended",
                (unsigned long long)executed);
}

/* Adds what was executed since the last time; 1: the launch goes on. */
static int check_in(struct run_worker *worker, uint64_t *told) {
    struct run_shared *shared = worker->launch->shared;
    uint64_t most = worker->launch->how->max_instructions;
    uint64_t all = atomic_fetch_add(&shared->instructions, worker->instructions - *told);
    all += worker->instructions - *told;
    *told = worker->instructions;
    if (most && all >= most && worker->live && !atomic_load(&shared->stop))
        stop_here(worker->live, all);
    worker->slice = worker->instructions + (most && most < SLICE ? most : SLICE);
    if (worker->calls && worker->launch->how->progress) {
        uint64_t taken = atomic_load(&shared->next), all_units = worker->launch->n_units;
        worker->launch->how->progress(worker->launch->how->context,
                                      taken < all_units ? taken : all_units, all_units);
    }
    return !atomic_load(&shared->stop);
}

static void put_behind(struct run_worker *worker, struct run_unit *unit) {
    struct run_unit **end = &worker->live;
    while (*end)
        end = &(*end)->next;
    unit->next = NULL;
    *end = unit;
}

/* The number of the unit that is taken as the n-th: a permutation, if there is a seed. */
static uint64_t shuffled(const struct run_launch *launch, uint64_t n) {
    uint64_t units = launch->n_units, step, a, b;
    if (!launch->how->seed || units < 2)
        return n;
    step = launch->how->seed * 0x9E3779B97F4A7C15u % units | 1;
    for (;; step += 2) { /* the first one from there that has no divisor in common with units */
        for (a = step, b = units; b;) {
            uint64_t rest = a % b;
            a = b, b = rest;
        }
        if (a == 1)
            break;
    }
    step %= units;
    /* Grids have at most 2^31 * 2^32 blocks, and those beyond 2^32 never end: no sum wraps below.
     */
    return (n % units * step + launch->how->seed) % units;
}

/* Takes the next unit that nobody has; 0: there is none, or no memory. */
static int take_unit(struct run_worker *worker) {
    struct run_launch *launch = worker->launch;
    uint64_t number = atomic_fetch_add(&launch->shared->next, 1);
    struct run_unit *unit = worker->spare;
    if (number >= launch->n_units)
        return 0;
    if (unit)
        worker->spare = unit->next;
    else
        unit = unit_make(worker);
    if (!unit || !unit_begin(unit, launch->first_unit + shuffled(launch, number))) {
        unit_free(unit);
        launch->shared->no_memory = 1;
        atomic_store(&launch->shared->stop, 1);
        return 0;
    }
    unit->next = worker->live;
    worker->live = unit;
    worker->n_live++;
    atomic_store(&worker->told, STILL_RUNS);
    still_changed(worker);
    return 1;
}

/* Units are run one after another. One that has changed nothing for a slice may wait for a block
 * that has not begun yet, so then another one gets its turn. */
static void *work(void *argument) {
    struct run_worker *worker = argument;
    const struct quick_floats floats = quick_floats_begin();
    uint64_t told = worker->instructions;
    while ((worker->live || take_unit(worker)) && check_in(worker, &told)) {
        struct run_unit *unit = worker->live;
        const uint64_t changes = atomic_load(&worker->launch->shared->changes);
        enum unit_outcome outcome = unit_run(unit);
        if (outcome == UNIT_STOPPED)
            break;
        if (unit->events != unit->seen)
            still_changed(worker);
        if (outcome != UNIT_DONE) {
            if (unit->events != unit->seen)
                continue;
            if (outcome == UNIT_POLLING && still_look(worker, unit, changes)) {
                unit_deadlock(unit, worker->n_live);
                break;
            }
            worker->live = unit->next;
            put_behind(worker, unit);
            if (worker->n_live < RUN_MOST_LIVE)
                take_unit(worker);
            continue;
        }
        worker->live = unit->next;
        worker->n_live--;
        still_changed(worker);
        if (!worker->live)
            atomic_store(&worker->told, STILL_NOBODY);
        if (!unit_end(unit))
            worker->launch->shared->no_memory = 1;
        unit->next = worker->spare;
        worker->spare = unit;
        if (worker->pause && worker->instructions >= worker->pause)
            break;
    }
    check_in(worker, &told);
    quick_floats_end(&floats);
    return NULL;
}

static void free_units(struct run_unit *unit) {
    for (struct run_unit *next; unit; unit = next) {
        next = unit->next;
        unit_free(unit);
    }
}

/* What blocks printed that were not finished is kept too. */
static int end_live(struct run_worker *worker) {
    int kept = 1;
    for (struct run_unit *unit = worker->live; unit; unit = unit->next)
        kept &= unit_end(unit);
    return kept;
}

static void close_worker(struct run_worker *worker) {
    free_units(worker->live);
    free_units(worker->spare);
    free(worker->counts);
    hear_worker_free(worker);
}

static int open_worker(struct run_worker *worker, struct run_launch *launch, uint64_t number) {
    *worker = (struct run_worker){.launch = launch};
    worker->counts = calloc(launch->program->n_ops + 1u, sizeof *worker->counts);
    worker->random = launch->how->seed ? launch->how->seed * 0x2545F4914F6CDD1Du + number : 0;
    if (worker->counts && hear_worker_make(worker))
        return 1;
    close_worker(worker);
    return 0;
}

static unsigned threads_of(const struct run_launch *launch) {
    uint64_t threads = launch->how->threads;
#ifdef THREADS
    if (!threads) {
        long processors = sysconf(_SC_NPROCESSORS_ONLN);
        threads = processors > 0 ? (uint64_t)processors : 1;
    }
#else
    threads = 1;
#endif
    if (threads > RUN_MOST_THREADS)
        threads = RUN_MOST_THREADS;
    if (hear_alone(launch))
        threads = 1;
    return (unsigned)(threads < launch->n_units ? threads : launch->n_units);
}

/* The calling thread begins alone; others are asked to help if there is something to do for them.
 */
static enum wsim_status run_all(struct run_launch *launch, struct wsim_report *report,
                                struct wsim_diag *diag) {
    unsigned jobs = threads_of(launch), opened = 0;
    struct run_worker *workers = calloc(jobs, sizeof *workers);
    int good;
    launch->shared->several = jobs > 1;
    launch->shared->workers = workers;
    launch->shared->n_workers = workers ? jobs : 0;
    still_begin(launch->shared, launch);
    good = workers != NULL && open_worker(&workers[0], launch, 1);
    if (good) {
        opened = 1;
        workers[0].calls = 1;
        workers[0].pause = jobs > 1 ? WORTH_A_THREAD : 0;
        work(&workers[0]);
        workers[0].pause = 0;
    }
#ifdef THREADS
    if (good && jobs > 1 && !atomic_load(&launch->shared->stop) &&
        atomic_load(&launch->shared->next) < launch->n_units) {
        pthread_t threads[RUN_MOST_THREADS];
        unsigned started = 0;
        launch->shared->parallel = 1;
        launch->shared->mixed = launch->program->reduces;
        while (opened < jobs && open_worker(&workers[opened], launch, opened + 1u))
            opened++;
        while (started + 1 < opened &&
               pthread_create(&threads[started], NULL, work, &workers[started + 1]) == 0)
            started++;
        work(&workers[0]);
        for (unsigned i = 0; i < started; i++)
            pthread_join(threads[i], NULL);
    }
#endif
    if (good && workers[0].live && !atomic_load(&launch->shared->stop))
        work(&workers[0]); /* units that it had begun before it paused */
    for (unsigned i = 0; i < opened; i++)
        good &= end_live(&workers[i]);
    if (good)
        hear_launch_end(launch, workers, opened);
    if (good)
        good = report_sum(report, launch, workers, opened);
    for (unsigned i = 0; i < opened; i++)
        close_worker(&workers[i]);
    free(workers);
    if (!good || launch->shared->no_memory)
        return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "there is no memory for the launch");
    return report_status(report, diag);
}

enum wsim_status wsim_launch_check(struct wsim_device *device, struct wsim_module *module,
                                   const struct wsim_launch *how, struct wsim_diag *diag) {
    struct run_launch launch = {
        .module = module, .device = device, .arch = device->arch, .how = how};
    return launch_check(&launch, diag);
}

/* What the driver hands to a cooperative launch: cooperative groups count the blocks that came to a
 * barrier in its last 4 bytes. */
static enum wsim_status take_workspace(struct run_launch *launch, struct wsim_diag *diag) {
    static const uint8_t zeros[ISA_GRID_WORKSPACE];
    enum wsim_status status = WSIM_OK;
    if (!launch->how->cooperative)
        return WSIM_OK;
    status = wsim_device_alloc(launch->device, "the barrier of the grid", sizeof zeros, 0,
                               &launch->workspace, diag);
    return status ? status
                  : wsim_device_write(launch->device, launch->workspace, zeros, sizeof zeros, diag);
}

enum wsim_status wsim_launch_run(struct wsim_device *device, struct wsim_module *module,
                                 const struct wsim_launch *how, struct wsim_report **report,
                                 struct wsim_diag *diag) {
    struct run_shared shared = {.lock = ATOMIC_FLAG_INIT, .atomics = ATOMIC_FLAG_INIT};
    struct run_launch launch = {
        .module = module, .device = device, .arch = device->arch, .how = how, .shared = &shared};
    enum wsim_status status = launch_check(&launch, diag);
    *report = NULL;
    if (!status)
        status = take_workspace(&launch, diag);
    if (status)
        return status;
    hear_launch(&launch, watch_listeners);
    *report = report_make(&launch);
    if (!*report)
        status = base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "there is no memory for a report");
    else
        status = run_all(&launch, *report, diag);
    if (launch.workspace)
        wsim_device_release(device, launch.workspace, NULL);
    return status;
}
