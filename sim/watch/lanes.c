/* Races between lanes of one warp.
 *
 * The last accesses of an epoch are kept whole. Few of them overlap, and equal rows of words do not
 * conflict. So an access mostly costs the comparison of some intervals. An access that overlaps
 * another one goes to a table of words, where each word has its last read and its last write. The
 * table forgets a word when another one takes its place. Old reads are dropped. So a race may be
 * missed, and none is invented.
 *
 * Volatile accesses are strong, so they do not race by the letter. Code from before sm_70 relies on
 * them in lockstep. They are a finding if the reader took part in the write, or the writer in the
 * read. A flag that one branch sets and another one polls is none. Nor is a word that several lanes
 * read at once.
 *
 * ldmatrix, stmatrix and wmma access memory for the whole warp. They wait for all lanes, but PTX
 * promises no order of memory with that. So a store, then ldmatrix without __syncwarp is a race. */
#include "lanes.h"

#include "../reach/hear.h"
#include "../state/device.h"

#include <stdlib.h>

enum {
    SLOTS = 2048, /* words of a table, a power of two */
    WORD = 4,
    ALL = RUN_LANES, /* lane of an access for the whole warp   */
    SEVERAL          /* lane of a read by more than one        */
};

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
    struct record words[2][SLOTS]; /* [writes] */
};

struct lanes_table *lanes_table_make(void) {
    return calloc(1, sizeof(struct lanes_table));
}

void lanes_table_free(struct lanes_table *table) {
    free(table);
}

int lanes_may_race(const struct run_launch *launch) {
    return ptx_target_number(launch->program->module->target) >= ISA_SYNC_TARGET;
}

/* --- epochs --- */

static void begin_epoch(struct lanes_table *table, struct lanes_warp *lanes) {
    if (!++table->epochs) {
        memset(table->words, 0, sizeof table->words);
        table->epochs = 1;
    }
    lanes->epoch = table->epochs;
    lanes->filled = lanes->reads = 0;
    lanes->wrote = 0;
    for (unsigned i = 0; i < 4; i++)
        lanes->kept[i / 2][i % 2] = (struct lanes_span){UINT64_MAX, 0};
}

/* --- accesses --- */

static inline int overlap(uint64_t low, uint64_t high, uint64_t other_low, uint64_t other_high) {
    return low < other_high && other_low < high;
}

static inline uint64_t lane_at(const struct lanes_access *access, unsigned lane) {
    return access->low + (access->is_row ? (uint64_t)lane * access->bytes : access->from[lane]);
}

static inline int is_strong(unsigned plain) {
    return plain == RUN_PLAIN_STRONG || plain == RUN_PLAIN_VOLATILE;
}

static inline int never_races(unsigned a, unsigned b) {
    return is_strong(a) && is_strong(b) && (a != RUN_PLAIN_VOLATILE || b != RUN_PLAIN_VOLATILE);
}

/* Fills in the addresses. 0: they are too far apart. */
static int take(struct lanes_access *mine, const struct run_op *op, struct run_warp *warp,
                const struct run_access *access, int *ascends) {
    const uint32_t lanes = access->all ? access->all : access->lanes;
    uint64_t low = UINT64_MAX, high = 0, end = 0;
    int up = 1;
    mine->op = run_number(warp, op);
    mine->bytes = access->bytes;
    mine->space = access->space;
    mine->plain = access->plain;
    mine->writes = access->kind != RUN_READ;
    mine->lanes = lanes;
    mine->is_row = access->row == RUN_LANES;
    *ascends = 1;
    if (mine->is_row) {
        mine->low = access->at[0];
        mine->high = access->at[0] + (uint64_t)RUN_LANES * access->bytes;
        return 1;
    }
    if (!(access->lanes & (access->lanes - 1))) {
        /* All of them read what the lowest one reads. */
        mine->low = access->at[run_lowest(access->lanes)];
        mine->high = mine->low + access->bytes;
        memset(mine->from, 0, sizeof mine->from);
        return 1;
    }
    if (lanes == UINT32_MAX) {
        for (unsigned lane = 0; lane < RUN_LANES; lane++) {
            const uint64_t at = access->at[lane];
            low = at < low ? at : low;
            high = at > high ? at : high;
            up &= at >= end;
            end = at + access->bytes;
        }
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            mine->from[lane] = (uint32_t)(access->at[lane] - low);
    } else {
        for (uint32_t rest = lanes; rest; rest &= rest - 1) {
            const uint64_t at = access->at[run_lowest(rest)];
            low = at < low ? at : low;
            high = at > high ? at : high;
            up &= at >= end;
            end = at + access->bytes;
        }
        for (uint32_t rest = lanes; rest; rest &= rest - 1)
            mine->from[run_lowest(rest)] = (uint32_t)(access->at[run_lowest(rest)] - low);
    }
    mine->low = low;
    mine->high = high + access->bytes;
    *ascends = up;
    return high - low <= UINT32_MAX;
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
    return &table->words[writes][(key + memory * 0x9E3779B1u) & (SLOTS - 1)];
}

