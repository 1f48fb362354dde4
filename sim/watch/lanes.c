/* Races between lanes of one warp.
 *
 * The last accesses of an epoch are kept whole. Few of them overlap, and equal rows of words do not
 * conflict. So an access mostly costs the comparison of some intervals. Older writes are kept whole
 * too, and are compared only if they overlap the access as a group. An access that overlaps another
 * one goes to a table of words, where each word has its last read and its last write. The table
 * forgets a word when another one takes its place. Old reads are dropped. So a race may be missed,
 * and none is invented.
 *
 * Volatile accesses are strong, so they do not race by the letter. Code from before sm_70 relies on
 * them in lockstep. They are a finding if the reader took part in the write, or the writer in the
 * read. A flag that one branch sets and another one polls is none. Nor is a word that several lanes
 * read at once.
 *
 * ldmatrix, stmatrix and wmma access memory for the whole warp. They wait for all lanes, but PTX
 * promises no order of memory with that. So a store, then ldmatrix without __syncwarp is a race. */
#include "actors.h"
#include "lanes_places.h"

#include "../reach/hear.h"
#include "../state/device.h"

#include <stddef.h>
#include <stdlib.h>

enum {
    SLOTS = 2048,    /* words of a table, a power of two */
    ALL = RUN_LANES, /* lane of an access for the whole warp   */
    SEVERAL          /* lane of a read by more than one        */
};

#define SPREAD 0x9E3779B1u /* of memories over the table */

/* The last access of a word. */
struct record {
    uint32_t epoch, key; /* key: number of the word in its memory     */
    uint32_t op, lanes;
    uint32_t memory;    /* 0: shared memory; 1 + the number of a buffer */
    uint8_t lane, mask; /* mask: a bit a byte                          */
    uint8_t plain;
};

struct lanes_table {
    uint32_t epochs;
    struct record (*words)[SLOTS]; /* [writes]; NULL: no word was put in */
};

struct lanes_table *lanes_table_make(void) {
    return calloc(1, sizeof(struct lanes_table));
}

void lanes_table_free(struct lanes_table *table) {
    if (table)
        free(table->words);
    free(table);
}

struct lanes_warp *lanes_make(uint32_t n) {
    struct lanes_warp *lanes = malloc(n * sizeof *lanes);
    for (uint32_t i = 0; lanes && i < n; i++)
        memset(&lanes[i], 0, offsetof(struct lanes_warp, kept));
    return lanes;
}

void lanes_free(struct lanes_warp *lanes, uint32_t n) {
    for (uint32_t i = 0; lanes && i < n; i++)
        free(lanes[i].old);
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
    if (!++table->epochs) {
        if (table->words)
            memset(table->words, 0, 2 * sizeof table->words[0]);
        table->epochs = 1;
    }
    lanes->epoch = table->epochs;
    lanes->next = lanes->filled = lanes->reads = 0;
    lanes->wrote = 0;
    lanes->n_old = lanes->next_old = 0;
    for (unsigned i = 0; i < 4; i++) {
        clear_span(&lanes->kept[i / 2][i % 2].span);
        clear_span(&lanes->heard[i / 2][i % 2]);
    }
    clear_span(&lanes->olds[0]);
    clear_span(&lanes->olds[1]);
}

/* --- accesses --- */

