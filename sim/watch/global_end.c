/* The end of a launch whose blocks ran in parallel: races of blocks in global memory. The cells of
 * the threads of the host hold the two lowest units of each byte, and are compared here. */
#include "global.h"
#include "../state/device.h"
#include "../state/launch.h"

/* The two lowest units that accessed a byte, by class. */
struct sum {
    struct race_mark first[RACE_CLASSES], second[RACE_CLASSES];
    const uint8_t *value; /* that was written; NULL: none */
    int differs;
};

static void count_in(struct sum *sum, unsigned kind, const struct race_mark *mark) {
    struct race_mark *first = &sum->first[kind], *second = &sum->second[kind];
    if (!mark->clock)
        return;
    if (!first->clock || mark->unit < first->unit) {
        if (first->clock)
            *second = *first;
        *first = *mark;
    } else if (mark->unit > first->unit && (!second->clock || mark->unit < second->unit)) {
        *second = *mark;
    }
}

static void add_entry(struct sum *sum, const struct race_entry *entry, unsigned byte) {
    count_in(sum, entry->kind, race_first(entry));
    count_in(sum, entry->kind, race_second(entry));
    if (entry->kind != RACE_WRITE)
        return;
    sum->differs |= (int)(race_differs(entry) >> byte & 1);
    if (!race_values(entry))
        return; /* one thread of the host: it has seen all */
    if (sum->value && *sum->value != race_values(entry)[byte])
        sum->differs = 1;
    else
        sum->value = &race_values(entry)[byte];
}

/* The lowest pair of different units of two classes. 0: there is none. */
static int pair_of(const struct sum *sum, unsigned a, unsigned b, const struct race_mark **one,
                   const struct race_mark **other) {
    *one = &sum->first[a];
    *other = a == b ? &sum->second[b] : &sum->first[b];
    if (!(*one)->clock || !(*other)->clock)
        return 0;
    if ((*one)->unit != (*other)->unit)
        return 1;
    *other = &sum->second[b];
    if ((*other)->clock)
        return 1;
    *one = &sum->second[a];
    *other = &sum->first[b];
    return (*one)->clock != 0;
}

/* A buffer, and its cells of those threads of the host that accessed it. */
struct end {
    struct run_launch *launch;
    const struct run_buffer *buffer;
    struct race_questions *asked;
    unsigned n;
    const struct race_cell *cells[RUN_MOST_THREADS];
};

static void tell_end(const struct end *end, uint64_t byte, const struct race_mark *one,
                     unsigned one_kind, const struct race_mark *other, unsigned other_kind) {
    const struct run_launch *launch = end->launch;
    const struct race_mark *mine = one->unit > other->unit ? one : other;
    const struct race_mark *theirs = mine == one ? other : one;
    const unsigned kind = mine == one ? one_kind : other_kind;
    const unsigned their_kind = mine == one ? other_kind : one_kind;
    uint32_t warps;
    const uint32_t warp = global_warp_of(launch, mine->actor, &warps);
    const struct run_subject subject = {RUN_ADDRESS, PTX_GLOBAL, 4, end->buffer->base + byte, 0};
    char mine_text[64], other_text[64];
    launch_find_pair(
        end->launch, mine->unit, warp / warps, warp % warps * RUN_LANES + mine->lane % RUN_LANES,
        mine->op, theirs->op, RULE_RACE_GLOBAL, &subject,
        "%s %s byte %llu of '%s', which %s %s%s: nothing orders the two%s%s",
        global_block_text(launch, mine->unit, mine->actor, mine_text),
        kind & RACE_WRITE ? "writes" : "reads", (unsigned long long)byte,
        end->buffer->name ? end->buffer->name : "a buffer",
        global_block_text(launch, theirs->unit, theirs->actor, other_text),
        their_kind & RACE_WRITE ? "writes" : "reads",
        kind & their_kind & RACE_WRITE && !(kind & their_kind & 1) ? " with another value" : "",
        race_updates(launch->program, end->asked, mine->op, theirs->op) ? RACE_ATOMIC : "",
        global_scope_text(kind, their_kind));
}

/* Returns 1 if two units race for the byte; the race is reported. */
static int end_byte(const struct end *end, uint64_t cell, unsigned byte) {
    const uint64_t at = cell * RACE_CELL;
    struct sum sum = {.value = NULL};
    for (unsigned i = 0; i < end->n; i++)
        for (const struct race_entry *entry = end->cells[i][cell].entries; entry;
             entry = entry->next)
            if (entry->mask >> byte & 1)
                add_entry(&sum, entry, byte);
    for (unsigned a = RACE_CLASSES; a-- > 0;)
        for (unsigned b = 0; b <= a; b++) {
            const struct race_mark *one, *other;
            if (!race_conflicts_far(a, b) || !pair_of(&sum, a, b, &one, &other) ||
                (a == RACE_WRITE && b == RACE_WRITE && !sum.differs))
                continue;
            tell_end(end, at + byte - (at + byte) % 4, one, a, other, b);
            return 1;
        }
    return 0;
}

/* Bytes of two entries, or of one and itself, for which two units may race. */
static uint64_t may_race(const struct race_entry *a, const struct race_entry *b) {
    const uint64_t both = a->mask & b->mask;
    if (!both || !race_conflicts_far(a->kind, b->kind) ||
        (race_first(a)->unit == race_first(b)->unit && !race_second(a)->clock &&
         !race_second(b)->clock))
        return 0;
    if (a->kind != RACE_WRITE || b->kind != RACE_WRITE || (a != b && race_values(a)))
        return both;
    return both & (race_differs(a) | race_differs(b));
}

/* Most cells have one entry, or several that do not conflict. */
static void end_cell(const struct end *end, uint64_t cell) {
    uint64_t bytes = 0;
    for (unsigned i = 0; i < end->n; i++)
        for (const struct race_entry *a = end->cells[i][cell].entries; a; a = a->next) {
            for (const struct race_entry *b = a; b; b = b->next)
                bytes |= may_race(a, b);
            for (unsigned j = i + 1; j < end->n; j++)
                for (const struct race_entry *b = end->cells[j][cell].entries; b; b = b->next)
                    bytes |= may_race(a, b);
        }
    for (unsigned byte = 0; byte < RACE_CELL && bytes >> byte; byte++)
        if ((bytes >> byte & 1) && end_byte(end, cell, byte))
            byte |= 3; /* one a word */
}

void global_end(struct run_launch *launch, const struct run_worker *workers, unsigned n) {
    const struct globals *some = n ? workers[0].heard[LISTENER_RACE] : NULL;
    struct end end = {.launch = launch};
    int mixed;
    if (!some || !some->crowd)
        return;
    end.asked = some->asker.asked;
    for (size_t i = 0; i < launch->device->space->n_buffers; i++) {
        end.buffer = launch->device->space->buffers[i];
        const uint32_t b = end.buffer->number;
        end.n = 0;
        mixed = 0;
        for (unsigned w = 0; w < n; w++) {
            const struct globals *globals = workers[w].heard[LISTENER_RACE];
            if (globals && globals->cells && b < globals->n_buffers && globals->cells[b]) {
                end.cells[end.n++] = globals->cells[b];
                mixed |= globals->mixed[b];
            }
        }
        if (end.n < 2 && !mixed)
            continue;
        for (uint64_t cell = 0; end.n && cell <= end.buffer->size / RACE_CELL; cell++)
            end_cell(&end, cell);
    }
}
