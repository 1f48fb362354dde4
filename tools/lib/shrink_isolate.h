/* shrink_isolate.h - what one place of a result is made of, as the layouts have it. */
#ifndef TOOLS_SHRINK_ISOLATE_H
#define TOOLS_SHRINK_ISOLATE_H

#include "shrink_target.h"

/* Brings to rest what the layouts say the target is not made of: other rows of A, other columns of
 * B and what the metadata does not name there, other elements of C, their metadata and scales; of a
 * move, what is not moved there on `arch`.
 */
void shrink_isolate(const struct wsim_op *op, const struct wsim_plan *plan,
                    const struct shrink_target *target, const struct wsim_arch *arch, uint32_t *in);

#endif
