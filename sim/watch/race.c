/* Races: of two accesses of the same bytes, one a write and not both strong, nothing orders one
 * before the other (check_clocks.c says what orders).
 *
 * Of each byte the last access of each class is remembered, and the one before it that is not
 * ordered before the last. An access that conflicts with one of these races if the vector of its
 * warp does not hold the other's clock. As no more are kept, and places in memory may share a
 * vector, a race may be missed in one run; what is found is one. Lanes of one warp are taken to be
 * ordered. Stores of what is there already do not race with each other: whoever comes last, the
 * bytes are the same.
 *
 * What the copy engine and the tensor core access has to be visible to them besides: of a write of
 * a thread that is ordered before, but with no proxy fence in between, they may not know. */
#include "actors.h"
#include "../isa/scalar.h"
#include "../state/launch.h"
#include "../reach/reach.h"

#include <stdio.h>
#include <stdlib.h>

/* --- one cell of global memory --- */

static int knows(const struct race_asker *asker, const struct race_mark *mark) {
    if (mark->unit != asker->mark.unit)
        return asker->crowd || global_knows(asker, mark);
    return race_knows(asker, mark->actor, mark->clock);
}

/* cp.async is taken to write as threads do. */
int race_unfenced(const struct race_asker *asker, uint32_t actor, uint32_t clock) {
    if (!asker->asks_fence || actor >= asker->races->n_warps || !asker->races->proxies)
        return 0;
    for (unsigned i = 0; i < asker->n_clocks; i++)
        if (clock <= race_seen(asker->races, asker->clocks[i], actor))
            return 0;
    return 1;
}

int race_changes_nothing(const struct race_asker *asker, uint64_t bytes) {
    const struct run_access *access = asker->access;
    uint8_t room[RUN_LANES * REACH_MOST];
    const uint8_t *all = reach_data(access, room);
    if (!all)
        return 0;
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        const uint8_t *there = run_access_host(access, lane);
        const uint8_t *data = all + (size_t)lane * access->bytes;
        for (uint32_t i = 0; i < access->bytes; i++) {
            const uint64_t at = (uint64_t)(uintptr_t)(there + i) - asker->cell;
            if (at < RACE_CELL && (bytes >> at & 1) && there[i] != data[i])
                return 0;
        }
    }
    return 1;
}

static void look(struct race_asker *asker, const struct race_entry *entry, uint64_t overlap) {
    const struct race_mark *marks[2] = {&entry->last, &entry->before};
    for (unsigned i = 0; i < 2 && !asker->found; i++) {
        if (!marks[i]->clock)
            continue;
        if (!knows(asker, marks[i])) {
            if ((entry->kind & asker->kind & RACE_WRITE) && race_changes_nothing(asker, overlap))
                continue;
            asker->found = RACE_UNORDERED;
        } else if ((entry->kind & RACE_WRITE) && marks[i]->unit == asker->mark.unit &&
                   race_unfenced(asker, marks[i]->actor, marks[i]->clock)) {
            asker->found = RACE_UNFENCED;
        } else {
            continue;
        }
        asker->found_kind = entry->kind;
        asker->other = *marks[i];
        asker->found_bytes = overlap;
    }
}

/* Of all units that access, the two lowest are kept: whichever comes first, they are the same. */
static void rank(struct race_mark *first, struct race_mark *second, const struct race_mark *mark) {
    if (mark->unit < first->unit) {
        *second = *first;
        *first = *mark;
    } else if (mark->unit > first->unit && (!second->clock || mark->unit < second->unit)) {
        *second = *mark;
    }
}

/* Puts the bytes that are not in `mask` into an entry of their own. 0: no memory. */
static int split(struct race_asker *asker, struct race_entry *entry, uint64_t mask) {
    struct race_entry *rest = race_entry_make(asker->pool);
    uint8_t *values = rest ? rest->values : NULL;
    if (!rest)
        return 0;
    *rest = *entry;
    rest->values = values;
    if (entry->values && asker->valued && entry->kind == RACE_WRITE) {
        if (!rest->values)
            rest->values = malloc(RACE_CELL);
        if (!rest->values)
            return 0;
        memcpy(rest->values, entry->values, RACE_CELL);
    }
    rest->mask &= ~mask;
    entry->mask &= mask;
    entry->next = rest;
    return 1;
}

