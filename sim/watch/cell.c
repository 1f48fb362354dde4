/* One cell of global memory: a list of entries, which share no bytes of one class. An access looks
 * through them for a race, then takes its place among them. */
#include "actors.h"
#include "../state/launch.h"

enum { SHORT = 4 }; /* entries of a cell that are looked through each time */

static int knows_mark(const struct race_asker *asker, const struct race_mark *mark) {
    if (mark->unit != asker->mark.unit)
        return asker->crowd || global_knows(asker, mark);
    return race_knows(asker, mark->actor, mark->clock);
}

/* cp.async is taken to write as threads do. */
int race_unfenced(const struct race_asker *asker, uint32_t actor, uint32_t clock) {
    const uint32_t slot = race_slot(asker->races, actor);
    if (!asker->asks_fence || slot >= asker->races->n_seen)
        return 0;
    for (unsigned i = 0; i < asker->n_clocks; i++)
        if (clock > race_seen(asker->races, asker->clocks[i], slot))
            return 1;
    return 0;
}

/* Whether an access writes what is in memory already; `all` is what it writes. Some kernels write
 * equal values from several warps, and each word asks. */
static int keeps_memory(struct race_asker *asker, const uint8_t *all) {
    const struct run_access *access = asker->access;
    if (asker->effect == RACE_NOT_KNOWN) {
        asker->effect = RACE_KEEPS;
        for (uint32_t rest = access->lanes; rest && asker->effect == RACE_KEEPS; rest &= rest - 1) {
            const unsigned lane = run_lowest(rest);
            if (memcmp(run_access_host(access, lane), all + (size_t)lane * access->bytes,
                       access->bytes) != 0)
                asker->effect = RACE_CHANGES;
        }
    }
    return asker->effect == RACE_KEEPS;
}

uint64_t race_changed(struct race_asker *asker, uint64_t bytes, const uint8_t *before) {
    const struct run_access *access = asker->access;
    uint8_t room[RUN_LANES * REACH_MOST];
    const uint8_t *all = reach_data(access, room);
    const int64_t low = base_lowest(bytes), high = hear_length(bytes);
    uint64_t changed = 0;
    if (!all)
        return bytes;
    asker->warp->worker->judged++;
    if (!before && keeps_memory(asker, all))
        return 0;
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        const uint8_t *there = run_access_host(access, lane);
        const uint8_t *data = all + (size_t)lane * access->bytes;
        const int64_t first = (int64_t)((uint64_t)(uintptr_t)there - asker->cell);
        const int64_t end = first + access->bytes < high ? first + access->bytes : high;
        for (int64_t at = first > low ? first : low; at < end; at++)
            if ((bytes >> at & 1) && (before ? before[at] : there[at - first]) != data[at - first])
                changed |= UINT64_C(1) << at;
    }
    return changed;
}

/* Whether a race comes before the one that was found in the cell already. Bytes decide, as the
 * order of entries depends on the units that this thread of the host has run. */
static int comes_first(const struct race_asker *asker, enum race_found found, uint64_t bytes,
                       uint8_t kind) {
    const unsigned byte = base_lowest(bytes);
    if (asker->found == RACE_NONE || found != asker->found)
        return asker->found == RACE_NONE || found < asker->found;
    return byte != base_lowest(asker->found_bytes) ? byte < base_lowest(asker->found_bytes)
                                                   : kind > asker->found_kind;
}

/* Compares the asker with an access of an entry. The finding is of `*bytes`; two writes race for
 * those that change. */
static enum race_found judge(struct race_asker *asker, const struct race_entry *entry,
                             const struct race_mark *mark, uint64_t *bytes) {
    const int is_own = mark->unit == asker->mark.unit, writes = (entry->kind & RACE_WRITE) != 0;
    if (!mark->clock || (is_own && !race_meets(asker, entry->kind, mark->actor)))
        return RACE_NONE;
    if (!knows_mark(asker, mark)) {
        if (writes && asker->kind & RACE_WRITE)
            *bytes = race_changed(asker, *bytes, asker->valued ? race_values(entry) : NULL);
        return *bytes ? RACE_UNORDERED : RACE_NONE;
    }
    if (writes && is_own && race_unfenced(asker, mark->actor, mark->clock))
        return RACE_UNFENCED;
    if (writes && is_own && asker->access->nc)
        return RACE_READ_ONLY;
    return (is_own ? race_loosely(asker, mark->actor, mark->clock)
                   : !asker->crowd && global_loosely(asker, mark))
               ? RACE_LOOSE
               : RACE_NONE;
}

