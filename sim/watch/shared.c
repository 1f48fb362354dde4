/* Races in shared memory: the words that an access takes, and reads that wait. */
#include "shared_visit.h"

#include <stdlib.h>

enum { WARP_READS = 256, PATIENCE = 8, ROW = 16 };

/* --- words --- */

/* Some bytes of a word are accessed, or of a word whose bytes differ. */
static void visit_bytes(struct shared_visit *visit, uint32_t *word, uint32_t mask) {
    struct shared_states *states = &visit->asker->races->states;
    const uint64_t from = (uint64_t)(word - visit->words) * SHARED_WORD;
    uint32_t split = *word & ~SHARED_SPLIT, *parts, others = 0;
    if (!(*word & SHARED_SPLIT)) {
        const uint32_t next = shared_advance(visit, *word, from, mask);
        if (next == *word)
            return;
        split = shared_split(visit->asker, *word);
        if (split == SHARED_NONE)
            return;
        for (unsigned i = 0; i < SHARED_WORD; i++)
            if (mask >> i & 1)
                states->splits[split][i] = next;
        *word = SHARED_SPLIT | split;
        return;
    }
    parts = states->splits[split];
    for (unsigned i = 0; i < SHARED_WORD; i++)
        if (mask >> i & 1)
            parts[i] = shared_advance(visit, parts[i], from, 1u << i);
    for (unsigned i = 1; i < SHARED_WORD; i++)
        others |= parts[i] ^ parts[0];
    if (!others) {
        *word = parts[0];
        parts[0] = states->spare;
        states->spare = split + 1;
    }
}

/* A whole word whose state is not that of the word before. */
static void visit_other(struct shared_visit *visit, uint32_t *word) {
    if (*word & SHARED_SPLIT)
        visit_bytes(visit, word, 15);
    else
        *word = shared_advance(visit, *word, (uint64_t)(word - visit->words) * SHARED_WORD, 15);
}

/* The state of a word, 0 if it is settled; of words whose bytes differ what leads to these. */
static inline uint32_t state_of(const struct shared_visit *visit, const uint32_t *word) {
    return *word < visit->old ? 0 : *word;
}

/* A whole word. */
static inline void visit_word(struct shared_visit *visit, uint32_t *word) {
    if (state_of(visit, word) == visit->from)
        *word = visit->to;
    else
        visit_other(visit, word);
}

/* Whether some words are in one state, and none is split. */
static inline int are_alike(const uint32_t word[ROW]) {
    uint32_t other = word[0] & SHARED_SPLIT;
    for (unsigned i = 1; i < ROW; i++)
        other |= word[i] ^ word[0];
    return !other;
}

/* Words side by side, which often are in one state. */
static inline void visit_words(struct shared_visit *visit, uint32_t *word, uint64_t n) {
    for (; n >= ROW; n -= ROW, word += ROW) {
        const uint32_t state = state_of(visit, word), alike = (uint32_t)are_alike(word);
        visit_word(visit, word);
        if (alike && visit->from == state) {
            const uint32_t to = visit->to;
            for (unsigned i = 1; i < ROW; i++)
                word[i] = to;
        } else {
            for (unsigned i = 1; i < ROW; i++)
                visit_word(visit, word + i);
        }
    }
    for (; n; n--)
        visit_word(visit, word++);
}

/* Pieces of `n` words, each `step` words behind the one before. */
static void visit_pieces(struct shared_visit *visit, uint32_t first, uint32_t n, uint32_t step,
                         uint32_t times) {
    const uint32_t old = visit->old;
    uint32_t from = visit->from, to = visit->to;
    for (; n > 1 && times; times--, first += step)
        visit_words(visit, visit->words + first, n);
    for (; times; times--, first += step) {
        uint32_t *word = visit->words + first;
        if ((*word < old ? 0 : *word) == from) {
            *word = to;
            continue;
        }
        visit_other(visit, word);
        from = visit->from;
        to = visit->to;
    }
}

/* --- reads that are not in the states --- */

static void enter_reads(struct races *races, struct run_warp *warp, uint64_t parts);

