/* The order of accesses, by vector clocks.
 *
 * An *actor* is a warp, or one of the queues of its asynchronous work: copies and products run
 * beside the warp that issued them. Each actor has a clock. Each warp has a vector: for every
 * actor, the clock up to which its accesses are ordered before those of the warp. An arrival,
 * an atomic, or a store that is not weak is a release. It joins the vector of its warp into that of
 * a place, and steps the clock of the warp. An acquire joins the vector of the place into that of
 * the warp. Queues with groups use the numbers of the groups as clocks, which a wait for the group
 * makes known. Work that completes an mbarrier is counted, and releases to that barrier (orders.c).
 *
 * A second vector says, for every warp, up to which clock its writes are visible to the copy engine
 * and the tensor core. A proxy fence raises it to all that its warp knows. It travels with the
 * first vector. Between the two lies the knowledge of other units (global.c). */
#include "actors.h"
#include "../state/launch.h"

#include <stdlib.h>

enum { EACH_PLACES = 32, EACH_PHASES = 8 }; /* of a chunk */

void race_join(const struct races *races, uint32_t *to, const uint32_t *from) {
    for (uint32_t i = 0; i < races->width; i += RACE_STEP)
        for (uint32_t j = i; j < i + RACE_STEP; j++)
            to[j] = to[j] > from[j] ? to[j] : from[j];
}

/* --- a unit --- */

/* Whether lanes release for themselves. A fence before a relaxed flag does, where another warp
 * listens to flags. */
static int releases_lanes(const struct run_program *program) {
    return program->arrives || (program->fences && program->flags && program->listens);
}

int race_unit_make(struct run_unit *unit) {
    const struct run_launch *launch = unit->worker->launch;
    struct races *races;
    uint32_t warps = unit->n_blocks * unit->blocks[0].n_warps;
    races = calloc(1, sizeof *races);
    unit->heard[LISTENER_RACE] = races;
    if (!races)
        return 0;
    races->n_warps = races->n_actors = warps;
    for (unsigned kind = 1, slot = 0; kind < RACE_KINDS; kind++)
        if (launch->program->queues >> (kind == RACE_BULK_WRITES ? SYNC_BULK : kind - 1) & 1) {
            races->slot[kind] = (uint8_t)++slot;
            races->kinds[slot] = (uint8_t)kind;
            races->proxies |= kind != 1 + SYNC_CP_ASYNC;
            races->n_actors += warps;
        }
    races->n_seen = !races->proxies ? 0 : launch->program->copies ? 2 * warps : warps;
    if (releases_lanes(launch->program) && lanes_may_race(launch)) {
        races->rest = races->n_actors;
        races->n_actors += warps;
        races->kinds[races->rest / warps] = RACE_REST;
    }
    races->width = races->n_actors + 1 + races->n_seen;
    races->width = (races->width + RACE_STEP - 1) / RACE_STEP * RACE_STEP;
    races->clocks = calloc((size_t)warps * races->width, sizeof *races->clocks);
    races->fenced = calloc((size_t)warps * races->width, sizeof *races->fenced);
    races->scoped = unit->n_blocks > 1 && launch->program->narrows;
    if (unit->n_blocks > 1)
        races->near = calloc((size_t)warps * races->width, sizeof *races->near);
    if (launch->program->relaxes)
        races->firm = calloc((size_t)warps * races->width, sizeof *races->firm);
    races->settled = calloc(2 * (size_t)races->n_actors + races->n_seen, sizeof *races->settled);
    races->least = races->settled + 2 * (size_t)races->n_actors;
    races->waits = calloc(warps, sizeof *races->waits);
    races->loose = calloc(warps, sizeof *races->loose);
    if (lanes_may_race(launch)) {
        races->lanes = lanes_make(warps);
        races->table = lanes_table_make();
    }
    return races->clocks && races->fenced && races->settled && races->waits && races->loose &&
           ((races->lanes && races->table) || !lanes_may_race(launch)) &&
           (unit->n_blocks < 2 || races->near) && (!launch->program->relaxes || races->firm) &&
           copies_make(races, launch->program->copies) && (!races->rest || release_make(races)) &&
           acquire_make(races) && shared_make(races, unit->n_blocks, launch->shared_bytes) &&
           remote_make(unit, races);
}

static void drop_places(struct races *races) {
    if (races->n_places)
        memset((void *)races->places, 0, sizeof races->places);
    races->pool.current = races->phases.current = NULL;
    races->recent = NULL;
    races->n_places = races->n_words = 0;
}