/* All but the addresses. */
static void take_head(struct lanes_access *mine, const struct run_op *op, struct run_warp *warp,
                      const struct run_access *access) {
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

static void widen(struct lanes_span *span, const struct lanes_access *access) {
    span->low = access->low < span->low ? access->low : span->low;
    span->high = access->high > span->high ? access->high : span->high;
}

/* Remembers that the epoch has an access. */
static void hear_span(struct lanes_warp *lanes, const struct lanes_access *access) {
    widen(&lanes->heard[access->space == PTX_GLOBAL][access->writes], access);
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

/* --- the table --- */

/* Where the words of an access are counted from, so that no address of the host has an effect. */
struct origin {
    uint64_t base;
    uint32_t memory;
};

static struct origin origin_of(const struct run_warp *warp, const struct lanes_access *access) {
    const struct run_buffer *buffer;
    if (access->space == PTX_SHARED)
        return (struct origin){0, 0};
    buffer = run_buffer_of(warp->worker->launch->device, access->low, 1);
    return buffer ? (struct origin){buffer->base, 1 + buffer->number}
                  : (struct origin){0, UINT32_MAX};
}

static inline struct record *record_of(struct lanes_table *table, int writes, uint32_t memory,
                                       uint32_t key) {
    return &table->words[writes][(key + memory * SPREAD) & (SLOTS - 1)];
}

static inline unsigned lane_of(const struct lanes_access *access, unsigned lane) {
    return access->plain == RUN_PLAIN_TOGETHER ? ALL : lane;
}

static void put_word(struct lanes_table *table, const struct lanes_warp *lanes,
                     const struct lanes_access *access, const struct origin origin, unsigned lane,
                     uint64_t at, uint32_t mask) {
    const uint32_t key = (uint32_t)((at - origin.base) / LANES_WORD);
    struct record *record = record_of(table, access->writes, origin.memory, key);
    const int known =
        record->epoch == lanes->epoch && record->key == key && record->memory == origin.memory;
    if (known && record->mask == mask && record->lane != lane && !access->writes)
        lane = SEVERAL;
    else if (known && record->lane == lane)
        mask |= record->mask;
    *record = (struct record){.epoch = lanes->epoch,
                              .key = key,
                              .op = access->op,
                              .lanes = access->lanes,
                              .lane = (uint8_t)lane,
                              .mask = (uint8_t)mask,
                              .memory = origin.memory,
                              .plain = access->plain};
}

/* Loops over the words of a lane: `at` is the address of a word, `mask` its bytes. */
#define EACH_WORD(at, mask, begin, bytes)                                                          \
    for (uint64_t end_ = (begin) + (bytes), at = (begin) & ~(uint64_t)(LANES_WORD - 1), mask = 0;  \
         at < end_ && (mask = word_mask(at, (begin), end_), 1); at += LANES_WORD)

static inline uint32_t word_mask(uint64_t at, uint64_t begin, uint64_t end) {
    const unsigned skip = begin > at ? (unsigned)(begin - at) : 0;
    const unsigned stop = end - at < LANES_WORD ? (unsigned)(end - at) : LANES_WORD;
    return (15u << skip) & (15u >> (LANES_WORD - stop));
}

static void add_words(struct lanes_kept *kept, struct lanes_access *access) {
    const struct lanes_set *words = lanes_words_of(access);
    for (unsigned i = 0; i < LANES_WORDS; i++)
        kept->words.bits[i] = words->bits[i] | (kept->span.high ? kept->words.bits[i] : 0);
    widen(&kept->span, access);
}

/* Whether all lanes access whole words. */
static int is_whole(const struct lanes_access *access) {
    return ((access->low | access->bytes | access->grain) & (LANES_WORD - 1)) == 0;
}

/* Fast path: writes of whole words replace the writes before. */
static void put_writes(struct record *words, uint32_t epoch, const struct lanes_access *access,
                       const struct origin origin) {
    const uint32_t turn = origin.memory * SPREAD, n = access->bytes / LANES_WORD;
    struct record record = {.epoch = epoch,
                            .op = access->op,
                            .lanes = access->lanes,
                            .mask = (1u << LANES_WORD) - 1,
                            .memory = origin.memory,
                            .plain = access->plain};
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        record.lane = (uint8_t)run_lowest(rest);
        record.key = (uint32_t)((lanes_lane_at(access, record.lane) - origin.base) / LANES_WORD);
        for (uint32_t i = 0; i < n; i++, record.key++)
            words[(record.key + turn) & (SLOTS - 1)] = record;
    }
}

/* Puts the words of an access into the table. */
static void keep(struct lanes_table *table, struct lanes_warp *lanes, struct run_warp *warp,
                 struct lanes_access *access) {
    const struct origin origin = origin_of(warp, access);
    if (!table->words)
        table->words = calloc(2, sizeof table->words[0]);
    if (!table->words) {
        run_no_memory(warp);
        return;
    }
    add_words(&lanes->kept[access->space == PTX_GLOBAL][access->writes], access);
    if (access->writes && access->plain != RUN_PLAIN_TOGETHER && is_whole(access)) {
        put_writes(table->words[1], lanes->epoch, access, origin);
        return;
    }
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        const uint64_t begin = lanes_lane_at(access, lane);
        EACH_WORD(at, mask, begin, access->bytes)
        put_word(table, lanes, access, origin, lane_of(access, lane), at, (uint32_t)mask);
    }
}