/* The parts of memory that some words are in. */
static uint64_t parts_of(const struct shared_states *states, uint64_t word, uint64_t n) {
    const unsigned low = (unsigned)(word >> states->shift);
    const unsigned high = (unsigned)((word + n - 1) >> states->shift);
    return (UINT64_MAX >> (63 - (high - low))) << low;
}

/* Comes before an access of other sorts in some parts of memory. */
static void take_parts(struct race_asker *asker, uint64_t parts) {
    struct shared_states *states = &asker->races->states;
    if (states->read & parts)
        enter_reads(asker->races, asker->warp, parts);
    if (asker->kind != RACE_READ)
        states->written |= parts;
}

/* The same of bytes of a block. */
static uint64_t parts_at(const struct shared_states *states, const struct run_block *block,
                         uint64_t from, uint64_t size) {
    const uint64_t first = from / SHARED_WORD, last = (from + size - 1) / SHARED_WORD;
    return parts_of(states, (uint64_t)block->rank * states->n_words + first, last - first + 1);
}

/* The same of an access. */
static uint64_t parts_of_all(const struct shared_states *states, const struct run_block *block,
                             const struct hear_again *again) {
    const uint64_t first = again->parts->from, last = first + (again->times - 1) * again->step;
    uint64_t parts = 0;
    if (again->times > 1)
        return parts_at(states, block, first < last ? first : last,
                        (first < last ? last - first : first - last) + again->parts->size);
    for (unsigned i = 0; i < again->n; i++)
        parts |= parts_at(states, block, again->parts[i].from, again->parts[i].size);
    return parts;
}

/* Room for further reads. 0: there is none. */
static int make_reads(struct shared_states *states, uint32_t n_warps, uint32_t n) {
    if (!states->reads)
        states->reads = malloc((size_t)n_warps * WARP_READS * sizeof *states->reads);
    return states->reads && states->n_reads + n <= n_warps * WARP_READS;
}

int shared_keep(struct races *races, struct run_warp *warp, const struct hear_again *again) {
    struct shared_states *states = &races->states;
    const struct run_block *block = again->memory->block;
    const uint32_t first = block->rank * states->n_words, number = race_warp(warp);
    const uint32_t clock = race_clocks(races, warp)[number], actor = race_sharer(races, number);
    const unsigned n = again->n;
    uint64_t parts, low = again->step;
    struct shared_read *read;
    if (again->writes || states->patience)
        return 0;
    for (unsigned i = 0; i < n; i++)
        low |= again->parts[i].from | again->parts[i].size;
    parts = parts_of_all(states, block, again);
    if (low % SHARED_WORD || parts & states->written)
        return 0;
    if (!make_reads(states, races->n_warps, n)) {
        enter_reads(races, warp, UINT64_MAX);
        return 0;
    }
    states->read |= parts;
    states->readers |= UINT64_C(1) << number % 64;
    states->newest[actor] = clock; /* clocks of a warp only grow */
    read = &states->reads[states->n_reads];
    for (unsigned i = 0; i < n; i++)
        read[i] =
            (struct shared_read){.word = first + (uint32_t)(again->parts[i].from / SHARED_WORD),
                                 .n = (uint16_t)(again->parts[i].size / SHARED_WORD),
                                 .step = (uint32_t)((int64_t)again->step / SHARED_WORD),
                                 .times = (uint16_t)again->times,
                                 .clock = clock,
                                 .op = run_number(warp, again->op),
                                 .actor = (uint16_t)actor};
    states->n_reads += n;
    return 1;
}

/* --- accesses --- */

static struct shared_visit visit_begin(struct race_asker *asker, const struct run_block *block) {
    struct shared_states *states = &asker->races->states;
    int usual;
    if (states->n >= states->limit)
        shared_collect(asker->races, asker->warp->block->unit->n_blocks);
    usual = asker->n_clocks == 1 && !asker->asks_fence && !asker->unordered && !asker->loose;
    return (struct shared_visit){.asker = asker,
                                 .block = block,
                                 .words = states->words + (size_t)block->rank * states->n_words,
                                 .from = SHARED_NONE,
                                 .old = states->old,
                                 .route = shared_route_of(asker),
                                 .usual = usual};
}

