/* WSIM_CHECK_RACE: two accesses overlap, one is a write, not both are strong, and nothing orders
 * them.
 *
 * The check keeps the last access of each class of each byte, and the one before it if that is not
 * ordered before the last. An access races with one of these if they conflict and the vector of its
 * warp does not hold the clock of the other (clocks.c). A race of three may be missed in one run; a
 * race that is found is one. Lanes of one warp count as ordered. Two stores of equal values do
 * not race. The copy engine and the tensor core must see the bytes that they read:
 * after the write of a thread comes a proxy fence.
 *
 *     race.c        the listener: one access after another
 *     race_again.c  accesses that change nothing, or only add to cells
 *     clocks.c      order, by vector clocks
 *     orders.c      events that order
 *     cell.c        64 bytes of global memory
 *     shared.c      shared memory (shared_states.c, shared_step.c: its states)
 *     global.c      blocks against blocks
 *     reads.c       weak loads that are entered into cells later
 *     say.c         findings in words */
#include "reads.h"
#include "../state/device.h"
#include "../state/launch.h"

#include <stdlib.h>
#include <wsim/mbarrier.h>

/* --- an access --- */

/* Most accesses are those of threads, and need no registers for others. */
#if defined(__GNUC__)
#define SELDOM __attribute__((noinline))
#else
#define SELDOM
#endif

/* An access that a warp has issued to a queue has the clock of its group. */
SELDOM static void ask_for_queue(struct race_asker *asker, const struct run_access *access) {
    const struct sync_item *acting = sync_unit_of(asker->warp)->acting;
    const unsigned queue = access->async - 1u;
    unsigned lane = access->for_lane ? access->for_lane - 1u : run_lowest(access->lanes);
    struct run_warp *warp = asker->warp;
    asker->unordered = queue == SYNC_CP_ASYNC || queue == SYNC_BARRIER;
    if (queue >= SYNC_GROUPED)
        asker->kind = (uint8_t)((asker->kind & ~1) | (access->kind == RUN_REDUCE));
    /* The first of four warps counts the groups of all, as its lane 0. */
    if (queue == SYNC_WGMMA) {
        asker->warp = warp = warp->block->warps + (warp->number & ~3u);
        asker->clocks[0] = race_clocks(asker->races, warp);
        for (unsigned w = 1; w < 4; w++)
            if (warp->number + w < warp->block->n_warps)
                asker->clocks[asker->n_clocks++] = race_clocks(asker->races, warp + w);
        lane = 0;
    }
    asker->mark.actor = (uint16_t)race_actor(
        asker->races, warp,
        queue == SYNC_BULK && access->kind != RUN_READ ? RACE_BULK_WRITES : access->async);
    if (queue == SYNC_CP_ASYNC) /* without the list: reads of tensor maps */
        asker->mark.clock =
            asker->races->copies ? copies_hear(asker->races, warp, asker->op, access) : 1;
    else if (queue == SYNC_BULK)
        asker->mark.clock = copies_bulk(asker->races, warp, lane);
    else if (acting && queue < SYNC_GROUPED)
        asker->mark.clock = acting->group[lane] + 1;
    else if (queue < SYNC_GROUPED)
        asker->mark.clock = sync_warp_of(warp)->groups[queue].committed[lane] + 1;
}

/* Fast path: an access of the threads themselves. It writes each field of the asker that the cells
 * read, and calls nothing. Turns matter in global memory only. */