static inline unsigned lane_of(const struct lanes_access *access, unsigned lane) {
    return access->plain == RUN_PLAIN_TOGETHER ? ALL : lane;
}

static void put_word(struct lanes_table *table, const struct lanes_warp *lanes,
                     const struct lanes_access *access, const struct origin origin, unsigned lane,
                     uint64_t at, uint32_t mask) {
    const uint32_t key = (uint32_t)((at - origin.base) / WORD);
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
    for (uint64_t end_ = (begin) + (bytes), at = (begin) & ~(uint64_t)(WORD - 1), mask = 0;        \
         at < end_ && (mask = word_mask(at, (begin), end_), 1); at += WORD)

static inline uint32_t word_mask(uint64_t at, uint64_t begin, uint64_t end) {
    const unsigned skip = begin > at ? (unsigned)(begin - at) : 0;
    const unsigned stop = end - at < WORD ? (unsigned)(end - at) : WORD;
    return (15u << skip) & (15u >> (WORD - stop));
}

/* Puts the words of an access into the table. */
static void keep(struct lanes_table *table, struct lanes_warp *lanes, const struct run_warp *warp,
                 const struct lanes_access *access) {
    const struct origin origin = origin_of(warp, access);
    struct lanes_span *span = &lanes->kept[access->space == PTX_GLOBAL][access->writes];
    span->low = access->low < span->low ? access->low : span->low;
    span->high = access->high > span->high ? access->high : span->high;
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        const uint64_t begin = lane_at(access, lane);
        EACH_WORD(at, mask, begin, access->bytes)
        put_word(table, lanes, access, origin, lane_of(access, lane), at, (uint32_t)mask);
    }
}

/* --- findings --- */

/* Several lanes access the bytes at that address. */
static int is_broadcast(const struct lanes_access *access, uint64_t from) {
    unsigned n = 0;
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1)
        n += lane_at(access, run_lowest(rest)) == from;
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

/* Whether a lane writes what is there already. */
static int changes_nothing(const struct run_access *access, unsigned lane) {
    uint8_t room[RUN_LANES * REACH_MOST];
    const uint8_t *data = access->kind == RUN_WRITE ? reach_data(access, room) : NULL;
    return data && memcmp(run_access_host(access, lane), data + (size_t)lane * access->bytes,
                          access->bytes) == 0;
}

struct hearing {
    struct lanes_table *table;
    struct lanes_warp *lanes;
    struct run_warp *warp;
    const struct run_op *op;
    const struct run_access *access;
    const struct lanes_access *mine;
    struct origin origin; /* of mine */
};

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
    if (hearing->mine->plain != RUN_PLAIN_TOGETHER)
        base_put(&mine, "lane %u of ", lane);
    if (other->lane < RUN_LANES)
        base_put(&others, "lane %u of this warp", other->lane);
    else
        base_put(&others, "%s",
                 other->lane == ALL ? "the whole warp" : "several lanes of this warp");
    run_finding_of(hearing->warp, hearing->op, lane, &warp->program->ops[other->op], RULE_RACE_WARP,
                   &subject,
                   "%swarp %u %s %s, which %s %s: nothing orders the two; missing: "
                   "__syncwarp, or bar.warp.sync",
                   mine_text, warp->number, hearing->mine->writes ? "writes" : "reads", where.text,
                   other_text, did);
}

static void tell_same(const struct hearing *hearing, unsigned lane, unsigned other, uint64_t at) {
    const struct run_words where = place_words(hearing, at);
    const struct run_subject subject = {RUN_ADDRESS, hearing->mine->space, 4, at, 0};
    run_finding_of(hearing->warp, hearing->op, lane, hearing->op, RULE_RACE_WARP, &subject,
                   "lanes %u and %u of warp %u write different values to %s at once: which one "
                   "stays is undefined",
                   other, lane, hearing->warp->number, where.text);
}

/* --- comparing --- */

/* Whether a word of the table conflicts with that of a lane. */
static int conflicts(const struct hearing *hearing, const struct record *record, uint32_t key,
                     unsigned lane, uint32_t mask) {
    const struct lanes_access *mine = hearing->mine;
    return record->epoch == hearing->lanes->epoch && record->key == key &&
           record->memory == hearing->origin.memory && (record->mask & mask) &&
           (record->lane != lane || lane == ALL) && !never_races(record->plain, mine->plain);
}

