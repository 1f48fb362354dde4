/* fragment.h - a wmma.load or wmma.store that wsim banks counts: from the options, and printed. */
#ifndef WSIM_FRAGMENT_H
#define WSIM_FRAGMENT_H

#include "banks_options.h"

#include <wsim/wsim.h>

struct fragment_run {
    char spelling[WSIM_SPELLING_MAX];
    const struct wsim_arch *arch;
    uint32_t addr[WSIM_LANES], stride;
    struct wsim_fragment_banks banks;
    const char *evidence, *source; /* what the count rests on */
};

/* Counts `op` on run->arch; TOOL_GO, or the status after saying what is wrong. */
int fragment_count(struct fragment_run *run, const struct wsim_op *op,
                   const struct banks_options *options);

void fragment_print_text(const struct fragment_run *run, int colour);
void fragment_print_csv(const struct fragment_run *run);
void fragment_print_json(const struct fragment_run *run);

#endif
