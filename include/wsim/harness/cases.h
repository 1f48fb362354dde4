/* cases.h - operands by number, for GPU tests, recordings and digests.
 *
 * Case `number` of an operation is a function of seed, spelling, selector and distribution. The
 * same function compiles for a GPU (stream.h). So a line of text can stand for a million cases:
 * both sides make the operands, and only results are compared. A case is a block of registers of 32
 * words, lane 0 first. The inputs come one after another in the order of the plan. The result is a
 * block of its own.
 */
#ifndef WSIM_CASES_H
#define WSIM_CASES_H

#include "../code.h"
#include "stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Registers of the inputs and the result of a block at most. The first limit is for one warp. The
 * last is for every operation: a warpgroup has 512 registers of C and shared memory, at most that
 * of a block of sm_90. A register of 128 threads is four registers of 32. */
#define WSIM_CASE_WARP_ROWS 64
#define WSIM_CASE_SHARED_BYTES 232448
#define WSIM_CASE_ROWS (WSIM_CASE_SHARED_BYTES / 128 + 512 + 16 + 4 + 1)

/* Describes inputs and result of `op` under `selector` (0 unless sparse). Errors, which leave *plan
 * unchanged: WSIM_ILLEGAL (undocumented, or not from wsim_op_parse or wsim_op_next),
 * WSIM_UNMODELLED (wsim does not execute it: ld, st ...), WSIM_OPERAND (selector). */
WSIM_API enum wsim_status wsim_plan_make(const struct wsim_op *op, unsigned selector,
                                         struct wsim_plan *plan, struct wsim_diag *diag);

/* Makes all inputs of a case: plan->in_rows * 32 words. */
WSIM_API void wsim_case_fill(const struct wsim_plan *plan, const struct wsim_case *c, uint32_t *in);

/* Registers of a case beside its result, and of its result. */
#define WSIM_CASE_REGISTERS 544
#define WSIM_CASE_RESULTS 512

/* Working memory for a case beside its block: pointers to its registers, and its memory as bytes.
 * The caller owns it, because it is large. Each thread needs its own. Its contents have no meaning.
 */
struct wsim_case_scratch {
    const uint32_t *in[WSIM_CASE_REGISTERS];
    uint32_t *out[WSIM_CASE_RESULTS];
    struct wsim_memory shared, global;
    uint8_t memory[WSIM_CASE_SHARED_BYTES];
};

/* Runs a case on the model: in_rows * 32 words in, out_rows * 32 out. The result of a store is the
 * whole window. `code` is prepared from the operation of `plan` (code.h). `in` and `out` do not
 * overlap. Errors, which leave `out` unchanged: those of wsim_run. */
WSIM_API enum wsim_status wsim_case_run(const struct wsim_code *code, const struct wsim_plan *plan,
                                        const uint32_t *in, uint32_t *out,
                                        struct wsim_case_scratch *scratch, struct wsim_diag *diag);

/* The sum of wsim_case_digest over `cases` results of `words` words each, which follow each other.
 * The first result is that of case `first`. This is several times as fast as single calls. */
WSIM_API uint64_t wsim_case_digests(uint64_t first, uint32_t cases, const uint32_t *out,
                                    uint32_t words);

/* Makes *io for wsim_run from a case: in_rows * 32 words in, out_rows * 32 out. wsim_run may then
 * be called any number of times. *io points into the other arguments. A store writes to
 * scratch->memory, not to `out`. */
WSIM_API void wsim_case_bind(const struct wsim_plan *plan, const uint32_t *in, uint32_t *out,
                             struct wsim_case_scratch *scratch, struct wsim_io *io);

/* "raw", "near-one" ... and "all" for WSIM_DISTS; NULL past that. */
WSIM_API const char *wsim_dist_name(unsigned dist);

/* The number of a name; -1: unknown. */
WSIM_API int wsim_dist_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
