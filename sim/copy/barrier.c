/* Barriers: phases, arrivals and bytes in 8 bytes of shared memory. Knows no copy. */
#include "copy.h"

#include <inttypes.h>

#define MOST WSIM_MBARRIER_MOST

/* Bits of the image: expected 0, pending 20, bytes 40 (two's complement), phase 61, valid 63. */
enum { COUNT_BITS = 20, BYTES_BITS = 21, PHASES = 4 };
#define VALID (UINT64_C(1) << 63)

static uint32_t field(uint64_t image, unsigned at, unsigned bits) {
    return (uint32_t)(image >> at & ((UINT64_C(1) << bits) - 1));
}

static struct wsim_mbarrier_state unpack(uint64_t image) {
    struct wsim_mbarrier_state s = {0, 0, 0, 0};
    int32_t bytes = (int32_t)field(image, 2 * COUNT_BITS, BYTES_BITS);
    s.expected = field(image, 0, COUNT_BITS);
    s.pending = field(image, COUNT_BITS, COUNT_BITS);
    s.bytes = bytes > MOST ? bytes - 2 * (MOST + 1) : bytes;
    s.phase = field(image, 2 * COUNT_BITS + BYTES_BITS, 2);
    return s;
}

static uint64_t pack(const struct wsim_mbarrier_state *s) {
    uint64_t bytes = (uint64_t)s->bytes & ((UINT64_C(1) << BYTES_BITS) - 1);
    return VALID | (uint64_t)(s->phase % PHASES) << (2 * COUNT_BITS + BYTES_BITS) |
           bytes << 2 * COUNT_BITS | (uint64_t)s->pending << COUNT_BITS | s->expected;
}

/* --- 8 bytes of memory --- */

/* Checks a barrier (for a write if `written`) and loads its 64 bits. */
static enum wsim_status image_of(const struct wsim_mbarrier *barrier, int written, uint64_t *image,
                                 struct wsim_diag *diag) {
    uint64_t below = barrier->at - barrier->at % WSIM_MBARRIER_BYTES;
    enum wsim_status status = memory_need(barrier->shared, WSIM_SHARED, diag);
    if (status)
        return status;
    if (barrier->at != below)
        return base_refuse(diag, RULE_MBARRIER_ADDRESS_ALIGN, 0,
                           "barrier at shared address 0x%" PRIx64
                           ": it is at a multiple of %d; the nearest are 0x%" PRIx64
                           " and 0x%" PRIx64,
                           barrier->at, WSIM_MBARRIER_BYTES, below, below + WSIM_MBARRIER_BYTES);
    status = memory_check(barrier->shared, barrier->at, WSIM_MBARRIER_BYTES, written, diag);
    if (!status)
        *image = memory_get(barrier->shared, barrier->at, WSIM_MBARRIER_BYTES);
    return status;
}

/* Every instruction on a barrier is one atomic update, even without a change. */
static void tell(const struct wsim_mbarrier *barrier) {
    memory_tell(barrier->shared,
                &(struct wsim_touch){barrier->at, WSIM_MBARRIER_BYTES, barrier->where,
                                     barrier->warp, barrier->lane, WSIM_TOUCH_UPDATE});
}

static void write(const struct wsim_mbarrier *barrier, uint64_t image) {
    tell(barrier);
    memory_put(barrier->shared, barrier->at, WSIM_MBARRIER_BYTES, image);
}

/* Refuses numbers that no sequence of instructions leaves: another store overwrote the barrier.
 * Pending arrivals can exceed the expected ones: cp.async.mbarrier.arrive adds its own. */
static int is_damaged(const struct wsim_mbarrier_state *s) {
    return s->bytes < -MOST || (s->expected && !s->pending && !s->bytes);
}

static enum wsim_status state_of(const struct wsim_mbarrier *barrier, int written,
                                 struct wsim_mbarrier_state *state, struct wsim_diag *diag) {
    uint64_t image = 0;
    enum wsim_status status = image_of(barrier, written, &image, diag);
    struct wsim_mbarrier_state s = unpack(image);
    if (status)
        return status;
    if (!(image & VALID))
        return base_refuse(diag, RULE_MBARRIER_STATE_UNINITIALISED, 0,
                           "the barrier at shared address 0x%" PRIx64
                           " is not initialised: mbarrier.init comes first",
                           barrier->at);
    if (is_damaged(&s))
        return base_refuse(diag, RULE_MBARRIER_STATE_DAMAGED, 0,
                           "the 8 bytes at shared address 0x%" PRIx64
                           " are no longer a barrier: other data was written there",
                           barrier->at);
    *state = s;
    return WSIM_OK;
}

