/* clock.h - the order of work: clocks of streams, and the bytes that work accesses: order.c. */
#ifndef WSIM_RUNTIME_CLOCK_H
#define WSIM_RUNTIME_CLOCK_H

#include "allocation.h"

enum { CORE_CLOCKS = 64 };

/* For each stream, the number of its last work that is over. */
struct clock {
    uint32_t at[CORE_CLOCKS];
};

/* The node of a launch of a graph that work is of. */
struct stamp_node {
    uint64_t launch; /* of graphs */
    size_t index;
    unsigned char before[]; /* of each node of the graph: this one waits for it */
};

/* A piece of work and the bytes that it accesses. */
struct stamp {
    struct stamp *next;
    struct stamp_node *node; /* NULL: its stream alone orders it */
    struct clock clock;      /* with the work itself */
    uint8_t slot;            /* of its stream, in clocks */
    uint8_t many;            /* more ranges than are kept */
    uint8_t signals;         /* a kernel with strong accesses to memory that the host sees */
    uint8_t seen;            /* some of its ranges are memory that the host sees */
    uint8_t told;            /* of an access of the host beside it */
    uint8_t frees;           /* the ranges: only earlier work counts, as others may get them */
    uint8_t gives;           /* the ranges: memory of a pool, in the order of a stream */
    uint8_t kernel;          /* a launch */
    uint8_t polls;           /* a launch that waits for memory to change: copies may do that */
    unsigned number;         /* of its stream; 0: the one without a handle */
    struct caller caller;
    char what[56];
    struct wsim_touched *ranges;
    size_t n;
    uint64_t low, high; /* of all ranges */
};

#endif
