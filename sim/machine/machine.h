/* machine.h - shared and global memory of the hardware: banks, groups of lanes, passes, sectors.
 *
 * Knows no instruction: the lanes of a group, folding and merging are arguments.
 */
#ifndef WSIM_MACHINE_MACHINE_H
#define WSIM_MACHINE_MACHINE_H

#include <wsim/warp.h>

#define MACHINE_BANKS 32
#define MACHINE_WORD 4       /* bytes of a bank                                              */
#define MACHINE_LINE 128     /* bytes: all banks, and a line of the cache                    */
#define MACHINE_MAX_WORDS 32 /* distinct words a group can have in one bank: one a lane */

/* `count` lanes from `first`. */
static inline uint32_t machine_lanes(unsigned first, unsigned count) {
    return (count == WSIM_LANES ? UINT32_MAX : (UINT32_C(1) << count) - 1) << first;
}

/* One warp access: `bytes` at addr[l] for every lane l in `mask`. */
struct machine_access {
    const uint32_t *addr;
    uint32_t mask;
    uint8_t bytes;
};

/* The cost of a group of lanes. */
struct machine_group {
    uint8_t ways; /* largest number of accesses in one bank                          */
    uint8_t bank; /* the lowest bank with that many                                  */
    uint8_t nwords;
    uint32_t words[MACHINE_MAX_WORDS]; /* distinct words of that bank, ascending     */
};

/* ways = the largest number, over banks, of distinct words (fold) or of lanes (no fold) that the
 * active lanes of `lanes` touch. An empty group costs 0. */
void machine_count(const struct machine_access *access, uint32_t lanes, int fold,
                   struct machine_group *group);

/* --- the same for a whole access (quick.c) --- */

#define MACHINE_MAX_GROUPS 4

/* The bit of a lane: compilers make vectors of a table rather than of shifts. */
extern const uint32_t machine_bit[WSIM_LANES];

/* All bits if one is set, else none; without a branch, because active lanes are unpredictable. */
static inline uint32_t machine_all_if(uint32_t bit) {
    return 0 - (uint32_t)(bit != 0);
}

/* The union of the address bits of `lanes`. */
uint32_t machine_bits_of(const uint32_t *addr, uint32_t lanes);

/* The cost of the groups of an access, and intermediate results for machine_words. */
struct machine_groups {
    uint8_t ways[MACHINE_MAX_GROUPS]; /* like machine_count; 0: no active lane                */
    uint8_t bank[MACHINE_MAX_GROUPS];
    uint8_t worst[MACHINE_MAX_GROUPS];
    uint8_t unit_bits, group_bits;
    uint32_t key[WSIM_LANES], counter[WSIM_LANES], last[MACHINE_BANKS];
};

/* Like machine_count for every group of `size` lanes, a power of two. Addresses are multiples of
 * `bytes`, a power of two. A group can fill a line: size * max(bytes, 4) >= MACHINE_LINE. Finds the
 * banks only if `banks` is true. */
void machine_count_groups(const struct machine_access *access, unsigned size, int fold, int banks,
                          struct machine_groups *groups);

/* Writes the distinct words in the bank of group `g`, which is not empty, ascending; returns their
 * number. */
unsigned machine_words(const struct machine_groups *groups, unsigned g,
                       uint32_t words[MACHINE_MAX_WORDS]);

/* --- turns --- */

/* turn[l] is the pass in which lane l goes through `bank`, from 1. It is 0 for a lane that is not
 * active in `lanes` or accesses nothing there. Passes are the distinct words in ascending order
 * (fold), or the lanes in ascending order (no fold). Returns their number. */
unsigned machine_turns(const struct machine_access *access, uint32_t lanes, int fold, unsigned bank,
                       uint8_t turn[WSIM_LANES]);

/* True if for every active lane i, lane i^1 is inactive or at the same address, or if the same
 * holds for i^2. */
int machine_paired(const struct machine_access *access);

/* One warp copy into shared memory: `bytes` from src[l] to dst[l] for every lane l in `mask`. Lanes
 * that are not in `reads` have no source. Two lanes share a bank where address / bytes modulo
 * MACHINE_LINE / bytes is equal. */
struct machine_copy {
    const uint32_t *dst, *src;
    uint32_t mask, reads;
    uint8_t bytes;
};

/* The length of the longest chain of active lanes of `lanes`, in ascending order. Each lane shares
 * its destination bank with the lane before it, or its source bank if it has a source. The lane
 * before it needs no source. *chain is one such chain; 0 for an empty group. */
unsigned machine_chain(const struct machine_copy *copy, uint32_t lanes, uint32_t *chain);

/* The most active lanes of `lanes` that share the destination bank with one of them or, both having
 * a source, the source bank; it included. *crowd are those of the lowest such lane. */
unsigned machine_crowd(const struct machine_copy *copy, uint32_t lanes, uint32_t *crowd);

/* Writes the lanes of each batch to batch[0..]; returns the number of batches. The k-th line, in
 * lane order, of a tag bank is of batch k. The tag bank of an address is its parities under the two
 * masks. Lanes without a source are the last batch. */
unsigned machine_batches(const struct machine_copy *copy, const uint32_t tags[2],
                         uint32_t batch[WSIM_LANES]);

/* Faster versions of these three (quick_copy.c). */
unsigned machine_chain_quick(const struct machine_copy *copy, uint32_t lanes, uint32_t *chain);
unsigned machine_crowd_quick(const struct machine_copy *copy, uint32_t lanes, uint32_t *crowd);
unsigned machine_batches_quick(const struct machine_copy *copy, const uint32_t tags[2],
                               uint32_t batch[WSIM_LANES]);

/* --- sectors of global memory --- */

#define MACHINE_SECTOR 32

struct machine_sector_line {
    uint64_t address;  /* of the line */
    uint32_t lanes[4]; /* of each sector */
    uint8_t turns[4];  /* how often each sector counts */
};

struct machine_sectors {
    uint32_t sectors, words; /* words: distinct addresses */
    uint32_t requests;       /* of L2 */
    uint8_t lines;
    struct machine_sector_line line[WSIM_LANES]; /* `lines` of them, in the order of lanes */
};

/* Counts the distinct sectors and lines of addr[l] for every lane l in `mask`. No lane crosses a
 * sector. L2 receives a request for each line. */
void machine_sectors(const uint64_t addr[WSIM_LANES], uint32_t mask, struct machine_sectors *out);

/* The same for atomics. A sector has a turn for each lane at its most wanted address. L2 receives
 * as many requests as the most turns of `together` sectors: 4, or 2 if each lane sends two values.
 */
void machine_sectors_atomic(const uint64_t addr[WSIM_LANES], uint32_t mask, unsigned together,
                            struct machine_sectors *out);

/* The same for copies that bypass L1, from addr[l] to `to[l]`, by the sectors that L2 delivers. A
 * sector counts once for each way: the sector of its destination, and whether its halves change
 * places. `requests` is 0. */
void machine_sectors_delivered(const uint64_t addr[WSIM_LANES], const uint32_t to[WSIM_LANES],
                               uint32_t mask, struct machine_sectors *out);

/* The same by the sectors that L1 looks up: one for each pair of a source line and a sector of the
 * destination. It counts at the sector of its lowest lane. */
void machine_sectors_looked_up(const uint64_t addr[WSIM_LANES], const uint32_t to[WSIM_LANES],
                               uint32_t mask, struct machine_sectors *out);

#endif
