/* banks.h - one counted access, for the three ways to print it. */
#ifndef WSIM_BANKS_COMMAND_H
#define WSIM_BANKS_COMMAND_H

#include <wsim/wsim.h>

struct banks_run {
    char spelling[WSIM_SPELLING_MAX];
    const struct wsim_arch *arch;
    unsigned bytes; /* of one lane, or of one row of a matrix */
    int rows;       /* ldmatrix, stmatrix */
    uint32_t addr[WSIM_LANES];
    uint32_t mask;
    struct wsim_banks banks;
    const char *evidence, *source; /* what the count rests on */
};

/* Which of the things that pass through `bank` one after another lane `lane` stands for: 1 for the
 * first; 0 if it does not touch the bank. Things are distinct words; where every lane costs one of
 * its own (atomics), lanes. */
unsigned banks_turn(const struct banks_run *run, const struct wsim_bank_group *group, unsigned lane,
                    unsigned bank);

/* How many such things there are in `bank`. */
unsigned banks_ways(const struct banks_run *run, const struct wsim_bank_group *group,
                    unsigned bank);

void banks_print_text(const struct banks_run *run, int colour);
void banks_print_csv(const struct banks_run *run);
void banks_print_json(const struct banks_run *run);

#endif
