/* Cases of tcgen05.mma: small whole numbers, whose sums are exact. A is i + k, B is j - k, in f16
 * and K-major without a swizzle. */
#include "helper.h"

#include <stdlib.h>
#include <string.h>

#define MMA "tcgen05.mma.cta_group::1.kind::f16"
#define PAIR "tcgen05.mma.cta_group::2.kind::f16"

enum { M = 128, N = 8, K = 16, LANES = 128, COLUMNS = 16, D_AT = 4 };

/* A line of 128 lanes of tensor memory is longer than that of the helper. */
struct line {
    char *at;
    size_t used;
};

static void add(struct line *line, const char *text) {
    const size_t size = strlen(text);
    line->at = realloc(line->at, line->used + size + 1);
    ck_assert_ptr_nonnull(line->at);
    memcpy(line->at + line->used, text, size + 1);
    line->used += size;
}

static void add_bytes(struct line *line, uint32_t value, unsigned bytes) {
    char text[12];
    for (unsigned i = 0; i < bytes; i++) {
        snprintf(text, sizeof text, "%02x", (unsigned)(value >> 8 * i & 0xFF));
        add(line, text);
    }
}

/* f16 of a small whole number: all that is needed of a conversion. */
static uint32_t half(int value) {
    uint32_t sign = value < 0 ? 0x8000u : 0, size = (uint32_t)(value < 0 ? -value : value), e = 0;
    if (!size)
        return 0;
    while (size >> e > 1)
        e++;
    return sign | (e + 15) << 10 | (size << (10 - e) & 0x3FFu);
}

static uint32_t single(int value) {
    union {
        float f;
        uint32_t u;
    } bits = {.f = (float)value};
    return bits.u;
}

static int a_of(int i, int k) {
    return i % 16 + k;
}

static int b_of(int k, int j) {
    return j - k;
}

static int c_of(int i, int j) {
    return i * 3 - j * 5;
}

static int sum(int i, int j) {
    int d = 0;
    for (int k = 0; k < K; k++)
        d += a_of(i, k) * b_of(k, j);
    return d;
}

/* Shared memory: A at 0, B behind it. 16 bytes along k of 8 rows follow each other, then rows,
 * then k. */
static void add_shared(struct line *line, int rows, int first_a, int columns, int first_b) {
    for (int k8 = 0; k8 < K; k8 += 8)
        for (int i = 0; i < rows; i++)
            for (int k = k8; k < k8 + 8; k++)
                add_bytes(line, half(a_of(first_a + i, k)), 2);
    for (int k8 = 0; k8 < K; k8 += 8)
        for (int j = 0; j < columns; j++)
            for (int k = k8; k < k8 + 8; k++)
                add_bytes(line, half(b_of(k, first_b + j)), 2);
}

/* Version 1; groups of 8 rows are 128 bytes apart, pieces of k `rows` * 16. */
static void add_descriptor(struct line *line, const char *name, unsigned at, unsigned rows) {
    char text[64];
    snprintf(text, sizeof text, "\t%s=%016llx", name,
             (unsigned long long)at >> 4 | (unsigned long long)rows << 16 | 8ull << 32 |
                 1ull << 46);
    add(line, text);
}

enum what { BEFORE, AFTER, ADDED, KEPT };

/* Columns of 128 lanes: D from column 4 on, 7 elsewhere. KEPT: lanes 32 to 63 as they were. */
static void add_tensor(struct line *line, enum what what, int n, int first) {
    for (int lane = 0; lane < LANES; lane++)
        for (int column = 0; column < COLUMNS + n - N; column++) {
            const int i = first + lane, j = column - D_AT;
            const int is_old = what == BEFORE || (what == KEPT && lane / 32 == 1);
            add_bytes(line,
                      j < 0 || j >= n ? 7u
                      : is_old        ? single(c_of(i, j))
                                      : single(sum(i, j) + (what == AFTER ? 0 : c_of(i, j))),
                      4);
        }
}

static struct wsim_replay replay_line(struct wsim_trace *trace, struct line *line) {
    struct wsim_replay replay;
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    int is_case = 0;
    ck_assert_msg(!wsim_trace_line(trace, line->at, line->used, &is_case, &diag), "%u: %s",
                  (unsigned)diag.col, diag.text);
    wsim_trace_replay(trace, NULL, &replay);
    free(line->at);
    *line = (struct line){0};
    return replay;
}

/* The product of one block; `more` are further fields. */
static struct line product(const char *more, enum what what) {
    struct line line = {0};
    add(&line, MMA "\tidesc=08020010\tsmem=");
    add_shared(&line, M, 0, N, 0);
    add_descriptor(&line, "descA", 0, M);
    add_descriptor(&line, "descB", M * K * 2, N);
    add(&line, "\td_at=00000004\ttmem=");
    add_tensor(&line, BEFORE, N, 0);
    add(&line, more);
    add(&line, "\ttmem_after=");
    add_tensor(&line, what, N, 0);
    return line;
}

START_TEST(equal) {
    struct wsim_trace *trace = reader("sm_100a");
    struct line line = product("\tscaled=0", AFTER);
    struct wsim_replay replay = replay_line(trace, &line);
    ck_assert_msg(replay.verdict == WSIM_EQUAL, "%s", replay.why.text);
    ck_assert_uint_eq(wsim_trace_results(trace), M * N);
    line = product("\tscaled=1", ADDED);
    ck_assert_int_eq(replay_line(trace, &line).verdict, WSIM_EQUAL);
    line = product("\tscaled=1\tkeep=0,4294967295,0,0", KEPT);
    ck_assert_int_eq(replay_line(trace, &line).verdict, WSIM_EQUAL);
    ck_assert_uint_gt(wsim_trace_memory(trace), 2 * 262144);
    wsim_trace_free(trace);
}
END_TEST

