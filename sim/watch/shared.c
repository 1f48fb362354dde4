/* Races in shared memory, one state after another. */
#include "actors.h"

#include <stdlib.h>

#define SPLIT 0x80000000u
enum { ROOM = 256, WARP_READS = 96, PATIENCE = 8, LIMIT = 1024, KINDS = RACE_CLASSES, ROW = 16 };

/* --- a unit --- */

int shared_make(struct races *races, uint32_t n_blocks, uint32_t bytes) {
    struct shared_states *states = &races->states;
    states->n_words = bytes / SHARED_WORD + 1;
    states->words = calloc((size_t)n_blocks * states->n_words, sizeof *states->words);
    states->nodes = calloc(ROOM, sizeof *states->nodes);
    states->newest = calloc(races->n_actors, sizeof *states->newest);
    states->room = ROOM;
    while (((uint64_t)n_blocks * states->n_words - 1) >> states->shift >= 64)
        states->shift++;
    return states->words && states->nodes && states->newest;
}

/* So many nodes that it costs little to look through all words for those in use. */
static uint32_t least_limit(const struct shared_states *states, uint32_t n_blocks) {
    const size_t words = (size_t)n_blocks * states->n_words / 4;
    return words > LIMIT ? (uint32_t)words : LIMIT;
}

void shared_begin(struct races *races, uint32_t n_blocks) {
    struct shared_states *states = &races->states;
    memset(states->words, 0, (size_t)n_blocks * states->n_words * sizeof *states->words);
    memset(states->newest, 0, races->n_actors * sizeof *states->newest);
    states->n = states->old = 1;
    states->limit = least_limit(states, n_blocks);
    states->n_splits = states->spare = 0;
    states->written = 0;
    shared_drop(races);
    states->version++;
}

void shared_free(struct races *races) {
    free(races->states.words);
    free(races->states.nodes);
    free(races->states.splits);
    free(races->states.newest);
    free(races->states.reads);
}

void shared_settle(struct races *races) {
    const uint32_t *settled = races->settled, *seen = settled + races->n_actors;
    const uint32_t *newest = races->states.newest;
    uint32_t left = 0;
    for (uint32_t i = 0; i < races->n_actors; i++)
        left |= (uint32_t)(newest[i] > settled[i]) | (uint32_t)(newest[i] > seen[i]);
    if (left)
        return;
    races->states.old = races->states.n;
    races->states.written = 0;
    races->states.patience -= races->states.patience > 0;
}

/* --- states --- */

/* Whether no later access can race with an entry. */
static int is_settled(const struct races *races, const struct shared_node *entry) {
    const uint32_t *known = races->settled + (entry->kind & RACE_WRITE ? races->n_actors : 0);
    return entry->clock <= known[entry->actor] &&
           (!entry->before_clock || entry->before_clock <= known[entry->before_actor]);
}

/* 0: no memory. */
static uint32_t make_node(struct race_asker *asker, const struct shared_node *node) {
    struct shared_states *states = &asker->races->states;
    if (states->n == states->room) {
        const uint32_t room = 2 * states->room;
        struct shared_node *nodes = realloc(states->nodes, room * sizeof *nodes);
        if (!nodes) {
            asker->no_memory = 1;
            return 0;
        }
        states->nodes = nodes;
        states->room = room;
    }
    states->nodes[states->n] = *node;
    if (node->clock > states->newest[node->actor])
        states->newest[node->actor] = node->clock;
    return states->n++;
}

/* Moves a state, and the rest of its list, to other nodes, unless all entries are settled. */
static uint32_t move_state(const struct races *races, uint32_t state, uint32_t *moved,
                           struct shared_node *to, uint32_t *n) {
    const struct shared_node *from = races->states.nodes;
    uint32_t list[KINDS], length = 0, next = 0;
    int settled = 1;
    for (uint32_t at = state; at; at = from[at].next) {
        if (moved[at] != SHARED_NONE) {
            next = moved[at];
            settled &= !next;
            break;
        }
        settled &= is_settled(races, &from[at]);
        list[length++] = at;
    }
    if (settled) {
        for (uint32_t i = 0; i < length; i++)
            moved[list[i]] = 0;
        return 0;
    }
    while (length--) {
        to[*n] = from[list[length]];
        to[*n].next = next;
        next = moved[list[length]] = (*n)++;
    }
    return next;
}

