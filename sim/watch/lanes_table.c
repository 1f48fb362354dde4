/* The words of the current epochs: the last read and the last write of each. Lanes of a warp are
 * compared with them, and this file reports their races. */
#include "lanes_table.h"

#include "../state/device.h"

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
    uint8_t plain, time;
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

uint32_t lanes_table_epoch(struct lanes_table *table) {
    if (!++table->epochs) {
        if (table->words)
            memset(table->words, 0, 2 * sizeof table->words[0]);
        table->epochs = 1;
    }
    return table->epochs;
}

/* --- words --- */

static struct lanes_origin origin_of(const struct run_warp *warp,
                                     const struct lanes_access *access) {
    const struct run_buffer *buffer;
    if (access->space == PTX_SHARED)
        return (struct lanes_origin){0, 0};
    buffer = run_buffer_of(warp->worker->launch->device, access->low, 1);
    return buffer ? (struct lanes_origin){buffer->base, 1 + buffer->number}
                  : (struct lanes_origin){0, UINT32_MAX};
}

static inline struct record *record_of(struct lanes_table *table, int writes, uint32_t memory,
                                       uint32_t key) {
    return &table->words[writes][(key + memory * SPREAD) & (SLOTS - 1)];
}

static inline unsigned lane_of(const struct lanes_access *access, unsigned lane) {
    return access->plain == RUN_PLAIN_TOGETHER ? ALL : lane;
}

static void put_word(struct lanes_table *table, const struct lanes_warp *lanes,
                     const struct lanes_access *access, const struct lanes_origin origin,
                     unsigned lane, uint64_t at, uint32_t mask) {
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
                              .time = access->time,
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
    lanes_widen(&kept->span, access);
}

/* Whether all lanes access whole words. */
static int is_whole(const struct lanes_access *access) {
    return ((access->low | access->bytes | access->grain) & (LANES_WORD - 1)) == 0;
}

/* Fast path: writes of whole words replace the writes before. */
static void put_writes(struct record *words, uint32_t epoch, const struct lanes_access *access,
                       const struct lanes_origin origin) {
    const uint32_t turn = origin.memory * SPREAD, n = access->bytes / LANES_WORD;
    struct record record = {.epoch = epoch,
                            .op = access->op,
                            .lanes = access->lanes,
                            .time = access->time,
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

void lanes_table_keep(struct lanes_table *table, struct lanes_warp *lanes, struct run_warp *warp,
                      struct lanes_access *access) {
    const struct lanes_origin origin = origin_of(warp, access);
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

/* Whether a lane writes the bytes that are there. Other threads of the host may write them too, so
 * those that this one has written count. */
static int changes_nothing(const struct lanes_hearing *hearing, unsigned lane) {
    const struct run_access *access = hearing->access;
    uint8_t room[RUN_LANES * REACH_MOST], written[REACH_MOST];
    const uint8_t *data = access->kind == RUN_WRITE ? reach_data(access, room) : NULL;
    const uint8_t *there = run_access_host(access, lane);
    if (!data)
        return 0;
    hearing->warp->worker->judged++;
    if (access->space == PTX_GLOBAL &&
        global_written(hearing->warp, lanes_lane_at(hearing->mine, lane), access->bytes, written))
        there = written;
    return memcmp(there, data + (size_t)lane * access->bytes, access->bytes) == 0;
}

static struct run_words place_words(const struct lanes_hearing *hearing, uint64_t at) {
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

/* Whether an atomic repairs the race: each lane that reads the word also writes it. */
static int is_update(const struct lanes_hearing *hearing, const struct record *other) {
    const int leads = hearing->mine->writes && (other->lanes & ~hearing->mine->lanes);
    return !leads &&
           race_updates_here(hearing->warp, run_number(hearing->warp, hearing->op), other->op);
}

static void tell(const struct lanes_hearing *hearing, unsigned lane, uint64_t at,
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
    run_finding_of(
        hearing->warp, hearing->op, lane, &warp->program->ops[other->op], RULE_RACE_WARP, &subject,
        "%swarp %u %s %s, which %s %s: nothing orders the two%s", mine_text, warp->number,
        hearing->mine->writes ? "writes" : "reads", where.text, other_text, did,
        is_update(hearing, other) ? RACE_ATOMIC : "; missing: __syncwarp, or bar.warp.sync");
}

static void tell_same(const struct lanes_hearing *hearing, unsigned lane, unsigned other,
                      uint64_t at) {
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

/* Whether a part with both lanes has met since; for several lanes, whether any part has. */
static int have_met(const struct lanes_warp *lanes, unsigned lane, const struct record *record) {
    if (record->time == lanes->time)
        return 0;
    return lane >= RUN_LANES || record->lane >= RUN_LANES ||
           lanes->parts->known[lane][record->lane] > record->time;
}

/* Whether a word of the table conflicts with that of a lane. */
static int conflicts(const struct lanes_hearing *hearing, const struct record *record, uint32_t key,
                     unsigned lane, uint32_t mask) {
    const struct lanes_access *mine = hearing->mine;
    return record->epoch == hearing->lanes->epoch && record->key == key &&
           record->memory == hearing->origin.memory && (record->mask & mask) &&
           (record->lane != lane || lane == ALL) && !lanes_never_race(record->plain, mine->plain) &&
           !have_met(hearing->lanes, lane, record);
}

/* Compares a word with the table. Returns 1 if the finding was made. */
static int compare_word(const struct lanes_hearing *hearing, unsigned lane, uint64_t at,
                        uint32_t mask) {
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

int lanes_table_compare(struct lanes_hearing *hearing) {
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

void lanes_table_same(const struct lanes_hearing *hearing) {
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
        hearing->warp->worker->judged += owner[slot] < RUN_LANES;
        if (owner[slot] < RUN_LANES &&
            memcmp(data + (size_t)owner[slot] * bytes, data + (size_t)lane * bytes, bytes) != 0) {
            tell_same(hearing, lane, owner[slot], at);
            return;
        }
        owner[slot] = (uint8_t)lane;
    }
}
