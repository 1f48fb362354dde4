/* mbarrier.h - the barrier that arrivals and the bytes of copies complete.
 *
 * It lives in 8 bytes of shared memory, as on hardware; what they mean is wsim's own, the vendor's
 * bits are private. Zeros are no barrier, as mbarrier.inval leaves it. A phase is complete
 * when no arrival is pending and the bytes that were expected are the bytes that came; the next
 * begins at once. wsim executes a copy when it is issued, so a barrier never changes behind the
 * caller's back, and a wait that cannot end is told instead of waiting.
 * Source: PTX ISA 9.0 "mbarrier".
 */
#ifndef WSIM_MBARRIER_H
#define WSIM_MBARRIER_H

#include "memory.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WSIM_MBARRIER_MOST 1048575 /* arrivals of a phase, and bytes either way: 2^20 - 1 */

#define WSIM_MBARRIER_BYTES 8 /* and it is at a multiple of that                      */

/* Where a barrier is, and for the watchers of that memory who touches it. Plain data that may be
 * made anew for each call: the barrier is in the memory. Every function below that stands for an
 * instruction is told to watchers as one WSIM_TOUCH_UPDATE of 8 bytes, tests and waits too, as
 * none of them races with another. */
struct wsim_mbarrier {
    const struct wsim_memory *shared;
    uint64_t at;    /* shared address                                                       */
    uint32_t where; /* as in struct wsim_touch: instruction, warp, lane (or WSIM_NO_LANE)   */
    uint16_t warp;
    uint8_t lane;
};

/* What a barrier holds. */
struct wsim_mbarrier_state {
    uint32_t phase;    /* the current one, modulo 4                                         */
    uint32_t expected; /* arrivals of a phase                                               */
    uint32_t pending;  /* arrivals of this phase that are still to come                     */
    int32_t bytes;     /* expected and not come yet; negative: came before they were expected */
};

/* Errors of every function below that takes a barrier, first, in the order checked: WSIM_OPERAND
 * (no memory, or not a window of shared memory), WSIM_ALIGN, WSIM_BOUNDS, WSIM_OPERAND (the memory
 * is read-only, but for test, wait and read; the barrier is not initialised, of init: it is, and
 * was not invalidated; its bytes were overwritten by something else). A refusal leaves the 8 bytes
 * and what `token`, `done` and `state` point to as they were. */

/* mbarrier.init. Errors: WSIM_OPERAND (count is not 1 to WSIM_MBARRIER_MOST). */
WSIM_API enum wsim_status wsim_mbarrier_init(const struct wsim_mbarrier *barrier, uint32_t count,
                                             struct wsim_diag *diag);

/* mbarrier.inval. */
WSIM_API enum wsim_status wsim_mbarrier_inval(const struct wsim_mbarrier *barrier,
                                              struct wsim_diag *diag);

/* mbarrier.arrive of `count`; *token (may be NULL) is the state before. arrive.expect_tx is
 * expect_tx followed by this. Errors: WSIM_OPERAND (count is 0 or more than are pending). */
WSIM_API enum wsim_status wsim_mbarrier_arrive(const struct wsim_mbarrier *barrier, uint32_t count,
                                               uint64_t *token, struct wsim_diag *diag);

/* mbarrier.arrive_drop: the same, and later phases expect `count` arrivals less. */
WSIM_API enum wsim_status wsim_mbarrier_arrive_drop(const struct wsim_mbarrier *barrier,
                                                    uint32_t count, uint64_t *token,
                                                    struct wsim_diag *diag);

/* mbarrier.expect_tx and complete_tx. Errors: WSIM_OPERAND (the bytes leave the range of
 * -WSIM_MBARRIER_MOST to WSIM_MBARRIER_MOST). */
WSIM_API enum wsim_status wsim_mbarrier_expect_tx(const struct wsim_mbarrier *barrier,
                                                  uint32_t bytes, struct wsim_diag *diag);
WSIM_API enum wsim_status wsim_mbarrier_complete_tx(const struct wsim_mbarrier *barrier,
                                                    uint32_t bytes, struct wsim_diag *diag);

/* mbarrier.test_wait (and try_wait, which ends at once) of a token: *done is 1 if its phase is
 * complete. Errors: WSIM_OPERAND (the token is of neither this phase nor the one before). */
WSIM_API enum wsim_status wsim_mbarrier_test(const struct wsim_mbarrier *barrier, uint64_t token,
                                             int *done, struct wsim_diag *diag);

/* The same for a phase parity: 1 if the phase with that parity, the current or the one before, is
 * complete; of a fresh barrier parity 1 is. Errors: WSIM_OPERAND (parity is not 0 or 1). */
WSIM_API enum wsim_status wsim_mbarrier_test_parity(const struct wsim_mbarrier *barrier,
                                                    uint32_t parity, int *done,
                                                    struct wsim_diag *diag);

/* A loop of try_wait.parity that nothing else runs beside. Errors: those of
 * wsim_mbarrier_test_parity, WSIM_OPERAND (it would never end; the diag says how many arrivals and
 * bytes are missing). */
WSIM_API enum wsim_status wsim_mbarrier_wait(const struct wsim_mbarrier *barrier, uint32_t parity,
                                             struct wsim_diag *diag);

/* mbarrier.pending_count: of a token. */
WSIM_API uint32_t wsim_mbarrier_pending_count(uint64_t token);

/* What the barrier holds now. It is no instruction, and watchers are not told. */
WSIM_API enum wsim_status wsim_mbarrier_read(const struct wsim_mbarrier *barrier,
                                             struct wsim_mbarrier_state *state,
                                             struct wsim_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
