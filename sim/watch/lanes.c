/* Races between lanes of one warp.
 *
 * The last accesses of an epoch are kept whole. Few of them overlap, and equal rows of words do not
 * conflict. So an access mostly costs the comparison of some intervals. Older writes are kept whole
 * too, and are compared only if they overlap the access as a group. An access that overlaps another
 * one goes to a table of words, where each word has its last read and its last write
 * (lanes_table.c). The table forgets a word when another one takes its place. Old reads are
 * dropped. So a race may be missed, and none is invented.
 *
 * Volatile accesses are strong, so they do not race by the letter. Code from before sm_70 relies on
 * them in lockstep. They are a finding if the reader took part in the write, or the writer in the
 * read. A flag that one branch sets and another one polls is none. Nor is a word that several lanes
 * read at once.
 *
 * ldmatrix, stmatrix and wmma access memory for the whole warp. They wait for all lanes, but PTX
 * promises no order of memory with that. So a store, then ldmatrix without __syncwarp is a race. */
#include "lanes_table.h"

#include <stddef.h>
#include <stdlib.h>

struct lanes_warp *lanes_make(uint32_t n) {
    struct lanes_warp *lanes = malloc(n * sizeof *lanes);
    for (uint32_t i = 0; lanes && i < n; i++)
        memset(&lanes[i], 0, offsetof(struct lanes_warp, kept));
    return lanes;
}

void lanes_free(struct lanes_warp *lanes, uint32_t n) {
    for (uint32_t i = 0; lanes && i < n; i++) {
        free(lanes[i].old);
        free(lanes[i].parts);
    }
    free(lanes);
}

int lanes_may_race(const struct run_launch *launch) {
    return wsim_target_number(launch->program->module->target) >= ISA_SYNC_TARGET;
}

/* --- epochs --- */

static void clear_span(struct lanes_span *span) {
    span->low = UINT64_MAX;
    span->high = 0;
}

static void begin_epoch(struct lanes_table *table, struct lanes_warp *lanes) {
    lanes->epoch = lanes_table_epoch(table);
    lanes->next = lanes->filled = lanes->reads = 0;
    lanes->wrote = 0;
    lanes->time = 0;
    lanes->n_old = lanes->next_old = 0;
    for (unsigned i = 0; i < 4; i++) {
        clear_span(&lanes->kept[i / 2][i % 2].span);
        clear_span(&lanes->heard[i / 2][i % 2]);
    }
    clear_span(&lanes->olds[0]);
    clear_span(&lanes->olds[1]);
}

int lanes_meet_part(struct lanes_warp *lanes, uint32_t part) {
    uint8_t all[RUN_LANES] = {0};
    if (lanes->time == LANES_PARTS)
        lanes_order(lanes);
    if (!lanes->epoch)
        return 1;
    if (!lanes->parts && !(lanes->parts = malloc(sizeof *lanes->parts)))
        return 0;
    if (!lanes->time)
        memset(lanes->parts, 0, sizeof *lanes->parts);
    lanes->time++;
    for (uint32_t rest = part; rest; rest &= rest - 1) {
        const uint8_t *known = lanes->parts->known[run_lowest(rest)];
        for (unsigned i = 0; i < RUN_LANES; i++)
            all[i] = known[i] > all[i] ? known[i] : all[i];
    }
    for (uint32_t rest = part; rest; rest &= rest - 1)
        all[run_lowest(rest)] = lanes->time;
    for (uint32_t rest = part; rest; rest &= rest - 1)
        memcpy(lanes->parts->known[run_lowest(rest)], all, sizeof all);
    return 1;
}

/* --- accesses --- */

/* All but the addresses. */
static void take_head(struct lanes_access *mine, const struct lanes_warp *lanes,
                      const struct run_op *op, struct run_warp *warp,
                      const struct run_access *access) {
    mine->time = lanes->time;
    mine->op = run_number(warp, op);
    mine->bytes = access->bytes;
    mine->space = access->space;
    mine->plain = access->plain;
    mine->writes = access->kind != RUN_READ;
    mine->lanes = access->all ? access->all : access->lanes;
    mine->is_line = mine->is_swap = mine->is_spread = mine->is_raw = mine->has_words = 0;
    mine->period = 0;
}

/* Reads of a space before the first write of the epoch there. Their addresses are only copied, as
 * most epochs end without such a write. */
static void take_raw(struct lanes_access *mine, const struct run_access *access) {
    mine->is_raw = 1;
    memcpy(mine->at, access->at, sizeof mine->at);
}

/* Remembers that the epoch has an access. */
static void hear_span(struct lanes_warp *lanes, const struct lanes_access *access) {
    lanes_widen(&lanes->heard[access->space == PTX_GLOBAL][access->writes], access);
}