/* An atomic that gives back what was there is behind all strong writes of its word that it has
 * seen, in the order of coherence. That order is transitive: whoever is ordered behind the atomic
 * is behind those too, whether something releases them or not (a counter that the last block puts
 * back to zero). And who is not, races with the atomic. */
static int observes(const struct race_asker *asker, const struct race_entry *entry) {
    return entry->kind == RACE_STRONG_WRITE && asker->access->kind == RUN_ATOMIC;
}

static void renew(struct race_asker *asker, struct race_entry *entry) {
    if (entry->kind == RACE_READ && entry->before.clock && !knows(asker, &entry->last) &&
        !knows(asker, &entry->before))
        return;
    if (observes(asker, entry))
        entry->before.clock = 0;
    else if (!knows(asker, &entry->last))
        entry->before = entry->last;
    else if (entry->before.clock && knows(asker, &entry->before))
        entry->before.clock = 0;
    entry->last = asker->mark;
    if (asker->crowd)
        rank(&entry->first, &entry->second, &asker->mark);
}

/* What is at byte i of the cell when its lane writes it: what lanes before it have put there, or
 * what memory holds, where no other thread of the host writes. */
static uint8_t before_of(const struct race_asker *asker, const struct race_entry *entry,
                         unsigned i) {
    const uint8_t *there = (const uint8_t *)(uintptr_t)asker->cell + i;
    const struct run_access *access = asker->access;
    if (asker->valued)
        return entry->values[i];
    for (unsigned lane = asker->mark.lane; lane-- > 0 && access->data;) {
        const uint64_t at = (uint64_t)(there - run_access_host(access, lane));
        if ((access->lanes >> lane & 1) && at < access->bytes)
            return access->data[(size_t)lane * access->bytes + at];
    }
    return *there;
}

/* What is written last, and whether it was ever something else. */
static void keep_values(const struct race_asker *asker, struct race_entry *entry, uint64_t mask,
                        int fresh) {
    const unsigned from = hear_lowest(mask), n = hear_length(mask >> from);
    const uint8_t *there = asker->valued ? entry->values : (const uint8_t *)(uintptr_t)asker->cell;
    const int whole = mask >> from == hear_mask(0, n);
    if (!asker->bytes) {
        entry->differs |= mask;
        return;
    }
    if (!fresh && (mask & ~entry->differs) &&
        (!whole || memcmp(there + from, asker->bytes + from, n) != 0))
        for (unsigned i = from; i < from + n; i++)
            if ((mask >> i & 1) && before_of(asker, entry, i) != asker->bytes[i])
                entry->differs |= UINT64_C(1) << i;
    for (unsigned i = from; i < from + n && asker->valued && !whole; i++)
        if (mask >> i & 1)
            entry->values[i] = asker->bytes[i];
    if (asker->valued && whole)
        memcpy(entry->values + from, asker->bytes + from, n);
}

/* Entries that are told apart by nothing but their bytes. */
static int is_alike(const struct race_asker *asker, const struct race_entry *a,
                    const struct race_mark *first, const struct race_mark *second) {
    return !asker->crowd ||
           (race_same(&a->first, first) && a->first.lane == first->lane &&
            a->second.clock == second->clock &&
            (!second->clock || (race_same(&a->second, second) && a->second.lane == second->lane)));
}

static int add(struct race_asker *asker, struct race_entry **cell, struct race_entry *mine,
               uint64_t mask) {
    static const struct race_mark none;
    const int writes = asker->crowd && asker->kind == RACE_WRITE, valued = writes && asker->valued;
    if (!mine || !is_alike(asker, mine, &asker->mark, &none)) {
        mine = race_entry_make(asker->pool);
        if (!mine || (valued && !mine->values && !(mine->values = malloc(RACE_CELL))))
            return 0;
        mine->kind = asker->kind;
        mine->last = mine->first = asker->mark;
        mine->next = *cell;
        *cell = mine;
    }
    mine->mask |= mask;
    if (writes)
        keep_values(asker, mine, mask, 1);
    return 1;
}

/* Moves the bytes of *at, which is behind `mine`, into it. */
static void merge(struct race_asker *asker, struct race_entry **at, struct race_entry *mine) {
    struct race_entry *entry = *at;
    mine->mask |= entry->mask;
    mine->differs |= entry->differs;
    if (asker->valued && mine->kind == RACE_WRITE)
        for (unsigned i = 0; i < RACE_CELL; i++)
            if (entry->mask >> i & 1)
                mine->values[i] = entry->values[i];
    *at = entry->next;
    race_entry_drop(asker->pool, entry);
}

