/* shrink.h - shrinks a case in which two sides differ: the same element still differs, with
 * fewer operands. Only the judge knows the two sides (a GPU and the model, two models). Smaller
 * operands are zero, the lowest defined metadata, a scale of one, then 1, powers of two, fewer
 * bits.
 */
#ifndef TOOLS_SHRINK_H
#define TOOLS_SHRINK_H

#include "shrink_target.h"
#include "shrink_unit.h"

enum { SHRINK_BATCH = 64 };

struct shrink {
    struct wsim_op op;
    struct wsim_plan plan;
    struct shrink_target target;
    /* Reports for each of `n` consecutive blocks whether the target still differs. 0, or -1
     * if the judge failed; the search then ends with the current case. */
    int (*judge)(void *about, const uint32_t *blocks, unsigned n, uint8_t *differs);
    void *about;
    unsigned batch; /* blocks for the judge at once, 1 to SHRINK_BATCH; changes no result */
    unsigned limit; /* blocks that it gets in all, nearly                                       */
    unsigned asked; /* blocks that it got                                                       */
};

/* Makes `in`, which differs, as small as the judge lets it: first shrink_isolate if the judge
 * agrees, then element by element. Deterministic. */
void shrink_run(struct shrink *shrink, const struct wsim_arch *arch, uint32_t *in);

#endif
