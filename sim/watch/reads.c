/* The log of weak loads. */
#include "reads.h"

#include "../state/device.h"

#include <stdlib.h>

enum { MOST_LOGGED = 1 << 13, MOST_PARTS = 1 << 14, MOST_CLOCKS = 1 << 15, MOST_STREAMS = 24 };

/* A run of loads, each of a few parts: those of load k are k * step behind those of the first one.
 */
struct logged {
    uint64_t step;
    struct race_mark mark; /* its lane is not set */
    uint32_t buffer;
    uint32_t parts;    /* where they are in reads.parts */
    uint32_t clocks;   /* where they are in reads.clocks */
    uint32_t actors;   /* how many there are */
    uint32_t first, n; /* numbers of the loads */
    uint32_t group;    /* runs of one loop, whose loads alternate */
    uint8_t n_parts;
    uint8_t shift; /* a lane has 1 << shift bytes */
};

enum buffer_state { READS_ENTERED, READS_LOGGED, READS_OTHERS };

/* A buffer. A cell is full if each of its bytes was read by two units or more. */
struct buffer {
    uint64_t *full; /* a bit a cell; NULL: none is */
    uint64_t n_full, n_cells, size;
    uint32_t high; /* the highest of the second units of full cells */
    uint8_t state;
    uint8_t broken; /* a load had no parts, so single loads do not begin a log again */
};

/* Runs, their parts, and the clocks of their warps. */
struct read_log {
    struct logged runs[MOST_LOGGED];
    struct hear_part parts[MOST_PARTS];
    uint32_t clocks[MOST_CLOCKS];
};

struct reads {
    struct run_worker *worker;
    struct buffer *buffers; /* [n_buffers] */
    uint32_t n_buffers, n, n_parts, n_clocks, group;
    struct pool pool;     /* of one log, which a launch leaves for the next */
    struct read_log *log; /* NULL: none yet */
    uint64_t version;     /* of the clocks of the last run: see struct shared_states */
    int has_version;
};

int reads_make(struct run_worker *worker) {
    struct race_asker *asker = worker->heard[LISTENER_RACE];
    struct pool_chunk **kept = &worker->launch->device->chunks[RACE_LOG];
    struct reads *reads;
    if (worker->launch->program->acquires)
        return 1;
    asker->reads = reads = calloc(1, sizeof *reads);
    if (!reads)
        return 0;
    reads->worker = worker;
    reads->pool.chunks = *kept;
    *kept = NULL;
    reads->n_buffers = worker->launch->device->space->numbered;
    reads->buffers = calloc((size_t)reads->n_buffers + 1, sizeof *reads->buffers);
    return reads->buffers != NULL;
}

void reads_free(const struct run_worker *worker) {
    const struct race_asker *asker = worker->heard[LISTENER_RACE];
    struct pool_chunk **kept = &worker->launch->device->chunks[RACE_LOG];
    struct reads *reads = asker ? asker->reads : NULL;
    if (!reads)
        return;
    for (uint32_t b = 0; reads->buffers && b < reads->n_buffers; b++)
        free(reads->buffers[b].full);
    free(reads->buffers);
    if (!*kept)
        *kept = reads->pool.chunks;
    else
        pool_free(reads->pool.chunks);
    free(reads);
}

/* --- from the log to the cells --- */

static int is_full(const struct buffer *buffer, uint64_t cell) {
    return (int)(buffer->full[cell / 64] >> cell % 64 & 1);
}

/* Whether all cells from .. to are full. */
static int are_full(const struct buffer *buffer, uint64_t from, uint64_t to) {
    for (uint64_t next, at = from; at <= to; at = next) {
        const unsigned skip = (unsigned)(at % 64);
        const uint64_t mask = hear_mask(skip, to + 1 - at);
        if (mask & ~buffer->full[at / 64])
            return 0;
        next = at + 64 - skip;
    }
    return 1;
}

static void note_full(struct buffer *buffer, uint64_t cell, const struct race_entry *entry) {
    const uint64_t left = buffer->size - cell * RACE_CELL;
    uint64_t mask = hear_mask(0, left);
    uint32_t high = buffer->high;
    for (; entry; entry = entry->next) {
        if (entry->kind != RACE_READ || !race_second(entry)->clock)
            continue;
        mask &= ~entry->mask;
        high = race_second(entry)->unit > high ? race_second(entry)->unit : high;
    }
    if (mask)
        return;
    buffer->full[cell / 64] |= UINT64_C(1) << cell % 64;
    buffer->n_full++;
    buffer->high = high;
}

