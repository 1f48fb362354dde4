/* cases.h - operands that are unkind on purpose, from a seed and nothing else.
 *
 * Every element is a hash of (seed, operand, row, column), so a case can be made again from what
 * a failure prints, on any machine.
 */
#ifndef ORACLE_CASES_H
#define ORACLE_CASES_H

#include "oracle.h"

enum cases_kind {
    CASES_RAW,        /* any bits, padding too                                           */
    CASES_EXTREMES,   /* near overflow; integers: the ends of the range                  */
    CASES_CANCELLING, /* products in pairs of opposite sign                              */
    CASES_C_ALONE,    /* A and B are zeros of either sign                                */
    CASES_ONE_HOT,    /* one nonzero in each row of A                                    */
    CASES_POSITION,   /* A or B picks one row or column of the other, whose values differ */
    CASES_NEAR_ONE,
    CASES_FINITE, /* any exponent but the top one                                    */
    CASES_SUBNORMAL,
    CASES_WIDE,     /* exponents around zero, as far apart as what alignment keeps     */
    CASES_SPECIALS, /* infinities, NaNs, zeros, ends of the range among ordinary numbers */
    CASES_TINY,     /* products about the least exponent of an accumulator             */
    CASES_FLOOR,    /* a sum that is decided by what the least alignment still keeps    */
    CASES_KINDS,
    CASES_INTEGER_KINDS = CASES_NEAR_ONE /* the first ones are all that integers need    */
};

const char *cases_name(enum cases_kind kind);

/* The inputs of one instruction; `io` points into it, io.d is for the caller to set. Registers,
 * lanes and bits that the instruction must not look at hold noise. */
struct cases_warp {
    struct wsim_regs a, b, c;
    uint32_t e[WSIM_LANES], sfa[WSIM_LANES], sfb[WSIM_LANES];
    struct wsim_operands io;
};

void cases_mma(const struct oracle_op *op, enum cases_kind kind, uint64_t seed,
               struct cases_warp *warp);

/* Words that mean nothing; a metadata nibble that is legal. */
void cases_noise(uint32_t *words, size_t count, uint64_t seed);
unsigned cases_nibble(const struct oracle_op *op, uint64_t r);

/* 64 bits that depend on both arguments and nothing else. */
uint64_t cases_hash(uint64_t seed, uint64_t counter);

/* How many times as many cases as usual: 1, or what the environment's WSIM_DEEP asks for. */
int cases_repeats(int usual, int deep);

#endif
