/* lanes.h - races between lanes of one warp.
 *
 * An *epoch* of a warp is the time between two events that order its lanes. These are instructions
 * with a member mask, barriers, waits, fences, and atomics that return a value. Two accesses of
 * different lanes in one epoch are unordered, unless a part of the warp meets between them that
 * both belong to. */
#ifndef WSIM_WATCH_LANES_H
#define WSIM_WATCH_LANES_H

#include "../state/run.h"

#define LANES_PENDING 8 /* accesses of an epoch that are kept whole */
#define LANES_READS 6   /* first reads of an epoch, which later writes are compared with */
#define LANES_OLD 128   /* older writes of an epoch that are not in the table yet */
#define LANES_WORDS 16  /* words of a set */

/* Parts of a warp that meet within an epoch. Its time counts them. At LANES_PARTS it ends. */
#define LANES_PARTS UINT8_MAX
struct lanes_parts {
    /* [lane][other]: the time up to which it knows the other one */
    uint8_t known[RUN_LANES][RUN_LANES];
};

/* A set of words of 4 bytes: a bit for each, modulo 4 KiB. */
struct lanes_set {
    uint64_t bits[LANES_WORDS];
};

/* An access that later ones of its epoch are compared with. */
struct lanes_access {
    uint64_t low, high; /* bytes, low .. high - 1                       */
    uint32_t op, lanes;
    uint32_t bytes;       /* of each lane                                 */
    uint8_t space, plain; /* enum ptx_space; enum run_plain               */
    uint8_t writes;
    uint8_t is_line;   /* lane i is at first + i * step, modulo 2^64           */
    uint8_t is_swap;   /* lane i is at first ^ i * bytes; all lanes            */
    uint8_t is_spread; /* lanes do not overlap each other; 0 also: not known   */
    uint8_t is_raw;    /* a read with addresses at[], and nothing else, yet    */
    uint8_t time;      /* of the epoch                                         */
    uint64_t first, step;
    uint32_t grain; /* a power of two that divides all distances of lanes   */
    /* All bytes are in the first `width` ones of every `period` bytes from `low` on; 0: not known
     */
    uint32_t period, width;
    uint8_t has_words; /* whether words is filled in                           */
    union {
        uint32_t from[RUN_LANES]; /* of each lane, counted from low; not in lines and swaps */
        uint64_t at[RUN_LANES];
    };
    struct lanes_set words;
};

/* The bytes of several accesses. */
struct lanes_span {
    uint64_t low, high;
};

/* The bytes of the accesses in the table, of one space and sort. */
struct lanes_kept {
    struct lanes_span span;
    struct lanes_set words; /* garbage while the span is empty */
};

/* A warp. */
struct lanes_warp {
    uint32_t epoch;                /* 0: a new one begins with the next access  */
    uint32_t next;                 /* of pending                                */
    uint32_t filled;               /* a bit an access of pending                */
    uint32_t reads;                /* of the epoch */
    uint8_t time;                  /* parts that have met in it, at most LANES_PARTS */
    uint8_t wrote;                 /* 1: shared memory, 2: global memory */
    uint32_t n_old, next_old;      /* of old[]: how many, and the next place */
    uint32_t room;                 /* of old[]: at most LANES_OLD */
    struct lanes_span heard[2][2]; /* all of the epoch: [is global][writes]   */
    struct lanes_span olds[2];     /* all bytes of old[]: [is global] */
    struct lanes_parts *parts;     /* NULL: not yet; garbage at time 0 */
    struct lanes_access *old;      /* [room], a ring once LANES_OLD are kept */
    struct lanes_kept kept[2][2];  /* in the table: [is global][writes] */
    /* The bytes of old[]; high 0: it has left. */
    uint64_t low[LANES_OLD], high[LANES_OLD];
    struct lanes_access pending[LANES_PENDING];
};

/* The words of the current epochs of all warps of a unit. */
struct lanes_table;
struct lanes_table *lanes_table_make(void);
void lanes_table_free(struct lanes_table *table);
/* Warps without an access. Epochs fill in the places of accesses, which are most of the bytes. */
struct lanes_warp *lanes_make(uint32_t n);
void lanes_free(struct lanes_warp *lanes, uint32_t n);

/* Whether lanes of the kernel's target may race. */
int lanes_may_race(const struct run_launch *launch);

static inline void lanes_order(struct lanes_warp *lanes) {
    lanes->epoch = 0;
}

/* A copy is compared with accesses of other lanes, and not kept: cp.async, or one of a lane for
 * all. */
void lanes_look(struct lanes_table *table, struct lanes_warp *lanes, struct run_warp *warp,
                const struct run_op *op, const struct run_access *access);

/* A part of the warp meets. 0: no memory. */
int lanes_meet_part(struct lanes_warp *lanes, uint32_t part);

void lanes_compare(struct lanes_table *table, struct lanes_warp *lanes, struct run_warp *warp,
                   const struct run_op *op, const struct run_access *access);

/* Fast path: an access that is compared with none and kept for none. It orders lanes at the
 * beginning of an epoch, or is a further read of an epoch without writes. */
static inline int lanes_skip(const struct lanes_warp *lanes, unsigned kind, unsigned plain,
                             unsigned space) {
    const int reads = kind == RUN_READ;
    return !lanes->epoch ? kind == RUN_ATOMIC || (plain == RUN_PLAIN_STRONG && reads)
                         : reads && lanes->reads >= LANES_READS &&
                               !(lanes->wrote & (space == PTX_GLOBAL ? 2 : 1));
}

/* A weak load or store without its lanes: all of them side by side, so `step` bytes apart, or
 * `lanes` at one place, step 0. Or a load of all lanes, at first + apart[i]. */
struct lanes_line {
    uint32_t op, lanes, bytes;
    uint8_t space, writes;
    uint64_t first, step;
    const int32_t *apart; /* [RUN_LANES]; NULL: it is a line */
};

/* Whether a line overlaps no access of the epoch that it may conflict with. Then lanes_keep keeps
 * it as lanes_compare does. */
int lanes_are_free(struct lanes_table *table, struct lanes_warp *lanes,
                   const struct lanes_line *line);
void lanes_keep(struct lanes_table *table, struct lanes_warp *lanes, struct run_warp *warp,
                const struct lanes_line *line);

static inline void lanes_hear(struct lanes_table *table, struct lanes_warp *lanes,
                              struct run_warp *warp, const struct run_op *op,
                              const struct run_access *access) {
    if (!lanes_skip(lanes, access->kind, access->plain, access->space))
        lanes_compare(table, lanes, warp, op, access);
}

#endif
