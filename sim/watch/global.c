/* Races of blocks in global memory. Warps of one block race as in shared memory.
 *
 * In most kernels no block can know the work of another: all loads are weak, and no atomic returns
 * the old value (run_program.acquires). Two blocks that access the same bytes race then. The
 * two lowest units of each byte are kept, which does not depend on the order of blocks. So the
 * blocks run in parallel, each thread of the host keeps its own cells, and the end of the launch
 * compares them (global_end.c).
 *
 * In all other kernels blocks run on one thread of the host. A release (after a fence for all
 * blocks, or of its own) is logged with the vector of its warp under the next number. The word that
 * it writes keeps that number. A strong read of the word acquires all that was logged up to that
 * number. So the acquire may know too much, which hides a race; no false race is found. */
#include "global.h"
#include "polls.h"
#include "../state/device.h"
#include "../state/launch.h"

#include <stdlib.h>

#define FIRST_LOGGED 8                 /* releases of a unit that there is room for at first      */
#define MOST_LOGGED 1024               /* releases of a unit; then every second one is left out */
#define MOST_PAST 64                   /* values that are kept of a word                      */
#define MOST_UNITS (UINT64_C(1) << 26) /* whose releases are logged                            */

struct release {
    uint32_t number;
    uint16_t by;      /* the warp of the unit */
    uint32_t *clocks; /* [actors of the unit], the most of all up to here */
};

struct log {
    uint32_t n, room;
    struct release *releases; /* [room] */
};

/* A value that a word had, the warp that wrote it, and the last release up to there. The value of
 * the newest one is in memory. */
struct past {
    uint64_t value;
    uint32_t number, unit;
    uint16_t warp;
    uint8_t bytes;
};

/* The last release to a word; empty where key is 0. Value i is past[i % room]. */
struct word {
    uint64_t key;
    uint32_t number;
    uint32_t n_past, room; /* a power of two, or 0 */
    struct past *past;     /* where a loop of the kernel waits for a value (polls.c) */
};

_Static_assert(sizeof((struct wsim_device *)0)->chunks / sizeof(struct pool_chunk *) == RACE_KEPT,
               "a device keeps the chunks of each pool, and a log");

/* --- a launch --- */

enum run_threads race_threads(const struct run_launch *launch) {
    return launch->program->acquires ? RUN_IN_TURN : RUN_ANY;
}

#define NEAR (UINT64_C(1) << 20)

static int touches(const struct run_buffer *before, const struct run_buffer *after) {
    return after->base - before->base <= before->size;
}

/* A pointer of a store is of the buffer that it is in. Buffers that touch this one count too, as
 * all may be one array, in pieces. A pointer outside of all may be of any buffer near it. */
static void note_pointer(const struct run_launch *launch, uint8_t *idle, uint64_t at) {
    const struct run_space *space = launch->device->space;
    const struct run_buffer *buffer = run_buffer_of(launch->device, at, 1);
    struct run_buffer *const *all = space->buffers;
    size_t first = 0, end = space->n_buffers;
    for (size_t i = 0; buffer && i + 1 < space->n_buffers; i++) {
        if (touches(all[i], all[i + 1]))
            continue;
        if (all[i]->base < buffer->base)
            first = i + 1;
        else if (end == space->n_buffers)
            end = i + 1;
    }
    for (size_t i = first; i < end; i++)
        if ((buffer || at - all[i]->base + NEAR < all[i]->size + 2 * NEAR) &&
            all[i]->number < space->numbered)
            idle[all[i]->number] = 0;
}

/* The buffers that no store of the kernel goes to. 0: no memory. */
static int find_idle(struct globals *globals, const struct run_launch *launch) {
    const uint64_t stores = launch->program->stores, bytes = launch->how->param_bytes;
    if (stores & RUN_STORES_ANY)
        return 1;
    globals->idle = malloc(globals->n_buffers + 1);
    if (!globals->idle)
        return 0;
    memset(globals->idle, 1, globals->n_buffers + 1);
    for (uint64_t rest = stores; rest; rest &= rest - 1) {
        const uint64_t word = 8 * (uint64_t)base_lowest(rest);
        uint64_t at = 0;
        if (word < bytes)
            memcpy(&at, (const uint8_t *)launch->params + word,
                   (size_t)(bytes - word < 8 ? bytes - word : 8));
        note_pointer(launch, globals->idle, at);
    }
    return 1;
}

