/* judge.h - runs one instruction through the library and compares the result with the oracle. */
#ifndef ORACLE_JUDGE_H
#define ORACLE_JUDGE_H

#include "cases.h"

/* The case in words, for the message of a difference. */
struct judge_case {
    const struct wsim_op *op;
    const struct oracle_op *parsed;
    const char *distribution;
    uint64_t seed;
};

/* Runs the case on every architecture that has it. Fails the running test at the first difference,
 * with spelling, architecture, distribution, seed, row, column and both values. D starts as a
 * copy of C, and with an odd seed is C. Returns the number of architectures that ran. */
int judge_mma(const struct judge_case *what, const struct cases_warp *warp);

/* The same on one architecture, if it has the instruction. */
int judge_mma_on(const struct judge_case *what, const struct cases_warp *warp,
                 const struct wsim_arch *arch);

/* Operation and its parts from a spelling; fails the test if there is no such spelling. */
void judge_parse(const char *spelling, struct wsim_op *op, struct oracle_op *parsed);

#endif
