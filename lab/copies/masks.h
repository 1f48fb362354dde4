/* masks.h - memory for pairs of numbers, as text of the trace format. */
#ifndef COPIES_MASKS_H
#define COPIES_MASKS_H

#include <wsim/wsim.h>

enum { FLOAT_MASKS = 15, INT_MASKS = 5 };

/* The bits of an element that are random, and those that are set. */
struct masks {
    uint64_t keep, set;
};

struct pair {
    struct masks global, shared;
    int equal; /* the random bits are */
};

/* As memory of a case: global, and shared. */
struct memory {
    char global[96], smem[96];
};

uint64_t bits(unsigned n); /* the lowest n */
int is_float(const struct wsim_format *f);

/* Kinds of pairs, 0 to kinds_of - 1; kind 0 is random in all bits. */
unsigned kinds_of(const struct wsim_format *f);
struct pair both(uint64_t keep, uint64_t set);
struct pair pair_of(const struct wsim_format *f, unsigned kind);

struct memory draw_memory(const struct wsim_format *f, struct pair p, unsigned length);

#endif
