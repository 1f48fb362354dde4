/* shrink_isolate.h - what one place of a result is made of, as the layouts have it. */
#ifndef TOOLS_SHRINK_ISOLATE_H
#define TOOLS_SHRINK_ISOLATE_H

#include "shrink_target.h"

/* Clears operands that do not affect the target according to the layouts. These are other rows of
 * A, columns of B, unselected elements and elements of C, with their metadata and scales. For a
 * move, they are the bytes that `arch` does not move there.
 */
void shrink_isolate(const struct wsim_op *op, const struct wsim_plan *plan,
                    const struct shrink_target *target, const struct wsim_arch *arch, uint32_t *in);

#endif