/* Bytes of an entry of reads that are read again, by one who knows all that it holds: if `mine`
 * says what it would say then, they go there at once. 0: they do not. */
static int move(const struct race_asker *asker, struct race_entry *entry, struct race_entry *mine,
                uint64_t overlap) {
    struct race_mark first = entry->first, second = entry->second;
    if (!mine || entry->kind & RACE_WRITE || overlap == entry->mask ||
        !knows(asker, &entry->last) || (entry->before.clock && !knows(asker, &entry->before)))
        return 0;
    rank(&first, &second, &asker->mark);
    if (!is_alike(asker, mine, &first, &second))
        return 0;
    mine->mask |= overlap;
    entry->mask &= ~overlap;
    return 1;
}

void race_access(struct race_asker *asker, struct race_entry **cell, uint64_t mask) {
    const int valued = asker->crowd && asker->kind == RACE_WRITE;
    struct race_entry *entry, *mine = NULL, **at = cell;
    uint64_t rest = mask;
    if (!*cell) {
        asker->no_memory |= !add(asker, cell, NULL, mask);
        return;
    }
    while ((entry = *at) != NULL) {
        const uint64_t overlap = entry->mask & mask;
        const int conflicts = race_conflicts(entry->kind, asker->kind);
        asker->mixed |= conflicts && (entry->first.unit != asker->mark.unit || entry->second.clock);
        if (overlap && conflicts && !asker->found)
            look(asker, entry, overlap);
        if (overlap && entry->kind == asker->kind) {
            rest &= ~overlap;
            if (!race_same(&entry->last, &asker->mark) && !move(asker, entry, mine, overlap)) {
                if (overlap != entry->mask && !split(asker, entry, overlap)) {
                    asker->no_memory = 1;
                    return;
                }
                renew(asker, entry);
            }
            if (valued)
                keep_values(asker, entry, overlap, 0);
        }
        if (entry->last.actor == asker->mark.actor && entry->kind == asker->kind &&
            !entry->before.clock && race_same(&entry->last, &asker->mark)) {
            if (mine && is_alike(asker, mine, &entry->first, &entry->second)) {
                merge(asker, at, mine);
                continue;
            }
            mine = mine ? mine : entry;
        }
        at = &entry->next;
    }
    if (rest && !add(asker, cell, mine, rest))
        asker->no_memory = 1;
}

/* --- who asks --- */

static int is_address(const struct ptx_function *source, const struct ptx_operand *a,
                      const struct ptx_operand *b) {
    const struct ptx_operand *base = &source->operands[a->first], *other;
    other = &source->operands[b->first];
    return a->kind == PTX_OP_ADDRESS && b->kind == PTX_OP_ADDRESS && a->count == 1 &&
           b->count == 1 && a->value == b->value && base->kind == other->kind &&
           base->index == other->index && base->value == other->value;
}

static int is_cas(const struct ptx_opcode *opcode) {
    struct scalar_meaning meaning;
    if (opcode->kind != PTX_SCALAR)
        return 0;
    isa_scalar_meaning(&opcode->scalar, &meaning);
    return meaning.method == SCALAR_METHOD_ATOM && meaning.operation == SCALAR_CAS;
}

/* The atom.cas of the same function and the same address as a load: it looks whether what was
 * loaded is still there. NULL: there is none. */
static const struct ptx_instruction *cas_of(const struct run_program *program, uint32_t load) {
    const struct ptx_function *source = run_function_of(program, load)->source;
    const struct ptx_instruction *at = run_instruction_of(program, load);
    for (uint32_t i = 0; at && at->count == 2 && i < source->n_code; i++) {
        const struct ptx_instruction *cas = &source->code[i];
        if (cas->count == 4 && is_cas(&program->module->opcodes[cas->opcode]) &&
            is_address(source, &source->operands[at->first + 1], &source->operands[cas->first + 1]))
            return cas;
    }
    return NULL;
}

