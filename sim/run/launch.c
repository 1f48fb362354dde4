/* Launches in flight: begun, run in turns that several launches of an address space share, and
 * finished. */
#include "../isa/isa.h"
#include "../state/device.h"
#include "../state/launch.h"
#include "../state/lives.h"
#include "../state/module.h"
#include "../step/quick.h"
#include "../watch/listeners.h"
#include "block.h"
#include "look.h"
#include "report.h"
#include "still.h"
#include "turns.h"
#include "worker.h"

#include <stdlib.h>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#include <sys/select.h>
#include <unistd.h>
#define THREADS 1
#endif

/* Instructions before another thread pays. */
#define WORTH_A_THREAD 16000u
/* Instructions of each thread in a step of a launch that has to share. */
#define STEP (UINT64_C(1) << 21)

struct wsim_flight {
    struct wsim_launch how; /* with parameters that are its own */
    struct run_launch launch;
    struct run_shared shared;
    struct run_worker *workers; /* [jobs] */
    unsigned jobs, opened;
    int went_ahead; /* units have run ahead of their turns */
    struct wsim_report *report;
    struct wsim_flight *next; /* in the address space */
};

static unsigned threads_of(const struct run_launch *launch, enum run_threads may) {
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
    if (may == RUN_ALONE || launch->how->look || launch->program->cancels ||
        (may == RUN_IN_TURN && !turns_fit(launch)))
        threads = 1;
    return (unsigned)(threads < launch->n_units ? threads : launch->n_units);
}

/* --- turns --- */

/* Nothing of it is left to run. */
static int is_over(const struct wsim_flight *flight) {
    int live = 0;
    for (unsigned i = 0; i < flight->opened; i++)
        live |= flight->workers[i].live != NULL;
    return flight->shared.no_memory || atomic_load(&flight->shared.stop) ||
           (!live && atomic_load(&flight->shared.next) >= flight->launch.n_units);
}

/* Buffers may have been freed since the last turn. */
static void begin_turn(struct run_worker *worker, uint64_t quota) {
    worker->quota = quota == UINT64_MAX ? quota : worker->instructions + quota;
    worker->recent = NULL;
    for (unsigned i = 0; i < RUN_NEAR; i++)
        worker->near[i] = NULL;
    still_again(worker);
}

#ifdef THREADS
/* A thread that helps. */
static void *help(void *argument) {
    struct run_worker *worker = argument;
    worker_run(worker);
    atomic_fetch_sub(&worker->launch->shared->busy, 1);
    return NULL;
}

/* Reports progress while other threads still work, less and less often: it is not to be waited for.
 */
static void wait_for_others(const struct run_launch *launch) {
    long pause = 20; /* microseconds */
    while (launch->how->progress && atomic_load(&launch->shared->busy) &&
           !atomic_load(&launch->shared->stop)) {
        worker_report(launch);
        select(0, NULL, NULL, NULL, &(struct timeval){.tv_usec = pause});
        pause = pause < 20000 ? pause + pause / 4 : pause;
    }
}

/* Opens the other workers, and starts a thread for each. Returns the number of threads. */
static unsigned start_threads(struct wsim_flight *flight, uint64_t quota,
                              pthread_t threads[RUN_MOST_THREADS], void *(*run)(void *)) {
    unsigned started = 0;
    for (; flight->opened < flight->jobs; flight->opened++) {
        struct run_worker *worker = &flight->workers[flight->opened];
        if (!worker_open(worker, &flight->launch))
            break;
        begin_turn(worker, quota);
    }
    atomic_store(&flight->shared.busy, flight->opened - 1);
    while (started + 1 < flight->opened &&
           pthread_create(&threads[started], NULL, run, &flight->workers[started + 1]) == 0)
        started++;
    return started;
}

static void run_threads(struct wsim_flight *flight, uint64_t quota) {
    pthread_t threads[RUN_MOST_THREADS];
    unsigned started;
    flight->shared.parallel = 1;
    flight->shared.mixed = flight->launch.program->reduces;
    started = start_threads(flight, quota, threads, help);
    atomic_fetch_sub(&flight->shared.busy, flight->opened - 1 - started);
    worker_run(&flight->workers[0]);
    wait_for_others(&flight->launch);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}