/* Whether all loads of a run whose unit has ended are of full cells. */
static int changes_nothing(const struct reads *reads, const struct logged *logged) {
    const struct buffer *buffer = &reads->buffers[logged->buffer];
    const struct hear_part *parts = reads->log->parts + logged->parts;
    const uint64_t step = logged->step, far = step * (logged->n - 1);
    const int back = (int64_t)step < 0;
    if (logged->mark.unit <= buffer->high)
        return 0;
    if (buffer->n_full == buffer->n_cells)
        return 1;
    if ((back ? 0 - step : step) > RACE_CELL)
        return 0;
    for (unsigned i = 0; i < logged->n_parts; i++) {
        const uint64_t low = back ? parts[i].from + far : parts[i].from;
        const uint64_t high = (back ? parts[i].from : parts[i].from + far) + parts[i].size - 1;
        if (!are_full(buffer, low / RACE_CELL, high / RACE_CELL))
            return 0;
    }
    return 1;
}

static int has_ended(const struct reads *reads, uint32_t number) {
    const struct run_unit *unit = reads->worker->live;
    while (unit && (uint32_t)unit->number != number)
        unit = unit->next;
    return !unit;
}

/* One part of each load of a run. */
struct stream {
    const struct logged *logged;
    uint64_t from;
    uint32_t size;
    uint8_t lane;
};

/* Where the bytes of a stream begin and end, and by how much its loads move, in either direction.
 */
struct extent {
    uint64_t low, high, step;
};
static struct extent extent_of(const struct stream *stream) {
    const struct logged *logged = stream->logged;
    const uint64_t far = logged->step * (logged->n - 1);
    const int back = (int64_t)logged->step < 0;
    const uint64_t low = back ? stream->from + far : stream->from;
    return (struct extent){low, low + (back ? 0 - far : far) + stream->size,
                           back ? 0 - logged->step : logged->step};
}

/* Whether the loads of two streams have no byte in common. */
static int are_apart(const struct stream *a, const struct stream *b) {
    const struct extent x = extent_of(a), y = extent_of(b);
    const uint64_t apart = y.low - x.low, step = x.step, size = a->size;
    if (x.low > y.low)
        return are_apart(b, a);
    if (a->logged->buffer != b->logged->buffer || x.high <= y.low || y.high <= x.low)
        return 1;
    /* Both stay in places of their own in each step. */
    return step && step == y.step && apart % step >= size && apart % step + b->size <= step;
}

/* Cuts runs into streams whose loads read no byte twice, and no cell in two parts. So the order of
 * the loads does not matter. Returns their number; 0: it may matter. */
static unsigned find_streams(const struct reads *reads, const struct logged *runs, uint32_t n,
                             struct stream streams[MOST_STREAMS]) {
    unsigned many = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct logged *run = &runs[i];
        const struct hear_part *parts = reads->log->parts + run->parts;
        for (unsigned p = 0; p < run->n_parts && run->n; p++) {
            const uint64_t far = p ? parts[p].from - parts[p - 1].from : 0;
            if (many == MOST_STREAMS ||
                (p && ((int64_t)far < 0 ? 0 - far : far) < (uint64_t)RACE_CELL + parts[p].size))
                return 0;
            streams[many++] =
                (struct stream){run, parts[p].from, parts[p].size, (uint8_t)parts[p].lane};
        }
    }
    for (unsigned i = 0; i < many; i++) {
        const uint64_t step = extent_of(&streams[i]).step;
        if (step && step < streams[i].size)
            return 0;
        for (unsigned j = i + 1; j < many; j++)
            if (!are_apart(&streams[i], &streams[j]))
                return 0;
    }
    return many;
}

/* Whether a load changes nothing in a cell; `over`: its unit has ended. */
static int is_behind(const struct buffer *buffer, uint64_t cell, uint32_t unit, int over) {
    return over && is_full(buffer, cell) && unit > buffer->high;
}

static void enter_bytes(struct race_asker *asker, struct buffer *buffer, struct race_cell *cells,
                        uint64_t cell, uint64_t mask) {
    race_read(asker, &cells[cell], mask);
    if (!is_full(buffer, cell))
        note_full(buffer, cell, cells[cell].entries);
}

/* A load. `over`: it changes nothing in full cells. */
static void enter_load(struct race_asker *asker, struct buffer *buffer, struct race_cell *cells,
                       const struct race_load *load, int over) {
    struct race_taken taken[RACE_TAKEN];
    const unsigned n = race_taken_of(load, taken);
    for (unsigned i = 0; i < n; i++) {
        asker->mark.lane = taken[i].lane;
        if (!over || !is_full(buffer, taken[i].cell))
            enter_bytes(asker, buffer, cells, taken[i].cell, taken[i].mask);
    }
}