int race_tell_guess(struct race_asker *asker, unsigned lane, const char *where) {
    const struct run_program *program = asker->warp->program;
    const int reads = asker->kind == RACE_READ && asker->found_kind == RACE_STRONG_WRITE;
    const int was_read = asker->kind == RACE_STRONG_WRITE && asker->found_kind == RACE_READ;
    const uint32_t load = reads ? run_number(asker->warp, asker->op) : asker->other.op;
    const struct ptx_instruction *cas;
    if (asker->found != RACE_UNORDERED || (!reads && !was_read))
        return 0;
    cas = cas_of(program, load);
    if (!cas)
        return 0;
    run_finding_pair(asker->warp, asker->op, lane, &program->ops[asker->other.op],
                     RULE_ADVICE_RACE_GUESS, 0,
                     "%s is loaded while atomics change it, and nothing orders the two: the value "
                     "is a guess that atom.cas of line %u looks at again",
                     where, cas->line);
    return 1;
}

static void ask_for(struct races *races, struct run_warp *warp, const struct run_op *op,
                    const struct run_access *access, struct race_asker *asker) {
    const struct sync_item *acting = sync_unit_of(warp)->acting;
    const unsigned queue = access->async ? access->async - 1u : 0;
    unsigned lane = access->for_lane ? access->for_lane - 1u : run_lowest(access->lanes);
    int strong = !access->weak || access->kind == RUN_ATOMIC || access->kind == RUN_REDUCE;
    /* Of four warps the first one counts the groups of all, as its lane 0. */
    if (access->async && queue == SYNC_WGMMA) {
        warp = warp->block->warps + (warp->number & ~3u);
        lane = 0;
    }
    if (access->async && queue == SYNC_BARRIER)
        strong = access->kind == RUN_REDUCE;
    asker->races = races;
    asker->pool = NULL;
    asker->warp = warp;
    asker->op = op;
    asker->access = access;
    asker->n_clocks = 1;
    asker->clocks[0] = race_clocks(races, warp);
    asker->mark = (struct race_mark){.op = run_number(warp, op),
                                     .actor = (uint16_t)race_actor(races, warp, access->async),
                                     .unit = (uint32_t)warp->block->unit->number};
    asker->kind = (uint8_t)(strong | (access->kind == RUN_READ ? 0 : RACE_WRITE));
    asker->asks_fence = access->proxy;
    asker->crowd = asker->valued = asker->no_memory = asker->found = asker->told = 0;
    asker->n_places = asker->mixed = 0;
    asker->bytes = NULL;
    if (!access->async || queue == SYNC_BARRIER)
        asker->mark.clock = asker->clocks[0][race_warp(warp)];
    else if (acting)
        asker->mark.clock = acting->group[lane] + 1;
    else
        asker->mark.clock = sync_warp_of(warp)->groups[queue].committed[lane] + 1;
    for (unsigned w = 1; access->async && queue == SYNC_WGMMA && w < 4; w++)
        if (warp->number + w < warp->block->n_warps)
            asker->clocks[asker->n_clocks++] = race_clocks(races, warp + w);
}

/* What is to be waited for, if the other access is of a copy or a product; with a blank. */
void race_say_missing(const struct race_asker *asker, struct base_text *text) {
    static const char *const waits[] = {"", "cp.async.wait_group", "cp.async.bulk.wait_group",
                                        "wgmma.wait_group"};
    const struct races *races = asker->races;
    const unsigned kind = race_kind(races, asker->other.actor);
    const struct run_warp *warp = asker->warp;
    const uint32_t number = asker->other.actor % races->n_warps, per_block = warp->block->n_warps;
    const struct run_block *block = &warp->block->unit->blocks[number / per_block];
    const struct run_warp *issuer = &block->warps[number % per_block];
    const uint32_t *groups;
    uint32_t most = 0;
    if (!kind || asker->other.unit != asker->mark.unit)
        return;
    if (kind == 1 + SYNC_BARRIER) {
        base_put(text, "; missing: mbarrier.try_wait for the phase that the copy completes");
        return;
    }
    if (race_clocks(asker->races, issuer)[asker->other.actor] >= asker->other.clock) {
        base_put(text, "; warp %u has waited for it, missing: a barrier behind its %s",
                 number % per_block, waits[kind]);
        return;
    }
    groups = sync_warp_of(issuer)->groups[kind - 1].committed;
    for (unsigned lane = 0; lane < (kind == 1 + SYNC_WGMMA ? 1 : RUN_LANES); lane++)
        most = groups[lane] > most ? groups[lane] : most;
    if (asker->other.clock > most)
        base_put(text, "; missing: a group that holds it, and %s 0", waits[kind]);
    else
        base_put(text, "; missing: %s %u of warp %u", waits[kind], most - asker->other.clock,
                 number % per_block);
}