static inline void ask_for(struct races *races, struct run_warp *warp, const struct run_op *op,
                           const struct run_access *access, struct race_asker *asker) {
    const uint32_t number = race_warp(warp);
    const int strong = !access->weak || access->kind >= RUN_ATOMIC;
    const int global = access->space == PTX_GLOBAL;
    asker->races = races;
    asker->warp = warp;
    asker->op = op;
    asker->access = access;
    asker->bytes = NULL;
    asker->clocks[0] = races->clocks + (size_t)number * races->width;
    asker->n_clocks = 1;
    asker->loose = races->loose[number].is ? &races->loose[number] : NULL;
    asker->n_places = 0;
    asker->mark = (struct race_mark){.clock = asker->clocks[0][number],
                                     .op = run_number(warp, op),
                                     .unit = (uint32_t)warp->block->unit->number,
                                     .actor = (uint16_t)number};
    asker->kind = (uint8_t)(strong | (access->kind == RUN_READ ? 0 : RACE_WRITE));
    if (access->narrow)
        asker->kind |= (uint8_t)((global ? RACE_NARROW : 0) |
                                 (access->narrow > 1 && races->scoped ? RACE_BLOCK : 0));
    asker->kind |= strong && access->proxy ? RACE_ASYNC : 0;
    asker->asks_fence = access->proxy;
    asker->unordered = 0;
    asker->crowd = asker->mixed = asker->valued = asker->no_memory = 0;
    asker->clashes = asker->found = asker->found_kind = asker->told = 0;
    asker->effect = RACE_NOT_KNOWN;
    asker->ahead = asker->turn = 0;
    if (global)
        race_ask_turn(asker);
    if (access->async)
        ask_for_queue(asker, access);
}

/* --- words that order: atomics, and accesses that are not weak: locks and flags --- */

/* That of a word, which reads do not make; of shared memory of the block it is found by its number.
 */
static struct race_place *place_at(const struct race_asker *asker, const void *key) {
    const int reads = asker->access->kind == RUN_READ;
    const struct run_block *block = asker->warp->block;
    struct races *races = asker->races;
    const uint64_t from = (uint64_t)((uintptr_t)key - (uintptr_t)block->shared.bytes);
    struct race_place **place = NULL;
    if (from < block->shared.size && asker->access->space == PTX_SHARED) {
        const size_t words = races->states.n_words;
        const size_t index = block->rank * words + from / 4;
        if (!races->by_word && !reads) {
            const size_t blocks = races->n_warps / block->n_warps;
            races->by_word = calloc(blocks * words, sizeof *races->by_word);
        }
        place = races->by_word ? &races->by_word[index] : NULL;
        if (place && *place)
            return *place;
        if (!reads) {
            if (place)
                race_use_words(races, (uint32_t)index, 1);
            return place ? *place = race_word(races, key) : NULL;
        }
    }
    return reads ? race_known(races, key) : race_word(races, key);
}

/* A word for the accesses of one block alone: those with the scope of the block, and wider ones. */
static struct race_place *block_place(const struct race_asker *asker, const void *key) {
    const uintptr_t block = (uintptr_t)(asker->warp->block->rank + 1) << (sizeof key * 8 - 8);
    const void *own = (const void *)((uintptr_t)key ^ block);
    return asker->access->kind == RUN_READ ? race_known(asker->races, own)
                                           : race_word(asker->races, own);
}

static void add_place(struct race_asker *asker, struct race_place *place) {
    if (place)
        asker->places[asker->n_places++] = place;
    else
        asker->no_memory |= asker->access->kind != RUN_READ;
}

/* Fast path of a single block: words of its shared memory that have places. Reads make none.
 * Returns the other lanes. */
static uint32_t find_words(struct race_asker *asker) {
    const struct run_access *access = asker->access;
    const struct run_block *block = asker->warp->block;
    const uint8_t *shared = block->shared.bytes;
    const int reads = access->kind == RUN_READ;
    uint32_t left = 0;
    if (!asker->races->by_word || asker->races->n_warps != block->n_warps ||
        access->space != PTX_SHARED)
        return access->lanes;
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        const uint8_t *host = run_access_host(access, run_lowest(rest));
        const uint64_t from = (uint64_t)((uintptr_t)host - (uintptr_t)shared);
        struct race_place *place =
            from < block->shared.size ? asker->races->by_word[from / 4] : NULL;
        if (!place)
            left |= from < block->shared.size && reads ? 0 : rest & (0u - rest);
        else if (!asker->n_places || asker->places[asker->n_places - 1] != place)
            asker->places[asker->n_places++] = place;
    }
    return left;
}