/* Drops the nodes that no word leads to. */
static void collect(struct races *races, uint32_t n_blocks) {
    struct shared_states *states = &races->states;
    uint32_t *moved = malloc(states->n * sizeof *moved), n = 1;
    struct shared_node *nodes = malloc(states->room * sizeof *nodes);
    states->version++; /* routes end */
    if (moved && nodes) {
        memset(moved, 0xFF, states->n * sizeof *moved);
        for (size_t i = 0; i < (size_t)n_blocks * states->n_words; i++) {
            uint32_t *word = &states->words[i];
            const int splits = (*word & SPLIT) != 0;
            uint32_t *parts = splits ? states->splits[*word & ~SPLIT] : word;
            for (unsigned p = 0; p < (splits ? SHARED_WORD : 1u); p++)
                parts[p] = move_state(races, parts[p], moved, nodes, &n);
        }
        free(states->nodes);
        states->nodes = nodes;
        states->n = n;
        states->old = 1;
        nodes = NULL;
    }
    states->limit = least_limit(states, n_blocks);
    states->limit = 2 * states->n > states->limit ? 2 * states->n : states->limit;
    free(nodes);
    free(moved);
}

/* --- from state to state --- */

/* An access on its way through the words of a block. Words in state `from` go to state `to`. */
struct visit {
    struct race_asker *asker;
    const struct run_block *block;
    uint32_t *words;
    uint32_t from, to, old;
    struct shared_route *route;
    int usual; /* it is compared with one vector alone                                         */
};

/* Whether an access is ordered before the asker, and visible to it. */
static int is_ordered(const struct race_asker *asker, uint32_t actor, uint32_t clock,
                      unsigned kind) {
    return !clock || (race_knows(asker, actor, clock) && !race_loosely(asker, actor, clock) &&
                      !((kind & RACE_WRITE) && race_unfenced(asker, actor, clock)));
}

/* Whether the asker's actor made an access since the last event that orders. */
static inline int is_own(const struct race_asker *asker, uint32_t actor, uint32_t clock) {
    return actor == asker->mark.actor && clock == asker->mark.clock;
}

/* The asker becomes the last access of an entry. Returns 0 if the entry stays as it is. Its actor
 * made an equal access since the last event that orders. Or two readers are kept, and the asker
 * does not know the last one. It is the other one, or a third one, which is not kept. */
static int renew(const struct race_asker *asker, struct shared_node *entry) {
    int knows, knows_before;
    if (is_own(asker, entry->actor, entry->clock))
        return 0;
    knows = race_knows(asker, entry->actor, entry->clock);
    knows_before =
        entry->before_clock && race_knows(asker, entry->before_actor, entry->before_clock);
    if (entry->kind == RACE_READ && entry->before_clock && !knows &&
        (is_own(asker, entry->before_actor, entry->before_clock) || !knows_before))
        return 0;
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
    return 1;
}

/* The state of the access alone, where all others are settled or ordered before. */
static uint32_t fresh_state(struct visit *visit) {
    const struct race_asker *asker = visit->asker;
    const struct shared_node node = {.clock = asker->mark.clock,
                                     .op = asker->mark.op,
                                     .actor = asker->mark.actor,
                                     .kind = asker->kind};
    if (!visit->route->fresh)
        visit->route->fresh = make_node(visit->asker, &node);
    return visit->route->fresh;
}

