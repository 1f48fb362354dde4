/* evidence.h - what an answer rests on.
 *
 * The rows of the tables say where their facts come from; recordings of GPUs bear them out, one
 * operation at a time. The recordings are an optional part of the library (the CMake option
 * WSIM_RECORDINGS, the macro WSIM_NO_RECORDINGS): without it the rows alone answer, and nothing is
 * "hardware".
 */
#ifndef WSIM_EVIDENCE_H
#define WSIM_EVIDENCE_H

#include "isa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The two things that wsim says of an operation. Each has evidence of its own. */
enum wsim_claim {
    WSIM_RESULTS, /* the bits it leaves: mma, ldmatrix, stmatrix, movmatrix       */
    WSIM_COUNTS   /* wavefronts and conflicts of an access to shared memory       */
};

/* Whether there is such a thing to say of `op`: what it leaves, if it is executed; what it costs,
 * if it accesses shared memory. That there is a model is not checked. */
WSIM_API int wsim_op_claims(const struct wsim_op *op, enum wsim_claim claim);

/* What the model rests on when it says `claim` of `op` on `arch`: "hardware" (recordings of the
 * same arithmetic generation hold this operation; wsim_op_recording lists them), "published"
 * (others compared it with that hardware, bit for bit), "documented" (the ISA leaves one answer) or
 * "inferred"; NULL if it has no such model, or `op` may not be used on `arch`. *source (if not
 * NULL) says where: of "hardware" the GPU. */
WSIM_API const char *wsim_op_evidence(const struct wsim_op *op, const struct wsim_arch *arch,
                                      enum wsim_claim claim, const char **source);

/* A file of recordings (traces/README.md), and how much of one operation it holds. */
struct wsim_recording {
    const char *file;                /* "traces/sm_90a/mma.trace.zst"                      */
    const char *gpu, *driver, *date; /* as its header has them                             */
    const struct wsim_arch *arch;    /* the target it was compiled for                     */
    uint64_t number;                 /* elements of results, or accesses counted           */
};

/* Steps through the recordings that hold `claim` for `op` (or for what it is a synonym of), made on
 * the arithmetic generation of `arch`: start with *cursor = 0; returns 1 and fills *recording, or 0
 * when there are no more. That `op` may be used on `arch` is not checked. */
WSIM_API int wsim_op_recording(const struct wsim_op *op, const struct wsim_arch *arch,
                               enum wsim_claim claim, uint32_t *cursor,
                               struct wsim_recording *recording);

/* What of the evidence for `claim` on `arch` does not reach as far as its word says, one sentence:
 * "its least alignment exponent is inferred from other generations"; NULL: nothing is known to. A
 * recording of the operation itself settles it. */
WSIM_API const char *wsim_op_caveat(const struct wsim_op *op, const struct wsim_arch *arch,
                                    enum wsim_claim claim);

#ifdef __cplusplus
}
#endif
#endif
