/* order.h - positions of basic blocks. The group of lanes at the lowest position runs
 * first, so that it catches up with the others. */
#ifndef WSIM_DECODE_ORDER_H
#define WSIM_DECODE_ORDER_H

#include <stdint.h>

/* A graph of blocks: those after block b are to[first[b]] .. to[first[b + 1] - 1]. Block 0 is
 * where it begins. */
struct run_graph {
    uint32_t blocks;
    const uint32_t *first, *to;
};

/* Fills rank[block] with a permutation of 0 .. blocks - 1. A block comes before its successors,
 * except along edges back to the head of a loop. Every loop is contiguous: blocks after it follow
 * all its blocks. Unreachable blocks come last. Returns 1, or 0 without memory. */
int run_order(const struct run_graph *graph, uint32_t *rank);

#endif