/* Loads in one cell are one access of the cell, and so are all loads of one place. */
static void enter_stream(struct race_asker *asker, struct buffer *buffer, struct race_cell *cells,
                         const struct stream *stream, int over) {
    const struct logged *logged = stream->logged;
    const uint32_t size = stream->size, n = logged->step ? logged->n : 1;
    uint64_t from = stream->from;
    for (uint32_t k = 0; k < n; k++, from += logged->step) {
        const uint64_t first = from / RACE_CELL, last = (from + size - 1) / RACE_CELL;
        uint64_t mask = hear_mask((unsigned)(from % RACE_CELL), size);
        while (first == last && k + 1 < n && (from + logged->step) / RACE_CELL == first &&
               (from + logged->step + size - 1) / RACE_CELL == first) {
            from += logged->step, k++;
            mask |= hear_mask((unsigned)(from % RACE_CELL), size);
        }
        asker->mark.lane = (uint8_t)(stream->lane % RUN_LANES);
        if (!is_behind(buffer, first, logged->mark.unit, over))
            enter_bytes(asker, buffer, cells, first, mask);
        for (uint64_t cell = first + 1; cell <= last; cell++) {
            const uint64_t done = cell * RACE_CELL - from;
            asker->mark.lane = (uint8_t)((stream->lane + (done >> logged->shift)) % RUN_LANES);
            if (!is_behind(buffer, cell, logged->mark.unit, over))
                enter_bytes(asker, buffer, cells, cell, hear_mask(0, size - done));
        }
    }
}

/* The asker of the loads of a run, and the cells of its buffer. */
static struct race_cell *ask_for(struct reads *reads, const struct logged *run,
                                 struct race_asker *asker) {
    asker->clocks[0] = reads->log->clocks + run->clocks;
    asker->mark = run->mark;
    return global_numbered(asker, reads->worker, run->buffer);
}

/* Runs whose loads read bytes twice: in the order of rounds. */
static void enter_rounds(struct reads *reads, const struct logged *runs, uint32_t n, int over,
                         struct race_asker *asker) {
    uint64_t round = UINT64_MAX, end = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t to = (uint64_t)runs[i].first + runs[i].n;
        round = runs[i].n && runs[i].first < round ? runs[i].first : round;
        end = runs[i].n && to > end ? to : end;
    }
    for (; round < end; round++)
        for (uint32_t i = 0; i < n; i++) {
            const struct logged *run = &runs[i];
            struct buffer *buffer = &reads->buffers[run->buffer];
            struct race_load load;
            struct race_cell *cells;
            if (round - run->first >= run->n)
                continue;
            load = (struct race_load){.parts = reads->log->parts + run->parts,
                                      .offset = (round - run->first) * run->step,
                                      .n = run->n_parts,
                                      .shift = run->shift};
            cells = ask_for(reads, run, asker);
            enter_load(asker, buffer, cells, &load, over && run->mark.unit > buffer->high);
        }
}

/* Enters runs of one loop, which are in the log no longer. */
static void enter_group(struct reads *reads, struct race_asker *asker, struct logged *runs,
                        uint32_t n, int over) {
    struct stream streams[MOST_STREAMS];
    unsigned many;
    uint32_t left = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (over && changes_nothing(reads, &runs[i]))
            runs[i].n = 0;
        left += runs[i].n;
    }
    if (!left)
        return;
    many = left > 1 ? find_streams(reads, runs, n, streams) : 0;
    if (!many)
        enter_rounds(reads, runs, n, over, asker);
    for (unsigned i = 0; i < many; i++) {
        const struct logged *run = streams[i].logged;
        struct race_cell *cells = ask_for(reads, run, asker);
        enter_stream(asker, &reads->buffers[run->buffer], cells, &streams[i], over);
    }
}

/* Moves runs of one loop behind those that stay in the log, with their parts and clocks. Runs side
 * by side often have clocks together, from `*clocks` on: the last ones that stay. */
