/* Race check: weak accesses that change nothing, or that cells take in at once. */
#include "reads.h"
#include "../state/device.h"
#include "../state/launch.h"

/* An access that is neither a race nor remembered: this actor has accessed the bytes before, and
 * all other accesses are ordered. */
struct again {
    struct race_mark mark;
    const uint32_t *clocks;
    uint8_t kind, crowd, valued;
};

/* Two warps are kept, as in cell.c. */
static int is_full(const struct race_entry *entry, const struct race_mark *mark,
                   const uint32_t *clocks) {
    const struct race_mark *before = race_before(entry);
    return before->clock && entry->last.unit == mark->unit && before->unit == mark->unit &&
           entry->last.clock > clocks[entry->last.actor] &&
           (race_same(before, mark) || before->clock > clocks[before->actor]);
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
             !is_behind(race_before(entry), mark, again->crowd, again->clocks)))
            return 0;
        if (entry->kind != again->kind)
            continue;
        if (!race_same(&entry->last, mark) &&
            (entry->kind != RACE_READ || !is_full(entry, mark, again->clocks)))
            return 0;
        rest &= ~entry->mask;
        if (again->crowd && data) {
            const unsigned from = base_lowest(mask), n = hear_length(mask >> from);
            if ((mask & ~entry->mask) ||
                ((mask & ~race_differs(entry)) &&
                 memcmp(again->valued ? race_values(entry) + from : there, data, n) != 0))
                return 0;
            if (again->valued)
                memcpy(race_values(entry) + from, data, n);
        }
    }
    return !rest;
}

/* Whether a cell takes in an access of these bytes at once: see may_take. */
typedef int cell_takes(const struct race_asker *asker, const struct race_cell *cell, uint64_t mask);

/* A read of a cell that was only read. */
static int is_only_read(const struct race_asker *asker, const struct race_cell *cell,
                        uint64_t mask) {
    const struct race_entry *entry = cell->entries;
    (void)asker, (void)mask;
    while (entry && entry->kind == RACE_READ)
        entry = entry->next;
    return !entry;
}

/* A write of bytes that were not accessed, or that its unit alone has read before it. */
static int is_only_own(const struct race_asker *asker, const struct race_cell *cell,
                       uint64_t mask) {
    const struct race_mark *mark = &asker->mark;
    const struct race_entry *entry = race_is_fresh(cell, mask) ? NULL : cell->entries;
    for (; entry; entry = entry->next)
        if ((entry->mask & mask) && (entry->kind != RACE_READ || race_second(entry)->clock ||
                                     !is_behind(&entry->last, mark, 0, asker->clocks[0]) ||
                                     !is_behind(race_before(entry), mark, 0, asker->clocks[0])))
            return 0;
    return 1;
}

/* Whether the bytes of an access are so in all cells. */
static int are_cells(const struct race_asker *asker, const struct hear_again *again,
                     const struct race_cell *cells, cell_takes *takes) {
    for (unsigned i = 0; i < again->n; i++) {
        const struct hear_part *part = &again->parts[i];
        const uint64_t end = part->from + part->size;
        for (uint64_t from = part->from; from < end; from += RACE_CELL - from % RACE_CELL) {
            const struct race_cell *cell = &cells[from / RACE_CELL];
            if (cell->entries &&
                !takes(asker, cell, hear_mask((unsigned)(from % RACE_CELL), end - from)))
                return 0;
        }
    }
    return 1;
}

/* The asker becomes a weak access of a thread, without its lanes. */
static void ask_weakly(struct race_asker *asker, struct races *races, struct run_warp *warp,
                       const struct run_op *op, int writes) {
    const uint32_t number = race_warp(warp);
    asker->races = races;
    asker->warp = warp;
    asker->op = op;
    asker->access = NULL;
    asker->bytes = NULL;
    asker->clocks[0] = races->clocks + (size_t)number * races->width;
    asker->n_clocks = 1;
    asker->loose = NULL;
    asker->mark = (struct race_mark){.clock = asker->clocks[0][number],
                                     .op = run_number(warp, op),
                                     .unit = (uint32_t)warp->block->unit->number,
                                     .actor = (uint16_t)number};
    asker->kind = writes ? RACE_WRITE : RACE_READ;
    asker->found = asker->clashes = asker->mixed = asker->no_memory = asker->asks_fence = 0;
    asker->unordered = 0;
}

