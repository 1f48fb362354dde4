/* mbarrier.h - the barrier that arrivals and the bytes of copies complete.
 *
 * 64 bits of wsim's own, owned by the caller; the vendor's bits are private. A phase is complete
 * when no arrival is pending and the bytes that were expected are the bytes that came; the next
 * begins at once. wsim executes a copy when it is issued, so a barrier never changes behind the
 * caller's back, and a wait that cannot end is told instead of waiting.
 * Source: PTX ISA 9.0 "mbarrier".
 */
#ifndef WSIM_MBARRIER_H
#define WSIM_MBARRIER_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WSIM_MBARRIER_MOST 1048575 /* arrivals of a phase, and bytes either way: 2^20 - 1 */

/* All zero: no barrier, as mbarrier.inval leaves it. */
struct wsim_mbarrier {
    uint64_t opaque;
};

/* What a barrier holds. */
struct wsim_mbarrier_state {
    uint32_t phase;    /* the current one, modulo 4                                         */
    uint32_t expected; /* arrivals of a phase                                               */
    uint32_t pending;  /* arrivals of this phase that are still to come                     */
    int32_t bytes;     /* expected and not come yet; negative: came before they were expected */
};

/* Errors of every function below that takes a barrier, first: WSIM_OPERAND (it is not initialised;
 * of init: it is, and was not invalidated). A refusal leaves the barrier as it was. */

/* mbarrier.init. Errors: WSIM_OPERAND (count is not 1 to WSIM_MBARRIER_MOST). */
WSIM_API enum wsim_status wsim_mbarrier_init(struct wsim_mbarrier *barrier, uint32_t count,
                                             struct wsim_diag *diag);

/* mbarrier.inval. */
WSIM_API enum wsim_status wsim_mbarrier_inval(struct wsim_mbarrier *barrier,
                                              struct wsim_diag *diag);

/* mbarrier.arrive of `count`; *token (may be NULL) is the state before. arrive.expect_tx is
 * expect_tx followed by this. Errors: WSIM_OPERAND (count is 0 or more than are pending). */
WSIM_API enum wsim_status wsim_mbarrier_arrive(struct wsim_mbarrier *barrier, uint32_t count,
                                               uint64_t *token, struct wsim_diag *diag);

/* mbarrier.arrive_drop: the same, and later phases expect `count` arrivals less. */
WSIM_API enum wsim_status wsim_mbarrier_arrive_drop(struct wsim_mbarrier *barrier, uint32_t count,
                                                    uint64_t *token, struct wsim_diag *diag);

/* mbarrier.expect_tx and complete_tx. Errors: WSIM_OPERAND (the bytes leave the range of
 * -WSIM_MBARRIER_MOST to WSIM_MBARRIER_MOST). */
WSIM_API enum wsim_status wsim_mbarrier_expect_tx(struct wsim_mbarrier *barrier, uint32_t bytes,
                                                  struct wsim_diag *diag);
WSIM_API enum wsim_status wsim_mbarrier_complete_tx(struct wsim_mbarrier *barrier, uint32_t bytes,
                                                    struct wsim_diag *diag);

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

WSIM_API enum wsim_status wsim_mbarrier_read(const struct wsim_mbarrier *barrier,
                                             struct wsim_mbarrier_state *state,
                                             struct wsim_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