/* The state after the access. *races: an entry may race with it, for some values. */
static uint32_t state_after(struct visit *visit, uint32_t state, int *races) {
    struct race_asker *asker = visit->asker;
    const struct shared_states *states = &asker->races->states;
    struct shared_node list[KINDS];
    uint32_t same[KINDS], n = 0, next = 0;
    int mine = 0;
    for (uint32_t at = state; at; at = states->nodes[at].next) {
        struct shared_node *entry = &list[n];
        *entry = states->nodes[at];
        if (is_settled(asker->races, entry))
            continue;
        if (race_conflicts(entry->kind, asker->kind))
            *races |= !is_ordered(asker, entry->actor, entry->clock, entry->kind) ||
                      !is_ordered(asker, entry->before_actor, entry->before_clock, entry->kind);
        same[n] = at;
        if (entry->kind == asker->kind) {
            mine = 1;
            if (renew(asker, entry))
                same[n] = 0;
        }
        n++;
    }
    if (!n || (n == 1 && mine && !same[0] && !list[0].before_clock))
        return (next = fresh_state(visit)) ? next : state;
    for (uint32_t i = n; i--;) {
        if (same[i] && states->nodes[same[i]].next == next) {
            next = same[i];
            continue;
        }
        list[i].next = next;
        if (!(next = make_node(asker, &list[i])))
            return state;
    }
    if (!mine) {
        const struct shared_node first = {.next = next,
                                          .clock = asker->mark.clock,
                                          .op = asker->mark.op,
                                          .actor = asker->mark.actor,
                                          .kind = asker->kind};
        next = make_node(asker, &first);
    }
    return next ? next : state;
}