/* `n` words of a lane, 1, 2 or 4. Most are in the state *from, which is kept apart from stores. */
static inline void visit_lane(struct shared_visit *visit, uint32_t *word, uint32_t n,
                              uint32_t *from, uint32_t *to) {
    uint32_t other = 0;
    for (uint32_t i = 1; i < n; i++)
        other |= word[i] ^ word[0];
    if (!other && state_of(visit, word) == *from) {
        for (uint32_t i = 0; i < n; i++)
            word[i] = *to;
        return;
    }
    if (n == 1)
        visit_other(visit, word);
    for (uint32_t i = 0; i < n && n > 1; i++)
        visit_word(visit, word + i);
    *from = visit->from;
    *to = visit->to;
}

static inline void visit_lanes(struct shared_visit *visit, const struct run_access *access,
                               uint64_t base, uint32_t lanes, uint32_t n) {
    uint32_t *const words = visit->words, from = visit->from, to = visit->to;
    for (unsigned lane = 0; lane < RUN_LANES && lanes == UINT32_MAX; lane++)
        visit_lane(visit, words + (access->at[lane] - base) / SHARED_WORD, n, &from, &to);
    for (uint32_t rest = lanes == UINT32_MAX ? 0 : lanes; rest; rest &= rest - 1)
        visit_lane(visit, words + (access->at[run_lowest(rest)] - base) / SHARED_WORD, n, &from,
                   &to);
}

/* A row of bytes, as far as it cannot race; otherwise 0. */
static int take_row(struct shared_visit *visit, uint64_t from, uint64_t size) {
    if ((from | size) % SHARED_WORD)
        return 0;
    visit_words(visit, visit->words + from / SHARED_WORD, size / SHARED_WORD);
    return visit->asker->found == RACE_NONE;
}

/* Lanes side by side, in whichever order. 0: one may race, so each lane has to be looked at. */
static int take_swap(struct race_asker *asker, const struct run_block *block,
                     const struct run_access *access) {
    const uint64_t bytes = (uint64_t)access->bytes * RUN_LANES;
    struct shared_visit visit;
    int good;
    asker->access = NULL;
    visit = visit_begin(asker, block);
    good = take_row(&visit, (access->at[0] & ~(bytes - 1)) - block->shared.base, bytes);
    asker->access = access;
    asker->found = good ? asker->found : RACE_NONE;
    return good;
}

/* The same for lanes in many places, which are only looked at if there are reads. A lane has 4
 * words at most, so parts that are not smaller hold its first and its last one. */
static void take_lanes(struct race_asker *asker, const struct run_block *block, uint32_t lanes) {
    const struct run_access *access = asker->access;
    const struct shared_states *states = &asker->races->states;
    const uint64_t first = (uint64_t)block->rank * states->n_words, base = block->shared.base;
    const unsigned shift = states->shift;
    uint64_t parts = 0;
    if (!states->read || shift < 2)
        parts = parts_at(states, block, 0, block->shared.size);
    else
        for (uint32_t rest = lanes; rest; rest &= rest - 1) {
            const uint64_t from = access->at[run_lowest(rest)] - base;
            parts |= UINT64_C(1) << ((first + from / SHARED_WORD) >> shift);
            parts |= UINT64_C(1) << ((first + (from + access->bytes - 1) / SHARED_WORD) >> shift);
        }
    take_parts(asker, parts);
}

void shared_lanes(struct race_asker *asker, const struct run_block *block, uint32_t lanes) {
    const struct run_access *access = asker->access;
    const uint64_t base = block->shared.base;
    const uint32_t bytes = access->bytes, bits = (1u << bytes) - 1;
    struct shared_visit visit;
    take_lanes(asker, block, lanes);
    if (block != asker->warp->block)
        remote_access(asker->warp, asker->op, block, asker->mark.actor, asker->mark.clock,
                      run_lowest(lanes));
    if (access->swaps && lanes == UINT32_MAX && take_swap(asker, block, access))
        return;
    visit = visit_begin(asker, block);
    if (bytes < SHARED_WORD) {
        for (uint32_t rest = lanes; rest; rest &= rest - 1) {
            const uint64_t from = access->at[run_lowest(rest)] - base;
            visit_bytes(&visit, &visit.words[from / SHARED_WORD], bits << from % SHARED_WORD);
        }
        return;
    }
    switch (bytes / SHARED_WORD) {
    case 1: visit_lanes(&visit, access, base, lanes, 1); break;
    case 2: visit_lanes(&visit, access, base, lanes, 2); break;
    default: visit_lanes(&visit, access, base, lanes, 4); break;
    }
}