#endif

/* --- units that run ahead of their turns --- */

static int open_first(struct wsim_flight *flight) {
    if (!worker_open(&flight->workers[0], &flight->launch))
        return 0;
    flight->opened = 1;
    flight->workers[0].calls = 1;
    return 1;
}

#ifdef THREADS
static void *help_ahead(void *argument) {
    struct run_worker *worker = argument;
    const struct quick_floats floats = quick_floats_begin();
    turns_help(worker->launch->shared->turns, worker);
    quick_floats_end(&floats);
    return NULL;
}

static void run_ahead(struct wsim_flight *flight) {
    pthread_t threads[RUN_MOST_THREADS];
    struct run_shared *shared = &flight->shared;
    unsigned started;
    shared->turns = turns_open(&flight->launch, flight->jobs);
    if (!shared->turns) {
        worker_run(&flight->workers[0]);
        return;
    }
    flight->went_ahead = 1;
    started = start_threads(flight, UINT64_MAX, threads, help_ahead);
    worker_run(&flight->workers[0]);
    turns_end(shared->turns);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    turns_free(shared->turns);
    shared->turns = NULL;
}
#endif

/* Forgets what the launch has done, and goes back to its beginning, on one thread. */
static int begin_again(struct wsim_flight *flight) {
    struct run_launch *launch = &flight->launch;
    struct run_shared *shared = &flight->shared;
    hear_launch_again(launch, flight->workers);
    for (unsigned i = 0; i < flight->opened; i++)
        worker_close(&flight->workers[i]);
    flight->opened = 0;
    for (size_t i = 0; i < shared->n_findings; i++)
        launch_finding_free(&shared->findings[i]);
    for (size_t i = 0; i < shared->n_outputs; i++)
        free(shared->outputs[i].text);
    shared->n_findings = shared->n_outputs = 0;
    shared->all_findings = shared->all_notes = shared->when = 0;
    atomic_store(&shared->next, 0);
    atomic_store(&shared->instructions, 0);
    atomic_store(&shared->clash, 0);
    atomic_store(&shared->still, 0);
    atomic_store(&shared->stop, 0);
    shared->ahead = 0;
    flight->went_ahead = 0;
    flight->jobs = shared->n_workers = 1;
    hear_launch(launch, watch_listeners);
    return open_first(flight);
}

/* A launch that has to end early, or whose units clashed, has run units whose turn would not have
 * come, or not so. It runs again without that. */
static int has_gone_wrong(const struct wsim_flight *flight) {
    const struct run_shared *shared = &flight->shared;
    return flight->went_ahead && !shared->no_memory && !atomic_load(&shared->asked) &&
           (atomic_load(&shared->stop) || atomic_load(&shared->still));
}

/* A launch that shares its time with others, or whose caller may write memory between its turns,
 * cannot begin again. */
static void stay_alone(struct wsim_flight *flight) {
    if (flight->shared.ahead) {
        flight->shared.ahead = 0;
        flight->jobs = 1;
    }
}

static int is_alone(const struct wsim_flight *flight) {
    for (const struct wsim_flight *at = flight->launch.device->space->flights; at; at = at->next)
        if (at != flight && !is_over(at))
            return 0;
    return 1;
}

/* Each thread runs at most about `quota` instructions. The calling thread begins alone; others help
 * once there is enough to do. */
static void run_turn(struct wsim_flight *flight, uint64_t quota) {
    struct run_shared *shared = &flight->shared;
    struct run_worker *first = &flight->workers[0];
    still_begin(shared, &flight->launch, is_alone(flight));
    atomic_store(&shared->still, 0);
    for (unsigned i = 0; i < flight->opened; i++)
        begin_turn(&flight->workers[i], quota);
    if (flight->opened == 1) {
        first->pause = flight->jobs > 1 ? WORTH_A_THREAD : 0;
        worker_run(first);
        first->pause = 0;
    }
    if (is_over(flight) || atomic_load(&shared->still))
        return;
#ifdef THREADS
    if (shared->ahead && flight->jobs > 1) {
        run_ahead(flight);
        return;
    }
    if (flight->opened > 1 ||
        (flight->jobs > 1 && atomic_load(&shared->next) < flight->launch.n_units)) {
        run_threads(flight, quota);
        return;
    }
#endif
    if (flight->jobs > 1)
        worker_run(first); /* units that it had begun before it paused */
}