/* Keeps what a finding overwrites. Another thread of the host may change memory meanwhile. */
static void keep_old(struct race_asker *asker, const struct race_entry *entry) {
    const uint8_t *values = asker->valued ? race_values(entry) : NULL;
    asker->old_bytes = values ? entry->mask : 0;
    if (values)
        memcpy(asker->old, values, sizeof asker->old);
}

static void find_race(struct race_asker *asker, const struct race_entry *entry, uint64_t overlap) {
    const struct race_mark *marks[2] = {&entry->last, race_before(entry)};
    for (unsigned i = 0; i < 2; i++) {
        uint64_t bytes = overlap;
        const enum race_found found = judge(asker, entry, marks[i], &bytes);
        if (found == RACE_NONE)
            continue;
        if (comes_first(asker, found, bytes, entry->kind)) {
            asker->found = (uint8_t)found;
            asker->found_kind = entry->kind;
            asker->other = *marks[i];
            asker->found_bytes = bytes;
            keep_old(asker, entry);
        }
        return;
    }
}

/* --- units that run ahead of their turns ---
 *
 * A unit ahead of its turn has to do exactly the work of its turn. It does if no two units access a
 * byte in another order than that of turns, unless both read. A unit ahead has acquired nothing
 * from others, so any conflict with another unit is a race. The launch begins again in turn, which
 * finds that race. Reads out of turn leave other marks than reads in turn, or none. `blurred` and
 * `ahead` of an entry keep that for later writes. */

static int is_foreign(const struct race_asker *asker, const struct race_mark *mark) {
    return mark->clock && mark->unit != asker->mark.unit;
}

static void check_turn(struct race_asker *asker, struct race_entry *entry, int conflicts) {
    if (conflicts)
        asker->clashes |= entry->ahead > asker->turn || entry->blurred ||
                          (asker->ahead && (is_foreign(asker, &entry->last) ||
                                            is_foreign(asker, race_before(entry))));
    else if (entry->kind == asker->kind)
        entry->blurred |= entry->ahead > asker->turn;
}

/* `entry` takes bytes of another one, which units accessed ahead of their turns. */
static void keep_turn(struct race_entry *entry, uint32_t ahead, uint8_t blurred) {
    entry->ahead = ahead > entry->ahead ? ahead : entry->ahead;
    entry->blurred |= blurred;
}

/* Keeps the two lowest units of all that access: the result does not depend on their order. */
static void keep_lowest(struct race_mark *first, struct race_mark *second,
                        const struct race_mark *mark) {
    if (mark->unit < first->unit) {
        *second = *first;
        *first = *mark;
    } else if (mark->unit > first->unit && (!second->clock || mark->unit < second->unit)) {
        *second = *mark;
    }
}

/* Puts the bytes that are not in `mask` into an entry of their own. 0: no memory. */
static int split_entry(struct race_asker *asker, struct race_entry *entry, uint64_t mask) {
    struct race_entry *rest = race_entry_make(asker->pool);
    const struct race_more *more = entry->more;
    if (!rest)
        return 0;
    *rest = *entry;
    rest->more = NULL;
    if (more) {
        if (!race_more_of(asker->pool, rest))
            return 0;
        *rest->more = *more;
        rest->more->values = NULL;
        if (more->values && !race_add_values(asker->pool, rest))
            return 0;
        if (more->values)
            memcpy(rest->more->values, more->values, RACE_CELL);
    }
    rest->mask &= ~mask;
    entry->mask &= mask;
    entry->next = rest;
    return 1;
}

/* An atomic that returns the old value comes after all strong writes of its word that it has seen,
 * in coherence order. That order is transitive. An access ordered after the atomic is ordered
 * after these writes too, with or without a release. An example is a counter that the last block
 * resets to zero. An access that is not ordered after the atomic races with the atomic itself. */
