/* Units that run ahead of their turns: a ring of places, in the order of turns. */
#include "turns.h"

#include "../state/device.h"
#include "../state/launch.h"
#include "block.h"
#include "still.h"

#include <stdlib.h>

#define MOST_UNITS (UINT64_C(1) << 24)
#define LEAST_UNITS 3
#define PLACES 4 /* a thread */

int turns_fit(const struct run_launch *launch) {
    const struct run_program *program = launch->program;
    return launch->n_units >= LEAST_UNITS && launch->n_units < MOST_UNITS && !program->clock &&
           !program->uses_heap && !program->exports && still_is_private(launch->device);
}

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>

enum place_state { PLACE_EMPTY, PLACE_RUNS, PLACE_READY };

struct place {
    enum place_state state;
    struct run_unit *unit; /* of PLACE_READY; NULL: no memory */
};

struct turns {
    struct run_launch *launch;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    uint64_t taken, next; /* first place before its turn; first place not begun            */
    uint64_t n_places;
    uint64_t helpers;
    uint64_t begun, ran; /* instructions of the first thread when it began; of units ahead */
    struct run_unit *spare;
    int ended;
    struct place places[];
};

struct turns *turns_open(struct run_launch *launch, unsigned threads) {
    const uint64_t n = (uint64_t)threads * PLACES;
    struct turns *turns = calloc(1, sizeof *turns + (size_t)n * sizeof turns->places[0]);
    if (!turns)
        return NULL;
    turns->launch = launch;
    turns->n_places = n;
    turns->helpers = threads - 1;
    turns->begun = launch->shared->workers[0].instructions;
    turns->taken = turns->next = atomic_load(&launch->shared->next);
    if (pthread_mutex_init(&turns->lock, NULL) == 0) {
        if (pthread_cond_init(&turns->changed, NULL) == 0)
            return turns;
        pthread_mutex_destroy(&turns->lock);
    }
    free(turns);
    return NULL;
}

void turns_free(struct turns *turns) {
    for (uint64_t i = 0; i < turns->n_places; i++)
        if (turns->places[i].state == PLACE_READY)
            unit_free(turns->places[i].unit);
    for (struct run_unit *next, *unit = turns->spare; unit; unit = next) {
        next = unit->next;
        unit_free(unit);
    }
    pthread_cond_destroy(&turns->changed);
    pthread_mutex_destroy(&turns->lock);
    free(turns);
}

/* Runs a unit up to its first operation that interacts. Its instructions count when its turn
 * comes. */
static void run_part(struct run_worker *worker, struct run_unit *unit) {
    struct run_shared *shared = worker->launch->shared;
    const uint64_t begin = worker->instructions;
    uint64_t from;
    enum unit_outcome outcome;
    do {
        from = worker->instructions;
        worker->slice = from + unit_slice(worker->launch);
        outcome = unit_run(unit);
    } while (outcome == UNIT_LATER && unit_has_changed(unit) && !atomic_load(&shared->stop));
    unit->used = worker->instructions - from;
    unit->ran = worker->instructions - begin;
    unit->outcome = (uint8_t)outcome;
    worker->instructions = begin;
}

/* Begins the next unit and runs it ahead; called and left with the lock. 0: there is no unit, or no
 * place for one. */
static int run_next(struct turns *turns, struct run_worker *worker) {
    const struct run_launch *launch = turns->launch;
    const uint64_t number = turns->next;
    struct place *place = &turns->places[number % turns->n_places];
    struct run_unit *unit = turns->spare;
    if (number >= launch->n_units || number - turns->taken >= turns->n_places ||
        atomic_load(&launch->shared->stop))
        return 0;
    turns->next++;
    place->state = PLACE_RUNS;
    if (unit)
        turns->spare = unit->next;
    pthread_mutex_unlock(&turns->lock);
    if (!unit)
        unit = unit_make(worker);
    else
        unit_move(unit, worker);
    if (unit && !unit_begin(unit, unit_at(launch, number))) {
        unit_free(unit);
        unit = NULL;
    }
    if (unit) {
        unit->ahead = number + 1;
        run_part(worker, unit);
    }
    pthread_mutex_lock(&turns->lock);
    place->unit = unit;
    place->state = PLACE_READY;
    pthread_cond_broadcast(&turns->changed);
    return 1;
}

void turns_help(struct turns *turns, struct run_worker *worker) {
    pthread_mutex_lock(&turns->lock);
    while (!turns->ended)
        if (!run_next(turns, worker))
            pthread_cond_wait(&turns->changed, &turns->lock);
    pthread_mutex_unlock(&turns->lock);
}

void turns_end(struct turns *turns) {
    pthread_mutex_lock(&turns->lock);
    turns->ended = 1;
    pthread_cond_broadcast(&turns->changed);
    pthread_mutex_unlock(&turns->lock);
}

/* Spare units of the first thread are for all. */
static void share_spare(struct turns *turns, struct run_worker *worker) {
    while (worker->spare) {
        struct run_unit *unit = worker->spare;
        worker->spare = unit->next;
        unit->next = turns->spare;
        turns->spare = unit;
    }
}

/* Whether the first thread runs units ahead while it waits. It does not if the others keep up with
 * the work that only the first thread can do. */
static int has_time(const struct turns *turns, const struct run_worker *worker) {
    const uint64_t in_turn = worker->instructions - turns->begun - turns->ran;
    return in_turn < turns->ran / turns->helpers;
}

struct run_unit *turns_take(struct turns *turns, struct run_worker *worker, uint64_t number) {
    struct place *place = &turns->places[number % turns->n_places];
    struct run_unit *unit = NULL;
    pthread_mutex_lock(&turns->lock);
    turns->taken = number;
    share_spare(turns, worker);
    if (turns->next <= number) {
        turns->next = number + 1;
        worker->spare = turns->spare;
        if (worker->spare) {
            turns->spare = worker->spare->next;
            worker->spare->next = NULL;
            unit_move(worker->spare, worker);
        }
    } else {
        while (place->state != PLACE_READY)
            if (!has_time(turns, worker) || !run_next(turns, worker))
                pthread_cond_wait(&turns->changed, &turns->lock);
        unit = place->unit;
        place->state = PLACE_EMPTY;
        worker->launch->shared->no_memory |= !unit;
    }
    turns->taken = number + 1;
    pthread_cond_broadcast(&turns->changed);
    pthread_mutex_unlock(&turns->lock);
    if (!unit)
        return NULL;
    unit_move(unit, worker);
    unit->ahead = 0;
    worker->instructions += unit->ran;
    turns->ran += unit->ran;
    return unit;
}
#endif