/* The first entry of a state that races with the asker. `overlap` are bytes from asker->cell on. */
static void look(struct race_asker *asker, const struct shared_node *entry, uint32_t overlap) {
    const struct race_mark marks[2] = {
        {.clock = entry->clock, .op = entry->op, .actor = entry->actor},
        {.clock = entry->before_clock, .op = entry->before_op, .actor = entry->before_actor}};
    for (unsigned i = 0; i < 2 && !asker->found; i++) {
        if (!marks[i].clock)
            continue;
        if (!race_knows(asker, marks[i].actor, marks[i].clock)) {
            if ((entry->kind & asker->kind & RACE_WRITE) && !race_changed(asker, overlap, NULL))
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

static void look_through(const struct visit *visit, uint32_t state, uint64_t from, uint32_t mask) {
    struct race_asker *asker = visit->asker;
    const struct shared_node *nodes = asker->races->states.nodes;
    asker->cell = (uint64_t)(uintptr_t)visit->block->shared.bytes + from;
    for (; state && !asker->found; state = nodes[state].next)
        if (!is_settled(asker->races, &nodes[state]) &&
            race_conflicts(nodes[state].kind, asker->kind))
            look(asker, &nodes[state], mask);
    if (asker->found && !asker->told) {
        const uint64_t at = visit->block->shared.base + from + base_lowest(asker->found_bytes);
        race_tell_shared(asker, hear_lane(asker->access, at), at - at % SHARED_WORD);
        asker->told = 1;
    }
}

/* The steps of an access: those of the access before if both have one mark, and nothing has ordered
 * anything since. An access with doubts begins anew. */
static struct shared_route *route_of(const struct race_asker *asker) {
    struct shared_states *states = &asker->races->states;
    const struct race_mark *mark = &asker->mark;
    const unsigned place = asker->loose ? SHARED_ROUTES : mark->op % SHARED_ROUTES;
    struct shared_route *route = &states->routes[place];
    if (!asker->loose && route->version == states->version && route->clock == mark->clock &&
        route->op == mark->op && route->actor == mark->actor && route->kind == asker->kind &&
        route->asks_fence == asker->asks_fence)
        return route;
    route->version = states->version;
    route->clock = mark->clock;
    route->op = mark->op;
    route->actor = mark->actor;
    route->kind = asker->kind;
    route->asks_fence = asker->asks_fence;
    route->fresh = 0;
    route->known = 0;
    return route;
}

/* Fast path of a state with accesses of the asker's class alone, none of which races with it.
 * Returns the next state; SHARED_NONE: it is another case. */
static inline uint32_t renew_only(struct visit *visit, uint32_t state) {
    const struct race_asker *asker = visit->asker;
    const struct race_mark *mark = &asker->mark;
    const struct shared_node entry = asker->races->states.nodes[state];
    const uint32_t *clocks = asker->clocks[0];
    int knows, knows_before;
    if (!visit->usual || entry.kind != asker->kind || entry.next)
        return SHARED_NONE;
    if (is_own(asker, entry.actor, entry.clock))
        return entry.before_clock && race_conflicts(entry.kind, entry.kind) ? SHARED_NONE : state;
    knows = entry.actor == mark->actor || entry.clock <= clocks[entry.actor];
    knows_before = !entry.before_clock || entry.before_actor == mark->actor ||
                   entry.before_clock <= clocks[entry.before_actor];
    if (knows && knows_before)
        return fresh_state(visit);
    if (race_conflicts(entry.kind, entry.kind))
        return SHARED_NONE;
    if (entry.kind == RACE_READ && entry.before_clock && !knows &&
        (is_own(asker, entry.before_actor, entry.before_clock) || !knows_before))
        return state;
    return make_node(visit->asker, &(struct shared_node){
                                       .clock = mark->clock,
                                       .op = mark->op,
                                       .actor = mark->actor,
                                       .kind = entry.kind,
                                       .before_clock = knows ? entry.before_clock : entry.clock,
                                       .before_op = knows ? entry.before_op : entry.op,
                                       .before_actor = knows ? entry.before_actor : entry.actor});
}

/* The step from a state of which the route has none. */
static uint32_t step(struct visit *visit, uint32_t state, uint64_t from, uint32_t mask) {
    struct race_asker *asker = visit->asker;
    struct shared_route *route = visit->route;
    uint32_t next = state ? renew_only(visit, state) : fresh_state(visit);
    int races = 0;
    if (next == SHARED_NONE)
        next = state_after(visit, state, &races);
    if (races && !asker->access) {
        asker->found = RACE_UNORDERED;
        return state;
    }
    if (races && !asker->found)
        look_through(visit, state, from, mask);
    if (races && !asker->found)
        return next;            /* the values of other words may differ */
    next = next ? next : state; /* 0: there is no memory */
    visit->from = state;
    visit->to = next;
    if (!races) {
        route->known |= (uint16_t)(1u << state % SHARED_STEPS);
        route->steps[state % SHARED_STEPS].from = state;
        route->steps[state % SHARED_STEPS].to = next;
    }
    return next;
}

/* Bytes of a word, `mask` from byte `from` of the block on, are accessed in that state. Returns
 * the state after it. */
static inline uint32_t advance(struct visit *visit, uint32_t state, uint64_t from, uint32_t mask) {
    const struct shared_route *route = visit->route;
    state = state < visit->old ? 0 : state;
    if (state == visit->from)
        return visit->to;
    if (!(route->known >> state % SHARED_STEPS & 1) ||
        route->steps[state % SHARED_STEPS].from != state)
        return step(visit, state, from, mask);
    visit->from = state;
    return visit->to = route->steps[state % SHARED_STEPS].to;
}

/* --- words --- */

/* A split of four equal states. SHARED_NONE: no memory. */
static uint32_t make_split(struct race_asker *asker, uint32_t state) {
    struct shared_states *states = &asker->races->states;
    uint32_t split = states->spare;
    if (split) {
        states->spare = states->splits[--split][0];
    } else {
        if (states->n_splits == states->splits_room) {
            const uint32_t room = states->splits_room ? 2 * states->splits_room : ROOM;
            void *splits = realloc(states->splits, room * sizeof *states->splits);
            if (!splits) {
                asker->no_memory = 1;
                return SHARED_NONE;
            }
            states->splits = splits;
            states->splits_room = room;
        }
        split = states->n_splits++;
    }
    for (unsigned i = 0; i < SHARED_WORD; i++)
        states->splits[split][i] = state;
    return split;
}

/* Some bytes of a word are accessed, or of a word whose bytes differ. */
static void visit_bytes(struct visit *visit, uint32_t *word, uint32_t mask) {
    struct shared_states *states = &visit->asker->races->states;
    const uint64_t from = (uint64_t)(word - visit->words) * SHARED_WORD;
    uint32_t split = *word & ~SPLIT, *parts, others = 0;
    if (!(*word & SPLIT)) {
        const uint32_t next = advance(visit, *word, from, mask);
        if (next == *word)
            return;
        split = make_split(visit->asker, *word);
        if (split == SHARED_NONE)
            return;
        for (unsigned i = 0; i < SHARED_WORD; i++)
            if (mask >> i & 1)
                states->splits[split][i] = next;
        *word = SPLIT | split;
        return;
    }
    parts = states->splits[split];
    for (unsigned i = 0; i < SHARED_WORD; i++)
        if (mask >> i & 1)
            parts[i] = advance(visit, parts[i], from, 1u << i);
    for (unsigned i = 1; i < SHARED_WORD; i++)
        others |= parts[i] ^ parts[0];
    if (!others) {
        *word = parts[0];
        parts[0] = states->spare;
        states->spare = split + 1;
    }
}

/* A whole word whose state is not that of the word before. */
static void visit_other(struct visit *visit, uint32_t *word) {
    if (*word & SPLIT)
        visit_bytes(visit, word, 15);
    else
        *word = advance(visit, *word, (uint64_t)(word - visit->words) * SHARED_WORD, 15);
}

/* The state of a word, 0 if it is settled; of words whose bytes differ what leads to these. */
static inline uint32_t state_of(const struct visit *visit, const uint32_t *word) {
    return *word < visit->old ? 0 : *word;
}

/* A whole word. */
static inline void visit_word(struct visit *visit, uint32_t *word) {
    if (state_of(visit, word) == visit->from)
        *word = visit->to;
    else
        visit_other(visit, word);
}

/* Whether some words are in one state, and none is split. */
static inline int are_alike(const uint32_t word[ROW]) {
    uint32_t other = word[0] & SPLIT;
    for (unsigned i = 1; i < ROW; i++)
        other |= word[i] ^ word[0];
    return !other;
}

/* Words side by side, which often are in one state. */
static inline void visit_words(struct visit *visit, uint32_t *word, uint64_t n) {
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
    uint64_t parts = 0, low = 0;
    struct shared_read *read;
    if (again->writes || states->patience)
        return 0;
    for (unsigned i = 0; i < again->n; i++) {
        const struct hear_part *part = &again->parts[i];
        low |= part->from | part->size;
        parts |= parts_at(states, block, part->from, part->size);
    }
    if (low % SHARED_WORD || parts & states->written)
        return 0;
    if (!make_reads(states, races->n_warps, again->n)) {
        enter_reads(races, warp);
        return 0;
    }
    states->read |= parts;
    states->readers |= UINT64_C(1) << actor % 64;
    states->newest[actor] = clock; /* clocks of a warp only grow */
    read = &states->reads[states->n_reads];
    for (unsigned i = 0; i < again->n; i++)
        read[i] =
            (struct shared_read){.word = first + (uint32_t)(again->parts[i].from / SHARED_WORD),
                                 .n = again->parts[i].size / SHARED_WORD,
                                 .clock = clock,
                                 .op = run_number(warp, again->op),
                                 .actor = actor};
    states->n_reads += again->n;
    return 1;
}

/* --- accesses --- */

static struct visit visit_begin(struct race_asker *asker, const struct run_block *block) {
    struct shared_states *states = &asker->races->states;
    int usual;
    if (states->n >= states->limit)
        collect(asker->races, asker->warp->block->unit->n_blocks);
    usual = asker->n_clocks == 1 && !asker->asks_fence && !asker->loose;
    return (struct visit){.asker = asker,
                          .block = block,
                          .words = states->words + (size_t)block->rank * states->n_words,
                          .from = SHARED_NONE,
                          .old = states->old,
                          .route = route_of(asker),
                          .usual = usual};
}

/* Visits four words. Their state often equals that of the previous words. */
static inline void visit_four(struct visit *visit, uint32_t *word) {
    const uint32_t first = word[0];
    if (((word[1] ^ first) | (word[2] ^ first) | (word[3] ^ first)) == 0 &&
        state_of(visit, word) == visit->from)
        word[0] = word[1] = word[2] = word[3] = visit->to;
    else
        for (unsigned i = 0; i < 4; i++)
            visit_word(visit, word + i);
}

/* A word of each lane. */
static void visit_lanes(struct visit *visit, const uint64_t at[RUN_LANES], uint64_t base) {
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
static int take_row(struct race_asker *asker, const struct run_block *block, uint64_t from,
                    uint64_t size) {
    struct visit visit;
    if ((from | size) % SHARED_WORD)
        return 0;
    visit = visit_begin(asker, block);
    visit_words(&visit, visit.words + from / SHARED_WORD, size / SHARED_WORD);
    return asker->found == RACE_NONE;
}

/* Lanes side by side, in whichever order. 0: one may race, so each lane has to be looked at. */
static int take_swap(struct race_asker *asker, const struct run_block *block,
                     const struct run_access *access) {
    const uint64_t bytes = (uint64_t)access->bytes * RUN_LANES;
    int good;
    asker->access = NULL;
    good = take_row(asker, block, (access->at[0] & ~(bytes - 1)) - block->shared.base, bytes);
    asker->access = access;
    asker->found = good ? asker->found : RACE_NONE;
    return good;
}

/* The same for lanes in many places: what is not read may be anywhere. */
static void take_lanes(struct race_asker *asker, const struct run_block *block, uint32_t lanes) {
    const struct run_access *access = asker->access;
    uint64_t parts = 0;
    if (asker->kind != RACE_READ)
        parts = parts_at(&asker->races->states, block, 0, block->shared.size);
    else if (asker->races->states.read)
        for (uint32_t rest = lanes; rest; rest &= rest - 1)
            parts |= parts_at(&asker->races->states, block,
                              access->at[run_lowest(rest)] - block->shared.base, access->bytes);
    take_parts(asker, parts);
}

void shared_lanes(struct race_asker *asker, const struct run_block *block, uint32_t lanes) {
    const struct run_access *access = asker->access;
    const uint64_t base = block->shared.base;
    const uint32_t bytes = access->bytes, bits = (1u << bytes) - 1;
    struct visit visit;
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
    struct visit visit;
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
    uint64_t parts = 0;
    asker->access = NULL;
    asker->found = RACE_NONE;
    for (unsigned i = 0; i < again->n; i++)
        parts |= parts_at(&asker->races->states, block, again->parts[i].from, again->parts[i].size);
    take_parts(asker, parts);
    for (unsigned i = 0; i < again->n; i++)
        if (!take_row(asker, block, again->parts[i].from, again->parts[i].size))
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
        struct visit visit;
        asker.clocks[0] = races->clocks + (size_t)read->actor * races->width;
        asker.mark = (struct race_mark){
            .clock = read->clock, .op = read->op, .actor = (uint16_t)read->actor};
        visit = visit_begin(&asker, warp->block);
        visit_words(&visit, states->words + read->word, read->n);
    }
    if (asker.no_memory)
        run_no_memory(warp);
}

void shared_learn(struct races *races, struct run_warp *warp) {
    if (races->states.readers >> race_warp(warp) % 64 & 1)
        enter_reads(races, warp);
}

void shared_drop(struct races *races) {
    races->states.n_reads = 0;
    races->states.read = races->states.readers = 0;
}
