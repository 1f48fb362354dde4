/* shrink_target.h - where two results of a case differ. */
#ifndef TOOLS_SHRINK_TARGET_H
#define TOOLS_SHRINK_TARGET_H

#include <wsim/harness/harness.h>
#include <wsim/wsim.h>

/* Where results differ: an element of D, or a byte of the window. */
struct shrink_target {
    unsigned reg, lane, lsb, bits; /* in the block of results            */
    unsigned differing;            /* how many elements or bytes differ  */
    struct wsim_coord at;          /* element of D                       */
};

/* The first element in which two results differ, and how many do; 0: none. */
int shrink_find(const struct wsim_op *op, const struct wsim_plan *plan, const uint32_t *expected,
                const uint32_t *got, struct shrink_target *target);

/* The bits of the target in a result, and other bits there. */
uint64_t shrink_result(const struct shrink_target *target, const uint32_t *out);
void shrink_set_result(const struct shrink_target *target, uint32_t *out, uint64_t bits);

#endif