/* Whether cells take in an access at once, where blocks are compared in the end. It is a weak read
 * of cells that were only read, or a write that cannot race with what was before it. */
static int may_take(const struct race_asker *asker, const struct hear_again *again,
                    const struct race_cell *cells) {
    if (again->plan->narrow || !asker->crowd || asker->turn)
        return 0;
    if (again->writes)
        return !(asker->valued && !again->data) && are_cells(asker, again, cells, is_only_own);
    return are_cells(asker, again, cells, is_only_read);
}

static void take_parts(struct race_asker *asker, const struct hear_again *again,
                       struct race_cell *cells) {
    const struct reach_plan *plan = again->plan;
    const struct race_load load = {
        .parts = again->parts,
        .n = again->n,
        .shift = (uint8_t)base_lowest((uint64_t)plan->bytes * plan->elements)};
    struct race_taken taken[RACE_TAKEN];
    uint8_t bytes[RACE_CELL];
    const unsigned n = race_taken_of(&load, taken);
    asker->bytes = bytes; /* of a store of bytes without another one: only kept if it is valued */
    for (unsigned i = 0; i < n; i++) {
        struct race_cell *cell = &cells[taken[i].cell];
        asker->mark.lane = taken[i].lane;
        if (!again->writes) {
            race_read(asker, cell, taken[i].mask);
            continue;
        }
        if (asker->valued) { /* of one part */
            const unsigned skip = base_lowest(taken[i].mask);
            const uint64_t from = taken[i].cell * RACE_CELL + skip - again->parts->from;
            memcpy(bytes + skip, again->data + from, hear_length(taken[i].mask) - skip);
        }
        race_access(asker, cell, taken[i].mask);
    }
    asker->bytes = NULL;
    if (asker->no_memory)
        run_no_memory(asker->warp);
}

/* Whether an access changes nothing in its cells. */
static int part_is_again(const struct race_asker *asker, const struct hear_again *whole,
                         const struct hear_part *part, const struct race_cell *cells) {
    const uint8_t *data = whole->data;
    const uint64_t end = part->from + part->size;
    const struct again again = {.mark = asker->mark,
                                .kind = asker->kind,
                                .crowd = asker->crowd,
                                .valued = asker->valued,
                                .clocks = asker->clocks[0]};
    for (uint64_t from = part->from; from < end;) {
        const unsigned skip = (unsigned)(from % RACE_CELL);
        int is_again;
        global_lock(asker, from / RACE_CELL);
        is_again = cell_is_again(cells[from / RACE_CELL].entries, &again,
                                 hear_mask(skip, end - from), data, whole->memory->host + from);
        global_unlock(asker, from / RACE_CELL);
        if (!is_again)
            return 0;
        data = data ? data + (RACE_CELL - skip) : NULL;
        from += RACE_CELL - skip;
    }
    return 1;
}

static int cells_are_again(const struct race_asker *asker, const struct hear_again *again,
                           const struct race_cell *cells) {
    for (unsigned i = 0; i < again->n; i++)
        if (!part_is_again(asker, again, &again->parts[i], cells))
            return 0;
    return 1;
}

/* An access of lanes that may race with each other. */
struct lanes_part {
    struct lanes_warp *lanes; /* NULL: they are not compared */
    struct lanes_line line;
};

/* 0: the access has to be compared with others of the epoch. One with its lanes is, when it has
 * been taken in. */