static enum wsim_flight_state state_of(const struct wsim_flight *flight) {
    const uint64_t still = still_changes(&flight->launch) + 1;
    if (is_over(flight))
        return WSIM_FLIGHT_DONE;
    if (atomic_load(&flight->shared.still) != still)
        return WSIM_FLIGHT_RUNS;
    if (flight->shared.open)
        return WSIM_FLIGHT_WAITS;
    for (const struct wsim_flight *at = flight->launch.device->space->flights; at; at = at->next)
        if (!is_over(at) && atomic_load(&at->shared.still) != still)
            return WSIM_FLIGHT_WAITS;
    return WSIM_FLIGHT_STUCK;
}

/* Gives every other launch of the address space a turn. 0: there is none that can take it. */
static int step_others(const struct wsim_flight *flight) {
    int any = 0;
    for (struct wsim_flight *at = flight->launch.device->space->flights; at; at = at->next)
        if (at != flight && !is_over(at)) {
            stay_alone(at);
            run_turn(at, STEP);
            any = 1;
        }
    return any;
}

/* A finding that says where the first unit of the launch is. */
static void report_deadlock(struct wsim_flight *flight) {
    struct run_unit *unit = NULL;
    uint64_t live = 0;
    for (unsigned i = 0; i < flight->opened; i++) {
        unit = unit ? unit : flight->workers[i].live;
        live += flight->workers[i].n_live;
    }
    if (unit)
        unit_deadlock(unit, live);
    atomic_store(&flight->shared.stop, 1);
}

/* Others get turns whenever this launch changes nothing by itself. */
static void run_to_end(struct wsim_flight *flight) {
    while (!is_over(flight)) {
        const uint64_t changes = still_changes(&flight->launch);
        const int alone = is_alone(flight);
        if (!alone)
            stay_alone(flight);
        run_turn(flight, alone ? UINT64_MAX : STEP);
        if (has_gone_wrong(flight)) {
            if (begin_again(flight))
                continue;
            flight->shared.no_memory = 1;
        }
        if (state_of(flight) == WSIM_FLIGHT_STUCK)
            report_deadlock(flight);
        else if (changes == still_changes(&flight->launch))
            step_others(flight);
    }
}

/* --- begin and finish --- */

/* The workspace that the driver gives a cooperative launch. Cooperative groups count the blocks at
 * a barrier in its last 4 bytes. An H200 gives none to other launches, of one block either
 * (tests/runtime/programs/gridsync.cu). */
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

static void enter_space(struct wsim_flight *flight) {
    struct run_space *space = flight->launch.device->space;
    if (flight->how.checks & WSIM_CHECK_RACE)
        run_space_number(space);
    space->blind += !(flight->how.checks & WSIM_CHECK_INIT);
    flight->next = space->flights;
    space->flights = flight;
}

static void leave_space(struct wsim_flight *flight) {
    struct run_space *space = flight->launch.device->space;
    struct wsim_flight **at = &space->flights;
    while (*at != flight)
        at = &(*at)->next;
    *at = flight->next;
    space->blind -= !(flight->how.checks & WSIM_CHECK_INIT);
}

static void free_flight(struct wsim_flight *flight) {
    for (unsigned i = 0; i < flight->opened; i++)
        worker_close(&flight->workers[i]);
    if (flight->launch.workspace)
        wsim_device_release(flight->launch.device, flight->launch.workspace, NULL);
    wsim_report_free(flight->report);
    look_close(&flight->launch);
    free(flight->workers);
    free((void *)(uintptr_t)flight->how.params);
    free(flight);
}

static int copy_params(struct wsim_flight *flight) {
    const size_t bytes = flight->how.param_bytes;
    void *params = malloc(bytes + 1);
    if (params && bytes)
        memcpy(params, flight->how.params, bytes);
    flight->how.params = flight->launch.params = params;
    return params != NULL;
}