/* Compares a word with the table. Returns 1 if the finding was made. */
static int compare_word(const struct hearing *hearing, unsigned lane, uint64_t at, uint32_t mask) {
    const struct lanes_access *mine = hearing->mine;
    const uint32_t key = (uint32_t)((at - hearing->origin.base) / WORD);
    const uint32_t memory = hearing->origin.memory;
    const unsigned as = lane_of(mine, lane);
    const struct record *written = record_of(hearing->table, 1, memory, key);
    const struct record *read = record_of(hearing->table, 0, memory, key);
    if (conflicts(hearing, written, key, as, mask) && is_lockstep(mine, lane, at, written) &&
        !(mine->writes && changes_nothing(hearing->access, lane))) {
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
    hearing->origin = origin_of(hearing->warp, mine);
    for (uint32_t rest = mine->lanes; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        const uint64_t begin = lane_at(mine, lane);
        EACH_WORD(at, mask, begin, mine->bytes)
        if (compare_word(hearing, lane, at, (uint32_t)mask))
            return 1;
    }
    return 0;
}

/* Whether all lanes certainly write other places: most swizzles spread them over the banks. */
static int are_distinct(const struct lanes_access *access) {
    const unsigned shift = hear_lowest(access->bytes);
    uint64_t seen = 0, twice = 0;
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        const uint64_t bit = UINT64_C(1) << (lane_at(access, run_lowest(rest)) >> shift & 63);
        twice |= seen & bit;
        seen |= bit;
    }
    return !twice;
}

/* Lanes of one store that write one place: the first pair with different values. */
static void compare_same(const struct hearing *hearing) {
    const struct lanes_access *mine = hearing->mine;
    const uint32_t bytes = mine->bytes;
    uint8_t room[RUN_LANES * REACH_MOST], owner[64];
    const uint8_t *data;
    if (are_distinct(mine))
        return;
    data = reach_data(hearing->access, room);
    if (!data)
        return;
    memset(owner, RUN_LANES, sizeof owner);
    for (uint32_t rest = mine->lanes; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        const uint64_t at = lane_at(mine, lane);
        unsigned slot = (unsigned)(at / bytes) % sizeof owner;
        while (owner[slot] < RUN_LANES && lane_at(mine, owner[slot]) != at)
            slot = (slot + 1) % sizeof owner;
        if (owner[slot] < RUN_LANES &&
            memcmp(data + (size_t)owner[slot] * bytes, data + (size_t)lane * bytes, bytes) != 0) {
            tell_same(hearing, lane, owner[slot], at);
            return;
        }
        owner[slot] = (uint8_t)lane;
    }
}

/* Whether no lane of the one access conflicts with another lane of the other one. */
static int are_apart(const struct lanes_access *a, const struct lanes_access *b) {
    return !(a->writes | b->writes) || a->space != b->space ||
           !overlap(a->low, a->high, b->low, b->high) || never_races(a->plain, b->plain) ||
           (a->is_row && b->is_row && a->low == b->low && a->bytes == b->bytes &&
            a->plain != RUN_PLAIN_TOGETHER && b->plain != RUN_PLAIN_TOGETHER);
}

/* Makes room for one more access: an old write goes to the table, an old read is dropped. */
static struct lanes_access *make_room(struct lanes_table *table, struct lanes_warp *lanes,
                                      const struct run_warp *warp) {
    const uint32_t slot = lanes->next++ % LANES_PENDING;
    struct lanes_access *access = &lanes->pending[slot];
    if ((lanes->filled >> slot & 1) && access->writes)
        keep(table, lanes, warp, access);
    lanes->filled &= ~(1u << slot);
    return access;
}

static int overlaps_kept(const struct lanes_warp *lanes, const struct lanes_access *mine,
                         int writes) {
    const struct lanes_span *span = &lanes->kept[mine->space == PTX_GLOBAL][writes];
    return overlap(mine->low, mine->high, span->low, span->high);
}

void lanes_hear(struct lanes_table *table, struct lanes_warp *lanes, struct run_warp *warp,
                const struct run_op *op, const struct run_access *access) {
    struct hearing hearing = {table, lanes, warp, op, access, NULL, {0, 0}};
    struct lanes_access *mine;
    const int reads = access->kind == RUN_READ;
    const uint8_t space = access->space == PTX_GLOBAL ? 2 : 1;
    uint32_t slot;
    int ascends;
    if (!lanes->epoch)
        begin_epoch(table, lanes);
    if (reads && !(lanes->wrote & space) && lanes->reads >= LANES_READS)
        return;
    lanes->reads += (uint32_t)reads;
    lanes->wrote |= reads ? 0 : space;
    mine = make_room(table, lanes, warp);
    slot = (uint32_t)(mine - lanes->pending);
    if (!take(mine, op, warp, access, &ascends))
        return;
    hearing.mine = mine;
    for (uint32_t rest = lanes->filled; rest; rest &= rest - 1) {
        const unsigned other = run_lowest(rest);
        if (are_apart(mine, &lanes->pending[other]))
            continue;
        keep(table, lanes, warp, &lanes->pending[other]);
        lanes->filled &= ~(1u << other);
    }
    if (mine->writes && !ascends && access->kind == RUN_WRITE && mine->plain != RUN_PLAIN_TOGETHER)
        compare_same(&hearing);
    if (overlaps_kept(lanes, mine, 1) || (mine->writes && overlaps_kept(lanes, mine, 0)))
        compare(&hearing);
    if (access->kind == RUN_ATOMIC || (mine->plain == RUN_PLAIN_STRONG && !mine->writes))
        lanes->epoch = 0;
    else
        lanes->filled |= 1u << slot;
}
