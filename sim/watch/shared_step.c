/* From state to state: the entries that an access meets, and those that it leaves. */
#include "shared_visit.h"

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
static uint32_t fresh_state(struct shared_visit *visit) {
    const struct race_asker *asker = visit->asker;
    const struct shared_node node = {.clock = asker->mark.clock,
                                     .op = asker->mark.op,
                                     .actor = asker->mark.actor,
                                     .kind = asker->kind};
    if (!visit->route->fresh)
        visit->route->fresh = shared_make_node(visit->asker, &node);
    return visit->route->fresh;
}

/* The state after the access. *races: an entry may race with it, for some values. */
static uint32_t state_after(struct shared_visit *visit, uint32_t state, int *races) {
    struct race_asker *asker = visit->asker;
    const struct shared_states *states = &asker->races->states;
    struct shared_node list[RACE_CLASSES];
    uint32_t same[RACE_CLASSES], n = 0, next = 0;
    int mine = 0;
    for (uint32_t at = state; at; at = states->nodes[at].next) {
        struct shared_node *entry = &list[n];
        *entry = states->nodes[at];
        if (shared_is_settled(asker->races, entry))
            continue;
        if (race_meets(asker, entry->kind, entry->actor))
            *races |= !is_ordered(asker, entry->actor, entry->clock, entry->kind);
        if (race_meets(asker, entry->kind, entry->before_actor))
            *races |= !is_ordered(asker, entry->before_actor, entry->before_clock, entry->kind);
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
        if (!(next = shared_make_node(asker, &list[i])))
            return state;
    }
    if (!mine) {
        const struct shared_node first = {.next = next,
                                          .clock = asker->mark.clock,
                                          .op = asker->mark.op,
                                          .actor = asker->mark.actor,
                                          .kind = asker->kind};
        next = shared_make_node(asker, &first);
    }
    return next ? next : state;
}

/* The first entry of a state that races with the asker. `overlap` are bytes from asker->cell on. */
static void look(struct race_asker *asker, const struct shared_node *entry, uint32_t overlap) {
    const struct race_mark marks[2] = {
        {.clock = entry->clock, .op = entry->op, .actor = entry->actor},
        {.clock = entry->before_clock, .op = entry->before_op, .actor = entry->before_actor}};
    for (unsigned i = 0; i < 2 && !asker->found; i++) {
        if (!marks[i].clock || !race_meets(asker, entry->kind, marks[i].actor))
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

static void look_through(const struct shared_visit *visit, uint32_t state, uint64_t from,
                         uint32_t mask) {
    struct race_asker *asker = visit->asker;
    const struct shared_node *nodes = asker->races->states.nodes;
    asker->cell = (uint64_t)(uintptr_t)visit->block->shared.bytes + from;
    for (; state && !asker->found; state = nodes[state].next)
        if (!shared_is_settled(asker->races, &nodes[state]) &&
            race_conflicts_near(nodes[state].kind, asker->kind))
            look(asker, &nodes[state], mask);
    if (asker->found && !asker->told) {
        const uint64_t at = visit->block->shared.base + from + base_lowest(asker->found_bytes);
        race_tell_shared(asker, hear_lane(asker->access, at), at - at % SHARED_WORD);
        asker->told = 1;
    }
}

/* The steps of an access: those of the access before if both have one mark, and nothing has ordered
 * anything since. An access with doubts begins anew. */
struct shared_route *shared_route_of(const struct race_asker *asker) {
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
    route->known = route->raced = 0;
    return route;
}

/* Fast path of a state with accesses of the asker's class alone, none of which races with it.
 * Returns the next state; SHARED_NONE: it is another case. */
static inline uint32_t renew_only(struct shared_visit *visit, uint32_t state) {
    const struct race_asker *asker = visit->asker;
    const struct race_mark *mark = &asker->mark;
    const struct shared_node entry = asker->races->states.nodes[state];
    const uint32_t *clocks = asker->clocks[0];
    int knows, knows_before;
    if (!visit->usual || entry.kind != asker->kind || entry.next)
        return SHARED_NONE;
    if (is_own(asker, entry.actor, entry.clock))
        return entry.before_clock && race_conflicts_alike(entry.kind) ? SHARED_NONE : state;
    knows = entry.actor == mark->actor || entry.clock <= clocks[entry.actor];
    knows_before = !entry.before_clock || entry.before_actor == mark->actor ||
                   entry.before_clock <= clocks[entry.before_actor];
    if (knows && knows_before)
        return fresh_state(visit);
    if (race_conflicts_alike(entry.kind))
        return SHARED_NONE;
    if (entry.kind == RACE_READ && entry.before_clock && !knows &&
        (is_own(asker, entry.before_actor, entry.before_clock) || !knows_before))
        return state;
    return shared_make_node(
        visit->asker,
        &(struct shared_node){.clock = mark->clock,
                              .op = mark->op,
                              .actor = mark->actor,
                              .kind = entry.kind,
                              .before_clock = knows ? entry.before_clock : entry.clock,
                              .before_op = knows ? entry.before_op : entry.op,
                              .before_actor = knows ? entry.before_actor : entry.actor});
}

/* The step from a state of which the route has none. */
uint32_t shared_step(struct shared_visit *visit, uint32_t state, uint64_t from, uint32_t mask) {
    struct race_asker *asker = visit->asker;
    struct shared_route *route = visit->route;
    const unsigned place = state % SHARED_STEPS;
    const uint16_t bit = (uint16_t)(1u << place);
    uint32_t next = state ? renew_only(visit, state) : fresh_state(visit);
    int races = 0;
    if (next == SHARED_NONE && route->raced & bit && route->steps[place].from == state &&
        asker->found && asker->access) { /* the check has reported it */
        visit->from = state;
        return visit->to = route->steps[place].to;
    }
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
    route->known = (uint16_t)(races ? route->known & ~bit : route->known | bit);
    if (races || route->raced)
        route->raced = (uint16_t)(races ? route->raced | bit : route->raced & ~bit);
    route->steps[place].from = state;
    route->steps[place].to = next;
    return next;
}