void race_unit_free(struct run_unit *unit) {
    struct races *races = unit->heard[LISTENER_RACE];
    if (!races)
        return;
    pool_free(races->pool.chunks);
    pool_free(races->phases.chunks);
    shared_free(races);
    remote_free(races);
    release_free(races);
    acquire_free(races);
    copies_free(races);
    free(races->by_word);
    free(races->settled);
    free(races->waits);
    free(races->loose);
    free(races->before);
    lanes_free(races->lanes, races->n_warps);
    lanes_table_free(races->table);
    free(races->near);
    free(races->firm);
    free(races->fenced);
    free(races->clocks);
    free(races);
    unit->heard[LISTENER_RACE] = NULL;
}

void race_unit_begin(struct run_unit *unit) {
    struct races *races = unit->heard[LISTENER_RACE];
    drop_places(races);
    shared_begin(races, unit->n_blocks);
    remote_begin(races, unit->n_blocks);
    release_begin(races);
    acquire_begin(races);
    copies_begin(races);
    if (races->by_word)
        memset((void *)(races->by_word + races->low_word), 0,
               (races->high_word - races->low_word) * sizeof *races->by_word);
    races->low_word = races->high_word = 0;
    races->fences = 0;
    for (uint32_t w = 0; races->lanes && w < races->n_warps; w++)
        lanes_order(&races->lanes[w]);
    memset(races->waits, 0, races->n_warps * sizeof *races->waits);
    memset(races->loose, 0, races->n_warps * sizeof *races->loose);
    memset(races->clocks, 0, (size_t)races->n_warps * races->width * sizeof *races->clocks);
    if (races->near)
        memset(races->near, 0, (size_t)races->n_warps * races->width * sizeof *races->near);
    if (races->firm)
        memset(races->firm, 0, (size_t)races->n_warps * races->width * sizeof *races->firm);
    memset(races->fenced, 0, (size_t)races->n_warps * races->width * sizeof *races->fenced);
    memset(races->settled, 0, 2 * (size_t)races->n_actors * sizeof *races->settled);
    for (uint32_t w = 0; w < races->n_warps; w++) {
        uint32_t *clocks = races->clocks + (size_t)w * races->width;
        clocks[w] = clocks[race_sharer(races, w)] = 1;
    }
}

/* --- places --- */

static uint32_t bucket_of(const void *key) {
    return (uint32_t)(((uintptr_t)key >> 2) * 0x9E3779B1u >> 8) % RACE_BUCKETS;
}

static struct race_place *find_place(const struct races *races, const void *key) {
    struct race_place *place = races->places[bucket_of(key)];
    while (place && place->key != key)
        place = place->next;
    return place;
}

/* Clocks of a place are written before they are read: by what `holds` says. */
static struct race_place *make_place(struct races *races, const void *key) {
    const size_t used = sizeof(struct race_place) + (size_t)races->width * sizeof(uint32_t);
    const size_t size = (used + sizeof(void *) - 1) & ~(sizeof(void *) - 1);
    struct race_place **bucket = &races->places[bucket_of(key)];
    struct race_place *place = pool_take(&races->pool, size, EACH_PLACES);
    if (!place)
        return NULL;
    *place = (struct race_place){.next = *bucket, .key = key};
    if (!races->n_places || (uintptr_t)key < races->low_key)
        races->low_key = (uintptr_t)key;
    if (!races->n_places || (uintptr_t)key > races->high_key)
        races->high_key = (uintptr_t)key;
    races->n_places++;
    return *bucket = place;
}

struct race_place *race_known(const struct races *races, const void *key) {
    struct race_place *place = find_place(races, key);
    return place || races->n_words < RACE_MOST_PLACES ? place : races->places[bucket_of(key)];
}

struct race_place *race_word(struct races *races, const void *key) {
    struct race_place *place = race_known(races, key);
    if (place)
        return place;
    races->n_words++;
    return make_place(races, key);
}

struct race_place *race_barrier(struct races *races, const void *key) {
    const size_t bytes = races->width * sizeof(uint32_t);
    struct race_place *place = find_place(races, key);
    if (!place)
        place = make_place(races, key);
    if (!place || place->phase_clocks)
        return place;
    place->phase_clocks = pool_take(&races->phases, 4 * bytes, EACH_PHASES);
    if (!place->phase_clocks)
        return NULL;
    memset(place->phase_clocks, 0, 4 * bytes);
    if (place->holds == RACE_NOTHING)
        memset(place->clocks, 0, bytes);
    return place;
}

/* --- tensor memory --- */

uint32_t race_known_clock(const struct run_warp *warp, const struct run_warp *other, int work) {
    const struct races *races = warp->block->unit->heard[LISTENER_RACE];
    const unsigned kind = work ? 1 + SYNC_TENSOR : 0;
    if (!races || !race_has(races, kind))
        return 0;
    return race_clocks(races, warp)[race_actor(races, other, kind)];
}