static int observes_entry(const struct race_asker *asker, const struct race_entry *entry) {
    return (entry->kind & ~RACE_SCOPES) == RACE_STRONG_WRITE && asker->access->kind == RUN_ATOMIC;
}

/* Two readers are kept, and the asker does not know the last one. It is the other one, or a third
 * one, which is not kept. */
static int is_full(const struct race_asker *asker, const struct race_entry *entry) {
    const struct race_mark *before = race_before(entry);
    return entry->kind == RACE_READ && before->clock && !knows_mark(asker, &entry->last) &&
           (race_same(before, &asker->mark) || !knows_mark(asker, before));
}

static void renew_entry(struct race_asker *asker, struct race_entry *entry) {
    const int knows = knows_mark(asker, &entry->last);
    const int observes = observes_entry(asker, entry);
    struct race_more *more = entry->more;
    if (is_full(asker, entry))
        return;
    if (asker->crowd || (!observes && !knows)) {
        more = race_more_of(asker->pool, entry);
        if (!more) {
            asker->no_memory = 1;
            return;
        }
    }
    if (!observes && !knows)
        more->before = entry->last;
    else if (more && (observes || (more->before.clock && knows_mark(asker, &more->before))))
        more->before.clock = 0;
    entry->last = asker->mark;
    if (asker->crowd)
        keep_lowest(&more->first, &more->second, &asker->mark);
}

/* Byte i of the cell just before its lane writes it. It comes from an earlier lane, or from memory
 * where no other thread of the host writes. */
static uint8_t before_of(const struct race_asker *asker, const struct race_entry *entry,
                         unsigned i) {
    const uint8_t *there = (const uint8_t *)(uintptr_t)asker->cell + i;
    const struct run_access *access = asker->access;
    if (asker->valued)
        return race_values(entry)[i];
    const unsigned turn = access->plan ? access->plan->turn : 0;
    for (unsigned place = asker->place; place-- > 0 && access->data;) {
        const unsigned lane = place ^ turn;
        const uint64_t at = (uint64_t)(there - run_access_host(access, lane));
        if ((access->lanes >> lane & 1) && at < access->bytes)
            return access->data[(size_t)lane * access->bytes + at];
    }
    return *there;
}

static void keep_differs(struct race_asker *asker, struct race_entry *entry, uint64_t mask) {
    struct race_more *more = mask ? race_more_of(asker->pool, entry) : NULL;
    if (more)
        more->differs |= mask;
    asker->no_memory |= mask && !more;
}

/* Keeps the value that was written last, and whether it ever differed. */
static void keep_values(struct race_asker *asker, struct race_entry *entry, uint64_t mask,
                        int fresh) {
    const unsigned from = base_lowest(mask), n = hear_length(mask >> from);
    uint8_t *values = asker->valued ? race_values(entry) : NULL;
    const uint8_t *there = values ? values : (const uint8_t *)(uintptr_t)asker->cell;
    const int whole = mask >> from == hear_mask(0, n);
    uint64_t differs = 0;
    if (!asker->bytes) {
        keep_differs(asker, entry, mask);
        return;
    }
    if (!fresh && (mask & ~race_differs(entry)) &&
        (!whole || memcmp(there + from, asker->bytes + from, n) != 0))
        for (unsigned i = from; i < from + n; i++)
            if ((mask >> i & 1) && before_of(asker, entry, i) != asker->bytes[i])
                differs |= UINT64_C(1) << i;
    keep_differs(asker, entry, differs);
    for (unsigned i = from; i < from + n && values && !whole; i++)
        if (mask >> i & 1)
            values[i] = asker->bytes[i];
    if (values && whole)
        memcpy(values + from, asker->bytes + from, n);
}

/* Whether two entries differ in nothing but their bytes. The last access of both is the asker's. */
static int is_alike(const struct race_asker *asker, const struct race_entry *a,
                    const struct race_mark *first, const struct race_mark *second) {
    return !asker->crowd ||
           (race_equal(race_first(a), first) && race_first(a)->lane == first->lane &&
            race_second(a)->clock == second->clock &&
            (!second->clock ||
             (race_equal(race_second(a), second) && race_second(a)->lane == second->lane)));
}

