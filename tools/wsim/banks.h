/* banks.h - one counted access or copy, for the three ways to print it. */
#ifndef WSIM_BANKS_COMMAND_H
#define WSIM_BANKS_COMMAND_H

#include <wsim/wsim.h>

/* The options as they were given, NULL where they were not. */
struct banks_options {
    char *addr, *mask, *arch, *format, *color;
    char *size, *src, *src_size, *lines; /* of a copy */
    int fail;
};

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

/* "0-7,16,18-19", or "none" */
void banks_print_lanes(uint32_t lanes);

void banks_print_text(const struct banks_run *run, int colour);
void banks_print_csv(const struct banks_run *run);
void banks_print_json(const struct banks_run *run);

/* A copy, as both kinds of counters tell what it cost. */
struct copy_run {
    char spelling[WSIM_SPELLING_MAX];
    const struct wsim_arch *arch;
    uint32_t dst[WSIM_LANES], src[WSIM_LANES], src_size[WSIM_LANES];
    struct wsim_copy copy;
    struct wsim_copy_banks banks; /* hardware counters                        */
    struct wsim_copy_banks page;  /* counters of the source page...           */
    struct wsim_diag no_page;     /* ... or why not; status 0 if they are there */
    const char *evidence, *source;
};

/* Counts the copy `op`; TOOL_GO, or the status after saying what is wrong. */
int copy_count(struct copy_run *run, const struct wsim_op *op, const struct banks_options *options);

void copy_print_text(const struct copy_run *run);
void copy_print_csv(const struct copy_run *run);
void copy_print_json(const struct copy_run *run);

#endif
