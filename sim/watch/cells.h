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
 * cluster, so the access is strong only there. Bit 3: strong, by the async proxy. Two accesses are
 * morally strong only if both use one proxy (PTX ISA 9.0, memory consistency model). */
enum race_class {
    RACE_READ,
    RACE_STRONG_READ,
    RACE_WRITE,
    RACE_STRONG_WRITE,
    RACE_NARROW,
    RACE_ASYNC = 8
};
#define RACE_CLASSES 16

/* Whether both accesses are strong, and by one proxy. */
static inline int race_are_strong(unsigned a, unsigned b) {
    return (a & b & 1) && !((a ^ b) & RACE_ASYNC);
}

static inline int race_conflicts(unsigned a, unsigned b) {
    return ((a | b) & RACE_WRITE) && !race_are_strong(a, b);
}

/* The same of accesses of different units. */
static inline int race_conflicts_far(unsigned a, unsigned b) {
    return ((a | b) & RACE_WRITE) && (!race_are_strong(a, b) || ((a | b) & RACE_NARROW));
}

struct race_entry {
    struct race_entry *next;
    uint64_t mask;                  /* a bit a byte                                               */
    struct race_mark last;          /* access of this class                                      */
    uint8_t kind;                   /* enum race_class                                            */
    uint8_t blurred;                /* units read it out of turn: the marks may be of others      */
    uint32_t ahead;                 /* last place of a unit that accessed it ahead of its turn    */
    struct race_mark before;        /* another one that `last` is not ordered after; or none    */
    struct race_mark first, second; /* of the two lowest units, where that is asked for         */
    uint64_t differs;               /* bytes that were not always written with one value        */
    uint8_t *values;                /* [RACE_CELL] written last; NULL: not needed               */
};

/* Where entries come from; they are given back together. */
struct race_pool {
    struct pool entries;
    struct race_entry *spare;
};

/* An entry of no bytes, whose accesses are to be filled in; NULL: no memory. Values, which belong
 * to the entry from then on. */
struct race_entry *race_entry_make(struct race_pool *pool);
void race_entry_drop(struct race_pool *pool, struct race_entry *entry);
/* All entries are given back; `most` chunks are left in *kept, for another pool that begins with
 * them, the others are freed. */
void race_pool_end(struct race_pool *pool, struct pool_chunk **kept, unsigned most);
void race_chunks_free(struct pool_chunk *chunks);

/* By the same one between two things that order it: with whichever operation. */
static inline int race_same(const struct race_mark *a, const struct race_mark *b) {
    return a->clock == b->clock && a->actor == b->actor && a->unit == b->unit;
}

#endif