/* --- findings --- */

/* Several lanes access the bytes at that address. */
static int is_broadcast(const struct lanes_access *access, uint64_t from) {
    unsigned n = 0;
    if (access->is_line && !access->step)
        return (access->lanes & (access->lanes - 1)) != 0;
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1)
        n += lanes_lane_at(access, run_lowest(rest)) == from;
    return n > 1;
}

/* Volatile accesses in lockstep. */
static int is_lockstep(const struct lanes_access *mine, unsigned lane, uint64_t from,
                       const struct record *other) {
    if (mine->plain != RUN_PLAIN_VOLATILE || other->plain != RUN_PLAIN_VOLATILE)
        return 1;
    if (other->lane >= RUN_LANES || (!mine->writes && is_broadcast(mine, from)))
        return 0;
    return (other->lanes >> lane & 1) || (mine->lanes >> other->lane & 1);
}

struct hearing {
    struct lanes_table *table;
    struct lanes_warp *lanes;
    struct run_warp *warp;
    const struct run_op *op;
    const struct run_access *access;
    struct lanes_access *mine;
    struct origin origin; /* of mine */
};

/* Whether a lane writes the bytes that are there. Other threads of the host may write them too, so
 * those that this one has written count. */
static int changes_nothing(const struct hearing *hearing, unsigned lane) {
    const struct run_access *access = hearing->access;
    uint8_t room[RUN_LANES * REACH_MOST], written[REACH_MOST];
    const uint8_t *data = access->kind == RUN_WRITE ? reach_data(access, room) : NULL;
    const uint8_t *there = run_access_host(access, lane);
    if (!data)
        return 0;
    if (access->space == PTX_GLOBAL &&
        global_written(hearing->warp, lanes_lane_at(hearing->mine, lane), access->bytes, written))
        there = written;
    return memcmp(there, data + (size_t)lane * access->bytes, access->bytes) == 0;
}

static struct run_words place_words(const struct hearing *hearing, uint64_t at) {
    const struct run_buffer *buffer;
    struct run_words words;
    struct base_text text = {words.text, sizeof words.text, 0};
    if (hearing->mine->space == PTX_SHARED)
        return run_shared_words(hearing->warp, at, "shared address ");
    buffer = run_buffer_of(hearing->warp->worker->launch->device, at, 1);
    base_put(&text, "byte %llu of '%.60s'", (unsigned long long)(buffer ? at - buffer->base : at),
             buffer && buffer->name ? buffer->name : "a buffer");
    return words;
}

