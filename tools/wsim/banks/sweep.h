/* sweep.h - the cost of an access in every step of a sweep, and of all of them together. */
#ifndef WSIM_SWEEP_H
#define WSIM_SWEEP_H

#include "../common/tool.h"
#include "access.h"
#include "copy.h"
#include "let.h"

struct sweep_step {
    uint32_t wavefronts, ideal, conflicts;
};

struct sweep {
    struct let *let;
    const char *spelling;
    const struct wsim_arch *arch;
    struct sweep_step *step; /* as many as let->steps */
    int unknown;             /* the cost of some of them is not known */
    /* For pages; NULL: none is asked for. */
    uint32_t (*passes)[WSIM_BANKS]; /* of each step, through each bank: of accesses           */
    struct access_run *access;      /* the first `cards` steps, as the one or the other ...   */
    struct copy_run *copy;          /* ... NULL: of the other kind                            */
    uint32_t cards;
};

enum { SWEEP_CARDS = 32 };

/* Sums of all steps. */
struct sweep_sums {
    uint64_t wavefronts, ideal, conflicts;
};
struct sweep_sums sweep_sum(const struct sweep *sweep);

/* "k = 3, j = 0": the values of what is swept. */
void sweep_word_step(const struct sweep *sweep, uint32_t step, char *out, size_t size);

/* TOOL_FINE, or the status after saying why not. */
int sweep_print(const struct sweep *sweep, enum tool_format format);

#endif
