/* Barriers: phases, counts of arrivals and bytes, and everything that is misuse. */
#include "fixture.h"

static uint8_t bytes[24];
static const struct wsim_memory memory = {bytes, 64, sizeof bytes, WSIM_SHARED, 0, NULL};
static const struct wsim_mbarrier b = {&memory, 72, 0, 0, 0};
static struct wsim_diag diag;

static void start(uint32_t count) {
    memset(bytes, 0, sizeof bytes);
    ck_assert_int_eq(wsim_mbarrier_init(&b, count, NULL), WSIM_OK);
}

static int done(uint32_t parity) {
    int is = -1;
    ck_assert_int_eq(wsim_mbarrier_test_parity(&b, parity, &is, NULL), WSIM_OK);
    return is;
}

static void refused(enum wsim_status status, const char *words) {
    ck_assert_int_eq(status, WSIM_OPERAND);
    ck_assert_msg(strstr(diag.text, words) != NULL, "no \"%s\" in: %s", words, diag.text);
}

START_TEST(a_phase_ends_with_its_last_arrival) {
    uint64_t token = 0;
    int is = 0;
    start(3);
    ck_assert(done(1) && !done(0));
    ck_assert_int_eq(wsim_mbarrier_arrive(&b, 2, &token, NULL), WSIM_OK);
    ck_assert_uint_eq(wsim_mbarrier_pending_count(token), 3);
    ck_assert(!done(0));
    ck_assert_int_eq(wsim_mbarrier_arrive(&b, 1, NULL, NULL), WSIM_OK);
    ck_assert(done(0) && !done(1));
    ck_assert_int_eq(wsim_mbarrier_test(&b, token, &is, NULL), WSIM_OK);
    ck_assert_int_eq(is, 1);
    ck_assert_int_eq(wsim_mbarrier_arrive(&b, 3, NULL, NULL), WSIM_OK);
    refused(wsim_mbarrier_test(&b, token, &is, &diag), "neither this phase nor the one before");
}
END_TEST