static void tell(const struct hearing *hearing, unsigned lane, uint64_t at,
                 const struct record *other, const char *did) {
    const struct run_warp *warp = hearing->warp;
    const struct run_words where = place_words(hearing, at);
    const struct run_subject subject = {RUN_ADDRESS, hearing->mine->space, 4, at, 0};
    char mine_text[32] = "", other_text[64];
    struct base_text mine = {mine_text, sizeof mine_text, 0};
    struct base_text others = {other_text, sizeof other_text, 0};
    if (!hearing->mine->writes && other->plain == RUN_PLAIN_STRONG &&
        guess_tell(hearing->warp, hearing->op, lane, other->op,
                   run_number(hearing->warp, hearing->op), &subject, where.text))
        return;
    if (hearing->mine->plain != RUN_PLAIN_TOGETHER)
        base_put(&mine, "lane %u of ", lane);
    if (other->lane < RUN_LANES)
        base_put(&others, "lane %u of this warp", other->lane);
    else
        base_put(&others, "%s",
                 other->lane == ALL ? "the whole warp" : "several lanes of this warp");
    run_finding_of(hearing->warp, hearing->op, lane, &warp->program->ops[other->op], RULE_RACE_WARP,
                   &subject, "%swarp %u %s %s, which %s %s: nothing orders the two%s", mine_text,
                   warp->number, hearing->mine->writes ? "writes" : "reads", where.text, other_text,
                   did,
                   race_updates_here(warp, run_number(warp, hearing->op), other->op)
                       ? RACE_ATOMIC
                       : "; missing: __syncwarp, or bar.warp.sync");
}

static void tell_same(const struct hearing *hearing, unsigned lane, unsigned other, uint64_t at) {
    const struct run_words where = place_words(hearing, at);
    const struct run_subject subject = {RUN_ADDRESS, hearing->mine->space, 4, at, 0};
    const uint32_t number = run_number(hearing->warp, hearing->op);
    run_finding_of(hearing->warp, hearing->op, lane, hearing->op, RULE_RACE_WARP, &subject,
                   "lanes %u and %u of warp %u write different values to %s at once: which one "
                   "stays is undefined%s",
                   other, lane, hearing->warp->number, where.text,
                   race_updates_here(hearing->warp, number, number) ? RACE_ATOMIC : "");
}

/* --- comparing --- */

/* Whether a word of the table conflicts with that of a lane. */
static int conflicts(const struct hearing *hearing, const struct record *record, uint32_t key,
                     unsigned lane, uint32_t mask) {
    const struct lanes_access *mine = hearing->mine;
    return record->epoch == hearing->lanes->epoch && record->key == key &&
           record->memory == hearing->origin.memory && (record->mask & mask) &&
           (record->lane != lane || lane == ALL) && !lanes_never_race(record->plain, mine->plain);
}

/* Compares a word with the table. Returns 1 if the finding was made. */
static int compare_word(const struct hearing *hearing, unsigned lane, uint64_t at, uint32_t mask) {
    const struct lanes_access *mine = hearing->mine;
    const uint32_t key = (uint32_t)((at - hearing->origin.base) / LANES_WORD);
    const uint32_t memory = hearing->origin.memory;
    const unsigned as = lane_of(mine, lane);
    const struct record *written = record_of(hearing->table, 1, memory, key);
    const struct record *read = record_of(hearing->table, 0, memory, key);
    if (conflicts(hearing, written, key, as, mask) && is_lockstep(mine, lane, at, written) &&
        !(mine->writes && changes_nothing(hearing, lane))) {
        tell(hearing, lane, at, written, "wrote");
        return 1;
    }
    /* A plain load before an atomic is a guess that the atomic tests, or a number for it. */
    if (mine->writes && mine->plain != RUN_PLAIN_STRONG &&
        conflicts(hearing, read, key, as, mask) && is_lockstep(mine, lane, at, read)) {
        tell(hearing, lane, at, read, "read");
        return 1;
    }
    return 0;
}

static int compare(struct hearing *hearing) {
    const struct lanes_access *mine = hearing->mine;
    uint32_t rest = mine->lanes;
    hearing->origin = origin_of(hearing->warp, mine);
    if (!hearing->table->words)
        return 0;
    if (mine->is_line && !mine->step && !mine->writes) { /* two lanes read what all read */
        const uint32_t others = rest & (rest - 1);
        rest = (rest & (0u - rest)) | (others & (0u - others));
    }
    for (; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        const uint64_t begin = lanes_lane_at(mine, lane);
        EACH_WORD(at, mask, begin, mine->bytes)
        if (compare_word(hearing, lane, at, (uint32_t)mask))
            return 1;
    }
    return 0;
}

