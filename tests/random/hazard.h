/* hazard.h - random PTX kernels whose races are known. Each hands regions of shared memory from
 * warp to warp, over barriers, mbarriers, flags and copies. One fault may take an order away. */
#ifndef TESTS_RANDOM_HAZARD_H
#define TESTS_RANDOM_HAZARD_H

#include <stdint.h>

enum { HAZARD_TEXT = 1 << 17 };

/* A kernel k(.param .u64 in, .param .u64 out), 4 KB each, for one cluster. */
struct hazard {
    uint32_t blocks, threads; /* of the cluster; of each block */
    int races;                /* two accesses are unordered, or a copy lacks its proxy fence */
    char what[256];           /* the hand-over with the fault */
    char text[HAZARD_TEXT];
};

/* Writes the kernel of a seed: without a fault, or with one. 0: its plan has no place for the
 * fault. */
int hazard_draw(uint64_t seed, int broken, struct hazard *hazard);

#endif
