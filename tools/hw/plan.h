/* plan.h - what the inputs and the result of one operation look like, from the public API. */
#ifndef HW_PLAN_H
#define HW_PLAN_H

#include "operands.h"

#include <wsim/wsim.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the harness runs operations of this kind: mma and matrix moves that are documented. */
int hw_covers(const struct wsim_op *op);

/* The plan of `op` under `selector` (0 unless sparse). */
void hw_plan_make(const struct wsim_op *op, unsigned selector, struct hw_plan *plan);

/* All inputs of a case, in_rows * 32 words. */
void hw_case_fill(const struct hw_plan *plan, const struct hw_case *c, uint32_t *in);

/* The instruction on the model: in_rows * 32 words in, out_rows * 32 out. A store gives the whole
 * window. Whatever wsim_exec refuses is refused. */
enum wsim_status hw_model(const struct wsim_op *op, const struct wsim_arch *arch,
                          const struct hw_plan *plan, const uint32_t *in, uint32_t *out,
                          struct wsim_diag *diag);

/* "raw" "near-one" ...; the number of a name, HW_DISTS for "all", -1 for neither. */
const char *hw_dist_name(unsigned dist);
int hw_dist_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
