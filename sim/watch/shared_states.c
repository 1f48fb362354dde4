/* The states of shared memory: their nodes, and the words whose bytes differ. */
#include "shared_visit.h"

#include <stdlib.h>

enum { ROOM = 256, LIMIT = 1024 };

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

void shared_drop(struct races *races) {
    races->states.n_reads = 0;
    races->states.read = races->states.readers = 0;
}

/* --- states --- */

/* 0: no memory. */
uint32_t shared_make_node(struct race_asker *asker, const struct shared_node *node) {
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
    uint32_t list[RACE_CLASSES], length = 0, next = 0;
    int settled = 1;
    for (uint32_t at = state; at; at = from[at].next) {
        if (moved[at] != SHARED_NONE) {
            next = moved[at];
            settled &= !next;
            break;
        }
        settled &= shared_is_settled(races, &from[at]);
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
void shared_collect(struct races *races, uint32_t n_blocks) {
    struct shared_states *states = &races->states;
    uint32_t *moved = malloc(states->n * sizeof *moved), n = 1;
    struct shared_node *nodes = malloc(states->room * sizeof *nodes);
    states->version++; /* routes end */
    if (moved && nodes) {
        memset(moved, 0xFF, states->n * sizeof *moved);
        for (size_t i = 0; i < (size_t)n_blocks * states->n_words; i++) {
            uint32_t *word = &states->words[i];
            const int splits = (*word & SHARED_SPLIT) != 0;
            uint32_t *parts = splits ? states->splits[*word & ~SHARED_SPLIT] : word;
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

/* --- words whose bytes differ --- */

/* A split of four equal states. SHARED_NONE: no memory. */
uint32_t shared_split(struct race_asker *asker, uint32_t state) {
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