/* The places of all lanes, each once if lanes side by side have the same. */
static void find_places(struct race_asker *asker) {
    const struct run_access *access = asker->access;
    const int reads = access->kind == RUN_READ;
    const void *before = NULL;
    if (reads && !asker->races->n_places)
        return;
    for (uint32_t rest = find_words(asker); rest; rest &= rest - 1) {
        const uint8_t *host = run_access_host(access, run_lowest(rest));
        const void *key = host - ((uintptr_t)host & 3u);
        if (key == before)
            continue;
        before = key;
        if (asker->races->scoped)
            add_place(asker, block_place(asker, key));
        if (!(asker->kind & RACE_BLOCK) && (!reads || race_may_know(asker->races, key)))
            add_place(asker, place_at(asker, key));
    }
}

/* Whether a warp knows all that is in the first vector of a place. It may know less of `rest` from
 * a later release of other lanes. */
static int is_known(const struct races *races, const struct race_place *place,
                    const uint32_t *clocks) {
    const uint32_t rest = race_sharer(races, place->of);
    return place->holds == RACE_NOTHING ||
           (place->holds == RACE_OF_ONE && clocks[place->of] >= place->time &&
            clocks[rest] >= place->clocks[rest]);
}

/* The warp learns more, and that is loose. */
static void begin_loose(const struct race_asker *asker, struct race_loose *loose) {
    struct races *races = asker->races;
    const size_t first = (size_t)race_warp(asker->warp) * races->width;
    if (!races->before)
        races->before = calloc((size_t)races->n_warps * races->width, sizeof *races->before);
    if (!races->before) {
        run_no_memory(asker->warp);
        return;
    }
    race_copy(races, races->before + first, races->clocks + first);
    loose->is |= LOOSE_UNIT;
    loose->before = races->before + first;
}

static void acquire_places(const struct race_asker *asker) {
    uint32_t *clocks = race_clocks(asker->races, asker->warp);
    struct race_loose *loose = &asker->races->loose[race_warp(asker->warp)];
    if (asker->access->acquires)
        loose->is = 0;
    for (unsigned i = 0; i < asker->n_places; i++) {
        const struct race_place *place = asker->places[i];
        const int known = is_known(asker->races, place, clocks);
        if (acquire_base(asker->races, asker->warp) ||
            (!known && asker->races->know &&
             (asker->access->acquires || asker->warp->program->fences)))
            acquire_lanes(asker->races, asker->warp, asker->access->lanes);
        if (known)
            continue;
        if (!asker->access->acquires && !(loose->is & LOOSE_UNIT))
            begin_loose(asker, loose);
        race_join(asker->races, clocks, place->clocks);
        if (asker->races->rest)
            release_learn(asker->races, asker->warp, place->clocks);
    }
}

/* An atomic has acquired all that the place holds, so it replaces it. */
static void release_places(const struct race_asker *asker) {
    struct races *races = asker->races;
    const uint32_t *clocks = race_clocks(races, asker->warp);
    const uint32_t of = race_warp(asker->warp), time = clocks[of], rest = race_sharer(races, of);
    const int lanes =
        races->rest && (asker->access->releases || release_is_fenced(races, asker->warp));
    if (lanes)
        release_lanes(races, asker->warp, asker->access->lanes);
    for (unsigned i = 0; i < asker->n_places; i++) {
        struct race_place *place = asker->places[i];
        const uint32_t before = place->holds == RACE_NOTHING ? 0 : place->clocks[rest];
        if (place->holds == RACE_OF_ONE && place->of == of && place->time == time)
            continue;
        if (asker->access->kind == RUN_ATOMIC || is_known(races, place, clocks)) {
            race_copy(races, place->clocks, clocks);
            place->holds = RACE_OF_ONE;
            place->of = of;
            place->time = time;
        } else {
            race_join(races, place->clocks, clocks);
            place->holds = RACE_OF_SEVERAL;
        }
        if (lanes)
            place->clocks[rest] = release_joins(races, asker->warp, before);
    }
}

