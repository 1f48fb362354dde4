/* mbarrier.h - barriers that arrivals and the bytes of copies complete.
 *
 * A barrier is 8 bytes of shared memory, as on hardware. The meaning of the bits is wsim's own,
 * because the vendor's format is private. Zeros are not a barrier; mbarrier.inval leaves zeros. A
 * phase is complete when no arrival is pending and all expected bytes have arrived. The next phase
 * begins at once. These functions execute a copy when it is issued, so a barrier changes only in a
 * call. A wait that cannot end is refused.
 * Source: PTX ISA 9.0 "mbarrier".
 */
#ifndef WSIM_MBARRIER_H
#define WSIM_MBARRIER_H

#include "memory.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WSIM_MBARRIER_MOST 1048575 /* arrivals of a phase, and bytes either way: 2^20 - 1 */

#define WSIM_MBARRIER_BYTES 8 /* its size and its alignment                           */

/* The place of a barrier, and the accessing thread for watchers of the memory. Plain data that may
 * be made again for each call, because the state is in the memory. Watchers receive one
 * WSIM_TOUCH_UPDATE of 8 bytes for each function that stands for an instruction. This includes
 * tests and waits, because these instructions never race with each other. */
struct wsim_mbarrier {
    const struct wsim_memory *shared;
    uint64_t at;    /* shared address                                                       */
    uint32_t where; /* as in struct wsim_touch: instruction, warp, lane (or WSIM_NO_LANE)   */
    uint16_t warp;
    uint8_t lane;
};

/* The state of a barrier. */
struct wsim_mbarrier_state {
    uint32_t phase;    /* the current one, modulo 4                                         */
    uint32_t expected; /* arrivals of a phase                                               */
    uint32_t pending;  /* arrivals that this phase still needs                              */
    int32_t bytes;     /* expected minus arrived; negative: some arrived before expect_tx     */
};

/* Common errors of the functions that take a barrier, checked first, in this order. WSIM_OPERAND:
 * no memory, or not a window of shared memory. WSIM_ALIGN. WSIM_BOUNDS. WSIM_OPERAND: the memory is
 * read-only (except for test, wait and read). WSIM_OPERAND: the barrier is not initialised; for
 * init: it is initialised and not invalidated. WSIM_OPERAND: other instructions have overwritten
 * its bytes. A refusal leaves the 8 bytes unchanged, and `token`, `done` and `state` too. */

/* mbarrier.init. Errors: WSIM_OPERAND (count is not 1 to WSIM_MBARRIER_MOST). */
WSIM_API enum wsim_status wsim_mbarrier_init(const struct wsim_mbarrier *barrier, uint32_t count,
                                             struct wsim_diag *diag);

/* mbarrier.inval. */
WSIM_API enum wsim_status wsim_mbarrier_inval(const struct wsim_mbarrier *barrier,
                                              struct wsim_diag *diag);

/* mbarrier.arrive of `count`; *token (may be NULL) is the state before. arrive.expect_tx is
 * expect_tx followed by this call. Errors: WSIM_OPERAND (count is 0, or more than the pending
 * arrivals). */
WSIM_API enum wsim_status wsim_mbarrier_arrive(const struct wsim_mbarrier *barrier, uint32_t count,
                                               uint64_t *token, struct wsim_diag *diag);

/* mbarrier.arrive_drop: like arrive, and later phases expect `count` fewer arrivals. */
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

/* mbarrier.test_wait.parity: *done is 1 if the phase with that parity is complete, which is the
 * current phase or the one before. Parity 1 of a new barrier is complete. Errors: WSIM_OPERAND
 * (parity is not 0 or 1). */
WSIM_API enum wsim_status wsim_mbarrier_test_parity(const struct wsim_mbarrier *barrier,
                                                    uint32_t parity, int *done,
                                                    struct wsim_diag *diag);

/* A loop of try_wait.parity without any other thread. Errors: those of wsim_mbarrier_test_parity,
 * WSIM_OPERAND (the loop would never end; the diag gives the missing arrivals and bytes). */
WSIM_API enum wsim_status wsim_mbarrier_wait(const struct wsim_mbarrier *barrier, uint32_t parity,
                                             struct wsim_diag *diag);

/* mbarrier.pending_count of a token. */
WSIM_API uint32_t wsim_mbarrier_pending_count(uint64_t token);

/* Reads the state of a barrier. This is not an instruction, so watchers do not receive it. */
WSIM_API enum wsim_status wsim_mbarrier_read(const struct wsim_mbarrier *barrier,
                                             struct wsim_mbarrier_state *state,
                                             struct wsim_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
