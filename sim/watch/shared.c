/* Races in shared memory: the words that an access takes, and reads that wait. */
#include "shared_visit.h"

#include <stdlib.h>

enum { WARP_READS = 144, PATIENCE = 8, ROW = 16 };

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
        const uint32_t state = state_of(visit, word);
        const int alike = are_alike(word);
        visit_word(visit, word);
        if (alike && visit->from == state)
            for (unsigned i = 1; i < ROW; i++)
                word[i] = visit->to;
        else
            for (unsigned i = 1; i < ROW; i++)
                visit_word(visit, word + i);
    }
    for (; n; n--)
        visit_word(visit, word++);
}

/* Pieces of `n` words, each `step` words behind the one before. */
static void visit_pieces(struct shared_visit *visit, uint32_t first, uint32_t n, uint32_t step,
                         uint32_t times) {
    for (uint32_t k = 0; k < times; k++, first += step)
        if (n == 1)
            visit_word(visit, visit->words + first);
        else
            visit_words(visit, visit->words + first, n);
}

/* --- reads that are not in the states --- */

static void enter_reads(struct races *races, struct run_warp *warp);

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
        enter_reads(asker->races, asker->warp);
    if (asker->kind != RACE_READ)
        states->written |= parts;
}

/* The same of bytes of a block. */
static uint64_t parts_at(const struct shared_states *states, const struct run_block *block,
                         uint64_t from, uint64_t size) {
    const uint64_t first = from / SHARED_WORD, last = (from + size - 1) / SHARED_WORD;
    return parts_of(states, (uint64_t)block->rank * states->n_words + first, last - first + 1);
}

/* Whether the lanes of an access are pieces that are equally far apart, and how many words. */
static int is_strided(const struct hear_again *again) {
    return again->n == RUN_LANES;
}
static uint32_t step_of(const struct hear_again *again) {
    return is_strided(again) ? (uint32_t)(again->parts[1].from / SHARED_WORD) -
                                   (uint32_t)(again->parts[0].from / SHARED_WORD)
                             : 0;
}

/* The same of an access; of one whose pieces are equally far apart, from its first to its last. */
static uint64_t parts_of_all(const struct shared_states *states, const struct run_block *block,
                             const struct hear_again *again) {
    const uint64_t first = again->parts[0].from, last = again->parts[again->n - 1].from;
    uint64_t parts = 0;
    if (is_strided(again))
        return parts_at(states, block, first < last ? first : last,
                        (first < last ? last - first : first - last) + again->parts[0].size);
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
    const uint32_t first = block->rank * states->n_words, actor = race_warp(warp);
    const uint32_t clock = race_clocks(races, warp)[actor];
    const unsigned n = is_strided(again) ? 1 : again->n;
    uint64_t parts, low = 0;
    struct shared_read *read;
    if (again->writes || states->patience)
        return 0;
    for (unsigned i = 0; i < n; i++)
        low |= again->parts[i].from | again->parts[i].size;
    low |= again->parts[again->n - 1].from;
    parts = parts_of_all(states, block, again);
    if (low % SHARED_WORD || parts & states->written)
        return 0;
    if (!make_reads(states, races->n_warps, n)) {
        enter_reads(races, warp);
        return 0;
    }
    states->read |= parts;
    states->readers |= UINT64_C(1) << actor % 64;
    states->newest[actor] = clock; /* clocks of a warp only grow */
    read = &states->reads[states->n_reads];
    for (unsigned i = 0; i < n; i++)
        read[i] =
            (struct shared_read){.word = first + (uint32_t)(again->parts[i].from / SHARED_WORD),
                                 .n = again->parts[i].size / SHARED_WORD,
                                 .step = step_of(again),
                                 .times = again->n / n,
                                 .clock = clock,
                                 .op = run_number(warp, again->op),
                                 .actor = actor};
    states->n_reads += n;
    return 1;
}

/* --- accesses --- */

static struct shared_visit visit_begin(struct race_asker *asker, const struct run_block *block) {
    struct shared_states *states = &asker->races->states;
    int usual;
    if (states->n >= states->limit)
        shared_collect(asker->races, asker->warp->block->unit->n_blocks);
    usual = asker->n_clocks == 1 && !asker->asks_fence && !asker->loose;
    return (struct shared_visit){.asker = asker,
                                 .block = block,
                                 .words = states->words + (size_t)block->rank * states->n_words,
                                 .from = SHARED_NONE,
                                 .old = states->old,
                                 .route = shared_route_of(asker),
                                 .usual = usual};
}

