/* access.h - accesses that wsim banks counts: one of lanes, or those of a fragment of wmma. */
#ifndef WSIM_ACCESS_H
#define WSIM_ACCESS_H

#include "banks_options.h"

#include <wsim/wsim.h>

struct access_run {
    char spelling[WSIM_SPELLING_MAX];
    const struct wsim_arch *arch;
    enum wsim_counting counting;
    uint32_t addr[WSIM_LANES]; /* as given; of a fragment 32 times the same */
    uint32_t mask, stride;
    struct wsim_cost cost;
    struct wsim_cost_group group[WSIM_MAX_ACCESSES * WSIM_MAX_GROUPS]; /* cost.groups of them */
    struct wsim_cost_access access[WSIM_MAX_ACCESSES];                 /* cost.accesses        */
    const char *evidence, *source;                                     /* what the count rests on */
    int is_outside;           /* hardware runs it, the text of the ISA does not allow it ... */
    struct wsim_diag outside; /* ... because                                                 */
};

/* Counts `op` on run->arch, run->mask being the lanes that take part in an access; TOOL_GO, or the
 * status after saying what is wrong. */
int access_count(struct access_run *run, const struct wsim_op *op,
                 const struct banks_options *options);

#endif