/* Lanes of one store that write one place: the first pair with different values. */
static void compare_same(const struct hearing *hearing) {
    struct lanes_access *mine = hearing->mine;
    const uint32_t bytes = mine->bytes;
    uint8_t room[RUN_LANES * REACH_MOST], owner[64];
    const uint8_t *data;
    if (lanes_are_distinct(mine))
        return;
    data = reach_data(hearing->access, room);
    if (!data)
        return;
    memset(owner, RUN_LANES, sizeof owner);
    for (uint32_t rest = mine->lanes; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        const uint64_t at = lanes_lane_at(mine, lane);
        unsigned slot = (unsigned)(at / bytes) % sizeof owner;
        while (owner[slot] < RUN_LANES && lanes_lane_at(mine, owner[slot]) != at)
            slot = (slot + 1) % sizeof owner;
        if (owner[slot] < RUN_LANES &&
            memcmp(data + (size_t)owner[slot] * bytes, data + (size_t)lane * bytes, bytes) != 0) {
            tell_same(hearing, lane, owner[slot], at);
            return;
        }
        owner[slot] = (uint8_t)lane;
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
            keep(table, lanes, warp, old);
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
    widen(&lanes->olds[access->space == PTX_GLOBAL], access);
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
            keep(table, lanes, warp, old);
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
 */
static void compare_all(struct hearing *hearing) {
    struct lanes_warp *lanes = hearing->lanes;
    struct lanes_access *mine = hearing->mine;
    uint32_t rivals;
    if (lanes->n_old)
        look_up_old(hearing->table, lanes, hearing->warp, mine);
    rivals = rivals_of(lanes, mine);
    for (uint32_t i = lanes->next; rivals && i < lanes->next + LANES_PENDING; i++) {
        const uint32_t slot = i % LANES_PENDING;
        if (rivals >> slot & 1)
            keep(hearing->table, lanes, hearing->warp, &lanes->pending[slot]);
    }
    lanes->filled &= ~rivals;
    if (overlaps_kept(lanes, mine, 1) || (mine->writes && overlaps_kept(lanes, mine, 0)))
        compare(hearing);
}

void lanes_compare(struct lanes_table *table, struct lanes_warp *lanes, struct run_warp *warp,
                   const struct run_op *op, const struct run_access *access) {
    struct hearing hearing;
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
    take_head(mine, op, warp, access);
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
    hearing = (struct hearing){table, lanes, warp, op, access, mine, {0, 0}};
    if (overlaps_heard(lanes, mine->space, mine->writes, mine->low, mine->high))
        compare_all(&hearing);
    if (mine->writes && !ascends && access->kind == RUN_WRITE && mine->plain != RUN_PLAIN_TOGETHER)
        compare_same(&hearing);
    if (access->kind == RUN_ATOMIC || (mine->plain == RUN_PLAIN_STRONG && !mine->writes)) {
        lanes->epoch = 0;
        return;
    }
    hear_span(lanes, mine);
    lanes->filled |= 1u << slot;
}

/* All of a line. */
static void take_all_of(struct lanes_access *mine, const struct lanes_line *line) {
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
    take_all_of(&mine, line);
    return is_apart(lanes, &mine);
}

void lanes_keep(struct lanes_table *table, struct lanes_warp *lanes, struct run_warp *warp,
                const struct lanes_line *line) {
    struct lanes_access *mine = make_room(table, lanes, warp);
    lanes->reads += !line->writes;
    lanes->wrote |= !line->writes ? 0 : line->space == PTX_GLOBAL ? 2 : 1;
    take_all_of(mine, line);
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