/* Visits four words. Their state often equals that of the previous words. */
static inline void visit_four(struct shared_visit *visit, uint32_t *word) {
    const uint32_t first = word[0];
    if (((word[1] ^ first) | (word[2] ^ first) | (word[3] ^ first)) == 0 &&
        state_of(visit, word) == visit->from)
        word[0] = word[1] = word[2] = word[3] = visit->to;
    else
        for (unsigned i = 0; i < 4; i++)
            visit_word(visit, word + i);
}

/* A word of each lane. */
static void visit_lanes(struct shared_visit *visit, const uint64_t at[RUN_LANES], uint64_t base) {
    uint32_t *const words = visit->words;
    const uint32_t old = visit->old;
    uint32_t from = visit->from, to = visit->to;
    for (unsigned lane = 0; lane < RUN_LANES; lane++) {
        uint32_t *word = &words[(at[lane] - base) / SHARED_WORD];
        if ((*word < old ? 0 : *word) == from) {
            *word = to;
            continue;
        }
        visit_other(visit, word);
        from = visit->from;
        to = visit->to;
    }
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

/* The same for lanes in many places, which are only looked at if there are reads. */
static void take_lanes(struct race_asker *asker, const struct run_block *block, uint32_t lanes) {
    const struct run_access *access = asker->access;
    uint64_t parts = 0;
    if (!asker->races->states.read)
        parts = parts_at(&asker->races->states, block, 0, block->shared.size);
    else
        for (uint32_t rest = lanes; rest; rest &= rest - 1)
            parts |= parts_at(&asker->races->states, block,
                              access->at[run_lowest(rest)] - block->shared.base, access->bytes);
    take_parts(asker, parts);
}

void shared_lanes(struct race_asker *asker, const struct run_block *block, uint32_t lanes) {
    const struct run_access *access = asker->access;
    const uint64_t base = block->shared.base;
    const uint32_t bytes = access->bytes, bits = (1u << bytes) - 1;
    struct shared_visit visit;
    take_lanes(asker, block, lanes);
    if (access->swaps && take_swap(asker, block, access))
        return;
    visit = visit_begin(asker, block);
    if (bytes < SHARED_WORD) {
        for (uint32_t rest = lanes; rest; rest &= rest - 1) {
            const uint64_t from = access->at[run_lowest(rest)] - base;
            visit_bytes(&visit, &visit.words[from / SHARED_WORD], bits << from % SHARED_WORD);
        }
        return;
    }
    if (bytes == SHARED_WORD && lanes == UINT32_MAX) {
        visit_lanes(&visit, access->at, base);
        return;
    }
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t *word = &visit.words[(access->at[run_lowest(rest)] - base) / SHARED_WORD];
        if (bytes == HEAR_CELL)
            visit_four(&visit, word);
        else
            for (uint32_t i = 0; i < bytes / SHARED_WORD; i++)
                visit_word(&visit, word + i);
    }
}

void shared_access(struct race_asker *asker, const struct run_block *block, uint64_t from,
                   uint64_t size) {
    const uint64_t end = from + size;
    struct shared_visit visit;
    take_parts(asker, parts_at(&asker->races->states, block, from, size));
    visit = visit_begin(asker, block);
    if (block != asker->warp->block)
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
    if (is_strided(again) && !(again->parts->size % SHARED_WORD)) {
        visit_pieces(&visit, (uint32_t)(again->parts->from / SHARED_WORD),
                     again->parts->size / SHARED_WORD, step_of(again), again->n);
        return asker->found == RACE_NONE;
    }
    for (unsigned i = 0; i < again->n; i++)
        if (!take_row(&visit, again->parts[i].from, again->parts[i].size))
            return 0;
    return 1;
}

static void enter_reads(struct races *races, struct run_warp *warp) {
    struct shared_states *states = &races->states;
    struct race_asker asker = {.races = races, .warp = warp, .n_clocks = 1, .kind = RACE_READ};
    const uint32_t n = states->n_reads;
    states->patience = PATIENCE;
    shared_drop(races);
    for (uint32_t i = 0; i < n; i++) {
        const struct shared_read *read = &states->reads[i];
        struct shared_visit visit;
        asker.clocks[0] = races->clocks + (size_t)read->actor * races->width;
        asker.mark = (struct race_mark){
            .clock = read->clock, .op = read->op, .actor = (uint16_t)read->actor};
        visit = visit_begin(&asker, warp->block);
        visit.words = states->words;
        visit_pieces(&visit, read->word, read->n, read->step, read->times);
    }
    if (asker.no_memory)
        run_no_memory(warp);
}

void shared_learn(struct races *races, struct run_warp *warp) {
    if (races->states.readers >> race_warp(warp) % 64 & 1)
        enter_reads(races, warp);
}
