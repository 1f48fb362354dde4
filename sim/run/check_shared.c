/* Races in shared memory: accesses of one cell after another.
 *
 * Entries that everybody knows are dropped where they are met (races.settled), so behind a barrier
 * most cells are as good as new. */
#include "check_actors.h"

#include <stdlib.h>

enum { CHUNK = 256 };

struct shared_chunk {
    struct shared_chunk *next;
    struct shared_cell cells[CHUNK];
};

/* --- entries --- */

static struct shared_cell *make(struct shared_pool *pool) {
    struct shared_cell *cell = pool->spare;
    if (cell) {
        pool->spare = cell->next;
        return cell;
    }
    if (!pool->current || pool->used == CHUNK) {
        struct shared_chunk *next = pool->current ? pool->current->next : pool->chunks;
        if (!next) {
            next = malloc(sizeof *next);
            if (!next)
                return NULL;
            next->next = NULL;
            if (pool->current)
                pool->current->next = next;
            else
                pool->chunks = next;
        }
        pool->current = next;
        pool->used = 0;
    }
    return &pool->current->cells[pool->used++];
}

/* Takes an entry out of its cell, in which it is behind `before`; NULL: it is the first. Returns
 * the one that comes next then; NULL: none. */
static struct shared_cell *drop(struct shared_pool *pool, struct shared_cell *before,
                                struct shared_cell *entry) {
    struct shared_cell *next = entry->next, *gone = entry;
    if (before) {
        before->next = next;
    } else if (next) {
        gone = next;
        *entry = *next;
        next = entry;
    } else {
        entry->mask = 0;
        return NULL;
    }
    gone->next = pool->spare;
    pool->spare = gone;
    return next;
}

void check_shared_begin(struct races *races, uint32_t n_blocks) {
    memset(races->cells, 0, (size_t)n_blocks * races->n_cells * sizeof *races->cells);
    races->more.current = NULL;
    races->more.spare = NULL;
}

