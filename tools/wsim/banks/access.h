/* access.h - one access that wsim banks counts: from the options, and bank by bank. */
#ifndef WSIM_ACCESS_H
#define WSIM_ACCESS_H

#include "banks_options.h"

#include <wsim/wsim.h>

struct access_run {
    char spelling[WSIM_SPELLING_MAX];
    const struct wsim_arch *arch;
    unsigned bytes; /* of one lane, or of one row of a matrix */
    int rows;       /* ldmatrix, stmatrix */
    uint32_t addr[WSIM_LANES];
    uint32_t mask;
    struct wsim_banks banks;
    const char *evidence, *source; /* what the count rests on */
};

/* Counts the access `op` of the lanes in run->mask on run->arch; TOOL_GO, or the status after
 * saying what is wrong. */
int access_count(struct access_run *run, const struct wsim_op *op,
                 const struct banks_options *options);

/* Which of the things that pass through `bank` one after another lane `lane` stands for: 1 for the
 * first; 0 if it does not touch the bank. Things are distinct words; where every lane costs one of
 * its own (atomics), lanes. */
unsigned access_turn(const struct access_run *run, const struct wsim_bank_group *group,
                     unsigned lane, unsigned bank);

/* How many such things there are in `bank`. */
unsigned access_ways(const struct access_run *run, const struct wsim_bank_group *group,
                     unsigned bank);

#endif