static void keep_group(struct reads *reads, const struct logged *runs, uint32_t n,
                       uint32_t *clocks) {
    struct logged *to = reads->log->runs + reads->n;
    const uint32_t from = runs->clocks, actors = runs->actors;
    const int moves = !reads->n || *clocks != from;
    memmove(to, runs, n * sizeof *to);
    if (moves) {
        memmove(reads->log->clocks + reads->n_clocks, reads->log->clocks + from,
                actors * sizeof *reads->log->clocks);
        reads->n_clocks += actors;
        *clocks = from;
    }
    for (uint32_t i = 0; i < n; i++) {
        memmove(reads->log->parts + reads->n_parts, reads->log->parts + to[i].parts,
                to[i].n_parts * sizeof *reads->log->parts);
        to[i].parts = reads->n_parts;
        reads->n_parts += to[i].n_parts;
        to[i].clocks = reads->n_clocks - actors;
        reads->buffers[to[i].buffer].state = READS_LOGGED;
    }
    reads->n += n;
}

/* Enters the runs of units that have ended, or all. Units do not know each other here, so their
 * order does not matter. */
static void enter_log(struct reads *reads, int all) {
    const uint32_t logged = reads->n;
    struct race_asker asker;
    uint32_t unit = 0, clocks = 0;
    int over = -1;
    memset(&asker, 0, sizeof asker);
    asker.n_clocks = 1;
    asker.kind = RACE_READ;
    for (uint32_t i = 0; i < logged; i++)
        reads->buffers[reads->log->runs[i].buffer].state = READS_ENTERED;
    reads->n = reads->n_parts = reads->n_clocks = 0;
    reads->has_version = 0;
    for (uint32_t n, i = 0; i < logged; i += n) {
        struct logged *runs = &reads->log->runs[i];
        for (n = 1; i + n < logged && runs[n].group == runs->group; n++) {
        }
        if (over < 0 || runs->mark.unit != unit)
            over = has_ended(reads, runs->mark.unit);
        unit = runs->mark.unit;
        if (all || over)
            enter_group(reads, &asker, runs, n, over);
        else
            keep_group(reads, runs, n, &clocks);
    }
    if (asker.no_memory)
        reads->worker->launch->shared->no_memory = 1;
}

void reads_enter(struct reads *reads, uint32_t buffer, int others) {
    if (!reads || buffer >= reads->n_buffers)
        return;
    if (reads->buffers[buffer].state == READS_LOGGED)
        enter_log(reads, 1);
    reads->buffers[buffer].broken = 1;
    if (others)
        reads->buffers[buffer].state = READS_OTHERS;
}

void reads_end(struct reads *reads) {
    if (reads)
        enter_log(reads, 1);
}

/* --- to the log --- */

/* Makes room for runs, and for the clocks of their warp. */
static void make_room(struct reads *reads, unsigned n, unsigned parts, uint32_t actors) {
    if (reads->n + n <= MOST_LOGGED && reads->n_parts + parts <= MOST_PARTS &&
        reads->n_clocks + actors <= MOST_CLOCKS)
        return;
    enter_log(reads, 0);
    if (reads->n > MOST_LOGGED / 2 || reads->n_parts > MOST_PARTS / 2 ||
        reads->n_clocks > MOST_CLOCKS / 2)
        enter_log(reads, 1);
}

/* Where the clocks of a warp are, which are often those of the run before. */
static uint32_t keep_clocks(struct reads *reads, const struct races *races,
                            const struct run_warp *warp) {
    const uint32_t actors = races->n_actors;
    const uint32_t *clocks = race_clocks(races, warp);
    const struct logged *last = reads->n ? &reads->log->runs[reads->n - 1] : NULL;
    const int same = reads->has_version && reads->version == races->states.version;
    reads->version = races->states.version;
    reads->has_version = 1;
    if (last && ((same && last->mark.unit == (uint32_t)warp->block->unit->number &&
                  last->mark.actor == race_warp(warp)) ||
                 (last->actors == actors &&
                  !memcmp(reads->log->clocks + last->clocks, clocks, actors * sizeof *clocks))))
        return last->clocks;
    memcpy(reads->log->clocks + reads->n_clocks, clocks, actors * sizeof *clocks);
    reads->n_clocks += actors;
    return reads->n_clocks - actors;
}

/* Runs of a warp begin so. */
static struct logged begin_of(struct reads *reads, const struct run_warp *warp) {
    const struct races *races = warp->block->unit->heard[LISTENER_RACE];
    const uint32_t number = race_warp(warp);
    return (struct logged){.mark = {.clock = race_clocks(races, warp)[number],
                                    .unit = (uint32_t)warp->block->unit->number,
                                    .actor = (uint16_t)number},
                           .actors = races->n_actors,
                           .clocks = keep_clocks(reads, races, warp),
                           .group = ++reads->group,
                           .n = 1};
}

