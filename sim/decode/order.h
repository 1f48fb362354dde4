/* order.h - positions of basic blocks: of two groups of lanes the one at the lower position goes
 * first, so that it catches up with the other one. */
#ifndef WSIM_DECODE_ORDER_H
#define WSIM_DECODE_ORDER_H

#include <stdint.h>

/* A graph of blocks: those behind block b are to[first[b]] .. to[first[b + 1] - 1]. Block 0 is
 * where it begins. */
struct run_graph {
    uint32_t blocks;
    const uint32_t *first, *to;
};

/* Fills rank[block] with a permutation of 0 .. blocks - 1 in which a block comes before those that
 * it leads to, but for the edges back to the head of a loop, and in which every loop is contiguous:
 * what is behind a loop comes after all of it. Blocks that nothing leads to come last. 1; 0: no
 * memory. */
int run_order(const struct run_graph *graph, uint32_t *rank);

#endif
