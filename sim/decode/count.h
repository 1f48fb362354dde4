/* count.h - how the accesses of an operation to shared memory are counted. The code of the access
 * counts them, or a joined access does (merge.h). */
#ifndef WSIM_DECODE_COUNT_H
#define WSIM_DECODE_COUNT_H

#include <wsim/code.h>

#include "plan.h"

/* op->at[COUNT_CODE] is COUNT_NONE (unknown counts), the number of a code + 1, or COUNT_MERGED with
 * a number of program->merged. */
#define COUNT_CODE (RUN_OPERANDS - 1)
#define COUNT_NONE 0u
#define COUNT_MERGED 0x80000000u
/* Flags of an atomic, with the number of its code. Where lanes have one address, the assembler
 * combines their values, and one lane accesses memory. COUNT_WHOLE: only in a whole warp. */
#define COUNT_REDUCED 0x40000000u
#define COUNT_WHOLE 0x20000000u

/* Plans the code that counts a load, store or atomic of shared memory, as its method says. A lane
 * has `bytes` bytes; 0: by the type of the instruction. No code where the counts are unknown. */
enum wsim_status count_plan(struct run_plan *plan, enum scalar_method method, unsigned bytes);

/* Says COUNT_REDUCED of an atomic that count_plan has planned, if its address is the same in all
 * lanes as far as the assembler can know. `value`: of a sum whose result is used, NULL: of another
 * one. */
enum wsim_status count_reduced_plan(struct run_plan *plan, const struct ptx_operand *address,
                                    const struct ptx_operand *value);

/* How an access of shared memory counts as part of a joined one; NULL: it is its own. */
const struct run_merged *count_merged(const struct run_program *program, const struct run_op *op);

#endif