/* A write comes: the reads of its space get their lines. */
static void take_reads(struct lanes_warp *lanes, unsigned space) {
    for (uint32_t rest = lanes->filled; rest; rest &= rest - 1) {
        struct lanes_access *read = &lanes->pending[run_lowest(rest)];
        uint64_t at[RUN_LANES];
        int ascends;
        if (!read->is_raw || read->space != space)
            continue;
        memcpy(at, read->at, sizeof at);
        read->is_raw = 0;
        if (lanes_take_places(read, at, 0, &ascends))
            hear_span(lanes, read);
        else
            lanes->filled &= ~(rest & (0u - rest));
    }
}

/* Room for one more write. Most epochs have few, and all rooms of a warp are many pages. 0: no
 * memory. */
static int grow_old(struct lanes_warp *lanes) {
    const uint32_t room = lanes->room ? 2 * lanes->room : LANES_PENDING;
    struct lanes_access *old;
    if (lanes->n_old < lanes->room || lanes->room == LANES_OLD)
        return 1;
    old = realloc(lanes->old, room * sizeof *old);
    if (!old)
        return 0;
    lanes->old = old;
    lanes->room = room;
    return 1;
}

/* Keeps a write whole. The oldest one gives way and goes to the table. */
static void keep_old(struct lanes_table *table, struct lanes_warp *lanes, struct run_warp *warp,
                     const struct lanes_access *access) {
    struct lanes_access *old;
    uint32_t slot;
    if (!grow_old(lanes)) {
        run_no_memory(warp);
        return;
    }
    slot = lanes->next_old++ % LANES_OLD;
    old = &lanes->old[slot];
    if (lanes->n_old == LANES_OLD) {
        if (lanes->high[slot])
            lanes_table_keep(table, lanes, warp, old);
    } else {
        lanes->n_old++;
    }
    memcpy(old, access, offsetof(struct lanes_access, from));
    if (!access->is_line && !access->is_swap)
        memcpy(old->from, access->from, sizeof old->from);
    if (access->has_words)
        old->words = access->words;
    lanes->low[slot] = access->low;
    lanes->high[slot] = access->high;
    lanes_widen(&lanes->olds[access->space == PTX_GLOBAL], access);
}

/* Makes room for one more access: an old write is kept, an old read is dropped. */
static struct lanes_access *make_room(struct lanes_table *table, struct lanes_warp *lanes,
                                      struct run_warp *warp) {
    const uint32_t slot = lanes->next++ % LANES_PENDING;
    struct lanes_access *access = &lanes->pending[slot];
    if ((lanes->filled >> slot & 1) && access->writes)
        keep_old(table, lanes, warp, access);
    lanes->filled &= ~(1u << slot);
    return access;
}

/* The old writes from .. from + 63 that have a byte of `mine` in their spans, a bit each. Ends of
 * spans are below 2^63, so both differences then have the highest bit. Most writes are elsewhere:
 * the first loop finds that for all of them at once, with vectors. */
static uint64_t old_near(const struct lanes_warp *lanes, const struct lanes_access *mine,
                         uint32_t from) {
    enum { AT_ONCE = 16 };
    const uint32_t left = lanes->n_old - from, n = left < 64 ? left : 64;
    uint64_t near = 0;
    for (uint32_t i = 0; i < n; i += AT_ONCE) {
        const uint64_t *low = lanes->low + from + i, *high = lanes->high + from + i;
        const uint32_t some = n - i < AT_ONCE ? n - i : AT_ONCE;
        uint64_t any = some < AT_ONCE ? UINT64_MAX : 0;
        if (some == AT_ONCE)
            for (uint32_t j = 0; j < AT_ONCE; j++)
                any |= (mine->low - high[j]) & (low[j] - mine->high);
        for (uint32_t j = 0; j < some && any >> 63; j++)
            near |= ((mine->low - high[j]) & (low[j] - mine->high)) >> 63 << (i + j);
    }
    return near;
}

static void look_up_slots(struct lanes_table *table, struct lanes_warp *lanes,
                          struct run_warp *warp, struct lanes_access *mine, uint32_t from,
                          uint64_t slots) {
    for (; slots; slots &= slots - 1) {
        const uint32_t slot = from + base_lowest(slots);
        struct lanes_access *old = &lanes->old[slot];
        const int repeats = lanes_are_repeats(mine, old);
        if (!repeats && lanes_are_apart(mine, old))
            continue;
        if (!repeats)
            lanes_table_keep(table, lanes, warp, old);
        lanes->low[slot] = UINT64_MAX;
        lanes->high[slot] = 0;
    }
}

/* Old writes that an access overlaps go to the table, in their order: those in the ring from
 * `next_old` on are the oldest. */