enum wsim_status wsim_mbarrier_read(const struct wsim_mbarrier *barrier,
                                    struct wsim_mbarrier_state *state, struct wsim_diag *diag) {
    return state_of(barrier, 0, state, diag);
}

/* Writes a changed state; starts the next phase if the current one is complete. */
static void settle(const struct wsim_mbarrier *barrier, struct wsim_mbarrier_state s) {
    if (s.pending == 0 && s.bytes == 0) {
        s.phase++;
        s.pending = s.expected;
    }
    write(barrier, pack(&s));
}

/* --- the instructions --- */

enum wsim_status wsim_mbarrier_init(const struct wsim_mbarrier *barrier, uint32_t count,
                                    struct wsim_diag *diag) {
    struct wsim_mbarrier_state s = {0, count, count, 0};
    uint64_t image = 0;
    enum wsim_status status = image_of(barrier, 1, &image, diag);
    if (status)
        return status;
    if (image & VALID)
        return base_refuse(diag, RULE_MBARRIER_STATE_IN_USE, 0,
                           "the barrier at shared address 0x%" PRIx64
                           " is in use: mbarrier.inval comes before another init",
                           barrier->at);
    if (count == 0 || count > MOST)
        return base_refuse(diag, RULE_MBARRIER_COUNT_RANGE, 0,
                           "count is %u: a barrier expects 1 to %d arrivals; the nearest is %d",
                           (unsigned)count, MOST, count ? MOST : 1);
    write(barrier, pack(&s));
    return WSIM_OK;
}

enum wsim_status wsim_mbarrier_inval(const struct wsim_mbarrier *barrier, struct wsim_diag *diag) {
    struct wsim_mbarrier_state s = {0, 0, 0, 0};
    enum wsim_status status = state_of(barrier, 1, &s, diag);
    if (!status)
        write(barrier, 0);
    return status;
}

static enum wsim_status arrive(const struct wsim_mbarrier *barrier, uint32_t count,
                               uint32_t dropped, uint64_t *token, struct wsim_diag *diag) {
    struct wsim_mbarrier_state s = {0, 0, 0, 0};
    enum wsim_status status = state_of(barrier, 1, &s, diag);
    uint64_t before;
    if (status)
        return status;
    if (count && !s.pending)
        return base_refuse(diag, RULE_MBARRIER_ARRIVE_EXCESS, 0,
                           "%u more arrive%s in a phase that lacks no arrival and waits for bytes",
                           (unsigned)count, count == 1 ? "s" : "");
    if (count == 0 || count > s.pending)
        return base_refuse(diag, RULE_MBARRIER_ARRIVE_EXCESS, 0,
                           "%u arrive in a phase that lacks %u of %u arrivals", (unsigned)count,
                           (unsigned)s.pending, (unsigned)s.expected);
    before = pack(&s);
    s.pending -= count;
    s.expected -= dropped;
    settle(barrier, s);
    if (token)
        *token = before;
    return WSIM_OK;
}

enum wsim_status wsim_mbarrier_arrive(const struct wsim_mbarrier *barrier, uint32_t count,
                                      uint64_t *token, struct wsim_diag *diag) {
    return arrive(barrier, count, 0, token, diag);
}

enum wsim_status wsim_mbarrier_arrive_drop(const struct wsim_mbarrier *barrier, uint32_t count,
                                           uint64_t *token, struct wsim_diag *diag) {
    return arrive(barrier, count, count, token, diag);
}

enum wsim_status copy_barrier_more(const struct wsim_mbarrier *barrier, struct wsim_diag *diag) {
    struct wsim_mbarrier_state s = {0, 0, 0, 0};
    enum wsim_status status = state_of(barrier, 1, &s, diag);
    if (status)
        return status;
    if (s.pending == MOST)
        return base_refuse(diag, RULE_MBARRIER_COUNT_RANGE, 0,
                           "%d arrivals are pending: no more can be added", MOST);
    s.pending++;
    settle(barrier, s);
    return WSIM_OK;
}

