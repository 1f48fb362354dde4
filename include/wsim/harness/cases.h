/* cases.h - operands by number: what GPU tests, recordings and digests are made of.
 *
 * Case `number` of an operation is a function of seed, spelling, selector and distribution
 * (stream.h, which compiles for a GPU too), so that a line of text can stand for a million cases:
 * both sides make them alone and only the results are compared. A case is a block of registers of
 * 32 words, lane 0 first: the inputs one after another as the plan has them, then, elsewhere, the
 * result.
 */
#ifndef WSIM_CASES_H
#define WSIM_CASES_H

#include "../code.h"
#include "stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Registers of a block, at most: of the inputs, and of the result. Of one warp, and of anything: a
 * warpgroup has C of 512 and shared memory, at most all that a block of sm_90 can have. A register
 * of 128 threads is four of 32. */
#define WSIM_CASE_WARP_ROWS 64
#define WSIM_CASE_SHARED_BYTES 232448
#define WSIM_CASE_ROWS (WSIM_CASE_SHARED_BYTES / 128 + 512 + 16 + 4 + 1)

/* What inputs and result of `op` under `selector` (0 unless sparse) look like. Errors: WSIM_ILLEGAL
 * (undocumented, or not from wsim_op_parse or wsim_op_next), WSIM_UNMODELLED (wsim does not execute
 * it: ld, st ...), WSIM_OPERAND (selector). *plan is untouched then. */
WSIM_API enum wsim_status wsim_plan_make(const struct wsim_op *op, unsigned selector,
                                         struct wsim_plan *plan, struct wsim_diag *diag);

/* All inputs of a case: plan->in_rows * 32 words. */
WSIM_API void wsim_case_fill(const struct wsim_plan *plan, const struct wsim_case *c, uint32_t *in);

/* Registers of a case beside its result, and of its result. */
#define WSIM_CASE_REGISTERS 544
#define WSIM_CASE_RESULTS 512

/* What running a case needs beside its block: pointers to its registers, and its memory as bytes.
 * The caller's, for it is large; each thread has its own, and what it holds means nothing. */
struct wsim_case_scratch {
    const uint32_t *in[WSIM_CASE_REGISTERS];
    uint32_t *out[WSIM_CASE_RESULTS];
    struct wsim_memory shared, global;
    uint8_t memory[WSIM_CASE_SHARED_BYTES];
};

/* The instruction on the model: in_rows * 32 words in, out_rows * 32 out. A store gives the whole
 * window. `code` is prepared of the operation that `plan` was made of (code.h); `in` and `out` do
 * not overlap. Errors: those of wsim_run; `out` is untouched then. */
WSIM_API enum wsim_status wsim_case_run(const struct wsim_code *code, const struct wsim_plan *plan,
                                        const uint32_t *in, uint32_t *out,
                                        struct wsim_case_scratch *scratch, struct wsim_diag *diag);

/* The sum of wsim_case_digest over `cases` results of `words` words, one behind the other, the
 * first of them that of case `first`: several times as fast. */
WSIM_API uint64_t wsim_case_digests(uint64_t first, uint32_t cases, const uint32_t *out,
                                    uint32_t words);

/* The operands of a case, in_rows * 32 words in and out_rows * 32 out, as wsim_run wants them: it
 * may then be called as often as one likes. *io points into all of the others. A store writes into
 * scratch->memory, not to `out`. */
WSIM_API void wsim_case_bind(const struct wsim_plan *plan, const uint32_t *in, uint32_t *out,
                             struct wsim_case_scratch *scratch, struct wsim_io *io);

/* "raw" "near-one" ... and "all" for WSIM_DISTS; NULL past that. */
WSIM_API const char *wsim_dist_name(unsigned dist);

/* The number of a name, -1 if there is none. */
WSIM_API int wsim_dist_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