START_TEST(bytes_hold_a_phase_open) {
    start(1);
    ck_assert_int_eq(wsim_mbarrier_complete_tx(&b, 100, NULL),
                     WSIM_OK); /* before they are expected */
    ck_assert_int_eq(wsim_mbarrier_expect_tx(&b, 256, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_mbarrier_arrive(&b, 1, NULL, NULL), WSIM_OK);
    ck_assert(!done(0));
    refused(wsim_mbarrier_wait(&b, 0, &diag),
            "would never end: 0 of 1 arrivals are missing, and 156 bytes");
    ck_assert_int_eq(wsim_mbarrier_complete_tx(&b, 155, NULL), WSIM_OK);
    ck_assert(!done(0));
    ck_assert_int_eq(wsim_mbarrier_complete_tx(&b, 1, NULL), WSIM_OK);
    ck_assert(done(0));
    ck_assert_int_eq(wsim_mbarrier_wait(&b, 0, NULL), WSIM_OK);
}
END_TEST

START_TEST(bytes_that_nobody_expected_end_no_phase) {
    start(1);
    ck_assert_int_eq(wsim_mbarrier_complete_tx(&b, 16, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_mbarrier_arrive(&b, 1, NULL, NULL), WSIM_OK);
    ck_assert(!done(0));
    refused(wsim_mbarrier_wait(&b, 0, &diag), "16 unexpected bytes arrived");
}
END_TEST

START_TEST(a_drop_lasts) {
    struct wsim_mbarrier_state s;
    start(2);
    ck_assert_int_eq(wsim_mbarrier_arrive_drop(&b, 1, NULL, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_mbarrier_arrive(&b, 1, NULL, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_mbarrier_read(&b, &s, NULL), WSIM_OK);
    ck_assert(s.phase == 1 && s.expected == 1 && s.pending == 1 && s.bytes == 0);
}
END_TEST

START_TEST(misuse_is_refused) {
    uint64_t before;
    int is;
    memset(bytes, 0, sizeof bytes);
    refused(wsim_mbarrier_arrive(&b, 1, NULL, &diag), "not initialised");
    refused(wsim_mbarrier_init(&b, 0, &diag), "count is 0: a barrier expects 1 to 1048575");
    refused(wsim_mbarrier_init(&b, 1048576, &diag), "the nearest is 1048575");
    start(2);
    before = fixture_number(bytes + 8, 8);
    refused(wsim_mbarrier_init(&b, 1, &diag), "mbarrier.inval comes before another init");
    refused(wsim_mbarrier_arrive(&b, 3, NULL, &diag),
            "3 arrive in a phase that lacks 2 of 2 arrivals");
    refused(wsim_mbarrier_arrive(&b, 0, NULL, &diag), "0 arrive");
    refused(wsim_mbarrier_expect_tx(&b, 1048576, &diag), "counts to 1048575 either way");
    refused(wsim_mbarrier_complete_tx(&b, 1048576, &diag), "counts to 1048575 either way");
    refused(wsim_mbarrier_test_parity(&b, 2, &is, &diag), "parity is 2");
    ck_assert_uint_eq(before, fixture_number(bytes + 8, 8));
    ck_assert_int_eq(wsim_mbarrier_inval(&b, NULL), WSIM_OK);
    refused(wsim_mbarrier_inval(&b, &diag), "not initialised");
}
END_TEST

START_TEST(counts_reach_their_limits) {
    struct wsim_mbarrier_state s;
    start(WSIM_MBARRIER_MOST);
    ck_assert_int_eq(wsim_mbarrier_complete_tx(&b, WSIM_MBARRIER_MOST, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_mbarrier_read(&b, &s, NULL), WSIM_OK);
    ck_assert(s.bytes == -WSIM_MBARRIER_MOST && s.pending == WSIM_MBARRIER_MOST);
    ck_assert_int_eq(wsim_mbarrier_expect_tx(&b, WSIM_MBARRIER_MOST, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_mbarrier_arrive(&b, WSIM_MBARRIER_MOST, NULL, NULL), WSIM_OK);
    ck_assert(done(0));
}
END_TEST

static void broken(enum wsim_status status, const char *rule) {
    ck_assert_int_ne(status, WSIM_OK);
    ck_assert_msg(strcmp(diag.rule, rule) == 0, "%s, not %s: %s", diag.rule, rule, diag.text);
}

START_TEST(a_barrier_is_8_bytes_of_shared_memory) {
    static const uint64_t wrong[] = {60, 68, 76};
    struct wsim_memory window = memory;
    struct wsim_mbarrier barrier = {&window, 64, 0, 0, 0};
    struct wsim_mbarrier_state s;
    uint8_t before[sizeof bytes];
    memset(bytes, 0, sizeof bytes);
    for (unsigned i = 0; i < COUNT(wrong); i++) {
        barrier.at = wrong[i];
        broken(wsim_mbarrier_init(&barrier, 1, &diag), "mbarrier.address.align");
    }
    barrier.at = 88;
    broken(wsim_mbarrier_init(&barrier, 1, &diag), "memory.bounds");
    barrier.at = 80; /* the last that there is */
    ck_assert_int_eq(wsim_mbarrier_init(&barrier, 1, &diag), WSIM_OK);
    for (unsigned i = 0; i < 16; i++)
        ck_assert_uint_eq(bytes[i], 0);
    memcpy(before, bytes, sizeof bytes);
    window.read_only = 1;
    broken(wsim_mbarrier_arrive(&barrier, 1, NULL, &diag), "memory.read_only");
    broken(wsim_mbarrier_inval(&barrier, &diag), "memory.read_only");
    ck_assert(memcmp(before, bytes, sizeof bytes) == 0);
    ck_assert_int_eq(wsim_mbarrier_read(&barrier, &s, &diag), WSIM_OK);
    ck_assert_int_eq(wsim_mbarrier_wait(&barrier, 1, &diag), WSIM_OK);
    window.space = WSIM_GLOBAL;
    broken(wsim_mbarrier_read(&barrier, &s, &diag), "memory.space");
    barrier.shared = NULL;
    broken(wsim_mbarrier_read(&barrier, &s, &diag), "operand.missing");
}
END_TEST

START_TEST(bytes_that_are_no_barrier_are_refused) {
    static const uint64_t images[] = {
        UINT64_C(1) << 63 | 1, /* complete, and not settled   */
        UINT64_C(1) << 63 | UINT64_C(1) << 60 | UINT64_C(1) << 20 | 1, /* -2^20 bytes           */
    };
    for (unsigned i = 0; i < COUNT(images); i++) {
        for (unsigned byte = 0; byte < 8; byte++)
            bytes[8 + byte] = (uint8_t)(images[i] >> 8 * byte);
        broken(wsim_mbarrier_arrive(&b, 1, NULL, &diag), "mbarrier.state.damaged");
    }
}
END_TEST

int main(void) {
    const TTest *const tests[] = {a_phase_ends_with_its_last_arrival,
                                  bytes_hold_a_phase_open,
                                  bytes_that_nobody_expected_end_no_phase,
                                  a_drop_lasts,
                                  misuse_is_refused,
                                  counts_reach_their_limits,
                                  a_barrier_is_8_bytes_of_shared_memory,
                                  bytes_that_are_no_barrier_are_refused};
    return run_tests("copy/barrier", tests, COUNT(tests));
}
