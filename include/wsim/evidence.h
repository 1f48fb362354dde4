/* evidence.h - the evidence for an answer.
 *
 * The rows of the tables name the source of their facts. Recordings of GPUs confirm them, one
 * operation at a time. The recordings are an optional part of the library (the CMake option
 * WSIM_RECORDINGS, the macro WSIM_NO_RECORDINGS). Without them the rows alone answer, and no
 * evidence is "hardware". */
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

/* Whether wsim makes the claim for `op`: results, if it executes the operation; counts, if the
 * operation accesses shared memory. The call does not check that a model exists. */
WSIM_API int wsim_op_claims(const struct wsim_op *op, enum wsim_claim claim);

/* The evidence behind `claim` for `op` on `arch`, one of four words. "hardware": recordings of the
 * same arithmetic generation hold this operation; wsim_op_recording lists them. "published": others
 * compared it with that hardware, bit for bit. "documented": the ISA leaves one answer. "inferred":
 * none of these. NULL: the operation has no such model, or `op` may not be used on `arch`. *source
 * (if not NULL) names the source; for "hardware" it names the GPU. */
WSIM_API const char *wsim_op_evidence(const struct wsim_op *op, const struct wsim_arch *arch,
                                      enum wsim_claim claim, const char **source);

/* A file of recordings (traces/README.md), and how much of one operation it holds. */
struct wsim_recording {
    const char *file;                /* "traces/sm_90a/mma.trace.zst"                      */
    const char *gpu, *driver, *date; /* as its header has them                             */
    const struct wsim_arch *arch;    /* the target it was compiled for                     */
    uint64_t number;                 /* elements of results, or accesses counted           */
};

/* Steps through the recordings that hold `claim` for `op`, or for the operation that `op` is a
 * synonym of. All are of the arithmetic generation of `arch`. Start with *cursor = 0. Returns 1 and
 * fills *recording, or 0 at the end. The call does not check that `op` may be used on `arch`. */
WSIM_API int wsim_op_recording(const struct wsim_op *op, const struct wsim_arch *arch,
                               enum wsim_claim claim, uint32_t *cursor,
                               struct wsim_recording *recording);

/* Recording `index` of the library, from 0 on; its number is 0. Returns 1 and fills *recording, or
 * 0 if there are fewer. */
WSIM_API int wsim_recording_at(size_t index, struct wsim_recording *recording);

/* The limit of the evidence for `claim` on `arch`, in one sentence: "its least alignment exponent
 * is inferred from other generations". NULL: no limit is known. A recording of the operation itself
 * removes the limit. */
WSIM_API const char *wsim_op_caveat(const struct wsim_op *op, const struct wsim_arch *arch,
                                    enum wsim_claim claim);

#ifdef __cplusplus
}
#endif
#endif