const char *race_actor_name(const struct races *races, uint32_t actor) {
    static const char *const names[RACE_KINDS] = {"", "cp.async of ", "cp.async.bulk of ",
                                                  "wgmma of ", "an asynchronous copy of "};
    return names[race_kind(races, actor)];
}

static const char *block_name(const struct race_asker *asker) {
    const struct run_warp *warp = asker->warp;
    return asker->other.actor % asker->races->n_warps / warp->block->n_warps == warp->block->rank
               ? ""
               : " of another block";
}

void race_tell_shared(struct race_asker *asker, unsigned lane, uint64_t at) {
    const struct run_warp *warp = asker->warp;
    const struct races *races = asker->races;
    const uint32_t warps = warp->block->n_warps;
    const uint32_t mine = asker->mark.actor % races->n_warps % warps;
    const uint32_t other = asker->other.actor % races->n_warps % warps;
    const char *my_name = race_actor_name(races, asker->mark.actor);
    const char *other_name = race_actor_name(races, asker->other.actor);
    const struct run_op *there = &warp->program->ops[asker->other.op];
    const char *verb = asker->access->kind == RUN_READ ? "reads" : "writes";
    char missing[128], where[64];
    struct base_text text = {missing, sizeof missing, 0};
    missing[0] = 0;
    snprintf(where, sizeof where, "shared address 0x%llx", (unsigned long long)at);
    if (race_tell_guess(asker, lane, where))
        return;
    race_say_missing(asker, &text);
    if (asker->found == RACE_UNFENCED)
        run_finding_pair(asker->warp, asker->op, lane, there, RULE_PROXY_FENCE_MISSING, 0,
                         "%swarp %u %s shared address 0x%llx, which warp %u%s wrote: "
                         "fence.proxy.async is missing between the two",
                         my_name, mine, verb, (unsigned long long)at, other, block_name(asker));
    else
        run_finding_pair(asker->warp, asker->op, lane, there, RULE_RACE_SHARED, 0,
                         "%swarp %u %s shared address 0x%llx, which %swarp %u%s %s: nothing orders "
                         "the two%s",
                         my_name, mine, verb, (unsigned long long)at, other_name, other,
                         block_name(asker), asker->found_kind & RACE_WRITE ? "wrote" : "read",
                         missing);
}

/* --- words that order: atomics, and accesses that are not weak: locks and flags --- */

/* That of a word; of shared memory of the block it is found by its number. */
static struct race_place *place_at(const struct race_asker *asker, const void *key) {
    const struct run_block *block = asker->warp->block;
    struct races *races = asker->races;
    const uint64_t from = (uint64_t)((uintptr_t)key - (uintptr_t)block->shared.bytes);
    struct race_place **place = NULL;
    if (from < block->shared.size && asker->access->space == PTX_SHARED) {
        const size_t words = (size_t)races->n_cells * SHARED_WORDS;
        const size_t index = block->rank * words + from / 4;
        if (!races->by_word) {
            const size_t blocks = races->n_warps / block->n_warps;
            races->by_word = calloc(blocks * words, sizeof *races->by_word);
        }
        place = races->by_word ? &races->by_word[index] : NULL;
        if (!place || *place)
            return place ? *place : NULL;
        race_use_words(races, (uint32_t)index, 1);
        *place = race_place(races, key, 1);
        return *place;
    }
    return race_place(races, key, 1);
}

/* The places of all lanes, each once if lanes side by side have the same. */
static void find_places(struct race_asker *asker) {
    const struct run_access *access = asker->access;
    const void *before = NULL;
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        const uint8_t *host = run_access_host(access, run_lowest(rest));
        const void *key = host - ((uintptr_t)host & 3u);
        struct race_place *place;
        if (key == before)
            continue;
        before = key;
        place = place_at(asker, key);
        if (place)
            asker->places[asker->n_places++] = place;
        else
            asker->no_memory = 1;
    }
}

/* Whether a warp knows all that is in the first vector of a place. */
static int is_known(const struct race_place *place, const uint32_t *clocks) {
    return place->holds == RACE_NOTHING ||
           (place->holds == RACE_OF_ONE && clocks[place->of] >= place->time);
}

static void acquire_places(const struct race_asker *asker) {
    uint32_t *clocks = race_clocks(asker->races, asker->warp);
    for (unsigned i = 0; i < asker->n_places; i++)
        if (!is_known(asker->places[i], clocks))
            race_join(asker->races, clocks, asker->places[i]->clocks);
}