/* Whether another warp may learn of an access, or the access of another warp. */
static int orders(const struct run_warp *warp, const struct run_access *access) {
    return warp->program->listens && !access->async &&
           (!access->weak || access->kind >= RUN_ATOMIC);
}

/* Whether all lanes load from buffers that no store goes to. */
static int is_idle(const struct run_warp *warp, const struct run_access *access) {
    const struct run_worker *worker = warp->worker;
    const struct run_buffer *buffer = worker->recent;
    const uint64_t size = (uint64_t)access->bytes * (access->row ? access->row : 1);
    if (access->space != PTX_GLOBAL || access->kind != RUN_READ || !access->weak ||
        (!access->plan && !access->async))
        return 0;
    for (uint32_t rest = access->row ? 1 : access->lanes; rest; rest &= rest - 1) {
        const uint64_t at = access->at[run_lowest(rest)];
        if (!buffer || at - buffer->base >= buffer->size ||
            size > buffer->size - (at - buffer->base))
            buffer = run_buffer_of(worker->launch->device, at, size);
        if (!buffer || !global_idle(worker, buffer))
            return 0;
    }
    return 1;
}

/* A copy is compared with other lanes: cp.async, or one of a lane for all. */
SELDOM static void look_lanes(struct races *races, struct run_warp *warp, const struct run_op *op,
                              const struct run_access *access) {
    const int is_cp = access->async == 1 + SYNC_CP_ASYNC && access->kind == RUN_WRITE;
    if (races->lanes && (access->for_lane || is_cp))
        lanes_look(races->table, &races->lanes[race_warp(warp)], warp, op, access);
}

/* An access that orders: the places that it acquires. */
SELDOM static unsigned begin_order(struct race_asker *asker) {
    struct run_warp *warp = asker->warp;
    const struct run_access *access = asker->access;
    if (asker->ahead && access->space == PTX_GLOBAL) { /* a planner has left out `interacts` */
        launch_clash(warp->worker->launch->shared);
        return 0;
    }
    asker->races->states.version++;
    shared_learn(asker->races, warp);
    find_places(asker);
    if (access->kind != RUN_WRITE && access->kind != RUN_REDUCE)
        acquire_places(asker);
    if (access->space == PTX_GLOBAL)
        global_acquire(asker);
    return HEAR_PARTS | HEAR_END;
}

/* mbarriers order themselves. */
static unsigned hear_begin(struct run_warp *warp, const struct run_op *op,
                           const struct run_access *access) {
    struct race_asker *asker = race_asker_of(warp);
    struct races *races = warp->block->unit->heard[LISTENER_RACE];
    if (access->barrier || is_idle(warp, access))
        return 0;
    if (copies_are_unmet(races, warp))
        copies_enter(races, warp);
    if (access->async)
        look_lanes(races, warp, op, access);
    else if (access->plain && races->lanes)
        lanes_hear(races->table, &races->lanes[race_warp(warp)], warp, op, access);
    ask_for(races, warp, op, access, asker);
    if (races->rest && release_hear(races, warp, op, access, asker->kind))
        asker->mark.actor = (uint16_t)race_sharer(races, race_warp(warp));
    return orders(warp, access) ? begin_order(asker) : HEAR_PARTS;
}

static void end_part(const struct race_asker *asker) {
    if (asker->no_memory)
        run_no_memory(asker->warp);
}

