/* sweep.h - the cost of an access in every step of a sweep, and of all of them together. */
#ifndef WSIM_SWEEP_H
#define WSIM_SWEEP_H

#include "../common/tool.h"
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
};

uint64_t sweep_conflicts(const struct sweep *sweep);
void sweep_print(const struct sweep *sweep, enum tool_format format);

#endif