static enum wsim_status no_memory(struct wsim_diag *diag) {
    return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory for the launch");
}

/* Everything a launch needs that was checked. It is in its address space before the first thread is
 * opened, whose listeners ask for the numbers of buffers. */
static enum wsim_status open_flight(struct wsim_flight *flight, struct wsim_diag *diag) {
    struct run_launch *launch = &flight->launch;
    enum wsim_status status = copy_params(flight) ? take_workspace(launch, diag) : no_memory(diag);
    enum run_threads may;
    if (status)
        return status;
    may = hear_threads(launch, watch_listeners);
    flight->jobs = threads_of(launch, may);
    flight->shared.ahead = may == RUN_IN_TURN && flight->jobs > 1;
    flight->shared.several = flight->jobs > 1;
    flight->report = report_make(launch);
    if (!look_open(launch))
        return no_memory(diag);
    hear_launch(launch, watch_listeners);
    enter_space(flight);
    flight->workers = calloc(flight->jobs, sizeof *flight->workers);
    flight->shared.workers = flight->workers;
    flight->shared.n_workers = flight->workers ? flight->jobs : 0;
    if (flight->report && flight->workers && open_first(flight))
        return WSIM_OK;
    leave_space(flight);
    return no_memory(diag);
}

enum wsim_status wsim_launch_begin(struct wsim_device *device, struct wsim_module *module,
                                   const struct wsim_launch *how, struct wsim_flight **out,
                                   struct wsim_diag *diag) {
    struct wsim_flight *flight = calloc(1, sizeof *flight);
    enum wsim_status status;
    *out = NULL;
    if (!flight)
        return no_memory(diag);
    flight->how = *how;
    flight->how.params = NULL;
    flight->launch = (struct run_launch){.module = module,
                                         .device = device,
                                         .arch = device->arch,
                                         .how = how,
                                         .shared = &flight->shared};
    atomic_flag_clear(&flight->shared.lock);
    atomic_flag_clear(&flight->shared.atomics);
    status = launch_check(&flight->launch, diag);
    flight->launch.how = &flight->how;
    flight->how.params = how->params;
    if (!status)
        status = open_flight(flight, diag);
    else
        flight->how.params = NULL;
    if (status)
        free_flight(flight);
    else
        *out = flight;
    return status;
}

enum wsim_flight_state wsim_launch_step(struct wsim_flight *flight) {
    stay_alone(flight);
    if (!is_over(flight))
        run_turn(flight, STEP);
    return state_of(flight);
}

enum wsim_status wsim_launch_finish(struct wsim_flight *flight, struct wsim_report **report,
                                    struct wsim_diag *diag) {
    struct run_launch *launch = &flight->launch;
    enum wsim_status status;
    int good = 1;
    run_to_end(flight);
    for (unsigned i = 0; i < flight->opened; i++)
        good &= worker_end(&flight->workers[i]);
    if (good)
        hear_launch_end(launch, flight->workers, flight->opened);
    if (good)
        good = report_sum(flight->report, launch, flight->workers, flight->opened);
    status =
        good && !flight->shared.no_memory ? report_status(flight->report, diag) : no_memory(diag);
    *report = flight->report;
    flight->report = NULL;
    leave_space(flight);
    free_flight(flight);
    return status;
}

enum wsim_status wsim_launch_run(struct wsim_device *device, struct wsim_module *module,
                                 const struct wsim_launch *how, struct wsim_report **report,
                                 struct wsim_diag *diag) {
    struct wsim_flight *flight;
    enum wsim_status status = wsim_launch_begin(device, module, how, &flight, diag);
    *report = NULL;
    return status ? status : wsim_launch_finish(flight, report, diag);
}

enum wsim_status wsim_launch_check(struct wsim_device *device, struct wsim_module *module,
                                   const struct wsim_launch *how, struct wsim_diag *diag) {
    struct run_launch launch = {
        .module = module, .device = device, .arch = device->arch, .how = how};
    return launch_check(&launch, diag);
}