static void put(struct reads *reads, const struct logged *logged, const struct hear_part *parts) {
    struct logged *to = &reads->log->runs[reads->n++];
    reads->buffers[logged->buffer].state = READS_LOGGED;
    *to = *logged;
    to->parts = reads->n_parts;
    for (unsigned i = 0; i < logged->n_parts; i++)
        reads->log->parts[reads->n_parts++] = parts[i];
}

/* Whether this thread of the host has a log for a buffer. */
static int has_log(struct reads *reads, const struct run_buffer *from) {
    struct buffer *buffer = &reads->buffers[from->number];
    if (!reads->log)
        reads->log = pool_take(&reads->pool, sizeof *reads->log, 1);
    if (!buffer->full) {
        buffer->size = from->size;
        buffer->n_cells = (from->size + RACE_CELL - 1) / RACE_CELL;
        buffer->full = calloc((size_t)(buffer->n_cells / 64) + 1, sizeof *buffer->full);
    }
    return reads->log && buffer->full;
}

int reads_fit(struct reads *reads, const struct race_asker *asker, const struct hear_again *again) {
    const struct run_buffer *buffer = again->memory->buffer;
    const struct buffer *its;
    if (!reads || buffer->number >= reads->n_buffers)
        return 0;
    its = &reads->buffers[buffer->number];
    if (its->state == READS_OTHERS || (its->state == READS_ENTERED && its->broken))
        return 0;
    if (!again->writes && !asker->turn && !again->plan->narrow &&
        asker->races->n_actors <= MOST_CLOCKS / 4 && has_log(reads, buffer))
        return 1;
    reads_enter(reads, buffer->number, again->writes);
    return 0;
}

void reads_take(struct reads *reads, const struct race_asker *asker,
                const struct hear_again *again) {
    const struct run_warp *warp = asker->warp;
    struct logged logged;
    make_room(reads, 1, again->n, asker->races->n_actors);
    logged = begin_of(reads, warp);
    logged.buffer = again->memory->buffer->number;
    logged.n_parts = (uint8_t)again->n;
    logged.shift = (uint8_t)base_lowest((uint64_t)again->plan->bytes * again->plan->elements);
    logged.mark.op = run_number(warp, again->op);
    put(reads, &logged, again->parts);
}

int reads_run(struct run_warp *warp, struct hear_run *run) {
    struct race_asker *asker = race_asker_of(warp);
    struct reads *reads = asker->reads;
    const struct races *races = warp->block->unit->heard[LISTENER_RACE];
    const struct reach_plan *plan = run->op->more;
    const uint32_t number = run->buffer->number;
    if (global_idle(warp->worker, run->buffer))
        return 1;
    if (!reads || number >= reads->n_buffers || plan->narrow ||
        warp->worker->launch->shared->turns || reads->buffers[number].state == READS_OTHERS ||
        races->n_actors > MOST_CLOCKS / 4 ||
        (races->lanes && plan->plain &&
         !lanes_skip(&races->lanes[race_warp(warp)], plan->kind, plan->plain, PTX_GLOBAL)))
        return 0;
    asker->warp = warp;
    asker->kind = RACE_READ;
    return has_log(reads, run->buffer) &&
           (reads->buffers[number].state == READS_LOGGED || global_cells(asker, run->buffer));
}

void reads_runs(struct run_warp *warp, const struct hear_run *runs, unsigned n) {
    struct reads *reads = race_asker_of(warp)->reads;
    const struct races *races = warp->block->unit->heard[LISTENER_RACE];
    struct logged logged;
    unsigned left = 0;
    for (unsigned i = 0; i < n; i++)
        left += runs[i].n && !global_idle(warp->worker, runs[i].buffer);
    if (!left) /* perhaps there is no log */
        return;
    make_room(reads, n, 2 * n, races->n_actors);
    logged = begin_of(reads, warp);
    for (unsigned i = 0; i < n; i++) {
        const struct hear_run *run = &runs[i];
        const struct hear_part parts[] = {{run->from, run->size, 0},
                                          {run->from + run->far, run->size, RUN_LANES / 2}};
        const struct reach_plan *plan;
        if (!run->n || global_idle(warp->worker, run->buffer)) /* 0: no other field is set */
            continue;
        plan = run->op->more;
        logged.buffer = run->buffer->number;
        logged.step = run->step;
        logged.first = run->first;
        logged.n = run->n;
        logged.n_parts = run->far ? 2 : 1;
        logged.shift = (uint8_t)base_lowest(plan->bytes);
        logged.mark.op = run_number(warp, run->op);
        put(reads, &logged, parts);
    }
}