int global_idle(const struct run_worker *worker, const struct run_buffer *buffer) {
    const struct globals *globals = worker->heard[LISTENER_RACE];
    return globals->idle && buffer->number < globals->n_buffers && globals->idle[buffer->number];
}

/* Threads whose units run ahead share the cells of the first thread, so it gets those of all
 * buffers before the others begin. 0: no memory. */
static int borrow_cells(struct globals *globals, const struct run_launch *launch) {
    const struct run_space *space = launch->device->space;
    struct globals *first = launch->shared->workers[0].heard[LISTENER_RACE];
    for (size_t i = 0; i < space->n_buffers; i++) {
        const struct run_buffer *buffer = space->buffers[i];
        struct race_cell **cells = first->cells + buffer->number % (first->n_buffers + 1);
        if (buffer->number >= first->n_buffers || *cells)
            continue;
        *cells = calloc((size_t)(buffer->size / RACE_CELL) + 1, sizeof **cells);
        if (!*cells)
            return 0;
    }
    globals->borrowed = 1;
    globals->cells = first->cells;
    globals->logs = first->logs;
    globals->n_buffers = first->n_buffers;
    globals->mixed = calloc(globals->n_buffers + 1, 1);
    return globals->mixed && find_idle(globals, launch);
}

int global_make(struct run_worker *worker) {
    const struct run_launch *launch = worker->launch;
    struct wsim_device *device = launch->device;
    struct globals *globals;
    globals = calloc(1, sizeof *globals);
    worker->heard[LISTENER_RACE] = globals;
    if (!globals)
        return 0;
    globals->asker.asked = &globals->asked;
    race_pool_begin(&globals->pool, device->chunks);
    globals->crowd = !launch->program->acquires;
    globals->valued = globals->crowd && launch->shared->several;
    for (unsigned i = 0; i < N_LOCKS; i++)
        atomic_flag_clear_explicit(&globals->locks[i], memory_order_relaxed);
    if (launch->shared->ahead && worker != launch->shared->workers)
        return borrow_cells(globals, launch);
    globals->n_buffers = device->space->numbered;
    globals->cells = calloc(globals->n_buffers + 1, sizeof *globals->cells);
    if (launch->program->acquires && launch->n_units < MOST_UNITS)
        globals->logs = calloc((size_t)launch->n_units, sizeof(struct log *));
    globals->mixed = calloc(globals->n_buffers + 1, 1);
    return globals->cells && globals->mixed && find_idle(globals, launch);
}

static void drop_log(struct log *log) {
    for (uint32_t i = 0; log && i < log->n; i++)
        free(log->releases[i].clocks);
    if (log)
        free(log->releases);
    free(log);
}

void global_free(struct run_worker *worker) {
    struct globals *globals = worker->heard[LISTENER_RACE];
    if (!globals)
        return;
    for (size_t i = 0; !globals->borrowed && globals->cells && i < globals->n_buffers; i++)
        free(globals->cells[i]);
    for (uint64_t i = 0; !globals->borrowed && globals->logs && i < worker->launch->n_units; i++)
        drop_log(globals->logs[i]);
    if (!globals->borrowed) {
        free(globals->cells);
        free(globals->logs);
    }
    free(globals->mixed);
    free(globals->idle);
    for (size_t i = 0; i < globals->room; i++)
        free(globals->words[i].past);
    free(globals->words);
    race_pool_end(&globals->pool, worker->launch->device->chunks);
    free(globals);
    worker->heard[LISTENER_RACE] = NULL;
}

/* --- what blocks know of each other --- */

static struct log **log_of(const struct race_asker *asker, uint32_t unit) {
    const struct globals *globals = asker->warp->worker->heard[LISTENER_RACE];
    const struct run_launch *launch = asker->warp->worker->launch;
    const uint64_t index = (uint64_t)unit - (uint32_t)launch->first_unit;
    return globals->logs && index < launch->n_units ? &globals->logs[index] : NULL;
}

/* The last release with at most that number. */
static const struct release *last_up_to(const struct log *log, uint32_t number) {
    uint32_t low = 0, high = log->n;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (log->releases[middle].number <= number)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &log->releases[low - 1] : NULL;
}

