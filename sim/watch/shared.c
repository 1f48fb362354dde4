/* Races in shared memory, one cell after another.
 *
 * Entries that all warps know are dropped where an access meets them (races.settled), so after a
 * barrier most cells are empty. */
#include "actors.h"

#include <stdlib.h>

enum { CHUNK = 256 }; /* entries */

/* --- entries --- */

static struct shared_cell *make(struct shared_pool *pool) {
    struct shared_cell *cell = pool->spare;
    if (!cell)
        return pool_take(&pool->entries, sizeof *cell, CHUNK);
    pool->spare = cell->next;
    return cell;
}

/* Takes an entry out of its cell, in which it follows `before`; NULL: it is the first. Returns
 * the one that comes next then; NULL: none. */
static struct shared_cell *drop(struct shared_pool *pool, struct shared_cell *before,
                                struct shared_cell *entry) {
    struct shared_cell *next = entry->next, *gone = entry;
    if (before) {
        before->next = next;
    } else if (next) {
        const uint8_t strong = entry->strong;
        gone = next;
        *entry = *next;
        entry->strong = strong;
        next = entry;
    } else {
        entry->mask = 0;
        return NULL;
    }
    gone->next = pool->spare;
    pool->spare = gone;
    return next;
}

void shared_begin(struct races *races, uint32_t n_blocks) {
    const size_t cells = (size_t)n_blocks * races->n_cells;
    memset(races->cells, 0, cells * sizeof *races->cells);
    if (races->words)
        memset(races->words + races->low_word, 0,
               (races->high_word - races->low_word) * sizeof *races->words);
    races->more.entries.current = NULL;
    races->more.spare = NULL;
}

void shared_free(struct races *races) {
    pool_free(races->more.entries.chunks);
    free(races->words);
    free(races->cells);
}

/* --- one cell --- */