static void look_up_old(struct lanes_table *table, struct lanes_warp *lanes, struct run_warp *warp,
                        struct lanes_access *mine) {
    const struct lanes_span *span = &lanes->olds[mine->space == PTX_GLOBAL];
    const uint32_t oldest = (lanes->next_old - lanes->n_old) % LANES_OLD;
    const uint64_t later = UINT64_MAX << oldest % 64;
    if (!lanes_overlap(mine->low, mine->high, span->low, span->high))
        return;
    for (uint32_t k = 0; k <= LANES_OLD / 64; k++) {
        const uint32_t from = (oldest / 64 + k) * 64 % LANES_OLD;
        const uint64_t these = !k ? later : k == LANES_OLD / 64 ? ~later : UINT64_MAX;
        if (from < lanes->n_old)
            look_up_slots(table, lanes, warp, mine, from, old_near(lanes, mine, from) & these);
    }
}

/* The accesses of pending[], a bit each, that may conflict with this one. It takes the place of
 * those that it repeats. */
static uint32_t rivals_of(struct lanes_warp *lanes, struct lanes_access *mine) {
    uint32_t rivals = 0;
    for (uint32_t rest = lanes->filled; rest; rest &= rest - 1) {
        struct lanes_access *other = &lanes->pending[run_lowest(rest)];
        const uint32_t bit = rest & (0u - rest);
        if (other->is_raw || !lanes_overlap(mine->low, mine->high, other->low, other->high))
            continue; /* it is a read like `mine`, or of another space; or it is elsewhere */
        if (lanes_are_repeats(mine, other))
            lanes->filled &= ~bit;
        else if (!lanes_are_apart(mine, other))
            rivals |= bit;
    }
    return rivals;
}

static int overlaps_kept(const struct lanes_warp *lanes, struct lanes_access *mine, int writes) {
    const struct lanes_kept *kept = &lanes->kept[mine->space == PTX_GLOBAL][writes];
    return lanes_overlap(mine->low, mine->high, kept->span.low, kept->span.high) &&
           lanes_overlap_words(lanes_words_of(mine), &kept->words,
                               (struct lanes_span){mine->low, mine->high}, kept->span);
}

static int overlaps_heard(const struct lanes_warp *lanes, unsigned space, int writes, uint64_t low,
                          uint64_t high) {
    const struct lanes_span *heard = lanes->heard[space == PTX_GLOBAL];
    return lanes_overlap(low, high, heard[1].low, heard[1].high) ||
           (writes && lanes_overlap(low, high, heard[0].low, heard[0].high));
}

/* Accesses that overlap this one go to the table, the oldest first. It is compared with the table.
 * Returns 1 if the finding was made. */
static int compare_all(struct lanes_hearing *hearing) {
    struct lanes_warp *lanes = hearing->lanes;
    struct lanes_access *mine = hearing->mine;
    uint32_t rivals;
    if (lanes->n_old)
        look_up_old(hearing->table, lanes, hearing->warp, mine);
    rivals = rivals_of(lanes, mine);
    for (uint32_t i = lanes->next; rivals && i < lanes->next + LANES_PENDING; i++) {
        const uint32_t slot = i % LANES_PENDING;
        if (rivals >> slot & 1)
            lanes_table_keep(hearing->table, lanes, hearing->warp, &lanes->pending[slot]);
    }
    lanes->filled &= ~rivals;
    return (overlaps_kept(lanes, mine, 1) || (mine->writes && overlaps_kept(lanes, mine, 0))) &&
           lanes_table_compare(hearing);
}

void lanes_compare(struct lanes_table *table, struct lanes_warp *lanes, struct run_warp *warp,
                   const struct run_op *op, const struct run_access *access) {
    struct lanes_hearing hearing;
    struct lanes_access *mine;
    const int reads = access->kind == RUN_READ;
    const uint8_t space = access->space == PTX_GLOBAL ? 2 : 1;
    const int is_row = access->row == RUN_LANES;
    const int is_one = !(access->lanes & (access->lanes - 1)); /* others read the same */
    uint32_t slot;
    int ascends = 1;
    if (!lanes->epoch)
        begin_epoch(table, lanes);
    lanes->reads += (uint32_t)reads;
    mine = make_room(table, lanes, warp);
    slot = (uint32_t)(mine - lanes->pending);
    take_head(mine, lanes, op, warp, access);
    if (reads && !is_row && !is_one && mine->plain != RUN_PLAIN_STRONG && !(lanes->wrote & space)) {
        take_raw(mine, access);
        lanes->filled |= 1u << slot;
        return;
    }
    if (!reads && !(lanes->wrote & space))
        take_reads(lanes, access->space);
    lanes->wrote |= reads ? 0 : space;
    if (is_one)
        lanes_take_line(mine, access->at[run_lowest(access->lanes)], 0);
    else if (access->swaps && !access->row)
        lanes_take_swap(mine, access->at[0]);
    else if (!lanes_take_places(mine, access->at, is_row, &ascends))
        return;
    hearing = (struct lanes_hearing){table, lanes, warp, op, access, mine, {0, 0}};
    if (overlaps_heard(lanes, mine->space, mine->writes, mine->low, mine->high))
        compare_all(&hearing);
    if (mine->writes && !ascends && access->kind == RUN_WRITE && mine->plain != RUN_PLAIN_TOGETHER)
        lanes_table_same(&hearing);
    if (access->kind == RUN_ATOMIC || (mine->plain == RUN_PLAIN_STRONG && !mine->writes)) {
        lanes->epoch = 0;
        return;
    }
    hear_span(lanes, mine);
    lanes->filled |= 1u << slot;
}

