/* machine.h - shared memory as hardware has it: banks, groups of lanes, passes.
 *
 * Knows no instruction: which lanes go together, what folds and what merges are arguments.
 */
#ifndef WSIM_MACHINE_MACHINE_H
#define WSIM_MACHINE_MACHINE_H

#include <wsim/warp.h>

#define MACHINE_BANKS 32
#define MACHINE_MAX_WORDS 32 /* distinct words a group can have in one bank: one a lane */

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

/* Whether every active lane i finds lane i^1 inactive or at the same address, or the same holds
 * with i^2 for all of them. */
int machine_paired(const struct machine_access *access);

#endif