/* Whether the releases up to a number order what another unit did. */
static int is_released(const struct log *log, uint32_t number, const struct race_mark *mark) {
    const struct release *release = number && log ? last_up_to(log, number) : NULL;
    return release && release->clocks[mark->actor] >= mark->clock;
}

int global_knows(const struct race_asker *asker, const struct race_mark *mark) {
    struct log **log = log_of(asker, mark->unit);
    for (unsigned i = 0; log && i < asker->n_clocks; i++)
        if (is_released(*log, asker->clocks[i][asker->races->n_actors], mark))
            return 1;
    /* Nothing is known of grids that no host runs to their end. */
    return !log;
}

enum global_release global_released(const struct race_asker *asker) {
    struct log **log = log_of(asker, asker->other.unit);
    if (!log)
        return GLOBAL_UNKNOWN;
    if (!*log || !(*log)->n)
        return GLOBAL_NO_RELEASE;
    if (is_released(*log, UINT32_MAX, &asker->other)) {
        for (unsigned i = 0; i < asker->n_clocks; i++)
            if (last_up_to(*log, asker->clocks[i][asker->races->n_actors]))
                return GLOBAL_LATER_RELEASE;
        return GLOBAL_NOT_ACQUIRED;
    }
    return (*log)->releases[(*log)->n - 1].by == asker->other.actor % asker->races->n_warps
               ? GLOBAL_NO_RELEASE
               : GLOBAL_OTHER_RELEASE;
}

int global_loosely(const struct race_asker *asker, const struct race_mark *mark) {
    struct log **log = log_of(asker, mark->unit);
    return asker->loose && (asker->loose->is & LOOSE_UNITS) && log &&
           !is_released(*log, asker->loose->units, mark);
}

/* Where a word is, or would be. */
static size_t slot_of(const struct globals *globals, uint64_t key) {
    size_t at = (size_t)((key >> 2) * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (globals->room - 1);
    while (globals->words[at].key && globals->words[at].key != key)
        at = (at + 1) & (globals->room - 1);
    return at;
}

static int make_room(struct globals *globals) {
    struct word *const old = globals->words, *words;
    const size_t old_room = globals->room, room = old_room ? 2 * old_room : 64;
    if (2 * (globals->n_words + 1) <= old_room)
        return 1;
    words = calloc(room, sizeof *words);
    if (!words)
        return 0;
    globals->words = words;
    globals->room = room;
    for (size_t i = 0; i < old_room; i++)
        if (old[i].key)
            words[slot_of(globals, old[i].key)] = old[i];
    free(old);
    return 1;
}

static uint64_t key_of(const struct run_access *access, unsigned lane) {
    return run_access_at(access, lane) & ~UINT64_C(3);
}

static uint64_t value_at(const struct race_asker *asker, unsigned lane) {
    uint64_t value = 0;
    memcpy(&value, run_access_host(asker->access, lane), asker->access->bytes);
    return value;
}

/* The release that a lane acquires which polls a word: the first one behind `known` from which on
 * all values end its loop. */
static uint32_t polled(const struct race_asker *asker, const struct run_poll *poll,
                       const struct word *word, unsigned lane, uint32_t known) {
    struct run_warp *warp = asker->warp;
    const uint32_t end = word->n_past;
    uint32_t number = word->number;
    for (uint32_t i = end; i-- > 0 && end - i <= word->room;) {
        const struct past *past = &word->past[i % word->room];
        const uint64_t value = i + 1 == end ? value_at(asker, lane) : past->value;
        if (past->bytes != asker->access->bytes || past->number <= known ||
            !polls_ends(poll, warp, lane, value))
            break;
        number = past->number;
        if (past->unit == asker->mark.unit && past->warp == race_warp(warp))
            break;
    }
    return number;
}

/* The last value; NULL: none is kept. */
static struct past *last_past(const struct word *word) {
    return word->n_past ? &word->past[(word->n_past - 1) % word->room] : NULL;
}

/* Room for one more value. 0: no memory. */
static int grow_past(struct word *word) {
    const uint32_t room = word->room ? 2 * word->room : 2;
    struct past *past;
    if (word->n_past < word->room || word->room == MOST_PAST)
        return 1;
    past = realloc(word->past, room * sizeof *past);
    if (!past)
        return 0;
    word->past = past;
    word->room = room;
    return 1;
}

/* A release writes a word. Memory holds the value before. */
static void keep_past(struct race_asker *asker, struct word *word, unsigned lane) {
    const struct run_access *access = asker->access;
    struct past *last = last_past(word);
    if (access->bytes != 4 && access->bytes != 8) {
        word->n_past = 0;
        return;
    }
    if (last && last->number == word->number)
        return;
    if (last && last->bytes == access->bytes)
        last->value = value_at(asker, lane);
    else if (last)
        last->bytes = 0;
    if (!grow_past(word)) {
        asker->no_memory = 1;
        return;
    }
    word->past[word->n_past++ % word->room] =
        (struct past){0, word->number, asker->mark.unit, (uint16_t)race_warp(asker->warp),
                      (uint8_t)access->bytes};
}

void global_acquire(struct race_asker *asker) {
    const struct globals *globals = asker->warp->worker->heard[LISTENER_RACE];
    const struct run_access *access = asker->access;
    uint32_t *known = race_clocks(asker->races, asker->warp) + asker->races->n_actors;
    struct race_loose *loose = &asker->races->loose[race_warp(asker->warp)];
    const struct run_poll *poll =
        access->kind == RUN_READ && asker->warp->program->polls
            ? polls_of(asker->warp->program, run_number(asker->warp, asker->op))
            : NULL;
    const uint32_t before = *known;
    if (!globals->n_words || access->kind == RUN_WRITE || (asker->kind & RACE_NARROW))
        return;
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        const uint64_t key = key_of(access, run_lowest(rest));
        const struct word *word;
        uint32_t number;
        if (key < globals->low || key > globals->high)
            continue;
        word = &globals->words[slot_of(globals, key)];
        if (!word->key || word->number <= *known)
            continue;
        number = poll ? polled(asker, poll, word, run_lowest(rest), before) : word->number;
        if (number <= *known)
            continue;
        if (!access->acquires && !(loose->is & LOOSE_UNITS)) {
            loose->is |= LOOSE_UNITS;
            loose->units = *known;
        }
        *known = number;
    }
}