START_TEST(different) {
    struct wsim_trace *trace = reader("sm_100a");
    struct line line = product("\tscaled=0", ADDED);
    struct wsim_replay replay = replay_line(trace, &line);
    ck_assert_int_eq(replay.verdict, WSIM_DIFFERENT);
    ck_assert_str_eq(replay.first.field, "tmem_after");
    ck_assert_uint_eq(replay.first.place.lane, 0);
    ck_assert_uint_eq(replay.first.coord.col, D_AT + 1); /* C of (0, 0) is 0 */
    ck_assert_uint_eq(replay.first.got, single(sum(0, 1)));
    line = product("\tscaled=0\ttmem_fnv=0123456789abcdef", AFTER);
    replay = replay_line(trace, &line);
    ck_assert_int_eq(replay.verdict, WSIM_DIFFERENT);
    ck_assert_str_eq(replay.first.field, "tmem_fnv");
    wsim_trace_free(trace);
}
END_TEST

/* Each block of a pair has 128 rows of A and D, and 8 of 16 columns of B. */
START_TEST(pairs) {
    struct wsim_trace *trace = reader("sm_100a");
    struct line line = {0};
    struct wsim_replay replay;
    add(&line, PAIR "\tidesc=10040010\tscaled=0\td_at=00000004");
    add_descriptor(&line, "descA", 0, M);
    add_descriptor(&line, "descB", M * K * 2, N);
    for (int odd = 0; odd < 2; odd++) {
        add(&line, odd ? "\tsmem_odd=" : "\tsmem=");
        add_shared(&line, M, M * odd, N, N * odd);
        add(&line, odd ? "\ttmem_odd=" : "\ttmem=");
        add_tensor(&line, BEFORE, 2 * N, M * odd);
        add(&line, odd ? "\ttmem_odd_after=" : "\ttmem_after=");
        add_tensor(&line, AFTER, 2 * N, M * odd);
    }
    replay = replay_line(trace, &line);
    ck_assert_msg(replay.verdict == WSIM_EQUAL, "%s", replay.why.text);
    ck_assert_uint_eq(wsim_trace_results(trace), 2 * M * 2 * N);
    wsim_trace_free(trace);
}
END_TEST

/* A trap leaves all as it was; what wsim does not model is unsupported. */
START_TEST(traps) {
    static const char head[] = MMA "\tidesc=08020010\tsmem=@fill:00:8192\tdescA=0000400800800000"
                                   "\ttmem=@fill:00:8192\td_at=00000000\tscaled=0";
    struct wsim_trace *trace = reader("sm_100a");
    struct line line = {0};
    add(&line, head);
    add(&line, "\tdescB=0000400800083ff0\ttrap=1"); /* beyond the window */
    ck_assert_int_eq(replay_line(trace, &line).verdict, WSIM_EQUAL);
    add(&line, head);
    add(&line, "\tdescB=0000400800080000\ttrap=1"); /* fine here */
    ck_assert_int_eq(replay_line(trace, &line).verdict, WSIM_DIFFERENT);
    add(&line, head);
    add(&line, "\tdescB=0000400800080000\te_at=00000000\ttmem_fnv=0000000000000000");
    ck_assert_int_eq(replay_line(trace, &line).verdict, WSIM_UNSUPPORTED);
    wsim_trace_free(trace);
    trace = reader("sm_90a");
    line = product("\tscaled=0", AFTER);
    ck_assert_int_eq(replay_line(trace, &line).verdict, WSIM_UNSUPPORTED);
    wsim_trace_free(trace);
}
END_TEST

START_TEST(lines_refused) {
#define HEAD                                                                                       \
    MMA "\tidesc=08020010\tsmem=@fill:00:64\tdescB=0000400000000000\td_at=00000000\tscaled=0"
    struct wsim_trace *trace = reader("sm_100a");
    refused(trace, HEAD "\tdescA=0000400000000000\ttmem_fnv=0000000000000000", 1,
            "input field 'tmem' is missing");
    refused(trace, HEAD "\ttmem=@fill:00:512\ttmem_fnv=0000000000000000", 1,
            "descA or a_at is missing");
    refused(trace,
            HEAD "\tdescA=0000400000000000\ta_at=00000000\ttmem=@fill:00:512"
                 "\ttmem_fnv=0000000000000000",
            1, "not in both");
    refused(trace, HEAD "\tdescA=0000400000000000\ttmem=@fill:00:500\ttmem_fnv=0000000000000000", 1,
            "columns of 128 lanes have 512 each");
    refused(trace, HEAD "\tdescA=0000400000000000\ttmem=@fill:00:512\ttmem_after=@fill:00:1024", 1,
            "they are the same window");
    refused(trace,
            HEAD "\tdescA=0000400000000000\ttmem=@fill:00:512\ttmem_odd_fnv=0000000000000000", 1,
            "input field 'tmem_odd' is missing");
    refused(trace, HEAD "\tdescA=0000400000000000\ttmem=@fill:00:512", 1, "no expectation");
    refused(trace, HEAD "\tmask=ffffffff", 0, "does not belong");
    wsim_trace_free(trace);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {equal, different, pairs, traps, lines_refused};
    return run_tests("umma", tests, COUNT(tests));
}
