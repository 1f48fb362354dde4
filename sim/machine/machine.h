/* machine.h - shared memory as hardware has it: banks, groups of lanes, passes.
 *
 * Knows no instruction: which lanes go together, what folds and what merges are arguments.
 */
#ifndef WSIM_MACHINE_MACHINE_H
#define WSIM_MACHINE_MACHINE_H

#include <wsim/warp.h>

#define MACHINE_BANKS 32
#define MACHINE_WORD 4       /* bytes of a bank                                              */
#define MACHINE_LINE 128     /* bytes: all banks, and a line of the cache                    */
#define MACHINE_MAX_WORDS 32 /* distinct words a group can have in one bank: one a lane */

/* So many lanes from `first` on. */
static inline uint32_t machine_lanes(unsigned first, unsigned count) {
    return (count == WSIM_LANES ? UINT32_MAX : (UINT32_C(1) << count) - 1) << first;
}

/* One warp access: `bytes` at addr[l] for every lane l in `mask`. */
struct machine_access {
    const uint32_t *addr;
    uint32_t mask;
    uint8_t bytes;
};

/* What a group of lanes costs. */
struct machine_group {
    uint8_t ways; /* largest number of accesses in one bank                          */
    uint8_t bank; /* lowest bank with that many                                      */
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

/* All bits if one is set, else none: without a branch, as nobody foresees which lanes are active.
 */
static inline uint32_t machine_all_if(uint32_t bit) {
    return 0 - (uint32_t)(bit != 0);
}

/* All bits that are set in an address of one of `lanes`. */
uint32_t machine_bits_of(const uint32_t *addr, uint32_t lanes);

/* What the groups of an access cost; then what was found on the way, for machine_words. */
struct machine_groups {
    uint8_t ways[MACHINE_MAX_GROUPS]; /* as machine_count has them; 0: of nobody              */
    uint8_t bank[MACHINE_MAX_GROUPS];
    uint8_t worst[MACHINE_MAX_GROUPS];
    uint8_t unit_bits, group_bits;
    uint32_t key[WSIM_LANES], counter[WSIM_LANES], last[MACHINE_BANKS];
};

/* As machine_count of every group of `size` lanes, a power of two; addresses are multiples of
 * `bytes`, a power of two, and a group would fill a line: size * bytes, of at least 4 each, is no
 * less than MACHINE_LINE. The banks are found only if `banks`. */
void machine_count_groups(const struct machine_access *access, unsigned size, int fold, int banks,
                          struct machine_groups *groups);

/* The distinct words in the bank of group `g`, which is not empty, ascending; how many. */
unsigned machine_words(const struct machine_groups *groups, unsigned g,
                       uint32_t words[MACHINE_MAX_WORDS]);

/* --- turns --- */

/* turn[l] is the pass in which lane l goes through `bank`, from 1; 0 if it is not an active lane of
 * `lanes` or touches nothing there. Passes are the distinct words in ascending order (fold), or the
 * lanes in ascending order (no fold). Answers how many there are. */
unsigned machine_turns(const struct machine_access *access, uint32_t lanes, int fold, unsigned bank,
                       uint8_t turn[WSIM_LANES]);

/* Whether every active lane i finds lane i^1 inactive or at the same address, or the same holds
 * with i^2 for all of them. */
int machine_paired(const struct machine_access *access);

/* One warp copy into shared memory: `bytes` from src[l] to dst[l] for every lane l in `mask`; lanes
 * that are not in `reads` have no source. Two lanes share a bank where address / bytes modulo
 * MACHINE_LINE / bytes is equal. */
struct machine_copy {
    const uint32_t *dst, *src;
    uint32_t mask, reads;
    uint8_t bytes;
};

/* The length of the longest chain of active lanes of `lanes`, in ascending order, each of which
 * shares its destination bank with the one before, or its source bank if it has a source (the one
 * before need not). *chain is one such chain; 0 of an empty group. */
unsigned machine_chain(const struct machine_copy *copy, uint32_t lanes, uint32_t *chain);

/* The most active lanes of `lanes` that share the destination bank with one of them or, both having
 * a source, the source bank; it included. *crowd are those of the lowest such lane. */
unsigned machine_crowd(const struct machine_copy *copy, uint32_t lanes, uint32_t *crowd);

/* The lanes of each batch, into batch[0..]; answers how many there are. The k-th line, in lane
 * order, of a tag bank is of batch k; the tag bank of an address is its parities under the two
 * masks. Lanes without a source are a last batch. */
unsigned machine_batches(const struct machine_copy *copy, const uint32_t tags[2],
                         uint32_t batch[WSIM_LANES]);

/* The same three, quicker (quick_copy.c). */
unsigned machine_chain_quick(const struct machine_copy *copy, uint32_t lanes, uint32_t *chain);
unsigned machine_crowd_quick(const struct machine_copy *copy, uint32_t lanes, uint32_t *crowd);
unsigned machine_batches_quick(const struct machine_copy *copy, const uint32_t tags[2],
                               uint32_t batch[WSIM_LANES]);

#endif