/* Drops every second release. The next one takes its number, as it would be known too late
 * otherwise, which would report false races. */
static void thin_out(struct log *log) {
    uint32_t n = 0;
    for (uint32_t i = 0; i + 1 < log->n; i += 2) {
        log->releases[i + 1].number = log->releases[i].number;
        free(log->releases[i].clocks);
        log->releases[n++] = log->releases[i + 1];
    }
    log->n = n;
}

/* 0: no memory. */
static int grow_log(struct log *log) {
    const uint32_t room = log->room ? 2 * log->room : FIRST_LOGGED;
    struct release *releases = realloc(log->releases, room * sizeof *releases);
    if (!releases)
        return 0;
    log->releases = releases;
    log->room = room;
    return 1;
}

/* Logs a vector; its number, 0: there is no memory, or nothing that could be logged. */
static uint32_t log_release(struct race_asker *asker, const uint32_t *clocks) {
    struct globals *globals = asker->warp->worker->heard[LISTENER_RACE];
    struct log **at = log_of(asker, asker->mark.unit), *log;
    const uint32_t actors = asker->races->n_actors;
    struct release *last, *next;
    int news = 0;
    if (!at || (!*at && !(*at = calloc(1, sizeof **at))))
        return 0;
    log = *at;
    last = log->n ? &log->releases[log->n - 1] : NULL;
    for (uint32_t i = 0; i < actors; i++)
        news |= !last || clocks[i] > last->clocks[i];
    if (!news)
        return last->number;
    if (log->n == MOST_LOGGED)
        thin_out(log);
    if (log->n == log->room && !grow_log(log))
        return 0;
    last = log->n ? &log->releases[log->n - 1] : NULL;
    next = &log->releases[log->n];
    next->clocks = malloc(actors * sizeof *next->clocks);
    if (!next->clocks)
        return 0;
    for (uint32_t i = 0; i < actors; i++)
        next->clocks[i] = last && last->clocks[i] > clocks[i] ? last->clocks[i] : clocks[i];
    next->by = (uint16_t)race_warp(asker->warp);
    log->n++;
    return next->number = ++globals->number;
}