/* Who has acquired knows all that is there, and leaves what it knows. */
static void release_places(const struct race_asker *asker) {
    const struct races *races = asker->races;
    const uint32_t *clocks = race_clocks(races, asker->warp);
    const uint32_t of = race_warp(asker->warp), time = clocks[of];
    for (unsigned i = 0; i < asker->n_places; i++) {
        struct race_place *place = asker->places[i];
        if (place->holds == RACE_OF_ONE && place->of == of && place->time == time)
            continue;
        if (asker->access->kind == RUN_ATOMIC || is_known(place, clocks)) {
            race_copy(races, place->clocks, clocks);
            place->holds = RACE_OF_ONE;
            place->of = of;
            place->time = time;
        } else {
            race_join(races, place->clocks, clocks);
            place->holds = RACE_OF_SEVERAL;
        }
    }
}

static int orders(const struct run_access *access) {
    return !access->async && (!access->weak || access->kind >= RUN_ATOMIC);
}

/* mbarriers order themselves. */
static int hear_begin(struct run_warp *warp, const struct run_op *op,
                      const struct run_access *access) {
    struct race_asker *asker = race_asker_of(warp);
    if (access->barrier)
        return 0;
    ask_for(warp->block->unit->heard[LISTENER_RACE], warp, op, access, asker);
    if (!orders(access))
        return 1;
    find_places(asker);
    if (access->kind != RUN_WRITE && access->kind != RUN_REDUCE)
        acquire_places(asker);
    if (access->space == PTX_GLOBAL)
        global_acquire(asker);
    return 1;
}

static void hear_end(struct run_warp *warp, const struct run_op *op,
                     const struct run_access *access) {
    struct race_asker *asker = race_asker_of(warp);
    (void)op;
    if (orders(access) && access->kind != RUN_READ) {
        if (access->space == PTX_GLOBAL)
            global_release(asker);
        release_places(asker);
        race_step(asker->races, asker->warp);
    }
    if (asker->no_memory)
        run_no_memory(asker->warp);
}

static void hear_lanes(struct run_warp *warp, const struct run_op *op,
                       const struct run_access *access, uint32_t lanes) {
    (void)op, (void)access;
    shared_lanes(race_asker_of(warp), warp->block, lanes);
}

static void hear_bytes(struct run_warp *warp, const struct run_op *op,
                       const struct run_access *access, struct run_block *block, uint64_t from,
                       uint64_t size) {
    (void)op, (void)access;
    shared_access(race_asker_of(warp), block, from, size);
}

/* --- accesses that change nothing --- */

/* An access that is neither a race nor remembered: this actor has accessed the bytes before, and
 * all other accesses are ordered. */
struct again {
    struct race_mark mark;
    const uint32_t *clocks;
    uint8_t kind, crowd, valued;
};

/* Two warps that the reader does not know have read since: a third one is not kept. */
static int is_full(const struct race_entry *entry, const struct race_mark *mark,
                   const uint32_t *clocks) {
    return entry->before.clock && entry->last.unit == mark->unit &&
           entry->before.unit == mark->unit && entry->last.clock > clocks[entry->last.actor] &&
           entry->before.clock > clocks[entry->before.actor];
}

/* Ordered before, or compared with in the end. */
static int is_behind(const struct race_mark *other, const struct race_mark *mark, int crowd,
                     const uint32_t *clocks) {
    if (!other->clock || other->unit != mark->unit)
        return !other->clock || crowd;
    return other->actor == mark->actor || other->clock <= clocks[other->actor];
}

static int cell_is_again(struct race_entry *entry, const struct again *again, uint64_t mask,
                         const uint8_t *data, const uint8_t *there) {
    const struct race_mark *mark = &again->mark;
    uint64_t rest = mask;
    for (; entry; entry = entry->next) {
        if (!(entry->mask & mask))
            continue;
        if (race_conflicts(entry->kind, again->kind) &&
            (!is_behind(&entry->last, mark, again->crowd, again->clocks) ||
             !is_behind(&entry->before, mark, again->crowd, again->clocks)))
            return 0;
        if (entry->kind != again->kind)
            continue;
        if (!race_same(&entry->last, mark) &&
            (entry->kind != RACE_READ ||
             (!race_same(&entry->before, mark) && !is_full(entry, mark, again->clocks))))
            return 0;
        rest &= ~entry->mask;
        if (again->crowd && data) {
            const unsigned from = hear_lowest(mask), n = hear_length(mask >> from);
            if ((mask & ~entry->mask) ||
                ((mask & ~entry->differs) &&
                 memcmp(again->valued ? entry->values + from : there, data, n) != 0))
                return 0;
            if (again->valued)
                memcpy(entry->values + from, data, n);
        }
    }
    return !rest;
}