static void hear_end(struct run_warp *warp, const struct run_op *op,
                     const struct run_access *access) {
    struct race_asker *asker = race_asker_of(warp);
    (void)op;
    if (access->kind != RUN_READ) {
        if (access->space == PTX_GLOBAL)
            global_release(asker);
        release_places(asker);
        race_step(asker->races, asker->warp);
    }
    end_part(asker);
}

/* Whether an access may damage mbarriers of `block`. Copies also write the 8 bytes of the mbarrier
 * that they complete. */
static int may_damage(const struct run_access *access, const struct run_block *block, uint64_t at,
                      uint64_t size) {
    return access->kind != RUN_READ && !(access->async && size <= WSIM_MBARRIER_BYTES) &&
           remote_guards(block, at, size);
}

/* The same of all bytes from the lowest to the highest one of some lanes. */
static int may_damage_near(const struct run_access *access, const struct run_block *block,
                           uint32_t lanes) {
    uint64_t low = UINT64_MAX, high = 0;
    if (!may_damage(access, block, 0, UINT32_MAX))
        return 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint64_t at = access->at[run_lowest(rest)];
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    return may_damage(access, block, low, high - low + access->bytes);
}

/* The asker knows as much as late lanes, or as much as its warp. */
static void know_less(struct race_asker *asker, int less) {
    asker->clocks[0] =
        less ? acquire_base(asker->races, asker->warp) : race_clocks(asker->races, asker->warp);
    asker->races->states.version++; /* the steps from state to state depend on it */
}

/* Lanes that may know less than their warp, if they access memory by themselves or by cp.async. */
static uint32_t late_of(const struct race_asker *asker, const struct run_access *access,
                        uint32_t lanes) {
    return access->async > 1 + SYNC_CP_ASYNC ? 0 : acquire_late(asker->races, asker->warp, lanes);
}

static void hear_lanes(struct run_warp *warp, const struct run_op *op,
                       const struct run_access *access, struct run_block *block, uint32_t lanes) {
    struct race_asker *asker = race_asker_of(warp);
    const uint32_t late = late_of(asker, access, lanes);
    (void)op;
    if (may_damage_near(access, block, lanes))
        for (uint32_t rest = lanes; rest; rest &= rest - 1) {
            const unsigned lane = run_lowest(rest);
            if (may_damage(access, block, access->at[lane], access->bytes))
                remote_damage(asker, block, lane, access->at[lane], access->bytes);
        }
    if (lanes & ~late)
        shared_lanes(asker, block, lanes & ~late);
    if (late) {
        know_less(asker, 1);
        shared_lanes(asker, block, late);
        know_less(asker, 0);
    }
    end_part(asker);
}

static void hear_bytes(struct run_warp *warp, const struct run_op *op,
                       const struct run_access *access, struct run_block *block, uint64_t from,
                       uint64_t size) {
    struct race_asker *asker = race_asker_of(warp);
    uint32_t late;
    (void)op;
    if (access->async == 1 + SYNC_BARRIER && block == warp->block)
        remote_load(asker, block->shared.base + from);
    if (may_damage(access, block, block->shared.base + from, size))
        remote_damage(asker, block, run_lowest(access->lanes), block->shared.base + from, size);
    late = late_of(asker, access, access->lanes);
    if (late && access->row) { /* lane by lane */
        for (unsigned lane = 0; lane < access->row; lane++) {
            know_less(asker, (int)(late >> lane & 1));
            shared_access(asker, block, from + lane * access->bytes, access->bytes);
        }
        know_less(asker, 0);
    } else {
        if (late)
            know_less(asker, 1);
        shared_access(asker, block, from, size);
        if (late)
            know_less(asker, 0);
    }
    end_part(asker);
}

static int hear_without(struct run_warp *warp, const struct run_buffer *buffer) {
    return global_idle(warp->worker, buffer);
}

/* --- global memory --- */