static int add_bytes(struct race_asker *asker, struct race_entry **cell, struct race_entry *mine,
                     uint64_t mask) {
    static const struct race_mark none;
    const int writes = asker->crowd && asker->kind == RACE_WRITE, valued = writes && asker->valued;
    if (!mine || !is_alike(asker, mine, &asker->mark, &none)) {
        mine = race_entry_make(asker->pool);
        if (!mine)
            return 0;
        mine->kind = asker->kind;
        mine->last = asker->mark;
        if (valued && !race_add_values(asker->pool, mine))
            return 0;
        mine->next = *cell;
        *cell = mine;
    }
    mine->mask |= mask;
    keep_turn(mine, asker->ahead, 0);
    if (writes)
        keep_values(asker, mine, mask, 1);
    return 1;
}

/* Moves the bytes of *at, which comes after `mine`, into it. */
static void merge_entry(struct race_asker *asker, struct race_entry **at, struct race_entry *mine) {
    struct race_entry *entry = *at;
    mine->mask |= entry->mask;
    keep_differs(asker, mine, race_differs(entry));
    keep_turn(mine, entry->ahead, entry->blurred);
    if (asker->valued && mine->kind == RACE_WRITE)
        for (unsigned i = 0; i < RACE_CELL; i++)
            if (entry->mask >> i & 1)
                race_values(mine)[i] = race_values(entry)[i];
    *at = entry->next;
    race_entry_drop(asker->pool, entry);
}

/* Moves re-read bytes into `mine` if both entries would become equal. Returns 0 otherwise. */
static int move_bytes(const struct race_asker *asker, struct race_entry *entry,
                      struct race_entry *mine, uint64_t overlap) {
    struct race_mark first = *race_first(entry), second = *race_second(entry);
    if (!mine || entry->kind & RACE_WRITE || overlap == entry->mask ||
        !knows_mark(asker, &entry->last) ||
        (race_before(entry)->clock && !knows_mark(asker, race_before(entry))))
        return 0;
    keep_lowest(&first, &second, &asker->mark);
    if (!is_alike(asker, mine, &first, &second))
        return 0;
    mine->mask |= overlap;
    keep_turn(mine, entry->ahead, entry->blurred);
    entry->mask &= ~overlap;
    return 1;
}

unsigned race_taken_of(const struct race_load *load, struct race_taken taken[RACE_TAKEN]) {
    uint64_t high = 0; /* no cell from here on is taken yet */
    unsigned n = 0;
    for (unsigned i = 0; i < load->n; i++) {
        const struct hear_part part = load->parts[i];
        const uint64_t from = part.from + load->offset;
        for (uint32_t done = 0; done < part.size;) {
            const uint64_t cell = (from + done) / RACE_CELL;
            const unsigned skip = (unsigned)((from + done) % RACE_CELL);
            const uint64_t mask = hear_mask(skip, part.size - done);
            unsigned k = cell < high ? 0 : n;
            while (k < n && taken[k].cell != cell)
                k++;
            if (k == n)
                taken[n++] = (struct race_taken){
                    cell, 0, (uint8_t)((part.lane + (done >> load->shift)) % RUN_LANES)};
            taken[k].mask |= mask;
            high = cell < high ? high : cell + 1;
            done += RACE_CELL - skip;
        }
    }
    return n;
}

/* The asker accesses bytes of an entry: `overlap`. 0: no memory. */
static int meet_entry(struct race_asker *asker, struct race_entry *entry, struct race_entry *mine,
                      uint64_t overlap) {
    const int conflicts = race_conflicts_far(entry->kind, asker->kind);
    asker->mixed |=
        conflicts && (race_first(entry)->unit != asker->mark.unit || race_second(entry)->clock);
    if (asker->turn)
        check_turn(asker, entry, conflicts);
    if (conflicts && !asker->told && !asker->clashes)
        find_race(asker, entry, overlap);
    if (entry->kind != asker->kind)
        return 1;
    if (!race_same(&entry->last, &asker->mark) && !move_bytes(asker, entry, mine, overlap)) {
        if (!is_full(asker, entry)) {
            if (overlap != entry->mask && !split_entry(asker, entry, overlap))
                return 0;
            renew_entry(asker, entry);
        }
        keep_turn(entry, asker->ahead, 0);
    }
    if (asker->crowd && asker->kind == RACE_WRITE)
        keep_values(asker, entry, overlap, 0);
    return 1;
}

