/* cells.h - who accessed which bytes last: memory of races.
 *
 * Memory is cut into cells of 64 bytes. A cell is a list of entries: bytes of it that were accessed
 * in the same way by the same ones. Most cells have one or two, as warps access side by side. */
#ifndef WSIM_WATCH_CELLS_H
#define WSIM_WATCH_CELLS_H

#include "../state/pool.h"

#include <stdint.h>

#define RACE_CELL 64

/* An access: who, at which time of its own, with which operation. */
struct race_mark {
    uint32_t clock; /* 0: there is none                */
    uint32_t op;
    uint32_t unit;  /* number of the cluster, or block */
    uint16_t actor; /* of the unit                     */
    uint8_t lane;   /* that accessed the first byte    */
};

/* Bit 0: not weak (atomic, volatile, ordered). Bit 1: a write. Bit 2: the scope is the block or the
 * cluster, so the access is strong only there. Bit 3: strong, by the async proxy. Bit 4: the scope
 * is one of several blocks of a cluster. Two accesses are morally strong only if both use one
 * proxy, and the scope of each has the other (PTX ISA 9.0, memory consistency model). */
enum race_class {
    RACE_READ,
    RACE_STRONG_READ,
    RACE_WRITE,
    RACE_STRONG_WRITE,
    RACE_NARROW,
    RACE_ASYNC = 8,
    RACE_BLOCK = 16
};
#define RACE_CLASSES 32
#define RACE_SCOPES (RACE_NARROW | RACE_BLOCK)

/* Whether both accesses are strong, and by one proxy. */
static inline int race_are_strong(unsigned a, unsigned b) {
    return (a & b & 1) && !((a ^ b) & RACE_ASYNC);
}

static inline int race_conflicts(unsigned a, unsigned b) {
    return ((a | b) & RACE_WRITE) && !race_are_strong(a, b);
}

/* The same of different blocks of a unit. */
static inline int race_conflicts_near(unsigned a, unsigned b) {
    return ((a | b) & RACE_WRITE) && (!race_are_strong(a, b) || ((a | b) & RACE_BLOCK));
}

/* The same of two accesses of one kind: weak writes, and strong ones with RACE_BLOCK. */
static inline int race_conflicts_alike(unsigned kind) {
    return 0xCCCC4444u >> kind & 1;
}

/* The same of accesses of different units. */
static inline int race_conflicts_far(unsigned a, unsigned b) {
    return ((a | b) & RACE_WRITE) && (!race_are_strong(a, b) || ((a | b) & RACE_NARROW));
}

struct race_entry {
    struct race_entry *next;
    uint64_t mask;          /* a bit a byte                                               */
    struct race_mark last;  /* access of this class                                      */
    struct race_more *more; /* NULL: `last` is all                                        */
    uint32_t ahead;         /* last place of a unit that accessed it ahead of its turn    */
    uint8_t kind;           /* enum race_class                                            */
    uint8_t blurred;        /* units read it out of turn: the marks may be of others      */
};

/* The rest of an entry. Most bytes are accessed once, so most entries have none. */
struct race_more {
    struct race_mark before;        /* another one that `last` is not ordered after; or none      */
    struct race_mark first, second; /* of the two lowest units, where that is asked for           */
    uint64_t differs;               /* bytes that were not always written with one value          */
    uint8_t *values;                /* [RACE_CELL] written last; NULL: not needed                 */
};

/* Scattered accesses of many warps make long lists. Then the cell says what its list may
 * hold: a bit for each word that entries have bytes of. RACE_MARKS bits are for last accesses. */
struct race_cell {
    struct race_entry *entries;
    uint64_t holds; /* 0: the list is short */
};
enum { RACE_WORDS = RACE_CELL / 4, RACE_MARKS = 64 - RACE_WORDS };

/* A bit for each word of these bytes. */
static inline uint64_t race_words_of(uint64_t mask) {
    mask |= mask >> 1;
    mask = (mask | mask >> 2) & UINT64_C(0x1111111111111111);
    mask = (mask | mask >> 3) & UINT64_C(0x0303030303030303);
    mask = (mask | mask >> 6) & UINT64_C(0x000F000F000F000F);
    mask = (mask | mask >> 12) & UINT64_C(0x000000FF000000FF);
    return (mask | mask >> 24) & UINT64_C(0xFFFF);
}

/* The bit of an access. */
static inline uint64_t race_bit_of(const struct race_mark *mark) {
    const uint32_t mixed = mark->clock * 0x85EBCA6Bu ^ mark->op * 0xC2B2AE35u ^
                           mark->unit * 0x27D4EB2Fu ^ mark->actor * 0x165667B1u;
    return UINT64_C(1) << (RACE_WORDS + (mixed * 0x9E3779B1u >> 16) * RACE_MARKS / 0x10000);
}

/* Whether no entry of a cell has one of these bytes: they were not accessed. For long lists 0 also:
 * one may have. */
static inline int race_is_fresh(const struct race_cell *cell, uint64_t mask) {
    const struct race_entry *entry = cell->entries;
    if (cell->holds)
        return !(cell->holds & race_words_of(mask));
    while (entry && !(entry->mask & mask))
        entry = entry->next;
    return !entry;
}

static inline const struct race_mark *race_before(const struct race_entry *entry) {
    static const struct race_mark none;
    return entry->more ? &entry->more->before : &none;
}
static inline const struct race_mark *race_first(const struct race_entry *entry) {
    return entry->more ? &entry->more->first : &entry->last;
}
static inline const struct race_mark *race_second(const struct race_entry *entry) {
    static const struct race_mark none;
    return entry->more ? &entry->more->second : &none;
}
static inline uint64_t race_differs(const struct race_entry *entry) {
    return entry->more ? entry->more->differs : 0;
}
static inline uint8_t *race_values(const struct race_entry *entry) {
    return entry->more ? entry->more->values : NULL;
}

/* A struct race_more, or the values of one. */
union race_rest {
    union race_rest *next;
    struct race_more more;
    uint8_t values[RACE_CELL];
};

/* Where entries come from; they are given back together. A device also keeps a log of reads.h,
 * after their chunks. */
enum { RACE_ENTRIES, RACE_RESTS, RACE_POOLS, RACE_LOG = RACE_POOLS, RACE_KEPT };
struct race_pool {
    struct pool pools[RACE_POOLS];
    struct race_entry *spare;
    union race_rest *spare_rests;
};

/* An entry of no bytes, whose last access is to be filled in. race_more_of adds the rest, race_add
 * values, unless the entry has them. NULL: no memory. */
struct race_entry *race_entry_make(struct race_pool *pool);
struct race_more *race_more_of(struct race_pool *pool, struct race_entry *entry);
uint8_t *race_add_values(struct race_pool *pool, struct race_entry *entry);
void race_entry_drop(struct race_pool *pool, struct race_entry *entry);
/* A pool begins with the chunks that another one has left in `kept`. In the end all entries are
 * given back. Some chunks are left, unless there are some; the others are freed. */
void race_pool_begin(struct race_pool *pool, struct pool_chunk *kept[RACE_POOLS]);
void race_pool_end(struct race_pool *pool, struct pool_chunk *kept[RACE_POOLS]);

/* By the same one between two things that order it: with whichever operation. */
static inline int race_same(const struct race_mark *a, const struct race_mark *b) {
    return a->clock == b->clock && a->actor == b->actor && a->unit == b->unit;
}

/* The same, and findings name one line for both. */
static inline int race_equal(const struct race_mark *a, const struct race_mark *b) {
    return race_same(a, b) && a->op == b->op;
}

#endif