/* Bytes that an access writes to a cell: side by side, or by each lane. */
static void bytes_of(const struct run_access *access, const struct hear_piece *piece, uint64_t cell,
                     uint8_t bytes[RACE_CELL]) {
    const unsigned skip = base_lowest(piece->mask);
    if (piece->data)
        memcpy(bytes + skip, piece->data, hear_length(piece->mask >> skip));
    for (uint32_t rest = piece->lanes; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        const uint8_t *data = access->data + (size_t)lane * access->bytes;
        uint8_t *to = bytes + ((uint64_t)(uintptr_t)access->host[lane] - cell);
        switch (access->bytes) {
        case 4: memcpy(to, data, 4); break;
        case 8: memcpy(to, data, 8); break;
        default: memcpy(to, data, access->bytes); break;
        }
    }
}

static void hear_pieces(struct run_warp *warp, const struct run_op *op,
                        const struct run_access *access, const struct hear_memory *memory,
                        const struct hear_piece *pieces, unsigned n) {
    struct race_asker *asker = race_asker_of(warp);
    struct race_cell *cells = global_cells(asker, memory->buffer);
    const int values = asker->crowd && asker->kind == RACE_WRITE;
    const unsigned turn = asker->access->plan ? asker->access->plan->turn : 0;
    uint8_t bytes[RACE_CELL];
    (void)op, (void)access;
    reads_enter(asker->reads, memory->buffer->number, asker->kind != RACE_READ);
    for (unsigned i = 0; cells && i < n; i++) {
        const struct hear_piece *piece = &pieces[i];
        asker->mark.lane = piece->lane;
        asker->cell = (uint64_t)(uintptr_t)memory->host + piece->index * RACE_CELL;
        if (values && (piece->data || asker->access->data)) {
            /* A store compares only bytes that were accessed before. */
            if (asker->valued || !race_is_fresh(&cells[piece->index], piece->mask))
                bytes_of(asker->access, piece, asker->cell, bytes);
            asker->bytes = bytes;
            asker->place = piece->lanes ? run_lowest(reach_places(piece->lanes, turn)) : 0;
        }
        global_lock(asker, piece->index);
        race_access(asker, &cells[piece->index], piece->mask);
        global_unlock(asker, piece->index);
        if (asker->turn && (asker->found || asker->clashes)) {
            launch_clash(warp->worker->launch->shared);
            return;
        }
        if (asker->found != RACE_NONE && !asker->told) {
            const uint64_t byte = piece->index * RACE_CELL + base_lowest(asker->found_bytes);
            const unsigned lane = hear_lane(asker->access, memory->base + byte);
            global_tell(asker, memory->buffer, lane, byte - byte % 4, global_released(asker));
            asker->told = 1;
        }
    }
    if (asker->mixed)
        global_mixed(asker->warp->worker, memory->buffer);
    end_part(asker);
}

static int make_worker(struct run_worker *worker) {
    return global_make(worker) && reads_make(worker);
}

static void free_worker(struct run_worker *worker) {
    reads_free(worker);
    global_free(worker);
}

static void end_launch(struct run_launch *launch, const struct run_worker *workers, unsigned n) {
    for (unsigned i = 0; i < n && n > 1; i++) {
        const struct race_asker *asker = workers[i].heard[LISTENER_RACE];
        reads_end(asker ? asker->reads : NULL);
    }
    global_end(launch, workers, n);
}

const struct run_hears race_hears = {.worker_make = make_worker,
                                     .worker_free = free_worker,
                                     .unit_make = race_unit_make,
                                     .unit_free = race_unit_free,
                                     .unit_begin = race_unit_begin,
                                     .launch_end = end_launch,
                                     .begin = hear_begin,
                                     .lanes = hear_lanes,
                                     .window = hear_bytes,
                                     .pieces = hear_pieces,
                                     .end = hear_end,
                                     .again = race_again,
                                     .without = hear_without,
                                     .alike = 1,
                                     .run = reads_run,
                                     .runs = reads_runs,
                                     .order = race_order};