void check_shared_free(struct races *races) {
    for (struct shared_chunk *next, *chunk = races->more.chunks; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    free(races->cells);
}

/* --- one cell --- */

/* Nobody can race with it any more. */
static int is_settled(const struct races *races, const struct shared_cell *entry) {
    const uint32_t *known = races->settled + (entry->kind & RACE_WRITE ? races->n_actors : 0);
    return entry->clock <= known[entry->actor] &&
           (!entry->before_clock || entry->before_clock <= known[entry->before_actor]);
}

static void look(struct race_asker *asker, const struct shared_cell *entry, uint32_t overlap) {
    const struct race_mark marks[2] = {
        {.clock = entry->clock, .op = entry->op, .actor = entry->actor},
        {.clock = entry->before_clock, .op = entry->before_op, .actor = entry->before_actor}};
    for (unsigned i = 0; i < 2 && !asker->found; i++) {
        if (!marks[i].clock)
            continue;
        if (!race_knows(asker, marks[i].actor, marks[i].clock)) {
            if ((entry->kind & asker->kind & RACE_WRITE) && race_changes_nothing(asker, overlap))
                continue;
            asker->found = RACE_UNORDERED;
        } else if ((entry->kind & RACE_WRITE) &&
                   race_unfenced(asker, marks[i].actor, marks[i].clock)) {
            asker->found = RACE_UNFENCED;
        } else {
            continue;
        }
        asker->found_kind = entry->kind;
        asker->other = marks[i];
        asker->other.unit = asker->mark.unit;
        asker->found_bytes = overlap;
    }
}

/* Puts the bytes that are not in `mask` into an entry of their own. 0: no memory. */
static int split(struct shared_pool *pool, struct shared_cell *entry, uint32_t mask) {
    struct shared_cell *rest = make(pool);
    if (!rest)
        return 0;
    *rest = *entry;
    rest->mask &= (uint16_t)~mask;
    entry->mask &= (uint16_t)mask;
    entry->next = rest;
    return 1;
}

static void renew(const struct race_asker *asker, struct shared_cell *entry) {
    const int knows = race_knows(asker, entry->actor, entry->clock);
    const int knows_before =
        entry->before_clock && race_knows(asker, entry->before_actor, entry->before_clock);
    if (entry->kind == RACE_READ && entry->before_clock && !knows && !knows_before)
        return;
    if (!knows) {
        entry->before_clock = entry->clock;
        entry->before_op = entry->op;
        entry->before_actor = entry->actor;
    } else if (knows_before) {
        entry->before_clock = 0;
    }
    entry->clock = asker->mark.clock;
    entry->op = asker->mark.op;
    entry->actor = asker->mark.actor;
}

static void fill(const struct race_asker *asker, struct shared_cell *entry, uint32_t mask) {
    entry->clock = asker->mark.clock;
    entry->op = asker->mark.op;
    entry->actor = asker->mark.actor;
    entry->before_clock = 0;
    entry->mask = (uint16_t)mask;
    entry->kind = asker->kind;
}

/* Bytes that no entry of this kind has. 0: no memory. */
static int add(struct race_asker *asker, struct shared_cell *cell, uint32_t mask) {
    if (cell->mask) {
        struct shared_cell *behind = make(&asker->races->more);
        if (!behind)
            return 0;
        *behind = *cell;
        cell->next = behind;
    }
    fill(asker, cell, mask);
    return 1;
}

/* Bytes of a cell are accessed. 0: no memory. */
static int access_cell(struct race_asker *asker, struct shared_cell *cell, uint32_t mask) {
    struct races *races = asker->races;
    const uint32_t clock = asker->mark.clock;
    const unsigned actor = asker->mark.actor, kind = asker->kind;
    struct shared_cell *entry = cell, *mine = NULL, *before = NULL;
    uint32_t rest = mask;
    if (!cell->mask) {
        cell->next = NULL;
        fill(asker, cell, mask);
        return 1;
    }
    while (entry) {
        const uint32_t overlap = entry->mask & mask;
        if (is_settled(races, entry)) {
            entry = drop(&races->more, before, entry);
            continue;
        }
        if (overlap && race_conflicts(entry->kind, kind) && !asker->found)
            look(asker, entry, overlap);
        if (entry->kind == kind) {
            rest &= ~overlap;
            if (overlap && (entry->clock != clock || entry->actor != actor)) {
                if (overlap != entry->mask && !split(&races->more, entry, overlap))
                    return 0;
                renew(asker, entry);
            }
            if (entry->clock == clock && entry->actor == actor && !entry->before_clock) {
                if (mine) {
                    mine->mask |= entry->mask;
                    entry = drop(&races->more, before, entry);
                    continue;
                }
                mine = entry;
            }
        }
        before = entry;
        entry = entry->next;
    }
    if (!rest)
        return 1;
    if (!mine)
        return add(asker, cell, rest);
    mine->mask |= (uint16_t)rest;
    return 1;
}

static void tell(struct race_asker *asker, const struct run_block *block, uint64_t cell) {
    const uint64_t at = block->shared.base + cell * SHARED_CELL + touch_lowest(asker->found_bytes);
    race_tell_shared(asker, touch_lane(asker->access, at), at - at % 4);
    asker->told = 1;
}

/* Whether there is nothing to find and nothing to remember: the bytes were accessed in the same way
 * by the same one since something ordered it, and by nobody else but maybe other readers. */
static inline int is_again(const struct race_asker *asker, const struct shared_cell *cell,
                           uint32_t mask) {
    const uint32_t clock = asker->mark.clock;
    const unsigned actor = asker->mark.actor;
    if (cell->kind != asker->kind || cell->next || (mask & ~(uint32_t)cell->mask))
        return 0;
    if (cell->clock == clock && cell->actor == actor)
        return !cell->before_clock || cell->kind == RACE_READ;
    return cell->kind == RACE_READ && cell->before_clock == clock && cell->before_actor == actor;
}

/* Bytes of one cell. */
static inline void access_one(struct race_asker *asker, const struct run_block *block,
                              struct shared_cell *cells, uint64_t number, uint32_t mask) {
    struct shared_cell *cell = &cells[number];
    if (is_again(asker, cell, mask))
        return;
    asker->cell = (uint64_t)(uintptr_t)block->shared.bytes + number * SHARED_CELL;
    if (!access_cell(asker, cell, mask))
        asker->no_memory = 1;
    if (asker->found != RACE_NONE && !asker->told)
        tell(asker, block, number);
}

void check_shared_lanes(struct race_asker *asker, const struct run_block *block, uint32_t lanes) {
    const struct races *races = asker->races;
    const struct run_access *access = asker->access;
    struct shared_cell *cells = races->cells + (size_t)block->rank * races->n_cells;
    const uint64_t base = block->shared.base;
    const uint32_t bits = (1u << access->bytes) - 1;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint64_t from = access->at[run_lowest(rest)] - base;
        access_one(asker, block, cells, from / SHARED_CELL, bits << from % SHARED_CELL);
    }
}

void check_shared_access(struct race_asker *asker, const struct run_block *block, uint64_t from,
                         uint64_t size) {
    const struct races *races = asker->races;
    struct shared_cell *cells = races->cells + (size_t)block->rank * races->n_cells;
    const uint64_t end = from + size;
    while (from < end) {
        const unsigned skip = (unsigned)(from % SHARED_CELL), room = SHARED_CELL - skip;
        const unsigned n = end - from < room ? (unsigned)(end - from) : room;
        access_one(asker, block, cells, from / SHARED_CELL, ((1u << n) - 1) << skip);
        from += n;
    }
}