/* Compares an access with the others. Returns 1 if the finding was made. */
static int look(struct lanes_hearing *hearing) {
    const struct lanes_access *mine = hearing->mine;
    return overlaps_heard(hearing->lanes, mine->space, mine->writes, mine->low, mine->high) &&
           compare_all(hearing);
}

void lanes_look(struct lanes_table *table, struct lanes_warp *lanes, struct run_warp *warp,
                const struct run_op *op, const struct run_access *access) {
    const uint8_t space = access->space == PTX_GLOBAL ? 2 : 1;
    struct lanes_access mine;
    struct lanes_hearing hearing = {table, lanes, warp, op, access, &mine, {0, 0}};
    int ascends;
    if (!lanes->epoch || (access->kind == RUN_READ && !(lanes->wrote & space)))
        return;
    if (!(lanes->wrote & space))
        take_reads(lanes, access->space);
    take_head(&mine, lanes, op, warp, access);
    mine.plain = RUN_PLAIN_WEAK;
    if (!access->for_lane &&
        lanes_take_places(&mine, access->at, access->row == RUN_LANES, &ascends))
        look(&hearing);
    for (uint32_t rest = access->for_lane ? access->lanes : 0; rest; rest &= rest - 1) {
        mine.lanes = 1u << (access->for_lane - 1);
        mine.has_words = 0;
        lanes_take_line(&mine, run_access_at(access, run_lowest(rest)), 0);
        if (look(&hearing))
            return;
    }
}

/* All of a line. */
static void take_all_of(struct lanes_access *mine, const struct lanes_warp *lanes,
                        const struct lanes_line *line) {
    mine->time = lanes->time;
    mine->op = line->op;
    mine->bytes = line->bytes;
    mine->space = line->space;
    mine->plain = RUN_PLAIN_WEAK;
    mine->writes = line->writes;
    mine->lanes = line->lanes;
    mine->is_swap = mine->is_raw = mine->has_words = 0;
    mine->period = 0;
    if (line->lanes == UINT32_MAX && line->step == line->bytes)
        lanes_take_row(mine, line->first);
    else
        lanes_take_line(mine, line->first, line->step);
}

/* Whether no access of the epoch conflicts with another lane of this one. */
static int is_apart(struct lanes_warp *lanes, struct lanes_access *mine) {
    const struct lanes_span *olds = &lanes->olds[mine->space == PTX_GLOBAL];
    if (lanes->n_old && lanes_overlap(mine->low, mine->high, olds->low, olds->high))
        return 0;
    return !rivals_of(lanes, mine) && !overlaps_kept(lanes, mine, 1) &&
           !(mine->writes && overlaps_kept(lanes, mine, 0));
}

int lanes_are_free(struct lanes_table *table, struct lanes_warp *lanes,
                   const struct lanes_line *line) {
    const uint8_t space = line->space == PTX_GLOBAL ? 2 : 1;
    const uint64_t low = line->first, high = low + (line->step ? RUN_LANES : 1) * line->bytes;
    struct lanes_access mine;
    if (!lanes->epoch)
        begin_epoch(table, lanes);
    if (!line->writes && !(lanes->wrote & space))
        return 1;
    if (line->apart)
        return 0;
    if (!(lanes->wrote & space))
        take_reads(lanes, line->space);
    if (!overlaps_heard(lanes, line->space, line->writes, low, high))
        return 1;
    take_all_of(&mine, lanes, line);
    return is_apart(lanes, &mine);
}

void lanes_keep(struct lanes_table *table, struct lanes_warp *lanes, struct run_warp *warp,
                const struct lanes_line *line) {
    struct lanes_access *mine = make_room(table, lanes, warp);
    lanes->reads += !line->writes;
    lanes->wrote |= !line->writes ? 0 : line->space == PTX_GLOBAL ? 2 : 1;
    take_all_of(mine, lanes, line);
    if (line->apart) {
        mine->is_line = mine->is_spread = 0;
        mine->is_raw = 1;
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            mine->at[lane] = line->first + (uint64_t)(int64_t)line->apart[lane];
    } else {
        hear_span(lanes, mine);
    }
    lanes->filled |= 1u << (mine - lanes->pending);
}
