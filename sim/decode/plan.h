/* plan.h - how a plan turns an instruction of PTX into an operation: its input and its helpers.
 *
 * A plan reads the meaning of an instruction and its operands once, and chooses the step. The
 * method of the row selects the plan (steps.def). An instruction whose method has no plan is not
 * modelled, and is reported before anything runs. A room with instructions of its own (sync,
 * matrix ...) has a file of plans and steps, and lines in steps.def.
 *
 *     enum wsim_status sync_vote_plan(struct run_plan *plan) {
 *         struct run_row from, mask;
 *         TRY(plan_row(plan, 1, 1, &from)); ...
 *         plan->op->step = sync_vote;
 *         plan->op->at[0] = to.at;
 *         return WSIM_OK;
 *     }
 */
#ifndef WSIM_DECODE_PLAN_H
#define WSIM_DECODE_PLAN_H

#include "../isa/scalar.h"
#include "../state/run.h"

struct run_build;

/* An instruction that is being decoded. */
struct run_plan {
    struct run_build *build;
    const struct ptx_function *function;
    const struct ptx_instruction *instruction;
    const struct ptx_opcode *opcode;
    const struct ptx_operand *operands; /* [count], of the instruction, in written order        */
    uint32_t count;
    struct scalar_meaning meaning; /* of PTX_SCALAR                                        */
    struct wsim_scalar_info info;  /* the same                                             */
    struct run_row given;          /* of an operand of kind PLAN_GIVEN                     */
    struct run_op *op;             /* zeros, but guard, flip, position and leads           */
    uint8_t interacts;             /* set by the planner: the operation is RUN_INTERACTS   */
    uint8_t scales;                /* a fourth operand is a power of two: contract.h       */
    struct wsim_diag *diag;
};

/* The kinds of operands that decoding puts in. The row of one is run_plan.given; the other is a row
 * itself: at `value`, of `index` bits. */
#define PLAN_GIVEN 0xFF
#define PLAN_ROW 0xFE

typedef enum wsim_status run_planner(struct run_plan *plan);

/* The row of operand `index`. A constant, or the address of a variable or function, becomes a row
 * of constants of `bits` (16-bit numbers use rows of 32). A special register becomes a row that an
 * operation in front fills. `bits` 0: the width that the register declares. A missing operand, or
 * `_`, has 0 bits. Errors: WSIM_UNMODELLED, WSIM_OPERAND, WSIM_NO_MEMORY. */
enum wsim_status plan_row(struct run_plan *plan, uint32_t index, unsigned bits,
                          struct run_row *row);
/* The same for an operand inside another: a vector, brackets, a pair. */
enum wsim_status plan_row_of(struct run_plan *plan, const struct ptx_operand *operand,
                             unsigned bits, struct run_row *row);

/* The parts of an operand: elements of { }, the two of d|p; of anything else itself. *count is how
 * many. */
const struct ptx_operand *plan_parts(const struct run_plan *plan, uint32_t index, uint32_t *count);

/* Operand `index` in brackets: the row of its base and the constant offset. The base has 64 or 32
 * bits; for a symbol or number it is a row of constants. */
enum wsim_status plan_address(struct run_plan *plan, uint32_t index, struct run_row *base,
                              uint64_t *offset);

/* A constant operand: 1 and its bits, or 0. */
int plan_constant(const struct run_plan *plan, uint32_t index, uint64_t *value);

/* A row of constants, or of scratch: written and read by this instruction only. */
enum wsim_status plan_fixed(struct run_plan *plan, unsigned bits, uint64_t value,
                            struct run_row *row);
enum wsim_status plan_scratch(struct run_plan *plan, unsigned bits, struct run_row *row);

/* Zeroed memory that lives as long as the module: what op->more points to. NULL: none is left. */
void *plan_keep(struct run_plan *plan, size_t size);

/* The number of an operation that is to be prepared (wsim_prepare) for the device of a launch: a
 * step finds it in warp->worker->launch->codes[number]. Equal operations have one number. Errors:
 * WSIM_NO_MEMORY. */
enum wsim_status plan_code(struct run_plan *plan, const struct wsim_op *op, uint32_t *number);

/* The instruction may issue work of a queue (enum sync_queue), which accesses memory beside the
 * threads. */
void plan_beside(struct run_plan *plan, unsigned queue);

/* Ends a plan with the step of the operation. Answers WSIM_OK. */
enum wsim_status plan_does(struct run_plan *plan, run_step *step);

/* The same, and what the step needs besides. */
enum wsim_status plan_does_with(struct run_plan *plan, run_step *step, const void *more);

/* The kernel has an operation of mbarriers that orders nothing. */
void plan_relaxed(struct run_plan *plan);
/* Lanes of the kernel release one by one: mbarrier.arrive, st.release. */
void plan_arrives(struct run_plan *plan);
/* The kernel has a fence of threads. */
void plan_fences(struct run_plan *plan);
/* The kernel has a strong write of shared memory, which may be a flag behind a fence. */
void plan_flags(struct run_plan *plan);
/* The kernel has cp.async; its queue is `queue`. */
void plan_copies(struct run_plan *plan, unsigned queue);
/* An access has the scope .cta. */
void plan_narrows(struct run_plan *plan);
/* The kernel has a griddepcontrol.wait. */
void plan_waits_grids(struct run_plan *plan);
/* Notes the registers of a setmaxnreg. */
void plan_registers(struct run_plan *plan, uint64_t count);

/* The kernel cancels blocks. */
void plan_cancels(struct run_plan *plan);
void plan_asks_canceled(struct run_plan *plan);

/* Another operation in front of this one, executed with it and not counted; plan->op is still the
 * one of the instruction. NULL: no memory. Pointers to operations are good until the next call. */
struct run_op *plan_before(struct run_plan *plan);

/* The step of such an operation that adds op->immediate to a row: at[1] to at[0]. */
run_step plan_add_offset;

/* Refuses the instruction as not modelled: "SPELLING: why". */
enum wsim_status plan_refuse(struct run_plan *plan, const char *why);

/* Returns the status of a call that refuses. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        enum wsim_status status_ = (call);                                                         \
        if (status_)                                                                               \
            return status_;                                                                        \
    } while (0)

#endif