void shared_access(struct race_asker *asker, const struct run_block *block, uint64_t from,
                   uint64_t size) {
    const uint64_t end = from + size;
    struct shared_visit visit;
    take_parts(asker, parts_at(&asker->races->states, block, from, size));
    visit = visit_begin(asker, block);
    if (block != asker->warp->block && asker->access)
        remote_access(asker->warp, asker->op, block, asker->mark.actor, asker->mark.clock,
                      run_lowest(asker->access->lanes));
    while (from < end) {
        const uint32_t skip = from % SHARED_WORD;
        uint32_t *word = &visit.words[from / SHARED_WORD];
        if (!skip && end - from >= SHARED_WORD) {
            visit_words(&visit, word, (end - from) / SHARED_WORD);
            from = end - end % SHARED_WORD;
        } else {
            const uint32_t left = SHARED_WORD - skip;
            const uint32_t n = end - from < left ? (uint32_t)(end - from) : left;
            visit_bytes(&visit, word, ((1u << n) - 1) << skip);
            from += n;
        }
    }
}

int shared_take(struct race_asker *asker, const struct run_block *block,
                const struct hear_again *again) {
    struct shared_visit visit;
    asker->access = NULL;
    asker->found = RACE_NONE;
    take_parts(asker, parts_of_all(&asker->races->states, block, again));
    visit = visit_begin(asker, block);
    if (again->times > 1) {
        if ((again->parts->from | again->parts->size | again->step) % SHARED_WORD)
            return 0;
        visit_pieces(&visit, (uint32_t)(again->parts->from / SHARED_WORD),
                     again->parts->size / SHARED_WORD,
                     (uint32_t)((int64_t)again->step / SHARED_WORD), again->times);
        return asker->found == RACE_NONE;
    }
    for (unsigned i = 0; i < again->n; i++)
        if (!take_row(&visit, again->parts[i].from, again->parts[i].size))
            return 0;
    return 1;
}

/* The parts of memory that a kept read is in. */
static uint64_t parts_of_read(const struct shared_states *states, const struct shared_read *read) {
    const uint32_t last = read->word + (read->times - 1u) * read->step;
    const uint32_t low = last < read->word ? last : read->word;
    return parts_of(states, low, (uint64_t)(read->word - low) + (last - low) + read->n);
}

/* Reads in some parts of memory enter the states, in their order. The others stay in the list. */
static void enter_reads(struct races *races, struct run_warp *warp, uint64_t parts) {
    struct shared_states *states = &races->states;
    struct race_asker asker = {.races = races, .warp = warp, .n_clocks = 1, .kind = RACE_READ};
    const uint32_t n = states->n_reads;
    uint32_t left = 0;
    uint64_t read_parts = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct shared_read *read = &states->reads[i];
        const uint64_t its = parts_of_read(states, read);
        struct shared_visit visit;
        if (!(its & parts)) {
            states->reads[left++] = *read;
            read_parts |= its;
            continue;
        }
        asker.clocks[0] = races->clocks + (size_t)race_thread(races, read->actor) * races->width;
        asker.mark = (struct race_mark){.clock = read->clock, .op = read->op, .actor = read->actor};
        visit = visit_begin(&asker, warp->block);
        visit.words = states->words;
        visit_pieces(&visit, read->word, read->n, read->step, read->times);
    }
    states->n_reads = left;
    states->read = read_parts;
    if (2 * left < n)
        states->patience = PATIENCE;
    if (!left)
        states->readers = 0;
    if (asker.no_memory)
        run_no_memory(warp);
}

void shared_learn(struct races *races, struct run_warp *warp) {
    if (races->states.readers >> race_warp(warp) % 64 & 1)
        enter_reads(races, warp, UINT64_MAX);
}