/* The state with `bytes` expected (`sign` 1) or completed (-1). */
static enum wsim_status transact(const struct wsim_mbarrier *barrier, uint64_t bytes, int sign,
                                 struct wsim_mbarrier_state *s, struct wsim_diag *diag) {
    enum wsim_status status = state_of(barrier, 1, s, diag);
    int64_t sum;
    if (status)
        return status;
    sum = s->bytes + sign * (int64_t)bytes;
    if (sum > MOST || sum < -MOST)
        return base_refuse(diag, RULE_MBARRIER_BYTES_RANGE, 0,
                           "%" PRIu64
                           " bytes are %s with %d outstanding: a barrier counts to %d either way",
                           bytes, sign > 0 ? "expected" : "completed", (int)s->bytes, MOST);
    s->bytes = (int32_t)sum;
    return WSIM_OK;
}

enum wsim_status copy_can_transact(const struct wsim_mbarrier *barrier, uint64_t bytes, int sign,
                                   struct wsim_diag *diag) {
    struct wsim_mbarrier_state s = {0, 0, 0, 0};
    return transact(barrier, bytes, sign, &s, diag);
}

enum wsim_status wsim_mbarrier_expect_tx(const struct wsim_mbarrier *barrier, uint32_t bytes,
                                         struct wsim_diag *diag) {
    struct wsim_mbarrier_state s = {0, 0, 0, 0};
    enum wsim_status status = transact(barrier, bytes, 1, &s, diag);
    if (!status)
        settle(barrier, s);
    return status;
}

enum wsim_status wsim_mbarrier_complete_tx(const struct wsim_mbarrier *barrier, uint32_t bytes,
                                           struct wsim_diag *diag) {
    struct wsim_mbarrier_state s = {0, 0, 0, 0};
    enum wsim_status status = transact(barrier, bytes, -1, &s, diag);
    if (!status)
        settle(barrier, s);
    return status;
}

enum wsim_status wsim_mbarrier_test(const struct wsim_mbarrier *barrier, uint64_t token, int *done,
                                    struct wsim_diag *diag) {
    struct wsim_mbarrier_state s = {0, 0, 0, 0};
    enum wsim_status status = state_of(barrier, 0, &s, diag);
    uint32_t since;
    if (status)
        return status;
    since = (s.phase - unpack(token).phase) % PHASES;
    if (!(token & VALID) || since > 1)
        return base_refuse(diag, RULE_MBARRIER_TOKEN_STALE, 0,
                           "the token belongs to neither this phase nor the one before");
    tell(barrier);
    *done = since == 1;
    return WSIM_OK;
}

/* Tests the phase with this parity, the current or the previous one. */
static enum wsim_status test_parity(const struct wsim_mbarrier *barrier, uint32_t parity,
                                    struct wsim_mbarrier_state *s, int *done,
                                    struct wsim_diag *diag) {
    enum wsim_status status = state_of(barrier, 0, s, diag);
    if (status)
        return status;
    if (parity > 1)
        return base_refuse(diag, RULE_MBARRIER_PARITY_RANGE, 0, "parity is %u, must be 0 or 1",
                           (unsigned)parity);
    *done = (s->phase & 1) != parity;
    return WSIM_OK;
}

enum wsim_status wsim_mbarrier_test_parity(const struct wsim_mbarrier *barrier, uint32_t parity,
                                           int *done, struct wsim_diag *diag) {
    struct wsim_mbarrier_state s = {0, 0, 0, 0};
    enum wsim_status status = test_parity(barrier, parity, &s, done, diag);
    if (!status)
        tell(barrier);
    return status;
}

enum wsim_status wsim_mbarrier_wait(const struct wsim_mbarrier *barrier, uint32_t parity,
                                    struct wsim_diag *diag) {
    struct wsim_mbarrier_state s = {0, 0, 0, 0};
    int done = 0;
    enum wsim_status status = test_parity(barrier, parity, &s, &done, diag);
    if (status)
        return status;
    if (!done)
        return base_refuse(
            diag, RULE_MBARRIER_WAIT_ENDLESS, 0,
            "the wait for parity %u would never end: %u of %u arrivals are missing, and %d %s",
            (unsigned)parity, (unsigned)s.pending, (unsigned)s.expected,
            (int)(s.bytes < 0 ? -s.bytes : s.bytes),
            s.bytes < 0 ? "unexpected bytes arrived" : "bytes");
    tell(barrier);
    return WSIM_OK;
}

uint32_t wsim_mbarrier_pending_count(uint64_t token) {
    return unpack(token).pending;
}
