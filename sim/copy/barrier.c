/* Barriers: phases, arrivals and bytes. Knows no copy; what completes bytes is asked elsewhere. */
#include "../base/base.h"

#include <wsim/mbarrier.h>

#define MOST WSIM_MBARRIER_MOST

/* Bits of the image: expected 0, pending 20, bytes 40 (two's complement), phase 61, valid 63. */
enum { COUNT_BITS = 20, BYTES_BITS = 21, PHASES = 4 };
#define VALID (UINT64_C(1) << 63)

static uint32_t field(uint64_t image, unsigned at, unsigned bits) {
    return (uint32_t)(image >> at & ((UINT64_C(1) << bits) - 1));
}

static struct wsim_mbarrier_state unpack(uint64_t image) {
    struct wsim_mbarrier_state s;
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

enum wsim_status wsim_mbarrier_read(const struct wsim_mbarrier *barrier,
                                    struct wsim_mbarrier_state *state, struct wsim_diag *diag) {
    if (!(barrier->opaque & VALID))
        return base_refuse(diag, RULE_MBARRIER_STATE_UNINITIALISED, 0,
                           "the barrier is not initialised: mbarrier.init comes first");
    *state = unpack(barrier->opaque);
    return WSIM_OK;
}

/* Writes a changed state; a phase that is complete makes room for the next. */
static void settle(struct wsim_mbarrier *barrier, struct wsim_mbarrier_state s) {
    if (s.pending == 0 && s.bytes == 0) {
        s.phase++;
        s.pending = s.expected;
    }
    barrier->opaque = pack(&s);
}

enum wsim_status wsim_mbarrier_init(struct wsim_mbarrier *barrier, uint32_t count,
                                    struct wsim_diag *diag) {
    struct wsim_mbarrier_state s = {0, count, count, 0};
    if (barrier->opaque & VALID)
        return base_refuse(diag, RULE_MBARRIER_STATE_IN_USE, 0,
                           "the barrier is in use: mbarrier.inval comes before another init");
    if (count == 0 || count > MOST)
        return base_refuse(diag, RULE_MBARRIER_COUNT_RANGE, 0,
                           "count is %u: a barrier expects 1 to %d arrivals; the nearest is %d",
                           (unsigned)count, MOST, count ? MOST : 1);
    barrier->opaque = pack(&s);
    return WSIM_OK;
}

enum wsim_status wsim_mbarrier_inval(struct wsim_mbarrier *barrier, struct wsim_diag *diag) {
    struct wsim_mbarrier_state s;
    enum wsim_status status = wsim_mbarrier_read(barrier, &s, diag);
    if (!status)
        barrier->opaque = 0;
    return status;
}

static enum wsim_status arrive(struct wsim_mbarrier *barrier, uint32_t count, uint32_t dropped,
                               uint64_t *token, struct wsim_diag *diag) {
    struct wsim_mbarrier_state s;
    uint64_t before = barrier->opaque;
    enum wsim_status status = wsim_mbarrier_read(barrier, &s, diag);
    if (status)
        return status;
    if (count == 0 || count > s.pending)
        return base_refuse(diag, RULE_MBARRIER_ARRIVE_EXCESS, 0,
                           "%u arrive: %u of %u arrivals are pending in this phase",
                           (unsigned)count, (unsigned)s.pending, (unsigned)s.expected);
    s.pending -= count;
    s.expected -= dropped;
    settle(barrier, s);
    if (token)
        *token = before;
    return WSIM_OK;
}

enum wsim_status wsim_mbarrier_arrive(struct wsim_mbarrier *barrier, uint32_t count,
                                      uint64_t *token, struct wsim_diag *diag) {
    return arrive(barrier, count, 0, token, diag);
}

enum wsim_status wsim_mbarrier_arrive_drop(struct wsim_mbarrier *barrier, uint32_t count,
                                           uint64_t *token, struct wsim_diag *diag) {
    return arrive(barrier, count, count, token, diag);
}

/* `sign` +1: bytes are expected; -1: they came. */
static enum wsim_status transact(struct wsim_mbarrier *barrier, uint32_t bytes, int sign,
                                 struct wsim_diag *diag) {
    struct wsim_mbarrier_state s;
    enum wsim_status status = wsim_mbarrier_read(barrier, &s, diag);
    int64_t sum;
    if (status)
        return status;
    sum = s.bytes + sign * (int64_t)bytes;
    if (sum > MOST || sum < -MOST)
        return base_refuse(diag, RULE_MBARRIER_BYTES_RANGE, 0,
                           "%u bytes are %s with %d outstanding: a barrier counts to %d either way",
                           (unsigned)bytes, sign > 0 ? "expected" : "completed", (int)s.bytes,
                           MOST);
    s.bytes = (int32_t)sum;
    settle(barrier, s);
    return WSIM_OK;
}

enum wsim_status wsim_mbarrier_expect_tx(struct wsim_mbarrier *barrier, uint32_t bytes,
                                         struct wsim_diag *diag) {
    return transact(barrier, bytes, 1, diag);
}

enum wsim_status wsim_mbarrier_complete_tx(struct wsim_mbarrier *barrier, uint32_t bytes,
                                           struct wsim_diag *diag) {
    return transact(barrier, bytes, -1, diag);
}

enum wsim_status wsim_mbarrier_test(const struct wsim_mbarrier *barrier, uint64_t token, int *done,
                                    struct wsim_diag *diag) {
    struct wsim_mbarrier_state s;
    enum wsim_status status = wsim_mbarrier_read(barrier, &s, diag);
    uint32_t since;
    if (status)
        return status;
    since = (s.phase - unpack(token).phase) % PHASES;
    if (!(token & VALID) || since > 1)
        return base_refuse(diag, RULE_MBARRIER_TOKEN_STALE, 0,
                           "the token is of neither this phase nor the one before it");
    *done = since == 1;
    return WSIM_OK;
}

enum wsim_status wsim_mbarrier_test_parity(const struct wsim_mbarrier *barrier, uint32_t parity,
                                           int *done, struct wsim_diag *diag) {
    struct wsim_mbarrier_state s;
    enum wsim_status status = wsim_mbarrier_read(barrier, &s, diag);
    if (status)
        return status;
    if (parity > 1)
        return base_refuse(diag, RULE_MBARRIER_PARITY_RANGE, 0, "parity is %u: it is 0 or 1",
                           (unsigned)parity);
    *done = (s.phase & 1) != parity;
    return WSIM_OK;
}

enum wsim_status wsim_mbarrier_wait(const struct wsim_mbarrier *barrier, uint32_t parity,
                                    struct wsim_diag *diag) {
    struct wsim_mbarrier_state s = {0, 0, 0, 0};
    int done = 0;
    enum wsim_status status = wsim_mbarrier_test_parity(barrier, parity, &done, diag);
    if (status || done)
        return status;
    s = unpack(barrier->opaque);
    return base_refuse(diag, RULE_MBARRIER_WAIT_ENDLESS, 0,
                       "the wait for parity %u would never end: %u of %u arrivals are missing, and "
                       "%d bytes%s",
                       (unsigned)parity, (unsigned)s.pending, (unsigned)s.expected,
                       (int)(s.bytes < 0 ? -s.bytes : s.bytes),
                       s.bytes < 0 ? " came that nobody expected" : "");
}

uint32_t wsim_mbarrier_pending_count(uint64_t token) {
    return unpack(token).pending;
}