/* Finds out what a long list holds. */
static void look_at_list(struct race_cell *cell) {
    for (const struct race_entry *entry = cell->entries; entry; entry = entry->next)
        cell->holds |= race_words_of(entry->mask) | race_bit_of(&entry->last);
}

/* Bytes of a cell without entries, or words that a long list does not have, nor an entry of the
 * asker: they get an entry. 0: they are others. */
static inline int takes_fresh(struct race_asker *asker, struct race_cell *cell, uint64_t mask) {
    if (cell->holds) {
        const uint64_t all = race_words_of(mask) | race_bit_of(&asker->mark);
        const int fresh = !(cell->holds & all);
        cell->holds |= all;
        if (!fresh)
            return 0;
    } else if (cell->entries) {
        return 0;
    }
    if (!add_bytes(asker, &cell->entries, NULL, mask))
        asker->no_memory = 1;
    return 1;
}

/* An access of a cell that has entries. */
static void access_list(struct race_asker *asker, struct race_cell *cell, uint64_t mask) {
    struct race_entry *entry, *mine = NULL, **at = &cell->entries;
    const struct race_mark mark = asker->mark;
    const uint8_t kind = asker->kind;
    uint64_t rest = mask;
    unsigned n = 0;
    while ((entry = *at) != NULL) {
        const uint64_t overlap = entry->mask & mask;
        if (overlap) {
            rest &= entry->kind == kind ? ~overlap : UINT64_MAX;
            if (!meet_entry(asker, entry, mine, overlap)) {
                asker->no_memory = 1;
                return;
            }
        }
        if (entry->last.op == mark.op && entry->kind == kind && race_same(&entry->last, &mark) &&
            !race_before(entry)->clock) {
            if (mine && is_alike(asker, mine, race_first(entry), race_second(entry))) {
                merge_entry(asker, at, mine);
                continue;
            }
            mine = mine ? mine : entry;
        }
        at = &entry->next;
        n++;
    }
    if (rest && !add_bytes(asker, &cell->entries, mine, rest))
        asker->no_memory = 1;
    if (n >= SHORT && !cell->holds)
        look_at_list(cell);
}

void race_access(struct race_asker *asker, struct race_cell *cell, uint64_t mask) {
    if (!takes_fresh(asker, cell, mask))
        access_list(asker, cell, mask);
}

/* Takes in the bytes that are in an entry of the asker, or join it, or are not kept, or that
 * nothing has accessed. Returns 0 if race_access has to take in the bytes that are left in *mask,
 * or to join two entries. */
static int read_known(struct race_asker *asker, struct race_entry **cell, uint64_t *mask) {
    struct race_entry *mine = NULL;
    for (struct race_entry *entry = *cell; entry; entry = entry->next) {
        const uint64_t overlap = entry->mask & *mask;
        if (race_same(&entry->last, &asker->mark)) {
            *mask &= ~overlap;
            if (race_before(entry)->clock || !race_equal(&entry->last, &asker->mark))
                continue;
            if (mine && is_alike(asker, mine, race_first(entry), race_second(entry)))
                return 0;
            mine = mine ? mine : entry;
        } else if (overlap) {
            /* race_access renews these bytes, and later ones join them. */
            if (!move_bytes(asker, entry, mine, overlap) && !is_full(asker, entry))
                return 0;
            *mask &= ~overlap;
        }
    }
    if (*mask && !add_bytes(asker, cell, mine, *mask))
        asker->no_memory = 1;
    return 1;
}

void race_read(struct race_asker *asker, struct race_cell *cell, uint64_t mask) {
    struct race_entry *first = cell->entries;
    if (first && !first->next && !(mask & ~first->mask)) {
        if (race_same(&first->last, &asker->mark))
            return;
        if (mask == first->mask) {
            renew_entry(asker, first);
            return;
        }
    }
    if (!takes_fresh(asker, cell, mask) && !read_known(asker, &cell->entries, &mask))
        access_list(asker, cell, mask);
}