static int hear_again_of(struct run_warp *warp, const struct hear_again *told) {
    const struct races *races = warp->block->unit->heard[LISTENER_RACE];
    struct race_entry **cells = global_seen(warp->worker, told->memory->buffer);
    const uint8_t *data = told->data;
    const uint64_t end = told->from + told->size;
    struct again again = {.kind = data ? RACE_WRITE : RACE_READ};
    if (!cells)
        return 0;
    again.mark.unit = (uint32_t)warp->block->unit->number;
    again.mark.actor = (uint16_t)race_warp(warp);
    again.clocks = race_clocks(races, warp);
    again.mark.clock = again.clocks[again.mark.actor];
    again.crowd = !warp->program->acquires;
    again.valued = again.crowd && global_valued(warp->worker);
    for (uint64_t from = told->from; from < end;) {
        const unsigned skip = (unsigned)(from % RACE_CELL);
        if (!cell_is_again(cells[from / RACE_CELL], &again, hear_mask(skip, end - from), data,
                           told->memory->host + from))
            return 0;
        data = data ? data + (RACE_CELL - skip) : NULL;
        from += RACE_CELL - skip;
    }
    return 1;
}

/* --- global memory --- */

/* What is written to a cell: side by side, or by each lane. */
static void bytes_of(const struct run_access *access, const struct hear_piece *piece, uint64_t cell,
                     uint8_t bytes[RACE_CELL]) {
    const unsigned skip = hear_lowest(piece->mask);
    if (piece->data)
        memcpy(bytes + skip, piece->data, hear_length(piece->mask >> skip));
    for (uint32_t rest = piece->lanes; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        const uint8_t *data = access->data + (size_t)lane * access->bytes;
        uint8_t *to = bytes + ((uint64_t)(uintptr_t)access->host[lane] - cell);
        switch (access->bytes) {
        case 4: memcpy(to, data, 4); break;
        case 8: memcpy(to, data, 8); break;
        default: memcpy(to, data, access->bytes); break;
        }
    }
}

static void hear_pieces(struct run_warp *warp, const struct run_op *op,
                        const struct run_access *access, const struct hear_memory *memory,
                        const struct hear_piece *pieces, unsigned n) {
    struct race_asker *asker = race_asker_of(warp);
    struct race_entry **cells = global_cells(asker, memory->buffer);
    const int values = asker->crowd && asker->kind == RACE_WRITE;
    uint8_t bytes[RACE_CELL];
    (void)op, (void)access;
    for (unsigned i = 0; cells && i < n; i++) {
        const struct hear_piece *piece = &pieces[i];
        asker->mark.lane = piece->lane;
        asker->cell = (uint64_t)(uintptr_t)memory->host + piece->index * RACE_CELL;
        if (values && (piece->data || asker->access->data)) {
            bytes_of(asker->access, piece, asker->cell, bytes);
            asker->bytes = bytes;
        }
        race_access(asker, &cells[piece->index], piece->mask);
        if (asker->found != RACE_NONE && !asker->told) {
            const uint64_t byte = piece->index * RACE_CELL + hear_lowest(asker->found_bytes);
            const unsigned lane = hear_lane(asker->access, memory->base + byte);
            global_tell(asker, memory->buffer, lane, byte - byte % 4);
            asker->told = 1;
        }
    }
    if (asker->mixed)
        global_mixed(asker->warp->worker, memory->buffer);
}

const struct run_hears race_hears = {.worker_make = global_make,
                                     .worker_free = global_free,
                                     .unit_make = race_unit_make,
                                     .unit_free = race_unit_free,
                                     .unit_begin = race_unit_begin,
                                     .launch_end = global_end,
                                     .begin = hear_begin,
                                     .lanes = hear_lanes,
                                     .window = hear_bytes,
                                     .pieces = hear_pieces,
                                     .end = hear_end,
                                     .again = hear_again_of,
                                     .order = race_order};
