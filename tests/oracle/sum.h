/* sum.h - one element of D from the elements that meet in it. Knows no register and no address. */
#ifndef ORACLE_SUM_H
#define ORACLE_SUM_H

#include "generation.h"
#include "number.h"
#include "oracle.h"

enum { SUM_BITS = 256, SUM_NUMBERS = 64 }; /* most terms: of one bit, of more */

/* One element of D in the making: the terms it is a sum of. */
struct sum {
    const struct oracle_op *op;
    const struct generation *generation;
    int count;
    uint64_t abits[SUM_BITS], bbits[SUM_BITS], cbits;
    struct number a[SUM_NUMBERS], b[SUM_NUMBERS], c; /* the same, decoded by sum_decode */
    struct number scale_a[4], scale_b[4];            /* of each quarter of the products */
};

typedef uint64_t sum_function(const struct sum *s);

/* The arithmetic of `op`; NULL where the documents have none for it. */
sum_function *sum_choose(const struct oracle_op *op, const struct generation *generation);

/* Decodes the bits of all terms; of integers there is nothing to decode. */
void sum_decode(struct sum *s);

#endif