/* Whether no later access can race with an entry. */
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
        } else if (race_loosely(asker, marks[i].actor, marks[i].clock)) {
            asker->found = RACE_LOOSE;
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

/* The entries of a cell that may conflict, but for those that are settled. */
static void look_through(struct race_asker *asker, struct shared_cell *cell, uint32_t mask) {
    struct races *races = asker->races;
    struct shared_cell *entry = cell->mask ? cell : NULL, *before = NULL;
    while (entry) {
        const uint32_t overlap = entry->mask & mask;
        if (overlap && is_settled(races, entry)) {
            entry = drop(&races->more, before, entry);
            continue;
        }
        if (overlap && race_conflicts(entry->kind, asker->kind) && !asker->found)
            look(asker, entry, overlap);
        before = entry;
        entry = entry->next;
    }
}

/* Whether two readers are kept that the asker does not know: a third one is not kept. */
static inline int is_full(const struct race_asker *asker, const struct shared_cell *entry) {
    const uint32_t *clocks = asker->clocks[0];
    const unsigned actor = asker->mark.actor;
    return entry->before_clock && asker->n_clocks == 1 && entry->actor != actor &&
           entry->before_actor != actor && entry->clock > clocks[entry->actor] &&
           entry->before_clock > clocks[entry->before_actor];
}

/* Whether a read changes nothing in a cell that only has reads. */
static int is_read_again(const struct race_asker *asker, const struct shared_cell *cell,
                         uint32_t mask) {
    for (; cell; cell = cell->next) {
        if (cell->kind != RACE_READ)
            return 0;
        if ((cell->mask & mask) &&
            ((cell->clock == asker->mark.clock && cell->actor == asker->mark.actor) ||
             is_full(asker, cell)))
            mask &= ~(uint32_t)cell->mask;
    }
    return !mask;
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
    if (kind == RACE_READ && cell->next && is_read_again(asker, cell, mask))
        return 1;
    while (entry) {
        const uint32_t overlap = entry->mask & mask;
        if (overlap) {
            if (is_settled(races, entry)) {
                entry = drop(&races->more, before, entry);
                continue;
            }
            if (race_conflicts(entry->kind, kind) && !asker->found)
                look(asker, entry, overlap);
        }
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

/* --- accesses --- */

/* Words of strong accesses, allocated at the first such access. NULL: no memory. */
static struct shared_cell *words_of(struct race_asker *asker) {
    struct races *races = asker->races;
    if (!races->words) {
        const size_t blocks = races->n_warps / asker->warp->block->n_warps;
        races->words = calloc(blocks * races->n_cells * SHARED_WORDS, sizeof *races->words);
        asker->no_memory |= !races->words;
    }
    return races->words;
}

static void tell(struct race_asker *asker, const struct run_block *block, uint64_t from) {
    const uint64_t at = block->shared.base + from + base_lowest(asker->found_bytes);
    race_tell_shared(asker, hear_lane(asker->access, at), at - at % 4);
    asker->told = 1;
}

/* Whether an access is no race and need not be kept. Either its actor made an equal one since the
 * last event that orders, with only readers in between. Or two readers are kept already. */
static inline int is_again(const struct race_asker *asker, const struct shared_cell *cell,
                           uint32_t mask) {
    const uint32_t clock = asker->mark.clock;
    const unsigned actor = asker->mark.actor;
    if (cell->kind != asker->kind || cell->next || (mask & ~(uint32_t)cell->mask))
        return 0;
    if (cell->clock == clock && cell->actor == actor)
        return !cell->before_clock || !(cell->kind & RACE_WRITE);
    if ((cell->kind & RACE_WRITE) || !cell->before_clock)
        return 0;
    return (cell->before_clock == clock && cell->before_actor == actor) ||
           (cell->kind == RACE_READ && is_full(asker, cell));
}

/* Fast path: no access in the cell can race with this one. Or the cell has one access, ordered
 * before, that covers the same bytes in the same way. The new access replaces it. */
static inline int is_next(const struct race_asker *asker, const struct shared_cell *cell,
                          uint32_t mask) {
    if (!cell->mask)
        return 1;
    if (cell->next || cell->before_clock)
        return 0;
    if (cell->mask == mask && cell->kind == asker->kind && !asker->asks_fence)
        return cell->clock <= asker->clocks[0][cell->actor];
    return (cell->mask & mask) && is_settled(asker->races, cell);
}
static inline void replace(const struct race_asker *asker, struct shared_cell *cell,
                           uint32_t mask) {
    cell->next = NULL;
    fill(asker, cell, mask);
}

/* A strong access of bytes of one word, or whether another one races with them. */
static inline void access_word(struct race_asker *asker, const struct run_block *block,
                               struct shared_cell *word, uint64_t from, uint32_t mask,
                               int only_look) {
    if (only_look ? !word->mask : is_again(asker, word, mask))
        return;
    if (!only_look && is_next(asker, word, mask)) {
        replace(asker, word, mask);
        return;
    }
    asker->cell = (uint64_t)(uintptr_t)block->shared.bytes + from;
    if (only_look)
        look_through(asker, word, mask);
    else if (!access_cell(asker, word, mask))
        asker->no_memory = 1;
    if (asker->found != RACE_NONE && !asker->told)
        tell(asker, block, from);
}

/* Strong accesses are kept by word and compared with the cells; weak ones are compared with the
 * words. `mask` are bytes of the cell that begins at `from`. */
static void access_words(struct race_asker *asker, const struct run_block *block, uint64_t from,
                         uint32_t mask, int only_look) {
    struct races *races = asker->races;
    const uint32_t first =
        (block->rank * races->n_cells + (uint32_t)(from / SHARED_CELL)) * SHARED_WORDS;
    if (!only_look)
        race_use_words(races, first, SHARED_WORDS);
    for (unsigned w = 0; w < SHARED_WORDS; w++)
        if (mask >> 4 * w & 15)
            access_word(asker, block, &races->words[first + w], from + 4 * w, mask >> 4 * w & 15,
                        only_look);
}

/* Bytes of one cell. */
static inline void access_one(struct race_asker *asker, const struct run_block *block,
                              struct shared_cell *cells, uint64_t number, uint32_t mask) {
    struct shared_cell *cell = &cells[number];
    const int strong = asker->kind & 1;
    const int news = strong ? cell->mask != 0 : !is_again(asker, cell, mask);
    if (news) {
        asker->cell = (uint64_t)(uintptr_t)block->shared.bytes + number * SHARED_CELL;
        if (strong)
            look_through(asker, cell, mask);
        else if (!access_cell(asker, cell, mask))
            asker->no_memory = 1;
        if (asker->found != RACE_NONE && !asker->told)
            tell(asker, block, number * SHARED_CELL);
    }
    if (strong || cell->strong)
        access_words(asker, block, number * SHARED_CELL, mask, !strong);
    cell->strong |= (uint8_t)strong;
}

/* Strong ones, each of one word. */
static void strong_lanes(struct race_asker *asker, const struct run_block *block,
                         struct shared_cell *cells, uint32_t lanes) {
    struct races *races = asker->races;
    const struct run_access *access = asker->access;
    const uint32_t first = block->rank * races->n_cells * SHARED_WORDS;
    const uint32_t bits = (1u << access->bytes) - 1;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint64_t from = access->at[run_lowest(rest)] - block->shared.base;
        struct shared_cell *cell = &cells[from / SHARED_CELL];
        const uint32_t word = first + (uint32_t)(from / 4);
        cell->strong = 1;
        if (cell->mask) {
            asker->cell =
                (uint64_t)(uintptr_t)block->shared.bytes + from / SHARED_CELL * SHARED_CELL;
            look_through(asker, cell, bits << from % SHARED_CELL);
            if (asker->found != RACE_NONE && !asker->told)
                tell(asker, block, from / SHARED_CELL * SHARED_CELL);
        }
        race_use_words(races, word, 1);
        access_word(asker, block, &races->words[word], from / 4 * 4, bits << from % 4, 0);
    }
}

/* The part of an asker that is the same for all cells of an access. */
struct asks {
    const uint32_t *clocks, *settled, *seen;
    uint32_t clock, op;
    uint16_t actor;
    uint8_t kind, asks_fence, several, loose;
};

static struct asks asks_of(const struct race_asker *asker) {
    const uint32_t *settled = asker->races->settled;
    return (struct asks){.clocks = asker->clocks[0],
                         .settled = settled,
                         .seen = settled + asker->races->n_actors,
                         .clock = asker->mark.clock,
                         .op = asker->mark.op,
                         .actor = asker->mark.actor,
                         .kind = asker->kind,
                         .asks_fence = asker->asks_fence,
                         .several = asker->n_clocks > 1,
                         .loose = asker->loose != NULL};
}

/* is_again and is_next of a weak access, in a cell of one entry without strong accesses. 0: the
 * cell is another one, and unchanged. */
static inline int access_quick(const struct asks asks, struct shared_cell *cell, uint32_t mask) {
    const uint32_t had = cell->mask;
    if (cell->strong)
        return 0;
    if (had) {
        const int same = cell->kind == asks.kind;
        if (cell->next || asks.loose)
            return 0;
        if (same && cell->clock == asks.clock && cell->actor == asks.actor &&
            (!cell->before_clock || (!cell->kind && !(mask & ~had)))) {
            cell->mask |= (uint16_t)mask;
            return 1;
        }
        if (cell->before_clock)
            return 0;
        if (same && mask == had && !asks.asks_fence) {
            if (cell->clock > asks.clocks[cell->actor])
                return 0;
        } else if (!(mask & had) ||
                   cell->clock > (cell->kind ? asks.seen : asks.settled)[cell->actor]) {
            return 0;
        }
    }
    cell->next = NULL;
    cell->clock = asks.clock;
    cell->op = asks.op;
    cell->before_clock = 0;
    cell->actor = asks.actor;
    cell->mask = (uint16_t)mask;
    cell->kind = asks.kind;
    return 1;
}

void shared_lanes(struct race_asker *asker, const struct run_block *block, uint32_t lanes) {
    const struct races *races = asker->races;
    const struct run_access *access = asker->access;
    struct shared_cell *cells = races->cells + (size_t)block->rank * races->n_cells;
    const uint64_t base = block->shared.base;
    const uint32_t bits = (1u << access->bytes) - 1;
    const struct asks asks = asks_of(asker);
    const int strong = asker->kind & 1;
    if (strong && !words_of(asker))
        return;
    if (strong && access->bytes <= 4) {
        strong_lanes(asker, block, cells, lanes);
        return;
    }
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint64_t from = access->at[run_lowest(rest)] - base;
        const uint32_t mask = bits << from % SHARED_CELL;
        if (strong || !access_quick(asks, &cells[from / SHARED_CELL], mask))
            access_one(asker, block, cells, from / SHARED_CELL, mask);
    }
}

void shared_access(struct race_asker *asker, const struct run_block *block, uint64_t from,
                   uint64_t size) {
    const struct races *races = asker->races;
    struct shared_cell *cells = races->cells + (size_t)block->rank * races->n_cells;
    const uint64_t end = from + size;
    const struct asks asks = asks_of(asker);
    const int strong = asker->kind & 1;
    if (block != asker->warp->block) {
        const struct race_mark *mark = &asker->mark;
        const struct race_remote remote = {.clock = mark->clock,
                                           .op = mark->op,
                                           .actor = mark->actor,
                                           .lane = (uint8_t)run_lowest(asker->access->lanes)};
        remote_access(asker->warp, asker->op, block, &remote);
    }
    if (strong && !words_of(asker))
        return;
    while (from < end) {
        const unsigned skip = (unsigned)(from % SHARED_CELL), room = SHARED_CELL - skip;
        const unsigned n = end - from < room ? (unsigned)(end - from) : room;
        const uint32_t mask = ((1u << n) - 1) << skip;
        if (strong || !access_quick(asks, &cells[from / SHARED_CELL], mask))
            access_one(asker, block, cells, from / SHARED_CELL, mask);
        from += n;
    }
}