void global_release(struct race_asker *asker) {
    struct globals *globals = asker->warp->worker->heard[LISTENER_RACE];
    const struct run_access *access = asker->access;
    const struct races *races = asker->races;
    const int all = access->releases && !access->narrow;
    const uint32_t *clocks =
        all ? race_clocks(races, asker->warp) : race_fenced(races, asker->warp);
    uint32_t number, fenced = 0;
    for (uint32_t i = 0; i < races->n_actors; i++)
        fenced |= clocks[i];
    if (globals->crowd || !fenced || (asker->kind & RACE_NARROW))
        return;
    number = log_release(asker, clocks);
    if (clocks[races->n_actors] > number)
        number = clocks[races->n_actors];
    for (uint32_t rest = access->lanes; rest && number; rest &= rest - 1) {
        const uint64_t key = key_of(access, run_lowest(rest));
        struct word *word;
        if (!make_room(globals)) {
            asker->no_memory = 1;
            return;
        }
        word = &globals->words[slot_of(globals, key)];
        globals->low = !globals->n_words || key < globals->low ? key : globals->low;
        globals->high = !globals->n_words || key > globals->high ? key : globals->high;
        globals->n_words += !word->key;
        word->key = key;
        word->number = number > word->number ? number : word->number;
        if (asker->warp->program->polls)
            keep_past(asker, word, run_lowest(rest));
    }
}

/* --- accesses --- */

static atomic_flag *lock_of(const struct race_asker *asker, uint64_t cell) {
    struct globals *first = asker->warp->worker->launch->shared->workers[0].heard[LISTENER_RACE];
    return &first->locks[cell % N_LOCKS];
}

void global_lock_cell(const struct race_asker *asker, uint64_t cell) {
    while (atomic_flag_test_and_set_explicit(lock_of(asker, cell), memory_order_acquire)) {
    }
}

void global_unlock_cell(const struct race_asker *asker, uint64_t cell) {
    atomic_flag_clear_explicit(lock_of(asker, cell), memory_order_release);
}

void global_mixed(const struct run_worker *worker, const struct run_buffer *buffer) {
    struct globals *globals = worker->heard[LISTENER_RACE];
    if (buffer->number < globals->n_buffers)
        globals->mixed[buffer->number] = 1;
}

struct race_cell *global_numbered(struct race_asker *asker, const struct run_worker *worker,
                                  uint32_t number) {
    struct globals *globals = worker->heard[LISTENER_RACE];
    asker->pool = &globals->pool;
    asker->crowd = globals->crowd;
    asker->valued = globals->valued;
    return number < globals->n_buffers ? globals->cells[number] : NULL;
}

struct race_cell *global_seen(struct race_asker *asker, const struct run_buffer *buffer) {
    return global_numbered(asker, asker->warp->worker, buffer->number);
}

struct race_cell *global_cells(struct race_asker *asker, const struct run_buffer *buffer) {
    const struct run_worker *worker = asker->warp->worker;
    struct globals *globals = worker->heard[LISTENER_RACE];
    struct race_cell **cells;
    /* Memory of malloc goes from block to block. */
    if (buffer->base == worker->launch->device->heap || buffer->number >= globals->n_buffers) {
        if (asker->turn && buffer->number >= globals->n_buffers)
            launch_clash(worker->launch->shared);
        return NULL;
    }
    asker->pool = &globals->pool;
    asker->crowd = globals->crowd;
    asker->valued = globals->valued;
    cells = &globals->cells[buffer->number];
    if (!*cells) {
        *cells = calloc((size_t)(buffer->size / RACE_CELL) + 1, sizeof **cells);
        asker->no_memory |= !*cells;
    }
    return *cells;
}

int global_written(const struct run_warp *warp, uint64_t at, unsigned n, uint8_t *bytes) {
    const struct globals *globals = warp->worker->heard[LISTENER_RACE];
    const struct run_buffer *buffer =
        globals->valued ? run_buffer_of(warp->worker->launch->device, at, n) : NULL;
    const struct race_cell *cells =
        buffer && buffer->number < globals->n_buffers ? globals->cells[buffer->number] : NULL;
    for (unsigned i = 0; cells && i < n; i++) {
        const uint64_t from = at - buffer->base + i;
        const struct race_entry *entry = cells[from / RACE_CELL].entries;
        while (entry && !(entry->kind == RACE_WRITE && (entry->mask >> from % RACE_CELL & 1)))
            entry = entry->next;
        if (!entry || !race_values(entry))
            return 0;
        bytes[i] = race_values(entry)[from % RACE_CELL];
    }
    return cells != NULL;
}
