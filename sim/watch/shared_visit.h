/* shared_visit.h - an access of shared memory on its way from state to state, shared by the files
 * of shared memory. */
#ifndef WSIM_WATCH_SHARED_VISIT_H
#define WSIM_WATCH_SHARED_VISIT_H

#include "actors.h"

#define SHARED_SPLIT 0x80000000u /* a word whose bytes differ: its number in `splits` */

/* An access on its way through the words of a block. Words in state `from` go to state `to`. */
struct shared_visit {
    struct race_asker *asker;
    const struct run_block *block;
    uint32_t *words;
    uint32_t from, to, old;
    struct shared_route *route;
    int usual; /* it is compared with one vector alone                                         */
};

/* Whether no later access can race with an entry. */
static inline int shared_is_settled(const struct races *races, const struct shared_node *entry) {
    const uint32_t *known = races->settled + (entry->kind & RACE_WRITE ? races->n_actors : 0);
    return entry->clock <= known[entry->actor] &&
           (!entry->before_clock || entry->before_clock <= known[entry->before_actor]);
}

/* Makes a node (shared_states.c). 0: no memory. */
uint32_t shared_make_node(struct race_asker *asker, const struct shared_node *node);
/* A split of four equal states. SHARED_NONE: no memory. */
uint32_t shared_split(struct race_asker *asker, uint32_t state);
/* Drops the nodes that no word leads to. */
void shared_collect(struct races *races, uint32_t n_blocks);

/* The steps of an access (shared_step.c): those of the access before if both have one mark, and
 * nothing has ordered anything since. An access with doubts begins anew. */
struct shared_route *shared_route_of(const struct race_asker *asker);
/* The step from a state of which the route has none. */
uint32_t shared_step(struct shared_visit *visit, uint32_t state, uint64_t from, uint32_t mask);

/* Bytes of a word, `mask` from byte `from` of the block on, are accessed in that state. Returns
 * the state after it. */
static inline uint32_t shared_advance(struct shared_visit *visit, uint32_t state, uint64_t from,
                                      uint32_t mask) {
    const struct shared_route *route = visit->route;
    state = state < visit->old ? 0 : state;
    if (state == visit->from)
        return visit->to;
    if (!(route->known >> state % SHARED_STEPS & 1) ||
        route->steps[state % SHARED_STEPS].from != state)
        return shared_step(visit, state, from, mask);
    visit->from = state;
    return visit->to = route->steps[state % SHARED_STEPS].to;
}

#endif