static int may_lanes(struct run_warp *warp, const struct hear_again *again, unsigned space,
                     struct lanes_part *lanes) {
    const struct races *races = warp->block->unit->heard[LISTENER_RACE];
    const struct reach_plan *plan = again->plan;
    const uint32_t bytes = (uint32_t)plan->bytes * plan->elements;
    lanes->lanes = races->lanes && plan->plain ? &races->lanes[race_warp(warp)] : NULL;
    if (!lanes->lanes || lanes_skip(lanes->lanes, plan->kind, plan->plain, space)) {
        lanes->lanes = NULL;
        return 1;
    }
    if (again->access)
        return 1;
    if (!again->is_line && !again->apart)
        return 0;
    lanes->line = (struct lanes_line){.op = run_number(warp, again->op),
                                      .lanes = again->lanes,
                                      .bytes = bytes,
                                      .space = (uint8_t)space,
                                      .writes = again->writes,
                                      .first = again->memory->base + again->parts[0].from,
                                      .apart = again->apart,
                                      .step = again->is_row ? bytes : 0};
    return plan->plain == RUN_PLAIN_WEAK &&
           lanes_are_free(races->table, lanes->lanes, &lanes->line);
}

static void keep_lanes(struct run_warp *warp, const struct hear_again *again,
                       const struct lanes_part *lanes) {
    const struct races *races = warp->block->unit->heard[LISTENER_RACE];
    if (!lanes->lanes)
        return;
    if (again->access)
        lanes_hear(races->table, lanes->lanes, warp, again->op, again->access);
    else
        lanes_keep(races->table, lanes->lanes, warp, &lanes->line);
}

static int guards(const struct run_block *block, const struct hear_again *again) {
    for (unsigned i = 0; i < again->n; i++)
        if (remote_guards(block, block->shared.base + again->parts[i].from, again->parts[i].size))
            return 1;
    return 0;
}

/* Weak accesses of the shared memory of the block. */
static int take_shared(struct run_warp *warp, const struct hear_again *again) {
    struct races *races = warp->block->unit->heard[LISTENER_RACE];
    struct race_asker *asker = race_asker_of(warp);
    const struct run_block *block = again->memory->block;
    struct lanes_part lanes;
    int good;
    if (races->loose[race_warp(warp)].is || acquire_base(races, warp) ||
        (again->writes && guards(block, again)) || !may_lanes(warp, again, PTX_SHARED, &lanes))
        return 0;
    good = shared_keep(races, warp, again);
    if (!good) {
        ask_weakly(asker, races, warp, again->op, again->writes);
        asker->mark.actor = (uint16_t)race_sharer(races, race_warp(warp));
        good = shared_take(asker, block, again);
        if (asker->no_memory)
            run_no_memory(warp);
    }
    if (good)
        keep_lanes(warp, again, &lanes);
    if (good && races->rest)
        release_again(races, warp, again, again->writes ? RACE_WRITE : RACE_READ);
    return good;
}

/* Weak accesses of global memory. */
static int take_global(struct run_warp *warp, const struct hear_again *again) {
    struct race_asker *asker = race_asker_of(warp);
    struct race_cell *cells;
    struct lanes_part lanes;
    int logs, takes;
    if (!again->writes && global_idle(warp->worker, again->memory->buffer))
        return 1;
    ask_weakly(asker, warp->block->unit->heard[LISTENER_RACE], warp, again->op, again->writes);
    cells = global_seen(asker, again->memory->buffer);
    if (!cells)
        cells = again->writes ? NULL : global_cells(asker, again->memory->buffer);
    if (!cells)
        return 0;
    race_ask_turn(asker);
    if (!may_lanes(warp, again, PTX_GLOBAL, &lanes))
        return 0;
    logs = reads_fit(asker->reads, asker, again);
    takes = logs || may_take(asker, again, cells);
    if (!takes && ((again->writes && !again->data) || !cells_are_again(asker, again, cells)))
        return 0;
    if (logs)
        reads_take(asker->reads, asker, again);
    else if (takes)
        take_parts(asker, again, cells);
    keep_lanes(warp, again, &lanes);
    return 1;
}

int race_again(struct run_warp *warp, const struct hear_again *again) {
    struct races *races = warp->block->unit->heard[LISTENER_RACE];
    if (copies_are_unmet(races, warp))
        copies_enter(races, warp);
    return again->memory->block ? take_shared(warp, again) : take_global(warp, again);
}
